package explaincmd

// Three runs and more: one table a kind with a column a run, and the efficiencies of the runs as curves over their
// threads.

import (
	"cmp"
	"fmt"
	"html/template"
	"math"
	"slices"
	"strings"

	"pview/cli/command"
	"pview/insight/compare"
	"pview/insight/report/figure"
	"pview/prv"
	"pview/prv/quantity"
	"pview/render/picture"
)

// letterOf is the letter of the i-th run after A.
func letterOf(i int) string { return string(rune('B' + i)) }

// manyParts is a row: the parts of one name in all comparisons.
type manyParts struct {
	name string
	a    int64
	b    []int64
}

// most is the largest difference of a row.
func (r *manyParts) most() (d int64) {
	for _, b := range r.b {
		d = max(d, b-r.a, r.a-b)
	}
	return d
}

// oneTable reports whether the parts of a kind can stand in one table: the times of A must be the same in all
// comparisons, and so must be what the names mean. Groups of threads are other ones in each.
func (q *compareQuestion) oneTable(list []*compare.Result, k compare.Kind) bool {
	return len(list) > 1 && k != compare.ByRanks && len(q.base) == 0 &&
		!slices.ContainsFunc(list, func(c *compare.Result) bool {
			return c.Scaled != list[0].Scaled || c.Alike != list[0].Alike || len(c.Of(k)) == 0
		})
}

// gather are the rows of a table of several runs, the largest difference first. What only A does is a row like those of
// which the other runs do less.
func gather(list []*compare.Result, k compare.Kind) []manyParts {
	at := map[string]int{}
	var rows []manyParts
	for n, c := range list {
		of := map[int]int64{} // A's time by row
		for _, p := range c.Of(k) {
			name := strings.TrimPrefix(p.Name, "only in A: ")
			if rest, ok := strings.CutPrefix(name, "only in B: "); ok {
				name = "only in " + letterOf(n) + ": " + rest
			}
			i, ok := at[name]
			if !ok {
				i = len(rows)
				at[name] = i
				rows = append(rows, manyParts{name: name, b: make([]int64, len(list))})
			}
			of[i] += p.A
			rows[i].b[n] += p.B
		}
		for i, v := range of {
			rows[i].a = v
		}
	}
	slices.SortStableFunc(rows, func(x, y manyParts) int { return cmp.Compare(y.most(), x.most()) })
	return rows
}

// manyTable is the parts of a kind, a column a run.
func (q *compareQuestion) manyTable(list []*compare.Result, k compare.Kind, heading func(string) string) string {
	asTime := func(v any) string { return quantity.FormatDuration(v.(int64), prv.Nanoseconds) }
	signed := func(v any) string { return signedDuration(v.(int64)) }
	out := &command.Table{Columns: []command.Column{{Title: kindTitle(k)}, {Title: "A", Show: asTime}}}
	for i := range list {
		out.Columns = append(out.Columns, command.Column{Title: letterOf(i), Show: asTime})
	}
	for i := range list {
		out.Columns = append(out.Columns, command.Column{Title: letterOf(i) + " - A", Show: signed})
	}
	add := func(r *manyParts) {
		cells := []any{prv.Clean(r.name), r.a}
		for _, b := range r.b {
			cells = append(cells, b)
		}
		for _, b := range r.b {
			cells = append(cells, b-r.a)
		}
		out.Add(cells...)
	}
	rows := gather(list, k)
	if q.saysNothing(len(rows), k) {
		return ""
	}
	shown := rows
	if q.top > 0 && len(rows) > q.top {
		shown = rows[:q.top]
	}
	for i := range shown {
		add(&shown[i])
	}
	if n := len(rows) - len(shown); n > 0 {
		rest := manyParts{name: fmt.Sprintf("%s more", command.Count(int64(n))), b: make([]int64, len(list))}
		for _, r := range rows[len(shown):] {
			rest.a += r.a
			for i, b := range r.b {
				rest.b[i] += b
			}
		}
		add(&rest)
	}
	all := manyParts{name: "all", b: make([]int64, len(list))}
	for i, c := range list {
		all.a, all.b[i] = c.Times()
	}
	add(&all)
	return out.Text("", heading)
}

// saysNothing reports whether a table of n rows can be left out: a single part says no more than the times of the runs.
func (q *compareQuestion) saysNothing(n int, k compare.Kind) bool {
	return n == 0 || n == 1 && q.by.Value == "all" && k != compare.ByPhase
}

// kindTitle is the title of a kind of parts.
func kindTitle(k compare.Kind) string { return strings.ToUpper(k.String()[:1]) + k.String()[1:] }

// factorNames are the factors of compare.Factors.
var factorNames = []struct {
	name string
	of   func(f compare.Factors) float64
}{
	{"parallel efficiency", func(f compare.Factors) float64 { return f.Parallel }},
	{"load balance", func(f compare.Factors) float64 { return f.Balance }},
	{"communication", func(f compare.Factors) float64 { return f.Communication }},
}

// factorCurves are the factors over the numbers of threads, and the speed-up by that of A relative to the ideal one; ""
// if all runs have as many.
func factorCurves(list []*compare.Result) (template.URL, error) {
	runs := []*compare.Run{list[0].A}
	for _, c := range list {
		runs = append(runs, c.B)
	}
	slices.SortStableFunc(runs, func(a, b *compare.Run) int { return cmp.Compare(a.Threads, b.Threads) })
	if runs[0].Threads == runs[len(runs)-1].Threads {
		return "", nil
	}
	f := &figure.Figure{Title: "Efficiency by threads", X: figure.Axis{Name: "threads", Whole: true},
		Y: figure.Axis{Name: "%", Min: 0, Max: 105}}
	curve := func(name string, of func(r *compare.Run) float64) {
		l := figure.Layer{Name: name, Shape: figure.Line, Ink: figure.InkOf(len(f.Layers))}
		for _, r := range runs {
			l.X, l.Y = append(l.X, float64(r.Threads)), append(l.Y, 100*of(r))
		}
		f.Layers = append(f.Layers, l)
		for _, y := range l.Y {
			f.Y.Max = math.Max(f.Y.Max, 1.05*y)
		}
	}
	for _, x := range factorNames {
		curve(x.name, func(r *compare.Run) float64 { return x.of(r.Factors()) })
	}
	curve("core time of A by that of the run", func(r *compare.Run) float64 {
		return ratio(list[0].A.Duration*int64(list[0].A.Threads), r.Duration*int64(r.Threads))
	})
	return command.SvgOf(&picture.Figure{Width: command.ReportWide, Panels: []picture.Panel{&picture.Chart{Figure: f}}})
}
