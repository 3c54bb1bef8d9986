package studycmd

// How a study is carried out: its store, interruption and resumption, shards, and what is said about runs that failed.
// All kinds share it.

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/adrg/xdg"
	"github.com/spf13/pflag"

	"pview/cli/command"
	"pview/sim/study"
	"pview/sim/study/store"
)

// storeFlags are the flags of a study's store.
type storeFlags struct {
	dir      string
	resume   bool
	shard    string
	deadline time.Duration
	brief    bool // nothing is lost by an interruption: runs are kept only where --store says so
}

func (s *storeFlags) flags(f *pflag.FlagSet) {
	f.StringVar(&s.dir, "store", "",
		"keep the runs in this folder, as Arrow files; without it an interrupted study is kept in the user's state folder")
	f.BoolVar(&s.resume, "resume", false, "go on with an interrupted study: keep its runs, and make the missing ones")
	f.DurationVar(&s.deadline, "deadline", 0, "a run that takes longer has failed")
	f.StringVar(&s.shard, "shard", "",
		"make only every N-th run, from run K: `K/N`, with K from 0; for job arrays, with --store")
	f.MarkHidden("shard")
}

// briefFlags are those of a study that simulates nothing.
func (s *storeFlags) briefFlags(f *pflag.FlagSet) {
	s.brief = true
	f.StringVar(&s.dir, "store", "", "keep what was measured, and what follows, in this folder, as Arrow files")
	f.BoolVar(&s.resume, "resume", false, "the folder may have it already")
}

// part reads K/N.
func (s *storeFlags) part() (part, of int, err error) {
	if s.shard == "" {
		return 0, 0, nil
	}
	k, n, ok := strings.Cut(s.shard, "/")
	part, err1 := strconv.Atoi(k)
	of, err2 := strconv.Atoi(n)
	if !ok || errors.Join(err1, err2) != nil || part < 0 || part >= of || s.dir == "" {
		return 0, 0, command.Usagef("--shard must be K/N with 0 <= K < N, and needs --store")
	}
	return part, of, nil
}

// carrying carries a study out.
type carrying struct {
	*studyFlags
	opt  study.RunOptions
	bar  *command.Progress
	keep *store.Store
	own  bool // the store is in the user's state folder
}

// spare is a store that nobody has asked for: a study goes on without it.
type spare struct {
	*store.Store
	say    func(format string, args ...any)
	broken bool
}

// Append implements study.Keeper.
func (s *spare) Append(r study.Row) error {
	if s.broken {
		return nil
	}
	if err := s.Store.Append(r); err != nil {
		s.broken = true
		s.say("an interruption would lose runs: %v", err)
	}
	return nil
}

// carry carries out a plan, in its store. An error says what became of the runs that have ended.
func (s *studyFlags) carry(ctx context.Context, p *study.Plan, what string) (*study.Table, error) {
	c := &carrying{studyFlags: s, opt: study.RunOptions{Workers: s.workers, Deadline: s.store.deadline}}
	var err error
	if c.opt.Part, c.opt.Of, err = s.store.part(); err != nil {
		return nil, err
	}
	if err := c.open(p); err != nil {
		return nil, err
	}
	c.bar = command.NewProgress(s.Err, what)
	defer c.bar.Close()
	if s.slurm.on.Value == onSlurm {
		if t, err := c.elsewhere(ctx, p); err != nil {
			return t, c.end(t, p, err)
		}
	}
	done := int64(0)
	c.opt.OnRow = func(study.Row) {
		done++
		c.bar.Rows(done, int64(p.Size()))
	}
	switch {
	case c.own && c.keep != nil:
		c.opt.Keep = &spare{Store: c.keep, say: c.Say}
	case c.keep != nil:
		c.opt.Keep = c.keep
	}
	t, err := study.NewRunner(p, c.opt).Run(ctx)
	c.bar.Close()
	if err := c.end(t, p, err); err != nil {
		return t, err
	}
	if err := s.plot.write(p, t); err != nil {
		return t, err
	}
	return t, s.saveRuns(ctx, p, t)
}

// open opens the store.
func (c *carrying) open(p *study.Plan) (err error) {
	dir := c.store.dir
	if dir == "" && c.store.brief {
		return nil
	}
	if dir == "" {
		c.own = true
		dir = filepath.Join(xdg.StateHome, "pview", "studies", p.Key)
		if !c.store.resume {
			if err := store.Remove(dir); err != nil {
				c.Say("an interrupted study could not be resumed: %v", err)
				return nil
			}
		} else if _, _, err := store.Read(dir); errors.Is(err, store.ErrNone) {
			return errors.New(
				"there is no interrupted study of this definition to resume: a resumed study needs the same trace, machine, options and seed")
		}
	}
	c.keep, err = store.Open(dir, p, c.store.resume || c.opt.Of > 0)
	if err != nil && c.own && !c.store.resume {
		c.Say("an interrupted study could not be resumed: %v", err)
		c.keep, err = nil, nil
	}
	return err
}

// end closes the store, and turns what happened into an error.
func (c *carrying) end(t *study.Table, p *study.Plan, err error) error {
	if c.keep == nil {
		return err
	}
	switch {
	case err != nil:
		if closed := c.keep.Close(); closed != nil && !strings.Contains(err.Error(), closed.Error()) {
			c.Say("%v", closed)
		}
		most := ""
		if !p.Splits() {
			most = "at most "
		}
		c.Say("%s of %s%s kept in %s; the same command with --resume makes the rest",
			command.Plural(int64(len(t.Rows)), "run"),
			most, command.Count(int64(p.Size())), c.keep.Dir)
		return err
	case c.opt.Of > 0:
		return errors.Join(c.keep.Close(), command.ErrElsewhere)
	case c.own:
		c.keep.Close() // it is removed
		return store.Remove(c.keep.Dir)
	}
	return c.keep.Finish(t)
}

// failures reports the runs that failed, once per reason, and returns an error if all did.
func (s *studyFlags) failures(t *study.Table) error {
	for _, line := range t.Reasons() {
		s.Say("%s", line)
	}
	if len(t.Rows) > 0 && len(t.Done()) == 0 {
		return fmt.Errorf("none of the %s succeeded", command.Plural(int64(len(t.Rows)), "run"))
	}
	return nil
}

// made carries out a plan and reports failures.
func (s *studyFlags) made(ctx context.Context, p *study.Plan, what string) (*study.Table, error) {
	t, err := s.carry(ctx, p, what)
	if err != nil {
		return nil, err
	}
	return t, s.failures(t)
}

// runTable has a line for each run, inputs then outputs.
func runTable(t *study.Table) *command.Table {
	out := &command.Table{Columns: []command.Column{{Key: "index", Title: "Run"}, {Key: "seed", Title: "Seed"}}}
	for _, list := range [][]study.Column{t.Inputs, t.Outputs} {
		for i := range list {
			out.Columns = append(out.Columns, command.Column{Key: columnKey(&list[i]),
				Title: command.UpperFirst(list[i].Name)})
		}
	}
	out.Columns = append(out.Columns, command.Column{Key: "redraws"}, command.Column{Key: "status"},
		command.Column{Key: "reason"})
	for i := range t.Rows {
		r := &t.Rows[i]
		row := []any{int64(r.Index), int64(r.Seed)}
		row = append(append(row, cells(t.Inputs, r.Inputs)...), cells(t.Outputs, r.Outputs)...)
		out.Add(append(row, int64(r.Redraws), r.Status.String(), r.Reason)...)
	}
	return out
}

// columnKey is the key of a column for programs: times are in ns, bandwidths in MB/s of 2^20 bytes, sizes in bytes.
func columnKey(c *study.Column) string {
	if c.Unit == "ns" {
		return c.Name + "_ns"
	}
	return c.Name
}

// cells are values as a program reads them; nil where there are none.
func cells(columns []study.Column, values []float64) (list []any) {
	for i := range columns {
		switch {
		case i >= len(values) || !command.IsFinite(values[i]):
			list = append(list, nil)
		case columns[i].Levels != nil:
			list = append(list, columns[i].Text(values[i]))
		case values[i] == float64(int64(values[i])):
			list = append(list, int64(values[i]))
		default:
			list = append(list, values[i])
		}
	}
	return list
}

// runObjects are the runs for JSON: index, seed, inputs and outputs by name, status, reason.
func runObjects(t *study.Table) (list []command.Object) {
	named := func(columns []study.Column, values []float64) command.Object {
		o := command.Object{}
		for i, cell := range cells(columns, values) {
			o = append(o, command.Field{Key: columnKey(&columns[i]), Value: cell})
		}
		return o
	}
	for i := range t.Rows {
		r := &t.Rows[i]
		list = append(list, command.Object{{Key: "index", Value: int64(r.Index)}, {Key: "seed", Value: int64(r.Seed)},
			{Key: "inputs", Value: named(t.Inputs, r.Inputs)}, {Key: "outputs", Value: named(t.Outputs, r.Outputs)},
			{Key: "redraws", Value: int64(r.Redraws)}, {Key: "status", Value: r.Status.String()},
			{Key: "reason", Value: r.Reason}, {Key: "host", Value: r.Host},
			{Key: "wall_ns", Value: int64(r.Wall)}})
	}
	return list
}

// studyObject is what every kind of study says to programs, and what it concludes.
func studyObject(p *study.Plan, t *study.Table, conclusions ...command.Field) command.Object {
	return append(command.Object{{Key: "kind", Value: p.Kind}, {Key: "seed", Value: p.Seed},
		{Key: "runs", Value: runObjects(t)}, {Key: "summary", Value: summaryObjects(t)}},
		conclusions...)
}

// show writes a value of a column for people.
func show(c *study.Column, v float64) string {
	switch {
	case c.Levels != nil:
		return c.Text(v)
	case !command.IsFinite(v):
		return ""
	}
	switch c.Unit {
	case "ns":
		return command.Nanoseconds(v)
	case "MB/s":
		return strconv.FormatFloat(v, 'g', 5, 64) + " MB/s"
	case "B":
		return command.Volume(v)
	}
	return strconv.FormatFloat(v, 'g', 5, 64)
}

// summaryTable has a line for each output.
func summaryTable(t *study.Table) *command.Table {
	out := &command.Table{Columns: []command.Column{{Title: "Output"}, {Title: "Runs", Right: true},
		{Title: "Mean", Right: true},
		{Title: "+- 95 %", Right: true}, {Title: "SD", Right: true}, {Title: "Least", Right: true},
		{Title: "5 %", Right: true}, {Title: "Median", Right: true}, {Title: "95 %", Right: true},
		{Title: "Most", Right: true}, {Title: "in run", Right: true}}}
	for i := range t.Outputs {
		s := t.Summarise(t.Outputs[i].Name, 0)
		if s.N == 0 {
			out.Add(s.Name, fmt.Sprintf("0 of %d", s.Of), "", "", "", "", "", "", "", "", "")
			continue
		}
		runs := command.Count(int64(s.N))
		if s.N < s.Of {
			runs += " of " + command.Count(int64(s.Of))
		}
		say := func(v float64) string { return show(&s.Column, v) }
		out.Add(s.Name, runs, say(s.Mean), say(s.Half), say(s.SD), say(s.Min), say(s.Percentiles[1]),
			say(s.Percentiles[3]), say(s.Percentiles[5]), say(s.Max), command.Count(int64(s.Worst)))
	}
	return out
}

// summaryObjects are the figures of each output for JSON.
func summaryObjects(t *study.Table) command.Object {
	o := command.Object{}
	for i := range t.Outputs {
		s := t.Summarise(t.Outputs[i].Name, 0)
		figures := command.Object{{Key: "n", Value: int64(s.N)}, {Key: "of", Value: int64(s.Of)}}
		if s.N > 0 {
			percentiles := command.Object{}
			for k, p := range study.Percents {
				percentiles = append(percentiles, command.Field{Key: fmt.Sprint(p), Value: s.Percentiles[k]})
			}
			figures = append(figures, command.Object{{Key: "mean", Value: s.Mean},
				{Key: "half_width", Value: command.FiniteOrNone(s.Half)}, {Key: "sd", Value: s.SD},
				{Key: "min", Value: s.Min}, {Key: "max", Value: s.Max},
				{Key: "worst", Value: int64(s.Worst)}, {Key: "best", Value: int64(s.Best)},
				{Key: "percentiles", Value: percentiles}}...)
		}
		o = append(o, command.Field{Key: columnKey(&t.Outputs[i]), Value: figures})
	}
	return o
}
