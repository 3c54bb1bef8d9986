package expr

// Numbers with units. The language has no units: numbers with units become plain numbers before it reads the text, and
// positions in its errors are mapped back to the text as typed.

import (
	"regexp"
	"strconv"
	"unicode/utf8"

	"pview/prv/quantity"
)

// tokens finds what may hold digits: strings, names, and numbers (1) followed by a unit (2).
var tokens = regexp.MustCompile("\"(?:\\\\.|[^\"\\\\])*\"|'(?:\\\\.|[^'\\\\])*'|`[^`]*`|" +
	`[A-Za-z_]\w*|0[xXbBoO]\w+|((?:\d[\d_]*)(?:\.\d+)?(?:[eE][+-]?\d+)?|\.\d+)(?: ?([A-Za-zµμ]+))?`)

// plainText is an expression whose numbers have no units.
type plainText struct {
	text  string
	moved []shift
}

// shift is a number whose unit was replaced, so that the characters after it have moved.
type shift struct{ from, to, by int }

// withoutUnits replaces the numbers that have units. The error is an *Error.
func withoutUnits(text string, nanoseconds float64) (*plainText, error) {
	p := &plainText{}
	done, by := 0, 0
	for _, at := range tokens.FindAllStringSubmatchIndex(text, -1) {
		if at[4] < 0 {
			continue
		}
		v, isTime, err := quantity.Amount(text[at[2]:at[5]])
		if err != nil {
			if at[4] > at[3] { // a word after a blank is no unit
				continue
			}
			return nil, errorAt(text, utf8.RuneCountInString(text[:at[4]]), err.Error())
		}
		if isTime {
			v /= nanoseconds
		}
		number := strconv.FormatFloat(v, 'f', -1, 64)
		p.text += text[done:at[0]] + number
		to := utf8.RuneCountInString(p.text)
		by += len(number) - utf8.RuneCountInString(text[at[0]:at[1]])
		p.moved = append(p.moved, shift{to - len(number), to, by})
		done = at[1]
	}
	p.text += text[done:]
	return p, nil
}

// original moves an error in the plain text to its place in the original.
func (p *plainText) original(e *Error) *Error {
	text := e.Text
	e.Text = p.text
	_, at := e.Place()
	by := 0
	for _, m := range p.moved {
		switch {
		case at >= m.to:
			by = m.by
		case at >= m.from:
			at = m.from
		}
	}
	return errorAt(text, at-by, e.Why)
}

// errorAt returns an error at a character of a text.
func errorAt(text string, at int, why string) *Error {
	e := &Error{Text: text, Line: 1, Column: 1, Why: why}
	for i, r := range []rune(text) {
		if i == at {
			return e
		}
		if e.Column++; r == '\n' {
			e.Line, e.Column = e.Line+1, 1
		}
	}
	e.Column += max(at-utf8.RuneCountInString(text), 0)
	return e
}
