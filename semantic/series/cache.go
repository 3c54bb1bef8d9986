package series

import (
	"container/list"
	"context"
	"runtime"
	"sync"
	"weak"

	"pview/prv"
	"pview/prv/mapped"
)

// Cache keeps computed series under a memory budget, and computes each once even if several goroutines ask for it. It
// does not keep traces alive: when a trace is collected, its series go with it. It is safe for concurrent use.
type Cache struct {
	budget int64

	mu      sync.Mutex
	bytes   int64
	series  map[cacheKey]*list.Element // of *cached, most recently used first
	recent  list.List
	pending map[cacheKey]*computation
	traces  map[weak.Pointer[prv.Trace]]bool // those with a cleanup
}

// Source computes the rows of a window on a trace: a semantic.Evaluator.
type Source interface {
	Series(ctx context.Context, row int) (*Series, error)
	Trace() weak.Pointer[prv.Trace]
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

// computation is a series that is being computed.
type computation struct {
	done    chan struct{}
	cancel  context.CancelFunc
	waiters int
	series  *Series
	err     error
	// panicked is the value of a panic, raised again in the waiting goroutines, where the program can catch it and
	// restore the terminal.
	panicked any
}

// NewCache returns a cache of at most budget bytes.
func NewCache(budget int64) *Cache {
	return &Cache{budget: budget, series: map[cacheKey]*list.Element{}, pending: map[cacheKey]*computation{},
		traces: map[weak.Pointer[prv.Trace]]bool{}}
}

// Get returns the series of a row from the cache, or computes it. key identifies the window of src
// (semantic.Window.Key). When ctx ends, Get returns its error immediately; the computation continues while others wait
// for it.
func (c *Cache) Get(ctx context.Context, src Source, key string, row int) (*Series, error) {
	k := cacheKey{src.Trace(), key, row}
	c.mu.Lock()
	if s, ok := c.find(k); ok {
		c.mu.Unlock()
		return s, nil
	}
	f, ok := c.pending[k]
	if !ok {
		// Others may join, so the computation must not end with the first caller's context.
		fctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
		f = &computation{done: make(chan struct{}), cancel: cancel}
		c.pending[k] = f
		go c.compute(fctx, k, f, src)
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
func (c *Cache) Peek(src Source, key string, row int) (*Series, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.find(cacheKey{src.Trace(), key, row})
}

func (c *Cache) find(k cacheKey) (*Series, bool) {
	el, ok := c.series[k]
	if !ok {
		return nil, false
	}
	c.recent.MoveToFront(el)
	return el.Value.(*cached).series, true
}

func (c *Cache) compute(ctx context.Context, k cacheKey, f *computation, src Source) {
	defer f.cancel()
	defer close(f.done)
	defer func() { f.panicked = recover() }()
	f.err = context.Canceled // replaced below unless the computation panics
	f.err = mapped.Guard(func() (err error) {
		f.series, err = src.Series(ctx, k.row)
		return err
	})
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.pending[k] == f {
		delete(c.pending, k)
	}
	if f.err == nil {
		c.put(k, f.series)
	}
}

// Put stores the series of a row that was computed elsewhere: by Evaluator.All.
func (c *Cache) Put(src Source, key string, row int, s *Series) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.put(cacheKey{src.Trace(), key, row}, s)
}

// leave removes a waiting caller, and cancels the computation with the last one.
func (c *Cache) leave(k cacheKey, f *computation) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if f.waiters--; f.waiters > 0 {
		return
	}
	f.cancel()
	if c.pending[k] == f { // later callers must not join the cancelled one
		delete(c.pending, k)
	}
}

// put stores a series and drops the least recently used ones. A series larger than the budget is not kept.
func (c *Cache) put(k cacheKey, s *Series) {
	t := k.trace.Value()
	if s.Bytes() > c.budget || t == nil {
		return
	}
	if !c.traces[k.trace] {
		c.traces[k.trace] = true
		runtime.AddCleanup(t, c.collected, k.trace)
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

// Bytes returns the memory of the cached series.
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

// collected drops series that were stored after Forget.
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
