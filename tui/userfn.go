package tui

import (
	"strings"
	"unicode"

	"pview/semantic"
)

// Functions of the user's own: an expression after "=", wherever the name of a
// function may stand. "function = state == 1 && value > 0", "compose = value / 2",
// "fold = max(values)".

// expression returns what follows the "=" of a text that is an expression.
func expression(text string) (string, bool) {
	e, ok := strings.CutPrefix(strings.TrimSpace(text), "=")
	return strings.TrimSpace(e), ok
}

// completeExpression offers the variables of a family whose names begin as the last
// word of the text does.
func completeExpression(f semantic.Family, text string) []string {
	e, ok := semantic.Lookup(f, semantic.UserFunction)
	if !ok {
		return nil
	}
	at := strings.LastIndexFunc(text, func(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) }) + 1
	head, word := text[:at], text[at:]
	var list []string
	for _, v := range e.Variables {
		if strings.HasPrefix(v.Name, word) {
			list = append(list, head+v.Name)
		}
	}
	return list
}
