package tui

import (
	"strings"
	"testing"

	"pview/prv/prvtest"
)

// A trace of which only the first lines were there, and then all of them: what was shown stays until the
// new values are known, what shows all goes on to show all, and tables are counted anew.
func TestRevise(t *testing.T) {
	lines := strings.SplitAfter(prvtest.TraceA, "\n")
	part := strings.Replace(strings.Join(lines[:8], ""), "):100:", "):50:", 1) // header and 7 records, the last at 30 to 50
	d := onTrace(t, 80, 24, part)
	m, w := d.m, d.m.window()
	if w.end != 50 {
		t.Fatalf("the window ends at %d", w.end)
	}
	old := w.values.series[0]
	if old == nil || old.Len() != 2 {
		t.Fatalf("of thread 1 the part has the states 1 and 3: %v", old)
	}
	cmd := m.revise(w.trace, traceOf(t, prvtest.TraceA))
	if w.end != 100 || w.begin != 0 {
		t.Errorf("the window showed all and shows %d to %d of 100", w.begin, w.end)
	}
	m.ask(w)
	if w.seriesOf(0) != old {
		t.Error("the values before are not shown until the new ones are there")
	}
	d.run(cmd)
	d.send(nil)
	// Trace A, thread 1: states 1 until 30, 3 until 50, 1 until 90.
	s := w.seriesOf(0)
	if s == old || s.Len() < 3 || w.values.before != nil {
		t.Errorf("after the revision: %v, before %v", s, w.values.before)
	}
	if begin, end, v := s.Burst(s.At(60)); begin != 50 || end != 90 || v != 1 {
		t.Errorf("the burst at 60: %d to %d, %g", begin, end, v)
	}
	want := int64(0)
	for _, s := range w.values.series {
		want += s.Bytes()
	}
	if got := m.cache.Bytes(); got != want {
		t.Errorf("the cache has %d bytes, the rows shown %d: the old ones are still there", got, want)
	}
}
