package gpu

// What-if questions on a run with devices: what if some operations took another time?

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"pview/insight/report"
	"pview/prv"
	"pview/prv/extrae"
	"pview/prv/extrae/device"
	"pview/prv/quantity"
)

// Questions are the forms of --what-if.
var Questions = []struct{ Form, Doc string }{
	{"kernel=NAME:FACTOR", "kernels and copies of a short name take FACTOR times their time"},
	{"collectives:FACTOR", "transfers of collectives take FACTOR times their time"},
	{"messages:FACTOR", "transfers between two devices take FACTOR times their time"},
	{"as-others=TASK", "kernels of a task take the mean time of those of the same name in other tasks"},
}

// timing is a question: the time that an operation takes.
type timing func(o *operation, length int64) int64

// timingOf reads a question.
func (a *Analysis) timingOf(t *prv.Trace, text string) (timing, error) {
	if task, ok := strings.CutPrefix(text, "as-others="); ok {
		return a.asOthers(t, task)
	}
	what, number, ok := cutLast(text)
	factor, err := strconv.ParseFloat(number, 64)
	if !ok || err != nil || !(factor >= 0 && factor <= 1000) {
		return nil, fmt.Errorf("what-if %s: must end with a factor of 0 to 1000, such as :0.5", text)
	}
	var of func(o *operation) bool
	name, isKernel := strings.CutPrefix(what, "kernel=")
	switch {
	case isKernel:
		short := shortNames(t)
		of = func(o *operation) bool { return short(o) == name }
	case what == "collectives" || what == "messages":
		of = func(o *operation) bool { return a.between(o) == (what == "messages") && o.communicates() }
	default:
		return nil, fmt.Errorf("what-if %s: unknown; there are %s", text, Forms())
	}
	found := false
	for i := range a.Devices {
		found = found || slices.ContainsFunc(a.Devices[i].work, func(o operation) bool { return of(&o) })
	}
	if !found {
		return nil, fmt.Errorf("what-if %s: no operation of a device is that", text)
	}
	return func(o *operation, length int64) int64 {
		if of(o) {
			return int64(float64(length)*factor + 0.5)
		}
		return length
	}, nil
}

func cutLast(text string) (before, after string, ok bool) {
	i := strings.LastIndexByte(text, ':')
	if i < 0 {
		return text, "", false
	}
	return text[:i], text[i+1:], true
}

// Forms returns the forms of questions in one line.
func Forms() string {
	list := make([]string, len(Questions))
	for i, q := range Questions {
		list[i] = q.Form
	}
	return strings.Join(list, ", ")
}

// shortNames returns the short names of operations, cached.
func shortNames(t *prv.Trace) func(o *operation) string {
	type key struct {
		typ  uint32
		name int64
	}
	known := map[key]string{}
	return func(o *operation) string {
		k := key{o.typ, o.name}
		name, ok := known[k]
		if !ok && o.name != 0 {
			name = extrae.ShortName(t.Labels.ValueName(o.typ, o.name))
			known[k] = name
		}
		return name
	}
}

// communicates reports whether an operation is communication.
func (o *operation) communicates() bool {
	return o.state == device.Communicating || o.state == device.Exchanging
}

// between reports whether an operation is a message between two devices.
func (a *Analysis) between(o *operation) bool {
	if c := a.lastOf[part{o.thread, o.begin}]; c != nil {
		return device.BetweenTwo(c.Operation)
	}
	return o.state == device.Exchanging
}

// asOthers gives a task's kernels the mean time of other tasks' kernels.
func (a *Analysis) asOthers(t *prv.Trace, name string) (timing, error) {
	type sum struct{ time, count int64 }
	task, others, short := int32(-1), map[string]sum{}, shortNames(t)
	for i := range t.Tasks {
		if t.Name(prv.LevelTask, i) == name {
			task = int32(i)
		}
	}
	if task < 0 {
		return nil, fmt.Errorf("what-if as-others=%s: there is no task of this name", name)
	}
	for i := range a.Devices {
		for k := range a.Devices[i].work {
			if o := &a.Devices[i].work[k]; a.Devices[i].Task != task && o.state == device.Computing {
				s := others[short(o)]
				others[short(o)] = sum{s.time + o.end - o.begin, s.count + 1}
			}
		}
	}
	if len(others) == 0 {
		return nil, fmt.Errorf("what-if as-others=%s: no other task has kernels", name)
	}
	return func(o *operation, length int64) int64 {
		if s := others[short(o)]; t.ThreadTask[o.thread] == task && o.state == device.Computing && s.count > 0 {
			return s.time / s.count
		}
		return length
	}, nil
}

// Answer compares the run with its replay.
type Answer struct {
	Questions []string
	Was, Is   Outcome
}

// Ask replays a run with changes, all at once, and sets Answer.
func (a *Analysis) Ask(t *prv.Trace, questions []string) error {
	if err := a.canReplay(t); err != nil {
		return err
	}
	var changes []timing
	for _, q := range questions {
		c, err := a.timingOf(t, q)
		if err != nil {
			return err
		}
		changes = append(changes, c)
	}
	as := func(_ *operation, length int64) int64 { return length }
	a.Answer = &Answer{questions, a.replay(t, as), a.replay(t, func(o *operation, length int64) int64 {
		for _, c := range changes {
			length = c(o, length)
		}
		return length
	})}
	return nil
}

// table returns the answer.
func (w *Answer) table(unit prv.Unit) *report.Table {
	show := func(v any) string { return quantity.FormatDuration(v.(int64), unit) }
	out := &report.Table{Columns: []report.Column{{Key: "what_if", Title: "What if " + strings.Join(w.Questions, ", ")},
		{Key: "recorded", Title: "Recorded", Show: show}, {Key: "replayed", Title: "Replayed", Show: show},
		{Key: "shorter", Title: "Shorter by", Show: show}}}
	for _, row := range []struct {
		name    string
		was, is int64
	}{{"the whole run", w.Was.End, w.Is.End}, {"work of the devices, first begin to last end", w.Was.Elapsed,
		w.Is.Elapsed}, {"waits in matched collectives", w.Was.Wait, w.Is.Wait}} {
		out.Add(row.name, row.was, row.is, row.was-row.is)
	}
	return out
}

// blocks returns the answer in a table, and its reservations.
func (w *Answer) blocks(a *Analysis, t *prv.Trace) []report.Block {
	list := []report.Block{w.table(t.Unit)}
	say := func(format string, args ...any) {
		list = append(list, &report.Passage{Tone: report.Note, Text: fmt.Sprintf(format, args...)})
	}
	if n := w.Was.Guessed; n > 0 {
		say("operations that begin when one of another stream ends are taken to wait for it, as no waits for events "+
			"are recorded: %s", quantity.FormatCount(int64(n)))
	}
	if a.Alone > 0 {
		say("collectives with one recorded member keep their time, unless a factor changes it: %s",
			quantity.FormatCount(int64(a.Alone)))
	}
	return list
}

// object returns the answer for programs.
func (w *Answer) object(ns int64) report.Object {
	of := func(o Outcome) report.Object {
		return report.NewObject("end_ns", o.End*ns, "elapsed_ns", o.Elapsed*ns, "wait_ns", o.Wait*ns)
	}
	return report.NewObject("questions", w.Questions, "recorded", of(w.Was), "replayed", of(w.Is), "guessed",
		w.Was.Guessed)
}

// Changes returns changes to ask about: each kernel by its short name, the one with most time first, collectives and
// messages, and each task.
func (a *Analysis) Changes(t *prv.Trace) []string {
	times, short := map[string]int64{}, shortNames(t)
	kinds := map[string]bool{}
	for i := range a.Devices {
		for k := range a.Devices[i].work {
			o := &a.Devices[i].work[k]
			switch {
			case !o.communicates():
				times[short(o)] += o.end - o.begin
			case a.between(o):
				kinds["messages:0.5"] = true
			default:
				kinds["collectives:0.5"] = true
			}
		}
	}
	delete(times, "")
	list := slices.Sorted(maps.Keys(times))
	slices.SortStableFunc(list, func(x, y string) int { return cmp.Compare(times[y], times[x]) })
	for i := range list {
		list[i] = "kernel=" + list[i] + ":0.5"
	}
	list = append(list, slices.Sorted(maps.Keys(kinds))...)
	if len(t.Tasks) > 1 {
		for i := range t.Tasks {
			list = append(list, "as-others="+t.Name(prv.LevelTask, i))
		}
	}
	return list
}
