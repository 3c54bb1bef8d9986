package tracecmd

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/spf13/cobra"

	"pview/cli/command"
	"pview/insight/report"
	"pview/prv"
	"pview/prv/extrae/execution"
	"pview/prv/quantity"
	"pview/prv/wide"
	"pview/render/document"
)

// Info prints the contents of a trace.
func Info(a *command.App) *cobra.Command {
	return &cobra.Command{
		Use:   "info TRACE",
		Short: "Print the contents of a trace: resources, duration, records by kind",
		Long: "info counts the contents of a trace: nodes, CPUs, ptasks, tasks, threads, and the records by kind, " +
			"by state and by event type. Bad records are counted by reason.",
		Example: "pview info run.prv\n" +
			"pview info --format json run.prv.gz",
		Args:              command.Needs("TRACE"),
		ValidArgsFunction: command.CompleteTraces,
		RunE: func(cmd *cobra.Command, args []string) error {
			t, err := a.Open(cmd.Context(), args[0])
			if err != nil {
				return err
			}
			s, err := prv.Summarize(cmd.Context(), t)
			if err != nil {
				return err
			}
			switch a.Format.Value {
			case "json":
				if n := int64(len(s.Types)); n*typeObjectBytes > a.MemoryBytes {
					return fmt.Errorf(
						"%s: %d event types take more memory as JSON than the %d MB that --memory allows: use "+
							"--format tsv", args[0], n, a.MemoryBytes>>20)
				}
				return document.WriteJSON(a.Out, infoObject(t, s))
			case "table":
				return writeInfo(a.Styled(a.Out), t, s)
			}
			return writeInfoTable(a.Out, a.Format.Value, t, s)
		},
	}
}

// typeObjectBytes is the approximate memory per type while writing JSON.
const typeObjectBytes = 1500

// typePiece is the number of event types written at a time: a trace can have millions.
const typePiece = 10_000

// writeInfoTable writes the answer as lines of key and value.
func writeInfoTable(w io.Writer, format string, t *prv.Trace, s *prv.Summary) error {
	out := infoTable(t, s)
	if err := document.WriteTable(w, out, format); err != nil {
		return err
	}
	for types := range slices.Chunk(s.Types, typePiece) {
		piece := &report.Table{Columns: out.Columns, Headless: true}
		for _, row := range typeTable(types).Rows {
			piece.Add("event_types", row[0], row[1], row[2], nil, row[3])
		}
		if err := document.WriteTable(w, piece, format); err != nil {
			return err
		}
	}
	return nil
}

// infoObject returns the answer for programs. Keys may be added but not renamed.
func infoObject(t *prv.Trace, s *prv.Summary) report.Object {
	skipped := report.Object{{Key: "total", Value: t.Skipped.Total()}}
	for _, r := range prv.Reasons {
		skipped = append(skipped, report.Field{Key: r.Key(), Value: t.Skipped.Count[r]})
	}
	var first any
	if t.Skipped.Total() > 0 {
		p := t.Skipped.First
		first = report.Object{{Key: "line", Value: p.Line}, {Key: "reason", Value: p.Reason.Key()},
			{Key: "text", Value: p.Text}}
	}
	var cut any
	if t.Cut != nil {
		cut = report.Object{{Key: "line", Value: t.Cut.Line}, {Key: "why", Value: t.Cut.Why}}
	}
	notes := make([]string, len(t.Notes))
	for i, n := range t.Notes {
		notes[i] = n.String()
	}
	o := report.Object{{Key: "path", Value: t.Path}, {Key: "date", Value: t.Date}}
	o = append(o, infoNumbers(t, s)...)
	doubts := report.Object{}
	for _, d := range prv.AllDoubts {
		doubts = append(doubts, report.Field{Key: d.Key(), Value: t.Doubts.Count[d]},
			report.Field{Key: d.Key() + "_line", Value: t.Doubts.Line[d]})
	}
	return append(o,
		report.Field{Key: "doubts", Value: doubts},
		report.Field{Key: "skipped", Value: skipped},
		report.Field{Key: "first_skipped", Value: first},
		report.Field{Key: "cut", Value: cut},
		report.Field{Key: "notes", Value: notes},
		report.Field{Key: "comments", Value: append([]string{}, t.Comments...)},
		report.Field{Key: "state_values", Value: stateTable(s).Objects()},
		report.Field{Key: "event_types", Value: typeTable(s.Types).Objects()},
	)
}

// infoNumbers returns the single values of the answer.
func infoNumbers(t *prv.Trace, s *prv.Summary) report.Object {
	return report.Object{
		{Key: "duration", Value: t.Duration},
		{Key: "unit", Value: t.Unit.String()},
		{Key: "nodes", Value: int64(len(t.Nodes))},
		{Key: "cpus", Value: int64(t.NumCPUs())},
		{Key: "ptasks", Value: int64(len(t.Ptasks))},
		{Key: "tasks", Value: int64(len(t.Tasks))},
		{Key: "threads", Value: int64(t.NumThreads())},
		{Key: "communicators", Value: int64(len(t.Communicators))},
		{Key: "states", Value: s.StateRecords},
		{Key: "event_lines", Value: s.EventLines},
		{Key: "events", Value: s.EventPairs},
		{Key: "communications", Value: s.Messages},
		{Key: "bytes", Value: s.Bytes},
	}
}

// infoTable returns the answer as lines of key and value, without the event types; the list keys, state_values and
// event_types, have a line for each entry, with its label, its count, and its total time or the number of its different
// values; notes and comments have one line for each text.
func infoTable(t *prv.Trace, s *prv.Summary) *report.Table {
	out := &report.Table{Columns: []report.Column{{Key: "key"}, {Key: "value"}, {Key: "label"}, {Key: "count"},
		{Key: "total"},
		{Key: "distinct"}}}
	out.Add("path", t.Path, nil, nil, nil, nil)
	out.Add("date", t.Date, nil, nil, nil, nil)
	for _, f := range infoNumbers(t, s) {
		out.Add(f.Key, f.Value, nil, nil, nil, nil)
	}
	out.Add("skipped", t.Skipped.Total(), nil, nil, nil, nil)
	for _, r := range prv.Reasons {
		out.Add("skipped."+r.Key(), t.Skipped.Count[r], r.String(), nil, nil, nil)
	}
	for _, d := range prv.AllDoubts {
		out.Add("doubts."+d.Key(), t.Doubts.Count[d], d.String(), nil, nil, nil)
	}
	if t.Cut != nil {
		out.Add("cut", t.Cut.Line, t.Cut.Why, nil, nil, nil)
	}
	for _, n := range t.Notes {
		out.Add("notes", nil, prv.Clean(n.String()), nil, nil, nil)
	}
	for _, c := range t.Comments {
		out.Add("comments", nil, prv.Clean(c), nil, nil, nil)
	}
	for _, row := range stateTable(s).Rows {
		out.Add("state_values", row[0], row[1], row[2], row[3], nil)
	}
	return out
}

// stateTable has a row for each state that occurs.
func stateTable(s *prv.Summary) *report.Table {
	out := &report.Table{Columns: []report.Column{
		{Key: "value", Title: "State", Show: report.Value},
		{Key: "label"},
		{Key: "count", Title: "Records"},
		{Key: "total"},
	}}
	for _, v := range s.States {
		out.Add(int64(v.State), v.Label, v.Count, v.Time)
	}
	return out
}

// stateTableForPeople has the times of all states in one unit, and their shares of the threads' time.
func stateTableForPeople(t *prv.Trace, s *prv.Summary) *report.Table {
	out := stateTable(s)
	longest := 0.0
	for _, v := range s.States {
		longest = max(longest, v.Time.Float())
	}
	ns := float64(t.Unit.Nanoseconds())
	unit := quantity.Time.UnitOf(longest * ns)
	out.Columns[3] = report.Column{Title: "Time (" + unit.Name + ")", Show: func(v any) string {
		return strconv.FormatFloat(v.(wide.Int).Float()*ns/unit.Of, 'f', 3, 64)
	}}
	whole := float64(t.Duration) * float64(t.NumThreads())
	out.Columns = append(out.Columns, report.Column{Title: "Share", Show: func(v any) string {
		return quantity.FormatPercent(v.(float64) / whole)
	}})
	for i, v := range s.States {
		out.Rows[i] = append(out.Rows[i], v.Time.Float())
	}
	return out
}

// typeTable has a row for each event type that occurs and counts its different values. distinct_more is true if the
// type probably has more.
func typeTable(types []prv.TypeSum) *report.Table {
	out := &report.Table{Columns: []report.Column{
		{Key: "type"}, {Key: "label"}, {Key: "count"}, {Key: "distinct"}, {Key: "distinct_more"},
	}}
	for _, v := range types {
		out.Add(int64(v.Type), v.Label, v.Count, v.Distinct, v.More)
	}
	return out
}

// writeInfo writes the answer for a person.
func writeInfo(w io.Writer, t *prv.Trace, s *prv.Summary) error {
	bold := lipgloss.NewStyle().Bold(true)
	heading := func(line string) string { return bold.Render(line) }
	var b strings.Builder
	b.WriteString(bold.Render(prv.Clean(t.Path)) + "\n\n")
	b.WriteString(document.Definitions(infoLines(t, s), document.HelpWidth))
	if len(s.States) > 0 {
		b.WriteString("\n" + document.TableText(stateTableForPeople(t, s), "  ", heading))
	}
	if _, err := io.WriteString(w, b.String()); err != nil {
		return err
	}
	return writeTypes(w, s.Types, heading)
}

// writeTypes writes the table of event types.
func writeTypes(w io.Writer, types []prv.TypeSum, heading func(string) string) error {
	if len(types) == 0 {
		return nil
	}
	if _, err := io.WriteString(w, "\n"); err != nil {
		return err
	}
	out := &document.LongTable{Rows: len(types), Columns: []document.LongColumn{
		{Title: "Event type", Number: func(dst []byte, i int) []byte {
			return strconv.AppendUint(dst, uint64(types[i].Type), 10)
		}},
		{Text: func(i int) string { return types[i].Label }},
		{Title: "Events", Number: func(dst []byte, i int) []byte { return quantity.AppendCount(dst, types[i].Count) }},
		{Title: "Values", Number: func(dst []byte, i int) []byte {
			return quantity.AppendCount(dst, types[i].Distinct)
		}},
		{Text: func(i int) string { return orMore(types[i].More) }},
	}}
	return out.Write(w, "  ", heading)
}

// orMore marks a number that is a minimum.
func orMore(more bool) string {
	if more {
		return "or more"
	}
	return ""
}

// infoLines returns the single facts for people.
func infoLines(t *prv.Trace, s *prv.Summary) [][2]string {
	resources := "not in the trace"
	if len(t.Nodes) > 0 {
		resources = quantity.CountOf(int64(len(t.Nodes)), "node") + ", " + quantity.CountOf(int64(t.NumCPUs()), "CPU")
	}
	duration := fmt.Sprintf("%s (%s %s)", quantity.FormatDuration(t.Duration, t.Unit),
		quantity.FormatCount(t.Duration), t.Unit)
	if t.Duration == 0 {
		duration = quantity.FormatDuration(0, t.Unit) + ": the run takes no time, so states have no shares of it"
	}
	rows := [][2]string{{"Duration", duration}}
	if from, to := execution.Window(t); to-from < t.Duration && from < to {
		rows = append(rows, [2]string{"Recorded", fmt.Sprintf("%s (%s)", quantity.FormatRange(from, to, t.Unit),
			quantity.FormatDuration(to-from, t.Unit))})
	}
	rows = append(rows, [][2]string{
		{"Resources", resources},
		{"Processes", strings.Join([]string{
			quantity.CountOf(int64(len(t.Ptasks)), "ptask"), quantity.CountOf(int64(len(t.Tasks)), "task"),
			quantity.CountOf(int64(t.NumThreads()), "thread"),
			quantity.CountOf(int64(len(t.Communicators)), "communicator"),
		}, ", ")},
		{"States", quantity.FormatCount(s.StateRecords)},
		{"Events", quantity.FormatCount(s.EventPairs) + " on " + quantity.CountOf(s.EventLines, "line")},
		{"Communications", quantity.CountOf(s.Messages, "message") + ", " + quantity.Bytes.Format(s.Bytes.Float())},
		{"Skipped", skippedLine(t)},
	}...)
	if t.Date != "" {
		rows = append([][2]string{{"Date", prv.Clean(t.Date)}}, rows...)
	}
	for _, d := range prv.AllDoubts {
		if n := t.Doubts.Count[d]; n > 0 {
			text := fmt.Sprintf("%s: %s", quantity.FormatCount(n), d)
			if line := t.Doubts.Line[d]; line > 0 {
				text += fmt.Sprintf(" (first in line %d)", line)
			}
			rows = append(rows, [2]string{"Doubtful", text})
		}
	}
	if t.Cut != nil {
		text := t.Cut.Why
		if t.Cut.Line > 0 {
			text = fmt.Sprintf("at line %s: %s", quantity.FormatCount(t.Cut.Line), text)
		}
		rows = append(rows, [2]string{"Cut", text})
	}
	var remarks []string
	for _, n := range t.Notes {
		if n.File == t.Path && n.Line == 0 {
			remarks = append(remarks, n.Text)
		} else {
			remarks = append(remarks, n.String())
		}
	}
	comments := make([]string, len(t.Comments))
	for i, c := range t.Comments {
		comments[i] = strings.TrimSpace(strings.TrimLeft(c, "#"))
	}
	return append(append(rows, listLines("Remark", remarks)...), listLines("Comment", comments)...)
}

// listLines returns the first of some texts, a line each, and the number of remaining ones.
func listLines(name string, texts []string) (rows [][2]string) {
	for i, text := range texts {
		if i == mostComments {
			return append(rows, [2]string{"", fmt.Sprintf("and %s more (--format json shows all)",
				quantity.CountOf(int64(len(texts)-i), strings.ToLower(name)))})
		}
		rows = append(rows, [2]string{name, prv.Clean(text)})
	}
	return rows
}

// mostComments bounds the printed remarks and comment lines of a trace.
const mostComments = 10

// skippedLine returns the number of skipped records, by reason.
func skippedLine(t *prv.Trace) string {
	if t.Skipped.Total() == 0 {
		return "none"
	}
	var reasons []string
	for _, r := range prv.Reasons {
		if n := t.Skipped.Count[r]; n > 0 {
			reasons = append(reasons, fmt.Sprintf("%s %s", quantity.FormatCount(n), r))
		}
	}
	return fmt.Sprintf("%s (%s)", quantity.CountOf(t.Skipped.Total(), "bad record"), strings.Join(reasons, ", "))
}
