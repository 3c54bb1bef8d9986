package study_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"testing"
	"testing/synctest"
	"time"

	"pview/sim/study"
)

// sleepers returns a plan of n runs that sleep for a second each, in steps of a tenth; the output is the index. Run bad
// fails.
func sleepers(n, bad int) *study.Plan {
	return &study.Plan{
		Kind: "test", Inputs: []study.Column{{Name: "x"}}, Outputs: []study.Column{{Name: "y"}},
		Design: study.FixedDesign(n, func(i int) (study.Draw, error) {
			return study.Draw{Inputs: []float64{float64(10 * i)}}, nil
		}),
		Solve: func(ctx context.Context, r *study.Row, hold func()) ([]float64, error) {
			for range 10 {
				time.Sleep(100 * time.Millisecond)
				hold()
				if ctx.Err() != nil {
					return nil, ctx.Err()
				}
			}
			if r.Index == bad {
				return nil, errors.New("deadlock")
			}
			return []float64{float64(r.Index)}, nil
		},
	}
}

// TestP17Kills: with one worker, run 0 is killed after 0.55 s and run 1 begins at once, to end at 1.55 s. Restarted,
// run 0 comes last, with the same inputs.
func TestP17Kills(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		begin := time.Now()
		at := map[string]time.Duration{}
		r := study.NewRunner(sleepers(3, 2), study.RunOptions{Workers: 1, OnRow: func(row study.Row) {
			at[fmt.Sprint(row.Index, " ", row.Status)] = time.Since(begin)
		}})
		time.AfterFunc(550*time.Millisecond, func() { r.Kill(0) })
		time.AfterFunc(2*time.Second, func() { r.Restart(0) })
		table, err := r.Run(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		for what, want := range map[string]time.Duration{"0 killed": 550 * time.Millisecond,
			"1 done":   1550 * time.Millisecond,
			"2 failed": 2550 * time.Millisecond, "0 done": 3550 * time.Millisecond} {
			if at[what] != want {
				t.Errorf("%s at %v, not at %v", what, at[what], want)
			}
		}
		if s := table.Summarise("y"); s.N != 2 || s.Of != 3 || s.Mean != 0.5 {
			t.Errorf("%+v", s) // mean over the others
		}
		if bad := table.Rows[2]; bad.Reason != "deadlock" || bad.Inputs[0] != 20 {
			t.Errorf("%+v", bad)
		}
	})
}

// TestP17Suspends: runs that are suspended for 5 s end 5 s later, and no other takes their workers.
func TestP17Suspends(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		begin := time.Now()
		at := map[int]time.Duration{}
		r := study.NewRunner(sleepers(4, -1),
			study.RunOptions{Workers: 2, OnRow: func(row study.Row) { at[row.Index] = time.Since(begin) }})
		time.AfterFunc(250*time.Millisecond, r.Pause)
		time.AfterFunc(5300*time.Millisecond, r.Continue)
		if _, err := r.Run(context.Background()); err != nil {
			t.Fatal(err)
		}
		for run, want := range []time.Duration{6 * time.Second, 6 * time.Second, 7 * time.Second, 7 * time.Second} {
			if at[run] != want {
				t.Errorf("run %d at %v, not at %v", run, at[run], want)
			}
		}
	})
}

// TestP17SuspendsOne: a run that is suspended for 5 s ends 5 s later, and keeps its worker; the others go on.
func TestP17SuspendsOne(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		begin := time.Now()
		at := map[int]time.Duration{}
		r := study.NewRunner(sleepers(4, -1),
			study.RunOptions{Workers: 2, OnRow: func(row study.Row) { at[row.Index] = time.Since(begin) }})
		time.AfterFunc(250*time.Millisecond, func() {
			r.Hold(0)
			if got := fmt.Sprint(r.Live()); got != "[{0 true} {1 false}]" {
				t.Error(got)
			}
		})
		time.AfterFunc(5300*time.Millisecond, func() { r.Hold(0) })
		if _, err := r.Run(context.Background()); err != nil {
			t.Fatal(err)
		}
		for run, want := range []time.Duration{6 * time.Second, time.Second, 2 * time.Second, 3 * time.Second} {
			if at[run] != want {
				t.Errorf("run %d at %v, not at %v", run, at[run], want)
			}
		}
	})
}

// TestRunnerWorkers: of two workers one goes after 0.5 s, and its run is the next one of the other: 1 s of run 0, then
// runs 1, 2, 3. Two workers that come at 2.05 s take runs 2 and 3 at once... run 2 is there already.
func TestRunnerWorkers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		begin := time.Now()
		var ends []string
		r := study.NewRunner(sleepers(4, -1), study.RunOptions{Workers: 2, OnRow: func(row study.Row) {
			ends = append(ends, fmt.Sprint(row.Index, " ", time.Since(begin)))
		}})
		time.AfterFunc(550*time.Millisecond, func() { r.SetWorkers(1) })
		time.AfterFunc(2050*time.Millisecond, func() { r.SetWorkers(2) })
		if _, err := r.Run(context.Background()); err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprint(ends); got != "[0 1s 1 2s 2 3s 3 3.05s]" {
			t.Error(got)
		}
	})
}

// TestRunnerPauses: the study stands still from 0.55 to 5.55 s. A deadline of 1.5 s then ends the run that was held.
func TestRunnerPauses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		begin := time.Now()
		r := study.NewRunner(sleepers(2, -1), study.RunOptions{Workers: 1})
		time.AfterFunc(550*time.Millisecond, r.Pause)
		time.AfterFunc(time.Second, func() {
			if p := r.Progress(); !p.Paused || p.Running != 1 || p.Pending != 1 || p.Done != 0 {
				t.Errorf("%+v", p)
			}
		})
		time.AfterFunc(5550*time.Millisecond, r.Continue)
		table, err := r.Run(context.Background())
		if took := time.Since(begin); err != nil || len(table.Rows) != 2 || took < 6900*time.Millisecond ||
			took > 7*time.Second {
			t.Error(took, err)
		}
		r = study.NewRunner(sleepers(2, -1), study.RunOptions{Workers: 1, Deadline: 500 * time.Millisecond})
		table, err = r.Run(context.Background())
		if err != nil || table.Rows[1].Reason != "took longer than the limit of 500ms" {
			t.Errorf("%+v, %v", table.Rows, err)
		}
	})
}

// TestRunnerInterrupted: what has ended is in the table.
func TestRunnerInterrupted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(context.Background(), 3500*time.Millisecond)
		defer cancel()
		table, err := study.NewRunner(sleepers(10, -1), study.RunOptions{Workers: 2}).Run(ctx)
		if !errors.Is(err, context.DeadlineExceeded) || len(table.Rows) != 6 {
			t.Error(len(table.Rows), err)
		}
	})
}

// inPairs is a design of pairs of runs that fails the test where it is asked for more before all have ended.
type inPairs struct {
	study.Design
	t *testing.T
}

func (d inPairs) Next(done []study.Row) (int, error) {
	for _, r := range done {
		if r.Status < study.Done {
			d.t.Errorf("run %d of %d has not ended", r.Index, len(done))
		}
	}
	return 2, nil
}

// full keeps the first row and has no space for others.
type full struct{ rows int }

func (*full) Rows() []study.Row { return nil }

func (k *full) Append(study.Row) error {
	if k.rows++; k.rows > 1 {
		return errors.New("no space")
	}
	return nil
}

// TestRunnerEnds: a study draws no runs after it has ended, by its rule after three runs, by an error in
// keeping the second, or by its user while the fourth runs.
func TestRunnerEnds(t *testing.T) {
	for _, c := range []struct {
		name string
		rule *study.StopRule
		keep study.Keeper
		rows int
		err  string
	}{
		{"rule", &study.StopRule{Tolerance: 0.5, Least: 3}, nil, 3, "<nil>"},
		{"keeper", nil, &full{}, 1, "no space"},
		{"user", nil, nil, 3, "context deadline exceeded"},
	} {
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(context.Background(), 3500*time.Millisecond)
			defer cancel()
			p := sleepers(1, -1)
			p.Design, p.Stop = inPairs{p.Design, t}, c.rule
			r := study.NewRunner(p, study.RunOptions{Workers: 1, Keep: c.keep})
			table, err := r.Run(ctx)
			if len(table.Rows) != c.rows || table.Rows[0].Index != 0 || fmt.Sprint(err) != c.err {
				t.Errorf("%s: %+v, %v", c.name, table.Rows, err)
			}
		})
	}
}

// TestRunnerShards: shards make disjoint runs.
func TestRunnerShards(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		all := 0
		for part := range 3 {
			table, err := study.NewRunner(sleepers(10, -1),
				study.RunOptions{Part: part, Of: 3}).Run(context.Background())
			if err != nil {
				t.Fatal(err)
			}
			for _, r := range table.Rows {
				if r.Index%3 != part {
					t.Errorf("run %d in part %d", r.Index, part)
				}
				all++
			}
		}
		if all != 10 {
			t.Errorf("%d runs", all)
		}
	})
}

// lasting returns a plan of runs that last for some time each, heed no interruption, and return their index.
func lasting(spans ...time.Duration) *study.Plan {
	p := sleepers(len(spans), -1)
	p.Solve = func(_ context.Context, r *study.Row, _ func()) ([]float64, error) {
		time.Sleep(spans[r.Index])
		return []float64{float64(r.Index)}, nil
	}
	return p
}

// indices returns the numbers of the runs of a table.
func indices(t *study.Table) (list []int) {
	for i := range t.Rows {
		list = append(list, t.Rows[i].Index)
	}
	return list
}

// TestRunnerStops: of four runs on two workers, run 0 takes as long as the others. The rule sees it first, and then
// runs 1 and 2, with which the study ends; run 3 has ended, too, but is not in the table. A shard knows no rule.
func TestRunnerStops(t *testing.T) {
	for of, want := range []string{"[0 1 2]", "[0 1 2 3]"} {
		synctest.Test(t, func(t *testing.T) {
			p := lasting(4*time.Second, time.Second, time.Second, time.Second, time.Hour, time.Second)
			if of == 1 {
				p = lasting(time.Second, time.Second, time.Second, time.Second)
			}
			p.Stop = &study.StopRule{Tolerance: 1e9, Least: 3}
			r := study.NewRunner(p, study.RunOptions{Workers: 2, Of: of})
			table, err := r.Run(t.Context())
			if got := fmt.Sprint(indices(table)); got != want || err != nil {
				t.Errorf("of %d: %s, not %s (%v)", of, got, want, err)
			}
			if of == 1 {
				return
			}
			// Nothing changes a study that has ended.
			r.Kill(4)
			r.Restart(4)
			if got := fmt.Sprint(indices(r.Snapshot())); got != want || r.Progress().Killed != 0 {
				t.Errorf("afterwards: %s, %+v", got, r.Progress())
			}
		})
	}
}

// TestRunnerFailsToGrow: an error of the design ends the study.
func TestRunnerFailsToGrow(t *testing.T) {
	bad := errors.New("no further batch")
	p := sleepers(1, -1)
	p.Design = growing{p.Design, bad}
	if table, err := study.NewRunner(p, study.RunOptions{}).Run(t.Context()); !errors.Is(err, bad) ||
		len(table.Rows) != 0 {
		t.Errorf("%+v, %v", table.Rows, err)
	}
}

// growing is a design of one run after the other, without end or until an error.
type growing struct {
	study.Design
	err error
}

func (g growing) Next([]study.Row) (int, error) { return 1, g.err }

// store keeps rows in memory.
type store struct{ old, added []study.Row }

func (s *store) Rows() []study.Row { return s.old }

func (s *store) Append(r study.Row) error {
	s.added = append(s.added, r)
	return nil
}

// TestRunnerKeeps: rows that are kept are not computed again, unless their seed is of another study.
func TestRunnerKeeps(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		first, err := study.NewRunner(sleepers(3, -1), study.RunOptions{}).Run(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		kept, foreign := first.Rows[0], first.Rows[1]
		kept.Outputs, foreign.Outputs = []float64{70}, []float64{80}
		foreign.Seed++
		keep := &store{old: []study.Row{kept, foreign}}
		var told []int
		table, err := study.NewRunner(sleepers(3, -1), study.RunOptions{Workers: 1, Keep: keep,
			OnRow: func(r study.Row) { told = append(told, r.Index) }}).Run(t.Context())
		outputs := fmt.Sprint(table.Rows[0].Outputs, table.Rows[1].Outputs, table.Rows[2].Outputs)
		if err != nil || outputs != "[70] [1] [2]" || fmt.Sprint(told) != "[0 1 2]" {
			t.Errorf("%s, %v, %v", outputs, told, err)
		}
		if len(keep.added) != 2 || keep.added[0].Index != 1 || keep.added[1].Index != 2 {
			t.Errorf("%+v", keep.added)
		}
	})
}

// TestRunnerProgress: runs 1 of 1 s fails, run 4 is killed at 2.5 s. Each run needed two redraws. Ended runs took 1 s.
func TestRunnerProgress(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := sleepers(6, 1)
		p.Design = study.FixedDesign(6, func(int) (study.Draw, error) {
			return study.Draw{Inputs: []float64{0}, Redraws: 2}, nil
		})
		r := study.NewRunner(p, study.RunOptions{Workers: 2})
		if got := r.Progress(); got != (study.Progress{}) {
			t.Errorf("before: %+v", got)
		}
		check := func(at time.Duration, want study.Progress) {
			time.AfterFunc(at, func() {
				want.Total, want.Elapsed = 6, at
				if got := r.Progress(); got != want {
					t.Errorf("%+v, not %+v", got, want)
				}
			})
		}
		check(500*time.Millisecond, study.Progress{Running: 2, Pending: 4})
		// Four runs of 1 s on two workers.
		check(1500*time.Millisecond, study.Progress{Done: 1, Failed: 1, Running: 2, Pending: 2, Redraws: 4,
			Remaining: 2 * time.Second})
		time.AfterFunc(2500*time.Millisecond, func() { r.Kill(4) })
		check(2550*time.Millisecond, study.Progress{Done: 3, Failed: 1, Killed: 1, Running: 1, Redraws: 10,
			Remaining: 500 * time.Millisecond})
		time.AfterFunc(2600*time.Millisecond, func() { r.SetWorkers(1) })
		check(2700*time.Millisecond, study.Progress{Done: 3, Failed: 1, Killed: 1, Running: 1, Redraws: 10,
			Remaining: time.Second})
		if _, err := r.Run(t.Context()); err != nil {
			t.Fatal(err)
		}
	})
}

// TestRunnerRevises: only failed and killed runs are restarted, only those that have not ended are killed, and runs
// outside the study are neither. Run 2 of four on one worker is killed while it waits, and run 0, which fails at 1 s,
// follows the others.
func TestRunnerRevises(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		begin := time.Now()
		var ends []string
		r := study.NewRunner(sleepers(4, 0), study.RunOptions{Workers: 1, OnRow: func(row study.Row) {
			ends = append(ends, fmt.Sprint(row.Index, " ", row.Status, " ", time.Since(begin)))
		}})
		time.AfterFunc(1500*time.Millisecond, func() {
			for _, run := range []int{-1, 1, 3, 4} { // 1 runs and 3 waits
				r.Restart(run)
			}
			for _, run := range []int{-1, 0, 2, 2, 4} {
				r.Kill(run)
			}
			r.Restart(0)
		})
		time.AfterFunc(2500*time.Millisecond, func() {
			r.Kill(1)
			r.Restart(1)
		})
		if _, err := r.Run(t.Context()); err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprint(ends); got != "[0 failed 1s 2 killed 1.5s 1 done 2s 3 done 3s 0 failed 4s]" {
			t.Error(got)
		}
	})
}

// TestRunnerPausesLast: the last run waits while the study is paused, from 0.5 to 2 s; the other ends meanwhile.
func TestRunnerPausesLast(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		begin := time.Now()
		r := study.NewRunner(lasting(time.Second, time.Second), study.RunOptions{Workers: 1})
		time.AfterFunc(500*time.Millisecond, r.Pause)
		time.AfterFunc(2*time.Second, r.Continue)
		table, err := r.Run(t.Context())
		if err != nil || len(table.Rows) != 2 || time.Since(begin) != 3*time.Second {
			t.Errorf("%+v, %v after %v", table.Rows, err, time.Since(begin))
		}
	})
}

// TestRunnerLate: a run that ends well after its deadline, or after an interruption at 0.5 s, counts. The study is
// interrupted unless that was its last run.
func TestRunnerLate(t *testing.T) {
	const second = time.Second
	last, more := lasting(second), lasting(second)
	more.Design = growing{more.Design, nil}
	for name, c := range map[string]struct {
		plan *study.Plan
		err  string
	}{"last": {last, "<nil>"}, "first": {lasting(second, second), "context canceled"},
		"growing": {more, "context canceled"}} {
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			time.AfterFunc(500*time.Millisecond, cancel)
			table, err := study.NewRunner(c.plan,
				study.RunOptions{Workers: 1, Deadline: time.Millisecond}).Run(ctx)
			if len(table.Rows) != 1 || table.Rows[0].Status != study.Done || fmt.Sprint(err) != c.err {
				t.Errorf("%s: %+v, %v", name, table.Rows, err)
			}
		})
	}
}

// TestRunnerDefault: one worker per core.
func TestRunnerDefault(t *testing.T) {
	cores := runtime.GOMAXPROCS(0)
	synctest.Test(t, func(t *testing.T) {
		r := study.NewRunner(sleepers(3*cores, -1), study.RunOptions{})
		check := func(at time.Duration, running int) {
			time.AfterFunc(at, func() {
				if got := r.Progress().Running; got != running {
					t.Errorf("%d runs at %v", got, at)
				}
			})
		}
		check(500*time.Millisecond, cores)
		time.AfterFunc(1100*time.Millisecond, func() { r.SetWorkers(cores + 1) })
		check(1500*time.Millisecond, cores+1)
		time.AfterFunc(1600*time.Millisecond, func() { r.SetWorkers(0) })
		check(1700*time.Millisecond, cores)
		if _, err := r.Run(t.Context()); err != nil {
			t.Fatal(err)
		}
	})
	if got := runtime.GOMAXPROCS(0); got != cores {
		t.Errorf("%d cores", got)
	}
}
