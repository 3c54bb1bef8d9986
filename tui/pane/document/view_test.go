package document

import (
	"strings"
	"testing"

	"pview/insight/report"
	"pview/render/raster"
	"pview/render/style"
	"pview/tui/list"
	"pview/tui/pane"
)

// In seven lines an entry of eight leaves two to the others, and shows that it continues; in ten it fits completely.
// Only the first line of its title is strong.
func TestSelectedEntryLeavesRoom(t *testing.T) {
	var details []report.Detail
	for _, key := range strings.Fields("a b c d e f") {
		details = append(details, report.Detail{Key: key, Text: "detail"})
	}
	title := strings.Repeat("word ", 12) // 60 columns after a lead of 5: two lines of 47
	d := &report.Document{Sections: []report.Section{{Blocks: []report.Block{
		&report.Entry{Number: 1, Title: title, Details: details},
		&report.Entry{Number: 2, Title: "second"}, &report.Entry{Number: 3, Title: "third"}}}}}
	v := New(&pane.Scene{Theme: style.NewTheme(raster.TrueColor, raster.UTF8, true, raster.NoColor),
		Shell: pane.Shell{KeysOf: func(string) string { return "PgDn" }}})
	v.Show(d)
	for height, want := range map[int]string{7: "  1  word|     word|     a:|     b:|     c:|  2  second|  3  third",
		10: "  1  word|     word|     a:|     b:|     c:|     d:|     e:|     f:|  2  second|  3  third"} {
		c := raster.NewCanvas(50, height)
		v.Draw(c, c)
		lines := strings.Split(strings.TrimRight(c.Plain(), "\n"), "\n")
		for i, line := range strings.Split(want, "|") {
			if i >= len(lines) || !strings.HasPrefix(lines[i], " "+line) {
				t.Fatalf("%d lines:\n%s\nwant %q in line %d", height, c.Plain(), line, i)
			}
		}
		if more := strings.Contains(c.Plain(), "detail … PgDn"); more != (height == 7) {
			t.Errorf("%d lines:\n%s", height, c.Plain())
		}
		if height == 7 { // a page down has the last of the details, the next one the next entry
			v.List.Moves()[list.PageDown]("")
			c = raster.NewCanvas(50, height)
			v.Draw(c, c)
			if text := c.Plain(); !strings.Contains(text, "f:") || strings.Contains(text, "a:") ||
				!strings.HasPrefix(text, "   1  word") {
				t.Errorf("scrolled:\n%s", text)
			}
			v.List.Moves()[list.PageDown]("")
			if e := v.Entry(); e.Number == 1 {
				t.Error("no further than the first entry")
			}
			v.Show(d)
			v.List.Moves()[list.First]("")
		}
		first, second := c.At(6, 0).Style.Attr, c.At(6, 1).Style.Attr
		if first&raster.Bold == 0 || second&raster.Bold != 0 {
			t.Errorf("the title is drawn %v, then %v", first, second)
		}
	}
}
