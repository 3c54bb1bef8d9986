package index

import (
	"bytes"
	"fmt"
	"pview/prv/mapped"
	"pview/prv/model"
	"strings"
	"unsafe"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/arrow/memory"
)

// frame is an Arrow IPC file (the "file" or Feather V2 form) of one record batch, without the values of the columns:
// only the bytes before, between and after them.
//
// An index is not written value by value. Its files are first created at their full length and mapped; the parser then
// unpacks the records into the mapping, in any order, so nothing is held twice. For that the positions of the columns
// must be known in advance. So arrow-go's writer gets columns of the right lengths, made of addresses without memory
// behind them, and a sink that notes the begin and end of each and keeps everything else:
//
//	magic, schema, batch header | column 0, zeros | column 1, zeros | ... | footer, magic
//	`-------- pieces[0] -------'                                            `- pieces[1] -'
type frame struct {
	rows    int64
	columns []frameColumn
	pieces  []framePiece
	size    int64
}

// frameColumn is a column and its position in the file.
type frameColumn struct {
	column
	of           func(*model.Thread) int // as in the table
	place, bytes int64
}

// padded returns the size of the column with the padding that aligns the next one.
func (c *frameColumn) padded() int64 {
	return (c.bytes + bufferAlignment - 1) / bufferAlignment * bufferAlignment
}

// framePiece is a piece of the file and its position.
type framePiece struct {
	at    int64
	bytes []byte
}

// bufferAlignment is the alignment of columns in the file: Arrow's recommendation, for vector instructions.
const bufferAlignment = 64

// newFrame lays out the file of a table.
func newFrame(t *table, s *Sizes) (*frame, error) {
	f := &frame{rows: t.rows(s)}
	most := int64(0)
	for _, c := range t.used(s) {
		n := c.bytesOf(f.rows)
		f.columns = append(f.columns, frameColumn{column: c, of: t.of, bytes: n})
		most = max(most, f.columns[len(f.columns)-1].padded())
	}
	blank, err := mapped.Addresses(int(most) + 1)
	if err != nil {
		return nil, err
	}
	defer mapped.Free(blank)
	if err := f.layOut(t.name, blank, ""); err != nil {
		return nil, err
	}
	if f.rows == 0 {
		return f, nil
	}
	// The header's length determines the position of the first column, and metadata can have any length.
	if over := f.columns[0].place % bufferAlignment; over != 0 {
		if err := f.layOut(t.name, blank, strings.Repeat(".", int(bufferAlignment-over))); err != nil {
			return nil, err
		}
	}
	for _, c := range f.columns {
		if c.place%bufferAlignment != 0 {
			return nil, fmt.Errorf("column %s of %s is at %d, not at a multiple of %d", c.name, t.name, c.place,
				bufferAlignment)
		}
	}
	return f, nil
}

// layOut writes the file without the columns. padding makes the schema longer.
func (f *frame) layOut(name string, blank []byte, padding string) error {
	fields := make([]arrow.Field, len(f.columns))
	arrays := make([]arrow.Array, len(f.columns))
	for i, c := range f.columns {
		fields[i] = arrow.Field{Name: c.name, Type: c.typ}
		data := array.NewData(c.typ, int(f.rows),
			[]*memory.Buffer{nil, memory.NewBufferBytes(blank[:c.padded():c.padded()])}, nil, 0, 0)
		arrays[i] = array.MakeFromData(data)
	}
	meta := arrow.NewMetadata([]string{"pview", "padding"},
		[]string{fmt.Sprintf("%s %d", strings.TrimSuffix(name, ".arrow"), version), padding})
	schema := arrow.NewSchema(fields, &meta)
	f.pieces, f.size = nil, 0
	sink := &frameSink{frame: f, blank: uintptr(unsafe.Pointer(&blank[0])), next: 0}
	w, err := ipc.NewFileWriter(sink, ipc.WithSchema(schema))
	if err != nil {
		return err
	}
	if err := w.Write(array.NewRecordBatch(schema, arrays, f.rows)); err != nil {
		return err
	}
	return w.Close()
}

// frameSink receives the output of arrow-go.
type frameSink struct {
	frame *frame
	blank uintptr
	next  int // column
}

func (s *frameSink) Write(b []byte) (int, error) {
	f := s.frame
	at := f.size
	f.size += int64(len(b))
	switch {
	case len(b) == 0:
	case uintptr(unsafe.Pointer(&b[0])) == s.blank:
		for f.columns[s.next].bytes == 0 {
			s.next++
		}
		if c := &f.columns[s.next]; int64(len(b)) != c.padded() {
			return 0, fmt.Errorf("column %s is written with %d bytes instead of %d", c.name, len(b), c.padded())
		}
		f.columns[s.next].place = at
		s.next++
	case len(bytes.TrimLeft(b, "\x00")) == 0:
		// The file is already zero there.
	default:
		f.put(at, b)
	}
	return len(b), nil
}

// put keeps bytes, merged with those before them if they are adjacent.
func (f *frame) put(at int64, b []byte) {
	if n := len(f.pieces); n > 0 {
		if p := &f.pieces[n-1]; p.at+int64(len(p.bytes)) == at {
			p.bytes = append(p.bytes, b...)
			return
		}
	}
	f.pieces = append(f.pieces, framePiece{at, bytes.Clone(b)})
}

// writeTo copies the pieces into the file's bytes, which are zero.
func (f *frame) writeTo(file []byte) {
	for _, p := range f.pieces {
		copy(file[p.at:], p.bytes)
	}
}
