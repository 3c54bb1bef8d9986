package command

import (
	"context"

	"github.com/spf13/pflag"

	"pview/prv"
	"pview/prv/extrae/execution"
	"pview/prv/format"
	"pview/sim"
	"pview/sim/dimemas"
	"pview/sim/puppet"
)

// TranslationFlags are the options of prv2dim.
type TranslationFlags struct{ Opt dimemas.TranslateOptions }

func (t *TranslationFlags) Flags(f *pflag.FlagSet) {
	f.BoolVarP(&t.Opt.NoIdle, "no-initial-idle", "n", false, ".prv only: no idle block at the start of each task")
	f.BoolVar(&t.Opt.NoInitBarrier, "no-init-barrier", false, ".prv only: no barrier in MPI_Init")
	f.Uint32VarP(&t.Opt.CounterType, "burst-counter", "b", 0,
		".prv only: duration of computation is the counter of this event type times --burst-factor")
	f.Float64VarP(&t.Opt.CounterFactor, "burst-factor", "f", 0, "seconds of computation per unit of --burst-counter")
	f.Float64VarP(&t.Opt.ProbeRate, "iprobe-rate", "i", 0,
		".prv only: drop computation between calls of MPI_Iprobe that fail at this rate (1/ms)")
	f.Float64VarP(&t.Opt.TestRate, "test-rate", "t", 0,
		".prv only: drop computation between calls of MPI_Test that fail at this rate (1/ms)")
}

func (t *TranslationFlags) Check() error {
	if (t.Opt.CounterType != 0) != (t.Opt.CounterFactor != 0) {
		return Usagef("--burst-counter and --burst-factor go together")
	}
	return nil
}

// LaterOf returns the longer of two measured durations; nil if one is unknown.
func LaterOf(a, b any) any {
	x, ok1 := a.(int64)
	y, ok2 := b.(int64)
	if !ok1 || !ok2 {
		return nil
	}
	return max(x, y)
}

// Source is a program and where it comes from.
type Source struct {
	Path     string
	Program  *sim.Program
	Trace    *prv.Trace // the measured trace; nil for a .dim
	Baseline any        // the time of the run, ns; nil for a .dim
	Remarks  []string   // reservations about the prediction
}

// OpenProgram reads a .dim, or a Paraver trace and makes a program from it.
func (a *App) OpenProgram(ctx context.Context, path string, opt dimemas.TranslateOptions) (*Source, error) {
	kind := format.Of(path)
	if kind.Name == format.Puppet {
		return a.openLog(path)
	}
	if kind.IsProgram() {
		bar := NewProgress(a.Err, "reading "+path)
		p, err := dimemas.OpenProgram(ctx, path, a.MemoryBytes, bar.Report)
		bar.Close()
		return &Source{Path: path, Program: p}, err
	}
	t, err := a.Open(ctx, path)
	if err != nil {
		return nil, err
	}
	opt.Memory = a.MemoryBytes
	tr, err := dimemas.FromTrace(ctx, t, opt)
	if err != nil {
		return nil, err
	}
	src := &Source{Path: path, Program: tr.Program, Trace: t, Baseline: execution.Time(t)}
	a.Remark(src, tr.Remarks()...)
	return src, nil
}

// openLog reads a log of MPI calls.
func (a *App) openLog(path string) (*Source, error) {
	l, err := puppet.OpenLog(path)
	if err != nil {
		return nil, err
	}
	src := &Source{Path: path, Program: l.Program}
	a.Remark(src, l.Remarks()...)
	return src, nil
}

// Remark prints reservations about a prediction, and keeps them for the answer.
func (a *App) Remark(src *Source, lines ...string) {
	for _, line := range lines {
		a.Say("%s: %s", src.Path, line)
	}
	src.Remarks = append(src.Remarks, lines...)
}
