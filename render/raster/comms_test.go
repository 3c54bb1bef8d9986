package raster

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pview/prv"
)

// lines draws the communication lines of a trace's threads over blanks, in the
// given number of columns per time unit and lines per row.
func lines(t *testing.T, tr *prv.Trace, axis Axis, height int, box, logical, physical bool) (Canvas, CommStats) {
	t.Helper()
	layout := Layout{Rows: len(tr.Threads), Lines: height * len(tr.Threads), Height: height}
	c := NewCanvas(axis.W, layout.Lines)
	l := CommLines{Look: DefaultLook, Axis: axis, Layout: layout, Index: NewCommIndex(tr, nil), Row: threadRow(tr),
		Logical: logical, Physical: physical, Box: box}
	stats := l.Draw(c)
	return c, stats
}

// A37: the physical line of the message with tag 6 runs from (T1,62) to (T2,80),
// the logical one from (T1,60) to (T2,70); switching physical off leaves the
// logical. One column per unit of time here, from 55.
func TestLinesRunFromSenderToReceiver(t *testing.T) {
	tr := traceA(t)
	axis := Axis{Begin: 55, End: 85, W: 30}
	for _, test := range []struct {
		name              string
		logical, physical bool
	}{
		{"logical", true, false},
		{"physical", false, true},
		{"both", true, true},
	} {
		c, stats := lines(t, tr, axis, 2, true, test.logical, test.physical)
		if !stats.Drawn || stats.Lines != stats.Total() {
			t.Errorf("%s: %+v", test.name, stats)
		}
		golden(t, "lines_"+test.name, layers(c))
		// Where both are drawn the logical line hides the begin of the physical one.
		logical, physical := DefaultLook.Theme.Logical, DefaultLook.Theme.Physical
		if first, last := extent(c, logical); test.logical && (55+first != 60 || 55+last != 70) {
			t.Errorf("%s: the logical line runs from %d to %d, want 60 to 70", test.name, 55+first, 55+last)
		}
		if first, last := extent(c, physical); test.physical && (55+first != 62 && !test.logical || 55+last != 80) {
			t.Errorf("%s: the physical line runs from %d to %d, want 62 to 80", test.name, 55+first, 55+last)
		}
	}
}

// extent returns the first and the last column with a foreground colour.
func extent(c Canvas, color Color) (first, last int) {
	first, last = c.W, -1
	for x := range c.W {
		for y := range c.H {
			if c.At(x, y).FG == color {
				first, last = min(first, x), x
			}
		}
	}
	return first, last
}

func TestBrailleLines(t *testing.T) {
	c, _ := lines(t, traceA(t), Axis{Begin: 40, End: 90, W: 25}, 1, false, true, true)
	golden(t, "lines_braille", layers(c))
}

// The colours below the lines stay; a line in the colour of what it crosses is made visible.
func TestLinesKeepTheColorBelow(t *testing.T) {
	tr := traceA(t)
	rows := states(tr)
	axis := Axis{Begin: 40, End: 90, W: 25}
	layout := Layout{Rows: 2, Lines: 4, Height: 2, Gap: true}
	var g Grid
	g.Sample(rows, axis, layout, Modes{}, 1)
	c := NewCanvas(25, 4)
	g.Draw(c, painter(DefaultLook))
	before := NewCanvas(25, 4)
	copy(before.cells, c.cells)
	l := CommLines{Look: DefaultLook, Axis: axis, Layout: layout, Index: NewCommIndex(tr, nil), Row: threadRow(tr),
		Logical: true, Physical: true}
	l.Draw(c)
	crossed := 0
	for y := range c.H {
		for x := range c.W {
			was, is := before.At(x, y), c.At(x, y)
			if was == is {
				continue
			}
			crossed++
			if l.ground(was) != is.BG {
				t.Errorf("(%d,%d): %x becomes %x", x, y, l.ground(was), is.BG)
			}
			if distance(is.FG, is.BG) < minDistance {
				t.Errorf("(%d,%d): a line of %x on %x", x, y, is.FG, is.BG)
			}
		}
	}
	if crossed == 0 {
		t.Error("no line was drawn")
	}
}

// A message under way during the whole view crosses it, and so does one to a row
// that is scrolled out.
func TestLinesFromAndToOutside(t *testing.T) {
	b := prv.NewBuilder(prv.Header{End: 1000, Resources: tasks(8)})
	b.Comm(prv.Comm{Send: 0, Recv: 7, Times: [4]int64{0, 0, 1000, 1000}})
	b.Comm(prv.Comm{Send: 4, Recv: 7, Times: [4]int64{510, 510, 520, 520}})
	b.Comm(prv.Comm{Send: 0, Recv: 1, Times: [4]int64{510, 510, 520, 520}}) // over rows that are not seen
	tr, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	c := NewCanvas(20, 4)
	l := CommLines{Look: mono, Axis: Axis{Begin: 450, End: 550, W: 20}, Layout: Layout{First: 2, Rows: 4, Lines: 4},
		Index: NewCommIndex(tr, nil), Row: threadRow(tr), Logical: true, Box: true}
	stats := l.Draw(c)
	if stats.Lines != 2 || stats.Logical != 3 || !stats.Drawn {
		t.Errorf("%+v, want 2 lines of 3 messages", stats)
	}
	if got, want := c.Plain(), "\n──────────\n          ╲─╲───────\n             ╲"; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// Too many lines to distinguish: none is drawn, all are counted.
func TestTooManyLinesAreCounted(t *testing.T) {
	b := prv.NewBuilder(prv.Header{End: 100_000, Resources: tasks(2)})
	for i := range int64(5000) {
		from, to := int32(i%2), int32(1-i%2)
		b.Comm(prv.Comm{Send: from, Recv: to, Times: [4]int64{i * 20, i * 20, i*20 + 30 + i%13*10, i*20 + 60 + i%7*10}})
	}
	tr, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	c, stats := lines(t, tr, Axis{End: 100_000, W: 60, Closed: true}, 2, false, true, true)
	if stats.Drawn || stats.Logical != 5000 || stats.Physical != 5000 {
		t.Errorf("%+v, want 5000 of both, not drawn", stats)
	}
	if strings.TrimSpace(c.Plain()) == "" {
		t.Error("no density is drawn")
	}
	// Zoomed in, they are lines again.
	if _, stats := lines(t, tr, Axis{Begin: 50_000, End: 50_400, W: 60}, 8, false, true, false); !stats.Drawn ||
		stats.Lines < 15 {
		t.Errorf("zoomed in: %+v", stats)
	}
}

// More than 24 lines are too many from 2 marks per cell of the rows on, or from 4 per cell that has any. The canvas has
// 10 by 6 cells; two rows of 2 take 4 lines, of halves of lines 2.
func TestTooManyLines(t *testing.T) {
	two := Layout{Rows: 2, Height: 2, Lines: 6}
	halves := two
	halves.Split = 2
	for _, c := range []struct {
		layout            Layout
		lines, ink, inked int
		want              bool
	}{
		{two, 24, 1000, 1, false}, {two, 25, 80, 20, false}, {two, 25, 81, 40, true}, {two, 25, 80, 19, true},
		{halves, 25, 40, 20, false}, {halves, 25, 41, 20, true},
		{Layout{Rows: 5, Lines: 6, Split: 2}, 25, 60, 60, false}, // 3 lines of 5 halves
		{Layout{Rows: 5, Lines: 6, Split: 2}, 25, 61, 60, true},
		{Layout{Rows: 20, Lines: 6}, 25, 120, 60, false}, {Layout{Rows: 20, Lines: 6}, 25, 121, 60, true},
		{Layout{Rows: 20, Lines: 9}, 25, 121, 60, true}, // the canvas is cut
	} {
		l := CommLines{Layout: c.layout, ink: c.ink, inked: c.inked, seen: map[segment]bool{}}
		for i := range c.lines {
			l.seen[segment{x0: float64(i)}] = true
		}
		if got := l.tooMany(NewCanvas(10, 6)); got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
}

// The index finds the same messages as a scan of all, forward and backward ones, with and without a filter.
func TestIndexFindsWhatASearchFinds(t *testing.T) {
	rnd := rand.New(rand.NewPCG(8, 9))
	for round := range 60 {
		tr := randomComms(t, rnd, rnd.IntN(3000), round%3 == 0)
		var keep func(int32) bool
		if round%2 == 1 {
			keep = func(i int32) bool { return tr.Comms.Tag[i]%3 != 0 }
		}
		index := NewCommIndex(tr, keep)
		for range 20 {
			begin := rnd.Int64N(10_000)
			end := begin + rnd.Int64N(1<<rnd.IntN(14)) + 1
			for _, kind := range []CommKind{LogicalLine, PhysicalLine} {
				send, recv := kind.Roles()
				var want, got []int32
				for i := range int32(tr.Comms.Len()) {
					s, r := tr.Comms.Times[send][i], tr.Comms.Times[recv][i]
					if min(s, r) < end && max(s, r) >= begin && (keep == nil || keep(i)) {
						want = append(want, i)
					}
				}
				complete := index.Visit(kind, begin, end, func(i int32) bool { got = append(got, i); return true })
				slices.Sort(got)
				if !complete || !slices.Equal(got, want) {
					t.Fatalf("[%d,%d): found %v, want %v", begin, end, got, want)
				}
				if n := index.Count(kind, begin, end); n != len(want) {
					t.Fatalf("[%d,%d): counted %d, want %d", begin, end, n, len(want))
				}
			}
		}
	}
}

func randomComms(t testing.TB, rnd *rand.Rand, n int, skewed bool) *prv.Trace {
	b := prv.NewBuilder(prv.Header{End: 20_000, Resources: tasks(4)})
	for range n {
		at := rnd.Int64N(10_000) + 100
		long := rnd.Int64N(1 << rnd.IntN(13))
		early := int64(0)
		if skewed {
			early = rnd.Int64N(100)
		}
		b.Comm(prv.Comm{Send: rnd.Int32N(4), Recv: rnd.Int32N(4), Tag: rnd.Int64N(9),
			Times: [4]int64{at, at + rnd.Int64N(20), at + long - early, at + long - early + rnd.Int64N(30)}})
	}
	tr, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return tr
}

// A message that is under way for most of the run is found in the middle of the run, among the few messages of that
// moment.
func TestIndexFindsLongMessages(t *testing.T) {
	b := prv.NewBuilder(prv.Header{End: 10_000_000, Resources: tasks(2)})
	for i := range int64(100_000) {
		b.Comm(prv.Comm{Send: 0, Recv: 1, Times: [4]int64{i * 100, i * 100, i*100 + 150, i*100 + 150}})
	}
	b.Comm(prv.Comm{Send: 0, Recv: 1, Times: [4]int64{7, 7, 9_000_000, 9_000_000}, Tag: 99})
	tr, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	index := NewCommIndex(tr, nil)
	var found []string
	index.Visit(LogicalLine, 5_000_000, 5_000_200, func(i int32) bool {
		found = append(found, fmt.Sprint(tr.Comms.Times[prv.LogicalSend][i]))
		return true
	})
	if want := "7 4999900 5000000 5000100"; strings.Join(found, " ") != want {
		t.Errorf("found those sent at %v, want %s", found, want)
	}
}

// A sample has its share of the messages under way, including those that began before the view; whether it has a
// message does not depend on the view.
func TestSampleOfMessagesUnderWay(t *testing.T) {
	b := prv.NewBuilder(prv.Header{End: 20_000, Resources: tasks(3)})
	rnd := rand.New(rand.NewPCG(7, 8))
	for range 2000 {
		at, took := rnd.Int64N(10_000), rnd.Int64N(400)-100 // some arrive before they leave
		b.Comm(prv.Comm{Send: rnd.Int32N(3), Recv: rnd.Int32N(3),
			Times: [4]int64{at + 100, at + 100, at + 100 + took, at + 100 + took}})
	}
	tr, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	x := NewCommIndex(tr, nil)
	for _, step := range []int{1, 2, 8} {
		all := map[int32]bool{}
		x.sample(LogicalLine, 0, 20_000, step, func(i int32) { all[i] = true })
		if n := len(all) * step; n < 1900 || n > 2100 {
			t.Errorf("%d messages are one of %d of 2000", len(all), step)
		}
		for begin := int64(0); begin < 10_000; begin += 770 {
			var want, got []int32
			x.Visit(LogicalLine, begin, begin+300, func(i int32) bool {
				if all[i] {
					want = append(want, i)
				}
				return true
			})
			x.sample(LogicalLine, begin, begin+300, step, func(i int32) { got = append(got, i) })
			slices.Sort(want)
			slices.Sort(got)
			if !slices.Equal(got, want) {
				t.Errorf("from %d, one of %d: %v, want %v", begin, step, got, want)
			}
		}
	}
}

// A line that is only partly in view has the same dots there as when it is completely visible: panning moves the dots,
// and changes none.
func TestPannedLineKeepsItsDots(t *testing.T) {
	b := prv.NewBuilder(prv.Header{End: 4000, Resources: tasks(5)})
	b.Comm(prv.Comm{Send: 0, Recv: 4, Times: [4]int64{130, 130, 1370, 1370}})
	b.Comm(prv.Comm{Send: 3, Recv: 1, Times: [4]int64{400, 400, 480, 480}})
	tr, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	draw := func(begin int64) []string {
		c := NewCanvas(40, 10) // 20 units of time per column
		l := CommLines{Look: DefaultLook, Axis: Axis{Begin: begin, End: begin + 800, W: 40}, Layout: Layout{Rows: 5,
			Lines: 10, Height: 2}, Index: NewCommIndex(tr, nil), Row: threadRow(tr), Logical: true}
		l.Draw(c)
		var lines []string
		for y := range c.H {
			line := ""
			for x := range c.W {
				line += c.Grapheme(c.At(x, y))
			}
			lines = append(lines, line)
		}
		return lines
	}
	at0 := draw(100)
	for columns := 1; columns < 30; columns++ {
		for y, line := range draw(100 + int64(columns)*20) {
			was, is := []rune(at0[y])[columns:], []rune(line)[:40-columns]
			if !slices.Equal(was, is) {
				t.Errorf("line %d, panned by %d columns: %q was %q", y, columns, string(is), string(was))
			}
		}
	}
}

// A line has a dot per column, or per line if it is steep, each with the directions of the last move: both (x) at the
// line's start, right or left (-), up or down (|). Here on a canvas of 4 columns and 3 lines.
func TestDotsOfALine(t *testing.T) {
	for _, c := range []struct {
		x0, y0, x1, y1 float64
		want           string // column, line, way
	}{
		{0, 0, 0, 0, "00x"}, {3, 2, 3, 2, "32x"}, // a point in each corner, and beside it
		{-1, 0, -1, 0, ""}, {0, -1, 0, -1, ""}, {4, 2, 4, 2, ""}, {3, 3, 3, 3, ""},
		{1, 1, 3, 1, "11x 21- 31-"}, {3, 1, 1, 1, "31x 21- 11-"}, {2, 0, 2, 2, "20x 21| 22|"}, {2, 1, 2, 0, "21x 20|"},
		{0, 0, 2, 2, "00x 11x 22x"}, {2, 2, 0, 0, "22x 11x 00x"},
		{0, 0, 3, 1, "00x 10- 21x 31-"}, // heights 0, 1/3, 2/3 and 1
		{0, 0, 1, 2, "00x 11x 12|"},     // columns 0, 1/2 and 1; a half is rounded up
		{-2, 1, 1, 1, "01- 11-"}, {5, 0, 2, 0, "30- 20-"}, {1, -1, 1, 5, "10| 11| 12|"},
		{0, 2, 3, 5, "02x"}, {-1, 3, 3, -1, "02x 11x 20x"},
		{-3, 0, -1, 0, ""}, {-3, 0, 0, 0, "00-"}, {5, 0, 4, 0, ""}, {5, 0, 3, 0, "30-"},
		{-1, 0, -3, 0, ""}, {4, 0, 6, 0, ""}, {3, 0, 6, 0, "30x"}, {0, 0, -2, 0, "00x"}, // leading away
	} {
		var got []string
		s := segment{x0: c.x0, y0: c.y0, x1: c.x1, y1: c.y1}
		s.walk(4, 3, func(x, y int, alongX, alongY bool) {
			way := "x"
			if !alongX {
				way = "|"
			} else if !alongY {
				way = "-"
			}
			got = append(got, fmt.Sprint(x, y, way))
		})
		if got := strings.ReplaceAll(strings.Join(got, ","), " ", ""); got != strings.ReplaceAll(c.want, " ", ",") {
			t.Errorf("%g,%g to %g,%g: %s, want %s", c.x0, c.y0, c.x1, c.y1, got, c.want)
		}
	}
}

// The part of a line within 4 by 2: of one from -2,0 to 6,4, which rises by a half, that between x = 0 and y = 2. A
// line that only touches has a point.
func TestClip(t *testing.T) {
	for _, c := range []struct{ line, want [4]float64 }{
		{[4]float64{-2, 0, 6, 4}, [4]float64{0, 1, 2, 2}},
		{[4]float64{6, 4, -2, 0}, [4]float64{2, 2, 0, 1}},
		{[4]float64{1, 1, 3, 2}, [4]float64{1, 1, 3, 2}},
		{[4]float64{-1, 0, 9, 0}, [4]float64{0, 0, 4, 0}},
		{[4]float64{4, 5, 4, -5}, [4]float64{4, 2, 4, 0}},
		{[4]float64{-1, 1, 1, -1}, [4]float64{0, 0, 0, 0}},
		{[4]float64{4, 2, 4, 2}, [4]float64{4, 2, 4, 2}},
	} {
		l := c.line
		if x0, y0, x1, y1, ok := Clip(l[0], l[1], l[2], l[3], 4, 2); !ok || [4]float64{x0, y0, x1, y1} != c.want {
			t.Errorf("%v: %v, want %v", l, []any{x0, y0, x1, y1, ok}, c.want)
		}
	}
	for _, l := range [][4]float64{{-1, 0.5, 0.5, -1}, {0, -1, 4, -1}, {5, 0, 5, 2}, {-3, 1, -1, 1}, {1, 3, 3, 5},
		{0, 3, 4, 3}} {
		if _, _, _, _, ok := Clip(l[0], l[1], l[2], l[3], 4, 2); ok {
			t.Errorf("%v is within", l)
		}
	}
}
