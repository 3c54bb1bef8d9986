package diagnose

// An analysis ends within milliseconds after its context has. Rules are functions without an error, so their loops are
// left by the panic of a watch, which Analyze turns into the context's error.

import (
	"context"

	"pview/prv/parallel"
)

// look is called at each step of loops over units, messages, events; not on several goroutines.
func (a *analysis) look() { a.watch.Step() }

// watches lets an analysis end with another context.
func (a *analysis) watches(ctx context.Context) { a.ctx, a.watch = ctx, parallel.NewWatch(ctx) }
