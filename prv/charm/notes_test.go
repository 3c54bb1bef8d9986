package charm

import (
	"strings"
	"testing"

	"pview/prv/extrae/execution"
)

// The number before a note is its length. The text may follow at once or after one blank, and may itself begin with a
// digit: in "10123456789x" the length is 10, because after a length of 1 the text would have 11 characters.
func TestNotes(t *testing.T) {
	for text, want := range map[string]string{
		"28 310 4last": "last", "28 310 4 last": "last", "28  310 5 a b c": "a b c",
		"28 310 10123456789x": "123456789x",
		"28 310 3 1 2":        "1 2", "28 310 0": "", "28 310 12 twelve chars": "twelve chars",
	} {
		r := &reader{log: &log{}, text: text, fields: strings.Fields(text)}
		id := r.note(2)
		got := ""
		if id > 0 {
			got = r.texts[id-1]
		}
		if got != want || r.err != nil {
			t.Errorf("%q: the note is %q, %v", text, got, r.err)
		}
	}
	for _, text := range []string{"28 310", "28 310 9 short", "28 310 2 long", "28 310 x"} {
		r := &reader{log: &log{}, text: text, fields: strings.Fields(text)}
		if id := r.note(2); id != 0 || r.err == nil {
			t.Errorf("%q is read as %q", text, r.texts[id-1])
		}
	}
}

// The record gives the kind of a message: broadcasts go to all, messages of arrays to an object, others by their
// number.
func TestKindsOfMessages(t *testing.T) {
	l := &lane{builder: &builder{run: &run{version: 11, entries: map[int64]entry{0: {chare: 0}, 1: {chare: 1}},
		chares: map[int64]chare{0: {dims: 0}, 1: {dims: 1}}}}}
	for _, c := range []struct {
		r    record
		want int64
	}{
		{record{kind: broadcast}, execution.ToAll}, {record{kind: multicast}, execution.ToAll},
		{record{kind: creation, entry: 1, message: 1}, execution.ToObject},
		{record{kind: creation, message: 1}, execution.ToNewObject},
		{record{kind: creation, message: 2}, execution.ToNewObject},
		{record{kind: creation, message: 3}, execution.ToGroup},
		{record{kind: creation, message: 4}, execution.ToObject},
		{record{kind: creation, message: 5}, execution.ToGroup},
		{record{kind: creation, message: 0}, execution.ToObject},
	} {
		if got := l.kindOf(&c.r); got != c.want {
			t.Errorf("%+v: kind %d, want %d", c.r, got, c.want)
		}
	}
}
