package document

import (
	"fmt"
	"strings"
	"testing"

	"pview/insight/report"
)

// lines writes the lines of parts, in their folded form if folded.
func lines(parts []Part, unfold bool) string {
	var b strings.Builder
	for i := range parts {
		list := parts[i].Lines
		if parts[i].Folded != nil && !unfold {
			list = parts[i].Folded
		}
		for _, l := range list {
			b.WriteString(l.Lead + l.Text + "\n")
		}
	}
	return b.String()
}

// If there is room, a viewer has the lines of the text, except the title, and all rows.
func TestLayoutIsText(t *testing.T) {
	d := answer()
	d.Title, d.Sections[1].Blocks[0].(*report.Table).Top = "", 0
	d.Sections = d.Sections[:len(d.Sections)-1] // a text has no plot
	if got, want := lines(Layout(d, 200), true), Text(d, nil); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	d.Sections[1].Blocks[0].(*report.Table).Top = 1
	if got := lines(Layout(d, 200), true); !strings.Contains(got, "writing") || strings.Contains(got, "more (--top") {
		t.Error(got)
	}
}

// A title of 23 columns after a lead of 5 is cut at 20 and broken when it is unfolded; a row of 5 + 2 + 30 + 2 + 5
// columns has room for 24 of its text at 38, and leaves its last column out at 31.
func TestLayoutFolds(t *testing.T) {
	e := &report.Entry{Number: 1, Title: "late sender in the sweep",
		Details: []report.Detail{{Key: "see", Text: "1.1.1"}}, Evidence: []report.Evidence{{From: 1}},
		Children: []report.Entry{{Rule: "R02", Title: "t", Evidence: []report.Evidence{{From: 2, Why: "late"}}}}}
	parts := Layout(&report.Document{Sections: []report.Section{{Blocks: []report.Block{e}}}}, 20)
	if got := lines(parts, false); got != "  1  late sender in…\n" {
		t.Errorf("%q", got)
	}
	if got := lines(parts, true); got != "  1  late sender in\n     the sweep\n     see: 1.1.1\n     - R02 t\n" {
		t.Errorf("%q", got)
	}
	if list := parts[0].Evidence(); len(list) != 2 || list[1].Why != "R02, late" || list[1].From != 2 {
		t.Errorf("%+v", list)
	}
	// After 14 columns of cost, 10 of 29 are left: the first word of the title stands below them.
	e.Share, e.Cost, e.Title, e.Details, e.Children = "12.0 %", "5 ns", "MPI_Allreduce waits", nil, nil
	parts = Layout(&report.Document{Sections: []report.Section{{Blocks: []report.Block{e}}}}, 29)
	if got := lines(parts, true); got != "  1  12.0 %  5 ns\n     MPI_Allreduce waits\n" {
		t.Errorf("%q", got)
	}
	tab := &report.Table{
		Columns: []report.Column{{Title: "Time", Right: true}, {Title: "Name"}, {Title: "n", Right: true}}}
	tab.AddSeen([]report.Evidence{{From: 3}}, "12345", strings.Repeat("x", 30), "12345")
	d := &report.Document{Sections: []report.Section{{Blocks: []report.Block{tab}}}}
	for width, want := range map[int]string{44: "12345  " + strings.Repeat("x", 30) + "  12345",
		38: "12345  " + strings.Repeat("x", 23) + "…  12345", 31: "12345  " + strings.Repeat("x", 23) + "…"} {
		parts := Layout(d, width)
		if got := lines(parts[1:], false); got != want+"\n" {
			t.Errorf("%d: %q", width, got)
		}
		if list := parts[1].Evidence(); len(list) != 1 || list[0].From != 3 {
			t.Errorf("%+v", list)
		}
	}
	if got := lines(Layout(d, 31)[1:], true); !strings.Contains(strings.Join(strings.Fields(got), " "),
		strings.Repeat("x", 26)+" xxxx, n 12345") {
		t.Error(got)
	}
}

// outline describes parts: their kind, the row of a table, whether nothing is selected there, and their first line.
func outline(parts []Part) string {
	var b strings.Builder
	for i := range parts {
		p := &parts[i]
		kind := strings.TrimPrefix(fmt.Sprintf("%T", p.Block), "*report.")
		if p.Block == nil {
			kind = "none"
		}
		fmt.Fprintf(&b, "%s %d %v %d", kind, p.Row, p.Heading, len(p.Lines))
		if len(p.Lines) > 0 {
			b.WriteString(" " + p.Lines[0].Lead + p.Lines[0].Text)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// The parts of a document: what can be selected, and the table's rows by number. The foot of a table is no row of its
// own. Entries of several sections stand together.
func TestLayoutParts(t *testing.T) {
	d := answer()
	d.Add(&report.Entry{Number: 2, Title: "second"})
	d.Add(&report.Entry{Number: 3, Title: "third"}, report.Sentence("The end."))
	const want = `Passage -1 false 1 B takes 8 ns less.
Passage -1 false 1 Both have 2 threads.
none -1 true 1 ` + `
none -1 true 1 Where
Table -1 true 1 Part       Time
Table 0 false 1 reading   1,000
Table 1 false 1 writing  -1,008
Table -1 false 1 all          -8
none -1 true 1 ` + `
Entry -1 false 4   1  12.0 %  5 ns  late sender
none -1 true 1 ` + `
report.Pairs -1 false 1   Gain  1.5
none -1 true 1 ` + `
Passage -1 false 1 --top 0 shows all
none -1 true 1 ` + `
Plot -1 false 0
none -1 true 1 ` + `
Entry -1 false 1   2  second
Entry -1 false 1   3  third
Passage -1 false 1 The end.
`
	if got := outline(Layout(d, 60)); got != want {
		t.Errorf("\n%swant\n%s", got, want)
	}
}

// Bars of 20 columns shrink to 10 if a viewer of 25 columns also has a name of 13: the name is not cut.
func TestLayoutShrinksBars(t *testing.T) {
	tab := &report.Table{Columns: []report.Column{{}, {Drawn: true}}}
	blank, full := strings.Repeat(" ", 10), strings.Repeat("█", 10)
	tab.Add("8 threads    ", full+full)
	tab.Add("waiting", blank+full)
	tab.Add("the rest", blank+"▏")
	tab.Add("nothing", "")
	d := &report.Document{Sections: []report.Section{{Blocks: []report.Block{tab}}}}
	const want = "\n8 threads      ██████████\nwaiting             █████\n" +
		"the rest            ▏\nnothing\n"
	if got := lines(Layout(d, 25), true); got != want {
		t.Errorf("\n%swant\n%s", got, want)
	}
}

// TestColumns: bars shrink to 10 columns, then texts to 24, the last one first; then the last columns are left out, but
// never the first. Columns are two blanks apart; those without content take no room.
func TestColumns(t *testing.T) {
	const number, bar = 'n', 'b' // t: text
	for _, c := range []struct {
		kinds  string
		widths []int
		indent int
		fits   map[int]string // by the viewer's width
	}{
		{"ntn", []int{5, 30, 5}, 0, map[int]string{44: "[5 30 5]", 43: "[5 29 5]", 38: "[5 24 5]", 37: "[5 24 0]",
			31: "[5 24 0]", 30: "[5 0 0]", 3: "[5 0 0]", 0: "[5 30 5]"}}, // 0: a text
		{"nttn", []int{5, 0, 30, 5}, 0, map[int]string{44: "[5 0 30 5]", 37: "[5 0 24 0]"}},
		{"tntn", []int{5, 9, 0, 5}, 0, map[int]string{23: "[5 9 0 5]", 22: "[5 9 0 0]", 16: "[5 9 0 0]",
			15: "[5 0 0 0]"}},
		{"ntn", []int{5, 30, 5}, 4, map[int]string{48: "[5 30 5]", 47: "[5 29 5]"}},
		{"tb", []int{13, 20}, 0, map[int]string{35: "[13 20]", 34: "[13 19]", 25: "[13 10]", 24: "[13 0]"}},
		{"tt", []int{30, 30}, 0, map[int]string{62: "[30 30]", 60: "[30 28]", 56: "[30 24]", 55: "[29 24]",
			50: "[24 24]", 49: "[24 0]"}},
	} {
		tab := &report.Table{}
		var right []bool
		for _, kind := range c.kinds {
			tab.Columns = append(tab.Columns, report.Column{Drawn: kind == bar})
			right = append(right, kind == number)
		}
		for width, want := range c.fits {
			l := layout{width: width}
			if got := fmt.Sprint(l.columns(tab, c.widths, right, c.indent)); got != want {
				t.Errorf("%s of %v in %d columns: %s, not %s", c.kinds, c.widths, width, got, want)
			}
		}
	}
}

// The numbers of a column to the right line up; amounts in a column of text, and a known value that is the same in all
// rows and not shown, stay as they are.
func TestTableAligns(t *testing.T) {
	tab := &report.Table{Columns: []report.Column{{Title: "Name"}, {Title: "k", Right: true, Known: true},
		{Title: "t", Right: true}}}
	tab.Add("1.5 x", "7", "1.5")
	tab.Add("10 x", "7", "10")
	if got, want := TableText(tab, "", nil), "Name      t\n1.5 x   1.5\n10 x   10\n"; got != want {
		t.Errorf("\n%swant\n%s", got, want)
	}
	tab.Add("x", "8", "")
	if got, want := TableText(tab, "", nil), "Name   k     t\n1.5 x  7   1.5\n10 x   7  10\nx      8\n"; got != want {
		t.Errorf("\n%swant\n%s", got, want)
	}
}

// In a text, sentences are lines, but those that are to be wrapped have at most 100 columns; a viewer wraps all of
// them. 20 words of 5 columns with their blanks have 99 columns without the last one.
func TestWrapped(t *testing.T) {
	words := func(n int) string { return strings.TrimSuffix(strings.Repeat("word ", n), " ") }
	d := &report.Document{}
	d.Add(&report.Passage{Text: words(21), Wrap: true}, &report.Passage{Text: words(21), Indent: 2},
		report.Pairs{{"name", words(20)}})
	// Beside the name 100 - 4 - 4 = 92 columns are left: 18 words.
	want := words(20) + "\nword\n  " + words(21) + "\n  name  " + words(18) + "\n        " + words(2) + "\n"
	if got := Text(d, nil); got != want {
		t.Errorf("\n%swant\n%s", got, want)
	}
	// In 54 columns: 11 words (54), 10 words (2 + 49), and beside the name 9 (44 of 46).
	want = words(11) + "\n" + words(10) + "\n  " + words(10) + "\n  " + words(10) + "\n  word\n  name  " + words(9) +
		"\n        " + words(9) + "\n        " + words(2) + "\n"
	if got := lines(Layout(d, 54), true); got != want {
		t.Errorf("\n%swant\n%s", got, want)
	}
	// A viewer of 120 columns wraps none of the sentences, and definitions as a text does.
	want = words(21) + "\n  " + words(21) + "\n  name  " + words(18) + "\n        " + words(2) + "\n"
	if got := lines(Layout(d, 120), true); got != want {
		t.Errorf("\n%swant\n%s", got, want)
	}
}
