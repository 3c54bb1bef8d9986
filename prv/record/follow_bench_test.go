package record

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"
)

// A growingRun is a ring: each rank sends to the next one and receives from the previous one. Calls take 100 ns and
// follow one another.
type growingRun struct {
	ranks []*threadFile
	at    int64
	late  bool // each round receives one message of the previous round
	comms bool // each tenth pair of calls has its own communicator
	round int32
}

// start begins the files of the first ranks of a run.
func (g *growingRun) start(t testing.TB, dir string, ranks, size int) {
	g.at = 2000
	for rank := range ranks {
		w := newFile(t, dir, rank, size)
		w.init(rank, size)
		g.ranks = append(g.ranks, w)
	}
}

// grow adds a round of calls.
func (g *growingRun) grow(calls int) {
	g.round++
	for rank, w := range g.ranks {
		n := len(g.ranks)
		right, left, comm, at := int32((rank+1)%n), int32((rank+n-1)%n), int32(0), g.at
		if g.late {
			if g.round > 1 {
				w.put(rec{kind: callRecv, flags: flagRecv, begin: at, end: at + 5, peer: left, tag: g.round - 1,
					recvd: 8})
			}
			w.put(rec{kind: callSend, flags: flagSend, begin: at + 10, end: at + 15, peer: right, tag: g.round,
				bytes: 8})
		}
		for i := range calls / 2 {
			at += 200
			if g.comms && i%10 == 0 {
				comm = g.round*int32(calls) + int32(i)
				w.put(rec{kind: kindComm, comm: comm, peer: int32(rank), bytes: int64(n)},
					rec{kind: kindMembers, begin: 1 << 32, end: 2 | 3<<32}) // ranks 0 to 3
			}
			w.put(rec{kind: callSend, flags: flagSend, begin: at, end: at + 90, comm: comm, peer: right, bytes: 8},
				rec{kind: callRecv, flags: flagRecv, begin: at + 100, end: at + 190, comm: comm, peer: left, recvd: 8})
		}
	}
	g.at += 100*int64(calls) + 200
}

// BenchmarkFollow reads a run of 4 ranks after each round of 500 new calls per rank, from 25,000 to 200,000 calls each.
// The median time excludes the rare steps in which the trace's columns are moved.
func BenchmarkFollow(b *testing.B) {
	const ranks, rounds, calls = 4, 50, 500
	for _, run := range []struct {
		name string
		growingRun
	}{{"ring", growingRun{}}, {"late", growingRun{late: true}}, {"comms", growingRun{comms: true}}} {
		for _, times := range []int{1, 2, 4, 8} {
			b.Run(fmt.Sprintf("%s/%dx", run.name, times), func(b *testing.B) {
				dir, g := b.TempDir(), run.growingRun
				g.start(b, dir, ranks, ranks)
				for range times * rounds {
					g.grow(calls)
				}
				f := Follow(dir)
				defer f.Close()
				read := func() time.Duration {
					begin := time.Now()
					if growth, err := f.Read(context.Background(), nil); err != nil || growth.Trace == nil {
						b.Fatal(growth, err)
					}
					return time.Since(begin)
				}
				read()
				var took []time.Duration
				for b.Loop() {
					b.StopTimer()
					g.grow(calls)
					b.StartTimer()
					took = append(took, read())
				}
				slices.Sort(took)
				b.ReportMetric(float64(took[len(took)/2].Microseconds()), "median-us/read")
			})
		}
	}
}
