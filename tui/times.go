package tui

import (
	"fmt"
	"math"
	"math/big"
	"regexp"
	"strconv"
	"strings"

	"pview/prv"
	"pview/tui/raster"
)

// Times are typed by people as "1.25s", "300us", "50%" of the run, or a bare number
// in the trace's own unit; thousands may be separated by commas. With a sign in
// front they are relative to the cursor. They are computed exactly: a run may last
// months and be recorded in nanoseconds.

var timeUnits = []struct {
	suffix string
	ns     int64
}{
	{"ns", 1}, {"us", 1e3}, {"µs", 1e3}, {"μs", 1e3}, {"ms", 1e6},
	{"min", 60e9}, {"m", 60e9}, {"h", 3600e9}, {"s", 1e9},
}

var thousands = regexp.MustCompile(`^[+-]?\d{1,3}(,\d{3})+(\.\d*)?(\D|$)`)

// parseTime reads a time in units of a trace, on an axis from 0 to end. now is what a
// sign is relative to. note says where the time is not quite what was asked for.
func parseTime(text string, unit prv.Unit, end, now int64) (t int64, note string, err error) {
	s := strings.ReplaceAll(strings.TrimSpace(text), " ", "")
	if thousands.MatchString(s) {
		s = strings.ReplaceAll(s, ",", "")
	}
	exact, err := parseSpan(s, unit, end)
	if err != nil {
		return 0, "", fmt.Errorf("%q is no time: try 1.25s, 300us, 50%% or +15ms", text)
	}
	if strings.HasPrefix(s, "+") || strings.HasPrefix(s, "-") {
		exact.Add(exact, new(big.Rat).SetInt64(now))
	}
	whole := new(big.Int).Div(exact.Num(), exact.Denom()) // rounded down: what began before is under way
	switch {
	case whole.Cmp(big.NewInt(end)) > 0:
		return end, fmt.Sprintf("%s is beyond the end, %s", text, raster.FormatDuration(end, unit)), nil
	case whole.Sign() < 0:
		return 0, text + " is before the begin", nil
	case !exact.IsInt() && !strings.HasSuffix(s, "%"):
		return whole.Int64(), fmt.Sprintf("the times of this trace are whole %s: %s", unit, raster.FormatExact(whole.Int64(), unit)), nil
	}
	return whole.Int64(), "", nil
}

// parseSpan reads a length of time in units of a trace; end is what a percentage is
// of.
func parseSpan(s string, unit prv.Unit, end int64) (*big.Rat, error) {
	factor := big.NewRat(1, 1)
	if n, ok := strings.CutSuffix(s, "%"); ok {
		s, factor = n, big.NewRat(end, 100)
	} else {
		for _, u := range timeUnits {
			if n, ok := strings.CutSuffix(s, u.suffix); ok {
				s, factor = n, big.NewRat(u.ns, unit.Nanoseconds())
				break
			}
		}
	}
	// The size is checked first: an exact 1e999999 would take some time.
	if v, err := strconv.ParseFloat(s, 64); err != nil || math.IsNaN(v) || math.Abs(v) > 1e30 || len(s) > 60 || v != 0 && math.Abs(v) < 1e-30 {
		return nil, fmt.Errorf("no number")
	}
	v, ok := new(big.Rat).SetString(s)
	if !ok {
		return nil, fmt.Errorf("no number")
	}
	return v.Mul(v, factor), nil
}
