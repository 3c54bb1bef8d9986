package remedy

import (
	"math"
	"slices"
	"testing"

	"pview/insight/cause"
	"pview/insight/eventgraph"
	"pview/insight/replay"
	"pview/insight/report"
	"pview/prv"
)

// The line through 1, 3, 5 rises by 2; that through 1, 3, 2 by 0.5, with a correlation of 1 / sqrt(2 x 2).
func TestTrend(t *testing.T) {
	for _, c := range []struct {
		list        []float64
		slope, corr float64
	}{{[]float64{1, 3, 5}, 2, 1}, {[]float64{5, 3, 1}, -2, -1}, {[]float64{1, 3, 2}, 0.5, 0.5}, {[]float64{4, 4}, 0, 0},
		{[]float64{4}, 0, 0}, {nil, 0, 0}} {
		if slope, corr := trend(c.list); math.Abs(slope-c.slope) > 1e-12 || math.Abs(corr-c.corr) > 1e-12 {
			t.Errorf("%v: slope %g, correlation %g", c.list, slope, corr)
		}
	}
}

// What grows does so by more than 0.8 of its mean: from 5 to 15 is 1 time 10, from 7 to 13 is 0.6. Fewer than half of
// the executions above a quarter of the mean are a part.
func TestWhenOf(t *testing.T) {
	for _, c := range []struct {
		over []float64
		want report.When
	}{
		{[]float64{1, 2, 3, 4}, report.Steady}, {[]float64{1, 2, 3, 4, 5}, report.Growing},
		{[]float64{5, 4, 3, 2, 1}, report.Shrinking}, {[]float64{7, 8.5, 10, 11.5, 13}, report.Steady},
		{[]float64{5, 7.5, 10, 12.5, 15}, report.Growing}, {[]float64{13, 11.5, 10, 8.5, 7}, report.Steady},
		{[]float64{15, 12.5, 10, 7.5, 5}, report.Shrinking},
		{[]float64{10, 1, 0, 10, 0, 1, 10, 0}, report.InPart}, // the mean is 4, and 1 not above
		{[]float64{9, 0, 9, 0, 0, 0}, report.InPart}, {[]float64{9, 0, 9, 0, 9, 0}, report.Steady},
		{[]float64{-1, -2, -3, -4, -5}, report.Steady}, {[]float64{1, -1, 1, -1, 0}, report.Steady},
		{[]float64{1, 4, 1, 4, 1, 4}, report.Steady},
	} {
		if got := whenOf(c.over); got != c.want {
			t.Errorf("%v: %v, want %v", c.over, got, c.want)
		}
	}
}

// runOf is a run of one application with some threads, on a node each.
func runOf(t *testing.T, threads int) *Run {
	t.Helper()
	h := prv.Header{}
	h.AddPtask()
	for n := range threads {
		h.AddNode(1)
		h.AddTask(1, n)
	}
	tr, err := prv.NewBuilder(h).Build()
	if err != nil {
		t.Fatal(err)
	}
	r := &Run{Run: &cause.Run{}, threads: threads}
	r.Run.Model = &replay.Model{Graph: &eventgraph.Graph{T: tr}}
	return r
}

func TestNamesOfThreads(t *testing.T) {
	r := runOf(t, 20)
	every := func(n int, by int32) (list []int32) {
		for i := range int32(n) {
			list = append(list, i*by)
		}
		return list
	}
	for _, c := range []struct {
		threads    []int32
		name, spec string
	}{
		{[]int32{3}, "1.4.1", "1.4.1"}, {[]int32{3, 4, 5, 6}, "1.4.1, 1.5.1, 1.6.1, 1.7.1", "1.4.1-1.7.1"},
		{[]int32{3, 4, 5, 6, 7}, "1.4.1 to 1.8.1", "1.4.1-1.8.1"},
		{[]int32{3, 4, 6, 7, 8}, "1.4.1, 1.5.1, 1.7.1, 1.8.1, 1.9.1", "1.4.1-1.5.1,1.7.1-1.9.1"},
		{every(9, 2), "1.1.1, 1.3.1, 1.5.1, 1.7.1, 1.9.1, 1.11.1, 1.13.1, 1.15.1, 1.17.1",
			"1.1.1,1.3.1,1.5.1,1.7.1,1.9.1,1.11.1,1.13.1,1.15.1,1.17.1"},
		{every(10, 2), "1.1.1, 1.3.1, 1.5.1, 1.7.1, 1.9.1, 1.11.1, 1.13.1, 1.15.1, 2 more",
			"1.1.1,1.3.1,1.5.1,1.7.1,1.9.1,1.11.1,1.13.1,1.15.1,1.17.1,1.19.1"},
	} {
		if name, spec := r.names(c.threads), r.specThreads(c.threads); name != c.name || spec != c.spec {
			t.Errorf("%v: %q, %q", c.threads, name, spec)
		}
	}
}

// Two sides that take turns are a team together, each alone, with a third of the other's time or more. Two threads of a
// team or more, and a quarter of it, tell the usual time.
func TestTurns(t *testing.T) {
	side := func(estimate int64, threads ...int32) *Candidate {
		return &Candidate{Estimate: estimate, Threads: threads}
	}
	for _, c := range []struct {
		x, y *Candidate
		team int
		want bool
	}{
		{side(100, 0, 1), side(100, 2, 3), 4, true}, {side(30, 0, 1), side(100, 2, 3), 4, true},
		{side(29, 0, 1), side(100, 2, 3), 4, false}, {side(100, 0, 1), side(100, 2, 3), 5, false},
		{side(100, 0, 1), side(100, 1, 2), 4, false}, {side(0, 0, 1), side(0, 2, 3), 4, false},
	} {
		if got := takeTurns(c.x, c.y, c.team); got != c.want {
			t.Errorf("%+v and %+v of %d: %v", c.x, c.y, c.team, got)
		}
	}
	if got := others([]int32{0, 1, 2, 3}, []int32{1, 3}); !slices.Equal(got, []int32{0, 2}) {
		t.Errorf("others %v", got)
	}
	for _, c := range []struct {
		times []float64
		team  int
		want  float64
	}{{nil, 4, 0}, {[]float64{8, 0, 0, 0}, 4, 0}, {[]float64{8, 0, 6, 0}, 4, 7}, {[]float64{8, 0, 6, 0}, 8, 7},
		{[]float64{8, 0, 6, 0}, 9, 0}, {[]float64{1, 3, 9}, 3, 3}} {
		if got := usualAt(c.times, c.team); got != c.want {
			t.Errorf("%v of %d: usually %g, want %g", c.times, c.team, got, c.want)
		}
	}
	sums := []cause.Sums{{Time: 10}, {Time: 30}, {Time: 60}}
	if a, b := shareOf([]int32{1, 2}, sums), shareOf(nil, nil); a != 0.9 || b != 0 {
		t.Errorf("shares %g and %g", a, b)
	}
	for _, c := range []struct {
		times map[int32]float64
		want  int32
	}{{nil, -1}, {map[int32]float64{4: 1, 2: 3, 7: 2}, 2}, {map[int32]float64{4: 3, 2: 3}, 2}} {
		if got := most(c.times); got != c.want {
			t.Errorf("%v: %d", c.times, got)
		}
	}
}

// Code is divided where the first two longer stretches are of one region; those of a twentieth of the longest are.
func TestTwice(t *testing.T) {
	stretch := func(from, to int64, region int32) cause.Stretch {
		return cause.Stretch{From: from, To: to, Region: region}
	}

	for _, c := range []struct {
		own  []cause.Stretch
		want bool
	}{
		{nil, false}, {[]cause.Stretch{stretch(0, 100, 1)}, false},
		{[]cause.Stretch{stretch(0, 100, 1), stretch(100, 150, 1)}, true},
		{[]cause.Stretch{stretch(0, 100, 1), stretch(100, 150, 2)}, false},
		{[]cause.Stretch{stretch(0, 4, 2), stretch(4, 104, 1), stretch(104, 150, 1)}, true},
		{[]cause.Stretch{stretch(0, 5, 2), stretch(5, 105, 1), stretch(105, 150, 1)}, false},
	} {
		if got := twice(c.own); got != c.want {
			t.Errorf("%+v: %v", c.own, got)
		}
	}
}

// A round of a farm: a request and its answer are 2 on their way each, the master serves for 1. Two workers ask at 0;
// the first is served from 2 to 3 and has its task at 5, the second from 3 to 4 and at 6.
func TestPlay(t *testing.T) {
	made := func(times ...float64) *round {
		x := &round{}
		for i, time := range times {
			x.tasks = append(x.tasks, task{time: time, master: 10, to: int64(i)})
		}
		return x
	}
	f := &farm{serve: 1, travel: 4, active: []int32{1, 2}, workers: []int32{1, 2, 3}}
	none := func(x *round) *round {
		for i := range x.tasks {
			x.tasks[i].master = 0
		}
		return x
	}
	for _, c := range []struct {
		x    *round
		p    plan
		want float64
	}{
		{none(made()), plan{}, 6}, // only told that no task remains
		// The first ends at 105, asks, and is told at 110; the second at 106 and 111.
		{none(made(100, 100)), plan{}, 111},
		// The one that ends first, at 15, has the third: 20 + 100.
		{none(made(10, 50, 100)), plan{}, 125},
		// The last one first: 105, the others 16 and 21 + 50 = 71.
		{none(made(10, 50, 100)), plan{lastFirst: true}, 110},
		// Two at a time: 60, then 100: at 6.
		{none(made(10, 50, 100)), plan{together: 2}, 111},
		// A third worker, at 7: 107, and 112 when it is told.
		{none(made(100, 100, 100)), plan{all: true}, 112},
		// The master takes 10 for each: at 13 + 2 and 24 + 2; told at 116 + 5 and 126 + 5.
		{made(100, 100), plan{}, 131},
		{made(100, 100), plan{fast: true}, 111},
	} {
		if got := f.play(c.x, c.p); got != c.want {
			t.Errorf("%+v, %+v: %g, want %g", c.x, c.p, got, c.want)
		}
	}
	if m := (&farm{rounds: []round{*made(10, 50)}}).meanTask(); m != 30 {
		t.Errorf("mean %g", m)
	}
	if idle := f.idle(); !slices.Equal(idle, []int32{3}) {
		t.Errorf("idle %v", idle)
	}
}

// number is a change of a number, whose gain is its sum, but at most 10.
type number struct{ of []int }

func (n number) Join(o number) number { return number{slices.Concat(n.of, o.of)} }

func TestGains(t *testing.T) {
	gain := func(n number) (sum int64) {
		for _, v := range n.of {
			sum += int64(v)
		}
		return min(sum, 10)
	}
	for _, c := range []struct {
		list     []number
		two, all int64
	}{{nil, 0, 0}, {[]number{{[]int{5}}}, 0, 0}, {[]number{{[]int{5}}, {[]int{2}}}, 7, 7},
		{[]number{{[]int{5}}, {[]int{2}}, {[]int{4}}}, 7, 10}} {
		if two, all := gains(c.list, gain); two != c.two || all != c.all {
			t.Errorf("%v: %d and %d", c.list, two, all)
		}
	}
	for _, c := range []struct {
		base, end, length int64
		want              float64
	}{{110, 100, 100, 0.1}, {90, 100, 100, 0.1}, {1, 0, 0, 1}, {0, 0, 0, 0}} {
		if got := deviation(c.base, c.end, c.length); got != c.want {
			t.Errorf("%+v: %g", c, got)
		}
	}
}
