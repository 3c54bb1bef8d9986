package workload

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"pview/insight/report"
	"pview/insight/workload/cluster"
	"pview/prv"
	"pview/render/document"
)

// fiveBursts has bursts of 300, 100 and 110 us on task 1, of 320 and 90 us on task 2, and then one of 2 us. Each ends
// with 2 instructions per ns, and 1 cycle; of the events with a label the first word is a name.
func fiveBursts(t *testing.T) *prv.Trace {
	t.Helper()
	var b strings.Builder
	b.WriteString("#Paraver (22/11/2026 at 10:00):600000_ns:1(2):1:2(1:1,1:1)\n")
	for task, list := range [][]int64{{300, 100, 110}, {320, 90, 2}} {
		at := int64(0)
		for _, us := range list {
			end := at + us*1000
			fmt.Fprintf(&b, "1:%d:1:%d:1:%d:%d:1\n", task+1, task+1, at, end)
			fmt.Fprintf(&b, "2:%d:1:%d:1:%d:42000050:%d:42000059:%d\n", task+1, task+1, end, us*2000, us*1000)
			fmt.Fprintf(&b, "1:%d:1:%d:1:%d:%d:7\n", task+1, task+1, end, end+1000)
			at = end + 1000
		}
	}
	tr := readTrace(t, b.String())
	tr.Labels = tr.Labels.Clone()
	tr.Labels.AddType(42000050, "PAPI_TOT_INS (instructions completed)")
	tr.Labels.AddType(42000059, "PAPI_TOT_CYC (cycles)")
	tr.Labels.AddType(7, "Step of the solver")
	return tr
}

// ofBursts clusters them in two by their duration, without the shortest.
func ofBursts(t *testing.T, more ...Parameter) *Result {
	return analyse(t, setOf(t, fiveBursts(t), "burst"), Settings{Method: "kmeans", K: 2, Least: 5000,
		Parameters: append([]Parameter{{Name: "duration"}}, more...)})
}

// cells writes the rows of a table: numbers with 4 digits, "-" where there is nothing.
func cells(t *report.Table) (rows []string) {
	for _, row := range t.Rows {
		var words []string
		for _, cell := range row {
			switch v := cell.(type) {
			case nil:
				words = append(words, "-")
			case float64:
				if math.Abs(v) < 1e-12 {
					v = 0
				}
				words = append(words, fmt.Sprintf("%.4g", v))
			default:
				words = append(words, fmt.Sprint(v))
			}
		}
		rows = append(rows, strings.TrimSpace(strings.Join(words, " ")))
	}
	return rows
}

func view(t *testing.T, r *Result, name string) *report.Document {
	t.Helper()
	d, err := r.Document(context.Background(), ViewNamed(name))
	if err != nil {
		t.Fatal(name, err)
	}
	return d
}

// threeRuns have names of two fields, and values whose correlation is 1/2: the deviations are -1, 0, 1 and -1, 1, 0.
func threeRuns(t *testing.T) *Result {
	s := columns([]string{"lu.A", "lu.B", "cg.A"}, map[string][]float64{"extime": {1, 2, 9}, "cptime": {1, 3, 2}})
	r := analyse(t, s, Settings{K: 2, Parameters: []Parameter{{Name: "extime"}}})
	s.Columns[0].Values = []float64{1, 2, 3}
	return r
}

// The tables of the views.
func TestViews(t *testing.T) {
	bursts := ofBursts(t)
	correlated := threeRuns(t)
	correlated.Settings.Extra = []string{"cptime"}
	speedup := &Set{Kind: &Kinds[2], n: 3, Columns: []Column{{Name: "prnum", Values: []float64{2, 4, 8}},
		{Name: "extime", Unit: "ns", Values: []float64{100, 60, 40}}}}
	density := analyse(t, setOf(t, fiveBursts(t), "burst"), Settings{Method: "dbscan", Eps: 0.1, MinPoints: 3,
		Least: 5000, Parameters: []Parameter{{Name: "duration"}}})
	for _, c := range []struct {
		r    *Result
		view string
		rows []string
	}{
		// 300 and 320 us are 620 of 920 us; 90, 100 and 110 have a deviation of sqrt(200/3) = 8.165.
		{bursts, "clusters", []string{
			"Cluster 1 2 0.4 6.2e+05 0.6739 3.1e+05 1e+04",
			"Cluster 2 3 0.6 3e+05 0.3261 1e+05 8165 1.1.1 301.000 .. 401.000 us",
			"Duration Filtered 1 - 2000 - - - -"}},
		// 90 .. 320 become 0 .. 1. Squares about 184: 13456 + 7056 + 5476 + 18496 + 8836 = 53320; about the two means
		// 100 + 100 and 100 + 100; both over 230^2. The ratio is (53320/400 - 1) (5 - 2) = 396.9.
		{bursts, "k", []string{"1 1.008 - - -", "2 0.007561 396.9 "}},
		// 2, 90, 100, 110, 300, 320: quartiles at 1.25, 2.5 and 3.75 places, 90 % at 4.5; the sum is 922.
		{bursts, "statistics", []string{
			"duration 6 0 2000 9.25e+04 1.05e+05 2.525e+05 3.1e+05 3.2e+05 9.22e+05 1.537e+05"}},
		{bursts, "composition", []string{"task TASK 1.1 1 1 0.5 0.8333", "task TASK 1.2 1 1 0.5 1.25",
			"task TASK 1.1 2 2 0.6667 1.111", "task TASK 1.2 2 1 0.3333 0.8333"}},
		// Ranks have 1 2 2 and 1 2: the third of rank 1 agrees with no other.
		{bursts, "sequence", []string{"1 all 1", "1 THREAD 1.1.1 1", "1 THREAD 1.2.1 1", "2 all 0.6667",
			"2 THREAD 1.1.1 0.5", "2 THREAD 1.2.1 1", "all all 0.8"}},
		// The second nearest of 90, 100, 110, 300, 320 are at 20, 10, 20, 190 and 210 of 230: the knee is at 20.
		{density, "k", []string{"1 0.913", "2 0.8261", "3 0.08696 suggested eps", "4 0.08696", "5 0.04348"}},
		{density, "clusters", []string{"Cluster 1 3 0.6 3e+05 0.3261 1e+05 8165 1.1.1 301.000 .. 401.000 us",
			"Noise 2 0.4 6.2e+05 0.6739", "Duration Filtered 1 - 2000"}},
		{correlated, "correlation", []string{"extime 1 0.5", "cptime 0.5 1"}},
		// 1 + 1/2 and 1 - 1/2 of 2.
		{correlated, "principal", []string{"1 1.5 0.75 0.7071 0.7071", "2 0.5 0.25 "}},
		// The run of 9 is cluster 1.
		{threeRuns(t), "composition", []string{"field 1 cg 1 1 1 3 all members", "field 1 lu 2 2 1 1.5 all members",
			"field 2 A 1 1 1 1.5 all members", "field 2 A 2 1 0.5 0.75", "field 2 B 2 1 0.5 1.5"}},
		// On 2 processors 2 is the speedup; 200/60 and 200/40; 2, 2.778 and 3.125 are the efficacies.
		{&Result{Set: speedup}, "speedup", []string{"2 100 2 1 2", "4 60 3.333 0.8333 2.778",
			"8 40 5 0.625 3.125 working set"}},
		// Both compute all of the time but the 3 us after bursts; task 1 ends at 513 us, task 2 at 415.
		{bursts, "profile", []string{"execution 0 2", "execution 415000 1", "execution 513000 0"}},
	} {
		got := cells(view(t, c.r, c.view).Rows())
		for i, want := range c.rows {
			if i >= len(got) || !strings.HasPrefix(got[i], want) {
				t.Errorf("%s: %s\nwant %s", c.view, strings.Join(got, "\n"), want)
				break
			}
		}
	}
	notes := view(t, &Result{Set: speedup}, "speedup").Notes
	if want := "relative: there is no run on one processor; speedups compare with that on 2"; notes[0] != want {
		t.Errorf("%q", notes)
	}
	for _, name := range []string{"profile", "shape", "speedup"} {
		if _, err := correlated.Document(context.Background(), ViewNamed(name)); err == nil {
			t.Errorf("%s of runs without a trace", name)
		}
	}
	if ViewNamed("foo") != nil {
		t.Error("there is no view foo")
	}
}

// The shape of a run: how many processors compute at once.
func TestShape(t *testing.T) {
	r := &Result{Set: setOf(t, openPICL(t, "p2.trf", nil), "task")}
	// None of the two computes for 100 of 600 us, one for 200, two for 300: 1.333 on average, with a variance of
	// 1/6 (4/3)^2 + 1/3 (1/3)^2 + 1/2 (2/3)^2 = 0.5556.
	got := cells(view(t, r, "shape").Rows())
	for _, want := range []string{"0 0.1667 1.333 0.5556", "1 0.3333 1.333 0.5556", "2 0.5 1.333 0.5556"} {
		if !slices.ContainsFunc(got, func(row string) bool { return strings.HasSuffix(row, want) }) {
			t.Errorf("%s is not in\n%s", want, strings.Join(got, "\n"))
		}
	}
}

// What people read.
func TestDocument(t *testing.T) {
	r := ofBursts(t, Parameter{Name: "total(42000050)/total(42000059)"})
	d, err := r.Document(context.Background(), ViewNamed("clusters"), ViewNamed("fits"), ViewNamed("statistics"))
	if err != nil {
		t.Fatal(err)
	}
	text := document.Text(d, func(s string) string { return s })
	for _, want := range []string{
		"2 clusters of 6 bursts by kmeans on duration, total(PAPI_TOT_INS)/total(PAPI_TOT_CYC)",
		"; in no cluster: 1 duration filtered", "IPC", "40.0 %", "620 us", "67.4 %", "310 us", "Typical",
		"Distribution", "not rejected", "105 us"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in\n%s", want, text)
		}
	}
	o := fmt.Sprint(d.Object())
	for _, want := range []string{"{component burst}", "{components 6}", "{unclustered 1}", "{duration_filtered 1}",
		"{noise 0}", "{name kmeans}", "{k 2}", "{id 2}", "{size 3}", "{duration_ns 300000}",
		"{parameters [duration total(42000050)/total(42000059)]}"} {
		if !strings.Contains(o, want) {
			t.Errorf("%s is not in %s", want, o)
		}
	}
	if about := fmt.Sprint(r.About(1)); !strings.Contains(about, "[duration 320 us]") ||
		!strings.Contains(about, "[ Cluster 1]") || !strings.Contains(about, "[IPC 2]") {
		t.Error(about)
	}
	if about := fmt.Sprint(r.AboutClass(1)); !strings.HasPrefix(about, "[[Size 3] [Share 60.0 %] [Time 300 us]") {
		t.Error(about)
	}
	if c, n := r.noiseShares(); c > 1e-12 || n > 1e-12 {
		t.Errorf("noise %v, %v", c, n)
	}
	s := analyse(t, r.Set, Settings{Method: "dbscan", Eps: 0.1, MinPoints: 3, Least: 5000,
		Parameters: []Parameter{{Name: "duration"}}}).Summary()
	if want := "1 cluster of 6 bursts by dbscan on duration, eps 0.1, 3 points; in no cluster: 1 duration filtered, " +
		"2 noise"; s != want {
		t.Errorf("%q, want %q", s, want)
	}
}

// Of parameters people read the labels.
func TestTitle(t *testing.T) {
	r := ofBursts(t)
	for name, want := range map[string]string{"duration": "duration", "42000050": "instructions",
		"total(42000050)/total(42000059)": "IPC", "42000059/42000050": "PAPI_TOT_CYC/PAPI_TOT_INS",
		"total(42000050)*42000059": "PAPI_TOT_INS*PAPI_TOT_CYC", "7": "Step", "Step": "Step", "9": "9",
		"total(42000059)": "PAPI_TOT_CYC", "foo+7": "foo+7"} {
		if name != "duration" {
			r.Set.add(name, "", "")
		}
		if got := r.Title(name); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
	for unit, want := range map[string]string{"ns": "1.5 us", "B": "1.5 kB", "": "1500"} {
		if c := (Column{Unit: unit}); c.show(1500) != want || c.show(math.NaN()) != "-" {
			t.Errorf("%s: %s, want %s", unit, c.show(1500), want)
		}
	}
	list := []Parameter{{Name: "total(42000050)", Log: true}, {Name: "7"}}
	if got := ParametersText(list, r.Set.Trace.Labels); got != "log:total(PAPI_TOT_INS), 7" {
		t.Error(got)
	}
	if got := ParametersText(list, nil); got != "log:total(42000050), 7" {
		t.Error(got)
	}
	if got := r.Set.Place(1); got != "1.2.1 at 0 ns" && got != "1.2.1 at 0 us" && got != "1.2.1 at 0.00 ms" {
		t.Error(got)
	}
}

// Settings as text: what is read is written again, and what is wrong is refused.
func TestFields(t *testing.T) {
	for _, c := range []struct{ name, text, again, wrong string }{
		{"scaling", "zscore", "zscore", "big"},
		{"least", " 50us ", "50 us", "-1us"},
		{"trim", "2,98", "2, 98", "98,2"},
		{"trim", "0,50", "0, 50", "50"},
		{"trim", "no", "no", "50,50"},
		{"trim", "", "no", "0,101"},
		{"method", "dbscan", "dbscan", "other"},
		{"eps", "0.25", "0.25", "0"},
		{"min points", "1", "1", "0"},
		{"k", "7", "7", "-1"},
		{"k", "auto", "auto", "x"},
		{"most k", "1", "1", "0"},
		{"rule", "every", "every", "some"},
		{"threshold", "2.5%", "2.5 %", "101"},
		{"threshold", "100", "100 %", "-1"},
		{"sample", "1000", "1000", "-1"},
		{"sample", "all", "all", "auto"},
	} {
		i := slices.IndexFunc(Fields, func(f Field) bool { return f.Name == c.name })
		f, set := &Fields[i], Settings{}.Filled()
		if err := f.Set(&set, c.text); err != nil || f.Text(&set) != c.again {
			t.Errorf("%s %q: %q, %v", c.name, c.text, f.Text(&set), err)
		}
		if err := f.Set(&set, c.wrong); err == nil || f.Text(&set) != c.again {
			t.Errorf("%s takes %q: %q", c.name, c.wrong, f.Text(&set))
		}
	}
	set := Settings{}.Filled()
	if set.Scaling != &Scalings[0] || set.Eps != 0.01 || set.MinPoints != 10 || set.MostK != cluster.DefaultMost ||
		Fields[5].Flag() != "min-points" {
		t.Errorf("%+v", set)
	}
}

// Parameters as text.
func TestParameterText(t *testing.T) {
	inf := math.Inf(1)
	list, err := ParseParameters("duration, log:size@2=10..1e3, ,x=..5, y@1=3..")
	want := []Parameter{{Name: "duration"}, {Name: "size", Log: true, Factor: 2, Min: 10, Max: 1000},
		{Name: "x", Min: -inf, Max: 5}, {Name: "y", Factor: 1, Min: 3, Max: inf}}
	if err != nil || !slices.Equal(list, want) {
		t.Errorf("%+v, %v", list, err)
	}
	if got := ParametersText(list, nil); got != "duration, log:size@2=10..1000, x=..5, y=3.." {
		t.Error(got)
	}
	for _, wrong := range []string{"a@0", "a@-1", "a@x", "a@1e10", "a=1", "a=x..2", "a=1..x", "log:", "@2"} {
		if list, err := ParseParameters(wrong); err == nil {
			t.Errorf("%s: %+v", wrong, list)
		}
	}
}
