package figure

import (
	"fmt"
	"math"
	"testing"

	"pview/prv/quantity"
)

// An axis of categories names the nearest one, if there is one; others write the value with its unit, if it has one.
func TestAxisText(t *testing.T) {
	names, time := Axis{Names: []string{"a", "b", "c"}}, Axis{Kind: quantity.Time}
	for _, c := range []struct {
		axis Axis
		v    float64
		want string
	}{
		{names, -0.6, ""}, {names, -0.4, "a"}, {names, 0, "a"}, {names, 1.4, "b"}, {names, 2.4, "c"}, {names, 2.5, ""},
		{time, 1500, "1.5 us"}, {time, None, "-"}, {time, math.Inf(1), "-"},
		{Axis{}, 0.25, "0.25"}, {Axis{Kind: &quantity.Kind{}}, 0.25, "0.25"},
	} {
		if got := c.axis.Text(c.v); got != c.want {
			t.Errorf("%v on %v: %q, want %q", c.v, c.axis.Names, got, c.want)
		}
	}
	for _, c := range [][3]string{{"time", "us", "time (us)"}, {"", "us", "us"}, {"time", "", "time"}, {"", "", ""}} {
		if got := (Axis{Name: c[0]}).Title(c[1]); got != c[2] {
			t.Errorf("title %q, want %q", got, c[2])
		}
	}
}

// A line goes through (1, 10), (2, 14), (3, 30) and (5, 60), in any order. Points without a value are skipped, and of
// two at the same x the first counts. At 2.5 it is half way from 14 to 30, at 4 from 30 to 60.
func TestLineInAnyOrder(t *testing.T) {
	l := Layer{X: []float64{3, 1, 5, 2, 3, None, 4.5}, Y: []float64{30, 10, 60, 14, 99, 7, None}}
	for x, want := range map[float64]float64{1: 10, 1.5: 12, 2: 14, 2.5: 22, 3: 30, 4: 45, 4.5: 52.5, 5: 60} {
		if got := l.At(x); math.Abs(got-want) > 1e-12 {
			t.Errorf("at %v: %v, want %v", x, got, want)
		}
	}
	for _, x := range []float64{0.9, 5.1} {
		if got := l.At(x); !math.IsNaN(got) {
			t.Errorf("at %v: %v outside of the line", x, got)
		}
	}
	if l.Ref(4) != 4 || (&Layer{Refs: []int{7, 9}}).Ref(1) != 9 {
		t.Error("points stand for their positions, or for what they refer to")
	}
}

// The first of equal values is the greatest or the least; a column varies if these differ.
func TestExtremes(t *testing.T) {
	for _, c := range []struct {
		values          []float64
		greatest, least int
		varies          bool
	}{
		{nil, -1, -1, false},
		{[]float64{None}, -1, -1, false},
		{[]float64{5, None, 5}, 0, 0, false},
		{[]float64{None, 2, 1, 2, 1}, 1, 2, true},
		{[]float64{3, 1, 2}, 0, 1, true},
		{[]float64{1, 3, 2}, 1, 0, true},
	} {
		column := Column{Values: c.values}
		greatest, least := column.Extremes()
		if greatest != c.greatest || least != c.least || column.Varies() != c.varies {
			t.Errorf("%v: greatest at %d, least at %d, varies %v", c.values, greatest, least, column.Varies())
		}
	}
}

// The mean of 1, 3, 10 is at (0 + 2/9 + 1)/3 = 0.41 of their range, that of their logarithms at (0 + 0.48 + 1)/3 =
// 0.49, which is nearer to the middle. For 1, 5, 10 they are at 0.48 and 0.57. 4, 12, 36 differ by less than a factor
// of 10, and the means of 1 and 10 are both in the middle.
func TestLogarithmicBounds(t *testing.T) {
	for _, c := range []struct {
		values []float64
		want   bool
	}{
		{[]float64{1, 3, 10}, true}, {[]float64{100, None, 30, 10}, true}, {[]float64{1, 5, 10}, false},
		{[]float64{10, 50, 100}, false}, {[]float64{4, 12, 36}, false}, {[]float64{1, 10}, false},
		{[]float64{-1, 3, 10}, false},
	} {
		if got := (Column{Values: c.values}).Logarithmic(); got != c.want {
			t.Errorf("%v: %v", c.values, got)
		}
	}
}

// Points of a distribution refer to the positions of their values, which are in order among equal ones.
func TestDistributionRefs(t *testing.T) {
	f := Distribution(Column{Name: "x", Values: []float64{30, None, 10, 30, 20}})
	l := f.Layers[0]
	if got := fmt.Sprint(l.X, l.Y, l.Refs, f.Note, f.Y.Min, f.Y.Max); got !=
		"[10 20 30 30] [0.25 0.5 0.75 1] [2 4 0 3]4 values0 1" {
		t.Error(got)
	}
	c := Column{}
	for i := range 50 {
		c.Values = append(c.Values, float64(i%2))
	}
	for k, ref := range Distribution(c).Layers[0].Refs {
		if want := 2*(k%25) + k/25; ref != want { // 0, 2, 4 .. 48, 1, 3 .. 49
			t.Errorf("point %d refers to %d, want %d", k, ref, want)
		}
	}
}

// Bars of a histogram refer to their first values. A bar around equal values is as wide as 1 % of them. Of 0, 1 .. 999
// half lie between 249 and 749: bars are 2*500/10 = 100 wide. Bars are no wider than a fifth of the range: 1 for
// 0, 1 .. 5. They are no narrower than a sixtieth: 2 if most values are 100 and the greatest is 220.
func TestHistogramWidths(t *testing.T) {
	upTo := func(n int) (list []float64) {
		for i := range n {
			list = append(list, float64(i))
		}
		return list
	}
	for _, c := range []struct {
		values          []float64
		bars            int
		from, to, count float64 // of the first bar
		last, ref       float64 // left edge of the last bar, and what it refers to
	}{
		{[]float64{200, 200}, 1, 199, 201, 2, 199, 0},
		{[]float64{None, -200}, 1, -201, -199, 1, -201, 1},
		{[]float64{0}, 1, -0.5e-9, 0.5e-9, 1, -0.5e-9, 0},
		{upTo(1000), 10, 0, 100, 100, 900, 900},
		{upTo(6), 6, 0, 1, 1, 5, 5},
		{[]float64{100, 100, 220, 100, 100, 100, 100, 100}, 61, 100, 102, 7, 220, 2},
	} {
		l := Histogram(Column{Values: c.values}).Layers[0]
		n := len(l.X) - 1
		if n+1 != c.bars || l.X[0] != c.from || l.X2[0] != c.to || l.Y[0] != c.count || l.X[n] != c.last ||
			l.Refs[n] != int(c.ref) {
			t.Errorf("%d values: %d bars from %v: %v to %v has %v, the last refers to %v", len(c.values), n+1, l.X[n],
				l.X[0], l.X2[0], l.Y[0], l.Refs[n])
		}
	}
	if got := fmt.Sprint(Histogram(total).Layers[0].Refs); got != "[0 1 1 3 3 4 4]" {
		t.Error(got)
	}
	if f := Histogram(Column{Values: []float64{None}}); len(f.Layers) != 0 || f.Note != "0 values" {
		t.Errorf("%+v", f)
	}
}

// Of 0, 2, 0, 2 .. the widest band in view is that of the first five: 0.8 +- 2.776445 sqrt(1.2/5) = 1.360175, from
// -0.560175 to 2.160175. The view has 0.3 of this, 0.816105, above and below, if there are 20 values that differ.
func TestRunningMeanView(t *testing.T) {
	alternating, equal := Column{}, Column{}
	for i := range 20 {
		alternating.Values, equal.Values = append(alternating.Values, float64(i%2*2)), append(equal.Values, 5)
	}
	y := RunningMean(alternating).Y
	if math.Abs(y.Min+1.376280) > 1e-5 || math.Abs(y.Max-2.976280) > 1e-5 {
		t.Errorf("view from %f to %f", y.Min, y.Max)
	}
	for _, c := range []Column{equal, {Values: alternating.Values[:19]}} {
		if y := RunningMean(c).Y; y.Min != 0 || y.Max != 0 {
			t.Errorf("%d values: view from %f to %f", len(c.Values), y.Min, y.Max)
		}
	}
}

// The note has the mean; from three values on also its band: of 1, 2, 3 it is 4.302653/sqrt(3) = 2.484.
func TestRunningMeanNote(t *testing.T) {
	for _, c := range []struct {
		values []float64
		note   string
		band   string // n, below, above
	}{
		{nil, "", "[] [] []"},
		{[]float64{1}, "1 after 1", "[] [] []"},
		{[]float64{1, None, 2}, "1.5 after 2", "[] [] []"},
		{[]float64{1, 2, 3}, "2 ± 2.484 after 3", "[3] [-0.484] [4.484]"},
	} {
		f := RunningMean(Column{Values: c.values})
		band := f.Layers[0]
		if got := fmt.Sprintf("%v %.3f %.3f", band.X, band.Y, band.Y2); f.Note != c.note || got != c.band {
			t.Errorf("%v: %q, %s", c.values, f.Note, got)
		}
	}
	if got := RunningMean(Column{Values: []float64{1, None, 2}}).Layers[1].Refs; fmt.Sprint(got) != "[0 2]" {
		t.Error(got)
	}
}

// A point needs both values. A mark goes to the point of a run that has one.
func TestScatter(t *testing.T) {
	f := Scatter(Column{Name: "x", Values: []float64{1, None, 3, 4}},
		Column{Name: "y", Values: []float64{10, 20, None, 40, 50}})
	l := f.Layers[0]
	if got := fmt.Sprint(l.X, l.Y, l.Refs, " ", f.Note, ", ", f.Title); got != "[1 4] [10 40] [0 3] 2 points, y by x" {
		t.Error(got)
	}
	for _, ref := range []int{1, 3, 5} {
		f.MarkRef(ref, Mark{Name: fmt.Sprint(ref)})
	}
	if len(f.Marks) != 1 || f.Marks[0] != (Mark{X: 4, Y: 40, Name: "3"}) {
		t.Errorf("%+v", f.Marks)
	}
}

// A curve at 1.25 us is a quarter above 1 us measured, one at 0.5 us half below.
func TestMarkMeasured(t *testing.T) {
	for curve, want := range map[float64]string{
		1250: "measured at 4: 1 us, curve 1.25 us (+25.0 %)", 500: "measured at 4: 1 us, curve 500 ns (-50.0 %)"} {
		f := Figure{Y: Axis{Kind: quantity.Time}}
		f.MarkMeasured("at 4", 4, 1000, curve)
		if m := f.Marks[0]; f.Note != want || m.X != 4 || m.Y != 1000 {
			t.Errorf("%q, want %q, %+v", f.Note, want, m)
		}
	}
}

// A round step is at least the step, but for rounding; without a positive number it is 1.
func TestRoundStep(t *testing.T) {
	for _, c := range [][2]float64{{1, 1}, {1 + 5e-10, 1}, {1.1, 2}, {2, 2}, {2.1, 5}, {5, 5}, {5.1, 10}, {10, 10},
		{0.03, 0.05}, {600, 1000}, {0, 1}, {-3, 1}, {math.Inf(1), 1}, {math.Inf(-1), 1}, {None, 1}} {
		if got := RoundStep(c[0]); math.Abs(got-c[1]) > 1e-12 {
			t.Errorf("for %v: %v, want %v", c[0], got, c[1])
		}
	}
	if got := nearStep(0); got != 1 {
		t.Error(got)
	}
}

// Around 10, 12 to 15 is 5 wide; 8 to 11 and 9 to 12 are 3 wide, and stay in order. What has no value has no bar.
func TestTornado(t *testing.T) {
	f := Tornado(Column{Name: "time"}, 10, []Swing{{"a", 8, 11}, {"b", 12, 15}, {"none", None, 13}, {"c", 9, 12}})
	low, high := f.Layers[0], f.Layers[1]
	if got := fmt.Sprint(f.Y.Names, low.X, low.X2, low.Y, low.Refs); got !=
		"[b a c none] [10 10 10] [12 8 9] [0 1 2] [1 0 3]" {
		t.Error(got)
	}
	if got := fmt.Sprint(high.X, high.X2, high.Y, high.Refs); got != "[10 10 10 10] [15 11 12 13] [0 1 2 3] [1 0 3 2]" {
		t.Error(got)
	}
}

// The output of run i of 20 is 10 i, from 10 to 200. Its mean over the two lowest values of an input that goes with it
// is 15, over the two highest 195. Where the third is equal to the second it counts too: 20 and 190. An input with the
// same value everywhere has the mean of all, 105, on both sides. Runs without output do not count.
func TestInfluenceOfEqualRuns(t *testing.T) {
	output, rising, ties, constant := Column{}, Column{Name: "rising"}, Column{Name: "ties"}, Column{Name: "constant"}
	for i := range 20 {
		v := float64(i + 1)
		output.Values, rising.Values = append(output.Values, 10*v), append(rising.Values, v)
		ties.Values = append(ties.Values, min(max(v, 3), 18))
		constant.Values = append(constant.Values, 7)
	}
	output.Values = append(output.Values, None)
	for _, c := range []*Column{&rising, &ties, &constant} {
		c.Values = append(c.Values, -1, 99) // the first of these runs has no value, the other is missing
	}
	f := Influence(output, []Column{constant, ties, rising, {Name: "empty"}})
	low, high := f.Layers[0], f.Layers[1]
	if got := fmt.Sprint(f.Y.Names, f.Rules[0].At, low.X2, high.X2); got !=
		"[rising ties constant empty] 105 [15 20 105] [195 190 105]" {
		t.Error(got)
	}
}
