package tabular

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/parquet-go/parquet-go"

	"pview/prv"
	"pview/prv/prvtest"
)

// many returns a run of 1 thread in us with more events than a batch holds.
func many(t *testing.T) *prv.Trace {
	t.Helper()
	var b strings.Builder
	b.WriteString(
		"#Paraver (01/01/2026 at 10:00):300000:1(1):1:1(1:1)\n1:1:1:1:1:0:1000:1\n1:1:1:1:1:1000:-1:3\n" +
			"3:1:1:1:1:1:2:1:1:1:1:3:4:500:6\n")
	for i := range rowsPerBatch + 5 {
		fmt.Fprintf(&b, "2:1:1:1:1:%d:9:%d\n", i, i*3)
	}
	return read(t, b.String())
}

func read(t *testing.T, text string) *prv.Trace {
	t.Helper()
	tr, err := prv.Read(context.Background(), strings.NewReader(text), prv.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return tr
}

// Both formats hold the same rows, in several batches, with times in ns.
func TestTables(t *testing.T) {
	tr := many(t)
	for _, f := range formats {
		dir := filepath.Join(t.TempDir(), "a"+f.Ext)
		if err := f.Save(t.Context(), dir, tr); err != nil {
			t.Fatal(err)
		}
		for _, c := range []struct {
			table string
			row   int
			want  string
		}{
			{"threads", 0, "1 1 1 1 1 THREAD 1.1.1"},
			{"states", 0, "1 1 1 0 1000000 1 State 1"},
			{"states", 1, "1 1 1 1000000 300000000 3 State 3"}, // until the end of 300000 us
			{"messages", 0, "1 1 1 1 1 1 1000 2000 3000 4000 500 6"},
			{"events", 7, "1 1 1 7000 9 21 Type 9 "},
			{"events", rowsPerBatch + 4,
				fmt.Sprintf("1 1 1 %d 9 %d Type 9 ", (rowsPerBatch+4)*1000, (rowsPerBatch+4)*3)},
		} {
			path := filepath.Join(dir, c.table+f.Ext)
			got := map[string]func(*testing.T, string, int) string{".parquet": parquetRow, ".arrow": arrowRow}[f.Ext](t,
				path, c.row)
			if c.table == "states" || c.table == "events" { // the names of unknown states and types do not matter
				c.want, got = firstFields(c.want, 6), firstFields(got, 6)
			}
			if got != c.want {
				t.Errorf("%s, row %d of %s is %q, want %q", f.Ext, c.row, c.table, got, c.want)
			}
		}
	}
}

// Columns are named after their contents.
func TestColumnNames(t *testing.T) {
	tr, err := prv.Read(context.Background(), strings.NewReader("#Paraver (a):900_ns:2(1,2):1:2(1:1,1:2)\n"+
		"1:1:1:1:1:20:30:4\n2:3:1:2:1:50:50000001:7\n2:3:1:2:1:60:50000001:0\n3:1:1:1:1:11:12:2:1:2:1:13:14:15:16\n"),
		prv.Options{})
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "a.arrow")
	if err := Arrow.Save(t.Context(), dir, tr); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"threads": "ptask=1 task=1 thread=1 node=1 cpu=1",
		"states":  "ptask=1 task=1 thread=1 begin=20 end=30 state=4",
		"events":  "ptask=1 task=2 thread=1 time=50 type=50000001 value=7",
		"calls":   "ptask=1 task=2 thread=1 begin=50 end=60 type=50000001 value=7 depth=0",
		"messages": "send_ptask=1 send_task=1 send_thread=1 receive_ptask=1 receive_task=2 receive_thread=1 " +
			"logical_send=11 physical_send=12 logical_receive=13 physical_receive=14 size=15 tag=16",
	} {
		table := prvtest.ReadArrow(t, filepath.Join(dir, name+".arrow"))
		for cell := range strings.FieldsSeq(want) {
			column, value, _ := strings.Cut(cell, "=")
			if got := table.Text(column, 0); got != value {
				t.Errorf("%s: %s is %s, want %s", name, column, got, value)
			}
		}
	}
}

func firstFields(s string, n int) string {
	f := strings.Fields(s)
	return strings.Join(f[:min(n, len(f))], " ")
}

func parquetRow(t *testing.T, path string, row int) string {
	t.Helper()
	in, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	r := parquet.NewReader(in)
	defer r.Close()
	if err := r.SeekToRow(int64(row)); err != nil {
		t.Fatal(err)
	}
	rows := make([]parquet.Row, 1)
	if n, err := r.ReadRows(rows); n != 1 {
		t.Fatal(err)
	}
	var text []string
	for _, v := range rows[0] {
		text = append(text, v.String())
	}
	return strings.Join(text, " ")
}

func arrowRow(t *testing.T, path string, row int) string {
	t.Helper()
	in, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	r, err := ipc.NewFileReader(in)
	if err != nil {
		t.Fatal(err)
	}
	for i := range r.NumRecords() {
		batch, err := r.RecordBatchAt(i)
		if err != nil {
			t.Fatal(err)
		}
		if row -= int(batch.NumRows()); row >= 0 {
			continue
		}
		var text []string
		for _, c := range batch.Columns() {
			text = append(text, c.ValueStr(row+int(batch.NumRows())))
		}
		return strings.Join(text, " ")
	}
	t.Fatal("no such row")
	return ""
}

// A cancelled command leaves no file.
func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	dir := t.TempDir()
	if err := Parquet.Save(ctx, filepath.Join(dir, "a.parquet"), many(t)); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if list, _ := os.ReadDir(dir); len(list) > 0 {
		t.Errorf("left: %v", list)
	}
}

// A frame has numbers of both kinds and text; its columns may have any name.
func TestFrame(t *testing.T) {
	for _, f := range formats {
		path := filepath.Join(t.TempDir(), "a"+f.Ext)
		out, err := os.Create(path)
		if err != nil {
			t.Fatal(err)
		}
		err = WriteFrame(t.Context(), out, FormatOf(path), 2,
			[]Column{{Name: "n", Int: []int64{1, 2}}, {Name: "42000050/42000059", Real: []float64{0.5, 1.5}},
				{Name: "name", Text: func(row int) string { return "abc"[row:] }}})
		if err != nil {
			t.Fatal(err)
		}
		out.Close()
		if got := map[string]func(*testing.T, string, int) string{".parquet": parquetRow, ".arrow": arrowRow}[f.Ext](t,
			path, 1); got != "2 1.5 bc" {
			t.Errorf("%s: %q", f.Ext, got)
		}
	}
}

// The index of a text takes one byte, or more if there are more texts; columns of numbers give their minimum and
// maximum, and a table may have no rows.
func TestParquetColumns(t *testing.T) {
	dir := t.TempDir()
	for _, c := range []struct{ rows, texts int }{{0, 1}, {1, 1}, {1000, 256}, {1000, 257}, {70_001, 65_537}} {
		path := filepath.Join(dir, fmt.Sprint(c.rows, c.texts))
		out, err := os.Create(path)
		if err != nil {
			t.Fatal(err)
		}
		numbers := make([]int64, c.rows)
		for i := range numbers {
			numbers[i] = int64(i) - 7
		}
		err = WriteFrame(t.Context(), out, Parquet, c.rows,
			[]Column{{Name: "n", Int: numbers}, {Name: "name", Text: func(row int) string {
				return fmt.Sprintf("\xff%d", row%c.texts)
			}}})
		if err != nil {
			t.Fatal(err)
		}
		out.Close()
		for row := 0; row < c.rows; row += 1 + c.rows/50 {
			if got, want := parquetRow(t, path, row), fmt.Sprintf("%d \ufffd%d", row-7, row%c.texts); got != want {
				t.Fatalf("%d texts, row %d: %q, want %q", c.texts, row, got, want)
			}
		}
		in, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer in.Close()
		info, err := in.Stat()
		if err != nil {
			t.Fatal(err)
		}
		f, err := parquet.OpenFile(in, info.Size())
		if err != nil || f.NumRows() != int64(c.rows) {
			t.Fatalf("%d rows: %v", c.rows, err)
		}
		for _, g := range f.RowGroups() {
			least, greatest, ok := g.ColumnChunks()[0].(*parquet.FileColumnChunk).Bounds()
			if !ok || least.Int64() != -7 || greatest.Int64() != int64(c.rows)-8 {
				t.Errorf("from %v to %v", least, greatest)
			}
		}
	}
}
