package charm_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pview/prv"
	"pview/prv/charm"
	"pview/prv/extrae/execution"
)

// The example of the format's description: two PEs of a run with version 11.0.
const (
	tinySTS = `PROJECTIONS_ID
VERSION 11.0
TOTAL_PHASES 1
MACHINE "toy-linux"
PROCESSORS 2
TOTAL_CHARES 3
TOTAL_EPS 5
TOTAL_MSGS 1
TOTAL_PSEUDOS 0
TOTAL_EVENTS 2
CHARE 0 "dummy_thread_chare" -1
CHARE 1 "Main" -1
CHARE 2 "Work" 1
ENTRY CHARE 0 "dummy_thread_ep" 0 0
ENTRY CHARE 1 "Main(CkArgMsg* m)" 1 0
ENTRY CHARE 2 "done()" 1 0
ENTRY CHARE 3 "run(int k)" 2 0
ENTRY CHARE 4 "sync()" 2 0
MESSAGE 0 8
TOTAL_STATS 0
EVENT 7 step
EVENT 9 solver part
END
`
	tiny0 = "PROJECTIONS-RECORD 20; 6 100; 1 21 3 120 0 0 112 4; 20 24 4 140 1 0 96 2 2; 14 150 0; 15 200 0; 2 4 4 " +
		"210 1 0 96 0 0 60; 13 7 215 2 0; 1 21 3 220 3 0 112 5; 3 0 4 230 1 0 0 80; " +
		"2 21 3 230 3 0 112 0 2 80; 3 0 3 250 3 0 0 100; 2 4 4 250 1 0 96 0 0 100; 16 260 0; 17 262 0; 3 0 4 270 1 0 " +
		"0 118; 14 280 0; 15 300 0; 2 5 2 305 1 1 80 0 0 0 0 0 130; 28 310 4last; 7 330"
	tiny1 = "PROJECTIONS-RECORD 15; 6 105; 14 110 1; 15 160 1; 2 4 3 165 0 0 112 0 1 40; 98 9 170 0 1 0; 1 5 2 180 1 " +
		"1 80 0; 99 9 190 2 1 0; 3 0 3 195 0 0 0 68; 2 4 4 200 1 0 96 0 1 68; " +
		"3 0 4 215 1 0 0 82; 12 220; 11 260; 14 262 1; 15 325 1; 7 330"
)

func lines(text string) string { return strings.ReplaceAll(text, "; ", "\n") + "\n" }

// write writes a run into a folder and returns the path of the .sts.
func write(t testing.TB, sts string, logs ...string) string {
	t.Helper()
	dir := t.TempDir()
	for i, text := range logs {
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("tiny.%d.log", i)), []byte(lines(text)),
			0o644); err != nil {
			t.Fatal(err)
		}
	}
	path := filepath.Join(dir, "tiny.sts")
	if err := os.WriteFile(path, []byte(sts), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

func open(t testing.TB, path string) *prv.Trace {
	t.Helper()
	tr, err := charm.Open(context.Background(), path, false, prv.Watcher{})
	if err != nil {
		t.Fatal(err)
	}
	return tr
}

// states returns those of a thread, "begin-end value".
func states(tr *prv.Trace, thread int) string {
	s := &tr.Threads[thread].States
	var list []string
	for i := range s.Len() {
		list = append(list, fmt.Sprintf("%d-%d %d", s.Begin[i], s.End[i], s.Value[i]))
	}
	return strings.Join(list, ", ")
}

// events returns those of some types, "time type label".
func events(tr *prv.Trace, thread int, types ...uint32) string {
	e := &tr.Threads[thread].Events
	var list []string
	for i := range e.Len() {
		if slices.Contains(types, e.Type[i]) {
			list = append(list, fmt.Sprintf("%d %s", e.Time[i], tr.Labels.ValueName(e.Type[i], e.Value.At(i))))
		}
	}
	return strings.Join(list, ", ")
}

func comms(tr *prv.Trace) string {
	c := &tr.Comms
	var list []string
	for i := range c.Len() {
		list = append(list, fmt.Sprintf("%d->%d sent %d %d received %d %d size %d tag %d", c.Send[i], c.Recv[i],
			c.Times[prv.LogicalSend][i], c.Times[prv.PhysicalSend][i],
			c.Times[prv.LogicalRecv][i], c.Times[prv.PhysicalRecv][i], c.Size[i], c.Tag[i]))
	}
	slices.Sort(list)
	return strings.Join(list, "\n")
}

// TestTiny: the states, messages and events match the description's example.
func TestTiny(t *testing.T) {
	tr := open(t, write(t, tinySTS, tiny0, tiny1))
	if want :=
		"0-100 2, 100-150 7, 150-200 0, 200-210 7, 210-230 1, 230-250 1, 250-260 1, 260-262 15, 262-270 1, 270-280 " +
			"7, 280-300 0, 300-305 7, 305-330 1"; states(tr, 0) != want {
		t.Errorf("PE 0: %s\nwant  %s", states(tr, 0), want)
	}
	if want :=
		"0-105 2, 105-110 7, 110-160 0, 160-165 7, 165-195 1, 195-200 7, 200-215 1, 215-220 7, 220-260 14, 260-262 " +
			"7, 262-325 0, 325-330 7"; states(tr, 1) != want {
		t.Errorf("PE 1: %s\nwant  %s", states(tr, 1), want)
	}
	if want :=
		"0->1 sent 120 124 received 165 165 size 112 tag 3\n0->1 sent 140 142 received 200 200 size 96 tag 4\n1->0 " +
			"sent 180 180 received 305 305 size 80 tag 2"; comms(tr) != want {
		t.Errorf("messages:\n%s\nwant\n%s", comms(tr), want)
	}
	for _, c := range []struct {
		thread int
		typ    uint32
		want   string
	}{
		{0, 79000001,
			"210 Work::sync, 230 End, 230 Work::run, 250 End, 250 Work::sync, 270 End, 305 Main::done, 330 End"},
		{0, 79000011, "210 Work[0], 230 Work[2], 250 Work[0], 305 Main"},
		{0, 79000002, "210 value 2, 230 value 4, 305 value 2"}, // the resumed unit has no message
		{1, 79000011, "165 Work[1], 200 Work[1]"},
		{0, 79000007, "120 value 2, 140 several, or unknown, 220 value 1"},
		{0, 79000100, "215 step"},
		{1, 79000101, "170 solver part, 190 End"},
		{0, 79000104, "310 last"},
	} {
		if got := events(tr, c.thread, c.typ); got != c.want {
			t.Errorf("PE %d, type %d: %s\nwant %s", c.thread, c.typ, got, c.want)
		}
	}
	if tr.Duration != 330 || tr.Name(prv.LevelThread, 1) != "PE 1" || tr.Unit != prv.Microseconds {
		t.Errorf("%d %s %s", tr.Duration, tr.Unit, tr.Name(prv.LevelThread, 1))
	}
	if notes := fmt.Sprint(tr.Notes); !strings.Contains(notes, "1 unit without an end") || len(tr.Notes) != 1 {
		t.Errorf("notes: %s", notes)
	}
}

// TestFiles: gzip in several members, logs in folders, a log named instead of the .sts, PEs without a log, lines that
// end in CR.
func TestFiles(t *testing.T) {
	path := write(t, strings.Replace(tinySTS, "PROCESSORS 2", "PROCESSORS 3", 1), tiny0)
	var packed bytes.Buffer
	text := lines(tiny1)
	for _, part := range []string{text[:40], text[40:]} {
		z := gzip.NewWriter(&packed)
		z.Write([]byte(strings.ReplaceAll(part, "\n", "\r\n")))
		z.Close()
	}
	dir := filepath.Join(filepath.Dir(path), "tiny.projdir.1")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	log := filepath.Join(dir, "tiny.1.log.gz")
	if err := os.WriteFile(log, packed.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{path, log} {
		tr := open(t, name)
		if tr.NumThreads() != 3 || tr.Comms.Len() != 3 || states(tr, 2) != "0-330 2" {
			t.Errorf("%s: %d threads, %d messages, PE 2: %s", name, tr.NumThreads(), tr.Comms.Len(), states(tr, 2))
		}
	}
}

// TestVersions: fields that older versions lack. Version 1 has no message lengths, 3 no objects, 5 no CPU time.
func TestVersions(t *testing.T) {
	for version, log := range map[string]string{
		"":    "1 4 1 10 0 0; 2 4 1 20 0 0; 3 4 1 30 0 0",
		"3.0": "1 4 1 10 0 0 64; 2 4 1 20 0 0 64; 3 4 1 30 0 0 0",
		"5.0": "1 4 1 10 0 0 64 2; 2 4 1 20 0 0 64 15 1 2 0; 3 4 1 30 0 0 0",
		"7.0": "1 4 1 10 0 0 64 2; 2 4 1 20 0 0 64 15 1 2 0 0 99 0; 3 4 1 30 0 0 0 99 0 0 0",
		"12":  "1 4 1 10 0 0 64 2; 2 4 1 20 0 0 64 15 0 0 0 0 99; 3 4 1 30 0 0 0 99",
	} {
		sts := "PROJECTIONS_ID\nPROCESSORS 1\nCHARE 0 Main\nENTRY CHARE 1 go() 0 0\nEND\n"
		if version != "" {
			sts = strings.Replace(sts, "PROC", "VERSION "+version+"\nPROC", 1)
		}
		tr := open(t, write(t, sts, "PROJECTIONS-RECORD; 6 0; "+log+"; 7 40"))
		if got := states(tr, 0); got != "0-20 7, 20-30 1, 30-40 7" {
			t.Errorf("version %q: %s", version, got)
		}
		if got := events(tr, 0, 79000002); got != "20 value 1" {
			t.Errorf("version %q: message %s", version, got)
		}
	}
}

// The dimensions of an array are only a claim: an object has as many numbers as its line.
func TestManyDimensions(t *testing.T) {
	for _, dims := range []string{"500000000", "4611686018427387904"} {
		tr := open(t, write(t, strings.Replace(tinySTS, `"Work" 1`, `"Work" `+dims, 1), tiny0, tiny1))
		if got := tr.NumThreads(); got != 2 {
			t.Errorf("%s dimensions: %d threads", dims, got)
		}
	}
}

// Stale numbers are not creators; a broadcast starts several units, with the same message; the begin of a unit within
// another ends that one.
func TestUnits(t *testing.T) {
	sts :=
		"PROJECTIONS_ID\nVERSION 10.0\nPROCESSORS 2\nCHARE 0 \"A\" 1\nENTRY CHARE 1 \"go\" 0 0\nENTRY CHARE 2 " +
			"\"other\" 0 0\nEND\n"
	send := "PROJECTIONS-RECORD; 6 0; 20 24 1 5 0 0 64 0 2; 1 4 2 6 1 0 64 0; 7 100"
	tr := open(t,
		write(t, sts, send,
			"PROJECTIONS-RECORD; 6 0; 2 4 1 10 0 0 64 0 0; 3 4 1 20 0 0 0; 2 4 1 21 0 0 64 0 1; 2 4 1 25 1 0 64 0 2; "+
				"3 4 1 30 1 0 0; 3 4 1 30 1 0 0; 7 100"))
	if got, want := comms(tr),
		"0->1 sent 5 5 received 10 10 size 64 tag 1\n0->1 sent 5 5 received 21 21 size 64 tag 1"; got != want {
		t.Errorf("messages:\n%s\nwant\n%s", got, want)
	}
	if got := states(tr, 1); got != "0-10 7, 10-20 1, 20-21 7, 21-25 1, 25-30 1, 30-100 7" {
		t.Errorf("states: %s", got)
	}
	notes := fmt.Sprint(tr.Notes)
	for _, want := range []string{"1 unit with the number of a message to other code",
		"1 unit that ended without a begin"} {
		if !strings.Contains(notes, want) {
			t.Errorf("%q is missing in %s", want, notes)
		}
	}
}

// Units have no message if its sender was not traced: after a PE's last creation, between two, or of a PE that does not
// exist. Those without a number (-1) are not counted.
func TestOrphans(t *testing.T) {
	sts := "PROJECTIONS_ID\nVERSION 10.0\nPROCESSORS 2\nCHARE 0 \"A\" 1\nENTRY CHARE 1 \"go\" 0 0\nEND\n"
	tr := open(t, write(t, sts, "PROJECTIONS-RECORD; 6 0; 1 4 1 5 3 0 64 0; 1 4 1 6 5 0 64 0; 7 100",
		"PROJECTIONS-RECORD; 6 0; 2 4 1 10 6 0 64 0 0; 3 4 1 20 6 0 0; 2 4 1 21 4 0 64 0 1; 3 4 1 30 4 0 0; "+
			"2 4 1 31 3 2 64 0 1; 3 4 1 40 3 2 0; 2 4 1 41 -1 0 64 0 1; 3 4 1 50 -1 0 0; "+
			"2 4 1 51 5 0 64 0 1; 3 4 1 60 5 0 0; 7 100"))
	if got, want := comms(tr), "0->1 sent 6 6 received 51 51 size 64 tag 1"; got != want {
		t.Errorf("messages:\n%s\nwant\n%s", got, want)
	}
	if notes := fmt.Sprint(tr.Notes); !strings.Contains(notes, "3 units whose message was created while nothing") {
		t.Errorf("notes: %s", notes)
	}
}

// Nodes of PEs that share memory are tasks; their communication threads come last.
func TestNodes(t *testing.T) {
	sts := "PROJECTIONS_ID\nVERSION 11.0\nPROCESSORS 6\nSMPMODE 2 2\nEND\n"
	tr := open(t, write(t, sts, "PROJECTIONS-RECORD; 6 0; 7 10"))
	var names []string
	for i := range tr.NumThreads() {
		p, task, th := tr.ThreadID(int32(i))
		names = append(names, fmt.Sprintf("%d.%d.%d %s", p, task, th, tr.Name(prv.LevelThread, i)))
	}
	if got, want := strings.Join(names, ", "),
		"1.1.1 PE 0, 1.1.2 PE 1, 1.1.3 comm 0, 1.2.1 PE 2, 1.2.2 PE 3, 1.2.3 comm 1"; got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
}

func TestRefused(t *testing.T) {
	for name, c := range map[string]struct{ sts, log, want string }{
		"no processors": {"PROJECTIONS_ID\nEND\n", "PROJECTIONS-RECORD; 6 0", "tiny.sts: no PROCESSORS line"},
		"too many": {"PROJECTIONS_ID\nPROCESSORS 99999999999\nEND\n", "PROJECTIONS-RECORD; 6 0",
			"tiny.sts:2: PROCESSORS \"99999999999\": must be a number from 1"},
		"binary": {"PROJECTIONS_ID\nPROCESSORS 1\nEND\n", "\x01\x00\x00\x00",
			"tiny.0.log:1: does not begin with PROJECTIONS-RECORD"},
		"bad chare": {"PROJECTIONS_ID\nPROCESSORS 1\nCHARE x y\nEND\n", "PROJECTIONS-RECORD",
			"tiny.sts:3: CHARE \"x\": must be a number"},
	} {
		_, err := charm.Open(context.Background(), write(t, c.sts, c.log), false, prv.Watcher{})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	_, err := charm.Open(context.Background(), write(t, tinySTS), false, prv.Watcher{})
	if err == nil || !strings.Contains(err.Error(), "neither logs nor summaries") {
		t.Errorf("no logs: %v", err)
	}
	// A damaged line is left out, with a note; with strict it is an error.
	path := write(t, tinySTS, "PROJECTIONS-RECORD; 6 0; 2 4; 77 5; x; 7 10")
	if notes := fmt.Sprint(open(t, path).Notes); !strings.Contains(notes, "tiny.0.log:3: 2 damaged lines") ||
		!strings.Contains(notes, "1 records of unknown types") {
		t.Errorf("notes: %s", notes)
	}
	if _, err := charm.Open(context.Background(), path, true, prv.Watcher{}); err == nil ||
		!strings.Contains(err.Error(), "tiny.0.log:3: too few fields") {
		t.Errorf("strict: %v", err)
	}
}

// FuzzLog: reading any log ends with a trace or an error.
func FuzzLog(f *testing.F) {
	f.Add(tinySTS, lines(tiny0))
	f.Add(tinySTS, lines(tiny1))
	f.Add("PROJECTIONS_ID\nVERSION 3.0\nPROCESSORS 1\nSMPMODE 1 1\nEND",
		"PROJECTIONS-RECORD 3 DELTA\n6 5\n29 3 9 1 5 5hello\n100 1 2 3 0\n100 1 9 3 0\n32 4 -1 1e3 0 7\n")
	f.Fuzz(func(t *testing.T, sts, log string) {
		path := write(t, sts)
		if err := os.WriteFile(strings.TrimSuffix(path, ".sts")+".0.log", []byte(log), 0o644); err != nil {
			t.Fatal(err)
		}
		if strings.Contains(sts, "PROCESSORS") && len(sts) > 4096 {
			t.Skip()
		}
		charm.Open(context.Background(), path, false, prv.Watcher{})
	})
}

// Two PEs each of an old version without labels and of version 7.1: intervals of 1 ms. In 7.1, PE 1 is on its own node.
const (
	sumNames = "PROJECTIONS_ID\nVERSION 7.1\nPROCESSORS 2\nCHARE 0 Main\nENTRY CHARE 0 start() 0 0\n" +
		"ENTRY CHARE 1 go() 0 0\nEVENT 4 step\nEND\n"
	sumOld = "ver:3.0 0/2 count:4 ep:2 interval:1.000000e-03 phases:0\n  0  50 100  25\n0 1740\n0 3\n1 4 0.0015\n"
	sumNew = "ver:7.1 1/2 count:5 ep:2 interval:1e-3 phases:1\n0+2 50+2 0\nEPExeTime: 400 600\nEPCallTime: 1 2\n" +
		"MaxEPTime: 400 350\nNumMarks: 0\n[0] 1 2\n[0] 400 600\n[0] 400 350\nIdlePercent: 100 100 20 50 100\n"
)

// writeSummaries writes the summaries of a run into a folder and returns the path of the .sts.
func writeSummaries(t testing.TB, sts string, sums ...string) string {
	t.Helper()
	path := write(t, sts)
	for i, text := range sums {
		if err := os.WriteFile(fmt.Sprintf("%s.%d.sum", strings.TrimSuffix(path, ".sts"), i), []byte(text),
			0o644); err != nil {
			t.Fatal(err)
		}
	}
	return path
}

// A summary becomes states: in each interval a PE first computes for its share; if idle time is known, it is idle next,
// and the runtime system has the rest.
func TestSummaries(t *testing.T) {
	path := writeSummaries(t, sumNames, sumOld, sumNew)
	tr := open(t, path)
	for th, want := range []string{
		// 50 % of 1..2 ms, all of 2..3, 25 % of 3..4; its log ends there.
		"0-1000 40, 1000-1500 1, 1500-2000 40, 2000-3250 1, 3250-4000 40, 4000-5000 2",
		// 50 % and 20 % idle, then 50 % and 50 %.
		"0-2000 0, 2000-2500 1, 2500-2700 0, 2700-3000 7, 3000-3500 1, 3500-5000 0",
	} {
		if got := states(tr, th); got != want {
			t.Errorf("PE %d: %s, want %s", th, got, want)
		}
	}
	var got []string
	for th := range tr.Threads {
		e := &tr.Threads[th].Events
		for k, typ := range e.Type {
			if typ >= execution.SummedEntry || typ == 79000100 {
				got = append(got, fmt.Sprint(th, "@", e.Time[k], " ", typ, "=", e.Value.At(k)))
			}
		}
	}
	want := []string{"0@1500 79000100=5",
		"0@5000 79000303=2", "0@5000 79000304=1740", "0@5000 79000305=3",
		"1@5000 79000303=1", "1@5000 79000304=400", "1@5000 79000305=1", "1@5000 79000306=400",
		"1@5000 79000303=2", "1@5000 79000304=600", "1@5000 79000305=2", "1@5000 79000306=350"}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if name := tr.Labels.ValueName(execution.SummedEntry, 2); name != "Main::go" || !execution.IsSummary(tr) ||
		execution.IsDriven(tr) {
		t.Errorf("entry %s, summary %v", name, execution.IsSummary(tr))
	}
	if other := open(t, strings.TrimSuffix(path, ".sts")+".1.sum"); other.Duration != 5000 ||
		other.Path != path {
		t.Errorf("opened by a summary: %s, %d us", other.Path, other.Duration)
	}
}

// Impossible values in a summary are rejected with their line.
func TestBrokenSummaries(t *testing.T) {
	for text, want := range map[string]string{
		"ver:7 0/1 count:2 ep:1 interval:1e-3\n1 2 3\n":         "tiny.0.sum:2: more than the 2 numbers",
		"ver:7 0/1 count:2 ep:1 interval:1e-3\n1 x\n":           `tiny.0.sum:2: "x": must be a number`,
		"ver:7 0/1 count:2 ep:1 interval:1e-3\n1+0\n":           `tiny.0.sum:2: "1+0": must be a number`,
		"ver:7 0/1 count:2 ep:1 interval:0\n":                   "tiny.0.sum:1: interval:0: must be at least",
		"ver:7 0/1 count:99999999999 ep:1 interval:1\n":         "tiny.0.sum:1: count:99999999999: must be",
		"ver:7 0/1 count:-1 ep:1 interval:1\n":                  "count:-1: must be a number up to 4194304",
		"ver:7 0/1 count:1 ep:1048577 interval:1\n":             "ep:1048577: must be a number up to 1048576",
		"ver:7 0/1 count:4194304 ep:1 interval:1e4\n":           "tiny.0.sum:1: interval:10000: must be at least",
		"ver:7 0/1 count:1 ep:1 interval:1e-7\n":                "tiny.0.sum:1: interval:1e-07: must be at least",
		"ver:7 0/1 count:x ep:1 interval:1\n":                   "tiny.0.sum:1: count:x: must be a number",
		"ver:7 0/1 count:2 ep:1 interval:1\nNumMarks: 1 2 -1\n": `tiny.0.sum:2: "2", "-1": must be a mark`,
		"": "tiny.0.sum:1: does not begin with ver:",
	} {
		_, err := charm.Open(context.Background(), writeSummaries(t, sumNames, text), false, prv.Watcher{})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

func FuzzSummary(f *testing.F) {
	f.Add(sumOld)
	f.Add(sumNew)
	f.Fuzz(func(t *testing.T, text string) {
		charm.Open(context.Background(), writeSummaries(t, sumNames, text), false, prv.Watcher{})
	})
}
