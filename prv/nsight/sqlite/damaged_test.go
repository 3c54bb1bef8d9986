package sqlite

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// small writes a file with a tree of three pages or more, and a row with overflow pages.
func small(t testing.TB) []byte {
	d := newDatabase(t, "pragma page_size = 512", "create table x (a, b)", "create table y (a)")
	for i := range 60 {
		d.do(fmt.Sprintf("insert into x values (%d, 'row %d of the table')", i, i))
	}
	d.do("insert into y values ('" + strings.Repeat("long ", 400) + "')")
	d.Close()
	b, err := os.ReadFile(d.path)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// An error on damage names the page; the rows before it, and the other tables, are read.
func TestDamaged(t *testing.T) {
	const size = 512
	whole := small(t)
	f := openedBytes(t, whole)
	x, y := int(f.Tables["x"].root), int(f.Tables["y"].root)
	page := func(b []byte, n int) []byte { return b[(n-1)*size : n*size] }
	cellOf := func(b []byte, n, cell, head int) int {
		p := page(b, n)
		return int(p[head+2*cell])<<8 | int(p[head+2*cell+1])
	}
	child := func(b []byte, cell int) []byte { return page(b, x)[cellOf(b, x, cell, 12):] }
	leaf := func(b []byte, cell int) int { return int(child(b, cell)[3]) }
	row := func(b []byte) []byte { return page(b, leaf(b, 0))[cellOf(b, leaf(b, 0), 0, 8):] }
	overflow := func(b []byte) []byte {
		p := page(b, y)
		at := cellOf(b, y, 0, 8)
		local := (size-12)*32/255 - 23
		n := 2003 // the text and its header
		if k := local + (n-local)%(size-4); k <= size-35 {
			local = k
		}
		return p[at+3+local:]
	}
	for name, c := range map[string]struct {
		table string
		rows  int // rows read before the error, -1: some
		why   string
		do    func(b []byte)
	}{
		"a page of no kind": {"x", 0, "kind 7 is not a page of a table", func(b []byte) {
			page(b, leaf(b, 0))[0] = 7
		}},
		"a page of an index": {"x", 0, "kind 10 is not a page of a table", func(b []byte) { page(b, x)[0] = 10 }},
		"a cycle": {"x", 0, fmt.Sprintf("page %d: used twice", x), func(b []byte) {
			child(b, 0)[3] = byte(x)
		}},
		"a page used twice":  {"x", -1, "used twice", func(b []byte) { child(b, 1)[3] = byte(leaf(b, 0)) }},
		"a page that is not": {"x", -1, "page 16777", func(b []byte) { child(b, 1)[0] = 1 }},
		"page 0":             {"x", -1, "page 0: ", func(b []byte) { child(b, 1)[3] = 0 }},
		"too many cells":     {"x", 0, "255 cells have no room", func(b []byte) { page(b, leaf(b, 0))[4] = 255 }},
		"a cell beyond":      {"x", 2, "cell 3 is not inside", func(b []byte) { page(b, leaf(b, 0))[8+4] = 2 }},
		"a cell in the head": {"x", 1, "cell 2 is not", func(b []byte) {
			copy(page(b, leaf(b, 0))[10:], "\x00\x09")
		}},
		"a child in the head":  {"x", 0, "cell 1 is not inside", func(b []byte) { copy(page(b, x)[12:], "\x00\x09") }},
		"a row beyond":         {"x", 0, "cell 1 is not inside", func(b []byte) { row(b)[0] = 100 }},
		"a type of no meaning": {"x", 0, "serial type 10", func(b []byte) { row(b)[3] = 10 }},
		"values beyond":        {"x", 0, "values reach beyond", func(b []byte) { row(b)[4] = 127 }},
		"no head":              {"x", 0, "no row", func(b []byte) { row(b)[2] = 0 }},
		"overflow to itself": {"y", 0, "used twice", func(b []byte) {
			n := overflow(b)[3]
			copy(page(b, int(n)), []byte{0, 0, 0, n})
		}},
		"overflow ends": {"y", 0, "page 0", func(b []byte) { copy(page(b, int(overflow(b)[3])), []byte{0, 0, 0, 0}) }},
		"a huge row": {"y", 0, "larger than the file", func(b []byte) {
			copy(page(b, y)[cellOf(b, y, 0, 8):], "\xfe\x62")
		}},
	} {
		b := slices.Clone(whole)
		c.do(b)
		f := openedBytes(t, b)
		rows, err := scanned(f.Tables[c.table], []string{"a", "b"})
		if err == nil || !strings.Contains(err.Error(), c.why) || !strings.Contains(err.Error(), "page ") {
			t.Errorf("%s: error %v, want %s", name, err, c.why)
		}
		if c.rows >= 0 && len(rows) != c.rows || c.rows < 0 && (len(rows) == 0 || len(rows) >= 60) {
			t.Errorf("%s: %d rows", name, len(rows))
		}
		other := map[string]string{"x": "y", "y": "x"}[c.table]
		rows, err = scanned(f.Tables[other], []string{"a"})
		if err != nil || len(rows) != map[string]int{"x": 60, "y": 1}[other] {
			t.Errorf("%s: the other table: %d rows, %v", name, len(rows), err)
		}
	}
}

// Sums of value sizes do not wrap around: 20 bytes, 2^63-7 and 2^63-20 make 2^64-7, and 8 more would make 1.
func TestSizesOverflow(t *testing.T) {
	types := func(size uint64) []byte { // a text, as a number of 9 bytes
		n := 2*size + 13
		b := make([]byte, 9)
		for i := range 8 {
			b[i] = byte(n>>(57-7*i)) | 0x80
		}
		b[8] = byte(n)
		return b
	}
	row := slices.Concat([]byte{20}, types(1<<63-7), types(1<<63-20), []byte{6}, make([]byte, 40))
	s := &scan{file: &File{}, slots: []slot{{value: -1}, {value: -1}, {value: 0}}, values: make([]Value, 1)}
	r := record{scan: s, bytes: row, size: uint64(len(row))}
	if err := r.read(1); err == nil || !strings.Contains(err.Error(), "beyond the row") {
		t.Error(err)
	}
}

func openedBytes(t testing.TB, b []byte) *File {
	t.Helper()
	path := filepath.Join(t.TempDir(), "a.sqlite")
	if err := os.WriteFile(path, b, 0o600); err != nil {
		t.Fatal(err)
	}
	return opened(t, path)
}

// Headers that SQLite does not write are errors.
func TestHeader(t *testing.T) {
	whole := small(t)
	for name, c := range map[string]struct {
		why string
		do  func(b []byte) []byte
	}{
		"empty":          {"not an SQLite file", func(b []byte) []byte { return nil }},
		"text":           {"not an SQLite file", func(b []byte) []byte { return []byte(strings.Repeat("text ", 100)) }},
		"cut":            {"ends in its first page", func(b []byte) []byte { return b[:300] }},
		"page size":      {"a power of 2 from 512 to 65536, not 513", func(b []byte) []byte { b[17] = 1; return b }},
		"small pages":    {"not 256", func(b []byte) []byte { b[16] = 1; return b }},
		"reserved bytes": {"480 bytes or more, not 412", func(b []byte) []byte { b[20] = 100; return b }},
		"version":        {"version 9", func(b []byte) []byte { b[19] = 9; return b }},
		"encoding":       {"text encoding 7", func(b []byte) []byte { b[59] = 7; return b }},
		"schema":         {"page 1: kind 0", func(b []byte) []byte { b[100] = 0; return b }},
	} {
		path := filepath.Join(t.TempDir(), "a.sqlite")
		if err := os.WriteFile(path, c.do(slices.Clone(whole)), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := Open(path); err == nil || !strings.Contains(err.Error(), c.why) {
			t.Errorf("%s: %v, want %s", name, err, c.why)
		}
	}
	f := openedBytes(t, whole[:3*512+100])
	if missing, all := f.Missing(); all != uint32(len(whole)/512) || missing != all-3 {
		t.Errorf("%d of %d pages are missing", missing, all)
	}
}

// FuzzScan reads all tables of broken files: there are at most as many rows as bytes, and errors have one line.
func FuzzScan(f *testing.F) {
	f.Add(small(f))
	for _, s := range [][]string{{"pragma page_size = 512", "pragma encoding = 'UTF-16le'"},
		{"pragma page_size = 1024", "pragma auto_vacuum = full", "pragma encoding = 'UTF-16be'"}} {
		d := newDatabase(f, s...)
		d.do("create table x (a INTEGER PRIMARY KEY, b REAL, c TEXT, d, e DEFAULT 'x')",
			"insert into x values (5, 2, 'text', x'00', NULL)", "alter table x add column g INTEGER NOT NULL DEFAULT 7",
			"create table y (a, b, c, d, e)")
		d.fill("y", 8)
		d.Close()
		b, err := os.ReadFile(d.path)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		path := filepath.Join(t.TempDir(), "a.sqlite")
		if err := os.WriteFile(path, b, 0o600); err != nil {
			t.Fatal(err)
		}
		file, err := Open(path)
		if err != nil {
			if strings.Contains(err.Error(), "\n") {
				t.Fatal(err)
			}
			return
		}
		defer file.Close()
		for _, table := range file.Tables {
			table.Last()
			columns := []string{"a", "e", "g"}
			for _, c := range table.columns {
				columns = append(columns, c.name)
			}
			slices.Sort(columns)
			rows, _ := scanned(table, slices.Compact(columns))
			if len(rows) > len(b) {
				t.Fatalf("%d rows in %d bytes", len(rows), len(b))
			}
		}
	})
}
