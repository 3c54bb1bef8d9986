package parallel

import "context"

// Watch checks a context now and then, in loops and sorts whose steps are too small to check it and cannot return an
// error. If the context has ended, it panics, and OnEnd turns the panic into the context's error. A Watch is for one
// goroutine; the panic passes through Each.
//
//	defer parallel.OnEnd(ctx, &err)
//	w := parallel.NewWatch(ctx)
//	slices.SortFunc(list, func(x, y int64) int { w.Step(); return cmp.Compare(x, y) })
type Watch struct {
	ctx   context.Context
	steps int
}

// NewWatch begins to watch a context.
func NewWatch(ctx context.Context) *Watch { return &Watch{ctx: ctx} }

// Every is the number of steps, each below 10 us, between two checks of the context.
const Every = 1 << 9

// ended is the panic of a Watch.
type ended struct{}

// Step is one step of a loop.
func (w *Watch) Step() {
	if w.steps++; w.steps&(Every-1) == 0 && w.ctx.Err() != nil {
		panic(ended{})
	}
}

// Look checks the context now: for loops that count their own steps.
func (w *Watch) Look() {
	if w.ctx.Err() != nil {
		panic(ended{})
	}
}

// OnEnd is deferred by the function that has made a Watch: if the Watch has panicked, it sets err to ctx's error.
func OnEnd(ctx context.Context, err *error) {
	switch x := recover(); x.(type) {
	case nil:
	case ended:
		*err = ctx.Err()
	default:
		panic(x)
	}
}
