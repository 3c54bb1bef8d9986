package semantic

import (
	"fmt"
	"strconv"
	"strings"
)

// Key returns a text that two windows share if and only if they have the same values on every trace: a key for caches.
// The window's own name is not part of it.
func (w *Window) Key() string {
	var b strings.Builder
	w.writeKey(&b)
	return b.String()
}

func (w *Window) writeKey(b *strings.Builder) {
	fmt.Fprintf(b, "%d/%d/%t%t", w.Level, w.Unit, w.HoldState, w.IgnoreFileOrder)
	for _, l := range way(w.Level) {
		writeCall(b, 'f', &w.Functions[l])
		writeCall(b, 'c', &w.Compose[l])
	}
	writeCall(b, '2', &w.Top2)
	writeCall(b, '1', &w.Top1)
	for i := range w.Extra {
		writeCall(b, 'x', &w.Extra[i])
	}
	if d := w.Derived; d != nil {
		writeCall(b, 'd', &d.Op)
		for _, p := range []*Parent{&d.A, &d.B} {
			fmt.Fprintf(b, "|%g>%d@%p(", p.Factor, p.Shift, p.Trace)
			p.Window.writeKey(b)
			b.WriteByte(')')
		}
		return
	}
	b.WriteString(w.Filter.Key())
}

func writeCall(b *strings.Builder, place byte, c *Call) {
	b.WriteByte('|')
	b.WriteByte(place)
	b.WriteString(strconv.Quote(c.Name))
	if c.Expression != "" {
		b.WriteByte('=')
		b.WriteString(strconv.Quote(c.Expression))
	}
	for _, p := range c.Params {
		b.WriteByte('{')
		for _, v := range p {
			b.WriteString(strconv.FormatFloat(v, 'g', -1, 64))
			b.WriteByte(' ')
		}
		b.WriteByte('}')
	}
}
