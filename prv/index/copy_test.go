package index_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"pview/prv/index"
	"pview/prv/model"
	"pview/prv/prvtest"
	"pview/prv/store"
)

// anyTrace makes a trace of 3 threads on 4 CPUs. The bits of seed add CPUs that change, rows out of order, large
// values, records of the last thread, and messages.
func anyTrace(t *testing.T, seed uint64) *model.Trace {
	t.Helper()
	rng := rand.New(rand.NewPCG(seed, 1))
	head := model.Header{Unit: model.Nanoseconds, End: 2000, Date: "01/01/26", Communicators: []model.Communicator{
		{Text: "c:1:1:2:1:2"}}}
	head.AddNode(1)
	head.AddNode(3)
	head.AddPtask()
	head.AddTask(2, 1)
	head.AddPtask()
	head.AddTask(1, 0)
	b := store.NewBuilder(head)
	cpu := func() int32 {
		if seed&1 == 0 {
			return 2
		}
		return int32(1 + rng.IntN(4))
	}
	at := func(i int) int64 {
		if seed&2 == 0 {
			return int64(10 * i)
		}
		return int64(rng.IntN(1000))
	}
	for i := range 90 {
		th, value := int32(i%3), int64(i)
		if seed&4 != 0 && i%5 == 0 {
			value = rng.Int64() - rng.Int64()
		}
		if th < 2 || seed&8 != 0 { // else the last thread has no records
			begin := at(i)
			b.State(th, cpu(), begin, begin+int64(i%13), uint32(i%4))
			b.Event(th, cpu(), at(i), model.Pair{Type: 7, Value: value}, model.Pair{Type: 8, Value: -value})
		}
		if seed&16 != 0 {
			b.Comm(model.Comm{Send: th, Recv: int32(i/3) % 3, SendCPU: cpu(), RecvCPU: cpu(), Size: int64(i), Tag: -1,
				Times: [4]int64{at(i), at(i), at(i), at(i)}})
		}
	}
	tr, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	tr.Comments = append(tr.Comments, "# odd \xff")
	tr.Skipped.Count[model.WrongNode] = 3
	tr.Notes = []model.Note{{Line: 4, Text: "odd"}}
	return tr
}

// newIndex writes a file and the index of a trace beside it.
func newIndex(t *testing.T, path string, tr *model.Trace) *index.Draft {
	t.Helper()
	if err := os.WriteFile(path, []byte("any text"), 0o644); err != nil {
		t.Fatal(err)
	}
	now, err := index.StateOf(path)
	if err != nil {
		t.Fatal(err)
	}
	d, err := index.NewDraft(path+".pvidx", 0o640, index.SizesOf(tr))
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(d.Copy(t.Context(), tr), d.Finish(t.Context(), tr, &index.Meta{Source: now,
		Notes: tr.Notes})); err != nil {
		t.Fatal(err)
	}
	return d
}

// The copy of a trace in an index equals the trace, whatever columns it has. It is listed as long as the trace is
// unchanged.
func TestCopiesOfTraces(t *testing.T) {
	prvtest.Cache(t)
	for seed := range uint64(32) { // all sets of bits
		tr := anyTrace(t, seed)
		path := filepath.Join(t.TempDir(), "run")
		newIndex(t, path, tr)
		now, err := index.StateOf(path)
		if err != nil {
			t.Fatal(err)
		}
		got, maps, err := index.Open(t.Context(), path+".pvidx", now)
		if err != nil {
			t.Fatal(err)
		}
		got.Labels, got.Names = tr.Labels, tr.Names
		if err := model.Equal(tr, got); err != nil {
			t.Errorf("seed %d: %v", seed, err)
		}
		if got.Skipped.Total() != 3 || got.Skipped.Count != tr.Skipped.Count || !slices.Equal(got.Notes, tr.Notes) ||
			got.Duration != tr.Duration || got.HeaderEnd != tr.HeaderEnd {
			t.Errorf("seed %d: %+v, notes %v, duration %d", seed, got.Skipped, got.Notes, got.Duration)
		}
		for i := range tr.Threads {
			a, b := &tr.Threads[i], &got.Threads[i]
			if (a.States.CPU == nil) != (b.States.CPU == nil) || (a.Events.CPU == nil) != (b.Events.CPU == nil) ||
				(a.States.FileOrder == nil) != (b.States.FileOrder == nil) ||
				!slices.Equal(a.States.FileOrder, b.States.FileOrder) || fmt.Sprint(a.Comm) != fmt.Sprint(b.Comm) {
				t.Errorf("seed %d: thread %d has other columns, or other orders of messages", seed, i)
			}
		}
		info, err := index.Of(path)
		if err != nil || info == nil || info.Why != "" || info.Trace != path ||
			info.Communications != int64(tr.Comms.Len()) {
			t.Errorf("seed %d: %+v, %v", seed, info, err)
		}
		wantA, _ := model.Summarize(context.Background(), tr)
		wantB, err := model.Summarize(context.Background(), got)
		if err != nil || fmt.Sprintf("%+v", wantA) != fmt.Sprintf("%+v", wantB) {
			t.Errorf("seed %d: counts differ, %v", seed, err)
		}
		maps.Close()
	}
}

// A changed trace, a changed byte in any part of a file that pview reads, and a missing index are noticed.
func TestDamage(t *testing.T) {
	prvtest.Cache(t)
	tr := anyTrace(t, 31)
	path := filepath.Join(t.TempDir(), "run")
	newIndex(t, path, tr)
	why := func() string {
		info, err := index.Of(path)
		if err != nil || info == nil {
			t.Fatal(info, err)
		}
		return info.Why
	}
	for _, name := range []string{"states.arrow", "events.arrow", "communications.arrow", "orders.arrow", "meta.json"} {
		file := filepath.Join(path+".pvidx", name)
		whole, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for part := range 4 {
			b := slices.Clone(whole)
			b[(len(b)-1)*part/3] ^= 1
			if err := os.WriteFile(file, b, 0o644); err != nil {
				t.Fatal(err)
			}
			if why() == "" {
				t.Errorf("a changed byte in quarter %d of %s is not noticed", part, name)
			}
		}
		if err := os.WriteFile(file, whole, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if got := why(); got != "" {
		t.Fatalf("the whole index cannot be used: %s", got)
	}
	if err := os.WriteFile(path, []byte("any texT"), 0o644); err != nil {
		t.Fatal(err)
	}
	if why() == "" {
		t.Error("a changed trace is not noticed")
	}
	now, err := index.StateOf(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := index.Open(t.Context(), path+".pvidx", now); !errors.As(err, new(index.StaleError)) {
		t.Errorf("opened: %v", err)
	}
	if _, _, err := index.Open(t.Context(), path+".none", now); err != index.ErrNone {
		t.Errorf("an index that is not there: %v", err)
	}
}

// The indexes beside registered traces are listed, last used first, until they are removed; a folder that is not
// pview's stays.
func TestListAndClear(t *testing.T) {
	prvtest.Cache(t)
	var paths []string
	for i := range 3 {
		path := filepath.Join(t.TempDir(), fmt.Sprintf("run%d", i))
		d := newIndex(t, path, anyTrace(t, 0))
		index.Register(d.Final, 1<<40)
		paths = append(paths, path)
	}
	index.Touch(paths[1] + ".pvidx")
	var got []string
	for _, info := range index.List() {
		got = append(got, filepath.Base(info.Trace))
	}
	if len(got) != 3 || got[0] != "run1" {
		t.Errorf("listed %v", got)
	}
	freed, err := index.Clear(paths[0])
	if err != nil || freed < 1000 {
		t.Errorf("freed %d bytes, %v", freed, err)
	}
	if info, _ := index.Of(paths[0]); info != nil || len(index.List()) != 2 {
		t.Errorf("removed, it is still there: %+v", info)
	}
	if err := os.Mkdir(paths[0]+".pvidx", 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(paths[0]+".pvidx/mine", nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := index.Owned(paths[0] + ".pvidx"); !errors.As(err, new(*index.ForeignError)) {
		t.Errorf("a folder with a file of its user's: %v", err)
	}
	index.Clear(paths[0])
	if _, err := os.Stat(paths[0] + ".pvidx/mine"); err != nil {
		t.Errorf("the user's file: %v", err)
	}
	if freed, err := index.ClearAll(); err != nil || freed < 2000 || len(index.List()) != 0 {
		t.Errorf("freed %d bytes, %v; left %v", freed, err, index.List())
	}
}
