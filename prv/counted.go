package prv

import (
	"context"
	"sync"
)

// counted are the counts of one trace.
type counted struct {
	of   *Trace // a copy may have other records
	mu   sync.Mutex
	sum  *Summary        // without labels; nil when not known yet
	load func() *Summary // reads them from the index; nil for none
	// trim, when set, is called now and then to take pages of the columns out of memory.
	trim func()
}

// trimmed sets trim, for columns in files that are not looked at otherwise.
func (c *counted) trimmed(trim func()) {
	c.mu.Lock()
	c.trim = trim
	c.mu.Unlock()
}

// get returns the counts of t. It waits if another goroutine is already computing them.
func (c *counted) get(ctx context.Context, t *Trace) (*Summary, error) {
	if c == nil || c.of != t {
		return count(ctx, t, nil)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.sum == nil && c.load != nil {
		c.sum = c.load()
		c.load = nil
	}
	var err error
	if c.sum == nil {
		c.sum, err = count(ctx, t, c.trim)
	}
	return c.sum, err
}
