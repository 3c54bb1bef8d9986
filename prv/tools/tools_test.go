package tools

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"pview/prv"
)

// whole cuts everything up to the header's end.
var whole = CutOptions{To: Moment{Value: 100, Unit: Percent}, BreakStates: true}

// traces returns all uncompressed traces of the repository, and a compressed one.
func traces(t testing.TB) (paths []string) {
	for _, pattern := range []string{kit + "/traces/*.prv", "../../testdata/traces/*/*.prv",
		"../../testdata/traces/heat2d_8/*.prv.gz"} {
		found, err := filepath.Glob(pattern)
		if err != nil || len(found) == 0 {
			t.Fatalf("%s: %v, %v", pattern, found, err)
		}
		paths = append(paths, found...)
	}
	return paths
}

func open(t testing.TB, path string) *prv.Trace {
	t.Helper()
	tr, err := prv.Open(t.Context(), path, prv.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return tr
}

// write writes a trace of one node, two CPUs and two tasks into a file; it ends at 100 us.
func write(t testing.TB, body string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "in.prv")
	if err := os.WriteFile(path, []byte("#Paraver (01/01/2026 at 10:00):100:1(2):1:2(1:1,1:1)\n"+body),
		0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// body returns the text that a tool has written, without header and communicators.
func body(t testing.TB, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(text), "\n")
	return rest
}

// A filter that keeps everything, and a shift by nothing, change nothing.
func TestNothingChanged(t *testing.T) {
	for _, in := range traces(t) {
		for name, tool := range map[string]func(out string) (*Result, error){
			"filter": func(out string) (*Result, error) {
				return Filter(t.Context(), Source{Path: in}, out,
					FilterOptions{States: true, Events: true, Comms: true})
			},
			"shift": func(out string) (*Result, error) {
				return Shift(t.Context(), Source{Path: in}, out,
					ShiftOptions{Times: []Moment{{}}, Level: prv.LevelWorkload})
			},
		} {
			out := filepath.Join(t.TempDir(), "out.prv.gz")
			if _, err := tool(out); err != nil {
				t.Errorf("%s %s: %v", name, in, err)
				continue
			}
			a, b := open(t, in), open(t, out)
			if err := prv.Equal(a, b); err != nil {
				t.Errorf("%s %s: %v", name, in, err)
			}
			if n := b.Skipped.Total(); n > 0 {
				t.Errorf("%s %s: %d bad records in the result", name, in, n)
			}
		}
	}
}

// Shifting threads moves the ends of their messages, and shifting back restores the trace.
func TestShift(t *testing.T) {
	in := write(t, "1:1:1:1:1:0:10:1\n3:1:1:1:1:1:2:2:1:2:1:3:4:64:9\n2:2:1:2:1:7:60000001:5\n1:2:1:2:1:8:-1:1\n")
	out, back := filepath.Join(t.TempDir(), "out.prv"), filepath.Join(t.TempDir(), "back.prv")
	if _, err := Shift(t.Context(), Source{Path: in}, out, ShiftOptions{Times: []Moment{{Value: 5},
		{Value: 20_000, Unit: Nanoseconds}}, Level: prv.LevelTask}); err != nil {
		t.Fatal(err)
	}
	if got, want := body(t, out),
		"1:1:1:1:1:5:15:1\n3:1:1:1:1:6:7:2:1:2:1:23:24:64:9\n2:2:1:2:1:27:60000001:5\n1:2:1:2:1:28:-1:1\n"; got != want {
		t.Errorf("shifted:\n%s", got)
	}
	if tr := open(t, out); tr.HeaderEnd != 120 {
		t.Errorf("the header ends at %d, want 100 and the greatest shift", tr.HeaderEnd)
	}
	opt := ShiftOptions{Times: []Moment{{Value: -5}, {Value: -20}}, Level: prv.LevelThread}
	if _, err := Shift(t.Context(), Source{Path: out}, back, opt); err != nil || body(t, back) != body(t, in) {
		t.Errorf("shifted back: %v\n%s", err, body(t, back))
	}
	var wrong *OptionError
	os.Remove(back)
	if _, err := Shift(t.Context(), Source{Path: in}, back, opt); !errors.As(err, &wrong) ||
		!strings.Contains(wrong.Why, "-5") {
		t.Errorf("before 0: %v", err)
	}
	if _, err := os.Stat(back); err == nil {
		t.Error("there is a file although the tool has failed")
	}
}

// A cut of everything equals the trace except for what a cut adds: events of value 0 at the end, and counters that
// begin with 0. It begins at the first record.
func TestCutOfAll(t *testing.T) {
	for _, in := range traces(t) {
		out := filepath.Join(t.TempDir(), "out.prv")
		if _, err := Cut(t.Context(), Source{Path: in}, out, whole, time.Now()); err != nil {
			t.Errorf("%s: %v", in, err)
			continue
		}
		a, b := open(t, in), open(t, out)
		if n := b.Skipped.Total(); n > 0 {
			t.Errorf("%s: %d bad records in the result", in, n)
		}
		offset := firstTime(a)
		for i := range a.Threads {
			compareCut(t, in, i, a, b, offset)
		}
		if n, m := lateComms(a), a.Comms.Len()-b.Comms.Len(); n != m {
			t.Errorf("%s: %d messages are missing, %d end past the header", in, m, n)
		}
	}
}

// firstTime returns the earliest time of the records that a whole cut keeps.
func firstTime(t *prv.Trace) int64 {
	first := t.Duration
	for i := range t.Threads {
		th := &t.Threads[i]
		if s := &th.States; s.Len() > 0 {
			// A state of zero length at 0 ends where the cut begins.
			k := slices.IndexFunc(s.End, func(end int64) bool { return end != 0 })
			if k >= 0 {
				first = min(first, s.Begin[k])
			}
		}
		if e := &th.Events; e.Len() > 0 {
			first = min(first, e.Time[0])
		}
	}
	for i := range t.Comms.Len() {
		for r := range t.Comms.Times {
			first = min(first, t.Comms.Times[r][i])
		}
	}
	return first
}

// lateComms counts the messages that a cut up to the header's end leaves out.
func lateComms(t *prv.Trace) (n int) {
	for i := range t.Comms.Len() {
		if t.Comms.Times[prv.LogicalSend][i] > t.HeaderEnd || t.Comms.Times[prv.PhysicalSend][i] > t.HeaderEnd ||
			t.Comms.Times[prv.PhysicalRecv][i] > t.HeaderEnd {
			n++
		}
	}
	return n
}

func compareCut(t *testing.T, in string, thread int, a, b *prv.Trace, offset int64) {
	t.Helper()
	var want []int64
	s := &a.Threads[thread].States
	for i := range s.Len() {
		if s.End[i] == 0 || s.Begin[i] > a.HeaderEnd {
			continue
		}
		end := s.End[i]
		if end == prv.NoEnd || end > a.HeaderEnd {
			end = a.HeaderEnd
		}
		want = append(want, s.Begin[i]-offset, end-offset, int64(s.Value[i]))
	}
	var got []int64
	s = &b.Threads[thread].States
	for i := range s.Len() {
		got = append(got, s.Begin[i], s.End[i], int64(s.Value[i]))
	}
	if !slices.Equal(got, want) {
		t.Errorf("%s: thread %d: states %v, want %v", in, thread, got, want)
	}
	x, y := &a.Threads[thread].Events, &b.Threads[thread].Events
	seen := make(map[uint32]bool)
	k := 0
	for i := range x.Len() {
		if x.Time[i] > a.HeaderEnd {
			break
		}
		value := x.Value.At(i)
		if isCounter(x.Type[i]) && !seen[x.Type[i]] {
			seen[x.Type[i]] = true
			value = 0
		}
		if k >= y.Len() || y.Time[k] != x.Time[i]-offset || y.Type[k] != x.Type[i] || y.Value.At(k) != value {
			t.Errorf("%s: thread %d: event %d is not as it was", in, thread, i)
			return
		}
		k++
	}
	for ; k < y.Len(); k++ {
		if y.Value.At(k) != 0 {
			t.Errorf("%s: thread %d: event %d at %d of type %d was not in the trace", in, thread, k, y.Time[k],
				y.Type[k])
		}
	}
}

// Two halves have the whole's states, split at the cut, and its events.
func TestCutInHalves(t *testing.T) {
	for _, in := range traces(t) {
		a := open(t, in)
		middle := a.HeaderEnd / 2
		first, second := whole, whole
		first.To = Moment{Value: float64(middle), Unit: TraceUnits}
		second.From = Moment{Value: float64(middle + 1), Unit: TraceUnits}
		sum := make(map[uint32]int64)
		events := 0
		for _, opt := range []CutOptions{first, second} {
			opt.OriginalTimes = false
			out := filepath.Join(t.TempDir(), "out.prv")
			_, err := Cut(t.Context(), Source{Path: in}, out, opt, time.Now())
			if errors.Is(err, ErrNothing) {
				continue
			}
			if err != nil {
				t.Errorf("%s: %v", in, err)
				continue
			}
			text := body(t, out)
			kept, _, _ := strings.Cut(text, "# Appending")
			events += strings.Count("\n"+kept, "\n2:")
			b := open(t, out)
			for i := range b.Threads {
				s := &b.Threads[i].States
				for k := range s.Len() {
					sum[s.Value[k]] += s.End[k] - s.Begin[k]
				}
			}
		}
		want := make(map[uint32]int64)
		lines := 0
		for i := range a.Threads {
			s := &a.Threads[i].States
			for k := range s.Len() {
				end := s.End[k]
				if end == prv.NoEnd || end > a.HeaderEnd {
					end = a.HeaderEnd
				}
				begin := s.Begin[k]
				if begin > a.HeaderEnd {
					continue
				}
				want[s.Value[k]] += end - begin
				if begin <= middle && end > middle {
					want[s.Value[k]]-- // the unit from middle to middle+1
				}
			}
			e := &a.Threads[i].Events
			for k := range e.Len() {
				if e.Lines.Has(k) && e.Time[k] <= a.HeaderEnd {
					lines++
				}
			}
		}
		for state, n := range want {
			if sum[state] != n {
				t.Errorf("%s: %d units in state %d, want %d", in, sum[state], state, n)
			}
		}
		if events != lines {
			t.Errorf("%s: %d lines of events, want %d", in, events, lines)
		}
	}
}

// If a body is not in time order, Paraver's cutter stops at the first record past the end; pview reads on.
func TestCutOfDisorder(t *testing.T) {
	in := write(t, "1:1:1:1:1:0:10:1\n1:1:1:1:1:60:70:1\n1:2:1:2:1:5:20:3\n")
	opt := CutOptions{To: Moment{Value: 50, Unit: TraceUnits}, BreakStates: true}
	out := filepath.Join(t.TempDir(), "out.prv")
	for _, c := range []struct {
		asParaver bool
		want      string
	}{
		{false, "1:1:1:1:1:0:10:1\n1:2:1:2:1:5:20:3\n"},
		{true, "1:1:1:1:1:0:10:1\n"},
	} {
		opt.AsParaver = c.asParaver
		if _, err := Cut(t.Context(), Source{Path: in}, out, opt, time.Now()); err != nil {
			t.Fatal(err)
		}
		if _, got, _ := strings.Cut(body(t, out), "\n"); got != c.want {
			t.Errorf("as Paraver %v:\n%s", c.asParaver, got)
		}
	}
}

// A cut without an end goes to the last record, whatever the header says; a state without an end stays so.
func TestCutToTheEnd(t *testing.T) {
	in := write(t, "1:1:1:1:1:0:150:1\n1:2:1:2:1:5:-1:3\n2:1:1:1:1:150:42000050:7\n")
	out := filepath.Join(t.TempDir(), "out.prv")
	if _, err := Cut(t.Context(), Source{Path: in}, out, CutOptions{To: End, BreakStates: true},
		time.Now()); err != nil {
		t.Fatal(err)
	}
	// The counter counts since before the cut: its first value is 0, and it is 0 where it is closed.
	_, got, _ := strings.Cut(body(t, out), "\n")
	if want :=
		"1:1:1:1:1:0:150:1\n1:2:1:2:1:5:-1:3\n2:1:1:1:1:150:42000050:0\n# Appending events with value " +
			"0\n2:1:1:1:1:150:42000050:0\n"; got != want {
		t.Errorf("the cut is\n%s", got)
	}
}

// A file of many chunks, most of them outside of the cut: skipping them loses nothing of the cut, and their bad records
// are counted all the same.
func TestCutOfManyChunks(t *testing.T) {
	var b strings.Builder
	for i := range 60_000 {
		if i == 100 || i == 59_000 {
			b.WriteString("1:1:1:9:1:0:1:1\n") // there is no task 9
		}
		fmt.Fprintf(&b, "1:1:1:1:1:%d:%d:1\n2:2:1:2:1:%d:42000050:%d:50000001:%d\n3:1:1:1:1:%d:%d:2:1:2:1:%d:%d:8:1\n",
			10*i, 10*i+10, 10*i+1, i, i%2, 10*i, 10*i, 10*i+2, 10*i+3)
	}
	in := write(t, b.String()) // 5 MB
	out := filepath.Join(t.TempDir(), "out.prv")
	for _, opt := range []CutOptions{
		{From: Moment{Value: 200_005, Unit: TraceUnits}, To: Moment{Value: 200_905, Unit: TraceUnits},
			BreakStates: true},
		{From: Moment{Value: 590_005, Unit: TraceUnits}, To: End, BreakStates: true},
		{From: Moment{Value: 0, Unit: TraceUnits}, To: Moment{Value: 55, Unit: TraceUnits}, OriginalTimes: true},
	} {
		r, err := Cut(t.Context(), Source{Path: in}, out, opt, time.Unix(0, 0))
		if err != nil {
			t.Fatal(err)
		}
		if n := r.Skipped.Total(); n != 2 || r.Skipped.First.Line != 302 {
			t.Errorf("%d records were left out, the first in line %d; want 2, 302", n, r.Skipped.First.Line)
		}
		got := body(t, out)
		opt.AsParaver = true // which looks at all records, and stops at the end of the cut
		if _, err := Cut(t.Context(), Source{Path: in}, out, opt, time.Unix(0, 0)); err != nil {
			t.Fatal(err)
		}
		if want := body(t, out); got != want {
			t.Errorf("from %g: %s", opt.From.Value, firstDifference([]byte(got), []byte(want)))
		}
	}
}

// Tasks are counted within their ptask; a message is kept if one of its ends is.
func TestCutOfTasks(t *testing.T) {
	in := write(t, "1:1:1:1:1:0:10:1\n1:2:1:2:1:0:20:3\n3:1:1:1:1:1:2:2:1:2:1:3:4:64:9\n")
	out := filepath.Join(t.TempDir(), "out.prv")
	for text, want := range map[string]string{
		"2":   "1:2:1:2:1:0:20:3\n3:1:1:1:1:1:2:2:1:2:1:3:4:64:9\n",
		"1.1": "1:1:1:1:1:0:10:1\n3:1:1:1:1:1:2:2:1:2:1:3:4:64:9\n",
	} {
		opt := whole
		var err error
		if opt.Tasks, err = ParseTasks(text); err != nil {
			t.Fatal(err)
		}
		if _, err := Cut(t.Context(), Source{Path: in}, out, opt, time.Now()); err != nil {
			t.Fatal(err)
		}
		if _, got, _ := strings.Cut(body(t, out), "\n"); got != want {
			t.Errorf("task %s:\n%s", text, got)
		}
	}
	for _, text := range []string{"0", "3-1", "x", "1.", "1.0", "-", "1-"} {
		if _, err := ParseTasks(text); err == nil {
			t.Errorf("%q is taken for tasks", text)
		}
	}
	opt := whole
	opt.Tasks, _ = ParseTasks("3")
	if _, err := Cut(t.Context(), Source{Path: in}, out, opt, time.Now()); !errors.As(err, new(*OptionError)) {
		t.Errorf("task 3 of 2: %v", err)
	}
}

// Bad records are left out and counted, as when the trace is opened; with Strict they are an error.
func TestBadRecords(t *testing.T) {
	in := write(t,
		"# first\n1:1:1:1:1:0:10:1\n2:9:1:1:1:4:60000019:4\n2:1:1:1:1:5:60000019:4:x\n\n9:1\n1:1:1:1:1:20:10:1\n")
	a := open(t, in)
	for _, tool := range []func(src Source, out string) (*Result, error){
		func(src Source, out string) (*Result, error) { return Cut(t.Context(), src, out, whole, time.Now()) },
		func(src Source, out string) (*Result, error) {
			return Shift(t.Context(), src, out, ShiftOptions{Times: []Moment{{}}, Level: prv.LevelWorkload})
		},
	} {
		out := filepath.Join(t.TempDir(), "out.prv")
		r, err := tool(Source{Path: in}, out)
		if err != nil {
			t.Fatal(err)
		}
		if r.Skipped != a.Skipped {
			t.Errorf("left out %+v, when opened %+v", r.Skipped, a.Skipped)
		}
		if b := open(t, out); b.Skipped.Total() != 0 {
			t.Errorf("the result has bad records: %+v", b.Skipped)
		}
		os.Remove(out)
		if _, err := tool(Source{Path: in, Strict: true}, out); err == nil ||
			!strings.HasPrefix(err.Error(), in+":4: ") {
			t.Errorf("strict: %v", err)
		}
		if _, err := os.Stat(out); err == nil {
			t.Error("strict: there is a result")
		}
	}
}

// A trace in memory is cut like its file; a truncated file is cut up to its end.
func TestSources(t *testing.T) {
	in := kit + "/traces/tr05_ring.prv"
	tr := open(t, in)
	opt := CutOptions{From: Moment{Value: 10, Unit: Percent}, To: Moment{Value: 30, Unit: Percent}, BreakStates: true}
	dir := t.TempDir()
	if _, err := Cut(t.Context(), Source{Path: in}, filepath.Join(dir, "a.prv"), opt, time.Unix(0, 0)); err != nil {
		t.Fatal(err)
	}
	tr.Path = in
	if _, err := Cut(t.Context(), Source{Trace: tr}, filepath.Join(dir, "b.prv"), opt, time.Unix(0, 0)); err != nil {
		t.Fatal(err)
	}
	if err := prv.Equal(open(t, filepath.Join(dir, "a.prv")), open(t, filepath.Join(dir, "b.prv"))); err != nil {
		t.Error(err)
	}
	text, err := os.ReadFile(in)
	if err != nil {
		t.Fatal(err)
	}
	var z bytes.Buffer
	w := gzip.NewWriter(&z)
	w.Write(text)
	w.Close()
	half := filepath.Join(dir, "half.prv.gz")
	if err := os.WriteFile(half, z.Bytes()[:z.Len()/2], 0o644); err != nil {
		t.Fatal(err)
	}
	r, err := Filter(t.Context(), Source{Path: half}, filepath.Join(dir, "c.prv"), FilterOptions{States: true})
	if err != nil || r.Truncated == nil {
		t.Fatalf("half a file: %v, %+v", err, r)
	}
	whole, err := prv.Open(t.Context(), half, prv.Options{})
	if err != nil || r.Truncated.Line < 2 || *r.Truncated != *whole.Cut {
		t.Errorf("half a file: cut at %+v, not as reading it says, %+v; %v", *r.Truncated, *whole.Cut, err)
	}
}

// Both events of a call that is too short are left out, also if calls are nested.
func TestMinCallTime(t *testing.T) {
	in := write(
		t,
		"2:1:1:1:1:0:7:1\n2:1:1:1:1:10:7:2:8:1\n2:1:1:1:1:15:7:0\n2:2:1:2:1:16:7:0\n2:1:1:1:1:20:7:3\n"+
			"2:1:1:1:1:40:7:0\n"+
			"2:1:1:1:1:50:7:0\n2:1:1:1:1:90:7:4\n2:1:1:1:1:95:7:5\n2:1:1:1:1:100:8:0\n",
	)
	out := filepath.Join(t.TempDir(), "out.prv")
	for _, c := range []struct{ types, want string }{
		// Calls: 1 from 0 to 50, within it 2 from 10 to 15 and 3 from 20 to 40; 4 from 90 and 5 from 95 to the end at
		// 100; thread 2 has the end of a call that began earlier.
		{"7",
			"2:1:1:1:1:0:7:1\n2:2:1:2:1:16:7:0\n2:1:1:1:1:20:7:3\n2:1:1:1:1:40:7:0\n2:1:1:1:1:50:7:0\n" +
				"2:1:1:1:1:90:7:4\n"},
		{"7:2,3;8", "2:1:1:1:1:10:8:1\n2:1:1:1:1:20:7:3\n2:1:1:1:1:100:8:0\n"},
		{"8", "2:1:1:1:1:10:8:1\n2:1:1:1:1:100:8:0\n"},
	} {
		opt := FilterOptions{Events: true, MinCallTime: Moment{Value: 10, Unit: TraceUnits}}
		opt.Types, _ = ParseTypeRules(c.types)
		if _, err := Filter(t.Context(), Source{Path: in}, out, opt); err != nil {
			t.Fatal(err)
		}
		if got := body(t, out); got != c.want {
			t.Errorf("%s:\n%s", c.types, got)
		}
		opt.AsParaver = true
		if r, err := Filter(t.Context(), Source{Path: in}, out, opt); err != nil || len(r.Notes) != 1 {
			t.Errorf("as Paraver: %+v, %v", r, err)
		}
	}
	if _, err := Filter(t.Context(), Source{Path: in}, out,
		FilterOptions{Events: true, MinCallTime: Moment{Value: 1, Unit: Percent}}); !errors.As(err, new(*OptionError)) {
		t.Errorf("without types: %v", err)
	}
}

// Counts have their own types and names.
func TestCountNames(t *testing.T) {
	in := write(t,
		"1:1:1:1:1:0:10:1\n2:1:1:1:1:5:50000001:3:50000001:1\n2:1:1:1:1:6:50000001:3:60000019:7\n1:1:1:1:1:10:20:1\n")
	if err := os.WriteFile(prv.Base(in)+".pcf",
		[]byte("EVENT_TYPE\n0 50000001 MPI Point-to-point\nVALUES\n3 MPI_Isend\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(t.TempDir(), "out.prv")
	opt := CountOptions{Interval: Moment{Value: 10, Unit: TraceUnits}}
	opt.Count, _ = ParseTypeRules("50000001")
	for global, want := range map[bool]string{
		// Type (50000001/10000 + 50000001 mod 10000 + 10000)*1000 + value; 5000 + 1 + 20000.
		false: "1:1:1:1:1:0:10:1\n2:0:1:1:1:10:15001003:2\n2:0:1:1:1:10:15001001:1\n1:1:1:1:1:10:20:1\n" +
			"2:0:1:1:1:90:15001003:0\n2:0:1:1:1:90:15001001:0\n",
		true: "1:1:1:1:1:0:10:1\n2:0:1:1:1:10:25001:3\n1:1:1:1:1:10:20:1\n2:0:1:1:1:90:25001:0\n",
	} {
		opt.Global = global
		if _, err := Count(t.Context(), Source{Path: in}, out, opt); err != nil {
			t.Fatal(err)
		}
		if got := body(t, out); got != want {
			t.Errorf("global %v:\n%s", global, got)
		}
		l := open(t, out).Labels
		for typ, name := range map[uint32]string{15001003: "MPI_Isend_counter", 15001001: "50000001_1_counter"} {
			if global {
				typ, name = 25001, "MPI_Point-to-point_global_counter"
			}
			if e, ok := l.Type(typ); !ok || e.Label != name {
				t.Errorf("type %d is %+v, want %q", typ, e, name)
			}
		}
	}
}

// Option files in another encoding, with blanks and line ends around the values, and with entries of older versions.
func TestOptionFiles(t *testing.T) {
	o,
		err := ReadOptions("o.xml",
		strings.NewReader(
			"<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>\n<config><other/><filter><states>\n Attente \xe9tendue "+
				", Running\n<min_state_time> 7\n</min_state_time></states></filter>"+
				"<software_counters><range><events>50000001:1</events></range>"+
				"<algorithm><count_events_vs_acummulate_values>1</count_events_vs_acummulate_values>"+
				"</algorithm></software_counters></config>"))
	if err != nil {
		t.Fatal(err)
	}
	if f := o.Filter; !slices.Equal(f.StateNames, []string{"Attente étendue", "Running"}) ||
		f.MinStateTime.Value != 7 || !f.Events || o.Cut != nil {
		t.Errorf("%+v", f)
	}
	if c := o.Count; len(c.Count) != 1 || c.Accumulate != nil || c.Count[0].First != 50000001 {
		t.Errorf("%+v", c)
	}
	for text, want := range map[string]string{
		"":        "o.xml: empty: not an option file of Paraver",
		"<html/>": "o.xml:1: not an option file of Paraver: ",
		"<config><cutter><by_time>yes</by_time></cutter></config>": `o.xml: <by_time> is "yes", not a whole`,
		"<config><cutter><tasks>x</tasks></cutter></config>":       `o.xml: <tasks>: "x" is not a task`,
		"<config>\n<cutter>": "o.xml:2: not an option file of Paraver: ",
	} {
		if _, err := ReadOptions("o.xml", strings.NewReader(text)); err == nil ||
			!strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

// Option files as people and Paraver write them are read, and no other text crashes the reader.
func FuzzReadOptions(f *testing.F) {
	files, _ := filepath.Glob(kit + "/tools/*.xml")
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	f.Add(
		[]byte(
			"<config><cutter><tasks>1,,2</tasks></cutter><filter><types " +
				"use=\"discard\"><type>1-2<value>3</value></type></types></filter></config>"))
	f.Fuzz(func(t *testing.T, text []byte) {
		o, err := ReadOptions("options.xml", bytes.NewReader(text))
		if (err == nil) != (o != nil) {
			t.Fatalf("%v and %v", o, err)
		}
		if o != nil && o.Cut != nil && (o.Cut.From.Value < 0 || o.Cut.MaxBytes < 0) {
			t.Errorf("negative: %+v", o.Cut)
		}
	})
}

func FuzzShiftTimes(f *testing.F) {
	f.Add("# shifts\n1000\n-5\n\n")
	f.Add("1e999\n")
	f.Fuzz(func(t *testing.T, text string) {
		times, err := ParseShiftTimes("times.txt", strings.NewReader(text))
		if err == nil && len(times) == 0 {
			t.Error("no time and no error")
		}
		for _, m := range times {
			m.At(prv.Nanoseconds, 100)
		}
	})
}

func FuzzTypeRules(f *testing.F) {
	f.Add("50000001:2,3;50000002;42000050-42000059")
	f.Add("1,2,3:4")
	f.Fuzz(func(t *testing.T, text string) {
		rules, err := ParseTypeRules(text)
		for _, r := range rules {
			if err == nil && r.First > r.Last {
				t.Errorf("%+v", r)
			}
		}
	})
}

// Times in ns since 1970 have 19 digits: none is lost.
func TestMoment(t *testing.T) {
	for _, test := range []struct {
		text string
		unit prv.Unit
		want int64
	}{
		{"1,700,000,000,000,000,001", prv.Nanoseconds, 1_700_000_000_000_000_001},
		{"1700000000000000001ns", prv.Nanoseconds, 1_700_000_000_000_000_001},
		{"1500ns", prv.Microseconds, 2}, {"-1500ns", prv.Microseconds, -2}, {"1499ns", prv.Microseconds, 1},
		{"12.5ms", prv.Microseconds, 12_500}, {"2 min", prv.Milliseconds, 120_000},
		{"10%", prv.Nanoseconds, 100}, {"1e25", prv.Nanoseconds, math.MaxInt64},
		{"-1e25", prv.Nanoseconds, math.MinInt64},
	} {
		m, err := ParseMoment(test.text)
		if got := m.At(test.unit, 1000); err != nil || got != test.want {
			t.Errorf("%q in %s: %d (%v), want %d", test.text, test.unit, got, err, test.want)
		}
	}
	if got := TraceTime(math.MaxInt64).At(prv.Nanoseconds, 0); got != math.MaxInt64 {
		t.Error(got)
	}
	for _, text := range []string{"", "%", "10 s%", "soon", "5 parsecs"} {
		if m, err := ParseMoment(text); err == nil {
			t.Errorf("%q is read as %v", text, m)
		}
	}
}
