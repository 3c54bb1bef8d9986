package parallel

import "context"

// Watch looks at a context now and then, in loops and sorts whose steps are too small to do so, and without an error to
// return. Where the context has ended it leaves by a panic, which OnEnd turns into the context's error. A Watch is for
// one goroutine; the panic crosses Each.
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

// Every is the number of steps, each of below 10 us, between two looks at the context.
const Every = 1 << 9

// ended is the panic of a Watch.
type ended struct{}

// Step is one step of a loop.
func (w *Watch) Step() {
	if w.steps++; w.steps&(Every-1) == 0 && w.ctx.Err() != nil {
		panic(ended{})
	}
}

// Look looks at the context now: for loops that count their own steps.
func (w *Watch) Look() {
	if w.ctx.Err() != nil {
		panic(ended{})
	}
}

// OnEnd is deferred by the function that has made a Watch: it sets the error to that of ctx where the Watch has left.
func OnEnd(ctx context.Context, err *error) {
	switch x := recover(); x.(type) {
	case nil:
	case ended:
		*err = ctx.Err()
	default:
		panic(x)
	}
}
