package tools

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// TypeRule selects events: those of a type, of a range of types, or of a type with
// certain values.
type TypeRule struct {
	First, Last uint32  // Last is First for a single type
	Values      []int64 // nil: all
	// MinCallTime is, for Filter, the minimum duration of a kept call, in the trace's unit.
	MinCallTime int64
}

// ParseTypeRules reads rules in Paraver's notation: "50000001:2,3;50000002;42000050-42000059". Types
// without values can also be separated by commas.
func ParseTypeRules(text string) (rules []TypeRule, err error) {
	for _, part := range strings.Split(text, ";") {
		types, values, valued := strings.Cut(part, ":")
		words := strings.Split(types, ",")
		for i, word := range words {
			if word = strings.TrimSpace(word); word == "" {
				if valued && i == len(words)-1 {
					return nil, fmt.Errorf("%q: the event type before the values is missing", strings.TrimSpace(part))
				}
				continue
			}
			r, err := parseTypes(word)
			if err != nil {
				return nil, err
			}
			if valued && i == len(words)-1 {
				if r.Values, err = parseValues(values); err != nil {
					return nil, err
				}
			}
			rules = append(rules, r)
		}
	}
	return rules, nil
}

// parseTypes reads "type" or "type-type".
func parseTypes(word string) (r TypeRule, err error) {
	first, last, isRange := strings.Cut(word, "-")
	if !isRange {
		last = first
	}
	a, err := strconv.ParseUint(strings.TrimSpace(first), 10, 32)
	if err == nil {
		var b uint64
		b, err = strconv.ParseUint(strings.TrimSpace(last), 10, 32)
		r.First, r.Last = uint32(a), uint32(b)
	}
	if err != nil || r.Last < r.First {
		return r, fmt.Errorf("%q is not an event type or a range such as 42000050-42000059", word)
	}
	return r, nil
}

func parseValues(text string) (values []int64, err error) {
	for _, word := range strings.Split(text, ",") {
		word = strings.TrimSpace(word)
		v, err := strconv.ParseInt(word, 10, 64)
		if err != nil { // values above 2^63-1 wrap, as in traces
			u, err := strconv.ParseUint(word, 10, 64)
			if err != nil {
				return nil, fmt.Errorf("%q is not an event value", word)
			}
			v = int64(u)
		}
		values = append(values, v)
	}
	return values, nil
}

// picks reports whether the rule picks an event.
func (r *TypeRule) picks(typ uint32, value int64) bool {
	return r.First <= typ && typ <= r.Last && (r.Values == nil || slices.Contains(r.Values, value))
}

// picked reports whether one of the rules picks an event.
func picked(rules []TypeRule, typ uint32, value int64) bool {
	for i := range rules {
		if rules[i].picks(typ, value) {
			return true
		}
	}
	return false
}
