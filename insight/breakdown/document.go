package breakdown

import (
	"fmt"
	"math"

	"pview/insight/report"
	"pview/prv"
	"pview/prv/quantity"
)

// ClassDocument has the classes of code regions of a level: its text has the first top; 0: all.
func ClassDocument(list []Class, regions fmt.Stringer, unit prv.Unit, top int) *report.Document {
	d := &report.Document{Rows: func() *report.Table { return classRows(list, unit) }}
	d.Object = func() any { return d.Rows().Objects() }
	t := classRows(list, unit)
	t.Top = top
	d.Add(report.Sentence("code regions: " + regions.String()))
	d.Add(t)
	return d
}

// classRows has the values of ClassColumns, times in ns.
func classRows(list []Class, unit prv.Unit) *report.Table {
	t := &report.Table{Columns: []report.Column{{Key: "class", Title: "Class"}}}
	for _, c := range ClassColumns {
		key := c.Key
		if c.Kind == Times {
			key += "_ns"
		}
		t.Columns = append(t.Columns, report.Column{Key: key, Title: c.Title, Right: true,
			Show: func(v any) string { return c.Kind.Format(v.(float64), prv.Nanoseconds) }})
	}
	t.Columns = append(t.Columns, report.Column{Key: "pattern", Title: "pattern"})
	for i := range list {
		row := []any{prv.Clean(list[i].Name)}
		for _, c := range ClassColumns {
			switch v := c.Of(&list[i]); {
			case math.IsNaN(v):
				row = append(row, nil)
			case c.Kind == Times:
				row = append(row, v*float64(unit.Nanoseconds()))
			default:
				row = append(row, v)
			}
		}
		t.AddSeen(list[i].Longest, append(row, list[i].Pattern)...)
	}
	return t
}

// Format writes a value of a kind, times in a unit; "" if it is no number.
func (k ColumnKind) Format(v float64, unit prv.Unit) string {
	switch {
	case math.IsNaN(v):
		return ""
	case k == Times:
		return quantity.FormatDuration(int64(math.Round(v)), unit)
	case k == Shares:
		return quantity.FormatPercent(v)
	case k == Ratios:
		return FormatRatio(v)
	}
	return quantity.FormatWhole(v)
}
