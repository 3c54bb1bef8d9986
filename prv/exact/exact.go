// Package exact has values that JSON changes or rejects: texts that are not UTF-8, such as file names, and numbers that
// are infinite or NaN.
package exact

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"unicode/utf8"
)

// Text is a text of any bytes. If it is not UTF-8, it is written as a list of one string in base 64.
type Text string

// MarshalJSON implements json.Marshaler.
func (t Text) MarshalJSON() ([]byte, error) {
	if utf8.ValidString(string(t)) {
		return json.Marshal(string(t))
	}
	return json.Marshal([][]byte{[]byte(t)})
}

// UnmarshalJSON implements json.Unmarshaler.
func (t *Text) UnmarshalJSON(b []byte) error {
	if len(b) == 0 || b[0] != '[' {
		return json.Unmarshal(b, (*string)(t))
	}
	var list [][]byte
	err := json.Unmarshal(b, &list)
	if len(list) == 1 {
		*t = Text(list[0])
	}
	return err
}

// Float is a number. If JSON has no number for it, it is written as a string: "+Inf", "-Inf", "NaN".
type Float float64

// MarshalJSON implements json.Marshaler.
func (f Float) MarshalJSON() ([]byte, error) {
	v := float64(f)
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return json.Marshal(strconv.FormatFloat(v, 'g', -1, 64))
	}
	return json.Marshal(v)
}

// UnmarshalJSON implements json.Unmarshaler.
func (f *Float) UnmarshalJSON(b []byte) error {
	if len(b) == 0 || b[0] != '"' {
		return json.Unmarshal(b, (*float64)(f))
	}
	var text string
	if err := json.Unmarshal(b, &text); err != nil {
		return err
	}
	v, err := strconv.ParseFloat(text, 64)
	if err != nil || !math.IsNaN(v) && !math.IsInf(v, 0) {
		return fmt.Errorf("%q is not a number", text)
	}
	*f = Float(v)
	return nil
}
