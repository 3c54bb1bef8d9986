package dimemas

// Writing .dim traces.

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"pview/prv/parallel"
	"pview/prv/quantity"
	"pview/sim"
)

// offsetRoom is the total width of the offset field and the blanks at the end of the header: prv2dim reserves room,
// since it knows the offset only at the end.
const offsetRoom = 15

// WriteProgram writes a program of one application as a .dim trace with the given name.
func WriteProgram(w io.Writer, p *sim.Program, name string) error {
	for i := range p.Threads {
		if p.Threads[i].Handling != nil {
			return fmt.Errorf("a .dim trace has no send modes, requests and wildcards, as thread %s has",
				p.ThreadName(int32(i)))
		}
	}
	return writeDim(w, p, name, func(out *parallel.Ordered) error {
		texts := make([][]byte, translators)
		return parallel.Each(context.Background(), len(p.Threads), translators, func(worker, i int) error {
			text := newThreadText(out, p, int32(i), texts[worker])
			defer func() { texts[worker] = text.End() }()
			return text.records(&p.Threads[i])
		})
	})
}

// writeDim writes a .dim trace whose records body writes. The header has the length of everything before the offsets,
// at the end. If w is an empty file, the header is written last; otherwise body runs twice, first to measure.
func writeDim(w io.Writer, p *sim.Program, name string, body func(*parallel.Ordered) error) error {
	if len(p.Ptasks) != 1 {
		return fmt.Errorf("a .dim trace holds one application, not %d", len(p.Ptasks))
	}
	head := definitions(p)
	width := len(headerLine(p, name, 0)) - 1 + offsetRoom
	base := int64(width + 1 + len(head))
	line := func(length int64) []byte {
		h := headerLine(p, name, base+length)
		return []byte(h + strings.Repeat(" ", width-len(h)) + "\n")
	}
	write := func(w io.Writer) (*parallel.Ordered, error) {
		o := parallel.NewOrdered(w, len(p.Threads))
		return o, cmp.Or(body(o), o.Err())
	}
	length := int64(0)
	file, patch := w.(io.WriterAt)
	if !patch {
		measured, err := write(io.Discard)
		if err != nil {
			return err
		}
		length = measured.Length
	}
	if _, err := w.Write(append(line(length), head...)); err != nil {
		return err
	}
	out, err := write(w)
	if err != nil {
		return err
	}
	b := bufio.NewWriter(w)
	for ti, t := range p.Tasks {
		fmt.Fprintf(b, "s:%d", ti)
		for i := t.FirstThread; i < t.FirstThread+t.Threads; i++ {
			fmt.Fprintf(b, ":%d", base+out.Begins[i])
		}
		b.WriteByte('\n')
	}
	if err := b.Flush(); err != nil || !patch {
		return err
	}
	_, err = file.WriteAt(line(out.Length), 0)
	return err
}

func headerLine(p *sim.Program, name string, at int64) string {
	b := fmt.Appendf(nil, "#DIMEMAS:\"%s\":1,%d:%d(", quotable(name), at, len(p.Tasks))
	openMP := 0
	for i, t := range p.Tasks {
		if i > 0 {
			b = append(b, ',')
		}
		b = strconv.AppendInt(b, int64(t.Threads), 10)
		if t.OpenMP {
			openMP++
		}
	}
	b = fmt.Appendf(b, "),%d,0,%d", len(p.Communicators), openMP)
	if openMP > 0 {
		separator := byte('(')
		for i, t := range p.Tasks {
			if t.OpenMP {
				b = append(b, separator)
				b = strconv.AppendInt(b, int64(i), 10)
				separator = ','
			}
		}
		b = append(b, ')')
	}
	return string(b)
}

// quotable returns a name without characters that would end the quotes.
func quotable(name string) string {
	b := []byte(name)
	for i, c := range b {
		if c == '"' || c < ' ' {
			b[i] = '_'
		}
	}
	return string(b)
}

func definitions(p *sim.Program) string {
	var b []byte
	for _, c := range p.Communicators {
		b = fmt.Appendf(b, "d:1:%d:%d", c.ID, len(c.Tasks))
		for _, t := range c.Tasks {
			b = fmt.Appendf(b, ":%d", t)
		}
		b = append(b, '\n')
	}
	return string(b)
}

// threadText is the text of a thread.
type threadText struct {
	*parallel.Part
	p      *sim.Program
	prefix string
	heads  [256]eventHead // by a hash of the type, the one used last
}

// eventHead is the text of events of a type up to their values.
type eventHead struct {
	typ  uint32
	text []byte
}

func newThreadText(out *parallel.Ordered, p *sim.Program, thread int32, buf []byte) *threadText {
	next, _ := slices.BinarySearchFunc(p.Tasks, thread, func(t sim.Task, thread int32) int {
		if t.FirstThread <= thread {
			return -1
		}
		return 1
	})
	return &threadText{Part: out.Begin(int(thread), buf), p: p,
		prefix: fmt.Sprintf(":%d:%d", next-1, thread-p.Tasks[next-1].FirstThread)}
}

// records appends the records of a thread.
func (x *threadText) records(t *sim.Thread) error {
	for row := range t.Len() {
		if t.Kind(row) == sim.Event {
			x.event(t.Event(row))
		} else {
			x.Text = appendRecord(x.Text, x.p, t, row, x.prefix)
		}
		if err := x.Pass(); err != nil {
			return err
		}
	}
	return nil
}

// event appends an event. Most records are events of few types.
func (x *threadText) event(typ uint32, value int64) {
	h := &x.heads[typ*0x9e3779b1>>24]
	if h.typ != typ || h.text == nil {
		text := append(append(append(h.text[:0], "20"...), x.prefix...), ':')
		h.typ, h.text = typ, append(strconv.AppendUint(text, uint64(typ), 10), ':')
	}
	x.Text = strconv.AppendUint(append(x.Text, h.text...), uint64(value), 10)
	x.Text = append(x.Text, '\n')
}

// syncs are the synchronism and type digits by kind of record.
var syncs = map[sim.Kind]int64{
	sim.Send: 0, sim.SendRendezvous: 1, sim.Isend: 2, sim.IsendRendezvous: 3,
	sim.Recv: 0, sim.Irecv: 1, sim.Wait: 2,
	sim.CollectiveStart: 0, sim.Collective: 1, sim.CollectiveWait: 2, sim.Reduce: 3,
}

func appendRecord(b []byte, p *sim.Program, t *sim.Thread, row int, prefix string) []byte {
	field := func(v int64) {
		b = append(b, ':')
		b = strconv.AppendInt(b, v, 10)
	}
	start := func(kind string) { b = append(append(b, kind...), prefix...) }
	switch k := t.Kind(row); k {
	case sim.Nop:
		start("0")
	case sim.Compute:
		start("1")
		b = quantity.AppendFixed(append(b, ':'), t.Burst(row)/1e9, 9)
	case sim.IdleOn, sim.IdleOff:
		start("20")
		field(0)
		field(map[bool]int64{true: 1}[k == sim.IdleOn])
	case sim.Send, sim.SendRendezvous, sim.Isend, sim.IsendRendezvous, sim.Recv, sim.Irecv, sim.Wait:
		if k.IsSend() {
			start("2")
		} else {
			start("3")
		}
		m := t.Message(row)
		for _, v := range [...]int64{int64(m.Peer), -1, m.Size, int64(int32(m.Tag)), m.Match, syncs[k]} {
			field(v)
		}
	case sim.Probe, sim.SendPort, sim.RecvPort, sim.Put, sim.Get, sim.Flush, sim.SemaphoreWait, sim.SemaphoreSignal:
		b = appendExtended(b, k, t.Message(row), prefix)
	default:
		start("10")
		c := t.Call(row)
		root := int64(0)
		switch {
		case k == sim.Reduce:
			root = int64(c.RootTask)
		case c.Root:
			root = 1
		}
		for _, v := range [...]int64{int64(c.Op), p.Communicators[c.Communicator].ID, root, 0, c.Sent, c.Received,
			syncs[k]} {
			field(v)
		}
	}
	return append(b, '\n')
}
