package index

// Contents of an index besides the columns that the parser fills: columns for other readers, names, metadata.

import (
	"context"
	"os"
	"pview/prv/exact"
	"pview/prv/mapped"
	"pview/prv/model"
	"strings"
	"unsafe"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/arrow/memory"
)

// derive fills the columns, and parts of columns, that the trace does not have; file is the mapped file.
func (f *frame) derive(ctx context.Context, t *model.Trace, file []byte) error {
	for i := range f.columns {
		c := &f.columns[i]
		if f.rows == 0 || ctx.Err() != nil {
			return ctx.Err()
		}
		own := file[c.place : c.place+c.bytes]
		switch first := unsafe.Pointer(&own[0]); {
		case c.name == lineColumn:
			putLines(own, t)
		case c.gap != nil:
			putGaps(unsafe.Slice((*int32)(first), f.rows), t, c)
		}
		mapped.Release(file)
	}
	return nil
}

// putGaps fills the rows of threads that do not have the column.
func putGaps(col []int32, t *model.Trace, c *frameColumn) {
	for i := range t.Threads {
		n := c.of(&t.Threads[i])
		c.gap(&t.Threads[i], col[:n])
		col = col[n:]
	}
}

// putLines writes the sets of events that start a line as one set over all threads.
func putLines(col []byte, t *model.Trace) {
	at := 0
	for i := range t.Threads {
		e := &t.Threads[i].Events
		for k, w := range e.Lines {
			orBits(col, at+64*k, w)
		}
		at += e.Len()
	}
}

// orBits puts 64 bits into a set in which they are still 0; bits beyond its end must be 0.
func orBits(col []byte, at int, w uint64) {
	first, shift := at>>3, uint(at&7)
	for k, low := 0, w<<shift; low != 0; k, low = k+1, low>>8 {
		col[first+k] |= byte(low)
	}
	if high := w >> 1 >> (63 - shift); high != 0 {
		col[first+8] |= byte(high)
	}
}

// describe returns the metadata of a file.
func (f *frame) describe(ctx context.Context, name string, file []byte) (tableMeta, error) {
	t := tableMeta{Name: name, Rows: f.rows, Size: f.size, Columns: []columnMeta{}, Blocks: []uint32{}}
	for _, c := range f.columns {
		t.Columns = append(t.Columns, columnMeta{c.name, c.place})
	}
	const step = 64 * blockSize // bounds the growth of the process's memory meanwhile
	for at := 0; at < len(file); at += blockSize {
		end := min(at+blockSize, len(file))
		t.Blocks = append(t.Blocks, blockSum(file[at:end]))
		if at%step == step-blockSize {
			mapped.Release(file[at+blockSize-step : end])
			if err := ctx.Err(); err != nil {
				return t, err
			}
		}
	}
	mapped.Release(file)
	return t, nil
}

// describe fills in the metadata of the trace.
func (m *Meta) describe(t *model.Trace, s *Sizes) {
	m.Format, m.Version, m.ByteOrder, m.Sizes = format, version, byteOrder, *s
	m.Header = header{Date: t.Date, Unit: t.Unit, End: t.HeaderEnd, Duration: t.Duration}
	h := &m.Header
	for _, n := range t.Nodes {
		h.NodeCPUs = append(h.NodeCPUs, n.CPUs)
	}
	for _, p := range t.Ptasks {
		h.PtaskTasks = append(h.PtaskTasks, p.Tasks)
	}
	for _, k := range t.Tasks {
		h.TaskThreads = append(h.TaskThreads, k.Threads)
		h.TaskNodes = append(h.TaskNodes, k.Node)
	}
	for _, c := range t.Communicators {
		h.Communicators = append(h.Communicators, exact.Text(c.Text))
	}
	for _, c := range t.Comments {
		m.Comments = append(m.Comments, exact.Text(c))
	}
	m.CommCPU = t.Comms.SendCPU != nil
	m.Cut, m.Skipped, m.Doubts = t.Cut, skippedOf(&t.Skipped), t.Doubts
	for i := range t.Threads {
		m.Threads.add(&t.Threads[i])
	}
}

// add adds the next thread.
func (l *threadMeta) add(th *model.Thread) {
	l.CPU = append(l.CPU, th.CPU)
	l.States = append(l.States, int64(th.States.Len()))
	l.Events = append(l.Events, int64(th.Events.Len()))
	l.Large = append(l.Large, int64(len(th.Events.Value.Large)))
	l.Sends = append(l.Sends, int64(len(th.Comm[model.PhysicalSend])))
	l.Receives = append(l.Receives, int64(len(th.Comm[model.PhysicalRecv])))
	var has ThreadHas
	for _, h := range []struct {
		bit ThreadHas
		is  bool
	}{
		{HasStateCPU, th.States.CPU != nil}, {HasEventCPU, th.Events.CPU != nil},
		{HasStateOrder, th.States.FileOrder != nil},
		{hasOneSendOrder, sameList(th.Comm[model.LogicalSend], th.Comm[model.PhysicalSend])},
		{hasOneReceiveOrder, sameList(th.Comm[model.LogicalRecv], th.Comm[model.PhysicalRecv])},
	} {
		if h.is {
			has |= h.bit
		}
	}
	l.Has = append(l.Has, has)
}

// sameList reports whether two lists share memory.
func sameList(a, b []int32) bool { return len(a) > 0 && len(b) > 0 && &a[0] == &b[0] }

func skippedOf(s *model.Skipped) *skippedMeta {
	if s.Total() == 0 {
		return nil
	}
	out := &skippedMeta{Count: map[string]int64{}, Line: s.First.Line, Reason: s.First.Reason.Key(),
		Text: exact.Text(s.First.Text)}
	for _, r := range model.Reasons {
		if s.Count[r] != 0 {
			out.Count[r.Key()] = s.Count[r]
		}
	}
	return out
}

// writeNames writes the small tables, which only other readers use: the threads with their names, and the .pcf's names
// of states and events.
func (d *Draft) writeNames(t *model.Trace) error {
	for _, n := range nameTables {
		w := newNameWriter(n.columns)
		n.fill(t, w.row)
		err := d.writeFile(n.name, w.write)
		if err != nil {
			return err
		}
	}
	return nil
}

// nameTable is one of the small tables.
type nameTable struct {
	name    string
	columns []arrow.Field
	// fill passes the rows to the function row; their values are of type int64 or string.
	fill func(t *model.Trace, row func(values ...any))
}

func numbers(names ...string) (list []arrow.Field) {
	for _, n := range names {
		list = append(list, arrow.Field{Name: n, Type: arrow.PrimitiveTypes.Int64})
	}
	return list
}

func withText(list []arrow.Field, name string) []arrow.Field {
	return append(list, arrow.Field{Name: name, Type: arrow.BinaryTypes.String})
}

var nameTables = []nameTable{
	{"threads.arrow", withText(numbers("thread", "ptask", "task", "thread_of_task", "node", "cpu", "states", "events",
		"large_values", "sends", "receives"), "name"), func(t *model.Trace, row func(...any)) {
		for i := range t.Threads {
			th := &t.Threads[i]
			p, k, own := t.ThreadID(int32(i))
			row(int64(i), int64(p), int64(k), int64(own), int64(t.ThreadNode(int32(i))+1), int64(th.CPU),
				int64(th.States.Len()), int64(th.Events.Len()), int64(len(th.Events.Value.Large)),
				int64(len(th.Comm[model.PhysicalSend])), int64(len(th.Comm[model.PhysicalRecv])),
				t.Name(model.LevelThread, i))
		}
	}},
	{"state_names.arrow", withText(numbers("value"), "name"), func(t *model.Trace, row func(...any)) {
		for _, s := range t.Labels.States {
			row(s.Value, s.Label)
		}
	}},
	{"event_names.arrow", withText(numbers("type", "precision"), "name"), func(t *model.Trace, row func(...any)) {
		for i := range t.Labels.Types {
			e := &t.Labels.Types[i]
			row(int64(e.Type), int64(e.Precision), e.Label)
		}
	}},
	{"event_value_names.arrow", withText(numbers("type", "value"), "name"), func(t *model.Trace, row func(...any)) {
		for i := range t.Labels.Types {
			for _, v := range t.Labels.Types[i].Values {
				row(int64(t.Labels.Types[i].Type), v.Value, v.Label)
			}
		}
	}},
}

// nameWriter collects the rows of a small table.
type nameWriter struct {
	schema *arrow.Schema
	rows   *array.RecordBuilder
}

func newNameWriter(fields []arrow.Field) *nameWriter {
	s := arrow.NewSchema(fields, nil)
	return &nameWriter{s, array.NewRecordBuilder(memory.DefaultAllocator, s)}
}

func (w *nameWriter) row(values ...any) {
	for i, v := range values {
		switch b := w.rows.Field(i).(type) {
		case *array.Int64Builder:
			b.Append(v.(int64))
		case *array.StringBuilder:
			b.Append(strings.ToValidUTF8(v.(string), "\ufffd"))
		}
	}
}

func (w *nameWriter) write(f *os.File) error {
	out, err := ipc.NewFileWriter(f, ipc.WithSchema(w.schema))
	if err != nil {
		return err
	}
	if err := out.Write(w.rows.NewRecordBatch()); err != nil {
		return err
	}
	return out.Close()
}
