package cli

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"pview/insight/waits"
)

// diagnose says what is wrong with a run.
func (a *app) diagnose() *cobra.Command {
	q := &diagnosis{app: a}
	cmd := &cobra.Command{
		Use:   "diagnose TRACE",
		Short: "Find who waited for whom, and what made them wait",
		Long: "diagnose finds the wait states of a run: receives before their message was sent, sends before their receive was posted, collective operations before the last had " +
			"arrived, idle OpenMP threads. The waiting is then charged to what caused it, as Scalasca does: the code in which the other thread spent more time than the one that " +
			"waited and, where that thread had waited itself, the cause of that, back to the root. The costs of all causes sum to the waiting time.\n\n" +
			"Costs at once are waits for that thread; costs further down are waits that followed from those. A send waits for its receiver only above the eager limit, which is " +
			"the largest size of which the trace proves that it does not, or --eager. The exit status is 3 when nobody waited.",
		Example: "pview diagnose run.prv\n" +
			"pview diagnose run.prv --eager 65536 --top 5\n" +
			"pview diagnose run.prv --format json",
		Args:              needs("TRACE"),
		ValidArgsFunction: completeTraces,
		RunE:              func(cmd *cobra.Command, args []string) error { return q.run(cmd.Context(), args[0]) },
	}
	f := cmd.Flags()
	f.SortFlags = false
	f.BoolVar(&q.waits, "waits", false, "print wait states and their causes")
	f.StringVar(&q.eager, "eager", "", "`SIZE` up to which sends never wait for their receiver, such as 64K (default: as the trace proves)")
	f.UintSliceVar(&q.regions, "regions", nil, "event `TYPES` whose values are regions of the program, instead of user functions")
	f.BoolVar(&q.noIdle, "no-idle-workers", false, "do not count OpenMP threads between two parallel regions as waiting")
	f.IntVar(&q.top, "top", 20, "rows in the table of causes: the first `N`; 0: all")
	return cmd
}

// diagnosis is the command's flags.
type diagnosis struct {
	*app
	waits   bool
	eager   string
	regions []uint
	noIdle  bool
	top     int
}

// options are those of the search for waits.
func (q *diagnosis) options() (opt waits.Options, err error) {
	opt.NoIdleWorkers = q.noIdle
	if q.eager != "" {
		n, err := sizeOf(q.eager, 0)
		if err != nil {
			return opt, usagef("--eager %s: must be a size such as 4096 or 64K", q.eager)
		}
		size := int64(n)
		opt.Eager = &size
	}
	opt.Regions, err = eventTypes(q.regions, nil)
	return opt, err
}

func (q *diagnosis) run(ctx context.Context, path string) error {
	opt, err := q.options()
	if err != nil {
		return err
	}
	t, err := q.open(ctx, path)
	if err != nil {
		return err
	}
	r, err := q.findWaits(ctx, t, opt)
	if err != nil {
		return err
	}
	w := &waitReport{t: t, r: r, top: q.top}
	if err := w.print(q.Out, q.format.value, q.styled); err != nil {
		return err
	}
	if len(r.Waits) == 0 {
		return fmt.Errorf("%w: nobody waits in %s", errNothing, path)
	}
	return nil
}
