package explaincmd

import (
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/spf13/cobra"

	"pview/cli/command"
	"pview/insight/compare"
	"pview/prv"
	"pview/prv/quantity"
)

// compare accounts for the difference between runs.
func Compare(a *command.App) *cobra.Command {
	q := &compareQuestion{App: a}
	var names []string
	for k := range compare.NumKinds {
		names = append(names, k.String())
	}
	q.by = command.NewChoice(append([]string{"all"}, names...)...)
	cmd := &cobra.Command{
		Use:   "compare A B [TRACE...]",
		Short: "Compare runs: where the second differs from the first, in parts that add up to the difference",
		Long: "compare holds runs against the first one by what they do. Each run is divided into phases, which end at collective operations of all processes (or begin at " +
			"events of --iterations); phases that do the same are matched, and the time of every thread is accounted for: computing, in calls, waiting, moving data, input and " +
			"output, absent. The parts of each kind (phase, category, call, function, wait, ranks) add up to the difference of the run times to the ns. With different numbers of threads the " +
			"account is in core time: run time times threads, whose difference would be 0 with perfect scaling.\n\n" +
			"A predicted trace (pview sim -o) is a run like any other: measured against predicted, compare shows where the simulation is wrong.",
		Example: "pview compare before.prv after.prv\n" +
			"pview compare run_8.prv run_16.prv --format json\n" +
			"pview compare nightly.prv new.prv --fail-above 5%\n" +
			"pview compare before.prv after.prv --html report.html\n" +
			"pview compare a1.prv new.prv --base a2.prv,a3.prv",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) < 2 {
				return fmt.Errorf("compare needs two traces: A and B")
			}
			return nil
		},
		ValidArgsFunction: command.CompleteTraces,
		RunE:              func(cmd *cobra.Command, args []string) error { return q.answer(cmd.Context(), args) },
	}
	f := cmd.Flags()
	f.SortFlags = false
	f.Var(&q.by, "by", "kind of parts to print")
	f.IntVar(&q.top, "top", 10, "print the first `N` parts of each kind in tables; 0: all")
	f.StringVar(&q.html, "html", "", "write the comparison, with both runs on one time axis, as a page to `FILE`")
	f.StringVar(&q.failAbove, "fail-above", "",
		"exit with status 1 if a run takes longer than A by more than `SHARE`, such as 5%")
	f.StringSliceVar(&q.base, "base", nil,
		"more runs of A's configuration (`TRACES`): differences within twice their spread are marked")
	f.UintVar(&q.marker, "iterations", 0,
		"event `TYPE` whose values other than 0 begin an iteration, instead of collective operations")
	f.StringSliceVar(&q.pins, "pin", nil, "match phase N of A with phase M of B, from 1 (`N=M`; repeatable)")
	f.StringVar(&q.threads, "map", "", "thread of B for each of A: their numbers from 1 (`LIST`), such as 2,1,3,4")
	f.IntVar(&q.ptask, "ptask", 0, "only application `N` (from 1) of the traces")
	if err := cmd.RegisterFlagCompletionFunc("by", q.by.Complete); err != nil {
		panic(err) // the flag was defined above
	}
	return cmd
}

// compareQuestion is the command's flags.
type compareQuestion struct {
	*command.App
	by                 command.Choice
	top, ptask         int
	failAbove, threads string
	html               string
	traces             map[*compare.Run]*prv.Trace // of the runs, for the page
	base, pins         []string
	marker             uint
	limit              float64
	matching           compare.Matching
}

func (q *compareQuestion) answer(ctx context.Context, paths []string) error {
	if err := q.check(); err != nil {
		return err
	}
	first, err := q.analyse(ctx, paths[0])
	if err != nil {
		return err
	}
	others, err := q.analyseAll(ctx, q.base)
	if err != nil {
		return err
	}
	runs, err := q.analyseAll(ctx, paths[1:])
	if err != nil {
		return err
	}
	var list []*compare.Result
	for _, run := range runs {
		c, err := compare.Compare(ctx, first, run, q.matching)
		if err != nil {
			return fmt.Errorf("%s and %s: %w", prv.Clean(first.Path), prv.Clean(run.Path), err)
		}
		if err := c.SetNoise(ctx, others); err != nil {
			return err
		}
		list = append(list, c)
	}
	if q.html != "" {
		if err := q.writeHTML(ctx, list); err != nil {
			return err
		}
	}
	if err := q.print(list); err != nil {
		return err
	}
	return q.judge(list)
}

// check reads the flags.
func (q *compareQuestion) check() (err error) {
	if q.failAbove != "" {
		number, percent := strings.CutSuffix(strings.TrimSpace(q.failAbove), "%")
		q.limit, err = strconv.ParseFloat(strings.TrimSpace(number), 64)
		if err != nil || q.limit < 0 {
			return command.Usagef("--fail-above %s: must be a share >= 0, such as 5%%", q.failAbove)
		}
		if percent {
			q.limit /= 100
		}
	}
	if q.marker > 1<<32-1 {
		return command.Usagef("--iterations %d: must be an event type", q.marker)
	}
	for _, pin := range q.pins {
		a, b, ok := strings.Cut(pin, "=")
		n, errA := strconv.Atoi(a)
		m, errB := strconv.Atoi(b)
		if !ok || errA != nil || errB != nil || n < 1 || m < 1 {
			return command.Usagef("--pin %s: must be two phases, such as 3=4", pin)
		}
		q.matching.Pins = append(q.matching.Pins, compare.Pair{A: n - 1, B: m - 1})
	}
	for _, s := range strings.FieldsFunc(q.threads, func(r rune) bool { return r == ',' || r == ' ' }) {
		n, err := strconv.Atoi(s)
		if err != nil || n < 1 {
			return command.Usagef("--map %s: must be numbers of threads >= 1, with commas between", q.threads)
		}
		q.matching.Threads = append(q.matching.Threads, n-1)
	}
	return nil
}

func (q *compareQuestion) analyseAll(ctx context.Context, paths []string) (runs []*compare.Run, err error) {
	for _, path := range paths {
		run, err := q.analyse(ctx, path)
		if err != nil {
			return nil, err
		}
		runs = append(runs, run)
	}
	return runs, nil
}

// analyse accounts for a run; its trace is not kept but for a page.
func (q *compareQuestion) analyse(ctx context.Context, path string) (*compare.Run, error) {
	t, err := q.Open(ctx, path)
	if err != nil {
		return nil, err
	}
	run, err := compare.Analyse(ctx, t, compare.Options{Ptask: q.ptask, Marker: uint32(q.marker)})
	if err != nil && ctx.Err() == nil {
		return nil, fmt.Errorf("%s: %w", prv.Clean(path), err)
	}
	if q.html != "" && err == nil {
		if q.traces == nil {
			q.traces = map[*compare.Run]*prv.Trace{}
		}
		q.traces[run] = t
	}
	return run, err
}

// judge fails if a run takes too much longer than A.
func (q *compareQuestion) judge(list []*compare.Result) error {
	if q.failAbove == "" {
		return nil
	}
	for _, c := range list {
		if more := ratio(c.B.Duration-c.A.Duration, c.A.Duration); more > q.limit {
			return fmt.Errorf("%s takes %s longer than %s, more than %s", prv.Clean(c.B.Path), command.Percent(more, 1),
				prv.Clean(c.A.Path), q.failAbove)
		}
	}
	return nil
}

func (q *compareQuestion) print(list []*compare.Result) error {
	switch q.Format.Value {
	case "json":
		o := q.object(list[0])
		if len(list) > 1 {
			var more []command.Object
			for _, c := range list[1:] {
				more = append(more, q.object(c))
			}
			o = append(o, command.Field{Key: "others", Value: more})
		}
		return command.WriteJSON(q.Out, o)
	case "table":
		bold := lipgloss.NewStyle().Bold(true)
		_, err := io.WriteString(q.Styled(q.Out), q.text(list, func(s string) string { return bold.Render(s) }))
		return err
	}
	out := &command.Table{Columns: []command.Column{{Key: "run"}, {Key: "kind"}, {Key: "name"}, {Key: "a_ns"},
		{Key: "b_ns"},
		{Key: "difference_ns"}, {Key: "share"}, {Key: "noise_ns"}}}
	for _, c := range list {
		for _, p := range q.parts(c) {
			out.Add(c.B.Path, p.Kind.String(), p.Name, p.A, p.B, p.Difference(), c.Share(&p), p.Noise)
		}
	}
	return out.Write(q.Out, q.Format.Value)
}

// parts are those that are asked for.
func (q *compareQuestion) parts(c *compare.Result) (list []compare.Part) {
	for _, p := range c.Parts {
		if q.by.Value == "all" || q.by.Value == p.Kind.String() {
			list = append(list, p)
		}
	}
	return list
}

// object is the answer for programs.
func (q *compareQuestion) object(c *compare.Result) command.Object {
	parts := []command.Object{}
	for _, p := range q.parts(c) {
		parts = append(parts, command.Object{{Key: "kind", Value: p.Kind.String()}, {Key: "name", Value: p.Name},
			{Key: "a_ns", Value: p.A}, {Key: "b_ns", Value: p.B},
			{Key: "difference_ns", Value: p.Difference()}, {Key: "share", Value: c.Share(&p)},
			{Key: "noise_ns", Value: p.Noise}})
	}
	phases := []command.Object{}
	for _, p := range c.Pairs {
		phases = append(phases, append(phaseFields("a", c.A, p.A), phaseFields("b", c.B, p.B)...))
	}
	a, b := c.Times()
	o := command.Object{{Key: "a", Value: c.A.Path}, {Key: "b", Value: c.B.Path},
		{Key: "a_threads", Value: c.A.Threads}, {Key: "b_threads", Value: c.B.Threads},
		{Key: "core_time", Value: c.Scaled}, {Key: "a_ns", Value: a}, {Key: "b_ns", Value: b},
		{Key: "ideal_ns", Value: c.Ideal()},
		{Key: "difference_ns", Value: c.Difference()}, {Key: "headline", Value: c.Headline()},
		{Key: "parts", Value: parts}, {Key: "phases", Value: phases}}
	if s := c.Computing; s != nil {
		o = append(o, command.Field{Key: "computing", Value: command.Object{{Key: "a_ns", Value: s.TimeA},
			{Key: "b_ns", Value: s.TimeB},
			{Key: "instructions_ns", Value: s.Instructions}, {Key: "ipc_ns", Value: s.IPC},
			{Key: "frequency_ns", Value: s.Frequency},
			{Key: "a_ipc", Value: s.A[1]}, {Key: "b_ipc", Value: s.B[1]}, {Key: "a_ghz", Value: s.A[2]},
			{Key: "b_ghz", Value: s.B[2]}}})
	}
	return append(o, command.Field{Key: "notes", Value: append(notesOf("A", c.A), notesOf("B", c.B)...)})
}

// phaseFields are the place of a phase in a run; null where it has no partner.
func phaseFields(run string, r *compare.Run, i int) command.Object {
	if i < 0 {
		return command.Object{{Key: run, Value: nil}}
	}
	from, to, does := r.Phase(i)
	return command.Object{{Key: run, Value: command.Object{{Key: "number", Value: i + 1}, {Key: "from_ns", Value: from},
		{Key: "to_ns", Value: to}, {Key: "does", Value: does}}}}
}

func notesOf(who string, r *compare.Run) []string {
	list := []string{}
	for _, n := range r.Notes {
		list = append(list, who+": "+n)
	}
	return list
}

// text is the answer for a person.
func (q *compareQuestion) text(list []*compare.Result, heading func(string) string) string {
	var b strings.Builder
	for i, c := range list {
		letter := letterOf(i)
		if i == 0 {
			fmt.Fprintf(&b, "A  %s\n", q.about(c.A))
		}
		fmt.Fprintf(&b, "%s  %s\n", letter, q.about(c.B))
	}
	for i, c := range list {
		headline := c.Headline()
		if i > 0 {
			headline = asRun(headline, letterOf(i))
		}
		fmt.Fprintf(&b, "\n%s\n", heading(headline))
		for _, n := range append(notesOf("A", c.A), notesOf(letterOf(i), c.B)...) {
			fmt.Fprintf(&b, "%s\n", n)
		}
	}
	for k := range compare.NumKinds {
		if q.by.Value != "all" && q.by.Value != k.String() {
			continue
		}
		for _, text := range q.kindTables(list, k, heading) {
			if text != "" {
				b.WriteString("\n" + text)
			}
		}
	}
	for i, c := range list {
		if c.Computing != nil && q.by.Value == "all" {
			b.WriteString("\n" + splitText(c.Computing, letterOf(i), heading))
		}
	}
	return b.String()
}

// about describes a run in a line.
func (q *compareQuestion) about(r *compare.Run) string {
	f := r.Factors()
	return fmt.Sprintf("%s  %s, %s, %s; parallel efficiency %s: load balance %s, communication %s", prv.Clean(r.Path),
		quantity.FormatDuration(r.Duration, prv.Nanoseconds),
		command.Plural(int64(r.Threads), "thread"), command.Plural(int64(r.Phases()), "phase"),
		command.Percent(f.Parallel, 1),
		command.Percent(f.Balance, 1), command.Percent(f.Communication, 1))
}

// kindTables are the tables of the parts of a kind: one for all runs if they can stand in one.
func (q *compareQuestion) kindTables(list []*compare.Result, k compare.Kind,
	heading func(string) string) (texts []string) {
	if q.oneTable(list, k) {
		return []string{q.manyTable(list, k, heading)}
	}
	for i, c := range list {
		texts = append(texts, q.kindTable(c, k, letterOf(i), heading))
	}
	return texts
}

// kindTable is the parts of a kind.
func (q *compareQuestion) kindTable(c *compare.Result, k compare.Kind, letter string,
	heading func(string) string) string {
	parts := c.Of(k)
	if q.saysNothing(len(parts), k) {
		return ""
	}
	if q.by.Value == "all" && parts[0].Difference() == 0 { // the largest comes first
		return kindTitle(k) + ": no difference\n"
	}
	asTime := func(v any) string { return quantity.FormatDuration(v.(int64), prv.Nanoseconds) }
	signed := func(v any) string { return signedDuration(v.(int64)) }
	out := &command.Table{Columns: []command.Column{{Title: kindTitle(k)}, {Title: "A", Show: asTime},
		{Title: letter, Show: asTime},
		{Title: letter + " - A", Show: signed}, {Title: "of A's time", Show: func(v any) string {
			return fmt.Sprintf("%+.2f %%", 100*v.(float64))
		}}, {}}}
	a, _ := c.Times()
	shown := parts
	if q.top > 0 && len(parts) > q.top {
		shown = parts[:q.top]
	}
	rest := compare.Part{Name: fmt.Sprintf("%s more", command.Count(int64(len(parts)-len(shown))))}
	for i := range parts {
		p := &parts[i]
		if i >= len(shown) {
			rest.A, rest.B = rest.A+p.A, rest.B+p.B
			continue
		}
		mark := ""
		if p.Noisy() {
			mark = "within noise"
		}
		out.Add(nameIn(p, letter), p.A, p.B, p.Difference(), ratio(p.Difference(), a), mark)
	}
	if len(shown) < len(parts) {
		out.Add(rest.Name, rest.A, rest.B, rest.Difference(), ratio(rest.Difference(), a), "")
	}
	ta, tb := c.Times()
	out.Add("all", ta, tb, tb-ta, ratio(tb-ta, a), "")
	return out.Text("", heading)
}

// nameIn is the name of a part with the letter of the run that is held against A.
func nameIn(p *compare.Part, letter string) string {
	if rest, ok := strings.CutPrefix(p.Name, "only in B: "); ok {
		return prv.Clean("only in " + letter + ": " + rest)
	}
	return prv.Clean(p.Name)
}

// splitText says what makes the difference in computing time.
func splitText(s *compare.Split, letter string, heading func(string) string) string {
	signed := func(v any) string { return signedDuration(int64(v.(float64))) }
	figure := func(v any) string { return fmt.Sprintf("%.4g", v) }
	out := &command.Table{Columns: []command.Column{{Title: "Computing"}, {Title: "A", Show: figure},
		{Title: letter, Show: figure},
		{Title: "time", Show: signed}}}
	out.Add("instructions", s.A[0], s.B[0], s.Instructions)
	out.Add("IPC", s.A[1], s.B[1], s.IPC)
	out.Add("frequency (GHz)", s.A[2], s.B[2], s.Frequency)
	return out.Text("", heading)
}
