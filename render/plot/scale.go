package plot

import (
	"math"
	"strconv"

	"pview/insight/report/figure"
	"pview/prv/quantity"
	"pview/render/raster"
)

// Scale is an axis with its range known: it maps values to shares of the plot, 0 at the left or at the bottom.
type Scale struct {
	figure.Axis
	down bool // the first category is at the top
}

// At returns the share of the plot at which v is; shares below 0 or above 1 are out of view. It is NaN for a value that
// a logarithmic axis cannot show.
func (s Scale) At(v float64) float64 {
	share := raster.Scale{Min: s.on(s.Min), Max: s.on(s.Max)}.At(s.on(v))
	if s.down {
		return 1 - share
	}
	return share
}

// Value returns the value at a share of the plot.
func (s Scale) Value(share float64) float64 {
	if s.down {
		share = 1 - share
	}
	low, high := s.on(s.Min), s.on(s.Max)
	v := low + (high-low)*share
	if s.Log {
		return math.Pow(10, v)
	}
	return v
}

// on returns where v is on an axis that counts decades.
func (s Scale) on(v float64) float64 {
	switch {
	case !s.Log:
		return v
	case v > 0:
		return math.Log10(v)
	}
	return math.NaN()
}

// Scales returns the axes of a figure with their ranges: fixed ones, those of the categories, or those of the data with
// a little room. Rules and marks do not widen them.
func Scales(f *figure.Figure) (x, y Scale) {
	x, y = Scale{Axis: f.X}, Scale{Axis: f.Y, down: len(f.Y.Names) > 0}
	var ex, ey extent
	for i := range f.Layers {
		l := &f.Layers[i]
		shapes[l.Shape].reach(l, func(px, py float64) {
			if finite(x.on(px)) && finite(y.on(py)) {
				ex.add(px)
				ey.add(py)
			}
		})
	}
	x.span(ex, 0.02)
	y.span(ey, 0.06)
	return x, y
}

// extent is the range of some values.
type extent struct {
	min, max float64
	some     bool
}

func (e *extent) add(v float64) {
	if !e.some {
		*e = extent{v, v, true}
	}
	e.min, e.max = min(e.min, v), max(e.max, v)
}

// span sets the range of an axis without one.
func (s *Scale) span(e extent, room float64) {
	switch {
	case len(s.Names) > 0:
		s.Min, s.Max = -0.5, float64(len(s.Names))-0.5
		return
	case s.Max > s.Min:
		return
	case !e.some:
		s.Min, s.Max, s.Log = 0, 1, false
		return
	}
	if s.Zero && !s.Log {
		e.add(0)
	}
	low, high := s.on(e.min), s.on(e.max)
	by := (high - low) * room
	if by == 0 {
		by = max(math.Abs(low)*0.05, 1e-9)
		if s.Log {
			by = 0.1
		}
	}
	if low, high = low-by, high+by; s.Log {
		s.Min, s.Max = math.Pow(10, low), math.Pow(10, high)
		return
	}
	// The margin does not cross 0.
	if e.min >= 0 {
		low = max(low, 0)
	}
	if e.max <= 0 {
		high = min(high, 0)
	}
	s.Min, s.Max = low, high
}

// Tick is a labelled place of an axis.
type Tick struct {
	Value float64
	Label string
}

// Ticks returns at most about n round places in view, and the unit that the labels count; "" if the labels have their
// own units, or none.
func (s Scale) Ticks(n int) (list []Tick, unit string) {
	switch {
	case len(s.Names) > 0:
		for i, name := range s.Names {
			list = append(list, Tick{float64(i), name})
		}
		return list, ""
	case s.Log:
		return s.decades(n), ""
	}
	of := quantity.Unit{Of: 1}
	if s.Kind != nil && len(s.Kind.Shown) > 0 {
		of = s.Kind.UnitOf(max(math.Abs(s.Min), math.Abs(s.Max)))
	}
	step := figure.RoundStep((s.Max - s.Min) / of.Of / float64(max(n, 1)))
	if s.Whole {
		step = max(step, 1)
	}
	digits := max(0, -int(math.Floor(math.Log10(step)+1e-9)))
	for i := math.Ceil(s.Min/of.Of/step - 1e-9); i*step*of.Of <= s.Max+step*of.Of*1e-9; i++ {
		v := i*step + 0 // no -0
		label := strconv.FormatFloat(v, 'f', min(digits, 12), 64)
		if math.Abs(v) >= 1e6 || digits > 5 && v != 0 {
			label = quantity.FormatShort(v)
		}
		list = append(list, Tick{v * of.Of, label})
	}
	return list, of.Name
}

// decades returns 1, 2 and 5 of every decade, or only 1, or 1 of every k-th decade, so that there are at most n; never
// less than one.
func (s Scale) decades(n int) (list []Tick) {
	first, last := math.Floor(s.on(s.Min)), math.Ceil(s.on(s.Max))
	for _, try := range [...]struct {
		digits []float64
		every  float64
	}{{[]float64{1, 2, 5}, 1}, {[]float64{1, 3}, 1}, {[]float64{1}, 1}, {[]float64{1}, 2}, {[]float64{1}, 3},
		{[]float64{1}, 6}} {
		list = list[:0]
		for e := first; e <= last; e += try.every {
			for _, m := range try.digits {
				if v := m * math.Pow(10, e); v >= s.Min*(1-1e-9) && v <= s.Max*(1+1e-9) {
					list = append(list, Tick{v, s.Text(v)})
				}
			}
		}
		if len(list) <= n && len(list) > 0 {
			break
		}
	}
	return list
}

// finite reports whether v is a number.
func finite(v float64) bool { return v-v == 0 }
