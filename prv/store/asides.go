package store

// The lines of a body that are not records: comments, and communicators beyond the header's count. A real trace has
// few; a hostile file may have nothing else, compressed a thousandfold. So the first ones in the file are kept, up to a
// limit, and the others are only counted.

import (
	"fmt"
	"pview/prv/model"
	"slices"
)

// Asides holds these lines for a part of the file.
type Asides struct {
	text  []string // comments begin with '#'
	line  []int64  // of each text, within the part, from 1
	bytes int64    // memory that they take
	// Left counts the lines beyond the limit; FirstLeft is the first of them, as a line of the part, from 1.
	Left, FirstLeft int64
}

// asideCost is the memory of a line besides its text.
const asideCost = 32

func LineCost(text string) int64 { return int64(len(text)) + asideCost }

// Add keeps a line, unless the limit is already reached.
func (a *Asides) Add(text []byte, line, limit int64) {
	if a.Left == 0 && a.bytes+int64(len(text))+asideCost <= limit {
		a.text, a.line = append(a.text, string(text)), append(a.line, line)
		a.bytes += int64(len(text)) + asideCost
		return
	}
	if a.Left == 0 {
		a.FirstLeft = line
	}
	a.Left++
}

// cut keeps as many of the first lines as fit room.
func (a *Asides) cut(room int64) {
	n, bytes := 0, int64(0)
	for n < len(a.text) && bytes+LineCost(a.text[n]) <= room {
		bytes += LineCost(a.text[n])
		n++
	}
	if n < len(a.text) {
		a.FirstLeft = a.line[n]
		a.Left += int64(len(a.text) - n)
		a.text, a.line, a.bytes = slices.Clone(a.text[:n]), slices.Clone(a.line[:n]), bytes
	}
}

// Comments and Communicators return the lines of one kind.
func (a *Asides) Comments() (list []string) {
	for _, t := range a.text {
		if t[0] == '#' {
			list = append(list, t)
		}
	}
	return list
}

func (a *Asides) Communicators() (list []model.Communicator) {
	for _, t := range a.text {
		if t[0] != '#' {
			list = append(list, model.Communicator{Text: t})
		}
	}
	return list
}

// asideBudget divides the limit among the segments of a file, in their order: the result does not depend on which
// segment is parsed first. Only the worker whose turn it is calls its methods.
type asideBudget struct {
	limit, used int64
	settled     int  // number of segments
	spent       bool // segments that are not settled yet keep nothing
}

// limitOf returns how much to keep of a segment that is about to be parsed. It counts the parsed segments before it,
// even if some earlier one is still being parsed: otherwise, while a slow one is parsed, each later one could keep the
// whole limit.
func (b *asideBudget) limitOf(segs []*segment, number int) int64 {
	if b.spent {
		return 0
	}
	room := b.limit - b.used
	for _, s := range segs[b.settled:number] {
		if s == nil {
			continue
		}
		if s.asides.Left > 0 {
			return 0
		}
		room -= s.asides.bytes
	}
	return max(room, 0)
}

// settle accounts for parsed segments, up to the first that is not parsed.
func (b *asideBudget) settle(segs []*segment) {
	for ; b.settled < len(segs) && segs[b.settled] != nil; b.settled++ {
		a := &segs[b.settled].asides
		room := b.limit - b.used
		if b.spent {
			room = 0
		}
		a.cut(room)
		b.used += a.bytes
		b.spent = b.spent || a.Left > 0
	}
}

// AsidesLeftOut is the note that lines beyond the limit were left out, starting at the given line of the file.
func AsidesLeftOut(name string, limit, left, first int64) model.Note {
	text := fmt.Sprintf("comment and communicator lines beyond the first %s are left out (%d lines)",
		Megabytes(limit), left)
	if limit < MostAsides {
		text += ": a larger --memory keeps more"
	}
	return model.Note{File: name, Line: first, Text: text}
}

// Limits for a line, and for all lines that are not records: fractions of the given memory.
const (
	LongestLine = 64 << 20
	MostAsides  = 64 << 20
	lineShare   = 16
)

// Longest returns the maximum length of a line: a longer line is neither a record nor a header.
func (o *Options) Longest() int64 { return o.part(LongestLine) }

// AsideLimit returns how many bytes to keep of lines that are not records.
func (o *Options) AsideLimit() int64 { return o.part(MostAsides) }

func (o *Options) part(most int64) int64 {
	if o.Memory == 0 {
		return most
	}
	return min(most, max(1<<20, o.Memory/lineShare))
}

// TooLong returns the error text for a line that is too long.
func (o *Options) TooLong(what string) string {
	n := o.Longest()
	if n < LongestLine {
		return fmt.Sprintf("%s is longer than the %s that --memory allows", what, Megabytes(n))
	}
	return fmt.Sprintf("%s is longer than %s", what, Megabytes(n))
}

func Megabytes(n int64) string { return fmt.Sprintf("%d MB", n>>20) }
