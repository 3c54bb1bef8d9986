package sim

import (
	"math/rand/v2"
	"testing"

	"pview/prv/parallel"
)

// The table numbers keys as a map does: each once, in order of first use.
func TestChannelTable(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 4))
	table := channelTable{watch: parallel.NewWatch(t.Context())}
	numbers := map[channelKey]int32{}
	for range 100_000 {
		k := channelKey{tag: int64(rnd.IntN(3)), match: int64(rnd.IntN(5000)) - 1, from: int32(rnd.IntN(4)) - 1,
			to: int32(rnd.IntN(4))}
		want, ok := numbers[k]
		if !ok {
			want = int32(len(numbers))
			numbers[k] = want
		}
		if got := table.number(k); got != want {
			t.Fatalf("%+v is number %d, not %d", k, got, want)
		}
	}
}

// BenchmarkLink links a program of 64 tasks in a ring with 400,000 messages.
func BenchmarkLink(b *testing.B) {
	p := &Program{}
	p.AddPtask()
	const tasks = 64
	for range tasks {
		p.AddTask(1)
	}
	for match := range int64(400_000 / tasks) {
		for i := range int32(tasks) {
			p.Threads[i].AddMessage(Isend, Message{Peer: (i + 1) % tasks, Size: 8, Match: match})
			p.Threads[i].AddMessage(Recv, Message{Peer: (i + tasks - 1) % tasks, Match: match})
		}
	}
	b.ReportAllocs()
	for b.Loop() {
		if err := p.Link(); err != nil {
			b.Fatal(err)
		}
	}
}
