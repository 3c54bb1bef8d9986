package criticalpath_test

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pview/insight/criticalpath"
	"pview/insight/runtest"
	"pview/insight/waits"
	"pview/prv"
	"pview/prv/prvtest"
	"pview/render/document"
)

// opened opens a trace of the repository.
func opened(t *testing.T, name string) *prv.Trace {
	t.Helper()
	files, _ := filepath.Glob(filepath.Join(prvtest.Root(), "testdata", "traces", name, name+".prv*"))
	tr, err := prv.Open(context.Background(), files[0], prv.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return tr
}

// relay lets task 1 compute for 10 us and send to task 2, which waits for it and computes for 20, and to which task 1
// has sent another message by then; then both meet.
func relay(t *testing.T) *prv.Trace {
	t.Helper()
	p := runtest.NewProgram(2)
	p.Work(0, 1, 10_000)
	p.Send(0, 1)
	p.Work(0, 2, 3000)
	p.Send(0, 1)
	p.Recv(1, 0)
	p.Work(1, 3, 20_000)
	p.Recv(1, 0)
	p.All(runtest.Step{Do: runtest.Meets})
	p.Work(1, 3, 1000)
	return p.Run(t)
}

// The paths of small runs, segment by segment, and the documents of these and of the traces of the repository.
func TestWords(t *testing.T) {
	var b strings.Builder
	for _, c := range []struct {
		name     string
		tr       *prv.Trace
		segments bool
	}{{"relay", relay(t), true}, {"message-driven", runtest.Driven(t), true},
		{"message-driven with states", runtest.DrivenChain(t), true}, {"calls", opened(t, "callmix_4_skew"), false},
		{"heat", opened(t, "heat2d_8"), false}, {"hybrid", opened(t, "hybrid_4x4"), false}} {
		p := find(t, c.tr, criticalpath.Options{})
		fmt.Fprintf(&b, "=== %s\n", c.name)
		if c.segments {
			b.WriteString(document.TableText(p.SegmentTable(c.tr), "", nil))
		}
		d := p.Summary(c.tr.Labels).Document(c.tr.Unit, 5)
		b.WriteString(document.Text(d, nil))
	}
	prvtest.SameFile(t, "testdata/words.txt", b.String())
}

// What programs read of the path of a small run.
func TestObject(t *testing.T) {
	tr := relay(t)
	s := find(t, tr, criticalpath.Options{}).Summary(tr.Labels)
	object, err := json.MarshalIndent(s.Object(prv.Microseconds), "", " ")
	if err != nil {
		t.Fatal(err)
	}
	var rows strings.Builder
	if err := document.WriteTable(&rows, s.Document(prv.Microseconds, 0).Rows(), "csv"); err != nil {
		t.Fatal(err)
	}
	prvtest.SameFile(t, "testdata/object.txt", prvtest.Rounded(rows.String()+string(object)))
}

// Where the path is on each thread, and its computation by region.
func TestStretchesOfPath(t *testing.T) {
	tr := relay(t)
	p := find(t, tr, criticalpath.Options{})
	w, err := waits.Analyze(context.Background(), tr, waits.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	fmt.Fprintln(&b, p.Stretches())
	fmt.Fprintln(&b, p.ByThread())
	times := p.TimesIn(w, criticalpath.Computation)
	for _, region := range slices.Sorted(maps.Keys(times)) {
		fmt.Fprintln(&b, w.Regions[region].Name, times[region])
	}
	prvtest.SameText(t, b.String(), `
		[{0 10000 0} {10000 36000 1}]
		[[{0 10000}] [{10000 36000}]]
		function 1 10000
		function 3 21000
	`)
}
