package tabular

// Parquet files, with the features that tables need: plain columns of numbers, and columns of text with dictionaries,
// without nulls, in pages compressed by Zstandard. A full Parquet library would be a fifth of the program, most of it
// unused.
//
//	PAR1 | row group: column chunk | column chunk | ... | row group | ... | footer | length of the footer | PAR1
//
// A chunk of numbers is a page of values; a chunk of text is a page of the distinct texts, and a page of their indices.
// The format is that of apache/parquet-format: the numbers of fields are those of parquet.thrift.

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/klauspost/compress/zstd"
)

// The enumerations of the format that are used.
const (
	typeInt32, typeInt64, typeDouble, typeBytes = 1, 2, 5, 6
	required                                    = 0
	utf8                                        = 0
	zstandard                                   = 6
	plain, runLengths, byDictionary             = 0, 3, 8
	dataPage, dictionaryPage                    = 0, 2
)

const parquetMagic = "PAR1"

// physical are the column types in the file.
var physical = [...]int64{whole: typeInt64, small: typeInt32, text: typeBytes, real: typeDouble}

// parquetSink writes a Parquet file: a row group per batch.
type parquetSink struct {
	columns []column
	out     io.Writer
	at      int64 // bytes written
	groups  []rowGroup
	rows    int64
	zip     *zstd.Encoder
	page    []byte
	packed  []byte
}

// rowGroup describes a row group, as in the footer.
type rowGroup struct {
	chunks []chunk
	rows   int64
}

// chunk describes a column of a row group, as in the footer.
type chunk struct {
	dictionary, data  int64 // positions of the pages; dictionary 0: none
	size, packed      int64 // bytes of pages with their headers, before and after compression
	smallest, largest []byte
}

func newParquet(w io.Writer, columns []column) (sink, error) {
	zip, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1))
	if err != nil {
		return nil, err
	}
	s := &parquetSink{columns: columns, out: w, zip: zip}
	return s, s.put([]byte(parquetMagic))
}

func (s *parquetSink) put(b []byte) error {
	n, err := s.out.Write(b)
	s.at += int64(n)
	return err
}

func (s *parquetSink) write(b *batch) error {
	g := rowGroup{rows: int64(b.rows)}
	for i, c := range s.columns {
		var k chunk
		var err error
		switch c.kind {
		case whole:
			err = writeNumbers(s, &k, b.whole[i], func(b []byte, v int64) []byte {
				return binary.LittleEndian.AppendUint64(b, uint64(v))
			})
		case small:
			err = writeNumbers(s, &k, b.small[i], func(b []byte, v int32) []byte {
				return binary.LittleEndian.AppendUint32(b, uint32(v))
			})
		case real:
			err = writeNumbers(s, &k, b.real[i], func(b []byte, v float64) []byte {
				return binary.LittleEndian.AppendUint64(b, math.Float64bits(v))
			})
		default:
			err = s.writeTexts(&k, b.text[i])
		}
		if err != nil {
			return err
		}
		g.chunks = append(g.chunks, k)
	}
	s.groups, s.rows = append(s.groups, g), s.rows+g.rows
	return nil
}

// writeNumbers writes a column of numbers as a page. For integers it stores the minimum and maximum, so that readers
// can skip row groups without matching values.
func writeNumbers[T int32 | int64 | float64](s *parquetSink, k *chunk, values []T, put func([]byte, T) []byte) error {
	s.page = s.page[:0]
	for _, v := range values {
		s.page = put(s.page, v)
	}
	if _, isReal := any(values).([]float64); !isReal {
		k.smallest, k.largest = put(nil, slices.Min(values)), put(nil, slices.Max(values))
	}
	k.data = s.at
	return s.writePage(k, dataPage, len(values), plain)
}

// writeTexts writes a column of text: a page of the distinct texts, and a page of their indices.
func (s *parquetSink) writeTexts(k *chunk, values []string) error {
	numbers, list := map[string]uint32{}, []string(nil)
	s.page = s.page[:0]
	for _, v := range values {
		if _, ok := numbers[v]; !ok {
			numbers[v] = uint32(len(list))
			list = append(list, v)
			valid := strings.ToValidUTF8(v, "\ufffd")
			s.page = append(binary.LittleEndian.AppendUint32(s.page, uint32(len(valid))), valid...)
		}
	}
	k.dictionary = s.at
	if err := s.writePage(k, dictionaryPage, len(list), plain); err != nil {
		return err
	}
	// Indices take whole bytes: packed bits have no gaps then. The length counts groups of eight indices.
	width := 1
	for len(list) > 1<<(8*width) {
		width++
	}
	s.page = append(s.page[:0], byte(8*width))
	s.page = binary.AppendUvarint(s.page, uint64(len(values)+7)/8<<1|1)
	for _, v := range values {
		var b [4]byte
		binary.LittleEndian.PutUint32(b[:], numbers[v])
		s.page = append(s.page, b[:width]...)
	}
	s.page = append(s.page, make([]byte, (8-len(values)%8)%8*width)...)
	k.data = s.at
	return s.writePage(k, dataPage, len(values), byDictionary)
}

// writePage compresses and writes the page.
func (s *parquetSink) writePage(k *chunk, kind int64, values int, encoding int64) error {
	s.packed = s.zip.EncodeAll(s.page, s.packed[:0])
	var t thrift
	t.int32(1, kind)
	t.int32(2, int64(len(s.page)))
	t.int32(3, int64(len(s.packed)))
	if kind == dictionaryPage {
		t.open(7)
		t.int32(1, int64(values))
		t.int32(2, encoding)
	} else {
		t.open(5)
		t.int32(1, int64(values))
		t.int32(2, encoding)
		t.int32(3, runLengths) // of levels: there are none
		t.int32(4, runLengths)
	}
	t.end()
	t.end()
	k.size += int64(t.Len() + len(s.page))
	k.packed += int64(t.Len() + len(s.packed))
	return cmp.Or(s.put(t.Bytes()), s.put(s.packed))
}

// close writes the footer.
func (s *parquetSink) close() error {
	var t thrift
	t.int32(1, 1) // version
	t.list(2, thriftStruct, len(s.columns)+1)
	t.begin()
	t.text(4, "schema")
	t.int32(5, int64(len(s.columns)))
	t.end()
	for _, c := range s.columns {
		t.begin()
		t.int32(1, physical[c.kind])
		t.int32(3, required)
		t.text(4, c.name)
		if c.kind == text {
			t.int32(6, utf8)
			t.open(10) // the same in the terms of newer readers
			t.open(1)
			t.end()
			t.end()
		}
		t.end()
	}
	t.int64(3, s.rows)
	t.list(4, thriftStruct, len(s.groups))
	for i := range s.groups {
		s.describe(&t, &s.groups[i])
	}
	t.text(6, "pview")
	t.list(7, thriftStruct, len(s.columns)) // columns are ordered like their types
	for range s.columns {
		t.begin()
		t.open(1)
		t.end()
		t.end()
	}
	t.end()
	footer := binary.LittleEndian.AppendUint32(t.Bytes(), uint32(t.Len()))
	return s.put(append(footer, parquetMagic...))
}

// describe writes the footer's entry for a row group.
func (s *parquetSink) describe(t *thrift, g *rowGroup) {
	t.begin()
	t.list(1, thriftStruct, len(g.chunks))
	size := int64(0)
	for i := range g.chunks {
		k, c := &g.chunks[i], s.columns[i]
		first := k.data
		if k.dictionary != 0 {
			first = k.dictionary
		}
		t.begin()
		t.int64(2, first)
		t.open(3)
		t.int32(1, physical[c.kind])
		encodings := []int64{plain, byDictionary}
		if k.dictionary == 0 {
			encodings = encodings[:1]
		}
		t.list(2, thriftInt32, len(encodings))
		for _, e := range encodings {
			t.varint(e)
		}
		t.list(3, thriftBinary, 1)
		t.bytes([]byte(c.name))
		t.int32(4, zstandard)
		t.int64(5, g.rows)
		t.int64(6, k.size)
		t.int64(7, k.packed)
		t.int64(9, k.data)
		if k.dictionary != 0 {
			t.int64(11, k.dictionary)
		}
		if k.smallest != nil {
			t.open(12)
			t.int64(3, 0) // nulls
			t.binary(5, k.largest)
			t.binary(6, k.smallest)
			t.end()
		}
		t.end()
		t.end()
		size += k.size
	}
	t.int64(2, size)
	t.int64(3, g.rows)
	t.end()
}

// thrift writes a structure in Thrift's compact protocol: each field is preceded by its type and the difference between
// its number and that of the previous field.
type thrift struct {
	bytes.Buffer
	last []int // by depth, the number of the last field; the outermost structure needs no begin
	now  int
}

// The types of the compact protocol.
const (
	thriftInt32  = 5
	thriftInt64  = 6
	thriftBinary = 8
	thriftList   = 9
	thriftStruct = 12
)

func (t *thrift) field(number, typ int) {
	t.WriteByte(byte((number-t.now)<<4 | typ)) // numbers are at most 15 apart
	t.now = number
}

// begin begins a structure in a list, open begins one in a field; end ends either, and also the outermost.
func (t *thrift) begin() { t.last, t.now = append(t.last, t.now), 0 }

func (t *thrift) open(number int) {
	t.field(number, thriftStruct)
	t.begin()
}

func (t *thrift) end() {
	t.WriteByte(0)
	if n := len(t.last); n > 0 {
		t.last, t.now = t.last[:n-1], t.last[n-1]
	}
}

func (t *thrift) varint(v int64) { t.Write(binary.AppendVarint(nil, v)) }

func (t *thrift) int32(number int, v int64) {
	t.field(number, thriftInt32)
	t.varint(v)
}

func (t *thrift) int64(number int, v int64) {
	t.field(number, thriftInt64)
	t.varint(v)
}

func (t *thrift) bytes(v []byte) {
	t.Write(binary.AppendUvarint(nil, uint64(len(v))))
	t.Write(v)
}

func (t *thrift) binary(number int, v []byte) {
	t.field(number, thriftBinary)
	t.bytes(v)
}

func (t *thrift) text(number int, v string) { t.binary(number, []byte(v)) }

// list begins a list of n items.
func (t *thrift) list(number, typ, n int) {
	t.field(number, thriftList)
	if n < 15 {
		t.WriteByte(byte(n<<4 | typ))
		return
	}
	t.WriteByte(byte(0xf0 | typ))
	t.Write(binary.AppendUvarint(nil, uint64(n)))
}
