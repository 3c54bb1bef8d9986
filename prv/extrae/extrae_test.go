package extrae

import (
	"fmt"
	"slices"
	"testing"

	"pview/prv"
)

// Labels first, numbers where labels are missing.
func TestVocabulary(t *testing.T) {
	none := Of(&prv.Labels{})
	if got, want := none.Family(MPI), []uint32{50000001, 50000002, 50000003, 50000004, 50000005}; !slices.Equal(got,
		want) {
		t.Errorf("without labels MPI is %v", got)
	}
	l := &prv.Labels{}
	// an unknown label: the number counts
	l.AddType(42000050, "PAPI_L1_DCM [L1D cache misses]")
	l.AddType(42000059, "PAPI_TOT_INS [Instr completed]")                         // another type's number
	l.AddType(41999999, "Total cycles (PAPI_TOT_CYC)")                            // not its number
	l.AddType(123, "MPI Point-to-Point")                                          // not its number
	l.AddType(60000019, "User function", prv.ValueLabel{Value: 1, Label: "main"}) // its own number
	l.AddType(50000001, "MPI Collective Comm")
	v := Of(l)
	for number, want := range map[uint32]uint32{
		MPIPointToPoint: 123, MPICollective: 50000001, MPIOther: 50000003, UserFunction: 60000019,
		Instructions: 42000059, Cycles: 41999999,
	} {
		if got, ok := v.Type(number); !ok || got != want {
			t.Errorf("%d is %d (%v), want %d", number, got, ok, want)
		}
	}
	// Here 42000059 is instructions, and there is no type for cycles.
	l = &prv.Labels{}
	l.AddType(42000059, "PAPI_TOT_INS [Instr completed]")
	if got, ok := Of(l).Type(Cycles); ok {
		t.Errorf("cycles are %d", got)
	}
}

func TestMeaning(t *testing.T) {
	tracer, predicted, simulated, thesis := &prv.Labels{}, &prv.Labels{}, &prv.Labels{}, &prv.Labels{}
	for _, l := range []*prv.Labels{tracer, predicted} {
		for v, label := range map[int64]string{1: "Running", 2: "Not created", 5: "Synchronization", 6: "Test/Probe",
			26: "Startup latency", 40: "I/O"} {
			l.AddState(v, label)
		}
	}
	predicted.AddType(Predicted, PredictedLabel)
	simulated.AddState(26, "Startup latency")
	thesis.AddState(7, "Latency")
	for _, test := range []struct {
		name   string
		labels *prv.Labels
		writer Writer
		want   map[uint32]Meaning
	}{
		{"a tracer, which names 26 as well", tracer, Extrae,
			map[uint32]Meaning{1: Useful, 5: Waiting, 6: Communicating, 14: Absent, 40: IO, 99: Unknown}},
		{"predicted, with the labels of the measured run", predicted, Simulator,
			map[uint32]Meaning{1: Useful, 4: Waiting, 5: Ready, 6: Overhead, 26: Communicating}},
		{"a simulator without labels to copy", simulated, Simulator, map[uint32]Meaning{7: Waiting}},
		{"the thesis", thesis, Thesis, map[uint32]Meaning{5: Ready, 11: IO, 12: Waiting}},
		{"no labels", &prv.Labels{}, Extrae, map[uint32]Meaning{1: Useful, 12: IO}},
	} {
		s := StatesOf(test.labels, Auto)
		if s.Writer != test.writer {
			t.Errorf("%s: written by %s", test.name, s.Writer)
		}
		for v, want := range test.want {
			if got := s.Meaning(v); got != want {
				t.Errorf("%s: state %d is %s, want %s", test.name, v, got, want)
			}
		}
	}
	thesis = &prv.Labels{}
	thesis.AddState(7, "Startup latency")
	if w := Recognise(thesis); w != Thesis {
		t.Errorf("state 7 is the latency of %s", w)
	}
	if got := StatesOf(tracer, Thesis).Meaning(11); got != IO {
		t.Errorf("said to be of the thesis, 11 is %s", got)
	}
	waiting := StatesOf(tracer, Auto).With(IO)
	slices.Sort(waiting)
	if !slices.Equal(waiting, []uint32{12, 40}) {
		t.Errorf("I/O is %v", waiting)
	}
}

// The states of each writer: their meaning, their share of the utilisation, and the call that they represent: 1 Send, 2
// SyncSend, 4 Isend, 7 Recv, 8 Irecv, 9 Sendrecv, 12 Waitall, 33 a collective operation, 0 none.
func TestStatesOfWriters(t *testing.T) {
	for w, want := range map[Writer]string{
		Extrae: `
0 idle idle 0
1 useful user 0
2 absent absent 0
3 waiting idle 7
4 communicating overhead 1
5 waiting idle 0
6 communicating idle 0
7 overhead overhead 0
8 waiting idle 12
9 waiting idle 1
10 communicating overhead 4
11 communicating overhead 8
12 I/O I/O 0
13 communicating idle 33
14 absent absent 0
15 overhead overhead 0
16 communicating overhead 9
17 communicating overhead 0
18 overhead overhead 0
19 overhead overhead 0
20 communicating overhead 0
21 communicating overhead 0
22 communicating overhead 0
23 waiting idle 0
24 overhead overhead 0
25 communicating overhead 0
26 communicating overhead 0
27 waiting idle 0
28 communicating overhead 0
29 communicating overhead 0
30 overhead overhead 0
31 overhead overhead 0
32 overhead overhead 0
33 overhead overhead 0
`,
		Simulator: `
0 idle idle 0
1 useful user 0
3 waiting idle 7
4 waiting idle 7
5 ready overhead 0
6 overhead overhead 0
7 waiting idle 0
9 waiting idle 2
12 I/O I/O 0
13 communicating idle 0
15 overhead overhead 0
26 communicating overhead 0
`,
		Thesis: `
0 idle idle 0
1 useful user 0
2 absent absent 0
3 waiting idle 7
4 waiting idle 0
5 ready overhead 0
6 waiting idle 0
7 communicating overhead 0
8 overhead overhead 0
9 communicating overhead 0
10 communicating overhead 0
11 I/O I/O 0
12 waiting idle 7
13 communicating idle 0
14 communicating overhead 0
15 I/O I/O 0
`,
	} {
		s := StatesOf(&prv.Labels{}, w)
		got := "\n"
		for v := range uint32(36) {
			if m := s.Meaning(v); m != Unknown {
				got += fmt.Sprintf("%d %s %s %d\n", v, m, s.Part(v), s.Call(v))
			}
		}
		if got != want {
			t.Errorf("%s: got%swant%s", w, got, want)
		}
	}
	if s := StatesOf(&prv.Labels{}, Extrae); s.Meaning(1<<31) != Unknown || s.Part(1<<31) != PartOverhead {
		t.Error("a state that nobody knows has a meaning")
	}
}

// A label counts if its number fits a state, which has 32 bits; others are not states.
func TestLabelsOfLargeStates(t *testing.T) {
	l := &prv.Labels{}
	for _, v := range []int64{-1, 50, 1 << 31, 1<<31 + 1} {
		l.AddState(v, "Running")
	}
	s := StatesOf(l, Extrae)
	list := s.With(Useful)
	slices.Sort(list)
	if !slices.Equal(list, []uint32{1, 50, 1 << 31}) {
		t.Errorf("useful states %d", list)
	}
}

// Counters are numbered 42000000 to 44999999; if values have names, they are codes. Tracers use 30000000 to 99999999.
func TestRangesOfTypes(t *testing.T) {
	l := &prv.Labels{}
	l.AddType(42000001, "PAPI_L1_DCM")
	l.AddType(42000002, "Codes", prv.ValueLabel{Value: 1, Label: "One"})
	for _, c := range []struct {
		typ             uint32
		counter, tracer bool
	}{
		{29999999, false, false}, {30000000, false, true}, {41999999, false, true}, {42000000, true, true},
		{42000001, true, true}, {42000002, false, true}, {44999999, true, true}, {45000000, false, true},
		{99999999, false, true}, {100000000, false, false},
	} {
		if IsCounter(l, c.typ) != c.counter || IsTracers(c.typ) != c.tracer {
			t.Errorf("%d: a counter %v, a tracer's %v", c.typ, IsCounter(l, c.typ), IsTracers(c.typ))
		}
	}
	if got := TaskClock(l); got != 0 {
		t.Errorf("the clock of threads is %d", got)
	}
	l.AddType(42001000, "perf task-clock (ns)")
	if got := TaskClock(l); got != 42001000 {
		t.Errorf("the clock of threads is %d", got)
	}
}
