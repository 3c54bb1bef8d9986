package quantity

import "fmt"

// Text is a sentence that holds its quantities: it is worded when it is read, in the units that are in use then.
type Text struct {
	format string
	args   []any
}

// Textf returns a text as of fmt.Sprintf. A quantity in it is an argument whose String method goes by the units, or
// another Text.
func Textf(format string, args ...any) Text { return Text{format, args} }

// String words the text.
func (t Text) String() string { return fmt.Sprintf(t.format, t.args...) }

// MarshalText is String, for JSON.
func (t Text) MarshalText() ([]byte, error) { return []byte(t.String()), nil }

// IsZero reports whether there is no text.
func (t Text) IsZero() bool { return t.format == "" }
