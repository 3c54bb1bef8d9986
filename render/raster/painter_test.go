package raster

import (
	"math"
	"testing"
)

func TestGradientFunctions(t *testing.T) {
	for _, test := range []struct {
		name string
		want [3]float64 // at 0, 0.5, 1
	}{
		{"Linear", [3]float64{0, 0.5, 1}},
		{"Steps", [3]float64{0, 5.0 / 9, 1}},
		{"Logarithmic", [3]float64{0, math.Log(51) / math.Log(101), 1}},
		{"Exponential", [3]float64{math.Exp(-10), math.Exp(-5), 1}},
	} {
		found := false
		for _, f := range GradientFunctions {
			if f.Name != test.name {
				continue
			}
			found = true
			for i, x := range []float64{0, 0.5, 1} {
				if got := f.F(x); math.Abs(got-test.want[i]) > 1e-12 {
					t.Errorf("%s of %v is %v, want %v", f.Name, x, got, test.want[i])
				}
			}
		}
		if !found {
			t.Errorf("no gradient function %s", test.name)
		}
	}
}

// paraverLook has Paraver's colours of data.
var paraverLook = Look{TrueColor, UTF8, DarkTheme.AsParaver()}

func TestGradientColors(t *testing.T) {
	p := painter(paraverLook)
	p.Scale = Scale{10, 20}
	orange, olive := RGB(255, 146, 24), RGB(207, 207, 68)
	for _, test := range []struct {
		mode ColorMode
		v    float64
		want Color
	}{
		{Gradient, 10, RGB(0, 255, 2)}, {Gradient, 20, RGB(0, 0, 255)}, {Gradient, 15, RGB(0, 128, 129)},
		{Gradient, 20.001, orange}, {Gradient, 9.999, olive}, {Gradient, 0, olive},
		{Gradient, math.Inf(1), orange}, {Gradient, math.Inf(-1), olive},
		{NotNullGradient, 0, NoColor}, {NotNullGradient, 10, RGB(0, 255, 2)}, {NotNullGradient, 5, olive},
		{Gradient, Absent, NoColor}, {CodeColor, Absent, NoColor}, {CodeColor, 3, RGB(255, 0, 0)},
	} {
		p.Mode = test.mode
		if got := p.Color(test.v); got != test.want {
			t.Errorf("%v of %v is %x, want %x", ColorModes[test.mode].Name, test.v, got, test.want)
		}
	}
}

func TestEmptyScale(t *testing.T) {
	p := painter(DefaultLook)
	p.Mode, p.Scale = Gradient, Scale{5, 5}
	for v, want := range map[float64]Color{5: viridis[8], 4: DarkTheme.Below, 6: DarkTheme.Above} {
		if got := p.Color(v); got != want {
			t.Errorf("in the scale 5..5, %v is %x, want %x", v, got, want)
		}
	}
	p.Scale = Scale{}
	if got := p.Color(0); got != viridis[0] {
		t.Errorf("in the scale 0..0, 0 is %x", got)
	}
	if at := (Scale{-math.MaxFloat64, math.MaxFloat64}).At(0); at != 0.5 {
		t.Errorf("0 is at %v of the widest scale", at)
	}
}

// In 16 colours, textures distinguish states with the same colour.
func TestTexturesTellRivalsApart(t *testing.T) {
	p := painter(Look{ANSI16, UTF8, DarkTheme})
	seen := map[Cell]int{}
	for v := range len(baseColors) {
		cell := p.Cell(float64(v))
		if other, ok := seen[cell]; ok && p.Palette.Color(float64(v)) != p.Palette.Color(float64(other)) {
			t.Errorf("states %d and %d both look %+v", other, v, cell)
		}
		seen[cell] = v
	}
}

func TestFillsWithoutColor(t *testing.T) {
	for _, g := range []*Glyphs{UTF8, ASCII} {
		seen := map[rune]float64{}
		p := painter(Look{Mono, g, DarkTheme})
		for n := range 60 {
			v := float64(n)
			c := p.Cell(v)
			if other, ok := seen[c.Rune]; ok || c.FG.IsSet() || c.BG.IsSet() {
				t.Errorf("%s: %v looks like %v: %+v", g.Name, v, other, c)
			}
			seen[c.Rune] = v
		}
		if p.Cell(0).Rune != ' ' || p.Cell(1e15).Rune == ' ' || p.Cell(0.5).Rune == ' ' {
			t.Errorf("%s: the blank is not for 0 alone", g.Name)
		}
	}
}

// No value may look like none because its colour equals the terminal's.
func TestNoValueHidesInTheBackground(t *testing.T) {
	for _, theme := range []*Theme{DarkTheme, LightTheme} {
		p := painter(Look{TrueColor, UTF8, theme})
		p.Palette.Set(5, theme.Background)
		if distance(p.Color(5), theme.Background) < 30*30 {
			t.Errorf("%s: the background's colour stays %x", theme.Name, p.Color(5))
		}
	}
}

// The cache must not outlive its inputs.
func TestPainterFollowsItsSettings(t *testing.T) {
	p := painter(DefaultLook)
	before := p.Cell(1)
	p.Palette = NewPalette(nil)
	p.Palette.Set(1, RGB(1, 1, 100))
	if p.Cell(1) == before {
		t.Error("the colour of the palette before is kept")
	}
	p.ZeroIsBackground = true
	if p.Color(0).IsSet() {
		t.Error("0 is painted")
	}
	if p.Cell(-1).Rune != '-' {
		t.Error("a negative value is not marked")
	}
}
