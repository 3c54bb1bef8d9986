package tui

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"pview/prv"
)

// Times are typed by people as "1.25s", "300us", "50%" of the run, or a bare
// number in the trace's own unit; with a sign in front they are relative to the
// cursor.

var timeUnits = []struct {
	suffix string
	ns     float64
}{
	{"ns", 1}, {"us", 1e3}, {"µs", 1e3}, {"μs", 1e3}, {"ms", 1e6},
	{"min", 60e9}, {"m", 60e9}, {"h", 3600e9}, {"s", 1e9},
}

// parseTime reads a time in units of a trace that lasts duration. now is what a
// sign is relative to.
func parseTime(text string, unit prv.Unit, duration, now int64) (int64, error) {
	s := strings.ReplaceAll(strings.TrimSpace(text), " ", "")
	relative := strings.HasPrefix(s, "+") || strings.HasPrefix(s, "-")
	span, err := parseSpan(s, unit, duration)
	if err != nil {
		return 0, fmt.Errorf("%q is no time: try 1.25s, 300us, 50%% or +15ms", text)
	}
	if relative {
		span += float64(now)
	}
	return int64(math.Round(min(max(span, 0), float64(duration)))), nil
}

// parseSpan reads a length of time in units of a trace that lasts duration.
func parseSpan(s string, unit prv.Unit, duration int64) (float64, error) {
	factor := 1.0
	if n, ok := strings.CutSuffix(s, "%"); ok {
		s, factor = n, float64(duration)/100
	} else {
		for _, u := range timeUnits {
			if n, ok := strings.CutSuffix(s, u.suffix); ok {
				s, factor = n, u.ns/float64(unit.Nanoseconds())
				break
			}
		}
	}
	v, err := strconv.ParseFloat(s, 64)
	if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
		return 0, fmt.Errorf("no number")
	}
	return v * factor, nil
}
