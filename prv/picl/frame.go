package picl

// The new format (PICL 2, MPICL): a frame of six fields that starts with a negative number, then data after their
// description.

import (
	"fmt"
	"strconv"
	"strings"
)

// Types of records of the new format.
const (
	markRecord    = -2
	entryRecord   = -3
	exitRecord    = -4
	labelRecord   = -5
	formatRecord  = -6
	messageRecord = -7
	firstMeasure  = -101
	lastMeasure   = -105
	firstSubset   = -201
	lastSubset    = -203
)

// frame is a record of the new format.
type frame struct {
	record, event int32
	time          int64
	who
	count int64    // of the data, as the record claims
	data  []string // as in the file
	whole bool     // the data are one text
}

// parse reads a line; the data are valid until the next one.
func (r *reader) parse(text string) (f frame, err error) {
	n, rest := fields(text, r.token[:6])
	if n < 6 {
		return f, errShort
	}
	for i, to := range map[int]*int32{0: &f.record, 1: &f.event, 3: &f.processor, 4: &f.process} {
		if *to, err = small(r.token[i]); err != nil {
			return f, err
		}
	}
	if f.time, err = seconds(r.token[2]); err != nil {
		return f, err
	}
	if f.count, err = integer(r.token[5]); err != nil {
		return f, err
	}
	if f.process == -1 {
		f.process = 0
	}
	return f, r.describe(&f, rest)
}

// describe reads the description of the data, and the data: a code for all of them, or a text like "%d %s".
func (r *reader) describe(f *frame, rest string) error {
	if rest == "" {
		return nil
	}
	if rest[0] == '"' {
		end := strings.IndexByte(rest[1:], '"')
		if end < 0 {
			return fmt.Errorf("the description of the data does not end")
		}
		rest = rest[end+2:]
	} else if f.count != 0 {
		var code [1]string
		_, rest = fields(rest, code[:])
		if f.whole = code[0] == "0"; f.whole {
			f.data = append(r.token[:0], rest)
			return nil
		}
	}
	n, more := fields(rest, r.token[:])
	f.data = r.token[:n]
	if more != "" {
		f.whole = false
		f.data = append(f.data[:n:n], strings.Fields(more)...)
	}
	return nil
}

// numbers returns the numbers in a record's data, up to the first datum that is not a number.
func (f *frame) numbers(into []int64) []int64 {
	for _, s := range f.data[:min(len(f.data), mostData)] {
		v, err := strconv.ParseInt(s, 10, 64)
		if err != nil {
			x, err := strconv.ParseFloat(s, 64)
			if err != nil || !(x > -1e18 && x < 1e18) {
				break
			}
			v = int64(x)
		}
		into = append(into, v)
	}
	return into
}

// takeFrame reads a line of the new format.
func (r *reader) takeFrame(text string) error {
	f, err := r.parse(text)
	if err != nil {
		return err
	}
	isText := f.whole || f.record <= labelRecord && f.record >= messageRecord // blanks of a text do not end a datum
	if !isText && f.count != int64(len(f.data)) {
		if r.strict {
			return fmt.Errorf("says that it has %d data, but has %d", f.count, len(f.data))
		}
		r.blame(wrongCount, r.line, "")
	}
	switch {
	case f.record <= firstMeasure && f.record >= lastMeasure:
		return r.takeMeasure(&f)
	case f.record == labelRecord:
		if name := strings.Trim(strings.Join(f.data, " "), `" `); name != "" {
			r.labels[f.event] = name
		}
		return nil
	case f.record == formatRecord, f.record <= firstSubset && f.record >= lastSubset:
		return nil // descriptions, which the timeline does not need
	case f.record < messageRecord || f.record > markRecord:
		r.blame(unknownRecord, r.line, fmt.Sprintf("type %d", f.record))
		return nil
	case f.processor < 0 && f.processor != host:
		return fmt.Errorf("processor %d: must be >= 0", f.processor)
	}
	return r.happen(&f)
}

// happen adds the step of an event record.
func (r *reader) happen(f *frame) error {
	if f.record != markRecord && f.record != messageRecord && f.event < 0 && f.event > firstSystemID {
		return fmt.Errorf("event type %d: must be >= 0 (of the user), or at most %d (of the system)", f.event,
			firstSystemID)
	}
	l, time := r.lane(f.who, f.time)
	var numbers [mostData]int64
	data := f.numbers(numbers[:0])
	switch f.record {
	case markRecord:
		l.add(mark, time, f.event)
	case entryRecord:
		l.add(enter, time, f.event, data...)
	case exitRecord:
		l.add(leave, time, f.event, data...)
	case messageRecord:
		r.text(l, time, strings.Join(f.data, " "))
	}
	if f.event <= firstSystemID && f.record == entryRecord {
		if _, known := eventOf(int(f.event)); !known {
			r.blame(unknownEvent, r.line, fmt.Sprintf("type %d", f.event))
		}
	}
	return nil
}

// text adds a text that the program traced.
func (r *reader) text(l *lane, time int64, text string) {
	l.add(say, time, int32(len(r.texts)))
	r.texts = append(r.texts, strings.Trim(text, `" `))
}
