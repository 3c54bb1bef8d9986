package tui

import (
	"strings"
	"sync"
	"testing"

	tea "charm.land/bubbletea/v2"

	"pview/prv/prvtest"
	"pview/render/timeline"
)

// A trace that had only its first lines when it was opened, and then has all of them: the picture stays until the new
// values are known, a view of the whole still shows the whole, and tables are recounted.
func TestRevise(t *testing.T) {
	lines := strings.SplitAfter(prvtest.TraceA, "\n")
	// header and 7 records, the last at 30 to 50
	part := strings.Replace(strings.Join(lines[:8], ""), "):100:", "):50:", 1)
	d := onTrace(t, 80, 24, part)
	m, w := d.m, d.m.Focused()
	if w.End != 50 {
		t.Fatalf("the window ends at %d", w.End)
	}
	old := w.Values.Series[0]
	if old == nil || old.Len() != 2 {
		t.Fatalf("of thread 1 the part has the states 1 and 3: %v", old)
	}
	cmd := m.revise(w.Trace, traceOf(t, prvtest.TraceA))
	if w.End != 100 || w.Begin != 0 {
		t.Errorf("the window showed all and shows %d to %d of 100", w.Begin, w.End)
	}
	w.Ask(m.resources())
	if w.SeriesOf(0) != old {
		t.Error("the values before are not shown until the new ones are there")
	}
	d.run(cmd)
	d.send(nil)
	// Trace A, thread 1: states 1 until 30, 3 until 50, 1 until 90.
	s := w.SeriesOf(0)
	if s == old || s.Len() < 3 || w.Values.Before != nil {
		t.Errorf("after the revision: %v, before %v", s, w.Values.Before)
	}
	if begin, end, v := s.Burst(s.At(60)); begin != 50 || end != 90 || v != 1 {
		t.Errorf("the burst at 60: %d to %d, %g", begin, end, v)
	}
	want := int64(0)
	for _, s := range w.Values.Series {
		want += s.Bytes()
	}
	if got := m.cache.Bytes(); got != want {
		t.Errorf("the cache has %d bytes, the rows shown %d: the old ones are still there", got, want)
	}
}

// Windows on another trace with the same time axis keep it.
func TestReviseOneOfAGroup(t *testing.T) {
	d := onTrace(t, 80, 24, strings.Replace(prvtest.TraceB, "):40:", "):35:", 1)) // its last record ends at 40
	m := d.m
	first := m.Focused()
	other := timeline.NewTrace(99, traceOf(t, prvtest.TraceB))
	m.Traces = append(m.Traces, other)
	m.AddWindow(m.NewWindow(other))
	second := m.Focused()
	if first.Group != second.Group || first.End != 40 || second.End != 40 {
		t.Fatalf("two windows of a group: %d and %d", first.End, second.End)
	}
	d.run(m.revise(first.Trace, traceOf(t, strings.Replace(prvtest.TraceB, "):40:", "):60:", 1))))
	if first.End != 60 || second.End != 60 || second.Begin != 0 {
		t.Errorf("one trace is 60 long now, windows end at %d and %d", first.End, second.End)
	}
}

// background runs commands in the background, and returns their answers when all have ended.
func background(cmds ...tea.Cmd) func() []tea.Msg {
	var wg sync.WaitGroup
	var lock sync.Mutex
	var list []tea.Msg
	var start func(tea.Cmd)
	start = func(cmd tea.Cmd) {
		if cmd == nil {
			return
		}
		wg.Go(func() {
			msg := cmd()
			if batch, ok := msg.(tea.BatchMsg); ok {
				for _, c := range batch {
					start(c)
				}
				return
			}
			lock.Lock()
			defer lock.Unlock()
			list = append(list, msg)
		})
	}
	for _, cmd := range cmds {
		start(cmd)
	}
	return func() []tea.Msg {
		wg.Wait()
		return list
	}
}

// Every action runs while the trace in focus becomes shorter, or keeps its length: jobs read the trace that they
// started with, for the race detector, and their results arrive once there is another one.
func TestJobsWhileTheTraceIsRevised(t *testing.T) {
	d := onRings(t)
	long, short := traceOf(t, ring(8)), traceOf(t, ring(3))
	for _, part := range d.uses() {
		for _, u := range part {
			for _, p := range d.m.panes.list {
				if p.Title() == u.action.Group {
					d.show(p, true)
				}
			}
			_, opens := d.m.Update(nil)
			does := d.m.palette.Perform(u.action, "", u.args)
			_, more := d.m.Update(nil)
			d.m.View()
			found := background(opens, does, more)
			var next tea.Cmd
			if w := d.m.Focused(); w != nil {
				to := short
				if w.Trace.Data.Duration == short.Duration {
					to = long
				}
				next = d.m.revise(w.Trace, to)
			}
			_, then := d.m.Update(nil)
			d.m.View()
			for _, msg := range found() {
				d.send(msg)
			}
			d.run(tea.Batch(next, then))
			d.send(nil)
		}
		d.restart()
		d.timers = nil
	}
}

// A trace is rewritten with fewer records while they are listed: the list of the previous trace stays until the new
// records are found. It keeps that trace in memory only while it is visible.
func TestRecordsOfAFormerRevision(t *testing.T) {
	lines := strings.SplitAfter(prvtest.TraceA, "\n")
	part := strings.Replace(strings.Join(lines[:8], ""), "):100:", "):50:", 1)
	d := onTrace(t, 100, 30, prvtest.TraceA)
	d.press("0", "enter")
	d.sees("until")
	before := len(d.what().Records())
	next := d.m.revise(d.m.Traces[0], traceOf(t, part))
	_, search := d.m.Update(nil) // not carried out yet
	d.m.View()
	if n := len(d.what().Records()); n != before {
		t.Errorf("%d records, before %d", n, before)
	}
	if r, ok := d.what().Chosen(); ok {
		t.Errorf("record %+v of the trace before is chosen", r)
	}
	d.run(next)
	d.run(search)
	d.m.View()
	if n := len(d.what().Records()); n == 0 || n >= before {
		t.Errorf("%d records, before %d", n, before)
	}
	d.m.panes.open = false
	d.run(d.m.revise(d.m.Traces[0], traceOf(t, prvtest.TraceA)))
	d.send(nil)
	if n := len(d.what().Records()); n != 0 {
		t.Errorf("%d records are kept", n)
	}
}
