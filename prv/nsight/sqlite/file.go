// Package sqlite reads the tables of SQLite files, row by row. It has no SQL: it scans whole tables, in the order of
// their row numbers.
//
// A file is mapped and assumed not to change: nothing is locked or written. No size in it is trusted: a page outside of
// the file, a page that is used twice, or a cell outside of its page is an error of the table that refers to it.
//
// https://www.sqlite.org/fileformat2.html describes the format.
package sqlite

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"strings"

	"pview/prv/mapped"
)

// magic begins each file.
const magic = "SQLite format 3\x00"

// Detect reports whether a file begins like an SQLite file.
func Detect(head []byte) bool { return bytes.HasPrefix(head, []byte(magic)) }

// headerSize is the size of the header in the first page.
const headerSize = 100

// Encodings of text.
const (
	utf8Text = 1 + iota
	utf16LittleEndian
	utf16BigEndian
)

// File is an open file.
type File struct {
	Tables   map[string]*Table
	data     []byte
	pageSize int
	usable   int    // bytes of a page
	pages    uint32 // in the file
	promised uint32 // pages according to the header
	encoding uint32
	released int // bytes read since the pages last left memory
}

// Open opens a file and reads its schema. The caller closes it, and guards what reads it: see mapped.Guard.
func Open(path string) (*File, error) {
	data, err := mapped.Open(path)
	if err != nil {
		return nil, err
	}
	f := &File{Tables: map[string]*Table{}, data: data}
	err = mapped.Guard(func() error {
		if err := f.readHeader(); err != nil {
			return err
		}
		if err := f.checkLog(path); err != nil {
			return err
		}
		return f.readSchema()
	})
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// Close unmaps the file: nothing that was read may be used afterwards.
func (f *File) Close() { mapped.Unmap(f.data) }

// Size returns the bytes of the file.
func (f *File) Size() int64 { return int64(len(f.data)) }

// Missing returns how many pages a truncated file lacks, and how many it should have in all.
func (f *File) Missing() (missing, all uint32) {
	if f.promised <= f.pages {
		return 0, f.pages
	}
	return f.promised - f.pages, f.promised
}

func (f *File) readHeader() error {
	h := f.data
	if len(h) < headerSize || !Detect(h) {
		return errors.New("not an SQLite file")
	}
	f.pageSize = int(binary.BigEndian.Uint16(h[16:]))
	if f.pageSize == 1 {
		f.pageSize = 1 << 16
	}
	f.usable = f.pageSize - int(h[20])
	switch {
	case f.pageSize < 512 || f.pageSize&(f.pageSize-1) != 0:
		return fmt.Errorf("page size must be a power of 2 from 512 to 65536, not %d", f.pageSize)
	case f.usable < 480:
		return fmt.Errorf("a page must have 480 bytes or more, not %d", f.usable)
	case h[19] > 2:
		return fmt.Errorf("version %d of the file format is not known", h[19])
	}
	pages := uint64(len(h)) / uint64(f.pageSize)
	if pages == 0 {
		return errors.New("the file ends in its first page")
	}
	f.pages = uint32(min(pages, 1<<32-2))
	if string(h[24:28]) == string(h[92:96]) { // else from an old version, without the number
		f.promised = binary.BigEndian.Uint32(h[28:])
	}
	f.encoding = binary.BigEndian.Uint32(h[56:])
	switch f.encoding {
	case 0: // no text yet
		f.encoding = utf8Text
	case utf8Text, utf16LittleEndian, utf16BigEndian:
	default:
		return fmt.Errorf("text encoding %d is not known", f.encoding)
	}
	return nil
}

// pageError is an error in a page.
type pageError struct {
	page uint32
	why  string
}

func (e *pageError) Error() string { return fmt.Sprintf("page %d: %s", e.page, e.why) }

// page returns the bytes of a page, which begins with number 1.
func (f *File) page(number uint32) ([]byte, error) {
	if number == 0 || number > f.pages {
		return nil, &pageError{number, fmt.Sprintf("the file has %d pages", f.pages)}
	}
	if f.released += f.pageSize; f.released >= releaseAfter {
		f.released = 0
		mapped.Release(f.data)
	}
	at := (int(number) - 1) * f.pageSize
	return f.data[at : at+f.usable : at+f.pageSize], nil
}

// releaseAfter is the number of bytes of earlier pages that stay in memory.
const releaseAfter = 16 << 20

// readSchema reads the tables from the one in the first page.
func (f *File) readSchema() error {
	schema := &Table{Name: "sqlite_schema", file: f, root: 1, rowid: -1, columns: make([]column, 5)}
	for i, name := range []string{"type", "name", "tbl_name", "rootpage", "sql"} {
		schema.columns[i].name = name
	}
	return schema.Scan([]string{"type", "name", "rootpage", "sql"}, func(v []Value) bool {
		if v[0].Text() != "table" {
			return true
		}
		t := &Table{Name: strings.Clone(v[1].Text()), file: f}
		if n, ok := v[2].Integer(); ok && n > 0 && n < 1<<32 {
			t.root = uint32(n)
		}
		t.define(v[3].Text())
		f.Tables[t.Name] = t
		return true
	})
}
