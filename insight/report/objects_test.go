package report

import (
	"encoding/json"
	"math"
	"testing"

	"pview/prv"
	"pview/prv/wide"
)

// threeThreads is a trace in us of two tasks, of two threads and one.
func threeThreads(t *testing.T) *prv.Trace {
	t.Helper()
	h := prv.Header{Unit: prv.Microseconds}
	h.AddNode(3)
	h.AddPtask()
	h.AddTask(2, 0)
	h.AddTask(1, 0)
	tr, err := prv.NewBuilder(h).Build()
	if err != nil {
		t.Fatal(err)
	}
	return tr
}

func checkJSON(t *testing.T, v any, want string) {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil || string(text) != want {
		t.Errorf("%s, %v\nwant %s", text, err, want)
	}
}

// A finding for programs has its times in ns, and none where it has no severity or was not simulated.
func TestFindingObjects(t *testing.T) {
	tr := threeThreads(t)
	list := []Finding{{Rule: "R01", Name: "late", Severity: 2, Share: 0.25, Checked: Confirmed, Verified: 1.5,
		Title: "it is late", Threads: []int32{1, 2}, Total: 7,
		Evidence: []Evidence{{From: 3, To: 5, Threads: []int32{2}, Why: "a wait", Cost: 2}},
		Children: []Finding{{Rule: "R02", Severity: NoSeverity}}}}
	checkJSON(t, FindingObjects(tr, list), `[{"rule":"R01","name":"late","kind":"","cause":"","when":"",`+
		`"phase_group":0,"severity_ns":2000,`+
		`"severity_percent":25,"estimate_ns":2000,"gain_ns":1500,"verified_ns":1500,"confirmed":true,`+
		`"repair":"","not_verifiable":"","assumed":"","confidence":"low","title":"it is late","advice":"",`+
		`"formula":"","threads":["1.1.2","1.2.1"],"evidence":[{"from_ns":3000,"to_ns":5000,`+
		`"threads":["1.2.1"],"messages":[],"why":"a wait"}],"evidence_total":7,"children":[{"rule":"R02",`+
		`"name":"","kind":"","cause":"","when":"","phase_group":0,"severity_ns":null,"severity_percent":null,`+
		`"estimate_ns":null,"gain_ns":null,"verified_ns":null,"confirmed":false,"repair":"",`+
		`"not_verifiable":"","assumed":"","confidence":"low","title":"","advice":"","formula":"",`+
		`"threads":[],"evidence":[],"evidence_total":0,"children":[]}]}]`)
	checkJSON(t, ThreadIDs(tr, []int32{0, 1, 2}), `["1.1.1","1.1.2","1.2.1"]`)
}

// A table for programs has its keys, for people its titles; a column +- goes with that before it.
func TestTableForAll(t *testing.T) {
	tab := &Table{Columns: []Column{{Key: "name", Title: "Name"}, {Key: "n", Title: "Runs"}, {Key: "sd", Title: "+-",
		Show: ShowDigits}, {Key: "bar", Title: "Bar", Bar: true}}}
	tab.Add("a", int64(12_000), 0.5, 1.0)
	tab.AddSeen([]Evidence{{From: 1}}, "Beta", nil, 0.25, nil)
	checkJSON(t, tab.Objects(), `[{"name":"a","n":12000,"sd":0.5,"bar":1},`+
		`{"name":"Beta","n":null,"sd":0.25,"bar":null}]`)
	checkJSON(t, tab.Pairs(0), `[["Name","a"],["Runs","12,000 +- 0.5"]]`)
	checkJSON(t, tab.Pairs(1), `[["Name","Beta +- 0.25"]]`)
	checkJSON(t, tab.Keys(), `["name","n","sd","bar"]`)
	if len(tab.Places) != 2 || tab.Places[0] != nil || tab.Places[1][0].From != 1 {
		t.Errorf("%+v", tab.Places)
	}
	for text, want := range map[string]int{"": 2, "A": 2, "bet": 1, "12": 1, "x": 0} {
		if got := len(tab.Containing(text).Rows); got != want {
			t.Errorf("%d rows contain %q, want %d", got, text, want)
		}
	}
}

// Cells for programs have all digits, for people those that they read.
func TestCells(t *testing.T) {
	for _, c := range []struct {
		cell          any
		show          func(any) string
		program, text string
	}{
		{nil, nil, "", ""}, {int64(-12_345), nil, "-12345", "-12,345"}, {0.1, nil, "0.1", "0.1"}, {"x", nil, "x", "x"},
		{wide.Of(7), nil, "7", "7"}, {1.5e9, ShowTime, "1.5e+09", "1.5 s"},
		{int64(1500), ShowDuration, "1500", "1.5 us"},
		{wide.Of(1500), ShowDuration, "1500", "1.5 us"}, {0.125, ShowShare, "0.125", "12.5 %"},
		{0.81234, ShowDigits, "0.81234", "0.8123"},
	} {
		column := Column{Show: c.show}
		if program, text := Value(c.cell), column.Text(c.cell); program != c.program || text != c.text {
			t.Errorf("%v: %q and %q, want %q and %q", c.cell, program, text, c.program, c.text)
		}
	}
}

// The places of an entry are its own, and those of the entries below it with their rules.
func TestPlaces(t *testing.T) {
	e := Entry{Number: 12, Evidence: []Evidence{{Why: "own"}}, Children: []Entry{
		{Rule: "R02", Evidence: []Evidence{{Why: "a wait"}, {}}}, {Rule: "R03", Evidence: []Evidence{{Why: "b"}}}}}
	var got []string
	for _, p := range e.Places() {
		got = append(got, p.Why)
	}
	checkJSON(t, got, `["own","R02, a wait","R02","R03, b"]`)
	if len(e.Evidence) != 1 || e.Children[0].Evidence[0].Why != "a wait" {
		t.Errorf("%+v", e)
	}
	if e.Lead() != " 12  " || new(Entry).Lead() != "     " {
		t.Errorf("%q and %q", e.Lead(), new(Entry).Lead())
	}
}

func TestNumbers(t *testing.T) {
	for _, c := range []struct {
		got, want any
	}{
		{Ratio(0, -3), 0.0}, {Ratio(1, -4), -0.25}, {RatioOf(wide.Of(3), wide.Of(4)), 0.75}, {OrNil(math.Inf(1)), nil},
		{OrNil(math.NaN()), nil}, {OrNil(0), 0.0}, {PositiveOrNil(0), nil}, {PositiveOrNil(2), 2.0},
		{UpperFirst(""), ""}, {UpperFirst("a"), "A"}, {UpperFirst("aB c"), "AB c"},
	} {
		if c.got != c.want {
			t.Errorf("%v, want %v", c.got, c.want)
		}
	}
	if v := Ratio(0, -3); math.Signbit(v) {
		t.Error("-0")
	}
}
