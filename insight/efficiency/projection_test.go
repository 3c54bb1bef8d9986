package efficiency

import (
	"math"
	"testing"

	"pview/insight/report"
	"pview/prv/prvtest"
	"pview/render/document"
	"pview/render/document/documenttest"
)

// known has runs whose parallel efficiency is all in the load balance: one thread is useful for the whole run of 1000
// ns, the p-1 others as long as makes the mean of all load(p) of it.
func known(load func(p float64) float64, sizes ...int) *Report {
	var runs []*Run
	for _, p := range sizes {
		run := &Run{Processes: p, Threads: p, Runtime: 1e9, Instructions: math.NaN(), Cycles: math.NaN()}
		rest := int64(1e9 * (load(float64(p))*float64(p) - 1))
		run.Useful = []int64{1e9}
		for i := range p - 1 {
			share := rest / int64(p-1-i)
			run.Useful = append(run.Useful, share)
			rest -= share
		}
		runs = append(runs, run)
	}
	return Compare(runs, Strong)
}

func near(t *testing.T, what string, got, want, within float64) {
	t.Helper()
	if !(math.Abs(got-want) <= within) {
		t.Errorf("%s: %v, not %v", what, got, want)
	}
}

// TestFitKnown: figures that follow a model give its parameters back.
func TestFitKnown(t *testing.T) {
	for _, c := range []struct {
		model string
		x0, f float64
	}{{"amdahl", 1, 0.98}, {"amdahl", 1, 1}, {"pipeline", 1, 0.75}, {"pipeline", 1, 0.5}} {
		m, _ := ModelByName(c.model)
		r := known(func(p float64) float64 { return c.x0 * m.shape(p, c.f) }, 1, 2, 4, 8, 16)
		fits, err := r.Fit(m)
		if err != nil {
			t.Fatal(err)
		}
		load := fits[0]
		if load.Factor.Name != loadBalance || load.Points != 5 {
			t.Fatal(load.Factor.Name, load.Points)
		}
		near(t, c.model+" x0", load.X0, 100*c.x0, 1e-4)
		near(t, c.model+" f", load.F, c.f, 1e-6)
		near(t, c.model+" residual", load.Residual, 0, 1e-4)
	}
}

// TestProject: load balance by amdahl with x0 = 1, f = 0.9, communication efficiency 1 throughout.
//
//	p = 1: 1/(0.9+0.1) = 1       p = 10: 1/(0.9+1) = 0.526316       p = 91: 1/(0.9+9.1) = 0.1
//
// The useful time of p processes is p x load(p) s, so that computation scalability is 1/(p load(p)), which amdahl does
// not give exactly: it is fitted, and the speedup follows from the product.
func TestProject(t *testing.T) {
	m, _ := ModelByName("amdahl")
	r := known(func(p float64) float64 { return m.shape(p, 0.9) }, 1, 2, 4, 8)
	fits, err := r.Fit(m)
	if err != nil {
		t.Fatal(err)
	}
	q := r.Project(fits, []int{10, 91})
	load, parallel, global := lookup(loadBalance), lookup(parallelEfficiency), lookup(globalEfficiency)
	near(t, "load balance at 10", q.Value(load, 0), 52.6316, 1e-3)
	near(t, "load balance at 91", q.Value(load, 1), 10, 1e-3)
	near(t, "parallel efficiency at 91", q.Value(parallel, 1), 10, 1e-3)
	near(t, "global efficiency", q.Value(global, 1), q.Value(parallel, 1)*q.Value(lookup(computation), 1)/100, 1e-9)
	// global efficiency of 1 process is 100 %
	near(t, "speedup", q.Value(lookup(speedup), 1), 91*q.Value(global, 1)/100, 1e-9)
	if v := q.Value(lookup(ipcScalability), 0); !math.IsNaN(v) {
		t.Errorf("IPC scalability without counters is %v", v)
	}
	if v := q.Value(lookup("Runtime (us)"), 0); !math.IsNaN(v) {
		t.Errorf("the runtime is not projected, but is %v", v)
	}
}

// TestFitWeights: the smallest run weighs 100 times the others. With f = 1 (constant) forced by rising figures, x0 is
// the weighted mean: of 50, 60, 70 it is (100 x 50 + 60 + 70) / 102 = 50.2941.
func TestFitWeights(t *testing.T) {
	load := map[float64]float64{2: 0.5, 4: 0.6, 8: 0.7}
	m, _ := ModelByName("amdahl")
	fits, err := known(func(p float64) float64 { return load[p] }, 2, 4, 8).Fit(m)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "f", fits[0].F, 1, 0)
	near(t, "x0", fits[0].X0, 50.294118, 1e-5)
	// differences 0.2941, -9.7059, -19.7059: sqrt((0.0865 + 94.2042 + 388.3218)/3) = 12.6835
	near(t, "residual", fits[0].Residual, 12.6835, 1e-4)
}

// TestFitNeedsSizes: two sizes are not enough, however many runs.
func TestFitNeedsSizes(t *testing.T) {
	m := &Models[0]
	_, err := known(func(float64) float64 { return 1 }, 1, 1, 2, 2).Fit(m)
	if err == nil {
		t.Fatal("runs of 2 sizes were fitted")
	}
}

// The document of the runs above with the projection, and the explanation of a factor in it.
func TestProjectionInWords(t *testing.T) {
	m, _ := ModelByName("amdahl")
	r := known(func(p float64) float64 { return m.shape(p, 0.9) }, 1, 2, 4, 8)
	fits, err := r.Fit(m)
	if err != nil {
		t.Fatal(err)
	}
	q := r.Project(fits, []int{10, 91})
	text := document.Text(r.Document(q), nil)
	for _, name := range []string{loadBalance, parallelEfficiency, speedup} {
		for _, line := range r.About(lookup(name), 1, q) {
			text += "about " + name + ": " + line.Text + "\n"
		}
	}
	page := &report.Document{Sections: []report.Section{r.PageSection()}}
	page.Sections[0].On = report.Everywhere
	text += document.Text(page, nil) + documenttest.Object(t, r.Document(q))
	prvtest.SameFile(t, "testdata/projection.txt", text)
}
