package study_test

import (
	"context"
	"errors"
	"fmt"
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
			if len(table.Rows) != c.rows || fmt.Sprint(err) != c.err {
				t.Errorf("%s: %d rows, %v", c.name, len(table.Rows), err)
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
