package semantic

import (
	"context"
	"errors"
	"sync"
	"testing"

	"pview/semantic/series"
)

func TestAllComputesEachRowOnce(t *testing.T) {
	tr := read(t, traceA)
	w := DefaultWindow()
	e, _ := Compile(tr, &w)
	var mu sync.Mutex
	seen := map[int]int{}
	err := e.All(context.Background(), []int{1, 0}, 4, func(row int, s *series.Series) {
		mu.Lock()
		defer mu.Unlock()
		seen[row] += s.Len()
	})
	if err != nil || len(seen) != 2 || seen[0] != 4 || seen[1] != 5 {
		t.Errorf("%v, %v", seen, err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := e.All(ctx, []int{0, 1}, 1, func(int, *series.Series) { t.Error("a row after the end") }); !errors.Is(err,
		context.Canceled) {
		t.Errorf("after the end: %v", err)
	}
}
