package prvtest

import (
	"os"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/ipc"
)

// ArrowTable is an Arrow file of one batch as an Arrow reader sees it.
type ArrowTable struct {
	Rows    int
	Columns map[string]arrow.Array
}

// ReadArrow reads an Arrow file.
func ReadArrow(t testing.TB, path string) ArrowTable {
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
	out := ArrowTable{int(batch.NumRows()), map[string]arrow.Array{}}
	for i, f := range r.Schema().Fields() {
		out.Columns[f.Name] = batch.Column(i)
	}
	return out
}

// Text returns a cell as text.
func (a ArrowTable) Text(name string, row int) string {
	col, ok := a.Columns[name]
	if !ok {
		return "no column " + name
	}
	return col.ValueStr(row)
}
