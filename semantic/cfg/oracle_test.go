package cfg

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pview/prv"
	"pview/semantic"
)

// The numbers of Paraver's own command-line tool: see the README beside them.
const oracle = "../../testdata/oracle/paraver"

// pair is a line of the kit's index.
type pair struct{ cfg, trace, kind, what string }

func pairs(t *testing.T) (list []pair) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(oracle, "index.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range strings.Split(strings.TrimSpace(string(text)), "\n")[1:] {
		f := strings.Split(line, "\t")
		list = append(list, pair{f[0], f[1], f[2], f[4]})
	}
	return list
}

func openTrace(t *testing.T, name string) *prv.Trace {
	t.Helper()
	path := filepath.Join(oracle, "traces", name+".prv")
	if strings.HasSuffix(name, "_gz") {
		path = filepath.Join(oracle, "traces", name+".prv.gz")
	}
	tr, err := prv.Open(context.Background(), path, prv.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return tr
}

// TestOracleTimelines compares every timeline of the kit with what Paraver
// printed, burst by burst, to the last digit.
func TestOracleTimelines(t *testing.T) {
	traces := map[string]*prv.Trace{}
	for _, p := range pairs(t) {
		if p.kind != "timeline" {
			continue
		}
		if traces[p.trace] == nil {
			traces[p.trace] = openTrace(t, p.trace)
		}
		t.Run(p.cfg+"__"+p.trace, func(t *testing.T) {
			f, err := Open(filepath.Join(oracle, "cfgs", p.cfg+".cfg"))
			if err != nil {
				t.Fatal(err)
			}
			want, err := os.ReadFile(filepath.Join(oracle, "results", p.cfg+"__"+p.trace+".tsv"))
			if err != nil {
				t.Fatal(err)
			}
			compareBursts(t, p.what, string(want), dump(t, traces[p.trace], f.Windows[len(f.Windows)-1]))
		})
	}
}

// dump prints a window as Paraver's command-line tool does, without the object.
func dump(t *testing.T, tr *prv.Trace, w *Window) string {
	t.Helper()
	e, err := semantic.Compile(tr, &w.Window)
	if err != nil {
		t.Fatal(err)
	}
	begin, end := w.Range.Times(tr.Duration)
	var out strings.Builder
	for row := range e.Rows() {
		s, err := e.Series(context.Background(), row)
		if err != nil {
			t.Fatal(err)
		}
		for i := s.At(begin); i < s.Len(); i++ {
			from, to, v := s.Burst(i)
			if from >= end && i > 0 {
				break
			}
			fmt.Fprintf(&out, "%.9f\t%.9f\t%.9f\n", w.Unit.Time(from, tr.Unit), w.Unit.Time(to-from, tr.Unit), v)
		}
	}
	return out.String()
}

// compareBursts compares a result of the kit, whose lines begin with the name of
// the object, with a dump.
func compareBursts(t *testing.T, what, want, got string) {
	t.Helper()
	w := strings.Split(strings.TrimSpace(want), "\n")[1:] // the header
	g := strings.Split(strings.TrimSpace(got), "\n")
	for i := range max(len(w), len(g)) {
		var line, gline string
		if i < len(w) {
			_, line, _ = strings.Cut(w[i], "\t")
		}
		if i < len(g) {
			gline = g[i]
		}
		if line != gline {
			t.Fatalf("%s: burst %d of %d (%d wanted):\n got %q\nwant %q", what, i+1, len(g), len(w), gline, w[min(i, len(w)-1)])
		}
	}
}
