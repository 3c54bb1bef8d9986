package explaincmd

import (
	"context"

	"github.com/spf13/cobra"

	"pview/cli/command"
	"pview/insight/criticalpath"
	"pview/insight/report"
	"pview/prv"
	"pview/render/document"
)

// Critical prints the critical path of a run.
func Critical(a *command.App) *cobra.Command {
	q := &criticalQuestion{App: a, timing: command.NewChoice("detect", "measured", "simulated")}
	cmd := &cobra.Command{
		Use:   "critical TRACE",
		Short: "Print the critical path: what determined the run time",
		Long: "critical walks back from the thread that ends last: through its computation, from each wait to the " +
			"thread it waited for, through the messages and collective operations between. Only this path " +
			"determined the run time: anything off the path could have taken a little longer. The time of the path " +
			"is broken down by kind, by thread, and by block of the program. TRACE may be measured or predicted; in " +
			"a measured one the waits are those of diagnose --waits, and the time in calls is divided as in the " +
			"account of diagnose.\n\n" +
			"Blocks of a measured trace are the code regions of diagnose --waits: calls, and the user functions " +
			"outside of them, or, in a trace without, the computation between two calls. Those of a predicted one " +
			"are user functions and calls. --blocks names other event types for functions.\n\n" +
			"With -o the trace is written with events of type 90: 1 where the path enters a thread, 0 where it " +
			"leaves.",
		Example: "pview critical run.prv\n" +
			"pview critical run.prv --blocks 1000 --top 5\n" +
			"pview critical run.prv --segments --format tsv\n" +
			"pview critical predicted.prv -o marked.prv",
		Args:              command.Needs("TRACE"),
		ValidArgsFunction: command.CompleteTraces,
		RunE:              func(cmd *cobra.Command, args []string) error { return q.run(cmd.Context(), args[0]) },
	}
	f := cmd.Flags()
	f.SortFlags = false
	f.StringVarP(&q.out, "output", "o", "", "write the trace with events that mark the path to `FILE` (.prv, .prv.gz)")
	f.BoolVar(&q.segments, "segments", false, "print the path itself, segment by segment")
	q.show.Flags(f)
	f.Var(&q.timing, "times",
		"times of messages: those of calls (measured), of the transfers (simulated), or detect which")
	if err := cmd.RegisterFlagCompletionFunc("times", q.timing.Complete); err != nil {
		panic(err) // the flag was defined above
	}
	return cmd
}

// criticalQuestion is the command's flags.
type criticalQuestion struct {
	*command.App
	out      string
	segments bool
	timing   command.Choice
	show     command.CriticalFlags
}

func (q *criticalQuestion) run(ctx context.Context, path string) error {
	timing := map[string]criticalpath.Timing{"measured": criticalpath.Measured,
		"simulated": criticalpath.Simulated}[q.timing.Value]
	opt, err := q.show.Options(timing)
	if err != nil {
		return err
	}
	if err := command.CheckTraceName(q.out, path); err != nil {
		return err
	}
	t, err := q.OpenNamed(ctx, path)
	if err != nil {
		return err
	}
	p, err := q.CriticalPath(ctx, t, opt, path)
	if err != nil {
		return err
	}
	if q.out != "" {
		if err := prv.Save(ctx, q.out, p.Mark(t)); err != nil {
			return err
		}
	}
	return q.print(t, p)
}

func (q *criticalQuestion) print(t *prv.Trace, p *criticalpath.Path) error {
	if q.segments {
		return document.WriteTable(q.Out, p.SegmentTable(t), q.Format.Value)
	}
	s := p.Summary(t.Labels)
	d := s.Document(t.Unit, q.show.Top)
	d.Title = t.Path
	d.Object = func() any { return append(report.NewObject("path", t.Path), s.Object(t.Unit)...) }
	return q.PrintDocument(d)
}
