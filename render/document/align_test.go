package document

import (
	"strings"
	"testing"

	"pview/insight/report"
)

// Decimal points line up, and a number stays beside its unit: ".51 ms", of six columns, is the longest end. A column
// with anything but amounts stays as it is.
func TestAlign(t *testing.T) {
	for _, test := range []struct{ cells, want []string }{
		{[]string{"414.5 ms", "34.51 ms", "1.25 s", "-", "0 ns"},
			[]string{"414.5 ms ", "34.51 ms", "1.25 s ", "-", "0 ns   "}},
		{[]string{"1,234", "<0.1", "5.25", ""}, []string{"1,234   ", "<0.1 ", "5.25", ""}},
		{[]string{"< 0.01 %", "25.6 %"}, []string{"< 0.01 %", "25.6 % "}},
		{[]string{"1,234", "5"}, []string{"1,234", "5"}},
		{[]string{"1.5 s", "3 of 4"}, []string{"1.5 s", "3 of 4"}},
		{[]string{"1.5", "1.1.1"}, []string{"1.5", "1.1.1"}},
	} {
		got := append([]string(nil), test.cells...)
		width := 0
		for _, cell := range test.want {
			width = max(width, len(cell))
		}
		if n := Align(got); strings.Join(got, "|") != strings.Join(test.want, "|") || n != width {
			t.Errorf("%q: %q of %d columns, want %q of %d", test.cells, got, n, test.want, width)
		}
	}
}

// The titles of entries begin in one column, whatever the entries cost, folded or not. Continuation lines start below
// the title, or below a cost that takes more than a quarter of the line: here 20 columns.
func TestCostsAreColumns(t *testing.T) {
	entries := []*report.Entry{
		{Number: 1, Share: "46.6 %", Cost: "73.48 ms", Title: "on the critical path"},
		{Number: 2, Share: "3.3 %", Cost: "5.203 ms", Title: "cores"},
		{Number: 3, Share: "0.2 %", Cost: "310 us", Title: "waits"}}
	d := &report.Document{}
	for _, e := range entries {
		d.Sections = append(d.Sections, report.Section{Blocks: []report.Block{e}})
	}
	for width, want := range map[int]string{
		100: "  1  46.6 %   73.48 ms   on the critical path\n" +
			"  2   3.3 %    5.203 ms  cores\n" +
			"  3   0.2 %  310 us      waits\n",
		40: "  1  46.6 %   73.48 ms   on the critical\n     path\n" +
			"  2   3.3 %    5.203 ms  cores\n" +
			"  3   0.2 %  310 us      waits\n",
	} {
		if got := lines(Layout(d, width), true); got != want {
			t.Errorf("%d:\n%s\nwant\n%s", width, got, want)
		}
	}
}
