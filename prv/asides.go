package prv

// The lines of a body that are no records: comments, and communicators where the header's count is short. A trace has
// few of them; a file may be made of them, and compressed a thousandfold. So they are kept up to a limit, the first
// ones in the file, and counted beyond it.

import (
	"fmt"
	"slices"
)

// asides are those of a stretch of the file.
type asides struct {
	text  []string // comments begin with '#'
	line  []int64  // of each, in the stretch, from 1
	bytes int64    // that they take
	// left counts the lines beyond the limit, of which firstLeft is the first: a line of the stretch, from 1.
	left, firstLeft int64
}

// asideCost is what a line takes beside its text.
const asideCost = 32

func cost(text string) int64 { return int64(len(text)) + asideCost }

// add keeps a line, unless the limit has been reached before it.
func (a *asides) add(text []byte, line, limit int64) {
	if a.left == 0 && a.bytes+int64(len(text))+asideCost <= limit {
		a.text, a.line = append(a.text, string(text)), append(a.line, line)
		a.bytes += int64(len(text)) + asideCost
		return
	}
	if a.left == 0 {
		a.firstLeft = line
	}
	a.left++
}

// cut keeps the first lines, as many as fit into room.
func (a *asides) cut(room int64) {
	n, bytes := 0, int64(0)
	for n < len(a.text) && bytes+cost(a.text[n]) <= room {
		bytes += cost(a.text[n])
		n++
	}
	if n < len(a.text) {
		a.firstLeft = a.line[n]
		a.left += int64(len(a.text) - n)
		a.text, a.line, a.bytes = slices.Clone(a.text[:n]), slices.Clone(a.line[:n]), bytes
	}
}

// comments and communicators return those of one kind.
func (a *asides) comments() (list []string) {
	for _, t := range a.text {
		if t[0] == '#' {
			list = append(list, t)
		}
	}
	return list
}

func (a *asides) communicators() (list []Communicator) {
	for _, t := range a.text {
		if t[0] != '#' {
			list = append(list, Communicator{Text: t})
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
		if s.asides.left > 0 {
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
		b.spent = b.spent || a.left > 0
	}
}

// note says that lines were left out, from the given line of the file on.
func (b *asideBudget) note(name string, left, first int64) Note {
	text := fmt.Sprintf("comment and communicator lines beyond the first %s are left out (%d lines)",
		megabytes(b.limit), left)
	if b.limit < mostAsides {
		text += ": a larger --memory keeps more"
	}
	return Note{File: name, Line: first, Text: text}
}

// Limits of lines: of one, and of all that are no records. Of the memory that is given, they take a part.
const (
	longestLine = 64 << 20
	mostAsides  = 64 << 20
	lineShare   = 16
)

// longest returns the greatest length of a line: a longer one is no record, and no header.
func (o *Options) longest() int64 { return o.part(longestLine) }

// asideLimit returns how much is kept of lines that are no records.
func (o *Options) asideLimit() int64 { return o.part(mostAsides) }

func (o *Options) part(most int64) int64 {
	if o.Memory == 0 {
		return most
	}
	return min(most, max(1<<20, o.Memory/lineShare))
}

// tooLong says that a line is longer than it may be.
func (o *Options) tooLong(what string) string {
	n := o.longest()
	if n < longestLine {
		return fmt.Sprintf("%s is longer than the %s that --memory allows", what, megabytes(n))
	}
	return fmt.Sprintf("%s is longer than %s", what, megabytes(n))
}

func megabytes(n int64) string { return fmt.Sprintf("%d MB", n>>20) }
