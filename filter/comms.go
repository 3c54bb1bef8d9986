package filter

import "pview/prv"

// CommPass is a CommFilter compiled for a trace and a level. It is read-only
// and safe for concurrent use.
type CommPass struct {
	logical, physical bool
	intra, inter      bool
	from, to          Criterion
	fromToOr          bool
	partner           Criterion
	tag, size         Criterion
	tagSizeOr         bool
	bandwidth         Criterion
	open              bool    // only the flags logical and physical reject anything
	unit              float64 // trace units per window unit
	trace             *prv.Trace
	level             prv.Level
	object            []int32 // by thread: its object at the level, 1-based; nil on the resource side
}

// compileComms prepares a CommFilter. unit is the window's unit of time in
// units of the trace.
func compileComms(f *CommFilter, t *prv.Trace, level prv.Level, unit float64) CommPass {
	p := CommPass{
		logical: f.Logical, physical: f.Physical, intra: f.Intra, inter: f.Inter,
		from: f.From, to: f.To, fromToOr: f.FromToOr, partner: f.Partner,
		tag: f.Tag, size: f.Size, tagSizeOr: f.TagSizeOr,
		bandwidth: f.Bandwidth, unit: unit, trace: t, level: level,
	}
	p.open = f.Intra && f.Inter
	for _, c := range []*Criterion{&f.From, &f.To, &f.Partner, &f.Tag, &f.Size, &f.Bandwidth} {
		p.open = p.open && c.Func == All
	}
	if !level.IsResource() {
		p.object = make([]int32, t.NumThreads())
		for th := range p.object {
			p.object[th] = int32(t.ObjectOf(level, int32(th), 0)) + 1
		}
	}
	return p
}

// Role reports whether the entry that communication i makes in its role r passes. With logical times only, a physical
// receive passes too when it is not earlier than the logical one: only then has the message arrived.
func (p *CommPass) Role(i int, r prv.Role) bool { return p.Flag(i, r) && p.Has(i) && p.Partner(i, r) }

// Partner reports whether the object at the other end of communication i passes; role r belongs to this end.
func (p *CommPass) Partner(i int, r prv.Role) bool {
	if p.partner.Func == All {
		return true
	}
	if r.IsSend() {
		return p.partner.Test(p.end(i, prv.LogicalRecv))
	}
	return p.partner.Test(p.end(i, prv.LogicalSend))
}

// Flag returns the part of Role that the logical and physical flags decide.
func (p *CommPass) Flag(i int, r prv.Role) bool {
	if r.IsLogical() {
		return p.logical
	}
	if p.physical {
		return true
	}
	c := &p.trace.Comms
	return p.logical && r == prv.PhysicalRecv && c.Times[prv.PhysicalRecv][i] >= c.Times[prv.LogicalRecv][i]
}

// Logical and Physical report whether records of the kind pass.
func (p *CommPass) Logical() bool  { return p.logical }
func (p *CommPass) Physical() bool { return p.physical }

// All reports whether every communication passes, the flags logical and
// physical aside.
func (p *CommPass) All() bool { return p.open }

// Has reports whether communication i passes, the flags logical and physical aside. The short cuts are Paraver's: with
// "from or to", a match of from accepts and skips tag, size and bandwidth; with "tag or size", a match of tag skips
// size and bandwidth.
func (p *CommPass) Has(i int) bool {
	if p.open {
		return true
	}
	c := &p.trace.Comms
	if !p.nodes(i) || !p.Partner(i, prv.LogicalSend) && !p.Partner(i, prv.LogicalRecv) {
		return false
	}
	if p.from.Test(p.end(i, prv.LogicalSend)) {
		if p.fromToOr {
			return true
		}
	} else if !p.fromToOr {
		return false
	}
	if !p.to.Test(p.end(i, prv.LogicalRecv)) {
		return false
	}
	if p.tag.Test(float64(c.Tag[i])) {
		if p.tagSizeOr {
			return true
		}
	} else if !p.tagSizeOr {
		return false
	}
	return p.size.Test(float64(c.Size[i])) && (p.bandwidth.Func == All || p.bandwidth.Test(p.rate(i)))
}

// nodes applies the flags for messages within a node and between nodes.
func (p *CommPass) nodes(i int) bool {
	if p.intra && p.inter {
		return true
	}
	c := &p.trace.Comms
	if p.trace.ThreadNode(c.Send[i]) == p.trace.ThreadNode(c.Recv[i]) {
		return p.intra
	}
	return p.inter
}

// end returns the number (1-based) of the object at an end of a communication.
func (p *CommPass) end(i int, r prv.Role) float64 {
	if p.object != nil {
		return float64(p.object[p.trace.Comms.Thread(i, r)])
	}
	cpu := p.trace.CommCPU(i, r)
	switch p.level {
	case prv.LevelCPU:
		return float64(cpu)
	case prv.LevelNode:
		return float64(p.trace.CPUNode(cpu) + 1)
	}
	return 1
}

// rate returns the bandwidth of communication i in bytes per window unit: from its send to the later of its receives,
// of the kinds that the flags select.
func (p *CommPass) rate(i int) float64 {
	t := &p.trace.Comms.Times
	send, recv := t[prv.LogicalSend][i], t[prv.PhysicalRecv][i]
	switch {
	case p.logical && t[prv.LogicalRecv][i] > recv:
		recv = t[prv.LogicalRecv][i]
	case p.physical:
		send = t[prv.PhysicalSend][i]
	}
	return float64(p.trace.Comms.Size[i]) / (float64(recv-send) / p.unit)
}
