package semantic

import (
	"testing"

	"pview/prv"
)

// A condition is the first compose function of a window, and the meaning of the values stays.
func TestCondition(t *testing.T) {
	w := ThreadWindow("State As Is")
	if err := w.SetCondition("duration > 1ms"); err != nil || w.Condition() != "duration > 1ms" ||
		w.Meaning() != StateCodes {
		t.Errorf("%q, meaning %d, %v", w.Condition(), w.Meaning(), err)
	}
	if err := w.SetCondition("duration > 2ms"); err != nil || w.Condition() != "duration > 2ms" || len(w.Extra) != 0 {
		t.Errorf("%q, %v, %v", w.Condition(), w.Extra, err)
	}
	if err := w.SetCondition(""); err != nil || w.Condition() != "" || !w.Compose[w.Level].IsAsIs() {
		t.Errorf("%+v, %v", w.Compose[w.Level], err)
	}
	// If the compose function of threads is taken, the condition goes on top, unless the window is of tasks: there it
	// would apply to their values.
	w.Compose[w.Level] = Call{Name: "Sign"}
	if err := w.SetCondition("duration > 1ms"); err != nil || w.Condition() != "duration > 1ms" || len(w.Extra) != 1 {
		t.Errorf("%q, %v, %v", w.Condition(), w.Extra, err)
	}
	w.Extra, w.Level = nil, prv.LevelTask
	if err := w.SetCondition("duration > 1ms"); err == nil {
		t.Errorf("a condition on threads behind Sign: %q", w.Condition())
	}
	if err := w.SetCondition("duration >"); err == nil {
		t.Error("half a condition is one")
	}
}
