package gpu

// Collectives: waiting for the last member against the transfer. A member that begins early runs a kernel that spins
// until the last one arrives, so the time of these kernels is not network time: the rank with the least of it is the
// straggler.

import (
	"cmp"
	"slices"

	"pview/prv"
	"pview/prv/extrae/device"
)

// member is the part of a task in a collective.
type member struct {
	task, device, thread   int32
	begin, end             int64
	operation, bytes, size int64
}

// part identifies the part of a stream in a collective by its thread and start.
type part struct {
	thread int32
	begin  int64
}

// membersOf collects the parts of a stream, by group and turn.
func membersOf(t *prv.Trace, thread, on int32, parts map[[2]int64][]member) {
	e, s := &t.Threads[thread].Events, &t.Threads[thread].States
	for i := 0; i < e.Len(); {
		m := member{task: t.ThreadTask[thread], device: on, thread: thread, begin: e.Time[i], bytes: -1}
		key := [2]int64{}
		n := i
		for ; n < e.Len() && e.Time[n] == m.begin && (n == i || !e.Lines.Has(n)); n++ {
			switch e.Type[n] {
			case device.Operation:
				m.operation = e.Value.At(n)
			case device.Group:
				key[0] = e.Value.At(n)
			case device.OperationTurn:
				key[1] = e.Value.At(n)
			case device.BytesIn:
				m.bytes = e.Value.At(n)
			case device.GroupSize:
				m.size = e.Value.At(n)
			}
		}
		i = n
		if m.operation == 0 || key[0] == 0 {
			continue
		}
		k, found := slices.BinarySearch(s.Begin, m.begin)
		for ; found && k < s.Len() && s.Begin[k] == m.begin; k++ {
			if v := s.Value[k]; v == device.Communicating || v == device.Exchanging {
				m.end = s.End[k]
			}
		}
		if m.end > m.begin {
			parts[key] = append(parts[key], m)
		}
	}
}

// collect makes the collectives.
func (a *Analysis) collect(parts map[[2]int64][]member) {
	for key, list := range parts {
		if len(list) < 2 {
			a.Alone++
			continue
		}
		slices.SortFunc(list, func(x, y member) int { return cmp.Compare(x.task, y.task) })
		c := Collective{Group: key[0], Turn: key[1] - 1, Operation: list[0].operation, Members: len(list),
			Size: list[0].size, Bytes: -1, Begin: list[0].begin, Last: list[0].begin, Late: list[0].task,
			lateDevice: list[0].device, lateThread: list[0].thread}
		end := int64(0)
		for _, m := range list {
			if m.begin > c.Last {
				c.Last, c.Late, c.lateDevice, c.lateThread = m.begin, m.task, m.device, m.thread
			}
			c.Begin, end = min(c.Begin, m.begin), max(end, m.end)
			c.Bytes = max(c.Bytes, m.bytes)
			c.Time += m.end - m.begin
		}
		for _, m := range list {
			c.Wait += min(c.Last, m.end) - m.begin
		}
		c.Transfer = end - c.Last
		a.Charged[c.Late] += c.Wait
		a.Collectives = append(a.Collectives, c)
	}
	slices.SortFunc(a.Collectives, func(x, y Collective) int {
		return cmp.Or(cmp.Compare(x.Begin, y.Begin), cmp.Compare(x.Group, y.Group), cmp.Compare(x.Turn, y.Turn))
	})
	a.lastOf = map[part]*Collective{}
	for i := range a.Collectives {
		c := &a.Collectives[i]
		for _, m := range parts[[2]int64{c.Group, c.Turn + 1}] {
			a.lastOf[part{m.thread, m.begin}] = c
		}
	}
}

// leastForBandwidth is the size below which a transfer is latency.
const leastForBandwidth = 64 << 10

// busBandwidth returns the minimum rate of each link, in bytes per ns = GB/s, as NCCL's tests define it; ok is false if
// the size is unknown or so small that latency dominates. ns is the length of a unit of time.
func (c *Collective) busBandwidth(ns int64) (rate float64, ok bool) {
	if c.Bytes < leastForBandwidth || c.Transfer <= 0 {
		return 0, false
	}
	n := float64(c.Members)
	factor := 1.0
	switch c.Operation {
	case device.AllReduce:
		factor = 2 * (n - 1) / n
	case device.AllGather: // of n times the bytes, (n-1)/n
		factor = n - 1
	case device.ReduceScatter, device.AllToAll:
		factor = (n - 1) / n
	}
	return float64(c.Bytes) * factor / float64(c.Transfer*ns), true
}
