package raster

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"
)

var stateNames = map[float64]string{0: "Idle", 1: "Running", 3: "Waiting a message", 7: "Scheduling and Fork/Join"}

func stateName(v float64) string {
	if s, ok := stateNames[v]; ok {
		return s
	}
	return fmt.Sprintf("Unknown state %v", v)
}

func TestLegendListsWhatIsSeen(t *testing.T) {
	g := Grid{V: []float64{1, 1, 1, 3, 3, 0, Absent, 1 << 40}}
	for _, test := range []struct {
		w, h  int
		shown int
		want  string
	}{
		{66, 2, 4,
			"·· Idle 14.3 %  ██ Running 42.9 %  ░░ Waiting a message 28.6 %\n" +
				"██ Unknown state 1.099511627776e+12 14.3 %"},
		{60, 1, 2, "██ Running 42.9 %  ░░ Waiting a message 28.6 %  +2 more"},
		{30, 1, 1, "██ Running 42.9 %  +3 more"},
		{5, 1, 0, "+4 mo"},
	} {
		l := Legend{Look: mono, ShowShare: true}
		l.Collect(&g, painter(mono), stateName)
		c := NewCanvas(test.w, test.h)
		shown := l.Draw(c)
		if got := c.Plain(); got != test.want || shown != test.shown {
			t.Errorf("%dx%d: %d entries\n%s\nwant %d\n%s", test.w, test.h, shown, c.Plain(), test.shown, test.want)
		}
	}
}

// If there are enough lines, the legend is a chart. Of 46 columns 3 are swatches, 24 names and 10 shares: bars have 9,
// of which 3/7 are 3.9, 2/7 are 2.6 and 1/7 are 1.3. In halves that is 4, 2 1/2 and 1 1/2; without colours there are no
// halves.
func TestLegendIsAChartWhereItHasLines(t *testing.T) {
	g := Grid{V: []float64{1, 1, 1, 3, 3, 0, Absent, 7}}
	l := Legend{Look: mono}
	l.Collect(&g, painter(mono), stateName)
	l.ShowShare = true
	c := NewCanvas(46, 4)
	if n := l.Draw(c); n != 4 {
		t.Errorf("%d entries, want 4", n)
	}
	want := "" +
		"██ Running                    42.9 % ████\n" +
		"░░ Waiting a message          28.6 % ░░\n" +
		"▤▤ Scheduling and Fork/Join   14.3 % ▤\n" +
		"·· Idle                       14.3 % ·"
	if got := c.Plain(); !strings.HasPrefix(got, want) {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// A value that is left as background is in the legend, too, but last.
func TestLegendOfBackground(t *testing.T) {
	p := painter(DefaultLook)
	p.ZeroIsBackground = true
	g := Grid{V: []float64{0, 0, 0, 5}}
	l := Legend{Look: DefaultLook}
	l.Collect(&g, p, stateName)
	if len(l.Entries) != 2 || l.Entries[1].Value != 0 || l.Entries[0].Share != 0.25 {
		t.Errorf("entries %+v", l.Entries)
	}
	c := NewCanvas(50, 1)
	l.Draw(c)
	if got, want := c.Plain(), "·· Idle     Unknown state 5"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got, want := c.At(9, 0).BG, p.Color(5); got != want {
		t.Errorf("the swatch of 5 is %x, want %x", got, want)
	}
}

func TestLegendOfManyValues(t *testing.T) {
	var g Grid
	for i := range 12_000 {
		g.V = append(g.V, float64(i))
	}
	l := Legend{Look: mono}
	asked := 0
	l.Collect(&g, painter(mono), func(v float64) string { asked++; return stateName(v) })
	c := NewCanvas(40, 1)
	if n := l.Draw(c); n != 1 || c.Plain() != "██ Running  +11,999 more" {
		t.Errorf("%d entries: %s", n, c.Plain())
	}
	if asked != len(l.Entries) || len(l.Entries)+l.More != 12_000 {
		t.Errorf("%d labels were looked up for %d entries and %d more", asked, len(l.Entries), l.More)
	}
}

func TestGradientLegend(t *testing.T) {
	for _, test := range []struct {
		look Look
		want string
	}{
		{mono, "0 us ░░░░░░▒▒▒▒▒▒▓▓▓▓▓▓██████ 1,000 us  ^ above  _ below"},
		{Look{Mono, ASCII, DarkTheme}, "0 us ...:::--===++***##%%%@@@ 1,000 us  ^ above  _ below"},
	} {
		p := painter(test.look)
		p.Mode, p.Scale = Gradient, Scale{0, 1000}
		c := NewCanvas(70, 1)
		l := Legend{Look: test.look}
		l.Collect(&Grid{V: []float64{-1, 5, 1001}}, p, stateName)
		l.DrawGradient(c, p, "us")
		if got := c.Plain(); got != test.want {
			t.Errorf("got\n%q, want\n%q", got, test.want)
		}
		// In 20 columns the scale has 20 - len("0 us ") - len(" 1,000 us") = 6 of them.
		c = NewCanvas(20, 1)
		l.DrawGradient(c, p, "us")
		if got := c.Plain(); !strings.HasPrefix(got, "0 us ") || !strings.HasSuffix(got, " 1,000 us") ||
			utf8.RuneCountInString(got) != 20 {
			t.Errorf("in 20 columns: %q", got)
		}
	}
}
