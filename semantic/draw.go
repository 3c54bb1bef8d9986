package semantic

// DrawMode says how the values that fall into one cell of the screen become
// one.
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
	numDrawModes
)

// DrawModeEntry describes a draw mode.
type DrawModeEntry struct {
	Mode DrawMode
	Name string // as Paraver's menu spells it
	Cfg  string // as .cfg files spell it
	Doc  string
}

// DrawModes lists the draw modes in the order of Paraver's menu.
var DrawModes = []DrawModeEntry{
	{Last, "Last", "draw_last", "value of the last burst in the cell"},
	{Maximum, "Maximum", "draw_maximum", "greatest value: short bursts of high value stay visible"},
	{MinimumNotZero, "Minimum not zero", "draw_minnotzero", "least value other than 0"},
	{MaximumAbsolute, "Maximum absolute", "draw_absolute_maximum", "value that is furthest from 0"},
	{MinimumAbsoluteNotZero, "Minimum absolute not zero", "draw_absolute_minimum", "value other than 0 that is nearest to 0"},
	{Random, "Random", "draw_random", "value of a burst picked at random"},
	{RandomNotZero, "Random not zero", "draw_randnotzero", "value of a burst picked at random among those not 0"},
	{Average, "Average", "draw_average", "mean of the bursts' values, whatever their lengths"},
	{AverageNotZero, "Average not zero", "draw_averagenotzero", "mean of the bursts' values that are not 0"},
	{MostTime, "Mode", "draw_mode", "value that covers most of the cell's time"},
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
