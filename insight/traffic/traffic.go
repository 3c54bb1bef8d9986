// Package traffic finds who sends to whom in a stretch of a run, how far apart they are on a network, and which links
// carry the traffic.
package traffic

import (
	"cmp"
	"context"
	"slices"

	"pview/prv"
	"pview/prv/extrae/device"
	"pview/sim/topology"
)

// Pair counts messages and bytes from one task to another.
type Pair struct {
	From, To int32
	Messages int64   // in flight during the stretch
	Bytes    float64 // of a message only partly in flight during the stretch, that part
}

// Traffic is the messages between tasks. Pairs are sorted by sender, then receiver.
type Traffic struct {
	Tasks int
	Pairs []Pair
}

// checkEvery is the number of messages between checks of the context.
const checkEvery = 1 << 16

// Collect sums the messages in flight, from physical send to physical receive, between two times (units of the trace).
// It skips messages within a task, and links from calls to their effects.
func Collect(ctx context.Context, tr *prv.Trace, from, to int64) (*Traffic, error) {
	t := &Traffic{Tasks: len(tr.Tasks)}
	at := map[uint64]int{}
	c := &tr.Comms
	for i := range c.Len() {
		if i%checkEvery == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		share := within(c.Times[prv.PhysicalSend][i], c.Times[prv.PhysicalRecv][i], from, to)
		a, b := tr.ThreadTask[c.Send[i]], tr.ThreadTask[c.Recv[i]]
		if share == 0 || a == b || device.IsLink(tr, int32(i)) {
			continue
		}
		key := uint64(a)<<32 | uint64(b)
		k, ok := at[key]
		if !ok {
			k = len(t.Pairs)
			at[key] = k
			t.Pairs = append(t.Pairs, Pair{From: a, To: b})
		}
		t.Pairs[k].Messages++
		t.Pairs[k].Bytes += share * float64(c.Size[i])
	}
	slices.SortFunc(t.Pairs, func(x, y Pair) int {
		if x.From != y.From {
			return cmp.Compare(x.From, y.From)
		}
		return cmp.Compare(x.To, y.To)
	})
	return t, nil
}

// within returns the share of a message's flight that lies in a stretch. A message that takes no time, or arrives
// before it is sent, counts at its send.
func within(sent, received, from, to int64) float64 {
	if received <= sent {
		if sent >= from && sent < to {
			return 1
		}
		return 0
	}
	return float64(max(min(received, to)-max(sent, from), 0)) / float64(received-sent)
}

// Between returns the traffic from one task to another, nil if none.
func (t *Traffic) Between(from, to int32) *Pair {
	i, ok := slices.BinarySearchFunc(t.Pairs, Pair{From: from, To: to}, func(x, y Pair) int {
		if x.From != y.From {
			return cmp.Compare(x.From, y.From)
		}
		return cmp.Compare(x.To, y.To)
	})
	if !ok {
		return nil
	}
	return &t.Pairs[i]
}

// Network is a topology with the vertex of each task.
type Network struct {
	topology.Topology
	At []int32
}

// Far returns the distance of two tasks, in links; -1: no route.
func (n *Network) Far(a, b int32) int { return n.Distance(int(n.At[a]), int(n.At[b])) }

// Distance has the messages that cross a number of links.
type Distance struct {
	Links    int
	Messages int64
	Bytes    float64
}

// ByDistance sums the traffic by the number of links that it takes, from 0 to the largest.
func (t *Traffic) ByDistance(n *Network) (list []Distance) {
	for _, p := range t.Pairs {
		d := n.Far(p.From, p.To)
		for len(list) <= d {
			list = append(list, Distance{Links: len(list)})
		}
		if d >= 0 {
			list[d].Messages += p.Messages
			list[d].Bytes += p.Bytes
		}
	}
	return list
}

// Mean returns the mean number of links per message and per byte.
func Mean(list []Distance) (perMessage, perByte float64) {
	var messages, bytes float64
	for _, d := range list {
		messages += float64(d.Messages)
		bytes += d.Bytes
		perMessage += float64(d.Links) * float64(d.Messages)
		perByte += float64(d.Links) * d.Bytes
	}
	return perMessage / max(messages, 1), perByte / max(bytes, 1)
}

// Load is the traffic over a link.
type Load struct {
	From, To int // vertices
	Messages int64
	Bytes    float64
}

// Links returns the loads of the links in use, the largest first. Messages take the same routes as in the simulator.
func (t *Traffic) Links(n *Network) []Load {
	at := map[int]int{}
	var list []Load
	var way []int
	for _, p := range t.Pairs {
		a, b := int(n.At[p.From]), int(n.At[p.To])
		if n.Distance(a, b) < 0 {
			continue
		}
		way = topology.Route(n.Topology, a, b, way[:0])
		for _, link := range way {
			k, ok := at[link]
			if !ok {
				k = len(list)
				at[link] = k
				from, to := topology.Ends(n.Topology, link)
				list = append(list, Load{From: from, To: to})
			}
			list[k].Messages += p.Messages
			list[k].Bytes += p.Bytes
		}
	}
	slices.SortFunc(list, func(x, y Load) int {
		return cmp.Or(cmp.Compare(y.Bytes, x.Bytes), cmp.Compare(y.Messages, x.Messages), cmp.Compare(x.From, y.From),
			cmp.Compare(x.To, y.To))
	})
	return list
}
