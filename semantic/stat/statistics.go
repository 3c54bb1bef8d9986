package stat

import (
	"slices"
	"strings"
)

// Statistic is a function that computes the cells of a histogram.
type Statistic struct {
	Name    string   // as Paraver spells it
	Aliases []string // other spellings
	Doc     string   // one line: the formula
	// Comms marks statistics of communications, whose columns are partners.
	Comms bool
	// Receives: they count the messages that a row receives; otherwise those that it sends.
	Receives bool
	Own      bool // not one of Paraver's
	kind     unitKind

	value func(c *sums, x *frame) float64
	comm  func(c *commSums, x *frame) float64
	// undefined, if not nil, reports a cell that reads 0 because the statistic is undefined, such as a mean of nothing.
	undefined func(c *sums, x *frame) bool
}

// Statistics returns the statistics in the order of Paraver's menus. In the formulas, values are those of the data
// window, and durations those of pieces: the part of a burst of the data window that lies in one burst of the control
// window (and of the third window) and in the range.
func Statistics() []Statistic { return slices.Clone(statistics) }

var statistics = []Statistic{
	{Name: "Time", Doc: "total duration", kind: controlTime,
		value: func(c *sums, x *frame) float64 { return x.control.of(c.time) }},
	{Name: "% Time", Doc: "100 * duration / the row's duration over all columns", kind: percent,
		value: func(c *sums, x *frame) float64 { return share(c.time, x.time) }},
	{Name: "% Time Not Zero", Doc: "as % Time, without bursts in which the control window is 0", kind: percent,
		value:     func(c *sums, x *frame) float64 { return share(c.timeNot0, x.timeNot0) },
		undefined: func(_ *sums, x *frame) bool { return x.timeNot0 == 0 }},
	{Name: "% Window Time", Doc: "100 * duration / length of the range", kind: percent,
		value: func(c *sums, x *frame) float64 { return share(c.time, x.length) }},
	{Name: "# Bursts", Doc: "number of pieces", kind: number,
		value: func(c *sums, _ *frame) float64 { return float64(c.n) }},
	{Name: "% # Bursts", Doc: "100 * number of pieces / the row's number of pieces over all columns", kind: percent,
		value: func(c *sums, x *frame) float64 { return share(float64(c.n), float64(x.n)) }},
	{Name: "Integral", Doc: "sum of |value| * duration", kind: dataTimesTime,
		value: func(c *sums, x *frame) float64 { return c.absolute }},
	{Name: "Average value", Doc: "sum of value * duration / total duration", kind: dataValue,
		value: func(c *sums, _ *frame) float64 { return ratio(c.integral, c.time) }},
	{Name: "Maximum", Doc: "greatest value", kind: dataValue,
		value: func(c *sums, _ *frame) float64 { return c.max }},
	{Name: "Minimum", Doc: "least value", kind: dataValue,
		value: func(c *sums, _ *frame) float64 { return c.min }},
	{Name: "Average Burst Time", Doc: "total duration / number of pieces", kind: controlTime,
		value: func(c *sums, x *frame) float64 { return x.control.of(c.time) / float64(c.n) }},
	{Name: "Stdev Burst Time", Doc: "standard deviation of durations (of the population)", kind: controlTime,
		value: func(c *sums, _ *frame) float64 { return c.stdev() }},
	{Name: "Average per Burst", Doc: "sum of values / number of pieces", kind: dataValue,
		value: func(c *sums, _ *frame) float64 { return c.sum / float64(c.n) }},
	{Name: "Average value != 0", Doc: "sum of value * duration / time in which it is not 0; 0 if never",
		kind:  dataValue,
		value: func(c *sums, _ *frame) float64 { return ratio(c.integral, c.timeData) }},
	{Name: "Average per Burst != 0", Doc: "sum of values / number of pieces whose value is not 0; 0 if none",
		kind:      dataValue,
		value:     func(c *sums, _ *frame) float64 { return ratio(c.sum, float64(c.nNot0)) },
		undefined: func(c *sums, _ *frame) bool { return c.nNot0 == 0 }},
	{Name: "# Bursts != 0", Doc: "number of pieces whose value is not 0", kind: number,
		value: func(c *sums, _ *frame) float64 { return float64(c.nNot0) }},
	{Name: "Sum bursts", Doc: "sum of values", kind: dataValue,
		value: func(c *sums, _ *frame) float64 { return c.sum }},

	{Name: "#Sends", Comms: true, Doc: "number of messages to the partner", kind: number,
		comm: func(c *commSums, _ *frame) float64 { return float64(c.send.n) }},
	{Name: "#Receives", Comms: true, Receives: true, Doc: "number of messages from the partner", kind: number,
		comm: func(c *commSums, _ *frame) float64 { return float64(c.recv.n) }},
	{Name: "Bytes sent", Comms: true, Doc: "sum of the sizes of messages to the partner", kind: bytesKind,
		comm: func(c *commSums, _ *frame) float64 { return c.send.bytes }},
	{Name: "Bytes received", Comms: true, Receives: true, Doc: "sum of the sizes of messages from the partner",
		kind: bytesKind,
		comm: func(c *commSums, _ *frame) float64 { return c.recv.bytes }},
	{Name: "Average bytes sent", Comms: true,
		Doc: "mean size of messages to the partner; 0 if there are only messages from it", kind: bytesKind,
		comm: func(c *commSums, _ *frame) float64 { return ratio(c.send.bytes, float64(c.send.n)) }},
	{Name: "Average bytes received", Comms: true, Receives: true,
		Doc: "mean size of messages from the partner; 0 if there are only messages to it", kind: bytesKind,
		comm: func(c *commSums, _ *frame) float64 { return ratio(c.recv.bytes, float64(c.recv.n)) }},
	{Name: "Minimum bytes sent", Comms: true, Doc: "minimum size of messages to the partner", kind: bytesKind,
		comm: func(c *commSums, _ *frame) float64 { return float64(c.send.min) }},
	{Name: "Minimum bytes received", Comms: true, Receives: true, Doc: "minimum size of messages from the partner",
		kind: bytesKind,
		comm: func(c *commSums, _ *frame) float64 { return float64(c.recv.min) }},
	{Name: "Maximum bytes sent", Comms: true, Doc: "maximum size of messages to the partner", kind: bytesKind,
		comm: func(c *commSums, _ *frame) float64 { return float64(c.send.max) }},
	{Name: "Maximum bytes received", Comms: true, Receives: true, Doc: "maximum size of messages from the partner",
		kind: bytesKind,
		comm: func(c *commSums, _ *frame) float64 { return float64(c.recv.max) }},
	{Name: "Late sends", Aliases: []string{"late sender"}, Comms: true, Own: true,
		Doc: "wait of the partner, in its calls, for messages that were not sent yet", kind: controlTime,
		comm: func(c *commSums, x *frame) float64 { return x.control.of(c.send.late) }},
	{Name: "Late receives", Aliases: []string{"late receiver"}, Comms: true, Receives: true, Own: true,
		Doc: "wait of the partner, in its sends, for receives that were not posted yet", kind: controlTime,
		comm: func(c *commSums, x *frame) float64 { return x.control.of(c.recv.late) }},
}

// Lookup finds a statistic by its name, or one of its aliases; case is ignored.
func Lookup(name string) (*Statistic, bool) {
	for i := range statistics {
		if statistics[i].Name == name {
			return &statistics[i], true
		}
	}
	for i := range statistics {
		s := &statistics[i]
		if strings.EqualFold(s.Name, name) {
			return s, true
		}
		for _, a := range s.Aliases {
			if strings.EqualFold(a, name) {
				return s, true
			}
		}
	}
	return nil, false
}

// Total is a figure of a whole column (or, vertically, of a row), over the cells
// that exist in it.
type Total uint8

// The totals in the order in which Paraver writes them. Traps from Paraver: all are over the existing cells, not over
// all rows; Minimum skips cells of 0; AvgMax of a column without cells, or of zeros, is NaN.
const (
	Sum     Total = iota
	Average       // Sum / cells
	Maximum
	Minimum
	StDev  // of the population of cells
	AvgMax // Average / Maximum
	numTotals
)

// Totals lists all totals.
var Totals = []Total{Sum, Average, Maximum, Minimum, StDev, AvgMax}

var totalNames = [...]string{"Total", "Average", "Maximum", "Minimum", "StDev", "Avg/Max"}

// String returns the total's name as Paraver writes it below a table: "Avg/Max".
func (t Total) String() string { return totalNames[t] }

// LookupTotal finds a total by its name in tables or in .cfg files ("Stdev"); case is ignored.
func LookupTotal(name string) (Total, bool) {
	for i, n := range totalNames {
		if strings.EqualFold(n, name) {
			return Total(i), true
		}
	}
	return 0, false
}

// share returns a part in percent of the whole; 0 if that is 0.
func share(part, whole float64) float64 { return ratio(100*part, whole) }

// ratio divides; dividing by 0 gives 0.
func ratio(a, b float64) float64 {
	if b == 0 {
		return 0
	}
	return a / b
}

// unitKind is the unit of a statistic.
type unitKind uint8

const (
	number unitKind = iota
	percent
	controlTime
	dataValue
	dataTimesTime
	bytesKind
)
