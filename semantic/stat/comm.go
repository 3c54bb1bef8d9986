package stat

import (
	"context"

	"pview/filter"
	"pview/prv"
	"pview/semantic"
)

// The statistics of communications are counted row by row, from the columns of communications.

// entry is a communication in one of its roles.
type entry int64

func (e entry) comm() int      { return int(e >> 2) }
func (e entry) role() prv.Role { return prv.Role(e & 3) }

// communications computes the cells of all rows.
func (j *job) communications(ctx context.Context) ([]rowCells[commSums], error) {
	rows := make([]rowCells[commSums], len(j.rows))
	if j.h.noMessages() {
		return rows, nil
	}
	partner, entries, err := j.entries(ctx)
	if err != nil {
		return nil, err
	}
	stores := make([]store[commSums], j.opt.Workers)
	err = j.each(ctx, len(j.rows), func(worker, i int) (err error) {
		var third bursts
		if j.third != nil {
			if third, err = j.third.row(ctx, j.rows[i]); err != nil {
				return err
			}
		}
		s := &stores[worker]
		s.reset(j.columns * j.planes.n)
		for _, e := range entries[j.rows[i]] {
			plane := 0
			if j.third != nil {
				if plane = j.plane(&third, e.from); plane < 0 {
					continue
				}
			}
			c := s.at(plane*j.columns + int(partner(e.entry)))
			if size := j.t.Comms.Size[e.comm()]; e.role().IsSend() {
				c.send.add(size)
			} else {
				c.recv.add(size)
			}
			switch e.role() {
			case prv.LogicalSend:
				c.send.late += float64(semantic.LateSender(j.t, e.comm()))
			case prv.LogicalRecv:
				c.recv.late += float64(semantic.LateReceiver(j.t, e.comm()))
			}
		}
		rows[i] = s.take()
		return j.found(len(rows[i].cell))
	})
	return rows, err
}

// plane returns the plane of a message that is read with the control window's burst at t: the plane of the third
// window's first burst from t on that has one, -1 if none has.
func (j *job) plane(third *bursts, t int64) int {
	t = max(t, j.begin)
	for i := third.seek(t); i < len(third.begin) && third.begin[i] < j.end; i++ {
		if max(third.begin[i], t) >= third.until(i) {
			continue
		}
		if plane := j.planes.column(third.value[i]); plane >= 0 {
			return plane
		}
	}
	return -1
}

// message is a communication in one of its roles that counts for a row.
type message struct {
	entry
	from int64 // start of the control window's burst with which it is read; set for planes only
}

// messageReader finds the burst of the control window with which a message is read.
type messageReader struct {
	*job
	threads map[int32]*semantic.Boundaries // by thread
	ahead   []semantic.ReadAhead           // by row; nil if the control window joins no bursts
}

func (j *job) newReader(ctx context.Context) (*messageReader, error) {
	m := &messageReader{job: j, threads: map[int32]*semantic.Boundaries{}}
	if !j.control.evaluator.Joins() {
		return m, nil
	}
	m.ahead = make([]semantic.ReadAhead, j.control.evaluator.Rows())
	return m, j.each(ctx, len(m.ahead), func(_, row int) (err error) {
		m.ahead[row], err = j.control.evaluator.ReadAhead(ctx, row)
		return err
	})
}

// begin returns the start of the row's burst with which a message is read. For a derived window it takes the burst just
// before the message.
func (m *messageReader) begin(e entry, row int32) int64 {
	t, r := m.time(e), e.role()
	thread := m.t.Comms.Thread(e.comm(), r)
	b, ok := m.threads[thread]
	if !ok {
		b = m.control.evaluator.Boundaries(thread)
		m.threads[thread] = b
	}
	if b == nil {
		return t - 1
	}
	if r == prv.LogicalRecv && t == m.t.Comms.Times[prv.PhysicalRecv][e.comm()] {
		r = prv.PhysicalRecv
	}
	begin, before := b.Begin(&m.t.Comms, e.comm(), r, t)
	if m.ahead == nil {
		return begin
	}
	if m.h.Control.Level != prv.LevelThread { // the bursts of its threads that begin together make one
		before = 0
	}
	return m.ahead[row].With(begin, before)
}

// holds reports whether a message of a row is in the range: at the range's end, only if it is read with an earlier
// burst.
func (m *messageReader) holds(e entry, row int32) bool {
	t := m.time(e)
	return t >= m.job.begin && (t < m.end || t == m.end && m.h.Control.Derived == nil && m.begin(e, row) < m.end)
}

// time returns when a communication counts. A message is received once both program and network have it: at the later
// of the two receives, if logical ones pass.
func (j *job) time(e entry) int64 {
	t := &j.t.Comms.Times
	if r := e.role(); r.IsSend() || !j.h.Control.Filter.Comms.Logical {
		return t[r][e.comm()]
	}
	return max(t[prv.LogicalRecv][e.comm()], t[prv.PhysicalRecv][e.comm()])
}

// entries groups the communications that count by the object at either end, and returns them with a function for the
// object at the other end.
func (j *job) entries(ctx context.Context) (partner func(entry) int32, byRow [][]message, err error) {
	reader, err := j.newReader(ctx)
	if err != nil {
		return nil, nil, err
	}
	c := &j.t.Comms
	object := j.objects()
	end := func(e entry, send bool) int32 {
		if send {
			return object(e.comm(), prv.LogicalSend)
		}
		return object(e.comm(), prv.LogicalRecv)
	}
	partner = func(e entry) int32 { return end(e, !e.role().IsSend()) }
	byRow = make([][]message, j.t.Count(j.h.Control.Level))
	pass := &j.h.Control.Filter
	compiled := pass.Compile(j.t, j.h.Control.Level, j.controlTime.perUnit())
	for i := range c.Len() {
		if !compiled.Comms.Has(i) || !j.within(i) {
			continue
		}
		for r := prv.LogicalSend; r <= prv.PhysicalRecv; r++ {
			e := entry(i<<2 | int(r))
			if !counts(&compiled.Comms, r) || !compiled.Comms.Partner(i, r) {
				continue
			}
			row := end(e, r.IsSend())
			if row < 0 || partner(e) < 0 || !reader.holds(e, row) {
				continue
			}
			m := message{entry: e}
			if j.third != nil {
				m.from = reader.begin(e, row)
			}
			byRow[row] = append(byRow[row], m)
		}
	}
	return partner, byRow, nil
}

// counts reports whether records of a role pass. Unlike in the semantic functions, a physical receive needs its flag.
func counts(p *filter.CommPass, r prv.Role) bool {
	if r.IsLogical() {
		return p.Logical()
	}
	return p.Physical()
}

// within applies the limits of size and tag.
func (j *job) within(i int) bool {
	return j.h.Size.Has(float64(j.t.Comms.Size[i])) && j.h.Tag.Has(float64(j.t.Comms.Tag[i]))
}

// objects returns a function for the object (0-based) of the rows' level at an end of a communication, -1 if unknown.
func (j *job) objects() func(comm int, r prv.Role) int32 {
	t, level := j.t, j.h.Control.Level
	if level.IsResource() {
		return func(comm int, r prv.Role) int32 {
			return int32(j.objectOfCPU(t.CommCPU(comm, r)))
		}
	}
	of := make([]int32, t.NumThreads())
	for th := range of {
		of[th] = int32(objectAbove(t, prv.LevelThread, th, level))
	}
	return func(comm int, r prv.Role) int32 { return of[t.Comms.Thread(comm, r)] }
}
