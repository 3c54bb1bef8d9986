package studycmd

// Studies on Slurm: the runs are divided among the elements of a job array, each of which executes this command with
// --shard. They all fill the study's store, from which this process reads them.

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"pview/cli/command"
	"pview/prv/quantity"
	"pview/sim/study"
	"pview/sim/study/slurm"
	"pview/sim/study/store"
)

// slurmFlags say where to execute the runs of a study.
type slurmFlags struct {
	on       command.Choice
	options  string
	elements int
}

// onSlurm is the word for a job array.
const onSlurm = "slurm"

// defaultElements is the size of a job array: large enough that losing an element costs little.
const defaultElements = 32

func (s *slurmFlags) flags(f *pflag.FlagSet) {
	s.on = command.NewChoice("here", onSlurm)
	f.Var(&s.on, "on",
		"where runs are made: here, or slurm: in a job array, for which --jobs is the number of cores of an element "+
			"(default 1)")
	f.StringVar(&s.options, "sbatch", "", "`OPTIONS` of sbatch for the job array, such as '-p short -t 10'")
	f.IntVar(&s.elements, "elements", defaultElements, "elements of the job array, at most one per run")
}

// check reports invalid flags, or what is missing on this host.
func (s *slurmFlags) check() error {
	if s.on.Value != onSlurm {
		return nil
	}
	if _, err := slurm.ParseOptions(s.options); err != nil {
		return command.Usagef("--sbatch: %v", err)
	}
	if s.elements < 1 {
		return command.Usagef("--elements %d: must be > 0", s.elements)
	}
	return slurm.Available()
}

// arrayFolder is the folder of a study's job array, within the store.
const arrayFolder = "slurm"

// elsewhere makes the missing runs of a plan in a job array, and reads the store again. On an error it also returns the
// completed runs.
func (c *carrying) elsewhere(ctx context.Context, p *study.Plan) (*study.Table, error) {
	if c.keep == nil {
		return &study.Table{}, errors.New("--on slurm needs --store DIR, a folder that all hosts see")
	}
	err := c.array(ctx, p)
	_, t, failed := store.Read(c.keep.Dir)
	if failed != nil {
		return &study.Table{}, errors.Join(err, failed)
	}
	if err != nil {
		return t, err
	}
	c.keep, err = store.Open(c.keep.Dir, p, true)
	c.opt.Keep = c.keep
	return t, err
}

// array makes the missing runs of a plan in a job array, and leaves them in the store.
func (c *carrying) array(ctx context.Context, p *study.Plan) error {
	if !p.Splits() {
		return command.Usagef("--on slurm: the runs of this study depend on each other, and cannot be shared out")
	}
	dir, err := filepath.Abs(c.keep.Dir)
	if err != nil {
		return err
	}
	here, err := os.Getwd()
	if err != nil {
		return err
	}
	words, err := c.element(dir)
	if err != nil {
		return err
	}
	dir = filepath.Join(dir, arrayFolder)
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	options, err := slurm.ParseOptions(c.slurm.options)
	if err != nil {
		return err
	}
	a := &slurm.Array{Name: "pview-" + p.Kind, Command: words, Shards: min(c.slurm.elements, p.Size()), Dir: dir,
		Options: append([]string{"--chdir=" + here, fmt.Sprintf("--cpus-per-task=%d", max(c.workers, 1))}, options...)}
	a.Left = func() ([]int, error) { return missing(c.keep.Dir, p.Size(), a.Shards) }
	resubmitted := 0
	a.Progress = func(s slurm.Status) {
		resubmitted = s.Resubmitted
		c.bar.Task("job array: " + s.String())
		c.bar.Rows(int64(p.Size()-s.Left), int64(p.Size()))
	}
	err = a.Run(ctx)
	c.bar.Close()
	if resubmitted > 0 {
		c.Say("%s of the job array lost, and submitted again", quantity.CountOf(int64(resubmitted), "element"))
	}
	if err != nil {
		return err
	}
	return os.RemoveAll(dir)
}

// missing counts the runs that a store lacks, by shard.
func missing(dir string, runs, shards int) ([]int, error) {
	_, t, err := store.Read(dir)
	if err != nil {
		return nil, err
	}
	left := make([]int, shards)
	for i := range runs {
		left[i%shards]++
	}
	for i := range t.Rows {
		if n := t.Rows[i].Index; n < runs {
			left[n%shards]--
		}
	}
	return left, nil
}

// notForElements are the flags that an element gets with other values, or not at all.
var notForElements = []string{"on", "sbatch", "elements", "store", "resume", "jobs", "format", "plot", "html"}

// element returns the command of an element: this process's, with the store.
func (c *carrying) element(store string) ([]string, error) {
	program, err := os.Executable()
	if err != nil {
		return nil, err
	}
	words := append([]string{program}, strings.Fields(c.Command.CommandPath())[1:]...)
	flags := c.Command.Flags()
	for _, arg := range flags.Args() {
		if strings.HasPrefix(arg, "-") {
			arg = "./" + arg
		}
		words = append(words, arg)
	}
	flags.Visit(func(f *pflag.Flag) {
		if slices.Contains(notForElements, f.Name) {
			return
		}
		for _, v := range valuesOf(f) {
			words = append(words, "--"+f.Name+"="+v)
		}
	})
	return append(words, "--store="+store, fmt.Sprintf("--jobs=%d", max(c.workers, 1))), nil
}
