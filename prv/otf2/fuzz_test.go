package otf2

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"pview/prv"
	"pview/prv/otf2/otf2test"
)

// seeds returns the fuzzer's first archives: small, with all kinds of records that have a meaning.
func seeds() []*otf2test.Archive {
	var list []*otf2test.Archive
	for _, big := range []bool{false, true} {
		a := twoRanks(big)
		d := a.LocalOf(0)
		d.Record(5, uint8(mapRegion), uint64(2), uint8(0), uint64(0), uint64(1))
		d.Record(5, uint8(mapComm), uint64(1), uint8(1), uint64(5), uint64(0))
		d.Record(6, otf2test.Fixed(0), int64(-100), 0.0)
		d.Record(6, otf2test.Fixed(1000), int64(200), 0.0)
		g := &a.Definitions
		g.Record(19, 0, 0, 0, uint8(1), uint8(0), uint8(4), uint8(1), int64(-3), 0)
		g.Record(19, 1, 0, 0, uint8(1), uint8(1), uint8(10), uint8(0), int64(2), 0)
		g.Record(20, 0, uint8(2), 0, 1, uint8(0), uint8(2))
		g.Record(21, 1, 0, uint64(0), uint8(0), uint64(0))
		g.Record(23, 0, 0, uint8(1))
		g.Record(24, 0, 0, 0)
		g.Record(34, 0, 0, 0, uint32(undefined))
		g.Record(34, 1, 1, 0, 0)
		g.Record(43, 9, 0, 1, 1, 0, 0)
		for region, role := range map[int]uint8{10: roleParallel, 11: roleCritical, 12: roleTask, 13: roleTaskCreate} {
			a.Region(region, 0, role, paradigmOpenMP)
		}
		f := a.At(0)
		f.Bare(10, evEnter, 0)
		f.Record(idAttribute, 2, 0, uint8(4), uint64(7), 1, uint8(10), 1.5)
		f.Bare(20, evEnter, 1)
		f.Event(21, evSend, 1, 5, 7, uint64(100))
		f.Bare(22, evIrecvRequest, uint64(1))
		f.Event(23, evIrecv, 1, 5, 7, uint64(100), uint64(1))
		f.Event(24, evCollectiveEnd, uint8(1), 5, 0, uint64(1), uint64(2))
		f.Event(24, evRmaPut, 0, 1, uint64(8), uint64(0))
		f.Bare(25, evLeave, 1)
		f.Event(26, evCollectiveBegin)
		f.Event(27, evCollectiveEnd, uint8(14), 5, 0, uint64(1), uint64(2))
		f.Event(28, evMetric, 0, uint8(2), uint8(4), uint64(5), uint8(10), uint64(1<<62))
		f.Event(29, evMetric, 1, uint8(2), uint8(4), uint64(9), uint8(10), uint64(1<<62))
		f.Event(30, evBufferFlush, otf2test.Fixed(35))
		f.Event(36, evMeasurement, uint8(2))
		f.Event(37, evMeasurement, uint8(1))
		for region := range 4 {
			f.Bare(40, evEnter, 10+region)
		}
		f.Event(41, evThreadFork, uint8(3), 2)
		f.Event(41, evTeamBegin, 0)
		f.Event(42, evAcquireLock, uint8(3), 1, 1)
		f.Event(43, evReleaseLock, uint8(3), 1, 1)
		f.Event(43, evTaskCreate, 0, 0, 1)
		f.Event(44, evTaskSwitch, 0, 0, 1)
		f.Event(45, evTaskComplete, 0, 0, 1)
		f.Event(46, evTeamEnd, 0)
		f.Event(50, evParameterString, 0, 1)
		f.Event(51, evContextSample, 1, 0, 0)
		f.Event(52, evContextEnter, 1, 0)
		f.Event(53, evContextLeave, 1)
		f.Event(54, evIOComplete, 0, uint64(10), uint64(0))
		f.Event(55, evCollectiveRequest, uint64(3))
		f.Event(56, evNonBlockingCollective, uint8(0), 5, 0, uint64(1), uint64(2), uint64(3))
		f.Event(57, 99, uint64(3))
		list = append(list, a)
	}
	return list
}

// FuzzOpen is check 6: any contents give a trace or an error, and take no more memory than the files justify.
func FuzzOpen(f *testing.F) {
	for _, a := range seeds() {
		f.Add(a.Anchor(), a.Definitions.Bytes(), a.LocalOf(0).Bytes(), a.At(0).Bytes())
	}
	f.Fuzz(func(t *testing.T, anchor, definitions, local, events []byte) {
		dir := t.TempDir()
		if err := os.Mkdir(filepath.Join(dir, "a"), 0o700); err != nil {
			t.Fatal(err)
		}
		files := map[string][]byte{"a.otf2": anchor, "a.def": definitions, "a/0.def": local, "a/0.evt": events}
		size := 0
		for name, data := range files {
			size += len(data)
			if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		tr, err := Open(context.Background(), filepath.Join(dir, "a.otf2"), false, prv.Watcher{})
		runtime.ReadMemStats(&after)
		if n := after.TotalAlloc - before.TotalAlloc; n > 1<<24+1000*uint64(size) {
			t.Errorf("%d bytes allocated for %d bytes of files", n, size)
		}
		if err != nil {
			return
		}
		for i := range tr.Threads {
			s, e := &tr.Threads[i].States, &tr.Threads[i].Events
			for k := 1; k < s.Len(); k++ {
				if s.Begin[k] != s.End[k-1] {
					t.Errorf("a state ends at %d, the next begins at %d", s.End[k-1], s.Begin[k])
				}
			}
			for k := 1; k < e.Len(); k++ {
				if e.Time[k] < e.Time[k-1] {
					t.Errorf("time goes back from %d to %d", e.Time[k-1], e.Time[k])
				}
			}
		}
	})
}
