package stat

import (
	"runtime"
	"testing"
)

// TestRoom: the memory estimated before a histogram is computed bounds the memory of the result, whichever dimension is
// the large one.
func TestRoom(t *testing.T) {
	tr := read(t, traceA)
	const n = 100_000
	for what, change := range map[string]func(h *Histogram){
		"columns": func(h *Histogram) { h.Columns = Scale{Max: n, Delta: 1} },
		"planes":  func(h *Histogram) { h.Third, h.Planes = h.Control, Scale{Max: n, Delta: 1} },
	} {
		var before, after runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		table := compute(t, tr, vary(states("Time"), change))
		runtime.GC()
		runtime.ReadMemStats(&after)
		said, took := table.all.job.frameBytes(), int64(after.HeapAlloc)-int64(before.HeapAlloc)
		t.Logf("%s: %d MB said, %d MB taken", what, said>>20, took>>20)
		if took > said || took < said/8 {
			t.Errorf("%d %s: said to take %d bytes, but took %d", n, what, said, took)
		}
		runtime.KeepAlive(table)
	}
}
