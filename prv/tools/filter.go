package tools

// The filter keeps some of the records.

import (
	"context"
	"io"
	"slices"
	"strconv"
	"strings"

	"pview/prv"
)

// FilterOptions select the records that Filter keeps. Comments are kept.
type FilterOptions struct {
	States, Events, Comms bool // keep records of this kind

	// StateNames are the states that are kept, by the names of the .pcf or by number; nil: all.
	StateNames   []string
	MinStateTime Moment // minimum duration of a kept state

	// Types select the events that are kept or, with DiscardTypes, dropped; nil: all are kept.
	// The pairs of a line of events are treated individually.
	Types        []TypeRule
	DiscardTypes bool

	// MinCallTime is the minimum duration of calls whose opening and closing events are kept, for all of Types; rules
	// may have their own. An event with a value opens a call, the next one with value 0 closes it; a call that is open
	// at the end of the trace ends there.
	MinCallTime Moment

	MinSize int64 // minimum size of a kept message, in bytes

	// Event and Comm, if set, must accept an event, and a communication (by its number in prv.Trace.Comms), that passes
	// the other options. Event is called from several goroutines.
	Event func(typ uint32, value int64) bool
	Comm  func(i int) bool

	// AsParaver reproduces a bug of current Paraver: the minimum time of calls is ignored.
	AsParaver bool
}

// Filter writes the records that pass to out.
func Filter(ctx context.Context, src Source, out string, opt FilterOptions) (*Result, error) {
	f := &recordFilter{FilterOptions: opt}
	return run(ctx, src, out, nil, func(j *job, w io.Writer) error {
		if err := f.begin(j); err != nil {
			return err
		}
		if err := j.writeHeader(w, j.text.Header); err != nil {
			return err
		}
		if f.Comm != nil || f.calls != nil { // messages or the events of calls are counted
			return j.inOrder(j.text, w, f.chunk, nil)
		}
		return j.each(j.text, w, func() stage { return f.chunk })
	})
}

// recordFilter is a running filter.
type recordFilter struct {
	FilterOptions
	states  map[uint32]bool // kept states; nil: all
	minTime int64
	comms   int // messages so far, if they are counted

	rules []TypeRule // of Types, with the minimum time of calls in the trace's unit
	calls *callTimes // nil if calls may have any duration
}

// begin finds the states by their names.
func (f *recordFilter) begin(j *job) error {
	f.minTime = f.MinStateTime.At(j.text.Unit, j.text.End)
	if err := f.beginCalls(j); err != nil {
		return err
	}
	if !f.States || f.StateNames == nil {
		return nil
	}
	var unknown []string
	f.states = make(map[uint32]bool)
	for _, name := range f.StateNames {
		if n, err := strconv.ParseUint(name, 10, 32); err == nil {
			f.states[uint32(n)] = true
			continue
		}
		found := false
		for _, s := range stateLabels(j.labels) {
			if strings.EqualFold(s.Label, name) {
				f.states[uint32(s.Value)] = true
				found = true
			}
		}
		if !found {
			unknown = append(unknown, name)
		}
	}
	if len(f.states) == 0 {
		return optionf("none of the trace's states is called %s", strings.Join(unknown, " or "))
	}
	if len(unknown) > 0 {
		j.result.Notes = append(j.result.Notes, "no state of the trace is called "+strings.Join(unknown, " or "))
	}
	return nil
}

// beginCalls finds the calls that last long enough, in a separate pass over the text.
func (f *recordFilter) beginCalls(j *job) error {
	least := f.MinCallTime.At(j.text.Unit, j.text.End)
	f.rules = slices.Clone(f.Types)
	wanted := false
	for i := range f.rules {
		r := &f.rules[i]
		r.MinCallTime = max(r.MinCallTime, least)
		wanted = wanted || r.MinCallTime > 0
	}
	switch {
	case !wanted && least > 0:
		return optionf("a minimum time of calls is for certain types of events, and none are given")
	case !wanted || !f.Events:
		return nil
	case f.DiscardTypes:
		return optionf("a minimum time of calls is for events that are kept, and these are to be left out")
	case f.AsParaver:
		j.result.Notes = append(j.result.Notes, "the minimum time of calls is not applied, as in Paraver")
		return nil
	}
	first := &job{ctx: j.ctx, src: j.src}
	closeText, err := first.open()
	if err != nil {
		return err
	}
	defer closeText()
	f.calls = &callTimes{rules: f.rules, open: make([]map[uint32][]openCall, j.text.NumThreads())}
	if err := first.inOrder(first.text, io.Discard, f.calls.chunk, nil); err != nil {
		return err
	}
	f.calls.finish()
	return nil
}

// stateLabels returns the states that have a name.
func stateLabels(l *prv.Labels) []prv.ValueLabel {
	if len(l.States) == 0 {
		return prv.DefaultStates
	}
	return l.States
}

// chunk returns the filter's stage.
func (f *recordFilter) chunk(lines *prv.Lines, out []byte) (_ []byte, records int64, err error) {
	for lines.Next() {
		l := &lines.Line
		keep := true
		switch l.Kind {
		case prv.StateLine:
			keep = f.keepsState(l)
		case prv.CommLine:
			keep = f.keepsComm(l)
		case prv.EventLine:
			if !f.Events {
				continue
			}
			if f.Types != nil || f.Event != nil {
				before := len(out)
				if out = f.events(l, out); len(out) > before {
					records++
				}
				continue
			}
		default:
			out = append(append(out, l.Text...), '\n')
			continue
		}
		if keep {
			out = append(append(out, l.Text...), '\n')
			records++
		}
	}
	return out, records, nil
}

func (f *recordFilter) keepsState(l *prv.Line) bool {
	if !f.States || f.states != nil && !f.states[l.State] {
		return false
	}
	end := l.Times[1]
	return end == prv.NoEnd || end-l.Times[0] >= f.minTime
}

func (f *recordFilter) keepsComm(l *prv.Line) bool {
	if f.Comm != nil {
		f.comms++
		if !f.Comm(f.comms - 1) {
			return false
		}
	}
	return f.Comms && l.Size >= f.MinSize
}

// events appends the pairs of an event line that pass, if any.
func (f *recordFilter) events(l *prv.Line, out []byte) []byte {
	head := l.Text[:l.Pairs[0].Begin-1]
	begun := false
	for _, p := range l.Pairs {
		if f.calls != nil && !f.calls.keeps(p.Type) {
			continue
		}
		if f.Types != nil && picked(f.rules, p.Type, p.Value) == f.DiscardTypes {
			continue
		}
		if f.Event != nil && !f.Event(p.Type, p.Value) {
			continue
		}
		if !begun {
			out, begun = append(out, head...), true
		}
		out = append(append(out, ':'), l.Text[p.Begin:p.End]...)
	}
	if begun {
		out = append(out, '\n')
	}
	return out
}
