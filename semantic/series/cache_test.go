package series

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

// rows is a Source of rows of 0 and 1. It reports when it starts to compute one, and waits for leave to continue.
type rows struct {
	trace       *prv.Trace
	begun, goOn chan struct{} // nil: does not wait
	runs        atomic.Int32
}

func (r *rows) Trace() weak.Pointer[prv.Trace] { return weak.Make(r.trace) }

func (r *rows) Series(ctx context.Context, row int) (*Series, error) {
	r.runs.Add(1)
	if r.begun != nil {
		r.begun <- struct{}{}
		<-r.goOn
	}
	return New([]int64{0, 10, 30}, []float64{0, 1, 0}, 50), ctx.Err()
}

func slowRows() *rows {
	return &rows{trace: &prv.Trace{}, begun: make(chan struct{}, 100), goOn: make(chan struct{})}
}

func TestCacheComputesOnce(t *testing.T) {
	e := slowRows()
	c := NewCache(1 << 20)
	var got [8]*Series
	var wg sync.WaitGroup
	for i := range got {
		wg.Go(func() { got[i], _ = c.Get(context.Background(), e, "w", 0) })
	}
	<-e.begun
	close(e.goOn)
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
	if n := e.runs.Load(); n != 1 {
		t.Errorf("computed %d times", n)
	}
}

// A caller that gives up returns immediately; one that waits gets the series.
func TestCacheOutlivesFirstCaller(t *testing.T) {
	e := slowRows()
	c := NewCache(1 << 20)
	ctx, cancel := context.WithCancel(context.Background())
	first, second := make(chan error, 1), make(chan error, 1)
	go func() { _, err := c.Get(ctx, e, "w", 0); first <- err }()
	<-e.begun
	go func() { _, err := c.Get(context.Background(), e, "w", 0); second <- err }()
	for waiting := 0; waiting < 2; time.Sleep(time.Millisecond) {
		c.mu.Lock()
		for _, f := range c.pending {
			waiting = f.waiters
		}
		c.mu.Unlock()
	}
	cancel()
	if err := <-first; !errors.Is(err, context.Canceled) {
		t.Errorf("the first got %v", err)
	}
	close(e.goOn)
	if err := <-second; err != nil {
		t.Errorf("the second got %v", err)
	}
	if n := e.runs.Load(); n != 1 {
		t.Errorf("computed %d times", n)
	}
}

// After the last caller has left, a new one gets a fresh computation, not the cancelled one.
func TestCacheAfterAllCallersLeft(t *testing.T) {
	e := slowRows()
	c := NewCache(1 << 20)
	ctx, cancel := context.WithCancel(context.Background())
	gone := make(chan error, 1)
	go func() { _, err := c.Get(ctx, e, "w", 0); gone <- err }()
	<-e.begun
	cancel()
	<-gone
	close(e.goOn)
	if s, err := c.Get(context.Background(), e, "w", 0); err != nil || s == nil {
		t.Errorf("%v, %v", s, err)
	}
}

func TestCacheKeepsTheBudget(t *testing.T) {
	e := &rows{trace: &prv.Trace{}}
	s, _ := e.Series(context.Background(), 0)
	one := s.Bytes()
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
	c.Forget(e.trace)
	if c.Bytes() != 0 {
		t.Errorf("holds %d bytes of a forgotten trace", c.Bytes())
	}
}

// A row stored late, after its trace was forgotten, does not keep the trace alive and is dropped with it.
func TestCacheHoldsNoTrace(t *testing.T) {
	c := NewCache(1 << 20)
	late := func() weak.Pointer[prv.Trace] {
		e := &rows{trace: &prv.Trace{Duration: 50}}
		s, _ := e.Series(context.Background(), 0)
		c.Put(e, "a", 0, s)
		c.Forget(e.trace)
		c.Put(e, "a", 0, s)
		if c.Bytes() != s.Bytes() {
			t.Errorf("holds %d bytes, want %d", c.Bytes(), s.Bytes())
		}
		return weak.Make(e.trace)
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
