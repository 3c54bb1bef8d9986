package store_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"pview/sim/study"
	"pview/sim/study/store"
)

// squares returns a study of n runs: the output is the square of the input; run 3 fails.
func squares(t testing.TB, n int) *study.Plan {
	t.Helper()
	return &study.Plan{
		Kind: "test", Title: "squares", Key: "k1", Seed: 7,
		Inputs:  []study.Column{{Name: "x", Unit: "ns"}, {Name: "machine", Levels: []string{"now", "hpc"}}},
		Outputs: []study.Column{{Name: "square"}, {Name: "never"}},
		Design: study.FixedDesign(n, func(i int) (study.Draw, error) {
			return study.Draw{Inputs: []float64{float64(i), float64(i % 2)}, Redraws: i % 3}, nil
		}),
		Solve: func(_ context.Context, r *study.Row, _ func()) ([]float64, error) {
			if r.Index == 3 {
				return nil, errors.New("three is no square")
			}
			return []float64{r.Inputs[0] * r.Inputs[0], math.NaN()}, nil
		},
	}
}

// carry runs a plan with its store in dir until ctx ends.
func carry(ctx context.Context, t testing.TB, p *study.Plan, dir string, resume bool) (*store.Store, *study.Table,
	error) {
	t.Helper()
	s, err := store.Open(dir, p, resume)
	if err != nil {
		t.Fatal(err)
	}
	table, err := study.NewRunner(p, study.RunOptions{Workers: 2, Keep: s}).Run(ctx)
	return s, table, err
}

// carrySome runs a plan until it has kept n more of its runs, and interrupts it.
func carrySome(t testing.TB, p *study.Plan, dir string, runs int) {
	t.Helper()
	s, err := store.Open(dir, p, true)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	var begun atomic.Int32
	solve := p.Solve
	p.Solve = func(c context.Context, r *study.Row, hold func()) ([]float64, error) {
		if int(begun.Add(1)) > runs { // one too many: it ends when the others have, however late their workers are
			<-ctx.Done()
			return nil, ctx.Err()
		}
		return solve(c, r, hold)
	}
	left := len(s.Rows()) + runs
	told := func(study.Row) {
		if left--; left == 0 {
			cancel()
		}
	}
	if _, err := study.NewRunner(p, study.RunOptions{Workers: 2, Keep: s, OnRow: told}).Run(ctx); !errors.Is(err,
		context.Canceled) {
		t.Fatal(err)
	}
}

func TestKeepsRuns(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a", "store")
	p := squares(t, 10)
	p.Measured = &study.Row{Index: -1, Status: study.Done, Inputs: make([]float64, len(p.Inputs)),
		Outputs: make([]float64, len(p.Outputs))}
	p.Measured.Inputs[0], p.Measured.Outputs[0] = math.NaN(), 9.5 // the machine of the run is not known
	s, table, err := carry(context.Background(), t, p, dir, false)
	if err != nil {
		t.Fatal(err)
	}
	check := func(when string) {
		t.Helper()
		info, got, err := store.Read(dir)
		if err != nil || info.Title != "squares" || len(got.Rows) != 10 {
			t.Fatal(when, info, err)
		}
		if fmt.Sprint(got.Rows) != fmt.Sprint(table.Rows) { // NaN is not equal to itself
			t.Errorf("%s:\n%v\nnot\n%v", when, got.Rows, table.Rows)
		}
		if fmt.Sprint(got.Measured) != fmt.Sprint(p.Measured) {
			t.Errorf("%s: the measured run is %v, not %v", when, got.Measured, p.Measured)
		}
	}
	check("in pieces")
	if err := s.Finish(table); err != nil {
		t.Fatal(err)
	}
	check("finished")
	files, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil || len(files) != 3 {
		t.Error(files, err)
	}
	if r := table.Rows[3]; r.Status != study.Failed || r.Reason != "three is no square" || r.Outputs != nil {
		t.Errorf("%+v", r)
	}
}

// TestResumes: an interrupted study, a torn last row, and then the rest: the bytes of the undisturbed table.
func TestResumes(t *testing.T) {
	whole := filepath.Join(t.TempDir(), "whole")
	s, table, err := carry(context.Background(), t, squares(t, 50), whole, false)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Finish(table); err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile(filepath.Join(whole, "runs.arrow"))
	if err != nil {
		t.Fatal(err)
	}

	dir := filepath.Join(t.TempDir(), "pieces")
	for _, runs := range []int{20, 15} {
		carrySome(t, squares(t, 50), dir, runs)
		tear(t, dir)
	}
	// 20 + 15 runs, of which each tear costs one.
	_, have, err := store.Read(dir)
	if err != nil || len(have.Rows) != 33 {
		t.Fatal(len(have.Rows), err)
	}
	s, table, err = carry(context.Background(), t, squares(t, 50), dir, true)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Finish(table); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(filepath.Join(dir, "runs.arrow"))
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%d bytes, not the same as the %d of an undisturbed study (%v)", len(got), len(want), err)
	}
}

// tear cuts some bytes off the end of every file of a process, as if it had been killed while it wrote.
func tear(t *testing.T, dir string) {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, "*.arrows"))
	if err != nil || len(names) == 0 {
		t.Fatal(names, err)
	}
	for _, name := range names {
		info, err := os.Stat(name)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Truncate(name, info.Size()-9); err != nil {
			t.Fatal(err)
		}
	}
}

// TestTornAnywhere: whatever is left of a file, its complete rows are read.
func TestTornAnywhere(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "s")
	if _, _, err := carry(context.Background(), t, squares(t, 4), dir, false); err != nil {
		t.Fatal(err)
	}
	names, _ := filepath.Glob(filepath.Join(dir, "*.arrows"))
	all, err := os.ReadFile(names[0])
	if err != nil {
		t.Fatal(err)
	}
	last := 0
	for n := 0; n < len(all); n += 53 {
		if err := os.WriteFile(names[0], all[:n], 0o666); err != nil {
			t.Fatal(err)
		}
		_, table, err := store.Read(dir)
		if err != nil {
			t.Fatalf("%d bytes: %v", n, err)
		}
		if len(table.Rows) < last {
			t.Fatalf("%d bytes: %d rows, before %d", n, len(table.Rows), last)
		}
		last = len(table.Rows)
	}
	if last < 3 {
		t.Errorf("%d rows", last)
	}
}

// TestDamagedTable: a footer whose root lies outside of it makes the library panic; the error names the file.
func TestDamagedTable(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "s")
	s, table, err := carry(context.Background(), t, squares(t, 4), dir, false)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Finish(table); err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(dir, "runs.arrow")
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	end := len(text) - len("ARROW1") - 4 // the footer ends there; its length follows
	footer := text[end-int(binary.LittleEndian.Uint32(text[end:])) : end]
	binary.LittleEndian.PutUint32(footer, 0x7fffffff)
	if err := os.WriteFile(name, text, 0o666); err != nil {
		t.Fatal(err)
	}
	if _, _, err := store.Read(dir); err == nil || err.Error() != name+": the file is damaged: its digest is another" {
		t.Error(err)
	}
	// A store of an older pview has no digests: there the guard of the library holds.
	study := filepath.Join(dir, "study.json")
	info, err := os.ReadFile(study)
	if err != nil {
		t.Fatal(err)
	}
	info = bytes.Replace(info, []byte(",\n  \"sealed\": true"), nil, 1)
	sealAt := bytes.LastIndex(text, []byte("PVSHA256"))
	text = slices.Delete(text, sealAt, sealAt+40)
	if err := errors.Join(os.WriteFile(study, info, 0o666), os.WriteFile(name, text, 0o666)); err != nil {
		t.Fatal(err)
	}
	if _, _, err := store.Read(dir); err == nil || err.Error() != name+": the file is damaged" {
		t.Error(err)
	}
}

// finished returns the folder of a finished study, and its rows.
func finished(t *testing.T, p *study.Plan) (dir string, rows []study.Row) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), "s")
	s, table, err := carry(context.Background(), t, p, dir, false)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Finish(table); err != nil {
		t.Fatal(err)
	}
	return dir, table.Rows
}

// TestDamagedAnywhere: whatever byte of the files is wrong, reading ends with rows or with an error that names the
// file, and takes no more memory than a small file needs: sizes in a damaged footer are claims.
func TestDamagedAnywhere(t *testing.T) {
	dir, _ := finished(t, squares(t, 4))
	for _, name := range []string{"runs.arrow", "hosts.arrow", "study.json"} {
		name = filepath.Join(dir, name)
		whole, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for i := range whole {
			for _, b := range []byte{whole[i] ^ 0xff, whole[i] ^ 0x80, whole[i] ^ 1} {
				text := slices.Clone(whole)
				text[i] = b
				if err := os.WriteFile(name, text, 0o666); err != nil {
					t.Fatal(err)
				}
				var before, after runtime.MemStats
				runtime.ReadMemStats(&before)
				_, _, err := store.Read(dir)
				runtime.ReadMemStats(&after)
				if err != nil && !strings.HasPrefix(err.Error(), dir) {
					t.Fatalf("byte %d of %s is %#x: %v", i, name, b, err)
				}
				if took := after.TotalAlloc - before.TotalAlloc; took > 64<<20 {
					t.Fatalf("byte %d of %s is %#x: reading takes %d MB: %v", i, name, b, took>>20, err)
				}
			}
		}
		if err := os.WriteFile(name, whole, 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// A run that failed and was made again by another process is done, whatever the names of their files.
func TestMadeAgain(t *testing.T) {
	p := squares(t, 2)
	for _, first := range []bool{false, true} { // in the order of the names
		dir := t.TempDir()
		for i, row := range []study.Row{{Status: study.Failed, Reason: "no memory"},
			{Status: study.Done, Outputs: []float64{1, 2}}} {
			row.Index, row.Inputs = 1, []float64{1, 1}
			s, err := store.Open(dir, p, true)
			if err != nil {
				t.Fatal(err)
			}
			if err := errors.Join(s.Append(row), s.Close()); err != nil {
				t.Fatal(err)
			}
			names, _ := filepath.Glob(filepath.Join(dir, "runs-*.arrows"))
			if i == 0 && len(names) == 1 && first {
				err = os.Rename(names[0], filepath.Join(dir, "runs-~.arrows"))
			}
			if err != nil || len(names) != i+1 {
				t.Fatal(names, err)
			}
		}
		s, err := store.Open(dir, p, true)
		if err != nil || len(s.Rows()) != 1 || s.Rows()[0].Status != study.Done {
			t.Errorf("%+v %v", s.Rows(), err)
		}
	}
}

func TestRefuses(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "s")
	if _, _, err := carry(context.Background(), t, squares(t, 4), dir, false); err != nil {
		t.Fatal(err)
	}
	if _, err := store.Open(dir, squares(t, 4), false); err == nil ||
		!strings.Contains(err.Error(), "4 runs of this study already: --resume") {
		t.Error(err)
	}
	other := squares(t, 4)
	other.Key = "k2"
	if _, err := store.Open(dir, other, true); err == nil ||
		!strings.Contains(err.Error(), "another study (test of squares, seed 7)") {
		t.Error(err)
	}
	if _, _, err := store.Read(t.TempDir()); !errors.Is(err, store.ErrNone) {
		t.Error(err)
	}
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := store.Open(filepath.Join(file, "s"), other, false); err == nil {
		t.Error("a store within a file")
	}
	if err := store.Remove(dir); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(dir); err == nil {
		t.Error("the store is still there")
	}
}

// TestKeepsMore: 20 runs, then 10 of the same study, then 30: none is lost, and none is made twice.
func TestKeepsMore(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "s")
	made := 0
	for _, c := range []struct{ runs, made, kept int }{{20, 20, 20}, {10, 0, 20}, {30, 10, 30}} {
		p := squares(t, c.runs)
		solve := p.Solve
		made = 0
		p.Solve = func(ctx context.Context, r *study.Row, hold func()) ([]float64, error) {
			made++
			return solve(ctx, r, hold)
		}
		s, err := store.Open(dir, p, true)
		if err != nil {
			t.Fatal(err)
		}
		table, err := study.NewRunner(p, study.RunOptions{Workers: 1, Keep: s}).Run(context.Background())
		if err != nil || len(table.Rows) != c.runs || made != c.made {
			t.Errorf("%d runs: %d rows, %d made (%v)", c.runs, len(table.Rows), made, err)
		}
		if err := s.Finish(table); err != nil {
			t.Fatal(err)
		}
		_, all, err := store.Read(dir)
		if err != nil || len(all.Rows) != c.kept || all.Rows[c.kept-1].Index != c.kept-1 {
			t.Errorf("%d runs: %d in the store (%v)", c.runs, len(all.Rows), err)
		}
	}
}
