package report

import (
	"bytes"
	"encoding/json"

	"pview/prv/wide"
)

// Object is a JSON object that keeps the order of its keys.
type Object []Field

// Field is a key of an object with its value.
type Field struct {
	Key   string
	Value any
}

// NewObject returns an object of keys and values in turn.
func NewObject(pairs ...any) Object { return Object(nil).With(pairs...) }

// With returns the object with more keys and values in turn.
func (o Object) With(pairs ...any) Object {
	for i := 0; i < len(pairs); i += 2 {
		o = append(o, Field{pairs[i].(string), pairs[i+1]})
	}
	return o
}

// MarshalJSON writes the fields in order.
func (o Object) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, f := range o {
		if i > 0 {
			b.WriteByte(',')
		}
		key, err := json.Marshal(f.Key)
		if err != nil {
			return nil, err
		}
		b.Write(key)
		b.WriteByte(':')
		e := json.NewEncoder(&b)
		e.SetEscapeHTML(false)
		if err := e.Encode(f.Value); err != nil {
			return nil, err
		}
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// OrNil returns v, or nil if it is not finite: JSON has no such numbers, and tables have empty cells.
func OrNil(v float64) any {
	if v-v != 0 {
		return nil
	}
	return v
}

// Ratio returns part / whole; 0, not -0, if either is 0.
func Ratio(part, whole int64) float64 { return RatioOf(wide.Of(part), wide.Of(whole)) }

// RatioOf is Ratio for sums over threads.
func RatioOf(part, whole wide.Int) float64 {
	if part.Sign() == 0 || whole.Sign() == 0 {
		return 0
	}
	return part.Float() / whole.Float()
}
