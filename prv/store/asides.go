package store

// The lines of a body that are no records: comments, and communicators where the header's count is short. A trace has
// few of them; a file may be made of them, and compressed a thousandfold. So they are kept up to a limit, the first
// ones in the file, and counted beyond it.

import (
	"fmt"
	"pview/prv/model"
	"slices"
)

// Asides are those of a stretch of the file.
type Asides struct {
	text  []string // comments begin with '#'
	line  []int64  // of each, in the stretch, from 1
	bytes int64    // that they take
	// Left counts the lines beyond the limit, of which firstLeft is the first: a line of the stretch, from 1.
	Left, FirstLeft int64
}

// asideCost is the memory of a line beside its text.
const asideCost = 32

func LineCost(text string) int64 { return int64(len(text)) + asideCost }

// Add keeps a line, unless the limit has been reached before it.
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

// cut keeps the first lines, as many as fit into room.
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

// Comments and communicators return those of one kind.
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

// asideBudget divides the limit among the segments of a file, in their order: the result does not depend on which is
// parsed first. Its methods are called by the one who has the turn.
type asideBudget struct {
	limit, used int64
	settled     int  // segments
	spent       bool // nothing is kept of those that are not settled yet
}

// limitOf returns how much can be kept of a segment that is about to be parsed. It takes those before it into account
// that have been parsed, even if earlier ones have not: otherwise one that takes its time would let all that come later
// keep the whole limit.
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

// settle takes the segments into account that have been parsed, as far as those before them have been.
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

// AsidesLeftOut says that lines beyond the limit were left out, from the given line of the file on.
func AsidesLeftOut(name string, limit, left, first int64) model.Note {
	text := fmt.Sprintf("comment and communicator lines beyond the first %s are left out (%d lines)",
		Megabytes(limit), left)
	if limit < MostAsides {
		text += ": a larger --memory keeps more"
	}
	return model.Note{File: name, Line: first, Text: text}
}

// Limits of lines: of one, and of all that are no records. Of the memory that is given, they take a part.
const (
	LongestLine = 64 << 20
	MostAsides  = 64 << 20
	lineShare   = 16
)

// Longest returns the greatest length of a line: a longer one is no record, and no header.
func (o *Options) Longest() int64 { return o.part(LongestLine) }

// AsideLimit returns how much is kept of lines that are no records.
func (o *Options) AsideLimit() int64 { return o.part(MostAsides) }

func (o *Options) part(most int64) int64 {
	if o.Memory == 0 {
		return most
	}
	return min(most, max(1<<20, o.Memory/lineShare))
}

// TooLong says that a line is longer than it may be.
func (o *Options) TooLong(what string) string {
	n := o.Longest()
	if n < LongestLine {
		return fmt.Sprintf("%s is longer than the %s that --memory allows", what, Megabytes(n))
	}
	return fmt.Sprintf("%s is longer than %s", what, Megabytes(n))
}

func Megabytes(n int64) string { return fmt.Sprintf("%d MB", n>>20) }
