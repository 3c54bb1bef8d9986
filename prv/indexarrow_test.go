package prv

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"pview/prv/mapped"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/ipc"
)

// arrowTable is a file of an index as any reader of Arrow sees it.
type arrowTable struct {
	rows    int
	columns map[string]arrow.Array
}

func readArrow(t *testing.T, path string) arrowTable {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	r, err := ipc.NewFileReader(f)
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	if r.NumRecords() != 1 {
		t.Fatalf("%s: %d batches", path, r.NumRecords())
	}
	batch, err := r.RecordBatchAt(0)
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	out := arrowTable{int(batch.NumRows()), map[string]arrow.Array{}}
	for i, f := range r.Schema().Fields() {
		out.columns[f.Name] = batch.Column(i)
	}
	return out
}

func (a arrowTable) text(name string, row int) string {
	col, ok := a.columns[name]
	if !ok {
		return "no column " + name
	}
	return col.ValueStr(row)
}

// What arrow-go's reader finds in the files is what the trace says, row by row.
func TestIndexIsArrow(t *testing.T) {
	cacheHere(t)
	for name, text := range awkwardTraces {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "run.prv")
			write(t, path, text)
			write(t, Base(path)+".pcf", "STATES\n1 Busy\n\nEVENT_TYPE\n0 7 Seven\nVALUES\n8 eight\n")
			o := &Opener{Least: 1}
			tr, err := o.Open(context.Background(), path, Watcher{})
			if err != nil {
				t.Fatal(err)
			}
			o.Wait(context.Background())
			dir := path + indexSuffix
			for file, want := range map[string][]string{
				"states.arrow": statesAsText(tr), "events.arrow": eventsAsText(tr),
				"communications.arrow": commsAsText(tr), "orders.arrow": ordersAsText(tr),
			} {
				checkRows(t, file, readArrow(t, filepath.Join(dir, file)), want)
			}
			checkRows(t, "event_value_names.arrow", readArrow(t, filepath.Join(dir, "event_value_names.arrow")),
				[]string{"type=7 value=8 name=eight"})
			if got := readArrow(t, filepath.Join(dir, "threads.arrow")); got.rows != len(tr.Threads) ||
				got.text("name", 0) != "THREAD 1.1.1" {
				t.Errorf("threads.arrow has %d rows, the first is %s", got.rows, got.text("name", 0))
			}
		})
	}
}

// checkRows compares rows that are written as "column=value column=value".
func checkRows(t *testing.T, file string, got arrowTable, want []string) {
	t.Helper()
	if got.rows != len(want) {
		t.Fatalf("%s has %d rows, not %d", file, got.rows, len(want))
	}
	for i, line := range want {
		for cell := range strings.FieldsSeq(line) {
			column, value, _ := strings.Cut(cell, "=")
			if found := got.text(column, i); found != value {
				t.Errorf("%s, row %d, %s: %s, not %s", file, i, column, found, value)
			}
		}
	}
}

func statesAsText(t *Trace) (rows []string) {
	for i := range t.Threads {
		s := &t.Threads[i].States
		for k := range s.Len() {
			row := fmt.Sprintf("thread=%d begin=%d end=%d value=%d", i, s.Begin[k], s.End[k], s.Value[k])
			if anyThread(t, func(th *Thread) bool { return th.States.CPU != nil }) {
				row += fmt.Sprintf(" cpu=%d", t.Threads[i].StateCPU(k))
			}
			if anyThread(t, func(th *Thread) bool { return th.States.FileOrder != nil }) {
				order := int32(k)
				if s.FileOrder != nil {
					order = s.FileOrder[k]
				}
				row += fmt.Sprintf(" file_order=%d", order)
			}
			rows = append(rows, row)
		}
	}
	return rows
}

func eventsAsText(t *Trace) (rows []string) {
	for i := range t.Threads {
		e := &t.Threads[i].Events
		for k := range e.Len() {
			row := fmt.Sprintf("thread=%d time=%d type=%d value=%d line_start=%v", i, e.Time[k], e.Type[k], e.Value[k],
				e.Lines.Has(k))
			if anyThread(t, func(th *Thread) bool { return th.Events.CPU != nil }) {
				row += fmt.Sprintf(" cpu=%d", t.Threads[i].EventCPU(k))
			}
			rows = append(rows, row)
		}
	}
	return rows
}

func commsAsText(t *Trace) (rows []string) {
	c := &t.Comms
	for k := range c.Len() {
		row :=
			fmt.Sprintf(
				"send_thread=%d receive_thread=%d logical_send=%d physical_send=%d logical_receive=%d physical_receive=%d size=%d tag=%d",
				c.Send[k], c.Recv[k], c.Times[LogicalSend][k], c.Times[PhysicalSend][k], c.Times[LogicalRecv][k],
				c.Times[PhysicalRecv][k], c.Size[k], c.Tag[k])
		if c.SendCPU != nil {
			row += fmt.Sprintf(" send_cpu=%d receive_cpu=%d", t.CommCPU(k, LogicalSend), t.CommCPU(k, LogicalRecv))
		}
		rows = append(rows, row)
	}
	return rows
}

func ordersAsText(t *Trace) []string {
	rows := make([]string, t.Comms.Len())
	for r, name := range []string{"logical_send", "physical_send", "logical_receive", "physical_receive"} {
		k := 0
		for i := range t.Threads {
			for _, c := range t.Threads[i].Comm[r] {
				rows[k] += fmt.Sprintf(" %s=%d", name, c)
				k++
			}
		}
	}
	return rows
}

func anyThread(t *Trace, is func(*Thread) bool) bool {
	for i := range t.Threads {
		if is(&t.Threads[i]) {
			return true
		}
	}
	return false
}

// Columns of more than a page, and more threads than two bytes count, are laid out as
// Arrow's own reader finds them; every column is aligned.
func TestArrowFrame(t *testing.T) {
	for _, s := range []columnSizes{{Threads: 3, States: 1, Events: 1, Comms: 1}, {Threads: 70000, States: 100_000,
		Events: 12345, Comms: 77, StateCPU: true, StateOrder: true, EventCPU: true, CommCPU: true}} {
		for i := range tables {
			f, err := newArrowFrame(&tables[i], &s)
			if err != nil {
				t.Fatal(err)
			}
			file := make([]byte, f.size)
			f.writeTo(file)
			last := &f.columns[len(f.columns)-1]
			file[last.place] = 1
			path := filepath.Join(t.TempDir(), tables[i].name)
			write(t, path, string(file))
			got := readArrow(t, path)
			if got.rows != int(f.rows) || len(got.columns) != len(f.columns) {
				t.Errorf("%s: %d rows, %d columns", tables[i].name, got.rows, len(got.columns))
			}
			if v := got.text(last.name, 0); v != "1" && v != "true" {
				t.Errorf("%s: %s begins with %s", tables[i].name, last.name, v)
			}
			if b, ok := got.columns[threadColumn]; ok &&
				(b.DataType() == arrow.PrimitiveTypes.Uint32) != (s.Threads > 1<<16) {
				t.Errorf("threads are numbered with %s", b.DataType())
			}
		}
	}
}

// A file has a checksum for each block of it, wherever it ends.
func TestBlocks(t *testing.T) {
	for _, size := range []int{1, blockSize - 1, blockSize, blockSize + 1, 64*blockSize - 1, 64 * blockSize,
		64*blockSize + 1} {
		file, err := mapped.Memory(size)
		if err != nil {
			t.Fatal(err)
		}
		f := arrowFrame{size: int64(size)}
		got, err := f.describe(context.Background(), "", file)
		if err != nil || len(got.Blocks) != (size+blockSize-1)/blockSize {
			t.Errorf("%d bytes have %d blocks, %v", size, len(got.Blocks), err)
		}
		mapped.Free(file)
	}
}

// The page for other readers names every file and column.
func TestIndexIsDocumented(t *testing.T) {
	page, err := os.ReadFile("../docs/index.md")
	if err != nil {
		t.Fatal(err)
	}
	need := []string{metaFile}
	for i := range tables {
		need = append(need, tables[i].name)
		for _, c := range tables[i].columns {
			need = append(need, "`"+c.name+"`")
		}
	}
	for _, n := range nameTables {
		need = append(need, n.name)
		for _, c := range n.columns {
			need = append(need, "`"+c.Name+"`")
		}
	}
	for _, word := range need {
		if !strings.Contains(string(page), word) {
			t.Errorf("docs/index.md does not say what %s is", word)
		}
	}
}
