package semantic

import (
	"container/list"
	"context"
	"runtime"
	"sync"
	"weak"

	"pview/prv"
	"pview/prv/mapped"
)

// Cache keeps computed series under a memory budget, and computes each once
// however many ask for it. It holds no trace: a series that comes late, when the
// trace is closed, goes with it. It is safe for concurrent use.
type Cache struct {
	budget int64

	mu     sync.Mutex
	bytes  int64
	series map[cacheKey]*list.Element // of *cached, most recently used first
	recent list.List
	flying map[cacheKey]*flight
	traces map[weak.Pointer[prv.Trace]]bool // that series are of, or were
}

type cacheKey struct {
	trace  weak.Pointer[prv.Trace]
	window string
	row    int
}

type cached struct {
	key    cacheKey
	series *Series
}

// flight is a series being computed.
type flight struct {
	done    chan struct{}
	cancel  context.CancelFunc
	waiters int
	series  *Series
	err     error
	// panicked is what the computation panicked with. It is raised again in those who wait: there
	// the program can catch it, and give the terminal back before it ends.
	panicked any
}

// NewCache returns a cache that holds series of at most the given number of
// bytes in all.
func NewCache(budget int64) *Cache {
	return &Cache{budget: budget, series: map[cacheKey]*list.Element{}, flying: map[cacheKey]*flight{},
		traces: map[weak.Pointer[prv.Trace]]bool{}}
}

// Get returns the series of a row from the cache, or computes it. key is the
// Key of the window that e was compiled from. When ctx is done first, Get
// returns its error at once; the computation goes on while others wait for it,
// and stops when nobody does.
func (c *Cache) Get(ctx context.Context, e *Evaluator, key string, row int) (*Series, error) {
	k := cacheKey{e.weakly, key, row}
	c.mu.Lock()
	if el, ok := c.series[k]; ok {
		c.recent.MoveToFront(el)
		c.mu.Unlock()
		return el.Value.(*cached).series, nil
	}
	f, ok := c.flying[k]
	if !ok {
		// The flight outlives its first asker if another joins, so it does not
		// inherit the asker's end.
		fctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
		f = &flight{done: make(chan struct{}), cancel: cancel}
		c.flying[k] = f
		go c.fly(fctx, k, f, e)
	}
	f.waiters++
	c.mu.Unlock()
	select {
	case <-f.done:
		if f.panicked != nil {
			panic(f.panicked)
		}
		return f.series, f.err
	case <-ctx.Done():
		c.leave(k, f)
		return nil, ctx.Err()
	}
}

// Peek returns the series of a row if the cache has it.
func (c *Cache) Peek(e *Evaluator, key string, row int) (*Series, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	el, ok := c.series[cacheKey{e.weakly, key, row}]
	if !ok {
		return nil, false
	}
	c.recent.MoveToFront(el)
	return el.Value.(*cached).series, true
}

// fly computes a series and puts it into the cache.
func (c *Cache) fly(ctx context.Context, k cacheKey, f *flight, e *Evaluator) {
	defer f.cancel()
	defer close(f.done)
	defer func() { f.panicked = recover() }()
	f.err = context.Canceled // unless it comes to an end
	f.err = mapped.Guard(func() (err error) {
		f.series, err = e.Series(ctx, k.row)
		return err
	})
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.flying[k] == f {
		delete(c.flying, k)
	}
	if f.err == nil {
		c.put(e, k, f.series)
	}
}

// Put stores the series of a row that was computed elsewhere: by Evaluator.All.
func (c *Cache) Put(e *Evaluator, key string, row int, s *Series) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.put(e, cacheKey{e.weakly, key, row}, s)
}

// leave takes an asker off a flight, and the flight out of the air when it was
// the last.
func (c *Cache) leave(k cacheKey, f *flight) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if f.waiters--; f.waiters > 0 {
		return
	}
	f.cancel()
	if c.flying[k] == f { // who asks from now on must not get the cancelled one
		delete(c.flying, k)
	}
}

// put stores a series and drops those used least recently. A series larger
// than the whole budget is not kept.
func (c *Cache) put(e *Evaluator, k cacheKey, s *Series) {
	if s.Bytes() > c.budget {
		return
	}
	if !c.traces[k.trace] {
		c.traces[k.trace] = true
		runtime.AddCleanup(e.trace, c.collected, k.trace)
	}
	if el, ok := c.series[k]; ok {
		c.drop(el)
	}
	c.series[k] = c.recent.PushFront(&cached{k, s})
	c.bytes += s.Bytes()
	for c.bytes > c.budget {
		c.drop(c.recent.Back())
	}
}

func (c *Cache) drop(el *list.Element) {
	v := c.recent.Remove(el).(*cached)
	delete(c.series, v.key)
	c.bytes -= v.series.Bytes()
}

// Bytes returns the memory of the series held.
func (c *Cache) Bytes() int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.bytes
}

// Forget drops the series of a trace, when it is closed.
func (c *Cache) Forget(t *prv.Trace) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.forget(weak.Make(t))
}

// collected drops what came after Forget.
func (c *Cache) collected(t weak.Pointer[prv.Trace]) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.forget(t)
	delete(c.traces, t)
}

func (c *Cache) forget(t weak.Pointer[prv.Trace]) {
	for el := c.recent.Front(); el != nil; {
		next := el.Next()
		if el.Value.(*cached).key.trace == t {
			c.drop(el)
		}
		el = next
	}
}
