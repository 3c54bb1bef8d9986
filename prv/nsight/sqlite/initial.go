package sqlite

// Defaults of columns: the values of rows older than the column.

import (
	"encoding/hex"
	"math"
	"strconv"
	"strings"
)

// setInitial sets the value of rows that lack the column, from the words after DEFAULT.
func (c *column) setInitial(list []string) {
	for is(list, "(") {
		parts, _ := inParentheses(list)
		list = parts[0]
		if len(parts) > 1 {
			list = nil
		}
	}
	sign := ""
	for len(list) > 0 && (list[0] == "-" || list[0] == "+") {
		if list[0] == "-" {
			sign = map[string]string{"": "-", "-": ""}[sign]
		}
		list = list[1:]
	}
	if c.unknown = len(list) == 0; c.unknown {
		return
	}
	word := list[0]
	if n := len(word); n > 0 && word[n-1]|0x20 == 'e' && '0' <= word[0] && word[0] <= '9' && len(list) > 2 {
		word += list[1] + list[2]
	}
	c.initial, c.unknown = literal(sign, word)
	c.prefer()
}

// literal returns the value of a constant; unknown is set if it is not a constant.
func literal(sign, word string) (v Value, unknown bool) {
	number := v.setNumber(sign + word)
	if digits, ok := strings.CutPrefix(strings.ToLower(word), "0x"); ok && sign == "" {
		n, err := strconv.ParseUint(digits, 16, 64)
		v.setInteger(int64(n))
		return v, err != nil
	}
	switch {
	case number || strings.EqualFold(word, "null"):
	case sign != "" || strings.HasPrefix(strings.ToUpper(word), "CURRENT_"):
		return v, true
	case strings.EqualFold(word, "true"), strings.EqualFold(word, "false"):
		v.setInteger(int64(map[bool]int{true: 1}[strings.EqualFold(word, "true")]))
	case len(word) > 2 && word[0]|0x20 == 'x' && word[1] == '\'':
		b, err := hex.DecodeString(unquoted(word[1:]))
		return Value{Kind: Blob, Bytes: b}, err != nil
	default:
		v.Kind, v.Bytes = Text, []byte(unquoted(word))
	}
	return v, false
}

// setNumber sets the number in a text, and reports whether there is one.
func (v *Value) setNumber(text string) bool {
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		v.setInteger(n)
		return true
	}
	if strings.Trim(text, "0123456789.eE+-") != "" || strings.Trim(text, ".eE+-") == "" {
		return false
	}
	x, err := strconv.ParseFloat(text, 64)
	if err == nil {
		v.setReal(x)
	}
	return err == nil
}

// prefer converts the initial value to the column's preferred type.
func (c *column) prefer() {
	v := &c.initial
	switch c.affinity {
	case textAffinity:
		n, ok := v.Integer()
		if ok {
			*v = Value{Kind: Text, Bytes: strconv.AppendInt(nil, n, 10)}
		}
		c.unknown = c.unknown || v.Kind == Real
	case numericAffinity, realAffinity:
		if v.Kind == Text {
			v.setNumber(strings.TrimSpace(v.Text()))
		}
		x, ok := v.Real()
		if n, whole := v.Integer(); whole && c.affinity == realAffinity {
			v.setReal(float64(n))
		} else if ok && c.affinity == numericAffinity && x == math.Trunc(x) && math.Abs(x) < 1<<51 {
			v.setInteger(int64(x))
		}
	}
}
