package criticalpath

import (
	"context"
	"fmt"
	"testing"

	"pview/insight/runtest"
	"pview/prv"
	"pview/prv/extrae"
)

// A thread's changes of block, the last of each time, and its collective calls with communicator and root.
func TestReader(t *testing.T) {
	const block, call, root, comm = 60000019, extrae.MPICollective, extrae.CollectiveRoot, extrae.CollectiveComm
	type line struct {
		time  int64
		pairs []prv.Pair
	}
	for _, c := range []struct {
		name           string
		lines          []line
		changes, calls string
	}{
		{"blocks", []line{{10, []prv.Pair{{Type: block, Value: 1}}}, {10, []prv.Pair{{Type: block, Value: 2}}},
			{12, []prv.Pair{{Type: 42000050, Value: 9}}}, {15, []prv.Pair{{Type: block}}},
			{18, []prv.Pair{{Type: block}}}, {20, []prv.Pair{{Type: block}}}},
			"10=2 15=1 18=0 20=0 ", ""},
		{"a call in a block", []line{{10, []prv.Pair{{Type: block, Value: 1}}},
			{20, []prv.Pair{{Type: call, Value: 8}}},
			{30, []prv.Pair{{Type: call}}}, {40, []prv.Pair{{Type: block}}}},
			"10=1 20=8 30=1 40=0 ", "20..30 value 8 comm 0 root false, "},
		{"a block that ends in a call", []line{{10, []prv.Pair{{Type: block, Value: 1}}},
			{20, []prv.Pair{{Type: extrae.MPIPointToPoint, Value: 4}}}, {25, []prv.Pair{{Type: block}}},
			{30, []prv.Pair{{Type: extrae.MPIPointToPoint}}}},
			"10=1 20=4 25=4 30=0 ", ""},
		{"fields", []line{{10, []prv.Pair{{Type: call, Value: 7}, {Type: root, Value: 1}, {Type: comm, Value: 3}}},
			{15, []prv.Pair{{Type: call}}},
			{20, []prv.Pair{{Type: comm, Value: 4}, {Type: root}, {Type: call, Value: 7}}},
			{25, []prv.Pair{{Type: call}}},
			{30, []prv.Pair{{Type: call, Value: 10}, {Type: extrae.CollectiveSent, Value: 64}}},
			{35, []prv.Pair{{Type: call}}},
			{40, []prv.Pair{{Type: call, Value: 8}}}, {45, []prv.Pair{{Type: comm, Value: 9}}},
			{50, []prv.Pair{{Type: call}}}},
			"10=7 15=0 20=7 25=0 30=10 35=0 40=8 50=0 ",
			"10..15 value 7 comm 3 root true, 20..25 value 7 comm 4 root false, " +
				"30..35 value 10 comm 1 root false, 40..50 value 8 comm 0 root false, "},
		{"one in another", []line{{5, []prv.Pair{{Type: call}}}, {10, []prv.Pair{{Type: call, Value: 7}}},
			{20, []prv.Pair{{Type: call, Value: 8}}}, {30, []prv.Pair{{Type: call}}}, {40, []prv.Pair{{Type: call}}}},
			"5=0 10=7 20=8 30=7 40=0 ", "10..40 value 7 comm 0 root false, 20..30 value 8 comm 0 root false, "},
	} {
		b := runtest.Tasks(1)
		for _, l := range c.lines {
			b.Event(0, 0, l.time, l.pairs...)
		}
		r := reader{e: &runtest.Build(t, b).Threads[0].Events, blocks: []uint32{block}}
		if err := r.run(context.Background()); err != nil {
			t.Fatal(err)
		}
		changes, calls := "", ""
		for _, at := range r.changes {
			changes += fmt.Sprintf("%d=%d ", at.time, at.value)
		}
		for _, one := range r.calls {
			calls += fmt.Sprintf("%d..%d value %d comm %d root %v, ", one.begin, one.end, one.value, one.comm, one.root)
		}
		if changes != c.changes || calls != c.calls {
			t.Errorf("%s: changes %s, calls %s", c.name, changes, calls)
		}
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		if err := r.run(ctx); err != context.Canceled {
			t.Errorf("%s, canceled: %v", c.name, err)
		}
	}
}
