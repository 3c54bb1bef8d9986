package tui

import (
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pview/prv"
	"pview/prv/prvtest"
	"pview/prv/quantity"
	"pview/semantic"
	"pview/semantic/stat"
)

// The everyday questions, none more than six keys from the open trace, on a terminal of 80 by 24.

// questions has all ten with their keys, in the order of a day's work; each has its test below.
var questions = []struct {
	question, trace string
	keys            []string // names of keys, and typed words
	check           func(t *testing.T, d *driver)
}{
	{"most expensive MPI call", heat, []string{"a", "v", "/", "mp", "enter"}, mostExpensiveCall},
	{"its caller", heat, []string{"a", "v", "/", "ca", "enter"}, itsCaller},
	{"least balanced rank", imbalance, []string{"o"}, leastBalancedRank},
	{"its longest computation", imbalance, []string{"Q", "h", "enter"}, itsLongestComputation},
	{"IPC of the main loop", epoch, []string{"Q"}, ipcOfTheView},
	{"latest sender", imbalance, []string{"a", "v", "/", "la", "enter"}, latestSender},
	{"bytes between ranks 0 and 1", heat, []string{"a", "tab", "tab", "tab", "tab", "l"}, bytesBetweenRanks},
	{"iteration that differs, by events", heat, []string{"v", "/", "it", "enter", "o"}, iterationThatDiffers},
	{"iteration that differs, by collectives", imbalance, []string{"v", "/", "it", "enter", "o"}, iterationThatDiffers},
	{"an ideal network", heat, []string{"s", "m", "/", "id", "enter"}, idealNetwork},
	{"efficiency", heat, nil, efficiencyOfRun},
	{"what costs most", heat, nil, greatestCost},
	{"which code", heat, []string{"Q", "tab"}, codeByPath},
	{"what would help, and how much", heat, []string{"B"}, greatestGain},
	{"when", heat, []string{"B", "enter"}, firstEvidence},
	{"a network of half the latency", heat, []string{"s", "-"}, halfTheLatency},
	{"what changed since the other run", heat + " " + nullnb, []string{"="}, changeSinceTheOther},
	{"that picture as PNG", heat, []string{"E", "enter"}, pictureAsPNG},
	{"that picture as a page", heat, []string{"E", "html", "enter"}, pictureAsPage},
}

func TestQuestions(t *testing.T) {
	for _, q := range questions {
		t.Run(q.question, func(t *testing.T) {
			d, n := ask(t, q.trace, q.keys...)
			t.Logf("%d keys: %s", n, strings.Join(q.keys, " "))
			if n > 6 {
				t.Errorf("%s on %s: %d keys, want at most 6", strings.Join(q.keys, " "), filepath.Base(q.trace), n)
			}
			q.check(t, d)
		})
	}
}

// ask opens real traces, separated by blanks, and presses keys: names of keys, and typed words.
func ask(t *testing.T, traces string, keys ...string) (d *driver, n int) {
	t.Helper()
	var files []string
	for _, trace := range strings.Fields(traces) {
		path := prvtest.Shared(t, append([]string{"traces"}, strings.Split(trace, "/")...)...)
		files = append(files, linked(t, path))
	}
	d = drive(t, 80, 24, Options{Paths: files, Machine: "fitted"}) // as the command does
	for _, k := range keys {
		if _, special := specialKeys[k]; special || len(k) == 1 || strings.HasPrefix(k, "alt+") {
			d.press(k)
			n++
			continue
		}
		d.typed(k)
		n += len(k)
	}
	return d, n
}

// linked returns a trace in the test's own folder, so that nothing is written beside the shared one.
func linked(t *testing.T, path string) string {
	t.Helper()
	path, err := filepath.Abs(path)
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(prv.Base(path) + ".*")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for _, file := range files {
		if err := os.Symlink(file, filepath.Join(dir, filepath.Base(file))); err != nil {
			t.Fatal(err)
		}
	}
	return filepath.Join(dir, filepath.Base(path))
}

const (
	heat      = "heat2d_8/heat2d_8.prv"
	nullnb    = "heat2d_8_nullnb/heat2d_8_nullnb.prv"
	imbalance = "imbalance_8/imbalance_8.prv"
	epoch     = "epoch/epoch_8proc.prv.gz"
)

func mostExpensiveCall(t *testing.T, d *driver) {
	s := d.sheetOf()
	if s.Columns[0].Name != "MPI_Waitall" {
		t.Errorf("first column %s, want MPI_Waitall", s.Columns[0].Name)
	}
	for c := 1; c < len(s.Columns); c++ {
		if s.Totals[stat.Sum][c] > s.Totals[stat.Sum][c-1] {
			t.Errorf("column %d is greater than the one before", c)
		}
	}
}

func itsCaller(t *testing.T, d *driver) {
	s := d.sheetOf()
	// All 480 events of MPI_Waitall are on lines with 70000001:7.
	caller := d.m.Focused().Trace.Data.Labels.ValueName(70000001, 7)
	if s.Planes[s.Plane].Name != "MPI_Waitall" || s.Columns[0].Name != caller {
		t.Errorf("plane %s, first caller %s; want MPI_Waitall, from %s", s.Planes[s.Plane].Name, s.Columns[0].Name,
			caller)
	}
}

// Work grows with the rank: thread 8 waits least, thread 1 most.
func leastBalancedRank(t *testing.T, d *driver) {
	if w := d.m.Focused(); w.CursorRow != 0 && w.CursorRow != 7 {
		t.Errorf("row %d, want 0 or 7", w.CursorRow)
	}
	d.sees("differs (most)")
}

func itsLongestComputation(t *testing.T, d *driver) {
	w := d.m.Focused()
	useful := semantic.ThreadWindow("Useful")
	e, err := semantic.Compile(w.Trace.Data, &useful)
	if err != nil {
		t.Fatal(err)
	}
	// The rank with the most useful time, and its longest computation.
	row, begin, time, longest := 0, int64(0), int64(0), int64(0)
	for i := range e.Rows() {
		s, err := e.Series(d.m.ctx, i)
		if err != nil {
			t.Fatal(err)
		}
		if g := s.Aggregate(0, s.End()); g.TimeNotZero > time {
			row, time, longest = i, g.TimeNotZero, 0
			for k := range s.Len() {
				if from, to, v := s.Burst(k); v == 1 && to-from > longest {
					begin, longest = from, to-from
				}
			}
		}
	}
	if w.CursorRow != row || w.Cursor != begin {
		t.Errorf("row %d at %d, want row %d at %d", w.CursorRow, w.Cursor, row, begin)
	}
}

func ipcOfTheView(t *testing.T, d *driver) {
	d.sees("IPC 1.759")
}

func latestSender(t *testing.T, d *driver) {
	s, a := d.sheetOf(), d.analyzer().Tables(d.m.Focused())[0]
	most, _ := s.Cell(a.Row, a.Col)
	for r := range s.Rows {
		for c := range s.Columns {
			if v, ok := s.Cell(r, c); ok && v > most {
				t.Errorf("%s makes %s wait longer than the cell at the cursor", s.Rows[r].Name, s.Columns[c].Name)
			}
		}
	}
	if most == 0 || s.Statistic.Name != "Late sends" {
		t.Errorf("%s: %g", s.Statistic.Name, most)
	}
}

// From rank 0 to rank 1 of heat2d_8 go 92,160 bytes, in 60 messages of 1,536.
func bytesBetweenRanks(t *testing.T, d *driver) {
	tr, bytes := d.m.Focused().Trace.Data, int64(0)
	for i := range tr.Comms.Len() {
		if tr.Comms.Thread(i, 0) == 0 && tr.Comms.Thread(i, 2) == 1 {
			bytes += tr.Comms.Size[i]
		}
	}
	d.sees("task 1 -> task 2: 60 messages, " + quantity.Bytes.Format(float64(bytes)))
}

func iterationThatDiffers(t *testing.T, d *driver) {
	w := d.m.Focused()
	if !strings.HasPrefix(w.Title(), "Iteration duration") {
		t.Fatalf("v it shows %s", w.Title())
	}
	d.sees("differs (most)")
	if _, _, v, ok := w.Burst(w.CursorRow, w.Cursor); !ok || v == 0 {
		t.Error("the cursor is on no iteration")
	}
}

// s simulates, m lists machines. An ideal network takes no time: the prediction then depends only on computation and
// the order of messages.
func idealNetwork(t *testing.T, d *driver) {
	d.fire()
	d.sees("Predicted", "of measured", "run 2: ideal")
	if d.m.panes.open == false || len(d.m.Windows) != 2 || !d.m.Windows[1].Trace.Predicted {
		t.Errorf("%d windows, want the prediction below the measured run", len(d.m.Windows))
	}
}

// The next two show the output of pview efficiency and pview diagnose: 36.29 ms of 157.7 ms; the greatest entry of the
// account. A test in cli/e2e checks that the findings and the comparison equal those of the commands.
func efficiencyOfRun(t *testing.T, d *driver) { d.sees("23.0 % efficient") }

func greatestCost(t *testing.T, d *driver) { d.sees("lost: wait for MPI_Waitall on 8 threads 25.6 %") }

func greatestGain(t *testing.T, d *driver) {
	d.sees("1  ", "on the critical path", "messages take", "longer than latency and bandwidth need")
}

func firstEvidence(t *testing.T, d *driver) {
	if w := d.m.Focused(); w.Begin == 0 && w.End == w.Trace.Data.Duration {
		t.Error("the timeline still shows the whole run")
	}
	d.sees("Evidence 1 of ")
}

// The time in MPI_Waitall, all of it called by exchange_halo, is the same in the legend and the analyzer.
func codeByPath(t *testing.T, d *driver) {
	d.sees("Wait/WaitAll 46.2 %", "exchange_halo", "46.2 %   46.2 %     480      MPI_Waitall")
}

// The fitted machine has 33.862 us; with it the prediction is 74.8 ms.
func halfTheLatency(t *testing.T, d *driver) {
	d.fire()
	d.sees("16.931 us", "Predicted 68.31 ms", "replay -52.6 %")
	p := d.m.Windows[len(d.m.Windows)-1].Trace
	if fitted := int64(74_800_000); !p.Predicted || p.ToNS(p.Data.Duration) >= fitted {
		t.Errorf("%d ns, not less than on the fitted machine", p.ToNS(p.Data.Duration))
	}
}

func changeSinceTheOther(t *testing.T, d *driver) {
	d.sees("A 157.7 ms, B 94.51 ms: -63.21 ms (-40.1 %)", "B takes 40.1 % less time: ", "slow transfer in MPI_Waitall")
}

// With only an ending, the page is written beside the trace.
func pictureAsPage(t *testing.T, d *driver) {
	d.sees("timelines saved as", "heat2d_8.html")
	page, err := os.ReadFile(prv.Base(d.m.Focused().Trace.Data.Path) + ".html")
	if err != nil || !strings.HasPrefix(strings.ToLower(string(page)), "<!doctype html>") {
		t.Errorf("%d bytes, %v", len(page), err)
	}
}

// The prompt suggests a PNG beside the trace.
func pictureAsPNG(t *testing.T, d *driver) {
	d.sees("timelines saved as", "heat2d_8.png")
	f, err := os.Open(prv.Base(d.m.Focused().Trace.Data.Path) + ".png")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := png.DecodeConfig(f); err != nil {
		t.Error(err)
	}
}
