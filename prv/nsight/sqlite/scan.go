package sqlite

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// Kinds of pages of a table.
const (
	interiorPage = 5
	leafPage     = 13
)

// deepest bounds the levels of a tree.
const deepest = 20

// scan is a reading of a table.
type scan struct {
	file    *File
	table   *Table
	row     func(v []Value) bool
	used    []uint64 // pages, a bit each
	slots   []slot   // by column of the table, up to the last requested one
	values  []Value
	rowid   []int  // indexes in values of columns that are the row's number
	payload []byte // of a row that has overflow pages
	text    []byte // converted, of the row
	ended   bool
	every   int // read one of this many leaf pages of each parent page
	leaves  int // the level of the leaf pages
}

// slot is the place for the value of a column.
type slot struct {
	value int // -1: nowhere
	real  bool
}

// Scan calls row for each row, with the values of columns, until it returns false; values of columns that the table
// lacks are Null. It returns the first error: rows before it were read.
func (t *Table) Scan(columns []string, row func(v []Value) bool) error {
	return t.Sample(columns, 1, row)
}

// Sample is like Scan, but reads only one of the given number of pages with rows.
func (t *Table) Sample(columns []string, every int, row func(v []Value) bool) error {
	if t.refused != "" {
		return errors.New(t.refused)
	}
	s := &scan{file: t.file, table: t, row: row, used: make([]uint64, t.file.pages/64+1),
		values: make([]Value, len(columns)), every: every}
	for i, name := range columns {
		c := t.index(name)
		switch {
		case c < 0:
			continue
		case c == t.rowid:
			s.rowid = append(s.rowid, i)
			continue
		}
		for len(s.slots) <= c {
			s.slots = append(s.slots, slot{value: -1})
		}
		s.slots[c] = slot{i, t.columns[c].affinity == realAffinity}
	}
	if every > 1 {
		s.leaves, _ = t.last()
	}
	return s.tree(t.root, 1)
}

// Last returns the number of the last row, 0 if unknown.
func (t *Table) Last() int64 {
	_, row := t.last()
	return row
}

// last returns the level of the pages with rows, and the last row; 0 if unknown.
func (t *Table) last() (level int, row int64) {
	number := t.root
	for level := range deepest {
		b, at, err := t.file.node(number)
		if err != nil {
			return 0, 0
		}
		n := int(binary.BigEndian.Uint16(b[at+3:]))
		if b[at] == interiorPage {
			number = binary.BigEndian.Uint32(b[at+8:])
			continue
		}
		if n == 0 || len(b) < at+8+2*n {
			return 0, 0
		}
		cell := b[min(int(binary.BigEndian.Uint16(b[at+6+2*n:])), len(b)):]
		_, k := varint(cell)
		rowid, _ := varint(cell[k:])
		return level + 1, int64(rowid)
	}
	return 0, 0
}

// node returns a page of a table's tree, and where its header begins.
func (f *File) node(number uint32) (b []byte, at int, err error) {
	if b, err = f.page(number); err != nil {
		return nil, 0, err
	}
	if number == 1 {
		at = headerSize
	}
	if b[at] != interiorPage && b[at] != leafPage {
		return nil, 0, &pageError{number, fmt.Sprintf("kind %d is not a page of a table", b[at])}
	}
	return b, at, nil
}

// use notes that a page belongs to the table; using a page twice is an error.
func (s *scan) use(number uint32) error {
	if number == 0 || number > s.file.pages {
		return &pageError{number, fmt.Sprintf("the file has %d pages", s.file.pages)}
	}
	word, bit := &s.used[number/64], uint64(1)<<(number%64)
	if *word&bit != 0 {
		return &pageError{number, "used twice"}
	}
	*word |= bit
	return nil
}

// tree reads the rows below a page.
func (s *scan) tree(number uint32, level int) error {
	if err := s.use(number); err != nil {
		return err
	}
	b, at, err := s.file.node(number)
	if err != nil {
		return err
	}
	head := 8
	if b[at] == interiorPage {
		head = 12
	}
	n := int(binary.BigEndian.Uint16(b[at+3:]))
	if n > (len(b)-at-head)/2 {
		return &pageError{number, fmt.Sprintf("%d cells have no room", n)}
	}
	cells := b[at+head : at+head+2*n]
	if b[at] == leafPage {
		return s.leaf(number, b, cells, at+head+2*n)
	}
	if level == deepest {
		return &pageError{number, "the tree is too deep"}
	}
	last := binary.BigEndian.Uint32(b[at+8:])
	step := 2
	if level+1 == s.leaves {
		step *= s.every
	}
	for i := 0; i < len(cells); i += step {
		offset := int(binary.BigEndian.Uint16(cells[i:]))
		if offset < at+head+2*n || offset > len(b)-4 {
			return outside(number, i/2)
		}
		if err := s.tree(binary.BigEndian.Uint32(b[offset:]), level+1); err != nil || s.ended {
			return err
		}
	}
	if step > 2 {
		return nil
	}
	return s.tree(last, level+1)
}

func outside(number uint32, cell int) error {
	return &pageError{number, fmt.Sprintf("cell %d is not inside of the page", cell+1)}
}

// leaf reads the rows of a page; least is the first place of a cell.
func (s *scan) leaf(number uint32, b, cells []byte, least int) error {
	for i := 0; i < len(cells); i += 2 {
		offset := int(binary.BigEndian.Uint16(cells[i:]))
		if offset < least || offset >= len(b) {
			return outside(number, i/2)
		}
		cell := b[offset:]
		size, k := varint(cell)
		rowid, m := varint(cell[k:])
		if k == 0 || m == 0 {
			return outside(number, i/2)
		}
		cell = cell[k+m:]
		r := record{scan: s, page: number, cell: i / 2, size: size}
		if size <= uint64(s.file.usable-35) {
			if size > uint64(len(cell)) {
				return outside(number, i/2)
			}
			r.bytes = cell[:size]
		} else if err := r.begin(cell); err != nil {
			return err
		}
		if err := r.read(int64(rowid)); err != nil {
			return err
		}
		if !s.row(s.values) {
			s.ended = true
			return nil
		}
	}
	return nil
}

// record is a row as stored in its cell.
type record struct {
	*scan
	page     uint32
	cell     int
	size     uint64
	bytes    []byte // as far as they have been read
	overflow uint32 // page of the rest, 0: none
}

func (r *record) fail(why string) error {
	return &pageError{r.page, fmt.Sprintf("cell %d: %s", r.cell+1, why)}
}

// begin takes the part of a row that is in its cell; the rest is in overflow pages.
func (r *record) begin(cell []byte) error {
	usable := uint64(r.file.usable)
	local := (usable-12)*32/255 - 23
	if k := local + (r.size-local)%(usable-4); k <= usable-35 {
		local = k
	}
	if uint64(len(cell)) < local+4 {
		return outside(r.page, r.cell)
	}
	if r.size > uint64(r.file.pages)*usable {
		return r.fail("larger than the file")
	}
	r.bytes, r.overflow = cell[:local], binary.BigEndian.Uint32(cell[local:])
	return nil
}

// load reads the overflow pages.
func (r *record) load() error {
	s := r.scan
	s.payload = append(s.payload[:0], r.bytes...)
	for next := r.overflow; uint64(len(s.payload)) < r.size; {
		if err := s.use(next); err != nil {
			return r.fail("overflow " + err.Error())
		}
		b, err := s.file.page(next)
		if err != nil {
			return err
		}
		next = binary.BigEndian.Uint32(b)
		s.payload = append(s.payload, b[4:min(uint64(len(b)), 4+r.size-uint64(len(s.payload)))]...)
	}
	r.bytes, r.overflow = s.payload, 0
	return nil
}

// reaches makes sure that the bytes extend to an end.
func (r *record) reaches(end uint64) error {
	switch {
	case end <= uint64(len(r.bytes)):
		return nil
	case end > r.size:
		return r.fail("values reach beyond the row")
	}
	return r.load()
}

// read sets the values from the row.
func (r *record) read(rowid int64) error {
	s := r.scan
	s.text = s.text[:0]
	length, k := varint(r.bytes)
	if k == 0 || length < uint64(k) {
		return r.fail("no row")
	}
	if err := r.reaches(length); err != nil {
		return err
	}
	types, at := r.bytes[k:length], length
	for c, slot := range s.slots {
		if len(types) == 0 {
			if err := s.fill(c); err != nil {
				return err
			}
			break
		}
		serial, n := uint64(types[0]), 1
		if serial >= 0x80 {
			if serial, n = varint(types); n == 0 {
				return r.fail("no type")
			}
		}
		types = types[n:]
		size := sizeOf(serial)
		if size < 0 {
			return r.fail(fmt.Sprintf("serial type %d has no meaning", serial))
		}
		if uint64(size) > r.size-at {
			return r.fail("values reach beyond the row")
		}
		end := at + uint64(size)
		if slot.value >= 0 {
			if end > uint64(len(r.bytes)) {
				if err := r.reaches(end); err != nil {
					return err
				}
			}
			v := &s.values[slot.value]
			s.set(v, serial, r.bytes[at:end])
			if slot.real && v.Kind == Integer {
				v.setReal(float64(v.Int))
			}
		}
		at = end
	}
	for _, i := range s.rowid {
		s.values[i].setInteger(rowid)
	}
	return nil
}

// fill sets the values of columns that were added to the table after the row.
func (s *scan) fill(from int) error {
	for c := from; c < len(s.slots); c++ {
		i := s.slots[c].value
		if i < 0 {
			continue
		}
		column := &s.table.columns[c]
		if column.unknown {
			return fmt.Errorf("column %s: its default is not a constant", column.name)
		}
		s.values[i] = column.initial
	}
	return nil
}
