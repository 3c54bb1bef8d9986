package prv

// Opening traces through their indexes.

import (
	"context"
	"errors"
	"fmt"
	"os"
	"pview/prv/index"
	"pview/prv/mapped"
	"pview/prv/model"
	"pview/prv/store"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
)

// Opener opens traces like Open, but through their indexes, and makes missing indexes. The zero value is ready to use;
// the fields must not be changed after its first use.
type Opener struct {
	Strict bool // see Options
	// SortStates sorts states by time, whatever their order in the file: see Trace.SortedStates.
	SortStates bool
	Memory     int64
	// NoIndex disables indexes: they are neither read nor made.
	NoIndex bool
	// Limit bounds the size of an index in bytes, and the total size of the indexes in the user's cache directory; 0
	// means defaultIndexLimit.
	Limit int64
	// Least is the minimum size of a file that gets an index; 0 means leastIndexed.
	Least int64
	// Runs holds the files of runs that have several, by the path that represents the run.
	Runs map[string][]string
	// Tell, if set, is called with a line when an index cannot be used or made. Calls may come from several goroutines.
	Tell func(line string)

	making  sync.WaitGroup
	busy    atomic.Int32
	mu      sync.Mutex
	cancels []context.CancelFunc
}

// leastIndexed is the size of files that get an index: smaller ones are parsed within about 50 ms on one core, which
// does not justify files that users must clean up. A compressed file needs only a quarter of it.
const leastIndexed = 16 << 20

// defaultIndexLimit is the default maximum size of an index.
const defaultIndexLimit = 64 << 30

// Open reads a trace like the function Open. A new index is finished in the background: see Wait.
func (o *Opener) Open(ctx context.Context, path string, w store.Watcher) (t *Trace, err error) {
	if show := w.Part; o.SortStates && show != nil {
		w.Part = func(part *Part) {
			part.Trace = part.Trace.SortedStates()
			show(part)
		}
	}
	err = mapped.Guard(func() (err error) {
		t, err = o.open(ctx, path, w)
		return err
	})
	if err == nil && o.SortStates {
		t = t.SortedStates()
	}
	return t, err
}

func (o *Opener) open(ctx context.Context, path string, w store.Watcher) (*Trace, error) {
	info, err := os.Stat(path)
	if o.NoIndex || !index.Supported || err != nil || !info.Mode().IsRegular() {
		return Open(ctx, path, store.Options{Strict: o.Strict, Memory: o.Memory, Progress: w.Progress, Part: w.Part})
	}
	real, err := index.RealPath(path)
	if err != nil {
		return nil, model.AsFileError(path, err)
	}
	src := &indexable{path: path, places: index.PlacesOf(real),
		state: func() (index.TraceState, error) { return index.StateOf(path) }, complete: func(t *Trace) {
			for i := range t.Notes {
				t.Notes[i].File = path
			}
			openCompanions(t)
		}}
	t, tried, err := o.fromIndex(ctx, src)
	if err != nil || t != nil {
		return t, err
	}
	if !tried && info.Size() < o.least(path) {
		src.places = nil
	}
	return o.parse(ctx, src, w)
}

// indexable is a trace that may have an index.
type indexable struct {
	path   string
	places []string // possible places of the index
	state  func() (index.TraceState, error)
	// complete adds to a trace what its index lacks.
	complete func(t *Trace)
}

func (o *Opener) least(path string) int64 {
	least := o.Least
	if least == 0 {
		least = leastIndexed
	}
	if strings.HasSuffix(path, ".gz") {
		least /= 4
	}
	return least
}

// fromIndex opens the trace from its index; t is nil if no index is usable; tried is set if there is an unusable one.
// The error is ctx's.
func (o *Opener) fromIndex(ctx context.Context, src *indexable) (t *Trace, tried bool, err error) {
	var now index.TraceState
	for _, place := range src.places {
		if !index.IsMarked(place) {
			continue
		}
		if now.Size == 0 {
			if now, err = src.state(); err != nil {
				return nil, false, nil // Open will return the reason
			}
		}
		t, _, err := index.Open(ctx, place, now)
		switch {
		case err == nil && o.Strict && (t.Skipped.Total() > 0 || t.Cut != nil):
			// Parsing will find the error again and report it in full.
			return nil, false, nil
		case err == nil:
			t.Path = src.path
			src.complete(t)
			index.Touch(place)
			return t, true, nil
		case ctx.Err() != nil:
			return nil, false, ctx.Err()
		case errors.As(err, new(index.StaleError)):
			tried = true
		case !errors.Is(err, index.ErrNone):
			tried = true
			o.tell(src.path, "its index is not used: %v; it is rebuilt", err)
		}
	}
	return nil, tried, nil
}

func (o *Opener) tell(path, format string, args ...any) {
	if o.Tell != nil {
		o.Tell(path + ": " + strings.ReplaceAll(fmt.Sprintf(format, args...), "\n", "; "))
	}
}

// parse reads the trace and starts to make its index in one of the places, if any.
func (o *Opener) parse(ctx context.Context, src *indexable, w store.Watcher) (*Trace, error) {
	path := src.path
	before, err := src.state()
	if err != nil {
		return nil, model.AsFileError(path, err)
	}
	s := &store.Storage{Memory: o.Memory, Places: src.places, Limit: o.limit()}
	if info, err := os.Stat(path); err == nil {
		s.Mode = info.Mode().Perm()
	}
	t, err := open(ctx, path, store.Options{Strict: o.Strict, Memory: o.Memory, Progress: w.Progress, Part: w.Part,
		Storage: s})
	if err != nil {
		return nil, err
	}
	if s.Draft != nil {
		s.Draft.Maps.Keep()
		t.Maps = &s.Draft.Maps
	}
	m := &index.Meta{Source: before, Notes: slices.Clone(t.Notes)}
	for i := range m.Notes {
		m.Notes[i].File = ""
	}
	openCompanions(t)
	switch {
	case len(src.places) == 0:
	case s.NoIndex != nil:
		o.tellNoIndex(path, s.NoIndex)
	case s.Draft != nil:
		o.begin(ctx, func(ctx context.Context) { o.finish(ctx, t, src, s, m) })
	}
	return t, nil
}

// begin starts work that Wait waits for. It outlives ctx.
func (o *Opener) begin(ctx context.Context, work func(context.Context)) {
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	o.mu.Lock()
	o.cancels = append(o.cancels, cancel)
	o.mu.Unlock()
	o.busy.Add(1)
	o.making.Go(func() {
		defer o.busy.Add(-1)
		defer func() {
			// The trace is open and in use: a failed index must not end the session.
			if r := recover(); r != nil {
				o.tell("index", "internal error: %v", r)
			}
		}()
		work(ctx)
	})
}

// tellNoIndex reports why no index is made, unless another process is making it or the work was cancelled.
func (o *Opener) tellNoIndex(path string, why error) {
	if !errors.Is(why, index.ErrBusy) && !errors.Is(why, context.Canceled) {
		o.tell(path, "no index is made: %v", why)
	}
}

// finish publishes the index whose columns hold the trace's records.
func (o *Opener) finish(ctx context.Context, t *Trace, src *indexable, s *store.Storage, m *index.Meta) {
	d := s.Draft
	if after, err := src.state(); err != nil || m.Source.Differs(after) != "" {
		d.Forget() // its file is still being written
		return
	}
	if err := d.Finish(ctx, t, m); err != nil {
		o.tellNoIndex(src.path, err)
		return
	}
	index.Register(d.Final, o.limit())
	if s.Foreign != nil {
		o.tell(src.path, "%v; its index is %s", s.Foreign, d.Final)
	}
}

func (o *Opener) limit() int64 {
	if o.Limit > 0 {
		return o.Limit
	}
	return defaultIndexLimit
}

// Wait waits until the indexes are made; if ctx ends first, it abandons unfinished ones.
func (o *Opener) Wait(ctx context.Context) {
	done := make(chan struct{})
	go func() {
		o.making.Wait()
		close(done)
	}()
	select {
	case <-done:
	case <-ctx.Done():
		o.mu.Lock()
		for _, cancel := range o.cancels {
			cancel()
		}
		o.mu.Unlock()
		<-done
	}
}

// Making reports whether indexes are being made.
func (o *Opener) Making() bool { return o.busy.Load() > 0 }
