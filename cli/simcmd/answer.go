package simcmd

// The answer of sim: text, table, and JSON object.

import (
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"charm.land/lipgloss/v2"

	"pview/cli/command"
	"pview/insight/criticalpath"
	"pview/insight/report"
	"pview/prv"
	"pview/prv/quantity"
	"pview/render/document"
	"pview/sim"
)

// answer prints the result.
func (s *simulation) answer(src *simulated, r *sim.Result, path *criticalpath.Path) error {
	var sum *criticalpath.Summary
	if path != nil {
		sum = path.Summary(r.Trace.Labels)
	}
	switch s.a.Format.Value {
	case "json":
		o := simObject(src, r)
		if path != nil {
			o = append(o, report.Field{Key: "critical_path", Value: sum.Object(r.Trace.Unit)})
		}
		return document.WriteJSON(s.a.Out, o)
	case "table":
		text := simText(src, r)
		if path != nil {
			text += "\n" + document.Text(sum.Document(r.Trace.Unit, s.path.Top), command.Bold)
		}
		_, err := io.WriteString(s.a.Styled(s.a.Out), text)
		return err
	}
	t := simTable(src, r)
	if path != nil {
		addCritical(t, sum)
	}
	return document.WriteTable(s.a.Out, t, s.a.Format.Value)
}

// answerDeadlock prints, for programs, the run until a deadlock, if err is one.
func (s *simulation) answerDeadlock(src *simulated, err error) error {
	var dead *sim.Deadlock
	if s.a.Format.Value != "json" || !errors.As(err, &dead) {
		return nil
	}
	return document.WriteJSON(s.a.Out, append(simObject(src, dead.Result, dead.Waits...),
		report.Field{Key: "deadlock", Value: deadlockObject(dead)}))
}

func deadlockObject(d *sim.Deadlock) report.Object {
	var waits []report.Object
	for _, w := range d.Waits {
		waits = append(waits, report.Object{{Key: "thread", Value: w.Thread}, {Key: "record", Value: w.Record},
			{Key: "since_ns", Value: wholeNS(w.Since)},
			{Key: "waits_for", Value: w.What}})
	}
	return report.Object{{Key: "at_ns", Value: wholeNS(d.At)}, {Key: "blocked", Value: waits}}
}

// addCritical adds lines of key and value: of the critical path's time by kind, thread and block.
func addCritical(t *report.Table, s *criticalpath.Summary) {
	t.Columns = append(t.Columns, report.Column{Key: "name"})
	for i := range t.Rows {
		t.Rows[i] = append(t.Rows[i], nil)
	}
	for _, part := range s.Breakdowns() {
		for _, sh := range part.List {
			t.Add("critical_path_"+part.Name+"_ns", sh.Time, nil, nil, sh.Name)
		}
	}
}

// simNumbers returns the single values of the answer.
func simNumbers(src *simulated, r *sim.Result) report.Object {
	return report.Object{
		{Key: "total_ns", Value: r.Total},
		{Key: "baseline_ns", Value: src.Baseline},
		{Key: "messages", Value: r.Messages},
		{Key: "bytes", Value: r.Bytes},
		{Key: "unreceived", Value: r.Unreceived},
		{Key: "utilisation", Value: r.Utilisation(len(src.Program.Threads))},
		{Key: "speedup", Value: r.Speedup},
		{Key: "hops", Value: r.Hops},
		{Key: "byte_hops", Value: r.ByteHops},
		{Key: "events", Value: r.Events},
	}
}

// simObject returns the answer for programs. Keys may be added but not renamed. Endless threads have no end.
func simObject(src *simulated, r *sim.Result, endless ...sim.Blocked) report.Object {
	var tasks []report.Object
	for i := range r.Tasks {
		t := &r.Tasks[i]
		pt := src.Program.Tasks[i].Ptask
		end := any(t.End)
		if slices.ContainsFunc(endless, func(b sim.Blocked) bool { return int(b.Task) == i }) {
			end = nil
		}
		states := report.Object{}
		for _, st := range sim.States {
			if ns := t.States[st.Value]; ns > 0 {
				states = append(states, report.Field{Key: st.Name, Value: ns})
			}
		}
		tasks = append(tasks, report.Object{
			{Key: "task", Value: int64(i) - int64(src.Program.Ptasks[pt].FirstTask) + 1},
			{Key: "ptask", Value: int64(pt) + 1}, {Key: "end_ns", Value: end},
			{Key: "states", Value: states},
			{Key: "messages_sent", Value: t.MessagesSent}, {Key: "bytes_sent", Value: t.BytesSent},
			{Key: "bytes_received", Value: t.BytesRecv},
			{Key: "collectives", Value: t.Collectives},
			{Key: "wait_links_ns", Value: wholeNS(t.WaitLinks)}, {Key: "wait_buses_ns", Value: wholeNS(t.WaitBuses)},
			{Key: "node", Value: int64(src.nodes[i]) + 1}, {Key: "computation_ns", Value: wholeNS(t.Computation)},
			{Key: "blocked_ns", Value: wholeNS(t.Blocked())}, {Key: "max_queue", Value: t.MaxQueue},
		})
	}
	o := append(append(report.Object{{Key: "path", Value: src.Path}}, simNumbers(src, r)...),
		report.Field{Key: "tasks", Value: tasks},
		report.Field{Key: "nodes", Value: nodeObjects(src, r)})
	if len(endless) > 0 {
		o[1].Value = nil // total_ns
	}
	if src.closed != nil {
		o = append(o, report.Field{Key: "closed_workload", Value: src.closed.object()})
	}
	if len(src.Remarks) > 0 {
		o = append(o, report.Field{Key: "remarks", Value: src.Remarks})
	}
	if src.basis != nil {
		o = append(o, src.basis.Fields()...)
	}
	return o
}

// nodeObjects has the nodes that run tasks, and the computing time of their CPUs.
func nodeObjects(src *simulated, r *sim.Result) (list []report.Object) {
	for _, n := range r.NodeUses(src.machine, src.nodes) {
		list = append(list, report.Object{{Key: "node", Value: int64(n.Node) + 1},
			{Key: "busy_ns", Value: wholeNS(n.Busy)}, {Key: "utilisation", Value: n.Share}})
	}
	return list
}

func wholeNS(ns float64) int64 { return int64(math.Round(ns)) }

// simTable returns the answer as lines of key and value; lines of a task name the task and the state.
func simTable(src *simulated, r *sim.Result) *report.Table {
	out := &report.Table{Columns: []report.Column{{Key: "key"}, {Key: "value"}, {Key: "task"}, {Key: "state"}}}
	for _, f := range simNumbers(src, r) {
		out.Add(f.Key, f.Value, nil, nil)
	}
	for i := range r.Tasks {
		name := src.Program.TaskName(int32(i))
		out.Add("end_ns", r.Tasks[i].End, name, nil)
		for _, st := range sim.States {
			if ns := r.Tasks[i].States[st.Value]; ns > 0 {
				out.Add("state_ns", ns, name, st.Name)
			}
		}
	}
	if src.closed != nil {
		src.closed.addTo(out)
	}
	return out
}

// simText returns the answer for a person.
func simText(src *simulated, r *sim.Result) string {
	bold := lipgloss.NewStyle().Bold(true)
	var b strings.Builder
	b.WriteString(bold.Render(prv.Clean(src.Path)) + "\n\n")
	rows := [][2]string{{"Predicted", fmt.Sprintf("%s (%s ns)", quantity.FormatDuration(r.Total, prv.Nanoseconds),
		quantity.FormatCount(r.Total))}}
	if ns, ok := src.Baseline.(int64); ok {
		note := ""
		if ns > 0 {
			note = fmt.Sprintf("; predicted / measured %.3f", float64(r.Total)/float64(ns))
		}
		rows = append(rows, [2]string{"Measured", quantity.FormatDuration(ns, prv.Nanoseconds) + note})
	}
	rows = append(rows, [2]string{"Machine", src.basis.Machine})
	replay := src.basis.Replay
	if replay != nil {
		rows = append(rows, [2]string{"Accuracy", replay.String()})
	}
	rows = append(rows,
		[2]string{"Computing", computingText(src, r)},
		[2]string{"Messages", quantity.CountOf(r.Messages, "message") + ", " + quantity.Bytes.Format(float64(r.Bytes))})
	b.WriteString(document.Definitions(rows, document.HelpWidth) + "\n")
	if src.closed != nil {
		b.WriteString(src.closed.text(func(s string) string { return bold.Render(s) }))
	}
	b.WriteString(document.TableText(simTaskTable(src, r), "  ", func(s string) string { return bold.Render(s) }))
	if replay != nil {
		b.WriteString("\n" + bold.Render("Accuracy: the measured run, replayed on the machine fitted to it") + "\n")
		b.WriteString(document.TableText(replay.Table(), "  ", func(s string) string { return bold.Render(s) }))
	}
	return b.String()
}

// computingText returns the share of computation in the threads' time. Dimemas counts idle blocks (a burst trace
// between its bursts), the tracer's writes and its start as computation: if that makes a difference, it gives both.
// Predictions have no separate state for time before threads exist or without tracing.
func computingText(src *simulated, r *sim.Result) string {
	threads := len(src.Program.Threads)
	running, all := r.Utilisation(threads), sim.Share(r.Computation, float64(threads)*float64(r.Total))
	text := quantity.FormatPercent(running) + " of the threads' time"
	if replay := src.basis.Replay; replay != nil && !src.counted &&
		sim.Share(replay.Absent.Float(), float64(replay.Measured)*float64(replay.Threads)) >= 0.01 {
		text += ", also where they were not created or not traced, as Dimemas counts"
	}
	if all-running >= 0.01 {
		text += "; " + quantity.FormatPercent(all) + " with idle blocks and the tracer's work, as Dimemas counts"
	}
	return text
}

// simTaskTable has a line for each task: its end, and the share of its threads' time in each state.
func simTaskTable(src *simulated, r *sim.Result) *report.Table {
	out := &report.Table{Columns: []report.Column{{Title: "Task"}, {Title: "End", Show: report.ShowDuration}}}
	var states []uint8
	for _, st := range sim.States {
		if slices.ContainsFunc(r.Tasks, func(t sim.TaskStats) bool { return t.States[st.Value] > 0 }) {
			states = append(states, st.Value)
			out.Columns = append(out.Columns, report.Column{Title: st.Name, Show: func(v any) string {
				return quantity.FormatPercent(v.(float64))
			}})
		}
	}
	for i := range r.Tasks {
		t := &r.Tasks[i]
		row := []any{src.Program.TaskName(int32(i)), t.End}
		whole := max(1, float64(r.Total)*float64(src.Program.Tasks[i].Threads))
		for _, st := range states {
			row = append(row, float64(t.States[st])/whole)
		}
		out.Rows = append(out.Rows, row)
	}
	return out
}
