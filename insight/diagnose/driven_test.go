package diagnose

// Message-driven runs: the fixtures F1 to F7 of the requirements, built as traces.

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pview/insight/eventgraph"
	"pview/insight/replay"
	"pview/insight/report"
	"pview/prv"
	"pview/prv/extrae/execution"
	"pview/prv/prvtest"
	"pview/sim/driven"
)

// execution is a unit: created in the unit of the given name (empty: by nobody).
type executed struct {
	name       string
	processor  int
	created    int64
	begin, end int64
	creator    string
	class      string // "": the name
	queued     int64  // 0: not recorded
	dynamic    bool
	priority   int64
}

var (
	f1 = []executed{{name: "I", end: 10}, {name: "a", created: 5, begin: 10, end: 30, creator: "I"},
		{name: "b", processor: 1, created: 10, begin: 14, end: 24, creator: "I"},
		{name: "c", processor: 1, created: 28, begin: 33, end: 40, creator: "a"},
		{name: "d", created: 24, begin: 30, end: 36, creator: "b"}}
	f2 = []executed{{name: "A", begin: 80, end: 110}, {name: "m", processor: 1, created: 100, begin: 90, end: 95,
		creator: "A"}, {name: "z", processor: 1, begin: 120, end: 125}}
	f3 = []executed{{name: "R", end: 10}, {name: "a", created: 4, begin: 10, end: 20, creator: "R"},
		{name: "b", processor: 1, created: 8, begin: 12, end: 18, creator: "R"},
		{name: "k2", created: 18, begin: 22, end: 23, creator: "b"},
		{name: "k1", created: 20, begin: 23, end: 25, creator: "a"},
		{name: "x", created: 25, begin: 26, end: 36, creator: "k1"},
		{name: "y", processor: 1, created: 25, begin: 29, end: 39, creator: "k1"}}
	f4 = []executed{{name: "A", processor: 1, begin: 65, end: 75}, {name: "C", created: 70, begin: 50, end: 60,
		creator: "A"}, {name: "B", processor: 2, created: 55, begin: 45, end: 50, creator: "C"}}
	f5 = []executed{{name: "R", end: 10}, {name: "A", created: 4, begin: 10, end: 30, creator: "R", queued: 10},
		{name: "B", created: 6, begin: 30, end: 50, creator: "R", queued: 10},
		{name: "C", created: 8, begin: 50, end: 60, creator: "R", queued: 10},
		{name: "D", processor: 1, created: 60, begin: 64, end: 84, creator: "C"}}
	f6 = []executed{{name: "y", end: 50}, {name: "x", processor: 1, created: 48, begin: 53, end: 80, creator: "y"}}
	f7 = []executed{{name: "x0", end: 10, class: "x"},
		{name: "x1", processor: 1, created: 10, begin: 12, end: 22, creator: "x0", class: "x"},
		{name: "x2", processor: 2, created: 22, begin: 24, end: 34, creator: "x1", class: "x"},
		{name: "x3", processor: 3, created: 34, begin: 36, end: 46, creator: "x2", class: "x"}}
)

// entryNames returns the classes by number.
func entryNames(list []executed) (names []string) {
	for _, x := range list {
		names = append(names, cmp.Or(x.class, x.name))
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// line is a line of events of a processor.
type line struct {
	time  int64
	step  int // order at one instant
	to    int
	pairs []prv.Pair
}

// slotTypes are the event types by their numbers.
var slotTypes = execution.TypesOf(&prv.Labels{})

// with returns a line of events by slot.
func with(time int64, processor int, values ...any) line {
	l := line{time: time, step: 1, to: processor}
	for i := 0; i < len(values); i += 2 {
		l.pairs = append(l.pairs, prv.Pair{Type: slotTypes[values[i].(execution.Slot)],
			Value: int64(values[i+1].(int))})
	}
	return l
}

// drivenTrace builds a trace with the event types of 12.9.
func drivenTrace(t testing.TB, processors int, list []executed, more ...line) *prv.Trace {
	t.Helper()
	h := prv.Header{Unit: prv.Nanoseconds}
	h.AddNode(processors)
	h.AddPtask()
	for range processors {
		h.AddTask(1, 0)
	}
	b := prv.NewBuilder(h)
	names := entryNames(list)
	row := map[string]int{}
	for i, x := range list {
		row[x.name] = i
	}
	classOf := func(x *executed) int64 {
		name := x.class
		if name == "" {
			name = x.name
		}
		return int64(slices.Index(names, name)) + 1
	}
	types := slotTypes
	// A message has the number of the unit that it starts + 1. Records of one instant: created, end, begin.
	lines := more
	for i := range list {
		x := &list[i]
		begin := []prv.Pair{{Type: types[execution.Entry], Value: classOf(x)}}
		if x.creator == "" {
			begin = append(begin, prv.Pair{Type: types[execution.Message]})
		} else {
			c := &list[row[x.creator]]
			begin = append(begin, prv.Pair{Type: types[execution.Message], Value: int64(i) + 1},
				prv.Pair{Type: types[execution.Creator], Value: int64(c.processor) + 1})
			kind, receiver := int64(execution.ToObject), int64(x.processor)+1
			if x.dynamic {
				kind, receiver = execution.ToNewObject, 0
			}
			made := []prv.Pair{{Type: types[execution.Created], Value: int64(i) + 1},
				{Type: types[execution.Target], Value: classOf(x)}, {Type: types[execution.Kind], Value: kind},
				{Type: types[execution.Receiver], Value: receiver}}
			if x.priority != 0 {
				made = append(made, prv.Pair{Type: types[execution.Priority], Value: x.priority})
			}
			lines = append(lines, line{x.created, 0, c.processor, made})
			if x.queued > 0 {
				lines = append(lines, line{x.queued, 1, x.processor,
					[]prv.Pair{{Type: types[execution.Enqueue], Value: int64(i) + 1},
						{Type: types[execution.Creator], Value: int64(c.processor) + 1}}})
			}
			if c.processor != x.processor {
				arrival := x.begin
				if x.queued > 0 {
					arrival = x.queued
				}
				b.Comm(prv.Comm{Send: int32(c.processor), Recv: int32(x.processor), Size: 8,
					Times: [4]int64{x.created, x.created, x.begin, arrival}})
			}
		}
		lines = append(lines, line{x.begin, 3, x.processor, begin},
			line{x.end, 2, x.processor, []prv.Pair{{Type: types[execution.Entry]}}})
	}
	slices.SortStableFunc(lines, func(x, y line) int { return int(x.time-y.time)*4 + x.step - y.step })
	for _, l := range lines {
		b.Event(int32(l.to), 0, l.time, l.pairs...)
	}
	states(b, processors, list)
	tr, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	tr.Labels = &prv.Labels{}
	var values []prv.ValueLabel
	for i, n := range names {
		values = append(values, prv.ValueLabel{Value: int64(i) + 1, Label: n})
	}
	tr.Labels.AddType(types[execution.Entry], "Entry method", values...)
	return tr
}

// states writes running and idle.
func states(b *prv.Builder, processors int, list []executed) {
	end := int64(0)
	for _, x := range list {
		end = max(end, x.end)
	}
	for p := range processors {
		at := int64(0)
		own := slices.Clone(list)
		own = slices.DeleteFunc(own, func(x executed) bool { return x.processor != p })
		slices.SortFunc(own, func(x, y executed) int { return int(x.begin - y.begin) })
		for _, x := range own {
			if x.begin > at {
				b.State(int32(p), 0, at, x.begin, 0)
			}
			b.State(int32(p), 0, x.begin, x.end, 1)
			at = x.end
		}
		if at < end {
			b.State(int32(p), 0, at, end, 0)
		}
	}
}

// given returns the settings with the costs of a message.
func given(latency float64) *Settings {
	set, none := Default, 0.0
	set.Latency, set.PerByte = &latency, &none
	return &set
}

// graphOf takes the first steps of an analysis.
func graphOf(t testing.TB, processors int, list []executed) *analysis {
	t.Helper()
	ctx := context.Background()
	a, err := newAnalysis(ctx, drivenTrace(t, processors, list), Options{Settings: given(5)})
	if err != nil {
		t.Fatal(err)
	}
	if err := a.run(ctx, Options{}, a.BuildUnits, a.sumUsage, a.findPath, a.FindPhases); err != nil {
		t.Fatal(err)
	}
	return a
}

// names returns the entries of units.
func (a *analysis) names(list []int32) string {
	var out []string
	for _, i := range list {
		out = append(out, a.ClassName(a.Units[i].Class))
	}
	return strings.Join(out, " ")
}

func drivenResult(t testing.TB, processors int, list []executed, more ...line) *Result {
	t.Helper()
	r, err := Analyze(context.Background(), drivenTrace(t, processors, list, more...),
		Options{Settings: given(5), Verify: 20})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// ruleIn looks for a rule among findings and their children.
func ruleIn(list []report.Finding, rule report.RuleID) *report.Finding {
	for i := range list {
		if list[i].Rule == rule {
			return &list[i]
		}
		if f := ruleIn(list[i].Children, rule); f != nil {
			return f
		}
	}
	return nil
}

// Checks 1 and 2: the clocks of F2 and F4. In F2 m moves by 100 + 5 - 90 = 15, and z with it. In F4 C moves by 70 + 5 -
// 50 = 25 and so creates B at 80: by 85 - 45 = 40.
func TestCheck01And02(t *testing.T) {
	for _, c := range []struct {
		list       []executed
		processors int
		count      int
		shifts     []int64 // of the processors at the end
	}{{f2, 2, 1, []int64{0, 15}}, {f4, 3, 2, []int64{25, 0, 40}}, {f1, 2, 0, []int64{0, 0}}} {
		a := graphOf(t, c.processors, c.list)
		r := a.RepairClocks(func(u int32) int64 { return 5 })
		if r.Count != c.count {
			t.Errorf("%d tachyons, want %d", r.Count, c.count)
		}
		for p, want := range c.shifts {
			if got := r.Shifts[p].At(1 << 40); got != want {
				t.Errorf("processor %d moves by %d, want %d", p, got, want)
			}
		}
		repaired, err := r.Shifted(context.Background(), a.T)
		if err != nil {
			t.Fatal(err)
		}
		again, err := newAnalysis(context.Background(), repaired, Options{Settings: given(5)})
		if err != nil {
			t.Fatal(err)
		}
		if err := again.BuildUnits(context.Background()); err != nil {
			t.Fatal(err)
		}
		if n := again.RepairClocks(func(u int32) int64 { return 5 }).Count; n != 0 {
			t.Errorf("%d tachyons are left", n)
		}
	}
	a := graphOf(t, 2, f2)
	fix := a.RepairClocks(func(int32) int64 { return 5 })
	repaired, _ := fix.Shifted(context.Background(), a.T)
	got := fmt.Sprint(repaired.Threads[1].States)
	if !strings.Contains(got, "105") || !strings.Contains(got, "110") || !strings.Contains(got, "135") ||
		!strings.Contains(got, "140") {
		t.Errorf("states of processor 1: %s", got)
	}
	if f := drivenResult(t, 2, f2).Findings[0]; f.Rule != "R33" || f.Total != 1 || !f.Warning {
		t.Errorf("first %+v", f)
	}
}

// Checks 3 to 6: F1.
func TestCheck03To06(t *testing.T) {
	a := graphOf(t, 2, f1)
	parents := map[string]string{}
	for i := range a.Units {
		if c := a.Units[i].Creator; c >= 0 {
			parents[a.ClassName(a.Units[i].Class)] = a.ClassName(a.Units[c].Class)
		}
	}
	if fmt.Sprint(parents) != "map[a:I b:I c:a d:b]" {
		t.Errorf("creators %v", parents)
	}
	v := a.viewOf(0).complete()
	if got := a.names(v.LastChain(v.Phase)); got != "c a I" {
		t.Errorf("last event chain %s", got)
	}
	// User 10 + 20 + 6 and 10 + 7 of 2 x 40.
	if a.out.Utilisation != 53.0/80 {
		t.Errorf("utilisation %f", a.out.Utilisation)
	}
	// Most user time of a processor: all of 0-14 on the first, 24-33 but for 24-24: 9.
	overlap := func(from, to int64) float64 { return max(a.UserIn(0, from, to), a.UserIn(1, from, to)) }
	if overlap(0, 14) != 14 || overlap(24, 33) != 9 {
		t.Errorf("overlaps %f, %f", overlap(0, 14), overlap(24, 33))
	}
	if cp, _ := a.Longest(-1, false); cp != 30 || v.path != 30 {
		t.Errorf("critical path %d, %f", cp, v.path)
	}
	set := *given(5)
	for gate, gated := range map[float64]int{0.75: 0, 0.5: 1} {
		set.Gate = gate
		if r, err := Analyze(context.Background(), a.T, Options{Settings: &set}); err != nil || r.Gated != gated {
			t.Errorf("gate %f: %d", gate, r.Gated)
		}
	}
}

// Checks 7 and 8: separation points and phases.
func TestCheck07And08(t *testing.T) {
	if a := graphOf(t, 2, f1); a.names(a.SeparationPoints()) != "I" || len(a.Phases) != 1 {
		t.Errorf("F1: %s, %d phases", a.names(a.SeparationPoints()), len(a.Phases))
	}
	a := graphOf(t, 2, f3)
	if got := a.names(a.SeparationPoints()); got != "R k1" {
		t.Errorf("F3: %s", got)
	}
	if len(a.Phases) != 2 || a.Phases[0].To != 25 {
		t.Fatalf("phases %+v", a.Phases)
	}
	for n, want := range []string{"R a k2 k1 b", "x y"} {
		var list []int32
		for th := range a.Phases[n].Firsts {
			for i := a.Phases[n].Firsts[th]; i < a.Phases[n].Ends[th]; i++ {
				list = append(list, i)
			}
		}
		if got := a.names(list); got != want {
			t.Errorf("phase %d: %s", n+1, got)
		}
	}
}

// Check 9: of four separation points in a row the first and last are kept, of two the last; no phase is empty.
func TestCheck09(t *testing.T) {
	row := func(n int) (list []executed) {
		list = append(list, executed{name: "R", end: 10}, executed{name: "w1", created: 2, begin: 10, end: 20,
			creator: "R"}, executed{name: "w2", processor: 1, created: 5, begin: 9, end: 25, creator: "R"})
		last, at := "w2", int64(25)
		for i := range n {
			name := fmt.Sprint("s", i)
			list = append(list, executed{name: name, created: at, begin: at + 5, end: at + 10, creator: last})
			last, at = name, at+10
		}
		return append(list, executed{name: "x", created: at, begin: at + 1, end: at + 9, creator: last},
			executed{name: "y", processor: 1, created: at, begin: at + 2, end: at + 9, creator: last})
	}
	for n, want := range map[int]string{4: "R s0 s3", 2: "R s1", 1: "R s0"} {
		a := graphOf(t, 2, row(n))
		if got := a.names(a.KeptPoints(a.SeparationPoints())); got != want {
			t.Errorf("%d in a row: %s", n, got)
		}
		for i := range a.Phases {
			if a.viewOf(i).total.User() == 0 {
				t.Errorf("%d in a row: phase %d is empty", n, i)
			}
		}
	}
}

// rng is a small random number generator.
type rng uint64

func (r *rng) below(n int) int {
	*r = *r*6364136223846793005 + 1442695040888963407
	return int(uint64(*r)>>33) % n
}

// randomRun returns a run of trees that are disjoint in time: units are executed as they come.
func randomRun(r *rng) (list []executed, processors int) {
	processors = 1 + r.below(4)
	at := int64(0)
	for tree := range 1 + r.below(3) {
		free := make([]int64, processors)
		for p := range free {
			free[p] = at
		}
		first := len(list)
		for i := range 1 + r.below(16) {
			x := executed{name: fmt.Sprintf("t%du%d", tree, i), processor: r.below(processors)}
			x.begin = free[x.processor]
			if i > 0 {
				c := &list[first+r.below(len(list)-first)]
				x.creator, x.created = c.name, c.begin+int64(r.below(int(c.end-c.begin)+1))
				x.begin = max(x.begin, x.created+1+int64(r.below(5)), c.begin+1)
				if c.processor == x.processor {
					x.begin = max(x.begin, c.end)
				}
			}
			x.end = x.begin + 1 + int64(r.below(20))
			free[x.processor] = x.end
			at = max(at, x.end)
			list = append(list, x)
		}
		at++
	}
	return list, processors
}

// Check 10: every separation point is on the last event chain of its tree.
func TestCheck10(t *testing.T) {
	r := rng(1)
	for n := range 1000 {
		list, processors := randomRun(&r)
		a := graphOf(t, processors, list)
		on := map[int32]bool{}
		last := map[int32]int32{} // by root
		root := func(i int32) int32 {
			for a.Units[i].Creator >= 0 {
				i = a.Units[i].Creator
			}
			return i
		}
		for i := range a.Units {
			k := root(int32(i))
			if l, ok := last[k]; !ok || a.Units[i].End > a.Units[l].End {
				last[k] = int32(i)
			}
		}
		for _, i := range last {
			for ; i >= 0; i = a.Units[i].Creator {
				on[i] = true
			}
		}
		for _, p := range a.SeparationPoints() {
			// A unit behind which nothing follows separates trivially; of several that end last any may be the last.
			if !on[p] && a.Units[p].End < a.Units[last[root(p)]].End {
				t.Fatalf("run %d: %s is not on the chain: %+v", n, a.ClassName(a.Units[p].Class), list)
			}
		}
	}
}

// phaseOf returns the view of a single phase of all units.
func phaseOf(t testing.TB, processors int, list []executed) *phaseView {
	a := graphOf(t, processors, list)
	a.Phases = nil
	a.Phases = append(a.Phases, eventgraph.Phase{From: 0, To: a.T.Duration})
	a.AssignUnits()
	return a.viewOf(0).complete()
}

// creatorsText writes a matrix as the requirements do.
func creatorsText(m *eventgraph.Matrix, of [][][]int32) string {
	var out []string
	for p := range of {
		var row []string
		for _, list := range of[p] {
			slices.Sort(list)
			s := "-1"
			if len(list) > 0 {
				s = strings.Trim(strings.ReplaceAll(fmt.Sprint(list), " ", ","), "[]")
			}
			row = append(row, s)
		}
		out = append(out, fmt.Sprintf("%d:(%s)", p, strings.Join(row, " ")))
	}
	return strings.Join(out, " ")
}

// reductionOf6 returns a reduction: 3 and 4 send to 1, 5 to 2, 1 and 2 to 0; each time the last of what a processor
// gets sends on.
func reductionOf6(length func(p int) int64) []executed {
	list := []executed{}
	for p := 5; p >= 1; p-- {
		list = append(list, executed{name: fmt.Sprint("s", p), processor: p, begin: 0, end: length(p)})
	}
	add := func(name string, at int, created, begin int64, creator string) {
		list = append(list, executed{name: name, class: "e", processor: at, created: created, begin: begin,
			end: begin + 2, creator: creator})
	}
	far := length(5) + length(4) + length(3) + length(2) + length(1)
	add("e31", 1, length(3), far, "s3")
	add("e41", 1, length(4), far+2, "s4")
	add("e52", 2, length(5), far, "s5")
	add("e10", 0, far+4, far+10, "e41")
	add("e20", 0, far+2, far+12, "e52")
	return list
}

// Check 11: the logical matrix of the reduction on 6 processors; uneven counts of a reduction are no imbalance.
func TestCheck11(t *testing.T) {
	v := phaseOf(t, 6, reductionOf6(func(p int) int64 { return int64(10 * p) }))
	e := int32(slices.Index(entryNames(reductionOf6(func(int) int64 { return 1 })), "e")) + 1
	m := v.MatrixOf(v.Phase, e)
	if got := creatorsText(m, m.Creators); got != "0:(-1 1,2) 1:(3,4 -1) 2:(5 -1) 3:(-1 -1) 4:(-1 -1) 5:(-1 -1)" ||
		m.Form() != eventgraph.Reduction {
		t.Errorf("%s, form %d", got, m.Form())
	}
	for _, rule := range []func(*phaseView) []result{countImbalance, grainImbalance} {
		for _, r := range rule(v) {
			if r.key == fmt.Sprint(e) {
				t.Errorf("%+v", r.Finding)
			}
		}
	}
}

// Check 12: chain, bottleneck and cycle on 4 processors, and a bottleneck to which one processor sends nothing.
func TestCheck12(t *testing.T) {
	chain := []executed{{name: "s", processor: 3, end: 5}}
	last, at := "s", int64(5)
	for p := range 4 {
		name := fmt.Sprint("e", p)
		chain = append(chain, executed{name: name, class: "e", processor: p, created: at, begin: at + 1, end: at + 5,
			creator: last})
		last, at = name, at+5
	}
	hub := func(senders ...int) (list []executed) {
		for k, p := range senders {
			list = append(list, executed{name: fmt.Sprint("s", p), processor: p, end: 5},
				executed{name: fmt.Sprint("e", p), class: "e", created: 5, begin: int64(10 + 5*k),
					end: int64(15 + 5*k), creator: fmt.Sprint("s", p)})
		}
		return list
	}
	var ring []executed
	for p := range 4 {
		ring = append(ring, executed{name: fmt.Sprint("s", p), processor: p, end: 5})
	}
	for d := range 3 {
		for p := range 4 {
			from := (p + 3) % 4
			creator := fmt.Sprint("s", from)
			if d > 0 {
				creator = fmt.Sprintf("e%d_%d", from, d-1)
			}
			begin := int64(10 * (d + 1))
			ring = append(ring, executed{name: fmt.Sprintf("e%d_%d", p, d), class: "e", processor: p,
				created: begin - 5, begin: begin, end: begin + 5, creator: creator})
		}
	}
	for _, c := range []struct {
		what     string
		list     []executed
		creators string
		origins  string
		want     eventgraph.Pattern
	}{
		{"chain", chain, "0:(3 -1 -1 -1) 1:(-1 0 -1 -1) 2:(-1 -1 1 -1) 3:(-1 -1 -1 2)", "", eventgraph.ChainOfAll},
		{"bottleneck", hub(1, 2, 3), "0:(1,2,3) 1:(-1) 2:(-1) 3:(-1)", "", eventgraph.BottleneckOfAll},
		{"hub of two", hub(1, 2), "0:(1,2) 1:(-1) 2:(-1) 3:(-1)", "", eventgraph.NoPattern},
		{"ring", ring, "0:(3 3 3) 1:(0 0 0) 2:(1 1 1) 3:(2 2 2)", "0:(3 2 1) 1:(0 3 2) 2:(1 0 3) 3:(2 1 0)",
			eventgraph.RingOfAll},
	} {
		v := phaseOf(t, 4, c.list)
		m := v.MatrixOf(v.Phase, 1) // e is the first name
		if got := creatorsText(m, m.Creators); got != c.creators {
			t.Errorf("%s: creators %s", c.what, got)
		}
		if got := creatorsText(m, m.Origins); c.origins != "" && got != c.origins {
			t.Errorf("%s: origins %s", c.what, got)
		}
		if m.Form() != c.want {
			t.Errorf("%s: form %d", c.what, m.Form())
		}
	}
}

// Check 13: on the path e, f, e, e the units of e have depths 0, 1, 2.
func TestCheck13(t *testing.T) {
	v := phaseOf(t, 1, []executed{{name: "e0", class: "e", end: 5}, {name: "f", created: 5, begin: 6, end: 10,
		creator: "e0"}, {name: "e1", class: "e", created: 10, begin: 11, end: 15, creator: "f"},
		{name: "e2", class: "e", created: 15, begin: 16, end: 20, creator: "e1"}})
	d := v.Depths(v.Phase, 1)
	if d[0] != 0 || d[2] != 1 || d[3] != 2 {
		t.Errorf("depths %v", d)
	}
}

// Check 14: R01 on F5. C waits 40 in the queue behind A and B; D, which it lets begin, ends at 84. On D's processor
// nothing else runs in 44-84, so 40; at most 84 - 60, as processor 0 is busy for 60. Check 57: 84 - 80/2 can be gained
// in all.
func TestCheck14(t *testing.T) {
	r := drivenResult(t, 2, f5)
	f := ruleIn(r.Findings, "R01")
	if f == nil || f.Severity != 24 || math.Abs(f.Share-24.0/84) > 1e-9 || r.Recoverable != 44 ||
		!strings.HasPrefix(f.Title, "C waits 40 ns in the queue of 1.1.1 while A, B runs") {
		t.Errorf("%+v", f)
	}
	// With C first nothing is gained.
	first := slices.Clone(f5)
	first[3].begin, first[3].end, first[1].begin, first[1].end, first[2].begin, first[2].end = 10, 20, 20, 40, 40, 60
	first[4].created, first[4].begin, first[4].end = 20, 24, 44
	if f := ruleIn(drivenResult(t, 2, first).Findings, "R01"); f != nil {
		t.Errorf("C first: %+v", f)
	}
	Noted(t, "R01", true)
	Noted(t, "R01", false)
	v := phaseOf(t, 2, f5)
	if v.path != 38 { // R to 8, C to 18, D to 38
		t.Errorf("critical path %f", v.path)
	}
}

// Checks 16 and 17: R02 on F6: sent at 48 of 50, and 27 follow: 80 - 50 = 30. Created at 30 it is not late.
func TestCheck16And17(t *testing.T) {
	r := drivenResult(t, 2, f6)
	// Check 57: at most 80 - 77/2 can be gained.
	if f := ruleIn(r.Findings, "R02"); f == nil || f.Severity != 30 || f.Share != 0.375 ||
		!strings.Contains(f.Title, "96.0 % of its unit") || r.Recoverable != 41.5 {
		t.Fatalf("%+v, %f", r.Findings, r.Recoverable)
	}
	early := slices.Clone(f6)
	early[1].created = 30
	r = drivenResult(t, 2, early)
	if f := ruleIn(r.Findings, "R02"); f != nil {
		t.Errorf("%+v", f)
	}
	Noted(t, "R02", true)
	Noted(t, "R02", false)
}

// Check 22: R05 on F7: 46 long, of which 3/4 could go, at most 46 - 40/4.
func TestCheck22(t *testing.T) {
	r := drivenResult(t, 4, f7)
	if f := ruleIn(r.Findings, "R05"); f == nil || f.Severity != 34.5 || f.Share != 0.75 {
		t.Errorf("%+v", r.Findings)
	}
}

// Checks 26 and 27: stages of 10 with (running, available) tasks of 4 and 10, 1 and 3, 1 and 1, 0 and 0 on four
// processors.
func TestCheck26And27(t *testing.T) {
	var list []eventgraph.Stage
	for i, n := range [][2]int{{4, 10}, {1, 3}, {1, 1}, {0, 0}} {
		list = append(list, eventgraph.Stage{From: int64(10 * i), To: int64(10*i + 10), Running: n[0], Available: n[1],
			All: n[1]})
	}
	b := eventgraph.Judge(list, 4)
	near := func(x, y float64) bool { return math.Abs(x-y) < 1e-4 }
	// (1 + 1/4 + 1/4 + 0)/4, (0.4 + 1/3 + 1 + 1)/4, (1 + 1/3 + 1 + 1)/4; 2 x 10 lost, (0 + 1 + 3 + 4) x 10 missing.
	if !near(b.Contribution, 0.375) || !near(b.Distribution, 0.6833) || !near(b.Effectiveness, 0.8333) ||
		b.Lost/4 != 5 || b.Parallelism != 3.5 || b.Missing/4 != 20 {
		t.Errorf("%+v", b)
	}
	for _, c := range []struct {
		running, fixed, available                 int
		contribution, distribution, effectiveness float64
	}{{2, 3, 2, 1, 1, 1}, {3, 0, 3, 0.6, 1, 1}, {3, 0, 10, 0.6, 0.3, 0.6}} {
		b := eventgraph.Judge([]eventgraph.Stage{{To: 10, Running: c.running, Fixed: c.fixed, Available: c.available}},
			5)
		if !near(b.Contribution, c.contribution) || !near(b.Distribution, c.distribution) ||
			!near(b.Effectiveness, c.effectiveness) {
			t.Errorf("%+v: %+v", c, b)
		}
	}
}

// Check 55: what the classes of F1 mean for its critical path of 30: without the time of a it is 26, as is the longest
// chain without a; the 40 in which anybody works are divided.
func TestCheck55(t *testing.T) {
	a := graphOf(t, 2, f1)
	class := map[string]int32{}
	for i, n := range entryNames(f1) {
		class[n] = int32(i) + 1
	}
	cp, _ := a.Longest(-1, false)
	zeroed, _ := a.Longest(class["a"], false)
	without, _ := a.Longest(class["a"], true)
	if cp-zeroed != 4 || cp-without != 4 {
		t.Errorf("zeroing %d, slack %d", cp-zeroed, cp-without)
	}
	sum := 0.0
	for name, want := range map[string]float64{"I": 10, "a": 15, "b": 5, "c": 5.5, "d": 4.5} {
		got := a.Normalised()[class[name]]
		if sum += got; got != want {
			t.Errorf("%s: %f, want %f", name, got, want)
		}
	}
	if sum != 40 {
		t.Errorf("sum %f", sum)
	}
}

// tasks are n tasks of one class that the unit R, of 10, creates for the balancer; the processor and begin of each are
// given.
func tasks(length int64, places ...[2]int64) []executed {
	list := []executed{{name: "R", end: 10}}
	for i, p := range places {
		list = append(list, executed{name: fmt.Sprint("t", i), class: "task", processor: int(p[0]), created: 10,
			begin: p[1], end: p[1] + length, creator: "R", dynamic: true, queued: 10})
	}
	return list
}

// longEntry returns a run in which what others wait for is behind an entry of 200.
func longEntry() []executed {
	list := []executed{{name: "R", end: 10}, {name: "long", created: 5, begin: 10, end: 210, creator: "R"}}
	for i := range 4 {
		list = append(list, executed{name: fmt.Sprint("s", i), class: "s", created: 5, begin: int64(210 + 10*i),
			end: int64(220 + 10*i), creator: "R"})
	}
	return append(list, executed{name: "x", processor: 1, created: 250, begin: 255, end: 300, creator: "s3"})
}

// DrivenFaults are message-driven runs with one fault each, by rule.
var DrivenFaults = map[report.RuleID]func(t testing.TB) *Result{
	"R01": func(t testing.TB) *Result { return drivenResult(t, 2, f5) },
	// A request of processor 1 arrives while processor 0 executes an entry of 200, and waits for 180 of it. Otherwise
	// both work as long.
	"R08": func(t testing.TB) *Result {
		return drivenResult(t, 2, []executed{{name: "R", end: 10}, {name: "long", created: 5, begin: 10, end: 210,
			creator: "R"}, {name: "q", processor: 1, created: 5, begin: 15, end: 30, creator: "R"},
			{name: "s", created: 25, begin: 210, end: 220, creator: "q", queued: 30},
			{name: "x", processor: 1, created: 220, begin: 225, end: 425, creator: "s"}})
	},
	"R18": func(t testing.TB) *Result {
		return drivenResult(t, 2, tasks(10, [2]int64{0, 10}, [2]int64{0, 20}, [2]int64{0, 30}, [2]int64{0, 40}))
	},
	"R22": func(t testing.TB) *Result { return drivenResult(t, 2, tasks(70, [2]int64{1, 15})) },
}

// Said is all that a finding says, with its three strongest places.
func Said(f *report.Finding) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s: %s\n  %s\n  %s\n", f.Rule, f.Name, f.Title, f.Advice, f.Formula)
	fmt.Fprintf(&b, "  costs %.6g, %.6g of the run, %d places on %v\n", f.Severity, f.Share, f.Total, f.Threads)
	for _, e := range f.Evidence[:min(len(f.Evidence), 3)] {
		fmt.Fprintf(&b, "  %d to %d on %v: %s, %.6g\n", e.From, e.To, e.Threads, e.Why, e.Cost)
	}
	for i := range f.Children {
		fmt.Fprintf(&b, "  with %s %s\n", f.Children[i].Rule, f.Children[i].Title)
	}
	return b.String()
}

// Each rule on message-driven runs finds something in one run, and nothing in another that is alike but for the fault.
func TestDrivenRules(t *testing.T) {
	access := func(kind, processor, key int) line {
		return with(15, processor, execution.Access, kind, execution.Variable, 1, execution.Element, key)
	}
	idle := []executed{{name: "R", end: 10},
		{name: "x", processor: 1, created: 10, begin: 100, end: 110, creator: "R"}}
	spread := tasks(10, [2]int64{0, 10}, [2]int64{1, 15}, [2]int64{0, 20}, [2]int64{1, 25})
	long := longEntry()
	short := slices.Clone(long)
	short[1].begin = 160 // 50, of which the median is no tenth
	balancer := func(name string, length int64) []executed {
		return append(slices.Clone(idle), executed{name: name, begin: 20, end: 20 + length})
	}
	hop := func(n int) (list []line) {
		for i := range n {
			list = append(list, with(int64(10+i), 1, execution.Enqueue, 3, execution.Creator, 1))
		}
		return list
	}
	urgent := func(order ...int64) (list []executed) {
		list = append(list, executed{name: "R", end: 10})
		for i, p := range order {
			list = append(list, executed{name: fmt.Sprint("t", i), class: "t", created: 5, begin: int64(10 + 10*i),
				end: int64(20 + 10*i), creator: "R", priority: p, queued: 10})
		}
		return append(list, executed{name: "z", processor: 1, created: 70, begin: 75, end: 80, creator: "t5"})
	}
	balanced := func(n int) []executed {
		var places [][2]int64
		for i := range n {
			places = append(places, [2]int64{int64(i % 2), 15 + int64(i/2)*10})
		}
		return append(tasks(10, places...), executed{name: "CentralLB", created: 5, begin: 100, end: 110,
			creator: "R"})
	}
	updates := func(n int) []line {
		list := []line{access(execution.CreateVariable, 0, 0)}
		for range n {
			list = append(list, access(execution.UpdateVariable, 1, 0))
		}
		return list
	}
	memory := func(processor, bytes int) line {
		return line{time: 15, step: 1, to: processor, pairs: []prv.Pair{{Type: execution.MemoryInUse,
			Value: int64(bytes)}}}
	}
	var said strings.Builder // all that the findings say
	for _, c := range []struct {
		rule           report.RuleID
		fault, without []executed
		lines, instead []line
		cost           float64 // -1: none
	}{
		// s3 waits behind 200 of work, the median is 10; at most 300 - 250, as the processor is busy for 250.
		{rule: "R08", fault: long, without: short, cost: 50},
		// 60 of balancing for nothing, on two processors.
		{rule: "R10", fault: balancer("CentralLB", 60), without: balancer("other", 60), cost: 30},
		// 60 in the detection of quiescence.
		{rule: "R11", fault: balancer("waitqd", 60), without: balancer("other", 60), cost: 30},
		// 900 bytes of 1000 on one of two processors: 1.8 times the mean.
		{rule: "R16", fault: idle, without: idle, lines: []line{memory(0, 900), memory(1, 100)},
			instead: []line{memory(0, 500), memory(1, 500)}, cost: -1},
		// Four tasks on one of two processors, one after the other: the other could have run two of them, 30 (while 4,
		// 3, 2 are there).
		{rule: "R18", fault: tasks(10, [2]int64{0, 10}, [2]int64{0, 20}, [2]int64{0, 30}, [2]int64{0, 40}),
			without: spread, cost: 15},
		// A task moves 9 times; there are 4, so 2.25 hops on average, of 5 each for 4 tasks on 2 processors: 22.5, but
		// at most 35 - 50/2.
		{rule: "R19", fault: spread, without: spread, lines: hop(10), instead: hop(2), cost: 10},
		// One task of a balancer, of 10, for four of the program; the mean of two processors. For six of the program it
		// is little.
		{rule: "R20", fault: balanced(4), without: balanced(6), cost: 5},
		// Executed in the order of least urgency: ranks 6, 5, 4, 3, 2 and 1 among 6, 3.5 on average, and z 1.
		{rule: "R21", fault: urgent(6, 5, 4, 3, 2, 1), without: urgent(1, 2, 3, 4, 5, 6), cost: -1},
		// One long task for two processors: 10 while R runs, 70 while the task does, 5 each before and after.
		{rule: "R22", fault: tasks(70, [2]int64{1, 15}), without: tasks(70, [2]int64{0, 10}, [2]int64{1, 15}),
			cost: 42.5},
		// Nobody reads a variable that each of two processors has: 2 x (2 - 1) messages of 5, on two processors.
		{rule: "R23", fault: idle, without: idle, lines: []line{access(execution.CreateVariable, 0, 0)},
			instead: []line{access(execution.CreateVariable, 0, 0), access(execution.ReadVariable, 0, 0),
				access(execution.ReadVariable, 1, 0)}, cost: 5},
		// Updates are combined every 20, in 95 five times: 2 x 5 messages of 5; one update takes one message to the
		// neighbour. Every 95 they take two messages, as two updates do.
		{rule: "R24", fault: idle, without: idle,
			lines: []line{access(execution.CreateVariable, 0, 20), access(execution.UpdateVariable, 1, 0)},
			instead: []line{access(execution.CreateVariable, 0, 95), access(execution.UpdateVariable, 1, 0),
				access(execution.UpdateVariable, 1, 0)}, cost: 22.5},
		// 44 updates to the neighbour; a tree takes 2 messages every 2 x 5, in 95 ten times. 30 updates are not twice
		// as many.
		{rule: "R24", fault: idle, without: idle, lines: updates(44), instead: updates(30), cost: 60},
		// A useless task of 10 before the best solution, on two processors; after it it does not count.
		{rule: "R30", fault: spread, without: spread,
			lines: []line{with(15, 0, execution.Outcome, execution.Useless), with(20, 1, execution.Outcome,
				execution.Solution)},
			instead: []line{with(30, 1, execution.Outcome, execution.Useless), with(20, 1, execution.Outcome,
				execution.Solution)},
			cost: 5},
		// One element is read four times by two processors: two requests of 10 too many.
		{rule: "R25", fault: idle, without: idle, lines: []line{access(execution.FindElement, 0, 7),
			access(execution.FindElement, 0, 7), access(execution.FindElement, 1, 7), access(execution.FindElement, 1,
				7)},
			instead: []line{access(execution.FindElement, 0, 7), access(execution.FindElement, 1, 7)}, cost: 10},
		// Inserted on one processor, read once on the other.
		{rule: "R26", fault: idle, without: idle,
			lines:   []line{access(execution.InsertElement, 0, 7), access(execution.FindElement, 1, 7)},
			instead: []line{access(execution.InsertElement, 0, 7), access(execution.FindElement, 0, 7)}, cost: 5},
		// Three reads of one element on one processor: two of them again.
		{rule: "R27", fault: idle, without: idle, lines: []line{access(execution.FindElement, 1, 7),
			access(execution.FindElement, 1, 7), access(execution.FindElement, 1, 7)},
			instead: []line{access(execution.FindElement, 1, 7), access(execution.FindElement, 1, 8),
				access(execution.FindElement, 1, 9)}, cost: 10},
		// Four inserts on one processor, none on the other: (4 - 2) x 5.
		{rule: "R28", fault: idle, without: idle, lines: []line{access(execution.InsertElement, 0, 1),
			access(execution.InsertElement, 0, 2), access(execution.InsertElement, 0, 3),
			access(execution.InsertElement, 0, 4)},
			instead: []line{access(execution.InsertElement, 0, 1), access(execution.InsertElement, 0, 2),
				access(execution.InsertElement, 1, 3), access(execution.InsertElement, 1, 4)}, cost: 10},
	} {
		r := drivenResult(t, 2, c.fault, c.lines...)
		f := ruleIn(append(r.Findings, r.Minor...), c.rule)
		if f != nil {
			said.WriteString(Said(f))
		}
		switch {
		case f == nil:
			t.Errorf("%s found nothing: %+v", c.rule, r.Findings)
		case f.Severity != c.cost:
			t.Errorf("%s costs %f, want %f: %s", c.rule, f.Severity, c.cost, f.Title)
		}
		r = drivenResult(t, 2, c.without, c.instead...)
		if f := ruleIn(append(r.Findings, r.Minor...), c.rule); f != nil {
			t.Errorf("%s without its fault: %+v", c.rule, f)
		}
		Noted(t, c.rule, true)
		Noted(t, c.rule, false)
	}
	prvtest.SameFile(t, "testdata/driven.txt", said.String())
}

// Check 42: the same from a file as from memory.
func TestCheck42(t *testing.T) {
	tr := drivenTrace(t, 2, f1)
	path := filepath.Join(t.TempDir(), "f1.prv")
	if err := prv.Save(context.Background(), path, tr); err != nil {
		t.Fatal(err)
	}
	again, err := prv.Open(context.Background(), path, prv.Options{})
	if err != nil {
		t.Fatal(err)
	}
	x, y := drivenResult(t, 2, f1), (*Result)(nil)
	if y, err = Analyze(context.Background(), again, Options{Settings: given(5), Verify: 20}); err != nil {
		t.Fatal(err)
	}
	if fmt.Sprint(x.Findings) != fmt.Sprint(y.Findings) || !reflect.DeepEqual(x.Account, y.Account) ||
		x.Phases != y.Phases ||
		len(x.Findings) == 0 {
		t.Errorf("from memory %+v, from the file %+v", x.Findings, y.Findings)
	}
}

// Checks 15, 47 and 49: what the simulation says. Without a change F1 ends at 40 and F5 at 84. With C first F5 ends at
// 60. F6 ends at 50 with x sent at the start, F7 at 12 with its links independent.
func TestCheck15And49(t *testing.T) {
	for _, c := range []struct {
		list       []executed
		processors int
		end        int64
		rule       report.RuleID
		gain       float64
	}{{f1, 2, 40, "", 0}, {f5, 2, 84, "R01", 24}, {f6, 2, 80, "R02", 30}, {f7, 4, 46, "R05", 34}} {
		a := graphOf(t, c.processors, c.list)
		base := replay.NewDriven(a.Graph, nil)
		r, err := driven.Run(context.Background(), base.Program, driven.Options{Order: base.Order})
		if err != nil || r.Length != c.end {
			t.Errorf("ends at %d, want %d: %v", r.Length, c.end, err)
		}
		if c.rule == "" {
			continue
		}
		f := ruleIn(drivenResult(t, c.processors, c.list).Findings, c.rule)
		if f == nil || f.Checked != report.Confirmed || f.Verified != c.gain {
			t.Errorf("%s: %+v", c.rule, f)
		}
	}
}

// F5 with C more urgent than A and B: in the order of arrival it ends at 84 as recorded, by priority at 60. Four tasks
// that the balancer may place take 10 + 4 x 10 where they were; on two processors, with hops of 5, they take less.
func TestRuntimes(t *testing.T) {
	urgent := slices.Clone(f5)
	urgent[1].priority, urgent[2].priority, urgent[3].priority = 2, 2, 1
	list, err := drivenResult(t, 2, urgent).Runtimes(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]int64{}
	for _, l := range list {
		got[l.Queue] = l.Length
		if l.Quiet.At < l.Length || l.Quiet.Messages != 2*int64(l.Quiet.First+l.Quiet.Second) {
			t.Errorf("%+v", l)
		}
	}
	if len(list) != 4 || got["recorded"] != 84 || got["fifo"] != 84 || got["priority"] != 60 {
		t.Errorf("%v", got)
	}
	list, err = drivenResult(t, 2, tasks(10, [2]int64{0, 10}, [2]int64{0, 20}, [2]int64{0, 30},
		[2]int64{0, 40})).Runtimes(context.Background())
	if err != nil || len(list) != 1+len(driven.Queues)*len(driven.Strategies) {
		t.Fatalf("%d: %v", len(list), err)
	}
	for _, l := range list {
		switch l.Balance {
		case "recorded":
			if l.Length != 50 {
				t.Errorf("%+v", l)
			}
		case "manager", "managers", "aperiodic":
			if l.Length >= 50 || l.Length < 30 {
				t.Errorf("%+v", l)
			}
		}
	}
	plain, err := Analyze(context.Background(), drivenTrace(t, 1, nil), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := plain.Runtimes(context.Background()); err == nil {
		t.Error("a run without entries has queues")
	}
}

// Check 43: F1 in stages of 10. Processor 0 is in user code in 0-36, so all of three stages and 6 of the last;
// processor 1 in 14-24 and 33-40. Created: a at 5; b at 10; d at 24 and c at 28. Begun: I at 0; a at 10 and b at 14; d
// at 30 and c at 33.
func TestCheck43(t *testing.T) {
	list, err := drivenResult(t, 2, f1).Stages(context.Background(), 10)
	if err != nil || len(list) != 4 {
		t.Fatalf("%d: %v", len(list), err)
	}
	for k, want := range []struct {
		busy              [2]float64
		created, executed int
		mean, grain       float64
	}{{[2]float64{1, 0}, 1, 1, 0.5, 10}, {[2]float64{1, 0.6}, 1, 2, 0.8, 15}, {[2]float64{1, 0.4}, 2, 0, 0.7, 0},
		{[2]float64{0.6, 0.7}, 0, 2, 0.65, 6.5}} {
		s := &list[k]
		near := func(x, y float64) bool { return math.Abs(x-y) < 1e-9 }
		if !near(s.Busy[0], want.busy[0]) || !near(s.Busy[1], want.busy[1]) || !near(s.MeanBusy(), want.mean) ||
			s.Created[0]+s.Created[1] != want.created || s.Executed[0]+s.Executed[1] != want.executed ||
			s.Grain != want.grain {
			t.Errorf("stage %d: %+v", k, s)
		}
	}
	for _, length := range []int64{0, -1} {
		if _, err := drivenResult(t, 2, f1).Stages(context.Background(), length); err == nil {
			t.Errorf("stages of %d", length)
		}
	}
}
