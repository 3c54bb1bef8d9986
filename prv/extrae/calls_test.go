package extrae

import (
	"testing"

	"pview/prv"
)

// Each call has its own name and number; without a number (0) only the label identifies it.
func TestCallsAreDistinct(t *testing.T) {
	numbers, names := map[int64]string{}, map[string]bool{}
	for _, c := range mpiCalls {
		if other, taken := numbers[c.number]; taken && c.number != 0 {
			t.Errorf("%s and %s have the number %d", other, c.name, c.number)
		}
		if names[c.name] {
			t.Errorf("%s is there twice", c.name)
		}
		numbers[c.number], names[c.name] = c.name, true
	}
	for number, name := range map[int64]string{1: "Send", 2: "Recv", 3: "Isend", 4: "Irecv", 5: "Wait", 6: "Waitall",
		34: "Ssend", 39: "Test", 59: "Waitany", 60: "Waitsome"} {
		if numbers[number] != name {
			t.Errorf("call %d is %s, want %s", number, numbers[number], name)
		}
	}
}

// The two tables of calls use the same numbers: the table of what calls do, and the table of how Extrae records them.
func TestNumbersOfCallsAgree(t *testing.T) {
	both := 0
	for _, c := range mpiCalls {
		if e, ok := MPICalls[c.name]; ok && c.number > 0 {
			if both++; e.Value != c.number {
				t.Errorf("%s has the numbers %d and %d", c.name, c.number, e.Value)
			}
		}
	}
	if both < 40 {
		t.Errorf("%d calls are in both tables", both)
	}
	for name, c := range MPICalls {
		if c.Value <= 0 || c.Value >= FirstOtherMPICall {
			t.Errorf("%s has the number %d", name, c.Value)
		}
	}
}

// A call is found by its label, or by its number if that has no label. Extrae has swapped the labels of 69 and 70.
func TestKindsOfCalls(t *testing.T) {
	l := &prv.Labels{}
	l.AddType(MPIPointToPoint, "MPI Point-to-point", prv.ValueLabel{Value: 3, Label: " mpi_RECV "},
		prv.ValueLabel{Value: 4, Label: "MPI_Mystery"}, prv.ValueLabel{Value: 200, Label: "MPI_Ireduce"})
	l.AddType(MPIOneSided, "MPI One-sided", prv.ValueLabel{Value: 69, Label: "MPI_Win_complete"},
		prv.ValueLabel{Value: 70, Label: "MPI_Win_start"})
	l.AddType(123, "Other", prv.ValueLabel{Value: 1, Label: "MPI_Recv"}) // not a type of calls
	calls := CallsOf(l)
	for value, want := range map[int64]CallKind{
		1: {Call: Send}, 2: {Call: Recv}, 3: {Call: Recv}, 4: {}, 5: {Call: Wait}, 200: {AllToOne, true}, 201: {},
		69: {Call: WinStart}, 70: {Call: WinComplete}, 156: {Barrier, true}, 0: {},
	} {
		if got := calls.Kind(value); got != want {
			t.Errorf("call %d is %v, want %v", value, got, want)
		}
	}
}

// The calls of each role, by name in the table's order.
func TestRolesOfCalls(t *testing.T) {
	names := map[CallRole]string{}
	for _, c := range mpiCalls {
		for _, r := range []CallRole{Sends, Posts, Completes, Group} {
			if c.kind.Is(r) {
				names[r] += " " + c.name
			}
		}
	}
	for r, want := range map[CallRole]string{
		Sends: " Send Isend Bsend Ssend Rsend Ibsend Issend Irsend Sendrecv Sendrecv_replace Start Startall",
		Posts: " Recv Irecv Sendrecv Sendrecv_replace Mrecv Imrecv Start Startall",
		Completes: " Recv Wait Waitall Waitany Waitsome Test Testall Testany Testsome Sendrecv Sendrecv_replace" +
			" Mrecv",
		Group: " Bcast Scatter Scatterv Reduce Gather Gatherv Scan Exscan Allreduce Alltoall Alltoallv Alltoallw" +
			" Allgather Allgatherv Reduce_scatter Reduce_scatter_block Barrier Init Init_thread Finalize Win_create" +
			" Win_free Win_fence Ibarrier Ibcast Iallreduce Iscatter Iscatterv Ireduce Igather Igatherv Iscan" +
			" Iexscan Ialltoall Ialltoallv Ialltoallw Iallgather Iallgatherv Ireduce_scatter Ireduce_scatter_block",
	} {
		if names[r] != want {
			t.Errorf("role %d: got\n%s\nwant\n%s", r, names[r], want)
		}
	}
	for label, want := range map[string]bool{"MPI_Isend": true, "MPI_Ibarrier": true, "MPI_Init": false,
		"MPI_Intercomm_create": false, "MPI_Ineighbor_allgather": true, "MPI_Send": false, "Isend": false} {
		if got := StartsOnly(label); got != want {
			t.Errorf("%s only starts an operation: %v", label, got)
		}
	}
}
