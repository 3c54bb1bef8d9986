package semantic

import (
	"fmt"
	"strings"
)

// Conditions: a window keeps the bursts that meet one and has 0 elsewhere. A condition is an expression over a burst,
// such as "duration > 1ms"; it stands in a compose function, the one at the begin of the window's way if that is free.

// kept is what follows a condition in the expression of its compose function.
const kept = " ? value : 0"

// condition returns the condition of a compose function, "" if it is another function.
func (c *Call) condition() string {
	if text, ok := strings.CutSuffix(c.Expression, kept); ok && c.IsUser() {
		return text
	}
	return ""
}

// conditionCalls lists where a window's condition may stand.
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

// SetCondition makes a window keep the bursts that meet a condition, all of them for "".
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
