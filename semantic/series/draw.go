package series

// DrawMode reduces the values in one cell of the screen to one.
type DrawMode uint8

// The draw modes. The zero value is Paraver's default for both axes.
const (
	Maximum DrawMode = iota
	Last
	MinimumNotZero
	MaximumAbsolute
	MinimumAbsoluteNotZero
	Random
	RandomNotZero
	Average
	AverageNotZero
	MostTime
	Minimum
	MaximumNotZero
	LastNotZero
	Proportional
	numDrawModes
)

// DrawModeEntry describes a draw mode.
type DrawModeEntry struct {
	Mode DrawMode
	Name string // as Paraver's menu spells it
	Cfg  string // as .cfg files spell it; for a mode that Paraver lacks, the nearest that it has
	Own  bool   // pview's own mode
	Doc  string
}

// DrawModes lists the draw modes in the order of Paraver's menu, with our own next to similar ones.
var DrawModes = []DrawModeEntry{
	{Last, "Last", "draw_last", false, "value of the last burst in the cell"},
	{LastNotZero, "Last not zero", "draw_last", true, "value of the last burst in the cell whose value is not 0"},
	{Maximum, "Maximum", "draw_maximum", false, "maximum: short bursts of high value stay visible"},
	{MaximumNotZero, "Maximum not zero", "draw_maximum", true, "maximum of the values other than 0"},
	{Minimum, "Minimum", "draw_minnotzero", true, "minimum: short gaps stay visible"},
	{MinimumNotZero, "Minimum not zero", "draw_minnotzero", false, "minimum of the values other than 0"},
	{MaximumAbsolute, "Maximum absolute", "draw_absolute_maximum", false, "value furthest from 0"},
	{MinimumAbsoluteNotZero, "Minimum absolute not zero", "draw_absolute_minimum", false,
		"value nearest to 0, except 0"},
	{Random, "Random", "draw_random", false, "value of a random burst"},
	{RandomNotZero, "Random not zero", "draw_randnotzero", false, "value of a random burst other than 0"},
	{Average, "Average", "draw_average", false, "mean of the bursts' values, not weighted by duration"},
	{AverageNotZero, "Average not zero", "draw_averagenotzero", false, "mean of the bursts' values other than 0"},
	{MostTime, "Mode", "draw_mode", false, "value with the most time in the cell"},
	{Proportional, "Proportional", "draw_mode", true,
		"the values of the cell share the height of the row by their time; Mode in rows of one line"},
}

var drawModeEntry = func() (t [numDrawModes]*DrawModeEntry) {
	for i := range DrawModes {
		t[DrawModes[i].Mode] = &DrawModes[i]
	}
	return t
}()

// String returns the mode's name as Paraver's menu spells it.
func (m DrawMode) String() string { return drawModeEntry[m].Name }

// Entry returns the mode's description.
func (m DrawMode) Entry() *DrawModeEntry { return drawModeEntry[m] }
