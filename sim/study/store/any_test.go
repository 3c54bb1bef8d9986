package store_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pview/prv"
	"pview/prv/prvtest"
	"pview/sim/study"
	"pview/sim/study/store"
)

// Whatever the columns and runs of a study are, its store reads back equal: in pieces, finished, and resumed.
func TestReadsBackAnything(t *testing.T) {
	for seed := range uint64(60) {
		rng := rand.New(rand.NewPCG(seed, 0))
		p, rows := anyStudy(rng)
		dir := filepath.Join(t.TempDir(), "store")
		s, err := store.Open(dir, p, false)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		for _, r := range rows {
			if err := s.Append(r); err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
		}
		want := asText(&study.Table{Inputs: p.Inputs, Outputs: p.Outputs, Rows: rows, Measured: p.Measured})
		check := func(when string) {
			t.Helper()
			info, got, err := store.Read(dir)
			if err != nil {
				t.Fatalf("seed %d, %s: %v", seed, when, err)
			}
			if info.Kind != p.Kind || info.Title != prv.UTF8(p.Title) || info.Key != p.Key || info.Seed != p.Seed {
				t.Errorf("seed %d, %s: %+v is not of %+v", seed, when, info, p)
			}
			if have := asText(got); have != want {
				t.Errorf("seed %d, %s:\n%s\nnot\n%s", seed, when, have, want)
			}
		}
		check("in pieces")
		if err := s.Finish(&study.Table{Inputs: p.Inputs, Outputs: p.Outputs, Rows: rows}); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		check("finished")
		again, err := store.Open(dir, p, true)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if len(again.Rows()) != len(rows) {
			t.Errorf("seed %d: %d of %d runs resumed", seed, len(again.Rows()), len(rows))
		}
	}
}

// anyStudy makes a plan and runs of it by index.
func anyStudy(rng *rand.Rand) (*study.Plan, []study.Row) {
	p := &study.Plan{Kind: "any", Title: prvtest.Text(rng), Key: fmt.Sprint(rng.Uint64()),
		Seed: uint64(prvtest.Int(rng)), Inputs: anyColumns(rng), Outputs: anyColumns(rng)}
	if rng.IntN(2) == 0 {
		p.Measured = &study.Row{Index: -1, Status: study.Done, Inputs: anyValues(rng, p.Inputs),
			Outputs: anyValues(rng, p.Outputs)}
	}
	var rows []study.Row
	for i := range rng.IntN(20) {
		if i == 19 {
			i = study.MaxRuns - 1
		}
		r := study.Row{Index: i, Seed: uint64(prvtest.Int(rng)), Inputs: anyValues(rng, p.Inputs),
			Redraws: int(prvtest.Int(rng)), Status: study.Done, Host: prvtest.Text(rng)}
		if prvtest.Fill(rng, &r.Wall); rng.IntN(3) == 0 {
			r.Status, r.Reason = study.Failed, prvtest.Text(rng)
		} else {
			r.Outputs = anyValues(rng, p.Outputs)
		}
		rows = append(rows, r)
	}
	return p, rows
}

// anyColumns makes columns with names of their own; their levels need not be.
func anyColumns(rng *rand.Rand) (list []study.Column) {
	for i := range rng.IntN(4) {
		c := study.Column{Name: fmt.Sprint(i, prvtest.Text(rng)), Unit: prvtest.Text(rng)}
		if rng.IntN(2) == 0 {
			for range 1 + rng.IntN(3) {
				c.Levels = append(c.Levels, prvtest.Text(rng))
			}
		}
		list = append(list, c)
	}
	return list
}

func anyValues(rng *rand.Rand, columns []study.Column) (list []float64) {
	for _, c := range columns {
		v := prvtest.Float(rng)
		if c.Levels != nil {
			if v = float64(rng.IntN(len(c.Levels))); rng.IntN(4) == 0 {
				v = math.NaN()
			}
		}
		list = append(list, v)
	}
	return list
}

// asText writes out what a store keeps: levels as texts, which need not differ, texts as UTF-8, and of the measured run
// what is finite.
func asText(t *study.Table) string {
	var b strings.Builder
	values := func(columns []study.Column, list []float64, finite bool) {
		for i, v := range list {
			switch text := fmt.Sprint(v); {
			case columns[i].Levels != nil && !math.IsNaN(v):
				fmt.Fprintf(&b, " %q", prv.UTF8(columns[i].Levels[int(v)]))
			case finite && math.IsInf(v, 0):
				b.WriteString(" NaN")
			default:
				b.WriteString(" " + text)
			}
		}
	}
	for _, c := range slices.Concat(t.Inputs, t.Outputs) {
		fmt.Fprintf(&b, "%q %q\n", prv.UTF8(c.Name), prv.UTF8(c.Unit))
	}
	rows := t.Rows
	if t.Measured != nil {
		rows = append([]study.Row{*t.Measured}, rows...)
	}
	for _, r := range rows {
		values(t.Inputs, r.Inputs, r.Index < 0)
		values(t.Outputs, r.Outputs, r.Index < 0)
		fmt.Fprintf(&b, " %d %d %d %v %q %q %d\n", r.Index, r.Seed, r.Redraws, r.Status, prv.UTF8(r.Reason),
			prv.UTF8(r.Host), r.Wall)
	}
	return b.String()
}
