package timeline

import (
	"fmt"
	"strings"

	"pview/prv"
	"pview/prv/quantity"
	"pview/render/raster"
	"pview/semantic"
)

// MessageText describes a message in short parts: its ends, its size, its times, and which end made the other wait.
// short omits what the picture shows: the level of the ends, and when the receive was posted.
func (w *View) MessageText(i int, short bool) []string {
	m := message{w, i}
	ends := m.ends()
	if kind, rest, ok := strings.Cut(ends, " "); short && ok && strings.EqualFold(kind, w.Sem.Level.String()) {
		ends = rest
	}
	return append([]string{ends, quantity.Bytes.Round(float64(w.Trace.Data.Comms.Size[i]), 4), m.times(short)},
		m.lateness()...)
}

// message is a message as a view shows it.
type message struct {
	*View
	i int
}

// ends names the sender and the receiver, and their level once.
func (w message) ends() string {
	tr := w.Trace.Data
	name := func(r prv.Role) string {
		return tr.Name(w.Sem.Level, tr.ObjectOf(w.Sem.Level, tr.Comms.Thread(w.i, r), tr.CommCPU(w.i, r)))
	}
	from, to := name(prv.LogicalSend), name(prv.LogicalRecv)
	if kind, rest, ok := strings.Cut(to, " "); ok && strings.HasPrefix(from, kind+" ") {
		to = rest
	}
	return from + " to " + to
}

// times gives the times when a message was sent and received, and when its receive was posted if that was before the
// send.
func (w message) times(short bool) string {
	c := &w.Trace.Data.Comms
	send := prv.LogicalSend
	if !w.Drawing.Comms.logical() {
		send = prv.PhysicalSend
	}
	posted, sent, received := c.Times[prv.LogicalRecv][w.i], c.Times[send][w.i], c.Times[prv.PhysicalRecv][w.i]
	f := raster.NewTimeFormat(w.Trace.Data.Unit, max(sent, received), max((received-sent)/100, w.Duration()/1000, 1))
	text := "sent " + f.Format(sent) + ", received " + f.Format(received)
	if posted < sent && !short {
		text = "receive posted " + f.Format(posted) + ", " + text
	}
	return text
}

// lateness tells which end made the other wait, and the tag.
func (w message) lateness() (parts []string) {
	tr, c := w.Trace.Data, &w.Trace.Data.Comms
	if late := semantic.LateSender(tr, w.i); late > 0 {
		parts = append(parts, "sender late by "+raster.FormatDuration(late, tr.Unit))
	}
	if late := semantic.LateReceiver(tr, w.i); late > 0 {
		parts = append(parts, "receiver late by "+raster.FormatDuration(late, tr.Unit))
	}
	return append(parts, fmt.Sprintf("tag %d", c.Tag[w.i]))
}
