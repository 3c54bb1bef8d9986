package picture

import (
	"fmt"
	"image"
	"io"
	"math"
	"slices"
	"strings"
	"testing"

	"pview/insight/report/figure"
	"pview/prv/quantity"
	"pview/render/raster"
	"pview/semantic/series"
)

// drawing is a canvas that records what is drawn, in whole px: shapes with their colour, texts with their place.
type drawing struct {
	lines []string
	most  int // shapes
}

func (d *drawing) note(format string, args ...any) {
	d.lines = append(d.lines, fmt.Sprintf(format, args...))
}

func (d *drawing) fill(color raster.Color, rects ...rect) {
	var list []string
	for _, r := range rects {
		list = append(list, fmt.Sprintf("%.0f,%.0f %.0fx%.0f", r.x, r.y, r.w, r.h))
	}
	d.note("fill %s %s", hex(color), strings.Join(list, "  "))
}

func path(points []point) string {
	var list []string
	for _, p := range points {
		list = append(list, fmt.Sprintf("%.0f,%.0f", p.x, p.y))
	}
	return strings.Join(list, " ")
}

func (d *drawing) line(color raster.Color, width, alpha float64, points ...point) {
	d.note("line %s %.1f wide, alpha %.2f: %s", hex(color), width, alpha, path(points))
}

func (d *drawing) area(color raster.Color, alpha float64, points ...point) {
	d.note("area %s alpha %.2f: %s", hex(color), alpha, path(points))
}

func (d *drawing) text(x, y float64, s string, l lettering) {
	look := [...]string{atStart: "from", atMiddle: "around", atEnd: "up to"}[l.anchor]
	if l.turned {
		look = "turned from"
	}
	if l.bold {
		look = "bold " + look
	}
	d.note("text %q %s %s %.0f,%.0f size %.0f", s, hex(l.color), look, x, y, l.size)
}

func (d *drawing) picture(r rect, img image.Image) {
	d.note("image %.0f,%.0f %.0fx%.0f of %v", r.x, r.y, r.w, r.h, img.Bounds().Size())
}

func (d *drawing) clip(r rect)    { d.note("clip %.0f,%.0f %.0fx%.0f", r.x, r.y, r.w, r.h) }
func (d *drawing) unclip()        { d.note("unclip") }
func (d *drawing) grain() float64 { return 1 }
func (d *drawing) shapes() int    { return d.most }

// drawn returns the recorded drawing of a figure of the given size.
func drawn(f *Figure, most int) string {
	d := &drawing{most: most}
	f.draw(d, f.Width, f.Height)
	var out strings.Builder
	for i := 0; i < len(d.lines); i++ {
		fmt.Fprintln(&out, d.lines[i])
		end := i
		for end < len(d.lines) && strings.HasPrefix(d.lines[end], "fill") {
			end++
		}
		if end-i > 20 { // a gradient: its ends
			fmt.Fprintf(&out, "... %d more\n%s\n", end-i-2, d.lines[end-1])
			i = end - 1
		}
	}
	return out.String()
}

// threeByTwo is a table of three rows and two columns; the last cell does not exist.
func threeByTwo() *Table {
	cells := [3][2]float64{{1, 0}, {2, 4}, {math.NaN(), 3}}
	return &Table{Title: "Time", Note: "of calls", Unit: "us",
		Rows:    []Heading{{Name: "1.1.1"}, {Name: "1.1.2"}, {Name: "all"}},
		Columns: []Heading{{Name: "Send", Unit: "us"}, {Name: "Recv"}},
		Cell:    func(r, c int) (float64, bool) { return cells[r][c], r < 2 || c < 1 },
		Text:    func(v float64, r, c int) string { return fmt.Sprintf("%g", v) },
		Totals:  []Total{{"Total", []float64{3, math.NaN()}}},
		Shade:   Shade{Scale: raster.Scale{Min: 0, Max: 4}}}
}

// The drawings of figures: from top to bottom, in px.
func TestDrawings(t *testing.T) {
	for _, c := range []struct {
		name   string
		figure func() *Figure
		want   string
	}{
		// Names are at least 24 px wide; the plot begins 8 px after them and is 340 px wide: 250 of 1000 ns are 85 px.
		// Rows have more room than they need: they are 40 px high, including a gap of 4.
		{"values", func() *Figure {
			p := twoRows()
			p.Note, p.Crowded = "on 2 threads", 30_000
			return &Figure{Title: "Run", Subtitle: "of solver", Width: 404, Height: 300, Panels: []Panel{p}}
		}, `
fill #ffffff 0,0 404x300
text "Run" #1c1e22 bold from 16,33 size 17
text "of solver" #646870 from 16,52 size 12
text "State" #1c1e22 bold from 16,78 size 13
text "on 2 threads  (30,000 messages, too many to be drawn)" #646870 from 58,78 size 11
fill #dee0e4 48,86 340x1  48,167 340x1
fill #c81e1e 48,91 85x36  218,131 85x36
fill #1e3cc8 133,91 255x36  48,131 170x36
text "a" #1c1e22 up to 40,111 size 11
text "b" #1c1e22 up to 40,151 size 11
fill #646870 48,169 340x1
fill #646870 48,170 1x4
text "0.0 us" #1c1e22 around 48,187 size 11
fill #646870 116,170 1x4
text "0.2 us" #1c1e22 around 116,187 size 11
fill #646870 184,170 1x4
text "0.4 us" #1c1e22 around 184,187 size 11
fill #646870 252,170 1x4
text "0.6 us" #1c1e22 around 252,187 size 11
fill #646870 320,170 1x4
text "0.8 us" #1c1e22 around 320,187 size 11
fill #646870 388,170 1x4
clip 48,87 340x80
unclip
fill #646870 16,200 11x11
fill #1e3cc8 16,200 10x10
text "waits <&>" #1c1e22 from 31,209 size 11
fill #646870 97,200 11x11
fill #c81e1e 98,200 10x10
text "computes" #1c1e22 from 113,209 size 11
fill #646870 178,200 11x11
fill #ffffff 178,200 10x10
text "nothing" #1c1e22 from 193,209 size 11
`},
		// The first message leaves row a at 300 ns and reaches row b at 600, (300 - 200) / 700 and 400 / 700 of 340 px;
		// the second begins before the axis, the third ends before it.
		{"messages and flags", func() *Figure {
			p := twoRows()
			p.Title, p.Begin, p.End = "", 200, 900
			p.Messages = []Message{{From: 0, To: 1, Sent: 300, Received: 600},
				{From: 1, To: 0, Sent: 100, Received: 400, Physical: true}, {From: 0, To: 1, Sent: 10, Received: 20}}
			p.Flags = []Flag{{Time: 550, Text: "start of the solver"}, {Time: 100, Text: "out of view"}, {Time: 900,
				Text: "end"}}
			return &Figure{Width: 404, Height: 200, Panels: []Panel{p}}
		}, `
fill #ffffff 0,0 404x200
fill #dee0e4 48,31 340x1  48,112 340x1
fill #c81e1e 48,36 24x36  194,76 122x36
fill #1e3cc8 72,36 316x36  48,76 146x36
text "a" #1c1e22 up to 40,56 size 11
text "b" #1c1e22 up to 40,96 size 11
fill #646870 48,114 340x1
fill #646870 48,115 1x4
text "200 ns" #1c1e22 around 48,132 size 11
fill #646870 145,115 1x4
text "400 ns" #1c1e22 around 145,132 size 11
fill #646870 242,115 1x4
text "600 ns" #1c1e22 around 242,132 size 11
fill #646870 339,115 1x4
text "800 ns" #1c1e22 around 339,132 size 11
line #1c1e22 1.0 wide, alpha 0.80: 218,16 218,112
text "start of the solver" #1c1e22 from 221,27 size 11
line #1c1e22 1.0 wide, alpha 0.80: 388,16 388,112
text "" #1c1e22 from 391,27 size 11
clip 48,32 340x80
line #ffffff 2.6 wide, alpha 0.63: 97,52 242,92
line #1c1e22 1.0 wide, alpha 0.90: 97,52 242,92
line #ffffff 2.6 wide, alpha 0.63: 48,79 145,52
line #c80000 1.0 wide, alpha 0.90: 48,79 145,52
unclip
fill #646870 16,144 11x11
fill #1e3cc8 16,145 10x10
text "waits <&>" #1c1e22 from 31,154 size 11
fill #646870 97,144 11x11
fill #c81e1e 98,145 10x10
text "computes" #1c1e22 from 113,154 size 11
fill #646870 178,144 11x11
fill #ffffff 178,145 10x10
text "nothing" #1c1e22 from 193,154 size 11
`},
		{"amounts", func() *Figure {
			p := twoRows()
			p.Painter.Mode, p.Fixed, p.Painter.Scale, p.ValueUnit = raster.Gradient, true, raster.Scale{Max: 2}, "us"
			p.Rows = p.Rows[1:]
			return &Figure{Width: 232, Height: 140, Panels: []Panel{p}}
		}, `
fill #ffffff 0,0 232x140
text "State" #1c1e22 bold from 16,29 size 13
fill #dee0e4 48,37 168x1  48,74 168x1
fill #440154 48,42 84x32
fill #21918c 132,42 42x32
fill #fde725 174,42 42x32
text "b" #1c1e22 up to 40,60 size 11
fill #646870 48,76 168x1
fill #646870 48,77 1x4
text "0.0 us" #1c1e22 around 48,94 size 11
fill #646870 132,77 1x4
text "0.5 us" #1c1e22 around 132,94 size 11
fill #646870 216,77 1x4
clip 48,38 168x36
unclip
text "0 us" #1c1e22 from 16,116 size 11
fill #fde725 45,107 2x10
... 118 more
fill #440154 186,107 2x10
text "2 us" #1c1e22 from 195,116 size 11
`},
		// A curve from 0 to 2: of the 66 px of its row, 4 stay free above and below.
		{"curves", func() *Figure {
			p := twoRows()
			p.Curves, p.Rows, p.ValueUnit = true, p.Rows[1:], "us"
			return &Figure{Width: 432, Height: 170, Panels: []Panel{p}}
		}, `
fill #ffffff 0,0 432x170
text "State" #1c1e22 bold from 16,29 size 13
fill #dee0e4 48,100 368x1
area #2d6eb4 alpha 0.25: 48,100 48,42 232,42 232,71 324,71 324,100 416,100 416,100
line #2d6eb4 1.0 wide, alpha 1.00: 48,42 232,42 232,71 324,71 324,100 416,100
text "2" #646870 up to 40,50 size 10
text "0" #646870 up to 40,100 size 10
text "b" #1c1e22 up to 40,75 size 11
fill #646870 48,106 368x1
fill #646870 48,107 1x4
text "0.0 us" #1c1e22 around 48,124 size 11
fill #646870 121,107 1x4
text "0.2 us" #1c1e22 around 122,124 size 11
fill #646870 195,107 1x4
text "0.4 us" #1c1e22 around 195,124 size 11
fill #646870 268,107 1x4
text "0.6 us" #1c1e22 around 269,124 size 11
fill #646870 342,107 1x4
text "0.8 us" #1c1e22 around 342,124 size 11
fill #646870 416,107 1x4
clip 48,38 368x66
unclip
text "height: 0 us to 2 us" #1c1e22 from 16,146 size 11
`},
		{"curves with their spread", func() *Figure {
			p := twoRows()
			p.Curves, p.Modes = true, raster.Modes{Time: series.Maximum, Spread: true}
			p.Rows = []Row{{"b", series.New([]int64{0, 500, 501}, []float64{2, 1, 2}, 1000)}}
			return &Figure{Width: 232, Height: 170, Panels: []Panel{p}}
		}, `
fill #ffffff 0,0 232x170
text "State" #1c1e22 bold from 16,29 size 13
fill #dee0e4 48,100 168x1
area #2d6eb4 alpha 0.25: 48,100 48,42 216,42 216,100
area #2d6eb4 alpha 0.25: 48,100 48,42 132,42 132,71 133,71 133,42 216,42 216,100
line #2d6eb4 1.0 wide, alpha 1.00: 48,42 132,42 132,48 133,48 133,42 216,42
text "2" #646870 up to 40,50 size 10
text "0" #646870 up to 40,100 size 10
text "b" #1c1e22 up to 40,75 size 11
fill #646870 48,106 168x1
fill #646870 48,107 1x4
text "0.0 us" #1c1e22 around 48,124 size 11
fill #646870 132,107 1x4
text "0.5 us" #1c1e22 around 132,124 size 11
fill #646870 216,107 1x4
clip 48,38 168x66
unclip
text "height: 0 to 2; the line shows the mea…" #1c1e22 from 16,146 size 11
`},
		{"too many shapes", func() *Figure { return &Figure{Width: 232, Height: 120, Panels: []Panel{twoRows()}} }, `
fill #ffffff 0,0 232x120
text "State" #1c1e22 bold from 16,29 size 13
fill #dee0e4 48,37 168x1  48,72 168x1
image 48,38 168x34 of (168,34)
text "a" #1c1e22 up to 40,50 size 11
text "b" #1c1e22 up to 40,67 size 11
fill #646870 48,74 168x1
fill #646870 48,75 1x4
text "0.0 us" #1c1e22 around 48,92 size 11
fill #646870 132,75 1x4
text "0.5 us" #1c1e22 around 132,92 size 11
fill #646870 216,75 1x4
clip 48,38 168x34
unclip
`},
		{"numbers", func() *Figure { return &Figure{Width: 332, Height: 220, Panels: []Panel{threeByTwo()}} }, `
fill #ffffff 0,0 332x220
text "Time" #1c1e22 bold from 16,29 size 13
text "of calls" #646870 from 56,29 size 11
text "Send [us]" #646870 up to 105,50 size 11
text "Recv" #646870 up to 144,50 size 11
fill #85d054 51,57 59x30
text "1" #000000 up to 105,76 size 11
text "0" #1c1e22 up to 144,76 size 11
fill #3fac78 51,88 59x30
text "2" #000000 up to 105,107 size 11
fill #3b528b 112,88 38x30
text "4" #ffffff up to 144,107 size 11
text "-" #1c1e22 up to 105,138 size 11
text "-" #1c1e22 up to 144,138 size 11
fill #646870 51,149 100x1
text "Total" #646870 up to 43,171 size 11
text "3" #646870 up to 105,171 size 11
text "-" #646870 up to 144,171 size 11
text "1.1.1" #1c1e22 up to 43,76 size 11
text "1.1.2" #1c1e22 up to 43,107 size 11
text "all" #1c1e22 up to 43,138 size 11
text "0 us" #1c1e22 from 16,198 size 11
fill #f9e627 47,189 2x10
... 117 more
fill #3b528b 283,189 2x10
text "4 us" #1c1e22 from 293,198 size 11
`},
		{"numbers without colours", func() *Figure {
			table := threeByTwo()
			table.NoShade, table.Totals = true, nil
			table.Columns[0].Name = "a heading that is wider than its numbers"
			return &Figure{Width: 232, Height: 360, Dark: true, Panels: []Panel{table}}
		}, `
fill #16181d 0,0 232x360
text "Time" #e0e2e6 bold from 16,29 size 13
text "of calls" #969aa4 from 56,29 size 11
text "a heading that is wider than its nu…" #969aa4 turned from 65,222 size 11
text "Recv" #969aa4 turned from 86,222 size 11
text "1" #e0e2e6 up to 65,246 size 11
text "0" #e0e2e6 up to 85,246 size 11
text "2" #e0e2e6 up to 65,277 size 11
text "4" #e0e2e6 up to 85,277 size 11
text "-" #e0e2e6 up to 65,308 size 11
text "-" #e0e2e6 up to 85,308 size 11
text "1.1.1" #e0e2e6 up to 43,246 size 11
text "1.1.2" #e0e2e6 up to 43,277 size 11
text "all" #e0e2e6 up to 43,308 size 11
`},
		{"colours", func() *Figure {
			table := threeByTwo()
			return &Figure{Width: 232, Height: 100, Panels: []Panel{table}}
		}, `
fill #ffffff 0,0 232x100
text "Time" #1c1e22 bold from 16,29 size 13
text "of calls" #646870 from 56,29 size 11
text "Send [us]" #646870 up to 127,50 size 11
text "Recv" #646870 up to 209,50 size 11
fill #dee0e4 50,56 167x5
fill #ffffff 51,57 165x3
fill #85d054 51,57 82x1
fill #3fac78 51,58 82x1
fill #3b528b 134,58 82x1
text "1.1.1" #1c1e22 up to 43,65 size 11
text "0 us" #1c1e22 from 16,78 size 11
fill #f9e627 46,69 2x10
... 117 more
fill #3b528b 186,69 2x10
text "4 us" #1c1e22 from 195,78 size 11
`},
		{"a legend without room", func() *Figure {
			p := twoRows()
			p.Label = func(v float64) string { return fmt.Sprintf("a value with a long name, which is %g", v) }
			p.Rows[1].Series = series.New([]int64{0, 100, 300, 600}, []float64{2, 1, 3, 4}, 1000)
			return &Figure{Width: 300, Height: 150, Panels: []Panel{p}}
		}, `
fill #ffffff 0,0 300x150
text "State" #1c1e22 bold from 16,29 size 13
fill #dee0e4 48,37 236x1  48,66 236x1
fill #c81e1e 48,39 59x13  72,53 47x13
fill #1e3cc8 107,39 177x13  48,53 24x13
fill #ff0000 119,53 71x13
fill #ff00ae 190,53 94x13
text "a" #1c1e22 up to 40,49 size 11
text "b" #1c1e22 up to 40,63 size 11
fill #646870 48,68 236x1
fill #646870 48,69 1x4
text "0.0 us" #1c1e22 around 48,86 size 11
fill #646870 166,69 1x4
text "0.5 us" #1c1e22 around 166,86 size 11
fill #646870 284,69 1x4
clip 48,38 236x28
unclip
fill #646870 16,98 11x11
fill #1e3cc8 16,99 10x10
text "a value with a long name, which is 2" #1c1e22 from 31,108 size 11
fill #646870 16,116 11x11
fill #c81e1e 16,117 10x10
text "a value with a long name, which is 1" #1c1e22 from 31,126 size 11
text "+2 more" #646870 up to 284,126 size 11
`},
	} {
		most := 100
		if c.name == "too many shapes" {
			most = 2
		}
		if got := drawn(c.figure(), most); got != strings.TrimPrefix(c.want, "\n") {
			t.Errorf("%s: got\n%s\nwant%s", c.name, got, c.want)
		}
	}
}

// If rows are lower than their names, every fourth row has one.
func TestNamesOfThinRows(t *testing.T) {
	p := twoRows()
	for i := range 10 {
		p.Rows = append(p.Rows, Row{fmt.Sprint("row ", i+2), p.Rows[0].Series})
	}
	var names []string
	for line := range strings.Lines(drawn(&Figure{Width: 400, Height: 166, Panels: []Panel{p}}, 100)) {
		if _, name, ok := strings.Cut(line, `text "row `); ok {
			names = append(names, name[:1])
		}
	}
	if !slices.Equal(names, []string{"4", "8"}) {
		t.Errorf("rows %q have names", names)
	}
}

func TestPlainNumber(t *testing.T) {
	for v, want := range map[float64]string{0: "0", 7: "7", -7: "-7", 1234567: "1,234,567", 1e15: "1.000e+15",
		2e-5: "2.000e-05", 0.0001: "0.0001000", 0.5: "0.5000", 1.5: "1.500", 12.345: "12.35", 999.99: "999.99",
		1234.5: "1,235", 1234.4: "1,234", -0.25: "-0.2500"} {
		if got := PlainNumber(v); got != want {
			t.Errorf("%g is %s, want %s", v, got, want)
		}
	}
}

// A text is cut so that it and an ellipsis fit; if not even the ellipsis fits, nothing is drawn.
func TestShorten(t *testing.T) {
	const text = "émigré of the north"
	for n := range len([]rune(text)) + 1 {
		part := string([]rune(text)[:n]) + "…"
		want, width := part, measure.width(part, 11, false)
		if measure.width(text, 11, false) <= width { // an ellipsis is wider than "th"
			want = text
		}
		if got := shorten(text, 11, width); got != want {
			t.Errorf("in the width of %q: %q", part, got)
		}
	}
	if got := shorten(text, 11, measure.width(text, 11, false)); got != text {
		t.Errorf("in its own width: %q", got)
	}
	if got := shorten(text, 11, 3); got != "" {
		t.Errorf("in 3 px: %q", got)
	}
}

func TestFormats(t *testing.T) {
	for name, want := range map[string]string{"a.svg": ".svg", "a.PNG": ".png", "a.b.pdf": ".pdf", "x.html": ".html"} {
		if f, err := FormatNamed(name); err != nil || f.Ext != want {
			t.Errorf("%s is of %v, %v", name, f, err)
		}
	}
	if _, err := FormatNamed("a.gif"); err == nil ||
		err.Error() != "pictures are written as .svg, .png, .pdf, .html" {
		t.Errorf("a.gif: %v", err)
	}
}

// The tables of a page have their texts, colours and totals; cells without a value are omitted, an infinite one has no
// number.
func TestTableOfPage(t *testing.T) {
	table := threeByTwo()
	cell := table.Cell
	table.Cell = func(r, c int) (float64, bool) {
		if r == 0 && c == 1 {
			return math.Inf(1), true
		}
		return cell(r, c)
	}
	var b strings.Builder
	if err := table.page(&b, nil); err != nil {
		t.Fatal(err)
	}
	want := `{"kind":"table","title":"Time","note":"of calls","unit":"us","rows":["1.1.1","1.1.2","all"],` +
		`"columns":["Send [us]","Recv"],"cells":[{"r":0,"c":0,"v":1,"t":"1","b":"#85d054","f":"#000000"},` +
		`{"r":0,"c":1,"v":null,"t":"+Inf","b":"#3b528b","f":"#ffffff"},` +
		`{"r":1,"c":0,"v":2,"t":"2","b":"#3fac78","f":"#000000"},` +
		`{"r":1,"c":1,"v":4,"t":"4","b":"#3b528b","f":"#ffffff"}],"totals":[{"name":"Total","text":["3","-"]}]}` + "\n"
	if b.String() != want {
		t.Errorf("got\n%s\nwant\n%s", b.String(), want)
	}
	// The scale is that of the finite cells: 1 to 4; without any, 0 to 1.
	if table.Fit(true); table.Shade != (Shade{raster.Scale{Min: 1, Max: 4}, true}) {
		t.Errorf("shades of %+v", table.Shade)
	}
	table.Cell = func(int, int) (float64, bool) { return math.NaN(), true }
	if table.Fit(false); table.Shade != (Shade{raster.Scale{Min: 0, Max: 1}, false}) {
		t.Errorf("shades of %+v", table.Shade)
	}
}

// The bursts of rows from 200 to 900, and their maximum in columns of 100 (the last but one of row b has 1 from 700 to
// 750, and 0), neighbours of one value joined.
func TestBurstsAndSamples(t *testing.T) {
	p := twoRows()
	p.Begin, p.End, p.Modes.Time = 200, 900, series.Maximum
	p.Rows = append(p.Rows, Row{"none", nil}, Row{"short", series.New([]int64{0}, []float64{5}, 350)})
	for row, want := range []string{"1: 200..250 2: 250..900 | 2: 200..900", "2: 200..500 1: 500..750 0: 750..900 | " +
		"2: 200..500 1: 500..800 0: 800..900", " |", "5: 200..350 | 5: 200..400"} {
		var bursts, samples string
		p.eachBurst(row, func(begin, end int64, v float64) { bursts += fmt.Sprintf("%g: %d..%d ", v, begin, end) })
		p.eachSample(row, 7, func(begin, end int64, v float64) { samples += fmt.Sprintf(" %g: %d..%d", v, begin, end) })
		if got := bursts + "|" + samples; got != want && " "+got != want {
			t.Errorf("row %d: %s, want %s", row, got, want)
		}
	}
}

// Panels share a figure's height: each gets its preferred height, and a part of the surplus or deficit in proportion to
// what it can give.
func TestHeightsOfPanels(t *testing.T) {
	for _, c := range []struct {
		panels []Panel
		height float64
		want   string
	}{
		{nil, 500, ""},
		{[]Panel{room{100, 40}}, 130, "0+130"},
		{[]Panel{room{100, 40}, room{200, 80}}, 318, "0+100 118+200"},
		{[]Panel{room{100, 40}, room{200, 80}}, 258, "0+80 98+160"},   // 60 less: 20 and 40 of 60 and 120
		{[]Panel{room{100, 40}, room{200, 80}}, 408, "0+130 148+260"}, // 90 more
		{[]Panel{room{100, 100}, room{200, 200}}, 418, "0+150 168+250"},
		{[]Panel{room{100, 100}, room{200, 80}}, 198, "0+100 118+80"},
		{[]Panel{room{100, 50}, room{10, 0}}, 18, "0+8 26+1"}, // at least 1
	} {
		var got []string
		for _, r := range (&Figure{Panels: c.panels}).divide(rect{5, 0, 90, c.height}) {
			got = append(got, fmt.Sprintf("%.0f+%.0f", r.y, r.h))
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%v in %g: %s, want %s", c.panels, c.height, got, c.want)
		}
	}
}

// room is a panel that wants a height, and needs another one.
type room struct{ want, least float64 }

func (r room) height(float64) (want, least float64) { return r.want, r.least }
func (r room) draw(canvas, rect, *ink)              {}
func (r room) page(io.Writer, *ink) error           { return nil }

// Charts: the plot gets the space that axes, names and the legend leave.
func TestDrawingsOfCharts(t *testing.T) {
	for _, c := range []struct {
		name   string
		figure func() *figure.Figure
		want   string
	}{
		{"a line, a band, a rule and a mark", func() *figure.Figure {
			return &figure.Figure{Title: "Speed", Note: "of runs", X: figure.Axis{Name: "tasks", Max: 4, Whole: true},
				Y: figure.Axis{Name: "time", Kind: quantity.Time, Max: 2000},
				Layers: []figure.Layer{
					{Shape: figure.Band, Ink: figure.Blue, X: []float64{0, 4}, Y: []float64{500, 500},
						Y2: []float64{1500, 1500}},
					{Name: "measured", Shape: figure.Line, Ink: figure.Vermilion, X: []float64{1, 2, 4},
						Y: []float64{2000, 1000, 500}}},
				Rules: []figure.Rule{{Name: "limit", At: 1800, Flat: true}, {At: 3}},
				Marks: []figure.Mark{{Name: "best", X: 4, Y: 500}}}
		}, `
fill #ffffff 0,0 332x232
text "Speed" #1c1e22 bold from 16,29 size 13
text "of runs" #646870 from 65,29 size 11
fill #dee0e4 66,156 238x1
text "0.0" #1c1e22 up to 58,161 size 11
fill #dee0e4 66,128 238x1
text "0.5" #1c1e22 up to 58,133 size 11
fill #dee0e4 66,100 238x1
text "1.0" #1c1e22 up to 58,104 size 11
fill #dee0e4 66,72 238x1
text "1.5" #1c1e22 up to 58,76 size 11
fill #dee0e4 66,44 238x1
text "2.0" #1c1e22 up to 58,48 size 11
fill #646870 66,157 238x1  65,44 1x113
fill #646870 65,157 1x5
text "0" #1c1e22 around 66,176 size 11
fill #646870 184,157 1x5
text "2" #1c1e22 around 185,176 size 11
fill #646870 304,157 1x5
text "4" #1c1e22 around 304,176 size 11
text "tasks" #646870 around 185,192 size 11
text "time (us)" #646870 turned from 27,100 size 11
clip 65,43 240x115
area #0072b2 alpha 0.30: 66,129 304,129 304,72 66,72
line #d55e00 1.8 wide, alpha 1.00: 125,44 185,100 304,129
line #0072b2 1.2 wide, alpha 1.00: 66,55 304,55
line #0072b2 1.2 wide, alpha 1.00: 244,157 244,44
unclip
area #ffffff alpha 1.00: 310,131 307,135 301,135 298,131 298,126 301,122 307,122 310,126
area #0072b2 alpha 1.00: 309,131 306,134 302,134 299,131 299,127 302,124 306,124 309,127
fill #646870 16,198 11x11
fill #d55e00 16,199 10x10
text "measured" #1c1e22 from 31,208 size 11
fill #646870 97,198 11x11
fill #0072b2 98,199 10x10
text "limit" #1c1e22 from 113,208 size 11
fill #646870 151,198 11x11
fill #0072b2 152,199 10x10
text "best" #1c1e22 from 167,208 size 11
`},
		{"bars with their values", func() *figure.Figure {
			return &figure.Figure{X: figure.Axis{Max: 10}, Y: figure.Axis{Names: []string{"one", "two", "three"}},
				Layers: []figure.Layer{{Shape: figure.Bars, X: []float64{0, 5, 0.2}, X2: []float64{4, 9.9, 9.9},
					Y: []float64{0, 1, 2}, Text: []string{"right", "to the left", "inside"}}}}
		}, `
fill #ffffff 0,0 332x232
fill #dee0e4 54,47 250x1
text "one" #1c1e22 up to 46,51 size 11
fill #dee0e4 54,98 250x1
text "two" #1c1e22 up to 46,102 size 11
fill #dee0e4 54,149 250x1
text "three" #1c1e22 up to 46,153 size 11
fill #646870 54,175 250x1  54,22 1x153
fill #646870 54,175 1x5
text "0" #1c1e22 around 54,194 size 11
fill #646870 179,175 1x5
text "5" #1c1e22 around 179,194 size 11
fill #646870 304,175 1x5
text "10" #1c1e22 around 304,194 size 11
text "" #646870 around 179,210 size 11
text "" #646870 turned from 27,98 size 11
clip 53,21 252x155
fill #0072b2 54,30 100x36
text "right" #1c1e22 around 169,51 size 11
fill #0072b2 179,81 122x36
text "to the left" #1c1e22 around 152,102 size 11
fill #0072b2 59,132 242x36
text "inside" #ffffff around 283,153 size 11
unclip
`},
		{"tiles", func() *figure.Figure {
			return figure.Matrix("pairs", []string{"a"}, []string{"b", "c"},
				func(_, c int) float64 { return float64(c) })
		}, `
fill #ffffff 0,0 332x232
text "pairs" #1c1e22 bold from 16,29 size 13
fill #dee0e4 35,109 269x1
text "a" #1c1e22 up to 27,113 size 11
fill #646870 35,175 269x1  35,44 1x131
fill #646870 102,175 1x5
text "b" #1c1e22 around 102,194 size 11
fill #646870 236,175 1x5
text "c" #1c1e22 around 237,194 size 11
text "" #646870 around 170,210 size 11
text "" #646870 turned from 27,110 size 11
clip 34,43 271x133
fill #fde725 36,44 133x130
text "0" #000000 around 102,113 size 11
fill #440154 170,44 133x130
text "1" #ffffff around 237,113 size 11
unclip
`},
	} {
		if got := drawn(&Figure{Width: 332, Height: 232, Panels: []Panel{chart(c.figure())}}, 100); got !=
			strings.TrimPrefix(c.want, "\n") {
			t.Errorf("%s: got\n%s\nwant%s", c.name, got, c.want)
		}
	}
}

// The heights of a table: 22 px of heading, 19 of names of columns, 24 of the scale, 19 to 12 of each row; totals take
// 19 each and a line. If there are too many cells for numbers, they are colours, 12 px high if they fit.
func TestHeightOfTables(t *testing.T) {
	table := threeByTwo()
	check := func(want, least float64) {
		t.Helper()
		if w, l := table.height(600); w != want || l != least {
			t.Errorf("%d rows: %g, at least %g, want %g and %g", len(table.Rows), w, l, want, least)
		}
	}
	check(22+19+24+3*19+19+4, 22+19+24+3*12+19+4)
	table.Totals = nil
	check(22+19+24+3*19, 22+19+24+3*12)
	table.Rows = nil
	check(22+19+24+19, 22+19+24+12)
	table.Cell = func(int, int) (float64, bool) { return 1, true }
	table.Rows = make([]Heading, 2001)
	check(22+19+24+640, 22+19+24+40)
}
