package semantic

import (
	"fmt"
	"strings"
)

// A window with a condition keeps the bursts that meet it and has 0 elsewhere. A condition is an expression over a
// burst, such as "duration > 1ms". It is stored as a compose function: at the lowest level if that is free, else on
// top.

// kept follows a condition in the expression of its compose function.
const kept = " ? value : 0"

// condition returns the condition of a compose function, "" if it is another function.
func (c *Call) condition() string {
	if text, ok := strings.CutSuffix(c.Expression, kept); ok && c.IsUser() {
		return text
	}
	return ""
}

// conditionCalls lists the calls that may hold a window's condition.
func (w *Window) conditionCalls() []*Call {
	list := []*Call{&w.Compose[w.levels()[0]]}
	for i := range w.Extra {
		list = append(list, &w.Extra[i])
	}
	return list
}

// Condition returns the condition of a window's bursts, "" if it keeps all.
func (w *Window) Condition() string {
	for _, c := range w.conditionCalls() {
		if text := c.condition(); text != "" {
			return text
		}
	}
	return ""
}

// SetCondition makes a window keep only the bursts that meet a condition; "" keeps all.
func (w *Window) SetCondition(text string) error {
	var call Call
	if text != "" {
		var err error
		if call, err = UserCall(ComposeFunctions, text+kept); err != nil {
			return err
		}
	}
	for i, c := range w.conditionCalls() {
		if c.condition() != "" || i == 0 && c.IsAsIs() {
			*c = call
			return nil
		}
	}
	lowest := w.levels()[0]
	switch {
	case text == "":
	case lowest == w.Level:
		w.Extra = append(w.Extra, call)
	default:
		return fmt.Errorf("bursts of a %s already have the compose function %s", lowest, w.Compose[lowest].Name)
	}
	return nil
}
