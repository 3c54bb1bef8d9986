package compare_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"pview/insight/compare"
	"pview/insight/report"
	"pview/insight/report/figure"
	"pview/prv/prvtest"
	"pview/render/document"
)

// The comparisons of runs with planted changes, as texts.
func TestWords(t *testing.T) {
	base := usual().run(t)
	with := func(plant func(p *planted)) *compare.Run {
		p := usual()
		plant(&p)
		return p.run(t)
	}
	slowRank := with(func(p *planted) {
		p.solve = func(th int) int64 {
			if th == 2 {
				return 2000
			}
			return 1000 + int64(th)
		}
	})
	slower := with(func(p *planted) { p.other += 300 })
	twice := with(func(p *planted) { p.threads = 16; p.other = 300 })
	cycles := counted(t, 20, func(th, _ int) (int64, int64) {
		if th == 1 {
			return 200_000, 400_000
		}
		return 100_000, 200_000
	})
	all := compare.Selection{By: compare.NumKinds}
	var b strings.Builder
	for _, c := range []struct {
		what string
		a    *compare.Run
		to   []*compare.Run
		s    compare.Selection
		rows bool // and those for programs
	}{
		{"one slow rank", base, []*compare.Run{slowRank}, all, false},
		{"slower messages, an operation more", base, []*compare.Run{with(func(p *planted) {
			p.transfer = 120
			p.collectives = append(p.collectives, operation{8, 50})
		})}, compare.Selection{By: compare.NumKinds, Top: 2}, false},
		{"twice the threads, and slower", base, []*compare.Run{twice, slower}, all, false},
		{"faster, by phase", slowRank, []*compare.Run{base}, compare.Selection{By: compare.ByPhase, Noise: true}, true},
		{"more cycles", counted(t, 20, even), []*compare.Run{cycles}, all, false},
		{"an iteration more", analyse(t, iterations(10, 12, 14).trace(t)),
			[]*compare.Run{analyse(t, iterations(10, 12, 14, 9).trace(t))}, all, true},
	} {
		var list []*compare.Result
		for _, other := range c.to {
			r := compared(t, c.a, other, compare.Matching{})
			if c.s.Noise {
				if err := r.SetNoise(context.Background(), []*compare.Run{slower}); err != nil {
					t.Fatal(err)
				}
			}
			list = append(list, r)
		}
		d := compare.Document(list, c.s)
		fmt.Fprintf(&b, "=== %s\n%s", c.what, document.Text(d, nil))
		if c.rows {
			if err := document.WriteTable(&b, d.Rows(), "csv"); err != nil {
				t.Fatal(err)
			}
		}
	}
	prvtest.SameFile(t, "testdata/words.txt", b.String())
}

// The page of a run of 8 threads against one of 16, and against a slower one, with the parts of a kind and a figure.
func TestPage(t *testing.T) {
	base, twice, slower := usual(), usual(), usual()
	twice.threads = 16
	slower.other += 300
	a := base.run(t)
	d := compare.Document([]*compare.Result{compared(t, a, twice.run(t), compare.Matching{}),
		compared(t, a, slower.run(t), compare.Matching{})}, compare.Selection{By: compare.ByCategory, Top: 2})
	var curves *figure.Figure
	page := &report.Document{}
	for _, s := range d.Sections {
		if s.On != report.PageOnly {
			continue
		}
		s.On = 0
		page.Sections = append(page.Sections, s)
		for _, block := range s.Blocks {
			if p, ok := block.(*report.Plot); ok {
				curves = p.Figure
			}
		}
	}
	prvtest.SameFile(t, "testdata/page.txt", document.Text(page, nil))
	var b strings.Builder
	for _, l := range curves.Layers {
		fmt.Fprintf(&b, "%s: %.4g on %v\n", l.Name, l.Y, l.X)
	}
	prvtest.SameText(t, b.String(), `
		parallel efficiency: [97.13 97.59 96.88] on [8 8 16]
		load balance: [99.77 99.81 99.5] on [8 8 16]
		communication: [97.35 97.78 97.37] on [8 8 16]
		core time of A by that of the run: [100 83.77 49.74] on [8 8 16]
	`)
}

// The object of a run against one with an iteration more, and one with twice the cycles on a thread.
func TestObject(t *testing.T) {
	more := compared(t, analyse(t, iterations(10, 12).trace(t)), analyse(t, iterations(10, 12, 9).trace(t)),
		compare.Matching{})
	slow := compared(t, counted(t, 2, even), counted(t, 2, func(th, _ int) (int64, int64) {
		if th == 1 {
			return 200_000, 400_000
		}
		return even(0, 0)
	}), compare.Matching{})
	d := compare.Document([]*compare.Result{more, slow}, compare.Selection{By: compare.ByFunction})
	object, err := json.MarshalIndent(d.Object(), "", " ")
	if err != nil {
		t.Fatal(err)
	}
	prvtest.SameFile(t, "testdata/object.json", prvtest.Rounded(string(object)))
}
