package compare

// What is said of the difference in one sentence.

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"pview/prv"
	"pview/prv/quantity"
)

// cause is a part of the difference by category and function, call or class of wait; ns, as parts.
type cause struct {
	detail
	difference int64
	threads    string // those that have most of it; "" if they are all
}

// findCauses finds the causes, the largest first.
func (c *Result) findCauses(partner []int) {
	sums := times{map[string]int64{}, map[string]int64{}}
	byName := map[string]detail{}
	for i, m := range []map[detail]int64{c.A.causes, c.B.causes} {
		to := []map[string]int64{sums.a, sums.b}[i]
		for d, v := range m {
			name := d.String() + "\x00" + d.what
			byName[name] = d
			to[name] += v
		}
	}
	own := Result{A: c.A, B: c.B, Scaled: c.Scaled}
	own.parts(0, sums)
	for i := range own.Parts {
		p := &own.Parts[i]
		if d := p.Difference(); d != 0 {
			c.causes = append(c.causes, cause{byName[p.Name], d, c.where(byName[p.Name].Category, partner)})
		}
	}
	slices.SortStableFunc(c.causes, func(x, y cause) int {
		return cmp.Compare(max(y.difference, -y.difference), max(x.difference, -x.difference))
	})
}

// mostOf is the share of a difference that a group of threads must have to be named, in percent.
const mostOf = 70

// where names the group of threads that has most of the difference in a category, when that is fewer than two thirds of
// all.
func (c *Result) where(cat Category, partner []int) string {
	if c.Scaled {
		return ""
	}
	var total, best int64
	var who []int
	for _, p := range c.Of(ByRanks) {
		if !strings.HasSuffix(p.Name, " "+cat.String()) {
			continue
		}
		d := p.Difference()
		total += d
		if max(d, -d) > max(best, -best) {
			best, who = d, p.Threads
		}
	}
	if best*100 < mostOf*total && total > 0 || best*100 > mostOf*total && total < 0 || total == 0 || 3*len(who) >= 2*c.A.Threads {
		return ""
	}
	return c.A.threadList(who)
}

// Headline says in one sentence what the difference is and what makes most of it.
func (c *Result) Headline() string {
	a, b := c.Times()
	if a == b && len(c.causes) == 0 {
		return "no difference"
	}
	s := c.outcome(a, b)
	if why := c.why(a); why != "" {
		s += ": " + why
	}
	if !c.Alike {
		s += ". The programs differ: fewer than half of the phases have a counterpart, so only entire runs are compared"
	}
	return s
}

// outcome says how much longer B takes.
func (c *Result) outcome(a, b int64) string {
	words := []string{"B takes the same time", "B takes %s longer", "B takes %s less time"}
	if c.Scaled {
		on := fmt.Sprintf("B takes %s on %d threads, A %s on %d: ", duration(c.B.Duration), c.B.Threads, duration(c.A.Duration), c.A.Threads)
		words = []string{on + "the same core time", on + "%s more core time", on + "%s less core time"}
	}
	change := percentage(math.Abs(c.Change()))
	if a == 0 {
		change = duration(b - a)
	}
	switch {
	case a == b:
		return words[0]
	case b > a:
		return fmt.Sprintf(words[1], change)
	}
	return fmt.Sprintf(words[2], change)
}

// mentioned is the number of causes in the headline, and leastMentioned the percentage of the largest that they must have.
const (
	mentioned      = 3
	leastMentioned = 15
)

// why lists the largest causes, as shares of A's time.
func (c *Result) why(a int64) string {
	var list []string
	for i, x := range c.causes {
		if i == mentioned || a == 0 || abs(x.difference)*100 < leastMentioned*abs(c.causes[0].difference) {
			break
		}
		s := fmt.Sprintf("%+.1f %% %s", 100*float64(x.difference)/float64(a), x.say())
		if x.threads != "" {
			s += " on threads " + x.threads
		}
		if x.Category == Computing && c.Computing != nil && math.Abs(c.Computing.B[1]/c.Computing.A[1]-1) > 0.02 {
			s += fmt.Sprintf(" (IPC %.2f -> %.2f)", c.Computing.A[1], c.Computing.B[1])
		}
		list = append(list, s)
	}
	return strings.Join(list, ", ")
}

// say words a cause.
func (x *cause) say() string {
	switch {
	case x.what == "" || x.what == x.String():
		return x.String()
	case x.Category == Waiting:
		return "waiting (" + x.what + ")"
	}
	return x.String() + " in " + x.what
}

func duration(ns int64) string { return quantity.FormatDuration(ns, prv.Nanoseconds) }

func abs(v int64) int64 { return max(v, -v) }

// percentage writes a share with the digits that matter.
func percentage(v float64) string {
	if p := 100 * v; p < 0.1 {
		return fmt.Sprintf("%.2g %%", p)
	}
	return fmt.Sprintf("%.1f %%", 100*v)
}
