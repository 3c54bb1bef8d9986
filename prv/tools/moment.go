package tools

import (
	"fmt"
	"math"
	"math/big"
	"strings"

	"pview/prv"
	"pview/prv/quantity"
)

// Moment is a time in a trace, or a duration.
type Moment struct {
	Value float64
	Unit  MomentUnit
	// exact is the value if it was read as text or taken from a trace: times in ns since 1970 have more digits than a
	// float64. nil: Value is exact.
	exact *big.Rat
}

// MomentUnit is the unit of a Moment's value.
type MomentUnit uint8

// The units of a Moment.
const (
	TraceUnits MomentUnit = iota // the unit of the trace's times
	Nanoseconds
	Percent // of the trace's duration
)

// End is the end of a trace, even if its header does not have it, as in a growing trace.
var End = Moment{Value: math.Inf(1)}

// TraceTime returns a time in the unit of the trace.
func TraceTime(t int64) Moment {
	return Moment{Value: float64(t), exact: new(big.Rat).SetInt64(t)}
}

// ParseMoment reads a time such as "12.5ms" or "10%"; a plain number is in the unit of the trace. Only
// a shift can be negative.
func ParseMoment(text string) (Moment, error) {
	number, percent := strings.CutSuffix(strings.TrimSpace(text), "%")
	t, named, err := quantity.ExactTime(number)
	if err != nil || percent && named {
		return Moment{}, fmt.Errorf("%q is not a time such as 12.5ms (%s), 10%%, or a number in the trace's unit", text,
			quantity.Time.UnitNames())
	}
	m := Moment{exact: t}
	m.Value, _ = t.Float64()
	switch {
	case percent:
		m.Unit = Percent
	case named:
		m.Unit = Nanoseconds
	}
	return m, nil
}

// At returns the moment, rounded to the nearest unit, in a trace with the given unit and end. Times beyond the range
// are clipped.
func (m Moment) At(unit prv.Unit, end int64) int64 {
	if math.IsInf(m.Value, 0) {
		return limit(m.Value)
	}
	v := m.exact
	if v == nil {
		v = new(big.Rat)
		v.SetFloat64(m.Value)
	}
	factor := big.NewRat(1, 1)
	switch m.Unit {
	case Nanoseconds:
		factor.SetFrac64(1, unit.Nanoseconds())
	case Percent:
		factor.SetFrac64(end, 100)
	}
	v = new(big.Rat).Mul(v, factor)
	if f, _ := v.Float64(); math.Abs(f) >= math.MaxInt64 {
		return limit(f)
	}
	return round(v)
}

// limit returns the maximum or the minimum time.
func limit(v float64) int64 {
	if v > 0 {
		return math.MaxInt64
	}
	return math.MinInt64
}

// round rounds to the nearest, halves away from 0.
func round(v *big.Rat) int64 {
	// floor((2|v| + 1) / 2)
	n := new(big.Int).Abs(v.Num())
	n.Lsh(n, 1).Add(n, v.Denom()).Quo(n, new(big.Int).Lsh(v.Denom(), 1))
	if v.Sign() < 0 {
		return -n.Int64()
	}
	return n.Int64()
}
