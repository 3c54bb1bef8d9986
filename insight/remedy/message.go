package remedy

// Communication: needless or slow operations, too many or too large messages, and exchanges that could overlap
// computation, be split, or stay within a node.

import (
	"cmp"
	"fmt"
	"slices"

	"pview/insight/cause"
	"pview/insight/eventgraph"
	"pview/insight/replay"
	"pview/insight/report"
	"pview/insight/waits"
	"pview/prv"
	"pview/prv/extrae"
	"pview/prv/quantity"
	"pview/prv/wide"
)

// pair are two threads, from sender to receiver.
type pair struct{ from, to int32 }

// packer joins messages.
type packer struct{ *Run }

// packed finds rows of small messages between two threads that could be one message.
func packed(run *Run) []*Candidate {
	r := &packer{run}
	g := r.Graph
	c := &Candidate{Rule: CombiningID, Kind: report.SmallMessages, When: report.Steady, Region: -1, Edit: r.NewEdit()}
	incoming := r.MessageEdges()
	rows, messages, most := 0, 0, 0
	pairs := map[pair]int{}
	perThread := make([]int64, r.threads)
	for th := range int32(r.threads) {
		sent := g.T.Threads[th].Comm[prv.LogicalSend]
		for i := 0; i < len(sent); {
			g.Look()
			end := i + 1
			for end < len(sent) && r.follows(sent[end-1], sent[end]) {
				end++
			}
			if end-i >= 4 {
				if d := r.pack(c.Edit, sent[i:end], incoming); d > 0 {
					rows++
					messages += end - i
					most = max(most, end-i)
					p := pair{th, g.T.Comms.Recv[sent[i]]}
					pairs[p] += end - i
					perThread[th] += d
					perThread[p.to] += d / 2
					times := g.T.Comms.Times[prv.LogicalSend]
					c.Evidence = append(c.Evidence, report.Evidence{From: times[sent[i]], To: times[sent[end-1]],
						Threads: []int32{th, p.to}, Messages: []int32{sent[i]}, Why: "a row of small messages",
						Cost: float64(d)})
				}
			}
			i = end
		}
	}
	if rows == 0 {
		return nil
	}
	c.Estimate = slices.Max(perThread)
	c.Title = fmt.Sprintf("%d small messages go in rows of up to %d between the same two threads (%s)", messages,
		most, quantity.CountOf(int64(len(pairs)), "pair"))
	c.Advice = "combine the small messages of a row into one"
	c.Spec = "pack"
	return []*Candidate{c}
}

// follows reports whether messages a and b are small, go to the same receiver, and b is sent by the call after a's. If
// the thread computes in between for longer than its calls take, b's data did not exist when a was sent.
func (r *packer) follows(a, b int32) bool {
	c := &r.Graph.T.Comms
	if c.Recv[a] != c.Recv[b] || !r.small(a) || !r.small(b) {
		return false
	}
	x, ok := r.Graph.Waits.Message(a)
	y, ok2 := r.Graph.Waits.Message(b)
	if !ok || !ok2 || x.Send < 0 || y.Send != x.Send+1 {
		return false
	}
	one, next := r.Graph.Waits.Call(c.Send[a], int(x.Send)), r.Graph.Waits.Call(c.Send[a], int(y.Send))
	return next.Enter-one.Exit <= max(one.Exit-one.Enter, next.Exit-next.Enter)
}

// small reports whether the latency of a message is more than its bytes take.
func (r *packer) small(m int32) bool {
	c := &r.Graph.T.Comms
	way := r.Graph.Net.Known(r.Graph.Net.Way(c.Send[m], c.Recv[m]))
	return way.PerByte*float64(c.Size[m]) <= 2*(way.Latency-way.Call) && c.Size[m] <= 1<<16
}

// pack turns a row into one message, and returns the sender's saving.
func (r *packer) pack(e *replay.Edit, row []int32, incoming []int32) (saved int64) {
	g := r.Graph
	c := &g.T.Comms
	net, size := r.Graph.Net, int64(0)
	for _, m := range row {
		size = wide.Saturated(size, c.Size[m])
	}
	for n, m := range row {
		msg, _ := g.Waits.Message(m)
		k := incoming[m]
		if n == 0 {
			if k >= 0 {
				extra := net.Takes(net.Way(c.Send[m], c.Recv[m]), size) - net.Transfer(m)
				e.SetLag(k, r.Lag[k]+max(0, extra))
			}
			continue
		}
		if k >= 0 {
			e.SetLag(k, replay.Gone)
		}
		before := g.Waits.Call(c.Send[m], int(msg.Send)-1)
		call := g.Waits.Call(c.Send[m], int(msg.Send))
		saved += r.without(e, c.Send[m], call.Exit, call.Exit-before.Exit)
		if msg.Post == msg.Complete && msg.Post >= 0 {
			call := g.Waits.Call(c.Recv[m], int(msg.Post))
			r.without(e, c.Recv[m], call.Exit, min(call.Exit-call.Enter, r.OwnOf(c.Recv[m], msg.Complete)))
		} else if post := int(msg.Post); post > 0 {
			call, before := g.Waits.Call(c.Recv[m], post), g.Waits.Call(c.Recv[m], post-1)
			gap := call.Enter - before.Exit
			if gap > call.Exit-call.Enter {
				gap = 0 // computation
			}
			r.without(e, c.Recv[m], call.Exit, call.Exit-call.Enter+gap)
		}
	}
	return saved
}

// without removes time of a thread that ends at a time.
func (r *packer) without(e *replay.Edit, thread int32, at, d int64) int64 {
	node := r.NodeAfter(thread, at)
	if node < 0 {
		return 0
	}
	if left := e.OwnAt(node); left < d {
		if prev := r.Prev[node]; prev >= 0 && e.OwnAt(prev) >= d {
			node = prev
		} else {
			d = left
		}
	}
	e.Add(node, -d)
	return d
}

// bytesOfMost is the minimum share of messages' time that is due to their bytes for fewer bytes to be a repair. On a
// shared network messages also wait for others' bytes. Much longer waits have another reason, such as a missing core.
const bytesOfMost = 0.3

// oversized finds messages whose bytes take long.
func oversized(r *Run) (list []*Candidate) {
	g := r.Graph
	c := &g.T.Comms
	x := &Candidate{Rule: SlowMessagesID, Kind: report.MessageSize, When: report.Steady, Region: -1, Edit: r.NewEdit()}
	count, bytes := 0, int64(0)
	took, needed := 0.0, 0.0
	perThread := make([]int64, r.threads)
	for k, info := range r.Edge {
		g.Look()
		if info.Kind != replay.MessageEdge && info.Kind != replay.ReadyEdge && info.Kind != replay.BackEdge {
			continue
		}
		m := info.Ref
		empty := r.Graph.Net.Takes(r.Graph.Net.Way(c.Send[m], c.Recv[m]), 0)
		if r.Graph.Net.Transfer(m) < 2*max(1, empty) {
			continue
		}
		target := r.Target(int32(k))
		if msg, _ := g.Waits.Message(m); msg.Complete < 0 {
			continue
		}
		keep := empty + r.handling(m)
		if d := r.Lag[k] - keep; d > 0 {
			x.Edit.SetLag(int32(k), keep)
			if info.Kind == replay.BackEdge {
				x.Edit.Add(target, -min(d, x.Edit.OwnAt(target)))
				continue
			}
			if info.Kind == replay.MessageEdge {
				count++
				bytes = wide.Saturated(bytes, c.Size[m])
				took, needed = took+float64(r.Lag[k]), needed+float64(r.Graph.Net.Transfer(m)-empty)
				if r.Time[target]-r.Time[r.Source[k]] <= r.Lag[k] {
					perThread[c.Recv[m]] += d
				}
				x.Evidence = append(x.Evidence, report.Evidence{From: r.Time[r.Source[k]], To: r.Time[target],
					Threads: []int32{c.Send[m], c.Recv[m]}, Messages: []int32{m}, Why: "bytes on their way",
					Cost: float64(d)})
			}
		}
	}
	if count > 0 && needed >= bytesOfMost*took {
		x.Estimate = slices.Max(perThread)
		part := "most"
		if needed < took/2 {
			part = quantity.FormatPercent(needed / took)
		}
		x.Title = fmt.Sprintf("%s of %s on average take %s of their time for their bytes",
			quantity.CountOf(int64(count), "message"), quantity.Bytes.Format(float64(bytes)/float64(count)), part)
		x.Advice = "send less data: fewer bytes, a smaller halo, lower precision, only what changed"
		x.Spec = "fewer-bytes"
		list = append(list, x)
	}
	return append(list, r.operations().large()...)
}

// handling returns the usual time of the call that completes a message.
func (r *Run) handling(m int32) int64 {
	msg, ok := r.Graph.Waits.Message(m)
	if !ok || msg.Complete < 0 {
		return 0
	}
	return r.Graph.Net.Handling[r.Graph.Waits.Call(r.Graph.T.Comms.Recv[m], int(msg.Complete)).Kind.Call]
}

// overlapped finds exchanges that are awaited before computation that could hide them.
func overlapped(r *Run) []*Candidate {
	g := r.Graph
	c := &Candidate{Rule: OverlapID, Kind: report.NoOverlap, When: report.Steady, Region: -1, Edit: r.NewEdit()}
	sums := make([]int64, r.threads)
	n, split, partly := 0, 0, 0
	for th := range int32(r.threads) {
		own := r.ByThread[th]
		next := 0
		for k := range g.Waits.Calls(th) {
			g.Look()
			call := g.Waits.Call(th, k)
			exit := r.ExitOf(th, int32(k))
			if kind := call.Kind.Call; exit < 0 || kind != extrae.Wait && kind != extrae.Waitall {
				continue
			}
			for next < len(own) && own[next].To <= call.Exit {
				next++
			}
			following := own[next:]
			stop := nextEnter(g, th, k)
			if i := slices.IndexFunc(following, func(s cause.Stretch) bool { return s.From >= stop }); i >= 0 {
				following = following[:i]
			}
			if twice(following) {
				split++ // the interior, then the boundary
			}
			work, node := int64(0), int32(-1)
			for i := range following {
				work += following[i].Length()
				node = following[i].Node
			}
			if node < 0 || work == 0 || r.First[exit] == r.First[exit+1] {
				continue
			}
			d := min(int64(overlapShare*float64(work)), call.Exit-call.Enter, c.Edit.OwnAt(node))
			if d <= 0 {
				continue
			}
			c.Edit.Add(exit, d)
			c.Edit.Add(node, -d)
			sums[th] += d
			n++
			if r.computing(th, r.posted(exit, call.Enter), call.Enter) > alreadyShare*float64(work) {
				partly++
			}
			c.Evidence = append(c.Evidence, report.Evidence{From: call.Enter, To: call.Exit, Threads: []int32{th},
				Why: "awaited before computation", Cost: float64(d)})
		}
	}
	if n == 0 {
		return nil
	}
	c.Estimate = slices.Max(sums)
	if g.Waits.Level == waits.ByFunction && 2*split < n {
		c.Rank = 2 // no evidence that part of the computation is independent
	}
	c.Title = exchanges(n) + " before the computation that follows" + hardly(partly, n)
	c.Advice = "overlap: compute what is independent of the exchange (the interior) before waiting for it"
	c.Spec = "overlap"
	return []*Candidate{c}
}

// posted returns the end of the call that posts the first receive completed by a node, at most a given time.
func (r *Run) posted(exit int32, at int64) int64 {
	for k := r.First[exit]; k < r.First[exit+1]; k++ {
		if r.Edge[k].Kind != replay.MessageEdge {
			continue
		}
		m := r.Edge[k].Ref
		if msg, ok := r.Graph.Waits.Message(m); ok && msg.Post >= 0 {
			at = min(at, r.Graph.Waits.Call(r.Graph.T.Comms.Recv[m], int(msg.Post)).Exit)
		}
	}
	return at
}

// hardly says that few of n exchanges overlap.
func hardly(overlap, n int) string {
	switch {
	case overlap == 0:
		return ": nothing overlaps"
	case overlap*10 < n:
		return ": hardly anything overlaps"
	}
	return ""
}

func exchanges(n int) string {
	if n == 1 {
		return "1 exchange is awaited"
	}
	return quantity.FormatCount(int64(n)) + " exchanges are awaited"
}

// nextEnter returns the start of a thread's call after a given one, or the end of the trace.
func nextEnter(g *eventgraph.Graph, thread int32, call int) int64 {
	if call+1 < g.Waits.Calls(thread) {
		return g.Waits.Call(thread, call+1).Enter
	}
	return g.T.Duration
}

// twice reports whether the first longer stretches are in one region: code that is already split into a part that needs
// the exchange and a part that does not.
func twice(list []cause.Stretch) bool {
	most := int64(0)
	for i := range list {
		most = max(most, list[i].Length())
	}
	first := int32(-1)
	for i := range list {
		if list[i].Length()*20 < most {
			continue
		}
		if first >= 0 {
			return list[i].Region == first
		}
		first = list[i].Region
	}
	return false
}

// alreadyShare is the part of the computation after an exchange from which computation between post and wait counts as
// overlap.
const alreadyShare = 0.1

// overlapShare is the part of the computation after an exchange that may not need its data.
const overlapShare = 0.7

// piped finds large messages between the computation that produces the data and the one that uses it.
func piped(r *Run) []*Candidate {
	var best *Candidate
	for _, parts := range [...]int{2, 4, 8, 16} {
		c := (&piper{r}).inParts(parts)
		if c == nil {
			return nil
		}
		if c.Gain = r.Gain(c.Edit); best == nil || c.Gain > best.Gain {
			best = c
		}
	}
	return []*Candidate{best}
}

// piper sends messages in parts.
type piper struct{ *Run }

// inParts sends messages in parts, each as soon as it is computed.
func (r *piper) inParts(parts int) *Candidate {
	g := r.Graph
	c := &Candidate{Rule: PipeliningID, Kind: report.Pipelining, When: report.Steady, Region: -1, Edit: r.NewEdit()}
	incoming := r.MessageEdges()
	sums := make([]int64, r.threads)
	pairs := map[pair]bool{}
	n, chained := 0, 0
	k := float64(parts)
	for m := range int32(g.T.Comms.Len()) {
		g.Look()
		edge := incoming[m]
		if edge < 0 {
			continue
		}
		msg, _ := g.Waits.Message(m)
		from, to := g.T.Comms.Send[m], g.T.Comms.Recv[m]
		exit := r.Target(edge)
		after := r.nextNode(to, exit)
		enter := r.Source[edge]
		start := r.Prev[enter]
		if after < 0 || start < 0 {
			continue
		}
		make_, _ := r.workBefore(from, enter)
		use, _ := r.workBefore(to, after)
		waited := msg.Done - max(msg.Begun, r.Time[start])
		bytes := r.Graph.Net.Transfer(m) - r.Graph.Net.Takes(r.Graph.Net.Way(from, to), 0)
		if min(use, make_+bytes) < max(use, make_+bytes)/4 || make_+bytes < waited/4 || make_ == 0 ||
			waited < make_/2 ||
			!r.significant(20*float64(min(make_+bytes, use))) {
			continue
		}
		if r.answers(start, to) {
			continue // a request and its answer
		}
		way := r.Graph.Net.Way(from, to)
		glue, rest := r.Own[enter]-make_, r.Own[after]-use
		whole := float64(r.Graph.Net.Takes(way, g.T.Comms.Size[m]))
		least := float64(r.Graph.Net.Takes(way, 0))
		first := int64(0)
		sending := float64(r.Graph.Net.Starting)
		receiving := float64(r.handling(m))
		if next := r.nextNode(from, enter); next >= 0 {
			c.Edit.Add(next, int64((k-1)*sending))
		}
		for i := 1.0; i <= k; i++ {
			made := i/k*float64(make_) + (i-1)*sending
			there := max(made, float64(make_)/k+(i-1)/k*(whole-least)) + least + (whole-least)/k
			if i == 1 {
				first = glue + int64(there)
			}
			c.Edit.Link(start, after, glue+int64(there)+int64((k-i+1)*(float64(use)/k+receiving))+max(0, rest))
		}
		c.Edit.SetLag(edge, replay.Gone)
		c.Edit.Link(start, exit, first)
		if r.First[start] < r.First[start+1] && r.Edge[r.First[start]].Kind == replay.MessageEdge {
			chained++ // the awaited data had itself been awaited
			sums[to] += max(0, int64((1-1/k)*float64(msg.Done-msg.Begun)))
		} else {
			sums[to] += max(0, min(waited-first, use))
		}
		pairs[pair{from, to}] = true
		n++
		c.Threads = append(c.Threads, from)
		c.Evidence = append(c.Evidence, report.Evidence{From: r.Time[start], To: r.Time[after], Threads: []int32{from,
			to},
			Messages: []int32{m}, Why: "made, sent in one piece, then used", Cost: float64(waited)})
	}
	if n == 0 {
		return nil
	}
	slices.Sort(c.Threads)
	c.Threads = slices.Compact(c.Threads)
	c.Estimate = slices.Max(sums)
	between := quantity.CountOf(int64(len(pairs)), "pair")
	c.Title = fmt.Sprintf("pipelining: %d parts would overlap both sides of data that are made, sent in one piece, "+
		"and only then used (%s between %s of threads)",
		parts, quantity.Times(int64(n)), between)
	if 2*chained > n {
		c.Rule, c.Rank = ChainID, -2
		c.Title = fmt.Sprintf("a chain: each thread works when the one before it is done, %s between %s of threads; "+
			"pipelining in %d parts would let them work at once", quantity.Times(int64(n)), between, parts)
	}
	c.Advice = fmt.Sprintf("send in parts as they are ready: %d are best here", parts)
	c.Spec = fmt.Sprintf("split:threads=%s:%d", r.specThreads(c.Threads), parts)
	return c
}

// answers reports whether a node ends a call that received a message from a thread.
func (r *piper) answers(node, from int32) bool {
	for k := r.First[node]; k < r.First[node+1]; k++ {
		if e := r.Edge[k]; e.Kind == replay.MessageEdge && r.Graph.T.Comms.Send[e.Ref] == from {
			return true
		}
	}
	return false
}

// nextNode returns the node after one on a thread; -1: none.
func (r *Run) nextNode(thread, node int32) int32 {
	list := r.Nodes(thread)
	i, ok := slices.BinarySearch(list, node)
	if !ok || i+1 >= len(list) {
		return -1
	}
	return list[i+1]
}

// workBefore returns the computation of a thread that leads to a node.
func (r *piper) workBefore(thread, node int32) (work int64, last *cause.Stretch) {
	own := r.ByThread[thread]
	i, _ := slices.BinarySearchFunc(own, node, func(s cause.Stretch, n int32) int { return cmp.Compare(s.Node, n) })
	for ; i < len(own) && own[i].Node == node; i++ {
		work += own[i].Length()
		last = &own[i]
	}
	return work, last
}
