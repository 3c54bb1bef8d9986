package compare

// The difference in one sentence.

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"pview/insight/account"
	"pview/insight/phase"
	"pview/insight/report"
	"pview/prv"
	"pview/prv/quantity"
	"pview/prv/wide"
)

// Headline says in one sentence what the difference is and what makes most of it.
func (c *Result) Headline() string {
	a, b := c.Times()
	if a == b && len(c.causes) == 0 {
		var by []string
		for k := range NumKinds {
			if slices.ContainsFunc(c.Of(k), func(p Part) bool { return p.Difference().Sign() != 0 }) {
				by = append(by, "by "+k.String())
			}
		}
		if len(by) == 0 {
			return "no difference"
		}
		return "no difference in sum, only " + strings.Join(by, " and ")
	}
	s := c.outcome(a, b)
	iterations, ns := c.more()
	if iterations != "" {
		s += ": " + iterations
	}
	d := c.Difference()
	if iterations != "" && atLeast(mostOf, ns.Abs(), d.Abs()) &&
		d.Minus(ns).Abs().Times(100).Compare(ns.Abs().Times(mostOf)) <= 0 {
		return s
	}
	if why := c.why(a); why != "" && !c.negligible(a) {
		if iterations != "" {
			s += "; in all"
		}
		s += ": " + why + c.calledOtherwise()
	}
	if !c.Alike {
		s += ". The programs differ: fewer than half of the phases have a partner, so only entire runs are compared"
	}
	return s
}

// leastNamed is the minimum share of A's time of a difference or cause for causes to be named: smaller ones are not
// worth it.
const leastNamed = 0.0005

// negligible reports whether neither the difference nor any cause of it is worth naming.
func (c *Result) negligible(a wide.Int) bool {
	most := c.Difference().Abs()
	for i := range c.causes {
		most = larger(most, c.causes[i].difference.Abs())
	}
	return most.Float() < leastNamed*a.Float()
}

// ideal returns the run time of B in ns if it scaled perfectly from A.
func (c *Result) ideal() wide.Int {
	return wide.Product(c.A.Duration, int64(c.A.Threads)).Quotient(int64(max(c.B.Threads, 1)))
}

// outcome says how much longer B takes.
func (c *Result) outcome(a, b wide.Int) string {
	words := []string{"B takes the same time", "B takes %s longer", "B takes %s less time"}
	if c.Scaled {
		on := fmt.Sprintf("B takes %s on %s (ideal: %s), A %s on %d: ", duration(c.B.Duration),
			quantity.CountOf(int64(c.B.Threads), c.B.one()),
			showTime(c.ideal()), duration(c.A.Duration), c.A.Threads)
		words = []string{on + "the same core time", on + "%s more core time", on + "%s less core time"}
	}
	change := quantity.FormatPercent(math.Abs(c.change()))
	if a.Sign() == 0 {
		change = showTime(b.Minus(a))
	}
	switch b.Compare(a) {
	case 0:
		return words[0]
	case 1:
		text := fmt.Sprintf(words[1], change)
		if c.change() >= quantity.LeastFactor { // shown as a factor
			return text
		}
		return text + factor(b, a, map[bool]string{true: "much", false: "long"}[c.Scaled])
	}
	if c.Scaled {
		return fmt.Sprintf(words[2], change)
	}
	return fmt.Sprintf(words[2], change) + factor(a, b, "fast")
}

// leastTimes is the factor from which it is shown next to the percentage.
const leastTimes = 2

// factor words a large factor between two times.
func factor(most, least wide.Int, what string) string {
	if least.Sign() == 0 || most.Compare(least.Times(leastTimes)) < 0 {
		return ""
	}
	return fmt.Sprintf(" (%s as %s)", quantity.FormatTimes(most.Float()/least.Float()), what)
}

// mentioned is the number of causes in the headline, and leastMentioned the percentage of the largest that they must
// have.
const (
	mentioned      = 3
	leastMentioned = 15
)

// why lists the largest causes, as shares of A's time.
func (c *Result) why(a wide.Int) string {
	var list []string
	largest := wide.Int{}
	for _, x := range c.causes {
		largest = larger(largest, x.difference.Abs())
	}
	for i, x := range c.causes {
		if i == mentioned || a.Sign() == 0 || i > 0 && !atLeast(leastMentioned, x.difference.Abs(), largest) {
			break
		}
		s := fmt.Sprintf("%s %s", quantity.FormatChange(report.RatioOf(x.difference, a)), x.say())
		switch {
		case x.what == waitingFor && i > 0 && x.who != nil && slices.Equal(x.who, c.causes[i-1].who):
			s += [...]string{"it", "them"}[min(len(x.who), 2)-1]
			x.card = nil
		case x.what == waitingFor && x.region == "":
			s += c.A.group(x.who)
		case x.what == waitingFor:
			s += x.region + c.A.on(x.who)
		case x.mostly == mostlyThreads:
			s += ", mostly" + c.A.on(x.who)
		default:
			s += c.A.on(x.who)
		}
		if x.card != nil && (i == 0 || x.region != c.causes[i-1].region) {
			if why := x.card.Say(); why != "" {
				s += " (" + why + ")"
			}
		}
		list = append(list, s)
	}
	return strings.Join(list, ", ") + c.place()
}

// calledOtherwise names a call that only one run makes, or makes at least leastTimes as often: the one with most of the
// difference in time, if that is worth mentioning; "" if none.
func (c *Result) calledOtherwise() (text string) {
	most := larger(wide.Of(1), c.Difference().Abs().Times(leastMentioned).Quotient(100))
	for _, p := range c.Of(ByCall) {
		a := float64(c.A.called[p.Name]) / float64(c.A.Threads)
		b := float64(c.B.called[p.Name]) / float64(c.B.Threads)
		d := p.Difference().Abs()
		if d.Compare(most) < 0 || max(a, b) < leastTimes*min(a, b) || a == b {
			continue
		}
		most = d
		switch {
		case a == 0:
			text = fmt.Sprintf("; only B calls %s (%s times per thread)", p.Name, countText(b))
		case b == 0:
			text = fmt.Sprintf("; only A calls %s (%s times per thread)", p.Name, countText(a))
		default:
			text = fmt.Sprintf("; %s is called %s times per thread in A, %s in B", p.Name, countText(a), countText(b))
		}
	}
	return text
}

// on names threads; "" for all.
func (r *Run) on(who []int) string {
	if who == nil {
		return ""
	}
	if group := r.group(who); group != r.threadList(who) {
		return " on " + group
	}
	return [...]string{" on thread ", " on threads "}[min(len(who), 2)-1] + r.threadList(who)
}

// group names threads: as a group if they form one, else one by one.
func (r *Run) group(list []int) string {
	if r.resources.NumThreads() > 0 {
		threads := make([]int32, len(list))
		for i, th := range list {
			threads[i] = r.threads[th]
		}
		if name, ok := report.ThreadGroup(&r.resources, threads); ok {
			return name
		}
	}
	return r.threadList(list)
}

// more says how many iterations one run has more or less, and how much of the difference that makes; "" if none. The
// unpaired phases of a run that repeats form whole iterations if each phase occurs as often as in one iteration.
func (c *Result) more() (text string, ns wide.Int) {
	if !c.Alike || c.Scaled {
		return "", wide.Int{}
	}
	alone, paired := map[string]int{}, map[string]int{}
	sign, computed := 0, wide.Int{} // of the phases without a partner, by all threads
	for _, p := range c.Pairs {
		r, i, side := c.A, p.A, -1
		if p.A < 0 {
			r, i, side = c.B, p.B, 1
		}
		name := r.groups[r.phases[i].Group].Name()
		if p.A >= 0 && p.B >= 0 {
			paired[name]++
			continue
		}
		alone[name]++
		if sign != 0 && sign != side {
			return "", wide.Int{}
		}
		sign = side
		change, own := c.scale(r, r.phases[i].Duration()*r.unit), r.spent[i].useful().Times(r.unit)
		if side < 0 {
			change, own = change.Negated(), own.Negated()
		}
		ns, computed = ns.Plus(change), computed.Plus(own)
	}
	all := c.B.computing().Minus(c.A.computing())
	if all.Minus(computed).Abs().Times(100).Compare(computed.Abs().Times(100-mostOf)) > 0 {
		return "", wide.Int{} // the same work, divided into other phases
	}
	each, least := 0, 0
	for name, n := range alone {
		if paired[name] < 2 {
			return "", wide.Int{}
		}
		each = gcd(each, n)
		least = gcd(least, paired[name])
	}
	if each == 0 {
		return "", wide.Int{}
	}
	for name, n := range alone {
		if n/each != paired[name]/least && paired[name]%n != 0 {
			return "", wide.Int{}
		}
	}
	what := [...]string{"less", "", "more"}[sign+1]
	text = quantity.CountOf(int64(each), "iteration") + " " + what
	if each == 1 {
		text = "one iteration " + what
	}
	return text + ": " + showTime(ns.Abs()), ns
}

// computing returns the time that all threads compute, in ns.
func (r *Run) computing() (sum wide.Int) {
	for i := range r.thread {
		sum = sum.Add(r.thread[i][account.Computing]).Add(r.thread[i][account.Preempted])
	}
	return sum.Times(r.unit)
}

func gcd(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// roundedAway is an excess over 100 % too small to be printed.
const roundedAway = 0.005

// place names the phases that have most of the difference, unless they are also most of the run, or others cancel them
// out; "" if none.
func (c *Result) place() string {
	phases, total := c.Of(ByPhase), c.Difference()
	a, _ := c.Times()
	if len(phases) < 2 || total.Sign() == 0 {
		return ""
	}
	p, others := &phases[0], wide.Int{}
	for i := range phases[1:] {
		others = others.Plus(phases[1+i].Difference().Abs())
	}
	d := p.Difference()
	if !atLeast(mostOf, d, total) || p.A.Times(2).Compare(a) > 0 || others.Compare(d.Abs()) > 0 {
		return ""
	}
	in := " in the phase "
	switch {
	case strings.HasPrefix(p.Name, "step "):
		in = " in "
	case phase.IsBeside(p.Name):
		in = " "
	}
	share := report.RatioOf(d, total)
	if share > 1+roundedAway { // others offset some of it: not a part of the difference
		return "; " + quantity.FormatChange(report.RatioOf(d, a)) + in + p.Name
	}
	return "; " + quantity.FormatPercent(share) + " of it" + in + p.Name
}

// say words a cause.
func (x *change) say() string {
	switch {
	case x.what == waitingFor && x.mostly != wholly:
		return "waiting, mostly for "
	case x.what == waitingFor:
		return "waiting for "
	case x.what == x.String():
		return x.what
	case x.wait:
		return x.String() + " (" + x.what + ")"
	case x.Category == Category(account.Call) && x.what != "":
		return "in the call " + x.what
	}
	text, in := x.String(), " in "
	if x.unnamed {
		text, in = text+" in "+noName, ", in "
	}
	switch {
	case x.what == "":
		return text
	case x.mostly == mostlyPlace:
		return text + ", mostly in " + x.what
	}
	return text + in + x.what
}

func duration(ns int64) string { return quantity.FormatDuration(ns, prv.Nanoseconds) }

// larger returns the larger of two.
func larger(a, b wide.Int) wide.Int {
	if a.Compare(b) < 0 {
		return b
	}
	return a
}
