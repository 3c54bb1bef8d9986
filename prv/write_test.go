package prv_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pview/prv"
	"pview/prv/prvtest"
)

func readTrace(t testing.TB, text string) *prv.Trace {
	t.Helper()
	tr, err := prv.Read(context.Background(), strings.NewReader(text), prv.Options{Name: "x.prv"})
	if err != nil {
		t.Fatal(err)
	}
	return tr
}

func writeTrace(t testing.TB, tr *prv.Trace) string {
	t.Helper()
	var b bytes.Buffer
	if err := prv.Write(context.Background(), &b, tr); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestWriteIsCanonical(t *testing.T) {
	if got := writeTrace(t, readTrace(t, prvtest.Canonical)); got != prvtest.Canonical {
		t.Errorf("got\n%s\nwant\n%s", got, prvtest.Canonical)
	}
}

func TestWriteHeaders(t *testing.T) {
	for _, head := range []string{
		"#Paraver (01/01/03 at 00:00):100:0:1:1(1:0)",
		"#Paraver ():100_ms:0:1:2(1:0,3:0)",
		"#Paraver (30/02/2024 at 99:99):0_ns:2(0,4):1:1(1:2)",
	} {
		text := head + "\n1:0:1:1:1:0:10:1\n"
		if got := writeTrace(t, readTrace(t, text)); got != text {
			t.Errorf("got\n%s\nwant\n%s", got, text)
		}
	}
}

// Records that are not in time order keep what depends on their order: adjacent states, and the messages' numbers.
func TestWriteOutOfOrder(t *testing.T) {
	text := `#Paraver ():100:0:1:2(1:0,1:0)
1:0:1:1:1:50:60:1
1:0:1:1:1:0:50:2
1:0:1:1:1:20:30:3
2:0:1:1:1:70:1:1
2:0:1:1:1:10:1:2:1:3
3:0:1:1:1:90:90:0:1:2:1:95:95:1:1
3:0:1:2:1:10:10:0:1:1:1:15:15:1:2
`
	a := readTrace(t, text)
	if a.Threads[0].States.FileOrder == nil {
		t.Fatal("the test needs states out of order")
	}
	b := readTrace(t, writeTrace(t, a))
	if err := prv.Equal(a, b); err != nil {
		t.Error(err)
	}
	if b.Comms.Tag[0] != 1 {
		t.Error("the messages have changed places")
	}
}

// If the thread's states and the messages are in time order, so is the file.
func TestWriteOrdersByTime(t *testing.T) {
	text := "#Paraver ():1000:0:1:3(1:0,1:0,1:0)\n"
	for task := range 3 {
		for i := range 50 {
			text += "1:0:1:" + strconv.Itoa(task+1) + ":1:" + strconv.Itoa(10*i+task) + ":" +
				strconv.Itoa(10*i+task+10) + ":1\n"
			text += "2:0:1:" + strconv.Itoa(task+1) + ":1:" + strconv.Itoa(11*i+task) + ":5:1\n"
		}
	}
	last := -1
	for _, line := range strings.Split(writeTrace(t, readTrace(t, text)), "\n")[1:301] {
		at, err := strconv.Atoi(strings.Split(line, ":")[5])
		if err != nil || at < last {
			t.Fatalf("%s stands after time %d", line, last)
		}
		last = at
	}
}

// All digits, and numbers of all lengths.
func TestWriteNumbers(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	values := []int64{0, math.MaxInt64, math.MinInt64, -1}
	for p := int64(1); p > 0 && p <= math.MaxInt64/10; p *= 10 {
		values = append(values, p-1, p, p+1, -p)
	}
	for range 1000 {
		values = append(values, int64(rng.Uint64()>>rng.IntN(64)))
	}
	var want strings.Builder
	want.WriteString("#Paraver ():0:0:1:1(1:0)\n2:0:1:1:1:0")
	for _, v := range values {
		want.WriteString(":1:" + strconv.FormatInt(v, 10))
	}
	want.WriteString("\n")
	if got := writeTrace(t, readTrace(t, want.String())); got != want.String() {
		t.Error("numbers differ")
	}
}

func TestWriteRefusesWhatCannotBeReadBack(t *testing.T) {
	for _, c := range []struct {
		spoil func(*prv.Trace)
		want  string
	}{
		{func(t *prv.Trace) { t.Communicators = []prv.Communicator{{Text: "x:1"}} },
			`writing a trace: "x:1" is not a communicator line`},
		{func(t *prv.Trace) { t.Communicators = []prv.Communicator{{Text: "c:1\n1:2"}} },
			`writing a trace: "c:1\n1:2" is not a communicator line`},
		{func(t *prv.Trace) { t.Comments = []string{"no hash"} }, `writing a trace: "no hash" is not a comment line`},
		{func(t *prv.Trace) { t.Date = "1) 2" }, `writing a trace: a header cannot have the date "1) 2"`},
	} {
		tr := readTrace(t, prvtest.Canonical)
		c.spoil(tr)
		if err := prv.Write(context.Background(), io.Discard, tr); err == nil || err.Error() != c.want {
			t.Errorf("got %v, want %s", err, c.want)
		}
	}
}

func TestWriteStops(t *testing.T) {
	tr := readTrace(t, prvtest.Canonical)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := prv.Write(ctx, io.Discard, tr); err != context.Canceled {
		t.Errorf("got %v", err)
	}
	full := errors.New("disk full")
	if err := prv.Write(context.Background(), failingWriter{full}, tr); err != full {
		t.Errorf("got %v", err)
	}
}

type failingWriter struct{ err error }

func (w failingWriter) Write([]byte) (int, error) { return 0, w.err }

func TestLabelsRoundTrip(t *testing.T) {
	for _, text := range []string{
		prvtest.SmallPCF,
		"DEFAULT_OPTIONS\nLEVEL\nUNITS x\n\nMY_SECTION\nA\nB c\n\nMORE\n",
		"EVENT_TYPE\n0 1 a\n0 2 b\nVALUES\n1 x\nEVENT_TYPE\n0 2 c\nVALUES\n2 y\nPRECISION 3\n",
	} {
		a, _ := parseLabels(t, text)
		var b bytes.Buffer
		if err := prv.WriteLabels(&b, a); err != nil {
			t.Fatal(err)
		}
		again, notes := parseLabels(t, b.String())
		ta, tb := readTrace(t, prvtest.Canonical), readTrace(t, prvtest.Canonical)
		ta.Labels, tb.Labels = a, again
		if err := prv.Equal(ta, tb); err != nil {
			t.Errorf("%v; notes %q; written:\n%s", err, notes, b.String())
		}
	}
}

// Labels set by code are cleaned for the files.
func TestLabelsOfCodeRoundTrip(t *testing.T) {
	var l prv.Labels
	l.AddState(1, " two\nlines ")
	l.AddState(2, "")
	l.AddType(5, "tab\there", prv.ValueLabel{Value: 1, Label: "\x1b[31mred"})
	var b bytes.Buffer
	if err := prv.WriteLabels(&b, &l); err != nil {
		t.Fatal(err)
	}
	again, notes := parseLabels(t, b.String())
	got := []string{again.StateName(1), again.StateName(2), again.TypeName(5), again.ValueName(5, 1)}
	if want := []string{"two lines", "Unknown state 2", "tab here", "[31mred"}; !slices.Equal(got, want) ||
		len(notes) != 0 {
		t.Errorf("got %q, want %q; notes %q", got, want, notes)
	}
}

func TestSave(t *testing.T) {
	for _, name := range []string{"run.prv", "run.prv.gz"} {
		path := filepath.Join(t.TempDir(), name)
		a := readTrace(t, prvtest.Canonical)
		a.Labels, _ = parseLabels(t, prvtest.SmallPCF)
		a.Names.Levels[prv.LevelNode] = []string{"node1", "node2"}
		if err := prv.Save(context.Background(), path, a); err != nil {
			t.Fatal(err)
		}
		if got := dirNames(t, path); !slices.Equal(got, []string{"run.pcf", name, "run.row"}) {
			t.Errorf("files: %q", got)
		}
		b, err := prv.Open(context.Background(), path, prv.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if err := prv.Equal(a, b); err != nil {
			t.Error(err)
		}
		// Saved again without labels and names, it has none.
		a.Labels, a.Names = &prv.Labels{}, &prv.Names{}
		if err := prv.Save(context.Background(), path, a); err != nil {
			t.Fatal(err)
		}
		if b, err = prv.Open(context.Background(), path, prv.Options{}); err != nil {
			t.Fatal(err)
		}
		if err := prv.Equal(a, b); err != nil {
			t.Errorf("labels of the older trace are left: %v", err)
		}
	}
}

// A save that fails leaves everything unchanged.
func TestSaveLeavesNothingBehind(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "run.prv")
	if err := os.WriteFile(path, []byte("older"), 0o600); err != nil {
		t.Fatal(err)
	}
	tr := readTrace(t, prvtest.Canonical)
	tr.Labels.AddState(1, "Running")
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := prv.Save(ctx, path, tr); err != context.Canceled {
		t.Errorf("got %v", err)
	}
	tr.Date = ")"
	var fe *prv.FileError
	if err := prv.Save(context.Background(), path, tr); !errors.As(err, &fe) || fe.File != path {
		t.Errorf("got %v", err)
	}
	if got, _ := os.ReadFile(path); string(got) != "older" || len(dirNames(t, path)) != 1 {
		t.Errorf("file says %q, directory has %q", got, dirNames(t, path))
	}
	tr.Date = ""
	if err := prv.Save(context.Background(), dir, tr); err == nil ||
		err.Error() != dir+": cannot be written: is a directory" {
		t.Errorf("got %v", err)
	}
	missing := filepath.Join(dir, "no", "run.prv")
	if err := prv.Save(context.Background(), missing, tr); err == nil ||
		!strings.HasSuffix(err.Error(), "cannot be written: no such file or directory") {
		t.Errorf("got %v", err)
	}
	if err := prv.Save(context.Background(), path, tr); err != nil {
		t.Fatal(err)
	}
	if info, _ := os.Stat(path); info.Mode().Perm() != 0o600 {
		t.Errorf("permissions of the older file are lost: %v", info.Mode())
	}
}

// Through a link, its target is replaced.
func TestSaveFollowsLinks(t *testing.T) {
	dir := t.TempDir()
	real, link := filepath.Join(dir, "real.prv"), filepath.Join(dir, "link.prv")
	if err := os.WriteFile(real, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(real, link); err != nil {
		t.Skip(err)
	}
	if err := prv.Save(context.Background(), link, readTrace(t, prvtest.Canonical)); err != nil {
		t.Fatal(err)
	}
	if got, _ := os.ReadFile(real); string(got) != prvtest.Canonical {
		t.Errorf("the file behind the link says %q", got)
	}
}

func dirNames(t *testing.T, path string) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// realTraces returns the traces of the repository and, if present, the shared ones.
func realTraces(t testing.TB) []string {
	t.Helper()
	var files []string
	for _, folders := range []string{
		"../testdata/traces/*", "../testdata/oracle/paraver/traces", "demo",
		filepath.Join(prvtest.SharedDir(), "traces", "*"),
		filepath.Join(prvtest.SharedDir(), "oracle", "paraver", "traces"),
	} {
		files = append(files, prvtest.Traces(folders)...)
	}
	return files
}

// Whatever is read can be written, and reads back equal.
func TestRoundTripOfRealTraces(t *testing.T) {
	files := realTraces(t)
	if len(files) < 10 {
		t.Fatalf("only %d traces", len(files))
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			prvtest.SkipLarge(t, file)
			a, err := prv.Open(context.Background(), file, prv.Options{})
			if err != nil {
				t.Fatal(err)
			}
			path := filepath.Join(t.TempDir(), filepath.Base(file))
			if err := prv.Save(context.Background(), path, a); err != nil {
				t.Fatal(err)
			}
			b, err := prv.Open(context.Background(), path, prv.Options{Strict: true})
			if err != nil {
				t.Fatal(err)
			}
			if err := prv.Equal(a, b); err != nil {
				t.Error(err)
			}
		})
	}
}

func parseLabels(t *testing.T, text string) (*prv.Labels, []string) {
	t.Helper()
	l, notes, err := prv.ParseLabels("x.pcf", strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	var s []string
	for _, n := range notes {
		s = append(s, n.String())
	}
	return l, s
}
