package model

// The .pcf file: names and colours of the numbers in a trace.
//
// The grammar is current Paraver's: a keyword on its own line opens a section; surrounding blanks, tabs, blank lines
// and # lines are ignored; a section ends where the next begins. It is read leniently: a malformed line becomes a Note
// and the rest of the file is used. Numbers have 64 bits, not 32 as in Paraver.

import (
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Labels is the content of a .pcf: names and colours of the numbers of a trace.
//
// The zero value is an empty set of labels. Read the lists freely, but fill them
// with the Add functions (or ParseLabels), which keep the lookups consistent. Once
// filled, Labels are safe for concurrent reading, and no lookup allocates.
type Labels struct {
	Options   []Setting    // DEFAULT_OPTIONS, in order
	Semantic  []Setting    // DEFAULT_SEMANTIC, in order
	States    []ValueLabel // STATES, each number once
	Colors    []ColorEntry // STATES_COLOR: one palette for states and event values, each number once
	Types     []EventType  // EVENT_TYPE, each type once
	Gradient  []ColorEntry // GRADIENT_COLOR; without effect, kept for rewriting
	Gradients []ValueLabel // GRADIENT_NAMES; without effect, kept for rewriting
	Other     []Section    // unknown sections, kept for rewriting

	CallsAssumed bool // names of MPI calls are assumed to be Extrae's: the .pcf has none

	stateIndex map[int64]int
	typeIndex  map[uint32]int
	colorIndex map[int64]int
	sections   int // number of EVENT_TYPE sections so far
	merged     int // value labels copied to merge declarations, see maxMerged
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

// Section is an unknown section of the .pcf.
type Section struct {
	Name  string
	Lines []string
}

// EventType describes one event type. Types that were declared in one section
// share Values (the same slice).
type EventType struct {
	Type      uint32
	Gradient  int // first number on its line; Paraver ignores it
	Label     string
	Values    []ValueLabel // each number once
	Precision int          // values stand for value * 10^-Precision
	Section   int          // position of each number in Values; shared like Values

	values map[int64]int // position of each number in Values; shared like Values
}

// DefaultStates are the states of a trace without state labels: Extrae's. Their meanings, by name, are in package
// extrae.
var DefaultStates = []ValueLabel{
	{0, "Idle"},
	{1, "Running"},
	{2, "Not created"},
	{3, "Waiting a message"},
	{4, "Blocking Send"},
	{5, "Synchronization"},
	{6, "Test/Probe"},
	{7, "Scheduling and Fork/Join"},
	{8, "Wait/WaitAll"},
	{9, "Blocked"},
	{10, "Immediate Send"},
	{11, "Immediate Receive"},
	{12, "I/O"},
	{13, "Group Communication"},
	{14, "Tracing Disabled"},
	{15, "Others"},
	{16, "Send Receive"},
	{17, "Memory transfer"},
	{18, "Profiling"},
	{19, "On-line analysis"},
	{20, "Remote memory access"},
	{21, "Atomic memory operation"},
	{22, "Memory ordering operation"},
	{23, "Distributed locking"},
	{24, "Overhead"},
	{25, "One-sided op"},
	{26, "Startup latency"},
	{27, "Waiting links"},
	{28, "Data copy"},
	{29, "RTT"},
	{30, "Allocating memory"},
	{31, "Freeing memory"},
	{32, "Configuring accelerator"},
	{33, "Stream Registration"},
}

// DefaultTypes are the known event types of a trace without type labels: those of the original Paraver (S. Girona,
// Performance Prediction and Evaluation Tools, 2003, table 7).
var DefaultTypes = []EventType{
	{Type: 40, Label: "Block"},
	{Type: 90, Label: "Critical path"},
	{Type: 98, Label: "Semaphore wait"},
	{Type: 99, Label: "Semaphore signal"},
}

// Look-ups.

// State returns the .pcf's label of a state.
func (l *Labels) State(v int64) (string, bool) {
	i, ok := l.stateIndex[v]
	if !ok {
		return "", false
	}
	return l.States[i].Label, true
}

// Type returns the .pcf's entry of an event type. The pointer is valid until the
// next Add.
func (l *Labels) Type(t uint32) (*EventType, bool) {
	i, ok := l.typeIndex[t]
	if !ok {
		return nil, false
	}
	return &l.Types[i], true
}

// ValueLabel returns the .pcf's label of a value of the type.
func (e *EventType) ValueLabel(v int64) (string, bool) {
	i, ok := e.values[v]
	if !ok {
		return "", false
	}
	return e.Values[i].Label, true
}

// Factor returns the factor to show values or compute with them: 10^-Precision. Values are never scaled when a trace is
// written.
func (e *EventType) Factor() float64 { return math.Pow10(-e.Precision) }

// Names, with a default for every number.

// StateName returns the name of a state: from the .pcf; from DefaultStates if the trace has no state labels at all;
// else "Unknown state N", as in Paraver.
func (l *Labels) StateName(v int64) string {
	if s, ok := l.State(v); ok {
		return s
	}
	if len(l.States) == 0 && v >= 0 && v < int64(len(DefaultStates)) {
		return DefaultStates[v].Label
	}
	return "Unknown state " + strconv.FormatInt(v, 10)
}

// TypeName returns the name of an event type: from the .pcf; from DefaultTypes if the trace has no type labels at all;
// else "type N".
func (l *Labels) TypeName(t uint32) string {
	if e, ok := l.Type(t); ok && e.Label != "" {
		return e.Label
	}
	if len(l.Types) == 0 {
		for i := range DefaultTypes {
			if DefaultTypes[i].Type == t {
				return DefaultTypes[i].Label
			}
		}
	}
	return "type " + strconv.FormatUint(uint64(t), 10)
}

// ValueName returns the name of a value of an event type: from the .pcf, else "value N", where N is scaled by the
// type's precision.
func (l *Labels) ValueName(t uint32, v int64) string {
	if e, ok := l.Type(t); ok {
		if s, ok := e.ValueLabel(v); ok {
			return s
		}
		return "value " + e.Format(v)
	}
	return "value " + strconv.FormatInt(v, 10)
}

// Format returns a value of the type in decimal, scaled by the type's precision without loss: with precision 3, 12345
// is "12.345".
func (e *EventType) Format(v int64) string {
	if e.Precision <= 0 {
		return strconv.FormatInt(v, 10)
	}
	digits := strconv.FormatUint(magnitude(v), 10)
	if n := e.Precision + 1 - len(digits); n > 0 {
		digits = strings.Repeat("0", n) + digits
	}
	point := len(digits) - e.Precision
	s := digits[:point] + strings.TrimRight("."+digits[point:], "0")
	s = strings.TrimSuffix(s, ".")
	if v < 0 {
		s = "-" + s
	}
	return s
}

// magnitude returns |v|, also for the least integer.
func magnitude(v int64) uint64 {
	if v < 0 {
		return -uint64(v)
	}
	return uint64(v)
}

// Clone returns a copy to which labels can be added.
func (l *Labels) Clone() *Labels {
	c := *l
	c.Options, c.Semantic, c.States, c.Colors = slices.Clone(l.Options), slices.Clone(l.Semantic),
		slices.Clone(l.States), slices.Clone(l.Colors)
	c.Types, c.Gradient, c.Gradients, c.Other = slices.Clone(l.Types), slices.Clone(l.Gradient),
		slices.Clone(l.Gradients), slices.Clone(l.Other)
	// The lists of values are shared: adding to them creates new ones.
	c.stateIndex, c.typeIndex, c.colorIndex = maps.Clone(l.stateIndex), maps.Clone(l.typeIndex),
		maps.Clone(l.colorIndex)
	return &c
}

// Filling.

// The Add functions Clean their labels, so that they can be printed, and written and read back. An empty label is
// ignored.

// AddState names a state; a later name replaces an earlier one.
func (l *Labels) AddState(v int64, name string) {
	if l.stateIndex == nil {
		l.stateIndex = map[int64]int{}
	}
	l.States = addLabel(l.States, l.stateIndex, ValueLabel{v, name})
}

// AddColor colours a state or event value; a later colour replaces an earlier one.
func (l *Labels) AddColor(v int64, c RGB) {
	if l.colorIndex == nil {
		l.colorIndex = map[int64]int{}
	}
	if i, ok := l.colorIndex[v]; ok {
		l.Colors[i].Color = c
		return
	}
	l.colorIndex[v] = len(l.Colors)
	l.Colors = append(l.Colors, ColorEntry{v, c})
}

// AddType declares an event type with the labels of its values, in its own section.
func (l *Labels) AddType(t uint32, name string, values ...ValueLabel) {
	l.AddSection([]EventType{{Type: t, Label: name}}, values, 0)
}

// AddSection declares event types that share value labels and precision, as one EVENT_TYPE section does. Of each type
// only Type, Gradient and Label are used. A type that was declared before gets the new label and precision, and the new
// value labels in addition to the old ones, as in Paraver.
func (l *Labels) AddSection(types []EventType, values []ValueLabel, precision int) {
	l.addSection(types, values, precision)
}

// addSection is AddSection; it returns the number of types whose earlier value labels were dropped because of
// maxMerged.
func (l *Labels) addSection(types []EventType, values []ValueLabel, precision int) (dropped int) {
	if len(types) == 0 {
		return 0
	}
	if l.typeIndex == nil {
		l.typeIndex = map[uint32]int{}
	}
	shared := EventType{Precision: precision, Section: l.sections}
	shared.Values, shared.values = indexLabels(values)
	l.sections++
	for _, t := range types {
		t.Label = CleanLabel(t.Label)
		if i, ok := l.typeIndex[t.Type]; ok {
			if !l.redeclare(&l.Types[i], t, shared) {
				dropped++
			}
			continue
		}
		l.typeIndex[t.Type] = len(l.Types)
		shared.Type, shared.Gradient, shared.Label = t.Type, t.Gradient, t.Label
		l.Types = append(l.Types, shared)
	}
	return dropped
}

// maxMerged limits the value labels that are copied for redeclared types: otherwise a small hostile file could multiply
// the labels of a section by the number of its types.
const maxMerged = 1 << 20

// redeclare merges a later declaration of a type into the earlier one; it returns false if the value labels were
// replaced, not merged.
func (l *Labels) redeclare(old *EventType, t, shared EventType) bool {
	old.Gradient, old.Label = t.Gradient, t.Label
	if shared.Precision != 0 {
		old.Precision = shared.Precision
	}
	switch {
	case len(shared.Values) == 0:
	case len(old.Values) > 0 && &old.Values[0] == &shared.Values[0]: // twice in one section
	case len(old.Values) == 0:
		old.Values, old.values = shared.Values, shared.values
	case l.merged+len(old.Values)+len(shared.Values) > maxMerged:
		old.Values, old.values = shared.Values, shared.values
		return false
	default:
		l.merged += len(old.Values) + len(shared.Values)
		old.Values, old.values = indexLabels(old.Values, shared.Values)
	}
	return true
}

// indexLabels merges lists of labels into one, with the last label of each number, and returns its index.
func indexLabels(lists ...[]ValueLabel) ([]ValueLabel, map[int64]int) {
	n := 0
	for _, list := range lists {
		n += len(list)
	}
	if n == 0 {
		return nil, nil
	}
	all, index := make([]ValueLabel, 0, n), make(map[int64]int, n)
	for _, list := range lists {
		for _, v := range list {
			all = addLabel(all, index, v)
		}
	}
	return all, index
}

// addLabel appends a label, or replaces the one with the same number.
func addLabel(list []ValueLabel, index map[int64]int, v ValueLabel) []ValueLabel {
	if v.Label = CleanLabel(v.Label); v.Label == "" {
		return list
	}
	if i, ok := index[v.Value]; ok {
		list[i].Label = v.Label
		return list
	}
	index[v.Value] = len(list)
	return append(list, v)
}

// Reading.

// ParseLabels reads a .pcf. It is lenient: a malformed line is skipped and becomes a Note. There is an error only if r
// fails; the labels read so far are returned with it. Memory is bounded for any r.
func ParseLabels(file string, r io.Reader) (*Labels, []Note, error) {
	p := labelParser{textLines: newTextLines(file, r), l: &Labels{}, section: (*labelParser).beforeSections,
		afterBlank: true}
	for {
		line, ok := p.next()
		if !ok {
			break
		}
		if line != "" && line[0] != '#' {
			p.line(line)
		}
		p.afterBlank = line == ""
	}
	p.endSection()
	notes, err := p.finish()
	return p.l, notes, err
}

// labelParser is the state of reading a .pcf.
type labelParser struct {
	*textLines
	l          *Labels
	section    func(*labelParser, string) // takes a line of the open section
	afterBlank bool                       // the previous line was blank

	// The open EVENT_TYPE section.
	types     []EventType
	values    []ValueLabel
	precision int
	inValues  bool
}

// pcfSections maps the known sections of a .pcf to the functions that read their lines.
var pcfSections = map[string]func(*labelParser, string){
	"DEFAULT_OPTIONS":  func(p *labelParser, s string) { p.setting(&p.l.Options, s) },
	"DEFAULT_SEMANTIC": func(p *labelParser, s string) { p.setting(&p.l.Semantic, s) },
	"STATES":           (*labelParser).state,
	"STATES_COLOR":     (*labelParser).stateColor,
	"EVENT_TYPE":       (*labelParser).eventLine,
	"GRADIENT_COLOR":   (*labelParser).gradientColor,
	"GRADIENT_NAMES":   (*labelParser).gradientName,
}

// line reads a line that is neither blank nor a comment.
func (p *labelParser) line(s string) {
	if section, ok := pcfSections[s]; ok {
		p.endSection()
		p.section = section
		return
	}
	if p.afterBlank && s != "VALUES" && isKeyword(s) {
		p.endSection()
		p.note("unknown section %s", Quote(s))
		p.l.Other = append(p.l.Other, Section{Name: s})
		p.section = (*labelParser).otherLine
		return
	}
	p.section(p, s)
}

// isKeyword reports whether a line looks like the name of a section: one word in capitals. Other lines have two words
// or more, but a label may have been broken into two lines, so a keyword starts a section only after a blank line.
func isKeyword(s string) bool {
	for i := range len(s) {
		if c := s[i]; (c < 'A' || c > 'Z') && c != '_' {
			return false
		}
	}
	return len(s) > 1
}

// endSection closes the open section.
func (p *labelParser) endSection() {
	if len(p.types) == 0 && (p.inValues || p.precision != 0) {
		p.note("an EVENT_TYPE section without a type ends here")
	}
	if n := p.l.addSection(p.types, p.values, p.precision); n > 0 {
		p.note("%d types are declared again with too many values: only the labels of the last count", n)
	}
	p.types, p.values, p.precision, p.inValues = p.types[:0], nil, 0, false
}

func (p *labelParser) beforeSections(s string) {
	p.note("line outside of any section: %s", Quote(s))
}

func (p *labelParser) otherLine(s string) {
	o := &p.l.Other[len(p.l.Other)-1]
	o.Lines = append(o.Lines, s)
}

func (p *labelParser) setting(list *[]Setting, s string) {
	name, value := cutWord(s)
	*list = append(*list, Setting{name, value})
}

func (p *labelParser) state(s string) {
	if v, ok := p.valueLabel("state", s); ok {
		p.l.AddState(v.Value, v.Label)
	}
}

func (p *labelParser) gradientName(s string) {
	if v, ok := p.valueLabel("gradient", s); ok {
		p.l.Gradients = append(p.l.Gradients, v)
	}
}

func (p *labelParser) stateColor(s string) {
	if c, ok := p.color(s); ok {
		p.l.AddColor(c.Value, c.Color)
	}
}

func (p *labelParser) gradientColor(s string) {
	if c, ok := p.color(s); ok {
		p.l.Gradient = append(p.l.Gradient, c)
	}
}

// eventLine reads a line of an EVENT_TYPE section: types first, then VALUES and
// value labels; PRECISION anywhere.
func (p *labelParser) eventLine(s string) {
	word, rest := cutWord(s)
	switch {
	case s == "VALUES":
		p.inValues = true
	case word == "PRECISION":
		// Beyond 10^-300 a value would vanish in a double.
		n, err := strconv.ParseUint(rest, 10, 16)
		if err != nil || n > 300 {
			p.note("precision is not a number from 0 to 300: %s", Quote(rest))
			return
		}
		p.precision = int(n)
	case p.inValues:
		if v, ok := p.valueLabel("value", s); ok {
			p.values = append(p.values, v)
		}
	default:
		p.eventType(word, rest)
	}
}

// eventType reads "gradient type label", without the first word, which the caller has cut off.
func (p *labelParser) eventType(gradient, rest string) {
	number, label := cutWord(rest)
	g, err := strconv.ParseInt(gradient, 10, 32)
	if err != nil {
		p.note("an event type's line begins with a number, not %s", Quote(gradient))
		return
	}
	t, err := strconv.ParseUint(number, 10, 32)
	if err != nil {
		p.note("event type is not a number from 0 to %d: %s", uint32(math.MaxUint32), Quote(number))
		return
	}
	p.types = append(p.types, EventType{Type: uint32(t), Gradient: int(g), Label: label})
}

// valueLabel reads "number label".
func (p *labelParser) valueLabel(what, s string) (ValueLabel, bool) {
	number, label := cutWord(s)
	v, err := parseValue(number)
	if err != nil {
		p.note("%s is not a number of 64 bits: %s", what, Quote(number))
		return ValueLabel{}, false
	}
	if label == "" {
		p.note("%s %d has no label", what, v)
		return ValueLabel{}, false
	}
	return ValueLabel{v, label}, true
}

// parseValue reads a signed 64-bit number, or an unsigned one, which wraps like event values.
func parseValue(s string) (int64, error) {
	v, err := strconv.ParseInt(s, 10, 64)
	if err == nil {
		return v, nil
	}
	u, uerr := strconv.ParseUint(s, 10, 64)
	if uerr != nil {
		return 0, err
	}
	return int64(u), nil
}

// color reads "number {r,g,b}".
func (p *labelParser) color(s string) (ColorEntry, bool) {
	number, text := cutWord(s)
	v, err := parseValue(number)
	if err != nil {
		p.note("colour of what is not a number of 64 bits: %s", Quote(number))
		return ColorEntry{}, false
	}
	var rgb [3]uint8
	parts := strings.Split(strings.Trim(text, "{} "), ",")
	bad := len(parts) != 3
	for i := 0; i < 3 && !bad; i++ {
		n, err := strconv.ParseUint(strings.TrimSpace(parts[i]), 10, 8)
		bad, rgb[i] = err != nil, uint8(n)
	}
	if bad {
		p.note("colour is not of the form {r,g,b} with numbers from 0 to 255: %s", Quote(text))
		return ColorEntry{}, false
	}
	return ColorEntry{v, RGB{rgb[0], rgb[1], rgb[2]}}, true
}

// cutWord splits a line after its first word.
func cutWord(s string) (word, rest string) {
	word, rest, _ = strings.Cut(s, " ")
	return word, strings.TrimLeft(rest, " ")
}

// String returns the colour as "#rrggbb".
func (c RGB) String() string { return fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B) }

// SharesSection reports whether two types can be written in the same section.
func (e *EventType) SharesSection(o *EventType) bool {
	return e.Section == o.Section && e.Precision == o.Precision && len(e.Values) == len(o.Values) &&
		(len(e.Values) == 0 || &e.Values[0] == &o.Values[0])
}
