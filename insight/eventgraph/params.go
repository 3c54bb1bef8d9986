package eventgraph

// What a message costs, as far as the trace shows it.

import (
	"math"
	"slices"

	"pview/prv"
	"pview/prv/extrae"
	"pview/prv/quantile"
)

// Parameter is a figure of the machine, in the trace's unit, and where it comes from.
type Parameter struct {
	Value  float64
	Source string // "measured", "assumed", "given"
}

// Parameters are the costs of messages.
type Parameters struct {
	Latency Parameter // alpha: the time of the smallest messages
	Small   int64     // bytes of the smallest messages
	Byte    Parameter // beta: time per byte
	Send    Parameter // m: of a small message
	Receive Parameter // q: of a message that is there
}

// Given are costs of messages that replace measured ones, in the trace's unit; nil: measured.
type Given struct{ Latency, PerByte *float64 }

// Transfer is the usual time of a message; 0 if it is not known.
func (p *Parameters) Transfer(size int64) float64 {
	if size < 0 || p.Latency.Source == "assumed" {
		return 0
	}
	return p.Latency.Value + p.Byte.Value*float64(size)
}

// sample is a message's size and the time of its operation.
type sample struct {
	size int64
	time float64
}

// measure derives the parameters from some of the messages: the operation is the time of a call once the message had
// been sent.
func (g *Graph) measure(given Given) {
	defer g.takeGiven(given)
	if g.Driven != nil {
		g.measureDriven()
		return
	}
	c := &g.T.Comms
	var near, far []sample
	var sends, receives []float64
	const samples = 20000
	step := max(1, c.Len()/samples)
	for m := 0; m < c.Len(); m += step {
		g.Look()
		msg, ok := g.Waits.Message(int32(m))
		if !ok || msg.Done < max(msg.Sent, msg.Begun) { // clocks disagree
			continue
		}
		s := sample{c.Size[m], float64(msg.Done - max(msg.Sent, msg.Begun))}
		if g.T.ThreadNode(c.Send[m]) != g.T.ThreadNode(c.Recv[m]) {
			far = append(far, s)
		} else {
			near = append(near, s)
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
	list := far
	if len(list) == 0 {
		list = near
	}
	p := &g.Params
	p.Latency, p.Small = latency(list)
	p.Byte = perByte(list)
	p.Send, p.Receive = Median(sends), Median(receives)
}

// Together reports whether what is called latency contains the time of many bytes, since no messages of other sizes
// tell them apart.
func (p *Parameters) Together() bool {
	const large = 1 << 10
	return p.Latency.Source == "measured" && p.Byte.Source == "assumed" && p.Small > large
}

// takeGiven replaces what was measured by what the user has given.
func (g *Graph) takeGiven(given Given) {
	p := &g.Params
	for _, g := range []struct {
		given *float64
		to    *Parameter
	}{{given.Latency, &p.Latency}, {given.PerByte, &p.Byte}} {
		if g.given != nil {
			*g.to = Parameter{*g.given, "given"}
		}
	}
}

// measureDriven derives them for a message-driven run: a message takes from its creation to its arrival.
func (g *Graph) measureDriven() {
	c := &g.T.Comms
	var list []sample
	const samples = 20000
	for m := 0; m < c.Len(); m += max(1, c.Len()/samples) {
		g.Look()
		if took := c.Times[prv.PhysicalRecv][m] - c.Times[prv.LogicalSend][m]; took > 0 {
			list = append(list, sample{c.Size[m], float64(took)})
		}
	}
	g.Params = Parameters{Byte: perByte(list), Send: Parameter{0, "assumed"}, Receive: Parameter{0, "assumed"}}
	g.Params.Latency, g.Params.Small = latency(list)
}

// bucket is the power of two of a size.
func bucket(size int64) int { return int(math.Ilogb(float64(max(size, 1)))) }

// inBucket is the q-quantile of samples in one bucket of sizes.
func inBucket(list []sample, b int, q float64) (value float64, size int64, ok bool) {
	var times []float64
	for _, s := range list {
		if bucket(s.size) == b {
			times = append(times, s.time)
			size = max(size, s.size)
		}
	}
	if len(times) == 0 {
		return 0, 0, false
	}
	return quantile.Below(times, q), size, true
}

// latency is the 5th percentile of the smallest sizes, and the largest of these.
func latency(list []sample) (p Parameter, size int64) {
	least := 1 << 30
	for _, s := range list {
		least = min(least, bucket(s.size))
	}
	v, size, ok := inBucket(list, least, 0.05)
	if !ok {
		return Parameter{0, "assumed"}, 0
	}
	return Parameter{v, "measured"}, size
}

// perByte is the slope of the lower envelope from the smallest to the largest sizes.
func perByte(list []sample) Parameter {
	least, most := 1<<30, -1
	for _, s := range list {
		least, most = min(least, bucket(s.size)), max(most, bucket(s.size))
	}
	low, small, ok := inBucket(list, least, 0.05)
	high, large, ok2 := inBucket(list, most, 0.05)
	if !ok || !ok2 || least == most || high <= low {
		return Parameter{0, "assumed"}
	}
	return Parameter{(high - low) / float64(large-small), "measured"}
}

// Median is the median of times.
func Median(times []float64) Parameter {
	if len(times) == 0 {
		return Parameter{0, "assumed"}
	}
	slices.Sort(times)
	return Parameter{times[len(times)/2], "measured"}
}

// Rounds returns the number of steps of a tree over n threads: ceil(log2 n).
func Rounds(n float64) float64 { return math.Ceil(math.Log2(max(1, n))) }
