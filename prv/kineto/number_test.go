package kineto

import (
	"math"
	"testing"
)

// Whole numbers, bare or as strings, up to 2^63-1 both ways.
func TestInteger(t *testing.T) {
	for text, want := range map[string]int64{"0": 0, "-0": 0, "7": 7, `"-12"`: -12,
		"9223372036854775807": math.MaxInt64, "-9223372036854775807": -math.MaxInt64, "0000000000000000001": 1} {
		if got, ok := integer([]byte(text)); !ok || got != want {
			t.Errorf("%s: %d, %v", text, got, ok)
		}
	}
	for _, text := range []string{"", "-", `""`, `"-"`, "--1", "+1", "1.0", "1e3", "x", "9223372036854775808",
		"-9223372036854775808", "10000000000000000000"} {
		if got, ok := integer([]byte(text)); ok {
			t.Errorf("%s is %d", text, got)
		}
	}
}

// Decimals are rounded half to even, at the limits of 63 bits.
func TestDecimal(t *testing.T) {
	for _, c := range []struct {
		text  string
		shift int
		want  int64
		ok    bool
	}{
		{"9223372036854775807", 0, math.MaxInt64, true}, {"9223372036854775808", 0, 0, false},
		{"-9223372036854775807", 0, -math.MaxInt64, true}, {"9223372036854775.807", 3, math.MaxInt64, true},
		{"0.5", 0, 0, true}, {"1.5", 0, 2, true}, {"2.5", 0, 2, true}, {"2.5000000000000000000001", 0, 3, true},
		{"+3", 0, 3, true}, {"-.5", 1, -5, true}, {"5.", 0, 5, true}, {".", 0, 0, false}, {"+", 0, 0, false},
		{"1e2", 0, 100, true}, {"1E+2", 0, 100, true}, {"150e-2", 0, 2, true}, {"250e-2", 0, 2, true},
		{"1e19", 0, 0, false}, {"1e18", 0, 1e18, true}, {"1e-200", 0, 0, true}, {"1e999999999999", 0, 0, false},
		{"1f2", 0, 0, false}, {"1e+", 0, 0, false}, {"1e--2", 0, 0, false}, {"1e", 0, 0, false},
		{"1800000000000000000.5", 0, 18e17, true}, {"1800000000000000001.5", 0, 18e17 + 2, true},
		{"18000000000000000001", 0, 0, false},
	} {
		if got, ok := decimal([]byte(c.text), c.shift); got != c.want || ok != c.ok {
			t.Errorf("%s with %d decimals: %d, %v, want %d, %v", c.text, c.shift, got, ok, c.want, c.ok)
		}
	}
	for text, want := range map[string]int{"1": 0, "1.25": 2, `"1.250"`: 3, "1.": 0, "1.5e3": 1} {
		if got := decimals([]byte(text)); got != want {
			t.Errorf("%s has %d decimals", text, got)
		}
	}
}

// The bytes of messages, by the type of their elements and by the sizes of a tensor.
func TestBytesOfMessages(t *testing.T) {
	for _, c := range []struct {
		elements int64
		typ      string
		want     int64
	}{{0, "Float", 0}, {1, "float", 4}, {6, "BFloat16", 12}, {-1, "float", -1}, {1 << 50, "byte", 1 << 50},
		{1<<50 + 1, "byte", -1}, {5, "unknown", -1}, {2, "c10::Half", 4}, {3, "long int", 24}} {
		if got := bytesOf(c.elements, c.typ); got != c.want {
			t.Errorf("%d of %s take %d bytes, want %d", c.elements, c.typ, got, c.want)
		}
	}
	for _, c := range []struct {
		sizes, types string
		want         int64
	}{
		{"[[2, 3], [7]]", `["float", "int"]`, 24}, {"[[0, 9]]", `["float"]`, 0}, {"[[5]]", `["?"]`, -1},
		{"[[]]", `["float"]`, -1}, {"[]", `["float"]`, -1}, {"[[2]]", "[]", -1}, {"x", `["float"]`, -1},
		{"[[2]]", "x", -1}, {"[[-2]]", `["float"]`, -1}, {"[[1073741824, 1048576]]", `["byte"]`, 1 << 50},
		{"[[1073741824, 1048577]]", `["byte"]`, -1},
	} {
		e := &event{}
		e.arg[argDimensions], e.arg[argTypes] = []byte(c.sizes), []byte(c.types)
		if got := dimensions(e); got != c.want {
			t.Errorf("%s of %s take %d bytes, want %d", c.sizes, c.types, got, c.want)
		}
	}
}
