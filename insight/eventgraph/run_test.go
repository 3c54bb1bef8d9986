package eventgraph_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pview/insight/eventgraph"
	"pview/insight/runtest"
	"pview/prv"
	"pview/prv/extrae"
	"pview/prv/prvtest"
)

// The first phase of the driven run has all units. From 0, unit 1 starts after 4 and takes 10, 2 goes on for 3; 3
// starts after 6 and takes 15, and after 5 of these starts 4, which takes 5. Times: 17 to the end of 2, 21 of 3, 16 of
// 4. Without the 6 before it 3 ends at 15.
func TestPathsOfPhase(t *testing.T) {
	g := driven(t)
	if err := g.FindPhases(context.Background()); err != nil {
		t.Fatal(err)
	}
	ph := &g.Phases[0]
	for early, want := range map[int32]int64{-1: 21, 1: 21, 2: 21, 3: 17, 4: 21} {
		if got := g.PathIn(ph, early); got != want {
			t.Errorf("unit %d let go early: %d, want %d", early, got, want)
		}
	}
	if last, none := g.Last(ph), g.Last(&g.Phases[1]); last != 4 || none != -1 {
		t.Errorf("units %d and %d are the last", last, none)
	}
	if chain := g.LastChain(ph); !slices.Equal(chain, []int32{4, 3, 0}) {
		t.Errorf("last chain %v", chain)
	}
	g.Units[3].Begin = 46 // after what it creates, as a clock that is wrong says
	if chain := g.LastChain(ph); !slices.Equal(chain, []int32{4}) {
		t.Errorf("last chain with a wrong clock %v", chain)
	}
}

// Unit 0 caused all others, on processor 2 10 + 3 of its own code and on 3 15 + 5; 1 is before 2, and 3 before 4.
func TestCaused(t *testing.T) {
	g := driven(t)
	ph := g.Run()
	for root, want := range [][3]string{{"10 0", "13 11", "20 17"}, {"0 0", "13 11", "0 0"}, {"0 0", "3 3", "0 0"},
		{"0 0", "0 0", "20 17"}, {"0 0", "0 0", "5 2"}} {
		for th := range int32(3) {
			got := fmt.Sprint(g.Caused(ph, int32(root), th, 0, 60), " ", g.Caused(ph, int32(root), th, 22, 47))
			if got != want[th] {
				t.Errorf("by unit %d on processor %d, of all and from 22 to 47: %s, want %s", root, th+1, got, want[th])
			}
		}
	}
}

func TestClasses(t *testing.T) {
	g := driven(t)
	list := g.Classes(g.Run())
	if got := fmt.Sprint(list); got != "[{1 [1 0 0] [10 0 0]} {2 [0 2 1] [0 13 15]} {3 [0 0 1] [0 0 5]}]" {
		t.Error(got)
	}
	if n, time := list[1].Of([]int32{0, 2}); n != 1 || time != 15 {
		t.Errorf("%d units and %d of class 2 on processors 1 and 3", n, time)
	}
	// Of units of 10 and 3, and of 15 and 5, the upper median.
	if a, b := g.MedianUnit(1), g.MedianUnit(2); a != 10 || b != 15 {
		t.Errorf("medians %f and %f", a, b)
	}
}

// Units belong to the phase in which they end, the last phase has the rest.
func TestAssignUnits(t *testing.T) {
	g := driven(t)
	g.Phases = []eventgraph.Phase{{To: 30}, {From: 30, To: 45}}
	g.AssignUnits()
	if a, b := &g.Phases[0], &g.Phases[1]; !slices.Equal(a.Ends, []int32{1, 2, 3}) ||
		!slices.Equal(b.Firsts, []int32{1, 2, 3}) || !slices.Equal(b.Ends, []int32{1, 3, 5}) {
		t.Errorf("%+v", g.Phases)
	}
}

func TestNames(t *testing.T) {
	g := driven(t)
	g.T.Labels.AddType(79000001, "entry", prv.ValueLabel{Value: 2, Label: "solve"})
	g.T.Labels.AddType(79000011, "object", prv.ValueLabel{Value: 7, Label: "block 7"})
	got := fmt.Sprint(g.ClassName(-1), ", ", g.ClassName(2), ", ", g.ObjectName(7), ", ", g.ThreadName(2), ", ",
		g.Span(1499.6))
	if got != "unclassified, solve, block 7, 1.3.1, 1.5 us" {
		t.Error(got)
	}
	if g.Size(-1) != 0 || g.Size(0) != 64 {
		t.Errorf("%d and %d bytes", g.Size(-1), g.Size(0))
	}
	other := g.With(context.TODO())
	if other.T != g.T || other.Ctx == g.Ctx {
		t.Error("the graph for another context")
	}
}

// Of thread 1 the program is 10, overhead 3, input and output 2, idle 4, absent 1.
func TestTotals(t *testing.T) {
	all := []eventgraph.Usage{{extrae.PartUser: 10, extrae.PartOverhead: 3, extrae.PartIO: 2, extrae.PartIdle: 4,
		extrae.PartAbsent: 1}, {extrae.PartUser: 100}, {extrae.PartUser: 1}}
	if u := &all[0]; u.Busy() != 15 || u.Overhead() != 5 || u.Present() != 19 {
		t.Errorf("busy %d, overhead %d, present %d", u.Busy(), u.Overhead(), u.Present())
	}
	total := eventgraph.TotalOf(all, []int32{0, 2})
	if total.User() != 11 || total.Overhead() != 5 || total.Busy() != 16 || total.Idle() != 4 ||
		total.Present() != 20 || total.Utilisation() != 0.55 {
		t.Errorf("%v", total)
	}
	if none := (&eventgraph.TotalUsage{}); none.Utilisation() != 0 {
		t.Error(none.Utilisation())
	}
}

// The tracer writes its buffer from 10 to 20, which is no time of the thread, but for what it computes from 15 to 17;
// and from 25 on.
func TestFlushes(t *testing.T) {
	b := runtest.Tasks(1)
	for _, s := range [][3]int64{{0, 15, 7}, {15, 17, 1}, {17, 24, 7}, {24, 30, 12}} {
		b.State(0, 0, s[0], s[1], uint32(s[2]))
	}
	for _, e := range [][2]int64{{5, 0}, {10, 1}, {20, 0}, {22, 0}, {25, 1}} {
		b.Event(0, 0, e[0], prv.Pair{Type: extrae.TraceFlush, Value: e[1]})
	}
	g := runtest.Graph(t, runtest.Build(t, b))
	if got := fmt.Sprint(g.Flushes[0][0], len(g.Flushes[0]), g.Flushes[0][1].From); got != "{10 20} 2 25" {
		t.Error(got)
	}
	var parts strings.Builder
	g.EachPart(0, 5, 30, func(from, to int64, part extrae.Part) { fmt.Fprintln(&parts, from, to, part) })
	prvtest.SameText(t, parts.String(), `
		5 10 overhead
		10 15 absent
		15 17 user
		17 20 absent
		20 24 overhead
		24 25 I/O
		25 30 absent
	`)
	if u := g.UsageOf(0, 0, 30); u.User() != 2 || u.Overhead() != 15 || u[extrae.PartAbsent] != 13 {
		t.Errorf("%v", u)
	}
}

// Two tasks compute 1000 and 3000 ns and meet for 3000, four times: each phase is an iteration. Task 2 is 12000 in the
// function.
func TestPhasesOfOperations(t *testing.T) {
	p := runtest.NewProgram(2)
	for range 4 {
		p.Work(0, 1, 1000)
		p.Work(1, 1, 3000)
		p.All(runtest.Step{Do: runtest.Meets})
	}
	g := runtest.Graph(t, p.Run(t))
	if err := g.FindPhases(context.Background()); err != nil {
		t.Fatal(err)
	}
	var got []int64
	for i := range g.Phases {
		got = append(got, g.Phases[i].From, g.Phases[i].To, int64(g.Phases[i].Group))
	}
	if want := []int64{0, 6000, 1, 6000, 12000, 1, 12000, 18000, 1, 18000, 24000, 1}; !slices.Equal(got, want) ||
		g.Groups != 1 {
		t.Errorf("%v, %d groups", got, g.Groups)
	}
	class := g.Units[0].Class
	if times := g.TimesIn(class); g.ClassName(class) != "function 1" || !slices.Equal(times, []float64{4000, 12000}) {
		t.Errorf("%v ns in %s", times, g.ClassName(class))
	}
}

// Times are doubled, ends are one less, and counters are doubled as well.
func TestRetimed(t *testing.T) {
	b := runtest.Tasks(2)
	b.State(0, 0, 0, 10, 1)
	b.Event(0, 0, 4, prv.Pair{Type: 7, Value: 1}, prv.Pair{Type: 8, Value: 5})
	b.Event(0, 0, 4, prv.Pair{Type: 7})
	b.Event(1, 0, 9, prv.Pair{Type: 8, Value: 6})
	b.Comm(prv.Comm{Send: 0, Recv: 1, Size: 3, Tag: 2, Times: [4]int64{prv.LogicalSend: 1, prv.PhysicalSend: 2,
		prv.LogicalRecv: 5, prv.PhysicalRecv: 6}})
	tr := runtest.Build(t, b)
	tr.Path = "a.prv"
	out, err := eventgraph.Retimed(context.Background(), tr, 40, eventgraph.Times{
		At:    func(thread int32, at int64) int64 { return 2*at + 10*int64(thread) },
		Until: func(_ int32, at int64) int64 { return 2*at - 1 },
		Ends:  func(p prv.Pair) bool { return p.Type == 7 && p.Value == 0 },
		Change: func(_ int32, _ int64, line []prv.Pair) {
			for i := range line {
				line[i].Value *= 2
			}
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	var written strings.Builder
	if err := prv.Write(context.Background(), &written, out); err != nil {
		t.Fatal(err)
	}
	prvtest.SameText(t, written.String(), `
		#Paraver ():40_ns:1(2):1:2(1:1,1:1)
		1:0:1:1:1:0:19:1
		3:0:1:1:1:2:4:0:1:2:1:20:22:3:2
		2:0:1:1:1:7:7:0
		2:0:1:1:1:8:7:2:8:10
		2:0:1:2:1:28:8:12
	`)
	if out.Path != "a.prv" {
		t.Error(out.Path)
	}
}
