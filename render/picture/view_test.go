package picture

import (
	"bytes"
	"context"
	"fmt"
	"image/png"
	"strings"
	"testing"

	"pview/prv"
	"pview/render/raster"
	"pview/render/timeline"
	"pview/semantic"
	"pview/semantic/series"
	"pview/semantic/stat"
)

// A thread computes (1) for 9 of every 10 ns and posts a receive (11) for one; a point of the picture covers more than
// that. It has the colour of computation, unless the view draws the maximum.
func TestPointsHaveTheLongestState(t *testing.T) {
	h := prv.Header{Unit: prv.Nanoseconds}
	h.AddNode(1)
	h.AddPtask()
	h.AddTask(1, 0)
	b := prv.NewBuilder(h)
	for at := int64(0); at < 100_000; at += 10 {
		b.State(0, 0, at, at+9, 1)
		b.State(0, 0, at+9, at+10, 11)
	}
	tr, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	for _, maximum := range []bool{false, true} {
		v := timeline.NewView(1, timeline.NewTrace(1, tr))
		v.Drawing.Modes.Time, v.Drawing.Given.Time = series.Maximum, maximum
		v.Clamp(tr, tr.Duration)
		gen := 1
		if err := v.Complete(timeline.Resources{Context: context.Background(), Cache: series.NewCache(1 << 20),
			Gen: &gen}); err != nil {
			t.Fatal(err)
		}
		panel := OfView(v, true)
		img, err := png.Decode(bytes.NewReader(written(t, ".png",
			&Figure{Title: "T", Width: 700, Height: 220, Scale: 1, Panels: []Panel{panel}})))
		if err != nil {
			t.Fatal(err)
		}
		n := map[raster.Color]int{}
		for y := range img.Bounds().Dy() {
			for x := range img.Bounds().Dx() {
				r, g, b, _ := img.At(x, y).RGBA()
				n[raster.RGB(uint8(r>>8), uint8(g>>8), uint8(b>>8))]++
			}
		}
		computing, receiving := n[panel.Painter.Color(1)], n[panel.Painter.Color(11)]
		if want := computing > 20*receiving; want == maximum || max(computing, receiving) < 3000 {
			t.Errorf("maximum %t: %d points of computation, %d of receives", maximum, computing, receiving)
		}
	}
}

// Task 1 computes (1) from 0 to 40 and waits (3) from 40 to 100; task 2 computes. State 2 has no column; in planes that
// hide a column it is not there either.
func TestOfTable(t *testing.T) {
	const text = "#Paraver (01/01/2026 at 00:00):100_ns:1(2):1:2(1:1,1:1)\n" +
		"1:1:1:1:1:0:40:1\n1:1:1:1:1:40:100:3\n1:2:1:2:1:0:100:1\n"
	tr, err := prv.Read(context.Background(), strings.NewReader(text), prv.Options{})
	if err != nil {
		t.Fatal(err)
	}
	states := semantic.DefaultWindow()
	states.Unit = semantic.Nanoseconds
	h, err := stat.Compute(context.Background(), tr, stat.Histogram{Control: &states, Statistic: "Time",
		Columns: stat.Scale{Max: 3, Delta: 1}}, stat.Options{})
	if err != nil {
		t.Fatal(err)
	}
	const threads = "THREAD 1.1.1, THREAD 1.2.1"
	for _, c := range []struct {
		change func()
		want   string
	}{
		{func() {}, "Time [ns], rows " + threads +
			"; columns Running, Waiting a message; 40 60 100 -; Total 140 60; from 40 to 100"},
		{func() { h.Vertical = true }, "Time [ns], rows Running, Waiting a message; columns " + threads +
			"; 40 100 60 -; Total 100 100; from 40 to 100"},
		{func() { h.Planes[0].Hidden = []bool{true, true, true, false} },
			"Time [ns], rows Waiting a message; columns " + threads + "; 60 -; Total 100 100; from 60 to 60"},
		{func() { h.Vertical = false }, "Time [ns], rows " + threads + "; columns Waiting a message; 60 -; Total 60; " +
			"from 60 to 60"},
	} {
		c.change()
		p := OfTable(h, 0, true)
		names := func(list []Heading) (names []string) {
			for _, h := range list {
				names = append(names, h.Name)
			}
			return names
		}
		got := fmt.Sprintf("%s [%s], rows %s; columns %s;", p.Title, p.Unit, strings.Join(names(p.Rows), ", "),
			strings.Join(names(p.Columns), ", "))
		for row := range p.Rows {
			for column := range p.Columns {
				if v, ok := p.Cell(row, column); ok {
					got += " " + p.Text(v, row, column)
				} else {
					got += " -"
				}
			}
		}
		got += "; " + p.Totals[0].Name
		for _, v := range p.Totals[0].Values {
			got += " " + PlainNumber(v)
		}
		got += fmt.Sprintf("; from %v to %v", p.Shade.Scale.Min, p.Shade.Scale.Max)
		if got != c.want {
			t.Errorf("%s, want\n%s", got, c.want)
		}
	}
}
