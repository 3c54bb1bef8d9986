package model_test

import (
	"context"
	"math/rand/v2"
	"reflect"
	"testing"

	"pview/prv/model"
	"pview/prv/store"
)

// The counts do not depend on how many events wait to be added: with few pages, events are added many times, and a
// shard already has values when the last ones come.
func TestPagesOfLooseEvents(t *testing.T) {
	var h model.Header
	h.AddPtask()
	for range 4 {
		h.AddTask(1, -1)
	}
	b := store.NewBuilder(h)
	rng := rand.New(rand.NewPCG(5, 6))
	for i := range 400_000 {
		p := model.Pair{Type: uint32(rng.IntN(3000)), Value: rng.Int64() >> rng.IntN(64)}
		if i%5 > 0 {
			p.Value = int64(rng.IntN(200))
		}
		b.Event(int32(i%4), 0, int64(i), p)
	}
	tr, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	want, err := model.Count(ctx, tr, nil)
	if err != nil {
		t.Fatal(err)
	}
	if n := len(want.Types); n != 3000 || want.EventPairs != 400_000 {
		t.Fatalf("%d types, %d events", n, want.EventPairs)
	}
	for _, pages := range []int{64, model.TypeShards, 2 * model.TypeShards} {
		if got, err := model.CountIn(ctx, tr, nil, pages); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%d pages: the counts differ; %v", pages, err)
		}
	}
}
