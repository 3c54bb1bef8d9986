package output

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	tea "charm.land/bubbletea/v2"

	"pview/prv"
	"pview/prv/quantity"
	"pview/prv/tools"
	"pview/render/raster"
	"pview/render/timeline"
	"pview/semantic/nearby"
	"pview/tui/action"
	"pview/tui/dialog"
	"pview/tui/pane"
	"pview/tui/paths"
)

// Traces returns the actions that write a part of the trace in focus, or a changed copy, as a trace. They work on its
// file; a trace without a file is written from memory.
func (o *Writer) Traces() []action.Action {
	complete := paths.Complete(".prv", ".prv.gz")
	return action.OfView(action.GroupWindows, []action.Action{
		{Name: "cut", Keys: []string{"ctrl+k"}, Args: "FILE", Doc: "write the view or the selection as a trace: its " +
			"time range, and the tasks of the visible rows", Run: o.cut, Complete: complete,
			Prefill:  o.proposed("chop"),
			PromptAs: o.cutPrompt},
		{Name: "filter-trace", Keys: []string{"alt+p"}, Args: "FILE",
			Doc: "write the trace with the events and messages that pass the window's filter", Run: o.filter,
			Complete: complete, Prefill: o.proposed("filter")},
		{Name: "shift-trace", Keys: []string{"alt+t"}, Args: "TIME FILE",
			Doc: "write the trace with the object at the cursor shifted in time: shift-trace -20us run2.prv",
			Run: o.shift},
		{Name: "save-trace", Keys: []string{"alt+w"}, Args: "FILE",
			Doc: "write the trace to another file, compressed if its name ends in .gz", Run: o.save,
			Complete: complete, Prefill: o.proposed("copy")},
	})
}

// writing is a trace that is being written.
type writing struct {
	doing  string // "cutting"
	path   string
	cancel context.CancelFunc
	done   atomic.Int64 // of total, of the input
	total  atomic.Int64
}

// Progress describes a running trace tool for the title; "" for none.
func (o *Writer) Progress() string {
	w := o.trace
	if w == nil {
		return ""
	}
	return strings.TrimSpace(w.doing + " " + quantity.FormatProgress(w.done.Load(), w.total.Load()))
}

// tool writes a trace from a source.
type tool func(ctx context.Context, src tools.Source, out string) (*tools.Result, error)

// proposed proposes an unused name next to the trace.
func (o *Writer) proposed(suffix string) func() string {
	return func() string { return tools.NewName(cmp.Or(o.desk.Focused().Trace.Data.Path, o.base()+".prv"), suffix) }
}

// run runs a tool on a trace, in the background.
func (o *Writer) run(t *timeline.Trace, doing, path string, f tool) tea.Cmd {
	out := paths.Typed(path)
	switch {
	case o.trace != nil:
		return o.sc.Refuse(fmt.Errorf("%s is still being written: %s stops that", o.trace.path, o.sc.KeysOf("cancel")))
	case !strings.HasSuffix(out, ".prv") && !strings.HasSuffix(out, ".prv.gz"):
		return o.sc.Refuse(fmt.Errorf("%s: the name of a trace ends in .prv or .prv.gz", out))
	case slices.ContainsFunc(o.desk.Traces, func(t *timeline.Trace) bool { return paths.Same(t.Data.Path, out) }):
		return o.sc.Refuse(fmt.Errorf("%s is open: it is not overwritten", out))
	}
	return o.Overwrite(func() tea.Cmd {
		ctx, cancel := context.WithCancel(o.sc.Context)
		w := &writing{doing: doing, path: out, cancel: cancel}
		o.trace = w
		o.writers.Add(1)
		src := sourceOf(t.Data)
		return func() tea.Msg {
			defer o.writers.Done()
			defer cancel()
			src.Progress = func(done, total int64) {
				w.done.Store(done)
				w.total.Store(total)
			}
			r, err := f(ctx, src, out)
			return pane.Result(func() tea.Cmd {
				if o.trace != w {
					return nil
				}
				o.trace = nil
				return o.written(out, r, err)
			})
		}
	}, out)
}

// sourceOf returns the file of a trace or, if none, the trace.
func sourceOf(t *prv.Trace) tools.Source {
	if t.Path != "" {
		if _, err := os.Stat(t.Path); err == nil {
			return tools.Source{Path: t.Path}
		}
	}
	return tools.Source{Trace: t}
}

// written reports the result of a tool, which is nil for a plain copy, and offers to open the trace.
func (o *Writer) written(path string, r *tools.Result, err error) tea.Cmd {
	if err != nil {
		o.sc.Alarm(fmt.Sprintf("%s was not written: %v", path, err))
		return nil
	}
	text := "written" + sizeOf(path)
	if r != nil {
		if n := r.Skipped.Total(); n > 0 {
			text += ", " + raster.CountOf(int(n), "bad record") + " skipped"
		}
		if len(r.Notes) > 0 {
			text += ", " + r.Notes[0]
		}
	}
	if o.sc.Dialogs.Top() != nil {
		o.sc.Say(path + " is " + text)
		return nil
	}
	p := &dialog.Prompt{
		Label: text + "; open it? ", Hint: "FILE  " + o.sc.KeysOf("cancel") + " does not",
		Accept: func(path string) tea.Cmd {
			if path == "" {
				return nil
			}
			return o.Open(paths.Typed(path))
		},
	}
	p.Input.Set(path)
	return o.sc.Dialogs.Open(p)
}

// Cancel stops a running trace tool; it reports whether there was one.
func (o *Writer) Cancel() bool {
	if o.trace == nil {
		return false
	}
	o.trace.cancel()
	o.sc.Say(o.trace.path + " is not written")
	o.trace = nil
	return true
}

func (o *Writer) cut(args string) tea.Cmd {
	w := o.desk.Focused()
	begin, end, _ := o.cutRange(w)
	opt := tools.CutOptions{
		From: tools.TraceTime(begin), To: tools.TraceTime(end), BreakStates: true,
	}
	var err error
	if opt.Tasks, err = tools.ParseTasks(shownTasks(w)); err != nil {
		return o.sc.Refuse(err)
	}
	return o.run(w.Trace, "cutting", args,
		func(ctx context.Context, src tools.Source, out string) (*tools.Result, error) {
			return tools.Cut(ctx, src, out, opt, time.Now())
		})
}

// cutRange returns the time range to cut out of a trace, and its name: the selection, or else the view.
func (o *Writer) cutRange(w *timeline.View) (begin, end int64, what string) {
	begin, end, what = w.Begin, w.End, "view"
	if a, b, ok := o.desk.Selection(); ok && w.Trace.FromNS(a) < w.Trace.FromNS(b) {
		begin, end, what = w.Trace.FromNS(a), w.Trace.FromNS(b), "selection"
	}
	return max(begin, 0), min(end, w.Trace.Data.Duration), what
}

// cutPrompt names the time range to cut out.
func (o *Writer) cutPrompt() (label, hint string) {
	w := o.desk.Focused()
	begin, end, what := o.cutRange(w)
	label = "cut the " + what + " (" + raster.FormatDuration(end-begin, w.Trace.Data.Unit)
	if shownTasks(w) != "" {
		label += ", the tasks that are shown"
	}
	return label + ") to ", ""
}

// shownTasks lists the tasks of the objects in a window, as the trace tools take them; "" if it shows all objects.
func shownTasks(w *timeline.View) string {
	tr, l := w.Trace.Data, w.Sem.Level
	if w.Objects == nil || l.IsResource() || l == prv.LevelWorkload {
		return ""
	}
	shown := make([]bool, len(tr.Tasks))
	for _, o := range w.Objects {
		switch l {
		case prv.LevelThread:
			shown[tr.ThreadTask[o]] = true
		case prv.LevelTask:
			shown[o] = true
		case prv.LevelPtask:
			p := tr.Ptasks[o]
			for i := range p.Tasks {
				shown[p.FirstTask+i] = true
			}
		}
	}
	var list []string
	for i, yes := range shown {
		if yes {
			p := tr.Tasks[i].Ptask
			list = append(list, fmt.Sprintf("%d.%d", p+1, int32(i)-tr.Ptasks[p].FirstTask+1))
		}
	}
	return strings.Join(list, ",")
}

func (o *Writer) filter(args string) tea.Cmd {
	w := o.desk.Focused()
	tr, sem := w.Trace.Data, w.Sem
	return o.run(w.Trace, "filtering", args,
		func(ctx context.Context, src tools.Source, out string) (*tools.Result, error) {
			pass := nearby.FilterOf(tr, &sem)
			opt := tools.FilterOptions{States: true, Events: true, Comms: true, Event: pass.Events.Has}
			opt.Comm = func(i int) bool { return i < tr.Comms.Len() && pass.Comms.Has(i) }
			return tools.Filter(ctx, src, out, opt)
		})
}

func (o *Writer) shift(args string) tea.Cmd {
	word, path, _ := strings.Cut(args, " ")
	by, err := tools.ParseMoment(word)
	if err != nil {
		return o.sc.Refuse(err)
	}
	if path = strings.TrimSpace(path); path == "" {
		path = o.proposed("shift")()
	}
	w := o.desk.Focused()
	if w.Sem.Level.IsResource() {
		return o.sc.Refuse(errors.New("nodes and CPUs cannot be shifted in time: " + o.sc.KeysOf("level") +
			" goes to another level"))
	}
	object := 0
	if w.Sem.Level != prv.LevelWorkload {
		object = w.Object(w.CursorRow)
	}
	opt := tools.ShiftOptions{Times: make([]tools.Moment, w.Trace.Data.Count(w.Sem.Level)), Level: w.Sem.Level}
	opt.Times[object] = by
	return o.run(w.Trace, "shifting", path,
		func(ctx context.Context, src tools.Source, out string) (*tools.Result, error) {
			return tools.Shift(ctx, src, out, opt)
		})
}

func (o *Writer) save(args string) tea.Cmd {
	tr := o.desk.Focused().Trace.Data
	if o.desk.Focused().Trace.Until != 0 {
		return o.sc.Refuse(errors.New("the trace is still being read: it can be saved once complete"))
	}
	return o.run(o.desk.Focused().Trace, "writing", args,
		func(ctx context.Context, src tools.Source, out string) (*tools.Result, error) {
			if src.Path == "" {
				return nil, prv.Save(ctx, out, tr)
			}
			return nil, prv.Convert(ctx, out, tr)
		})
}
