package otf2

// MPI calls by name: the events and states of Extrae.

import (
	"strings"

	"pview/prv/extrae"
)

// States, by Extrae's numbers.
const (
	stateIdle     = 0
	stateRunning  = 1
	stateAbsent   = 2
	stateSync     = 5
	stateForkJoin = 7
	stateIO       = 12
	stateGroup    = 13
	stateUntraced = 14
	stateOthers   = 15
	stateTransfer = 17

	// noState: the region keeps the state around it.
	noState = 255
)

// mpiName returns the name of an MPI call as Extrae spells it: MPI_ and a capital; ok is false for other names. C,
// Fortran and profiling names are the same call.
func mpiName(name string) (string, bool) {
	s := strings.TrimPrefix(strings.ToLower(name), "p")
	rest, ok := strings.CutPrefix(s, "mpi_")
	if !ok || rest == "" || rest[0] < 'a' || rest[0] > 'z' || strings.ContainsAny(rest, " :(") {
		return "", false
	}
	rest = strings.TrimRight(rest, "_")
	return "MPI_" + strings.ToUpper(rest[:1]) + rest[1:], true
}

// mpiType returns the event type of a call that Extrae does not number: by the region's role, else by the name.
func mpiType(name string, role uint8) uint32 {
	switch {
	case role == rolePointToPoint:
		return extrae.MPIPointToPoint
	case role == roleBarrier || role >= roleOneToAll && role <= roleOtherCollective:
		return extrae.MPICollective
	case role == roleRMA:
		return extrae.MPIOneSided
	case role == roleFileIO:
		return extrae.MPIFile
	}
	rest := strings.TrimPrefix(name, "MPI_")
	for _, p := range namePrefixes {
		if strings.HasPrefix(rest, p.prefix) {
			return p.typ
		}
	}
	return extrae.MPIOther
}

// namePrefixes tell the type of a call by the start of its name, after MPI_.
var namePrefixes = func() (list []struct {
	prefix string
	typ    uint32
}) {
	for _, t := range []struct {
		typ   uint32
		names string
	}{
		{extrae.MPIFile, "File_"},
		{extrae.MPIOneSided, "Win_ Rput Rget Raccumulate Get_accumulate Rget_accumulate Fetch_and_op Compare_and_swap"},
		{extrae.MPIPointToPoint, "Mprobe Improbe Mrecv Imrecv Start Testall Testany Testsome Isendrecv"},
		{extrae.MPICollective, "Exscan Iscan Iexscan Iscatter Igather Iallgather Ialltoall Ireduce Alltoallw " +
			"Neighbor_ Ineighbor_ Reduce_scatter"},
	} {
		for _, name := range strings.Fields(t.names) {
			list = append(list, struct {
				prefix string
				typ    uint32
			}{name, t.typ})
		}
	}
	return list
}()

// collectiveNames are the calls of collective operations by code, for archives without regions.
var collectiveNames = [...]string{"Barrier", "Bcast", "Gather", "Gatherv", "Scatter", "Scatterv", "Allgather",
	"Allgatherv", "Alltoall", "Alltoallv", "Alltoallw", "Allreduce", "Reduce", "Reduce_scatter", "Scan", "Exscan",
	"Reduce_scatter_block"}
