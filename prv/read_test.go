package prv

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"

	"pview/prv/prvtest"
	"pview/prv/store"
)

const traceA = prvtest.TraceA

// readText reads a trace from a string.
func readText(t testing.TB, text string, opt store.Options) *Trace {
	t.Helper()
	tr, err := Read(context.Background(), strings.NewReader(text), opt)
	if err != nil {
		t.Fatal(err)
	}
	return tr
}

// counts returns how many records of each kind a trace has.
func counts(t *Trace) (states, lines, pairs, comms int) {
	for i := range t.Threads {
		th := &t.Threads[i]
		states += th.States.Len()
		lines += th.Events.Lines.Count()
		pairs += th.Events.Len()
	}
	return states, lines, pairs, t.Comms.Len()
}

func TestA1TraceA(t *testing.T) {
	tr := readText(t, traceA, store.Options{})
	if tr.Duration != 100 || tr.Unit != Microseconds || len(tr.Nodes) != 2 || len(tr.Ptasks) != 1 ||
		len(tr.Tasks) != 2 || tr.NumThreads() != 2 {
		t.Errorf("header: %+v", tr.Resources)
	}
	if s, l, p, c := counts(tr); s != 8 || l != 8 || p != 8 || c != 2 || tr.Skipped.Total() != 0 {
		t.Errorf("got %d states, %d lines, %d events, %d messages, %d bad; want 8 8 8 2 0", s, l, p, c,
			tr.Skipped.Total())
	}
	th := &tr.Threads[0]
	if got := fmt.Sprint(th.States.Begin, th.States.End, th.States.Value); got != "[0 30 50] [30 50 90] [1 3 1]" {
		t.Errorf("states of 1.1.1: %s", got)
	}
	if got := fmt.Sprint(th.Events.Time, th.Events.Value.All(), th.CPU,
		th.Events.CPU); got != "[10 20 25 60 80 90] [1 2 0 3 0 0] 1 []" {
		t.Errorf("events of 1.1.1: %s", got)
	}
	c := &tr.Comms
	if got := fmt.Sprint(c.Send, c.Recv, c.Times, c.Size,
		c.Tag); got != "[1 0] [0 1] [[45 60] [50 62] [30 70] [50 80]] [1000 3000] [5 6]" {
		t.Errorf("messages: %s", got)
	}
	if got := fmt.Sprint(th.Comm); got != "[[1] [1] [0] [0]]" {
		t.Errorf("messages of 1.1.1 by role: %s", got)
	}
}

func TestA2Resources(t *testing.T) {
	h, _, err := parseHeader("#Paraver (07/05/01 at 11:12):100:2:2:3(4:1,1:1,3:2):2(3:1,2:2)", 0)
	if err != nil {
		t.Fatal(err)
	}
	if len(h.Nodes) != 2 || len(h.Ptasks) != 2 || len(h.Tasks) != 5 || h.NumThreads() != 13 {
		t.Fatalf("%+v", h)
	}
	threads := []int32{0, 0}
	for _, task := range h.Tasks {
		threads[task.Node] += task.Threads
	}
	if threads[0] != 8 || threads[1] != 5 {
		t.Errorf("threads on the nodes: %v, want 8 and 5", threads)
	}
	if p, ta, th := h.ThreadID(12); p != 2 || ta != 2 || th != 2 {
		t.Errorf("the last thread is %d.%d.%d, want 2.2.2", p, ta, th)
	}
	if i, ok := h.ThreadIndex(1, 3, 1); !ok || i != 5 {
		t.Errorf("thread 1.3.1 is %d, %v; want 5", i, ok)
	}
}

func TestA3UnitCPUsCommunicators(t *testing.T) {
	tr := readText(t,
		"#Paraver (1/1/2003 at 0:00):100_ns:2(4,8):1:2(1:1,1:2),1\nc:1:1:2:1:2\n1:12:1:2:1:0:100:1\n"+
			"1:4:1:1:1:0:100:1\n", store.Options{})
	if tr.Unit != Nanoseconds || tr.NumCPUs() != 12 || tr.Skipped.Total() != 0 || len(tr.Communicators) != 1 {
		t.Errorf("unit %v, %d CPUs, %d bad, communicators %v", tr.Unit, tr.NumCPUs(), tr.Skipped.Total(),
			tr.Communicators)
	}
	for cpu, node := range map[int32]int32{0: -1, 1: 0, 4: 0, 5: 1, 12: 1, 13: -1} {
		if got := tr.CPUNode(cpu); got != node {
			t.Errorf("CPU %d is of node %d, want %d", cpu, got, node)
		}
	}
	if got := tr.DefaultName(LevelCPU, 11); got != "CPU 2.8" {
		t.Errorf("the last CPU is called %q", got)
	}
}

func TestA4PairsAndShortCommunication(t *testing.T) {
	tr := readText(t, traceA+"2:1:1:1:1:95:1:10:2:20:3:30\n3:1:1:1:1:60:62:2:1:2:1:70:80:3000\n1:1:1:1:1:95:96:1\n",
		store.Options{})
	s, l, p, c := counts(tr)
	if s != 9 || l != 9 || p != 11 || c != 2 {
		t.Errorf("got %d states, %d lines, %d events, %d messages", s, l, p, c)
	}
	if tr.Skipped.Total() != 1 || tr.Skipped.First.Line != 21 || tr.Skipped.First.Reason != MissingField {
		t.Errorf("skipped: %+v", tr.Skipped)
	}
}

func TestHeaders(t *testing.T) {
	for _, c := range []struct {
		line string
		want string // Line() of the header read
	}{
		{"#Paraver (30/02/2024 at 99:99):9000:2(1,1):1:2(2:1,1:2)",
			"#Paraver (30/02/2024 at 99:99):9000:2(1,1):1:2(2:1,1:2)"},
		{"#Paraver ():0:0:1:1(1:0)", "#Paraver ():0:0:1:1(1:0)"},
		{"#Paraver (x):7_us:0:1:1(3:7)", "#Paraver (x):7:0:1:1(3:0)"},                // no resources, so no node
		{"#Paraver (x):7_fortnights:3:1:1(1:3)", "#Paraver (x):7:3(1,1,1):1:1(1:3)"}, // N: N nodes of one CPU
		{"#Paraver (x):7_ms:01(2):1:1(1:0)", "#Paraver (x):7_ms:0:1:1(1:0)"},         // 01 is 1
		// N less than a node: a count of CPUs
		{"#Paraver (x):7:2:1:1(1:5)", "#Paraver (x):7:5(1,1,1,1,1):1:1(1:5)"},
		{"#Paraver (x):7:2(1,1):2:1(1:1):1(1:2)", "#Paraver (x):7:2(1,1):2:1(1:1),1(1:2)"},
		{"#Paraver (x):7:2(0,4):1:1(1:2):", "#Paraver (x):7:2(0,4):1:1(1:2)"},
		// Other tools write these, and Paraver reads them.
		{"#Paraver (x):7_ns:0:1:2:(2:1,3:1)", "#Paraver (x):7_ns:0:1:2(2:0,3:0)"},
		{"#Paraver (x):7_ns:1(2):2:2:(1:1,1:1),3:(1:1,1:1,1:1),4",
			"#Paraver (x):7_ns:1(2):2:2(1:1,1:1),3(1:1,1:1,1:1)"},
		{"#Paraver (x):1234567.0_ns:0:1:1(1:0)", "#Paraver (x):1234567_ns:0:1:1(1:0)"},
		{"#Paraver (x):9007199254740993.75_ns:0:1:1(1:0)", "#Paraver (x):9007199254740993_ns:0:1:1(1:0)"}, // 2^53 + 1
		{"#Paraver (x):1.5e+09_ns:0:1:1(1:0)", "#Paraver (x):1500000000_ns:0:1:1(1:0)"},
		{"#PARAVER (x): 7_ns : 2(1, 1) : 1 : 2( 1:1, 1:2 )", "#Paraver (x):7_ns:2(1,1):1:2(1:1,1:2)"},
		{"\ufeff#Paraver (x):7_ns:0:1:1(1:0)", "#Paraver (x):7_ns:0:1:1(1:0)"}, // as some editors save
	} {
		h, _, err := parseHeader(c.line, 0)
		if err != nil {
			t.Errorf("%s: %v", c.line, err)
		} else if got := h.Line(); got != c.want {
			t.Errorf("%s\nread as %s\nwant    %s", c.line, got, c.want)
		}
	}
	for line, want := range map[string]int64{
		"#Paraver (x):7:0:1:1(1:0)":             0,
		"#Paraver (x):7:0:1:1(1:0),4":           4,
		"#Paraver (x):7:0:2:1(1:0),3,1(1:0),4":  7,
		"#Paraver (x):7:0:2:1(1:0),1(1:0),4":    4,
		"#Paraver (x):7:0:2:1(1:0),3:1(1:0),10": 13,
		"#Paraver (x):7:0:2:1:(1:0),1:(1:0),4":  4,
	} {
		if _, comms, err := parseHeader(line, 0); err != nil || comms != want {
			t.Errorf("%s: %d communicator lines, %v; want %d", line, comms, err, want)
		}
	}
}

// Paraver treats an unknown unit as microseconds; so does pview, with a note.
func TestUnknownUnit(t *testing.T) {
	for unit, want := range map[string]string{
		"": "", "_us": "", "_ns": "", "_ms": "",
		"_s":  `x.prv:1: the unit of times "_s" is not _ns, _us or _ms: taken as microseconds, as Paraver does`,
		"_NS": `x.prv:1: the unit of times "_NS" is not _ns, _us or _ms: taken as microseconds, as Paraver does`,
	} {
		text := "#Paraver (x):7" + unit + ":0:1:1(1:0)\n1:0:1:1:1:0:7:1\n"
		tr, err := Read(context.Background(), strings.NewReader(text), store.Options{Name: "x.prv"})
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for _, n := range tr.Notes {
			got += n.String()
		}
		if got != want {
			t.Errorf("%q: %q, want %q", unit, got, want)
		}
	}
}

// Every broken header, with its exact message.
func TestBrokenHeaders(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", "x.prv: empty file"},
		{"\n", `x.prv:1: not a Paraver trace: the first line does not begin with "#Paraver"`},
		{"hello\n1:2\n", `x.prv:1: not a Paraver trace: the first line does not begin with "#Paraver"`},
		{"\x7fELF\x02\x01\x01", `x.prv:1: not a Paraver trace: the first line does not begin with "#Paraver"`},
		{"new format\n", "x.prv:2: the file ends before the header"},
		{"#Paraver", "x.prv:1: broken header: no date in parentheses behind #Paraver"},
		{"#Paraver:100_ns:1(1):1:1(1:1)", "x.prv:1: broken header: no date in parentheses behind #Paraver"},
		{"#Paraver (22/11/2026 at 10:00:100_ns:1(1):1:1(1:1)",
			`x.prv:1: broken header: no ) behind the date: "22/11/2026 at 10:00:100_ns:1(1"`},
		{"#Paraver )(", "x.prv:1: broken header: no date in parentheses behind #Paraver"},
		{"#Paraver (d)", "x.prv:1: broken header: the line ends after the date, where ':' must follow"},
		{"#DIMEMAS_CONFIGURATION\n",
			"x.prv:1: not a trace: it is a Dimemas configuration, the machine of a simulation (--machine)"},
		{"#ParaverCFG\n", "x.prv:1: not a trace: it is a Paraver configuration: windows to open on a trace"},
		{"LEVEL CPU SIZE 1\n1\n", "x.prv:1: not a trace: it is the .row of a trace, its names"},
		{"#Paraver (d);1", `x.prv:1: broken header: ':' must follow the date, not ";1"`},
		{"#Paraver (d):", "x.prv:1: broken header: the line ends where the end time must stand"},
		{"#Paraver (d):-5:0:1:1(1:0)", `x.prv:1: broken header: the end time is not a number: "-5:0:1:1(1:0)"`},
		{"#Paraver (d):1.2.3:0:1:1(1:0)",
			`x.prv:1: broken header: the end time is not a number from 0 to 2^63-1: "1.2.3:0:1:1(1:0)"`},
		{"#Paraver (d):1e19:0:1:1(1:0)",
			`x.prv:1: broken header: the end time is not a number from 0 to 2^63-1: "1e19:0:1:1(1:0)"`},
		{"#Paraver (d):99999999999999999999:0:1:1(1:0)",
			"x.prv:1: broken header: the end time is too large: 99999999999999999999"},
		{"#Paraver (d):9", "x.prv:1: broken header: the line ends after the end time, where ':' must follow"},
		{"#Paraver (d):9:x", `x.prv:1: broken header: the number of nodes is not a number: "x"`},
		{"#Paraver (d):9:2(1):1:1(1:1)", "x.prv:1: broken header: it announces 2 nodes and lists 1"},
		{"#Paraver (d):9:2(1,:1:1(1:1)", `x.prv:1: broken header: the CPUs of node 2 is not a number: ":1:1(1:1)"`},
		{"#Paraver (d):9:1000000000000:1:1(1:1)",
			"x.prv:1: broken header: it claims 1000000000000 nodes, more than the file can speak of"},
		{"#Paraver (d):9:2(1,1000000000000):1:1(1:1)",
			"x.prv:1: broken header: it claims 1000000000001 CPUs, more than the file can speak of"},
		{"#Paraver (d):9:0:0:", "x.prv:1: broken header: invalid number of applications: 0"},
		{"#Paraver (d):9:0:1:0()", "x.prv:1: broken header: invalid number of tasks of application 1: 0"},
		{"#Paraver (d):9:0:1:1(0:0)",
			"x.prv:1: broken header: invalid number of threads of task 1 of application 1: 0"},
		{"#Paraver (d):9:0:1:3", "x.prv:1: broken header: the list of tasks of application 1 is missing"},
		{"#Paraver (d):9:0:1:3(1:1,1:1)", "x.prv:1: broken header: application 1 announces 3 tasks and lists 2"},
		{"#Paraver (d):9:0:1:1000000000000(1:1)",
			"x.prv:1: broken header: application 1 announces 1000000000000 tasks and lists 1"},
		{"#Paraver (d):9:0:1:1(1000000000000:1)",
			"x.prv:1: broken header: it claims 1000000000000 threads, more than the file can speak of"},
		{"#Paraver (d):9:0:2:1(1:1)", "x.prv:1: broken header: it announces 2 applications and lists 1"},
		{"#Paraver (d):9:0:1000000000000:1(1:1)",
			"x.prv:1: broken header: it announces 1000000000000 applications and lists 1"},
		{"#Paraver (d):9:2(1,1):1:1(1:3)", "x.prv:1: broken header: task 1 of application 1 is on node 3 of 2"},
		{"#Paraver (d):9:2(1,1):1:1(1:0)", "x.prv:1: broken header: task 1 of application 1 is on node 0 of 2"},
		{"#Paraver (d):9:0:1:1(1:0)junk", `x.prv:1: broken header: unexpected text "junk" after the last application`},
		{"#Paraver (d):9:0:1:1(1:0),2\nc:1:1:1:1\n1:0:1:1:1:0:5:1\n",
			"x.prv:3: broken header: it announces 2 communicator lines, but after 1 of them comes another line"},
		{"#Paraver (d):9:0:1:1(1:0),1000000000000\n1:0:1:1:1:0:5:1\n",
			"x.prv:2: broken header: it announces 1000000000000 communicator lines, but after 0 of them comes " +
				"another line"},
		{"#Paraver (d):9:0:1:1(1:0)\n", "x.prv: no record in the trace"},
		{"#Paraver (d):9:0:1:1(1:0)\n# nothing\n\n", "x.prv: no record in the trace"},
		{"#Paraver (d):9:0:1:1(1:0)\n\n7:1\n",
			"x.prv:3: no valid record in the trace; the first is bad: unknown kind of record: 7:1"},
	} {
		_, err := Read(context.Background(), strings.NewReader(c.text), store.Options{Name: "x.prv"})
		if err == nil || err.Error() != c.want {
			t.Errorf("%q\ngot  %v\nwant %s", c.text, err, c.want)
		}
		var fe *FileError
		if err != nil && !errors.As(err, &fe) {
			t.Errorf("%q: %T is no *FileError", c.text, err)
		}
	}
}

func zipped(t testing.TB, text string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if _, err := io.WriteString(z, text); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestGzip(t *testing.T) {
	long := traceA
	for i := range 4000 {
		long += fmt.Sprintf("2:1:1:1:1:%d:40:%d\n", 100+i, i*i%977)
	}
	z := zipped(t, long)
	tr := readText(t, string(z), store.Options{Name: "x.prv.gz"})
	if _, _, pairs, _ := counts(tr); pairs != 4008 || tr.Cut != nil || tr.Duration != 4099 {
		t.Errorf("%d events, cut %v, duration %d", pairs, tr.Cut, tr.Duration)
	}
	// Two gzip members are one stream.
	half := strings.Index(long, "2:1:1:1:1:2000:")
	tr = readText(t, string(zipped(t, long[:half]))+string(zipped(t, long[half:])), store.Options{})
	if _, _, pairs, _ := counts(tr); pairs != 4008 {
		t.Errorf("two members: %d events", pairs)
	}
	tr = readText(t, string(z[:len(z)/2]), store.Options{})
	_, _, pairs, _ := counts(tr)
	if pairs < 1000 || pairs >= 4008 || tr.Cut == nil || tr.Cut.Why != "the gzip stream ends early" ||
		tr.Skipped.Total() != 0 {
		t.Errorf("cut: %d events, %+v, %d skipped", pairs, tr.Cut, tr.Skipped.Total())
	}
	// header, states, messages; the line after
	if want := int64(pairs) + 1 + 8 + 2 + 1; tr.Cut != nil && tr.Cut.Line != want {
		t.Errorf("cut at line %d, want %d", tr.Cut.Line, want)
	}
	// Bytes after the stream, such as the zeros that fill a block of a tape, are ignored with a note; the last line is
	// complete without a line end.
	tr = readText(t, string(zipped(t, strings.TrimSuffix(long, "\n")))+strings.Repeat("\x00", 512), store.Options{})
	if _, _, pairs, _ := counts(tr); pairs != 4008 || tr.Cut == nil ||
		tr.Cut.Why != "the gzip stream is followed by other data" {
		t.Errorf("zeros behind: %d events, %+v", pairs, tr.Cut)
	}
	bad := slices.Clone(z)
	bad[len(bad)-6] ^= 1 // the checksum
	for _, c := range []struct{ text, want string }{
		{string(bad), "x.prv.gz: corrupt gzip: invalid checksum"},
		{string(z[:5]), "x.prv.gz: corrupt gzip: unexpected EOF"},
		{"\x1f\x8bxxxxxxxxxxxxxxxxxxxxx", "x.prv.gz: corrupt gzip: invalid header"},
		{"PK\x03\x04", "x.prv.gz: not a gzip file, although its name ends in .gz"},
		{"#Para", "x.prv.gz: not a gzip file, although its name ends in .gz"},
		{string(zipped(t, "")), "x.prv.gz: empty file"},
	} {
		_, err := Read(context.Background(), strings.NewReader(c.text), store.Options{Name: "x.prv.gz"})
		if err == nil || err.Error() != c.want {
			t.Errorf("got %v\nwant %s", err, c.want)
		}
	}
}

// Downloads are sometimes unpacked on the way, and keep their names.
func TestPlainNamedGzip(t *testing.T) {
	want, got := readText(t, traceA, store.Options{}), readText(t, traceA, store.Options{Name: "x.prv.gz"})
	if err := Equal(want, got); err != nil {
		t.Error(err)
	}
	if len(got.Notes) != 1 || got.Notes[0].String() != "x.prv.gz: not compressed, although its name ends in .gz" {
		t.Errorf("notes: %v", got.Notes)
	}
}

func TestOpenErrors(t *testing.T) {
	dir := t.TempDir()
	missing := filepath.Join(dir, "none.prv")
	for path, want := range map[string]string{
		missing: missing + ": no such file or directory",
		dir:     dir + ": is a directory",
	} {
		if _, err := Open(context.Background(), path, store.Options{}); err == nil || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
	if os.Geteuid() != 0 {
		path := filepath.Join(dir, "secret.prv")
		if err := os.WriteFile(path, []byte(traceA), 0); err != nil {
			t.Fatal(err)
		}
		if _, err := Open(context.Background(), path, store.Options{}); err == nil ||
			err.Error() != path+": permission denied" {
			t.Errorf("unreadable: %v", err)
		}
	}
}

func TestOpenReadsWhatStandsBeside(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"a.prv": traceA,
		"a.pcf": "STATES\n1  Computing\n",
		"a.row": "LEVEL THREAD SIZE 2\nmaster\nworker\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	tr, err := Open(context.Background(), filepath.Join(dir, "a.prv"), store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if s, _ := tr.Labels.State(1); s != "Computing" || tr.Name(LevelThread, 1) != "worker" ||
		tr.Name(LevelTask, 1) != "TASK 1.2" {
		t.Errorf("%q %q %q", s, tr.Name(LevelThread, 1), tr.Name(LevelTask, 1))
	}
	// An unreadable .pcf costs the labels, not the trace.
	if err := os.Remove(filepath.Join(dir, "a.pcf")); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(dir, "a.pcf"), 0o755); err != nil {
		t.Fatal(err)
	}
	tr, err = Open(context.Background(), filepath.Join(dir, "a.prv"), store.Options{})
	if err != nil || len(tr.Notes) != 1 ||
		tr.Notes[0].String() != filepath.Join(dir, "a.pcf")+": not read: is a directory" {
		t.Errorf("%v %v", err, tr.Notes)
	}
}

// endless yields a header and endless records, as a pipe might.
type endless struct {
	sent  int
	after func()
}

func (e *endless) Read(b []byte) (int, error) {
	if e.sent == 0 {
		e.sent = copy(b, "#Paraver (d):100:0:1:1(1:0)\n")
		return e.sent, nil
	}
	n := 0
	for n+18 <= len(b) {
		n += copy(b[n:], "2:0:1:1:1:5:77:88\n")
	}
	if e.sent += n; e.sent > 20<<20 {
		e.after()
	}
	return n, nil
}

func TestCancel(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	if _, err := Read(ctx, &endless{after: cancel}, store.Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

func TestProgress(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.prv")
	if err := os.WriteFile(path, []byte(traceA), 0o644); err != nil {
		t.Fatal(err)
	}
	var done, total int64
	if _, err := Open(context.Background(), path,
		store.Options{Progress: func(d, t int64) { done, total = d, t }}); err != nil {
		t.Fatal(err)
	}
	if done != int64(len(traceA)) || total != done {
		t.Errorf("progress ended at %d of %d, want %d", done, total, len(traceA))
	}
}
