// Package dimemas reads and writes the files of Dimemas, the simulator of the
// Barcelona Supercomputing Center: traces (.dim) and configurations of machines
// (.cfg) with their scheduler and communications files; and it makes a program from a
// Paraver trace, as its translator prv2dim does.
package dimemas

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"

	"github.com/klauspost/compress/gzip"
	"pview/prv"
	"pview/sim"
)

// OpenProgram reads a .dim trace, compressed or not, and links it. progress, which may be nil, is called with the bytes
// read and the size of the file. memory bounds the memory of the program, in bytes; 0: no limit. The error is a
// *prv.FileError that names file, line and reason, or ctx.Err().
func OpenProgram(ctx context.Context, path string, memory int64, progress func(done, total int64)) (*sim.Program,
	error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, openError(path, err)
	}
	defer f.Close()
	src := &meter{r: f, progress: progress}
	if info, err := f.Stat(); err == nil {
		src.total = info.Size()
	}
	head := bufio.NewReaderSize(src, 1<<16)
	if magic, _ := head.Peek(2); len(magic) == 2 && magic[0] == 0x1f && magic[1] == 0x8b {
		z, err := gzip.NewReader(head)
		if err != nil {
			return nil, &prv.FileError{File: path, Why: "not a gzip file: " + err.Error(), Err: err}
		}
		return readProgram(ctx, z, path, memory)
	}
	if p, err := readParts(ctx, f, src, path, memory); p != nil || ctx.Err() != nil {
		return p, err
	}
	return readProgram(ctx, head, path, memory)
}

func openError(path string, err error) error {
	why := err.Error()
	var pe *fs.PathError
	if errors.As(err, &pe) {
		why = pe.Err.Error()
	}
	return &prv.FileError{File: path, Why: why, Err: err}
}

// meter counts the bytes read.
type meter struct {
	r           io.Reader
	done, total int64
	progress    func(done, total int64)
}

func (m *meter) Read(b []byte) (int, error) {
	n, err := m.r.Read(b)
	m.done += int64(n)
	if m.progress != nil {
		m.progress(m.done, m.total)
	}
	return n, err
}

// maxThreads bounds the threads that the header of a .dim may claim.
const maxThreads = 1 << 20

// readProgram reads a .dim trace and links it; errors refer to it by name.
func readProgram(ctx context.Context, r io.Reader, name string, memory int64) (*sim.Program, error) {
	size := programSize{name: name, limit: memory}
	d := newDimReader(ctx, r, name)
	if err := d.readLines(func() error { return size.checkAll(d.p, d.thread) }); err != nil {
		return nil, err
	}
	if !d.header {
		return nil, d.fail("not a Dimemas trace: it is empty")
	}
	d.endThread()
	if err := cmp.Or(d.err, size.checkAll(d.p, nil)); err != nil {
		return nil, err
	}
	return d.link()
}

// link links the program.
func (d *dimReader) link() (*sim.Program, error) {
	if err := d.p.LinkContext(d.ctx); err != nil {
		return nil, cmp.Or[error](d.ctx.Err(), &prv.FileError{File: d.name, Why: err.Error(), Err: err})
	}
	return d.p, nil
}

// readLines takes lines up to the end, or to the first record of a reader that stops there. check is called now and
// then.
func (d *dimReader) readLines(check func() error) error {
	for {
		if d.owner != nil && !d.over {
			d.plainRecords()
		}
		line, err := d.readLine()
		if err != nil && err != io.EOF {
			return d.fail("cannot be read: %v", err)
		}
		if len(line) == 0 && err == io.EOF {
			return nil
		}
		if d.line-d.looked >= 1<<16 {
			d.looked = d.line
			if err := cmp.Or(d.ctx.Err(), check()); err != nil {
				return err
			}
		}
		if d.stops && d.header && line[0]-'0' < 10 {
			return nil
		}
		if why := d.take(line); why != "" {
			return d.fail("%s", why)
		}
		if d.err != nil {
			return d.err
		}
		d.at = d.next
	}
}

// dimReader is the state of reading a .dim.
type dimReader struct {
	name          string
	in            *bufio.Reader
	long          []byte // a line longer than the buffer
	line, looked  int64  // the current line, and the line of the last check of context and memory
	header        bool
	records       bool   // the first record was seen
	over          bool   // the offsets have been reached
	offsets       int64  // where they begin, by the header; 0: none
	at, next      int64  // start of a line, and of the next
	stops         bool   // at the first record
	alone         bool   // all records belong to the thread last
	owner         []byte // ":TASK:THREAD:" of the thread last, once it has a record
	p             *sim.Program
	communicators map[int64]int32 // row by id
	last          int32           // thread of the previous record
	thread        *sim.Thread     // its records, packed when they are complete
	packer        sim.Packer
	ctx           context.Context
	err           error // ctx's error
	f             fields
}

func newDimReader(ctx context.Context, r io.Reader, name string) *dimReader {
	return &dimReader{ctx: ctx, name: name, in: bufio.NewReaderSize(r, 1<<20), p: &sim.Program{},
		communicators: map[int64]int32{}, last: -1, thread: &sim.Thread{}}
}

func (d *dimReader) fail(format string, args ...any) error {
	return &prv.FileError{File: d.name, Line: d.line, Why: fmt.Sprintf(format, args...)}
}

// maxLine bounds a line: the header lists every task.
const maxLine = 64 << 20

func (d *dimReader) readLine() ([]byte, error) {
	d.line++
	d.long = d.long[:0]
	for {
		part, err := d.in.ReadSlice('\n')
		d.next += int64(len(part))
		if err == bufio.ErrBufferFull {
			if d.long = append(d.long, part...); len(d.long) > maxLine {
				return nil, fmt.Errorf("a line of more than %d bytes", maxLine)
			}
			continue
		}
		if len(d.long) > 0 {
			part = append(d.long, part...)
			d.long = part
		}
		end := len(part)
		for len(part) > 0 && (part[len(part)-1] == '\n' || part[len(part)-1] == '\r') {
			part = part[:len(part)-1]
		}
		if err == io.EOF && end > 0 {
			err = nil
		}
		if len(part) == 0 && err == nil { // a blank line is not the end
			part = blank
		}
		return part, err
	}
}

var blank = []byte(" ")

// take reads a line; it returns the reason if it is malformed.
func (d *dimReader) take(line []byte) string {
	if !d.header {
		d.header = true
		return d.readHeader(line)
	}
	if len(line) == 1 && line[0] == ' ' || d.over {
		return ""
	}
	switch line[0] {
	case 'd':
		if d.records {
			return "a definition after the first record"
		}
		d.definition(line)
		return ""
	case 's':
		d.over = true
		return ""
	}
	d.records = true
	return d.record(line)
}

// record takes KIND:TASK:THREAD:fields.
func (d *dimReader) record(line []byte) string {
	f := &d.f
	f.split(line)
	kind, ok1 := f.int(0)
	task, ok2 := f.int(1)
	thread, ok3 := f.int(2)
	if !ok1 || !ok2 || !ok3 {
		return "a record begins with kind, task and thread"
	}
	if task < 0 || task >= int64(len(d.p.Tasks)) {
		return fmt.Sprintf("there is no task %d", task)
	}
	t := &d.p.Tasks[task]
	if thread < 0 || thread >= int64(t.Threads) {
		return fmt.Sprintf("task %d has no thread %d", task, thread)
	}
	if i := t.FirstThread + int32(thread); i != d.last {
		if d.alone {
			return "a record of another thread"
		}
		if d.p.Threads[i].Len() > 0 {
			return fmt.Sprintf("the records of task %d, thread %d do not stand together", task, thread)
		}
		d.endThread()
		d.last, d.owner = i, nil
	}
	if d.owner == nil {
		d.owner = fmt.Appendf(nil, ":%d:%d:", task, thread)
	}
	switch kind {
	case 0:
		d.thread.AddNop()
		return ""
	case 1:
		return d.burst()
	case 2:
		return d.send()
	case 3:
		return d.receive()
	case 10:
		return d.collective()
	case 11:
		return "computation on an accelerator is not simulated yet"
	case 20:
		return d.event()
	}
	return d.extended(kind)
}

// endThread packs the records of a thread.
func (d *dimReader) endThread() {
	if d.last >= 0 {
		d.p.Threads[d.last], d.err = d.packer.Pack(d.ctx, d.thread)
		d.thread.Reset()
	}
}

func (d *dimReader) burst() string {
	if d.f.n != 4 {
		return "a burst has one field, its seconds"
	}
	return d.addBurst(d.f.text(3))
}

// addBurst appends a burst of seconds written as a decimal number.
func (d *dimReader) addBurst(text []byte) string {
	seconds, ok := decimal(text)
	if !ok {
		return "a burst has one field, its seconds"
	}
	ns := seconds * 1e9
	if !(ns >= 0) || math.IsInf(ns, 0) {
		return fmt.Sprintf("a burst of %g s", seconds)
	}
	d.thread.AddCompute(ns)
	return ""
}

// message reads partner, thread (which may be missing), size, tag, match and the last field of a send or receive.
func (d *dimReader) message() (peer, size, tag, match, last int64, why string) {
	f := &d.f
	first := 5
	switch f.n {
	case 8:
		first = 4
	case 9:
	default:
		return 0, 0, 0, 0, 0, fmt.Sprintf("%d fields, not 9 (or 8 without a thread)", f.n)
	}
	var v [4]int64
	for i := range v {
		x, ok := f.int(first + i)
		if !ok {
			return 0, 0, 0, 0, 0, fmt.Sprintf("field %d is not a number", first+i+1)
		}
		v[i] = x
	}
	peer, ok := f.int(3)
	if !ok {
		return 0, 0, 0, 0, 0, "the partner is not a number"
	}
	if first == 5 {
		if th, ok := f.int(4); !ok || th != -1 && th != -2 {
			return 0, 0, 0, 0, 0, "messages to a certain thread (accelerator streams) are not simulated yet"
		}
	}
	return peer, v[0], v[1], v[2], v[3], ""
}

// sendKinds by the synchronism of the record: bit 0 is rendezvous, bit 1 immediate.
var sendKinds = [4]sim.Kind{sim.Send, sim.SendRendezvous, sim.Isend, sim.IsendRendezvous}

var receiveKinds = [3]sim.Kind{sim.Recv, sim.Irecv, sim.Wait}

func (d *dimReader) send() string {
	peer, size, tag, match, sync, why := d.message()
	if why == "" {
		why = d.addMessage(sendKinds[:], "synchronism", peer, size, tag, match, sync)
	}
	if why != "" {
		return "send: " + why
	}
	return ""
}

func (d *dimReader) receive() string {
	peer, size, tag, match, kind, why := d.message()
	if why == "" {
		why = d.addMessage(receiveKinds[:], "its type", peer, size, tag, match, kind)
	}
	if why != "" {
		return "receive: " + why
	}
	return ""
}

// addMessage appends a send or a receive, whose kind depends on its last field, called name.
func (d *dimReader) addMessage(kinds []sim.Kind, name string, peer, size, tag, match, last int64) string {
	switch {
	case peer < 0 || peer >= int64(len(d.p.Tasks)):
		return fmt.Sprintf("there is no task %d to send to or to receive from", peer)
	case size < 0:
		return fmt.Sprintf("a message of %d bytes", size)
	case last < 0 || last >= int64(len(kinds)):
		return fmt.Sprintf("%s is 0 to %d, not %d", name, len(kinds)-1, last)
	}
	d.thread.AddMessage(kinds[last], sim.Message{Peer: int32(peer), Size: size, Tag: tag, Match: match})
	return ""
}

var collectiveKinds = [4]sim.Kind{sim.CollectiveStart, sim.Collective, sim.CollectiveWait, sim.Reduce}

// collective takes OP:COMM:ROOT:ROOTTH:SENT:RECEIVED[:SYNC].
func (d *dimReader) collective() string {
	f := &d.f
	if f.n != 9 && f.n != 10 {
		return fmt.Sprintf("collective operation: %d fields, not 9 or 10", f.n)
	}
	v := [7]int64{6: 1}
	for i := 0; i < f.n-3; i++ {
		x, ok := f.int(3 + i)
		if !ok {
			return fmt.Sprintf("collective operation: field %d is not a number", 4+i)
		}
		v[i] = x
	}
	op, comm, root, sent, received, sync := v[0], v[1], v[2], v[4], v[5], v[6]
	if comm <= 0 { // synchronisation with an accelerator in older traces
		d.thread.AddNop()
		return ""
	}
	row, ok := d.communicators[comm]
	switch {
	case op < 0 || op >= int64(len(sim.Collectives)):
		return fmt.Sprintf("there is no collective operation %d", op)
	case !ok:
		return fmt.Sprintf("collective operation on communicator %d, which is not defined", comm)
	case sync < 0 || sync > 3:
		return fmt.Sprintf("collective operation: synchronism is 0 to 3, not %d", sync)
	case sent < 0 || received < 0:
		return "collective operation: a negative size"
	}
	c := sim.CollectiveCall{Communicator: row, Op: sim.CollectiveOp(op), Root: root == 1 && sync != 3, Sent: sent,
		Received: received}
	if sync == 3 {
		if root < 0 || root >= int64(len(d.p.Tasks)) {
			return fmt.Sprintf("reduce: there is no task %d to be its root", root)
		}
		c.RootTask = int32(root)
	}
	d.thread.AddCollective(collectiveKinds[sync], c)
	return ""
}

// event takes TYPE:VALUE; type 0 begins and ends an idle block.
func (d *dimReader) event() string {
	f := &d.f
	if f.n != 5 {
		return fmt.Sprintf("event: %d fields, not 5", f.n)
	}
	typ, ok1 := f.int(3)
	value, ok2 := f.value(4)
	if !ok1 || !ok2 {
		return "event: type and value are numbers"
	}
	return d.addEvent(typ, value)
}

// addEvent appends an event, or the start or the end of an idle block.
func (d *dimReader) addEvent(typ, value int64) string {
	switch {
	case typ == 0:
		d.thread.AddIdle(value != 0)
	case typ < 0 || typ > math.MaxUint32:
		return fmt.Sprintf("event: type %d", typ)
	default:
		d.thread.AddEvent(uint32(typ), value)
	}
	return ""
}
