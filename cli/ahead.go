package cli

import (
	"context"
	"errors"
	"sync"
	"time"

	"pview/prv"
	"pview/prv/format"
)

// ahead is a trace that is read before the viewer asks for it. A file that is not a trace is usually known within a
// millisecond; then the viewer is not started at all. A viewer that stops immediately would query the terminal and
// leave the answers to the shell, as if they had been typed.
type ahead struct {
	path   string
	cancel context.CancelFunc
	ended  chan struct{}
	trace  *prv.Trace // after ended
	err    error

	mu      sync.Mutex
	watcher prv.Watcher // gets progress and parts
	newest  *prv.Part   // until there is a watcher
}

// patience is how long the viewer may be delayed by the check that the file is a trace.
const patience = 50 * time.Millisecond

// openAhead starts reading a trace.
func openAhead(ctx context.Context, path string, opener *prv.Opener) *ahead {
	ctx, cancel := context.WithCancel(ctx)
	h := &ahead{path: path, cancel: cancel, ended: make(chan struct{})}
	go func() {
		defer close(h.ended)
		defer cancel()
		h.trace, h.err = format.Open(ctx, opener, path, prv.Watcher{Progress: h.progress, Part: h.part})
	}()
	return h
}

// failed waits a moment, and returns the error if the file cannot be opened.
func (h *ahead) failed() error {
	select {
	case <-h.ended:
		return h.err
	case <-time.After(patience):
		return nil
	}
}

func (h *ahead) progress(done, total int64) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.watcher.Progress != nil {
		h.watcher.Progress(done, total)
	}
}

func (h *ahead) part(part *prv.Part) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.watcher.Part != nil {
		h.watcher.Part(part)
		return
	}
	h.newest = part
}

// watch sets the watcher, and gives it the newest part.
func (h *ahead) watch(w prv.Watcher) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.watcher = w
	if w.Part != nil && h.newest != nil {
		w.Part(h.newest)
	}
	h.newest = nil
}

// wait returns the trace once it is read.
func (h *ahead) wait(ctx context.Context, w prv.Watcher) (*prv.Trace, error) {
	h.watch(w)
	select {
	case <-h.ended:
		return h.trace, h.err
	case <-ctx.Done():
		h.cancel()
		return nil, ctx.Err()
	}
}

// firstOf starts reading the first path that can be opened, judging by what happens within patience. If none can, the
// error has the reason for each.
func firstOf(ctx context.Context, paths []string, opener *prv.Opener) (*ahead, error) {
	var failures []error
	for _, path := range paths {
		h := openAhead(ctx, path, opener)
		err := h.failed()
		if err == nil {
			return h, nil
		}
		failures = append(failures, err)
	}
	return nil, errors.Join(failures...)
}
