package study

import (
	"cmp"
	"math"
	"slices"

	"pview/insight/report/figure"
	"pview/insight/studies"
	"pview/render/raster"
	"pview/sim/study"
)

// The table as plots and the pane use it: columns of values by row, the inputs first.

// count returns the number of columns.
func (s *session) count() int {
	if s.plan == nil {
		return 0
	}
	return len(s.plan.Inputs) + len(s.plan.Outputs)
}

// info describes column i.
func (s *session) info(i int) *study.Column {
	if n := len(s.plan.Inputs); i >= n {
		return &s.plan.Outputs[i-n]
	}
	return &s.plan.Inputs[i]
}

// columns keeps the chosen columns within those of the table; initially the first input and the first output.
func (s *session) columns() {
	n := s.count()
	if s.y < 0 {
		s.x, s.y = 0, len(s.plan.Inputs)
	}
	s.x, s.y = min(s.x, max(n-1, 0)), min(s.y, max(n-1, 0))
	if t := &s.runsTable; max(t.Sorted, -t.Sorted) > n+1 {
		t.Sorted = 0
	}
}

// values is column i for plots.
func (s *session) values(i int) figure.Column { return studies.Values(s.table, i) }

// value returns the value of a run in column i; NaN if none.
func (s *session) value(r *study.Row, i int) float64 { return studies.Value(s.table, r, i) }

// text formats a value of column i.
func (s *session) text(v float64, i int) string {
	c := s.info(i)
	switch kind := c.Notation(); {
	case math.IsNaN(v):
		return "-"
	case c.Levels != nil:
		return c.Text(v)
	case kind != nil:
		return kind.Format(v)
	}
	return raster.FormatValue(v, c.Unit)
}

// ordered returns the rows by number, or by the sorted column; those without a value come last. They are sorted when
// needed, not whenever a run ends.
func (s *session) ordered() []int {
	if key := [2]int{s.version, s.runsTable.Sorted}; key != s.orderOf || s.order == nil {
		s.orderOf, s.order = key, s.sort()
	}
	return s.order
}

func (s *session) sort() []int {
	list := make([]int, len(s.table.Rows))
	for k := range list {
		list[k] = k
	}
	sorted := s.runsTable.Sorted
	i := max(sorted, -sorted) - 2
	if i < 0 {
		if sorted < 0 {
			slices.Reverse(list)
		}
		return list
	}
	values := make([]float64, len(list))
	for k := range values {
		if values[k] = s.value(&s.table.Rows[k], i); sorted < 0 {
			values[k] = -values[k]
		}
		if math.IsNaN(values[k]) {
			values[k] = math.Inf(1)
		}
	}
	slices.SortFunc(list, func(a, b int) int {
		switch {
		case values[a] < values[b]:
			return -1
		case values[a] > values[b]:
			return 1
		}
		return a - b
	})
	return list
}

// row returns the chosen run; nil for none.
func (s *session) row() *study.Row {
	if k := s.position(); k >= 0 {
		return &s.table.Rows[k]
	}
	return nil
}

// position returns the place of the chosen run in the table; -1: none.
func (s *session) position() int {
	if s.table == nil || s.at < 0 {
		return -1
	}
	k, ok := slices.BinarySearchFunc(s.table.Rows, s.at, func(r study.Row, at int) int {
		return cmp.Compare(r.Index, at)
	})
	if !ok {
		return -1
	}
	return k
}

// extremes returns the positions of the runs with the least and the greatest value of y; -1 without any.
func (s *session) extremes() (least, greatest int) {
	greatest, least = s.values(s.y).Extremes()
	return least, greatest
}

// stepAlong chooses the next run along a column.
func (s *session) stepAlong(column, by int) {
	list := make([]int, 0, len(s.table.Rows))
	for k := range s.table.Rows {
		if !math.IsNaN(s.value(&s.table.Rows[k], column)) {
			list = append(list, k)
		}
	}
	if len(list) == 0 {
		return
	}
	slices.SortStableFunc(list, func(a, b int) int {
		return cmp.Compare(s.value(&s.table.Rows[a], column), s.value(&s.table.Rows[b], column))
	})
	at := slices.Index(list, s.position())
	if at < 0 {
		at = (len(list) - 1) / 2
		by = 0
	}
	s.at = s.table.Rows[list[min(max(at+by, 0), len(list)-1)]].Index
}
