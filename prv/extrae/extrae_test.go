package extrae

import (
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
	// a label that we do not know: the number counts
	l.AddType(42000050, "PAPI_L1_DCM [L1D cache misses]")
	l.AddType(42000059, "PAPI_TOT_INS [Instr completed]")                         // the number of another
	l.AddType(41999999, "Total cycles (PAPI_TOT_CYC)")                            // another number
	l.AddType(123, "MPI Point-to-Point")                                          // another number
	l.AddType(60000019, "User function", prv.ValueLabel{Value: 1, Label: "main"}) // as it is
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
	// 42000059 is instructions here, and there is no type of cycles.
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
	if got := StatesOf(tracer, Thesis).Meaning(11); got != IO {
		t.Errorf("said to be of the thesis, 11 is %s", got)
	}
	waiting := StatesOf(tracer, Auto).With(IO)
	slices.Sort(waiting)
	if !slices.Equal(waiting, []uint32{12, 40}) {
		t.Errorf("I/O is %v", waiting)
	}
}
