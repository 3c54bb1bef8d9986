package semantic

import (
	"context"
	"errors"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"
	"weak"

	"pview/prv"
)

// slowWindow returns a window whose thread function says when it has begun and
// waits for leave to go on, and how often it ran.
func slowWindow(t *testing.T) (e *Evaluator, begun chan struct{}, goOn chan struct{}, runs *atomic.Int32) {
	t.Helper()
	begun, goOn, runs = make(chan struct{}, 100), make(chan struct{}), new(atomic.Int32)
	tr := read(t, traceA)
	w := DefaultWindow()
	e, err := Compile(tr, &w)
	if err != nil {
		t.Fatal(err)
	}
	f := *e.calls[prv.LevelThread].Entry
	quick := f.thread.value
	f.thread.value = func(x *threadRow, m *marks, p params, v []float64) {
		runs.Add(1)
		begun <- struct{}{}
		<-goOn
		quick(x, m, p, v)
	}
	e.calls[prv.LevelThread].Entry = &f
	return e, begun, goOn, runs
}

func TestCacheComputesOnce(t *testing.T) {
	e, begun, goOn, runs := slowWindow(t)
	c := NewCache(1 << 20)
	var got [8]*Series
	var wg sync.WaitGroup
	for i := range got {
		wg.Go(func() { got[i], _ = c.Get(context.Background(), e, "w", 0) })
	}
	<-begun
	close(goOn)
	wg.Wait()
	for _, s := range got {
		if s == nil || s != got[0] {
			t.Fatal("not everybody got the same series")
		}
	}
	if s, ok := c.Peek(e, "w", 0); !ok || s != got[0] {
		t.Error("the series is not in the cache")
	}
	if _, ok := c.Peek(e, "another", 0); ok {
		t.Error("another window's series is")
	}
	if n := runs.Load(); n != 1 {
		t.Errorf("computed %d times", n)
	}
}

// Who gives up gets the answer at once; who stays gets the series.
func TestCacheOutlivesWhoAskedFirst(t *testing.T) {
	e, begun, goOn, runs := slowWindow(t)
	c := NewCache(1 << 20)
	ctx, cancel := context.WithCancel(context.Background())
	first, second := make(chan error, 1), make(chan error, 1)
	go func() { _, err := c.Get(ctx, e, "w", 0); first <- err }()
	<-begun
	go func() { _, err := c.Get(context.Background(), e, "w", 0); second <- err }()
	for waiting := 0; waiting < 2; time.Sleep(time.Millisecond) {
		c.mu.Lock()
		for _, f := range c.flying {
			waiting = f.waiters
		}
		c.mu.Unlock()
	}
	cancel()
	if err := <-first; !errors.Is(err, context.Canceled) {
		t.Errorf("the first got %v", err)
	}
	close(goOn)
	if err := <-second; err != nil {
		t.Errorf("the second got %v", err)
	}
	if n := runs.Load(); n != 1 {
		t.Errorf("computed %d times", n)
	}
}

// After the last asker has gone, a new one gets a fresh computation, not the
// cancelled one.
func TestCacheAfterEverybodyLeft(t *testing.T) {
	e, begun, goOn, _ := slowWindow(t)
	c := NewCache(1 << 20)
	ctx, cancel := context.WithCancel(context.Background())
	gone := make(chan error, 1)
	go func() { _, err := c.Get(ctx, e, "w", 0); gone <- err }()
	<-begun
	cancel()
	<-gone
	close(goOn)
	if s, err := c.Get(context.Background(), e, "w", 0); err != nil || s == nil {
		t.Errorf("%v, %v", s, err)
	}
}

func TestCacheKeepsTheBudget(t *testing.T) {
	tr := read(t, traceA)
	w := DefaultWindow()
	e, err := Compile(tr, &w)
	if err != nil {
		t.Fatal(err)
	}
	one := series(t, tr, w, 0).Bytes()
	c := NewCache(3*one + one/2)
	get := func(key string) {
		if _, err := c.Get(context.Background(), e, key, 0); err != nil {
			t.Fatal(err)
		}
	}
	for _, key := range []string{"a", "b", "c", "a", "d"} { // a is used again, so b is the oldest
		get(key)
	}
	for key, want := range map[string]bool{"a": true, "b": false, "c": true, "d": true} {
		if _, ok := c.Peek(e, key, 0); ok != want {
			t.Errorf("%s in the cache: %v", key, ok)
		}
	}
	if c.Bytes() > 3*one+one/2 || c.Bytes() != 3*one {
		t.Errorf("holds %d bytes, want 3 times %d", c.Bytes(), one)
	}
	tiny := NewCache(one - 1)
	if s, err := tiny.Get(context.Background(), e, "a", 0); err != nil || s == nil || tiny.Bytes() != 0 {
		t.Error("a series above the budget must be answered, but not kept")
	}
	c.Forget(tr)
	if c.Bytes() != 0 {
		t.Errorf("holds %d bytes of a forgotten trace", c.Bytes())
	}
}

// A row that is put late, after its trace was forgotten, does not keep the trace, and goes with it.
func TestCacheHoldsNoTrace(t *testing.T) {
	c := NewCache(1 << 20)
	late := func() weak.Pointer[prv.Trace] {
		tr := read(t, traceA)
		w := DefaultWindow()
		e, err := Compile(tr, &w)
		if err != nil {
			t.Fatal(err)
		}
		s := series(t, tr, w, 0)
		c.Put(e, "a", 0, s)
		c.Forget(tr)
		c.Put(e, "a", 0, s)
		if c.Bytes() != s.Bytes() {
			t.Errorf("holds %d bytes, want %d", c.Bytes(), s.Bytes())
		}
		return weak.Make(tr)
	}()
	// the cleanup runs some time after the collection
	for n := 0; n < 1000 && (late.Value() != nil || c.Bytes() > 0); n++ {
		runtime.GC()
		time.Sleep(time.Millisecond)
	}
	if late.Value() != nil {
		t.Error("holds a trace")
	}
	if c.Bytes() != 0 || len(c.traces) != 0 {
		t.Errorf("holds %d bytes of a trace that is gone", c.Bytes())
	}
}

func TestAllComputesEachRowOnce(t *testing.T) {
	tr := read(t, traceA)
	w := DefaultWindow()
	e, _ := Compile(tr, &w)
	var mu sync.Mutex
	seen := map[int]int{}
	err := e.All(context.Background(), []int{1, 0}, 4, func(row int, s *Series) {
		mu.Lock()
		defer mu.Unlock()
		seen[row] += s.Len()
	})
	if err != nil || len(seen) != 2 || seen[0] != 4 || seen[1] != 5 {
		t.Errorf("%v, %v", seen, err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := e.All(ctx, []int{0, 1}, 1, func(int, *Series) { t.Error("a row after the end") }); !errors.Is(err,
		context.Canceled) {
		t.Errorf("after the end: %v", err)
	}
}
