package raster

import (
	"math"
	"testing"

	"pview/prv"
	"pview/prv/extrae"
)

// sight converts colours as people see them: a matrix on linear RGB (Machado, Oliveira, Fernandes 2009, severity 1).
type sight struct {
	name string
	m    [9]float64
}

var sights = []sight{
	{"all colours", [9]float64{1, 0, 0, 0, 1, 0, 0, 0, 1}},
	{"protanopia", [9]float64{0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216, -0.003882, -0.048116,
		1.051998}},
	{"deuteranopia", [9]float64{0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413, -0.011820, 0.042940,
		0.968881}},
	{"tritanopia", [9]float64{1.255528, -0.076749, -0.178779, -0.078411, 0.930809, 0.147602, 0.004733, 0.691367,
		0.303900}},
}

// lab returns the colour as seen in CIE L*a*b*.
func (s sight) lab(c Color) (lab [3]float64) {
	linear := func(v uint8) float64 {
		x := float64(v) / 255
		if x <= 0.04045 {
			return x / 12.92
		}
		return math.Pow((x+0.055)/1.055, 2.4)
	}
	r8, g8, b8 := c.RGB()
	in := [3]float64{linear(r8), linear(g8), linear(b8)}
	var rgb [3]float64
	for i := range rgb {
		rgb[i] = min(max(s.m[3*i]*in[0]+s.m[3*i+1]*in[1]+s.m[3*i+2]*in[2], 0), 1)
	}
	f := func(t float64) float64 {
		if t > 216.0/24389 {
			return math.Cbrt(t)
		}
		return (24389.0/27*t + 16) / 116
	}
	x := f((0.4124*rgb[0] + 0.3576*rgb[1] + 0.1805*rgb[2]) / 0.9505)
	y := f(0.2126*rgb[0] + 0.7152*rgb[1] + 0.0722*rgb[2])
	z := f((0.0193*rgb[0] + 0.1192*rgb[1] + 0.9505*rgb[2]) / 1.089)
	return [3]float64{116*y - 16, 500 * (x - y), 200 * (y - z)}
}

func (s sight) distance(a, b Color) float64 {
	p, q := s.lab(a), s.lab(b)
	return math.Sqrt((p[0]-q[0])*(p[0]-q[0]) + (p[1]-q[1])*(p[1]-q[1]) + (p[2]-q[2])*(p[2]-q[2]))
}

// Everybody can distinguish the meanings: a difference of 2.3 is just noticeable side by side; 17 is obvious in small
// cells.
func TestMeaningsAreToldApart(t *testing.T) {
	for _, s := range sights {
		for a, ca := range meaningColors {
			for b, cb := range meaningColors[:a] {
				if ca == nearBackground || cb == nearBackground {
					continue
				}
				if d := s.distance(ca, cb); d < 17 {
					t.Errorf("%s: %v and %v differ by %.1f", s.name, extrae.Meaning(a), extrae.Meaning(b), d)
				}
			}
		}
	}
}

// The most frequent states, useful, waiting and communicating, stand out from dark and from light backgrounds.
func TestMeaningsStandOut(t *testing.T) {
	for _, s := range sights {
		for _, m := range []extrae.Meaning{extrae.Useful, extrae.Waiting, extrae.Communicating} {
			for _, bg := range []Color{RGB(0, 0, 0), RGB(24, 24, 28), RGB(255, 255, 255)} {
				if d := s.distance(meaningColors[m], bg); d < 25 {
					t.Errorf("%s: %v differs by %.1f from %x", s.name, m, d, bg)
				}
			}
		}
	}
}

// A state has the colour of its meaning whoever wrote the trace: waiting for a message in a measured trace and in a
// predicted one, whose .pcf say 3, and a state that only Extrae's labels call idle.
func TestOneColourPerMeaning(t *testing.T) {
	measured, predicted := &prv.Labels{}, &prv.Labels{}
	for v, label := range map[int64]string{1: "Running", 3: "Waiting a message", 2: "Not created",
		13: "Group Communication", 40: "Idle"} {
		measured.AddState(v, label)
	}
	predicted.AddState(26, "Startup latency")
	m, p := StatePalette(measured), StatePalette(predicted)
	for _, v := range []float64{1, 3, 13, 12} {
		if m.Color(v) != p.Color(v) {
			t.Errorf("state %v is %x measured, %x predicted", v, m.Color(v), p.Color(v))
		}
	}
	if m.Color(1) != meaningColors[extrae.Useful] || m.Color(3) != meaningColors[extrae.Waiting] ||
		m.Color(40) != meaningColors[extrae.Idle] {
		t.Errorf("running %x, waiting %x, idle %x", m.Color(1), m.Color(3), m.Color(40))
	}
	for _, look := range []Look{DefaultLook, {TrueColor, UTF8, LightTheme}} {
		painter := Painter{Look: look, Palette: m}
		bg := look.Theme.background()
		if got := painter.Color(2); !got.IsSet() || distance(got, bg) > 60*60*3 || got == bg {
			t.Errorf("%s: not created is %x on %x", look.Theme.Name, got, bg)
		}
	}
}

// States of one meaning that Extrae writes have different shades.
func TestShadesDiffer(t *testing.T) {
	p := StatePalette(nil)
	states := extrae.StatesOf(&prv.Labels{}, extrae.Extrae)
	for v := range uint32(18) {
		for w := range v {
			if states.Meaning(v) != extrae.Absent && p.Color(float64(v)) == p.Color(float64(w)) {
				t.Errorf("states %d and %d are both %x", w, v, p.Color(float64(v)))
			}
		}
	}
}

// The steps of the gradient look alike, and get lighter: no two of nine differ by less than half of the mean.
func TestGradientIsEven(t *testing.T) {
	s := sights[0]
	last := -1.0
	for i := range 9 {
		c := onRamp(viridis, float64(i)/8)
		if light := s.lab(c)[0]; light <= last {
			t.Errorf("step %d is not lighter than the one before", i)
		} else {
			last = light
		}
		if i > 0 {
			if d := s.distance(onRamp(viridis, float64(i-1)/8), c); d < 8 || d > 45 {
				t.Errorf("step %d differs by %.1f", i, d)
			}
		}
	}
}

// Calls and functions have colours of their own, also beside those of the next numbers.
func TestValueColors(t *testing.T) {
	p := ValuePalette()
	for v := range 33 {
		for w := range v {
			if p.Color(float64(v)) == p.Color(float64(w)) {
				t.Errorf("values %d and %d have the same colour", w, v)
			}
		}
	}
}

// Values of one name have one entry in the legend, with their shares together.
func TestLegendNamesOnce(t *testing.T) {
	var g Grid
	g.Resize(Axis{End: 4, W: 4}, Layout{Rows: 1, Lines: 1})
	copy(g.V, []float64{1, 2, 2, 3})
	var l Legend
	l.Collect(&g, painter(DefaultLook), func(v float64) string {
		if v == 3 {
			return "other"
		}
		return "same"
	})
	if len(l.Entries) != 2 || l.Entries[0].Label != "same" || l.Entries[0].Share != 0.75 {
		t.Errorf("%+v", l.Entries)
	}
}

// No two of the first 170 calls or functions have one colour: MPI_Allreduce is 10, MPI_Cart_create 109. Beyond, a few
// nearly do.
func TestColorsOfValuesDiffer(t *testing.T) {
	seen := map[Color]int{}
	for v := 1; v <= 170; v++ {
		c := ValuePalette().Color(float64(v))
		if w, ok := seen[c]; ok {
			t.Errorf("%d and %d are both %x", w, v, c)
		}
		seen[c] = v
	}
}
