package model

import (
	"math"
	"slices"
	"testing"
	"testing/quick"
)

// A column has the appended values, even after a sort, and its first values stay unchanged.
func TestValues(t *testing.T) {
	check := func(list []int64, small []uint32) bool {
		for _, s := range small {
			list = append(list, int64(s)) // about half of them have 31 bits or less
		}
		list = append(list, 0, -1, Escape-1, Escape, math.MaxUint32, math.MaxInt64, math.MinInt64)
		v := ValuesOf(list...)
		first := v.First(len(list) / 2)
		v.Append(-5)
		grown := first
		grown.Append(-7)
		grown.Append(7)
		n := len(list) / 2
		return slices.Equal(v.All(), append(slices.Clone(list), -5)) && slices.Equal(first.All(), list[:n]) &&
			slices.Equal(grown.All(), append(slices.Clone(list[:n]), -7, 7)) && !v.Equal(&first) && v.Equal(&v)
	}
	if err := quick.Check(check, nil); err != nil {
		t.Error(err)
	}
}

// A damaged file that refers to missing large values causes no panic.
func TestValuesOfDamagedFile(t *testing.T) {
	v := Values{Small: []uint32{7, Escape + 1, math.MaxUint32}, Large: []int64{-1}}
	if got := v.All(); !slices.Equal(got, []int64{7, 0, 0}) {
		t.Errorf("%v", got)
	}
}

// BenchmarkValues reads a column with the given share of large values.
func BenchmarkValues(b *testing.B) {
	for _, how := range []struct {
		name  string
		every int
	}{{"small", 1 << 30}, {"tenth large", 10}, {"all large", 1}} {
		v := NewValues(1 << 16)
		for i := range int64(1 << 16) {
			if int(i+1)%how.every == 0 {
				i = -i - 1
			}
			v.Append(i)
		}
		b.Run(how.name, func(b *testing.B) {
			sum := int64(0)
			for b.Loop() {
				for i := range v.Small {
					sum += v.At(i)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(v.Len()), "ns/value")
		})
	}
}
