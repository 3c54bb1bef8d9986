package command

import (
	"context"

	"github.com/spf13/pflag"

	"pview/insight/criticalpath"
	"pview/prv"
)

// CriticalFlags are the flags shared by pview critical and pview sim --critical-path.
type CriticalFlags struct {
	blocks []uint
	Top    int
}

// Flags adds the flags.
func (c *CriticalFlags) Flags(f *pflag.FlagSet) {
	f.UintSliceVar(&c.blocks, "blocks", nil,
		"event `TYPES` whose values are blocks of the program, instead of user functions or entry methods")
	f.IntVar(&c.Top, "top", 20, "rows in the tables of blocks and threads of the critical path: the first `N`; 0: all")
}

// Options returns the options of the search for the path.
func (c *CriticalFlags) Options(timing criticalpath.Timing) (criticalpath.Options, error) {
	types, err := EventTypes(c.blocks, nil)
	return criticalpath.Options{Timing: timing, Blocks: types}, err
}

// CriticalPath finds the path and shows progress.
func (a *App) CriticalPath(ctx context.Context, t *prv.Trace, opt criticalpath.Options,
	path string) (*criticalpath.Path, error) {
	bar := NewProgress(a.Err, "critical path of "+path)
	bar.Plain = true
	defer bar.Close()
	opt.Progress = bar.Report
	return criticalpath.Find(ctx, t, opt)
}
