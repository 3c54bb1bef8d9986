package model

import (
	"errors"
	"fmt"
	"io/fs"
)

// Reason is the reason why a record was skipped.
type Reason uint8

// The reasons. Paraver skips a record for a missing field; an unknown kind, object or CPU; a CPU of another node; or a
// negative time. It ignores a field that is not a number or is too large; pview skips such a record, rather than invent
// a value.
const (
	UnknownKind Reason = iota
	MissingField
	NotANumber
	Overflow
	UnknownObject
	UnknownCPU
	WrongNode
	NegativeTime
	numReasons
)

// Reasons lists all reasons.
var Reasons = func() (rs []Reason) {
	for r := range numReasons {
		rs = append(rs, r)
	}
	return rs
}()

// String returns the reason in words, for people.
func (r Reason) String() string {
	return [...]string{
		"unknown kind of record",
		"missing field",
		"field is not a number",
		"number too large",
		"no such ptask, task or thread",
		"no such CPU",
		"CPU of another node",
		"negative time",
	}[r]
}

// Key returns the reason as an identifier, for programs: "missing_field".
func (r Reason) Key() string {
	return [...]string{
		"unknown_kind", "missing_field", "not_a_number", "overflow",
		"unknown_object", "unknown_cpu", "wrong_node", "negative_time",
	}[r]
}

// Skipped counts the skipped records, by reason, and keeps the first.
type Skipped struct {
	Count [numReasons]int64
	First Problem // set if Total is not 0
}

// Total returns the number of skipped records.
func (s *Skipped) Total() int64 {
	n := int64(0)
	for _, c := range s.Count {
		n += c
	}
	return n
}

// Problem is one bad record.
type Problem struct {
	Line   int64 // 1-based line of the .prv
	Reason Reason
	Text   string // the record, shortened
}

// String returns the reason and the record: "missing field: 2:1:1:1:1:4000:60000019".
func (p Problem) String() string { return p.Reason.String() + ": " + p.Text }

// Cut is the end of a truncated file.
type Cut struct {
	Line int64  // 1-based line of the .prv at which the text ends
	Why  string // "the last line is incomplete", "the gzip stream ends early"
}

// Note is a remark on one line of one file.
type Note struct {
	File string
	Line int64 // 0 if the note is on the file as a whole
	Text string
}

// String returns the note as "file:line: text".
func (n Note) String() string {
	if n.Line == 0 {
		return fmt.Sprintf("%s: %s", n.File, n.Text)
	}
	return fmt.Sprintf("%s:%d: %s", n.File, n.Line, n.Text)
}

// FileError reports why a file cannot be read. Its text names file, line and reason.
type FileError struct {
	File string
	Line int64 // 0 if no line is to blame
	Why  string
	Err  error // the cause, or nil
}

func (e *FileError) Error() string { return Note{e.File, e.Line, e.Why}.String() }

func (e *FileError) Unwrap() error { return e.Err }

// AsFileError describes why a file cannot be read, without repeating its name.
func AsFileError(path string, err error) error {
	why := err.Error()
	var pe *fs.PathError
	if errors.As(err, &pe) {
		why = pe.Err.Error()
	}
	return &FileError{File: path, Why: why, Err: err}
}
