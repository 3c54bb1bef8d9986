package model

// Text from files ends up on a terminal. This file makes it safe to print, and
// reads the small line-oriented files (.pcf, .row) without trusting their size.

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Clean makes text from a file safe to print: invalid UTF-8 is read as Latin-1 (old tracers write it), tabs and line
// ends become blanks, and invisible characters that act on a terminal are dropped: control characters, so that no label
// can send an escape sequence; formatting characters, such as those that reverse the writing direction; fillers; and
// all but a few marks per character.
func Clean(s string) string {
	if IsPlain(s) {
		return s
	}
	s = UTF8(s)
	marks := 0
	return strings.Map(func(r rune) rune {
		isMark := unicode.In(r, unicode.Mn, unicode.Me)
		if marks++; !isMark {
			marks = 0
		}
		switch {
		case marks > mostMarks || isFiller(r):
			return -1
		case r == '\t' || r == '\n' || r == '\r':
			return ' '
		case unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp):
			return -1
		}
		return r
	}, s)
}

// mostMarks bounds the combining marks of a character: as many as any language needs.
const mostMarks = 4

// isFiller reports whether a character is invisible, with or without width: such characters make different labels look
// alike.
func isFiller(r rune) bool {
	return unicode.In(r, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector)
}

// CleanLabel is Clean without surrounding blanks.
func CleanLabel(s string) string { return strings.TrimSpace(Clean(s)) }

// IsPlain reports whether s is all printable ASCII: its width in columns is then its number of bytes.
func IsPlain(s string) bool {
	for i := range len(s) {
		if s[i] < ' ' || s[i] > '~' {
			return false
		}
	}
	return true
}

// UTF8 returns a text as UTF-8: text that is not UTF-8 is read as Latin-1, each byte as the character of that number.
func UTF8(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	var b strings.Builder
	b.Grow(2 * len(s))
	for i := range len(s) {
		b.WriteRune(rune(s[i]))
	}
	return b.String()
}

// Limits of the small files. They are far above the output of any tracer (the
// largest .pcf that we have seen has 400 KB), and prevent a file with the wrong
// content from filling the memory.
const (
	maxLine     = 64 << 10  // bytes read of a line
	maxTextFile = 256 << 20 // bytes read of a file
	maxNotes    = 100       // notes kept per file
)

// textLines reads a small text file line by line.
type textLines struct {
	r     *bufio.Reader
	left  int64 // bytes that may still be read
	num   int64 // number of the line last read, from 1
	notes noteList
	err   error
}

func newTextLines(file string, r io.Reader) *textLines {
	return &textLines{r: bufio.NewReaderSize(r, maxLine), left: maxTextFile, notes: noteList{file: file}}
}

// next returns the next line, cleaned and without surrounding blanks; ok is false at the end of the file.
func (t *textLines) next() (line string, ok bool) {
	line, ok = t.whole()
	return strings.TrimSpace(line), ok
}

// whole is like next, but keeps blanks.
func (t *textLines) whole() (line string, ok bool) {
	if t.err != nil || t.left <= 0 {
		return "", false
	}
	raw, err := t.r.ReadSlice('\n')
	t.left -= int64(len(raw))
	if len(raw) == 0 && err != nil {
		t.err = err
		return "", false
	}
	t.num++
	s := string(bytes.TrimRight(raw, "\r\n"))
	if err == bufio.ErrBufferFull {
		err = t.skipLine()
		t.note("line is longer than %d bytes: the rest of it is left out", maxLine)
	}
	t.err = err
	if t.left <= 0 {
		t.notes.add(0, fmt.Sprintf("only the first %d MiB are read", int64(maxTextFile)>>20))
	}
	if t.num == 1 {
		s = strings.TrimPrefix(s, "\ufeff")
	}
	return Clean(s), true
}

// skipLine reads to the end of the line.
func (t *textLines) skipLine() error {
	for t.left > 0 {
		b, err := t.r.ReadSlice('\n')
		t.left -= int64(len(b))
		if err != bufio.ErrBufferFull {
			return err
		}
	}
	return nil
}

// note adds a note on the current line.
func (t *textLines) note(format string, args ...any) {
	t.notes.add(t.num, fmt.Sprintf(format, args...))
}

// finish returns the notes, and the error that ended the reading, unless it was the end of the file.
func (t *textLines) finish() ([]Note, error) {
	if t.err != nil && t.err != io.EOF {
		return t.notes.list(), &FileError{File: t.notes.file, Line: t.num, Why: "cannot be read: " + t.err.Error(),
			Err: t.err}
	}
	return t.notes.list(), nil
}

// noteList collects a limited number of notes on a file.
type noteList struct {
	file  string
	notes []Note
	more  int64
}

func (n *noteList) add(line int64, text string) {
	if len(n.notes) >= maxNotes {
		n.more++
		return
	}
	n.notes = append(n.notes, Note{File: n.file, Line: line, Text: text})
}

func (n *noteList) list() []Note {
	if n.more > 0 {
		return append(n.notes, Note{File: n.file, Text: fmt.Sprintf("%d more lines with remarks", n.more)})
	}
	return n.notes
}

// Quote shortens a piece of a line for a note.
func Quote(s string) string {
	const most = 40
	if len(s) > most {
		s = string(bytes.ToValidUTF8([]byte(s[:most]), nil)) + "..."
	}
	return fmt.Sprintf("%q", s)
}

// Shorten returns the beginning of a text, made safe to show.
func Shorten(s string) string {
	const most = 60
	if len(s) > most {
		return Clean(s[:most]) + "..."
	}
	return Clean(s)
}
