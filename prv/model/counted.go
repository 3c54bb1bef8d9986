package model

import (
	"context"
	"sync"
)

// Counted has the counts of a trace.
type Counted struct {
	Of   *Trace // a copy may have other records
	mu   sync.Mutex
	sum  *Summary        // without labels; nil if not yet known
	Load func() *Summary `json:"-"` // reads them from the index; nil if none
	// trim, if set, is called now and then to evict pages of the columns from memory.
	trim func()
}

// Trimmed sets trim, for columns in files that nothing else reads.
func (c *Counted) Trimmed(trim func()) {
	c.mu.Lock()
	c.trim = trim
	c.mu.Unlock()
}

// get returns the counts of t. It waits if another goroutine is already computing them.
func (c *Counted) get(ctx context.Context, t *Trace) (*Summary, error) {
	if c == nil || c.Of != t {
		return Count(ctx, t, nil)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.sum == nil && c.Load != nil {
		c.sum = c.Load()
		c.Load = nil
	}
	var err error
	if c.sum == nil {
		c.sum, err = Count(ctx, t, c.trim)
	}
	return c.sum, err
}
