package compare

// What is said of the difference in one sentence.

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

// change is a part of the difference by category and function, call or class of wait; ns, as parts.
type change struct {
	detail
	difference wide.Int
	who        []int // threads of A that have most of it; nil if they are all
	region     string
	card       *Card // of the region on these threads; nil: nothing is known
	mostly     mostly
	unnamed    bool // it is in no function, and others of its category are in functions
}

// mostly is the part of a cause's place that has only most of its difference.
type mostly uint8

const (
	wholly mostly = iota
	mostlyThreads
	mostlyPlace // the region on the threads
)

// nearlyAll is the percentage of a difference that its place must have to be named alone. A place with less, or with
// more, which others take back, has it "mostly".
const nearlyAll = 95

// isNearly reports whether a part makes nearly all of a difference.
func isNearly(part, whole float64) bool {
	return math.Abs(whole-part)*100 <= (100-nearlyAll)*math.Abs(whole)
}

// findCauses finds the causes, the largest first.
func (c *Result) findCauses(partner []int) {
	sums := times{map[string]wide.Int{}, map[string]wide.Int{}}
	byName := map[string]detail{}
	for i, m := range []map[detail]wide.Int{c.A.causes, c.B.causes} {
		to := []map[string]wide.Int{sums.a, sums.b}[i]
		for d, v := range m {
			name := d.String() + "\x00" + d.what
			byName[name] = d
			to[name] = to[name].Plus(v)
		}
	}
	own := Result{A: c.A, B: c.B, Scaled: c.Scaled}
	own.parts(0, sums)
	inFunctions := map[Category]bool{}
	for _, d := range byName {
		inFunctions[d.Category] = inFunctions[d.Category] || d.own() && d.what != ""
	}
	for i := range own.Parts {
		p := &own.Parts[i]
		if d := p.Difference(); d.Sign() != 0 {
			x := change{detail: byName[p.Name], difference: d}
			x.unnamed = x.what == "" && inFunctions[x.Category]
			x.who, x.mostly = c.where(x.Category)
			c.locate(&x)
			c.causes = append(c.causes, x)
		}
	}
	c.joinTransfers()
	byCost := func(x, y change) int { return y.difference.Abs().Compare(x.difference.Abs()) }
	slices.SortStableFunc(c.causes, byCost)
	c.blame(partner)
	slices.SortStableFunc(c.causes, byCost)
	c.leadByCulprit()
}

// joinTransfers makes one cause of the transfer and the slow transfer in a call where one is longer and the other
// shorter: then the machines that fit the two runs differ, and what a transfer needs is told apart in two ways.
func (c *Result) joinTransfers() {
	const transfer, more = Category(account.Transfer), Category(account.TransferMore)
	for i := range c.causes {
		x := &c.causes[i]
		k := slices.IndexFunc(c.causes, func(y change) bool {
			return x.Category == transfer && y.Category == more && y.what == x.what &&
				!sameSign(y.difference, x.difference)
		})
		if k >= 0 {
			x.difference = x.difference.Plus(c.causes[k].difference)
			c.causes[k].difference = wide.Int{}
		}
	}
	c.causes = slices.DeleteFunc(c.causes, func(x change) bool { return x.difference.Sign() == 0 })
}

// locate finds the threads and the region of a difference in computing, and why it is.
func (c *Result) locate(x *change) {
	if !x.own() {
		return
	}
	inFunction := x.what != ""
	if x.region = x.what; x.region == "" {
		x.region = c.regionOf(x.who, x.difference.Sign() > 0)
	}
	if !c.Scaled {
		change := c.changeIn(x.region)
		if who, ok := groupOf(change); ok && sumOf(change) != 0 && (sumOf(change) > 0) == (x.difference.Sign() > 0) {
			x.who, x.mostly = who, wholly
		}
	}
	if x.region != "" {
		c.weigh(x, inFunction)
	}
	if !inFunction && len(c.regions()) > 1 {
		x.what = x.region
	}
	if x.region != "" {
		x.card = c.cardOf(x.region, x.who)
	}
}

// weigh finds how much of a difference in computing its region and threads have: a region with less than half of it is
// not its place.
func (c *Result) weigh(x *change, inFunction bool) {
	all, own := c.changeOn(x.region, nil), c.changeOn(x.region, x.who)
	if inFunction || len(c.regions()) == 1 {
		if x.who != nil && all != 0 && !isNearly(own, all) {
			x.mostly = mostlyThreads
		}
		return
	}
	switch whole := x.difference.Float(); {
	case isNearly(own, whole):
	case 2*own/whole < 1:
		x.region = ""
		x.who, x.mostly = c.where(x.Category)
	default:
		x.mostly = mostlyPlace
	}
}

// changeOn returns how much longer some threads compute in a region, ns, as parts; nil: all.
func (c *Result) changeOn(region string, who []int) float64 {
	a, b := c.workOn(region, who)
	if c.Scaled {
		return b.Time - a.Time
	}
	return (b.Time - a.Time) / float64(c.A.Threads)
}

func sumOf(list []float64) (sum float64) {
	for _, v := range list {
		sum += v
	}
	return sum
}

// regionOf is the region that has most of the difference in computing on some threads; "" for none.
func (c *Result) regionOf(who []int, more bool) (name string) {
	most, total := 0.0, 0.0
	for _, region := range c.regions() {
		a, b := c.workOn(region, who)
		d := b.Time - a.Time
		if !more {
			d = -d
		}
		if total += d; d > most {
			most, name = d, region
		}
	}
	if 2*most < total {
		return ""
	}
	return name
}

// blameRegion finds the region, and the threads, that most of a change in waiting goes back to; among given threads
// where there are any.
func (c *Result) blameRegion(among []int, total wide.Int) (region string, who []int, ok bool) {
	change := map[string][]float64{}
	at := func(region string) []float64 {
		if change[region] == nil {
			change[region] = make([]float64, c.A.Threads)
		}
		return change[region]
	}
	for i, p := range c.partner {
		if among != nil && !slices.Contains(among, i) {
			continue
		}
		for x, v := range c.A.delays {
			if x.thread == i {
				at(x.region)[i] -= v.Float()
			}
		}
		for x, v := range c.B.delays {
			if x.thread == p {
				at(x.region)[i] += v.Float()
			}
		}
	}
	most := 0.0
	for name, list := range change {
		d := sumOf(list)
		if total.Sign() < 0 {
			d = -d
		}
		if d > most || d == most && d > 0 && name < region {
			most, region = d, name
		}
	}
	if region == "" || most*100 < mostOf*total.Abs().Float() {
		return "", nil, false
	}
	who, ok = groupOf(change[region])
	return region, who, ok
}

// blame makes one cause of the waiting for the same threads, whatever its classes, where most of the difference in
// waiting goes back to them: those that most of the difference in computing is on, else the one thread that causes
// most.
func (c *Result) blame(partner []int) {
	if c.Scaled {
		return
	}
	moved := make([]wide.Int, len(partner))
	total, worst := wide.Int{}, 0
	for i, p := range partner {
		moved[i] = c.B.caused[p].Times(c.B.unit).Minus(c.A.caused[i].Times(c.A.unit))
		if total = total.Plus(moved[i]); moved[i].Abs().Compare(moved[worst].Abs()) > 0 {
			worst = i
		}
	}
	caused := func(who []int) (sum wide.Int) {
		for _, i := range who {
			sum = sum.Plus(moved[i])
		}
		return sum
	}
	who := []int{worst}
	culprit := func(x change) bool { return x.who != nil && c.explains(&x, total.Quotient(int64(c.A.Threads))) }
	if i := slices.IndexFunc(c.causes, culprit); i >= 0 {
		who = c.causes[i].who
	}
	own, region := caused(who), ""
	if total.Sign() == 0 {
		return
	}
	if !atLeast(mostOf, own, total) {
		var ok bool
		if region, who, ok = c.blameRegion(nil, total); !ok {
			return
		}
		own = total
	} else {
		region, _, _ = c.blameRegion(who, own)
	}
	sum := wide.Int{}
	rest := slices.DeleteFunc(slices.Clone(c.causes), func(x change) bool {
		if x.wait {
			sum = sum.Plus(x.difference)
		}
		return x.wait
	})
	if sum.Sign() != 0 && sameSign(sum, own) {
		x := change{detail: detail{waiting, waitingFor, true}, difference: sum, who: who, region: region}
		if !c.weighWait(&x) {
			return
		}
		if x.card = c.cardOf(x.region, who); x.card != nil && (x.card.Difference() > 0) != (sum.Sign() > 0) {
			x.card = nil
		}
		c.causes = append(rest, x)
	}
}

// weighWait finds how much of a difference in waiting its region and threads cause, and drops a region with less than
// half of it. It reports whether at least half goes back to the threads.
func (c *Result) weighWait(x *change) bool {
	whole := x.difference.Float() * float64(c.A.Threads)
	own := c.delayed(x.region, x.who)
	if x.region != "" && 2*own/whole < 1 {
		x.region = ""
		own = c.delayed("", x.who)
	}
	if !isNearly(own, whole) {
		x.mostly = mostlyPlace
	}
	return 2*own/whole >= 1
}

// delayed returns how much more waiting some threads cause in a region, ns of all threads. A nil list stands for all
// threads, "" for all regions.
func (c *Result) delayed(region string, who []int) (sum float64) {
	named, partners := make([]bool, c.A.Threads), make([]bool, c.B.Threads)
	for i, p := range c.partner {
		named[i] = who == nil || slices.Contains(who, i)
		partners[p] = named[i]
	}
	for at, time := range c.A.delays {
		if named[at.thread] && (region == "" || at.region == region) {
			sum -= time.Float()
		}
	}
	for at, time := range c.B.delays {
		if partners[at.thread] && (region == "" || at.region == region) {
			sum += time.Float()
		}
	}
	return sum
}

// waitingFor marks the waiting for some threads.
const waitingFor = "\x00for"

// explains reports whether a difference in computing can be the reason for most of one in waiting, both as means over
// the threads: a thread waits for what all others compute longer at most once.
func (c *Result) explains(x *change, waiting wide.Int) bool {
	return x.own() && sameSign(x.difference, waiting) &&
		atLeast(mostOf, x.difference.Abs().Times(int64(c.A.Threads)), waiting.Abs())
}

// leadByCulprit puts what threads compute longer before the waiting for them.
func (c *Result) leadByCulprit() {
	if len(c.causes) == 0 || c.causes[0].what != waitingFor {
		return
	}
	wait := c.causes[0]
	i := slices.IndexFunc(c.causes, func(x change) bool {
		return slices.Equal(x.who, wait.who) && c.explains(&x, wait.difference)
	})
	if i > 0 && c.causes[i].difference.Abs().Float() >= leastNamed*float64(c.A.Duration) {
		x := c.causes[i]
		c.causes = slices.Insert(slices.Delete(c.causes, i, i+1), 0, x)
	}
}

// mostOf is the share of a difference that a group of threads must have to be named, in percent.
const mostOf = 70

// where is the group of threads that has most of the difference in a category, when that is fewer than two thirds of
// all; else nil.
func (c *Result) where(cat Category) (who []int, part mostly) {
	if c.Scaled {
		return nil, wholly
	}
	var total, best wide.Int
	for _, p := range c.Of(ByRanks) {
		if p.category != cat {
			continue
		}
		d := p.Difference()
		total = total.Plus(d)
		if d.Abs().Compare(best.Abs()) > 0 {
			best, who = d, p.Threads
		}
	}
	if total.Sign() == 0 || !atLeast(mostOf, best, total) || 3*len(who) >= 2*c.A.Threads {
		return nil, wholly
	}
	if !isNearly(best.Float(), total.Float()) {
		part = mostlyThreads
	}
	return who, part
}

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
		s += ". The programs differ: fewer than half of the phases have a counterpart, so only entire runs are compared"
	}
	return s
}

// leastNamed is the share of A's time that a difference or a cause of it must have for causes to be named: below, they
// are never common to two runs.
const leastNamed = 0.0005

// negligible reports whether neither the difference nor any cause of it is worth naming.
func (c *Result) negligible(a wide.Int) bool {
	most := c.Difference().Abs()
	for i := range c.causes {
		most = larger(most, c.causes[i].difference.Abs())
	}
	return most.Float() < leastNamed*a.Float()
}

// ideal is the run time of B in ns if it scaled perfectly from A.
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
		if c.change() >= quantity.LeastFactor { // said as a factor
			return text
		}
		return text + factor(b, a, map[bool]string{true: "much", false: "long"}[c.Scaled])
	}
	if c.Scaled {
		return fmt.Sprintf(words[2], change)
	}
	return fmt.Sprintf(words[2], change) + factor(a, b, "fast")
}

// leastTimes is the factor from which it is said beside the percentage.
const leastTimes = 2

// factor says a large factor between two times.
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

// calledOtherwise names the call that one run makes and the other does not, or at least leastTimes as often: the one
// with most of the difference in time, if that is worth mentioning; "" for none.
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

// group names threads: as a group if they are one, else one by one.
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

// more says how many iterations the runs have more or less, and how much of the difference that is: "" for none. The
// phases of a run that repeat, without a partner, make whole iterations where each of them is there as often as in one.
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
		return "", wide.Int{} // the same work, divided into phases in another way
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

// computing is the time that all threads compute, in ns.
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

// roundedAway is the excess over 100 % that no printed percentage shows.
const roundedAway = 0.005

// place names the phases that have most of the difference, unless they are most of the run as well, or others cancel
// them out; "" for none.
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
	if share > 1+roundedAway { // others take some of it back: no part of the difference
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
