package store

import (
	"math/rand/v2"
	"pview/prv/model"
	"slices"
	"testing"
)

// stripeOf makes the records of a stripe from bytes, three for each record, and returns the expected rows of its
// threads. Columns are adjacent, so that a row stored past the end of one spoils another.
func stripeOf(data []byte) (l *stripes, want []model.Thread) {
	l = newStripes(stripeThreads, &blocks{free: []block{make(block, blockNumbers)}}) // one block is usually enough
	want = make([]model.Thread, stripeThreads)
	time := int64(0)
	for ; len(data) >= 3; data = data[3:] {
		thread, kind := int32(data[0]), data[1]
		th := &want[thread]
		time += int64(data[2]) << (kind & 31)
		if kind&3 == 0 {
			end := time + int64(kind)<<24
			l.state(thread, time, end, uint32(data[2])<<24)
			s := &th.States
			s.Begin, s.End, s.Value = append(s.Begin, time), append(s.End, end), append(s.Value, uint32(data[2])<<24)
			continue
		}
		pairs := make([]uint32, 2*(1+int(data[2]%12)))
		if kind == 255 {
			pairs = make([]uint32, 2*mostEvents+2*int(data[2]))
		}
		e := &th.Events
		for 64*len(e.Lines) < e.Len()+len(pairs) {
			e.Lines = append(e.Lines, 0)
		}
		e.Lines.Set(e.Len())
		for i := range pairs {
			pairs[i] = uint32(i)<<24 | uint32(data[1])<<16 | uint32(data[2])
			if i%2 == 0 {
				e.Time, e.Type = append(e.Time, time), append(e.Type, pairs[i])
			} else {
				e.Value.Small = append(e.Value.Small, pairs[i])
			}
		}
		l.longLine(thread, time, pairs)
	}
	return l, want
}

// stripeThreadsLike makes threads with the same numbers of rows as the given ones.
func stripeThreadsLike(others []model.Thread) (threads []model.Thread) {
	rows := 0
	for i := range others {
		rows += others[i].States.Len() + others[i].Events.Len()
	}
	whole, numbers := make([]int64, 2*rows), make([]uint32, 2*rows)
	column := func(n int) (c []int64) {
		c, whole = whole[:n:n], whole[n:]
		return c
	}
	values := func(n int) (c []uint32) {
		c, numbers = numbers[:n:n], numbers[n:]
		return c
	}
	threads = make([]model.Thread, stripeThreads)
	for i := range threads {
		s, e := others[i].States.Len(), others[i].Events.Len()
		threads[i].States = model.States{Begin: column(s), End: column(s), Value: values(s)}
		threads[i].Events = model.Events{Time: column(e), Value: model.Values{Small: values(e)}, Type: values(e),
			Lines: model.NewBits(e)}
	}
	return threads
}

// checkPut compares the stored rows of records with the expected ones.
func checkPut(t *testing.T, data []byte) {
	t.Helper()
	l, want := stripeOf(data)
	got := stripeThreadsLike(want)
	var c stripeColumns
	for i := range got {
		c.set(i, &got[i])
	}
	for _, b := range append(slices.Clone(l.list[0].full), l.list[0].last) {
		c.put(b)
	}
	for i := range want {
		w, g := &want[i], &got[i]
		if c.states[i].next != w.States.Len() || c.events[i].next != w.Events.Len() {
			t.Fatalf("thread %d: %d of %d states, %d of %d events", i, c.states[i].next, w.States.Len(),
				c.events[i].next, w.Events.Len())
		}
		if !slices.Equal(w.States.Begin, g.States.Begin) || !slices.Equal(w.States.End, g.States.End) ||
			!slices.Equal(w.States.Value, g.States.Value) {
			t.Fatalf("states of thread %d: %v, want %v", i, g.States, w.States)
		}
		if !slices.Equal(w.Events.Time, g.Events.Time) || !slices.Equal(w.Events.Value.Small, g.Events.Value.Small) ||
			!slices.Equal(w.Events.Type, g.Events.Type) {
			t.Fatalf("events of thread %d: %v, want %v", i, g.Events, w.Events)
		}
		for k := range w.Events.Len() {
			if w.Events.Lines.Has(k) != g.Events.Lines.Has(k) {
				t.Fatalf("event %d of thread %d: first of a line: %v", k, i, g.Events.Lines.Has(k))
			}
		}
	}
}

// randomStripe returns bytes from which stripeOf makes records of n threads.
func randomStripe(rng *rand.Rand, records, threads int) []byte {
	data := make([]byte, 3*records)
	for i := range data {
		data[i] = byte(rng.Uint32())
		if i%3 == 0 {
			data[i] %= byte(threads)
		}
	}
	return data
}

// Records of all lengths reach columns of any length, from one block or several.
func TestPutRecords(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	for records := range 200 {
		checkPut(t, randomStripe(rng, records, 1+records%7))
	}
	checkPut(t, randomStripe(rng, 20_000, 255))
	checkPut(t, []byte{0, 0, 1, 0, 255, 7, 1, 255, 0, 0, 1, 8, 255, 4, 255})
}

// A record that does not fit its column is not stored, nor is any after it: the stripe's counts must be wrong.
func TestPutStopsAtFullColumns(t *testing.T) {
	for _, short := range []func(th *model.Thread){
		func(th *model.Thread) { th.States.Begin = th.States.Begin[1:] },
		func(th *model.Thread) { th.Events.Time, th.Events.Type = th.Events.Time[1:], th.Events.Type[1:] },
	} {
		l, want := stripeOf([]byte{3, 0, 1, 3, 1, 5, 4, 1, 2})
		short(&want[3])
		threads := stripeThreadsLike(want)
		var c stripeColumns
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

// FuzzPut stores random records.
func FuzzPut(f *testing.F) {
	f.Add([]byte{0, 0, 1, 0, 255, 7, 1, 255, 0, 0, 1, 8, 255, 4, 255})
	f.Add(randomStripe(rand.New(rand.NewPCG(13, 14)), 300, 3))
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) <= 1<<10 {
			checkPut(t, data)
		}
	})
}
