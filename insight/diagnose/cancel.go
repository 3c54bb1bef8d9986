package diagnose

// An analysis ends within milliseconds after its context has. Rules are functions without an error, so their loops are left by a panic that
// Analyze turns into the context's error.

import "context"

// ended is the panic.
type ended struct{}

// every is the number of steps of a loop, each of well below 10 us, between two looks at the context.
const every = 1 << 9

// look ends the analysis if its context has ended. It is called at each step of loops over units, messages, events; not on several goroutines.
func (a *analysis) look() {
	if a.looks++; a.looks&(every-1) == 0 && a.ctx.Err() != nil {
		panic(ended{})
	}
}

// onEnd recovers the panic of look.
func onEnd(ctx context.Context, r **Result, err *error) {
	switch x := recover(); x.(type) {
	case nil:
	case ended:
		*r, *err = nil, ctx.Err()
	default:
		panic(x)
	}
}
