package semantic

import (
	"context"
	"runtime"
	"sync"
	"weak"

	"pview/prv"
)

// Kept keeps what a finder has found of the traces that are in memory, for as long as they are: several windows ask for
// it, and row by row.
type Kept[T any] struct {
	mu sync.Mutex
	of map[weak.Pointer[prv.Trace]]*found[T]
}

// found holds the findings of a trace; turn holds a value while nobody looks for it.
type found[T any] struct {
	turn  chan struct{}
	value *T
}

// Of returns what find finds of a trace, found once. It must not hold the trace. The error is that of ctx or of find.
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
