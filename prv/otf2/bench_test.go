package otf2

import (
	"context"
	"math/rand/v2"
	"os"
	"testing"

	"pview/prv"
	"pview/prv/otf2/otf2test"
)

// bigArchive writes an archive of ranks that exchange messages with their neighbours and read counters at each
// function: about 13 bytes per event, as in large archives of Score-P.
func bigArchive(t testing.TB, ranks, steps int) (path string, events, bytes int64) {
	t.Helper()
	a := otf2test.New(false)
	a.EventChunk = 1 << 20
	names := a.MPI(ranks, 4, 2_500_000_000, "work", "step", "MPI_Isend", "MPI_Irecv", "MPI_Waitall", "MPI_Allreduce",
		"PAPI_TOT_INS", "#")
	a.Region(0, names["step"], 1, 2)
	a.Region(1, names["work"], 1, 2)
	a.Region(2, names["MPI_Isend"], 28, 4)
	a.Region(3, names["MPI_Irecv"], 28, 4)
	a.Region(4, names["MPI_Waitall"], 28, 4)
	a.Region(5, names["MPI_Allreduce"], 25, 4)
	a.Definitions.Record(19, 0, names["PAPI_TOT_INS"], 0, uint8(1), uint8(0), uint8(4), uint8(1), int64(0), names["#"])
	a.Definitions.Record(20, 0, uint8(1), 0, uint8(0), uint8(2))
	for r := range ranks {
		f, rnd := a.At(uint64(r)), rand.New(rand.NewPCG(1, uint64(r)))
		now, count := uint64(1e15), uint64(0)
		tick := func() uint64 { now += 100 + rnd.Uint64N(5000); return now }
		for s := range steps {
			f.Bare(tick(), 12, 0)
			for range 10 {
				f.Bare(tick(), 12, 1)
				count += rnd.Uint64N(1 << 20)
				f.Event(tick(), 31, 0, uint8(1), uint8(4), count)
				f.Bare(now, 13, 1)
			}
			f.Bare(tick(), 12, 3)
			f.Bare(tick(), 17, uint64(s))
			f.Bare(tick(), 13, 3)
			f.Bare(tick(), 12, 2)
			f.Event(now, 15, (r+1)%ranks, 0, 7, uint64(8192), uint64(s)+1<<20)
			f.Bare(tick(), 13, 2)
			f.Bare(tick(), 12, 4)
			f.Bare(tick(), 16, uint64(s)+1<<20)
			f.Event(tick(), 19, (r+ranks-1)%ranks, 0, 7, uint64(8192), uint64(s))
			f.Bare(tick(), 13, 4)
			f.Bare(tick(), 12, 5)
			f.Event(now, 22)
			f.Event(tick(), 23, uint8(11), 0, uint32(undefined), uint64(8), uint64(8))
			f.Bare(now, 13, 5)
			f.Bare(tick(), 13, 0)
		}
		events += int64(steps) * 46
	}
	path = a.Write(t, t.TempDir())
	for r := range ranks {
		if info, err := os.Stat((&anchor{base: path[:len(path)-5]}).fileOf(uint64(r), ".evt")); err == nil {
			bytes += info.Size()
		}
	}
	return path, events, bytes
}

// BenchmarkOpen reports the time per event of opening an archive of 16 locations.
func BenchmarkOpen(b *testing.B) {
	path, events, bytes := bigArchive(b, 16, 2000)
	b.SetBytes(bytes)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Open(context.Background(), path, false, prv.Watcher{}); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(events)/float64(b.N), "ns/event")
}

// BenchmarkDecode reports the time per event of decoding events without using them, on one core.
func BenchmarkDecode(b *testing.B) {
	path, _, _ := bigArchive(b, 1, 20000)
	data, err := os.ReadFile(path[:len(path)-5] + "/0.evt")
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(data)))
	n := 0
	for b.Loop() {
		r, e := newReader(data, 1<<20, func(int, string, bool) {}), event{}
		if !r.open() {
			b.Fatal("no chunk")
		}
		for r.next(&e) {
			n++
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(n), "ns/event")
}
