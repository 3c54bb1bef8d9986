// Package parallel runs loops on all processors. Its goroutines may read mapped files (see package mapped): a file that
// breaks is an error of the loop. A panic in a step is re-raised in the caller of the loop: a program with the screen
// can catch it there, and restore the terminal before it ends.
package parallel

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"

	"pview/prv/mapped"
)

// Each calls f for 0..n-1, in order, by several concurrent workers, with the number of the worker (from 0), until one
// call fails or ctx ends. It returns the first error, or ctx's if it skipped a step. workers <= 0 means one per
// processor.
func Each(ctx context.Context, n, workers int, f func(worker, i int) error) error {
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	l := loop{ctx: ctx, n: int64(n), f: f}
	if workers = min(workers, n); workers <= 1 {
		return mapped.Guard(func() error { return l.work(0) })
	}
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() { l.run(w) })
	}
	wg.Wait()
	if p := l.panicked.Load(); p != nil {
		panic(*p)
	}
	if err := l.failed.Load(); err != nil {
		return *err
	}
	return nil
}

// For is Each with a worker per processor, whose number f does not need.
func For(ctx context.Context, n int, f func(i int) error) error {
	return Each(ctx, n, 0, func(_, i int) error { return f(i) })
}

// loop is the state shared by the workers.
type loop struct {
	ctx      context.Context
	n        int64
	f        func(worker, i int) error
	next     atomic.Int64
	failed   atomic.Pointer[error]
	panicked atomic.Pointer[any]
}

// run is a worker.
func (l *loop) run(worker int) {
	defer func() {
		if r := recover(); r != nil {
			l.panicked.CompareAndSwap(nil, &r)
			l.next.Store(l.n)
		}
	}()
	if err := mapped.Guard(func() error { return l.work(worker) }); err != nil {
		l.failed.CompareAndSwap(nil, &err)
		l.next.Store(l.n)
	}
}

// work takes one step after the other.
func (l *loop) work(worker int) error {
	for {
		i := l.next.Add(1) - 1
		if i >= l.n {
			return nil
		}
		if err := l.ctx.Err(); err != nil {
			return err
		}
		if err := l.f(worker, int(i)); err != nil {
			return err
		}
	}
}
