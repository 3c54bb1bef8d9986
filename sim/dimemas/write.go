package dimemas

// Writing .dim traces.

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"

	"pview/prv/parallel"
	"pview/sim"
)

// offsetRoom is the total width of the offset field and the blanks at the end of the header:
// prv2dim leaves room, since it learns the offset last.
const offsetRoom = 15

// WriteProgram writes a program of one application as a .dim trace with the given name.
func WriteProgram(w io.Writer, p *sim.Program, name string) error {
	for i := range p.Threads {
		if p.Threads[i].Handling != nil {
			return fmt.Errorf("a .dim trace has no send modes, requests and wildcards, as thread %s has",
				p.ThreadName(int32(i)))
		}
	}
	return writeDim(w, p, name, func(out *ordered) error {
		texts := make([][]byte, translators)
		return parallel.Each(context.Background(), len(p.Threads), translators, func(worker, i int) error {
			text := out.begin(p, int32(i), texts[worker])
			defer func() { texts[worker] = text.end() }()
			return text.records(&p.Threads[i])
		})
	})
}

// writeDim writes a .dim trace whose records body writes. The header has the length of everything before the offsets,
// at the end. It is written last where w is an empty file; else body runs twice, to measure first.
func writeDim(w io.Writer, p *sim.Program, name string, body func(*ordered) error) error {
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
	write := func(w io.Writer) (*ordered, error) {
		o := &ordered{w: w, offsets: make([]int64, len(p.Threads))}
		o.turn.L = &o.mu
		return o, cmp.Or(body(o), o.err)
	}
	length := int64(0)
	file, patch := w.(io.WriterAt)
	if !patch {
		measured, err := write(io.Discard)
		if err != nil {
			return err
		}
		length = measured.length
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
			fmt.Fprintf(b, ":%d", base+out.offsets[i])
		}
		b.WriteByte('\n')
	}
	if err := b.Flush(); err != nil || !patch {
		return err
	}
	_, err = file.WriteAt(line(out.length), 0)
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

// ordered puts the texts of threads, which several goroutines make, one behind the other.
type ordered struct {
	w       io.Writer
	offsets []int64 // of each thread, from the first one
	length  int64   // written so far

	err error

	mu   sync.Mutex
	turn sync.Cond
	now  int32 // the thread whose turn it is to write
}

// threadText is the text of a thread.
type threadText struct {
	to     *ordered
	p      *sim.Program
	thread int32
	prefix string
	buf    []byte // not written
}

// mostText is the text that a thread keeps while others are written, in bytes.
const mostText = 8 << 20

// begin begins the text of a thread. Texts are begun in order, and end must be called, for the next threads to go on.
func (o *ordered) begin(p *sim.Program, thread int32, buf []byte) *threadText {
	t := 0
	for int32(t+1) < int32(len(p.Tasks)) && p.Tasks[t+1].FirstThread <= thread {
		t++
	}
	return &threadText{o, p, thread, fmt.Sprintf(":%d:%d", t, thread-p.Tasks[t].FirstThread), buf[:0]}
}

// records appends the records of a thread.
func (x *threadText) records(t *sim.Thread) error {
	for row := range t.Len() {
		x.buf = appendRecord(x.buf, x.p, t, row, x.prefix)
		if row&0xfff == 0xfff {
			if err := x.write(mostText); err != nil {
				return err
			}
		}
	}
	return x.write(mostText)
}

// write writes the text when it is the turn of its thread. It waits for that with more than keep bytes.
func (x *threadText) write(keep int) error {
	o := x.to
	o.mu.Lock()
	for o.now != x.thread && len(x.buf) > keep {
		o.turn.Wait()
	}
	mine := o.now == x.thread
	o.mu.Unlock()
	if !mine {
		return nil
	}
	if o.err == nil {
		_, o.err = o.w.Write(x.buf)
	}
	o.length += int64(len(x.buf))
	x.buf = x.buf[:0]
	return o.err
}

// end writes the rest and returns the buffer, for another thread.
func (x *threadText) end() []byte {
	o := x.to
	x.write(-1)
	o.mu.Lock()
	defer o.mu.Unlock()
	o.now++
	if int(o.now) < len(o.offsets) {
		o.offsets[o.now] = o.length
	}
	o.turn.Broadcast()
	return x.buf
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
		b = appendSeconds(append(b, ':'), t.Burst(row))
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

// appendSeconds appends a time in ns as seconds with nine decimals.
func appendSeconds(b []byte, ns float64) []byte {
	n := int64(ns)
	if float64(n) != ns || n < 0 || n >= 1<<50 { // below that a quotient rounds to the digits of n
		return strconv.AppendFloat(b, ns/1e9, 'f', 9, 64)
	}
	b = strconv.AppendInt(b, n/1e9, 10)
	at := len(b)
	b = append(b, ".000000000"...)
	for i, f := len(b)-1, n%1e9; i > at && f > 0; i, f = i-1, f/10 {
		b[i] = byte('0' + f%10)
	}
	return b
}
