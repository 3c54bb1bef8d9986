package efficiency_test

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"pview/insight/efficiency"
	"pview/insight/runtest"
	"pview/prv"
	"pview/prv/prvtest"
	"pview/render/document"
)

// traced measures a trace of the repository.
func traced(t *testing.T, name string, opt efficiency.Options) *efficiency.Run {
	t.Helper()
	files, _ := filepath.Glob(filepath.Join(prvtest.Root(), "testdata", "traces", name, name+".prv*"))
	trace, err := prv.Open(context.Background(), files[0], prv.Options{})
	if err != nil {
		t.Fatal(err)
	}
	trace.Path = name
	r, err := efficiency.Measure(context.Background(), trace, opt)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// The documents of some runs as text, in rows and as an object.
func TestWords(t *testing.T) {
	flat, alone := run(t, flat, efficiency.Options{}), run(t, alone, efficiency.Options{})
	flat.Path, alone.Path = "flat", "alone"
	var b strings.Builder
	for _, c := range []struct {
		name    string
		runs    []*efficiency.Run
		scaling efficiency.Scaling
	}{
		{"one and two processes", []*efficiency.Run{alone, flat}, efficiency.Strong},
		{"hybrid", []*efficiency.Run{traced(t, "hybrid_4x4", efficiency.Options{})}, efficiency.Strong},
		{"calls", []*efficiency.Run{traced(t, "callmix_4_skew", efficiency.Options{})}, efficiency.Strong},
		{"an application of two", []*efficiency.Run{traced(t, "twoapps_4_4", efficiency.Options{Ptask: 2})},
			efficiency.Strong},
		{"times", []*efficiency.Run{alone, traced(t, "heat2d_8", efficiency.Options{NoIdeal: true})}, efficiency.Weak},
	} {
		d := efficiency.Compare(c.runs, c.scaling).Document(nil)
		fmt.Fprintf(&b, "=== %s\n%s", c.name, document.Text(d, nil))
		for _, note := range d.Notes {
			fmt.Fprintln(&b, "note", note)
		}
		var rows strings.Builder
		if err := document.WriteTable(&rows, d.Rows(), "tsv"); err != nil {
			t.Fatal(err)
		}
		b.WriteString(prvtest.Rounded(rows.String()))
	}
	prvtest.SameFile(t, "testdata/words.txt", b.String())
}

// The object of two runs.
func TestObject(t *testing.T) {
	flat, alone := run(t, flat, efficiency.Options{}), run(t, alone, efficiency.Options{})
	d := efficiency.Compare([]*efficiency.Run{alone, flat}, efficiency.Strong).Document(nil)
	object, err := json.MarshalIndent(d.Object(), "", " ")
	if err != nil {
		t.Fatal(err)
	}
	prvtest.SameFile(t, "testdata/object.json", prvtest.Rounded(string(object)))
}

// Without states a thread is useful between its first and last event, at 10 and 50, but for a call from 20 to 30; of a
// message-driven run while entries execute, on processor 2 from 20 to 30 and 35 to 38.
func TestOutsideCalls(t *testing.T) {
	b := runtest.Tasks(2)
	for _, e := range [][3]int64{{10, 60000019, 1}, {20, 50000001, 2}, {30, 50000001, 0}, {50, 60000019, 0}} {
		b.Event(0, 0, e[0], prv.Pair{Type: uint32(e[1]), Value: e[2]})
	}
	calls, driven := runtest.Build(t, b), runtest.Driven(t)
	for _, c := range []struct {
		trace          *prv.Trace
		thread         int
		from, to, want int64
	}{{calls, 0, 0, 60, 30}, {calls, 0, 15, 35, 10}, {calls, 0, 20, 30, 0}, {calls, 1, 0, 60, 0},
		{driven, 1, 0, 60, 13}, {driven, 1, 25, 36, 6}, {driven, 1, 0, 20, 0}} {
		if got := efficiency.OutsideCalls(c.trace, c.thread, c.from, c.to); got != c.want {
			t.Errorf("thread %d from %d to %d: %d, want %d", c.thread, c.from, c.to, got, c.want)
		}
	}
}
