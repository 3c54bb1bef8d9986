package efficiency

import (
	"context"
	"fmt"
	"math"
	"strings"

	"pview/prv"
	"pview/semantic/cfg"
	"pview/semantic/stat"
	"pview/sim"
	"pview/sim/study"
)

// cell is a cell that pview stat prints for a trace.
type cell struct {
	file                   *cfg.File
	row, column, statistic string
}

// parseCell reads CFG;ROW;COLUMN[;STATISTIC].
func parseCell(name, spec string, open OpenConfiguration) (o study.Output, err error) {
	parts := strings.Split(strings.TrimPrefix(spec, "stat:"), ";")
	for i := range parts {
		parts[i] = strings.TrimSpace(parts[i])
	}
	if len(parts) < 3 || len(parts) > 4 || name == "" {
		return o, fmt.Errorf("%q must be %s or %[2]s;STATISTIC, as pview stat prints them", name+"="+spec, cellUsage)
	}
	c := &cell{row: parts[1], column: parts[2]}
	file, text, err := open(parts[0])
	if err != nil {
		return o, err
	}
	if c.file = file; len(file.Histograms) == 0 {
		return o, fmt.Errorf("%s has no histogram, so that its cells have no columns", parts[0])
	}
	if len(parts) == 4 {
		c.statistic = parts[3]
		if _, ok := stat.Lookup(c.statistic); !ok {
			return o, fmt.Errorf("there is no statistic %q (pview list statistics)", c.statistic)
		}
	}
	return study.Output{Column: study.Column{Name: name}, Doc: spec, Definition: spec + "\n" + string(text),
		Trace: true, Of: func(ctx context.Context, _ *study.Case, r *sim.Result) (float64, error) {
			return c.of(ctx, r.Trace)
		}}, nil
}

// of computes the cell. A missing cell is 0 if its row exists: there was nothing to count.
func (c *cell) of(ctx context.Context, t *prv.Trace) (float64, error) {
	bound, _, err := c.file.Bind(t, true)
	if err != nil {
		return 0, err
	}
	h := bound.Histograms[len(bound.Histograms)-1]
	if c.statistic != "" {
		h.Statistic = c.statistic
	}
	table, err := stat.Compute(ctx, t, h, stat.Options{})
	if err != nil {
		return 0, err
	}
	rows := map[string]bool{}
	for e := range table.Entries(-1) {
		if e.Row == c.row && e.Column == c.column {
			return e.Value, nil
		}
		rows[e.Row] = true
	}
	if rows[c.row] {
		return 0, nil
	}
	return math.NaN(), fmt.Errorf("%s has no row %q", c.file.Name, c.row)
}
