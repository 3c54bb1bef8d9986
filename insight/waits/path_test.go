package waits_test

import (
	"context"
	"fmt"
	"math"
	"slices"
	"testing"

	"pview/insight/criticalpath"
	"pview/insight/eventgraph"
	"pview/insight/report"
	"pview/insight/waits"
	"pview/insight/waits/answer"
	"pview/prv"
	"pview/prv/extrae"
	"pview/prv/prvtest"
)

const finalized = `
	1: A[0,100) Send[100,100) Finalize[100,130)
	2: A[0,40) Recv[40,100) B[100,110) Send[110,110) Finalize[110,130)
	3: A[0,30) Recv[30,110) C[110,130) Finalize[130,130)
	1>2 100 100 40 100
	2>3 110 110 30 110`

// pathOf returns the critical path of a trace with its waits, and what the regions on it cost.
func pathOf(t *testing.T, tr *prv.Trace, r *waits.Result) (*criticalpath.Path, []waits.RegionCost) {
	t.Helper()
	g, err := eventgraph.Around(context.Background(), tr, r, extrae.Auto, eventgraph.Given{})
	if err != nil {
		t.Fatal(err)
	}
	p, err := criticalpath.Find(context.Background(), tr, criticalpath.Options{Graph: g})
	if err != nil {
		t.Fatal(err)
	}
	return p, r.Impact(p.Stretches())
}

// Check 34.
func TestCriticalPath(t *testing.T) {
	tr := parse(t, finalized)
	r := analyze(t, tr, limit(1024))
	p, costs := pathOf(t, tr, r)
	if want := []waits.Stretch{{From: 0, To: 100, Thread: 0}, {From: 100, To: 110, Thread: 1},
		{From: 110, To: 130, Thread: 2}}; !slices.Equal(p.Stretches(), want) {
		t.Errorf("the path is %v", p.Stretches())
	}
	var got []string
	for _, c := range costs {
		got = append(got, fmt.Sprintf("%s %d, %.3f; %d, %d, %.3f", r.Regions[c.Region].Name, c.OnPath, c.Imbalance,
			c.Activity, c.Off, c.Lost))
	}
	// Averages of A, B, C: 170/3, 10/3, 20/3; each thread lost 130 less its own: 30, 80, 80, all where the path had
	// more.
	want := []string{"A 100, 43.333; 170, 0, 130.000", "B 10, 6.667; 10, 0, 20.000", "C 20, 13.333; 20, 0, 40.000"}
	if !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}

// Check 38: the impact sums to the time of all threads; the regions on the path, to its time after the threads began.
func TestImpactOfRecorded(t *testing.T) {
	for _, name := range []string{"heat2d_8", "masterworker_8", "pipeline_8", "hybridloops_4x4", "npb_lu_S_4",
		"callmix_4"} {
		prvtest.Shared(t, "traces")
		tr := open(t, name)
		_, costs := pathOf(t, tr, analyze(t, tr, waits.Options{}))
		on, sum := int64(0), 0.0
		for _, c := range costs {
			on += c.OnPath
			sum += float64(c.Activity+c.Off) + c.Lost
		}
		if whole := float64(tr.Duration) * float64(tr.NumThreads()); on > tr.Duration ||
			math.Abs(sum-whole) > 1e-6*whole {
			t.Errorf("%s: %d of %d on the path, the impact is %f of %f", name, on, tr.Duration, sum, whole)
		}
	}
}

// Check 34 in the document: the path is 130 long, of which A has 100, 43.333 above its mean of 170/3; the threads do
// 170 of the same, and lose 130.
func TestPathInDocument(t *testing.T) {
	tr := parse(t, finalized)
	r := analyze(t, tr, limit(1024))
	p, _ := pathOf(t, tr, r)
	d := answer.Document(r, tr, 0, p.Stretches())
	table := d.Sections[len(d.Sections)-1].Blocks[0].(*report.Table)
	got := fmt.Sprintf("%s: %v; %d rows", table.Columns[0].Title, table.Rows[0], len(table.Rows))
	if want := "On the critical path: [A 100 0.7692307692307693 43 170 0 130]; 3 rows"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
