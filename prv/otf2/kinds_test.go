package otf2

// Events of every kind that a trace shows; the expected results are worked out by hand.

import (
	"fmt"
	"strings"
	"testing"

	"pview/prv/extrae"
	"pview/prv/otf2/otf2test"
)

// oneRank has rank 0, with a region for each name, of the given role and paradigm.
func oneRank(names []string, roles, paradigms []uint8) (*otf2test.Archive, map[string]int) {
	a := otf2test.New(false)
	number := a.MPI(1, 1, 1_000_000_000, append(names, "count", "fast", "slow", "phase")...)
	for id, name := range names {
		a.Region(id, number[name], roles[id], paradigms[id])
	}
	return a, number
}

// Tracing is off from 20 to 30, within main; the tracer writes its buffer from 40 to 45. The parameter phase is slow,
// fast, slow; the parameter count is 7.
func TestTracer(t *testing.T) {
	a, number := oneRank([]string{"main"}, []uint8{roleFunction}, []uint8{paradigmUser})
	a.Definitions.Record(23, 5, number["count"], uint8(2))
	a.Definitions.Record(23, 6, number["phase"], uint8(0))
	f := a.At(0)
	f.Bare(10, evEnter, 0)
	f.Event(12, evParameterUnsigned, 5, uint64(7))
	f.Event(13, evParameterString, 6, number["slow"])
	f.Event(14, evParameterString, 6, number["fast"])
	f.Event(15, evParameterString, 6, number["slow"])
	f.Event(16, evParameterInt, 9, int64(1)) // not defined
	f.Event(20, evMeasurement, uint8(2))
	f.Event(30, evMeasurement, uint8(1))
	f.Event(40, evBufferFlush, otf2test.Fixed(45))
	f.Bare(50, evLeave, 0)
	tr := opened(t, a)
	expect(t, "events", eventsOf(tr, 0), "10 60000019:1", "12 79110000:7", "13 79110001:1", "14 79110001:2",
		"15 79110001:1", "20 40000012:0", "30 40000012:1", "40 40000003:1", "45 40000003:0", "50 60000019:0")
	expect(t, "states", statesOf(tr, 0), "0-10:2", "10-20:1", "20-30:14", "30-40:1", "40-45:15", "45-50:1")
	if got := tr.Labels.ValueName(79110001, 1) + " " + tr.Labels.ValueName(79110001, 2); got != "slow fast" {
		t.Errorf("values %q", got)
	}
	if got, _ := tr.Labels.Type(79110000); got.Label != "count" {
		t.Errorf("type %q", got.Label)
	}
	expect(t, "remarks", tr.Comments, "#OTF2: 1 events ParameterInt are not shown")
}

// A put of 64 bytes to rank 1 of the window's communicator, which is rank 0 of the world. A get outside of a call, from
// an undefined window, keeps the rank in its record. A file operation adds its bytes to the call around it; without one
// it is a separate line.
func TestAccesses(t *testing.T) {
	a := otf2test.New(false)
	names := a.MPI(2, 1, 1_000_000_000, "MPI_Put", "write", "pair")
	a.Region(0, names["MPI_Put"], roleRMA, paradigmMPI)
	a.Region(1, names["write"], roleFileIO, 20)
	members := a.Definitions.Number(a.Definitions.Number(nil, 1, undefined), 0, undefined)
	a.Definitions.Record(18, 4, names["pair"], uint8(0), 2, members, uint8(5), uint8(4), 0)
	a.Definitions.Record(22, 3, names["pair"], 4, uint32(undefined))
	a.Definitions.Record(24, 8, names["pair"], 3)
	a.Definitions.Record(24, 7, names["pair"], 0)
	f := a.At(0)
	f.Event(5, evRmaGet, 7, 0, uint64(16), uint64(0)) // of the world, to itself
	f.Event(6, evRmaGet, 7, 9, uint64(16), uint64(0)) // the world has no rank 9
	f.Bare(10, evEnter, 0)
	f.Event(11, evRmaPut, 8, 0, uint64(64), uint64(1))
	f.Bare(15, evLeave, 0)
	f.Event(20, evRmaGet, 9, 1, uint64(32), uint64(2))
	f.Bare(30, evEnter, 1)
	f.Event(31, evIOBegin, 0, uint8(1), uint8(0), uint64(500), uint64(1))
	f.Event(34, evIOComplete, 0, uint64(480), uint64(1))
	f.Bare(35, evLeave, 1)
	f.Event(40, evIOComplete, 0, uint64(20), uint64(2))
	f.Event(50, evMeasurement, uint8(1))
	tr := opened(t, a)
	expect(t, "events", eventsOf(tr, 0), "5 50001000:16 50001001:0",
		"6 50001000:16 50001001:9", "10 50000004:65 50001000:64 50001001:1", "15 50000004:0",
		"20 50001000:32 50001001:1", "30 60000019:1 79140001:480", "35 60000019:0", "40 79140001:20", "50 40000012:1")
	expect(t, "states", statesOf(tr, 0), "0-5:2", "5-10:1", "10-15:17", "15-30:1", "30-35:12", "35-50:1")
}

// The sample at 5 is in inner, called by main: level 1 is the innermost. The next sample is in main alone. Entering and
// leaving a context enters and leaves its region.
func TestSamples(t *testing.T) {
	a, _ := oneRank([]string{"main", "inner"}, []uint8{1, 1}, []uint8{1, 1})
	a.Definitions.Record(34, 0, 0, 0, uint32(undefined))
	a.Definitions.Record(34, 1, 1, 0, 0)
	f := a.At(0)
	f.Event(5, evContextSample, 1, 0, 0)
	f.Event(6, evContextSample, 0, 0, 0)
	f.Event(7, evContextSample, 77, 0, 0) // not defined
	f.Event(10, evContextEnter, 1, 0)
	f.Event(20, evContextLeave, 1)
	f.Event(25, evContextEnter, 77, 0)
	tr := opened(t, a)
	expect(t, "events", eventsOf(tr, 0), "5 70000001:1 70000002:2", "6 70000001:2", "10 60000019:1", "20 60000019:0")
	caller := uint32(extrae.FirstCaller + 1)
	got := fmt.Sprint(tr.Labels.TypeName(caller), tr.Labels.ValueName(caller, 1), tr.Labels.ValueName(caller, 2),
		tr.Labels.TypeName(caller+1), tr.Labels.ValueName(caller+1, 2), tr.Labels.ValueName(caller, 0))
	if got != "Caller at level 1innermainCaller at level 2mainEnd" {
		t.Errorf("labels %s", got)
	}
}

// MPI_Ibcast requests an operation that MPI_Wait completes: its bytes are on the line of MPI_Ibcast. An operation that
// was not requested counts for the call around it, if there is one. MPI_Bcast, called by MPI_File_open, makes no
// events. A blocking operation without a call makes separate events.
func TestOperations(t *testing.T) {
	a, _ := oneRank([]string{"MPI_Ibcast", "MPI_Wait", "MPI_File_open", "MPI_Bcast"}, []uint8{23, 1, 27, 23},
		[]uint8{4, 4, 4, 4})
	f := a.At(0)
	done := func(time, request uint64) {
		f.Event(time, evNonBlockingCollective, uint8(1), 0, 0, uint64(64), uint64(8), request)
	}
	f.Event(1, evCollectiveRequest, uint64(1)) // without a call
	f.Bare(10, evEnter, 0)
	f.Event(11, evCollectiveRequest, uint64(5))
	f.Bare(12, evLeave, 0)
	f.Bare(20, evEnter, 1)
	done(25, 5)
	f.Bare(26, evLeave, 1)
	f.Bare(30, evEnter, 1)
	done(35, 5) // a second time
	done(35, 6)
	f.Bare(36, evLeave, 1)
	done(40, 7)
	f.Bare(50, evEnter, 2)
	f.Bare(52, evEnter, 3)
	f.Event(52, evCollectiveBegin)
	f.Event(53, evCollectiveEnd, uint8(1), 0, 0, uint64(2), uint64(3))
	f.Event(54, evCollectiveEnd, uint8(1), 0, 0, uint64(5), uint64(7)) // not counted: a second end
	f.Bare(55, evLeave, 3)
	f.Bare(58, evLeave, 2)
	f.Event(60, evCollectiveBegin)
	f.Event(65, evCollectiveEnd, uint8(15), 0, uint32(undefined-1), uint64(9), uint64(9)) // Exscan; the root is itself
	f.Event(70, evCollectiveEnd, uint8(1), 0, uint32(undefined-2), uint64(1), uint64(1))  // its begin is missing
	f.Event(80, evCollectiveEnd, uint8(40), 0, uint32(undefined), uint64(1), uint64(1))   // not an operation
	tr := opened(t, a)
	expect(t, "events", eventsOf(tr, 0), "10 50000002:157 50100001:64 50100002:8 50100003:1 50100004:1",
		"12 50000002:0", "20 50000001:5", "26 50000001:0", "30 50000001:5 50100001:64 50100002:8 50100003:1 50100004:1",
		"36 50000001:0", "50 50000005:141 50100001:2 50100002:3 50100003:1 50100004:1", "58 50000005:0",
		"60 50000002:2015 50100001:9 50100002:9 50100003:1 50100004:1", "65 50000002:0",
		"70 50000002:7 50100001:1 50100002:1 50100004:1", "70 50000002:0",
		"80 50000002:2040 50100001:1 50100002:1 50100004:1", "80 50000002:0")
	expect(t, "states", statesOf(tr, 0), "0-1:2", "1-10:1", "10-12:13", "12-20:1", "20-26:8", "26-30:1", "30-36:8",
		"36-50:1", "50-58:12", "58-60:1", "60-65:13", "65-70:1", "70-80:1")
	if got := tr.Labels.ValueName(extrae.MPICollective, operationValue(15)); got != "MPI_Exscan" {
		t.Errorf("%q", got)
	}
}

// A receive that is posted and cancelled is dropped; one that completes twice has been posted once. Messages of an
// unknown communicator, or to no process, are left out.
func TestRequests(t *testing.T) {
	a := twoRanks(false)
	s, r := a.At(0), a.At(1)
	for i := range uint64(2) {
		s.Bare(10+10*i, evEnter, 1)
		s.Event(11+10*i, evIsend, 1, 0, 7, uint64(100+i), uint64(i))
		s.Bare(11+10*i, evIsendComplete, uint64(i))
		s.Bare(14+10*i, evLeave, 1)
	}
	s.Event(90, evSend, 1, 55, 7, uint64(1))
	s.Event(91, evSend, 8, 0, 7, uint64(1))
	s.Event(92, evSend, 1, 0, 8, uint64(1)<<63)
	r.Bare(4, evEnter, 3)
	r.Bare(5, evIrecvRequest, uint64(1))
	r.Bare(6, evIrecvRequest, uint64(2))
	r.Bare(7, evRequestCancelled, uint64(2))
	r.Bare(8, evLeave, 3)
	r.Event(30, evIrecv, 0, 0, 7, uint64(100), uint64(1))
	r.Event(31, evIrecv, 0, 0, 7, uint64(100), uint64(1))
	r.Bare(40, evEnter, 2)
	r.Event(41, evRecv, 0, 0, 8, uint64(12))
	r.Bare(50, evLeave, 2)
	tr := opened(t, a)
	var got []string
	for i := range tr.Comms.Len() {
		c := &tr.Comms
		got = append(got, fmt.Sprint(c.Size[i], c.Tag[i], c.Times[0][i], c.Times[1][i], c.Times[2][i], c.Times[3][i]))
	}
	expect(t, "messages", got, "100 7 10 14 8 30", "101 7 20 24 31 31", "12 8 92 92 40 50")
	var notes []string
	for _, n := range tr.Notes {
		notes = append(notes, n.Text)
	}
	expect(t, "notes", notes, "1 end of messages of unknown communicators: left out",
		"1 end of messages to or from no process: left out",
		"1 message of different sizes at its ends: the sender's counts")
}

// A thread requests the lock of a named critical region at 10, gets it at 12, releases it at 18 and leaves at 20; the
// region entered at 30 ends before the lock is released. A lock without a region makes separate events.
func TestLocks(t *testing.T) {
	a, _ := oneRank([]string{"!$omp critical (update) @a.f:12", "!$omp critical @a.f:20"},
		[]uint8{roleCritical, roleCritical}, []uint8{paradigmOpenMP, paradigmOpenMP})
	f := a.At(0)
	f.Bare(10, evEnter, 0)
	f.Event(12, evAcquireLock, uint8(3), 1, 1)
	f.Event(18, evReleaseLock, uint8(3), 1, 1)
	f.Bare(20, evLeave, 0)
	f.Bare(30, evEnter, 0)
	f.Event(32, evOmpAcquireLock, 1, 1)
	f.Bare(35, evLeave, 0)
	f.Event(38, evOmpReleaseLock, 1, 1)
	f.Bare(40, evEnter, 1)
	f.Bare(42, evEnter, 0)
	f.Event(43, evAcquireLock, uint8(3), 1, 1) // the inner region's
	f.Event(44, evAcquireLock, uint8(3), 2, 1)
	f.Event(45, evReleaseLock, uint8(3), 1, 1)
	f.Bare(46, evLeave, 0)
	f.Event(47, evReleaseLock, uint8(3), 2, 1)
	f.Bare(48, evLeave, 1)
	f.Event(50, evAcquireLock, uint8(3), 9, 1)
	f.Event(55, evReleaseLock, uint8(3), 9, 1)
	tr := opened(t, a)
	expect(t, "events", eventsOf(tr, 0), "10 60000006:3", "12 60000006:6", "18 60000006:5", "20 60000006:0",
		"30 60000006:3", "32 60000006:6", "38 60000006:5", "38 60000006:0", "40 60000007:3", "42 60000006:3",
		"43 60000006:6", "44 60000007:6", "45 60000006:5", "46 60000006:0", "47 60000007:5", "48 60000007:0",
		"50 60000007:6", "55 60000007:5", "55 60000007:0")
	expect(t, "states", statesOf(tr, 0), "0-10:2", "10-12:5", "12-30:1", "30-32:5", "32-40:1", "40-43:5", "43-55:1")

	b, _ := oneRank([]string{"main"}, []uint8{1}, []uint8{1})
	b.At(0).Event(5, evReleaseLock, uint8(3), 9, 1)
	expect(t, "a release without a lock", eventsOf(opened(t, b), 0), "5 60000007:5", "5 60000007:0")
}

// Tasks with regions: one task is created within a region, one without; generation 3 runs from 20 to 30. Without
// regions, the switches show which task runs.
func TestTasks(t *testing.T) {
	a, _ := oneRank([]string{"!$omp task @a.f:3", "!$omp create task @a.f:3"}, []uint8{roleTask, roleTaskCreate},
		[]uint8{paradigmOpenMP, paradigmOpenMP})
	f := a.At(0)
	f.Bare(10, evEnter, 1)
	f.Event(11, evTaskCreate, 0, 0, 3)
	f.Bare(12, evLeave, 1)
	f.Event(14, evTaskCreate, 0, 0, 4)
	f.Event(20, evTaskSwitch, 0, 0, 3)
	f.Bare(20, evEnter, 0)
	f.Bare(30, evLeave, 0)
	f.Event(30, evTaskComplete, 0, 0, 3)
	f.Event(30, evTaskSwitch, 0, 0, 0)
	f.Bare(35, evEnter, 0)
	f.Bare(38, evLeave, 0)
	tr := opened(t, a)
	expect(t, "with regions", eventsOf(tr, 0), "10 60000024:1 60000028:3", "12 60000024:0", "14 60000024:1 60000028:4",
		"14 60000024:0", "20 60000023:1 60000028:3", "30 60000023:0", "35 60000023:1", "38 60000023:0")
	expect(t, "states", statesOf(tr, 0), "0-10:2", "10-12:7", "12-38:1")

	b, _ := oneRank([]string{"main"}, []uint8{1}, []uint8{1})
	f = b.At(0)
	f.Bare(2, evEnter, 0)
	f.Event(10, evTaskCreate, 0, 0, 3)
	f.Event(12, evTaskSwitch, 0, 0, 3)
	f.Event(15, evTaskSwitch, 0, 0, 4)
	f.Event(18, evTaskComplete, 0, 0, 4)
	f.Event(20, evTaskSwitch, 0, 0, 0)
	f.Bare(22, evOmpTaskSwitch, uint64(6))
	f.Bare(24, evOmpTaskComplete, uint64(6))
	f.Bare(26, evOmpTaskCreate, uint64(7))
	f.Bare(30, evLeave, 0)
	tr = opened(t, b)
	expect(t, "without", eventsOf(tr, 0), "2 60000019:1", "10 60000024:1 60000028:3", "10 60000024:0",
		"12 60000023:1 60000028:3", "15 60000023:0", "15 60000023:1 60000028:4", "18 60000023:0",
		"22 60000023:1 60000028:6", "24 60000023:0", "26 60000024:1 60000028:7", "26 60000024:0", "30 60000019:0")
	expect(t, "states", statesOf(tr, 0), "0-2:2", "2-30:1")
}

// A location without team events is a thread of its regions' teams: parallel 10..50 within parallel 5..60.
func TestNoTeams(t *testing.T) {
	a, _ := oneRank([]string{"!$omp parallel @a.f:1", "!$omp parallel @a.f:2", "!$omp do @a.f:3"},
		[]uint8{roleParallel, roleParallel, roleLoop}, []uint8{3, 3, 3})
	f := a.At(0)
	f.Bare(5, evEnter, 0)
	f.Bare(5, evOmpFork, 4)
	f.Bare(10, evEnter, 1)
	f.Bare(20, evEnter, 2)
	f.Bare(30, evLeave, 2)
	f.Bare(50, evLeave, 1)
	f.Bare(60, evLeave, 0)
	tr := opened(t, a)
	expect(t, "events", eventsOf(tr, 0), "5 60000001:3 60000018:1", "10 60000001:3 60000018:2", "20 60000002:4",
		"30 60000002:0", "50 60000001:0 60000018:0", "60 60000001:0 60000018:0")
	expect(t, "states", statesOf(tr, 0), "0-5:2", "5-60:1")
}

// A record with too few fields is a fault: the rest of its chunk is lost.
func TestShortRecords(t *testing.T) {
	for id, layout := range layouts {
		for cut := range len(layout) {
			a := twoRanks(false)
			f := a.At(0)
			f.Bare(1, evEnter, 0)
			var fields []any
			for _, kind := range layout[:cut] {
				switch kind {
				case '1':
					fields = append(fields, uint8(1))
				case '4':
					fields = append(fields, 1)
				case '8':
					fields = append(fields, uint64(1))
				case 't':
					fields = append(fields, otf2test.Fixed(1))
				}
			}
			f.Event(5, uint8(id), fields...)
			f.Bare(10, evEnter, 0)
			tr := opened(t, a)
			if want := fmt.Sprintf("bad record %d at offset 38: ", id); !strings.HasPrefix(tr.Notes[0].Text, want) {
				t.Errorf("record %d of %d fields: %q", id, cut, tr.Notes)
			}
			expect(t, "events before", eventsOf(tr, 0), "1 60000019:1", "1 60000019:0")
		}
	}
}

// A stream belongs to the process that created its context; if unknown, to the only process of its node; if there are
// several, to the first process of all.
func TestOwners(t *testing.T) {
	a := otf2test.New(false)
	names := a.MPI(5, 2, 1_000_000_000, "main", "kernel", "CUDA[0:1]", "context")
	d := &a.Definitions
	a.Region(0, names["main"], 1, 1)
	a.Region(1, names["kernel"], 1, paradigmCUDA)
	for i, group := range [][2]int{{1, 3}, {3, undefined}, {2, undefined}} { // node and creator
		d.Record(13, 10+i, names["context"], uint8(4), group[0], uint32(group[1]))
		d.Record(14, uint64(10+i), names["CUDA[0:1]"], uint8(accelerator), uint64(0), 10+i)
		a.At(uint64(10+i)).Bare(5, evEnter, 1)
		a.At(uint64(10+i)).Bare(6, evLeave, 1)
	}
	for r := range uint64(5) {
		a.At(r).Bare(1, evEnter, 0)
		a.At(r).Bare(9, evLeave, 0)
	}
	tr := opened(t, a)
	var got []string
	for i := range tr.Tasks {
		got = append(got, fmt.Sprint(i, " ", tr.Tasks[i]))
	}
	expect(t, "tasks", got, "0 {0 0 0 2}", "1 {0 0 2 1}", "2 {0 1 3 1}", "3 {0 1 4 2}", "4 {0 2 6 2}")
}
