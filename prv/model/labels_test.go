package model_test

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"pview/prv"
	"pview/prv/prvtest"
)

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

func TestParseLabels(t *testing.T) {
	for _, form := range []struct{ name, text string }{
		{"LF", prvtest.SmallPCF},
		{"CRLF", strings.ReplaceAll(prvtest.SmallPCF, "\n", "\r\n")},
		{"BOM", "\ufeff" + prvtest.SmallPCF},
	} {
		t.Run(form.name, func(t *testing.T) {
			l, notes := parseLabels(t, form.text)
			if len(notes) != 0 {
				t.Errorf("notes on a good file: %q", notes)
			}
			checkSmall(t, l)
		})
	}
}

func checkSmall(t *testing.T, l *prv.Labels) {
	t.Helper()
	for _, c := range []struct{ got, want string }{
		{l.StateName(1), "Running"},
		{l.StateName(math.MaxInt64), "Far away"},
		{l.StateName(2), "Unknown state 2"},
		{l.StateName(-2), "Unknown state -2"},
		{l.TypeName(50000002), "MPI Collective Comm"},
		{l.TypeName(40), "type 40"},
		{l.TypeName(math.MaxUint32), "Last type"},
		{l.ValueName(50000002, 1), "MPI_Send"},
		{l.ValueName(50000001, 77), "value 77"},
		{l.ValueName(7, 77), "value 77"},
		{l.ValueName(math.MaxUint32, -1), "All ones"},
		{l.ValueName(42000050, -12345), "value -12.345"},
	} {
		if c.got != c.want {
			t.Errorf("got %q, want %q", c.got, c.want)
		}
	}
	if !slices.Contains(l.Colors, prv.ColorEntry{Value: 1, Color: prv.RGB{B: 255}}) {
		t.Errorf("colours of states: %v", l.Colors)
	}
	if e, _ := l.Type(42000050); e.Precision != 3 || e.Factor() != 0.001 || e.Gradient != 7 {
		t.Errorf("type with precision: %+v", e)
	}
	if !slices.Contains(l.Options, prv.Setting{Name: "UNITS", Value: "NANOSEC"}) {
		t.Errorf("options %v", l.Options)
	}
	if len(l.Gradient) != 1 || len(l.Gradients) != 1 || len(l.Types) != 4 {
		t.Errorf("%d gradient colours, %d gradient names, %d types; want 1, 1, 4", len(l.Gradient), len(l.Gradients),
			len(l.Types))
	}
}

func TestLabelsThatDoNotFit(t *testing.T) {
	for _, c := range []struct{ text, note string }{
		{"0 Idle", `x.pcf:1: line outside of any section: "0 Idle"`},
		{"STATES\nzero Idle", `x.pcf:2: state is not a number of 64 bits: "zero"`},
		{"STATES\n99999999999999999999 Idle", `x.pcf:2: state is not a number of 64 bits: "99999999999999999999"`},
		{"STATES\n7", `x.pcf:2: state 7 has no label`},
		{"STATES_COLOR\n7 {1,2}", `x.pcf:2: colour is not of the form {r,g,b} with numbers from 0 to 255: "{1,2}"`},
		{"STATES_COLOR\n7 {1,2,256}",
			`x.pcf:2: colour is not of the form {r,g,b} with numbers from 0 to 255: "{1,2,256}"`},
		{"STATES_COLOR\nx {1,2,3}", `x.pcf:2: colour of what is not a number of 64 bits: "x"`},
		{"EVENT_TYPE\n0 4294967296 Too large",
			`x.pcf:2: event type is not a number from 0 to 4294967295: "4294967296"`},
		{"EVENT_TYPE\nMPI 1 x", `x.pcf:2: an event type's line begins with a number, not "MPI"`},
		{"EVENT_TYPE\nVALUES\n1 One\n", `x.pcf:3: an EVENT_TYPE section without a type ends here`},
		{"EVENT_TYPE\n0 1 One\nPRECISION many", `x.pcf:3: precision is not a number from 0 to 300: "many"`},
		{"\nNEW_SECTION\n1 2\n3 4", `x.pcf:2: unknown section "NEW_SECTION"`},
		{"STATES\n0 " + strings.Repeat("x", 70000) + "\n1 Running",
			`x.pcf:2: line is longer than 65536 bytes: the rest of it is left out`},
	} {
		l, notes := parseLabels(t, c.text)
		if !slices.Equal(notes, []string{c.note}) {
			t.Errorf("%.40q: notes %q, want %q", c.text, notes, c.note)
		}
		if strings.HasSuffix(c.text, "1 Running") && l.StateName(1) != "Running" {
			t.Errorf("%.40q: reading stopped at the bad line", c.text)
		}
	}
}

// A label that was broken into two lines costs its own second half, not the
// labels that follow.
func TestBrokenLabel(t *testing.T) {
	l, notes := parseLabels(t, "STATES\n0 Idle\nBUSY\n1 Running\n")
	if len(notes) != 1 || l.StateName(1) != "Running" {
		t.Errorf("state 1 is %q; notes %q", l.StateName(1), notes)
	}
}

func TestUnknownSectionIsKept(t *testing.T) {
	l, _ := parseLabels(t, "STATES\n0 Idle\n\nMY_SECTION\na b\nc d\n\nSTATES\n1 Running\n")
	if len(l.Other) != 1 || l.Other[0].Name != "MY_SECTION" || !slices.Equal(l.Other[0].Lines, []string{"a b", "c d"}) {
		t.Errorf("kept %+v", l.Other)
	}
	if l.StateName(1) != "Running" {
		t.Error("the section after an unknown one is lost")
	}
}

// As in Paraver, a second declaration of a type renames it and adds its values.
func TestTypeDeclaredTwice(t *testing.T) {
	l, _ := parseLabels(t, `EVENT_TYPE
0 1 First
0 2 Other
VALUES
1 one
2 two
EVENT_TYPE
0 1 Second
VALUES
2 zwei
3 drei
`)
	var got []string
	for v := range int64(4) {
		got = append(got, l.ValueName(1, v), l.ValueName(2, v))
	}
	want := []string{"value 0", "value 0", "one", "one", "zwei", "two", "drei", "value 3"}
	if l.TypeName(1) != "Second" || len(l.Types) != 2 || !slices.Equal(got, want) {
		t.Errorf("%q with %q, %d types", l.TypeName(1), got, len(l.Types))
	}
}

// Labels are printed on terminals: nothing in them may act on one.
func TestLabelsAreSafeToPrint(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"caf\xe9", "café"},      // Latin-1
		{"café", "café"},         // UTF-8
		{"a\x1b[2Jb", "a[2Jb"},   // an escape sequence loses its escape
		{"a\u009b2Jb", "a2Jb"},   // as does the one-character form
		{"a\x9b2Jb", "a2Jb"},     // also in Latin-1
		{"a\x00\x07\x7fb", "ab"}, // NUL, bell, delete
		{"a\tb", "a b"},          //
		{"a\u202eb\u200b", "ab"}, // direction override, zero-width space
		{"日本語 ✓", "日本語 ✓"},       //
	} {
		l, _ := parseLabels(t, "STATES\n5 "+c.in+"\n")
		if got := l.StateName(5); got != c.want {
			t.Errorf("%q: got %q, want %q", c.in, got, c.want)
		}
		n, _, _ := prv.ParseNames("x.row", strings.NewReader("LEVEL NODE SIZE 1\n"+c.in+"\n"))
		if got, _ := n.Lookup(prv.LevelNode, 0); got != c.want {
			t.Errorf("%q in a .row: got %q, want %q", c.in, got, c.want)
		}
	}
}

func TestNamesWithoutPCF(t *testing.T) {
	var l prv.Labels
	for _, c := range []struct{ got, want string }{
		{l.StateName(3), "Waiting a message"},
		{l.StateName(15), "Others"},
		{l.StateName(34), "Unknown state 34"},
		{l.TypeName(90), "Critical path"},
		{l.TypeName(91), "type 91"},
		{l.ValueName(90, 1), "value 1"},
	} {
		if c.got != c.want {
			t.Errorf("got %q, want %q", c.got, c.want)
		}
	}
}

func TestFormatWithPrecision(t *testing.T) {
	for _, c := range []struct {
		v    int64
		p    int
		want string
	}{
		{12345, 0, "12345"}, {12345, 3, "12.345"}, {-12345, 3, "-12.345"}, {5, 3, "0.005"}, {-5, 3, "-0.005"},
		{1000, 3, "1"}, {1200, 3, "1.2"}, {0, 3, "0"}, {math.MinInt64, 18, "-9.223372036854775808"},
	} {
		if got := (&prv.EventType{Precision: c.p}).Format(c.v); got != c.want {
			t.Errorf("%d with precision %d: %q, want %q", c.v, c.p, got, c.want)
		}
	}
}

func TestLabelsBuiltByCode(t *testing.T) {
	var l prv.Labels
	l.AddState(1, "Running")
	l.AddState(1, "Computing")
	l.AddColor(1, prv.RGB{R: 1})
	l.AddSection([]prv.EventType{{Type: 10, Label: "a"}, {Type: 11, Label: "b"}},
		[]prv.ValueLabel{{Value: 0, Label: "End"}}, 2)
	l.AddType(12, "", prv.ValueLabel{Value: 1, Label: "New"})
	for _, c := range []struct{ got, want string }{
		{l.StateName(1), "Computing"}, {l.ValueName(10, 0), "End"}, {l.ValueName(10, 1), "value 0.01"},
		{l.ValueName(11, 1), "value 0.01"}, {l.ValueName(12, 1), "New"}, {l.TypeName(12), "type 12"},
	} {
		if c.got != c.want {
			t.Errorf("got %q, want %q", c.got, c.want)
		}
	}
}

// Types share a section while none of them has another precision or other values.
func TestSharesSection(t *testing.T) {
	var l prv.Labels
	l.AddSection([]prv.EventType{{Type: 10}, {Type: 11}, {Type: 12}}, []prv.ValueLabel{{Value: 0, Label: "End"}}, 0)
	l.AddType(12, "", prv.ValueLabel{Value: 1, Label: "Begin"})
	l.AddSection([]prv.EventType{{Type: 20}, {Type: 21}}, nil, 0)
	l.AddType(30, "", prv.ValueLabel{Value: 0, Label: "End"})
	for _, c := range []struct {
		a, b uint32
		want bool
	}{{10, 11, true}, {11, 12, false}, {12, 10, false}, {20, 21, true}, {20, 10, false}, {30, 10, false}} {
		a, _ := l.Type(c.a)
		b, _ := l.Type(c.b)
		if got := a.SharesSection(b); got != c.want {
			t.Errorf("types %d and %d share a section: %v", c.a, c.b, got)
		}
	}
}

func TestLookupsDoNotAllocate(t *testing.T) {
	l, _ := parseLabels(t, prvtest.SmallPCF)
	n := testing.AllocsPerRun(100, func() {
		l.State(1)
		e, _ := l.Type(50000001)
		e.ValueLabel(1)
		l.StateName(1)
		l.TypeName(50000001)
		l.ValueName(50000001, 1)
	})
	if n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func TestLabelsWhenReadingFails(t *testing.T) {
	cause := errors.New("disk on fire")
	r := iotest.TimeoutReader(strings.NewReader("STATES\n0 Idle\n"))
	if l, _, err := prv.ParseLabels("x.pcf", iotest.ErrReader(cause)); l == nil || !errors.Is(err, cause) {
		t.Errorf("labels %v, error %v", l, err)
	}
	l, _, err := prv.ParseLabels("x.pcf", iotest.OneByteReader(r))
	if err == nil || l == nil {
		t.Errorf("labels %v, error %v", l, err)
	}
	_, _, err = prv.ParseNames("x.row", iotest.ErrReader(cause))
	if want := "x.row: cannot be read: disk on fire"; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

// endless delivers the same bytes for ever.
type endless []byte

func (e endless) Read(p []byte) (int, error) {
	for i := 0; i < len(p); i += len(e) {
		copy(p[i:], e)
	}
	return len(p), nil
}

// Reading stops by itself, whatever is behind the file's name.
func TestEndlessLabels(t *testing.T) {
	if testing.Short() {
		t.Skip("reads 2 x 256 MiB")
	}
	done := make(chan []prv.Note)
	go func() {
		_, notes, _ := prv.ParseLabels("x.pcf", endless(make([]byte, 4096)))
		done <- notes
		_, notes, _ = prv.ParseNames("x.row", endless(strings.Repeat("name ", 800)+"\n"))
		done <- notes
	}()
	for range 2 {
		select {
		case notes := <-done:
			if len(notes) == 0 || !strings.Contains(fmt.Sprint(notes), "only the first 256 MiB are read") {
				t.Errorf("notes: %v", notes)
			}
		case <-time.After(time.Minute):
			t.Fatal("still reading")
		}
	}
}

// Many types times many values, declared again and again, must not multiply.
func TestRedeclarationsDoNotMultiply(t *testing.T) {
	var b bytes.Buffer
	section := func(label string, v int) {
		fmt.Fprintln(&b, "EVENT_TYPE")
		for i := range 3000 {
			fmt.Fprintln(&b, 0, i, label)
		}
		fmt.Fprintln(&b, "VALUES")
		for i := range v {
			fmt.Fprintln(&b, i, label)
		}
	}
	section("a", 3000)
	section("b", 1)
	l, notes := parseLabels(t, b.String())
	n := 0
	for i := range l.Types {
		n += len(l.Types[i].Values)
	}
	if n > 1<<20+3000 || len(notes) != 1 {
		t.Errorf("%d value labels, notes %q", n, notes)
	}
}

func TestParseNames(t *testing.T) {
	for _, text := range []string{prvtest.SmallROW, strings.ReplaceAll(prvtest.SmallROW, "\n", "\r\n")} {
		n, notes, err := prv.ParseNames("x.row", strings.NewReader(text))
		if err != nil || len(notes) != 0 {
			t.Fatalf("notes %v, error %v", notes, err)
		}
		want := [7][]string{
			prv.LevelCPU: {"01.node1", "02.node1"}, prv.LevelNode: {"node1"}, prv.LevelPtask: {"solver"},
			prv.LevelThread: {"THREAD 1.1.1", "", "THREAD 1.2.1"},
		}
		if fmt.Sprint(n.Levels) != fmt.Sprint(want) {
			t.Errorf("got %q, want %q", n.Levels, want)
		}
		if _, ok := n.Lookup(prv.LevelThread, 1); ok {
			t.Error("a blank name counts as a name")
		}
		if _, ok := n.Lookup(prv.LevelTask, 0); ok {
			t.Error("a level that is not in the file has a name")
		}
	}
}

func TestNamesThatDoNotFit(t *testing.T) {
	for _, c := range []struct{ text, note, names string }{
		{"LEVEL NODE SIZE 3\na\nb\n\nLEVEL CPU SIZE 1\nc\n", "x.row:1: level NODE has 2 names, SIZE says 3",
			"[a b] [c]"},
		{"LEVEL NODE SIZE 99999999999999\na\n", "x.row:1: level NODE has 1 names, SIZE says 99999999999999", "[a] []"},
		{"LEVEL NODE SIZE 1\na\nb\nc\nLEVEL CPU SIZE 1\nc\n",
			`x.row:3: name beyond the SIZE of its level, or outside of any: "b"`, "[a] [c]"},
		{"LEVEL NODE SIZE -1\na\nb\n", `x.row:1: SIZE is not a number: "-1"`, "[] []"},
		{"LEVEL RACK SIZE 1\na\nLEVEL NODE SIZE 1\nb\n", `x.row:1: unknown level "RACK"`, "[b] []"},
		{"LEVEL NODE SIZE 1\na\nLEVEL NODE SIZE 1\nb\n",
			`x.row:3: level NODE stands here for the second time; the first counts`, "[a] []"},
		{"what is this\n", `x.row:1: name beyond the SIZE of its level, or outside of any: "what is this"`, "[] []"},
	} {
		n, notes, err := prv.ParseNames("x.row", strings.NewReader(c.text))
		if err != nil {
			t.Fatal(err)
		}
		if len(notes) != 1 || notes[0].String() != c.note {
			t.Errorf("%q: notes %v, want %s", c.text, notes, c.note)
		}
		if got := fmt.Sprint(n.Levels[prv.LevelNode], n.Levels[prv.LevelCPU]); got != c.names {
			t.Errorf("%q: names %s, want %s", c.text, got, c.names)
		}
	}
}

// The labels of real traces parse without a remark.
func TestRealLabels(t *testing.T) {
	files, _ := filepath.Glob(filepath.Join(prvtest.Shared(t), "traces", "*", "*.pcf"))
	for _, file := range files {
		f, err := os.Open(file)
		if err != nil {
			t.Fatal(err)
		}
		l, notes, err := prv.ParseLabels(filepath.Base(file), f)
		f.Close()
		if err != nil || len(notes) != 0 || len(l.States) < 16 || len(l.Types) < 10 || len(l.Colors) < 16 {
			t.Errorf("%s: error %v, notes %v, %d states, %d types", file, err, notes, len(l.States), len(l.Types))
		}
		f, err = os.Open(strings.TrimSuffix(file, ".pcf") + ".row")
		if err != nil {
			t.Fatal(err)
		}
		n, notes, err := prv.ParseNames(filepath.Base(f.Name()), f)
		f.Close()
		if err != nil || len(notes) != 0 || len(n.Levels[prv.LevelThread]) == 0 || len(n.Levels[prv.LevelCPU]) == 0 {
			t.Errorf("%s: error %v, notes %v", f.Name(), err, notes)
		}
	}
}
