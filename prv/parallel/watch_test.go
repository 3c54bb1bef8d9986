package parallel

import (
	"cmp"
	"context"
	"slices"
	"sync/atomic"
	"testing"
)

// A sort ends with its context, on whatever goroutine it runs; any other panic is passed on.
func TestWatch(t *testing.T) {
	sorted := func(ctx context.Context, workers int, list []int) (err error) {
		defer OnEnd(ctx, &err)
		return Each(ctx, 2, workers, func(_, i int) error {
			w := NewWatch(ctx)
			slices.SortFunc(slices.Clone(list), func(x, y int) int { w.Step(); return cmp.Compare(x, y) })
			return nil
		})
	}
	list := make([]int, 4*Every)
	for i := range list {
		list[i] = i * 7919 % len(list)
	}
	for _, workers := range []int{1, 2} {
		if err := sorted(t.Context(), workers, list); err != nil {
			t.Error(err)
		}
		ctx := &endsAt{Context: t.Context(), looks: 5}
		if err := sorted(ctx, workers, list); err != context.Canceled {
			t.Errorf("%d workers: error %v", workers, err)
		}
	}
	defer func() { // passed on from the last call
		if x := recover(); x != "other" {
			t.Errorf("a panic of another kind ends as %v", x)
		}
	}()
	func() (err error) {
		defer OnEnd(t.Context(), &err)
		panic("other")
	}()
}

// endsAt is a context that ends after it has been checked a number of times.
type endsAt struct {
	context.Context
	looks int64
	seen  atomic.Int64
}

func (e *endsAt) Err() error {
	if e.seen.Add(1) > e.looks {
		return context.Canceled
	}
	return nil
}
