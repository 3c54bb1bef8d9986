package cfg

import (
	"fmt"
	"slices"
	"testing"

	"pview/prv"
	"pview/semantic"
)

// Files are equal if all their contents are; a different window, or a histogram of another window, makes them differ.
func TestEqualFiles(t *testing.T) {
	file := func(change func(f *File)) *File {
		f := &File{Windows: []*Window{{}, {}}, Other: []Line{{}}}
		f.Windows[0].Name = "w"
		h := &Histogram{Other: []Line{{}}}
		h.Control, h.Data = &f.Windows[0].Window, &f.Windows[0].Window
		f.Histograms = []*Histogram{h}
		change(f)
		return f
	}
	same := func(*File) {}
	if a := file(same); !a.Equal(file(same)) || !a.Equal(a) {
		t.Error("a file is another one than itself")
	}
	for i, change := range []func(f *File){
		func(f *File) { f.Version += "1" },
		func(f *File) { f.Description = "b" },
		func(f *File) { f.CFG4D = true },
		func(f *File) { f.Other = nil },
		func(f *File) { f.Windows = f.Windows[:1] },
		func(f *File) { f.Windows[0].Name = "v" },
		func(f *File) { f.Windows[1].Level = prv.LevelTask },
		func(f *File) { f.Windows[0].Other = []Line{{}} },
		func(f *File) { f.Histograms = nil },
		func(f *File) { f.Histograms[0].Control = &f.Windows[1].Window },
		func(f *File) { f.Histograms[0].Data = &f.Windows[1].Window },
		func(f *File) { f.Histograms[0].Third = &f.Windows[1].Window },
		func(f *File) { f.Histograms[0].Other = nil },
		func(f *File) { f.Histograms[0].Name = "h" },
	} {
		if a, b := file(same), file(change); a.Equal(b) || b.Equal(a) {
			t.Errorf("change %d is not seen", i)
		}
	}
}

// A derived window is not finer than its parents, if all are on one side (process or resource).
func TestLevelOfDerivedWindows(t *testing.T) {
	window := func(l prv.Level) *semantic.Window { return &semantic.Window{Level: l} }
	for _, c := range []struct{ own, a, b, want prv.Level }{
		{prv.LevelThread, prv.LevelTask, prv.LevelPtask, prv.LevelTask},
		{prv.LevelThread, prv.LevelPtask, prv.LevelTask, prv.LevelTask},
		{prv.LevelThread, prv.LevelThread, prv.LevelTask, prv.LevelThread},
		{prv.LevelPtask, prv.LevelThread, prv.LevelTask, prv.LevelPtask},
		{prv.LevelCPU, prv.LevelTask, prv.LevelTask, prv.LevelCPU},
	} {
		w := window(c.own)
		w.Derived = &semantic.Derived{}
		w.Derived.A.Window = window(c.a)
		if got := shownAt(w); got != c.own { // one parent is missing
			t.Errorf("%v with one parent is shown at %s", c, got)
		}
		w.Derived.A.Window, w.Derived.B.Window = nil, window(c.b)
		if got := shownAt(w); got != c.own {
			t.Errorf("%v with the other parent is shown at %s", c, got)
		}
		w.Derived.A.Window = window(c.a)
		if got := shownAt(w); got != c.want {
			t.Errorf("%v is shown at %s", c, got)
		}
	}
}

// What a file may write for a number, a whole number, a truth and a list of numbers.
func TestReadValues(t *testing.T) {
	for text, want := range map[string]string{"true": "true <nil>", "FALSE": "false <nil>", "1": "bad"} {
		v, err := truth(text)
		if got := fmt.Sprint(v, " ", err); got != want && !(want == "bad" && err != nil && !v) {
			t.Errorf("truth %q is %s", text, got)
		}
	}
	for text, want := range map[string]float64{"3": 3, " -3.0 ": -3, "2147483647": 2147483647,
		"-2147483647": -2147483647} {
		if v, err := integer(text); err != nil || float64(v) != want {
			t.Errorf("%q is %d, %v", text, v, err)
		}
	}
	for _, text := range []string{"2147483648", "1.5", "x", "", "NaN", "Inf"} {
		if v, err := integer(text); err == nil || v != 0 {
			t.Errorf("%q is %d, %v", text, v, err)
		}
	}
	if list, err := numbers("2 1.5 -3"); err != nil || !slices.Equal(list, []float64{1.5, -3}) {
		t.Errorf("%v, %v", list, err)
	}
	for _, text := range []string{"", "x 1", "2 1", "1 1 2", "1 x"} {
		if list, err := numbers(text); err == nil {
			t.Errorf("%q is read as %v", text, list)
		}
	}
}
