package semantic

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"pview/prv"
	"pview/semantic/series"
)

// randomTrace returns a trace whose records overlap, repeat, are out of order and share times: two ptasks, three tasks,
// six threads that move among four CPUs of two nodes.
func randomTrace(t *testing.T, seed uint64) *prv.Trace {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 1))
	h := prv.Header{End: 1000}
	h.AddNode(2)
	h.AddNode(2)
	h.AddPtask()
	h.AddTask(2, 0)
	h.AddTask(3, 1)
	h.AddPtask()
	h.AddTask(1, 0)
	b := prv.NewBuilder(h)
	cpu := func(th int32) int32 {
		node := h.ThreadNode(th)
		return []int32{0, h.Nodes[node].FirstCPU, h.Nodes[node].FirstCPU + 1}[r.IntN(3)]
	}
	for range 300 {
		th, at := int32(r.IntN(6)), int64(r.IntN(90))*12
		switch r.IntN(5) {
		case 0, 1:
			end := at + int64(r.IntN(5))*12
			if r.IntN(20) == 0 {
				end = prv.NoEnd
			}
			b.State(th, cpu(th), at, end, uint32(r.IntN(5)))
		case 2, 3:
			b.Event(th, cpu(th), at, prv.Pair{Type: uint32(40 + r.IntN(3)), Value: int64(r.IntN(4)) - 1},
				prv.Pair{Type: 50, Value: 1 << 40})
		default:
			to := int32(r.IntN(6))
			c := prv.Comm{Send: th, Recv: to, SendCPU: cpu(th), RecvCPU: cpu(to), Size: int64(r.IntN(100)),
				Tag: int64(r.IntN(3))}
			for k := range c.Times {
				c.Times[k] = at + int64(r.IntN(10))*12
			}
			b.Comm(c)
		}
	}
	tr, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return tr
}

// windows returns windows that use every function of every table, at every level that the
// trace has, with several filters.
func windows(tr *prv.Trace) (list []Window) {
	for _, l := range prv.Levels {
		if l.IsResource() && len(tr.Nodes) == 0 {
			continue
		}
		for i, e := range Functions(ThreadFunctions) {
			w := at(l, e.Name)
			w.Filter.Comms.Logical, w.Filter.Comms.Physical = i%3 != 0, i%3 != 1
			w.HoldState, w.IgnoreFileOrder = i%5 == 0, i%7 == 0
			list = append(list, w)
		}
	}
	for _, base := range []string{"State As Is", "Last Evt Val", "Comm Size", "Cpu ID"} {
		for _, l := range []prv.Level{prv.LevelThread, prv.LevelTask} {
			for _, e := range Functions(ComposeFunctions) {
				w := at(l, base)
				w.Compose[prv.LevelThread].Name = e.Name
				list = append(list, w)
				w.Compose[prv.LevelThread].Name = ""
				w.Top2.Name = e.Name
				list = append(list, w)
			}
		}
		for _, e := range Functions(FoldFunctions) {
			for _, l := range []prv.Level{prv.LevelTask, prv.LevelPtask, prv.LevelWorkload} {
				list = append(list, with(at(l, base), func(w *Window) { w.Functions[l].Name = e.Name }))
			}
		}
		if len(tr.Nodes) > 0 {
			for _, e := range Functions(CPUFunctions) {
				list = append(list, with(at(prv.LevelCPU, base),
					func(w *Window) { w.Functions[prv.LevelCPU].Name = e.Name }))
				list = append(list, with(at(prv.LevelSystem, base),
					func(w *Window) { w.Functions[prv.LevelCPU].Name = e.Name }))
			}
		}
	}
	a, b, coarse := at(prv.LevelThread, "State As Is"), at(prv.LevelThread, "Last Evt Val"), at(prv.LevelTask, "Useful")
	for _, e := range Functions(DerivedFunctions) {
		for _, p := range [][2]*Window{{&a, &b}, {&a, &coarse}, {&coarse, &b}} {
			w := at(prv.LevelThread, "")
			w.Derived = &Derived{Op: Call{Name: e.Name}, A: Parent{p[0], 1, 0, nil}, B: Parent{p[1], 0.5, -1, nil}}
			list = append(list, w, with(w, func(w *Window) { w.Level = prv.LevelTask }))
		}
	}
	return list
}

// checkRow checks the invariants of a row under any function.
func checkRow(t *testing.T, tr *prv.Trace, w *Window, row int, s *series.Series) {
	t.Helper()
	last := int64(0)
	for i := range s.Len() {
		begin, end, v := s.Burst(i)
		switch {
		case i == 0 && begin != 0, begin != last && i > 0, end < begin, end > tr.Duration:
			t.Fatalf("%s, row %d: burst %d is [%d,%d), the one before ends at %d", w.Describe(), row, i, begin, end,
				last)
		case i > 0 && begin <= 0 || begin >= tr.Duration && begin > 0:
			t.Fatalf("%s, row %d: burst %d begins at %d of %d", w.Describe(), row, i, begin, tr.Duration)
		case math.IsNaN(v) || math.IsInf(v, 0):
			t.Fatalf("%s, row %d: burst %d is %v", w.Describe(), row, i, v)
		}
		last = end
	}
	if last != tr.Duration {
		t.Fatalf("%s, row %d: ends at %d, not at %d", w.Describe(), row, last, tr.Duration)
	}
}

func checkWindows(t *testing.T, tr *prv.Trace, list []Window) {
	t.Helper()
	for _, w := range list {
		e, err := Compile(tr, &w)
		if err != nil {
			t.Fatalf("%s: %v", w.Describe(), err)
		}
		rows := make([]int, e.Rows())
		for i := range rows {
			rows[i] = i
		}
		seen := make([]*series.Series, len(rows))
		if err := e.All(context.Background(), rows, 2, func(row int, s *series.Series) { seen[row] = s }); err != nil {
			t.Fatal(err)
		}
		for row, s := range seen {
			checkRow(t, tr, &w, row, s)
			if len(rows) < 10 { // alone, it is the same as in company
				alone, err := e.Series(context.Background(), row)
				if err != nil || !sameBursts(s, alone) {
					t.Fatalf("%s, row %d: not the same alone (%v)", w.Describe(), row, err)
				}
			}
		}
	}
}

func sameBursts(a, b *series.Series) bool {
	if a.Len() != b.Len() {
		return false
	}
	for i := range a.Len() {
		b1, e1, v1 := a.Burst(i)
		b2, e2, v2 := b.Burst(i)
		if b1 != b2 || e1 != e2 || v1 != v2 {
			return false
		}
	}
	return true
}

func TestEveryFunctionOnRandomTraces(t *testing.T) {
	for seed := range uint64(8) {
		tr := randomTrace(t, seed)
		checkWindows(t, tr, windows(tr))
	}
	empty := &prv.Trace{Labels: &prv.Labels{}}
	empty.AddPtask()
	empty.AddTask(1, -1)
	empty.Threads = make([]prv.Thread, 1)
	checkWindows(t, empty, windows(empty))
}

// Every function gives rows on every real trace, and returns an error if its context stops it.
func TestEveryFunctionOnRealTraces(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a while")
	}
	paths, _ := filepath.Glob("../testdata/traces/*/*.prv*")
	if len(paths) == 0 {
		t.Fatal("no traces in testdata")
	}
	for _, path := range paths {
		tr, err := prv.Open(context.Background(), path, prv.Options{})
		if errors.Is(err, os.ErrNotExist) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		t.Run(filepath.Base(path), func(t *testing.T) {
			t.Parallel()
			records := 0
			for i := range tr.Threads {
				records += tr.Threads[i].States.Len() + tr.Threads[i].Events.Len()
			}
			// The larger the trace, the fewer windows; each trace gets another set.
			step := 1 + records/4000
			var list []Window
			for i, w := range windows(tr) {
				if (i+records)%step == 0 {
					list = append(list, w)
				}
			}
			checkWindows(t, tr, list)
		})
	}
}
