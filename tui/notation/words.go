// Package notation reads what users type: functions with their parameters, filters, and queries for records, in words,
// numbers and the labels of a trace. It also writes and completes everything that it reads.
package notation

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"pview/semantic"
)

// parseNumbers reads a list of numbers: "1,3".
func parseNumbers(text string) ([]float64, error) {
	return parseList(text, func(word string) (float64, error) {
		v, err := strconv.ParseFloat(word, 64)
		if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
			return 0, fmt.Errorf("%q is not a number", word)
		}
		return v, nil
	})
}

// ParseAmounts reads a list of numbers, which may have units: times are converted to the given unit, sizes to bytes.
func ParseAmounts(text string, unit semantic.Unit) ([]float64, error) {
	return parseList(text, unit.Amount)
}

// parseList reads a list of words with commas or blanks between them.
func parseList(text string, parse func(word string) (float64, error)) ([]float64, error) {
	var list []float64
	for _, word := range strings.FieldsFunc(text, func(r rune) bool { return r == ',' || r == ' ' }) {
		v, err := parse(word)
		if err != nil {
			return nil, err
		}
		list = append(list, v)
	}
	if list == nil {
		return nil, errors.New("missing number")
	}
	return list, nil
}

// splitWords splits a text at blanks, except within double quotes, which it drops.
func splitWords(text string) ([]string, error) {
	var words []string
	var word strings.Builder
	quoted, any := false, false
	for _, r := range text {
		switch {
		case r == '"':
			quoted, any = !quoted, true
		case r == ' ' && !quoted:
			if any {
				words = append(words, word.String())
			}
			word.Reset()
			any = false
		default:
			word.WriteRune(r)
			any = true
		}
	}
	if quoted {
		return nil, errors.New(`a closing " is missing`)
	}
	if any {
		words = append(words, word.String())
	}
	return words, nil
}

// ContainsFold reports whether a part occurs in a text, in capital letters or not; "" occurs nowhere.
func ContainsFold(s, part string) bool {
	return part != "" && strings.Contains(strings.ToLower(s), strings.ToLower(part))
}
