package prv

// Labels is the content of a .pcf: what the numbers of a trace are called and
// how they are coloured.
type Labels struct {
	Options    []Setting // DEFAULT_OPTIONS, in order
	Semantic   []Setting // DEFAULT_SEMANTIC, in order
	States     []ValueLabel
	Colors     []ColorEntry // STATES_COLOR: one palette for states and event values
	Types      []EventType
	Gradient   []ColorEntry // GRADIENT_COLOR
	Gradients  []ValueLabel // GRADIENT_NAMES
	stateIndex map[int64]int
	typeIndex  map[uint32]int
	colorIndex map[int64]int
}

// Setting is one line "NAME value" of the .pcf's options.
type Setting struct{ Name, Value string }

// ValueLabel names a number.
type ValueLabel struct {
	Value int64
	Label string
}

// RGB is a colour.
type RGB struct{ R, G, B uint8 }

// ColorEntry colours a number.
type ColorEntry struct {
	Value int64
	Color RGB
}

// EventType describes one event type. Types that were declared in one section
// share Values (the same slice).
type EventType struct {
	Type      uint32
	Gradient  int // first number of its line; Paraver ignores it
	Label     string
	Values    []ValueLabel
	Precision int // values stand for value * 10^-Precision
	values    map[int64]int
	Section   int // number of the EVENT_TYPE section that it stands in, from 0
}

// Names is the content of a .row: names of objects per level.
type Names struct {
	Levels [7][]string // by Level; nil where the file does not have the level
}

// Lookup returns the name of object i (0-based) of a level; ok is false where the
// .row has none, so that the caller builds one.
func (n *Names) Lookup(l Level, i int) (name string, ok bool) {
	if i < 0 || i >= len(n.Levels[l]) || n.Levels[l][i] == "" {
		return "", false
	}
	return n.Levels[l][i], true
}
