package cli

import (
	"context"

	"github.com/spf13/pflag"

	"pview/prv"
	"pview/prv/format"
	"pview/sim"
	"pview/sim/dimemas"
	"pview/sim/puppet"
)

// translationFlags are the options of prv2dim.
type translationFlags struct{ opt dimemas.TranslateOptions }

func (t *translationFlags) flags(f *pflag.FlagSet) {
	f.BoolVarP(&t.opt.NoIdle, "no-initial-idle", "n", false, ".prv only: no idle block at the start of each task")
	f.BoolVar(&t.opt.NoInitBarrier, "no-init-barrier", false, ".prv only: no barrier in MPI_Init")
	f.Uint32VarP(&t.opt.CounterType, "burst-counter", "b", 0,
		".prv only: duration of computation is the counter of this event type times --burst-factor")
	f.Float64VarP(&t.opt.CounterFactor, "burst-factor", "f", 0, "seconds of computation per unit of --burst-counter")
	f.Float64VarP(&t.opt.ProbeRate, "iprobe-rate", "i", 0,
		".prv only: drop computation between calls of MPI_Iprobe that fail at this rate (1/ms)")
	f.Float64VarP(&t.opt.TestRate, "test-rate", "t", 0,
		".prv only: drop computation between calls of MPI_Test that fail at this rate (1/ms)")
}

func (t *translationFlags) check() error {
	if (t.opt.CounterType != 0) != (t.opt.CounterFactor != 0) {
		return usagef("--burst-counter and --burst-factor go together")
	}
	return nil
}

// laterOf is the longer of two measured durations; nil if one is not known.
func laterOf(a, b any) any {
	x, ok1 := a.(int64)
	y, ok2 := b.(int64)
	if !ok1 || !ok2 {
		return nil
	}
	return max(x, y)
}

// source is a program and where it comes from.
type source struct {
	path     string
	program  *sim.Program
	trace    *prv.Trace // the measured trace; nil for a .dim
	baseline any        // its duration, ns; nil for a .dim
	remarks  []string   // with which the prediction should be read
}

// openProgram reads a .dim, or a Paraver trace and makes a program from it.
func (a *app) openProgram(ctx context.Context, path string, opt dimemas.TranslateOptions) (*source, error) {
	kind := format.Of(path)
	if kind.Name == format.Puppet {
		return a.openLog(path)
	}
	if kind.IsProgram() {
		bar := newProgress(a.Err, "reading "+path)
		p, err := dimemas.OpenProgram(ctx, path, a.memoryBytes, bar.report)
		bar.close()
		return &source{path: path, program: p}, err
	}
	t, err := a.open(ctx, path)
	if err != nil {
		return nil, err
	}
	opt.Memory = a.memoryBytes
	tr, err := dimemas.FromTrace(ctx, t, opt)
	if err != nil {
		return nil, err
	}
	src := &source{path: path, program: tr.Program, trace: t, baseline: t.Duration * t.Unit.Nanoseconds()}
	a.remark(src, tr.Remarks()...)
	return src, nil
}

// openLog reads a log of MPI calls.
func (a *app) openLog(path string) (*source, error) {
	l, err := puppet.OpenLog(path)
	if err != nil {
		return nil, err
	}
	src := &source{path: path, program: l.Program}
	a.remark(src, l.Remarks()...)
	return src, nil
}

// remark says what a prediction should be read with, and keeps it for the answer.
func (a *app) remark(src *source, lines ...string) {
	for _, line := range lines {
		a.say("%s: %s", src.path, line)
	}
	src.remarks = append(src.remarks, lines...)
}
