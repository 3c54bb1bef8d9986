package tools

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"pview/prv"
)

// Moment is a time in a trace, or a stretch of it.
type Moment struct {
	Value float64
	Unit  MomentUnit
}

// MomentUnit is what a Moment's value counts.
type MomentUnit uint8

// The units of a Moment.
const (
	TraceUnits MomentUnit = iota // what the trace's times count
	Nanoseconds
	Percent // of the trace's duration
)

// End is the end of a trace, wherever that is: the header of one that is still being written does
// not know.
var End = Moment{Value: math.Inf(1)}

// momentUnits are the units that a person can write, and what they are.
var momentUnits = []struct {
	symbol string
	unit   MomentUnit
	factor float64
}{
	{"", TraceUnits, 1}, {"%", Percent, 1},
	{"ns", Nanoseconds, 1}, {"us", Nanoseconds, 1e3}, {"µs", Nanoseconds, 1e3}, {"ms", Nanoseconds, 1e6}, {"s", Nanoseconds, 1e9},
	{"min", Nanoseconds, 60e9}, {"h", Nanoseconds, 3600e9}, {"d", Nanoseconds, 86400e9},
}

// ParseMoment reads a time such as "12.5ms" or "10%"; a number alone is in the unit of the trace. Only
// a shift can be negative.
func ParseMoment(text string) (Moment, error) {
	text = strings.TrimSpace(text)
	end := strings.LastIndexAny(text, "0123456789.") + 1
	v, err := strconv.ParseFloat(text[:end], 64)
	if err == nil && !math.IsInf(v, 0) {
		symbol := strings.TrimSpace(text[end:])
		for _, u := range momentUnits {
			if u.symbol == symbol {
				return Moment{v * u.factor, u.unit}, nil
			}
		}
	}
	return Moment{}, fmt.Errorf("%q is no time such as 12.5ms (ns, us, ms, s, min, h, d), 10%%, or a number in the trace's unit", text)
}

// At returns the moment in a trace whose times are in the given unit and that ends at end. What
// is too large becomes the largest time.
func (m Moment) At(unit prv.Unit, end int64) int64 {
	v := m.Value
	switch m.Unit {
	case Nanoseconds:
		v /= float64(unit.Nanoseconds())
	case Percent:
		v *= float64(end) / 100
	}
	switch v = math.Round(v); {
	case v >= math.MaxInt64:
		return math.MaxInt64
	case v <= math.MinInt64:
		return math.MinInt64
	}
	return int64(v)
}
