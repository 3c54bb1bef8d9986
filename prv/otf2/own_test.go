package otf2

// Small archives of our own, with results worked out by hand.

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pview/prv"
	"pview/prv/extrae"
	"pview/prv/extrae/device"
	"pview/prv/otf2/otf2test"
)

// opened opens an archive that was just made.
func opened(t testing.TB, a *otf2test.Archive) *prv.Trace {
	t.Helper()
	tr, err := Open(context.Background(), a.Write(t, t.TempDir()), false, prv.Watcher{})
	if err != nil {
		t.Fatal(err)
	}
	return tr
}

// eventsOf lists the events of a thread: "time type:value", those of a line together.
func eventsOf(t *prv.Trace, thread int) (list []string) {
	e := &t.Threads[thread].Events
	for i := range e.Len() {
		pair := fmt.Sprintf("%d:%d", e.Type[i], e.Value.At(i))
		if e.Lines.Has(i) {
			list = append(list, fmt.Sprintf("%d %s", e.Time[i], pair))
		} else {
			list[len(list)-1] += " " + pair
		}
	}
	return list
}

// statesOf lists the states of a thread: "begin-end:value".
func statesOf(t *prv.Trace, thread int) (list []string) {
	s := &t.Threads[thread].States
	for i := range s.Begin {
		list = append(list, fmt.Sprintf("%d-%d:%d", s.Begin[i], s.End[i], s.Value[i]))
	}
	return list
}

func expect(t *testing.T, what string, got []string, want ...string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s:\n%s\nwant\n%s", what, strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// twoRanks has ranks 0 and 1, each on its own node, with regions main 0, MPI_Send 1, MPI_Recv 2, MPI_Irecv 3, MPI_Wait
// 4, MPI_Bcast 5. A tick is a nanosecond.
func twoRanks(big bool) *otf2test.Archive {
	a := otf2test.New(big)
	names := a.MPI(2, 1, 1_000_000_000, "main", "MPI_Send", "MPI_Recv", "MPI_Irecv", "MPI_Wait", "MPI_Bcast")
	for id, name := range []string{"main", "MPI_Send", "MPI_Recv", "MPI_Irecv", "MPI_Wait", "MPI_Bcast"} {
		a.Region(id, names[name], 1, map[bool]uint8{true: 2, false: 4}[id == 0])
	}
	return a
}

// Rank 0 sends in a call from 10 to 14. Rank 1 posts a receive in a call from 5 to 6, and waits from 8 to 20. The
// logical send is at 10, the physical one at 14; the logical receive at 6, when the posting call returns, the physical
// one at 20.
func TestMessage(t *testing.T) {
	for _, big := range []bool{false, true} {
		a := twoRanks(big)
		s, r := a.At(0), a.At(1)
		s.Bare(2, evEnter, 0)
		s.Bare(10, evEnter, 1)
		s.Event(11, evSend, 1, 0, 7, uint64(4096))
		s.Bare(14, evLeave, 1)
		s.Bare(30, evLeave, 0)
		r.Bare(2, evEnter, 0)
		r.Bare(5, evEnter, 3)
		r.Bare(5, evIrecvRequest, uint64(1)<<40)
		r.Bare(6, evLeave, 3)
		r.Bare(8, evEnter, 4)
		r.Event(19, evIrecv, 0, 0, 7, uint64(4096), uint64(1)<<40)
		r.Bare(20, evLeave, 4)
		r.Bare(30, evLeave, 0)
		tr := opened(t, a)
		c := &tr.Comms
		if c.Len() != 1 || c.Size[0] != 4096 || c.Tag[0] != 7 || c.Send[0] != 0 || c.Recv[0] != 1 ||
			[4]int64{c.Times[0][0], c.Times[1][0], c.Times[2][0], c.Times[3][0]} != [4]int64{10, 14, 6, 20} {
			t.Errorf("messages %+v", c)
		}
		expect(t, "sender", eventsOf(tr, 0), "2 60000019:1", "10 50000001:1", "14 50000001:0", "30 60000019:0")
		expect(t, "its states", statesOf(tr, 0), "0-2:2", "2-10:1", "10-14:4", "14-30:1")
		expect(t, "states of the receiver", statesOf(tr, 1), "0-2:2", "2-5:1", "5-6:11", "6-8:1", "8-20:8", "20-30:1")
		if got := tr.Name(prv.LevelTask, 1); got != "MPI Rank 1" {
			t.Errorf("task %q", got)
		}
		if got := tr.Name(prv.LevelThread, 1); got != "Master thread 1.0" {
			t.Errorf("thread %q", got)
		}
		if got, _ := tr.Labels.Type(extrae.UserFunction); got.Values[1].Label != "main" {
			t.Errorf("functions %v", got.Values)
		}
	}
}

// The bytes of a collective operation are on the line of its begin, although its end comes after other events, such as
// the parameter within the call. The counter read at the time of the call is there, too.
func TestCollectiveLine(t *testing.T) {
	a := twoRanks(false)
	a.Definitions.Record(19, 0, 0, 0, uint8(1), uint8(0), uint8(4), uint8(1), int64(0), 0) // accumulated
	a.Definitions.Record(20, 0, uint8(1), 0, uint8(0), uint8(2))
	a.Definitions.Record(23, 0, 0, uint8(1))
	f := a.At(0)
	f.Event(5, evMetric, 0, uint8(1), uint8(4), uint64(100)) // the first reading makes no event
	f.Event(10, evMetric, 0, uint8(1), uint8(4), uint64(350))
	f.Bare(10, evEnter, 5)
	f.Event(10, evCollectiveBegin)
	f.Event(12, evParameterInt, 0, int64(-3))
	f.Event(14, evCollectiveEnd, uint8(1), 0, 0, uint64(64), uint64(0))
	f.Bare(15, evLeave, 5)
	tr := opened(t, a)
	expect(t, "rank 0", eventsOf(tr, 0), "10 50000002:7 44900000:250 50100001:64 50100002:0 50100003:1 50100004:1",
		"12 79110000:-3", "15 50000002:0")
}

// Leaves that are missing or do not match: within main (2..40) MPI_Send, entered at 10, has no leave; a leave of
// MPI_Recv has no enter.
func TestStack(t *testing.T) {
	a := twoRanks(false)
	f := a.At(0)
	f.Bare(2, evEnter, 0)
	f.Bare(10, evEnter, 1)
	f.Bare(20, evLeave, 2)
	f.Bare(40, evLeave, 0)
	f.Bare(50, evEnter, 0)
	f.Bare(60, evEnter, 99) // not defined; open at the end
	tr := opened(t, a)
	expect(t, "events", eventsOf(tr, 0), "2 60000019:1", "10 50000001:1", "40 50000001:0", "40 60000019:0",
		"50 60000019:1", "60 60000019:2", "60 60000019:0", "60 60000019:0")
	expect(t, "states", statesOf(tr, 0), "0-2:2", "2-10:1", "10-40:4", "40-60:1")
	said := fmt.Sprint(tr.Notes)
	for _, want := range []string{"1 leave of a region that was not entered", "1 region without a leave",
		"1 region that no definition names"} {
		if !strings.Contains(said, want) {
			t.Errorf("%s: no %q", said, want)
		}
	}
	if got := tr.Labels.ValueName(extrae.UserFunction, 2); got != "region 99" {
		t.Errorf("%q", got)
	}
}

// The local table of location 1, a sparse one, maps its region 0 to "7". Its clock is 100 behind at 0 and 200 at 1000:
// 500 becomes 500 + 100 + 0.1 * 500 = 650.
func TestLocalDefinitions(t *testing.T) {
	a := twoRanks(false)
	d := a.LocalOf(1)
	d.Record(5, uint8(mapRegion), uint64(1), uint8(1), uint64(7), uint64(0))
	d.Record(6, otf2test.Fixed(0), int64(100), 0.0)
	d.Record(6, otf2test.Fixed(1000), int64(200), 0.0)
	a.LocalOf(0).Record(6, otf2test.Fixed(0), int64(100), 0.0) // one offset corrects nothing
	a.At(0).Bare(0, evEnter, 0)
	a.At(0).Bare(900, evLeave, 0)
	a.At(1).Bare(500, evEnter, 7)
	a.At(1).Bare(700, evLeave, 7)
	tr := opened(t, a)
	expect(t, "corrected", eventsOf(tr, 1), "650 60000019:1", "870 60000019:0")
	expect(t, "not corrected", eventsOf(tr, 0), "0 60000019:1", "900 60000019:0")
}

// Times of 2^62 ticks at 3 GHz keep their nanoseconds: 3 ticks are 1 ns, 4 are 1.33, 5 are 1.67.
func TestTimes(t *testing.T) {
	a := &archive{definitions: &definitions{resolution: 3_000_000_000}, zero: 1 << 62}
	for ticks, want := range map[int64]int64{0: 0, 3: 1, 4: 1, 5: 2, 3_000_000_001: 1_000_000_000, -5: 0} {
		if got := a.ns(1<<62 + ticks); got != want {
			t.Errorf("%d ticks are %d ns, want %d", ticks, got, want)
		}
	}
	a.resolution = 1
	for _, ticks := range []int64{math.MaxInt64, 1<<62 + 18_446_744_074} { // and just above 2^64 ns
		if got := a.ns(ticks); got != math.MaxInt64 {
			t.Errorf("%d ticks are %d", ticks, got)
		}
	}
}

// Part 2: the first byte of a number is its length; FF stands for all ones.
func TestNumbers(t *testing.T) {
	for _, n := range []struct {
		bytes []byte
		most  int
		big   bool
		want  uint64
		fault bool
	}{
		{[]byte{0}, 4, false, 0, false}, {[]byte{1, 5}, 4, false, 5, false}, {[]byte{1, 200}, 8, false, 200, false},
		{[]byte{2, 0xe8, 3}, 4, false, 1000, false}, {[]byte{2, 3, 0xe8}, 4, true, 1000, false},
		{[]byte{4, 1, 0, 0, 0}, 4, false, 1, false}, {[]byte{0xff}, 4, false, math.MaxUint32, false},
		{[]byte{0xff}, 8, false, math.MaxUint64, false}, {[]byte{5, 1, 2, 3, 4, 5}, 4, false, 0, true},
		{[]byte{9}, 8, false, 0, true}, {[]byte{3, 1, 2}, 8, false, 0, true}, {nil, 8, false, 0, true},
	} {
		for _, behind := range []int{0, 16} { // at the end of the file, and before it
			data := append(slices.Clone(n.bytes), make([]byte, behind)...)
			c := &cursor{data: data, end: len(n.bytes), big: n.big}
			got := c.number(n.most)
			if fault := c.fault != "" || c.pos > c.end; fault != n.fault || !fault && (got != n.want || c.pos != c.end) {
				t.Errorf("%v: %d, %q at %d, want %d", n.bytes, got, c.fault, c.pos, n.want)
			}
		}
	}
}

// Two threads of OpenMP: the first opens a region 10..50, whose team works 12..45 and waits at a barrier from 40; the
// other one is idle outside of the team.
func TestTeams(t *testing.T) {
	a := otf2test.New(false)
	names := a.MPI(1, 1, 1_000_000_000, "parallel @a.c:5", "barrier @a.c:9", "worker", "main")
	a.Definitions.Record(14, uint64(100), names["worker"], uint8(1), uint64(0), 0)
	a.Region(0, names["parallel @a.c:5"], roleParallel, paradigmOpenMP)
	a.Region(1, names["barrier @a.c:9"], roleImplicitBarrier, paradigmOpenMP)
	f, w := a.At(0), a.At(100)
	f.Bare(10, evEnter, 0)
	f.Event(10, evThreadFork, uint8(3), 2)
	f.Event(12, evTeamBegin, 9)
	f.Bare(40, evEnter, 1)
	f.Bare(45, evLeave, 1)
	f.Event(45, evTeamEnd, 9)
	f.Event(48, evThreadJoin, uint8(3))
	f.Bare(50, evLeave, 0)
	w.Event(5, 63, uint32(undefined), uint64(0))
	w.Event(14, evTeamBegin, 9)
	w.Event(44, evTeamEnd, 9)
	w.Event(60, 65, uint32(undefined), uint64(0))
	tr := opened(t, a)
	expect(t, "master", eventsOf(tr, 0), "10 60000001:3", "12 60000018:1", "40 60000005:1", "45 60000005:0",
		"45 60000018:0", "50 60000001:0")
	expect(t, "its states", statesOf(tr, 0), "0-10:2", "10-12:7", "12-40:1", "40-45:5", "45-50:7", "50-60:2")
	expect(t, "worker", eventsOf(tr, 1), "14 60000018:1", "44 60000018:0")
	expect(t, "its states", statesOf(tr, 1), "0-5:2", "5-14:0", "14-44:1", "44-60:0")
	if got := tr.Labels.ValueName(extrae.OpenMPOutlined, 1); got != "parallel @a.c:5" {
		t.Errorf("%q", got)
	}
}

// An archive opens by its folder and by the folder of its events; errors on its other files name the one to open.
func TestPlaces(t *testing.T) {
	a := twoRanks(false)
	a.At(0).Bare(1, evEnter, 0)
	path := a.Write(t, t.TempDir())
	dir := filepath.Dir(path)
	for _, place := range []string{path, dir, filepath.Join(dir, "traces")} {
		if tr, err := Open(context.Background(), place, false, prv.Watcher{}); err != nil || tr.Path != path {
			t.Errorf("%s: %v", place, err)
		}
	}
	for _, part := range []string{"traces.def", "traces/0.evt"} {
		_, err := Open(context.Background(), filepath.Join(dir, part), false, prv.Watcher{})
		if err == nil || !strings.Contains(err.Error(), "is a part of an OTF2 archive: open "+path) {
			t.Errorf("%s: %v", part, err)
		}
	}
	// Events of more than one chunk, read with progress, and a cancelled reading.
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Open(ctx, path, false, prv.Watcher{}); err != context.Canceled {
		t.Errorf("cancelled: %v", err)
	}
	var last [2]int64
	info, err := os.Stat(filepath.Join(dir, "traces", "0.evt"))
	if err != nil {
		t.Fatal(err)
	}
	w := prv.Watcher{Progress: func(done, total int64) { last = [2]int64{done, total} }}
	if _, err := Open(context.Background(), path, false, w); err != nil || last != [2]int64{info.Size(), info.Size()} {
		t.Errorf("progress %v of %d: %v", last, info.Size(), err)
	}
}

// Chunks: the same events in many small chunks make the same trace; a fault loses only the rest of its chunk.
func TestChunks(t *testing.T) {
	make2 := func(chunk uint64) *otf2test.Archive {
		a := twoRanks(false)
		a.EventChunk = chunk
		f := a.At(0)
		for i := range uint64(100) {
			f.Bare(10*i, evEnter, 0)
			f.Bare(10*i+5, evLeave, 0)
		}
		return a
	}
	want, got := opened(t, make2(1<<20)), opened(t, make2(256))
	got.Path = want.Path
	if err := prv.Equal(want, got); err != nil {
		t.Error(err)
	}
	path := make2(256).Write(t, t.TempDir())
	file := strings.TrimSuffix(path, Extension) + "/0.evt"
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	lost := 0
	data[256+chunkHeader+9] = 99 // the id of the first event of the second chunk: its length is beyond the chunk
	data[256+chunkHeader+10] = 250
	if err := os.WriteFile(file, data, 0o600); err != nil {
		t.Fatal(err)
	}
	tr, err := Open(context.Background(), path, false, prv.Watcher{})
	if err != nil {
		t.Fatal(err)
	}
	lost = want.Threads[0].Events.Len() - tr.Threads[0].Events.Len()
	// A chunk of 256 bytes has room for (256 - 18 - 1) / (9 + 3) = 19 events of 12 bytes with their timestamps; the
	// writer keeps 64 bytes free.
	if lost < 10 || lost > 20 || len(tr.Notes) == 0 || !strings.Contains(tr.Notes[0].Text, "bad record 99 at offset 283") {
		t.Errorf("%d events lost, notes %v", lost, tr.Notes)
	}
}

// A stream runs a kernel from 10 to 20, a copy from 20 to 25 and a collective from 30 to 40, with the states and types
// that streams of other formats have. The region main, on the stream from 50 to 60 and on the host from 0 to 70, stays
// a function. The host's library calls, from 2 to 5 and, waiting, from 5 to 9, are not computation.
func TestStreams(t *testing.T) {
	a := otf2test.New(false)
	texts := []string{"main", "gemm(float*)", "hipMemcpyHtoD", "ncclDevKernel_AllReduce", "hipMalloc",
		"hipStreamSynchronize", "HIP[0:7]"}
	names := a.MPI(1, 1, 1_000_000_000, texts...)
	for id, name := range texts[:6] {
		paradigm := uint8(paradigmHIP)
		if id == 0 {
			paradigm = paradigmUser
		}
		a.Region(id, names[name], roleFunction, paradigm)
	}
	a.Definitions.Record(14, uint64(1), names["HIP[0:7]"], uint8(accelerator), uint64(0), 0)
	a.At(0).Bare(0, evEnter, 0)
	a.At(0).Bare(2, evEnter, 4)
	a.At(0).Bare(5, evLeave, 4)
	a.At(0).Bare(5, evEnter, 5)
	a.At(0).Bare(9, evLeave, 5)
	a.At(0).Bare(70, evLeave, 0)
	f := a.At(1)
	for _, s := range [][3]int{{1, 10, 20}, {2, 20, 25}, {3, 30, 40}, {0, 50, 60}} {
		f.Bare(uint64(s[1]), evEnter, s[0])
		f.Bare(uint64(s[2]), evLeave, s[0])
	}
	tr := opened(t, a)
	expect(t, "host", eventsOf(tr, 0), "0 60000019:1", "2 63000000:1", "5 63000000:0", "5 63000000:2", "9 63000000:0",
		"70 60000019:0")
	expect(t, "states of the host", statesOf(tr, 0), "0-2:1", "2-5:15", "5-9:5", "9-70:1")
	expect(t, "stream", eventsOf(tr, 1), "10 63000006:1", "20 63000006:0", "20 63000001:1", "25 63000001:0",
		"30 63000007:1", "40 63000007:0", "50 63000006:2", "60 63000006:0")
	expect(t, "states", statesOf(tr, 1), "0-10:2", "10-20:1", "20-25:17", "25-30:0", "30-40:13", "40-50:0", "50-60:1",
		"60-70:2")
	for typ, want := range map[uint32]string{device.Kernel: "gemm(float*)", device.Memory: "hipMemcpyHtoD",
		device.Collective: "ncclDevKernel_AllReduce", extrae.UserFunction: "main",
		device.Call: "hipMalloc"} {
		if got := tr.Labels.ValueName(typ, 1); got != want {
			t.Errorf("%d is %q", typ, got)
		}
	}
	if s, ok := device.StreamOf(tr, 1); !ok || s != (device.Stream{Kind: "HIP", Device: 0, Number: 7}) {
		t.Errorf("stream %v", s)
	}
}
