package expr

import (
	"errors"
	"strings"
	"testing"
)

// Times become the unit that variables are in, here us: 1 ms is 1000, 2.5 us are 2.5. Sizes are bytes.
func TestUnits(t *testing.T) {
	for text, want := range map[string]float64{
		"value > 1ms":                     1, // 1500 us
		"value > 2 ms":                    0,
		"value * (value > 1ms)":           1500,
		"value - 2.5us":                   1497.5,
		"1s + 1ms":                        1_001_000,
		"64KiB + 1kB":                     66_536,
		"value in [1.5ms]":                1,
		"kind == '1ms' ? 1 : 2":           2, // no number in a string
		"max(value, 1e3 us)":              1500,
		"0x10 + 1_000":                    1016,
		"value == 1500 and event":         0,
		"len(1..3) + (3 in 1..3 ? 1 : 0)": 4,
	} {
		p, err := Compile(text, variables{}, 1000)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		var m Machine
		got, err := m.Number(p, &variables{Value: 1500, Kind: "send"})
		if err != nil || got != want || p.String() != text {
			t.Errorf("%s: %g, %v; want %g", text, got, err, want)
		}
	}
}

// An error names the place in the text as it was typed, not in the one without units: 1ms is 1000000, 4 longer.
func TestPlaceBehindUnits(t *testing.T) {
	for text, want := range map[string]struct {
		message string
		at      int
	}{
		"value > 1ms * vlaue":     {`column 15: unknown name "vlaue"; known: value, `, 14},
		"value > 1ms)":            {`column 12: ")" closes nothing`, 11},
		"value > 1mz":             {`column 10: unknown unit "mz": must be one of ns, us, ms, s, `, 9},
		"value > 1ms +\n 2us + @": {`line 2, column 8: "@" cannot stand here`, 21},
		"value > 1ms + (2s":       {`column 16: the expression is not complete`, 15},
	} {
		_, err := Compile(text, variables{}, 1)
		var e *Error
		if !errors.As(err, &e) || !strings.HasPrefix(err.Error(), want.message) {
			t.Errorf("%q: %v, want %s", text, err, want.message)
			continue
		}
		if inner, at := e.Place(); inner != text || at != want.at {
			t.Errorf("%q: at %d of %q, want %d", text, at, inner, want.at)
		}
	}
}
