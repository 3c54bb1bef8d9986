// The colours of pview's own theme: one for each meaning of a state, whoever wrote the trace, and shades of it for
// states with the same meaning; calm, and distinguishable with colour-vision deficiencies. So a measured and a
// predicted run can be compared at a glance. Other values (calls, functions) have colours from a similar list.

package raster

import (
	"math"
	"slices"

	"pview/prv"
	"pview/prv/extrae"
)

// nearBackground represents, in a palette, a colour near the terminal's background; nearBackground+1 and so on are
// further from it.
const nearBackground Color = 1 << 25

// meaningColors are the colours of the meanings. They differ in lightness as well as in hue.
var meaningColors = [...]Color{
	extrae.Unknown:       RGB(137, 125, 112),
	extrae.Useful:        RGB(66, 133, 190),
	extrae.Idle:          RGB(84, 94, 108),
	extrae.Waiting:       RGB(196, 78, 58),
	extrae.Communicating: RGB(232, 176, 84),
	extrae.Ready:         RGB(194, 175, 223),
	extrae.Overhead:      RGB(153, 191, 181),
	extrae.IO:            RGB(90, 195, 127),
	extrae.Absent:        nearBackground,
}

// meaningHues are the colours of the meanings among the 16 named ones.
var meaningHues = [...][]uint8{
	extrae.Unknown:       {7, 15},
	extrae.Useful:        {4, 12},
	extrae.Idle:          {8},
	extrae.Waiting:       {1, 9},
	extrae.Communicating: {3, 11},
	extrae.Ready:         {5, 13},
	extrae.Overhead:      {6, 14},
	extrae.IO:            {2, 10},
	extrae.Absent:        {0},
}

// shadeOf distinguishes states with the same meaning, by number: below 0 towards black, above towards white. States
// that different writers name alike have the same number. No two states of a writer look alike.
var shadeOf = map[uint32]float64{
	4: 0.22, 5: -0.24, 6: -0.4, 7: -0.09, 8: 0.25, 9: -0.42, 10: 0.5, 11: -0.52, 12: 0.13, 14: 0.64, 16: -0.15,
	17: 0.61, 18: 0.68, 19: -0.52, 20: -0.08, 21: -0.3, 22: -0.23, 23: 0.4, 24: 0.48, 25: 0.41, 26: 0.1, 27: 0.33,
	28: -0.46, 29: 0.31, 30: 0.24, 31: -0.21, 32: -0.29, 33: -0.44,
}

// StatePalette returns the palette of a trace's states by meaning. labels may be nil.
func StatePalette(labels *prv.Labels) *Palette {
	if labels == nil {
		labels = &prv.Labels{}
	}
	p := ValuePalette()
	meanings := extrae.StatesOf(labels, extrae.Auto)
	absent := nearBackground
	for v := range uint32(lowValues) {
		meaning := meanings.Meaning(v)
		p.low[v], p.hues[v] = stateColor(meaning, v), meaningHues[meaning]
		if meaning == extrae.Absent {
			p.low[v] = absent
			absent++
		}
	}
	p.order = choiceOrder(labels)
	for _, s := range labels.States {
		if s.Value >= lowValues && s.Value <= math.MaxUint32 {
			p.other[s.Value] = stateColor(meanings.Meaning(uint32(s.Value)), uint32(s.Value))
		}
	}
	return p
}

// choiceOrder returns the low states in the order in which they choose their looks: the trace's states first, and among
// these the ones that most programs have.
func choiceOrder(labels *prv.Labels) []int {
	rank := func(v int) int {
		if _, ok := labels.State(int64(v)); !ok && len(labels.States) > 0 {
			return v + lowValues
		}
		if i := slices.Index(mostUsed[:], v); i >= 0 {
			return i - len(mostUsed)
		}
		return v
	}
	list := make([]int, lowValues)
	for v := range list {
		list[v] = v
	}
	slices.SortFunc(list, func(a, b int) int { return rank(a) - rank(b) })
	return list
}

// mostUsed are the states that get plain colours when colours are few: group communication, waiting for a message,
// Wait, immediate send and receive.
var mostUsed = [...]int{13, 3, 8, 10, 11}

func stateColor(meaning extrae.Meaning, v uint32) Color {
	c := meaningColors[meaning]
	if c == nearBackground {
		return c
	}
	switch shade := shadeOf[v]; {
	case shade < 0:
		return c.Blend(RGB(0, 0, 0), -shade)
	case shade > 0:
		return c.Blend(RGB(255, 255, 255), shade)
	}
	return c
}

// valueColors are the colours of 1, 2, 3 and so on.
var valueColors = [...]Color{
	RGB(102, 153, 204), RGB(221, 170, 85), RGB(68, 170, 153), RGB(204, 102, 119), RGB(170, 136, 204), RGB(153, 170, 68),
	RGB(136, 204, 238), RGB(187, 119, 85), RGB(238, 170, 187), RGB(96, 132, 116), RGB(221, 204, 119),
}

// ValuePalette returns the palette of values that are not states: calls, functions, numbers.
func ValuePalette() *Palette {
	p := &Palette{other: map[int64]Color{}, calm: true}
	for v := range uint64(lowValues) {
		p.low = append(p.low, p.generated(v))
	}
	return p
}

// calmColor returns the colour of a number without a chosen one: from the list, then its darker and lighter colours,
// then any similar hue, so that the calls of a trace differ.
func calmColor(n uint64) Color {
	if n == 0 {
		return meaningColors[extrae.Idle]
	}
	k := uint64(len(valueColors))
	c := valueColors[(n-1)%k]
	switch (n - 1) / k {
	case 0:
		return c
	case 1:
		return c.Blend(RGB(0, 0, 0), 0.3)
	case 2:
		return c.Blend(RGB(255, 255, 255), 0.35)
	}
	if n > 1<<20 {
		n = mix(n)
	}
	const golden = 0.6180339887498949
	_, hue := math.Modf(float64(n%(1<<20)) * golden)
	return hsl(hue, [...]float64{0.45, 0.3}[n/3%2], [...]float64{0.62, 0.45, 0.76}[n%3])
}

// viridis is a scale with perceptually equal steps, with any number of colours: S. van der Walt and N. Smith,
// matplotlib.
var viridis = []Color{
	RGB(0x44, 0x01, 0x54), RGB(0x47, 0x2d, 0x7b), RGB(0x3b, 0x52, 0x8b), RGB(0x2c, 0x72, 0x8e), RGB(0x21, 0x91, 0x8c),
	RGB(0x28, 0xae, 0x80), RGB(0x5e, 0xc9, 0x62), RGB(0xad, 0xdc, 0x30), RGB(0xfd, 0xe7, 0x25),
}

// Ramps of the gradients: the greatest value stands out most from the background.
var (
	darkRamp    = viridis
	lightRamp   = func() []Color { r := slices.Clone(viridis); slices.Reverse(r); return r }()
	paraverRamp = []Color{RGB(0, 255, 2), RGB(0, 0, 255)} // as in Paraver
)

// onRamp returns the colour at x, 0..1.
func onRamp(ramp []Color, x float64) Color {
	at := min(max(x, 0), 1) * float64(len(ramp)-1)
	i := min(int(at), len(ramp)-2)
	return ramp[i].Blend(ramp[i+1], at-float64(i))
}
