package report

import (
	"encoding/json"
	"fmt"
	"math"
	"testing"
)

// Cells are read by people with separators, and by programs with all digits.
func ExampleTable() {
	t := &Table{Columns: []Column{{Key: "name", Title: "Name"}, {Key: "share", Title: "Share", Show: ShowShare},
		{Key: "count", Title: "Count"}}}
	t.Add("running", 1./3, int64(71268))
	t.AddSeen([]Evidence{{From: 5, To: 7}}, "waiting", nil, int64(2))
	for i, row := range t.Rows {
		for k, cell := range row {
			fmt.Printf("%s=%s (%s) ", t.Keys()[k], Value(cell), t.Columns[k].Text(cell))
		}
		fmt.Println(t.Places[i])
	}
	fmt.Println(t.RightAligned(0), t.RightAligned(1), len(t.Containing("WAIT").Rows))
	// Output:
	// name=running (running) share=0.3333333333333333 (33.3 %) count=71268 (71,268) []
	// name=waiting (waiting) share= () count=2 (2) [{5 7 [] []  0}]
	// false true 1
}

// An object keeps the order of its keys.
func ExampleObject() {
	text, _ := json.Marshal(NewObject("z", 1, "a", "<b>").With("list", []Object{NewObject("x", OrNil(math.NaN()))}))
	fmt.Println(string(text))
	// Output: {"z":1,"a":"\u003cb\u003e","list":[{"x":null}]}
}

// Text in a column is to the left, numbers and what asks for it to the right; a column without cells is text.
func TestRightAligned(t *testing.T) {
	tab := &Table{Columns: []Column{{}, {Right: true}, {}, {}}}
	tab.Add(nil, "x", nil, "y")
	tab.Add(nil, "x", 1.5, int64(3))
	for i, want := range []bool{false, true, true, false} {
		if got := tab.RightAligned(i); got != want {
			t.Errorf("column %d: %v", i, got)
		}
	}
}

// A part of nothing is 0; conclusions stand as share and title, and as objects in ns.
func TestConclusions(t *testing.T) {
	if Ratio(3, 0) != 0 || Ratio(3, 4) != 0.75 {
		t.Error(Ratio(3, 0), Ratio(3, 4))
	}
	list := []Finding{{Rule: "POP", Name: "Transfer", Severity: 5, Share: 0.125, Confidence: High, Title: "slow"}}
	if got := Conclusions(list)[0].(*Passage).Text; got != "12.5 %  slow" {
		t.Error(got)
	}
	text, err := json.Marshal(ConclusionObjects(list, 1000))
	if want := `[{"rule":"POP","name":"Transfer","severity_ns":5000,"severity_percent":12.5,"confidence":"high","title":` +
		`"slow","advice":"","formula":""}]`; err != nil ||
		string(text) != want {
		t.Error(string(text), err)
	}
	if got := ShowDecimals(3)(2.0); got != "2.000" {
		t.Error(got)
	}
	if got := (Pairs{{"a", "b"}}).Table(); !got.Headless || got.Rows[0][1] != "b" {
		t.Error(got)
	}
}

// A row names its cells. "+-" joins the cell before it, if there is one; bars and cells without a value are left out.
func TestPairs(t *testing.T) {
	table := &Table{Columns: []Column{{Title: "+-"}, {Title: "bar", Bar: true}, {Title: "mean"}, {Title: "+-"},
		{Title: "runs"}}}
	table.Add("x", 0.5, 2.5, 0.25, int64(1234))
	table.Add(nil, 0.5, 2.5, nil, nil)
	for row, want := range []string{"[[+- x] [mean 2.5 +- 0.25] [runs 1,234]]", "[[mean 2.5]]"} {
		if got := fmt.Sprint(table.Pairs(row)); got != want {
			t.Errorf("row %d: %s, want %s", row, got, want)
		}
	}
	got := (Pairs{{"a", "b"}, {"c", "d"}}).Table()
	if fmt.Sprint(got.Rows) != "[[a b] [c d]]" || len(got.Columns) != 2 {
		t.Errorf("%+v", got)
	}
}

// A text has one letter in upper case; a number that is finite is a value, 0 too.
func TestUpperFirstOrNil(t *testing.T) {
	for text, want := range map[string]string{"": "", "a": "A", "ab": "Ab", "Ab": "Ab"} {
		if got := UpperFirst(text); got != want {
			t.Errorf("%q: %q", text, got)
		}
	}
	for v, want := range map[float64]any{0: 0.0, 2.5: 2.5, -1: -1.0, math.Inf(1): nil, math.Inf(-1): nil} {
		if got := OrNil(v); got != want {
			t.Errorf("%v: %v", v, got)
		}
	}
}
