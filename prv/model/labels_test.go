package model_test

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"pview/prv"
	"pview/prv/model"
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

// A label broken into two lines loses its second half, but not the labels that follow.
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
		{123, 3, "0.123"}, {1000, 3, "1"}, {1200, 3, "1.2"}, {0, 3, "0"}, {math.MinInt64, 18, "-9.223372036854775808"},
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

// Types share a section if all have the same precision and values.
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

// endless delivers the same bytes forever.
type endless []byte

func (e endless) Read(p []byte) (int, error) {
	for i := 0; i < len(p); i += len(e) {
		copy(p[i:], e)
	}
	return len(p), nil
}

// Reading stops by itself, whatever kind of file it is.
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
			`x.row:3: level NODE appears a second time; the first one counts`, "[a] []"},
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

// The labels of real traces parse without notes.
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

// Additions to a copy of labels do not change the original.
func TestCloneOfLabels(t *testing.T) {
	l, _ := parseLabels(t, "STATES\n0 Idle\n\nSTATES_COLOR\n0 {1,2,3}\n\nEVENT_TYPE\n0 7 Step\nVALUES\n1 One\n")
	c := l.Clone()
	c.AddState(0, "Waiting")
	c.AddState(1, "Busy")
	c.AddColor(0, model.RGB{R: 9})
	c.AddColor(5, model.RGB{R: 0x12, G: 0xab, B: 0x05})
	c.AddType(7, "Phase", model.ValueLabel{Value: 2, Label: "Two"})
	c.AddType(8, "Other")
	type labels struct {
		states []model.ValueLabel
		colors []model.ColorEntry
		types  string
		one    string
	}
	of := func(l *model.Labels) labels {
		return labels{l.States, l.Colors, l.TypeName(7) + " " + l.TypeName(8),
			l.ValueName(7, 1) + " " + l.ValueName(7, 2)}
	}
	want := labels{[]model.ValueLabel{{Value: 0, Label: "Idle"}},
		[]model.ColorEntry{{Color: model.RGB{R: 1, G: 2, B: 3}}}, "Step type 8", "One value 2"}
	if got := of(l); !reflect.DeepEqual(got, want) {
		t.Errorf("the labels: %v, want %v", got, want)
	}
	want = labels{[]model.ValueLabel{{Value: 0, Label: "Waiting"}, {Value: 1, Label: "Busy"}},
		[]model.ColorEntry{{Color: model.RGB{R: 9}}, {Value: 5, Color: model.RGB{R: 0x12, G: 0xab, B: 0x05}}},
		"Phase Other", "One Two"}
	if got := of(c); !reflect.DeepEqual(got, want) {
		t.Errorf("the copy: %v, want %v", got, want)
	}
	if got := c.Colors[1].Color.String(); got != "#12ab05" {
		t.Errorf("colour %s", got)
	}
}

// Equal reports the first difference between labels.
func TestEqualTellsLabelsApart(t *testing.T) {
	const text = "DEFAULT_OPTIONS\nUNITS NANOSEC\n\nDEFAULT_SEMANTIC\nTHREAD_FUNC State\n\nSTATES\n0 Idle\n\n" +
		"STATES_COLOR\n0 {1,2,3}\n\nGRADIENT_COLOR\n0 {4,5,6}\n\nGRADIENT_NAMES\n0 Low\n\n" +
		"EVENT_TYPE\n9 7 Step\nPRECISION 2\nVALUES\n1 One\n\nMINE\na b\n"
	of := func(pcf, row string) *model.Trace {
		tr := readTrace(t, "#Paraver ():100:0:1:1(1:0)\n1:0:1:1:1:0:60:1\n")
		tr.Labels, _ = parseLabels(t, pcf)
		var err error
		if tr.Names, _, err = model.ParseNames("x.row", strings.NewReader(row)); err != nil {
			t.Fatal(err)
		}
		return tr
	}
	const row = "LEVEL TASK SIZE 2\none\ntwo\n"
	for _, c := range []struct{ old, new, want string }{
		{"NANOSEC", "MICROSEC", "option 0: {UNITS NANOSEC} and {UNITS MICROSEC}"},
		{"FUNC State", "FUNC Time", "semantic default 0: {THREAD_FUNC State} and {THREAD_FUNC Time}"},
		{"0 Idle", "0 Busy", "label of state 0: {0 Idle} and {0 Busy}"},
		{"0 Idle", "0 Idle\n1 Busy", "label of state: there are 1 and 2"},
		{"{1,2,3}", "{1,2,4}", "colour 0: {0 #010203} and {0 #010204}"},
		{"{4,5,6}", "{4,5,7}", "gradient colour 0: {0 #040506} and {0 #040507}"},
		{"0 Low", "0 High", "gradient name 0: {0 Low} and {0 High}"},
		{"9 7 Step", "8 7 Step", `label of event type 0: 9 7 "Step" precision 2 and 8 7 "Step" precision 2`},
		{"9 7 Step", "9 6 Step", `label of event type 0: 9 7 "Step" precision 2 and 9 6 "Step" precision 2`},
		{"7 Step", "7 Stop", `label of event type 0: 9 7 "Step" precision 2 and 9 7 "Stop" precision 2`},
		{"PRECISION 2", "PRECISION 3", `label of event type 0: 9 7 "Step" precision 2 and 9 7 "Step" precision 3`},
		{"1 One", "1 Uno", "event type 7: label of value 0: {1 One} and {1 Uno}"},
		{"9 7 Step", "9 7 Step\n9 8 Next", "1 and 2 event types, 1 and 1 other sections are labelled"},
		{"\nMINE\na b\n", "", "1 and 1 event types, 1 and 0 other sections are labelled"},
		{"a b", "a c", "section MINE: line 0: a b and a c"},
		{"MINE", "YOURS", "section 0: MINE and YOURS"},
	} {
		err := model.Equal(of(text, row), of(strings.Replace(text, c.old, c.new, 1), row))
		if err == nil || err.Error() != c.want {
			t.Errorf("%q for %q: got %v, want %s", c.new, c.old, err, c.want)
		}
	}
	for other, want := range map[string]string{
		row:                         "<nil>",
		"LEVEL TASK SIZE 1\none\n":  `name of task 1: "two" and ""`,
		row + "LEVEL CPU SIZE 1\nc": `name of cpu 0: "" and "c"`,
		"LEVEL TASK SIZE 4\none\ntwo\n\n\nLEVEL CPU SIZE 1\n\n": "<nil>", // blank names do not count
	} {
		if err := model.Equal(of(text, row), of(text, other)); fmt.Sprint(err) != want {
			t.Errorf("names %q: got %v, want %s", other, err, want)
		}
	}
}

// The notes on a file stop at a hundred; the last tells how many others there are.
func TestManyRemarks(t *testing.T) {
	for lines, last := range map[int]string{
		100: `x.pcf:100: line outside of any section: "0 x"`,
		101: `x.pcf: 1 more lines with remarks`,
		250: `x.pcf: 150 more lines with remarks`,
	} {
		_, notes := parseLabels(t, strings.Repeat("0 x\n", lines))
		if len(notes) != min(lines, 101) || notes[len(notes)-1] != last {
			t.Errorf("%d remarks on %d lines, the last is %s", len(notes), lines, notes[len(notes)-1])
		}
	}
}

// Numbers at the limits of their fields.
func TestLimitsOfLabels(t *testing.T) {
	l, notes := parseLabels(t, "EVENT_TYPE\n-1 4294967295 Last\nPRECISION 300\nVALUES\n18446744073709551615 All\n"+
		"-9223372036854775808 Least\n\nEVENT_TYPE\n0 1 One\nPRECISION 301\nPRECISION -1\n\nSTATES_COLOR\n1 {0,255,0}\n"+
		"1 {255, 0 ,255}\n2 {1,2,3,4}\n3 {-1,2,3}\n")
	last, _ := l.Type(4294967295)
	if last == nil || last.Precision != 300 || last.Gradient != -1 || len(last.Values) != 2 ||
		l.ValueName(4294967295, -1) != "All" || l.ValueName(4294967295, -1<<63) != "Least" {
		t.Errorf("the last type is %+v", last)
	}
	if one, _ := l.Type(1); one == nil || one.Precision != 0 {
		t.Errorf("type 1 is %+v", one)
	}
	if len(l.Colors) != 1 || l.Colors[0].Color != (model.RGB{R: 255, B: 255}) {
		t.Errorf("colours %v", l.Colors)
	}
	const precision = "precision is not a number from 0 to 300: "
	const color = "colour is not of the form {r,g,b} with numbers from 0 to 255: "
	want := []string{"x.pcf:10: " + precision + `"301"`, "x.pcf:11: " + precision + `"-1"`,
		"x.pcf:16: " + color + `"{1,2,3,4}"`, "x.pcf:17: " + color + `"{-1,2,3}"`}
	if !slices.Equal(notes, want) {
		t.Errorf("notes %q, want %q", notes, want)
	}
}
