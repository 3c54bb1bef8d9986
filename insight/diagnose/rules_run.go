package diagnose

// Rules on the whole run: R09, R11, R29, R33, and those on waits, R34 to R37.

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"pview/insight/criticalpath"
	"pview/insight/eventgraph"
	"pview/insight/remedy"
	"pview/insight/replay"
	"pview/insight/report"
	"pview/insight/waits"
	"pview/prv"
	"pview/prv/extrae"
	"pview/prv/quantity"
)

func (v *runView) length() float64  { return float64(v.T.Duration) }
func (v *runView) threads() float64 { return float64(max(1, v.T.NumThreads())) }

// limit caps a severity at what the run can gain.
func (v *runView) limit(s float64) float64 { return max(0, min(s, v.out.Recoverable)) }

// significant reports whether a time of the run counts.
func (v *runView) significant(s float64) bool { return s > v.set.Significant*v.length() }

const initialisationID = remedy.InitialisationID

var initialisationRule = Rule{
	ID:        initialisationID,
	Name:      "init",
	Doc:       "Does one thread work alone at the start?",
	Formula:   "G (1 - 1/P)",
	Threshold: "1 % of the run",
	Advice:    "distribute the initialisation",
	Brief:     Brief{"serial start", "on"},
	Run:       initialisation,
}

// initialisation is R09: the time at the start in which only one thread of an application computes.
func initialisation(v *runView) []result { return v.ofApplications(v.aloneAtStart) }

// aloneAtStart is R09 of an application.
func (v *runView) aloneAtStart(team []int32) []result {
	first, second, who := int64(1<<63-1), int64(1<<63-1), int32(-1)
	there := int64(0) // when the first threads of all tasks exist
	for _, th := range team {
		if v.T.Tasks[v.T.ThreadTask[th]].FirstThread != th {
			continue
		}
		v.EachPart(th, 0, v.T.Duration, func(from, to int64, part extrae.Part) {
			if part == extrae.PartAbsent && from <= there && to < v.T.Duration {
				there = max(there, to)
			}
		})
	}
	for _, th := range team {
		own := v.OfThread(th)
		at := int64(1<<63 - 1)
		if i := slices.IndexFunc(own, func(u eventgraph.Unit) bool { return u.User > 0 }); i >= 0 {
			at = own[i].Begin
		}
		if at < first {
			first, second, who = at, first, th
		} else {
			second = min(second, at)
		}
	}
	if first = max(first, there); who < 0 || len(team) < 2 || second <= first {
		return nil
	}
	if v.Driven != nil { // what follows on its thread may have other reasons
		second = min(second, v.Units[v.UnitAt(who, first)].End)
	}
	alone := v.UserIn(who, first, min(second, v.T.Duration))
	part := 1 / float64(len(team))
	s := v.limit(alone * (1 - part))
	if !v.significant(s) {
		return nil
	}
	r := found(initialisationID, "", s, fmt.Sprintf("%s works alone for %s at the start (%s)", v.ThreadName(who),
		v.Span(alone),
		v.ClassName(v.ClassAt(who, first))),
		fmt.Sprintf("%s x (1 - 1/%d)", v.Span(alone), len(team)))
	r.Threads = []int32{who}
	r.takes(who, first, min(second, v.T.Duration), part)
	r.show(first, min(second, v.T.Duration), s, "one thread works", r.Threads)
	return []result{r}
}

const pollingID report.RuleID = "R11"

var pollingRule = Rule{
	ID:        pollingID,
	Name:      "polling",
	Doc:       "How much time goes into tests and probes?",
	Formula:   "their time / P",
	Threshold: "1 % of the run",
	Advice:    "wait instead of testing, or test less often",
	Brief:     Brief{"polling", "on"},
	Keeps:     true,
	Run:       polling,
	Under: func(a *analysis, c, f *report.Finding, same bool) bool {
		return f.Rule == distributionID
	},
}

// polling is R11.
func polling(v *runView) []result {
	if v.Driven != nil {
		return v.ofEntries(pollingID, "the detection of quiescence", v.detector)
	}
	return v.ofApplications(v.pollingIn)
}

// pollingIn is R11 of an application.
func (v *runView) pollingIn(team []int32) []result {
	res := found(pollingID, "", 0, "", "")
	calls, time := 0, int64(0)
	times := make([]float64, len(team))
	for i, th := range team {
		for k := range v.Waits.Calls(th) {
			v.Look()
			if c := v.Waits.Call(th, k); c.Kind.Call == extrae.Test || c.Kind.Call == extrae.Iprobe {
				calls++
				time += c.Exit - c.Enter
				times[i] += float64(c.Exit - c.Enter)
				res.takes(th, c.Enter, c.Exit, 0)
			}
		}
	}
	res.Severity = v.limit(float64(time) / float64(len(team)))
	if !v.significant(res.Severity) {
		return nil
	}
	_, _, at, _ := spread(times)
	res.Title = fmt.Sprintf("%s %s of the threads' time", countOf(int(calls), "call of Test and Iprobe takes",
		"calls of Test and Iprobe take"), v.Span(float64(time)))
	res.Formula = fmt.Sprintf("%s / %d", v.Span(float64(time)), len(team))
	res.Threads = []int32{team[at]}
	res.show(0, v.T.Duration, res.Severity, "polling", res.Threads)
	return []result{res}
}

const tachyonsID report.RuleID = "R33"

var tachyonsRule = Rule{
	ID:        tachyonsID,
	Name:      "tachyon",
	Doc:       "Do the clocks of the nodes agree?",
	Formula:   "none",
	Threshold: "a message received before it was sent",
	Advice:    "synchronise the clocks when merging the trace; times between nodes cannot be trusted",
	Brief:     Brief{"clocks disagree", ""},
	Run:       tachyons,
}

// tachyons is R33.
func tachyons(v *runView) []result {
	if v.Driven != nil {
		return v.drivenTachyons()
	}
	c := &v.T.Comms
	type pair struct{ from, to int32 }
	count, local, largest, worst := 0, 0, int64(0), -1
	pairs := map[pair]int{}
	res := found(tachyonsID, "", report.NoSeverity, "", "")
	for m := range c.Len() {
		if v.T.ThreadTask[c.Send[m]] == v.T.ThreadTask[c.Recv[m]] {
			continue
		}
		by := c.Times[prv.LogicalSend][m] - c.Times[prv.PhysicalRecv][m]
		if by <= 0 {
			continue
		}
		count++
		if v.T.ThreadNode(c.Send[m]) == v.T.ThreadNode(c.Recv[m]) {
			local++
		}
		pairs[pair{c.Send[m], c.Recv[m]}]++
		if by > largest {
			largest, worst = by, m
		}
		res.show(c.Times[prv.PhysicalRecv][m], c.Times[prv.LogicalSend][m], float64(by), "received before it was sent",
			[]int32{c.Send[m], c.Recv[m]}, int32(m))
	}
	if count == 0 {
		return nil
	}
	res.Warning = true
	word := "messages are"
	if count == 1 {
		word = "message is"
	}
	res.Title = fmt.Sprintf("%s %s received before sent, between %s of threads: by up to %s",
		quantity.FormatCount(int64(count)), word, quantity.CountOf(int64(len(pairs)), "pair"), v.Span(float64(largest)))
	if local > 0 { // threads of a node have one clock
		res.Title += fmt.Sprintf(
			"; %s of them within a node, which has one clock: the tracer paired sends and receives wrongly",
			quantity.FormatCount(int64(local)))
		res.Advice =
			"do not trust these messages, nor the waits that they explain: sends and receives of MPI_PROC_NULL, for " +
				"one, have no partner"
	}
	res.Formula = fmt.Sprintf("%s of %s messages", quantity.FormatCount(int64(count)),
		quantity.FormatCount(int64(v.Waits.Messages)))
	res.Threads = []int32{c.Send[worst], c.Recv[worst]}
	return []result{res}
}

// rootCause sums the waiting caused by the threads' work in a region.
type rootCause struct {
	region  int32
	cost    float64
	threads []waits.Delay
}

const rootCausesID report.RuleID = "R34"

var rootCausesRule = Rule{
	ID:        rootCausesID,
	Name:      "cause",
	Doc:       "Which code makes others wait?",
	Formula:   "waiting that it causes, at once and further down, / P",
	Threshold: "1 % of the run",
	Advice:    "shorten it on the threads named, or give others something to do meanwhile",
	Brief:     Brief{"delays", "by"},
	Apart:     true,
	Run:       rootCauses,
	Under: func(a *analysis, c, f *report.Finding, same bool) bool {
		return same && (f.Key == c.Key || f.Key == "" || f.Rule == bottleneckID || f.Rule == SlowStageID)
	},
	Repair: noExcess,
}

// rootCauses is R34: computation that makes others wait.
func rootCauses(v *runView) []result {
	list := v.ofApplications(v.rootCausesIn)
	slices.SortFunc(list, func(x, y result) int {
		return cmp.Or(cmp.Compare(y.Severity, x.Severity), cmp.Compare(x.key, y.key))
	})
	return list
}

// rootCausesIn is R34 of an application.
func (v *runView) rootCausesIn(team []int32) (list []result) {
	for region, c := range v.causes(team) {
		if v.Waits.Regions[region].Call {
			continue
		}
		s := v.limit(c.cost / float64(len(team)))
		if !v.significant(s) {
			continue
		}
		r := found(rootCausesID, fmt.Sprint(region), s, "",
			fmt.Sprintf("%s of waiting / %d", v.Span(c.cost), len(team)))
		where := v.blame(&r, c, team)
		r.Title = fmt.Sprintf("%s makes others wait for %s in all, %s", v.ClassName(region), v.Span(c.cost), where)
		list = append(list, r)
	}
	return list
}

// causes returns the delays by some threads that compute in a region, by region, the threads with the largest first.
// Between a fork and its part of the work, a worker may be outside of all functions without computing.
func (v *runView) causes(team []int32) map[int32]*rootCause {
	by := map[int32]*rootCause{}
	for _, d := range v.Waits.Delays {
		v.Look()
		if v.T.ThreadPtask(d.Thread) != v.T.ThreadPtask(team[0]) {
			continue
		}
		if use := v.useOf(d.Region); use == nil || use.N[d.Thread] == 0 {
			continue
		}
		c := by[d.Region]
		if c == nil {
			c = &rootCause{region: d.Region}
			by[d.Region] = c
		}
		c.cost += float64(d.Cost())
		c.threads = append(c.threads, d)
	}
	for _, c := range by {
		slices.SortStableFunc(c.threads, func(x, y waits.Delay) int {
			return cmp.Or(cmp.Compare(y.Cost(), x.Cost()), cmp.Compare(x.Thread, y.Thread))
		})
	}
	return by
}

// blame names the threads of a cause, with the worst wait of each as evidence.
func (v *runView) blame(r *result, c *rootCause, team []int32) string {
	var names []string
	for i, d := range c.threads {
		if i < 3 && float64(d.Cost()) > c.cost/10 {
			names = append(names, fmt.Sprintf("%s (%s)", v.ThreadName(d.Thread),
				quantity.FormatPercent(float64(d.Cost())/c.cost)))
			r.Threads = append(r.Threads, d.Thread)
		}
		w := &v.Waits.Waits[d.Worst]
		r.Show(report.Evidence{From: v.Waits.Interval(d.Worst), To: w.To, Threads: []int32{d.Thread, w.Thread},
			Messages: messagesOf(w), Why: "the worst wait that " + v.ThreadName(d.Thread) + " causes: " +
				w.Class.String(), Cost: float64(d.Cost()) / float64(len(team))})
	}
	if len(names) == 0 {
		return "on all threads alike"
	}
	if slow := v.slowNode(team, v.TimesIn(c.region)); slow != nil && slices.Contains(slow.threads, r.Threads[0]) {
		r.Threads = slow.threads
		return fmt.Sprintf("on the threads of node %d, which spend %s in it on average, the others %s", slow.node+1,
			v.Span(slow.mean), v.Span(slow.others))
	}
	return "most of all on " + strings.Join(names, ", ")
}

// messagesOf returns the message of a wait.
func messagesOf(w *waits.Wait) []int32 {
	if w.Kind == waits.ToMessage {
		return []int32{w.Ref}
	}
	return nil
}

// ofClasses makes a rule's result from the waits of some classes.
func (v *runView) ofClasses(rule report.RuleID, what string, classes ...waits.Class) []result {
	return v.ofApplications(func(team []int32) []result { return v.ofClassesIn(team, rule, what, classes) })
}

// ofClassesIn is ofClasses of an application.
func (v *runView) ofClassesIn(team []int32, rule report.RuleID, what string, classes []waits.Class) []result {
	p := float64(len(team))
	r := found(rule, "", 0, "", "")
	sum, n := int64(0), 0
	by := map[int32]float64{}
	for i := range v.Waits.Waits {
		v.Look()
		w := &v.Waits.Waits[i]
		if !slices.Contains(classes, w.Class) || v.T.ThreadPtask(w.Thread) != v.T.ThreadPtask(team[0]) {
			continue
		}
		sum += w.Length()
		n++
		by[w.Cause] += float64(w.Length())
		r.Show(report.Evidence{From: w.From, To: w.To, Threads: []int32{w.Thread, max(w.Cause, 0)},
			Messages: messagesOf(w), Why: w.Class.String(), Cost: float64(w.Length()) / p})
	}
	r.Severity = v.limit(float64(sum) / p)
	if !v.significant(r.Severity) {
		return nil
	}
	at := team[0]
	for _, th := range team {
		if by[th] > by[at] {
			at = th
		}
	}
	r.Threads = []int32{at}
	r.Title = fmt.Sprintf("%s: %s, %s in all; %s of that waits for %s", what, quantity.Times(int64(n)),
		v.Span(float64(sum)), quantity.FormatPercent(by[at]/float64(sum)), v.ThreadName(at))
	r.Formula = fmt.Sprintf("%s / %d", v.Span(float64(sum)), len(team))
	return []result{r}
}

const wrongOrderID report.RuleID = "R35"

var wrongOrderRule = Rule{
	ID:        wrongOrderID,
	Name:      "order",
	Doc:       "Are messages received in another order than they are sent?",
	Formula:   "waits in the wrong order / P",
	Threshold: "1 % of the run",
	Advice:    "receive the message that was sent first, or post both receives and wait for any",
	Brief:     Brief{"receives in wrong order", ""},
	Needs:     messages,
	Keeps:     true,
	Apart:     true,
	Run:       wrongOrder,
	Rank:      3,
}

// wrongOrder is R35.
func wrongOrder(v *runView) []result {
	list := v.ofClasses(wrongOrderID,
		"receives wait for a message although another one, received later, was sent before it",
		waits.WrongOrderSame, waits.WrongOrderDifferent)
	for i := range list {
		for th := range v.T.Threads {
			v.receivesInOrder(&list[i], int32(th))
		}
	}
	return list
}

// receivesInOrder is the repair of R35: each receive that waits in the wrong order takes the place of the next one
// whose message was sent earlier.
func (v *runView) receivesInOrder(r *result, thread int32) {
	const horizon = 100
	var order []int32 // of receives
	var begun, sent []int64
	row := map[int32]int{}
	for _, m := range v.T.Threads[thread].Comm[prv.PhysicalRecv] {
		v.Look()
		if msg, ok := v.Waits.Message(m); ok && msg.Complete >= 0 {
			row[m] = len(order)
			order, begun, sent = append(order, m), append(begun, msg.Begun), append(sent, msg.Sent)
		}
	}
	was := slices.Clone(order)
	for _, w := range v.Waits.Of(thread) {
		if w.Class != waits.WrongOrderSame && w.Class != waits.WrongOrderDifferent {
			continue
		}
		i, ok := row[w.Ref]
		for k := i + 1; ok && k < len(order) && k <= i+horizon; k++ {
			if sent[k] < sent[i] {
				order[i], order[k], sent[i], sent[k] = order[k], order[i], sent[k], sent[i]
				row[order[i]], row[order[k]] = i, k
				break
			}
		}
	}
	for i, m := range order {
		if m != was[i] {
			r.moves(replay.OfReceive, m, begun[i])
		}
	}
}

const lateReceiversID = remedy.LateReceiversID

var lateReceiversRule = Rule{
	ID:        lateReceiversID,
	Name:      "receiver",
	Doc:       "Do sends wait for their receivers?",
	Formula:   "waits for receivers / P",
	Threshold: "1 % of the run",
	Advice: "post receives earlier, send without blocking, or raise the eager limit; a receiver that computes takes " +
		"large messages only when it calls MPI: call MPI_Test meanwhile",
	Brief:  Brief{"late receives", "on"},
	Needs:  messages,
	Keeps:  true,
	Apart:  true,
	Run:    lateReceivers,
	Repair: func(*analysis, *report.Finding) []replay.Change { return []replay.Change{{Kind: replay.Eagerly}} },
}

// lateReceivers is R36.
func lateReceivers(v *runView) []result {
	posted, away := v.Waits.Totals[waits.LateReceiver].Count, v.Waits.Totals[waits.LateProgress].Count
	what := "sends wait until their receive is posted"
	switch {
	case posted == 0:
		what = "sends wait until their receiver, which computes, calls MPI again"
	case away > 0:
		what = fmt.Sprintf("sends wait until their receive is posted, or (%s) their receiver, which computes, calls "+
			"MPI again", quantity.FormatCount(int64(away)))
	}
	return v.ofClasses(lateReceiversID, what, waits.LateReceiver, waits.LateProgress)
}

const serialID = remedy.TeamSerialID

var serialRule = Rule{
	ID:        serialID,
	Name:      "serial",
	Doc:       "How long do OpenMP threads have nothing to do between parallel regions?",
	Formula:   "idle time of workers / threads",
	Threshold: "1 % of the run",
	Advice:    "make more of the program parallel, or use fewer threads",
	Brief:     Brief{"idle OpenMP threads", ""},
	Apart:     true,
	Run:       serial,
}

// serial is R37. Its repair spreads what the forking thread computes meanwhile over the threads of the task.
func serial(v *runView) []result {
	list := v.ofClasses(serialID, "OpenMP threads wait between parallel regions", waits.IdleWorker)
	for i := range list {
		for k := range v.Waits.Waits {
			v.Look()
			w := &v.Waits.Waits[k]
			if w.Class != waits.IdleWorker || w.Cause < 0 ||
				v.T.ThreadPtask(w.Cause) != v.T.ThreadPtask(list[i].Threads[0]) {
				continue
			}
			threads := float64(v.T.Tasks[v.T.ThreadTask[w.Cause]].Threads)
			v.EachPart(w.Cause, w.From, w.To, func(from, to int64, part extrae.Part) {
				if part == extrae.PartUser {
					list[i].takes(w.Cause, from, to, 1/threads)
				}
			})
		}
	}
	return list
}

// computeBound is the share of computation in the critical path from which waits and calls are not worth a look.
const computeBound = 0.9

const criticalPathID report.RuleID = "R29"

var criticalPathRule = Rule{
	ID:        criticalPathID,
	Name:      "critpath",
	Doc:       "Which code on the critical path is worth making faster?",
	Formula:   "none; gain of a region made twice as fast: its time on the path / 2",
	Threshold: "computation is half of the path after MPI_Init",
	Advice:    "make these regions faster",
	Brief:     Brief{"critical path", ""},
	Run:       criticalPath,
}

// criticalPath is R29.
func criticalPath(v *runView) []result {
	if v.Driven != nil {
		return v.pathOfEntries()
	}
	if v.Waits.Bursts {
		return nil
	}
	computing, sum, startUp := v.computingOnPath()
	length := v.T.Duration
	if (sum-startUp)*2 < length-startUp || len(computing) == 0 {
		return nil
	}
	percent := func(t int64) string { return quantity.FormatPercent(float64(t) / float64(length)) }
	var names []string
	for _, c := range computing[:min(3, len(computing))] {
		names = append(names, fmt.Sprintf("%s %s", v.ClassName(c.region), percent(c.time)))
	}
	before := ""
	if startUp > 0 {
		before = fmt.Sprintf(", %s before MPI_Init", percent(startUp))
	}
	title := fmt.Sprintf("computation is %s of the critical path%s: %s", percent(sum), before,
		strings.Join(names, ", "))
	if v.bound = float64(sum-startUp) >= computeBound*float64(length-startUp); v.bound {
		title = fmt.Sprintf("the run is bound by computation, %s of its critical path%s: %s", percent(sum), before,
			strings.Join(names, ", "))
	}
	first, busiest := computing[0], int64(0)
	for i := range v.byThread {
		busiest = max(busiest, v.byThread[i].User())
	}
	r := found(criticalPathID, "", report.NoSeverity, title,
		fmt.Sprintf("%s of %s; the busiest thread computes %s of %s: with the work where it is the run can be at "+
			"most %.2f times as fast", v.Span(float64(sum)), v.Span(float64(length)), v.Span(float64(busiest)),
			v.Span(float64(v.out.Length)), float64(v.out.Length)/float64(max(1, busiest))))
	r.Advice = fmt.Sprintf("make this code faster: %s twice as fast would save up to %s", v.ClassName(first.region),
		v.Span(float64(first.time)/2))
	for _, s := range v.critpath.Stretches() {
		r.Show(report.Evidence{From: s.From, To: s.To, Threads: []int32{s.Thread}, Why: "on the critical path",
			Cost: float64(s.To - s.From)})
	}
	return []result{r}
}

// regionTime is a time in a region.
type regionTime struct {
	region int32
	time   int64
}

// computingOnPath returns the computation on the critical path by region, the longest first; its sum, and the part
// before MPI_Init, which is in no region of the list.
func (v *runView) computingOnPath() (list []regionTime, sum, startUp int64) {
	for region, time := range v.critpath.TimesIn(v.Waits, criticalpath.Computation) {
		sum += time
		switch {
		case region < 0:
		case v.Waits.Regions[region].StartUp:
			startUp += time
		default:
			list = append(list, regionTime{region, time})
		}
	}
	slices.SortFunc(list, func(x, y regionTime) int {
		return cmp.Or(cmp.Compare(y.time, x.time), cmp.Compare(x.region, y.region))
	})
	return list, sum, startUp
}
