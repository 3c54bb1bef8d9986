package tracecmd

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"pview/cli/command"
	"pview/filter"
	"pview/prv"
	"pview/semantic"
	"pview/semantic/cfg"
	"pview/semantic/stat"
)

// Decimals of numbers in the answers of Paraver's command-line tool, when it made the reference figures.
const (
	timelineDecimals  = 9
	histogramDecimals = 10
)

// Stat evaluates .cfg files, or a window or histogram defined by flags.
func Stat(a *command.App) *cobra.Command {
	q := &question{precision: -1}
	cmd := &cobra.Command{
		Use:   "stat TRACE [CFG...]",
		Short: "Print timelines and histograms of a trace as numbers",
		Long: "stat evaluates the windows of Paraver configuration files (.cfg) on a trace. For each it prints the " +
			"same as Paraver's " +
			"command-line tool: the last histogram or, without one, the last window; with --all everything. " +
			"Without a file it evaluates one window defined by flags (default the state of the threads).\n\n" +
			"A timeline is a line per burst of every object: begin, duration, value. A histogram is a line per cell: " +
			"plane (\"-\" without a third window), row, column, value; totals of the columns follow the rows of " +
			"objects. " +
			"Times are in the window's unit. With --analyze or --sum it is a line per object, with a column per " +
			"figure.\n\n" +
			"A function is written with its parameters in braces: \"In State {1, 3}\", \"In Evt Range {1} {5}\". " +
			"A user function is an expression after \"=\": \"= state == 1 && value > 0\". " +
			"pview list prints all functions and statistics, and pview list variables the names in expressions.",
		Example: "pview stat run.prv useful.cfg --format tsv\n" +
			"pview stat run.prv --thread \"Last Evt Val\" --event-type 50000001 --compose-thread \"Stacked Val\"\n" +
			"pview stat run.prv --level task --stat \"% Time\" --from 10% --to 12.5s\n" +
			"pview stat run.prv --thread \"= send ? size / (precv - lsend) : 0\" --level workload --workload \"= " +
			"max(values)\"\n" +
			"pview stat run.prv --view ipc --analyze \"Average\"\n" +
			"pview stat run.prv --thread Useful --analyze \"Average Burst, Number of Bursts\" --bursts 100:1e9",
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return fmt.Errorf("stat needs TRACE")
			}
			return nil
		},
		ValidArgsFunction: completeStat,
		RunE: func(cmd *cobra.Command, args []string) error {
			return answer(a, cmd.Context(), q, args[0], args[1:])
		},
	}
	q.flags(cmd)
	return cmd
}

// completeStat offers a trace first and then configurations.
func completeStat(cmd *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
	if len(args) == 0 {
		return command.CompleteTraces(cmd, args, typed)
	}
	return []string{"cfg"}, cobra.ShellCompDirectiveFilterFileExt
}

// answer evaluates the query and prints the result.
func answer(a *command.App, ctx context.Context, q *question, path string, cfgs []string) error {
	files := make([]*cfg.File, len(cfgs))
	if err := q.check(len(cfgs)); err != nil {
		return err
	}
	for i, name := range cfgs {
		var err error
		if files[i], err = a.OpenCfg(name); err != nil {
			return err
		}
	}
	t, err := a.Open(ctx, path)
	if err != nil {
		return err
	}
	s := &session{App: a, question: q, trace: t}
	if s.begin, s.end, s.limited, err = q.limits(t); err != nil {
		return err
	}
	var answers []printable
	for _, f := range files {
		found, err := s.file(f)
		if err != nil {
			return err
		}
		answers = append(answers, found...)
	}
	if len(files) == 0 {
		found, err := s.flags(ctx)
		if err != nil {
			return err
		}
		answers = append(answers, found)
	}
	return s.print(ctx, answers)
}

// session is one run of the command.
type session struct {
	*command.App
	question   *question
	trace      *prv.Trace
	begin, end int64 // --from and --to
	limited    bool  // they are set
}

// printable is a timeline, a histogram or an analysis.
type printable interface {
	title() string
	kind() string
	listing(precision int) *command.Listing
	Text(w io.Writer, precision int) error
}

// file evaluates a configuration.
func (s *session) file(f *cfg.File) (answers []printable, err error) {
	bound, notes, err := f.Bind(s.trace, s.question.anyTypes)
	s.Tell(notes)
	if err != nil {
		return nil, err
	}
	last := len(bound.Windows) - 1
	for i := range bound.Windows {
		if w := &bound.Windows[i]; s.question.all || i == last && len(bound.Histograms) == 0 {
			answer, err := s.timeline(&w.Window.Window, w.Begin, w.End)
			if err != nil {
				return nil, f.Fault(w.Window, err)
			}
			answers = append(answers, answer)
		}
	}
	for i := range bound.Histograms {
		h := &bound.Histograms[i]
		if i < len(bound.Histograms)-1 && !s.question.all {
			continue
		}
		var answer printable
		if err := h.Refused(); err != nil {
			// Like Paraver's tool.
			s.Say("%s: %v; printing its last window instead", f.Name, err)
			w := &bound.Windows[last]
			answer, err = s.timeline(&w.Window.Window, w.Begin, w.End)
			if err != nil {
				return nil, f.Fault(w.Window, err)
			}
		} else {
			answer = s.histogram(*h)
		}
		answers = append(answers, answer)
	}
	return answers, nil
}

// flags evaluates the query of the flags.
func (s *session) flags(ctx context.Context) (printable, error) {
	w, err := s.question.window(ctx, s.trace)
	if err != nil {
		return nil, err
	}
	if s.question.analyze != "" || s.question.sum != "" {
		n, err := s.question.analysis(s.trace, w)
		if err == nil && s.limited {
			n.Range = stat.Range{Begin: float64(s.begin), End: float64(s.end)}
		}
		return n, err
	}
	if s.question.statistic == "" {
		return s.timeline(w, 0, s.trace.Duration)
	}
	h, err := s.question.histogram(s.trace, w)
	if err != nil {
		return nil, err
	}
	return s.histogram(h), nil
}

// timeline prepares a window.
func (s *session) timeline(w *semantic.Window, begin, end int64) (printable, error) {
	if s.limited {
		begin, end = s.begin, s.end
	}
	e, err := semantic.Compile(s.trace, w)
	if err != nil {
		return nil, err
	}
	return &timeline{window: w, trace: s.trace, evaluator: e, begin: begin, end: end}, nil
}

// histogram prepares a histogram.
func (s *session) histogram(h stat.Histogram) printable {
	if s.limited {
		h.Range = stat.Range{Begin: float64(s.begin), End: float64(s.end)}
	}
	return &histogram{Histogram: h, trace: s.trace, memory: s.MemoryBytes / command.HistogramShare}
}

// computed is a printable computed as a whole before it is printed.
type computed interface {
	compute(ctx context.Context, progress func(done, total int)) error
}

// print computes and prints answers one by one.
func (s *session) print(ctx context.Context, answers []printable) error {
	several := s.question.all || len(answers) > 1
	if several && s.Format.Value == "json" {
		io.WriteString(s.Out, "[")
	}
	for i, answer := range answers {
		if c, ok := answer.(computed); ok {
			bar := command.NewProgress(s.Err, "counting")
			err := c.compute(ctx, func(done, total int) { bar.Rows(int64(done), int64(total)) })
			bar.Close()
			if err != nil {
				return err
			}
		}
		if h, ok := answer.(*histogram); ok && h.table.Dropped && s.Format.Value != "table" {
			s.Say("histogram %q: %s", h.Name, h.lost())
		}
		if err := s.printOne(ctx, answer, several, i == 0); err != nil {
			return err
		}
	}
	if s.Format.Value == "json" {
		end := "\n"
		if several {
			end = "\n]\n"
		}
		_, err := io.WriteString(s.Out, end)
		return err
	}
	return nil
}

func (s *session) printOne(ctx context.Context, answer printable, several, first bool) error {
	if t, ok := answer.(*timeline); ok {
		t.ctx = ctx
	}
	precision := s.question.precision
	switch {
	case s.Format.Value == "table":
		if !first {
			io.WriteString(s.Out, "\n")
		}
		return answer.Text(s.Out, precision)
	case s.Format.Value == "json":
		if !several {
			return answer.listing(precision).Write(s.Out, "json")
		}
		open := ",\n"
		if first {
			open = "\n"
		}
		name, err := json.Marshal(answer.title())
		if err != nil {
			return err
		}
		fmt.Fprintf(s.Out, `%s{"name": %s, "kind": %q, "rows": `, open, name, answer.kind())
		if err := answer.listing(precision).Write(s.Out, "json"); err != nil {
			return err
		}
		_, err = io.WriteString(s.Out, "}")
		return err
	case several:
		fmt.Fprintf(s.Out, "# %s\n", prv.Clean(answer.title()))
	}
	if precision < 0 {
		precision = timelineDecimals
		if answer.kind() == "histogram" {
			precision = histogramDecimals
		}
	}
	return answer.listing(precision).Write(s.Out, s.Format.Value)
}

// histogram makes the histogram of the flags.
func (q *question) histogram(t *prv.Trace, w *semantic.Window) (h stat.Histogram, err error) {
	s, ok := stat.Lookup(q.statistic)
	if !ok {
		return h, command.Usagef("--stat: there is no statistic %q; pview list statistics shows them", q.statistic)
	}
	h = stat.Histogram{Name: w.Name, Control: w, Statistic: s.Name, HideEmpty: q.hideEmpty, Vertical: q.vertical}
	h.Columns = stat.Scale{Auto: true, Codes: w.Meaning() != semantic.PlainNumbers, Zero: true}
	if q.columns != "" {
		if h.Columns, err = scaleOf(q.columns, w.Unit); err != nil {
			return h, err
		}
	}
	if q.data == "" {
		return h, nil
	}
	data := w.Clone()
	data.Filter.Events.Type, data.Compose, data.Top1, data.Top2 = filter.Criterion{}, [7]semantic.Call{},
		semantic.Call{}, semantic.Call{}
	err = setCall(&data.Functions[prv.LevelThread], semantic.ThreadFunctions, "data", q.data, data.Unit)
	if err != nil {
		return h, err
	}
	if q.dataTypes != "" {
		if data.Filter.Events.Type, err = typesOf(t, "data-event-type", q.dataTypes); err != nil {
			return h, err
		}
	}
	data.Name = callName(&data.Functions[prv.LevelThread])
	h.Name = data.Name + " by " + w.Name
	h.Data = &data
	return h, nil
}

// analysis makes the query to the analyzer.
func (q *question) analysis(t *prv.Trace, w *semantic.Window) (*analysis, error) {
	n := &analysis{Query: stat.Query{Window: w}, trace: t}
	for _, name := range strings.Split(q.analyze, ",") {
		if name = strings.TrimSpace(name); name == "" {
			continue
		}
		f, ok := stat.LookupFunction(name)
		if !ok && !strings.EqualFold(name, "all") {
			return nil, command.Usagef("--analyze: there is no function %q; pview list analyzer-functions shows them",
				name)
		}
		if ok {
			n.functions = append(n.functions, f)
			continue
		}
		for _, f := range stat.Functions() {
			n.functions = append(n.functions, &f)
		}
	}
	for _, l := range []struct {
		flag, text string
		at         *stat.Limits
	}{{"bursts", q.bursts, &n.Duration}, {"within", q.within, &n.Value}} {
		if l.text == "" {
			continue
		}
		v, err := numbersOf(l.text, 2, n.Query.Window.Unit)
		if err != nil || v[1] < v[0] {
			return nil, command.Usagef("--%s %s: must be MIN:MAX", l.flag, l.text)
		}
		*l.at = stat.Limits{Limited: true, Min: v[0], Max: v[1]}
	}
	if q.sum != "" {
		var err error
		if n.user, err = stat.UserFunction(q.sum, n.Query.Window.Unit); err != nil {
			return nil, command.Usagef("--sum: %w", err)
		}
	}
	return n, nil
}
