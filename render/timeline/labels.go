package timeline

import (
	"fmt"
	"math"
	"strings"

	"pview/prv"
	"pview/prv/quantity"
	"pview/render/raster"
	"pview/semantic"
	"pview/semantic/ready"
)

// What the numbers on the screen are called.

// Meaning is what the values of a window on a trace are numbers of. Those of a window that
// answers yes or no are plain, whatever they are called.
func (t *Trace) Meaning(w *semantic.Window) semantic.Meaning {
	if IsSwitch(w) {
		return semantic.PlainNumbers
	}
	return w.MeaningOn(t.Data)
}

// IsSwitch reports whether a window's values are yes or no.
func IsSwitch(w *semantic.Window) bool {
	_, _, ok := w.YesNo()
	return ok
}

// valueName is what a value of a window is called, "" where it is but a number.
func (w *View) valueName(v float64) string {
	if IsSwitch(&w.Sem) {
		return SwitchName(w.Trace.Data.Labels, &w.Sem, v)
	}
	m := w.Trace.Meaning(&w.Sem)
	if m.IsAmount() || w.Values.labels == nil {
		return ""
	}
	name := w.Values.labels.Name(v)
	if m == semantic.EventValues && strings.HasPrefix(name, "value ") || strings.HasPrefix(name, "Not valid ") ||
		name == semantic.Grouped(v, -1) {
		return ""
	}
	return name
}

// SwitchName is what the value 1 of a window that answers yes or no stands for, and "not ..." for 0; "" for other
// values, and where it has no short name.
func SwitchName(labels *prv.Labels, sem *semantic.Window, v float64) string {
	yes := switchName(labels, sem)
	switch {
	case yes == "" || v != 0 && v != 1:
		return ""
	case v == 0:
		return "not " + yes
	}
	return yes
}

func switchName(labels *prv.Labels, sem *semantic.Window) string {
	e, call, _ := sem.YesNo()
	name := func(v float64) string { return "" }
	switch {
	case e.Meaning == semantic.StateCodes && len(call.Params) == 0:
		return labels.StateName(1) // Useful
	case e.Asks == semantic.StateCodes:
		name = func(v float64) string { return labels.StateName(int64(v)) }
	case e.Asks == semantic.EventValues:
		name = func(v float64) string { return eventLabel(labels, ListedTypes(&sem.Filter), v) }
	}
	if len(call.Params) == 0 || len(call.Params[0]) > 3 || e.Asks == semantic.PlainNumbers {
		return ""
	}
	var names []string
	for _, v := range call.Params[0] {
		names = append(names, name(v))
	}
	return strings.Join(names, " or ")
}

// eventLabel is the label of a value in the first of some types that has one, else
// the number.
func eventLabel(labels *prv.Labels, types []uint32, v float64) string {
	for _, typ := range types {
		if e, ok := labels.Type(typ); ok {
			if s, ok := e.ValueLabel(int64(math.Round(v / e.Factor()))); ok {
				return s
			}
		}
	}
	return raster.FormatValue(v, "")
}

// valueNumber is a value in digits, with its unit.
func (w *View) valueNumber(v float64) string {
	unit := w.ValueUnit()
	if v == 1 && len(unit) > len("us") { // one thread
		unit = strings.TrimSuffix(unit, "s")
	}
	return raster.FormatValue(v, unit)
}

// Unit is the unit of a view's values where their function does not say it; "" for none.
func (w *View) Unit() string { return ready.UnitOf(&w.Sem, w.Trace.Data.Labels) }

// ValueText is a value for a person: its name and number, or the number alone.
func (w *View) ValueText(v float64) string {
	if name := w.valueName(v); name != "" {
		return name + " (" + raster.FormatValue(v, "") + ")"
	}
	return w.valueNumber(v)
}

// legendText is what the legend calls a value.
func (w *View) legendText(v float64) string {
	if name := w.valueName(v); name != "" {
		return name
	}
	if v == 0 && w.Trace.Meaning(&w.Sem) == semantic.EventValues {
		return "outside"
	}
	return w.valueNumber(v)
}

// MessageText says what is known of a message, in a few words each: its ends, its size, its times, and which end let
// the other wait. short leaves out what the picture shows: of what kind the ends are, and when the receive was posted.
func (w *View) MessageText(i int, short bool) []string {
	c := &w.Trace.Data.Comms
	ends := w.messageEnds(i)
	if kind, rest, ok := strings.Cut(ends, " "); short && ok && strings.EqualFold(kind, w.Sem.Level.String()) {
		ends = rest
	}
	return append([]string{ends, quantity.Bytes.Round(float64(c.Size[i]), 4), w.messageTimes(i, short)},
		w.messageLateness(i)...)
}

// messageEnds names the sender and the receiver; what both names begin with is said once.
func (w *View) messageEnds(i int) string {
	tr := w.Trace.Data
	name := func(r prv.Role) string {
		return tr.Name(w.Sem.Level, ObjectOf(tr, w.Sem.Level, tr.Comms.Thread(i, r), tr.CommCPU(i, r)))
	}
	from, to := name(prv.LogicalSend), name(prv.LogicalRecv)
	if kind, rest, ok := strings.Cut(to, " "); ok && strings.HasPrefix(from, kind+" ") {
		to = rest
	}
	return from + " to " + to
}

// messageTimes says when a message was sent and when it was there. The logical receive of a message is when its
// receiver was ready for it: that is worth a word where it was so before the message was sent.
func (w *View) messageTimes(i int, short bool) string {
	c := &w.Trace.Data.Comms
	send := prv.LogicalSend
	if !w.Drawing.Comms.logical() {
		send = prv.PhysicalSend
	}
	posted, sent, received := c.Times[prv.LogicalRecv][i], c.Times[send][i], c.Times[prv.PhysicalRecv][i]
	f := raster.NewTimeFormat(w.Trace.Data.Unit, max(sent, received), max((received-sent)/100, w.Duration()/1000, 1))
	text := "sent " + f.Format(sent) + ", received " + f.Format(received)
	if posted < sent && !short {
		text = "receive posted " + f.Format(posted) + ", " + text
	}
	return text
}

// messageLateness says which end let the other wait, and the tag.
func (w *View) messageLateness(i int) (parts []string) {
	tr, c := w.Trace.Data, &w.Trace.Data.Comms
	if late := semantic.LateSender(tr, i); late > 0 {
		parts = append(parts, "sender late by "+raster.FormatDuration(late, tr.Unit))
	}
	if late := semantic.LateReceiver(tr, i); late > 0 {
		parts = append(parts, "receiver late by "+raster.FormatDuration(late, tr.Unit))
	}
	return append(parts, fmt.Sprintf("tag %d", c.Tag[i]))
}
