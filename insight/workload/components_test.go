package workload

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pview/prv"
)

// Two messages, of task 1 and back, and two operations: an Allreduce of communicator 1, where task 2 arrives last after
// 20 us, and a barrier of communicator 2 that task 1 enters when the other has left. Times are in us.
const exchange = `#Paraver (22/11/2026 at 10:00):100:1(2):1:2(1:1,1:1),0
1:1:1:1:1:0:10:1
1:2:1:2:1:0:30:1
2:1:1:1:1:10:50000002:10:50100001:8:50100002:16:50100004:1
2:1:1:1:1:40:50000002:0
2:2:1:2:1:30:50000002:10:50100001:4:50100002:4:50100004:1
2:2:1:2:1:40:50000002:0
2:2:1:2:1:50:50000002:8:50100004:2
2:2:1:2:1:60:50000002:0
2:1:1:1:1:70:50000002:8:50100004:2
2:1:1:1:1:75:50000002:0
3:1:1:1:1:10:12:2:1:2:1:5:30:100:7
3:2:1:2:1:40:40:1:1:1:1:60:70:8:1
`

func TestMessages(t *testing.T) {
	tr := readTrace(t, exchange)
	s := setOf(t, tr, "message")
	if s.Len() != 2 {
		t.Fatalf("%d messages", s.Len())
	}
	s.Names = []string{"there", "back"}
	want(t, s, 0, "size 100 transfer 18 senddelay 2 recvwait 25 src 1 dst 2 tag 7")
	want(t, s, 1, "size 8 transfer 30 senddelay 0 recvwait 10 src 2 dst 1 tag 1")
	if s.Begin[0] != 5 || s.End[0] != 30 || s.Begin[1] != 40 || s.End[1] != 70 || s.Thread[1] != 1 {
		t.Errorf("from %v to %v", s.Begin, s.End)
	}
	for _, c := range []struct {
		opt Options
		tag float64
		n   int
	}{
		{Options{From: 11}, 1, 1},
		{Options{From: 10, To: 69}, 7, 1},
		{Options{To: 30}, 7, 1},
		{Options{To: 29}, 0, 0},
		{Options{Threads: []int32{1}}, 1, 1},
	} {
		s, err := Extract(context.Background(), tr, s.Kind, c.opt)
		if err != nil || s.Len() != c.n || c.n > 0 && s.Column("tag").Values[0] != c.tag {
			t.Errorf("%+v: %+v, %v", c.opt, s, err)
		}
	}
}

func TestCollectives(t *testing.T) {
	tr := readTrace(t, exchange)
	tr.Labels = tr.Labels.Clone()
	s := setOf(t, tr, "collective")
	if s.Len() != 2 {
		t.Fatalf("%d operations", s.Len())
	}
	if s.Key[0] != 10 || s.Key[1] != 8 || s.Thread[0] != -1 || s.Name(0) != "10 .. 40 us" {
		t.Errorf("%v: %s", s.Key, s.Name(0))
	}
	s.Names = []string{"allreduce", "barrier"}
	// Task 1 waits 20 of 30 us, task 2 0 of 10; task 2 waits all of its 10 us, task 1 none of 5.
	want(t, s, 0, "duration 30 size 16 spread 20 waitshare 0.5 members 2")
	want(t, s, 1, "duration 25 size 0 spread 20 waitshare 0.666667 members 2")
	for _, opt := range []Options{{From: 11}, {To: 74}, {Threads: []int32{0}, From: 60}} {
		if s, err := Extract(context.Background(), tr, s.Kind, opt); err != nil || s.Len() != 1 {
			t.Errorf("%+v: %+v, %v", opt, s, err)
		}
	}
	// PICL's: node 1 waits 50 us for node 2, of 100 and 50 that they take.
	s = setOf(t, openPICL(t, "p2.trf", nil), "collective")
	if s.Names = []string{"sync"}; s.Len() != 1 {
		t.Fatalf("%d operations", s.Len())
	}
	want(t, s, 0, "duration 100 size 0 spread 50 waitshare 0.333333 members 2")
}

// A collective that no event ends takes until the end of the trace, as all calls do.
func TestCollectiveWithoutEnd(t *testing.T) {
	s := setOf(t, readTrace(t, `#Paraver (22/11/2026 at 10:00):1000:1(2):1:2(1:1,1:1),0
2:1:1:1:1:100:50000002:8:50100004:1
2:2:1:2:1:300:50000002:8:50100004:1
`), "collective")
	if s.Names = []string{"barrier"}; s.Len() != 1 {
		t.Fatalf("%d operations", s.Len())
	}
	// 1.1.1 waits 200 of its 900 us for 1.2.1, which takes 700.
	want(t, s, 0, "duration 900 size 0 spread 200 waitshare 0.125 members 2")
}

// Bursts between events of some types instead of states: from a value to the next event of the type.
func TestRegions(t *testing.T) {
	tr := readTrace(t, `#Paraver (22/11/2026 at 10:00):100_ns:1(2):1:2(1:1,1:1)
2:1:1:1:1:10:7:1
2:1:1:1:1:20:8:1
2:1:1:1:1:30:7:0
2:1:1:1:1:40:7:2
2:2:1:2:1:15:7:5
2:2:1:2:1:35:7:0
2:1:1:1:1:60:7:3:9:1
2:1:1:1:1:70:7:0
2:1:1:1:1:80:8:0
`)
	for _, c := range []struct {
		opt  Options
		want string
	}{
		{Options{Types: []uint32{7}}, "1.1.1 10-30 1.2.1 15-35 1.1.1 40-60 1.1.1 60-70"},
		{Options{Types: []uint32{7, 8}, Threads: []int32{0}}, "1.1.1 10-30 1.1.1 20-80 1.1.1 40-60 1.1.1 60-70"},
		{Options{Types: []uint32{7}, From: 15, To: 60}, "1.2.1 15-35 1.1.1 40-60"},
		{Options{Types: []uint32{9}}, ""},
	} {
		s, err := Extract(context.Background(), tr, &Kinds[0], c.opt)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for i := range s.Len() {
			got = append(got, fmt.Sprintf("1.%d.1 %d-%d", s.Thread[i]+1, s.Begin[i], s.End[i]))
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%+v: %s, want %s", c.opt, got, c.want)
		}
	}
}

// Parameters that are measured: events at the end, or all behind the start, and two of them; what a semantic function
// says. One burst from 0 to 100 ns has 600 and 400 instructions, 300 and 100 cycles; the other has no events.
func TestMeasure(t *testing.T) {
	tr := readTrace(t, `#Paraver (22/11/2026 at 10:00):300_ns:1(1):1:1(1:1)
1:1:1:1:1:0:100:1
2:1:1:1:1:0:7:9
2:1:1:1:1:60:7:600:8:300
2:1:1:1:1:100:7:400:8:100:9:0
1:1:1:1:1:200:300:1
`)
	tr.Labels = tr.Labels.Clone()
	tr.Labels.AddType(7, "INS of a burst")
	tr.Labels.AddType(8, "CYC")
	s := setOf(t, tr, "burst")
	for name, want := range map[string]float64{"7": 400, "INS": 400, "ins of a burst": 400, "total(7)": 1000,
		"total( INS )": 1000, "7+8": 500, "INS-CYC": 300, "7*8": 40000, "total(INS)/total(CYC)": 2.5, "7/9": 0,
		"total(7)/8": 10, "mean(State As Is)": 1, "mean(useful)": 1, "sum(useful)": 1e-7} {
		list := []Parameter{{Name: name}}
		if err := s.Measure(context.Background(), list, 1); err != nil {
			t.Error(err)
			continue
		}
		v := s.Column(name).Values
		if math.Abs(v[0]-want) > 1e-12*want || !math.IsNaN(v[1]) && !strings.HasSuffix(name, ")") {
			t.Errorf("%s: %v, want %v", name, v, want)
		}
	}
	for name, want := range map[string]string{"mean(foo)": `no thread function "foo"`, "foo": "must be one of duration",
		"foo+7": "must be one of", "7+foo": "must be one of", "total(foo)": "must be one of"} {
		err := s.Measure(context.Background(), []Parameter{{Name: name}}, 1)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", name, err, want)
		}
	}
	runs := columns([]string{"a"}, map[string][]float64{"extime": {1}})
	err := runs.Measure(context.Background(), []Parameter{{Name: "7"}}, 1)
	if err == nil || !strings.Contains(err.Error(), "a run has none of that name: extime") {
		t.Error(err)
	}
	own := s.Copy()
	if own.add("more", "", ""); s.Column("more") != nil || own.Column("more") == nil {
		t.Error("a column of the copy is in the set")
	}
}

// Filters put components into classes of their own, here of 20 short components, 60 around 100, 20 around 1000 and one
// without a value. A sample of 40 gives the same clusters.
func TestFilters(t *testing.T) {
	var names []string
	var values []float64
	for i := range 101 {
		names = append(names, fmt.Sprint(i))
		switch {
		case i == 100:
			values = append(values, math.NaN())
		case i%5 == 0:
			values = append(values, 1)
		case i%5 == 4:
			values = append(values, 1000+float64(i%3))
		default:
			values = append(values, 100+float64(i%3))
		}
	}
	runs := func() *Set { return columns(names, map[string][]float64{"extime": values}) }
	on := func(p Parameter) []Parameter { p.Name = "extime"; return []Parameter{p} }
	for name, c := range map[string]struct {
		set    Settings
		counts string // by class
		notes  string
	}{
		"least":     {Settings{K: 2, Least: 2, Parameters: on(Parameter{})}, "[0 1 20 0 0 0 20 60]", ""},
		"range":     {Settings{K: 1, Parameters: on(Parameter{Min: 100, Max: 102})}, "[0 1 0 40 0 0 60]", ""},
		"least 100": {Settings{K: 1, Parameters: on(Parameter{Min: 1000, Max: math.Inf(1)})}, "[0 1 0 80 0 0 20]", ""},
		// 60 x 101 is 23 % of the time of all, and 20 x 1 less than 0.1 %.
		"threshold 1":  {Settings{K: 3, Threshold: 1, Parameters: on(Parameter{})}, "[0 1 0 0 20 0 20 60]", ""},
		"threshold 30": {Settings{K: 3, Threshold: 30, Parameters: on(Parameter{})}, "[0 1 0 0 80 0 20]", ""},
		"sample": {Settings{K: 2, Least: 2, Sample: 40, Parameters: on(Parameter{})}, "[0 1 20 0 0 0 20 60]",
			"40 of 80 components were clustered; the others belong to the nearest"},
		"density": {Settings{Method: "dbscan", Eps: 0.05, MinPoints: 3, Sample: 40, Least: 2,
			Parameters: on(Parameter{})},
			"[0 1 20 0 0 0 20 60]", "40 of 80 components were clustered; the others belong to the nearest"},
		"large sample": {Settings{K: 2, Least: 2, Sample: 80, Parameters: on(Parameter{})}, "[0 1 20 0 0 0 20 60]", ""},
		"logarithm":    {Settings{K: 3, Parameters: on(Parameter{Log: true})}, "[0 1 0 0 0 0 20 60 20]", ""},
	} {
		r := analyse(t, runs(), c.set)
		if fmt.Sprint(r.Counts) != c.counts || strings.Join(r.Notes, "\n") != c.notes {
			t.Errorf("%s: %v %q, want %s", name, r.Counts, r.Notes, c.counts)
		}
	}
	s := columns([]string{"a", "b", "c"}, map[string][]float64{"extime": {0, -1, 5}, "cptime": {1, 1, 1},
		"cmtime": {math.NaN(), math.NaN(), math.NaN()}})
	for name, want := range map[string]string{"extime": "the logarithm of 2 numbers <= 0 was taken as 0",
		"cmtime": "parameter cmtime: no component has it", "cptime": "one cluster: no partition has"} {
		r := analyse(t, s, Settings{Parameters: []Parameter{{Name: name, Log: true}}})
		if !strings.HasPrefix(strings.Join(r.Notes, "\n"), want) {
			t.Errorf("%s: %q, want %q", name, r.Notes, want)
		}
	}
	if _, err := Analyse(context.Background(), s, Settings{Method: "foo"}); err == nil {
		t.Error("a method foo")
	}
}

// The settings of the clustering suite, and what is wrong with them.
func TestDefinitions(t *testing.T) {
	const text = `<clustering_definition use_duration="yes" apply_log="yes" normalize_data="no" duration_filter="3"
 threshold_filter="5"><clustering_algorithm name="K-MEANS"><k>4</k></clustering_algorithm><clustering_parameters>
<single_event apply_log="no" name="INS"><event_type>7</event_type><range_min>1</range_min><range_max>9</range_max>
<factor>2</factor></single_event><mixed_events name="IPC" operation="/"><event_type_a>7</event_type_a>
<event_type_b>8</event_type_b></mixed_events></clustering_parameters><extrapolation_parameters><single_event name="x">
<event_type>11</event_type></single_event></extrapolation_parameters></clustering_definition>`
	set, err := ReadDefinition(strings.NewReader(text), "a.xml")
	got := fmt.Sprint(set.Method, set.K, set.Least, set.Threshold, set.Scaling.Name,
		ParametersText(set.Parameters, nil), set.Extra)
	if want := "kmeans 4 3000 5 none log:duration, 7@2=1..9, log:7/8 [11]"; err != nil ||
		strings.ReplaceAll(got, " ", "") != strings.ReplaceAll(want, " ", "") {
		t.Errorf("%s, want %s: %v", got, want, err)
	}
	for old, now := range map[string]string{`duration_filter="3"`: `duration_filter="x"`,
		`threshold_filter="5"`: `threshold_filter="x"`, "<k>4": "<k>x", "<factor>2": "<factor>x",
		"<event_type>7</event_type>": "", "<event_type>11</event_type>": "", "</clustering_definition>": "",
		"<range_min>1": "<range_min>x"} {
		_, err := ReadDefinition(strings.NewReader(strings.Replace(text, old, now, 1)), "a.xml")
		if err == nil || !strings.HasPrefix(err.Error(), "a.xml: ") {
			t.Errorf("%s: %v", now, err)
		}
	}
}

// Clusters as events, and the trace without them.
func TestWithoutClusters(t *testing.T) {
	r := ofBursts(t)
	with := r.Stream(StreamOptions{})
	if HasClusters(r.Set.Trace) || !HasClusters(with) || HasClusters(WithoutClusters(with, &prv.Labels{})) {
		t.Error("clusters come and go")
	}
}

// The runs of two traces become one set, and those stay as they are.
func TestJoin(t *testing.T) {
	a := columns([]string{"a"}, map[string][]float64{"extime": {1}, "cptime": {4}})
	b := columns([]string{"b", "c"}, map[string][]float64{"extime": {2, 3}, "cptime": {5, 6}})
	a.Notes, b.Notes = []string{"one"}, []string{"two"}
	s := Join([]*Set{a, b})
	got := fmt.Sprint(s.Len(), s.Names, s.Columns[0].Values, s.Columns[1].Values, s.Notes, a.Columns[0].Values)
	if got != "3 [a b c] [1 2 3] [4 5 6] [one two] [1]" {
		t.Error(got)
	}
}

// A part of a run: of 100 to 400 us one is between two bursts.
func TestTasksInWindow(t *testing.T) {
	kind, err := KindByName("TASK")
	if err != nil {
		t.Fatal(err)
	}
	s, err := Extract(context.Background(), fiveBursts(t), kind, Options{From: 100_000, To: 400_000})
	if err != nil || s.Len() != 2 {
		t.Fatalf("%+v, %v", s, err)
	}
	s.Names = []string{"1", "2"}
	for i := range 2 {
		want(t, s, i, "extime 300 cptime 299")
	}
	if _, err := KindByName("foo"); err == nil || !strings.Contains(err.Error(), "one of burst, task, run") {
		t.Error(err)
	}
}

// What is wrong with a scheme, and where its file is.
func TestSchemes(t *testing.T) {
	for name, s := range map[string]*Scheme{"component": {Component: "x"},
		"parameter": {Component: "burst", Parameters: []string{"a@0"}}, "scaling": {Component: "burst", Scaling: "x"},
		"rule": {Component: "burst", Rule: "x"}, "trim": {Component: "burst", Trim: []float64{2}}} {
		if _, _, err := s.Settings(); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	dir := t.TempDir()
	text := "component = \"burst\"\nfoo = 1\n"
	if err := os.WriteFile(filepath.Join(dir, "mine.toml"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if names := Schemes(dir); fmt.Sprint(names) != "[mine]" {
		t.Error(names)
	}
	if _, err := ReadScheme(SchemePath(dir, "mine")); err == nil || !strings.Contains(err.Error(), "setting \"foo\"") {
		t.Error(err)
	}
	if _, err := ReadScheme(SchemePath(dir, "other")); err == nil {
		t.Error("there is no such file")
	}
	for name, want := range map[string]string{"a": "dir/a.toml", "b/a": "b/a", "a.toml": "a.toml"} {
		if got := SchemePath("dir", name); got != want {
			t.Errorf("%s: %s", name, got)
		}
	}
}
