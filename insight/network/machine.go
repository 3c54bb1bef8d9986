package network

// The machine that replays a run.

import (
	"errors"
	"fmt"
	"math"

	"pview/insight/waits"
	"pview/prv/quantity"
	"pview/sim"
	"pview/sim/parameter"
)

// ErrNoMessages reports a trace without messages to infer a network from.
var ErrNoMessages = errors.New("the trace has no messages between threads")

// Fit is a network for a simulated machine: the one between nodes, or the one within them if there is no other.
type Fit struct {
	Latency   float64 // ns, from the start of a send to the end of the receive that waits for it
	Bandwidth float64 // MB/s, 1 MB = 2^20 bytes; infinite if the time does not grow with the size
	Messages  int     // behind the fit
	AtMost    bool    // no receiver waited for a message
}

// Fit returns the network for simulations; nil if no message shows it.
func (n *Network) Fit() *Fit {
	way := n.Known(waits.DifferentNodes)
	if way.Messages == 0 {
		return nil
	}
	unit := float64(n.t.Unit.Nanoseconds())
	f := &Fit{Latency: way.Latency * unit, Bandwidth: math.Inf(1), Messages: way.Messages, AtMost: way.AtMost}
	if way.PerByte > 0 {
		f.Bandwidth = 1e9 / (way.PerByte * unit) / (1 << 20)
	}
	return f
}

// String returns the network in words: "latency 12.3 us, bandwidth 950 MB/s, from 1,200 messages".
func (f *Fit) String() string {
	bandwidth := "no limit of bandwidth"
	if !math.IsInf(f.Bandwidth, 1) {
		bandwidth = "bandwidth " + parameter.ByName("bandwidth").Show(f.Bandwidth)
	}
	most := ""
	if f.AtMost {
		most = "at most "
	}
	latency := most + parameter.ByName("latency").Show(math.Round(f.Latency))
	return fmt.Sprintf("latency %s, %s, from %s", latency, bandwidth,
		quantity.CountOf(int64(f.Messages), "message"))
}

// Machine returns a machine with the network, and with a node for each task and a CPU for each thread of a program.
func (f *Fit) Machine(p *sim.Program) *sim.Machine {
	m := sim.IdealFor(p)
	m.Name = "fitted"
	parameter.ByName("latency").Set(m, math.Round(f.Latency))
	if !math.IsInf(f.Bandwidth, 1) {
		parameter.ByName("bandwidth").Set(m, f.Bandwidth)
	}
	return m
}
