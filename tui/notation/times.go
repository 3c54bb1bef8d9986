package notation

import (
	"errors"
	"fmt"
	"math/big"
	"strings"

	"pview/prv"
	"pview/prv/quantity"
	"pview/render/raster"
)

// Users type times as "1.25s", "300us", "50%" of the run, or a bare number in the trace's own unit; thousands may be
// separated by commas. With a sign in front they are relative to the cursor. They are computed exactly: a run may last
// months and be recorded in nanoseconds.

// ParseTime reads a time in units of a trace, on an axis from 0 to end. A time with a sign is relative to now. note
// says how the time differs from the request.
func ParseTime(text string, unit prv.Unit, end, now int64) (t int64, note string, err error) {
	s := strings.ReplaceAll(strings.TrimSpace(text), " ", "")
	exact, err := parseSpan(s, unit, end)
	if err != nil {
		return 0, "", fmt.Errorf("%q is not a time: try 1.25s, 300us, 50%% or +15ms", text)
	}
	if strings.HasPrefix(s, "+") || strings.HasPrefix(s, "-") {
		exact.Add(exact, new(big.Rat).SetInt64(now))
	}
	whole := new(big.Int).Div(exact.Num(), exact.Denom()) // rounded down: what began before is under way
	switch {
	case whole.Cmp(big.NewInt(end)) > 0:
		return end, fmt.Sprintf("%s is after the end, %s", text, raster.FormatDuration(end, unit)), nil
	case whole.Sign() < 0:
		return 0, text + " is before the begin", nil
	case !exact.IsInt() && !strings.HasSuffix(s, "%"):
		return whole.Int64(), fmt.Sprintf("times in this trace are whole %s: %s", unit,
			raster.FormatExact(whole.Int64(), unit)), nil
	}
	return whole.Int64(), "", nil
}

// parseSpan reads a length of time in units of a trace; a percentage is relative to end.
func parseSpan(s string, unit prv.Unit, end int64) (*big.Rat, error) {
	number, percent := strings.CutSuffix(s, "%")
	v, named, err := quantity.ExactTime(number)
	switch {
	case err != nil:
		return nil, err
	case percent && named:
		return nil, errors.New("a percentage has no unit")
	case percent:
		v.Mul(v, big.NewRat(end, 100))
	case named:
		v.Mul(v, big.NewRat(1, unit.Nanoseconds()))
	}
	return v, nil
}
