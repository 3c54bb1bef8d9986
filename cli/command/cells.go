package command

import (
	"strconv"
	"strings"

	"pview/prv"
)

// FiniteOrNone is a number, or nil where it is not finite.
func FiniteOrNone(v float64) any {
	if !IsFinite(v) {
		return nil
	}
	return v
}

func AsTime(v any) string { return Nanoseconds(v.(float64)) }

func Decimals(n int) func(any) string {
	return func(v any) string { return strconv.FormatFloat(v.(float64), 'f', n, 64) }
}

func AsDuration(v any) string { return Nanoseconds(float64(v.(int64))) }

func AsPercent(v any) string { return Percent(v.(float64), 1) }

// OrNone is a figure > 0, or nil where there is none.
func OrNone(v float64) any {
	if v == 0 {
		return nil
	}
	return v
}

// ObjectID returns the numbers of an object: "1.2.1" for a thread, "2.4" for a CPU of
// node 2, nothing for the workload and the system.
func ObjectID(t *prv.Trace, l prv.Level, i int) string {
	_, id, _ := strings.Cut(t.DefaultName(l, i), " ")
	return id
}
