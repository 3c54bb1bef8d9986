package index

// The counts of a trace are computed once: the result of Summarize is kept with the trace, and in a file of the index
// that is read on demand.

import (
	"encoding/json"
	"io"
	"math"
	"os"

	"pview/prv/model"
	"pview/prv/wide"
)

// countsFile is the name of the counts in an index.
const countsFile = "counts.json"

// countsText is the content of the file: a list for each column.
type countsText struct {
	States      []uint32   `json:"states"`
	StateCounts []int64    `json:"state_counts"`
	StateTimes  []wide.Int `json:"state_times"`
	Types       []uint32   `json:"types"`
	TypeCounts  []int64    `json:"type_counts"`
	Distinct    []int64    `json:"type_distinct_values"`
	EventLines  int64      `json:"event_lines"`
	Messages    int64      `json:"messages"`
	Bytes       wide.Int   `json:"bytes"`
}

// readCounts reads the file; nil if its digest differs.
func readCounts(path, sha256 string) *model.Summary {
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

// summary returns the counts; nil if the lists are inconsistent.
func (c *countsText) summary() *model.Summary {
	if len(c.StateCounts) != len(c.States) || len(c.StateTimes) != len(c.States) || len(c.TypeCounts) != len(c.Types) ||
		len(c.Distinct) != len(c.Types) {
		return nil
	}
	if c.Bytes == wide.Of(math.MaxInt64) { // an older pview wrote this for any larger number
		return nil
	}
	s := &model.Summary{EventLines: c.EventLines, Messages: c.Messages, Bytes: c.Bytes}
	for i, v := range c.States {
		if c.StateTimes[i] == wide.Of(math.MaxInt64) { // as above
			return nil
		}
		s.States = append(s.States, model.StateSum{State: v, Count: c.StateCounts[i], Time: c.StateTimes[i]})
		s.StateRecords += c.StateCounts[i]
	}
	for i, v := range c.Types {
		s.Types = append(s.Types, model.TypeSum{Type: v, Count: c.TypeCounts[i], Distinct: c.Distinct[i],
			More: c.Distinct[i] >= model.MaxDistinct})
		s.EventPairs += c.TypeCounts[i]
	}
	return s
}

// countsTextOf returns the counts in the file's form.
func countsTextOf(s *model.Summary) ([]byte, error) {
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
