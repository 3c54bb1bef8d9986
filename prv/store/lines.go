package store

import (
	"bytes"
	"math"
	"pview/prv/model"
	"strconv"
)

// LineKind is the kind of a line of the body.
type LineKind uint8

// The kinds of lines. Blank lines and bad records are skipped.
const (
	StateLine  LineKind = '1'
	EventLine  LineKind = '2'
	CommLine   LineKind = '3'
	GlobalLine LineKind = '4' // a global communication, which Paraver ignores
	OtherLine  LineKind = '#' // a comment, or a communicator in the body
)

// Line is a line of the body.
type Line struct {
	Kind LineKind
	Text []byte // up to the end of its last valid field; valid until the next line is read

	Thread, CPU   int32    // of the record; of a communication, the sender's
	Recv, RecvCPU int32    // of a communication, the receiver's
	Times         [4]int64 // begin and end (or NoEnd) of a state; time of an event line; of a communication by Role
	State         uint32
	Size, Tag     int64
	Pairs         []PairText // of an event line

	times [2][2]int // places of times in Text, the receiver's separately
}

// PairText is one type:value pair of an event line and its place in the line's text.
type PairText struct {
	model.Pair
	Begin, End int // Text[Begin:End] is "type:value"
}

// Lines reads the lines of one chunk after another.
type Lines struct {
	Line
	Count   int64         // lines of the chunk so far
	Skipped model.Skipped // bad records of the chunk so far; lines count from its beginning

	p *chunkParser
	b []byte // the chunk, including the readable bytes after it
	n int    // its length
	i int    // start of the next line
}

// NewLines returns a reader of the lines of traces with the given resources.
func NewLines(r *model.Resources) *Lines { return &Lines{p: newChunkParser(r)} }

// Reset starts a chunk from Text.Next.
func (l *Lines) Reset(chunk []byte) {
	l.b, l.n, l.i = chunk[:len(chunk)+Pad], len(chunk), 0
	l.Count, l.Skipped = 0, model.Skipped{}
}

// Next reads the next line that is a valid record, a comment or a communicator. It returns false at the end of the
// chunk.
func (l *Lines) Next() bool {
	for l.i < l.n {
		begin := l.i
		l.Count++
		end, why, ok := l.line(begin)
		if l.b[end] == '\n' {
			l.i = end + 1
		} else {
			l.i = lineEnd(l.b, end)
		}
		if !ok {
			l.skip(why, begin)
			if l.Kind != EventLine || len(l.Pairs) == 0 {
				continue
			}
			end = begin + l.Pairs[len(l.Pairs)-1].End // like Paraver, keep the pairs before a bad one
		}
		if end > begin {
			l.Text = l.b[begin:end]
			return true
		}
	}
	return false
}

func (l *Lines) skip(why model.Reason, begin int) {
	if l.Skipped.Total() == 0 {
		text := bytes.TrimRight(l.b[begin:lineEnd(l.b, begin)], "\r\n")
		if l.Kind == OtherLine {
			text = bytes.TrimSpace(text)
		}
		l.Skipped.First = model.Problem{Line: l.Count, Reason: why, Text: model.Shorten(string(text))}
	}
	l.Skipped.Count[why]++
}

// line reads the line that begins at i and returns the end of its valid text: i itself for an empty line.
func (l *Lines) line(i int) (end int, why model.Reason, ok bool) {
	b := l.b
	l.Pairs = l.Pairs[:0]
	if b[i] != '\n' && b[i+1] == ':' {
		switch b[i] {
		case '1':
			return l.state(i)
		case '2':
			return l.events(i)
		case '3':
			return l.comm(i)
		}
	}
	end = lineEnd(b, i) - 1
	text := bytes.TrimSpace(b[i:end])
	switch {
	case len(text) == 0:
		return i, 0, true
	case text[0] == '#', IsCommunicator(text):
		l.Kind = OtherLine
		return end, 0, true
	case b[i] == '4' && b[i+1] == ':':
		l.Kind = GlobalLine
		return end, 0, true
	}
	l.Kind = OtherLine
	return end, model.UnknownKind, false
}

func (l *Lines) state(begin int) (i int, why model.Reason, ok bool) {
	l.Kind = StateLine
	b := l.b
	if l.Thread, l.CPU, i, why, ok = l.p.object(b, begin+2); !ok {
		return i, why, false
	}
	l.times[0][0] = i - begin
	if l.Times[0], i, why, ok = l.p.timeField(b, i); !ok {
		return i, why, false
	}
	if l.Times[1], i, why, ok = signed(b, i, false); !ok {
		return i, why, false
	}
	l.times[0][1] = i - begin
	if i, why, ok = colon(b, i); !ok {
		return i, why, false
	}
	value, i, why, ok := field(b, i, math.MaxUint32)
	switch stop := l.Times[1]; {
	case !ok:
		return i, why, false
	case !ended(b, i):
		return i, model.NotANumber, false
	case stop < 0 && stop != model.NoEnd:
		return i, model.NegativeTime, false
	}
	l.State = uint32(value)
	return i, 0, true
}

func (l *Lines) events(begin int) (i int, why model.Reason, ok bool) {
	l.Kind = EventLine
	b := l.b
	if l.Thread, l.CPU, i, why, ok = l.p.object(b, begin+2); !ok {
		return i, why, false
	}
	l.times[0][0] = i - begin
	if l.Times[0], i, why, ok = l.p.timeField(b, i); !ok {
		return i, why, false
	}
	l.times[0][1] = i - 1 - begin
	for {
		typ, value, next, why, ok := pairText(b, i)
		if !ok {
			return i, why, false
		}
		l.Pairs = append(l.Pairs, PairText{model.Pair{Type: typ, Value: value}, i - begin, next - begin})
		if b[next] != ':' {
			return next, 0, true
		}
		i = next + 1
	}
}

func (l *Lines) comm(begin int) (i int, why model.Reason, ok bool) {
	l.Kind = CommLine
	b := l.b
	i = begin + 2
	for end := range l.times {
		object, cpu := &l.Thread, &l.CPU
		if end == 1 {
			object, cpu = &l.Recv, &l.RecvCPU
		}
		if *object, *cpu, i, why, ok = l.p.object(b, i); !ok {
			return i, why, false
		}
		l.times[end][0] = i - begin
		for k := range 2 {
			if l.Times[2*end+k], i, why, ok = l.p.timeField(b, i); !ok {
				return i, why, false
			}
		}
		l.times[end][1] = i - 1 - begin
	}
	if l.Size, i, why, ok = signed(b, i, true); ok {
		i, why, ok = colon(b, i)
	}
	if ok {
		l.Tag, i, why, ok = signed(b, i, true)
	}
	if ok && !ended(b, i) {
		return i, model.NotANumber, false
	}
	return i, why, ok
}

// AppendAt appends the line to out with the given times and a line end. Kinds without times are unchanged.
func (l *Line) AppendAt(out []byte, times [4]int64) []byte {
	switch l.Kind {
	case StateLine, CommLine:
		from := 0
		for end := range l.times {
			at := l.times[end]
			out = append(out, l.Text[from:at[0]]...)
			out = strconv.AppendInt(out, times[2*end], 10)
			out = append(out, ':')
			out = strconv.AppendInt(out, times[2*end+1], 10)
			from = at[1]
			if l.Kind == StateLine {
				break
			}
		}
		out = append(out, l.Text[from:]...)
	case EventLine:
		out = append(out, l.Text[:l.times[0][0]]...)
		out = strconv.AppendInt(out, times[0], 10)
		out = append(out, l.Text[l.times[0][1]:]...)
	default:
		out = append(out, l.Text...)
	}
	return append(out, '\n')
}
