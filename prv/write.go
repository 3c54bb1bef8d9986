package prv

// Writing a trace as Paraver's .prv, .pcf and .row.
//
// The records of the threads are merged by time while they are written: each thread's columns are already sorted, so a
// heap with one entry per thread is enough, and nothing is sorted or copied. A message is placed at its physical send,
// as in Extrae's merger.
//
// The written file reads back as an equal trace (see Equal), for three reasons: the pairs of an event line stay on one
// line; states that were not in time order in their file are written in the file's order (States.FileOrder); and
// messages are written in the order of the table, whatever their times, because the table is in file order, each after
// the same number of event lines as in its file (Comms.EventLines). If states or messages are not in time order, the
// written file is not, either, like the original.

import (
	"pview/prv/model"

	"bufio"
	"cmp"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"math/bits"
	"slices"
	"strings"
)

// Write writes the header and the records of a trace in the .prv format. It stops if ctx ends.
func Write(ctx context.Context, w io.Writer, t *Trace) error {
	e, err := NewEncoder(ctx, w, Header{
		Date: t.Date, Unit: t.Unit, End: t.HeaderEnd, Resources: t.Resources, Communicators: t.Communicators,
	})
	if err != nil {
		return err
	}
	for _, c := range t.Comments {
		e.Comment(c)
	}
	m := newMerge(t)
	for m.step(e) && e.err == nil {
	}
	return e.Flush()
}

// Encoder writes a .prv record by record, in the given order, for producers of more records than a Trace can hold. It
// has the methods and preconditions of a Builder, but does not check the latter. Flush returns the first error.
type Encoder struct {
	lineBuffer
	objects []byte   // ":ptask:task:thread:" of all threads
	object  []uint32 // start of each thread's object, and end of the last
}

// NewEncoder writes the header of a trace. Writing stops when ctx ends.
func NewEncoder(ctx context.Context, w io.Writer, h Header) (*Encoder, error) {
	if err := checkWritable(&h); err != nil {
		return nil, err
	}
	e := &Encoder{}
	e.formatObjects(&h.Resources)
	e.ctx, e.w, e.buf = ctx, w, make([]byte, 0, lineBufferSize)
	e.header(&h)
	return e, e.err
}

// formatObjects formats the object fields of the threads, which are a third of most records.
func (e *Encoder) formatObjects(r *Resources) {
	n := r.NumThreads()
	b := &lineBuffer{buf: make([]byte, 0, 12*n)}
	e.object = make([]uint32, 0, n+1)
	for i := range int32(n) {
		e.object = append(e.object, uint32(len(b.buf)))
		p, task, th := r.ThreadID(i)
		b.buf = slices.Grow(b.buf, lineRoom)
		b.colonInt(int64(p))
		b.colonInt(int64(task))
		b.colonInt(int64(th))
		b.buf = append(b.buf, ':')
	}
	e.objects, e.object = b.buf, append(e.object, uint32(len(b.buf)))
}

// objectFields returns ":ptask:task:thread:".
func (e *Encoder) objectFields(thread int32) []byte {
	return e.objects[e.object[thread]:e.object[thread+1]]
}

// record begins a record: "kind:cpu:ptask:task:thread:".
func (e *Encoder) record(kind byte, cpu, thread int32) {
	e.buf = append(e.buf, kind)
	e.colonInt(int64(cpu))
	e.buf = append(e.buf, e.objectFields(thread)...)
}

// Flush writes out the buffer and returns the first error so far.
func (e *Encoder) Flush() error {
	e.flush()
	return e.err
}

// Err returns the first error so far; anything written after it is lost.
func (e *Encoder) Err() error { return e.err }

// Comment writes a comment line, which must begin with #.
func (e *Encoder) Comment(text string) {
	if !strings.HasPrefix(text, "#") || !isOneLine(text) {
		e.err = cmp.Or(e.err, fmt.Errorf("writing a trace: %s is not a comment line", model.Quote(text)))
		return
	}
	e.text(text)
	e.endLine()
}

// State writes a state record.
func (e *Encoder) State(thread, cpu int32, begin, end int64, value uint32) {
	e.record('1', cpu, thread)
	e.int(begin)
	e.colonInt(end)
	e.colonInt(int64(value))
	e.endLine()
}

// Event writes a line of events.
func (e *Encoder) Event(thread, cpu int32, time int64, pairs ...Pair) {
	if len(pairs) == 0 {
		return
	}
	e.record('2', cpu, thread)
	e.int(time)
	for _, p := range pairs {
		e.typeField(p.Type)
		e.int(p.Value)
		e.room()
	}
	e.endLine()
}

// Comm writes a communication.
func (e *Encoder) Comm(c Comm) {
	e.record('3', c.SendCPU, c.Send)
	e.int(c.Times[LogicalSend])
	e.colonInt(c.Times[PhysicalSend])
	e.colonInt(int64(c.RecvCPU))
	e.buf = append(e.buf, e.objectFields(c.Recv)...)
	e.int(c.Times[LogicalRecv])
	e.colonInt(c.Times[PhysicalRecv])
	e.colonInt(c.Size)
	e.colonInt(c.Tag)
	e.endLine()
}

// checkWritable reports headers that would make the file unreadable. Headers that were read are always writable; those
// made by code may not be.
func checkWritable(h *Header) error {
	for _, c := range h.Communicators {
		if c.Text == "" || !strings.ContainsAny(c.Text[:1], "cCiI") || !isOneLine(c.Text) {
			return fmt.Errorf("writing a trace: %s is not a communicator line", model.Quote(c.Text))
		}
	}
	if strings.ContainsAny(h.Date, ")\n") {
		return fmt.Errorf("writing a trace: a header cannot have the date %s", model.Quote(h.Date))
	}
	return nil
}

// isOneLine reports whether text, followed by a line end, reads back unchanged.
func isOneLine(s string) bool {
	return !strings.Contains(s, "\n") && !strings.HasSuffix(s, "\r")
}

// header writes the header and the communicators.
func (b *lineBuffer) header(h *Header) {
	b.text("#Paraver (")
	b.text(h.Date)
	b.text("):")
	b.int(h.End)
	if h.Unit != Microseconds { // Paraver cannot write other suffixes; no suffix means microseconds
		b.text("_")
		b.text(h.Unit.String())
	}
	b.text(":")
	b.resources(&h.Resources)
	if n := len(h.Communicators); n > 0 {
		b.text(",")
		b.int(int64(n))
	}
	b.endLine()
	for _, c := range h.Communicators {
		b.text(c.Text)
		b.endLine()
	}
}

// resources writes "nodes:ptasks:ptask,ptask..." of the header.
func (b *lineBuffer) resources(r *Resources) {
	b.int(int64(len(r.Nodes)))
	for i, n := range r.Nodes {
		b.separator(i, "(")
		b.int(int64(n.CPUs))
	}
	if len(r.Nodes) > 0 {
		b.text(")")
	}
	b.text(":")
	b.int(int64(len(r.Ptasks)))
	for k, p := range r.Ptasks {
		b.separator(k, ":")
		b.int(int64(p.Tasks))
		for i, t := range r.Tasks[p.FirstTask : p.FirstTask+p.Tasks] {
			b.separator(i, "(")
			b.int(int64(t.Threads))
			b.text(":")
			b.int(int64(t.Node) + 1)
		}
		b.text(")")
	}
}

// separator writes first before item 0 of a list, a comma before the others.
func (b *lineBuffer) separator(i int, first string) {
	if i == 0 {
		b.text(first)
		return
	}
	b.text(",")
	b.room()
}

// merge walks the records of all threads in time order.
type merge struct {
	t       *Trace
	threads []cursor
	heap    []source // by time and thread
	comm    int      // next communication
	lines   int64    // event lines written so far
	// before has, for each communication, the number of event lines before it; nil if the trace's file is unknown.
	before []int64
}

// cursor is the progress of writing a thread's records.
type cursor struct {
	state, event int     // next records
	order        []int32 // states in file order; nil if the column is in that order
}

// source is a thread with the time of its next record.
type source struct {
	time int64
	num  int32
}

func newMerge(t *Trace) *merge {
	n := len(t.Threads)
	m := &merge{t: t, threads: make([]cursor, n), heap: make([]source, 0, n), before: t.Comms.Ordinals()}
	for i := range m.before {
		m.before[i] -= int64(i) + 1
	}
	for i := range n {
		m.threads[i].order = model.Inverse(t.Threads[i].States.FileOrder)
		if time, ok := m.threads[i].time(&t.Threads[i]); ok {
			m.heap = append(m.heap, source{time, int32(i)})
		}
	}
	slices.SortFunc(m.heap, func(a, b source) int {
		return cmp.Or(cmp.Compare(a.time, b.time), cmp.Compare(a.num, b.num))
	})
	return m
}

// nextState returns the row of the next state.
func (c *cursor) nextState() int {
	if c.order != nil {
		return int(c.order[c.state])
	}
	return c.state
}

// time returns the time of the next record of thread th; ok is false at the end.
func (c *cursor) time(th *Thread) (time int64, ok bool) {
	states, events := c.state < th.States.Len(), c.event < th.Events.Len()
	switch {
	case states && events:
		return min(th.States.Begin[c.nextState()], th.Events.Time[c.event]), true
	case states:
		return th.States.Begin[c.nextState()], true
	case events:
		return th.Events.Time[c.event], true
	}
	return 0, false
}

// step writes the next record: if a thread has a state and an event at the same time, the state first. It returns false
// at the end.
func (m *merge) step(e *Encoder) bool {
	if m.commIsNext() {
		m.writeComm(e, m.comm)
		m.comm++
		return true
	}
	if len(m.heap) == 0 {
		return false
	}
	num := m.heap[0].num
	c, th := &m.threads[num], &m.t.Threads[num]
	if m.stateIsNext() {
		m.writeState(e, num, c.nextState())
		c.state++
	} else {
		c.event = m.writeEvents(e, num, c.event)
		m.lines++
	}
	if time, ok := c.time(th); ok {
		m.replace(time)
	} else {
		m.remove()
	}
	return true
}

// stateIsNext reports whether the first thread's next record is a state.
func (m *merge) stateIsNext() bool {
	c, th := &m.threads[m.heap[0].num], &m.t.Threads[m.heap[0].num]
	return c.state < th.States.Len() && th.States.Begin[c.nextState()] <= m.heap[0].time
}

// commIsNext reports whether a communication comes before all remaining records: it comes after the other records of
// its instant, or after as many event lines as in the trace's file.
func (m *merge) commIsNext() bool {
	switch {
	case m.comm == m.t.Comms.Len():
		return false
	case len(m.heap) == 0 || m.before == nil && m.heap[0].time > m.t.Comms.Times[PhysicalSend][m.comm]:
		return true
	case m.before == nil || m.lines < m.before[m.comm]:
		return false
	}
	return m.heap[0].time > m.t.Comms.Times[PhysicalSend][m.comm] || !m.stateIsNext()
}

// replace gives the first source a new time and restores the order of the heap.
func (m *merge) replace(time int64) {
	m.heap[0].time = time
	m.siftDown()
}

// remove drops the first source.
func (m *merge) remove() {
	last := len(m.heap) - 1
	m.heap[0] = m.heap[last]
	m.heap = m.heap[:last]
	m.siftDown()
}

func (m *merge) siftDown() {
	h := m.heap
	for i := 0; ; {
		c := 2*i + 1
		if c >= len(h) {
			return
		}
		if c+1 < len(h) && h[c+1].before(h[c]) {
			c++
		}
		if !h[c].before(h[i]) {
			return
		}
		h[i], h[c] = h[c], h[i]
		i = c
	}
}

func (s source) before(o source) bool {
	return s.time < o.time || s.time == o.time && s.num < o.num
}

func (m *merge) writeState(e *Encoder, thread int32, i int) {
	th := &m.t.Threads[thread]
	e.State(thread, th.StateCPU(i), th.States.Begin[i], th.States.End[i], th.States.Value[i])
}

// writeEvents writes the line of events that begins at row i and returns the row where the next line begins.
func (m *merge) writeEvents(e *Encoder, thread int32, i int) int {
	th := &m.t.Threads[thread]
	c, time, cpu := &th.Events, th.Events.Time[i], th.EventCPU(i)
	e.record('2', cpu, thread)
	e.int(time)
	for {
		e.typeField(c.Type[i])
		e.int(c.Value.At(i))
		i++
		if i == c.Len() || c.Lines.Has(i) || c.Time[i] != time || th.EventCPU(i) != cpu {
			e.endLine()
			return i
		}
		e.room()
	}
}

func (m *merge) writeComm(e *Encoder, i int) {
	c := &m.t.Comms
	e.Comm(Comm{
		Send: c.Send[i], Recv: c.Recv[i], SendCPU: m.t.CommCPU(i, LogicalSend), RecvCPU: m.t.CommCPU(i, LogicalRecv),
		Times: [4]int64{c.Times[0][i], c.Times[1][i], c.Times[2][i], c.Times[3][i]}, Size: c.Size[i], Tag: c.Tag[i],
	})
}

// lineBuffer formats records into a large buffer. Formatting is most of the cost of writing a trace, so digits are
// written in place, and room is reserved once per record, not per field.
type lineBuffer struct {
	ctx context.Context // checked when the buffer is written out
	w   io.Writer
	buf []byte
	err error

	types [256]typeText
}

const (
	lineBufferSize = 256 << 10
	// lineRoom is the room kept free for the next fields: a communication has two objects of at most 36 characters and
	// ten numbers of at most 21.
	lineRoom = 512
)

// room writes the buffer out if it has no room for another record, or another pair of an event line.
func (b *lineBuffer) room() {
	if cap(b.buf)-len(b.buf) < lineRoom {
		b.flush()
	}
}

func (b *lineBuffer) flush() {
	if b.err == nil {
		b.err = b.ctx.Err()
	}
	if b.err == nil && len(b.buf) > 0 {
		_, b.err = b.w.Write(b.buf)
	}
	b.buf = b.buf[:0]
}

func (b *lineBuffer) endLine() {
	b.buf = append(b.buf, '\n')
	b.room()
}

// text appends text of any length.
func (b *lineBuffer) text(s string) {
	for len(s) > lineRoom/2 {
		b.buf = append(b.buf, s[:lineRoom/2]...)
		s = s[lineRoom/2:]
		b.room()
	}
	b.buf = append(b.buf, s...)
	b.room()
}

func (b *lineBuffer) colonInt(v int64) {
	b.buf = append(b.buf, ':')
	b.int(v)
}

// int appends a number in decimal. The buffer must have room.
func (b *lineBuffer) int(v int64) {
	u := uint64(v)
	if v < 0 {
		b.buf = append(b.buf, '-')
		u = -u
	}
	end := len(b.buf) + decimalDigits(u)
	b.buf = b.buf[:end]
	for u >= 100 {
		q := u / 100
		end -= 2
		binary.LittleEndian.PutUint16(b.buf[end:], digitPairs[u-q*100])
		u = q
	}
	if u >= 10 {
		binary.LittleEndian.PutUint16(b.buf[end-2:], digitPairs[u])
	} else {
		b.buf[end-1] = byte('0' + u)
	}
}

// decimalDigits returns the number of digits of u.
func decimalDigits(u uint64) int {
	// 1233/4096 approximates log10(2) from above: exact enough for 64 bits.
	n := bits.Len64(u) * 1233 >> 12
	if u < powersOf10[n] {
		return max(n, 1)
	}
	return n + 1
}

var powersOf10 = func() (p [20]uint64) {
	v := uint64(1)
	for i := range p {
		p[i] = v
		v *= 10
	}
	return p
}()

// digitPairs are the numbers 0 to 99 as two digits, the first in the low byte.
var digitPairs = func() (p [128]uint16) {
	for i := range uint16(100) {
		p[i] = '0' + i/10 | ('0'+i%10)<<8
	}
	return p
}()

// typeText is a formatted event type.
type typeText struct {
	typ  uint32
	len  uint8 // 0: empty
	text [16]byte
}

// typeField appends ":type:". Types are few and repeat, so formatted ones are kept.
func (b *lineBuffer) typeField(t uint32) {
	c := &b.types[t*2654435769>>24] // Knuth's multiplicative hash
	if c.typ != t || c.len == 0 {
		at := len(b.buf)
		b.colonInt(int64(t))
		b.buf = append(b.buf, ':')
		c.typ, c.len = t, uint8(copy(c.text[:], b.buf[at:]))
		return
	}
	at := len(b.buf)
	b.buf = append(b.buf, c.text[:]...)[:at+int(c.len)]
}

// WriteLabels writes labels in the .pcf format.
func WriteLabels(w io.Writer, l *Labels) error {
	b := bufio.NewWriter(w)
	writeSection(b, "DEFAULT_OPTIONS", l.Options, settingLine)
	writeSection(b, "DEFAULT_SEMANTIC", l.Semantic, settingLine)
	writeSection(b, "STATES", l.States, valueLine)
	writeSection(b, "STATES_COLOR", l.Colors, colorLine)
	writeTypes(b, l.Types)
	writeSection(b, "GRADIENT_COLOR", l.Gradient, colorLine)
	writeSection(b, "GRADIENT_NAMES", l.Gradients, valueLine)
	for _, s := range l.Other {
		fmt.Fprintf(b, "%s\n", s.Name)
		for _, line := range s.Lines {
			fmt.Fprintf(b, "%s\n", line)
		}
		b.WriteString("\n\n")
	}
	return b.Flush()
}

// writeSection writes a section of a .pcf: a line per entry; nothing if there are no entries.
func writeSection[E any](b *bufio.Writer, name string, list []E, line func(e E) string) {
	if len(list) == 0 {
		return
	}
	fmt.Fprintf(b, "%s\n", name)
	for _, e := range list {
		fmt.Fprintf(b, "%s\n", line(e))
	}
	b.WriteString("\n\n")
}

func settingLine(s Setting) string { return fmt.Sprintf("%-19s %s", s.Name, s.Value) }

func valueLine(v ValueLabel) string { return fmt.Sprintf("%d    %s", v.Value, v.Label) }

func colorLine(c ColorEntry) string {
	return fmt.Sprintf("%d    {%d,%d,%d}", c.Value, c.Color.R, c.Color.G, c.Color.B)
}

// writeTypes writes the event types; adjacent types with the same section, value labels and precision share a section.
func writeTypes(b *bufio.Writer, types []EventType) {
	for len(types) > 0 {
		first := &types[0]
		n := 1
		for n < len(types) && types[n].SharesSection(first) {
			n++
		}
		b.WriteString("EVENT_TYPE\n")
		for i := range types[:n] {
			fmt.Fprintf(b, "%d    %d    %s\n", types[i].Gradient, types[i].Type, types[i].Label)
		}
		if len(first.Values) > 0 {
			b.WriteString("VALUES\n")
			for _, v := range first.Values {
				fmt.Fprintf(b, "%d      %s\n", v.Value, v.Label)
			}
		}
		if first.Precision != 0 {
			fmt.Fprintf(b, "PRECISION %d\n", first.Precision)
		}
		b.WriteString("\n\n")
		types = types[n:]
	}
}

// WriteNames writes names in the .row format.
func WriteNames(w io.Writer, n *Names) error {
	b := bufio.NewWriter(w)
	for _, l := range []Level{LevelCPU, LevelNode, LevelSystem, LevelThread, LevelTask, LevelPtask, LevelWorkload} {
		names := withoutBlankEnd(n.Levels[l])
		if len(names) == 0 {
			continue
		}
		fmt.Fprintf(b, "LEVEL %s SIZE %d\n", model.RowName(l), len(names))
		for _, name := range names {
			fmt.Fprintf(b, "%s\n", model.Clean(name))
		}
		b.WriteString("\n")
	}
	return b.Flush()
}

// withoutBlankEnd returns names without blank names at the end.
func withoutBlankEnd(names []string) []string {
	n := len(names)
	for n > 0 && model.CleanLabel(names[n-1]) == "" {
		n--
	}
	return names[:n]
}
