package cli

import (
	"context"
	"fmt"
	"io"
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"pview/insight/criticalpath"
	"pview/prv"
	"pview/sim/study"
)

// critical prints the critical path of a run.
func (a *app) critical() *cobra.Command {
	q := &criticalQuestion{app: a, timing: newChoice("detect", "measured", "simulated")}
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
		Args:              needs("TRACE"),
		ValidArgsFunction: completeTraces,
		RunE:              func(cmd *cobra.Command, args []string) error { return q.run(cmd.Context(), args[0]) },
	}
	f := cmd.Flags()
	f.SortFlags = false
	f.StringVarP(&q.out, "output", "o", "", "write the trace with events that mark the path to `FILE` (.prv, .prv.gz)")
	f.BoolVar(&q.segments, "segments", false, "print the path itself, segment by segment")
	q.show.flags(f)
	f.Var(&q.timing, "times",
		"times of messages: those of calls (measured), of the transfers (simulated), or detect which")
	if err := cmd.RegisterFlagCompletionFunc("times", q.timing.complete); err != nil {
		panic(err) // the flag was defined above
	}
	return cmd
}

// criticalQuestion is the command's flags.
type criticalQuestion struct {
	*app
	out      string
	segments bool
	timing   choice
	show     criticalFlags
}

// criticalFlags are the flags shared with pview sim --critical-path.
type criticalFlags struct {
	blocks []uint
	top    int
}

func (c *criticalFlags) flags(f *pflag.FlagSet) {
	f.UintSliceVar(&c.blocks, "blocks", nil,
		"event `TYPES` whose values are blocks of the program, instead of user functions")
	f.IntVar(&c.top, "top", 20, "rows in the tables of blocks and threads of the critical path: the first `N`; 0: all")
}

func (c *criticalFlags) options(timing criticalpath.Timing) (criticalpath.Options, error) {
	types, err := eventTypes(c.blocks, study.DefaultBlocks)
	return criticalpath.Options{Timing: timing, Blocks: types}, err
}

func (q *criticalQuestion) run(ctx context.Context, path string) error {
	timing := map[string]criticalpath.Timing{"measured": criticalpath.Measured,
		"simulated": criticalpath.Simulated}[q.timing.value]
	opt, err := q.show.options(timing)
	if err != nil {
		return err
	}
	if err := checkTraceName(q.out, path); err != nil {
		return err
	}
	t, err := q.open(ctx, path)
	if err != nil {
		return err
	}
	p, err := q.criticalPath(ctx, t, opt, path)
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
func (a *app) criticalPath(ctx context.Context, t *prv.Trace, opt criticalpath.Options,
	path string) (*criticalpath.Path, error) {
	bar := newProgress(a.Err, "critical path of "+path)
	bar.plain = true
	defer bar.close()
	opt.Progress = bar.report
	return criticalpath.Find(ctx, t, opt)
}

func (q *criticalQuestion) print(t *prv.Trace, p *criticalpath.Path) error {
	if q.segments {
		return segmentTable(t, p).write(q.Out, q.format.value)
	}
	s := p.Summary(t.Labels)
	switch q.format.value {
	case "json":
		return writeJSON(q.Out, append(object{{"path", t.Path}}, criticalObject(t, p, s)...))
	case "table":
		bold := lipgloss.NewStyle().Bold(true)
		text := bold.Render(prv.Clean(t.Path)) + "\n\n" + criticalText(t, p, s, q.show.top, func(s string) string {
			return bold.Render(s)
		})
		_, err := io.WriteString(q.styled(q.Out), text)
		return err
	}
	return shareTable(t, s).write(q.Out, q.format.value)
}

// segmentTable is the path itself. A segment without a thread is on the network.
func segmentTable(t *prv.Trace, p *criticalpath.Path) *table {
	ns := t.Unit.Nanoseconds()
	asTime := func(v any) string { return nanoseconds(float64(v.(int64))) }
	out := &table{columns: []column{{key: "begin_ns", title: "From (ns)"}, {key: "end_ns", title: "To (ns)"},
		{key: "time_ns", title: "Time", show: asTime},
		{key: "thread", title: "Thread"}, {key: "kind", title: "Kind"}}}
	for i := range p.Segments {
		g := &p.Segments[i]
		out.add(g.Begin*ns, g.End*ns, (g.End-g.Begin)*ns, segmentThread(t, g), criticalpath.Kinds[g.Kind].Key)
	}
	return out
}

// segmentThread names the thread of a segment as a .prv does.
func segmentThread(t *prv.Trace, g *criticalpath.Segment) any {
	if g.Kind.OnNetwork() {
		return nil
	}
	return objectID(t, prv.LevelThread, int(g.Thread))
}

// criticalParts are the three breakdowns of the path's time.
func criticalParts(s *criticalpath.Summary) []struct {
	name string
	list []criticalpath.Share
} {
	var kinds []criticalpath.Share
	for k, v := range s.Kinds {
		if v > 0 {
			kinds = append(kinds, criticalpath.Share{Name: criticalpath.Kinds[k].Key, Time: v})
		}
	}
	return []struct {
		name string
		list []criticalpath.Share
	}{{"kind", kinds}, {"thread", s.Threads}, {"block", s.Blocks}}
}

// shareTable has a line for each part of the path's time.
func shareTable(t *prv.Trace, s *criticalpath.Summary) *table {
	out := &table{columns: []column{{key: "part"}, {key: "name"}, {key: "time_ns"}, {key: "share"}}}
	for _, k := range criticalpath.Kinds {
		out.columns = append(out.columns, column{key: k.Key + "_ns"})
	}
	ns := t.Unit.Nanoseconds()
	for _, part := range criticalParts(s) {
		for _, sh := range part.list {
			row := []any{part.name, sh.Name, sh.Time * ns, ratio(sh.Time, s.Total)}
			for _, v := range sh.Kinds {
				if part.name == "kind" {
					row = append(row, nil)
				} else {
					row = append(row, v*ns)
				}
			}
			out.rows = append(out.rows, row)
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
func criticalObject(t *prv.Trace, p *criticalpath.Path, s *criticalpath.Summary) object {
	ns := t.Unit.Nanoseconds()
	times := func(kinds *[criticalpath.NumKinds]int64) object {
		o := object{}
		for k, v := range kinds {
			if v > 0 {
				o = append(o, field{criticalpath.Kinds[k].Key, v * ns})
			}
		}
		return o
	}
	shares := func(list []criticalpath.Share) []object {
		all := []object{}
		for i := range list {
			all = append(all, object{{"name", list[i].Name}, {"time_ns", list[i].Time * ns},
				{"stretches", list[i].Visits}, {"kinds", times(&list[i].Kinds)}})
		}
		return all
	}
	return object{{"total_ns", s.Total * ns}, {"simulated", p.Simulated}, {"jumps", p.Jumps},
		{"kinds", times(&s.Kinds)}, {"threads", shares(s.Threads)}, {"blocks", shares(s.Blocks)},
		{"findings", conclusions(s.Findings(), ns)}}
}

// criticalText is the answer for a person.
func criticalText(t *prv.Trace, p *criticalpath.Path, s *criticalpath.Summary, top int,
	heading func(string) string) string {
	var b strings.Builder
	from := "measured"
	if p.Simulated {
		from = "predicted"
	}
	fmt.Fprintf(&b, "Critical path of %s, %s: %s, %s of thread\n\n", duration(s.Total, t.Unit), from,
		plural(int64(len(p.Segments)), "segment"), plural(int64(p.Jumps), "change"))
	show := []column{{show: func(v any) string { return duration(v.(int64), t.Unit) }, title: "Time"},
		{title: "Share", show: func(v any) string { return percent(v.(float64), 1) }}}
	kinds := &table{columns: append([]column{{title: "On the path"}}, append(show, column{})...)}
	for k, v := range s.Kinds {
		if v > 0 {
			kinds.add(criticalpath.Kinds[k].Name, v, ratio(v, s.Total), criticalpath.Kinds[k].Doc)
		}
	}
	b.WriteString(kinds.text("  ", heading) + "\n")
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
		out := &table{columns: append([]column{{title: part.title}},
			append(show, column{title: "Computing", show: show[1].show}, column{title: "Stretches"})...)}
		list := part.list
		if top > 0 && len(list) > top {
			list = list[:top]
		}
		for i := range list {
			sh := &list[i]
			out.add(sh.Name, sh.Time, ratio(sh.Time, s.Total), ratio(sh.Kinds[criticalpath.Computation], s.Total),
				int64(sh.Visits))
		}
		b.WriteString(out.text("  ", heading))
		if n := len(part.list) - len(list); n > 0 {
			fmt.Fprintf(&b, "  and %s more (--top 0 shows all)\n", count(int64(n)))
		}
		if part.title != "Thread" {
			b.WriteString("\n")
		}
	}
	return b.String()
}
