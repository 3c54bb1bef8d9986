package timeline

import (
	"context"
	"slices"

	"pview/prv"
	"pview/render/raster"
	"pview/semantic"
	"pview/semantic/ready"
)

// Views drawn off the screen: all of their values, and their colours.

// Complete computes everything that the view's picture needs.
func (w *View) Complete(r Resources) error {
	for {
		jobs := w.Jobs(r, raster.DefaultLook, 1, 1)
		if err := context.Cause(r.Context); err != nil {
			return err
		}
		if w.Values.Err != nil || len(jobs) == 0 {
			return w.Values.Err
		}
		for _, job := range jobs {
			if answer := job(); answer != nil {
				answer()
			}
		}
	}
}

// PainterFor returns the painter of the view's values; fixed means that the user has set the scale, which must not be
// fitted.
func (w *View) PainterFor(l raster.Look) (p raster.Painter, fixed bool) {
	w.dress(&p, l)
	p.Scale = w.Drawing.Scale
	return p, w.Drawing.Fixed
}

// ValueUnit returns the unit of the values, "" for plain numbers.
func (w *View) ValueUnit() string {
	switch w.Trace.Meaning(&w.Sem) {
	case semantic.Times:
		return w.Sem.Unit.String()
	case semantic.Bytes:
		return "bytes"
	}
	return ready.UnitOf(&w.Sem, w.Trace.Data.Labels)
}

// MessageLine is a message between rows of the view.
type MessageLine struct {
	From, To       int // rows
	Sent, Received int64
	Physical       bool
}

// Messages returns the message lines that the view draws; if there are more than most, only their number.
func (w *View) Messages(most int) (lines []MessageLine, n int) {
	index := w.Values.comms
	if w.Drawing.Comms == CommsOff || index == nil {
		return nil, 0
	}
	tr, rows := w.Trace.Data, w.RowsByObject()
	row := func(i int32, r prv.Role) int32 {
		return Place(rows, tr.ObjectOf(w.Sem.Level, tr.Comms.Thread(int(i), r), tr.CommCPU(int(i), r)))
	}
	for _, kind := range []raster.CommKind{raster.LogicalLine, raster.PhysicalLine} {
		if kind == raster.LogicalLine && !w.Drawing.Comms.logical() || kind == raster.PhysicalLine &&
			!w.Drawing.Comms.physical() {
			continue
		}
		n += index.Count(kind, w.Begin, w.End+1)
		if n > most {
			continue
		}
		sendRole, recvRole := kind.Roles()
		index.Visit(kind, w.Begin, w.End+1, func(i int32) bool {
			from, to := row(i, sendRole), row(i, recvRole)
			if from >= 0 && to >= 0 {
				lines = append(lines, MessageLine{int(from) - w.Top, int(to) - w.Top, tr.Comms.Times[sendRole][i],
					tr.Comms.Times[recvRole][i], kind == raster.PhysicalLine})
			}
			return true
		})
	}
	if n > most {
		return nil, n
	}
	return slices.Clip(lines), n
}
