package analyzer

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"pview/filter"
	"pview/render/raster"
	"pview/render/timeline"
	"pview/semantic"
	"pview/tui/pane"
)

// From a cell to a timeline of its values.

// columnLimits returns the half-open intervals of the columns' values, and joins intervals that touch. A closed upper
// end becomes the next greater number.
func columnLimits(list []Header) (lows, highs []float64) {
	list = slices.Clone(list)
	slices.SortFunc(list, func(a, b Header) int {
		switch {
		case a.low < b.low:
			return -1
		case a.low > b.low:
			return 1
		}
		return 0
	})
	for _, h := range list {
		high := h.high
		if !h.open {
			high = nextAfter(high)
		}
		if n := len(highs); n > 0 && highs[n-1] >= h.low {
			highs[n-1] = max(highs[n-1], high)
			continue
		}
		lows, highs = append(lows, h.low), append(highs, high)
	}
	return lows, highs
}

// cellWindow shows in a timeline only the values of the selected columns.
func (p actions) cellWindow(string) tea.Cmd {
	a := p.openTable()
	lo, hi, ok := a.columnRange()
	if !ok {
		return nil
	}
	s, w := a.Sheet, p.sc.View
	if s.functions {
		return p.sc.Refuse(errors.New("analyzer functions cover all values: " + p.sc.KeysOf("tables") +
			" chooses a histogram"))
	}
	v := p.sc.CloneView(w)
	v.Sem = w.Sem.Clone()
	name := s.values()[lo].Name
	if hi > lo {
		name += " .. " + s.values()[hi].Name
	}
	v.Name = w.Title() + ": " + name
	if s.comms {
		p.onlyMessages(v, a, lo, hi)
	} else {
		lows, highs := columnLimits(s.values()[lo : hi+1])
		v.Sem.Extra = append(slices.Clone(v.Sem.Extra),
			semantic.Call{Name: "Select Range [)", Params: [][]float64{highs, lows}})
	}
	v.Drawing.Fixed, v.Drawing.Scale = false, raster.Scale{}
	focused := p.sc.Focused
	p.sc.Do(pane.AddView{View: v})
	p.sc.Do(pane.FocusView{View: w})
	p.sc.Show(p.pane, focused)
	p.sc.Say(fmt.Sprintf("window %d shows only %s", slices.Index(p.sc.Views, w)+2, name))
	return nil
}

// onlyMessages lets only the messages of the selected cells pass, and draws them.
func (p actions) onlyMessages(v *timeline.View, a *Table, lo, hi int) {
	s := a.Sheet
	row := a.Row
	objects := s.Rows
	if s.Vertical {
		row, objects = a.Col, s.Columns
	}
	from := []float64{float64(objects[row].ID + 1)}
	var to []float64
	for _, h := range s.values()[lo : hi+1] {
		to = append(to, float64(h.ID+1))
	}
	send := !strings.Contains(strings.ToLower(s.Statistic.Name), "recei")
	if !send {
		from, to = to, from
	}
	c := &v.Sem.Filter.Comms
	c.From, c.To = equalTo(from), equalTo(to)
	c.FromToOr = false
	if v.Drawing.Comms == timeline.CommsOff {
		v.Drawing.Comms = timeline.CommsLogical
	}
	v.Objects, v.Top, v.Span = nil, 0, 0
}

func nextAfter(v float64) float64 { return math.Nextafter(v, math.Inf(1)) }

func equalTo(list []float64) filter.Criterion {
	return filter.Criterion{Func: filter.Equal, Values: list}
}
