package waits

import (
	"context"
	"runtime"
	"testing"
	"unsafe"

	"pview/prv/prvtest"
	"pview/prv/synth"
)

// Check 40: a wait takes below 100 bytes beyond the trace; besides, by section 4.4, 16 bytes for each region that
// explains it and 16 for each change of region, as recorded and without waits. What calls, messages and operations take
// is known as well, and all of it together stays in memory.
func TestBytesOfAWait(t *testing.T) {
	if n := unsafe.Sizeof(Wait{}) + unsafe.Sizeof(shareRange{}); n >= 100 {
		t.Errorf("a wait takes %d bytes", n)
	}
	if n := unsafe.Sizeof(shareItem{}); n > 16 {
		t.Errorf("a region of a wait takes %d bytes", n)
	}
	prvtest.Long(t)
	for _, pattern := range []string{"ring", "stencil", "pipeline", "collective", "master-worker"} {
		g, err := synth.New(synth.Options{Pattern: pattern, Tasks: 64, Iterations: 200})
		if err != nil {
			t.Fatal(err)
		}
		tr, err := g.Trace(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		before := live()
		r, err := Analyze(context.Background(), tr, Options{})
		if err != nil {
			t.Fatal(err)
		}
		after := live()
		known := 100*len(r.Waits) + 16*len(r.items) + 12*tr.Comms.Len() + 48*len(r.parts) +
			int(unsafe.Sizeof(Instance{}))*len(r.Instances) + int(unsafe.Sizeof(Delay{}))*len(r.Delays)
		for i := range r.lanes {
			l := &r.lanes[i]
			known += 24*l.calls.len() + 16*(l.changes.len()+l.profile.len()) + 8*len(l.profile.totals) +
				int(unsafe.Sizeof(groupCall{}))*len(l.groups) + 1<<10
		}
		if after-before > known*11/10 {
			t.Errorf("%s: %d bytes for %d waits, %d are known", pattern, after-before, len(r.Waits), known)
		}
		t.Logf("%s: %d waits, %d bytes each, of %d known", pattern, len(r.Waits), (after-before)/len(r.Waits),
			known/len(r.Waits))
		runtime.KeepAlive(r)
		runtime.KeepAlive(tr)
	}
}

// live returns the memory in use.
func live() int {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return int(m.HeapAlloc)
}
