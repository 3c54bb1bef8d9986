package session_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"pview/filter"
	"pview/prv"
	"pview/prv/prvtest"
	"pview/render/raster"
	"pview/render/timeline"
	"pview/semantic"
	"pview/semantic/series"
	"pview/tui/session"
)

// Whatever windows show and however, a session read back is equal.
func TestReadsBackAnything(t *testing.T) {
	data, err := prv.Read(context.Background(), strings.NewReader(prvtest.TraceA), prv.Options{})
	if err != nil {
		t.Fatal(err)
	}
	trace := timeline.NewTrace(1, data)
	path := filepath.Join(t.TempDir(), "any"+session.Ext)
	for seed := range uint64(100) {
		rng := rand.New(rand.NewPCG(seed, 0))
		f := session.New()
		prvtest.Fill(rng, &f.Traces)
		prvtest.Fill(rng, &f.Marks)
		f.Panes = map[string]json.RawMessage{"any": json.RawMessage(`"part"`)}
		var views []*timeline.View
		for i := range rng.IntN(4) {
			views = append(views, anyView(rng, trace))
			f.Windows = append(f.Windows, session.WindowOf(views[i], i))
		}
		if err := f.Write(path); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if !session.Is(path) {
			t.Errorf("seed %d: not recognised", seed)
		}
		got, err := session.Read(path)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if fmt.Sprintf("%q", got.Traces) != fmt.Sprintf("%q", f.Traces) || marks(got) != marks(f) ||
			len(got.Windows) != len(views) {
			t.Errorf("seed %d: %q %s instead of %q %s", seed, got.Traces, marks(got), f.Traces, marks(f))
		}
		for i, want := range views {
			v := timeline.NewView(2, trace)
			if err := got.Windows[i].Apply(v, trace); err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
			if have, want := asText(v), asText(want); have != want || got.Windows[i].Trace != i {
				t.Errorf("seed %d:\n%s\ninstead of\n%s", seed, have, want)
			}
		}
	}
}

func marks(f *session.File) string {
	var list []string
	for _, m := range f.Marks {
		if list = append(list, "none"); m != nil {
			list[len(list)-1] = fmt.Sprint(*m)
		}
	}
	return fmt.Sprint(list)
}

// asText writes what a session keeps of a view as text: NaNs are not equal to themselves.
func asText(v *timeline.View) string {
	names := v.Sem.Name
	if d := v.Sem.Derived; d != nil {
		names += "/" + d.A.Window.Name + "/" + d.B.Window.Name
	}
	return fmt.Sprintf("%q %q %s %v %+v %d %d %d %d %d %d %d", v.Name, names, v.Sem.Key(), v.Objects, v.Drawing,
		v.Group, v.Begin, v.End, v.Cursor, v.CursorRow, v.Top, v.Span)
}

// anyView makes a view with all possible settings.
func anyView(rng *rand.Rand, t *timeline.Trace) *timeline.View {
	v := timeline.NewView(1, t)
	v.Name, v.Sem = text(rng), anyWindow(rng, 2)
	size := func() int { return int(max(0, prvtest.Int(rng))) }
	v.Group, v.Top, v.Span, v.CursorRow = size(), size(), size(), size()
	v.Cursor, v.Begin = prvtest.Int(rng), int64(rng.IntN(1000))
	v.End = v.Begin + 1 + int64(rng.IntN(1000))
	if n := t.Data.Count(v.Sem.Level); n > 0 && rng.IntN(2) == 0 {
		v.Objects = []int32{int32(rng.IntN(n)), int32(rng.IntN(n))}
	}
	d := &v.Drawing
	mode := func() series.DrawMode { return series.DrawModes[rng.IntN(len(series.DrawModes))].Mode }
	prvtest.Fill(rng, &d.Modes.Seed)
	for _, flag := range []*bool{&d.Fixed, &d.Graph, &d.Flags, &d.Coarse} {
		prvtest.Fill(rng, flag)
	}
	prvtest.Fill(rng, &d.Given)
	if d.Given.Time {
		d.Modes.Time = mode()
	}
	if d.Given.Rows {
		d.Modes.Rows = mode()
	}
	d.Color = raster.ColorModes[rng.IntN(len(raster.ColorModes))].Mode
	d.Codes = d.Color == raster.CodeColor && rng.IntN(2) == 0
	d.Gradient = rng.IntN(len(raster.GradientFunctions))
	d.Comms = timeline.CommLines(rng.IntN(len(timeline.CommLineNames)))
	if d.Fixed {
		prvtest.Fill(rng, &d.Scale)
	}
	if rng.IntN(2) == 0 {
		d.Between = timeline.Pair{From: int32(rng.IntN(5)), To: int32(rng.IntN(5))}
	}
	return v
}

// text returns a text as users type it, and as .cfg files have it.
func text(rng *rand.Rand) string { return prv.Clean(prvtest.Text(rng)) }

// number returns a number that users and .cfg files may give: finite.
func number(rng *rand.Rand) float64 {
	v := prvtest.Float(rng)
	for math.IsNaN(v) || math.IsInf(v, 0) {
		v = prvtest.Float(rng)
	}
	return v
}

// anyWindow makes a window, which is derived from others up to some depth.
func anyWindow(rng *rand.Rand, depth int) semantic.Window {
	w := semantic.DefaultWindow()
	w.Name, w.Level = text(rng), prv.Levels[rng.IntN(len(prv.Levels))]
	w.Unit = semantic.Units[rng.IntN(len(semantic.Units))].Unit
	prvtest.Fill(rng, &w.HoldState)
	prvtest.Fill(rng, &w.IgnoreFileOrder)
	for i := range w.Functions {
		w.Functions[i] = anyCall(rng)
		w.Compose[i] = anyCall(rng)
	}
	w.Top1, w.Top2 = anyCall(rng), anyCall(rng)
	for range rng.IntN(3) {
		w.Extra = append(w.Extra, anyCall(rng))
	}
	w.Filter = anyFilter(rng)
	if depth > 0 && rng.IntN(2) == 0 {
		a, b := anyWindow(rng, depth-1), anyWindow(rng, depth-1)
		w.Derived = &semantic.Derived{Op: anyCall(rng),
			A: semantic.Parent{Window: &a, Factor: number(rng), Shift: int(prvtest.Int(rng))},
			B: semantic.Parent{Window: &b, Factor: number(rng), Shift: int(prvtest.Int(rng))}}
	}
	return w
}

func anyCall(rng *rand.Rand) (c semantic.Call) {
	c.Name = []string{"In State", "Mod", "", "Semantic Value"}[rng.IntN(4)]
	if c.IsAsIs() {
		return c // its parameters have no effect, and are not kept
	}
	for range rng.IntN(3) {
		c.Params = append(c.Params, numbers(rng))
	}
	if rng.IntN(4) == 0 {
		c.Expression = "state == 1 && value > 0"
	}
	return c
}

func numbers(rng *rand.Rand) (list []float64) {
	for range 1 + rng.IntN(3) {
		list = append(list, number(rng))
	}
	return list
}

func anyFilter(rng *rand.Rand) filter.Filter {
	f := filter.Default()
	for _, c := range []*filter.Criterion{&f.Events.Type, &f.Events.Value, &f.Comms.From, &f.Comms.To, &f.Comms.Partner,
		&f.Comms.Tag, &f.Comms.Size, &f.Comms.Bandwidth} {
		switch c.Func = filter.Func(rng.IntN(int(filter.Range) + 1)); c.Func {
		case filter.All, filter.None:
		case filter.Range:
			c.Values = []float64{number(rng), number(rng)}
		default:
			c.Values = numbers(rng)
		}
	}
	for _, c := range []*filter.Criterion{&f.Events.Type, &f.Events.Value} {
		if rng.IntN(3) == 0 {
			for range c.Values {
				c.Labels = append(c.Labels, text(rng))
			}
		}
	}
	for _, flag := range []*bool{&f.Events.Or, &f.Comms.Logical, &f.Comms.Physical, &f.Comms.Intra, &f.Comms.Inter,
		&f.Comms.FromToOr, &f.Comms.TagSizeOr} {
		prvtest.Fill(rng, flag)
	}
	return f
}
