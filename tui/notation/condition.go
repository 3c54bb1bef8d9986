package notation

import (
	"fmt"
	"regexp"
	"strings"

	"pview/prv/quantity"
)

// A condition on bursts as people type it among the criteria of a filter: "duration>1ms", "duration<=5us"; a time alone
// is the minimum duration.

// DurationWord begins a condition on bursts.
const DurationWord = "duration"

var (
	burstCondition = regexp.MustCompile(`^(` + DurationWord + `)?(<=|>=|<|>)?([\d.].*)$`)
	leadingWord    = regexp.MustCompile(`^` + DurationWord + `\b`)
)

// CutConditions takes the conditions on bursts out of a filter: it returns them as an expression, "" for none, and the
// other criteria.
func CutConditions(text string) (condition, criteria string, err error) {
	var conditions, rest []string
	for _, word := range strings.Fields(text) {
		m := burstCondition.FindStringSubmatch(word)
		if m == nil && !leadingWord.MatchString(word) {
			rest = append(rest, word)
			continue
		}
		if m == nil || m[1] != "" && m[2] == "" {
			return "", "", fmt.Errorf("%q: a duration is compared, as in duration>1ms or duration<=5us", word)
		}
		if _, isTime, err := quantity.Amount(m[3]); err != nil {
			return "", "", err
		} else if !isTime {
			return "", "", fmt.Errorf("%q is no time: must have one of the units %s", m[3], quantity.Time.UnitNames())
		}
		if m[2] == "" {
			m[2] = ">"
		}
		conditions = append(conditions, DurationWord+" "+m[2]+" "+m[3])
	}
	return strings.Join(conditions, " && "), strings.Join(rest, " "), nil
}

// ConditionText writes a condition as CutConditions reads it.
func ConditionText(condition string) string {
	words := strings.Split(condition, " && ")
	for i := range words {
		words[i] = strings.ReplaceAll(words[i], " ", "")
	}
	return strings.Join(words, " ")
}
