package format

// The memory of readers that keep a trace as a whole: they are stopped if it takes more than pview may use.

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime/metrics"
	"strings"
	"time"

	"pview/prv"
)

// memoryLook is the time between two checks of the memory while a trace is being read.
const memoryLook = 20 * time.Millisecond

// live returns the bytes of live objects on the heap at the last garbage collection.
func live() int64 {
	sample := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(sample)
	return int64(sample[0].Value.Uint64())
}

// Files that may take more than this share of the memory are not shown in parts, which need memory besides the trace.
const (
	partsShare  = 2
	mostPacking = 16 // of a compressed file
)

// sparingly returns a watcher without parts if memory is scarce; limit 0: unlimited.
func sparingly(limit int64, files []string, w prv.Watcher) prv.Watcher {
	size := int64(0)
	for _, path := range files {
		info, err := os.Stat(path)
		switch {
		case err != nil:
		case strings.HasSuffix(path, ".gz"):
			size += mostPacking * info.Size()
		default:
			size += info.Size()
		}
	}
	if limit > 0 && size > limit/partsShare {
		w.Part = nil
	}
	return w
}

// bounded reads a trace, and gives up if it takes more memory than limit; 0: unlimited.
func bounded(ctx context.Context, limit int64, path string, open func(ctx context.Context) (*prv.Trace, error)) (
	*prv.Trace, error) {
	if limit <= 0 {
		return open(ctx)
	}
	inner, stop := context.WithCancelCause(ctx)
	done, before := make(chan struct{}), live()
	refused := func() error {
		if live()-before <= limit {
			return nil
		}
		return &prv.FileError{File: path, Why: fmt.Sprintf("takes more than the %d MB of memory that pview may use "+
			"(--memory): traces of this format are read as a whole; pview convert makes a .prv of it where there is "+
			"more", limit>>20)}
	}
	go func() {
		for {
			select {
			case <-done:
				return
			case <-time.After(memoryLook):
				if err := refused(); err != nil {
					stop(err)
				}
			}
		}
	}()
	t, err := open(inner)
	close(done)
	if cause := context.Cause(inner); errors.Is(err, context.Canceled) && ctx.Err() == nil && cause != nil {
		err = cause
	}
	stop(nil)
	if err == nil {
		err = refused()
	}
	if err != nil {
		return nil, err
	}
	return t, nil
}
