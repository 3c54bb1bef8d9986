package document

import (
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
