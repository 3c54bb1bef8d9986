package raster

import (
	"slices"
	"testing"

	"pview/prv"
	"pview/sim"
)

// vocabularies returns the states that writers of traces use.
func vocabularies() map[string]*prv.Labels {
	list := map[string]map[int64]string{
		"Extrae":  {},
		"Dimemas": {},
		"thesis":  {2: "Not created"},
		"Charm++": {0: "Idle", 1: "Running", 2: "Not created", 7: "Scheduling and Fork/Join", 14: "Tracing Disabled",
			15: "Others"},
	}
	for _, s := range sim.States {
		if s.Value != sim.StateCollectiveWork { // only with the thesis's numbers
			list["Dimemas"][int64(s.Value)] = s.Name
		}
	}
	for _, s := range prv.DefaultStates {
		list["Extrae"][s.Value] = s.Label
	}
	for _, s := range sim.States {
		list["thesis"][int64(s.Thesis)] = s.Name
	}
	all := map[string]*prv.Labels{}
	for name, states := range list {
		all[name] = &prv.Labels{}
		for v, label := range states {
			all[name].AddState(v, label)
		}
	}
	return all
}

func eachLook(t *testing.T, f func(t *testing.T, l Look, labels *prv.Labels, p *Painter)) {
	for name, labels := range vocabularies() {
		for _, theme := range []*Theme{DarkTheme, LightTheme} {
			for _, glyphs := range []*Glyphs{UTF8, ASCII} {
				for profile := Mono; profile <= TrueColor; profile++ {
					l := Look{profile, glyphs, theme}
					t.Run(name+" "+theme.Name+" "+glyphs.Name+" "+profile.String(), func(t *testing.T) {
						f(t, l, labels, &Painter{Look: l, Palette: StatePalette(labels)})
					})
				}
			}
		}
	}
}

// No two states of a legend look alike, at any number of colours: their characters differ, or their colours differ by
// more than twice 2.3, which is just noticeable side by side.
func TestStatesOfALegendDiffer(t *testing.T) {
	eachLook(t, func(t *testing.T, l Look, labels *prv.Labels, p *Painter) {
		legend := Legend{Look: l}
		for i, s := range labels.States {
			a := legend.swatch(&LegendEntry{Cell: p.Cell(float64(s.Value))})
			for _, o := range labels.States[:i] {
				b := legend.swatch(&LegendEntry{Cell: p.Cell(float64(o.Value))})
				if a.Rune == b.Rune && a.FG == b.FG && sights[0].distance(shown(l, a.BG), shown(l, b.BG)) < 4.6 {
					t.Errorf("%s and %s both look like %q %x on %x, %x", s.Label, o.Label, a.Rune, a.FG, a.BG, b.BG)
				}
			}
		}
	})
}

// shown returns a colour as the terminal shows it.
func shown(l Look, c Color) Color {
	switch {
	case !c.IsSet():
		return l.Theme.background()
	case l.Profile == ANSI256:
		return Palette256(int(c.Nearest256()))
	case l.Profile == ANSI16:
		return Palette256(int(c.Nearest16()))
	}
	return c
}

// A cell shared by two states has the looks of these two, never the colour of a third.
func TestSharedCellsShowTheirStates(t *testing.T) {
	eachLook(t, func(t *testing.T, l Look, labels *prv.Labels, p *Painter) {
		for _, s := range labels.States {
			for _, o := range labels.States {
				a, b := p.Cell(float64(s.Value)), p.Cell(float64(o.Value))
				for _, c := range []Cell{
					p.join(a, b, p.Glyphs.HalfLeft, p.Glyphs.HalfRight),
					p.quartersOf([4]Cell{a, b, b, b}), p.quartersOf([4]Cell{a, b, b, a}),
					p.mixed(float64(s.Value), second{float64(o.Value), 0.4}),
				} {
					whole := c == a || c == b
					split := a.Rune == ' ' && b.Rune == ' ' && slices.Contains([]Color{a.BG, b.BG}, c.FG) &&
						slices.Contains([]Color{a.BG, b.BG}, c.BG)
					if !whole && !split {
						t.Errorf("%s and %s share a cell that looks like %+v", s.Label, o.Label, c)
					}
				}
			}
		}
	})
}

// The low values of other windows differ, too.
func TestLowValuesDifferIn256Colors(t *testing.T) {
	p := &Painter{Look: Look{ANSI256, UTF8, DarkTheme}, Palette: ValuePalette()}
	seen := map[uint8]int{}
	for v := range lowValues {
		n := p.Cell(float64(v)).BG.Nearest256()
		if w, ok := seen[n]; ok {
			t.Errorf("values %d and %d are both colour %d", w, v, n)
		}
		seen[n] = v
	}
}
