package efficiency

import (
	"context"
	"slices"
	"strings"
	"testing"

	"pview/insight/runtest"
	"pview/prv"
	"pview/sim"
	"pview/sim/study"
)

// The ideal run must compute as long as the run, within 1 %, and not be longer: of a hybrid run the processes outside
// of MPI, of another the threads.
func TestCheckIdeal(t *testing.T) {
	const skipped, more, longer = "is skipped, as in Dimemas", "times what it should be", "is longer than the run"
	for _, c := range []struct {
		hybrid                        bool
		useful, outside, runtime      int64
		idealUseful, idealOutside, at int64
		want                          []string
	}{
		{false, 1010, 0, 2000, 1000, 0, 2020, nil},
		{false, 1011, 0, 2000, 1000, 0, 2020, []string{skipped}},
		{false, 1000, 0, 2000, 1010, 0, 2020, nil},
		{false, 1000, 0, 2000, 1011, 0, 2021, []string{more, longer}},
		{false, 0, 0, 2000, 1000, 0, 1000, nil},
		{true, 1000, 500, 2000, 5000, 505, 1000, nil},
		{true, 1000, 500, 2000, 1000, 506, 1000, []string{more}},
		{true, 1000, 506, 2000, 1000, 500, 1000, []string{skipped}},
	} {
		r := &Run{Hybrid: c.hybrid, Useful: []int64{0, c.useful}, Outside: []int64{c.outside, 0}, Runtime: c.runtime,
			Ideal: &Ideal{Runtime: c.at, UsefulMax: c.idealUseful, OutsideMax: c.idealOutside}}
		r.checkIdeal()
		if !slices.EqualFunc(r.Notes, c.want, strings.Contains) {
			t.Errorf("%+v: %q", c, r.Notes)
		}
	}
}

// What lies before the first and after the last record is told of the factors that lose it, from 1 % of the run.
func TestUnrecorded(t *testing.T) {
	const before, after = "20 ns (2.0 % of the run) before the first record of any thread",
		"30 ns (3.0 % of the run) after the last record of any thread"
	for _, c := range []struct {
		factor        string
		before, after int64
		want          string
	}{
		{communication, 20, 30, ", and " + before + " and " + after},
		{mpiCommunication, 20, 10, ", and " + before},
		{serialization, 20, 30, ", and " + before},
		{transfer, 20, 30, ", and " + after},
		{loadBalance, 20, 30, ""},
		{communication, 10, 10, ""},
	} {
		r := &Run{Runtime: 1000, Before: c.before, After: c.after}
		if got := r.unrecorded(lookup(c.factor)); got != c.want {
			t.Errorf("%+v: %q", c, got)
		}
	}
}

// The size of a run: threads, threads of each process, or both where they do not divide.
func TestSize(t *testing.T) {
	for want, r := range map[string]Run{"8": {Threads: 8, Processes: 8}, "4x2": {Threads: 8, Processes: 4},
		"9/4": {Threads: 9, Processes: 4}, "3": {Threads: 3}, "1x3": {Threads: 3, Processes: 1}} {
		if got := r.Size(); got != want {
			t.Errorf("%d threads of %d processes: %q, want %q", r.Threads, r.Processes, got, want)
		}
	}
}

// An output is the factor of the predicted run, which has the names of the measured one: two tasks compute 1000 and 600
// of 1000.
func TestOutputOfRun(t *testing.T) {
	b := runtest.Tasks(2)
	b.State(0, 0, 0, 1000, 1)
	b.State(1, 0, 0, 600, 1)
	b.State(1, 0, 600, 1000, 3)
	predicted := runtest.Build(t, b)
	list, err := ParseOutputs([]string{"pop:load-balance", "pop:parallel-efficiency"}, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	measured := runtest.Build(t, runtest.Tasks(2))
	measured.Labels = &prv.Labels{}
	measured.Labels.AddState(1, "Busy")
	for i, o := range NameOutputs(measured, list) {
		got, err := o.Of(context.Background(), &study.Case{}, &sim.Result{Trace: predicted})
		if err != nil || got != 80 { // (1000 + 600) / 2 of 1000
			t.Errorf("%s: %g, %v", list[i].Name, got, err)
		}
	}
	if got := NameOutputs(nil, list); len(got) != 2 {
		t.Errorf("without a measured trace: %+v", got)
	}
}
