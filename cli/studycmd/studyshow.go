package studycmd

// What a store of runs says, whether its study has ended or not; and single runs as traces.

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"pview/cli/command"
	"pview/prv"
	"pview/render/document"
	"pview/sim"
	"pview/sim/study"
	"pview/sim/study/store"
)

// showStudy prints the runs of a store.
func showStudy(a *command.App) *cobra.Command {
	q := &showQuestion{studyFlags: studyFlags{App: a}}
	cmd := &cobra.Command{
		Use:   "show DIR",
		Short: "Summarise the runs in a store, also of a study that is under way or was interrupted",
		Long: "show reads the runs that have ended from the folder of --store, and prints mean, deviation, percentiles and the worst run of each output, and the influence of the inputs. It writes " +
			"nothing there: the study may go on, here or on Slurm. With --format csv or tsv it prints a line for each run.",
		Example: "pview study show runs/\n" +
			"pview study show runs/ --limit total=12s --plot runs.svg\n" +
			"pview study show runs/ --format csv",
		Args: command.Needs("DIR"),
		RunE: func(_ *cobra.Command, args []string) error { return q.run(args[0]) },
	}
	f := cmd.Flags()
	f.SortFlags = false
	f.StringArrayVar(&q.limits, "limit", nil,
		"probability that an output exceeds a value, `OUTPUT=VALUE`; may be repeated")
	q.plot.flags(f)
	return cmd
}

// showQuestion is the command's flags.
type showQuestion struct {
	studyFlags
	limits []string
}

func (q *showQuestion) run(dir string) error {
	if err := q.plot.Check(); err != nil {
		return err
	}
	info, t, err := store.Read(dir)
	if err != nil {
		return err
	}
	p := &study.Plan{Kind: info.Kind, Title: info.Title, Key: info.Key, Seed: info.Seed, Inputs: info.Inputs,
		Outputs: info.Outputs}
	limits, err := parseLimits(p, q.limits)
	if err != nil {
		return err
	}
	if len(t.Rows) == 0 {
		return fmt.Errorf("%s: no run has ended yet: %w", dir, command.ErrNothing)
	}
	for _, line := range t.Reasons() {
		q.Say("%s", line)
	}
	if err := q.plot.write(p, t); err != nil {
		return err
	}
	text := fmt.Sprintf("%s of %s: %s, seed %d\n\n", p.Kind, prv.Clean(p.Title),
		command.Plural(int64(len(t.Rows)), "run"),
		p.Seed)
	answer := ranked(text, t, command.Passage{Text: limitText(t, limits)})
	if err := q.writePage(p, t, answer); err != nil {
		return err
	}
	switch q.Format.Value {
	case "json":
		return command.WriteJSON(q.Out, append(studyObject(p, t,
			command.Field{Key: "ranking", Value: rankingObjects(t)}),
			limitObjects(t, limits)...))
	case "table":
		return q.PrintAnswer(append(answer, command.Passage{Table: summaryTable(t)})...)
	}
	return document.WriteTable(q.Out, runTable(t), q.Format.Value)
}

// saveFlags name the runs to be written as traces.
type saveFlags struct{ list []string }

func (s *saveFlags) flags(f *pflag.FlagSet) {
	f.StringArrayVar(&s.list, "save-run", nil,
		"simulate a run again and write its trace, `RUN=FILE` (.prv, .prv.gz); RUN is its number, or worst or best: the greatest or the least first output; may be repeated")
}

// split takes RUN=FILE apart.
func (s *saveFlags) split(text string) (run, file string, err error) {
	run, file, ok := strings.Cut(text, "=")
	n, isNumber := strconv.Atoi(run)
	if !ok || isNumber != nil && run != "worst" && run != "best" || n < 0 || !strings.HasSuffix(file, ".prv") &&
		!strings.HasSuffix(file, ".prv.gz") {
		return "", "",
			command.Usagef("--save-run %q must be RUN=FILE: a number, worst or best, and a name that ends in .prv or .prv.gz",
				text)
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
		s.Say("%s: run %d, %s", file, row.Index, command.Nanoseconds(float64(r.Total)))
	}
	return nil
}

// rowOf finds a run by its number, or by what it is of the first output.
func rowOf(t *study.Table, run string) (*study.Row, error) {
	n, err := strconv.Atoi(run)
	if err != nil {
		s := t.Summarise(t.Outputs[0].Name, 0)
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
