package semantic

import (
	"context"
	"runtime"
	"sync"
	"weak"

	"pview/prv"
)

// Kept keeps a finder's results as long as their traces are in memory: several windows ask for them, row by row.
type Kept[T any] struct {
	mu sync.Mutex
	of map[weak.Pointer[prv.Trace]]*found[T]
}

// found holds the result for a trace. turn is a semaphore: it holds a value while no search runs.
type found[T any] struct {
	turn  chan struct{}
	value *T
}

// Of returns the result of find for a trace, which it computes once. The result must not refer to the trace. The error
// is that of ctx or of find.
func (k *Kept[T]) Of(ctx context.Context, t *prv.Trace,
	find func(ctx context.Context, t *prv.Trace) (*T, error)) (*T, error) {
	own := k.entry(t)
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-own.turn:
	}
	defer func() { own.turn <- struct{}{} }()
	if own.value == nil {
		v, err := find(ctx, t)
		if err != nil {
			return nil, err
		}
		own.value = v
	}
	return own.value, nil
}

func (k *Kept[T]) entry(t *prv.Trace) *found[T] {
	key := weak.Make(t)
	k.mu.Lock()
	defer k.mu.Unlock()
	if own, ok := k.of[key]; ok {
		return own
	}
	if k.of == nil {
		k.of = map[weak.Pointer[prv.Trace]]*found[T]{}
	}
	own := &found[T]{turn: make(chan struct{}, 1)}
	own.turn <- struct{}{}
	k.of[key] = own
	runtime.AddCleanup(t, k.forget, key)
	return own
}

func (k *Kept[T]) forget(key weak.Pointer[prv.Trace]) {
	k.mu.Lock()
	defer k.mu.Unlock()
	delete(k.of, key)
}
