package compare

// The causes of a difference: the category, the threads, the region, and how much waiting it caused.

import (
	"math"
	"slices"

	"pview/insight/account"
	"pview/prv/wide"
)

// change is a part of the difference, by category and function, call or class of wait; ns, as in Part.
type change struct {
	detail
	difference wide.Int
	who        []int // threads of A with most of it; nil: all
	region     string
	card       *Card // of the region on these threads; nil: unknown
	mostly     mostly
	unnamed    bool // it is in no function, unlike others of its category
}

// mostly marks which part of a cause's place has only most of its difference.
type mostly uint8

const (
	wholly mostly = iota
	mostlyThreads
	mostlyPlace // the region on the threads
)

// nearlyAll is the percentage of a difference that a place must have to be named alone. A place with less, or with more
// that other places offset, has it "mostly".
const nearlyAll = 95

// isNearly reports whether a part makes nearly all of a difference.
func isNearly(part, whole float64) bool {
	return math.Abs(whole-part)*100 <= (100-nearlyAll)*math.Abs(whole)
}

// finder finds the causes of a difference.
type finder struct{ *Result }

// find finds the causes, the largest first.
func (c finder) find(partner []int) {
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

// joinTransfers merges the transfer and the slow transfer in a call if one is longer and the other shorter: then
// different machines fit the two runs, so the need of a transfer is split differently.
func (c finder) joinTransfers() {
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

// locate finds the threads and the region of a difference in computing, and its reason.
func (c finder) locate(x *change) {
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
func (c finder) weigh(x *change, inFunction bool) {
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

// changeOn returns how much longer some threads compute in a region, ns, as in Part; nil: all.
func (c finder) changeOn(region string, who []int) float64 {
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

// regionOf returns the region that has most of the difference in computing on some threads; "" for none.
func (c finder) regionOf(who []int, more bool) (name string) {
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

// blameRegion finds the region, and the threads, that cause most of a change in waiting; among given threads if any.
func (c finder) blameRegion(among []int, total wide.Int) (region string, who []int, ok bool) {
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

// blame makes one cause of the waiting for the same threads, whatever its classes, if they cause most of the difference
// in waiting: the threads with most of the difference in computing, else the one thread that causes most.
func (c finder) blame(partner []int) {
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
// half of it. It reports whether the threads cause at least half.
func (c finder) weighWait(x *change) bool {
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
func (c finder) delayed(region string, who []int) (sum float64) {
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
// the threads: a thread waits at most once for the extra computing time of all the others.
func (c finder) explains(x *change, waiting wide.Int) bool {
	return x.own() && sameSign(x.difference, waiting) &&
		atLeast(mostOf, x.difference.Abs().Times(int64(c.A.Threads)), waiting.Abs())
}

// leadByCulprit puts the extra computing time of threads before the waiting for them.
func (c finder) leadByCulprit() {
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

// where returns the group of threads that has most of the difference in a category, if it has fewer than two thirds of
// the threads; else nil.
func (c finder) where(cat Category) (who []int, part mostly) {
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
