package tui

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pview/prv"
	"pview/render/timeline"
)

// burstTrace is the trace of check 25 of the requirements: six bursts on two tasks; 300 ns with 900 instructions twice,
// 100 ns with 200 twice, one that is short and one without counters.
const burstTrace = `#Paraver (01/01/26 at 00:00):640_ns:2(1,1):1:2(1:1,1:2)
1:1:1:1:1:0:100:1
1:2:1:2:1:0:100:1
2:1:1:1:1:100:42000050:200:42000059:100
1:1:1:1:1:100:150:3
2:2:1:2:1:100:42000050:200:42000059:100
1:2:1:2:1:100:200:3
1:1:1:1:1:150:450:1
1:2:1:2:1:200:500:1
2:1:1:1:1:450:42000050:900:42000059:300
1:1:1:1:1:450:500:3
1:1:1:1:1:500:520:1
2:2:1:2:1:500:42000050:900:42000059:300
1:2:1:2:1:500:540:5
2:1:1:1:1:520:42000050:30:42000059:20
1:2:1:2:1:540:640:1
`

// Check 31: after check 25 the timeline is coloured by cluster; a window with cluster 1 alone has 600 ns of it;
// removing the clusters restores the trace.
func TestCheck31(t *testing.T) {
	d := onTrace(t, 160, 50, burstTrace)
	before, revision := d.m.Traces[0].Data, d.m.Traces[0].Revision
	d.press("alt+b")
	for _, line := range []string{"parameters 42000050, 42000050/42000059", "least 50ns", "eps 0.1", "min points 2"} {
		d.command("workload-set " + line)
	}
	d.sees("2 clusters of 6 bursts by dbscan")
	d.command("workload-page clusters")
	d.sees("Cluster 1", "600 ns", "75.0 %", "25.0 %", "Duration Filtered",
		"1 missing", "1 duration filtered")
	d.press("c")
	if len(d.m.Windows) != 2 || d.m.Focused() != d.m.Windows[1] || !d.m.PaneFocus {
		t.Fatalf("%d windows", len(d.m.Windows))
	}
	d.sees("Clusters", "clusters in the timeline")
	sum := func(window int, value float64) (ns int64) {
		w := d.m.Windows[window]
		for row := range w.Rows(w.Trace.Data) {
			for at := int64(0); at < w.Trace.Data.Duration; {
				_, end, v, ok := w.Burst(row, at)
				if !ok {
					t.Fatalf("window %d has no values in row %d", window, row)
				}
				if v == value {
					ns += end - at
				}
				at = end
			}
		}
		return ns
	}
	if a, b := sum(1, 6), sum(1, 7); a != 600 || b != 200 {
		t.Errorf("cluster 1 has %d ns, cluster 2 %d", a, b)
	}
	d.press("f")
	d.sees("Only Cluster 1")
	if only := slices.IndexFunc(d.m.Windows, func(w *timeline.View) bool {
		return w.Name == "Only Cluster 1"
	}); sum(only, 6) != 600 || sum(only, 7) != 0 || sum(only, 0) != 2*640-600 {
		t.Errorf("a window with cluster 1 has %d ns of it, %d of cluster 2", sum(only, 6), sum(only, 7))
	}
	// computed in place: all four bursts are neighbours now
	d.command("workload-set eps 1000")
	d.sees("1 cluster of 6 bursts")
	if a := sum(1, 6); a != 800 {
		t.Errorf("after a change of eps cluster 1 has %d ns", a)
	}
	d.press("c")
	if err := prv.Equal(before, d.m.Traces[0].Data); err != nil || len(d.m.Windows) != 1 ||
		d.m.Traces[0].Revision == revision {
		t.Errorf("%v, %d windows", err, len(d.m.Windows))
	}
	d.misses("clusters in the timeline")
}

// A recorded run: pages, the cursor on a burst, and from there into the timeline and back.
func TestWorkloadPane(t *testing.T) {
	d := drive(t, 140, 50, Options{Paths: []string{"../testdata/traces/npb_cg_S_8_burst/npb_cg_S_8_burst.prv"}})
	d.press("alt+b")
	// by one parameter, as the trace has no counters
	d.sees("component", "burst", "log:duration", "Clusters", "begin (ms)", "kmeans", "rule", "largest")
	d.misses("min points")
	w := d.m.Focused()
	for _, key := range []string{"left", "right", "up", "down", "pgup"} {
		d.press(key)
		d.sees("◆")
	}
	d.press("enter")
	begin, end, _, _ := w.Burst(w.CursorRow, w.Cursor)
	if begin != w.Cursor || end <= begin {
		t.Errorf("the cursor is at %d, in a burst from %d to %d", w.Cursor, begin, end)
	}
	at := w.Cursor
	d.press("n")
	if w.Cursor <= at {
		t.Errorf("the next burst of the cluster begins at %d, after %d", w.Cursor, at)
	}
	d.press("p")
	if w.Cursor != at {
		t.Errorf("back at %d, not at %d", w.Cursor, at)
	}
	d.press("b")
	d.sees("chosen")
	for page, texts := range map[string][]string{
		"clusters": {"Cluster 1", "Typical", "Of time"}, "histogram": {"Histogram", "bursts"},
		"choice":   {"Choice of k", "mean square ratio", "justified", "recommended"},
		"sequence": {"Sequence quality", "1.8.1"},
		"members":  {"TASK 1.1", "Lift", "%"}, "fits": {"lognormal", "not rejected", "Median"},
		"statistics": {"Parameter", "25%", "Kurtosis"}, "setup": {"component"},
	} {
		d.command("workload-page " + page)
		d.sees(texts...)
	}
	d.command("workload-set method dbscan")
	d.command("workload-page choice")
	d.sees("Choice of eps", "knee", "eps 0.01")
	d.press("A")
	d.misses("eps 0.01 ")
	d.press("-", "shift+tab", "tab", "x", "v", "t", "t")
	for _, kind := range []string{"task", "run"} {
		d.command("workload-set component " + kind)
		d.sees(kind, "extime, cptime, cmtime")
	}
	d.command("workload-page members")
	d.sees("Efficacy", "working set", "relative: there is no run on one processor")
	d.command("workload-set component message")
	d.sees("the trace has no message")
	d.command("workload-set component burst")
	for _, size := range [][2]int{{60, 15}, {80, 24}, {200, 60}} {
		d.resize(size[0], size[1])
		for range 9 { // pages
			d.press("tab")
			d.checkSize(size[0], size[1], "the pane")
		}
	}
}

// Errors are reported; files are written.
func TestWorkloadPaneFiles(t *testing.T) {
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	d := drive(t, 140, 50, Options{Paths: []string{"../testdata/traces/npb_cg_S_8_burst/npb_cg_S_8_burst.prv"}})
	d.press("alt+b")
	for text, want := range map[string]string{
		"eps x": "eps:", "k 999": "whole number from 0 to 255", "trim 9,1": "two percentiles", "part 3s": "two times",
		"method x": "must be dbscan or kmeans", "parameters nonsense": "must be one of duration",
		"wrong 1": "the lines are component",
	} {
		d.command("workload-set " + text)
		d.sees(want)
		d.command("workload-set parameters")
	}
	d.command("workload-set method kmeans")
	d.command("workload-set k 3")
	d.sees("3 clusters")
	dir := t.TempDir()
	for name, begins := range map[string]string{"m.json": "{", "m.txt": "", "c.csv": "# Instance",
		"t.prv": "#Paraver"} {
		d.command("workload-save " + filepath.Join(dir, name))
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil || !strings.HasPrefix(string(text), begins) || len(text) < 100 {
			t.Errorf("%s: %v, %.40q", name, err, text)
		}
	}
	d.command("workload-plot " + filepath.Join(dir, "p.svg"))
	d.sees("written: " + filepath.Join(dir, "p.svg"))
	d.command("workload-save-scheme mine")
	d.command("workload-set k auto")
	d.command("workload-set component task")
	d.command("workload-scheme mine")
	d.sees("burst", "3 clusters")
	d.command("workload-save x.dat")
	d.sees("a model is written as")
}

// A session restores the clusters in the timeline, and the settings that made them.
func TestWorkloadSession(t *testing.T) {
	d := drive(t, 140, 50, Options{Paths: []string{"../testdata/traces/npb_cg_S_8_burst/npb_cg_S_8_burst.prv"}})
	d.press("alt+b")
	d.command("workload-set method kmeans")
	d.command("workload-set k 3")
	d.press("c")
	file := filepath.Join(t.TempDir(), "a.pview")
	d.command("save-session " + file)
	e := drive(t, 140, 50, Options{Session: file})
	e.sees("Clusters")
	if len(e.m.Windows) != 2 {
		t.Fatalf("%d windows", len(e.m.Windows))
	}
	e.press("alt+b")
	e.sees("kmeans", "3 clusters", "clusters in the timeline")
	if a, b := d.picture(1), e.picture(1); a != b {
		t.Errorf("the clusters of the session look\n%s\nnot\n%s", b, a)
	}
}

// Keys that change nothing say why: bursts without counters have one parameter, and there must be at least one cluster.
func TestWorkloadKeysSayWhyNot(t *testing.T) {
	d := onTrace(t, 100, 30, lateSender)
	d.press("alt+b")
	for _, c := range [][2]string{{"x", "duration is the only parameter"}, {"v", "duration is the only parameter"},
		{"A", "the clusters are the recommended ones"}, {"-", "recommended k 2"}, {"-", "clusters are 1 to"}} {
		d.press(c[0])
		d.sees(c[1])
	}
}
