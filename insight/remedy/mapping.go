package remedy

// Other mappings of the tasks to nodes, which keep messages within a node.

import (
	"fmt"
	"math"
	"slices"

	"pview/insight/replay"
	"pview/insight/report"
	"pview/insight/traffic"
	"pview/insight/waits"
)

// mapped finds a better mapping of the tasks to the nodes.
func mapped(r *Run) []*Candidate {
	t := r.Graph.T
	nodes := len(t.Nodes)
	if nodes < 2 || t.Comms.Len() == 0 {
		return nil
	}
	sent, place, room := r.traffic(), r.places(), make([]int, nodes)
	for _, node := range place {
		room[node]++
	}
	now, all := between(sent, place)
	best, name, least := place, "", now
	scattered := false // consecutive ranks per node, the launchers' default, would send less
	for i, m := range [...]struct {
		name string
		most float64 // its share of the bytes between nodes
		make func() []int32
	}{
		{"consecutive ranks on each node", 0.9, func() []int32 { return blocks(len(place), room) }},
		{"ranks placed by their traffic", 0.75, func() []int32 { return clustered(sent, room) }},
	} {
		other := m.make()
		if far, _ := between(sent, other); far < m.most*least {
			best, name, least = other, m.name, far
			scattered = scattered || i == 0
		}
	}
	if name == "" {
		return nil
	}
	c := &Candidate{Rule: LocalityID, Kind: report.Mapping, When: report.Steady, Region: -1}
	c.Edit, c.Estimate = r.moved(best)
	c.Title = fmt.Sprintf("%s of the bytes go between nodes; with another mapping, %s, %s would",
		percent(now, all), name, percent(least, all))
	c.Advice = "place exchanging tasks on one node: " + name + " (the mapping of the launcher, or a rank file)"
	if near := &r.Graph.Net.Ways[waits.SameNode]; near.Messages == 0 || near.AtMost {
		c.Advice += "; no receiver waited for a message within a node: each counts with 1 us and 5 GB/s"
	}
	c.Spec = "map"
	if scattered {
		c.Stands = 0.25
	} else {
		c.Rank = 6 // the mapping is reasonable: others explain the loss better
	}
	return []*Candidate{c}
}

// places returns the nodes of the tasks.
func (r *Run) places() []int32 {
	list := make([]int32, len(r.Graph.T.Tasks))
	for i := range list {
		list[i] = r.Graph.T.ThreadNode(r.Graph.T.Tasks[i].FirstThread)
	}
	return list
}

// traffic sums the messages between the tasks of the whole run, once.
func (r *Run) traffic() *traffic.Traffic {
	if r.sent == nil {
		var err error
		if r.sent, err = traffic.Collect(r.Ctx, r.Graph.T, 0, math.MaxInt64); err != nil {
			r.sent = &traffic.Traffic{} // cancelled
		}
	}
	return r.sent
}

// moved places the tasks on other nodes. Estimate is the largest gain of a thread by messages that become local.
func (r *Run) moved(best []int32) (e *replay.Edit, estimate int64) {
	t := r.Graph.T
	place := r.places()
	sent := r.traffic()
	load := min(1, busiest(sent, best)/busiest(sent, place)) // of the busiest link, relative to the current one
	e = r.NewEdit()
	sums := make([]int64, r.threads)
	for k, info := range r.Edge {
		switch info.Kind {
		case replay.MessageEdge, replay.ReadyEdge, replay.BackEdge:
		default:
			continue
		}
		m := info.Ref
		from, to := t.ThreadTask[t.Comms.Send[m]], t.ThreadTask[t.Comms.Recv[m]]
		was, will := place[from] != place[to], best[from] != best[to]
		lag := r.Lag[k]
		local := func() int64 { return min(lag, r.handling(m)+r.local(t.Comms.Size[m])) }
		switch {
		case was && !will:
			lag = local()
			if info.Kind == replay.MessageEdge {
				sums[t.Comms.Recv[m]] += r.Lag[k] - lag
			}
		case !was && !will:
			if r.Graph.Net.Ways[waits.SameNode].AtMost { // as far as is known, nobody waited for one
				lag = local()
			}
		case !was && will:
			least, takes := r.Graph.Net.Takes(1, 0), r.Graph.Net.Takes(1, t.Comms.Size[m])
			lag = r.handling(m) + least + int64(float64(takes-least)*load)
		case was && will: // a node's tasks share its link, and wait for the busiest node's
			least := min(lag, r.handling(m)+r.Graph.Net.Takes(1, 0))
			lag = least + int64(float64(lag-least)*load)
		}
		if lag != r.Lag[k] {
			e.SetLag(int32(k), lag)
		}
		if info.Kind == replay.BackEdge && lag < r.Lag[k] {
			node := r.Target(int32(k))
			e.Add(node, -min(r.Lag[k]-lag, e.OwnAt(node)))
		}
	}
	return e, slices.Max(sums)
}

// local returns the cost of a message within a node; if none was measured, 1 us and 5 GB/s, but at most the upper bound
// of known ones, or the cost between nodes.
func (r *Run) local(size int64) int64 {
	net := r.Graph.Net
	usual := int64(r.tick() * (1 + float64(size)/5000))
	switch near := &net.Ways[waits.SameNode]; {
	case near.Messages == 0:
		return min(net.Takes(waits.DifferentNodes, size), usual)
	case near.AtMost:
		return min(net.Takes(waits.SameNode, size), usual)
	}
	return net.Takes(waits.SameNode, size)
}

// between returns the bytes of messages between nodes, and of all messages.
func between(t *traffic.Traffic, place []int32) (far, all float64) {
	for _, p := range t.Pairs {
		if all += p.Bytes; place[p.From] != place[p.To] {
			far += p.Bytes
		}
	}
	return far, all
}

// busiest returns the largest traffic of a node to or from others.
func busiest(t *traffic.Traffic, place []int32) float64 {
	out, in, most := map[int32]float64{}, map[int32]float64{}, 1.0
	for _, p := range t.Pairs {
		if from, to := place[p.From], place[p.To]; from != to {
			out[from] += p.Bytes
			in[to] += p.Bytes
			most = max(most, out[from], in[to])
		}
	}
	return most
}

// blocks places consecutive tasks together.
func blocks(tasks int, room []int) []int32 {
	place := make([]int32, tasks)
	node, left := 0, room[0]
	for i := range place {
		for left == 0 {
			node++
			left = room[node]
		}
		place[i] = int32(node)
		left--
	}
	return place
}

// clustered fills node after node: with the first unplaced task, then with the tasks that exchange most with the node's
// tasks.
func clustered(sent *traffic.Traffic, room []int) []int32 {
	both := make([]map[int32]float64, sent.Tasks)
	for i := range both {
		both[i] = map[int32]float64{}
	}
	for _, p := range sent.Pairs {
		both[p.From][p.To] += p.Bytes
		both[p.To][p.From] += p.Bytes
	}
	place := make([]int32, sent.Tasks)
	for i := range place {
		place[i] = -1
	}
	for node, left := range room {
		pull := make([]float64, sent.Tasks)
		for ; left > 0; left-- {
			best := -1
			for i := range place {
				if place[i] < 0 && (best < 0 || pull[i] > pull[best]) {
					best = i
				}
			}
			place[best] = int32(node)
			for to, n := range both[best] {
				pull[to] += n
			}
		}
	}
	return place
}
