package tui

// Presets are sets of keys that a user can choose by name: keys of other programs, and other keys for the actions that
// these displace.

// A Preset is a set of keys.
type Preset struct {
	Name, Doc string
	Keys      map[string][]string // by action
}

// Presets is the table of them.
var Presets = []Preset{
	{"wasd", "w and s zoom, a and d pan, as in Perfetto", map[string][]string{
		"zoom in": {"w", "+"}, "zoom out": {"s", "-", "_"}, "pan left": {"a", "left"}, "pan right": {"d", "right"},
		"workspace table": {"ctrl+a"}, "workspace what-if": {"ctrl+p"}, "draw-mode": {"alt+g"},
		"burst next": {"ctrl+b"},
	}},
}
