// Package remedy enumerates and simulates changes that would shorten a run: to its code, its messages and its machine,
// wherever the account shows lost time.
//
// An entry of the table finds candidates of one kind. A candidate is a change of the replayed run, the threads
// concerned, and the words for it; its gain is the time by which it shortens the replay. Candidates that remove the
// same loss form one finding, described by the most specific.
package remedy

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"pview/insight/cause"
	"pview/insight/replay"
	"pview/insight/report"
	"pview/insight/traffic"
	"pview/prv/parallel"
	"pview/prv/quantity"
)

// Candidate is a change and its gain. Times are in the trace's unit.
type Candidate struct {
	Entry   *Entry
	Rule    report.RuleID
	Kind    report.Kind
	Cause   report.Cause
	When    report.When
	Threads []int32 // at fault
	Region  int32   // of waits.Result; -1: none
	Title   string
	Advice  string
	// Spec is the change in the words of pview diagnose --repair; "" if none.
	Spec string
	// Rank is added to the entry's rank.
	Rank int
	// Stands is the minimum gain, as a share of the largest gain for the same loss, with which it replaces that
	// candidate; 0: near.
	Stands   float64
	Edit     *replay.Edit       // nil: Gain is from its own simulation
	Driven   *replay.DrivenEdit // in message-driven runs
	Estimate int64              // without simulation
	Gain     int64
	Evidence []report.Evidence
	// Same are candidates that remove the same loss.
	Same []*Candidate
	// Of is the finding that proposes it; nil: found by an entry.
	Of *report.Finding
	// Vague: any other candidate for part of the same loss is more specific.
	Vague bool
}

// Finders look at Run.
type Run struct {
	*cause.Run
	Ctx     context.Context
	threads int
	teams   [][]int32        // the threads of each application: work stays within an application
	ops     *operations      // nil: not yet read
	sent    *traffic.Traffic // likewise
}

// NewRun returns a run for simulating changes until ctx ends.
func NewRun(ctx context.Context, c *cause.Run) *Run {
	return &Run{Run: c, Ctx: ctx, threads: len(c.ByThread), teams: c.Graph.T.Applications()}
}

// Replayed is a run for trying changes: of a program with calls, or of a message-driven one.
type Replayed interface {
	// Find enumerates the candidates of the run, simulates them and the proposed ones, and returns those with a gain,
	// the largest first. The only error is the context's.
	Find(proposed []*Candidate) ([]*Candidate, error)
	// Together returns the gain of the first two candidates as one change, and of all as one; 0 for fewer than two.
	Together(list []*Candidate) (two, all int64)
	// Try simulates user-written changes, all at once. The error is the context's, or says why a change is invalid.
	Try(specs []string) (*Trial, error)
	// CausalProfile simulates each region that takes 0.5 % of the run or more with less time on all threads. The
	// largest gain comes first. The only error is the context's.
	CausalProfile() ([]Causal, error)
	// Deviation returns the relative error of the unchanged replay's run time.
	Deviation() float64
	// Note says what limits the replay; "" if nothing.
	Note() string
}

// Note implements Replayed: nothing limits the replay.
func (r *Run) Note() string { return "" }

// Deviation implements Replayed.
func (r *Run) Deviation() float64 { return deviation(r.Base(), r.End, r.End) }

// deviation returns the difference between the ends of replay and run, as a share of the run's length.
func deviation(base, end, length int64) float64 {
	return float64(max(base-end, end-base)) / float64(max(1, length))
}

// Smallest is the share of the run from which a candidate counts.
const Smallest = 0.005

// significant reports whether a time is worth a candidate.
func (r *Run) significant(t float64) bool { return t > 0 && t >= Smallest*float64(r.End) }

// proposals is the entry for candidates proposed by rules.
var proposals = Entry{}

// Find implements Replayed.
func (r *Run) Find(proposed []*Candidate) (list []*Candidate, err error) {
	defer parallel.OnEnd(r.Ctx, &err)
	r.Base()
	var hidden []*Candidate
	add := func(e *Entry, found []*Candidate) {
		for _, x := range found {
			if x.Entry = e; x.Edit != nil {
				x.Gain = r.Gain(x.Edit)
				x.Edit.Seal()
			}
			if r.significant(float64(x.Gain)) {
				list = append(list, x)
			}
			if x.covered(r) {
				hidden = append(hidden, x)
			}
		}
	}
	for i := range entries {
		add(&entries[i], entries[i].Find(r))
		if r.Ctx.Err() != nil {
			return nil, r.Ctx.Err()
		}
	}
	for _, x := range r.jointly(hidden) {
		list = slices.DeleteFunc(list, func(y *Candidate) bool { return slices.Contains(x.Same, y) })
		list = append(list, x)
	}
	add(&proposals, proposed)
	slices.SortStableFunc(list, func(x, y *Candidate) int { return cmp.Compare(y.Gain, x.Gain) })
	return distinct(r.Ctx, list, r.both), r.Ctx.Err()
}

// same is the share of its gain that a candidate must add to another candidate to count as a separate loss. The others
// are minimum shares of the largest gain with which a more specific candidate replaces that one: near as a rule, covers
// if a rule of the diagnosis proposed it, and part if it is vague.
const (
	same   = 0.35
	near   = 0.5
	covers = 0.6
	part   = 0.25
)

// compared is the number of candidates, from the largest, compared with each other.
const compared = 24

// distinct groups the candidates for one loss, and puts the most specific of each group first. both returns the gain of
// two as one change.
func distinct(ctx context.Context, list []*Candidate, both func(x, y *Candidate) int64) (out []*Candidate) {
	list = list[:min(len(list), compared)]
	taken := make([]bool, len(list))
	for i, x := range list {
		if taken[i] {
			continue
		}
		group := []*Candidate{x}
		for k := i + 1; k < len(list); k++ {
			if y := list[k]; !taken[k] && ctx.Err() == nil && x.Entry.joins(y.Entry) {
				if float64(both(x, y)-x.Gain) < same*float64(y.Gain) {
					taken[k] = true
					group = append(group, y)
				}
			}
		}
		best, least := x, near*float64(x.Gain)
		switch {
		case x.Vague && len(group) > 1 && float64(group[1].Gain) >= part*float64(x.Gain):
			best, least = group[1], part*float64(x.Gain)
		case x.Of != nil:
			least = covers * float64(x.Gain)
		}
		for _, y := range group {
			from := least
			if y.Stands > 0 {
				from = min(least, y.Stands*float64(x.Gain))
			}
			if float64(y.Gain) >= from && !y.Vague && y.Entry.Rank+y.Rank < best.Entry.Rank+best.Rank {
				best = y
			}
		}
		for _, y := range group {
			if y != best {
				best.Same = append(best.Same, y)
			}
		}
		out = append(out, best)
	}
	slices.SortStableFunc(out, func(x, y *Candidate) int { return cmp.Compare(y.Gain, x.Gain) })
	return out
}

// joins reports whether candidates of two entries may be for one loss: removing a barrier is a different matter from
// the work that makes threads wait at it.
func (e *Entry) joins(o *Entry) bool { return !e.Alone && !o.Alone }

// both returns the gain of two candidates together. Candidates with their own simulation are alternatives for the same
// loss.
func (r *Run) both(x, y *Candidate) int64 {
	if x.Edit == nil || y.Edit == nil {
		return max(x.Gain, y.Gain)
	}
	return r.Gain(x.Edit.Join(y.Edit))
}

// Together implements Replayed.
func (r *Run) Together(list []*Candidate) (two, all int64) {
	var edits []*replay.Edit
	for _, x := range list {
		if x.Edit != nil {
			edits = append(edits, x.Edit)
		}
	}
	return gains(edits, r.Gain)
}

// joinable is a change that can be joined with another.
type joinable[E any] interface{ Join(E) E }

// joined joins several changes into one.
func joined[E joinable[E]](edits []E) E {
	e := edits[0]
	for _, other := range edits[1:] {
		e = e.Join(other)
	}
	return e
}

// gains returns the gain of the first two changes as one, and of all as one; 0 for fewer than two.
func gains[E joinable[E]](edits []E, gain func(e E) int64) (two, all int64) {
	if len(edits) < 2 {
		return 0, 0
	}
	two = gain(joined(edits[:2]))
	if len(edits) == 2 {
		return two, two
	}
	return two, gain(joined(edits))
}

// span writes a time.
func (r *Run) span(t float64) string { return r.Graph.Span(t) }

// names writes threads.
func (r *Run) names(threads []int32) string {
	if group, ok := report.ThreadGroup(&r.Graph.T.Resources, threads); ok {
		return group
	}
	if len(threads) > 4 && int(threads[len(threads)-1]-threads[0]) == len(threads)-1 {
		return r.Graph.ThreadName(threads[0]) + " to " + r.Graph.ThreadName(threads[len(threads)-1])
	}
	var list []string
	for i, th := range threads {
		if i == 8 && len(threads) > 9 {
			list = append(list, fmt.Sprintf("%d more", len(threads)-i))
			break
		}
		list = append(list, r.Graph.ThreadName(th))
	}
	return strings.Join(list, ", ")
}

// specThreads writes threads for --repair.
func (r *Run) specThreads(threads []int32) string {
	var list []string
	for i := 0; i < len(threads); {
		end := i
		for end+1 < len(threads) && threads[end+1] == threads[end]+1 {
			end++
		}
		text := r.Graph.ThreadName(threads[i])
		if end > i {
			text += "-" + r.Graph.ThreadName(threads[end])
		}
		list = append(list, text)
		i = end + 1
	}
	return strings.Join(list, ",")
}

// othersOf names the threads with which an application's threads are compared.
func (r *Run) othersOf(ptask int32) string {
	if len(r.teams) > 1 {
		return fmt.Sprintf("the others of ptask %d", ptask+1)
	}
	return "the others"
}

// nodeOf returns the node that has exactly these threads; -1: none.
func (r *Run) nodeOf(threads []int32) int32 {
	if len(threads) == 0 {
		return -1
	}
	node, n := r.Graph.T.ThreadNode(threads[0]), 0
	for th := range int32(r.threads) {
		if r.Graph.T.ThreadNode(th) == node {
			n++
		}
	}
	for _, th := range threads {
		if r.Graph.T.ThreadNode(th) != node {
			return -1
		}
	}
	if n != len(threads) || n == r.threads {
		return -1
	}
	return node
}

func percent(part, whole float64) string { return quantity.FormatPercent(part / max(1, whole)) }
