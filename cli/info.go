package cli

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/spf13/cobra"

	"pview/prv"
	"pview/prv/quantity"
)

// info prints the contents of a trace.
func (a *app) info() *cobra.Command {
	return &cobra.Command{
		Use:   "info TRACE",
		Short: "Print the contents of a trace: resources, duration, records by kind",
		Long: "info counts the contents of a trace: nodes, CPUs, ptasks, tasks, threads, and the records by kind, by state " +
			"and by event type. Bad records are counted by reason.",
		Example: "pview info run.prv\n" +
			"pview info --format json run.prv.gz",
		Args:              needs("TRACE"),
		ValidArgsFunction: completeTraces,
		RunE: func(cmd *cobra.Command, args []string) error {
			t, err := a.open(cmd.Context(), args[0])
			if err != nil {
				return err
			}
			s, err := prv.Summarize(cmd.Context(), t)
			if err != nil {
				return err
			}
			switch a.format.value {
			case "json":
				if n := int64(len(s.Types)); n*typeObjectBytes > a.memoryBytes {
					return fmt.Errorf(
						"%s: %d event types take more memory as JSON than the %d MB that --memory allows: use --format tsv", args[0], n, a.memoryBytes>>20)
				}
				return writeJSON(a.Out, infoObject(t, s))
			case "table":
				return writeInfo(a.styled(a.Out), t, s)
			}
			return writeInfoTable(a.Out, a.format.value, t, s)
		},
	}
}

// typeObjectBytes is about what a type takes while JSON is written.
const typeObjectBytes = 1500

// typePiece is how many event types are written at a time: a trace can have millions.
const typePiece = 10_000

// writeInfoTable writes the answer as lines of key and value.
func writeInfoTable(w io.Writer, format string, t *prv.Trace, s *prv.Summary) error {
	out := infoTable(t, s)
	if err := out.write(w, format); err != nil {
		return err
	}
	for types := range slices.Chunk(s.Types, typePiece) {
		piece := &table{columns: out.columns, headless: true}
		for _, row := range typeTable(types).rows {
			piece.add("event_types", row[0], row[1], row[2], nil, row[3])
		}
		if err := piece.write(w, format); err != nil {
			return err
		}
	}
	return nil
}

// infoObject is the answer for programs. Keys may be added; none is renamed.
func infoObject(t *prv.Trace, s *prv.Summary) object {
	skipped := object{{"total", t.Skipped.Total()}}
	for _, r := range prv.Reasons {
		skipped = append(skipped, field{r.Key(), t.Skipped.Count[r]})
	}
	var first any
	if t.Skipped.Total() > 0 {
		p := t.Skipped.First
		first = object{{"line", p.Line}, {"reason", p.Reason.Key()}, {"text", p.Text}}
	}
	var cut any
	if t.Cut != nil {
		cut = object{{"line", t.Cut.Line}, {"why", t.Cut.Why}}
	}
	notes := make([]string, len(t.Notes))
	for i, n := range t.Notes {
		notes[i] = n.String()
	}
	o := object{{"path", t.Path}, {"date", t.Date}}
	o = append(o, infoNumbers(t, s)...)
	doubts := object{}
	for _, d := range prv.AllDoubts {
		doubts = append(doubts, field{d.Key(), t.Doubts.Count[d]}, field{d.Key() + "_line", t.Doubts.Line[d]})
	}
	return append(o,
		field{"doubts", doubts},
		field{"skipped", skipped},
		field{"first_skipped", first},
		field{"cut", cut},
		field{"notes", notes},
		field{"state_values", stateTable(s).objects()},
		field{"event_types", typeTable(s.Types).objects()},
	)
}

// infoNumbers are the single values of the answer.
func infoNumbers(t *prv.Trace, s *prv.Summary) object {
	return object{
		{"duration", t.Duration},
		{"unit", t.Unit.String()},
		{"nodes", int64(len(t.Nodes))},
		{"cpus", int64(t.NumCPUs())},
		{"ptasks", int64(len(t.Ptasks))},
		{"tasks", int64(len(t.Tasks))},
		{"threads", int64(t.NumThreads())},
		{"communicators", int64(len(t.Communicators))},
		{"states", s.StateRecords},
		{"event_lines", s.EventLines},
		{"events", s.EventPairs},
		{"communications", s.Messages},
		{"bytes", s.Bytes},
	}
}

// infoTable is the answer as lines of key and value, without the event types; the keys that stand for a list,
// state_values and event_types, have a line for each entry, with its label, its
// count, and its total time or the number of its different values.
func infoTable(t *prv.Trace, s *prv.Summary) *table {
	out := &table{columns: []column{{key: "key"}, {key: "value"}, {key: "label"}, {key: "count"}, {key: "total"},
		{key: "distinct"}}}
	out.add("path", t.Path, nil, nil, nil, nil)
	out.add("date", t.Date, nil, nil, nil, nil)
	for _, f := range infoNumbers(t, s) {
		out.add(f.key, f.value, nil, nil, nil, nil)
	}
	out.add("skipped", t.Skipped.Total(), nil, nil, nil, nil)
	for _, r := range prv.Reasons {
		out.add("skipped."+r.Key(), t.Skipped.Count[r], r.String(), nil, nil, nil)
	}
	for _, d := range prv.AllDoubts {
		out.add("doubts."+d.Key(), t.Doubts.Count[d], d.String(), nil, nil, nil)
	}
	if t.Cut != nil {
		out.add("cut", t.Cut.Line, t.Cut.Why, nil, nil, nil)
	}
	for _, row := range stateTable(s).rows {
		out.add("state_values", row[0], row[1], row[2], row[3], nil)
	}
	return out
}

// stateTable has a row for each state that occurs.
func stateTable(s *prv.Summary) *table {
	out := &table{columns: []column{
		{key: "value", title: "State", show: plain},
		{key: "label"},
		{key: "count", title: "Records"},
		{key: "total"},
	}}
	for _, v := range s.States {
		out.add(int64(v.State), v.Label, v.Count, v.Time)
	}
	return out
}

// stateTableForPeople has times in one unit for all states, and the share of
// the threads' time.
func stateTableForPeople(t *prv.Trace, s *prv.Summary) *table {
	out := stateTable(s)
	longest := int64(0)
	for _, v := range s.States {
		longest = max(longest, v.Time)
	}
	ns := float64(t.Unit.Nanoseconds())
	unit := quantity.Time.UnitOf(float64(longest) * ns)
	out.columns[3] = column{title: "Time (" + unit.Name + ")", show: func(v any) string {
		return strconv.FormatFloat(float64(v.(int64))*ns/unit.Of, 'f', 3, 64)
	}}
	whole := float64(t.Duration) * float64(t.NumThreads())
	out.columns = append(out.columns, column{title: "Share", show: func(v any) string {
		return percent(v.(float64), whole)
	}})
	for i, v := range s.States {
		out.rows[i] = append(out.rows[i], float64(v.Time))
	}
	return out
}

// typeTable has a row for each event type that occurs, with the number of its
// different values; distinct_more says that there are probably more than that.
func typeTable(types []prv.TypeSum) *table {
	out := &table{columns: []column{
		{key: "type"}, {key: "label"}, {key: "count"}, {key: "distinct"}, {key: "distinct_more"},
	}}
	for _, v := range types {
		out.add(int64(v.Type), v.Label, v.Count, v.Distinct, v.More)
	}
	return out
}

// writeInfo writes the answer for a person.
func writeInfo(w io.Writer, t *prv.Trace, s *prv.Summary) error {
	bold := lipgloss.NewStyle().Bold(true)
	heading := func(line string) string { return bold.Render(line) }
	var b strings.Builder
	b.WriteString(bold.Render(prv.Clean(t.Path)) + "\n\n")
	b.WriteString(definitions(infoLines(t, s), helpWidth))
	if len(s.States) > 0 {
		b.WriteString("\n" + stateTableForPeople(t, s).text("  ", heading))
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
	out := &longTable{rows: len(types), columns: []longColumn{
		{title: "Event type", number: func(dst []byte, i int) []byte {
			return strconv.AppendUint(dst, uint64(types[i].Type), 10)
		}},
		{text: func(i int) string { return types[i].Label }},
		{title: "Events", number: func(dst []byte, i int) []byte { return quantity.AppendCount(dst, types[i].Count) }},
		{title: "Values", number: func(dst []byte, i int) []byte {
			return quantity.AppendCount(dst, types[i].Distinct)
		}},
		{text: func(i int) string { return orMore(types[i].More) }},
	}}
	return out.write(w, "  ", heading)
}

// orMore stands beside a number that is the least.
func orMore(more bool) string {
	if more {
		return "or more"
	}
	return ""
}

// infoLines are the single facts as a person reads them.
func infoLines(t *prv.Trace, s *prv.Summary) [][2]string {
	resources := "not in the trace"
	if len(t.Nodes) > 0 {
		resources = plural(int64(len(t.Nodes)), "node") + ", " + plural(int64(t.NumCPUs()), "CPU")
	}
	rows := [][2]string{
		{"Duration", fmt.Sprintf("%s (%s %s)", duration(t.Duration, t.Unit), count(t.Duration), t.Unit)},
		{"Resources", resources},
		{"Processes", strings.Join([]string{
			plural(int64(len(t.Ptasks)), "ptask"), plural(int64(len(t.Tasks)), "task"),
			plural(int64(t.NumThreads()), "thread"),
			plural(int64(len(t.Communicators)), "communicator"),
		}, ", ")},
		{"States", count(s.StateRecords)},
		{"Events", count(s.EventPairs) + " on " + plural(s.EventLines, "line")},
		{"Communications", plural(s.Messages, "message") + ", " + volume(float64(s.Bytes))},
		{"Skipped", skippedLine(t)},
	}
	if t.Date != "" {
		rows = append([][2]string{{"Date", prv.Clean(t.Date)}}, rows...)
	}
	for _, d := range prv.AllDoubts {
		if n := t.Doubts.Count[d]; n > 0 {
			rows = append(rows, [2]string{"Doubtful",
				fmt.Sprintf("%s: %s (first in line %d)", count(n), d, t.Doubts.Line[d])})
		}
	}
	if t.Cut != nil {
		rows = append(rows, [2]string{"Cut", fmt.Sprintf("at line %s: %s", count(t.Cut.Line), t.Cut.Why)})
	}
	return rows
}

// skippedLine is the number of skipped records, by reason.
func skippedLine(t *prv.Trace) string {
	if t.Skipped.Total() == 0 {
		return "none"
	}
	var reasons []string
	for _, r := range prv.Reasons {
		if n := t.Skipped.Count[r]; n > 0 {
			reasons = append(reasons, fmt.Sprintf("%s %s", count(n), r))
		}
	}
	return fmt.Sprintf("%s (%s)", plural(t.Skipped.Total(), "bad record"), strings.Join(reasons, ", "))
}
