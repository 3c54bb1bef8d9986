package waits

import (
	"strings"
	"testing"

	"pview/prv"
)

// Computation is named by the lines of the calls around it. A call whose line the tracer did not find has the name of
// the call and of the function that it is in, where that is known.
func TestSites(t *testing.T) {
	const mpi, caller, line = 50000001, 70000001, 80000001
	h := prv.Header{Unit: prv.Nanoseconds}
	h.AddNode(1)
	h.AddPtask()
	h.AddTask(1, 0)
	b := prv.NewBuilder(h)
	for i, c := range []struct{ call, function, line int64 }{
		{1, 1, 1}, {2, 2, 2}, {1, 3, 3}, {2, 4, 4}, {1, 5, 5}, {1, 0, 0}, {2, 2, 2},
	} {
		pairs := []prv.Pair{{Type: mpi, Value: c.call}}
		if c.line > 0 {
			pairs = append(pairs, prv.Pair{Type: caller, Value: c.function}, prv.Pair{Type: line, Value: c.line})
		}
		at := int64(100 * (i + 1))
		b.Event(0, 0, at, pairs...)
		b.Event(0, 0, at+10, prv.Pair{Type: mpi})
	}
	b.State(0, 0, 0, 1000, 1)
	tr, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	tr.Labels = &prv.Labels{}
	tr.Labels.AddType(mpi, "MPI Point-to-point", prv.ValueLabel{Value: 0, Label: "Outside MPI"},
		prv.ValueLabel{Value: 1, Label: "MPI_Send"}, prv.ValueLabel{Value: 2, Label: "MPI_Recv"})
	tr.Labels.AddType(caller, "Caller at level 1", prv.ValueLabel{Value: 1, Label: "main"},
		prv.ValueLabel{Value: 2, Label: "swap [swap(int)]"}, prv.ValueLabel{Value: 3, Label: "__grid_MOD_step"},
		prv.ValueLabel{Value: 4, Label: "??"})
	tr.Labels.AddType(line, "Caller line at level 1", prv.ValueLabel{Value: 1, Label: "12 (a.f90, prog)"},
		prv.ValueLabel{Value: 2, Label: "??:0 [??:0, prog]"}, prv.ValueLabel{Value: 3, Label: "0 (Unresolved)"},
		prv.ValueLabel{Value: 4, Label: "0 (_NOT_Found)"},
		prv.ValueLabel{Value: 5, Label: "??:0 [??:0, prog]"})
	r, err := Analyze(t.Context(), tr, Options{})
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, region := range r.Regions {
		names = append(names, region.Name)
	}
	if r.Level != ByLine {
		t.Errorf("level %d", r.Level)
	}
	if got := strings.Join(names, "\n"); got != `MPI_Recv
MPI_Recv in swap to MPI_Send in step
MPI_Recv in swap to end
MPI_Recv to MPI_Send
MPI_Send
MPI_Send in step to MPI_Recv
MPI_Send to MPI_Recv in swap
MPI_Send to MPI_Send
a.f90:12 to MPI_Recv in swap
start to a.f90:12` {
		t.Error(got)
	}
}
