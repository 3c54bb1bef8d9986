package studycmd

// The execution of all kinds of study: store, interruption and resumption, shards, and reports of failed runs.

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
	"pview/prv/quantity"
	"pview/sim/study"
	"pview/sim/study/store"
)

// storeFlags are the flags of a study's store.
type storeFlags struct {
	dir      string
	resume   bool
	shard    string
	deadline time.Duration
	brief    bool // an interruption loses nothing: runs are kept only if --store is set
}

func (s *storeFlags) flags(f *pflag.FlagSet) {
	f.StringVar(&s.dir, "store", "",
		"keep the runs in this folder, as Arrow files; without it an interrupted study is kept in the "+
			"user's state folder")
	f.BoolVar(&s.resume, "resume", false, "continue an interrupted study: keep its runs, and make the missing ones")
	f.DurationVar(&s.deadline, "deadline", 0, "a run that takes longer has failed")
	f.StringVar(&s.shard, "shard", "",
		"make only every N-th run, from run K: `K/N`, with K from 0; for job arrays, with --store")
	f.MarkHidden("shard")
}

// briefFlags are the flags of a study that simulates nothing.
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

// carrying executes a study.
type carrying struct {
	*studyFlags
	opt  study.RunOptions
	bar  *command.Progress
	keep *store.Store
	own  bool // the store is in the user's state folder
}

// spare is a store that was not requested: a study continues without it.
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

// carry executes a plan, in its store, and keeps it with its runs. An error says what happened to the completed runs.
func (s *studyFlags) carry(ctx context.Context, p *study.Plan, what string) (*study.Table, error) {
	if p.Title == "" && s.base != nil { // a plan of several programs has no name
		p.Title = s.base.Name
	}
	t, err := s.runs(ctx, p, what)
	s.done = append(s.done, carried{p, t})
	return t, err
}

func (s *studyFlags) runs(ctx context.Context, p *study.Plan, what string) (*study.Table, error) {
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
			return errors.New("there is no interrupted study of this definition to resume: a resumed study needs " +
				"the same trace, machine, options and seed")
		}
	}
	c.keep, err = store.Open(dir, p, c.store.resume || c.opt.Of > 0)
	if err != nil && c.own && !c.store.resume {
		c.Say("an interrupted study could not be resumed: %v", err)
		c.keep, err = nil, nil
	}
	return err
}

// end closes the store, and returns the outcome as an error.
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
			quantity.CountOf(int64(len(t.Rows)), "run"), most, quantity.FormatCount(int64(p.Size())), c.keep.Dir)
		return err
	case c.opt.Of > 0:
		return errors.Join(c.keep.Close(), command.ErrElsewhere)
	case c.own:
		c.keep.Close() // it is removed afterwards
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
		return fmt.Errorf("none of the %s succeeded", quantity.CountOf(int64(len(t.Rows)), "run"))
	}
	return nil
}
