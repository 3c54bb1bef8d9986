package semantic

import (
	"fmt"
	"strings"
)

// Describe explains in words what a window shows: which functions, which
// filter.
func (w *Window) Describe() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s level", w.Level)
	for _, l := range way(w.Level) {
		fmt.Fprintf(&b, "; %s: %s", l, w.Functions[l].Name)
	}
	return b.String()
}
