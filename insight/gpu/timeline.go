package gpu

// A device's use at each instant: kernels hide communication, which hides copies; gaps are divided by what the next
// operation waits for.

import (
	"cmp"
	"iter"
	"slices"

	"pview/prv"
	"pview/prv/extrae"
	"pview/prv/extrae/device"
)

// Use is a use of a device's time.
type Use uint8

// The uses. Communication and copies are the exposed ones; the uses after them are idle time.
const (
	Computing    Use = iota
	Waiting          // in a collective, until its last member begins
	Transferring     // the rest of communication
	Copying
	NotLaunched // until the host calls the launch of the next operation
	Launching   // from this call to the start of the operation
	Between     // below ShortGap, between two launched operations
	Dependent   // longer: the next operation is launched, or its launch is not recorded
	NumUses
)

// Piece is a stretch of time in which a device has one use.
type Piece struct {
	Begin, End int64
	Use        Use
	// Operation is a row of the device's operations: the running one, or in idle time the next.
	Operation int32
}

// operation is something that a stream does.
type operation struct {
	begin, end int64
	call       int64 // start of its launch; -1: not recorded
	launch     int32 // row of the trace's Comms; -1: not recorded
	event      int32 // that it waits for, the last if several: row of the trace's Comms; -1: none recorded
	name       int64 // value of the event of its type; 0: no name
	typ        uint32
	thread     int32 // the stream
	state      uint32
}

// operationsOf returns the operations of a stream, by begin.
func operationsOf(t *prv.Trace, thread int32) (list []operation) {
	s, e, c := &t.Threads[thread].States, &t.Threads[thread].Events, &t.Comms
	launches := t.Threads[thread].Comm[prv.PhysicalRecv]
	at := 0
	for i, state := range s.Value {
		switch state {
		case device.Computing, device.Communicating, device.Exchanging, device.Copying:
		default:
			continue
		}
		o := operation{begin: s.Begin[i], end: max(s.End[i], s.Begin[i]), call: -1, launch: -1, event: -1,
			thread: thread, state: state}
		for at < e.Len() && e.Time[at] < o.begin {
			at++
		}
		for k := at; k < e.Len() && e.Time[k] == o.begin; k++ {
			if typ := e.Type[k]; typ == device.TypeOf(state) && e.Value.At(k) != 0 {
				o.name, o.typ = e.Value.At(k), typ
			}
		}
		for len(launches) > 0 && c.Times[prv.PhysicalRecv][launches[0]] < o.begin {
			launches = launches[1:]
		}
		for len(launches) > 0 && c.Times[prv.PhysicalRecv][launches[0]] == o.begin {
			k := launches[0]
			isLaunch := c.Tag[k] == device.LaunchTag || c.Tag[k] == device.LaunchCopyTag
			if isLaunch && o.launch >= 0 { // this launch is the next operation's, which also begins now
				break
			}
			launches = launches[1:]
			switch {
			case isLaunch:
				o.call, o.launch = c.Times[prv.LogicalSend][k], k
			case c.Tag[k] == device.EventTag && (o.event < 0 ||
				c.Times[prv.PhysicalSend][k] > c.Times[prv.PhysicalSend][o.event]):
				o.event = k
			}
		}
		list = append(list, o)
	}
	return list
}

// layer makes pieces from the operations in some states. Each starts at the end of the previous ones, so they do not
// overlap.
func layer(work []operation, use Use, in func(state uint32) bool) (list []Piece) {
	until := work[0].begin
	for i := range work {
		if o := &work[i]; in(o.state) && o.end > until {
			list = append(list, Piece{max(o.begin, until), o.end, use, int32(i)})
			until = o.end
		}
	}
	return list
}

// under adds the parts of pieces that lie in the gaps of others.
func under(top, more []Piece) []Piece {
	if len(more) == 0 {
		return top
	}
	list := make([]Piece, 0, len(top)+len(more))
	k := 0
	for _, p := range more {
		for k > 0 && top[k-1].End > p.Begin {
			k--
		}
		for ; p.Begin < p.End; k++ {
			for k < len(top) && top[k].End <= p.Begin {
				k++
			}
			if k == len(top) || top[k].Begin >= p.End {
				list = append(list, p)
				break
			}
			if part := p; part.Begin < top[k].Begin {
				part.End = top[k].Begin
				list = append(list, part)
			}
			p.Begin = max(p.Begin, top[k].End)
		}
	}
	list = append(list, top...)
	slices.SortFunc(list, func(x, y Piece) int { return cmp.Compare(x.Begin, y.Begin) })
	return list
}

// divide finds the pieces of a device, from its first begin to its last end without a gap.
func (d *Device) divide(short int64, lastOf map[part]*Collective) {
	work := d.work
	slices.SortStableFunc(work, func(x, y operation) int { return cmp.Compare(x.begin, y.begin) })
	busy := layer(work, Computing, func(s uint32) bool { return s == device.Computing })
	busy = under(busy, layer(work, Transferring, func(s uint32) bool {
		return s == device.Communicating || s == device.Exchanging
	}))
	busy = under(busy, layer(work, Copying, func(s uint32) bool { return s == device.Copying }))
	d.Pieces = make([]Piece, 0, len(busy))
	add := func(p Piece, until int64, use Use) Piece {
		if until = min(until, p.End); until > p.Begin {
			d.Pieces = append(d.Pieces, Piece{p.Begin, until, use, p.Operation})
			p.Begin = until
		}
		return p
	}
	at := work[0].begin
	for _, p := range busy {
		o := &work[p.Operation]
		gap := Piece{at, p.Begin, Dependent, p.Operation}
		switch {
		case o.call > at:
			add(add(gap, o.call, NotLaunched), gap.End, Launching)
		case gap.End-gap.Begin < short:
			add(gap, gap.End, Between)
		default:
			add(gap, gap.End, Dependent)
		}
		if p.Use == Transferring {
			if c := lastOf[part{o.thread, o.begin}]; c != nil {
				p = add(p, c.Last, Waiting)
			}
		}
		add(p, p.End, p.Use)
		at = p.End
	}
	d.Begin, d.End, d.Operations = work[0].begin, at, int64(len(work))
	for _, p := range d.Pieces {
		d.Uses[p.Use] += p.End - p.Begin
	}
	d.Compute = d.Uses[Computing]
	d.Comm = covered(work, func(s uint32) bool { return s == device.Communicating || s == device.Exchanging })
	d.Memory = covered(work, func(s uint32) bool { return s == device.Copying })
	d.ExposedComm, d.ExposedMemory = d.Uses[Waiting]+d.Uses[Transferring], d.Uses[Copying]
	d.Busy = d.Compute + d.ExposedComm + d.ExposedMemory
	d.Overlap = d.Comm - d.ExposedComm // |K n C| = |C| - |C \ K|
}

// Each goes through the pieces of a use, device by device.
func (a *Analysis) Each(use Use) iter.Seq2[*Device, *Piece] {
	return func(yield func(*Device, *Piece) bool) {
		for i := range a.Devices {
			d := &a.Devices[i]
			for k := range d.Pieces {
				if p := &d.Pieces[k]; p.Use == use && !yield(d, p) {
					return
				}
			}
		}
	}
}

// Launch returns the message from the call that launched a piece's operation, as row of the trace's Comms; -1 if not
// recorded.
func (d *Device) Launch(p *Piece) int32 { return d.work[p.Operation].launch }

// Thread returns the stream of a piece's operation.
func (d *Device) Thread(p *Piece) int32 { return d.work[p.Operation].thread }

// Name names a piece's operation: the kernel in short, the copy, or the collective operation.
func (a *Analysis) Name(t *prv.Trace, d *Device, p *Piece) string {
	o := &d.work[p.Operation]
	if c := a.Collective(d, p); c != nil && c.Operation != device.Unknown {
		return device.Operations[c.Operation-1]
	}
	if o.name == 0 {
		return "work without a name"
	}
	return extrae.ShortName(t.Labels.ValueName(o.typ, o.name))
}

// Collective returns the operation that a piece is a part of; nil if none was matched.
func (a *Analysis) Collective(d *Device, p *Piece) *Collective {
	o := &d.work[p.Operation]
	return a.lastOf[part{o.thread, o.begin}]
}

// Why divides a wait by what the last member's device does meanwhile: do gets that device's pieces, cut to the wait,
// and nil for time before its first or after its last operation.
func (a *Analysis) Why(d *Device, wait *Piece, do func(late *Device, p *Piece, begin, end int64)) {
	late := &a.Devices[a.Collective(d, wait).lateDevice]
	at := wait.Begin
	first, _ := slices.BinarySearchFunc(late.Pieces, at, func(p Piece, t int64) int { return cmp.Compare(p.End, t+1) })
	for i := first; i < len(late.Pieces) && late.Pieces[i].Begin < wait.End; i++ {
		p := &late.Pieces[i]
		if begin := max(at, p.Begin); begin > at {
			do(late, nil, at, begin)
			at = begin
		}
		end := min(wait.End, p.End)
		do(late, p, at, end)
		at = end
	}
	if at < wait.End {
		do(late, nil, at, wait.End)
	}
}

// Does says what a device does in a piece; nil: before its first or after its last operation.
func (a *Analysis) Does(t *prv.Trace, d *Device, p *Piece) string {
	switch {
	case p == nil:
		return "time without work"
	case p.Use <= Copying:
		return a.Name(t, d, p)
	}
	return [...]string{NotLaunched: "late launch", Launching: "launch", Between: "gap between kernels",
		Dependent: "dependency or unknown launch"}[p.Use]
}
