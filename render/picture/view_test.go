package picture

import (
	"bytes"
	"context"
	"image/png"
	"testing"

	"pview/prv"
	"pview/render/raster"
	"pview/render/timeline"
	"pview/semantic/series"
)

// A thread computes (1) for 9 of every 10 ns and posts a receive (11) for one; a point of the picture covers more than
// that. It has the colour of computation, unless the view was asked for the maximum.
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
