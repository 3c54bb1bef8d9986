package prvtest

import (
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
)

// Values for tests that what is written reads back equal: Fill makes a value of any type, with parts that formats
// easily forget.

// Text returns a text: mostly short, of any characters; some are empty, long, or not UTF-8.
func Text(rng *rand.Rand) string {
	var b strings.Builder
	parts := []string{"\x00", "\n", "\r\n", "\t", `"`, `\`, "'", ",", ";", ":", "=", " ", "é", "e\u0301", "名前",
		"\U0001f600", "\ufeff", "\u2028", "\u202e", "\ufffd", "\x1b[2J", "</script>", "null", "NaN", "a", "1", "\xff",
		"\xe9", "\xed\xa0\x80"}
	n := rng.IntN(6)
	if rng.IntN(20) == 0 {
		n = 20000
	}
	for range n {
		b.WriteString(parts[rng.IntN(len(parts))])
	}
	return b.String()
}

// Int returns an integer: mostly small; some are the minimum, the maximum, or next to a power of 2.
func Int(rng *rand.Rand) int64 {
	switch rng.IntN(4) {
	case 0:
		return []int64{math.MinInt64, math.MinInt64 + 1, -1, 0, 1, math.MaxInt64 - 1, math.MaxInt64}[rng.IntN(7)]
	case 1:
		return int64(1)<<rng.IntN(64) + int64(rng.IntN(3)) - 1
	}
	return int64(rng.IntN(100))
}

// Float returns a number of any size, infinite or NaN.
func Float(rng *rand.Rand) float64 {
	switch rng.IntN(3) {
	case 0:
		special := []float64{math.NaN(), math.Inf(1), math.Inf(-1), math.Copysign(0, -1), math.MaxFloat64,
			math.SmallestNonzeroFloat64, 1 << 53, 0.1}
		return special[rng.IntN(len(special))]
	case 1:
		return math.Float64frombits(rng.Uint64())
	}
	return float64(rng.IntN(100))
}

// Fill sets the value that a pointer refers to, with all parts that can be set. Interfaces, and what is below more than
// five pointers, lists or maps, stay unchanged.
func Fill(rng *rand.Rand, pointer any) { fill(rng, reflect.ValueOf(pointer).Elem(), 5) }

func fill(rng *rand.Rand, v reflect.Value, depth int) {
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(rng.IntN(2) == 0)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		v.SetInt(Int(rng))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		v.SetUint(uint64(Int(rng)))
	case reflect.Float32, reflect.Float64:
		v.SetFloat(Float(rng))
	case reflect.String:
		v.SetString(Text(rng))
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Field(i).CanSet() {
				fill(rng, v.Field(i), depth)
			}
		}
	case reflect.Array:
		for i := range v.Len() {
			fill(rng, v.Index(i), depth)
		}
	case reflect.Pointer, reflect.Slice, reflect.Map:
		if depth > 0 && rng.IntN(3) > 0 {
			fillBehind(rng, v, depth-1)
		}
	}
}

// fillBehind fills a pointer, list or map with a new one that is not nil.
func fillBehind(rng *rand.Rand, v reflect.Value, depth int) {
	switch v.Kind() {
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(rng, v.Elem(), depth)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1+rng.IntN(3), 3))
		for i := range v.Len() {
			fill(rng, v.Index(i), depth)
		}
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		for range 1 + rng.IntN(3) {
			key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
			fill(rng, key, depth)
			fill(rng, value, depth)
			v.SetMapIndex(key, value)
		}
	}
}
