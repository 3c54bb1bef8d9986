package semantic

import (
	"pview/prv"
	"pview/prv/quantity"
)

// Unit is a window's unit of time, for durations among its values and for the times that users see.
type Unit uint8

// The units, as the menus and .cfg files of Paraver have them.
const (
	Nanoseconds Unit = iota
	Microseconds
	Milliseconds
	Seconds
	Minutes
	Hours
	Days
)

// Units lists the units from the shortest to the longest.
var Units = []UnitEntry{
	{Nanoseconds, "Nanoseconds", "ns", 1},
	{Microseconds, "Microseconds", "us", 1e3},
	{Milliseconds, "Milliseconds", "ms", 1e6},
	{Seconds, "Seconds", "s", 1e9},
	{Minutes, "Minutes", "min", 60e9},
	{Hours, "Hours", "h", 3600e9},
	{Days, "Days", "d", 86400e9},
}

// UnitEntry describes a unit of time.
type UnitEntry struct {
	Unit        Unit
	Name        string // as .cfg files spell it
	Symbol      string
	Nanoseconds int64
}

// String returns the unit's symbol: "us".
func (u Unit) String() string { return Units[u].Symbol }

// Name returns the unit's name as .cfg files spell it: "Microseconds".
func (u Unit) Name() string { return Units[u].Name }

// Amount reads a number for a window: a time with its unit counts units of u, a size with its unit bytes.
func (u Unit) Amount(text string) (float64, error) {
	v, isTime, err := quantity.Amount(text)
	if isTime {
		v /= float64(Units[u].Nanoseconds)
	}
	return v, err
}

// clock converts times of a trace to a window's unit. At most one of the factors differs from 1, so that a conversion
// rounds once.
type clock struct{ mul, div float64 }

func newClock(from prv.Unit, to Unit) clock {
	f, t := from.Nanoseconds(), Units[to].Nanoseconds
	if f >= t {
		return clock{float64(f / t), 1}
	}
	return clock{1, float64(t) / float64(f)}
}

// at returns a time or duration of the trace in the window's unit.
func (c clock) at(t int64) float64 { return float64(t) * c.mul / c.div }

// perUnit returns the length of the window's unit in units of the trace.
func (c clock) perUnit() float64 { return c.div / c.mul }

// Time returns a time or duration of a trace in this unit.
func (u Unit) Time(t int64, trace prv.Unit) float64 { return newClock(trace, u).at(t) }
