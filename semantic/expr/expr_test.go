package expr

import (
	"errors"
	"math"
	"strings"
	"testing"
)

type variables struct {
	Value float64 `expr:"value" doc:"the value"`
	Event bool    `expr:"event"`
	Kind  string  `expr:"kind" doc:"what it is"`
}

func TestNumber(t *testing.T) {
	v := variables{Value: 4, Event: true, Kind: "send"}
	for text, want := range map[string]float64{
		"1":                             1,
		"value * 2 + 0.5":               8.5,
		"value ** 0.5":                  2,
		"event":                         1,
		"!event":                        0,
		"event && value > 5":            0,
		"value == 4 ? 10 : 20":          10,
		"kind == 'send' ? value : 0":    4,
		"value in [1, 4, 9]":            1,
		"max(value, 7)":                 7,
		"floor(value / 3)":              1,
		"sqrt(value) + sqrt(9)":         5,
		"log(exp(value))":               4,
		"log2(8) + log10(1000)":         6,
		"sign(-3) + sign(0) + sign(2)":  0,
		"sin(0) + cos(0) + atan(value)": 1 + math.Atan(4),
		"value / 0":                     math.Inf(1),
		"let x = value * 2; x * x":      64,
		"abs(-value) % 3":               math.NaN(), // % is of integers: see below
	} {
		p, err := Compile(text, variables{}, 1)
		if strings.Contains(text, "%") {
			if err == nil {
				t.Errorf("%s: compiled", text)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		var m Machine
		for range 2 {
			if got, err := m.Number(p, &v); err != nil || got != want {
				t.Errorf("%s: %g, %v; want %g", text, got, err, want)
			}
		}
	}
}

// TestErrors: an error names the position and the reason.
func TestErrors(t *testing.T) {
	for _, c := range []struct {
		text, want string
	}{
		{"", "column 1: the expression is not complete"},
		{"value +", "column 7: the expression is not complete"},
		{"value = 3", `column 7: "=" compares nothing: == compares`},
		{"value & 3", `column 7: "&" is no operator: && is and`},
		{"value == 3)", `column 11: ")" closes nothing`},
		{"3 value", `column 3: "value" cannot stand here`},
		{"@value", `column 1: "@" cannot stand here`},
		{"'abc", "column 5: a closing quote is missing"},
		{"value + vlaue", `column 9: unknown name "vlaue"; known: value, `},
		{"1 +\n  vlaue", `line 2, column 3: unknown name "vlaue"; known: value, `},
		{"value(5)", `column 1: "value" is no function; functions: abs(), `},
		{"kind", "column 1: the expression gives a string, not a number"},
		{"value + kind", "column 7: + does not go with a number and a string"},
		{"sqrt(kind)", "column 6: sqrt takes a number, not a string"},
		{"sqrt(1, 2)", "column 1: sqrt has too many arguments"},
		{"now()", `column 1: unknown name "now"; known: `},
		{"len(kind) > 'a'", "column 11: > does not go with a number and a string"},
	} {
		_, err := Compile(c.text, variables{}, 1)
		var e *Error
		if !errors.As(err, &e) || !strings.HasPrefix(err.Error(), c.want) || e.Text != c.text {
			t.Errorf("%q: %v, want %q", c.text, err, c.want)
		}
	}
}

// TestBounded: an expression can neither grow nor run without end.
func TestBounded(t *testing.T) {
	if _, err := Compile(strings.Repeat("1+value+", 20_000)+"1", variables{}, 1); err == nil {
		t.Error("an expression of 40000 terms compiled")
	}
	for _, text := range []string{"len(1..int(value))", "len(map(1..1000000000, # * 2))",
		"len(repeat('abc', 1000000000))"} {
		p, err := Compile(text, variables{}, 1)
		if err != nil {
			continue
		}
		var m Machine
		if v, err := m.Number(p, &variables{Value: 1e9}); err == nil {
			t.Errorf("%s: %g", text, v)
		}
	}
}

func TestVariables(t *testing.T) {
	got := Variables(&variables{})
	want := []Variable{{"value", "the value"}, {"event", ""}, {"kind", "what it is"}}
	if len(got) != 3 || got[0] != want[0] || got[1] != want[1] || got[2] != want[2] {
		t.Errorf("%v, want %v", got, want)
	}
}

func BenchmarkNumber(b *testing.B) {
	p, err := Compile("event && value > 2 ? value * 2 : 0", variables{}, 1)
	if err != nil {
		b.Fatal(err)
	}
	var m Machine
	v := variables{Value: 3, Event: true}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := m.Number(p, &v); err != nil {
			b.Fatal(err)
		}
	}
}
