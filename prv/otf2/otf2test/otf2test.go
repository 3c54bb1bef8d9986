// Package otf2test writes archives of OTF2 for tests: any records, in either byte order, whole or damaged.
package otf2test

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/bits"
	"os"
	"path/filepath"
	"testing"
)

// Fixed is a number stored in 8 bytes.
type Fixed uint64

// File is a file of chunks.
type File struct {
	Big   bool // byte order
	Chunk int  // bytes per chunk; 0: a single chunk of any length
	data  []byte
	start int    // of the chunk
	time  uint64 // of the last timestamp in the chunk
	timed bool
	first uint64 // event of the chunk
	count uint64 // events
}

// order returns the byte order.
func (f *File) order() binary.AppendByteOrder {
	if f.Big {
		return binary.BigEndian
	}
	return binary.LittleEndian
}

// header begins a chunk.
func (f *File) header() {
	f.start, f.timed, f.first = len(f.data), false, f.count+1
	mark := byte(0x42)
	if f.Big {
		mark = 0x23
	}
	f.data = append(f.data, 3, mark)
	f.data = f.order().AppendUint64(f.data, f.first)
	f.data = f.order().AppendUint64(f.data, 0)
}

// close fills in the number of the chunk's last event.
func (f *File) close() {
	at := f.data[f.start+10 : f.start+10]
	f.order().AppendUint64(at, f.count)
}

// put appends a record, in the next chunk if need be.
func (f *File) put(b []byte) {
	if len(f.data) == 0 {
		f.header()
	}
	if f.Chunk > 0 && len(f.data)-f.start+len(b) >= f.Chunk {
		f.close()
		f.data = append(f.data, make([]byte, f.Chunk-(len(f.data)-f.start))...)
		f.header()
	}
	f.data = append(f.data, b...)
}

// Number appends a compressed number; the given undefined is written as all ones.
func (f *File) Number(b []byte, v uint64, undefined uint64) []byte {
	if v == undefined {
		return append(b, 0xff)
	}
	n := (bits.Len64(v) + 7) / 8
	b = append(b, byte(n))
	for i := range n {
		shift := 8 * i
		if f.Big {
			shift = 8 * (n - 1 - i)
		}
		b = append(b, byte(v>>shift))
	}
	return b
}

// Field appends a field: uint8 as a byte, uint32, uint64 and int64 compressed, Fixed, float64, a string with its 0, and
// bytes as they are.
func (f *File) Field(b []byte, field any) []byte {
	switch v := field.(type) {
	case uint8:
		return append(b, v)
	case uint32:
		return f.Number(b, uint64(v), math.MaxUint32)
	case int:
		return f.Number(b, uint64(v), math.MaxUint32)
	case uint64:
		return f.Number(b, v, math.MaxUint64)
	case int64:
		return f.Number(b, uint64(v), math.MaxUint64)
	case Fixed:
		return f.order().AppendUint64(b, uint64(v))
	case float64:
		return f.order().AppendUint64(b, math.Float64bits(v))
	case string:
		return append(append(b, v...), 0)
	case []byte:
		return append(b, v...)
	}
	panic(fmt.Sprintf("no field of type %T", field))
}

// Record appends a record with a length.
func (f *File) Record(id uint8, fields ...any) {
	var b []byte
	for _, v := range fields {
		b = f.Field(b, v)
	}
	head := []byte{id, byte(len(b))}
	if len(b) >= 255 {
		head = f.order().AppendUint64([]byte{id, 255}, uint64(len(b)))
	}
	f.put(append(head, b...))
}

// Event appends an event with a length at a time.
func (f *File) Event(time uint64, id uint8, fields ...any) {
	f.At(time)
	f.count++
	f.Record(id, fields...)
}

// Bare appends an event of one number, without a length.
func (f *File) Bare(time uint64, id uint8, field any) {
	f.At(time)
	f.count++
	f.put(f.Field([]byte{id}, field))
}

// longest bounds the bytes of an event with its timestamp in these archives.
const longest = 64

// At writes a timestamp if the time has changed; each chunk begins with one.
func (f *File) At(time uint64) {
	if f.Chunk > 0 && len(f.data) > 0 && len(f.data)-f.start+longest >= f.Chunk {
		f.close()
		f.data = append(f.data, make([]byte, f.Chunk-(len(f.data)-f.start))...)
		f.header()
	}
	if f.timed && f.time == time {
		return
	}
	f.put(f.order().AppendUint64([]byte{5}, time))
	f.time, f.timed = time, true
}

// Raw appends bytes.
func (f *File) Raw(b ...byte) { f.put(b) }

// Bytes returns the file with its end mark.
func (f *File) Bytes() []byte {
	f.put([]byte{2, 1})
	f.close()
	return f.data
}

// Archive is an archive.
type Archive struct {
	Big         bool
	EventChunk  uint64 // 0: 1 MiB
	Definitions File
	Local       map[uint64]*File // by location
	Events      map[uint64]*File
}

// New returns an empty archive.
func New(big bool) *Archive {
	return &Archive{Big: big, Definitions: File{Big: big}, Local: map[uint64]*File{}, Events: map[uint64]*File{}}
}

// At returns the events of a location.
func (a *Archive) At(location uint64) *File {
	if a.Events[location] == nil {
		a.Events[location] = &File{Big: a.Big, Chunk: int(a.EventChunk)}
	}
	return a.Events[location]
}

// LocalOf returns the definitions of a location.
func (a *Archive) LocalOf(location uint64) *File {
	if a.Local[location] == nil {
		a.Local[location] = &File{Big: a.Big}
	}
	return a.Local[location]
}

// Anchor returns the anchor file.
func (a *Archive) Anchor() []byte {
	f := &File{Big: a.Big}
	mark := byte(0x42)
	if a.Big {
		mark = 0x23
	}
	chunk := a.EventChunk
	if chunk == 0 {
		chunk = 1 << 20
	}
	b := append([]byte{3, mark}, "OTF2\x00"...)
	b = append(b, 3, 2, 3, 0, 2)
	for _, v := range []any{Fixed(chunk), Fixed(4 << 20), uint8(1), uint8(1), Fixed(len(a.Events)), Fixed(0), "",
		"otf2test", ""} {
		b = f.Field(b, v)
	}
	b = f.order().AppendUint32(b, 0)
	b = f.order().AppendUint64(b, 1)
	b = f.order().AppendUint64(b, 0)
	return append(b, 2, 1, 0)
}

// Write writes the archive into a folder, and returns the path of its anchor.
func (a *Archive) Write(t testing.TB, dir string) string {
	t.Helper()
	files := map[string][]byte{"traces.otf2": a.Anchor(), "traces.def": a.Definitions.Bytes()}
	for id, f := range a.Events {
		files[fmt.Sprintf("traces/%d.evt", id)] = f.Bytes()
	}
	for id, f := range a.Local {
		files[fmt.Sprintf("traces/%d.def", id)] = f.Bytes()
	}
	if err := os.MkdirAll(filepath.Join(dir, "traces"), 0o700); err != nil {
		t.Fatal(err)
	}
	for name, data := range files {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return filepath.Join(dir, "traces.otf2")
}

// MPI adds the definitions of ranks with one thread each: location r is rank r, on node r/perNode. It returns the
// numbers of strings, including the caller's names.
func (a *Archive) MPI(ranks, perNode int, resolution uint64, names ...string) map[string]int {
	d := &a.Definitions
	d.Record(5, resolution, uint64(0), uint64(0), uint64(math.MaxUint64))
	number := map[string]int{}
	text := func(s string) int {
		if n, ok := number[s]; ok {
			return n
		}
		n := len(number)
		number[s] = n
		d.Record(10, n, s)
		return n
	}
	text("")
	for _, s := range names {
		text(s)
	}
	node, machine := text("node"), text("machine")
	d.Record(12, 0, text("cluster"), machine, uint32(math.MaxUint32))
	for n := range (ranks + perNode - 1) / perNode {
		d.Record(12, n+1, text(fmt.Sprintf("node%d", n)), node, 0)
	}
	var members []byte
	for r := range ranks {
		d.Record(13, r, text(fmt.Sprintf("MPI Rank %d", r)), uint8(1), r/perNode+1)
		d.Record(14, uint64(r), text("Master thread"), uint8(1), uint64(0), r)
		members = d.Number(members, uint64(r), math.MaxUint64)
	}
	d.Record(18, 0, text(""), uint8(0), ranks, members, uint8(4), uint8(4), 0)
	d.Record(18, 1, text(""), uint8(0), ranks, members, uint8(5), uint8(4), 0)
	d.Record(22, 0, text("MPI_COMM_WORLD"), 1, uint32(math.MaxUint32))
	return number
}

// Region adds a region.
func (a *Archive) Region(id, name int, role, paradigm uint8) {
	a.Definitions.Record(15, id, name, 0, uint8(0), uint32(math.MaxUint32), 0, 0, name, role, paradigm, 0)
}
