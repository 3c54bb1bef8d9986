package raster

import (
	"math"
	"testing"

	"pview/prv"
)

func TestCodeColors(t *testing.T) {
	labels := &prv.Labels{Colors: []prv.ColorEntry{{Value: 1, Color: prv.RGB{R: 9, G: 8, B: 7}},
		{Value: 1 << 40, Color: prv.RGB{R: 1, G: 2, B: 3}}}}
	p := NewPalette(labels)
	for _, test := range []struct {
		name  string
		value float64
		want  Color
	}{
		{"the .pcf's", 1, RGB(9, 8, 7)},
		{"the .pcf's for a large number", 1 << 40, RGB(1, 2, 3)},
		{"Paraver's idle", 0, RGB(117, 195, 255)},
		{"Paraver's waiting for a message", 3, RGB(255, 0, 0)},
		{"negative values as 0", -4, RGB(117, 195, 255)},
	} {
		if got := p.Color(test.value); got != test.want {
			t.Errorf("%s: colour of %v is %x, want %x", test.name, test.value, got, test.want)
		}
	}
}

// Every value has a colour, whatever it is, and always the same.
func TestCodeColorsAreTotal(t *testing.T) {
	p, q := NewPalette(nil), NewPalette(nil)
	for _, v := range []float64{0, 0.5, 1e-300, 63, 64, 1 << 31, 1<<53 - 1, 1 << 62, 1 << 63, math.MaxUint64, 1e300,
		math.Inf(1), math.Inf(-1), math.NaN(), Absent, -1} {
		if c := p.Color(v); !c.IsSet() || c != q.Color(v) {
			t.Errorf("colour of %v is %x, then %x", v, c, q.Color(v))
		}
	}
}

// Values that are neighbours in event tables look different.
func TestGeneratedColorsOfNeighboursDiffer(t *testing.T) {
	for n := uint64(16); n < 2000; n++ {
		for k := uint64(1); k <= 4; k++ {
			if d := distance(generated(n), generated(n+k)); d < 60*60 {
				t.Fatalf("values %d and %d are %x and %x", n, n+k, generated(n), generated(n+k))
			}
		}
	}
	// Addresses differ by round steps.
	same := 0
	for n := uint64(0); n < 100; n++ {
		if distance(generated(0x7f0000400000+n*64), generated(0x7f0000400000+(n+1)*64)) < 40*40 {
			same++
		}
	}
	if same > 10 {
		t.Errorf("%d of 100 neighbouring addresses look alike", same)
	}
}

func TestNearestColors(t *testing.T) {
	for i := range 16 {
		if got := Palette256(i).Nearest16(); int(got) != i {
			t.Errorf("named colour %d becomes %d", i, got)
		}
	}
	for i := 16; i < 256; i++ {
		if got := Palette256(int(Palette256(i).Nearest256())); distance(got, Palette256(i)) > 16*16*9 {
			t.Errorf("palette colour %d (%x) becomes %x", i, Palette256(i), got)
		}
	}
	for _, test := range []struct {
		name string
		c    Color
		want uint8
	}{
		{"orange", RGB(255, 144, 26), 3}, {"dark red", RGB(179, 0, 0), 1}, {"blue", RGB(0, 0, 255), 4},
		{"grey", RGB(120, 125, 128), 8},
	} {
		if got := test.c.Nearest16(); got != test.want {
			t.Errorf("%s becomes %d, want %d", test.name, got, test.want)
		}
	}
}

func TestAgainstCanBeSeen(t *testing.T) {
	for i := range uint64(300) {
		for _, c := range []Color{DarkTheme.Logical, DarkTheme.Physical, LightTheme.Logical, DarkTheme.Cursor} {
			bg := generated(i)
			if got := c.against(bg); distance(got, bg) < minDistance && got != bg.Contrast() {
				t.Errorf("%x on %x is %x", c, bg, got)
			}
		}
	}
}

// A window's own colours leave the other windows alone.
func TestCloneOfAPalette(t *testing.T) {
	p := NewPalette(nil)
	q := p.Clone()
	q.Set(1, RGB(9, 9, 9))
	q.Set(1<<40, RGB(8, 8, 8))
	if p.Color(1) == q.Color(1) || p.Color(1<<40) == q.Color(1<<40) || p.Color(2) != q.Color(2) {
		t.Errorf("colours of 1: %x %x, of 2^40: %x %x", p.Color(1), q.Color(1), p.Color(1<<40), q.Color(1<<40))
	}
}

// In 16 colours the states that share the colour of communicating are told apart by textures: Send Receive (10) of
// Extrae, Group Communication (13) and the others that traces of MPI have.
func TestTexturesIn16Colors(t *testing.T) {
	p := Painter{Look: Look{ANSI16, UTF8, DarkTheme}, Palette: StatePalette(nil)}
	seen := map[Cell]float64{}
	for _, v := range []float64{1, 3, 4, 5, 6, 8, 10, 11, 13, 16} {
		c := p.Cell(v)
		if w, ok := seen[c]; ok {
			t.Errorf("states %v and %v both look like %+v", w, v, c)
		}
		seen[c] = v
	}
}
