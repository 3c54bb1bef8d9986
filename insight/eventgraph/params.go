package eventgraph

// The cost of messages, as far as the trace shows it.

import (
	"slices"

	"pview/insight/waits"
	"pview/prv/extrae"
)

// Parameter is a figure of the machine, in the trace's unit, and where it comes from.
type Parameter struct {
	Value  float64
	Source string // "measured", "at most", "assumed", "given"
}

const atMost = "at most" // no receiver waited for a message

var assumed = Parameter{0, "assumed"}

// Parameters are the costs of messages.
type Parameters struct {
	Latency Parameter // alpha: between nodes, or within them if no messages leave a node; includes the receive call
	Call    float64   // that call's part of Latency
	One     int64     // bytes of the messages if all have one size; Latency includes the time of these bytes
	Byte    Parameter // beta: time per byte
	Send    Parameter // m: of a small message
	Receive Parameter // q: of a message that has arrived
}

// Given are costs of messages that replace measured ones, in the trace's unit; nil: measured.
type Given struct{ Latency, PerByte *float64 }

// Transfer returns the usual time of a message; 0 if it is not known.
func (p *Parameters) Transfer(size int64) float64 {
	if size < 0 || p.Latency.Source == "assumed" {
		return 0
	}
	return p.Latency.Value + p.Byte.Value*float64(size)
}

// Usual returns the usual time of a message that a call of this kind completes.
func (g *Graph) Usual(size int64, call extrae.Call) float64 {
	if t := g.Params.Transfer(size); t > 0 {
		return t - g.Params.Call + g.receiving(call)
	}
	return 0
}

// receiving returns the time of a call of this kind for a message that has arrived. A given latency includes it.
func (g *Graph) receiving(call extrae.Call) float64 {
	if g.Params.Latency.Source == "given" {
		return 0
	}
	return float64(g.Net.Handling[call])
}

// measure derives the parameters from the network of the run and from the calls that send and receive. Given values
// replace measured ones.
func (g *Graph) measure(given Given) {
	way := g.Net.Known(waits.DifferentNodes)
	p := &g.Params
	p.Latency, p.Byte, p.Send, p.Receive = assumed, assumed, assumed, assumed
	if way.Messages > 0 {
		p.Latency, p.Call = Parameter{way.Latency, "measured"}, way.Call
		if way.AtMost {
			p.Latency.Source = atMost
		}
		p.One = way.One
		if way.PerByte > 0 {
			p.Byte = Parameter{way.PerByte, p.Latency.Source}
		}
	}
	if g.Driven == nil {
		p.Send, p.Receive = g.callTimes()
	}
	if given.Latency != nil {
		p.Latency, p.Call = Parameter{*given.Latency, "given"}, 0
	}
	if given.PerByte != nil {
		p.Byte = Parameter{*given.PerByte, "given"}
	}
}

// callTimes returns the median times of calls that send a message and need not wait for its receiver, and of calls that
// receive a message that has arrived.
func (g *Graph) callTimes() (send, receive Parameter) {
	c := &g.T.Comms
	var sends, receives []float64
	const samples = 20000
	for m := 0; m < c.Len(); m += max(1, c.Len()/samples) {
		g.Look()
		msg, ok := g.Waits.Message(int32(m))
		if !ok || msg.Done < max(msg.Sent, msg.Begun) { // clocks disagree
			continue
		}
		if msg.Sent < msg.Begun {
			receives = append(receives, float64(msg.Done-msg.Begun))
		}
		if msg.Send >= 0 {
			call := g.Waits.Call(c.Send[m], int(msg.Send))
			if k := call.Kind.Call; k == extrae.Isend || k == extrae.Send && !g.Waits.MayWait(int32(m)) {
				sends = append(sends, float64(call.Exit-call.Enter))
			}
		}
	}
	return median(sends), median(receives)
}

// Exchange returns the cost of a message: its send, transfer and receive.
func (p *Parameters) Exchange() float64 {
	return p.Send.Value + p.Latency.Value - p.Call + p.Receive.Value
}

// Together reports whether Latency includes the time of many bytes, since without messages of other sizes they cannot
// be separated.
func (p *Parameters) Together() bool {
	const large = 1 << 10
	return p.Latency.Source != "assumed" && p.Latency.Source != "given" && p.Byte.Source == "assumed" && p.One > large
}

// median returns the median of times.
func median(times []float64) Parameter {
	if len(times) == 0 {
		return assumed
	}
	slices.Sort(times)
	return Parameter{times[len(times)/2], "measured"}
}
