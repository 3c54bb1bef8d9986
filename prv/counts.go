package prv

// The counts of a trace are computed once: the result of Summarize is kept with the trace, and in a file of the
// index, which is read on demand.

import (
	"context"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"sync"
)

// countsFile is the name of the counts in an index.
const countsFile = "counts.json"

// counted are the counts of one trace.
type counted struct {
	of  *Trace // a copy may have other records
	mu  sync.Mutex
	sum *Summary // without labels; nil when not known yet
	dir string   // of the index; "" for none
	// sha256 is the digest of the file that belongs to the trace: the folder may hold another index by now.
	sha256 string
	// trim, when set, is called now and then to take pages of the columns out of memory.
	trim func()
}

// trimmed sets trim, for columns in files that are not looked at otherwise.
func (c *counted) trimmed(trim func()) {
	c.mu.Lock()
	c.trim = trim
	c.mu.Unlock()
}

// countsText is the content of the file: a list for each column.
type countsText struct {
	States      []uint32 `json:"states"`
	StateCounts []int64  `json:"state_counts"`
	StateTimes  []int64  `json:"state_times"`
	Types       []uint32 `json:"types"`
	TypeCounts  []int64  `json:"type_counts"`
	Distinct    []int64  `json:"type_distinct_values"`
	EventLines  int64    `json:"event_lines"`
	Messages    int64    `json:"messages"`
	Bytes       int64    `json:"bytes"`
}

// get returns the counts of t. It waits if another goroutine is already computing them.
func (c *counted) get(ctx context.Context, t *Trace) (*Summary, error) {
	if c == nil || c.of != t {
		return count(ctx, t, nil)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.sum == nil && c.dir != "" {
		c.sum = readCounts(filepath.Join(c.dir, countsFile), c.sha256)
		c.dir = ""
	}
	var err error
	if c.sum == nil {
		c.sum, err = count(ctx, t, c.trim)
	}
	return c.sum, err
}

// readCounts reads the file; nil when its digest differs.
func readCounts(path, sha256 string) *Summary {
	f, err := os.Open(path)
	if err != nil {
		return nil
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxMeta))
	var c countsText
	if err != nil || digest(text) != sha256 || json.Unmarshal(text, &c) != nil {
		return nil
	}
	return c.summary()
}

// summary returns the counts; nil when the lists are inconsistent.
func (c *countsText) summary() *Summary {
	if len(c.StateCounts) != len(c.States) || len(c.StateTimes) != len(c.States) || len(c.TypeCounts) != len(c.Types) ||
		len(c.Distinct) != len(c.Types) {
		return nil
	}
	s := &Summary{EventLines: c.EventLines, Messages: c.Messages, Bytes: c.Bytes}
	for i, v := range c.States {
		s.States = append(s.States, StateSum{State: v, Count: c.StateCounts[i], Time: c.StateTimes[i]})
		s.StateRecords += c.StateCounts[i]
	}
	for i, v := range c.Types {
		s.Types = append(s.Types, TypeSum{Type: v, Count: c.TypeCounts[i], Distinct: c.Distinct[i],
			More: c.Distinct[i] >= maxDistinct})
		s.EventPairs += c.TypeCounts[i]
	}
	return s
}

// text returns the counts in the form of the file.
func (s *Summary) text() ([]byte, error) {
	c := countsText{EventLines: s.EventLines, Messages: s.Messages, Bytes: s.Bytes}
	for _, v := range s.States {
		c.States, c.StateCounts, c.StateTimes = append(c.States, v.State), append(c.StateCounts, v.Count),
			append(c.StateTimes, v.Time)
	}
	for _, v := range s.Types {
		c.Types, c.TypeCounts, c.Distinct = append(c.Types, v.Type), append(c.TypeCounts, v.Count),
			append(c.Distinct, v.Distinct)
	}
	return json.Marshal(c)
}
