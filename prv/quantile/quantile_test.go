package quantile_test

import (
	"testing"

	"pview/prv/quantile"
)

// The median of 10, 20, 30, 50 is at 1.5: 25. The quantile 0.9 is at 2.7: 30 + 0.7 x 20 = 44, or 30 without
// interpolation.
func TestQuantiles(t *testing.T) {
	list := []float64{30, 10, 50, 20}
	for _, c := range []struct{ got, want float64 }{{quantile.Median(list), 25}, {quantile.Of(list, 0.9), 44},
		{quantile.Of(list, 0), 10}, {quantile.Of(list, 1), 50}, {quantile.Median([]float64{7}), 7},
		{quantile.Median(nil), 0}, {quantile.Below([]float64{30, 10, 50, 20}, 0.9), 30},
		{quantile.Below(nil, 0.5), 0}} {
		if c.got != c.want {
			t.Errorf("%f, want %f", c.got, c.want)
		}
	}
	if list[0] != 30 {
		t.Errorf("the list is changed: %v", list)
	}
}

// Three points are on the line 2000 + 0.5 n; a fourth far from it moves nothing. Falling points have a slope of -1, or
// of 0 if that is the minimum: then At0 is their median.
func TestTheilSen(t *testing.T) {
	l := quantile.TheilSen([]float64{1000, 2000, 8000, 9000}, []float64{2500, 3000, 6000, 90000},
		[]float64{9, 9, 9, 1}, 0)
	if l.At0 != 2000 || l.Slope != 0.5 || l.Spread() != 0 || len(l.Slopes) != 6 {
		t.Errorf("%+v", l)
	}
	x, y := []float64{10, 20, 20, 30}, []float64{60, 50, 50, 40}
	if l := quantile.TheilSen(x, y, nil, -9); l.Slope != -1 || l.At0 != 70 || len(l.Slopes) != 5 {
		t.Errorf("%+v", l)
	}
	if l := quantile.TheilSen(x, y, nil, 0); l.Slope != 0 || l.At0 != 50 || l.Spread() != 5 {
		t.Errorf("%+v", l)
	}
}

// The weighted median is where half of the weight is reached: for 1, 2 and 9 with weights 1, 1 and 3 at 9.
func TestWeighted(t *testing.T) {
	for _, c := range []struct {
		list, weights []float64
		want          float64
	}{{[]float64{5}, []float64{1}, 5}, {[]float64{9, 1, 2}, []float64{3, 1, 1}, 9},
		{[]float64{9, 1, 2}, []float64{1, 1, 1}, 2}, {[]float64{3, 1}, []float64{2, 3}, 1}} {
		zero := make([]float64, len(c.list)) // all at one x: no slope, and At0 is the median
		if got := quantile.TheilSen(zero, c.list, c.weights, 0).At0; got != c.want {
			t.Errorf("%v has the median %g, want %g", c.list, got, c.want)
		}
	}
}
