package tracecmd

// The query of pview stat, from flags: one window, or a histogram of it.

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"pview/cli/command"
	"pview/filter"
	"pview/prv"
	"pview/prv/quantity"
	"pview/semantic"
	"pview/semantic/ready"
	"pview/semantic/stat"
)

// question are the flags of stat.
type question struct {
	all       bool
	anyTypes  bool
	precision int
	from, to  string

	view                string // name of a ready view
	level, unit         string
	functions           [7]string // by level
	compose             string    // after the thread function
	compose1, compose2  string
	types, values       string
	messages            messageFlags
	statistic           string
	data, dataTypes     string
	columns             string
	hideEmpty, vertical bool
	analyze, sum        string
	bursts, within      string

	made []string // the flags that define a window
	cmd  *cobra.Command
}

// flags defines the flags.
func (q *question) flags(cmd *cobra.Command) {
	q.cmd = cmd
	f := cmd.Flags()
	f.SortFlags = false
	f.BoolVar(&q.all, "all", false, "print everything in the configurations, each after a line \"# NAME\"")
	f.IntVar(&q.precision, "precision", -1,
		"decimals of numbers (default 9 in timelines, 10 in histograms, as many as needed in json)")
	f.StringVar(&q.from, "from", "", "start of the time range: 12.5ms, 10%, or a number in the trace's unit")
	f.StringVar(&q.to, "to", "", "end of the time range")
	f.BoolVar(&q.anyTypes, "any-types", false,
		"accept configurations that Paraver refuses: with none of their event types in the trace, or with names of "+
			"functions as spelled by older versions")
	own := func(at *string, name, usage string) {
		f.StringVar(at, name, "", usage)
		q.made = append(q.made, name)
	}
	own(&q.view, "view", "ready view by name or a word of it: useful duration, ipc, late sender (pview list views)")
	own(&q.level, "level", "level of the objects: "+strings.Join(levelNames(), ", "))
	own(&q.functions[prv.LevelThread], "thread", "thread function")
	for _, l := range []prv.Level{prv.LevelTask, prv.LevelPtask, prv.LevelWorkload, prv.LevelCPU, prv.LevelNode,
		prv.LevelSystem} {
		own(&q.functions[l], l.String(), "function of the level "+l.String())
	}
	own(&q.compose, "compose-thread", "compose function of the value of threads")
	own(&q.compose2, "compose2", "compose function of the value of the window")
	own(&q.compose1, "compose1", "compose function of the result of --compose2")
	own(&q.types, "event-type", "only these event types, by number or label: 50000001,50000002")
	own(&q.values, "event-value", "only these event values")
	own(&q.messages.from, "message-from", "only messages from these senders, by number of the object: 1,3 or 1:4")
	own(&q.messages.to, "message-to", "only messages to these receivers: 1,3 or 1:4")
	own(&q.messages.tag, "message-tag", "only messages with these tags: 1,3 or 1:4")
	own(&q.messages.size, "message-size", "only messages of these sizes in bytes: 64,4096 or 0:1024")
	own(&q.unit, "unit", "unit of times: ns, us, ms, s, min, h, d")
	own(&q.statistic, "stat", "print a histogram of this statistic instead of a timeline")
	own(&q.data, "data", "thread function of the histogram's data window (default the window itself)")
	own(&q.dataTypes, "data-event-type", "only these event types in the data window")
	own(&q.columns, "columns", "columns of the histogram: MIN:MAX:WIDTH (default from the values)")
	for _, b := range []struct {
		at          *bool
		name, usage string
	}{{&q.hideEmpty, "hide-empty", "hide empty columns"}, {&q.vertical, "vertical", "transpose: columns as rows"},
		{&q.messages.physical, "physical", "messages at their physical times instead of their logical ones"}} {
		f.BoolVar(b.at, b.name, false, b.usage)
		q.made = append(q.made, b.name)
	}
	own(&q.analyze, "analyze",
		"print figures of each object instead of a timeline: names of the analyzer's functions, comma-separated, or "+
			"all")
	own(&q.bursts, "bursts", "with --analyze: only bursts with a duration of MIN:MAX, in the window's unit")
	own(&q.within, "within", "with --analyze: range of values MIN:MAX for Time with Semantic Value")
	own(&q.sum, "sum",
		"user-defined figure: sum of an expression over the records of each object, such as \"send && logical ? size "+
			": 0\"")
	q.completions(cmd)
}

func levelNames() (names []string) {
	for _, l := range prv.Levels {
		names = append(names, l.String())
	}
	return names
}

// completions completes names of functions in the shell.
func (q *question) completions(cmd *cobra.Command) {
	complete := func(flag string, names []string) {
		err := cmd.RegisterFlagCompletionFunc(flag,
			func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
				return names, cobra.ShellCompDirectiveNoFileComp
			})
		if err != nil {
			panic(err) // the flag was defined a line above
		}
	}
	of := func(f semantic.Family) (names []string) {
		for _, e := range semantic.Functions(f) {
			names = append(names, e.Name+"\t"+e.Doc)
		}
		return names
	}
	for _, l := range prv.Levels {
		complete(l.String(), of(semantic.FamilyOf(l)))
	}
	for _, flag := range []string{"compose-thread", "compose1", "compose2"} {
		complete(flag, of(semantic.ComposeFunctions))
	}
	complete("data", of(semantic.ThreadFunctions))
	var views []string
	for _, v := range ready.Table() {
		views = append(views, v.Name+"\t"+v.Doc)
	}
	complete("view", views)
	complete("level", levelNames())
	var figures []string
	for _, f := range stat.Functions() {
		figures = append(figures, f.Name+"\t"+f.Doc)
	}
	complete("analyze", figures)
	var statistics []string
	for _, s := range stat.Statistics() {
		statistics = append(statistics, s.Name+"\t"+s.Doc)
	}
	complete("stat", statistics)
}

// check reports incompatible flags, before anything is read.
func (q *question) check(cfgs int) error {
	changed := func(name string) bool { return q.cmd.Flags().Changed(name) }
	if changed("precision") && (q.precision < 0 || q.precision > 100) {
		return command.Usagef("--precision must be from 0 to 100")
	}
	for _, name := range q.made {
		if cfgs > 0 && changed(name) {
			return command.Usagef("--%s defines a window, and cannot be combined with a configuration", name)
		}
	}
	for _, name := range []string{"data", "data-event-type", "columns", "hide-empty", "vertical"} {
		if changed(name) && q.statistic == "" {
			return command.Usagef("--%s is for histograms, and needs --stat", name)
		}
	}
	for _, name := range []string{"bursts", "within"} {
		if changed(name) && q.analyze == "" {
			return command.Usagef("--%s needs --analyze", name)
		}
	}
	return q.checkPairs(changed)
}

// checkPairs reports flags that exclude each other.
func (q *question) checkPairs(changed func(flag string) bool) error {
	if q.statistic != "" && (q.analyze != "" || q.sum != "") {
		return command.Usagef("--stat excludes --analyze and --sum: it makes a histogram, they make figures")
	}
	for _, name := range append([]string{"thread", "compose-thread", "event-type", "event-value"}, levelNames()[:]...) {
		if q.view != "" && changed(name) {
			return command.Usagef("--view excludes --%s: it has its own functions and filter", name)
		}
	}
	if q.dataTypes != "" && q.data == "" {
		return command.Usagef("--data-event-type needs --data")
	}
	return nil
}

// limits returns the time range of --from and --to, in units of the trace.
func (q *question) limits(t *prv.Trace) (begin, end int64, limited bool, err error) {
	return command.TimeRange(q.from, q.to, t)
}

func unitOf(symbol string) (semantic.Unit, error) {
	var names []string
	for _, u := range semantic.Units {
		if u.Symbol == symbol || strings.EqualFold(u.Name, symbol) {
			return u.Unit, nil
		}
		names = append(names, u.Symbol)
	}
	return 0, fmt.Errorf("there is no unit %q; units: %s", symbol, strings.Join(names, ", "))
}

// readyWindow makes the window of a ready view.
func (q *question) readyWindow(ctx context.Context, t *prv.Trace) (w semantic.Window, err error) {
	f, err := ready.Observe(ctx, t)
	if err != nil {
		return w, err
	}
	v, err := f.Find(q.view)
	if err != nil {
		return w, fmt.Errorf("%w: --view: %w", command.ErrNothing, err)
	}
	return v.Window.Clone(), nil
}

// window makes the window of the flags.
func (q *question) window(ctx context.Context, t *prv.Trace) (*semantic.Window, error) {
	w := semantic.DefaultWindow()
	if q.view != "" {
		var err error
		if w, err = q.readyWindow(ctx, t); err != nil {
			return nil, err
		}
	}
	if q.level != "" {
		found := false
		for _, l := range prv.Levels {
			if strings.EqualFold(l.String(), q.level) {
				w.Level, found = l, true
			}
		}
		if !found {
			return nil, command.Usagef("--level: there is no level %q; levels: %s", q.level,
				strings.Join(levelNames(), ", "))
		}
	}
	if q.unit != "" {
		var err error
		if w.Unit, err = unitOf(q.unit); err != nil {
			return nil, command.Usagef("--unit: %w", err)
		}
	}
	for _, l := range prv.Levels {
		if err := setCall(&w.Functions[l], semantic.FamilyOf(l), l.String(), q.functions[l], w.Unit); err != nil {
			return nil, err
		}
	}
	for _, c := range []struct {
		at         *semantic.Call
		flag, text string
	}{{&w.Compose[prv.LevelThread], "compose-thread", q.compose}, {&w.Top1, "compose1", q.compose1},
		{&w.Top2, "compose2", q.compose2}} {
		if err := setCall(c.at, semantic.ComposeFunctions, c.flag, c.text, w.Unit); err != nil {
			return nil, err
		}
	}
	if q.view == "" {
		w.Name = callName(&w.Functions[prv.LevelThread])
	}
	return &w, q.filter(&w, t)
}

// filter gives the window the filter of the flags.
func (q *question) filter(w *semantic.Window, t *prv.Trace) (err error) {
	e := &w.Filter.Events
	if q.types != "" {
		if e.Type, err = typesOf(t, "event-type", q.types); err != nil {
			return err
		}
	}
	if q.values != "" {
		e.Value.Func = filter.Equal
		for _, word := range strings.Split(q.values, ",") {
			v, err := strconv.ParseFloat(strings.TrimSpace(word), 64)
			if err != nil || !command.IsFinite(v) {
				return command.Usagef("--event-value: %q is not a number", word)
			}
			e.Value.Values = append(e.Value.Values, v)
		}
	}
	return q.messages.filter(&w.Filter.Comms)
}

// messageFlags are the flags that choose messages.
type messageFlags struct {
	from, to, tag, size string
	physical            bool
}

// filter applies the flags to a filter.
func (m *messageFlags) filter(f *filter.CommFilter) error {
	if m.physical { // else as in the window
		f.Logical, f.Physical = false, true
	}
	for _, c := range []struct {
		flag, text string
		at         *filter.Criterion
	}{{"message-from", m.from, &f.From}, {"message-to", m.to, &f.To}, {"message-tag", m.tag, &f.Tag},
		{"message-size", m.size, &f.Size}} {
		if c.text == "" {
			continue
		}
		fn, sep := filter.Equal, ","
		if strings.Contains(c.text, ":") {
			fn, sep = filter.Range, ":"
		}
		words := strings.Split(c.text, sep)
		v, err := numbersOf(strings.Join(words, ":"), len(words), semantic.Nanoseconds)
		if err != nil || fn == filter.Range && (len(v) != 2 || v[1] < v[0]) {
			return command.Usagef("--%s %s: must be numbers, 1,3, or a range, MIN:MAX", c.flag, c.text)
		}
		*c.at = filter.Criterion{Func: fn, Values: v}
	}
	return nil
}

// typesOf reads event types, by number or label.
func typesOf(t *prv.Trace, flag, text string) (c filter.Criterion, err error) {
	c.Func = filter.Equal
	for _, word := range strings.Split(text, ",") {
		word = strings.TrimSpace(word)
		n := len(c.Values)
		if v, err := strconv.ParseUint(word, 10, 32); err == nil {
			c.Values = append(c.Values, float64(v))
		}
		for i := range t.Labels.Types {
			if e := &t.Labels.Types[i]; n == len(c.Values) && strings.EqualFold(e.Label, word) {
				c.Values = append(c.Values, float64(e.Type))
			}
		}
		if n == len(c.Values) {
			return c, fmt.Errorf("--%s: the trace has no event type %q", flag, word)
		}
	}
	f := filter.EventFilter{Type: c}
	if some, _ := filter.PresenceOf(t, &f).Of(&f); !some {
		return c, fmt.Errorf("%w: the trace has no event of type %s", command.ErrNothing, text)
	}
	return c, nil
}

// numbersOf reads n numbers separated by colons; times count the given unit.
func numbersOf(text string, n int, unit semantic.Unit) ([]float64, error) {
	words := strings.Split(text, ":")
	if len(words) != n {
		return nil, fmt.Errorf("%q must be %d numbers", text, n)
	}
	v := make([]float64, n)
	for i, word := range words {
		var err error
		if v[i], err = unit.Amount(word); err != nil {
			return nil, err
		}
	}
	return v, nil
}

// scaleOf reads MIN:MAX:WIDTH.
func scaleOf(text string, unit semantic.Unit) (s stat.Scale, err error) {
	v, err := numbersOf(text, 3, unit)
	if err != nil {
		return s, command.Usagef("--columns %s: must be MIN:MAX:WIDTH", text)
	}
	if v[1] < v[0] || v[2] <= 0 {
		return s, command.Usagef("--columns %s: there is no column from %g to %g of width %g", text, v[0], v[1], v[2])
	}
	return stat.Scale{Min: v[0], Max: v[1], Delta: v[2]}, nil
}

// setCall sets a call to the value of a flag, unless it is empty:
// "In State {1, 3}", or an expression: "= state == 1".
func setCall(c *semantic.Call, f semantic.Family, flag, text string, unit semantic.Unit) error {
	if text == "" {
		return nil
	}
	if expression, ok := strings.CutPrefix(strings.TrimSpace(text), "="); ok {
		call, err := semantic.UserCall(f, expression)
		if err != nil {
			return command.Usagef("--%s: %w", flag, err)
		}
		*c = call
		return nil
	}
	name, lists, _ := strings.Cut(text, "{")
	e, ok := semantic.Lookup(f, strings.TrimSpace(name))
	if !ok {
		return command.Usagef("--%s: there is no %s %q; pview list shows them", flag, f, strings.TrimSpace(name))
	}
	*c = semantic.Call{Name: e.Name}
	if lists == "" {
		return nil
	}
	for _, list := range strings.Split(strings.TrimRight(lists, "} "), "{") {
		var values []float64
		for _, word := range strings.FieldsFunc(list, func(r rune) bool { return strings.ContainsRune(" ,;}", r) }) {
			v, err := unit.Amount(word)
			if err != nil {
				return command.Usagef("--%s %s: %w", flag, text, err)
			}
			values = append(values, v)
		}
		c.Params = append(c.Params, values)
	}
	return checkCall(c, e, flag)
}

// callName returns the name of a window that shows a function.
func callName(c *semantic.Call) string {
	if c.IsUser() && c.Expression != "" {
		return "= " + c.Expression
	}
	return c.Name
}

// checkCall reports parameters that the function does not take.
func checkCall(c *semantic.Call, e *semantic.Entry, flag string) error {
	if len(c.Params) > len(e.Params) {
		return command.Usagef("--%s: %s takes %s", flag, e.Name, quantity.CountOf(int64(len(e.Params)), "parameter"))
	}
	for i, p := range c.Params {
		if !e.Params[i].List && len(p) != 1 { // on a command line this is a mistake
			return command.Usagef("--%s: parameter %q of %s must be one number", flag, e.Params[i].Name, e.Name)
		}
	}
	return nil
}
