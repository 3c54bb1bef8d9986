package nearby

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pview/filter"
	"pview/prv"
	"pview/prv/synth"
	"pview/semantic"
)

// pair returns a trace of two tasks on two nodes, in ns:
//
//	thread 1.1.1  state 1 at 0..60, state 2 at 60..100; events 1:1 at 10, 1:0 and 2:7 (one line) at 20; sends 64 bytes
//	at 30
//	thread 1.2.1  state 3 at 0..100; receives them at 50; event 1:5 at 50
func pair(t testing.TB) *prv.Trace {
	t.Helper()
	var r prv.Resources
	r.AddNode(1)
	r.AddNode(1)
	r.AddPtask()
	r.AddTask(1, 0)
	r.AddTask(1, 1)
	b := prv.NewBuilder(prv.Header{End: 100, Unit: prv.Nanoseconds, Resources: r})
	b.State(0, 1, 0, 60, 1)
	b.State(0, 1, 60, 100, 2)
	b.State(1, 2, 0, 100, 3)
	b.Event(0, 1, 10, prv.Pair{Type: 1, Value: 1})
	b.Event(0, 1, 20, prv.Pair{Type: 1, Value: 0}, prv.Pair{Type: 2, Value: 7})
	b.Event(1, 2, 50, prv.Pair{Type: 1, Value: 5})
	b.Comm(prv.Comm{Send: 0, Recv: 1, SendCPU: 1, RecvCPU: 2, Times: [4]int64{30, 31, 50, 45}, Size: 64, Tag: 9})
	tr, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return tr
}

func find(t testing.TB, q Query) *Result {
	t.Helper()
	r, err := Find(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// text writes records as "kind time".
func text(t *prv.Trace, list []Record) string {
	var words []string
	for _, r := range list {
		words = append(words, fmt.Sprintf("%s %d", r.Kind, r.Time(t)))
	}
	return strings.Join(words, ", ")
}

func TestFind(t *testing.T) {
	tr := pair(t)
	all := Query{Trace: tr, States: true, Events: true, Messages: true, Before: 10, After: 10}
	for _, test := range []struct {
		name   string
		change func(q *Query)
		want   string
	}{
		{"a thread", func(q *Query) { q.Level, q.Time = prv.LevelThread, 20 },
			"state 0, event 10, event 20, event 20, send 30, state 60"},
		{"the nearest two and one", func(q *Query) { q.Level, q.Time, q.Before, q.After = prv.LevelThread, 25, 2, 1 },
			"event 20, event 20, send 30"},
		{"messages only", func(q *Query) { q.Level, q.Object, q.States, q.Events = prv.LevelTask, 1, false, false },
			"receive 50"},
		{"at one time messages come first", func(q *Query) { q.Level, q.Object, q.Time = prv.LevelThread, 1, 50 },
			"state 0, receive 50, event 50"},
		{"all threads of a ptask", func(q *Query) { q.Level, q.Time, q.Before, q.After = prv.LevelPtask, 40, 1, 2 },
			"send 30, receive 50, event 50"},
		{"the records of a CPU", func(q *Query) { q.Level, q.Object, q.Events = prv.LevelCPU, 1, false },
			"state 0, receive 50"},
		{"before the begin", func(q *Query) { q.Level, q.Time, q.After = prv.LevelThread, -5, 1 }, "state 0"},
		{"none are wanted", func(q *Query) { q.Before, q.After = 0, 0 }, ""},
	} {
		q := all
		test.change(&q)
		if got := text(tr, find(t, q).Records); got != test.want {
			t.Errorf("%s: %s, want %s", test.name, got, test.want)
		}
	}
}

// The window's filter holds for events and messages, not for states.
func TestFindFiltered(t *testing.T) {
	tr := pair(t)
	w := semantic.DefaultWindow()
	w.Filter.Events.Type = filter.Criterion{Func: filter.Equal, Values: []float64{2}}
	w.Filter.Comms.Size = filter.Criterion{Func: filter.Greater, Values: []float64{100}}
	q := Query{Trace: tr, Level: prv.LevelThread, Time: 30, Pass: FilterOf(tr, &w), States: true, Events: true,
		Messages: true, Before: 5, After: 5}
	r := find(t, q)
	if got, want := text(tr, r.Records), "state 0, event 20, state 60"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if r.From != math.MinInt64 || r.To != math.MaxInt64 {
		t.Errorf("there is nothing else, yet it says %d to %d", r.From, r.To)
	}
}

func TestRecord(t *testing.T) {
	tr := pair(t)
	for _, test := range []struct {
		r    Record
		hex  bool
		want string
	}{
		{Record{State, 0, 1}, false, "1:1:1:1:1:60:100:2"},
		{Record{Event, 0, 2}, false, "2:1:1:1:1:20:1:0:2:7"}, // with the other pair of its line
		{Record{Event, 1, 0}, true, "2:0x2:0x1:0x2:0x1:0x32:0x1:0x5"},
		{Record{Send, 0, 0}, false, "3:1:1:1:1:30:31:2:1:2:1:50:45:64:9"},
		{Record{Receive, 1, 0}, false, "3:1:1:1:1:30:31:2:1:2:1:50:45:64:9"},
	} {
		if got := test.r.Raw(tr, test.hex); got != test.want {
			t.Errorf("%v: %s, want %s", test.r, got, test.want)
		}
	}
	send, receive := Record{Send, 0, 0}, Record{Receive, 1, 0}
	if send.Partner(tr) != receive || receive.Partner(tr) != send {
		t.Errorf("partners: %v, %v", send.Partner(tr), receive.Partner(tr))
	}
	list := []Record{{Event, 0, 0}, {Event, 0, 1}, {Event, 0, 2}, {Send, 0, 0}, {Event, 1, 0}}
	if got := OnePerLine(tr, list); len(got) != 4 || got[1] != (Record{Event, 0, 1}) {
		t.Errorf("one per line: %v", got)
	}
	if r, ok := Lasting(tr, 0, 59); !ok || r != (Record{State, 0, 0}) {
		t.Errorf("at 59 it is in %v", r)
	}
	if r, ok := Lasting(tr, 0, 100); ok {
		t.Errorf("at 100 it is in %v, which has ended", r)
	}
}

// naive returns what Find should find: the nearest of all records in order.
func naive(q Query) []Record {
	t := q.Trace
	var all []Record
	for th := range t.Threads {
		x := &t.Threads[th]
		add := func(k Kind, n int, index func(i int) int32) {
			for i := range n {
				if r := (Record{k, int32(th), index(i)}); t.ObjectOf(q.Level, r.Thread, r.CPU(t)) == q.Object &&
					q.has(r) {
					all = append(all, r)
				}
			}
		}
		self := func(i int) int32 { return int32(i) }
		if q.States {
			add(State, x.States.Len(), self)
		}
		if q.Events {
			add(Event, x.Events.Len(), self)
		}
		if q.Messages {
			add(Send, len(x.Comm[prv.LogicalSend]), func(i int) int32 { return x.Comm[prv.LogicalSend][i] })
			add(Receive, len(x.Comm[prv.LogicalRecv]), func(i int) int32 { return x.Comm[prv.LogicalRecv][i] })
		}
	}
	slices.SortFunc(all, func(a, b Record) int {
		return cmp.Or(cmp.Compare(a.Time(t), b.Time(t)), cmp.Compare(rank(a.Kind), rank(b.Kind)),
			cmp.Compare(a.Thread, b.Thread), cmp.Compare(a.Index, b.Index), cmp.Compare(a.Kind, b.Kind))
	})
	at, _ := slices.BinarySearchFunc(all, q.Time+1, func(r Record, t0 int64) int { return cmp.Compare(r.Time(t), t0) })
	return all[max(at-q.Before, 0):min(at+q.After, len(all))]
}

func generated(t testing.TB, o synth.Options) *prv.Trace {
	t.Helper()
	g, err := synth.New(o)
	if err != nil {
		t.Fatal(err)
	}
	tr, err := g.Trace(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return tr
}

// For any query, the strips find the same as a search through everything.
func TestFindAgainstAll(t *testing.T) {
	tr := generated(t, synth.Options{Tasks: 6, Threads: 2, Nodes: 3, Iterations: 12})
	rng := rand.New(rand.NewPCG(1, 2))
	w := semantic.DefaultWindow()
	w.Filter.Events.Type = filter.Criterion{Func: filter.Equal, Values: []float64{50000002}}
	some := FilterOf(tr, &w)
	for range 500 {
		l := prv.Levels[rng.IntN(len(prv.Levels))]
		q := Query{Trace: tr, Level: l, Object: rng.IntN(tr.Count(l)), Time: rng.Int64N(tr.Duration + 1),
			States: rng.IntN(2) == 0, Events: rng.IntN(2) == 0, Messages: rng.IntN(2) == 0, Before: rng.IntN(40),
			After: rng.IntN(40)}
		if rng.IntN(2) == 0 {
			q.Pass = some
		}
		r := find(t, q)
		if want := naive(q); !slices.Equal(r.Records, want) {
			t.Fatalf("%s %d at %d: %v, want %v", l, q.Object, q.Time, r.Records, want)
		}
	}
}

// The work is bounded: records are missing only outside of From and To.
func TestFindWithinBudget(t *testing.T) {
	tr := generated(t, synth.Options{Tasks: 16, Nodes: 2, Iterations: 40})
	w := semantic.DefaultWindow()
	w.Filter.Events.Type = filter.Criterion{Func: filter.Equal, Values: []float64{50000002}}
	q := Query{Trace: tr, Level: prv.LevelPtask, Time: tr.Duration / 2, Pass: FilterOf(tr, &w), Events: true,
		Before: 1000, After: 1000, Budget: 2000}
	r := find(t, q)
	if r.From < 0 || r.To > tr.Duration || r.From >= q.Time || r.To <= q.Time {
		t.Fatalf("with a small budget all from %d to %d was looked at", r.From, r.To)
	}
	want := slices.DeleteFunc(naive(q), func(x Record) bool { return x.Time(tr) < r.From || x.Time(tr) > r.To })
	if !slices.Equal(r.Records, want) {
		t.Errorf("from %d to %d: %d records, want %d", r.From, r.To, len(r.Records), len(want))
	}
}

// With more records at one time than the budget, the search ends and does not claim to be complete there.
func TestFindAtCrowdedTime(t *testing.T) {
	var res prv.Resources
	res.AddPtask()
	res.AddTask(1, -1)
	b := prv.NewBuilder(prv.Header{End: 100, Resources: res})
	for range 5000 {
		b.Event(0, 0, 50, prv.Pair{Type: 1, Value: 1})
	}
	tr, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	q := Query{Trace: tr, Level: prv.LevelThread, Time: 40, Events: true, Before: 5, After: 5, Budget: 100}
	if r := find(t, q); len(r.Records) != 0 || r.To >= 50 {
		t.Errorf("%d records, up to %d", len(r.Records), r.To)
	}
	q.Budget = 0
	if r := find(t, q); len(r.Records) != 5 || r.To != 50 {
		t.Errorf("%d records, up to %d", len(r.Records), r.To)
	}
}

func TestFindIsCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := Find(ctx, Query{Trace: pair(t), Level: prv.LevelThread, States: true, Before: 1, After: 1})
	if !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// BenchmarkFind is one ptask of 8,192 threads, with and without a filter that passes nothing.
func BenchmarkFind(b *testing.B) {
	tr := generated(b, synth.Options{Tasks: 8192, Nodes: 64, Iterations: 6})
	none := semantic.DefaultWindow()
	none.Filter.Events.Type = filter.Criterion{Func: filter.Equal, Values: []float64{123}}
	none.Filter.Comms.Size = filter.Criterion{Func: filter.Less, Values: []float64{0}}
	for _, c := range []struct {
		name   string
		level  prv.Level
		pass   *filter.Pass
		states bool
	}{{"task", prv.LevelTask, nil, true}, {"task/nothing", prv.LevelTask, FilterOf(tr, &none), false},
		{"ptask", prv.LevelPtask, nil, true}, {"ptask/nothing", prv.LevelPtask, FilterOf(tr, &none), false}} {
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				find(b, Query{Trace: tr, Level: c.level, Time: tr.Duration / 2, Pass: c.pass, States: c.states,
					Events: true, Messages: true, Before: 200, After: 200})
			}
		})
	}
}
