package model_test

import (
	"context"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"pview/prv"
	"pview/prv/model"
)

// Rows are sorted by time, and rows of the same time keep their order, whether only a few are moved or, with most out
// of place, all rows are sorted.
func TestSort(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for name, time := range map[string]func(i int) int64{
		"in order": func(i int) int64 { return int64(i / 3) },
		"nearly":   func(i int) int64 { return int64(i - i%7) },
		"none":     func(int) int64 { return rng.Int64N(40) },
	} {
		var s model.States
		var e model.Events
		s.FileOrder = make([]int32, 100)
		e.Lines = model.NewBits(100)
		for i := range 100 {
			at := time(i)
			s.Begin, s.End, s.Value = append(s.Begin, at), append(s.End, at+int64(i)), append(s.Value, uint32(i))
			e.Time, e.Type, e.CPU = append(e.Time, at), append(e.Type, uint32(i)), append(e.CPU, int32(i))
			e.Value.Append(int64(1000 + i))
			if i%3 == 0 {
				e.Lines.Set(i)
			}
		}
		order := make([]int32, 100) // a stable sort's
		for i := range order {
			order[i] = int32(i)
		}
		slices.SortStableFunc(order, func(a, b int32) int { return int(s.Begin[a] - s.Begin[b]) })
		s.Sort()
		e.Sort()
		if !slices.Equal(s.FileOrder, order) || s.CPU != nil {
			t.Errorf("%s: file order %v, want %v", name, s.FileOrder, order)
		}
		for i, from := range order {
			if s.Value[i] != uint32(from) || s.End[i] != s.Begin[i]+int64(from) || e.Type[i] != uint32(from) ||
				e.Time[i] != s.Begin[i] || e.CPU[i] != from || e.Value.At(i) != int64(1000+from) ||
				e.Lines.Has(i) != (from%3 == 0) {
				t.Errorf("%s: row %d is not that of row %d", name, i, from)
			}
		}
		inverse := model.Inverse(order)
		for i, from := range order {
			if int(inverse[from]) != i {
				t.Errorf("%s: row %d stands at %d, want %d", name, from, inverse[from], i)
			}
		}
	}
}

// Each thread has its communications in the time order of each role. Thread 0 sends 0 to 3, with logical times out of
// order; thread 1 sends 4; all go to thread 1 except 3.
func TestOrderComms(t *testing.T) {
	tr := &prv.Trace{Threads: make([]model.Thread, 3), Comms: model.Comms{
		Send: []int32{0, 0, 0, 0, 1}, Recv: []int32{1, 1, 1, 0, 1},
		Times: [4][]int64{
			model.LogicalSend: {5, 3, 3, 9, 1}, model.PhysicalSend: {5, 6, 7, 9, 1},
			model.LogicalRecv: {6, 7, 8, 9, 9}, model.PhysicalRecv: {6, 9, 8, 9, 7},
		}}}
	want := map[model.Role][][]int32{
		model.LogicalSend:  {{1, 2, 0, 3}, {4}, nil},
		model.PhysicalSend: {{0, 1, 2, 3}, {4}, nil},
		model.LogicalRecv:  {{3}, {0, 1, 2, 4}, nil},
		model.PhysicalRecv: {{3}, {0, 4, 2, 1}, nil},
	}
	for _, orders := range []*[4][]int32{{}, {make([]int32, 5), make([]int32, 5), make([]int32, 5), make([]int32, 5)}} {
		if err := tr.OrderComms(context.Background(), orders, 1); err != nil {
			t.Fatal(err)
		}
		for role, lists := range want {
			for th, list := range lists {
				if got := tr.Threads[th].Comm[role]; !slices.Equal(got, list) {
					t.Errorf("role %d of thread %d: %v, want %v", role, th, got, list)
				}
			}
		}
	}
	a, b := tr.Threads[1].Comm[model.LogicalSend], tr.Threads[1].Comm[model.PhysicalSend]
	if &a[0] != &b[0] {
		t.Error("two equal orders have memory of their own")
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := tr.OrderComms(ctx, &[4][]int32{}, 1); err != context.Canceled {
		t.Errorf("cancelled: %v", err)
	}
}

// CPUs of messages are kept if one differs from its thread's.
func TestDropConstantCPUs(t *testing.T) {
	for _, c := range []struct {
		send, recv int32
		kept       bool
	}{{1, 2, false}, {2, 2, true}, {1, 1, true}} {
		tr := &prv.Trace{Threads: []model.Thread{{CPU: 1}, {CPU: 2}}, Comms: model.Comms{Send: []int32{0, 0},
			Recv: []int32{1, 1}, SendCPU: []int32{1, c.send}, RecvCPU: []int32{2, c.recv}}}
		tr.DropConstantCPUs()
		if kept := tr.Comms.SendCPU != nil; kept != c.kept || kept != (tr.Comms.RecvCPU != nil) {
			t.Errorf("CPUs %d, %d are kept: %v", c.send, c.recv, kept)
		}
	}
}

// Added events follow the others of their time, on the CPU of the event before; if the first event of a line is left
// out, the next one starts the line.
func TestWithEvents(t *testing.T) {
	old := model.Events{Time: []int64{10, 10, 10, 20, 30}, Type: []uint32{1, 2, 3, 1, 2},
		Value: model.ValuesOf(11, 12, 13, 14, 15), CPU: []int32{5, 5, 5, 6, 7}, Lines: model.Bits{0b11001}}
	tr := &prv.Trace{Threads: []model.Thread{{CPU: 4, Events: old}, {CPU: 3}}, Comms: model.Comms{
		EventLines: []uint32{1}}}
	pair := func(at, v int64) model.TimedPair {
		return model.TimedPair{Time: at, Pair: model.Pair{Type: 9, Value: v}}
	}
	got := tr.WithEvents([][]model.TimedPair{{pair(9, 1), pair(10, 2), pair(25, 3), pair(30, 4), pair(31, 5)},
		{pair(7, 6)}}, nil, func(typ uint32) bool { return typ != 1 })
	type row struct {
		at    int64
		typ   uint32
		value int64
		cpu   int32
		first bool
	}
	rows := func(e *model.Events) (list []row) {
		for i := range e.Len() {
			r := row{e.Time[i], e.Type[i], e.Value.At(i), 0, e.Lines.Has(i)}
			if e.CPU != nil {
				r.cpu = e.CPU[i]
			}
			list = append(list, r)
		}
		return list
	}
	want := []row{{9, 9, 1, 4, true}, {10, 2, 12, 5, true}, {10, 3, 13, 5, false}, {10, 9, 2, 5, true},
		{25, 9, 3, 6, true}, {30, 2, 15, 7, true}, {30, 9, 4, 7, true}, {31, 9, 5, 7, true}}
	if list := rows(&got.Threads[0].Events); !reflect.DeepEqual(list, want) {
		t.Errorf("events %v, want %v", list, want)
	}
	if list := rows(&got.Threads[1].Events); !reflect.DeepEqual(list, []row{{7, 9, 6, 0, true}}) {
		t.Errorf("events of a thread without: %v", list)
	}
	if got.Comms.EventLines != nil || tr.Comms.EventLines == nil || tr.Threads[0].Events.Len() != 5 {
		t.Error("the trace has changed, or the new one has the lines of its file")
	}
}

// Doubts of a thread and of messages, each at its limit. The header ends at 100, the trace at 130.
func TestFindDoubts(t *testing.T) {
	tr := &prv.Trace{HeaderEnd: 100, Duration: 130, Threads: []model.Thread{
		{States: model.States{Begin: []int64{0, 40, 45, 60, 90}, End: []int64{50, 55, 50, 55, model.NoEnd},
			Value: []uint32{1, 2, 3, 4, 5}, FileOrder: []int32{0, 2, 1, 3, 4}}},
		{States: model.States{Begin: []int64{10, 20, 30}, End: []int64{20, 100, 101}, Value: []uint32{1, 2, 3}},
			Events: model.Events{Time: []int64{100, 101, 101, 130}, Type: []uint32{1, 1, 2, 1},
				Value: model.ValuesOf(1, 1, 1, 1), Lines: model.Bits{0b1011}}},
	}, Comms: model.Comms{Send: []int32{0, 0, 0}, Recv: []int32{1, 1, 1}, Size: []int64{1, 1, 1}, Tag: []int64{1, 1, 1},
		Times: [4][]int64{{5, 6, 90}, {7, 7, 95}, {5, 5, 100}, {5, 5, 101}}}}
	d, err := model.FindDoubts(context.Background(), tr)
	if err != nil {
		t.Fatal(err)
	}
	want := [model.NumDoubts]int64{
		model.StateOutOfOrder:    1,         // the one that begins at 45 comes before the one at 40
		model.StateOverlap:       3,         // at 40 and 45 on thread 0, at 30 on thread 1
		model.EndBeforeBegin:     1,         // from 60 to 55
		model.ReceivedBeforeSent: 1,         // sent at 6; the one sent and received at 5 is possible
		model.AfterEnd:           1 + 2 + 1, // a state, two lines of events, a message
	}
	if d.Count != want {
		t.Errorf("%v, want %v", d.Count, want)
	}
	if want := (model.DoubtfulState{Thread: 1, Begin: 30, End: 101, Value: 3}); d.Overlap != want {
		t.Errorf("the first overlap is %v, want %v", d.Overlap, want)
	}
	if d.Total() != 10 {
		t.Errorf("%d in all", d.Total())
	}
	tr.HeaderEnd = 130
	if d, _ := model.FindDoubts(context.Background(), tr); d.Count[model.AfterEnd] != 0 {
		t.Errorf("%d after the end of the trace", d.Count[model.AfterEnd])
	}
}

func TestClean(t *testing.T) {
	for text, want := range map[string]string{
		"plain ~": "plain ~", "a\tb\r\nc": "a b  c", "\x1b[31mred\x7f": "[31mred", "caf\xe9": "café", "é~": "é~",
		"a\u202eb": "ab", "a\u00adb": "ab", "a\u2028b": "ab", "\u3164x": "x",
		"e\u0301\u0301\u0301\u0301\u0301\u0301f\u0301": "e\u0301\u0301\u0301\u0301f\u0301",
	} {
		if got := model.Clean(text); got != want {
			t.Errorf("%q becomes %q, want %q", text, got, want)
		}
	}
	long := "0123456789012345678901234567890123456789é and more than sixty bytes"
	for _, c := range []struct{ got, want string }{
		{model.Quote(long[:40]), `"` + long[:40] + `"`}, {model.Quote(long), `"` + long[:40] + `..."`},
		{model.Quote(long[1:]), `"` + long[1:40] + `..."`}, // half of é is left out
		{model.Shorten(long[:60]), long[:60]}, {model.Shorten(long), long[:60] + "..."},
		{model.CleanLabel(" a\n"), "a"},
	} {
		if c.got != c.want {
			t.Errorf("got %s, want %s", c.got, c.want)
		}
	}
}
