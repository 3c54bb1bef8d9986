// Package calibrate finds the network that a run was measured on: the latency and bandwidth that the times of its own
// messages show, as a machine for the simulator to start from.
//
// A message takes latency + size/bandwidth and never less, but often more: the receiver comes late, the network is
// shared, a process does not run. So the fastest messages of each size tell of the network, and the others do not. Of
// each size the fastest tenth is kept, by the slowest of it; through these points goes the line of Theil and Sen, whose
// slope is the median of the slopes between all pairs of points, weighted by their messages: a third of the points may
// lie anywhere.
package calibrate

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"

	"pview/prv"
	"pview/prv/extrae/device"
	"pview/prv/quantity"
	"pview/sim"
	"pview/sim/parameter"
)

// Network is a network as messages show it.
type Network struct {
	Latency   float64 // ns
	Bandwidth float64 // MB/s, 1 MB = 2^20 bytes; infinite where the time does not grow with the size
	Messages  int     // that were looked at
	Sizes     int     // different sizes among them
	Backwards int     // messages that arrive before they are sent: the clocks differ
}

// ErrNoMessages reports a trace without messages to infer a network from.
var ErrNoMessages = errors.New("the trace has no messages between threads")

// fastest is the share of the messages of a size that show the network.
const fastest = 0.1

// mostSizes bounds the points of the line; where there are more sizes, those of similar messages are joined.
const mostSizes = 256

// point summarises the messages of a size.
type point struct{ size, time, weight float64 }

// Fit finds the network of a measured trace.
func Fit(tr *prv.Trace) (Network, error) {
	var n Network
	c := &tr.Comms
	unit := float64(tr.Unit.Nanoseconds())
	times := map[int64][]float64{}
	for i := range c.Len() {
		if c.Send[i] == c.Recv[i] || device.IsLink(tr, int32(i)) {
			continue
		}
		t := float64(c.Times[prv.PhysicalRecv][i]-c.Times[prv.LogicalSend][i]) * unit
		if t <= 0 {
			n.Backwards++
			continue
		}
		times[c.Size[i]] = append(times[c.Size[i]], t)
		n.Messages++
	}
	if n.Messages == 0 {
		return n, ErrNoMessages
	}
	n.Sizes = len(times)
	n.Latency, n.Bandwidth = line(points(times))
	return n, nil
}

// points reduces the times of each size to the fastest of them, in the order of sizes.
func points(times map[int64][]float64) []point {
	var list []point
	for size, all := range times {
		slices.Sort(all)
		list = append(list, point{float64(size), all[int(fastest*float64(len(all)))], float64(len(all))})
	}
	slices.SortFunc(list, func(a, b point) int {
		switch {
		case a.size < b.size:
			return -1
		case a.size > b.size:
			return 1
		}
		return 0
	})
	for len(list) > mostSizes {
		list = joined(list)
	}
	return list
}

// joined joins neighbours: of two sizes the point that is faster for its size stands for both.
func joined(list []point) []point {
	var out []point
	for i := 0; i < len(list); i += 2 {
		p := list[i]
		if i+1 < len(list) {
			if q := list[i+1]; q.time*p.size < p.time*q.size {
				p.size, p.time = q.size, q.time
			}
			p.weight += list[i+1].weight
		}
		out = append(out, p)
	}
	return out
}

// line returns the latency and the bandwidth of the line through points. One size alone is all latency: what of it is
// bandwidth cannot be told.
func line(list []point) (latency, bandwidth float64) {
	var slopes, weights []float64
	for i, p := range list {
		for _, q := range list[:i] {
			slopes = append(slopes, (p.time-q.time)/(p.size-q.size))
			weights = append(weights, math.Sqrt(p.weight*q.weight))
		}
	}
	perByte := max(median(slopes, weights), 0)
	var rests []float64
	weights = nil
	for _, p := range list {
		rests, weights = append(rests, p.time-perByte*p.size), append(weights, p.weight)
	}
	bandwidth = math.Inf(1)
	if perByte > 0 {
		bandwidth = 1e9 / perByte / (1 << 20)
	}
	return max(median(rests, weights), 0), bandwidth
}

// median is the weighted median, 0 of nothing. It sorts.
func median(list, weights []float64) float64 {
	if len(list) == 0 {
		return 0
	}
	stat.SortWeighted(list, weights)
	return stat.Quantile(0.5, stat.Empirical, list, weights)
}

// String is the network in words: "latency 12.3 us, bandwidth 950 MB/s, from 1,200 messages".
func (n Network) String() string {
	bandwidth := "no limit of bandwidth"
	if !math.IsInf(n.Bandwidth, 1) {
		bandwidth = "bandwidth " + parameter.ByName("bandwidth").Show(n.Bandwidth)
	}
	return fmt.Sprintf("latency %s, %s, from %s", parameter.ByName("latency").Show(math.Round(n.Latency)), bandwidth,
		quantity.CountOf(int64(n.Messages), "message"))
}

// Machine returns a machine with the network, and with a node for each task and a CPU for each thread of a program.
func (n Network) Machine(p *sim.Program) *sim.Machine {
	m := sim.IdealFor(p)
	m.Name = "fitted"
	parameter.ByName("latency").Set(m, math.Round(n.Latency))
	if !math.IsInf(n.Bandwidth, 1) {
		parameter.ByName("bandwidth").Set(m, n.Bandwidth)
	}
	return m
}
