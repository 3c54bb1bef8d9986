package picl

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pview/prv"
	"pview/prv/extrae/system"
)

// open reads a file of testdata.
func open(t testing.TB, name string) *prv.Trace {
	t.Helper()
	tr, err := Open(context.Background(), filepath.Join("testdata", name), false, prv.Watcher{})
	if err != nil {
		t.Fatal(err)
	}
	return tr
}

// edited reads a file of testdata with some lines replaced, numbered from 1; "" removes one.
func edited(t testing.TB, name string, edits map[int]string) *prv.Trace {
	t.Helper()
	tr, err := Open(context.Background(), edit(t, name, edits), false, prv.Watcher{})
	if err != nil {
		t.Fatal(err)
	}
	return tr
}

func edit(t testing.TB, name string, edits map[int]string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(text), "\n")
	for i, line := range edits {
		lines[i-1] = line
	}
	return write(t, strings.Join(lines, "\n"))
}

func write(t testing.TB, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "a.trf")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// states returns those of a thread, in us: "begin-end value".
func states(tr *prv.Trace, thread int) string {
	s := &tr.Threads[thread].States
	var list []string
	for i := range s.Len() {
		list = append(list, fmt.Sprintf("%d-%d %d", s.Begin[i]/1000, s.End[i]/1000, s.Value[i]))
	}
	return strings.Join(list, ", ")
}

// events returns those of a type, in us: "time value".
func events(tr *prv.Trace, thread int, typ uint32) string {
	e := &tr.Threads[thread].Events
	var list []string
	for i := range e.Len() {
		if e.Type[i] == typ {
			list = append(list, fmt.Sprintf("%d %d", e.Time[i]/1000, e.Value.At(i)))
		}
	}
	return strings.Join(list, ", ")
}

// messages returns the communications, in us.
func messages(tr *prv.Trace) string {
	c := &tr.Comms
	var list []string
	for i := range c.Len() {
		list = append(list, fmt.Sprintf("%d->%d sent %d-%d received %d-%d, %d bytes, tag %d", c.Send[i], c.Recv[i],
			c.Times[prv.LogicalSend][i]/1000, c.Times[prv.PhysicalSend][i]/1000,
			c.Times[prv.LogicalRecv][i]/1000, c.Times[prv.PhysicalRecv][i]/1000, c.Size[i], c.Tag[i]))
	}
	return strings.Join(list, "\n")
}

// notes returns the notes without the name of the file.
func notes(tr *prv.Trace) string {
	var list []string
	for _, n := range tr.Notes {
		list = append(list, n.Text)
	}
	slices.Sort(list)
	return strings.Join(list, "; ")
}

func same(t *testing.T, what, got, want string) {
	t.Helper()
	if got != want {
		t.Errorf("%s:\n%s\nwant\n%s", what, got, want)
	}
}

// Check 1: the example of the PICL/MEDEA report.
func TestCheck1(t *testing.T) {
	tr := open(t, "t5.trf")
	same(t, "processors", fmt.Sprintf("%d tasks, %d threads, %s", len(tr.Tasks), len(tr.Threads),
		tr.Name(prv.LevelTask, 0)), "1 tasks, 1 threads, P6")
	same(t, "system events", events(tr, 0, system.Type), "112 52, 500 0, 802 52, 1627 0, 1649 21, 1695 0")
	for u, want := range []string{"0 1, 2051 0", "695 1, 1997 0", "1966 1, 1989 0"} {
		same(t, fmt.Sprint("user event ", u), events(tr, 0, system.UserType+uint32(u)), want)
	}
	same(t, "warnings", notes(tr), "1 sends without a receive; 2 receives without a send")
}

// Check 7: two processors as Paraver has them.
func TestCheck7(t *testing.T) {
	tr := open(t, "p2.trf")
	same(t, "task 1", states(tr, 0), "0-100 1, 100-150 4, 150-300 1, 300-350 12, 350-400 1, 400-500 5, 500-600 1")
	same(t, "task 2", states(tr, 1), "0-50 1, 50-200 3, 200-450 1, 450-500 5, 500-600 1")
	same(t, "user event", events(tr, 1, system.UserType+5), "220 1, 380 0")
	if len(tr.Tasks) != 2 || tr.Duration != 600000 || tr.Unit != prv.Nanoseconds || len(tr.Notes) > 0 {
		t.Errorf("%d tasks, %d %s, %v", len(tr.Tasks), tr.Duration, tr.Unit, tr.Notes)
	}
	var b strings.Builder
	if err := prv.Write(context.Background(), &b, tr); err != nil {
		t.Fatal(err)
	}
	if want := "3:1:1:1:1:100000:150000:2:1:2:1:50000:200000:1000:7\n"; !strings.Contains(b.String(), want) {
		t.Errorf("%sis missing in\n%s", want, b.String())
	}
}

// Check 8: the compact old format. The send has no length, and there is no note on that.
func TestCheck8(t *testing.T) {
	tr := open(t, "compact.trf")
	same(t, "node 0", states(tr, 0), "0-100 1, 100-600 1")
	same(t, "node 1", states(tr, 1), "0-50 1, 50-200 3, 200-600 1")
	same(t, "user event", events(tr, 1, system.UserType+5), "220 1, 380 0")
	same(t, "messages", messages(tr), "0->1 sent 100-100 received 50-200, 1000 bytes, tag 7")
	same(t, "remarks", notes(tr), "")
}

// Check 9: the verbose form is the same trace; two statistics records after a send give its length.
func TestCheck9(t *testing.T) {
	if err := prv.Equal(open(t, "compact.trf"), open(t, "verbose.trf")); err != nil {
		t.Error(err)
	}
	tr := edited(t, "verbose.trf",
		map[int]string{4: "send clock 0 100 node 0 to 1 type 7 lth 1000\n11 0 100 0 0 0\n11 0 140 0 0 0"})
	same(t, "node 0", states(tr, 0), "0-100 1, 100-140 4, 140-600 1")
	// A record of another kind between them: they do not enclose the send.
	tr = edited(t, "verbose.trf",
		map[int]string{4: "send clock 0 100 node 0 to 1 type 7 lth 1000\n11 0 100 0 0 0\n15 0 120 0 3\n11 0 140 0 0 0"})
	same(t, "node 0", states(tr, 0), "0-100 1, 100-600 1")
}

// Check 10: damage to the example.
func TestCheck10(t *testing.T) {
	for name, c := range map[string]struct {
		edits             map[int]string
		user, send, notes string
	}{
		"(a) exit of the send missing": {map[int]string{8: ""}, "1966 1, 1989 0",
			"112 52, 500 0, 802 52, 1627 0, 1649 21, 1997 0",
			"1 exits of events that are not the innermost: the events inside end there, too; 1 sends without a " +
				"receive; 2 receives without a send"},
		"(b) letters": {map[int]string{8: "-4 -21 0.001711 6 0 0\nabcdefg hij"}, "1966 1, 1989 0",
			"112 52, 500 0, 802 52, 1627 0, 1649 21, 1695 0",
			"1 damaged lines left out; the first: unknown record \"abcdefg\"; 1 sends without a receive; 2 receives " +
				"without a send"},
		"(c) wrong count": {map[int]string{3: "-4 -52 0.000516 6 0 5 2 8 0 0"}, "1966 1, 1989 0",
			"112 52, 500 0, 802 52, 1627 0, 1649 21, 1695 0",
			"1 records with more or fewer data than they say; 1 sends without a receive; 2 receives without a send"},
		"(d) last exit missing": {map[int]string{12: ""}, "1966 1, 1989 0",
			"112 52, 500 0, 802 52, 1627 0, 1649 21, 1695 0",
			"1 events that are not left: they end with the last record; 1 sends without a receive; 2 receives " +
				"without a send"},
	} {
		tr := edited(t, "t5.trf", c.edits)
		same(t, name+": user event 2", events(tr, 0, system.UserType+2), c.user)
		same(t, name+": system events", events(tr, 0, system.Type), c.send)
		same(t, name+": remarks", notes(tr), c.notes)
		if name[1] == 'd' {
			same(t, "user event 0", events(tr, 0, system.UserType), "0 1, 1997 0")
		}
	}
	r := newReader("", true) // (e)
	f, err := r.parse(`-3 -911 0.1 0 0 3 "%d %s %s" 5 ab cd`)
	if got := strings.Join(f.data, ","); err != nil || got != "5,ab,cd" || f.event != -911 || f.time != 1e8 ||
		f.count != 3 {
		t.Errorf("(e) %+v, %v", f, err)
	}
}

// Check 11: a file of statistics has no timeline; its sums are those of the last records.
func TestCheck11(t *testing.T) {
	_, err := Open(context.Background(), filepath.Join("testdata", "statistics.trf"), false, prv.Watcher{})
	var s *system.StatisticsError
	if !errors.As(err, &s) {
		t.Fatal(err)
	}
	if want := "[{0 0 -101 -21 5e-05} {0 0 -102 -21 1} {0 0 -103 -21 1000} {0 0 -101 -901 0.0006}]"; fmt.Sprint(
		s.Sums) != want {
		t.Errorf("%v\nwant %s", s.Sums, want)
	}
}

// Every record type of the new format.
func TestNew(t *testing.T) {
	tr := open(t, "new.trf")
	same(t, "P0", states(tr, 0), "0-10 1, 10-12 10, 12-30 1, 30-40 8, 40-50 1, 50-60 13, 60-100 1")
	same(t, "P1", states(tr, 1),
		"0-8 1, 8-9 11, 9-25 1, 25-26 6, 26-30 1, 30-45 8, 45-50 1, 50-60 13, 60-64 0, 64-100 1")
	same(t, "messages", messages(tr), "0->1 sent 10-12 received 8-45, 64 bytes, tag 5") // -57 at 8, -61 until 45
	same(t, "marks", events(tr, 0, markType)+"; "+events(tr, 1, markType), "20 42; 20 43")
	same(t, "text", tr.Labels.ValueName(messageType, 1), `half way, "so far`)
	same(t, "names", tr.Labels.TypeName(system.UserType+3)+"; "+tr.Labels.ValueName(system.Type, 221),
		"solver step; write of fields")
	same(t, "large number", events(tr, 0, system.LastUserType)+" "+tr.Labels.TypeName(system.LastUserType),
		"66 1, 68 0 PICL user event 3000000")
	same(t, "remarks", notes(tr), "")
}

// Every record type of the old format.
func TestOld(t *testing.T) {
	tr := open(t, "old.trf")
	same(t, "tasks", tr.Name(prv.LevelTask, 0)+" "+tr.Name(prv.LevelTask, 1), "host P0")
	// The open and the probe take no time; the send is enclosed until 26, the sync until 58. Flush 65-70, barrier
	// 71-75, bcast, global operation.
	same(t, "node 0", states(tr, 1),
		"0-5 1, 5-10 1, 10-20 1, 20-26 4, 26-50 1, 50-58 5, 58-65 1, 65-70 15, 70-71 1, 71-75 5, 75-76 1, 76-78 13, "+
			"78-79 1, 79-80 13, 80-95 1, 95-96 1, 96-100 1")
	same(t, "node 1", states(tr, 2), "0-30 1, 30-40 1, 40-45 3, 45-80 1, 80-90 3, 90-100 1")
	same(t, "messages", messages(tr),
		"1->2 sent 20-26 received 40-45, 500 bytes, tag 9\n0->2 sent 84-84 received 80-90, 8 bytes, tag 3")
	same(t, "marks", events(tr, 1, markType)+"; "+events(tr, 2, markType), "60 77; 63 5, 63 6")
	same(t, "texts", tr.Labels.ValueName(messageType, 1)+"; "+tr.Labels.ValueName(messageType, 2),
		"all is well; all is well here too")
	same(t, "remarks", notes(tr), "")
}

// Unknown system events are reported.
func TestEvents(t *testing.T) {
	tr := edited(t, "p2.trf", map[int]string{4: "-3 -25 0.000100 0 0 0", 5: "-4 -25 0.00015 0 0 0"})
	same(t, "remarks", notes(tr),
		"1 receives without a send; 1 system events of unknown numbers: classed like their neighbours; the first: "+
			"type -25")
}

// Times are rounded from the digits of the text.
func TestSeconds(t *testing.T) {
	for text, want := range map[string]int64{"0.000016": 16000, "1.5": 15e8, "-0.5": -5e8, "1e-9": 1, "1.4999e-09": 1,
		"1.5E-9": 2, "784111777.123456789": 784111777123456789, "0.0000000005": 1,
		"5e-10": 1, "4.9e-10": 0, "9e-11": 0,
		".5": 5e8, "12": 12e9, "0.00000000049": 0, "1e-300": 0, "+2": -1, "": -1,
		"1e9999": -1, "1e40": -1, "1.2.3": -1,
		"--1": -1, "x": -1, "99999999999": -1} {
		got, err := seconds(text)
		if (err != nil) != (want == -1) || err == nil && got != want {
			t.Errorf("%q is %d, %v, want %d", text, got, err, want)
		}
	}
}

// Errors on damaged lines give line and reason; with strict, the first is an error. A file that is mostly damaged is
// rejected.
func TestDamage(t *testing.T) {
	for line, want := range map[string]string{
		"-3 -21 0.1 0 0":                   "too few fields",
		"-3 -21 x 0 0 0":                   `"x": must be a time in seconds`,
		"-3 -21 0.1 0 0 y":                 `"y": must be an integer`,
		"-3 -5 0.1 0 0 0":                  "event type -5: must be >= 0 (of the user), or at most -11",
		"-3 -21 0.1 -7 0 0":                "processor -7: must be >= 0",
		"-3 99999999999 0.1 0 0 0":         `"99999999999": must be an integer of 32 bits`,
		`-3 3 0.1 0 0 1 "%d`:               "the description of the data does not end",
		"-101 -21 0.1 0 0 1 5 -3":          `"-3": must be a number >= 0`,
		"4 0 100 0 1":                      "too few fields",
		"4 0 9999999 0 1 7 1000":           "9999999 us: must be a time",
		"20 0 1 0 -9 0 0":                  "block type -9: must be >= -4",
		"22 0 1 0 5 1":                     "too few fields",
		"recv clock 0 1 node 0 from 1":     "too few fields",
		"recv at 0 1 node 0 from 1 type 2": "must have a clock and a node",
	} {
		path := edit(t, "p2.trf", map[int]string{2: line})
		_, err := Open(context.Background(), path, true, prv.Watcher{})
		if err == nil || !strings.Contains(err.Error(), "a.trf:2: ") || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", line, err, want)
		}
		tr, err := Open(context.Background(), path, false, prv.Watcher{})
		if err != nil || !strings.Contains(fmt.Sprint(tr.Notes), "a.trf:2: 1 damaged lines left out; the first: ") {
			t.Errorf("%q: %v", line, err)
		}
	}
	for text, want := range map[string]string{"": "no records", "\n\n": "no records",
		"-3 1 0.1 0 0 0\nx\ny\n":  `a.trf:2: unknown record "x"; so are 2 of 3 lines`,
		"-5 3 0.0 0 0 1 0 name\n": "no processor has a record"} {
		if _, err := Open(context.Background(), write(t, text), false, prv.Watcher{}); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
	tr := edited(t, "p2.trf", map[int]string{6: "-4 -52 0.000010 1 0 3 2 1000 7 0", 11: "-99 0 0.0004 0 0 0",
		12: "-4 17 0.000450 1 0 0", 13: "", 14: ""})
	same(t, "remarks", notes(tr),
		"1 exits of events that were not entered: left out; 1 records of unknown types left out; the first: type "+
			"-99; 1 records that are earlier than the one before: moved up to its time")
}

// Processes are threads; nonblocking receives complete in any order, even if their requests are unknown.
func TestRequests(t *testing.T) {
	tr, err := Open(context.Background(), write(t, `-3 -21 0.1 0 1 4 2 10 7 1 2
-4 -21 0.2 0 1 0
-3 -21 0.3 0 0 4 2 20 7 1 2
-4 -21 0.4 0 0 0
-3 -57 0.1 1 2 3 2 7 0 0
-4 -57 0.11 1 2 1 2 5
-3 -57 0.12 1 2 3 2 7 0 1
-4 -57 0.13 1 2 1 2 6
-3 -60 0.5 1 2 1 2 6
-4 -60 0.6 1 2 4 2 10 7 0 1
-3 -60 0.7 1 2 1 2 5
-4 -60 0.8 1 2 4 2 20 7 0 0
`), true, prv.Watcher{})
	if err != nil {
		t.Fatal(err)
	}
	same(t, "threads", fmt.Sprint(tr.Names.Levels[prv.LevelThread], len(tr.Tasks)), "[P0.0 P0.1 P1] 2")
	same(t, "messages", messages(tr),
		"1->2 sent 0-100000 received 20000-500000, 10 bytes, tag 7\n0->2 sent 200000-300000 received 0-700000, 20 "+
			"bytes, tag 7")
	// If requests are unknown, the oldest completes first; the begin record has the bytes, as one writer puts them
	// there.
	tr = edited(t, "p2.trf",
		map[int]string{3: "-3 -57 0.00005 1 0 3 2 1000 7 0\n-4 -57 0.00006 1 0 0\n-3 -61 0.00007 1 0 0",
			6: "-4 -61 0.0002 1 0 0"})
	same(t, "messages", messages(tr), "0->1 sent 100-150 received 50-200, 1000 bytes, tag 7")
}

func TestDetect(t *testing.T) {
	for head, want := range map[string]bool{"\n-3 0 0.000016 6 0 2 2 0 0\n": true, "1 0 0 0 3 1 0\n": true,
		"trace_start clock 0 0 node 0": true, "-5 3 0.0 -1 -1 1 0 solver": true,
		"#Paraver (": false, "": false, "1 2": false, "1 0 x 0": false, "99 0 0 0": false, "-3 0 x 6 0 2": false,
		"hello clock": false, "-1 2 3": false} {
		if got := Detect([]byte(head)); got != want {
			t.Errorf("%q: %v", head, got)
		}
	}
}

// FuzzPICL: reading any text ends with a trace or an error, and the trace can be written and read.
func FuzzPICL(f *testing.F) {
	list, err := filepath.Glob("testdata/*.trf")
	if err != nil || len(list) == 0 {
		f.Fatal(err)
	}
	for _, path := range list {
		text, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(text))
	}
	f.Fuzz(func(t *testing.T, text string) {
		r := newReader("a.trf", false)
		if r.readAll(context.Background(), bufio.NewReader(strings.NewReader(text))) != nil || len(r.lanes) == 0 {
			return
		}
		tr, err := build(context.Background(), r)
		if err != nil {
			if !strings.Contains(err.Error(), "no event in the trace") {
				t.Fatal(err)
			}
			return
		}
		for i := range tr.Threads {
			for k, begin := range tr.Threads[i].States.Begin {
				if end := tr.Threads[i].States.End[k]; begin < 0 || end <= begin || end > tr.Duration {
					t.Fatalf("state %d-%d of a trace of %d", begin, end, tr.Duration)
				}
			}
		}
		var b strings.Builder
		if err := prv.Write(context.Background(), &b, tr); err != nil {
			t.Fatal(err)
		}
		back, err := prv.Read(context.Background(), strings.NewReader(b.String()), prv.Options{Strict: true})
		if err != nil {
			t.Fatal(err)
		}
		back.Labels, back.Names = tr.Labels, tr.Names
		if err := prv.Equal(tr, back); err != nil {
			t.Fatal(err)
		}
		again := newReader("b.trf", true)
		if err := again.readAll(context.Background(), bufio.NewReader(strings.NewReader(written(t, tr)))); err != nil {
			t.Fatal(err)
		}
		twice, err := build(context.Background(), again)
		if err != nil && strings.Contains(err.Error(), "no event in the trace") { // neither states nor messages
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		if notes(twice) != "" || twice.Comms.Len() != tr.Comms.Len() {
			t.Fatalf("written and read: %d messages, not %d; %s", twice.Comms.Len(), tr.Comms.Len(), notes(twice))
		}
	})
}
