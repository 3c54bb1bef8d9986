package label_test

import (
	"context"
	"fmt"
	"log"
	"math"
	"strings"
	"testing"

	"pview/filter"
	"pview/prv"
	"pview/semantic"
	"pview/semantic/label"
)

// The names of a window's values.
func ExampleOf() {
	t, err := prv.Read(context.Background(), strings.NewReader("#Paraver (01/01/2026 at 00:00):100_ns:1(1):1:1(1:1)\n"+
		"1:1:1:1:1:0:100:1\n"), prv.Options{})
	if err != nil {
		log.Fatal(err)
	}
	states, durations := semantic.DefaultWindow(), semantic.ThreadWindow("State Record Dur.")
	names := label.Of(&states, t)
	fmt.Println(names.Name(1), "-", label.Of(&durations, t).Name(1500), "-", names.Name(99))
	// Output:
	// Running - 1,500 us - Unknown state 99
}

// trace returns a trace of two nodes with two processors and one, and two tasks with two threads and one.
func trace(t *testing.T) *prv.Trace {
	t.Helper()
	const text = "#Paraver (01/01/2026 at 00:00):100_ns:2(2,1):1:2(2:1,1:2)\n1:1:1:1:1:0:100:1\n"
	tr, err := prv.Read(context.Background(), strings.NewReader(text), prv.Options{})
	if err != nil {
		t.Fatal(err)
	}
	const labels = "EVENT_TYPE\n0    50    MPI call\nVALUES\n0    End\n1    MPI_Send\n\n" +
		"EVENT_TYPE\n0    60    Load\nVALUES\n1    Low\n7    High\n\n" +
		"EVENT_TYPE\n0    0    The first type\n\nEVENT_TYPE\n0    4294967295    The last type\n\n" +
		"EVENT_TYPE\n0    63000006    CUDA kernel\nVALUES\n7    void lib::gemm<float, (int)4>(float*, int)\n"
	if tr.Labels, _, err = prv.ParseLabels("run.pcf", strings.NewReader(labels)); err != nil {
		t.Fatal(err)
	}
	load, _ := tr.Labels.Type(60)
	load.Precision = 1
	return tr
}

// The names of numbers by their meaning. Objects outside the trace are named as in Paraver: numbers below 1 have 16
// bits.
func TestNames(t *testing.T) {
	tr := trace(t)
	w := semantic.DefaultWindow()
	for _, c := range []struct {
		meaning semantic.Meaning
		value   float64
		want    string
	}{
		{semantic.PlainNumbers, 1234567, "1,234,567"},
		{semantic.PlainNumbers, -0.5, "-0.5"},
		{semantic.Bytes, 65536, "65,536 bytes"},
		{semantic.Times, 1.5, "1.5 us"},
		{semantic.Bandwidths, 1500, "1,500 MB/sec"},
		{semantic.StateCodes, 1, "Running"},
		{semantic.StateCodes, 1.5, "1.5"},
		{semantic.StateCodes, 1 << 62, "Unknown state 4611686018427387904"},
		{semantic.StateCodes, 1 << 63, "9,223,372,036,854,776,000"},
		{semantic.StateCodes, -(1 << 63), "-9,223,372,036,854,776,000"},
		{semantic.EventTypes, 50, "MPI call"},
		{semantic.EventTypes, 1<<32 - 1, "The last type"},
		{semantic.EventTypes, 1<<32 + 50, "type 4,294,967,346"},
		{semantic.EventTypes, 12345, "type 12,345"},
		{semantic.EventTypes, 0, "The first type"},
		{semantic.EventTypes, -1, "type -1"},
		{semantic.Threads, 1, "THREAD 1.1.1"},
		{semantic.Threads, 3, "THREAD 1.2.1"},
		{semantic.Threads, 4, "Not valid thread: 4"},
		{semantic.Threads, 0, "Not valid thread: 65536"},
		{semantic.Threads, -1, "Not valid thread: 65535"},
		{semantic.Tasks, 2, "TASK 1.2"},
		{semantic.Tasks, 3, "Not valid task: 3"},
		{semantic.Ptasks, 1, "APPL 1"},
		{semantic.Ptasks, 2, "Not valid application: 2"},
		{semantic.Nodes, 2, "NODE 2"},
		{semantic.Nodes, 3, "Not valid node: 3"},
		{semantic.Nodes, 0, "NODE 0"},
		{semantic.Nodes, -1, "Not valid node: 65535"},
		{semantic.CPUs, 3, "CPU 2.1"},
		{semantic.CPUs, 4, "Not valid CPU: 5"},
		{semantic.CPUs, 0, "CPU 0"},
		{semantic.CPUs, -1, "Not valid CPU: 65536"},
		{semantic.Partners, 3, "THREAD 1.2.1"}, // the window is of threads
		{semantic.Named, 3, "value 3"},
	} {
		l := label.OfMeaning(&w, tr, c.meaning)
		if got := l.Name(c.value); got != c.want || l.Meaning() != c.meaning || l.Unit() != semantic.Microseconds {
			t.Errorf("%v of meaning %d: %q, not %q", c.value, c.meaning, got, c.want)
		}
	}
}

// Partners are objects of the window's level, also of the levels with one object, whose names have no number.
func TestPartners(t *testing.T) {
	tr := trace(t)
	for level, want := range map[prv.Level]string{prv.LevelWorkload: "WORKLOAD, 2, 0", prv.LevelSystem: "SYSTEM, 2, 0",
		prv.LevelTask: "TASK 1.1, TASK 1.2, Not valid task: 65536", prv.LevelNode: "NODE 1, NODE 2, NODE 0"} {
		w := semantic.DefaultWindow()
		w.Level = level
		l := label.OfMeaning(&w, tr, semantic.Partners)
		if got := strings.Join([]string{l.Name(1), l.Name(2), l.Name(0)}, ", "); got != want {
			t.Errorf("%v: %s", level, got)
		}
	}
}

// A bandwidth is in bytes per unit of time.
func TestBandwidths(t *testing.T) {
	tr := trace(t)
	for unit, want := range map[semantic.Unit]string{semantic.Nanoseconds: "2 GB/sec",
		semantic.Microseconds: "2 MB/sec", semantic.Milliseconds: "2 KB/sec", semantic.Seconds: "2 bytes/sec",
		semantic.Hours: "2"} {
		w := semantic.DefaultWindow()
		w.Unit = unit
		if got := label.OfMeaning(&w, tr, semantic.Bandwidths).Name(2); got != want {
			t.Errorf("%v: %s", unit, got)
		}
	}
}

// events returns a window of the values of some types of events.
func events(types ...float64) *semantic.Window {
	w := semantic.ThreadWindow("Last Evt Val")
	w.Filter.Events.Type = filter.Criterion{Func: filter.Equal, Values: types}
	return &w
}

// The value of an event is named by the first type of the filter that has a label for it. Type 60 has a decimal: its
// values 1 and 7 are shown as 0.1 and 0.7.
func TestEventValues(t *testing.T) {
	tr := trace(t)
	load, _ := tr.Labels.Type(60)
	calls, states := events(50, 60), semantic.DefaultWindow()
	derived := semantic.DefaultWindow()
	derived.Derived = &semantic.Derived{Op: semantic.Call{Name: "product"},
		A: semantic.Parent{Window: calls, Factor: 1}, B: semantic.Parent{Window: &states, Factor: 1}}
	for _, w := range []*semantic.Window{calls, &derived} {
		l := label.OfMeaning(w, tr, semantic.EventValues)
		for v, want := range map[float64]string{0: "End", 1: "MPI_Send", 0.1: "Low", 7 * load.Factor(): "High",
			0.72: "value 0.72", 1000: "value 1,000", math.Inf(1): "value inf"} {
			if got := l.Name(v); got != want {
				t.Errorf("%v: %s, not %s", v, got, want)
			}
		}
	}
}

// Screens show a kernel without arguments and namespace; they leave other names alone.
func TestShorten(t *testing.T) {
	tr := trace(t)
	const kernel = "void lib::gemm<float, (int)4>(float*, int)"
	for _, c := range []struct {
		types []float64
		want  string
	}{{[]float64{63000006}, "gemm"}, {[]float64{50}, kernel}, {[]float64{50, 63000006}, kernel}} {
		l := label.Of(events(c.types...), tr)
		if got := l.Shorten(kernel); got != c.want {
			t.Errorf("%v: %s, not %s", c.types, got, c.want)
		}
		if got := l.Shorten("main"); got != "main" {
			t.Errorf("%v: %s", c.types, got)
		}
	}
	states := semantic.DefaultWindow()
	if got := label.Of(&states, tr).Shorten("a::b"); got != "a::b" {
		t.Error(got)
	}
}
