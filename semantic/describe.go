package semantic

import (
	"fmt"
	"strconv"
	"strings"

	"pview/prv"
)

// Describe puts in words what a window shows: its functions, in the order of their application, and its filter.
//
//	thread: Last Evt Val, Stacked Val; task: Adding. Sees events of type = 60000019; logical messages.
func (w *Window) Describe() string { return w.DescribeWith(nil) }

// DescribeWith is Describe with the names that a trace's .pcf has for event
// types.
func (w *Window) DescribeWith(labels *prv.Labels) string {
	var steps []string
	levels := w.levels()
	if d := w.Derived; d != nil {
		steps = append(steps, fmt.Sprintf("%s of %s and %s", d.Op.describe(), d.A.describe(), d.B.describe()))
		levels = levels[1:]
	}
	for _, l := range levels {
		step := fmt.Sprintf("%s: %s", l, w.Functions[l].describe())
		if !w.Compose[l].IsAsIs() {
			step += ", " + w.Compose[l].describe()
		}
		steps = append(steps, step)
	}
	for _, c := range append([]Call{w.Top2, w.Top1}, w.Extra...) {
		if !c.IsAsIs() {
			steps = append(steps, "then "+c.describe())
		}
	}
	s := strings.Join(steps, "; ") + "."
	if w.Derived == nil {
		s += " Sees " + w.Filter.Describe(labels) + "."
	}
	return s
}

func (p *Parent) describe() string {
	s := strconv.Quote(p.Window.Name)
	if p.Factor != 1 {
		s += fmt.Sprintf(" times %g", p.Factor)
	}
	if p.Shift != 0 {
		s += fmt.Sprintf(" shifted by %+d bursts", p.Shift)
	}
	return s
}

// IsAsIs reports whether a compose function leaves values alone.
func (c Call) IsAsIs() bool { return c.Name == "" || c.Name == "As Is" }

// describe writes a call with its parameters: "In State {1, 3}".
func (c *Call) describe() string {
	s := c.Name
	if c.Expression != "" {
		s = "= " + c.Expression
	}
	for _, list := range c.Params {
		var values []string
		for _, v := range list {
			values = append(values, strconv.FormatFloat(v, 'g', -1, 64))
		}
		s += " {" + strings.Join(values, ", ") + "}"
	}
	return s
}
