package diagnose

// Rules on messages and collective operations: R02 to R04, R06, R31, R32.

import (
	"fmt"
	"math"
	"sort"

	"pview/insight/eventgraph"
	"pview/insight/network"
	"pview/insight/remedy"
	"pview/insight/replay"
	"pview/insight/report"
	"pview/insight/waits"
	"pview/prv"
	"pview/prv/extrae"
	"pview/prv/quantity"
	"pview/prv/wide"
)

const tailEndID report.RuleID = "R02"

var tailEndRule = Rule{
	ID:        tailEndID,
	Name:      "tail",
	Doc:       "Was an awaited message sent at the end of a long unit?",
	Formula:   "(x_c - y_s) - overlap(y_s, x_c), at most the idle time before x",
	Threshold: "sent in the last fifth of the unit",
	Advice:    "send it earlier, as soon as its data is ready",
	Brief:     Brief{"late sends", "on"},
	Needs:     messages,
	Keeps:     true,
	Phase:     tailEnd,
	Rank:      3,
	Under: func(a *analysis, c, f *report.Finding, same bool) bool {
		return same && c.Phase == f.Phase
	},
}

// tailEnd is R02: along the last event chain, messages that were awaited and sent at the end of a unit.
func tailEnd(v *phaseView) (list []result) {
	for _, i := range v.LastChain(v.Phase) {
		x := &v.Units[i]
		m := v.Message(x)
		if m < 0 || x.Creator < 0 || v.acceptable(x.Idle, v.Size(m)) {
			continue
		}
		y := &v.Units[x.Creator]
		created := v.Created(i)
		offset, whole := created-y.Begin, y.End-y.Begin
		if y.Thread == x.Thread || whole <= 0 || float64(offset) < v.set.Tail*float64(whole) {
			continue
		}
		over := v.UserIn(x.Thread, y.Begin, created)
		estimate := min(float64(offset)-over, float64(x.Idle))
		most := v.limit(v.length(), true, v.path, 0)
		if estimate > most { // with the message at the start the critical path may be shorter
			most = v.limit(v.length(), true, float64(v.PathIn(v.Phase, i)), 0)
		}
		s := min(estimate, most)
		if s <= 0 {
			continue
		}
		r := found(tailEndID, betweenKey(y, x), s,
			fmt.Sprintf("%s waits %s for a message of %s that %s sends at %s of its unit (%s)",
				v.ThreadName(x.Thread), v.Span(float64(x.Idle)), quantity.CountOf(v.Size(m), "byte"),
				v.ThreadName(y.Thread),
				quantity.FormatPercent(float64(offset)/float64(whole)), v.ClassName(y.Class)),
			fmt.Sprintf("min(%s - %s, %s), at most %s", v.Span(float64(offset)), v.Span(over), v.Span(float64(x.Idle)),
				v.Span(most)))
		r.Threads = []int32{y.Thread, x.Thread}
		r.show(y.Begin, x.Begin, s, "late message", []int32{y.Thread, x.Thread}, m)
		list = append(list, r)
	}
	list = sumInto(nil, list)
	for i := range list {
		v.sendAllEarly(&list[i])
	}
	return list
}

// sendAllEarly is the repair of R02: on all threads, messages between the same regions are sent at the start of their
// units, since the repair may change which one the last event chain awaits.
func (v *phaseView) sendAllEarly(r *result) {
	for i := range v.InOrder(v.Phase) {
		x := &v.Units[i]
		m := v.Message(x)
		if m < 0 || x.Creator < 0 {
			continue
		}
		y := &v.Units[x.Creator]
		late := float64(v.Created(i)-y.Begin) >= v.set.Tail*float64(y.End-y.Begin)
		if y.Thread != x.Thread && late && r.key == betweenKey(y, x) {
			r.moves(replay.OfSend, m, y.Begin)
		}
	}
}

// betweenKey identifies findings on messages between the regions of two units.
func betweenKey(from, to *eventgraph.Unit) string { return fmt.Sprintf("%d>%d", from.Class, to.Class) }

// large is a message that its receiver awaits, and that would better be sent in parts.
type large struct {
	message int32
	x, y    *eventgraph.Unit // receiver, sender
	parts   int
	saving  float64
}

// largeOf returns the large message that a unit waited for.
func (v *phaseView) largeOf(i int32) (l large, ok bool) {
	p, x := &v.Params, &v.Units[i]
	m := v.Message(x)
	if m < 0 || x.Creator < 0 {
		return l, false
	}
	y := &v.Units[x.Creator]
	bytes := p.Byte.Value * float64(v.Size(m))
	if y.Thread == x.Thread || bytes <= p.Latency.Value || float64(x.Idle) < bytes/2 {
		return l, false
	}
	k, saving := split(bytes, float64(y.User), float64(x.User), p.Send.Value, p.Receive.Value)
	return large{m, x, y, k, saving}, k >= 2
}

const pipeliningID = remedy.PipeliningID

var pipeliningRule = Rule{
	ID:        pipeliningID,
	Name:      "pipe",
	Doc:       "Would a large message be better sent in parts?",
	Formula:   "(sqrt(A) - sqrt(c))^2, A = beta s + g",
	Threshold: "beta s > alpha, idle >= beta s / 2, two parts or more",
	Advice:    "send it in parts, so that transfer and computation overlap",
	Brief:     Brief{"large messages", "from"},
	Needs:     messages,
	Keeps:     true,
	Phase:     pipelining,
	Tried:     true,
	Under: func(a *analysis, c, f *report.Finding, same bool) bool {
		return same && c.Phase == f.Phase
	},
}

// pipelining is R03: large messages on the last event chain.
func pipelining(v *phaseView) (list []result) {
	for _, i := range v.LastChain(v.Phase) {
		l, ok := v.largeOf(i)
		if !ok {
			continue
		}
		x, y, saving := l.x, l.y, l.saving
		s := v.limit(saving-v.UserIn(x.Thread, x.End-int64(saving), x.End)+float64(min(x.User, int64(saving))), true,
			v.path-saving, 0)
		if s <= 0 {
			continue
		}
		r := found(pipeliningID, betweenKey(y, x), s,
			fmt.Sprintf("%s waits %s for %s of %s: %d parts would overlap transfer and computation",
				v.ThreadName(x.Thread), v.Span(float64(x.Idle)), quantity.CountOf(v.Size(l.message), "byte"),
				v.ThreadName(y.Thread), l.parts),
			fmt.Sprintf("%s saved per message in %d parts", v.Span(saving), l.parts))
		r.Threads = []int32{y.Thread, x.Thread}
		r.show(y.Begin, x.End, s, "large message", []int32{y.Thread, x.Thread}, l.message)
		list = append(list, r)
	}
	list = sumInto(nil, list)
	for i := range list {
		v.splitAll(&list[i])
	}
	return list
}

// splitAll is the repair of R03: all large messages between the same regions are sent in parts.
func (v *phaseView) splitAll(r *result) {
	for i := range v.InOrder(v.Phase) {
		if l, ok := v.largeOf(i); ok && r.key == betweenKey(l.y, l.x) {
			v.splitOne(r, i, &l)
		}
	}
}

// splitOne sends a message in k parts. The side with more work executes it while parts are in flight, with k - 1 more
// messages; the other executes a k-th of its work outside of that: before it if it sends, after it if it receives.
func (v *phaseView) splitOne(r *result, i int32, l *large) {
	k, sent := float64(l.parts), v.Created(i)
	took := float64(l.x.Begin - max(sent, l.x.Begin-l.x.Idle))
	bytes := v.Params.Byte.Value * float64(v.Size(l.message))
	r.takes(l.x.Thread, l.x.Begin-int64(took), l.x.Begin, max(0, took-bytes*(1-1/k))/took)
	part := func(u *eventgraph.Unit, cost float64) { // the unit's work, with the cost of the other messages
		r.takes(u.Thread, u.Begin, u.End, 1+(k-1)*cost/float64(u.End-u.Begin))
	}
	if l.x.User > l.y.User {
		r.moves(replay.OfSend, l.message, l.y.Begin+int64(float64(sent-l.y.Begin)/k))
		part(l.x, v.Params.Receive.Value)
		return
	}
	r.takes(l.x.Thread, l.x.Begin, l.x.End, 1/k)
	part(l.y, v.Params.Send.Value)
}

// split finds the best number of parts of a message, and its saving: bytes is the time of its bytes, a and b the work
// before and after it, send and receive the costs of a message.
func split(bytes, a, b, send, receive float64) (k int, saving float64) {
	work, cost := b, send
	if b > a || b == a && receive > send {
		work, cost = a, receive
	}
	saved := func(k float64) float64 { return (bytes+work)*(1-1/k) - cost*(k-1) }
	if cost <= 0 {
		cost = 1
	}
	best := math.Sqrt((bytes + work) / cost)
	k, saving = 1, 0
	for _, n := range []float64{math.Floor(best), math.Ceil(best)} {
		if n >= 1 && saved(n) > saving {
			k, saving = int(n), saved(n)
		}
	}
	return k, saving
}

// row are consecutive messages of one unit to the same thread.
type row struct {
	messages []int32
	bytes    int64
}

const combiningID = remedy.CombiningID

var combiningRule = Rule{
	ID:        combiningID,
	Name:      "combine",
	Doc:       "Are there many small messages in a row to the same thread?",
	Formula:   "(k - 1)(m + alpha) per row",
	Threshold: "4 in a row, beta s < alpha",
	Advice:    "combine them, if the receiver has other work meanwhile",
	Brief:     Brief{"many small messages", ""},
	Needs:     messages,
	Phase:     combining,
	Tried:     true,
}

// combining is R04.
func combining(v *phaseView) []result { return v.ofApplications(v.combiningIn) }

// combiningIn is R04 of an application.
func (v *phaseView) combiningIn(team []int32) []result {
	p, total := float64(len(team)), eventgraph.TotalOf(v.use, team)
	cost := v.Params.Send.Value + v.Params.Latency.Value
	saved, rows, messages, bytes := 0.0, 0, 0, int64(0)
	res := found(combiningID, "", 0, "", "")
	for _, th := range team {
		v.eachRow(th, func(r row) {
			n := len(r.messages)
			mean := float64(r.bytes) / float64(n)
			if n < v.set.Combine || v.Params.Byte.Value*mean >= v.Params.Latency.Value {
				return
			}
			gain := rowGain(n, cost)
			saved += gain
			rows, messages, bytes = rows+1, messages+n, wide.Saturated(bytes, r.bytes)
			c := &v.T.Comms
			first, last := r.messages[0], r.messages[n-1]
			res.show(c.Times[roleSent][first], c.Times[roleSent][last], gain, "small messages in a row",
				[]int32{c.Send[first], c.Recv[first]}, first, last)
		})
	}
	if rows == 0 {
		return nil
	}
	saved = min(saved, total.Overhead())
	res.Severity = v.limit(saved/p, false, v.even()-saved/p, saved)
	res.Title = fmt.Sprintf("%s messages of %s bytes on average are sent in %s rows to the same thread",
		quantity.FormatCount(int64(messages)), quantity.FormatCount(bytes/int64(messages)),
		quantity.FormatCount(int64(rows)))
	res.Formula = fmt.Sprintf("(%s - %s) x %s / %d, if receivers have other work meanwhile",
		quantity.FormatCount(int64(messages)), quantity.FormatCount(int64(rows)), v.Span(cost), len(team))
	return []result{res}
}

// rowGain returns the gain of combining a row of messages, each of which costs the same to send and in flight.
func rowGain(n int, cost float64) float64 { return float64(n-1) * cost }

// sentIn returns the messages that a thread sends since the start of the phase.
func (v *phaseView) sentIn(thread int32) []int32 {
	list, times := v.T.Threads[thread].Comm[roleSent], v.T.Comms.Times[roleSent]
	return list[sort.Search(len(list), func(i int) bool { return times[list[i]] >= v.From }):]
}

// eachRow finds rows of messages that a thread sends within a unit, without receiving one in between that the next
// could depend on.
func (v *phaseView) eachRow(thread int32, do func(row)) {
	c := &v.T.Comms
	list, received := v.sentIn(thread), v.T.Threads[thread].Comm[prv.PhysicalRecv]
	received = received[sort.Search(len(received), func(i int) bool {
		return c.Times[prv.PhysicalRecv][received[i]] > v.From
	}):]
	var now row
	at := int32(-1)
	flush := func() {
		if len(now.messages) > 1 {
			do(now)
		}
		now = row{}
	}
	for k, m := range list {
		v.Look()
		t := c.Times[roleSent][m]
		if t >= v.To {
			break
		}
		between := false
		for len(received) > 0 && c.Times[prv.PhysicalRecv][received[0]] <= t {
			received, between = received[1:], true
		}
		u := v.UnitAt(thread, t)
		if n := len(now.messages); n > 0 && (between || u != at || c.Recv[m] != c.Recv[now.messages[0]] ||
			c.Tag[m] != c.Tag[now.messages[0]]) {
			flush()
		}
		if len(now.messages) == 0 {
			at = u
		}
		now.messages = list[k-len(now.messages) : k+1]
		now.bytes = wide.Saturated(now.bytes, c.Size[m])
	}
	flush()
}

const bottleneckID = remedy.BottleneckID

var bottleneckRule = Rule{
	ID:        bottleneckID,
	Name:      "bottleneck",
	Doc:       "Does one thread serve all others?",
	Formula:   "(N - ceil(log2 P)) (G + q), at most the mean idle time of the others",
	Threshold: "all messages go from or to one thread; undecided below 8 threads",
	Advice:    "use a tree, several masters, or larger pieces of work",
	Brief:     Brief{"a bottleneck", "on"},
	Needs:     messages,
	Phase:     bottleneck,
	Tried:     true,
	Leads:     true,
}

// bottleneck is R06: a thread that all messages of its application go to or come from.
func bottleneck(v *phaseView) []result { return v.ofApplications(v.bottleneckIn) }

// bottleneckIn is R06 of an application.
func (v *phaseView) bottleneckIn(team []int32) []result {
	hub, requests, answers := v.hub(team)
	if hub < 0 {
		return nil
	}
	p := len(team)
	kind := "gathers from"
	if answers > 0 {
		kind = "serves"
	}
	others := 0.0
	for _, th := range team {
		if th != hub {
			others += float64(v.use[th].Idle())
		}
	}
	others /= float64(p - 1)
	from := v.firstRequest(hub)
	served := v.UsageOf(hub, from, v.To)
	each := float64(served.Busy())/float64(requests) + v.Params.Receive.Value
	if answers > 0 {
		each = (float64(served.Busy()) + v.held(hub)) / float64(requests)
	}
	estimate := min(max(0, float64(requests)-network.Rounds(float64(p)))*each, others)
	formula := fmt.Sprintf("(%s - %.0f) x %s, at most %s idle on the others",
		quantity.FormatCount(int64(requests)), network.Rounds(float64(p)),
		v.Span(each),
		v.Span(others))
	title := fmt.Sprintf("%s %s all %d other threads: %s", v.ThreadName(hub), kind, p-1,
		quantity.CountOf(int64(requests), "request"))
	if p < v.set.Bottleneck {
		estimate, formula, title = 0, "too few threads to decide", title+" (undecided: fewer than 8 threads)"
	}
	r := found(bottleneckID, fmt.Sprint(hub), v.limit(estimate, false, v.even(), 0), title, formula)
	r.Threads = []int32{hub}
	r.show(v.From, v.To, r.Severity, "all messages pass "+v.ThreadName(hub), r.Threads)
	r.takes(hub, from, v.To, min(1, network.Rounds(float64(p))/float64(requests)))
	return []result{r}
}

// firstRequest returns the time of a thread's first message in the phase, when it starts to serve.
func (v *phaseView) firstRequest(hub int32) int64 {
	c := &v.T.Comms
	for _, m := range v.T.Threads[hub].Comm[prv.PhysicalRecv] {
		if t := c.Times[prv.PhysicalRecv][m]; t >= v.From {
			return min(t, v.To)
		}
	}
	return v.From
}

// held returns a thread's time in calls other than receives: its service for others.
func (v *phaseView) held(thread int32) (sum float64) {
	for c := range v.Waits.CallsIn(thread, v.From, v.To) {
		if c.Kind.Is(extrae.Sends) && v.Waits.RegionAt(thread, c.Enter) >= 0 {
			u := v.UsageOf(thread, max(c.Enter, v.From), min(c.Exit, v.To))
			sum += float64(u.Idle())
		}
	}
	return sum
}

// hub returns the thread that sends or receives every message of the phase, and receives from all others; -1: none.
func (v *phaseView) hub(team []int32) (hub int32, requests, answers int) {
	c := &v.T.Comms
	in := make([]int, len(v.use))
	out := make([]int, len(v.use))
	total := 0
	var seen = map[int64]bool{}
	for _, th := range team {
		for _, m := range v.sentIn(th) {
			v.Look()
			t := c.Times[roleSent][m]
			if t >= v.To {
				break
			}
			if v.T.ThreadTask[c.Send[m]] == v.T.ThreadTask[c.Recv[m]] {
				continue
			}
			total++
			out[th]++
			in[c.Recv[m]]++
			seen[int64(c.Recv[m])<<32|int64(c.Send[m])] = true
		}
	}
	for _, th := range team {
		if total == 0 || in[th]+out[th] != total || len(team) < 3 {
			continue
		}
		from := 0
		for _, other := range team {
			if seen[int64(th)<<32|int64(other)] {
				from++
			}
		}
		if from == len(team)-1 {
			return th, in[th], out[th]
		}
	}
	return -1, 0, 0
}

const slowMessagesID = remedy.SlowMessagesID

var slowMessagesRule = Rule{
	ID:        slowMessagesID,
	Name:      "contention",
	Doc:       "Do messages on the critical path take longer than the network needs?",
	Formula:   "transfer beyond alpha + beta s",
	Threshold: "5 % of the phase",
	Advice:    "look at what else uses the network and the nodes then",
	Brief:     Brief{"slow messages", ""},
	Needs:     calls,
	Keeps:     true,
	Phase:     contention,
	Sentence:  saySlowMessages,
}

// contention is R31: transfer beyond what latency and bandwidth need, on the critical path, in calls that wait for a
// message and in sends that do not return while it is in flight.
func contention(v *phaseView) []result {
	if v.Params.Latency.Source == "assumed" {
		return nil
	}
	x := slowness{phaseView: v, res: found(slowMessagesID, "", 0, "", ""), told: map[int32]bool{},
		counted: make([]int64, len(v.use))}
	within, call, last := &x.res.tally.within, slowWithin{}, [2]int32{-1, -1}
	v.eachMessage(func(m int32, msg waits.Message) {
		to := v.T.Comms.Recv[m]
		if now := [2]int32{to, msg.Complete}; now != last {
			within.addCall(call)
			call, last = slowWithin{}, now
		}
		begun := max(msg.Sent, msg.Begun)
		usual := v.Usual(v.Size(m), v.Waits.Call(to, int(msg.Complete)).Kind.Call)
		call.add(v.analysis, m, max(0, float64(msg.Done-begun)-usual))
		x.add(m, to, begun, msg.Done, usual)
	})
	within.addCall(call)
	clear(x.counted)
	busiest := 0.0 // thread, without its sends' time beyond need
	for th := range v.use {
		busiest = max(busiest, float64(v.use[th].Busy())-x.addSends(int32(th)))
	}
	if x.sum <= v.length()/20 {
		return nil
	}
	x.res.tally.sum = x.sum
	if th, ok := x.res.tally.holder(); ok {
		x.res.Threads = []int32{th}
	}
	x.res.Severity = max(0, min(x.sum, v.length()-max(v.path, busiest)))
	x.res.Formula = fmt.Sprintf("sum of time - (%s + bytes x %.3g %s)", v.Span(v.Params.Latency.Value),
		v.Params.Byte.Value, v.T.Unit)
	return []result{x.res}
}

// slowness sums the time of messages beyond their need in a phase.
type slowness struct {
	*phaseView
	res     result
	sum     float64        // on the critical path
	told    map[int32]bool // messages that are part of it
	counted []int64        // by thread, until when: messages of one call share its time
}

// add adds a message that keeps a thread in a call from begun to done, and returns the time beyond its usual one.
func (x *slowness) add(m, th int32, begun, done int64, usual float64) float64 {
	took := float64(done - begun)
	if took <= usual {
		return 0
	}
	x.res.takes(th, begun, done, usual/took)
	from := max(begun, x.counted[th])
	x.counted[th] = max(from, done)
	if extra := float64(eventgraph.TimeIn(x.onPath[th], from, done)) * (1 - usual/took); extra > 0 {
		x.sum += extra
		x.res.tally.hold(th, extra)
		if !x.told[m] {
			x.res.tally.n++
		}
		x.told[m] = true
		x.res.show(begun, done, extra, "slow message", []int32{x.T.Comms.Send[m], x.T.Comms.Recv[m]}, m)
	}
	return took - usual
}

// addSends adds the sends of a thread that may not return before the message is received. Calls that also receive are
// counted as receives.
func (x *slowness) addSends(thread int32) (beyond float64) {
	list, times := x.T.Threads[thread].Comm[prv.LogicalSend], x.T.Comms.Times[prv.LogicalSend]
	first := sort.Search(len(list), func(i int) bool { return times[list[i]] > x.From })
	for ; first > 0; first-- { // sends of a call that began before the phase
		if k := x.sendOf(list[first-1]); k < 0 || x.Waits.Call(thread, k).Exit <= x.From {
			break
		}
	}
	for _, m := range list[first:] {
		if times[m] > x.To {
			break
		}
		k := x.sendOf(m)
		if k < 0 || !x.Waits.MayWait(m) {
			continue
		}
		x.Look()
		if c := x.Waits.Call(thread, k); c.Exit <= x.To && c.Kind.Call != extrae.Sendrecv {
			msg, _ := x.Waits.Message(m)
			beyond += x.add(m, thread, max(msg.Sent, msg.Posted), c.Exit, x.Params.Transfer(x.Size(m)))
		}
	}
	return beyond
}

// sendOf returns the number of the call that sent a message; negative for none.
func (x *slowness) sendOf(m int32) int {
	if msg, ok := x.Waits.Message(m); ok {
		return int(msg.Send)
	}
	return -1
}

// saySlowMessages words R31.
func saySlowMessages(a *analysis, t *tally) (title, advice string) {
	title = fmt.Sprintf("on the critical path %s %s longer than latency and bandwidth need",
		countOf(t.n, "message takes", "messages take"), a.Span(t.sum))
	if th, ok := t.holder(); ok {
		title += fmt.Sprintf(", %s of it in calls of %s", quantity.FormatPercent(t.held[th]/t.sum), a.ThreadName(th))
	}
	if remark := t.within.remark(); remark != "" {
		return title + remark,
			"give each thread its own core, and let the library move messages between calls: by a thread of " +
				"its own, or calls of MPI_Test"
	}
	return title, ""
}

// countOf writes a number and its noun.
func countOf(n int, one, more string) string {
	if n == 1 {
		return "1 " + one
	}
	return quantity.FormatCount(int64(n)) + " " + more
}

// eachMessage calls do for the messages that are received in the phase.
func (v *phaseView) eachMessage(do func(m int32, msg waits.Message)) {
	times := v.T.Comms.Times[prv.PhysicalRecv]
	for th := range v.use {
		list := v.T.Threads[th].Comm[prv.PhysicalRecv]
		for _, m := range list[sort.Search(len(list), func(i int) bool { return times[list[i]] > v.From }):] {
			if times[m] > v.To {
				break
			}
			v.Look()
			if msg, ok := v.Waits.Message(m); ok && msg.Complete >= 0 {
				do(m, msg)
			}
		}
	}
}

const slowCollectivesID = remedy.SlowCollectivesID

var slowCollectivesRule = Rule{
	ID:        slowCollectivesID,
	Name:      "collective",
	Doc:       "Do collective operations take longer than they need?",
	Formula:   "last exit - last entry - ceil(log2 P) alpha",
	Threshold: "5 % of the phase",
	Advice:    "use fewer or cheaper operations, or overlap them",
	Brief:     Brief{"slow collectives", ""},
	Keeps:     true,
	Phase:     collectiveCost,
	Sentence:  saySlowCollectives,
}

// collectiveCost is R32.
func collectiveCost(v *phaseView) []result {
	res := found(slowCollectivesID, "", 0, "", "")
	cost := 0.0
	tally := &res.tally
	for _, k := range v.CollectivesIn(v.From, v.To) {
		v.Look()
		x := &v.Waits.Instances[k]
		left, call := x.Last, int32(-1)
		who := int32(0)
		for _, m := range v.Waits.Members(x) {
			if m.Exit > left {
				left, call, who = m.Exit, m.Call, m.Thread
			}
		}
		needs := network.Rounds(float64(x.Parts)) * v.Params.Latency.Value
		extra := float64(left-x.Last) - needs
		cost += float64(left - x.Last)
		for _, m := range v.Waits.Members(x) {
			if from := max(x.Last, m.Enter); m.Exit > from && float64(m.Exit-from) > needs {
				res.takes(m.Thread, from, m.Exit, needs/float64(m.Exit-from))
			}
		}
		if extra <= 0 || call < 0 {
			continue
		}
		tally.sum += extra
		tally.n++
		if extra > tally.worst {
			tally.worst, tally.name = extra, v.ClassName(v.Waits.Call(who, int(call)).Region)
		}
		res.show(x.Last, left, extra, "collective operation", nil)
	}
	if cost <= v.length()/20 {
		return nil
	}
	res.Severity = v.limit(tally.sum, true, min(v.path, v.length()-tally.sum), 0)
	res.Formula = fmt.Sprintf("sum of time - ceil(log2 P) x %s", v.Span(v.Params.Latency.Value))
	if v.Params.Latency.Source == "assumed" {
		res.Formula = "sum of time from the last entry to the last exit; there are no messages that show the latency"
	}
	return []result{res}
}

// saySlowCollectives words R32.
func saySlowCollectives(a *analysis, t *tally) (title, advice string) {
	than := " longer than latency needs"
	if a.Params.Latency.Source == "assumed" {
		than = ""
	}
	who := countOf(t.n, "collective operation takes", "collective operations take")
	if all := len(a.CollectivesIn(0, a.T.Duration+1)); t.n < all {
		of := "of " + quantity.FormatCount(int64(all)) + " collective operations take"
		who = countOf(t.n, of+"s", of)
	}
	return fmt.Sprintf("%s %s%s in all, from the last entry to the last exit; the longest is %s with %s", who,
		a.Span(t.sum), than, t.name, a.Span(t.worst)), ""
}
