package quantity

import (
	"fmt"
	"math"
	"math/big"
	"regexp"
	"strconv"
	"strings"
)

// largest bounds values: larger ones would overflow when converted to integers.
const largest = 1e18

// Parse reads a number >= 0 and its unit, with or without a blank between; a number without a unit is multiplied by
// bare. Thousands may be separated: "1,500 us".
func (k *Kind) Parse(text string, bare float64) (float64, error) {
	number, name := split(text)
	factor := bare
	if name != "" {
		u, ok := k.unit(name)
		switch {
		case ok:
			factor = u.Of
		case len(k.Read) > 0:
			return 0, fmt.Errorf("unknown unit %q: must be one of %s", name, k.UnitNames())
		default:
			return 0, k.expected(text)
		}
	}
	v, err := strconv.ParseFloat(number, 64)
	if err != nil || !(v >= 0) || v*factor > largest {
		return 0, k.expected(text)
	}
	return v * factor, nil
}

// expected describes the format of a value.
func (k *Kind) expected(text string) error {
	text = strings.TrimSpace(text)
	if len(k.Read) == 0 {
		return fmt.Errorf("must be a number >= 0, not %q", text)
	}
	return fmt.Errorf("must be a number >= 0, with or without a unit (%s), not %q", k.UnitNames(), text)
}

// ParseBytes reads a size: 100, 64K or 64KiB (65,536), 64kB (64,000).
func ParseBytes(text string) (float64, error) { return Bytes.Parse(text, 1) }

// ParseTime reads a time in ns; a number without a unit is multiplied by bare.
func ParseTime(text string, bare float64) (float64, error) { return Time.Parse(text, bare) }

// ExactTime reads a time of any sign without rounding, in ns if it has a unit (named is set), else as written: a run of
// months has more nanoseconds than a float64 can represent.
func ExactTime(text string) (t *big.Rat, named bool, err error) {
	number, name := split(text)
	factor := big.NewRat(1, 1)
	if name != "" {
		u, ok := Time.unit(name)
		if !ok {
			return nil, false, fmt.Errorf("unknown unit %q: must be one of %s", name, Time.UnitNames())
		}
		factor.SetInt64(int64(u.Of))
	}
	if t, err = exactNumber(number); err != nil {
		return nil, false, err
	}
	return t.Mul(t, factor), name != "", nil
}

// Amount reads a number of any sign, which may have a unit of time or size: it is then in ns (isTime) or bytes.
func Amount(text string) (v float64, isTime bool, err error) {
	number, name := split(text)
	if v, err = strconv.ParseFloat(number, 64); err != nil {
		return 0, false, fmt.Errorf("%q is not a number", strings.TrimSpace(text))
	}
	factor := 1.0
	if name != "" {
		u, ok := Time.unit(name)
		isTime = ok
		if !ok {
			u, ok = Bytes.unit(name)
		}
		if !ok {
			return 0, false, fmt.Errorf("unknown unit %q: must be one of %s, %s", name, Time.UnitNames(),
				Bytes.UnitNames())
		}
		factor = u.Of
	}
	if !(math.Abs(v*factor) <= largest) {
		return 0, false, fmt.Errorf("%q is too large", strings.TrimSpace(text))
	}
	return v * factor, isTime, nil
}

// exactNumber reads a decimal number. It checks the size first: an exact 1e999999 takes long.
func exactNumber(s string) (*big.Rat, error) {
	v, err := strconv.ParseFloat(s, 64)
	if err != nil || math.IsNaN(v) || math.Abs(v) > 1e30 || len(s) > 60 || v != 0 && math.Abs(v) < 1e-30 {
		return nil, fmt.Errorf("must be a number, not %q", s)
	}
	r, ok := new(big.Rat).SetString(s)
	if !ok {
		return nil, fmt.Errorf("must be a number, not %q", s)
	}
	return r, nil
}

var thousands = regexp.MustCompile(`^[+-]?\d{1,3}(,\d{3})+(\.\d*)?$`)

// split separates a number from its unit.
func split(text string) (number, unit string) {
	s := strings.TrimSpace(text)
	end := strings.LastIndexAny(s, "0123456789.") + 1
	number, unit = strings.TrimSpace(s[:end]), strings.TrimSpace(s[end:])
	if thousands.MatchString(number) {
		number = strings.ReplaceAll(number, ",", "")
	}
	return number, unit
}
