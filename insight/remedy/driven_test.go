package remedy_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pview/insight/eventgraph"
	"pview/insight/remedy"
	"pview/insight/runtest"
	"pview/prv"
	"pview/prv/extrae/execution"
)

// execute is an execution of an entry method; its message was created by the first one, at a time.
type execute struct {
	pe         int32
	begin, end int64
	entry      int64
	created    int64 // 0: no message
	object     int64
}

// drivenRun replays a run of executions, in order of their begins. The time between them is the runtime system's where
// busy says so, else idle. The log begins at the time of the first state.
func drivenRun(t *testing.T, processors int, list []execute, busy ...[3]int64) *remedy.DrivenRun {
	t.Helper()
	g, length := drivenLog(t, processors, list, busy...)
	r, err := remedy.NewDrivenRun(context.Background(), g, length)
	if err != nil || r.Base != r.End {
		t.Fatalf("the replay ends at %d, the run at %d: %v", r.Base, r.End, err)
	}
	return r
}

// drivenLog returns such a run, and the length of its window.
func drivenLog(t *testing.T, processors int, list []execute, busy ...[3]int64) (g *eventgraph.Graph, length int64) {
	t.Helper()
	h := prv.Header{Unit: prv.Microseconds}
	h.AddPtask()
	for n := range processors {
		h.AddNode(1)
		h.AddTask(1, n)
	}
	for _, x := range list {
		h.End = max(h.End, x.end)
	}
	b := prv.NewBuilder(h)
	type line struct {
		time, step int64
		pe         int32
		pairs      []prv.Pair
	}
	var lines []line
	pair := func(s execution.Slot, v int64) prv.Pair { return prv.Pair{Type: s.Type(), Value: v} }
	states := make([][][3]int64, processors)
	for i, x := range list {
		begin := []prv.Pair{pair(execution.Entry, x.entry), pair(execution.Object, x.object),
			pair(execution.Message, 0)}
		if x.created > 0 {
			begin[2].Value = int64(i)
			begin = append(begin, pair(execution.Creator, 1))
			lines = append(lines, line{x.created, 0, 0, []prv.Pair{pair(execution.Created, int64(i)),
				pair(execution.Target, x.entry)}})
		}
		end := line{x.end, 1, x.pe, []prv.Pair{pair(execution.Entry, 0)}}
		if x.begin == x.end {
			end.step = 3
		}
		lines = append(lines, line{x.begin, 2, x.pe, begin}, end)
		states[x.pe] = append(states[x.pe], [3]int64{x.begin, x.end, 1})
	}
	for _, s := range busy {
		states[s[0]] = append(states[s[0]], [3]int64{s[1], s[2], 7})
	}
	slices.SortStableFunc(lines, func(x, y line) int {
		return int(8*(x.time-y.time) + x.step - y.step)
	})
	for _, l := range lines {
		b.Event(l.pe, 0, l.time, l.pairs...)
	}
	for pe, own := range states {
		slices.SortFunc(own, func(x, y [3]int64) int { return int(x[0] - y[0]) })
		at := own[0][0]
		b.State(int32(pe), 0, 0, at, 2)
		for _, s := range own {
			b.State(int32(pe), 0, at, s[0], 0)
			b.State(int32(pe), 0, s[0], s[1], uint32(s[2]))
			at = s[1]
		}
	}
	tr := runtest.Build(t, b)
	tr.Labels = &prv.Labels{}
	var names []prv.ValueLabel
	for i, name := range strings.Fields("Main::start Work::run") {
		names = append(names, prv.ValueLabel{Value: int64(i) + 1, Label: name})
	}
	tr.Labels.AddType(execution.Entry.Type(), "Entry method", names...)
	tr.Labels.AddType(execution.Object.Type(), "Object", prv.ValueLabel{Value: 1, Label: "Work[0]"},
		prv.ValueLabel{Value: 2, Label: "Work[1]"})
	from, to := execution.Window(tr)
	return runtest.Graph(t, tr), to - from
}

// drivenLoss is a message-driven run with a loss, and its repair.
type drivenLoss struct {
	name       string
	processors int
	list       []execute
	busy       [][3]int64
	rule       string
	gain       int64
	estimate   int64
	costs      []float64 // of the places
	says       string
}

// drivenLosses are message-driven runs with losses.
func drivenLosses() []drivenLoss {
	start := execute{begin: 100, end: 110, entry: 1}
	return []drivenLoss{
		// Four executions on processor 1, none on processor 2. Two move, and begin when they are created: on processor
		// 1 it ends at 130 instead of 150.
		{"counts", 2, []execute{start, {0, 110, 120, 2, 102, 0}, {0, 120, 130, 2, 104, 0}, {0, 130, 140, 2, 106, 0},
			{0, 140, 150, 2, 108, 0}, {1, 100, 100, 1, 0, 0}}, nil, "R12", 20, 20, []float64{10, 10},
			"1.1.1 executes Work::run 4 times, the mean of the processors is 2: the replay moves 2 executions"},
		// 2 x 40 us on processor 1 and 2 x 20 on processor 2: as there, it ends at 150 instead of 190.
		{"slower", 2, []execute{start, {0, 110, 150, 2, 102, 0}, {0, 150, 190, 2, 104, 0}, {1, 110, 130, 2, 106, 0},
			{1, 130, 150, 2, 108, 0}}, nil, "R13", 40, 40, []float64{20, 20},
			"Work::run takes 40 us per execution on 1.1.1, and 20 us on the others (medians)"},
		// One of four takes 20 us instead of 2.
		{"once", 1, []execute{start, {0, 110, 112, 2, 102, 0}, {0, 112, 132, 2, 104, 0}, {0, 132, 134, 2, 106, 0},
			{0, 134, 136, 2, 108, 0}}, nil, "R08", 18, 18, []float64{18},
			"an execution of Work::run on 1.1.1 takes 20 us, the median of all 4 is 2 us"},
		// The runtime takes 2 us before each, and once 32.
		{"runtime", 1, []execute{start, {0, 112, 120, 2, 102, 0}, {0, 122, 130, 2, 104, 0}, {0, 162, 170, 2, 106, 0},
			{0, 172, 180, 2, 108, 0}}, [][3]int64{{0, 110, 112}, {0, 120, 122}, {0, 130, 162}, {0, 170, 172}}, "R14",
			30, 30, []float64{30},
			"the runtime system takes 32 us between two executions on 1.1.1, the median is 2 us"},
		// The logs begin at 20; processor 1 is in the runtime system for 80 us, processor 2 for 60, then idle for 50.
		{"start", 2, []execute{start, {1, 130, 140, 2, 105, 0}}, [][3]int64{{0, 20, 100}, {1, 20, 80}},
			"R48", 60, 60, []float64{60},
			"no entry method executes in the first 80 us of what was recorded; the runtime system takes at least " +
				"60 us on every processor before its first execution"},
		// Work[0] 30 us and Work[1] 20 us, both on processor 1, which computes 60 us with the start. Work[0]
		// moves: created at 102 it ends at 132 there; Work[1] ends at 130 instead of 160.
		{"objects", 2, []execute{start, {0, 110, 140, 2, 102, 1}, {0, 140, 160, 2, 104, 2}, {1, 100, 100, 1, 0, 0}},
			nil, "R15", 28, 30, []float64{30},
			"1.1.1 computes 60 us, the processors 30 us on average: the replay moves Work[0] to 1.2.1"},
	}
}

func TestDrivenRemedies(t *testing.T) {
	for _, c := range drivenLosses() {
		r := drivenRun(t, c.processors, c.list, c.busy...)
		list, err := r.Find(nil)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		found := false
		for i, x := range list {
			for _, x := range append([]*remedy.Candidate{x}, x.Same...) {
				if trial, err := r.Try([]string{x.Spec}); err != nil || trial.Gain() != x.Gain {
					t.Errorf("%s: %q gains %d: %+v, %v", c.name, x.Spec, x.Gain, trial, err)
				}
				got = append(got, fmt.Sprint(i, " ", x.Rule, " ", x.Gain, " ", x.Title))
				if string(x.Rule) != c.rule || x.Gain != c.gain || x.Title != c.says {
					continue
				}
				found = true
				var costs []float64
				for _, e := range x.Evidence {
					costs = append(costs, e.Cost)
				}
				if x.Estimate != c.estimate || !slices.Equal(costs, c.costs) {
					t.Errorf("%s: estimated %d, %v, want %d, %v", c.name, x.Estimate, costs, c.estimate, c.costs)
				}
			}
		}
		if !found {
			t.Errorf("%s: %s, want %s %d %s", c.name, strings.Join(got, "\n"), c.rule, c.gain, c.says)
		}
	}
}

// A run in which all processors do the same in equal times suggests nothing.
func TestDrivenEven(t *testing.T) {
	r := drivenRun(t, 2, []execute{{begin: 0, end: 10, entry: 1}, {0, 10, 20, 2, 2, 0}, {0, 20, 30, 2, 4, 0},
		{1, 10, 20, 2, 6, 0}, {1, 20, 30, 2, 8, 0}})
	if list, err := r.Find(nil); err != nil || len(list) > 0 {
		t.Errorf("%v, %+v", err, list)
	}
	// A proposal with a simulation of its own keeps its gain, if that is 0.5 % of the run.
	list, err := r.Find([]*remedy.Candidate{{Title: "own", Gain: 10}, {Title: "little"}})
	if err != nil || len(list) != 1 || list[0].Gain != 10 || list[0].Title != "own" {
		t.Errorf("%v, %+v", err, list)
	}
}

// What a finding names as its repair gains the same when a user writes it. In the run of "slower" above, 2 x 40 us on
// processor 1 and 2 x 20 on processor 2: the run ends at 190.
func TestDrivenTry(t *testing.T) {
	start := execute{begin: 100, end: 110, entry: 1}
	slower := []execute{start, {0, 110, 150, 2, 102, 0}, {0, 150, 190, 2, 104, 0}, {1, 110, 130, 2, 106, 0},
		{1, 130, 150, 2, 108, 0}}
	r := drivenRun(t, 2, slower)
	for spec, want := range map[string]int64{
		"faster:region=Work::run:50%":               40, // 20 + 20 us of processor 1, which ends last
		"faster:region=Work::run/threads=1.2.1:50%": 0,
		"faster:threads=1.1.1:10%":                  9, // 1 + 4 + 4
		"clock-as-others:threads=1.1.1":             40,
	} {
		if trial, err := r.Try([]string{spec}); err != nil || trial.Gain() != want || trial.Deviation() != 0 {
			t.Errorf("%s: %+v, %v, want %d", spec, trial, err, want)
		}
	}
	for spec, want := range map[string]string{
		"eager":                        "eager means nothing in this run; actions: faster, balance",
		"usual:region=Work::run":       "nothing in this run to usual",
		"balance:region=Work::go":      "no such code: region=Work::go",
		"faster:region=Work::run:many": "must be a percentage",
	} {
		if _, err := r.Try([]string{spec}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", spec, err, want)
		}
	}
	if trial, _ := r.Try([]string{"faster:threads=1.1.1:10%"}); trial != nil {
		if _, err := trial.Trace(context.Background()); err == nil {
			t.Error("a message-driven run is written as a trace")
		}
	}
	profile, err := r.CausalProfile()
	if err != nil || len(profile) != 2 || profile[0].Name != "Work::run" || profile[0].Time != 120 ||
		profile[0].Gains != [3]int64{8, 16, 40} || profile[1].Gains != [3]int64{1, 2, 5} {
		t.Errorf("%+v, %v", profile, err)
	}
}
