package tabular

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"

	"pview/prv"
)

// The footer describes each column: chunks follow one another from the magic number at the start of the file to the
// footer, numbers have their minimum and maximum and no nulls, texts a dictionary.
func TestFooter(t *testing.T) {
	tr := many(t)
	const events = rowsPerBatch + 5
	tr.Labels.AddType(9, "Step")
	dir := filepath.Join(t.TempDir(), "a.parquet")
	if err := Parquet.Save(t.Context(), dir, tr); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "events.parquet")
	in, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	info, err := in.Stat()
	if err != nil {
		t.Fatal(err)
	}
	file, err := parquet.OpenFile(in, info.Size())
	if err != nil {
		t.Fatal(err)
	}
	meta := file.Metadata()
	if meta.NumRows != events || len(meta.RowGroups) != 2 || meta.RowGroups[0].NumRows != rowsPerBatch ||
		meta.RowGroups[1].NumRows != 5 || meta.CreatedBy != "pview" || meta.Version != 1 {
		t.Errorf("%d rows in %d groups, by %s", meta.NumRows, len(meta.RowGroups), meta.CreatedBy)
	}
	at := int64(4) // after the magic number
	for _, g := range meta.RowGroups {
		size := int64(0)
		for _, c := range g.Columns {
			m := &c.MetaData
			first := m.DataPageOffset
			if m.DictionaryPageOffset != 0 {
				first = m.DictionaryPageOffset
			}
			text := m.Type == format.ByteArray
			if first != at || c.FileOffset != at || text != (m.DictionaryPageOffset != 0) || m.NumValues != g.NumRows ||
				m.Codec != format.Zstd || len(m.Encoding) != 1 && !text || len(m.Encoding) != 2 && text {
				t.Errorf("%v: at %d, want %d; %d values, %v", m.PathInSchema, first, at, m.NumValues, m.Encoding)
			}
			if m.Statistics.NullCount != 0 {
				t.Errorf("%v has %d nulls", m.PathInSchema, m.Statistics.NullCount)
			}
			at += m.TotalCompressedSize
			size += m.TotalUncompressedSize
		}
		if g.TotalByteSize != size {
			t.Errorf("a group of %d bytes, its columns have %d", g.TotalByteSize, size)
		}
	}
	if rest := info.Size() - at; rest < 100 || rest > 4096 {
		t.Errorf("%d bytes behind the last column", rest)
	}
	// The times of the second group are the last five, in ns.
	for _, c := range meta.RowGroups[1].Columns {
		if c.MetaData.PathInSchema[0] != "time" {
			continue
		}
		s := &c.MetaData.Statistics
		if got := fmt.Sprint(littleEndian(s.MinValue), " ", littleEndian(s.MaxValue)); got != fmt.Sprint(
			rowsPerBatch*1000, " ", (rowsPerBatch+4)*1000) {
			t.Errorf("times from %s", got)
		}
	}
}

func littleEndian(b []byte) (v int64) {
	for i := len(b) - 1; i >= 0; i-- {
		v = v<<8 | int64(b[i])
	}
	return v
}

// Texts are read back, however many there are: with 300, an index takes two bytes, with 1 to 256 one.
func TestDictionaries(t *testing.T) {
	for _, n := range []int{1, 7, 8, 9, 256, 257, 300} {
		var b strings.Builder
		fmt.Fprintf(&b, "#Paraver (a):900_ns:0:1:%d(1:0%s)\n", n, strings.Repeat(",1:0", n-1))
		for i := range n {
			fmt.Fprintf(&b, "1:0:1:%d:1:0:10:1\n", i+1)
		}
		tr := read(t, b.String())
		names := make([]string, n)
		for i := range names {
			names[i] = fmt.Sprintf("thread number %d", i*7%n)
		}
		tr.Names.Levels[prv.LevelThread] = names
		dir := filepath.Join(t.TempDir(), "a.parquet")
		if err := Parquet.Save(t.Context(), dir, tr); err != nil {
			t.Fatal(err)
		}
		for _, i := range []int{0, n / 2, n - 1} {
			if got := parquetRow(t, filepath.Join(dir, "threads.parquet"), i); !strings.HasSuffix(got, names[i]) {
				t.Errorf("%d names: thread %d is %q, want %q", n, i, got, names[i])
			}
		}
	}
}
