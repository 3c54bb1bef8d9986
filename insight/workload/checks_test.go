package workload

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pview/insight/runtest"
	"pview/insight/workload/cluster"
	"pview/insight/workload/fit"
	"pview/prv"
	"pview/prv/extrae"
	"pview/prv/extrae/system"
	"pview/prv/picl"
)

// The checks of the requirements by number. Those of the formats alone are in prv/picl, those of methods alone in
// cluster and fit.

const piclFiles = "../../prv/picl/testdata/"

func openPICL(t testing.TB, name string, edits map[int]string) *prv.Trace {
	t.Helper()
	text, err := os.ReadFile(piclFiles + name)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(text), "\n")
	for i, line := range edits {
		lines[i-1] = line
	}
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(strings.Join(lines, "\n")), 0o600); err != nil {
		t.Fatal(err)
	}
	tr, err := picl.Open(context.Background(), path, false, prv.Watcher{})
	if err != nil {
		t.Fatal(err)
	}
	return tr
}

func readTrace(t testing.TB, text string) *prv.Trace {
	t.Helper()
	tr := runtest.Read(t, text)
	if tr.Labels == nil {
		tr.Labels = &prv.Labels{}
	}
	return tr
}

func setOf(t testing.TB, tr *prv.Trace, kind string) *Set {
	t.Helper()
	k, err := KindByName(kind)
	if err != nil {
		t.Fatal(err)
	}
	s, err := Extract(context.Background(), tr, k, Options{})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func analyse(t testing.TB, s *Set, set Settings) *Result {
	t.Helper()
	r, err := Analyse(context.Background(), s, set)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// countedBurst returns the one burst of a trace with some events, whose labels name counters.
func countedBurst(t *testing.T, events string) *Set {
	t.Helper()
	text := "#Paraver (22/11/2026 at 10:00):100_ns:1(1):1:1(1:1)\n1:1:1:1:1:0:100:1\n" + events
	tr, err := prv.Read(context.Background(), strings.NewReader(text), prv.Options{})
	if err != nil {
		t.Fatal(err)
	}
	tr.Labels = tr.Labels.Clone()
	tr.Labels.AddType(42000050, "PAPI_TOT_INS")
	tr.Labels.AddType(42000059, "PAPI_TOT_CYC")
	return setOf(t, tr, "burst")
}

// The instructions and the IPC of bursts are those of all of a burst, also of user functions in it: 600 + 400
// instructions in 300 + 200 cycles.
func TestInstructionsOfBursts(t *testing.T) {
	s := countedBurst(t, `2:1:1:1:1:60:60000019:0:42000050:600:42000059:300
2:1:1:1:1:100:50000002:8:42000050:400:42000059:200
`)
	list := s.defaultParameters()
	if err := s.Measure(context.Background(), list, 1); err != nil {
		t.Fatal(err)
	}
	for i, want := range []float64{1000, 2} {
		if got := s.Column(list[i].Name).Values; len(got) != 1 || got[0] != want {
			t.Errorf("%s: %v, not %v", list[i].Name, got, want)
		}
	}
}

// The labels of a tracer name counters that it did not read.
func TestCountersOnlyInLabels(t *testing.T) {
	s := countedBurst(t, "")
	r := analyse(t, s, Settings{})
	if got := r.Summary(); got != "1 cluster of 1 burst by kmeans on log:duration" {
		t.Error(got)
	}
	r = analyse(t, s, Settings{Parameters: []Parameter{{Name: "total(42000050)"}}})
	if got := strings.Join(r.Notes, "\n"); got != "parameter total(PAPI_TOT_INS): no component has it" {
		t.Error(got)
	}
	r = analyse(t, s, Settings{K: 2, Parameters: []Parameter{{Name: "duration"}}})
	if got := strings.Join(r.Notes, "\n"); got != "1 cluster instead of 2: there are no more" {
		t.Error(got)
	}
}

// want compares columns of a component, "name value"; times in us.
func want(t *testing.T, s *Set, i int, text string) {
	t.Helper()
	f := strings.Fields(text)
	for k := 0; k+1 < len(f); k += 2 {
		c := s.Column(f[k])
		v := c.Values[i]
		if c.Unit == "ns" {
			v /= 1000
		}
		if got := fmt.Sprintf("%.6g", v); got != f[k+1] {
			t.Errorf("%s: %s is %s, want %s", s.Names[i], f[k], got, f[k+1])
		}
	}
}

// columns makes a set of components with the given parameters, as runs are.
func columns(names []string, values map[string][]float64) *Set {
	s := &Set{Kind: &Kinds[2], Names: names, n: len(names)}
	for _, name := range []string{"extime", "cptime", "cmtime"} {
		if v, ok := values[name]; ok {
			s.Columns = append(s.Columns, Column{Name: name, Values: v})
		}
	}
	return s
}

func about(a, b float64) bool { return a == b || math.Abs(a-b) <= 1e-3*math.Abs(b) }

func TestCheck2(t *testing.T) {
	s := setOf(t, openPICL(t, "t5.trf", nil), "event")
	want(t, s, 0, "ctime 2051 stime 388 utime 1302 hstime 871 cnum 1 snum 1 unum 1 hsnum 2 hunum 1 selftime 361")
	want(t, s, 1, "ctime 1302 stime 871 utime 23 hstime 0 cnum 1 snum 2 unum 1 hsnum 0 hunum 0 selftime 408")
	want(t, s, 2, "ctime 23 stime 0 utime 0 hstime 0 cnum 1 snum 0 unum 0 hsnum 0 hunum 0 selftime 23")
}

func TestCheck3(t *testing.T) {
	want(t, setOf(t, openPICL(t, "t5.trf", nil), "task"), 0,
		"extime 2051 rctime 1213 trtime 46 cmtime 1259 sytime 1259 cptime 792 iotime 0 cktime 0 rcdata 16 trdata 8 "+
			"ttdata 24 rcnum 2 trnum 1 ionum 0")
}

func TestCheck4(t *testing.T) {
	tr := openPICL(t, "p2.trf", nil)
	s := setOf(t, tr, "task")
	want(t, s, 0,
		"extime 600 cptime 400 trtime 50 rctime 0 cmtime 50 iotime 50 cktime 100 sytime 200 trdata 1000 trnum 1 "+
			"iodata 512 ionum 1")
	want(t, s, 1, "extime 600 cptime 400 rctime 150 trtime 0 cmtime 150 cktime 50 sytime 200 rcdata 1000 rcnum 1")
	e := setOf(t, tr, "event")
	if e.Len() != 1 {
		t.Fatalf("%d user events", e.Len())
	}
	want(t, e, 0, "ctime 160 stime 0 utime 0 hstime 0 snum 0 unum 0 hsnum 0 hunum 0")
}

const program = "extime 600 cptime 400 cmtime 100 rctime 75 trtime 25 iotime 25 cktime 75 sytime 200 prnum 2 rcnum " +
	"1 trnum 1 ttdata 2000"

func TestCheck5(t *testing.T) { want(t, setOf(t, openPICL(t, "p2.trf", nil), "run"), 0, program) }

// Check 6: how many processors are in a class, over time.
func TestCheck6(t *testing.T) {
	list, err := Profiles(context.Background(), openPICL(t, "p2.trf", nil), Options{})
	if err != nil {
		t.Fatal(err)
	}
	for i, c := range []struct {
		steps, shape string
		average      float64
	}{
		{"0:2", "0 0 1", 2},
		{"0:2 50:1 100:0 150:1 200:2 300:1 350:2 400:1 450:0 500:2", "0.1667 0.3333 0.5", 1.3333},
		{"0:0 50:1 100:2 150:1 200:0", "0.75 0.1667 0.08333", 0.3333},
		{"0:0 50:1 200:0", "0.75 0.25", 0.25},
		{"0:0 100:1 150:0", "0.9167 0.08333", 0.0833},
		{"0:0 300:1 350:0", "0.9167 0.08333", 0.0833},
	} {
		var steps, shape []string
		for k, at := range list[i].Times {
			steps = append(steps, fmt.Sprintf("%d:%d", at/1000, list[i].N[k]))
		}
		for _, f := range list[i].Shape() {
			shape = append(shape, fmt.Sprintf("%.4g", f))
		}
		mean, _ := list[i].Average()
		if strings.Join(steps, " ") != c.steps || strings.Join(shape, " ") != c.shape || !about(mean, c.average) {
			t.Errorf("%s: %s, shape %s, average %v", list[i].Class, steps, shape, mean)
		}
	}
}

// Check 7: read again from a .prv, the parameters are the same: by its labels as a trace of PICL, without them by its
// states.
func TestCheck7(t *testing.T) {
	tr := openPICL(t, "p2.trf", nil)
	path := filepath.Join(t.TempDir(), "p2.prv")
	if err := prv.Save(context.Background(), path, tr); err != nil {
		t.Fatal(err)
	}
	back, err := prv.Open(context.Background(), path, prv.Options{Strict: true})
	if err != nil {
		t.Fatal(err)
	}
	want(t, setOf(t, back, "run"), 0, program)
	back.Labels = &prv.Labels{}
	want(t, setOf(t, back, "run"), 0, program)
}

func TestCheck8(t *testing.T) {
	for _, name := range []string{"compact.trf", "verbose.trf"} { // and check 9
		tr := openPICL(t, name, nil)
		s := setOf(t, tr, "task")
		want(t, s, 0, "extime 600 trnum 1 trdata 1000 trtime 0")
		want(t, s, 1, "extime 600 rctime 150 rcdata 1000")
		want(t, setOf(t, tr, "event"), 0, "ctime 160")
	}
	tr := openPICL(t, "compact.trf", map[int]string{4: "4 0 100 0 1 7 1000\n11 0 100 0 0 0\n11 0 140 0 0 0"})
	want(t, setOf(t, tr, "task"), 0, "trtime 40")
}

func TestCheck10(t *testing.T) {
	tr := openPICL(t, "t5.trf", map[int]string{8: ""})
	want(t, setOf(t, tr, "task"), 0, "trtime 348")
	s := setOf(t, tr, "event")
	want(t, s, 1, "stime 1173 snum 2 utime 0 unum 0")
	want(t, s, 2, "ctime 23")
	want(t, setOf(t, openPICL(t, "t5.trf", map[int]string{12: ""}), "event"), 0, "ctime 1997")
}

func TestCheck11(t *testing.T) {
	_, err := picl.Open(context.Background(), piclFiles+"statistics.trf", false, prv.Watcher{})
	var e *system.StatisticsError
	if !errors.As(err, &e) {
		t.Fatal(err)
	}
	want(t, TasksOfStatistics(e), 0, "trtime 50 trnum 1 trdata 1000 extime 600 cptime 550")
}

// Check 12: efficacy is S^2/p: at 32 processors 14.2857^2/32 = 6.3776. The fit is exact for the runs up to 16, and here
// for 4 + 96/p.
func TestCheck12(t *testing.T) {
	s, err := signatureOf([]int{1, 2, 4, 8, 16, 32, 64}, []float64{100, 52, 28, 16, 10, 7, 5.5})
	if err != nil {
		t.Fatal(err)
	}
	for i, w := range []Scale{{1, 100, 1, 1, 1}, {2, 52, 1.9231, .9615, 1.8491}, {4, 28, 3.5714, .8929, 3.1888},
		{8, 16, 6.25, .7813, 4.8828}, {16, 10, 10, .625, 6.25},
		{32, 7, 14.2857, .4464, 6.3776}, {64, 5.5, 18.1818, .2841, 5.1653}} {
		r := s.Runs[i]
		if r.P != w.P || !about(r.Speedup, w.Speedup) || !about(r.Efficiency, w.Efficiency) ||
			!about(r.Efficacy, w.Efficacy) {
			t.Errorf("%+v, want %+v", r, w)
		}
	}
	c := s.Fits[0]
	if s.WorkingSet != 32 || !about(c.Coefficients[0], 4) || !about(c.Coefficients[1], 96) || !about(c.R2, 1) ||
		!about(s.FittedSet, 24) || !about(s.FittedEfficacy, 6.5104) {
		t.Errorf("%+v %+v", s, c)
	}
	if s, err := signatureOf([]int{4, 2}, []float64{30, 50}); err != nil || !s.Relative || s.Runs[0].Speedup != 2 {
		t.Errorf("relative: %+v, %v", s, err)
	}
}

// Check 14: the limits of 1..19 and 1000 at 2% and 98% are at positions 0.38 and 18.62: 1.38 and 19 + 0.62*981 =
// 627.22.
func TestCheck14(t *testing.T) {
	var names []string
	var values []float64
	for i := range 20 {
		names, values = append(names, fmt.Sprint(i+1)), append(values, float64(i+1))
	}
	values[19] = 1000
	d := fit.Describe(values)
	if !about(d.Percentile(2), 1.38) || !about(d.Percentile(98), 627.22) {
		t.Errorf("%v %v", d.Percentile(2), d.Percentile(98))
	}
	r := analyse(t, columns(names, map[string][]float64{"extime": values}),
		Settings{Parameters: []Parameter{{Name: "extime"}}, TrimLow: 2, TrimHigh: 98})
	if fmt.Sprint(r.Trimmed) != "[0 19]" || r.Counts[ClassRange] != 2 {
		t.Errorf("trimmed %v", r.Trimmed)
	}
}

var cases = map[string][]float64{"extime": {3.36, 3.38, 3.37, 3.86, 3.88, 3.34},
	"cptime": {3.02, 3.04, 3.03, 3.03, 3.04, 3.17}, "cmtime": {0.34, 0.34, 0.34, 0.83, 0.84, 0.17}}

// membership returns the clusters as sets of names.
func membership(r *Result) string {
	in := map[int32][]string{}
	for i, c := range r.Class {
		in[c] = append(in[c], r.Set.Names[i])
	}
	var list []string
	for _, names := range in {
		slices.Sort(names)
		list = append(list, strings.Join(names, " "))
	}
	slices.Sort(list)
	return strings.Join(list, " | ")
}

// Check 17: six runs with three parameters.
func TestCheck17(t *testing.T) {
	s := columns([]string{"r1", "r2", "r3", "r4", "r5", "r6"}, cases)
	r := analyse(t, s, Settings{})
	ss, rs := []float64{2.805646, 0.716527, 0.012594, 0.005413, 0.003019}, []float64{0, 11.6625, 167.680, 2.653, 0.793}
	for i := range ss {
		if p := r.Partitions[i]; !about(p.SS, ss[i]) || i > 0 && !about(p.R, rs[i]) {
			t.Errorf("k = %d: SS %v, R %v", i+1, p.SS, p.R)
		}
	}
	if r.Recommended != 3 || membership(r) != "r1 r2 r3 | r4 r5 | r6" {
		t.Fatalf("k = %d: %s", r.Recommended, membership(r))
	}
	for i, want := range []string{"50.0% 3.370/0.0082 3.030/0.0082 0.340/0.0000",
		"33.3% 3.870/0.0100 3.035/0.0050 0.835/0.0050", "16.7% 3.340/0.0000 3.170/0.0000 0.170/0.0000"} {
		c := r.Clusters[i]
		got := fmt.Sprintf("%.1f%%", 100*c.Share)
		for _, p := range c.Parameters {
			got += fmt.Sprintf(" %.3f/%.4f", p.Mean, p.Std)
		}
		if got != want {
			t.Errorf("cluster %d: %s, want %s", i+1, got, want)
		}
	}
}

// caseRow is a cluster of the case study: its share in percent, its size, mean and deviation of each parameter (PSTSWM
// on four machines).
type caseRow struct {
	percent      float64
	n            int
	ex, cp, cm   float64
	sex, scp, sc float64
}

var study = map[string][]caseRow{
	"iPSC/2": {{17.0, 9, 139.577, 137.659, 1.712, .561, .225, .797},
		{47.2, 25, 144.483, 141.450, 3.013, .350, .169, .334}, {35.8, 19, 142.571, 137.376, 5.514, .247, .167, .303}},
	"iPSC/860": {{1.8, 1, 16.158, 12.836, 3.321, 0, 0, 0}, {28.6, 16, 19.788, 13.080, 6.690, .355, .218, .380},
		{19.6, 11, 17.849, 13.307, 4.525, .840, .324, .706}, {3.6, 2, 15.463, 13.869, 1.585, .686, .159, .846},
		{46.4, 26, 19.802, 12.904, 6.891, .481, .099, .467}},
	"DELTA": {{20.2, 18, 5.227, 3.947, 1.278, .147, .069, .139}, {34.8, 31, 5.849, 4.185, 1.663, .169, .140, .136},
		{15.7, 14, 5.835, 4.756, 1.074, .126, .181, .191}, {20.2, 18, 5.679, 4.205, 1.471, .139, .152, .140},
		{9.0, 8, 5.152, 3.947, 1.204, .159, .042, .129}},
	"Paragon": {{49.1, 28, 3.372, 3.028, .344, .053, .029, .344}, {33.3, 19, 3.866, 3.033, .833, .039, .033, .049},
		{8.8, 5, 3.920, 3.035, .885, .128, .028, .110}, {8.8, 5, 3.345, 3.167, .178, .011, .042, .045}},
}

// built has components with the means and deviations of a machine: member j is one deviation above for even j, below
// for odd j, the last one of an odd number at the mean.
func built(rows []caseRow) *Set {
	var names []string
	values := map[string][]float64{}
	for c, row := range rows {
		for j := range row.n {
			z := 1 - 2*float64(j%2)
			if j == row.n-1 && row.n%2 == 1 {
				z = 0
			}
			names = append(names, fmt.Sprintf("%d.%d", c+1, j))
			values["extime"] = append(values["extime"], row.ex+z*row.sex)
			values["cptime"] = append(values["cptime"], row.cp+z*row.scp)
			values["cmtime"] = append(values["cmtime"], row.cm+z*row.sc)
		}
	}
	return columns(names, values)
}

// Check 18: the clusters of the iPSC/2. The 53 components have 9 different values only, so that k = 9 would leave
// nothing: up to 6 are tried.
func TestCheck18(t *testing.T) {
	rows := study["iPSC/2"]
	r := analyse(t, built(rows), Settings{MostK: 6})
	ss, rs := []float64{20.881866, 5.984117, 0.667296, 0.391259},
		[]float64{0, 126.967, 398.385, 34.570, 64.666, 123.296}
	for i := range rs {
		if p := r.Partitions[i]; i < len(ss) && !about(p.SS, ss[i]) || i > 0 && !about(p.R, rs[i]) {
			t.Errorf("k = %d: SS %v, R %v", i+1, p.SS, p.R)
		}
	}
	if r.Recommended != 3 || cluster.Rules[1].Choose(r.Partitions) <= 3 {
		t.Errorf("recommended %d; by the other rule %d", r.Recommended, cluster.Rules[1].Choose(r.Partitions))
	}
	stds := [][3]float64{{.343, .166, .327}, {.240, .163, .295}, {.529, .212, .751}}
	for i, row := range []caseRow{rows[1], rows[2], rows[0]} { // by total time
		c := r.Clusters[i]
		if c.Size != row.n || fmt.Sprintf("%.1f", 100*c.Share) != fmt.Sprintf("%.1f", row.percent) ||
			!about(c.Parameters[0].Mean, row.ex) || !about(c.Parameters[2].Mean, row.cm) {
			t.Errorf("cluster %d: %+v", i+1, c)
		}
		for j, p := range c.Parameters {
			if math.Abs(p.Std-stds[i][j]) > 6e-4 {
				t.Errorf("cluster %d: deviation %v, want %v", i+1, p.Std, stds[i][j])
			}
		}
	}
}

// Check 19: the tables of the case study agree with themselves.
func TestCheck19(t *testing.T) {
	means := map[string][3]float64{"iPSC/2": {142.965, 139.346, 3.689}, "iPSC/860": {19.194, 13.067, 6.116},
		"DELTA": {5.624, 4.209, 1.412}, "Paragon": {3.582, 3.043, .540}}
	sizes, most := map[string]int{"iPSC/2": 53, "iPSC/860": 56, "DELTA": 89, "Paragon": 57},
		map[string]float64{"iPSC/2": .319, "iPSC/860": .018, "DELTA": .005, "Paragon": 0}
	for machine, rows := range study {
		s := built(rows)
		if s.Len() != sizes[machine] {
			t.Errorf("%s: %d runs", machine, s.Len())
		}
		for j := range means[machine] {
			if got := fit.Describe(s.Columns[j].Values).Mean; math.Abs(got-means[machine][j]) > 1e-3 {
				t.Errorf("%s: mean %v, want %v", machine, got, means[machine][j])
			}
		}
		for _, row := range rows {
			if got := 100 * float64(row.n) / float64(sizes[machine]); fmt.Sprintf("%.1f", got) != fmt.Sprintf("%.1f",
				row.percent) {
				t.Errorf("%s: %v%%, want %v", machine, got, row.percent)
			}
			if rest := math.Abs(row.ex - row.cp - row.cm); rest > most[machine]+1e-3+1e-9 {
				t.Errorf("%s: extime - cptime - cmtime = %v", machine, rest)
			}
		}
	}
}

// Check 20: labels by cluster.
func TestCheck20(t *testing.T) {
	c := cross("algorithm", []string{"01", "01", "02", "02", "10", "12"}, []int{0, 0, 0, 1, 1, 2}, 3)
	if fmt.Sprint(c.Values, c.Counts) != "[01 02 10 12] [[2 0 0] [1 1 0] [0 1 0] [0 0 1]]" {
		t.Errorf("%v %v", c.Values, c.Counts)
	}
	if v, ok := c.Common(2); v != "12" || !ok {
		t.Errorf("all members of cluster 3 are %q", v)
	}
	if part, lift := c.Share(0, 0); !about(part, 2.0/3) || !about(lift, 2) { // 2 of 3 there, 2 of 6 in all
		t.Errorf("share %v, lift %v", part, lift)
	}
	if got := labels([]string{"pstswm.02.4.x", "a.b"}, "."); fmt.Sprintf("%q",
		got) != `[["pstswm" "02" "4" "x"] ["a" "b" "" ""]]` {
		t.Errorf("%q", got)
	}
}

// Check 23: scaling.
func TestCheck23(t *testing.T) {
	for log, want := range map[bool][]float64{true: {0, 0.3333, 1}, false: {0, 0.009009, 1}} {
		s := columns([]string{"a", "b", "c"}, map[string][]float64{"extime": {1e3, 1e4, 1e6}, "cptime": {7, 7, 7}})
		r := analyse(t, s, Settings{Parameters: []Parameter{{Name: "extime", Log: log}, {Name: "cptime"}}})
		for i := range want {
			if p := r.Points.At(i); !about(p[0], want[i]) || p[1] != 0 {
				t.Errorf("log %v: %v, want %v", log, p, want[i])
			}
		}
		alone := analyse(t, s, Settings{Parameters: []Parameter{{Name: "extime", Log: log}}})
		if a, b := r.Partitions[1].R, alone.Partitions[1].R; a != b {
			t.Errorf("a constant column changes R: %v, %v", a, b)
		}
	}
}

const burstTrace = `#Paraver (01/01/26 at 00:00):640_ns:2(1,1):1:2(1:1,1:2)
1:1:1:1:1:0:100:1
1:2:1:2:1:0:100:1
2:1:1:1:1:100:42000050:200:42000059:100
1:1:1:1:1:100:150:3
2:2:1:2:1:100:42000050:200:42000059:100
1:2:1:2:1:100:200:3
1:1:1:1:1:150:450:1
1:2:1:2:1:200:500:1
2:1:1:1:1:450:42000050:900:42000059:300
1:1:1:1:1:450:500:3
1:1:1:1:1:500:520:1
2:2:1:2:1:500:42000050:900:42000059:300
1:2:1:2:1:500:540:5
2:1:1:1:1:520:42000050:30:42000059:20
1:2:1:2:1:540:640:1
`

func burstSettings() Settings {
	return Settings{Parameters: []Parameter{{Name: "42000050"}, {Name: "42000050/42000059"}}, Least: 50,
		Method: "dbscan", Eps: 0.1, MinPoints: 2}
}

// stream returns the cluster events of a thread, "time:value".
func stream(tr *prv.Trace, thread int) string {
	e := &tr.Threads[thread].Events
	var list []string
	for i := range e.Len() {
		if e.Type[i] == extrae.ClusterID {
			list = append(list, fmt.Sprintf("%d:%d", e.Time[i], e.Value.At(i)))
		}
	}
	return strings.Join(list, " ")
}

func checkBursts(t *testing.T, r *Result) {
	t.Helper()
	for i, want := range []string{"0:7 100:0 150:6 450:0 500:2 520:0", "0:7 100:0 200:6 500:0 540:1 640:0"} {
		if got := stream(r.Stream(StreamOptions{}), i); got != want {
			t.Errorf("task %d: %s, want %s", i+1, got, want)
		}
	}
	var b strings.Builder
	if err := r.WriteInfo(&b); err != nil {
		t.Fatal(err)
	}
	want :=
		"Cluster Name,NOISE,Cluster 1,Cluster 2\nDensity,0,2,2\nTotal Duration,0,600,200\nAvg. " +
			"Duration,0,300,100\n% Total Duration,0,0.75,0.25\n42000050,0,900,200\n42000050/42000059,0,3,2\n"
	if b.String() != want {
		t.Errorf("%swant\n%s", b.String(), want)
	}
}

// Check 25: bursts of a trace of Paraver.
func TestCheck25(t *testing.T) {
	r := analyse(t, setOf(t, readTrace(t, burstTrace), "burst"), burstSettings())
	checkBursts(t, r)
	var b strings.Builder
	if err := r.WriteData(&b); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(b.String(), "\n")
	for i, want := range map[int]string{
		0: "# Instance,TaskId,ThreadId,Begin_Time,End_Time,Duration,Line,42000050,42000050/42000059," +
			"42000050_Norm,42000050/42000059_Norm,ClusterID",
		1: "1,1,1,0,100,100,0,200,2,0,0,7", 3: "3,1,1,150,450,300,0,900,3,1,1,6",
		5: "5,1,1,500,520,20,0,30,1.5,nan,nan,2", 6: "6,2,1,540,640,100,0,nan,nan,nan,nan,1"} {
		if lines[i] != want {
			t.Errorf("line %d: %s, want %s", i+1, lines[i], want)
		}
	}
}

// Check 26: cluster 2 has 25% of the time of the clusters.
func TestCheck26(t *testing.T) {
	set := burstSettings()
	set.Threshold = 30
	r := analyse(t, setOf(t, readTrace(t, burstTrace), "burst"), set)
	if got := stream(r.Stream(StreamOptions{}), 0); got != "0:4 100:0 150:6 450:0 500:2 520:0" || len(r.Clusters) != 1 {
		t.Errorf("%s, %d clusters", got, len(r.Clusters))
	}
	if got := stream(r.Stream(StreamOptions{Filtered: true}), 0); got != "150:6 450:0" {
		t.Errorf("without those filtered: %s", got)
	}
}

// Check 27: k-means finds the same.
func TestCheck27(t *testing.T) {
	set := burstSettings()
	set.Method = "kmeans"
	r := analyse(t, setOf(t, readTrace(t, burstTrace), "burst"), set)
	if !math.IsInf(r.Partitions[1].R, 1) || r.Recommended != 2 {
		t.Errorf("R(2) %v, recommended %d", r.Partitions[1].R, r.Recommended)
	}
	checkBursts(t, r)
}

// Check 28: the settings as a file of the clustering suite.
func TestCheck28(t *testing.T) {
	text := `<?xml version="1.0"?>
<clustering_definition use_duration="no" apply_log="yes" normalize_data="yes" duration_filter="50n"
  threshold_filter="0">
  <clustering_algorithm name="DBSCAN"><epsilon>0.1</epsilon><min_points>2</min_points></clustering_algorithm>
  <clustering_parameters>
    <single_event apply_log="no" name="instructions"><event_type>42000050</event_type></single_event>
    <mixed_events apply_log="no" name="IPC" operation="/">
      <event_type_a>42000050</event_type_a><event_type_b>42000059</event_type_b></mixed_events>
  </clustering_parameters>
</clustering_definition>`
	set, err := ReadDefinition(strings.NewReader(text), "a.xml")
	if err != nil {
		t.Fatal(err)
	}
	checkBursts(t, analyse(t, setOf(t, readTrace(t, burstTrace), "burst"), set))
	_, err = ReadDefinition(strings.NewReader(strings.Replace(text, "DBSCAN", "PARSAC", 1)), "a.xml")
	if err == nil || !strings.Contains(err.Error(), `a.xml: clustering_algorithm "PARSAC" is not supported`) {
		t.Error(err)
	}
	for text, want := range map[string]float64{"": 0, "1000": 1e6, "50n": 50, "2m": 2e6, "1s": 1e9, "1M": 60e9,
		"1H": 3600e9, "1D": 86400e9} {
		if v, err := duration(text); v != want || err != nil {
			t.Errorf("%q: %v ns, %v", text, v, err)
		}
	}
}

// Check 29: the order of the input does not matter for the sets of members, and nothing depends on chance.
func TestCheck29(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	simple := map[string][]float64{"extime": {0, 1, 2, 10, 11, 12, 30, 31, 32}}
	for name, c := range map[string]struct {
		values map[string][]float64
		names  []string
		set    Settings
	}{
		"15": {simple, strings.Fields("a b c d e f g h i"), Settings{Parameters: []Parameter{{Name: "extime"}}}},
		"17": {cases, strings.Fields("r1 r2 r3 r4 r5 r6"), Settings{}},
	} {
		want := membership(analyse(t, columns(c.names, c.values), c.set))
		for range 200 {
			order := rng.Perm(len(c.names))
			var names []string
			values := map[string][]float64{}
			for _, i := range order {
				names = append(names, c.names[i])
				for p := range c.values {
					values[p] = append(values[p], c.values[p][i])
				}
			}
			if got := membership(analyse(t, columns(names, values), c.set)); got != want {
				t.Fatalf("check %s, order %v: %s, want %s", name, order, got, want)
			}
		}
	}
	s := built(study["iPSC/2"])
	want := membership(analyse(t, s, Settings{MostK: 6}))
	slices.Reverse(s.Names)
	for i := range s.Columns {
		slices.Reverse(s.Columns[i].Values)
	}
	if got := membership(analyse(t, s, Settings{MostK: 6})); got != want {
		t.Errorf("check 18 reversed: %s", got)
	}
	// Check 25 with the tasks exchanged: bursts of one cluster are again those of the same length.
	lines := strings.Split(burstTrace, "\n")
	for i, line := range lines[1:] {
		f := strings.SplitN(line, ":", 6)
		if len(f) == 6 {
			other := map[string]string{"1": "2", "2": "1"}[f[1]]
			lines[i+1] = strings.Join([]string{f[0], other, f[2], other, f[4], f[5]}, ":")
		}
	}
	r := analyse(t, setOf(t, readTrace(t, strings.Join(lines, "\n")), "burst"), burstSettings())
	if got := stream(r.Stream(StreamOptions{}), 1); got != "0:7 100:0 150:6 450:0 500:2 520:0" {
		t.Errorf("tasks exchanged: %s", got)
	}
	a := analyse(t, setOf(t, readTrace(t, burstTrace), "burst"), burstSettings())
	b := analyse(t, setOf(t, readTrace(t, burstTrace), "burst"), burstSettings())
	if !slices.Equal(a.Class, b.Class) {
		t.Error("two runs differ")
	}
}
