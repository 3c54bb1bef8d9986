package dimemas

// Writing .dim traces.

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"

	"pview/sim"
)

// offsetRoom is the total width of the offset field and the blanks at the end of the header:
// prv2dim leaves room, since it learns the offset last.
const offsetRoom = 15

// WriteProgram writes a program of one application as a .dim trace with the given name.
func WriteProgram(w io.Writer, p *sim.Program, name string) error {
	if len(p.Ptasks) != 1 {
		return fmt.Errorf("a .dim trace holds one application, not %d", len(p.Ptasks))
	}
	for i := range p.Threads {
		if p.Threads[i].Handling != nil {
			return fmt.Errorf("a .dim trace has no send modes, requests and wildcards, as thread %s has",
				p.ThreadName(int32(i)))
		}
	}
	// The offset field holds the length of everything before the offsets, so all is measured
	// first.
	measured := &countingWriter{}
	offsets := make([]int64, len(p.Threads))
	head := definitions(p)
	if err := writeBody(measured, p, offsets); err != nil {
		return err
	}
	width := len(headerLine(p, name, 0)) - 1 + offsetRoom
	line := headerLine(p, name, int64(width+1+len(head))+measured.n)
	line += strings.Repeat(" ", width-len(line))
	b := bufio.NewWriterSize(w, 1<<20)
	b.WriteString(line + "\n" + head)
	if err := writeBody(b, p, nil); err != nil {
		return err
	}
	base := int64(len(line) + 1 + len(head))
	for ti, t := range p.Tasks {
		fmt.Fprintf(b, "s:%d", ti)
		for i := t.FirstThread; i < t.FirstThread+t.Threads; i++ {
			fmt.Fprintf(b, ":%d", base+offsets[i])
		}
		b.WriteByte('\n')
	}
	return b.Flush()
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

// quotable is a name without characters that would end it.
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

type countingWriter struct{ n int64 }

func (c *countingWriter) Write(b []byte) (int, error) {
	c.n += int64(len(b))
	return len(b), nil
}

// writeBody writes the records; offsets, if not nil, gets the begin of each thread.
func writeBody(w io.Writer, p *sim.Program, offsets []int64) error {
	var buf []byte
	at := int64(0)
	for ti, task := range p.Tasks {
		for i := task.FirstThread; i < task.FirstThread+task.Threads; i++ {
			if offsets != nil {
				offsets[i] = at
			}
			prefix := fmt.Sprintf(":%d:%d", ti, i-task.FirstThread)
			t := &p.Threads[i]
			for row := range t.Len() {
				buf = appendRecord(buf, p, t, row, prefix)
				if len(buf) > 1<<16 {
					at += int64(len(buf))
					if _, err := w.Write(buf); err != nil {
						return err
					}
					buf = buf[:0]
				}
			}
			at += int64(len(buf))
			if _, err := w.Write(buf); err != nil {
				return err
			}
			buf = buf[:0]
		}
	}
	return nil
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
		b = append(b, ':')
		b = strconv.AppendFloat(b, t.Burst(row)/1e9, 'f', 9, 64)
	case sim.Event:
		start("20")
		typ, value := t.Event(row)
		field(int64(typ))
		b = append(b, ':')
		b = strconv.AppendUint(b, uint64(value), 10)
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
