package phase

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"pview/prv"
	"pview/prv/parallel"
)

// statesOf makes states of begin, end and value.
func statesOf(list ...[3]int64) (s prv.States) {
	for _, c := range list {
		s.Begin, s.End, s.Value = append(s.Begin, c[0]), append(s.End, c[1]), append(s.Value, uint32(c[2]))
	}
	return s
}

// running reports whether a state computes.
func running(state uint32) bool { return state == 1 }

// A thread computes at a cut if its state began before the last entry and ends after it.
func TestMarkAt(t *testing.T) {
	list := []cut{{last: 10}, {last: 20}, {last: 30}}
	for _, c := range []struct {
		states prv.States
		want   string
	}{
		{statesOf(), "[]"},
		{statesOf([3]int64{0, 10, 1}, [3]int64{10, 20, 1}), "[]"},
		{statesOf([3]int64{0, 11, 1}), "[0]"},
		{statesOf([3]int64{9, 21, 1}), "[0 1]"},
		{statesOf([3]int64{9, 21, 3}), "[]"},
		{statesOf([3]int64{5, 8, 1}, [3]int64{15, 25, 1}, [3]int64{31, 40, 1}), "[1]"},
		{statesOf([3]int64{5, prv.NoEnd, 1}), "[0 1 2]"},
		{statesOf([3]int64{5, prv.NoEnd, 1}, [3]int64{25, prv.NoEnd, 3}), "[0 1]"},
	} {
		got := []int{}
		markAt(parallel.NewWatch(context.Background()), &c.states, list, running, func(i int) { got = append(got, i) })
		if fmt.Sprint(got) != c.want {
			t.Errorf("%v: %v, want %s", c.states, got, c.want)
		}
	}
}

// A thread computes between the first and the second cut in 12..20, between the second and the third in 22..30.
func TestMarkBetween(t *testing.T) {
	list := []cut{{last: 10, exit: 12}, {last: 20, exit: 22}, {last: 30, exit: 32}}
	for _, c := range []struct {
		states prv.States
		want   string
	}{
		{statesOf(), "[]"},
		{statesOf([3]int64{12, 20, 1}), "[0]"},
		{statesOf([3]int64{0, 12, 1}), "[]"},
		{statesOf([3]int64{0, 13, 1}), "[0]"},
		{statesOf([3]int64{20, 22, 1}), "[]"},
		{statesOf([3]int64{19, 23, 1}), "[0 1]"},
		{statesOf([3]int64{15, 15, 1}), "[]"}, // takes no time
		{statesOf([3]int64{13, 14, 3}, [3]int64{15, 16, 1}), "[0]"},
		{statesOf([3]int64{13, 14, 3}, [3]int64{25, 26, 1}, [3]int64{26, 27, 1}), "[1]"},
		{statesOf([3]int64{32, 40, 1}), "[]"},
	} {
		got := []int{}
		markBetween(parallel.NewWatch(context.Background()), &c.states, list, running,
			func(i int) { got = append(got, i) })
		if fmt.Sprint(got) != c.want {
			t.Errorf("%v: %v, want %s", c.states, got, c.want)
		}
	}
}

// Cuts without work (-) behind them and the next cut are one: the last stays, and of three or more also the first.
func TestCollapse(t *testing.T) {
	for work, want := range map[string]string{"": "", "-": "0", "w": "0", "w-": "0 1", "--": "1", "---": "0 2",
		"----": "0 3", "-w--": "1 3", "w---": "0 1 3", "ww-": "0 1 2", "--w-": "0 2 3"} {
		var list []cut
		var worked []bool
		for i := range work {
			list, worked = append(list, cut{number: int32(i)}), append(worked, work[i] == 'w')
		}
		var got []string
		for _, c := range collapse(list, worked) {
			got = append(got, fmt.Sprint(c.number))
		}
		if text := strings.Join(got, " "); text != want {
			t.Errorf("%q: %s, want %s", work, text, want)
		}
	}
}

// A message crosses the cuts whose last entry is after its send and before its arrival. Threads 1 and 2 are those of
// the application.
func TestPassed(t *testing.T) {
	list := []cut{{last: 10}, {last: 20}, {last: 30}}
	for _, c := range []struct {
		send, receive int32
		from, to      int64
		want          string
	}{
		{1, 2, 10, 20, "[false false false]"},
		{1, 2, 9, 20, "[true false false]"},
		{2, 1, 10, 21, "[false true false]"},
		{1, 1, 5, 35, "[true true true]"},
		{1, 2, 29, 99, "[false false true]"},
		{1, 2, 31, 32, "[false false false]"},
		{1, 2, 35, 5, "[false false false]"}, // by wrong clocks
		{0, 1, 5, 35, "[false false false]"},
		{2, 3, 5, 35, "[false false false]"},
	} {
		f := &finder{ctx: context.Background(), threads: []int32{1, 2}, t: &prv.Trace{}}
		f.t.Comms = prv.Comms{Send: []int32{c.send}, Recv: []int32{c.receive}, Times: [4][]int64{
			prv.LogicalSend: {c.from}, prv.PhysicalSend: {c.from}, prv.LogicalRecv: {c.to}, prv.PhysicalRecv: {c.to}}}
		if got := fmt.Sprint(f.passed(list)); got != c.want {
			t.Errorf("%+v: %s", c, got)
		}
	}
}

// Calls match by number if a process made as many as the first one, whose only call is from 10 to 20; else the last
// that began before that ended, if it overlaps.
func TestPart(t *testing.T) {
	for _, c := range []struct {
		own  []arrival
		want arrival // zero: none
	}{
		{[]arrival{{50, 60}}, arrival{50, 60}},
		{nil, arrival{}},
		{[]arrival{{20, 30}, {40, 50}}, arrival{}},
		{[]arrival{{19, 30}, {40, 50}}, arrival{19, 30}},
		{[]arrival{{5, 10}, {40, 50}}, arrival{}},
		{[]arrival{{5, 11}, {40, 50}}, arrival{5, 11}},
		{[]arrival{{5, 11}, {12, 15}, {18, 25}, {40, 50}}, arrival{18, 25}},
	} {
		f := &finder{calls: []map[int64][]arrival{{7: {{10, 20}}}, {7: c.own}}}
		if got, ok := f.part(1, 7, 0); got != c.want || ok != (c.want != arrival{}) {
			t.Errorf("%v: %v, %v", c.own, got, ok)
		}
	}
}

// An operation is from the last entry to the last exit. Of those that leave at the same time only the first is a cut.
func TestCuts(t *testing.T) {
	f := &finder{ctx: context.Background(), threads: []int32{0, 1}, tasks: []int32{0, 1},
		t: &prv.Trace{Labels: &prv.Labels{}, Threads: make([]prv.Thread, 2)}}
	f.calls = []map[int64][]arrival{
		{8: {{5, 20}, {40, 50}}, 7: {{10, 20}}, 5: {{9, 19}}, 4: {{60, 70}}},
		{8: {{10, 18}, {41, 49}}, 7: {{8, 20}}, 5: {{10, 19}}}}
	text := func(list []cut) (s string) {
		for _, c := range list {
			s += fmt.Sprintf("%d.%d %d..%d ", c.comm, c.number, c.last, c.exit)
		}
		return s
	}
	if got := text(f.candidates()); got != "5.0 10..19 7.0 10..20 8.0 10..20 8.1 41..50 " {
		t.Errorf("candidates %s", got)
	}
	f.t.Threads[1].States = statesOf([3]int64{20, 30, 1}) // works between 20 and 40
	list, err := f.cuts()
	if got := text(list); err != nil || got != "7.0 10..20 8.1 41..50 " {
		t.Errorf("cuts %s, %v", got, err)
	}
}
