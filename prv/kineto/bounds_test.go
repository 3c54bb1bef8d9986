package kineto

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// Begins and ends are paired in time order, wherever they are in the file; only an end that is earlier than its begin
// is paired by file order. Functions are shown as "name begin-end", in us from the first.
func TestBounds(t *testing.T) {
	for _, c := range []struct{ what, bounds, want, note string }{
		{"in order", "B10a B20b E30 E40", "a 0-30, b 10-20", ""},
		{"backwards", "E40 E30 B20b B10a", "a 0-30, b 10-20", ""},
		{"mixed", "B20b E40 B10a E30", "a 0-30, b 10-20", ""},
		{"the end is late in the file, and early in time", "B10a E20 B300x E290", "a 0-10, x 290-290", ""},
		{"an end before all", "E1 B10a E20", "a 0-10", "1 end without a begin left out; the first: event at byte"},
		{"no end", "B10a B20b E40", "a 0-30, b 10-30", "1 begin without an end"},
		{"one end too many, one begin too many", "E1 B10a E20 B50b", "a 0-10, b 40-40", "1 end without a begin"},
		{"end and begin at one time", "B10a E20 B20b E30", "a 0-10, b 10-20", ""},
	} {
		var events []string
		for _, b := range strings.Fields(c.bounds) {
			n := strings.TrimRight(b[1:], "abx")
			events = append(events, fmt.Sprintf(`{"ph":"%s","pid":1,"tid":1,"ts":%s,"name":"%s"}`, b[:1], n,
				b[1+len(n):]))
		}
		tr := open(t, write(t, "run.json", "["+strings.Join(events, ",")+"]"))
		var got []string
		first := int64(-1)
		list := functionsOf(tr, 0)
		for _, f := range list {
			if first < 0 {
				first = f.begin
			}
			got = append(got, fmt.Sprintf("%s %d-%d", f.name, f.begin-first, f.end-first))
		}
		slices.Sort(got)
		if s := strings.Join(got, ", "); s != c.want {
			t.Errorf("%s: %s, want %s", c.what, s, c.want)
		}
		if said := strings.Join(notesOf(tr), "; "); !strings.Contains(said, c.note) || c.note == "" && said != "" {
			t.Errorf("%s: notes %s", c.what, said)
		}
	}
}
