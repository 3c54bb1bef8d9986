package analyzer

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"pview/render/raster"
	"pview/semantic/stat"

	tea "charm.land/bubbletea/v2"
)

// columnRange returns the positions of the selected columns of values: from the anchor to the cursor, or the one at the
// cursor.
func (a *Table) columnRange() (lo, hi int, ok bool) {
	s := a.Sheet
	if s == nil {
		return 0, 0, false
	}
	list, at := s.Columns, a.Col
	if s.Vertical {
		list, at = s.Rows, a.Row
	}
	if at >= len(list) {
		return 0, 0, false
	}
	lo, hi = at, at
	for i := range list {
		if list[i].ID == a.anchor && a.anchor >= 0 {
			lo, hi = min(i, at), max(i, at)
		}
	}
	return lo, hi, true
}

// values returns the headers of the columns of values.
func (s *Sheet) values() []Header {
	if s.Vertical {
		return s.Rows
	}
	return s.Columns
}

func (p actions) selectColumns(string) tea.Cmd {
	a := p.openTable()
	lo, _, ok := a.columnRange()
	if !ok {
		return nil
	}
	if a.anchor >= 0 {
		a.anchor = -1
		return nil
	}
	if a.Sheet.functions {
		return p.sc.Refuse(errors.New("only histograms have column ranges; this table has analyzer functions: " +
			p.sc.KeysOf("tables") + " chooses another"))
	}
	a.anchor = a.Sheet.values()[lo].ID
	p.sc.Say(fmt.Sprintf("columns from %s: move, then %s subdivides them, %s shows them in the timeline",
		a.Sheet.values()[lo].Name, p.sc.KeysOf("columns zoom"), p.sc.KeysOf("cell window")))
	return nil
}

func (p actions) setColumns(args string) tea.Cmd {
	if args == "" {
		p.openTable()
		return p.sc.Ask("columns")
	}
	scale, bins, err := parseScale(args, false)
	if err != nil {
		return p.sc.Refuse(err)
	}
	p.adjust(func(s *Setup) { s.functions, s.Columns, s.bins = false, scale, bins })
	return nil
}

func (p actions) setPlanes(args string) tea.Cmd {
	if args == "" {
		p.openTable()
		return p.sc.Ask("planes")
	}
	scale, _, err := parseScale(args, true)
	if err != nil {
		return p.sc.Refuse(err)
	}
	p.adjust(func(s *Setup) { s.planes = scale })
	return nil
}

// mostColumns limits the number of columns that a user may ask for: more than anyone can look at, too few to fill the
// memory.
const mostColumns = 100_000

// parseScale reads "auto", "auto 20", "0 100 10", "0 100 x20". The number of planes follows from their limits.
func parseScale(text string, planes bool) (s stat.Scale, bins int, err error) {
	words := strings.Fields(strings.ReplaceAll(text, "..", " "))
	ok := false
	if len(words) > 0 && strings.EqualFold(words[0], "auto") {
		s = stat.Scale{Auto: true, Zero: true}
		bins, ok = parseBins(words[1:])
	} else {
		s, ok = parseSteps(words)
	}
	of, auto := "columns", "auto, auto 20"
	if planes {
		of, auto, ok = "planes", "auto", ok && bins == 0
	}
	switch {
	case !ok:
		return s, 0, fmt.Errorf("%q: must be %s, 0 100 10 (steps of 10) or 0 100 x20 (20 %s)", text, auto, of)
	case s.Count > mostColumns, !s.Auto && s.Count == 0 && (s.Max-s.Min)/s.Delta > mostColumns:
		return s, 0, fmt.Errorf("%s has more than %s %s", text, raster.FormatCount(mostColumns), of)
	}
	return s, bins, nil
}

// parseBins reads the number of columns after "auto"; 0 for nothing.
func parseBins(words []string) (n int, ok bool) {
	if len(words) == 0 {
		return 0, true
	}
	n, err := strconv.Atoi(strings.TrimPrefix(words[0], "x"))
	return n, err == nil && len(words) == 1 && n >= 1 && n <= mostColumns
}

// parseSteps reads two limits, and the width or the number of columns.
func parseSteps(words []string) (s stat.Scale, ok bool) {
	if len(words) < 2 || len(words) > 3 {
		return s, false
	}
	s.Delta = 1
	for i, to := range []*float64{&s.Min, &s.Max, &s.Delta}[:len(words)] {
		if n, counts := strings.CutPrefix(words[i], "x"); counts && i == 2 {
			var err error
			if s.Count, err = strconv.Atoi(n); err != nil || s.Count < 1 {
				return s, false
			}
			continue
		}
		v, err := strconv.ParseFloat(words[i], 64)
		if err != nil || v-v != 0 {
			return s, false
		}
		*to = v
	}
	return s, s.Max >= s.Min && s.Delta > 0
}

// zoomColumns divides the values of the selected columns again, more finely.
func (p actions) zoomColumns(string) tea.Cmd {
	a := p.openTable()
	lo, hi, ok := a.columnRange()
	if !ok {
		return nil
	}
	s := a.Sheet
	if s.functions || s.comms {
		return p.sc.Refuse(errors.New("the columns of this table are not ranges of values"))
	}
	list := s.values()
	scale := stat.Scale{Min: list[lo].low, Max: list[lo].high, Count: 20}
	for _, h := range list[lo : hi+1] {
		scale.Min, scale.Max = min(scale.Min, h.low), max(scale.Max, h.high)
	}
	if n := len(list) + s.Hidden; n > 1 {
		scale.Count = min(n, mostColumns)
	}
	if list[lo].coded {
		scale.Max, scale.Delta, scale.Count = scale.Max-1, 1, 0 // one column for each code
	}
	if !(scale.Max >= scale.Min) {
		return nil
	}
	a.anchor = -1
	p.adjust(func(s *Setup) { s.Columns, s.bins = scale, 0 })
	p.sc.Say(fmt.Sprintf("columns from %s to %s; %s undoes it", raster.FormatValue(scale.Min, ""),
		raster.FormatValue(scale.Max, ""), p.sc.KeysOf("tables undo")))
	return nil
}
