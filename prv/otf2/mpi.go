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

	// noState: the state of what is around it.
	noState = 255
)

// mpiCall is a call that Extrae numbers. Values and states are those in traces of Extrae.
type mpiCall struct {
	typ   uint32
	value int64
	state uint8
}

// mpiCalls are those calls by name without MPI_.
var mpiCalls = map[string]mpiCall{}

func init() {
	for _, c := range []struct {
		typ   uint32
		state uint8
		names map[string]int64
	}{
		{extrae.MPIPointToPoint, 4, map[string]int64{"Send": 1, "Bsend": 33, "Ssend": 34, "Rsend": 35}},
		{extrae.MPIPointToPoint, 3, map[string]int64{"Recv": 2}},
		{extrae.MPIPointToPoint, 10, map[string]int64{"Isend": 3, "Ibsend": 36, "Issend": 37, "Irsend": 38,
			"Send_init": 117}},
		{extrae.MPIPointToPoint, 11, map[string]int64{"Irecv": 4, "Recv_init": 116}},
		{extrae.MPIPointToPoint, 8, map[string]int64{"Wait": 5, "Waitall": 6, "Waitany": 59, "Waitsome": 60}},
		{extrae.MPIPointToPoint, 16, map[string]int64{"Sendrecv": 41, "Sendrecv_replace": 42}},
		{extrae.MPIPointToPoint, 6, map[string]int64{"Probe": 61, "Iprobe": 62}},
		{extrae.MPICollective, stateGroup, map[string]int64{"Bcast": 7, "Barrier": 8, "Reduce": 9, "Allreduce": 10,
			"Alltoall": 11, "Alltoallv": 12, "Gather": 13, "Gatherv": 14, "Scatter": 15, "Scatterv": 16, "Allgather": 17,
			"Allgatherv": 18, "Scan": 30, "Reduce_scatter": 80, "Iallreduce": 155, "Ibarrier": 156, "Ibcast": 157}},
		{extrae.MPIOther, stateOthers, map[string]int64{"Comm_rank": 19, "Comm_size": 20, "Comm_dup": 22,
			"Comm_split": 23, "Comm_free": 25, "Init": 31, "Finalize": 32, "Cart_create": 43, "Startall": 124}},
		{extrae.MPIOther, 8, map[string]int64{"Test": 39, "Request_free": 115}},
		{extrae.MPIOneSided, stateOthers, map[string]int64{"Win_create": 63, "Win_free": 64}},
		{extrae.MPIOneSided, stateTransfer, map[string]int64{"Put": 65, "Get": 66, "Accumulate": 67, "Win_fence": 68}},
		{extrae.MPIFile, stateIO, map[string]int64{"File_open": 141, "File_close": 142, "File_read_at": 147,
			"File_write_at": 149, "File_write_at_all": 150}},
	} {
		for name, value := range c.names {
			mpiCalls[name] = mpiCall{c.typ, value, c.state}
		}
	}
}

// firstOtherCall is the value of the first call of each type that Extrae does not number, less one.
const firstOtherCall = 1000

// defaultStates are the states of calls of a type that Extrae does not number.
var defaultStates = map[uint32]uint8{extrae.MPIPointToPoint: 4, extrae.MPICollective: stateGroup,
	extrae.MPIOther: stateOthers, extrae.MPIOneSided: stateTransfer, extrae.MPIFile: stateIO}

// mpiTypes are the event types of calls, with their labels.
var mpiTypes = []struct {
	typ   uint32
	label string
}{{extrae.MPIPointToPoint, "MPI Point-to-point"}, {extrae.MPICollective, "MPI Collective Comm"},
	{extrae.MPIOther, "MPI Other"}, {extrae.MPIOneSided, "MPI One-sided"}, {extrae.MPIFile, "MPI I/O"}}

// mpiName returns the name of an MPI call as Extrae has it, MPI_ and a capital; ok is false for other names. C and
// Fortran, and names of the profiling interface, are the same call.
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
	rest, _ := strings.CutPrefix(name, "MPI_")
	for _, p := range namePrefixes {
		if strings.HasPrefix(rest, p.prefix) {
			return p.typ
		}
	}
	return extrae.MPIOther
}

// namePrefixes tell the type of a call by the begin of its name, without MPI_.
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

// collectiveNames are the calls of collective operations by their codes: for archives without regions.
var collectiveNames = [...]string{"Barrier", "Bcast", "Gather", "Gatherv", "Scatter", "Scatterv", "Allgather",
	"Allgatherv", "Alltoall", "Alltoallv", "Alltoallw", "Allreduce", "Reduce", "Reduce_scatter", "Scan", "Exscan",
	"Reduce_scatter_block"}
