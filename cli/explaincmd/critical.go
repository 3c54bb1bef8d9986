package explaincmd

import (
	"context"
	"fmt"
	"io"
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"pview/cli/command"
	"pview/insight/criticalpath"
	"pview/prv"
	"pview/sim/study"
)

// critical prints the critical path of a run.
func Critical(a *command.App) *cobra.Command {
	q := &criticalQuestion{App: a, timing: command.NewChoice("detect", "measured", "simulated")}
	cmd := &cobra.Command{
		Use:   "critical TRACE",
		Short: "Print the critical path: what determined the run time",
		Long: "critical walks back from the thread that ends last: through its computation, from each wait to the thread it waited for, through the messages " +
			"and collective operations between. Only this path determined the run time: anything off the path could have taken a little " +
			"longer. The time of the path is broken down by kind, by thread, and by block of the program (the innermost user function or MPI call). " +
			"TRACE may be measured or predicted; in a measured one the times of messages are those of calls, so the transfer of a message includes the rest of both calls.\n\n" +
			"With -o the trace is written with events of type 90: 1 where the path enters a thread, 0 where it leaves. Blocks of the program are the " +
			"values of the event types of user functions, or of those in --blocks.",
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
	show     CriticalFlags
}

// criticalFlags are the flags shared with pview sim --critical-path.
type CriticalFlags struct {
	blocks []uint
	Top    int
}

func (c *CriticalFlags) Flags(f *pflag.FlagSet) {
	f.UintSliceVar(&c.blocks, "blocks", nil,
		"event `TYPES` whose values are blocks of the program, instead of user functions")
	f.IntVar(&c.Top, "top", 20, "rows in the tables of blocks and threads of the critical path: the first `N`; 0: all")
}

func (c *CriticalFlags) Options(timing criticalpath.Timing) (criticalpath.Options, error) {
	types, err := command.EventTypes(c.blocks, study.DefaultBlocks)
	return criticalpath.Options{Timing: timing, Blocks: types}, err
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
	t, err := q.Open(ctx, path)
	if err != nil {
		return err
	}
	p, err := CriticalPath(q.App, ctx, t, opt, path)
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

// criticalPath finds the path, and shows the progress.
func CriticalPath(a *command.App, ctx context.Context, t *prv.Trace, opt criticalpath.Options,
	path string) (*criticalpath.Path, error) {
	bar := command.NewProgress(a.Err, "critical path of "+path)
	bar.Plain = true
	defer bar.Close()
	opt.Progress = bar.Report
	return criticalpath.Find(ctx, t, opt)
}

func (q *criticalQuestion) print(t *prv.Trace, p *criticalpath.Path) error {
	if q.segments {
		return segmentTable(t, p).Write(q.Out, q.Format.Value)
	}
	s := p.Summary(t.Labels)
	switch q.Format.Value {
	case "json":
		return command.WriteJSON(q.Out, append(command.Object{{Key: "path", Value: t.Path}},
			CriticalObject(t, p, s)...))
	case "table":
		bold := lipgloss.NewStyle().Bold(true)
		text := bold.Render(prv.Clean(t.Path)) + "\n\n" + CriticalText(t, p, s, q.show.Top, func(s string) string {
			return bold.Render(s)
		})
		_, err := io.WriteString(q.Styled(q.Out), text)
		return err
	}
	return shareTable(t, s).Write(q.Out, q.Format.Value)
}

// segmentTable is the path itself. A segment without a thread is on the network.
func segmentTable(t *prv.Trace, p *criticalpath.Path) *command.Table {
	ns := t.Unit.Nanoseconds()
	asTime := func(v any) string { return command.Nanoseconds(float64(v.(int64))) }
	out := &command.Table{Columns: []command.Column{{Key: "begin_ns", Title: "From (ns)"},
		{Key: "end_ns", Title: "To (ns)"},
		{Key: "time_ns", Title: "Time", Show: asTime},
		{Key: "thread", Title: "Thread"}, {Key: "kind", Title: "Kind"}}}
	for i := range p.Segments {
		g := &p.Segments[i]
		out.Add(g.Begin*ns, g.End*ns, (g.End-g.Begin)*ns, segmentThread(t, g), criticalpath.Kinds[g.Kind].Key)
	}
	return out
}

// segmentThread names the thread of a segment as a .prv does.
func segmentThread(t *prv.Trace, g *criticalpath.Segment) any {
	if g.Kind.OnNetwork() {
		return nil
	}
	return command.ObjectID(t, prv.LevelThread, int(g.Thread))
}

// criticalParts are the three breakdowns of the path's time.
func CriticalParts(s *criticalpath.Summary) []struct {
	Name string
	List []criticalpath.Share
} {
	var kinds []criticalpath.Share
	for k, v := range s.Kinds {
		if v > 0 {
			kinds = append(kinds, criticalpath.Share{Name: criticalpath.Kinds[k].Key, Time: v})
		}
	}
	return []struct {
		Name string
		List []criticalpath.Share
	}{{"kind", kinds}, {"thread", s.Threads}, {"block", s.Blocks}}
}

// shareTable has a line for each part of the path's time.
func shareTable(t *prv.Trace, s *criticalpath.Summary) *command.Table {
	out := &command.Table{Columns: []command.Column{{Key: "part"}, {Key: "name"}, {Key: "time_ns"}, {Key: "share"}}}
	for _, k := range criticalpath.Kinds {
		out.Columns = append(out.Columns, command.Column{Key: k.Key + "_ns"})
	}
	ns := t.Unit.Nanoseconds()
	for _, part := range CriticalParts(s) {
		for _, sh := range part.List {
			row := []any{part.Name, sh.Name, sh.Time * ns, ratio(sh.Time, s.Total)}
			for _, v := range sh.Kinds {
				if part.Name == "kind" {
					row = append(row, nil)
				} else {
					row = append(row, v*ns)
				}
			}
			out.Rows = append(out.Rows, row)
		}
	}
	return out
}

func ratio(part, whole int64) float64 {
	if whole == 0 {
		return 0
	}
	return float64(part) / float64(whole)
}

// criticalObject is the answer for programs.
func CriticalObject(t *prv.Trace, p *criticalpath.Path, s *criticalpath.Summary) command.Object {
	ns := t.Unit.Nanoseconds()
	times := func(kinds *[criticalpath.NumKinds]int64) command.Object {
		o := command.Object{}
		for k, v := range kinds {
			if v > 0 {
				o = append(o, command.Field{Key: criticalpath.Kinds[k].Key, Value: v * ns})
			}
		}
		return o
	}
	shares := func(list []criticalpath.Share) []command.Object {
		all := []command.Object{}
		for i := range list {
			all = append(all, command.Object{{Key: "name", Value: list[i].Name},
				{Key: "time_ns", Value: list[i].Time * ns},
				{Key: "stretches", Value: list[i].Visits}, {Key: "kinds", Value: times(&list[i].Kinds)}})
		}
		return all
	}
	return command.Object{{Key: "total_ns", Value: s.Total * ns}, {Key: "simulated", Value: p.Simulated},
		{Key: "jumps", Value: p.Jumps},
		{Key: "kinds", Value: times(&s.Kinds)}, {Key: "threads", Value: shares(s.Threads)},
		{Key: "blocks", Value: shares(s.Blocks)},
		{Key: "findings", Value: conclusions(s.Findings(), ns)}}
}

// criticalText is the answer for a person.
func CriticalText(t *prv.Trace, p *criticalpath.Path, s *criticalpath.Summary, top int,
	heading func(string) string) string {
	var b strings.Builder
	from := "measured"
	if p.Simulated {
		from = "predicted"
	}
	fmt.Fprintf(&b, "Critical path of %s, %s: %s, %s of thread\n\n", command.Duration(s.Total, t.Unit), from,
		command.Plural(int64(len(p.Segments)), "segment"), command.Plural(int64(p.Jumps), "change"))
	show := []command.Column{{Show: func(v any) string { return command.Duration(v.(int64), t.Unit) }, Title: "Time"},
		{Title: "Share", Show: func(v any) string { return command.Percent(v.(float64), 1) }}}
	kinds := &command.Table{Columns: append([]command.Column{{Title: "On the path"}},
		append(show, command.Column{})...)}
	for k, v := range s.Kinds {
		if v > 0 {
			kinds.Add(criticalpath.Kinds[k].Name, v, ratio(v, s.Total), criticalpath.Kinds[k].Doc)
		}
	}
	b.WriteString(kinds.Text("  ", heading) + "\n")
	if list := s.Findings(); len(list) > 0 {
		b.WriteString(heading("  At most to gain") + "\n")
		for _, line := range strings.Split(strings.TrimRight(concluded(list), "\n"), "\n") {
			b.WriteString("  " + line + "\n")
		}
		b.WriteString("\n")
	}
	for _, part := range []struct {
		title string
		list  []criticalpath.Share
	}{{"Block of the program", s.Blocks}, {"Thread", s.Threads}} {
		out := &command.Table{Columns: append([]command.Column{{Title: part.title}},
			append(show, command.Column{Title: "Computing", Show: show[1].Show},
				command.Column{Title: "Stretches"})...)}
		list := part.list
		if top > 0 && len(list) > top {
			list = list[:top]
		}
		for i := range list {
			sh := &list[i]
			out.Add(sh.Name, sh.Time, ratio(sh.Time, s.Total), ratio(sh.Kinds[criticalpath.Computation], s.Total),
				int64(sh.Visits))
		}
		b.WriteString(out.Text("  ", heading))
		if n := len(part.list) - len(list); n > 0 {
			fmt.Fprintf(&b, "  and %s more (--top 0 shows all)\n", command.Count(int64(n)))
		}
		if part.title != "Thread" {
			b.WriteString("\n")
		}
	}
	return b.String()
}
