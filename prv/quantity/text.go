package quantity

import "fmt"

// Text is a sentence with quantities: it is formatted when it is read, in the units in use at that time.
type Text struct {
	format string
	args   []any
}

// Textf returns a text like fmt.Sprintf. Its quantities are arguments whose String method follows the units, or other
// Texts.
func Textf(format string, args ...any) Text { return Text{format, args} }

// String formats the text.
func (t Text) String() string { return fmt.Sprintf(t.format, t.args...) }

// MarshalText is String for JSON.
func (t Text) MarshalText() ([]byte, error) { return []byte(t.String()), nil }

// IsZero reports whether the text is empty.
func (t Text) IsZero() bool { return t.format == "" }
