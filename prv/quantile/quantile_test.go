package quantile_test

import (
	"testing"

	"pview/prv/quantile"
)

// Of 10, 20, 30, 50 the median is at 1.5: 25. 0.9 is at 2.7: 30 + 0.7 x 20 = 44, or 30 without interpolation.
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
