package store

import (
	"math/rand/v2"
	"pview/prv/model"
	"slices"
	"testing"
)

// laneOf makes the records of a lane from bytes, three for each record, and columns of the right lengths for them.
// Columns lie one behind the other, so that what is stored behind the end of one spoils another.
func laneOf(data []byte) (l *lanes, states, events [laneThreads]int) {
	l = newLanes(laneThreads, &blocks{free: []block{make(block, blockNumbers)}}) // more than one is rarely needed
	time := int64(0)
	for ; len(data) >= 3; data = data[3:] {
		thread, kind := int32(data[0]), data[1]
		time += int64(data[2]) << (kind & 31)
		if kind&3 == 0 {
			l.state(thread, time, time+int64(kind)<<24, uint32(data[2])<<24)
			states[thread]++
			continue
		}
		pairs := make([]uint32, 2*(1+int(data[2]%12)))
		if kind == 255 {
			pairs = make([]uint32, 2*mostEvents+2*int(data[2]))
		}
		for i := range pairs {
			pairs[i] = uint32(i)<<24 | uint32(data[1])<<16 | uint32(data[2])
		}
		l.longLine(thread, time, pairs)
		events[thread] += len(pairs) / 2
	}
	return l, states, events
}

// laneThreadsOf makes threads with such numbers of rows.
func laneThreadsOf(states, events *[laneThreads]int) (threads []model.Thread) {
	rows := 0
	for i := range states {
		rows += states[i] + events[i]
	}
	whole, numbers := make([]int64, 2*rows), make([]uint32, rows)
	column := func(n int) (c []int64) {
		c, whole = whole[:n:n], whole[n:]
		return c
	}
	values := func(n int) (c []uint32) {
		c, numbers = numbers[:n:n], numbers[n:]
		return c
	}
	threads = make([]model.Thread, laneThreads)
	for i := range threads {
		s, e := states[i], events[i]
		threads[i].States = model.States{Begin: column(s), End: column(s), Value: values(s)}
		threads[i].Events = model.Events{Time: column(e), Value: column(e), Type: values(e), Lines: model.NewBits(e)}
	}
	return threads
}

// samePut compares what assembly and plain Go store of the same records.
func samePut(t *testing.T, data []byte) {
	t.Helper()
	l, states, events := laneOf(data)
	put := func(how func(c *laneColumns, b []uint32)) []model.Thread {
		threads := laneThreadsOf(&states, &events)
		var c laneColumns
		for i := range threads {
			c.set(i, &threads[i])
		}
		for _, b := range append(slices.Clone(l.list[0].full), l.list[0].last) {
			how(&c, b)
		}
		for i := range threads {
			if c.states[i].next != states[i] || c.events[i].next != events[i] {
				t.Fatalf("thread %d: %d of %d states, %d of %d events", i, c.states[i].next, states[i],
					c.events[i].next, events[i])
			}
		}
		return threads
	}
	want, got := put((*laneColumns).putPlain), put((*laneColumns).put)
	for i := range want {
		w, g := &want[i], &got[i]
		if !slices.Equal(w.States.Begin, g.States.Begin) || !slices.Equal(w.States.End, g.States.End) ||
			!slices.Equal(w.States.Value, g.States.Value) {
			t.Fatalf("states of thread %d: %v, in plain Go %v", i, g.States, w.States)
		}
		if !slices.Equal(w.Events.Time, g.Events.Time) || !slices.Equal(w.Events.Value, g.Events.Value) ||
			!slices.Equal(w.Events.Type, g.Events.Type) ||
			!slices.Equal(w.Events.Lines, g.Events.Lines) {
			t.Fatalf("events of thread %d: %v, in plain Go %v", i, g.Events, w.Events)
		}
	}
}

// randomLane returns bytes of which laneOf makes records of so many threads.
func randomLane(rng *rand.Rand, records, threads int) []byte {
	data := make([]byte, 3*records)
	for i := range data {
		data[i] = byte(rng.Uint32())
		if i%3 == 0 {
			data[i] %= byte(threads)
		}
	}
	return data
}

// A block is stored alike by assembly and in plain Go, with columns of any length, full blocks and records of all
// lengths.
func TestPutRecords(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	for records := range 200 {
		samePut(t, randomLane(rng, records, 1+records%7))
	}
	samePut(t, randomLane(rng, 20_000, 255))
	samePut(t, []byte{0, 0, 1, 0, 255, 7, 1, 255, 0, 0, 1, 8, 255, 4, 255})
}

// A record for which a column has no room is not stored, nor is what comes behind it: the counts of a lane would be
// wrong.
func TestPutStopsAtFullColumns(t *testing.T) {
	for _, short := range []func(states, events *[laneThreads]int){
		func(states, _ *[laneThreads]int) { states[3]-- },
		func(_, events *[laneThreads]int) { events[3]-- },
	} {
		l, states, events := laneOf([]byte{3, 0, 1, 3, 1, 5, 4, 1, 2})
		short(&states, &events)
		threads := laneThreadsOf(&states, &events)
		var c laneColumns
		for i := range threads {
			c.set(i, &threads[i])
		}
		func() {
			defer func() {
				if recover() == nil {
					t.Error("the record was stored")
				}
			}()
			c.put(l.list[0].last)
		}()
		if e := threads[4].Events; e.Time[0] != 0 || e.Type[1] != 0 {
			t.Errorf("a later record was stored: %v", e)
		}
	}
}

// FuzzPut stores any records by assembly and in plain Go.
func FuzzPut(f *testing.F) {
	f.Add([]byte{0, 0, 1, 0, 255, 7, 1, 255, 0, 0, 1, 8, 255, 4, 255})
	f.Add(randomLane(rand.New(rand.NewPCG(13, 14)), 300, 3))
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) <= 1<<10 {
			samePut(t, data)
		}
	})
}
