package remedy

// Candidates that gain little alone, because threads then wait for something that another candidate removes, such as
// two threads that are late at the same time. They are tried together.

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"pview/insight/replay"
)

// unconfirmed is the share of its estimate below which a candidate's gain is small, and together is the number of
// candidates tried as one.
const (
	unconfirmed = 0.1
	together    = 8
)

// covered reports whether a candidate gains far less than its estimate.
func (c *Candidate) covered(r *Run) bool {
	return c.Edit != nil && c.Of == nil && r.significant(float64(c.Estimate)) &&
		float64(c.Gain) < unconfirmed*float64(c.Estimate)
}

// jointly finds the gain of candidates of one kind and cause as one change.
func (r *Run) jointly(hidden []*Candidate) (list []*Candidate) {
	slices.SortStableFunc(hidden, func(x, y *Candidate) int { return cmp.Compare(y.Estimate, x.Estimate) })
	for len(hidden) > 1 && r.Ctx.Err() == nil {
		var group, rest []*Candidate
		for _, x := range hidden {
			if x.Kind == hidden[0].Kind && x.Cause == hidden[0].Cause {
				group = append(group, x)
			} else {
				rest = append(rest, x)
			}
		}
		hidden = rest
		if c := r.joint(group[:min(len(group), together)]); c != nil {
			list = append(list, c)
		}
	}
	return list
}

// joint returns one candidate of several that cover each other; nil if they also gain little together. It drops
// candidates that add nothing to the gain.
func (r *Run) joint(group []*Candidate) *Candidate {
	gain := r.Gain(joined(editsOf(group)))
	for i := len(group) - 1; i >= 0 && len(group) > 1 && r.significant(float64(gain)); i-- {
		without := slices.Delete(slices.Clone(group), i, i+1)
		if g := r.Gain(joined(editsOf(without))); float64(gain-g) < unconfirmed*float64(gain) {
			group, gain = without, g
		}
	}
	if len(group) < 2 || !r.significant(float64(gain)) {
		return nil
	}
	c := *group[0]
	c.Edit, c.Gain = joined(editsOf(group)), gain
	c.Edit.Seal()
	c.Threads, c.Evidence = slices.Clone(c.Threads), slices.Clone(c.Evidence)
	titles, specs, most := []string{c.Title}, []string{c.Spec}, group[0].Gain
	for _, x := range group[1:] {
		c.Threads, c.Evidence = append(c.Threads, x.Threads...), append(c.Evidence, x.Evidence...)
		titles, specs, most = append(titles, x.Title), append(specs, x.Spec), max(most, x.Gain)
	}
	for _, x := range group {
		if r.significant(float64(x.Gain)) {
			c.Same = append(c.Same, x)
		}
	}
	slices.Sort(c.Threads)
	c.Threads = slices.Compact(c.Threads)
	c.Title = strings.Join(titles, "; at the same time ")
	c.Advice += fmt.Sprintf("; do so in all of them: one alone gains at most %s, because the others are as late",
		r.span(float64(max(0, most))))
	if !slices.Contains(specs, "") {
		c.Spec = strings.Join(specs, separator)
	} else {
		c.Spec = ""
	}
	return &c
}

// editsOf returns the changes of candidates, each of which must have one.
func editsOf(list []*Candidate) []*replay.Edit {
	edits := make([]*replay.Edit, len(list))
	for i, x := range list {
		edits[i] = x.Edit
	}
	return edits
}
