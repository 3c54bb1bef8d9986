package studycmd

// The runs in a store, even of an unfinished study, and single runs as traces.

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"pview/cli/command"
	"pview/insight/studies"
	"pview/prv"
	"pview/prv/quantity"
	"pview/sim"
	"pview/sim/study"
	"pview/sim/study/store"
)

// show summarises the runs of a store.
type show struct {
	*studyFlags
	limits []string
}

func (q *show) flags(f *pflag.FlagSet) { limitFlag(f, &q.limits) }

func (q *show) answer(_ context.Context, args []string) (*studies.Answer, error) {
	dir := args[0]
	info, t, err := store.Read(dir)
	if err != nil {
		return nil, err
	}
	p := &study.Plan{Kind: info.Kind, Title: info.Title, Key: info.Key, Seed: info.Seed, Inputs: info.Inputs,
		Outputs: info.Outputs}
	limits, err := parseLimits(p, q.limits)
	if err != nil {
		return nil, err
	}
	if len(t.Rows) == 0 {
		return nil, fmt.Errorf("%s: no run has ended yet: %w", dir, command.ErrNothing)
	}
	for _, line := range t.Reasons() {
		q.Say("%s", line)
	}
	if err := q.plot.write(p, t); err != nil {
		return nil, err
	}
	a := studies.Random(fmt.Sprintf("%s of %s: %s, seed %d", p.Kind, p.Title,
		quantity.CountOf(int64(len(t.Rows)), "run"), p.Seed), t, limits)
	a.Plan, a.Runs = p, t
	return a, nil
}

// saveFlags name the runs to write as traces.
type saveFlags struct{ list []string }

func (s *saveFlags) flags(f *pflag.FlagSet) {
	f.StringArrayVar(&s.list, "save-run", nil,
		"simulate a run again and write its trace, `RUN=FILE` (.prv, .prv.gz); RUN is its number, or worst or best: "+
			"the greatest or the least first output; may be repeated")
}

// split reads RUN=FILE.
func (s *saveFlags) split(text string) (run, file string, err error) {
	run, file, ok := strings.Cut(text, "=")
	n, isNumber := strconv.Atoi(run)
	if !ok || isNumber != nil && run != "worst" && run != "best" || n < 0 || !strings.HasSuffix(file, ".prv") &&
		!strings.HasSuffix(file, ".prv.gz") {
		return "", "", command.Usagef(
			"--save-run %q must be RUN=FILE: a number, worst or best, and a name that ends in .prv or .prv.gz", text)
	}
	return run, file, nil
}

func (s *saveFlags) check() (err error) {
	for _, text := range s.list {
		_, _, wrong := s.split(text)
		err = errors.Join(err, wrong)
	}
	return err
}

// saveRuns writes the traces of runs.
func (s *studyFlags) saveRuns(ctx context.Context, p *study.Plan, t *study.Table) error {
	for _, text := range s.save.list {
		run, file, err := s.save.split(text)
		if err != nil {
			return err
		}
		if p.Case == nil {
			return command.Usagef("--save-run: only simulations can be written as traces")
		}
		row, err := rowOf(t, run)
		if err != nil {
			return fmt.Errorf("--save-run %s: %w", text, err)
		}
		c := p.Case(row)
		if err := command.CheckTraceName(file, c.Name); err != nil {
			return err
		}
		r, err := c.Run(ctx, sim.Options{Trace: true, Memory: s.MemoryBytes})
		if err != nil {
			return fmt.Errorf("--save-run %s: %w", text, err)
		}
		if measured := s.measured[c.Program]; measured != nil {
			sim.NamePrediction(r.Trace, measured, c.Rules)
		}
		if err := prv.Save(ctx, file, r.Trace); err != nil {
			return err
		}
		s.Say("%s: run %d, %s", file, row.Index, quantity.Time.Format(float64(r.Total)))
	}
	return nil
}

// rowOf finds a run by its number, or as the best or the worst by the first output.
func rowOf(t *study.Table, run string) (*study.Row, error) {
	n, err := strconv.Atoi(run)
	if err != nil {
		s := t.Summarise(t.Outputs[0].Name)
		if n = s.Worst; run == "best" {
			n = s.Best
		}
	}
	for i := range t.Rows {
		if t.Rows[i].Index == n {
			return &t.Rows[i], nil
		}
	}
	return nil, errors.New("there is no such run")
}
