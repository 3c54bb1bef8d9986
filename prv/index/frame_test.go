package index

import (
	"context"
	"os"
	"path/filepath"
	"pview/prv/mapped"
	"pview/prv/prvtest"
	"strings"
	"testing"
)

// Columns of more than a page are laid out so that Arrow's own reader finds them, and aligned.
func TestArrowFrame(t *testing.T) {
	for _, s := range []Sizes{{Threads: 3, States: 1, Events: 1, Comms: 1, Large: 1}, {Threads: 70000, States: 100_000,
		Events: 12345, Comms: 77, Large: 5000, StateCPU: true, StateOrder: true, EventCPU: true, CommCPU: true}} {
		for i := range tables {
			f, err := newFrame(&tables[i], &s)
			if err != nil {
				t.Fatal(err)
			}
			file := make([]byte, f.size)
			f.writeTo(file)
			last := &f.columns[len(f.columns)-1]
			file[last.place] = 1
			path := filepath.Join(t.TempDir(), tables[i].name)
			if err := os.WriteFile(path, file, 0o600); err != nil {
				t.Fatal(err)
			}
			got := prvtest.ReadArrow(t, path)
			if got.Rows != int(f.rows) || len(got.Columns) != len(f.columns) {
				t.Errorf("%s: %d rows, %d columns", tables[i].name, got.Rows, len(got.Columns))
			}
			if v := got.Text(last.name, 0); v != "1" && v != "true" {
				t.Errorf("%s: %s begins with %s", tables[i].name, last.name, v)
			}
		}
	}
}

// A file has a checksum for each of its blocks, wherever it ends.
func TestBlocks(t *testing.T) {
	for _, size := range []int{1, blockSize - 1, blockSize, blockSize + 1, 64*blockSize - 1, 64 * blockSize,
		64*blockSize + 1} {
		file, err := mapped.Memory(size)
		if err != nil {
			t.Fatal(err)
		}
		f := frame{size: int64(size)}
		got, err := f.describe(context.Background(), "", file)
		if err != nil || len(got.Blocks) != (size+blockSize-1)/blockSize {
			t.Errorf("%d bytes have %d blocks, %v", size, len(got.Blocks), err)
		}
		mapped.Free(file)
	}
}

// The page for other readers names every file and column.
func TestIndexIsDocumented(t *testing.T) {
	page, err := os.ReadFile("../../docs/index.md")
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
