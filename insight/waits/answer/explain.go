package answer

import (
	"fmt"

	"pview/insight/report"
	"pview/insight/waits"
	"pview/prv"
	"pview/prv/extrae/device"
	"pview/prv/quantity"
)

// Passages describe a wait of a trace, who caused it, and by what.
func Passages(w *waits.Wait, t *prv.Trace) []report.Block {
	name := func(th int32) string {
		if th < 0 {
			return "an unknown thread"
		}
		return t.ShortName(prv.LevelThread, int(th))
	}
	span := func(d int64) string { return quantity.FormatDuration(d, t.Unit) }
	blocks := []report.Block{&report.Passage{Tone: report.Strong, Text: fmt.Sprintf("%s waits %s for %s: %s",
		name(w.Thread), span(w.Length()), name(w.Cause), w.Class)}, report.Sentence(w.Class.Info().Doc)}
	add := func(format string, args ...any) {
		blocks = append(blocks, report.Sentence(fmt.Sprintf(format, args...)))
	}
	if w.Cause >= 0 {
		longer := "computed longer"
		if _, ok := device.StreamOf(t, int(w.Cause)); ok {
			longer = "worked longer or had no work"
		}
		add("%s of it because %s %s, %s because that thread had waited itself", span(w.Direct), name(w.Cause), longer,
			span(w.Indirect()))
	}
	if w.L > 0 {
		add("it made others wait %s later", span(w.L))
	}
	if w.Kind == waits.ToMessage {
		c := &t.Comms
		add("message of %s, tag %d, sent at %s, received at %s", quantity.CountOf(c.Size[w.Ref], "byte"),
			c.Tag[w.Ref],
			quantity.FormatTime(c.Times[prv.LogicalSend][w.Ref], t.Unit, 1),
			quantity.FormatTime(c.Times[prv.PhysicalRecv][w.Ref], t.Unit, 1))
	}
	return blocks
}
