package index

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pview/prv/mapped"
)

// A column must lie within its file: 1000 states have 8000 bytes of begins. A column that ends with the file is
// accepted; one that begins 8 bytes later is not.
func TestColumnsLieWithinTheirFile(t *testing.T) {
	const rows, column = 1000, 8000
	sizes := Sizes{Threads: 1, States: rows}
	f, err := newFrame(&tables[0], &sizes)
	if err != nil {
		t.Fatal(err)
	}
	file, err := mapped.Memory(int(f.size))
	if err != nil {
		t.Fatal(err)
	}
	defer mapped.Free(file)
	f.writeTo(file)
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, tables[0].name), file, 0o600); err != nil {
		t.Fatal(err)
	}
	own, err := f.describe(t.Context(), tables[0].name, file)
	if err != nil {
		t.Fatal(err)
	}
	k := 0
	for f.columns[k].at == nil || f.columns[k].bytes != column {
		k++
	}
	last := (f.size - column) / 8 * 8
	for _, c := range []struct {
		at     int64
		refuse bool
	}{{f.columns[k].place, false}, {last, false}, {last + 8, true}, {f.size / 8 * 8, true}, {1 << 62, true}, {-8, true},
		{f.columns[k].place + 4, true}} {
		root, err := os.OpenRoot(dir)
		if err != nil {
			t.Fatal(err)
		}
		own.Columns[k].At = c.at
		m, maps := Meta{Sizes: sizes, Tables: []tableMeta{own}}, &mapped.Files{}
		err = m.mapTable(root, maps, &Columns{}, 0)
		if refused := err != nil && strings.Contains(err.Error(), "is in the wrong place"); refused != c.refuse {
			t.Errorf("a column at %d of %d bytes: %v", c.at, f.size, err)
		}
		maps.Close()
		root.Close()
	}
}
