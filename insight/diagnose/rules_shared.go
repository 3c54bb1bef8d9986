package diagnose

// Rules on the shared variables of message-driven runs, R23 to R28, and on speculative work, R30.

import (
	"fmt"
	"math"
	"slices"

	"pview/insight/eventgraph"
	"pview/insight/network"
	"pview/insight/report"
	"pview/prv/extrae/execution"
)

func hasShared(a *analysis) bool { return a.Driven != nil && len(a.Driven.Access) > 0 }

func hasOutcomes(a *analysis) bool {
	return a.Driven != nil && slices.ContainsFunc(a.Driven.Starts, func(s eventgraph.Start) bool {
		return s.Outcome == execution.Useless
	})
}

// element is an element of a shared table, or a variable.
type element struct{ variable, key int64 }

// accesses counts the accesses of some kinds by element and thread.
func (v *runView) accesses(kinds ...uint8) (by map[element]map[int32]int, total int) {
	by = map[element]map[int32]int{}
	for i := range v.Driven.Access {
		x := &v.Driven.Access[i]
		if !slices.Contains(kinds, x.Kind) {
			continue
		}
		e := element{x.Variable, x.Key}
		if by[e] == nil {
			by[e] = map[int32]int{}
		}
		by[e][x.Thread]++
		total++
	}
	return by, total
}

// request returns the time of a request and its answer.
func (v *runView) request() float64 { return 2 * v.Params.Transfer(0) }

// ofAccess makes a result on shared variables.
func (v *runView) ofAccess(rule report.RuleID, count float64, each float64, title string) []result {
	s := v.limit(count * each / v.threads())
	if s <= 0 {
		return nil
	}
	r := found(rule, "", s, title, fmt.Sprintf("%.0f x %s / %d", count, v.Span(each), v.T.NumThreads()))
	r.show(0, v.T.Duration, s, "accesses", nil)
	return []result{r}
}

const rarelyReadID report.RuleID = "R23"

var rarelyReadRule = Rule{
	ID:        rarelyReadID,
	Name:      "rarelyread",
	Doc:       "Is a replicated variable hardly read?",
	Formula:   "(installation - reads) / P",
	Threshold: "reads < P",
	Advice:    "keep the variable in one place, or replicate it only where it is read",
	Needs:     sharedVariables,
	Run:       rarelyRead,
}

// rarelyRead is R23: variables copied to each thread by an acknowledged broadcast, but read by fewer.
func rarelyRead(v *runView) []result {
	made, _ := v.accesses(execution.CreateVariable)
	reads, _ := v.accesses(execution.ReadVariable)
	p := v.threads()
	saved, n := 0.0, 0
	for e := range made {
		count := 0
		for _, k := range reads[e] {
			count += k
		}
		if float64(count) >= p {
			continue
		}
		if more := 2*(p-1)*v.Params.Transfer(0) - float64(count)*v.request(); more > 0 {
			saved += more
			n++
		}
	}
	return v.ofAccess(rarelyReadID, 1, saved,
		countOf(n, "replicated variable is", "replicated variables are")+" read less often than there are processors")
}

const hotElementsID report.RuleID = "R25"

var hotElementsRule = Rule{
	ID:        hotElementsID,
	Name:      "hotentry",
	Doc:       "Is one entry read by all?",
	Formula:   "(finds - P)(2 alpha + beta s) / P",
	Threshold: "P/2 readers",
	Advice:    "make it a write-once variable, with a copy on each processor",
	Needs:     sharedVariables,
	Run:       hotElements,
}

// hotElements is R25.
func hotElements(v *runView) []result {
	finds, _ := v.accesses(execution.FindElement)
	p := v.T.NumThreads()
	extra, n := 0, 0
	for _, by := range finds {
		count := 0
		for _, k := range by {
			count += k
		}
		if 2*len(by) >= p && count > p {
			extra += count - p
			n++
		}
	}
	return v.ofAccess(hotElementsID, float64(extra), v.request(),
		countOf(n, "table element is", "table elements are")+" read by half of the processors or more: replicate them")
}

const usedOnceID report.RuleID = "R26"

var usedOnceRule = Rule{
	ID:        usedOnceID,
	Name:      "onceentry",
	Doc:       "Are entries read once, from elsewhere?",
	Formula:   "n (2 alpha + beta s) / P",
	Threshold: "half of the entries",
	Advice:    "insert it where it is read",
	Needs:     sharedVariables,
	Run:       usedOnce,
}

// usedOnce is R26: elements that one thread inserts and another reads once.
func usedOnce(v *runView) []result {
	made, _ := v.accesses(execution.InsertElement)
	finds, _ := v.accesses(execution.FindElement)
	n := 0
	for e, by := range finds {
		for who, count := range by {
			if len(by) == 1 && count == 1 && len(made[e]) == 1 && made[e][who] == 0 {
				n++
			}
		}
	}
	if len(made) == 0 || 2*n < len(made) {
		return nil
	}
	return v.ofAccess(usedOnceID, float64(n), v.request(),
		fmt.Sprintf("%d of %d elements of tables are inserted here and read once elsewhere", n, len(made)))
}

const repeatedFindsID report.RuleID = "R27"

var repeatedFindsRule = Rule{
	ID:        repeatedFindsID,
	Name:      "cache",
	Doc:       "Are entries read again and again?",
	Formula:   "repeats (2 alpha + beta s) / P",
	Threshold: "a quarter of the finds",
	Advice:    "keep a copy on the processor that reads it",
	Needs:     sharedVariables,
	Run:       repeatedFinds,
}

// repeatedFinds is R27.
func repeatedFinds(v *runView) []result {
	finds, total := v.accesses(execution.FindElement)
	repeats := 0
	for _, by := range finds {
		for _, count := range by {
			repeats += count - 1
		}
	}
	if total == 0 || 4*repeats < total {
		return nil
	}
	return v.ofAccess(repeatedFindsID, float64(repeats), v.request(),
		fmt.Sprintf("%d of %d reads of table elements repeat one of the same processor: keep the value", repeats,
			total))
}

const unevenTablesID report.RuleID = "R28"

var unevenTablesRule = Rule{
	ID:        unevenTablesID,
	Name:      "tableimb",
	Doc:       "Are the owners of a table loaded unevenly?",
	Formula:   "as R12",
	Threshold: "max/mean > 1.2",
	Advice:    "use a better hash, and spread the inserts",
	Needs:     sharedVariables,
	Run:       unevenTables,
}

// unevenTables is R28: inserts or reads by the thread that asks.
func unevenTables(v *runView) []result {
	for _, c := range []struct {
		kind uint8
		word string
	}{{execution.InsertElement, "inserts"}, {execution.FindElement, "reads"}} {
		counts := make([]float64, v.T.NumThreads())
		by, _ := v.accesses(c.kind)
		for _, list := range by {
			for who, n := range list {
				counts[who] += float64(n)
			}
		}
		if most, mean, at, _ := spread(counts); mean > 0 && most > v.set.Imbalance*mean {
			list := v.ofAccess(unevenTablesID, most-mean, v.Params.Receive.Value+v.Params.Transfer(0),
				fmt.Sprintf("%s asks for %.0f %s of table elements, the mean is %.4g", v.ThreadName(int32(at)), most,
					c.word, mean))
			for i := range list {
				list[i].Severity = v.limit(list[i].Severity * v.threads())
				list[i].Formula = fmt.Sprintf("(%.0f - %.4g) x %s", most, mean,
					v.Span(v.Params.Receive.Value+v.Params.Transfer(0)))
				list[i].Threads = []int32{int32(at)}
			}
			return list
		}
	}
	return nil
}

// monotonic is a monotonic variable: who updates it, and when.
type monotonic struct {
	interval   int64 // between combinations of updates on a tree; 0: each is passed on to the neighbours
	made, last int64
	updates    int
	monotonic  bool // created and updated but, unlike an accumulator, never collected
}

const costlyUpdatesID report.RuleID = "R24"

var costlyUpdatesRule = Rule{
	ID:   costlyUpdatesID,
	Name: "monotonic",
	Doc:  "Is a monotonic variable implemented the dear way?",
	Formula: "difference of messages (m + q) / P; combined on a tree 2 (P - 1) per interval, to neighbours P " +
		"ceil(log2 P) / 2 per update",
	Threshold: "2 x the messages",
	Advice:    "combine its updates on a tree if they are frequent, pass each on to the neighbours if they are rare",
	Needs:     sharedVariables,
	Keeps:     true,
	Run:       dearUpdates,
}

// dearUpdates is R24. A tree takes 2 (P - 1) messages per interval of combining, up and down. Neighbours in a hypercube
// take one message per link and update. A variable passed to neighbours is compared with a tree whose interval is one
// round trip.
func dearUpdates(v *runView) []result {
	const dear = 2.0
	p, each := v.threads(), v.Params.Send.Value+v.Params.Receive.Value
	if each == 0 {
		each = v.Params.Transfer(0)
	}
	round := 2 * network.Rounds(p) * each
	saved, worst, better := 0.0, 0.0, ""
	for _, m := range v.monotonics() {
		interval := float64(m.interval)
		if interval == 0 {
			interval = round
		}
		tree := 2 * (p - 1) * math.Ceil(float64(m.last-m.made)/max(1, interval))
		links := float64(m.updates) * p * network.Rounds(p) / 2
		used, other, word := tree, links, "passed on to the neighbours"
		if m.interval == 0 {
			used, other, word = links, tree, "combined on a tree"
		}
		if used < dear*other {
			continue
		}
		if saved += used - other; used-other > worst {
			worst = used - other
			better = fmt.Sprintf("%s about %.0f messages; %s %.0f", countOf(int(m.updates),
				"update of a monotonic variable takes", "updates of a monotonic variable take"), used, word, other)
		}
	}
	return v.ofAccess(costlyUpdatesID, saved, each, better)
}

// monotonics returns the monotonic variables with updates, in order of creation.
func (v *runView) monotonics() (list []monotonic) {
	row := map[int64]int{}
	for i := range v.Driven.Access {
		x := &v.Driven.Access[i]
		k, ok := row[x.Variable]
		switch {
		case x.Kind == execution.CreateVariable:
			row[x.Variable] = len(list)
			list = append(list, monotonic{interval: x.Key, made: x.Time, last: v.T.Duration, monotonic: true})
		case ok && x.Kind == execution.UpdateVariable:
			list[k].updates++
		case ok && x.Kind == execution.CollectVariable:
			list[k].monotonic = false
		}
	}
	return slices.DeleteFunc(list, func(m monotonic) bool { return !m.monotonic || m.updates == 0 })
}

// speculation counts tasks of a search by their outcome.
type speculation struct {
	useful, useless int
	time            int64 // of useless ones
}

func (s *speculation) add(outcome uint8, time int64) {
	if outcome == execution.Useless {
		s.useless++
		s.time += time
	} else {
		s.useful++
	}
}

const wasteID report.RuleID = "R30"

var wasteRule = Rule{
	ID:        wasteID,
	Name:      "waste",
	Doc:       "Is work done that turns out useless?",
	Formula:   "time of useless tasks before the best solution / P",
	Threshold: "1 % of the run",
	Advice: "execute promising tasks first, on all processors alike, and bound the search with the best solution " +
		"so far",
	Needs: need{"events of useful and useless tasks", hasOutcomes},
	Apart: true,
	Run:   waste,
}

// waste is R30: tasks of a search that turned out useless, executed before the best solution was found. Later ones only
// prove it.
func waste(v *runView) []result {
	solved := int64(math.MaxInt64)
	for i := range v.Units {
		if v.Driven.Starts[i].Outcome == execution.Solution {
			if solved == math.MaxInt64 || v.Units[i].End > solved {
				solved = v.Units[i].End
			}
		}
	}
	var before, after speculation
	r := found(wasteID, "", 0, "", "")
	for i := range v.Units {
		u, outcome := &v.Units[i], v.Driven.Starts[i].Outcome
		switch {
		case outcome == 0:
		case u.Begin >= solved:
			after.add(outcome, u.User)
		default:
			before.add(outcome, u.User)
			if outcome == execution.Useless {
				r.Show(report.Evidence{From: u.Begin, To: u.End, Threads: []int32{u.Thread}, Why: "useless",
					Cost: float64(u.User) / v.threads()})
			}
		}
	}
	r.Severity = min(float64(before.time)/v.threads(), v.length())
	if !v.significant(r.Severity) {
		return nil
	}
	r.Title = fmt.Sprintf("%d of %d tasks are useless and take %s", before.useless, before.useless+before.useful,
		v.Span(float64(before.time)))
	if solved < math.MaxInt64 {
		r.Title += fmt.Sprintf(" before the best solution at %s; %d of %d after it", v.Span(float64(solved)),
			after.useless, after.useless+after.useful)
	}
	r.Formula = fmt.Sprintf("%s / %d", v.Span(float64(before.time)), v.T.NumThreads())
	return []result{r}
}
