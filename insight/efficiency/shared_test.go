package efficiency_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"pview/insight/efficiency"
	"pview/prv"
	"pview/prv/prvtest"
)

// TestPublished: the EPOCH runs have the figures that were published with them, to all printed digits.
func TestPublished(t *testing.T) {
	report := efficiency.Compare([]*efficiency.Run{
		measure(t, "epoch", "epoch_8proc.prv.gz"), measure(t, "epoch", "epoch_2proc.prv.gz"),
		measure(t, "epoch", "epoch_1proc.prv.gz"), measure(t, "epoch", "epoch_4proc.prv.gz"),
	}, efficiency.Auto)
	if report.Scaling != efficiency.Strong {
		t.Errorf("%v scaling", report.Scaling)
	}
	text, err := os.ReadFile(prvtest.Shared(t, "traces", "epoch", "modelfactors.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	if want := "figure\t" + strings.Join(report.Labels(), "\t"); lines[0] != want {
		t.Errorf("header %q, not %q", want, lines[0])
	}
	shown := report.Shown()
	if len(shown) != len(lines)-1 {
		t.Fatalf("%d factors, not %d", len(shown), len(lines)-1)
	}
	for i, f := range shown {
		words := strings.Split(lines[i+1], "\t")
		if words[0] != f.Name {
			t.Errorf("factor %d is %q, not %q", i, f.Name, words[0])
		}
		for run, want := range words[1:] {
			if got := fmt.Sprintf("%.*f", f.Decimals, report.Value(f, run)); got != want {
				t.Errorf("%s, run %d: %s, published was %s", f.Name, run, got, want)
			}
		}
	}
}

// measure opens and measures a shared trace.
func measure(t *testing.T, path ...string) *efficiency.Run {
	t.Helper()
	return measureWith(t, efficiency.Options{}, path...)
}

func measureWith(t *testing.T, opt efficiency.Options, path ...string) *efficiency.Run {
	t.Helper()
	return measureFile(t, opt, prvtest.Shared(t, append([]string{"traces"}, path...)...))
}

func measureFile(t *testing.T, opt efficiency.Options, path string) *efficiency.Run {
	t.Helper()
	trace, err := prv.Open(context.Background(), path, prv.Options{})
	if err != nil {
		t.Fatal(err)
	}
	run, err := efficiency.Measure(context.Background(), trace, opt)
	if err != nil {
		t.Fatal(err)
	}
	return run
}

// TestReal: over all real traces the useful times are those of Paraver and the ideal runtimes those of Dimemas; the
// factors are the products of their parts.
func TestReal(t *testing.T) {
	folders, _ := filepath.Glob(filepath.Join(prvtest.Shared(t, "traces"), "*", "useful.tsv"))
	for _, useful := range folders {
		dir := filepath.Dir(useful)
		traces := prvtest.Traces(dir)
		asRecorded := int64(-1) // as in these predictions
		r := measureWith(t, efficiency.Options{EagerLimit: &asRecorded}, filepath.Base(dir), filepath.Base(traces[0]))
		total := 0.0
		for _, row := range rows(t, useful) {
			ns, _ := strconv.ParseFloat(row[1], 64)
			total += ns
		}
		if r.UsefulTotal() != total {
			t.Errorf("%s: useful time %v, not %v", r.Name, r.UsefulTotal(), total)
		}
		for _, row := range rows(t, filepath.Join(dir, "predicted.tsv")) {
			if row[0] == "ideal" && row[4] != "none" && r.Name != "hybrid_4x4" && // where Dimemas gets stuck
				r.Ideal != nil && fmt.Sprintf("%.9f", float64(r.Ideal.Runtime)/1e9) != row[4] {
				t.Errorf("%s: ideal runtime %d ns, not %s s", r.Name, r.Ideal.Runtime, row[4])
			}
		}
		if why := notSimulated[r.Name]; r.Ideal == nil &&
			(why == "" || !strings.Contains(strings.Join(r.Notes, "; "), why)) {
			t.Errorf("%s: not simulated: %q", r.Name, r.Notes)
		}
		checkProducts(t, efficiency.Compare([]*efficiency.Run{r}, efficiency.Auto))
	}
}

// notSimulated are the traces that may have no ideal run, and why.
var notSimulated = map[string]string{"heat2d_8_nullnb": "deadlock", "npb_cg_S_8_burst": "burst mode"}

func checkProducts(t *testing.T, r *efficiency.Report) {
	t.Helper()
	value := func(name string) float64 {
		f, _ := efficiency.Lookup(name)
		return r.Value(f, 0)
	}
	products := map[string][]string{
		"Parallel efficiency %": {"Load balance %", "Communication efficiency %"},
		"Global efficiency %":   {"Parallel efficiency %", "Computation scalability %"},
	}
	whole := "Communication efficiency %"
	if r.Hybrid() {
		whole = "MPI communication efficiency %"
		products["MPI parallel efficiency %"] = []string{"MPI load balance %", "MPI communication efficiency %"}
		products["OpenMP parallel efficiency %"] = []string{"OpenMP load balance %",
			"OpenMP communication efficiency %"}
		if got, want := value("MPI parallel efficiency %")*value("OpenMP parallel efficiency %")/100,
			value("Parallel efficiency %"); math.Abs(got-want) > 1e-9 {
			t.Errorf("%s: MPI x OpenMP is %v, not %v", r.Runs[0].Name, got, want)
		}
	}
	if r.Runs[0].Ideal != nil {
		products[whole] = []string{"Serialization efficiency %", "Transfer efficiency %"}
	}
	for name, parts := range products {
		if got, want := value(parts[0])*value(parts[1])/100, value(name); !(math.Abs(got-want) < 1e-9) ||
			!(want > 0 && want < 100+1e-9) {
			t.Errorf("%s: %s is %v, its parts give %v", r.Runs[0].Name, name, want, got)
		}
	}
}

// rows reads a table without its header.
func rows(t *testing.T, path string) (list [][]string) {
	t.Helper()
	text, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range strings.Split(strings.TrimSpace(string(text)), "\n")[1:] {
		list = append(list, strings.Split(line, "\t"))
	}
	return list
}
