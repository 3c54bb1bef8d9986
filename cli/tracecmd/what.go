package tracecmd

// what: the records around a time and an object.

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"pview/cli/command"
	"pview/filter"
	"pview/insight/report"
	"pview/prv"
	"pview/prv/quantity"
	"pview/render/document"
	"pview/semantic/nearby"
)

// whatQuestion is the command's flags.
type whatQuestion struct {
	*command.App
	at, object, level     string
	count, before, after  int
	kinds                 []string
	raw                   bool
	configuration         string
	eventTypes, eventVals string
	cmd                   *cobra.Command
}

// mostRecords bounds --count.
const mostRecords = 1_000_000

// What prints the records around a point.
func What(a *command.App) *cobra.Command {
	q := &whatQuestion{App: a}
	cmd := &cobra.Command{
		Use:   "what TRACE",
		Short: "Print the records around a time and an object",
		Long: "what prints the states, events and messages nearest to a time (--at) on an object (--object): a " +
			"thread 1.3.1, a task 1.3, a ptask 1, or with --level a node or CPU, by number or by its name in the " +
			".row. Without --object it searches the whole trace.\n\n" +
			"The state of a single thread at that time is always included, however early it began. The filter of a " +
			"configuration (--cfg), or of --event-type and --event-value, hides events and messages as in the " +
			"viewer.",
		Example: "pview what run.prv --at 12.5ms --object 1.3.1\n" +
			"pview what run.prv --at 50% --object 1.3 --kinds event --event-type 50000001 --count 5\n" +
			"pview what run.prv --at 12.5ms --object 2 --level node --format json\n" +
			"pview what run.prv --at 0 --before 0 --after 100 --raw",
		Args:              command.Needs("TRACE"),
		ValidArgsFunction: command.CompleteTraces,
		RunE:              func(cmd *cobra.Command, args []string) error { return q.run(cmd.Context(), args[0]) },
	}
	q.cmd = cmd
	f := cmd.Flags()
	f.SortFlags = false
	f.StringVar(&q.at, "at", "", "`TIME`: 12.5ms, 10%, or a number in the trace's unit")
	f.StringVar(&q.object, "object", "", "`OBJECT`: 1.3.1, 1.3, \"THREAD 1.3.1\" (default the whole trace)")
	f.StringVar(&q.level, "level", "", "level of the object: "+strings.Join(levelNames(),
		", ")+" (default from the object)")
	f.IntVarP(&q.count, "count", "n", 10, "number of records before the time, and after it")
	f.IntVar(&q.before, "before", 0, "number of records up to the time (default --count)")
	f.IntVar(&q.after, "after", 0, "number of records after the time (default --count)")
	f.StringSliceVar(&q.kinds, "kinds", nil,
		"only these `KINDS` of records: state, event, send, receive, message (send and receive)")
	f.StringVar(&q.configuration, "cfg", "", "use the filter of the last window of a Paraver configuration `FILE`")
	f.StringVar(&q.eventTypes, "event-type", "", "only these event types, by number or label: 50000001,50000002")
	f.StringVar(&q.eventVals, "event-value", "", "only these event values")
	f.BoolVar(&q.raw, "raw", false, "print the records as lines of the .prv")
	registerNames(cmd, "level", levelNames())
	registerNames(cmd, "kinds", []string{"state", "event", "send", "receive", "message"})
	return cmd
}

// registerNames completes a flag with some names.
func registerNames(cmd *cobra.Command, flag string, names []string) {
	err := cmd.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(names, cobra.ShellCompDirectiveNoFileComp))
	if err != nil {
		panic(err) // there is no such flag
	}
}

func (q *whatQuestion) run(ctx context.Context, path string) error {
	find, err := q.query()
	if err != nil {
		return err
	}
	t, err := q.OpenNamed(ctx, path)
	if err != nil {
		return err
	}
	find.Trace = t
	if find.Time, err = command.Moment(q.at, t); err != nil {
		return command.Usagef("--at %s: %w", q.at, err)
	}
	if find.Level, find.Object, err = q.place(t); err != nil {
		return command.Usagef("--object %s: %w", q.object, err)
	}
	if find.Pass, err = q.pass(t, find.Level); err != nil {
		return err
	}
	found, err := nearby.Find(ctx, find)
	if err != nil {
		return err
	}
	list := q.selected(found.Records)
	if th := t.ThreadsOf(find.Level, find.Object); len(th) == 1 && find.States && find.Before > 0 {
		if s, ok := nearby.Lasting(t, th[0], find.Time); ok && !slices.Contains(list, s) {
			list = append([]nearby.Record{s}, list...)
		}
	}
	if len(list) == 0 {
		return fmt.Errorf("%w: no such records at %s of %s", command.ErrNothing,
			quantity.FormatDuration(find.Time, t.Unit), t.Name(find.Level, find.Object))
	}
	return q.print(t, &find, list)
}

// query checks the flags that need no trace.
func (q *whatQuestion) query() (find nearby.Query, err error) {
	changed := q.cmd.Flags().Changed
	if !changed("at") {
		return find, command.Usagef("what needs --at TIME")
	}
	find.Before, find.After = q.count, q.count
	if changed("before") {
		find.Before = q.before
	}
	if changed("after") {
		find.After = q.after
	}
	if min(find.Before, find.After) < 0 || max(find.Before, find.After) > mostRecords {
		return find, command.Usagef("--count, --before and --after must be from 0 to %s",
			quantity.FormatCount(mostRecords))
	}
	if q.configuration != "" && (q.eventTypes != "" || q.eventVals != "") {
		return find, command.Usagef("--cfg has its own filter: it excludes --event-type and --event-value")
	}
	find.States, find.Events, find.Messages = q.wants("state"), q.wants("event"), q.wants("send") || q.wants("receive")
	for _, k := range q.kinds {
		if !slices.Contains([]string{"state", "event", "send", "receive", "message"}, k) {
			return find, command.Usagef("--kinds: there is no kind %q; kinds: state, event, send, receive, message", k)
		}
	}
	return find, nil
}

// wants reports whether a kind is requested.
func (q *whatQuestion) wants(kind string) bool {
	message := kind == nearby.Send.String() || kind == nearby.Receive.String()
	return len(q.kinds) == 0 || slices.Contains(q.kinds, kind) || message && slices.Contains(q.kinds, "message")
}

// selected removes the ends of messages that are not requested.
func (q *whatQuestion) selected(list []nearby.Record) []nearby.Record {
	return slices.DeleteFunc(list, func(r nearby.Record) bool { return !q.wants(r.Kind.String()) })
}

// place finds the object.
func (q *whatQuestion) place(t *prv.Trace) (l prv.Level, object int, err error) {
	l = prv.LevelWorkload
	switch byID, ok := prv.LevelOfID(q.object); {
	case q.level != "":
		if l, err = levelOf(q.level); err != nil {
			return 0, 0, err
		}
	case ok:
		l = byID
	case q.object != "":
		if l, err = levelOf(strings.Replace(strings.ToLower(strings.Fields(q.object + " x")[0]), "appl", "ptask",
			1)); err != nil {
			l = prv.LevelThread // a name of the .row
		}
	}
	object, err = t.FindObject(l, q.object)
	return l, object, err
}

// levelOf reads the name of a level.
func levelOf(name string) (prv.Level, error) {
	for _, l := range prv.Levels {
		if strings.EqualFold(l.String(), name) {
			return l, nil
		}
	}
	return 0, fmt.Errorf("there is no level %q; levels: %s", name, strings.Join(levelNames(), ", "))
}

// pass makes the filter of the flags; nil if none.
func (q *whatQuestion) pass(t *prv.Trace, l prv.Level) (*filter.Pass, error) {
	flags := question{types: q.eventTypes, values: q.eventVals}
	w, err := flags.window(context.Background(), t)
	if err != nil {
		return nil, err
	}
	switch {
	case q.configuration != "":
		f, err := q.OpenCfg(q.configuration)
		if err != nil {
			return nil, err
		}
		bound, notes, err := f.Bind(t, true)
		q.Tell(notes)
		if err != nil {
			return nil, err
		}
		if len(bound.Windows) == 0 {
			return nil, fmt.Errorf("%s: there is no window in it", q.configuration)
		}
		w = &bound.Windows[len(bound.Windows)-1].Window.Window
	case q.eventTypes == "" && q.eventVals == "":
		return nil, nil
	}
	w.Level = l
	return nearby.FilterOf(t, w), nil
}

// print prints the records in the requested format.
func (q *whatQuestion) print(t *prv.Trace, find *nearby.Query, list []nearby.Record) error {
	if q.raw {
		for _, r := range nearby.OnePerLine(t, list) {
			if _, err := fmt.Fprintln(q.Out, r.Raw(t, false)); err != nil {
				return err
			}
		}
		return nil
	}
	if q.Format.Value == "table" {
		text := fmt.Sprintf("%s, %s at %s\n\n", prv.Clean(t.Path), prv.Clean(t.Name(find.Level, find.Object)),
			quantity.FormatDuration(find.Time, t.Unit))
		_, err := io.WriteString(q.Out, text+document.TableText(recordsForPeople(t, find.Time, list), "", nil))
		return err
	}
	return document.WriteTable(q.Out, recordTable(t, list), q.Format.Value)
}

// recordTable returns the records for programs. For a message, value is its size in bytes, and label the other end.
func recordTable(t *prv.Trace, list []nearby.Record) *report.Table {
	out := &report.Table{Columns: []report.Column{{Key: "time_ns"}, {Key: "thread"}, {Key: "kind"}, {Key: "label"},
		{Key: "value"},
		{Key: "type"}, {Key: "until_ns"},
		{Key: "partner"}, {Key: "partner_time_ns"}, {Key: "tag"}}}
	ns := func(time int64) any { return time * t.Unit.Nanoseconds() }
	for _, r := range list {
		row := []any{ns(r.Time(t)), threadNumber(t, r.Thread), r.Kind.String(), recordLabel(t, r), nil, nil, nil, nil,
			nil, nil}
		switch r.Kind {
		case nearby.State:
			s := &t.Threads[r.Thread].States
			row[4] = int64(s.Value[r.Index])
			if end := s.Until(int(r.Index), prv.NoEnd); end != prv.NoEnd {
				row[6] = ns(end)
			}
		case nearby.Event:
			e := &t.Threads[r.Thread].Events
			row[4], row[5] = e.Value.At(int(r.Index)), int64(e.Type[r.Index])
		default:
			other := r.Partner(t)
			row[4], row[7], row[8], row[9] = t.Comms.Size[r.Index], threadNumber(t, other.Thread), ns(other.Time(t)),
				t.Comms.Tag[r.Index]
		}
		out.Add(row...)
	}
	return out
}

// recordsForPeople marks the records since the time.
func recordsForPeople(t *prv.Trace, at int64, list []nearby.Record) *report.Table {
	exact := func(v any) string { return quantity.FormatTime(v.(int64), t.Unit, 1) }
	out := &report.Table{Columns: []report.Column{{}, {Title: "Time", Show: exact, Right: true},
		{Title: "Thread", Known: true},
		{Title: "Record"}, {Title: "What"}, {Title: "Until, other end", Show: exact, Right: true}}}
	for i, r := range list {
		mark, until := "", any(nil)
		if r.Time(t) <= at && (i+1 == len(list) || list[i+1].Time(t) > at) {
			mark = ">"
		}
		what := recordLabel(t, r)
		switch r.Kind {
		case nearby.State:
			if end := t.Threads[r.Thread].States.Until(int(r.Index), prv.NoEnd); end != prv.NoEnd {
				until = end
			}
		case nearby.Send, nearby.Receive:
			what += fmt.Sprintf(", %s bytes, tag %d", quantity.FormatCount(t.Comms.Size[r.Index]), t.Comms.Tag[r.Index])
			until = r.Partner(t).Time(t)
		}
		out.Add(mark, r.Time(t), t.Name(prv.LevelThread, int(r.Thread)), r.Kind.String(), what, until)
	}
	return out
}

// recordLabel describes a record in the words of the .pcf.
func recordLabel(t *prv.Trace, r nearby.Record) string {
	switch r.Kind {
	case nearby.State:
		return t.Labels.StateName(int64(t.Threads[r.Thread].States.Value[r.Index]))
	case nearby.Event:
		e := &t.Threads[r.Thread].Events
		typ, value := e.Type[r.Index], e.Value.At(int(r.Index))
		text := fmt.Sprint(value)
		if entry, ok := t.Labels.Type(typ); ok {
			if label, ok := entry.ValueLabel(value); ok {
				text = label
			} else {
				text = entry.Format(value)
			}
		}
		return t.Labels.TypeName(typ) + ": " + text
	case nearby.Send:
		return "to " + t.Name(prv.LevelThread, int(r.Partner(t).Thread))
	}
	return "from " + t.Name(prv.LevelThread, int(r.Partner(t).Thread))
}

// threadNumber writes a thread as 1.3.1.
func threadNumber(t *prv.Trace, thread int32) string {
	p, ta, th := t.ThreadID(thread)
	return fmt.Sprintf("%d.%d.%d", p, ta, th)
}
