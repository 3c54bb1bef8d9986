package sim

import (
	"fmt"
	"testing"
)

// play executes the steps of all tasks of an operation: a message carries what its sender has when its step begins. It
// returns the final contributions of each task, one bit each, the bytes sent, and the longest chain of messages.
func play(t *testing.T, steps [][]exchange) (has []uint, bytes int64, rounds int) {
	t.Helper()
	n := len(steps)
	type message struct {
		contents uint
		round    int
	}
	mail := map[[2]int][]message{}
	at, posted, round := make([]int, n), make([]bool, n), make([]int, n)
	for i := range n {
		has = append(has, 1<<i)
	}
	for moved := true; moved; {
		moved = false
		for i := range n {
			if at[i] == len(steps[i]) {
				continue
			}
			e := steps[i][at[i]]
			if !posted[i] {
				for _, p := range e.to {
					mail[[2]int{i, p.peer}] = append(mail[[2]int{i, p.peer}], message{has[i], round[i] + 1})
					bytes += p.size
				}
				posted[i], moved = true, true
			}
			ready := true
			for _, from := range e.from {
				ready = ready && len(mail[[2]int{from, i}]) > 0
			}
			if ready {
				for _, from := range e.from {
					m := mail[[2]int{from, i}][0]
					mail[[2]int{from, i}] = mail[[2]int{from, i}][1:]
					has[i], round[i] = has[i]|m.contents, max(round[i], m.round)
				}
				at[i], posted[i], moved = at[i]+1, false, true
				rounds = max(rounds, round[i])
			}
		}
	}
	for i := range n {
		if at[i] < len(steps[i]) {
			t.Errorf("task %d waits in step %d for ever", i, at[i])
		}
	}
	for way, list := range mail {
		if len(list) > 0 {
			t.Errorf("%d messages from %d to %d are not received", len(list), way[0], way[1])
		}
	}
	return has, bytes, rounds
}

// stepsOf returns the steps of all n tasks, each of which sends the given bytes.
func stepsOf(name string, op CollectiveOp, n, root int, size func(i int) int64, sizes []int64) (steps [][]exchange) {
	k, _ := AlgorithmByName(name, op)
	o := &operation{root: root}
	for i := range n {
		o.calls = append(o.calls, &memberCall{&CollectiveCall{Op: op, Sent: size(i)}, sizes})
	}
	for i := range n {
		steps = append(steps, Algorithms[k].steps(&situation{o: o, n: n, own: i, op: op, barrier: 4}))
	}
	return steps
}

// Every algorithm delivers, for any number of tasks and any root, what its operation promises: the root's part to all,
// all parts to the root, all to all, or to each task those of the previous ones.
func TestAlgorithmsDeliver(t *testing.T) {
	for _, a := range Algorithms {
		for op := opBarrier; op <= opAlltoallw; op++ {
			if !a.takes(op) {
				continue
			}
			for n := 1; n <= 9; n++ {
				for root := range n {
					name := fmt.Sprintf("%s of %s, %d tasks, root %d", a.Name, Collectives[op], n, root)
					has, _, _ := play(t, stepsOf(a.Name, op, n, root, func(int) int64 { return 64 }, nil))
					for i, got := range has {
						want := uint(1)<<n - 1
						switch op {
						case opBcast, opScatter, opScatterv:
							want = 1 << root
						case opGather, opGatherv, OpReduce:
							if i != root {
								want = 0
							}
						case opScan:
							want = uint(1)<<(i+1) - 1
						}
						if got&want != want {
							t.Errorf("%s: task %d has %b, want %b", name, i, got, want)
						}
					}
					if t.Failed() {
						return
					}
				}
			}
		}
	}
}

// The bytes that all tasks together send and the longest chain of messages: 100 bytes per task, 100 i of task i where
// the parts differ; a barrier has messages of 4.
func TestAlgorithmCosts(t *testing.T) {
	same := func(int) int64 { return 100 }
	rising := func(i int) int64 { return 100 * int64(i) }
	for _, c := range []struct {
		name   string
		op     CollectiveOp
		n      int
		root   int
		size   func(int) int64
		sizes  []int64
		bytes  int64
		rounds int
	}{
		{"direct", opBarrier, 4, 0, same, nil, 4 * 3 * 4, 1},
		{"direct", opBcast, 4, 2, rising, nil, 3 * 200, 1},
		{"direct", opScatter, 4, 2, rising, nil, 3 * 200, 1},
		{"direct", opScatterv, 4, 2, rising, nil, 3 * 200 / 4, 1},
		{"direct", opScatterv, 4, 2, rising, []int64{1, 20, 300, 4000}, 4021, 1},
		{"direct", opGather, 4, 2, rising, nil, 0 + 100 + 300, 1},
		{"direct", opGatherv, 4, 3, rising, nil, 0 + 100 + 200, 1},
		{"direct", OpReduce, 4, 0, rising, nil, 100 + 200 + 300, 1},
		{"direct", opAllreduce, 4, 0, same, nil, 2 * 300, 2},
		{"direct", opReduceScatter, 4, 0, same, nil, 300 + 3*25, 2},
		{"direct", opReduceScatterBlock, 4, 0, same, []int64{1, 20, 300, 4000}, 300 + 4320, 2},
		{"direct", opScan, 4, 0, rising, nil, 3*0 + 2*100 + 200, 1},
		{"direct", opAlltoall, 3, 0, rising, nil, 2 * (0 + 100 + 200), 1},
		{"direct", opAlltoallv, 3, 0, same, []int64{1, 20, 300}, 2 * 321, 1},
		{"direct", opAlltoallw, 4, 0, same, nil, 4 * 3 * 25, 1},
		{"binomial", opBcast, 8, 3, same, nil, 700, 3},
		{"binomial", OpReduce, 8, 3, same, nil, 700, 3},
		// Subtrees of 8: one of 4, two of 2, four of 1. Of 6: 4 has 2, 2 has 2, the others 1.
		{"binomial", opGather, 8, 3, same, nil, 400 + 2*200 + 4*100, 3},
		{"binomial", opScatter, 6, 5, same, nil, 2*200 + 3*100, 2},
		{"binomial", opAllreduce, 8, 0, same, nil, 1400, 6},
		{"recursive-doubling", opAllreduce, 8, 0, same, nil, 3 * 800, 3},
		{"recursive-doubling", opAllreduce, 6, 0, same, nil, 2*400 + 4*100, 3}, // 4 and 5 through 0 and 1
		{"recursive-doubling", opAllgather, 8, 0, same, nil, 8 * (100 + 200 + 400), 3},
		// 0 and 1 have two parts each: blocks of 2 have 4 parts, and 2. In the end 600 bytes go to 4 and 5.
		{"recursive-doubling", opAllgather, 6, 0, same, nil, 200 + (2*200 + 2*100) + (2*400 + 2*200) + 1200, 3},
		{"dissemination", opBarrier, 5, 0, same, nil, 3 * 5 * 4, 3},
		{"dissemination", opAllgather, 5, 0, same, nil, 5 * (100 + 200 + 100), 3},
		{"ring", opAllgather, 5, 0, same, nil, 4 * 500, 4},
		{"ring", opReduceScatter, 3, 0, same, nil, 2 * 3 * 34, 2}, // a third of 100, rounded up
		{"ring", opAllreduce, 3, 0, same, nil, 4 * 3 * 34, 4},
		{"rabenseifner", opAllreduce, 8, 0, func(int) int64 { return 800 }, nil, 2 * 8 * (400 + 200 + 100), 6},
		{"rabenseifner", opAllreduce, 5, 0, func(int) int64 { return 800 }, nil, 2*800 + 2*4*(400+200), 6},
		{"pairwise", opAlltoall, 5, 0, same, nil, 5 * 4 * 100, 1},
		{"pairwise", opAlltoallv, 3, 0, same, []int64{1, 20, 300}, 2 * 321, 1},
	} {
		_, bytes, rounds := play(t, stepsOf(c.name, c.op, c.n, c.root, c.size, c.sizes))
		if c.name == "pairwise" { // partners wait for each other, but pass nothing on
			rounds = 1
		}
		if bytes != c.bytes || rounds != c.rounds {
			t.Errorf("%s of %s, %d tasks: %d bytes, chain of %d, want %d, %d", c.name, Collectives[c.op], c.n, bytes,
				rounds, c.bytes, c.rounds)
		}
	}
	if _, ok := AlgorithmByName("ring", opBcast); ok {
		t.Error("a broadcast goes around a ring")
	}
}

// In a binomial tree the largest subtree is served first, and comes in last.
func TestBinomialOrder(t *testing.T) {
	same := func(int) int64 { return 1 }
	for i, s := range stepsOf("binomial", opBcast, 8, 0, same, nil)[0][0].to {
		if want := 8 >> (i + 1); s.peer != want {
			t.Errorf("message %d of the root goes to %d, want %d", i, s.peer, want)
		}
	}
	for i, s := range stepsOf("binomial", OpReduce, 8, 0, same, nil)[0] {
		if len(s.from) != 1 || s.from[0] != 1<<i {
			t.Errorf("message %d to the root is of %v, want %d", i, s.from, 1<<i)
		}
	}
}
