package extrae

// MPICall is how Extrae records a call.
type MPICall struct {
	Type  uint32
	Value int64
	State uint8 // of the thread inside
}

// MPICalls are the calls that Extrae numbers, by name without MPI_, with the values and states of its traces.
var MPICalls = map[string]MPICall{}

func init() {
	for _, c := range []struct {
		typ   uint32
		state uint8
		names map[string]int64
	}{
		{MPIPointToPoint, 4, map[string]int64{"Send": 1, "Bsend": 33, "Ssend": 34, "Rsend": 35}},
		{MPIPointToPoint, 3, map[string]int64{"Recv": 2}},
		{MPIPointToPoint, 10, map[string]int64{"Isend": 3, "Ibsend": 36, "Issend": 37, "Irsend": 38, "Send_init": 117}},
		{MPIPointToPoint, 11, map[string]int64{"Irecv": 4, "Recv_init": 116}},
		{MPIPointToPoint, 8, map[string]int64{"Wait": 5, "Waitall": 6, "Waitany": 59, "Waitsome": 60}},
		{MPIPointToPoint, 16, map[string]int64{"Sendrecv": 41, "Sendrecv_replace": 42}},
		{MPIPointToPoint, 6, map[string]int64{"Probe": 61, "Iprobe": 62}},
		{MPICollective, 13, map[string]int64{"Bcast": 7, "Barrier": 8, "Reduce": 9, "Allreduce": 10, "Alltoall": 11,
			"Alltoallv": 12, "Gather": 13, "Gatherv": 14, "Scatter": 15, "Scatterv": 16, "Allgather": 17, "Allgatherv": 18,
			"Scan": 30, "Reduce_scatter": 80, "Iallreduce": 155, "Ibarrier": 156, "Ibcast": 157}},
		{MPIOther, 15, map[string]int64{"Comm_rank": 19, "Comm_size": 20, "Comm_dup": 22, "Comm_split": 23,
			"Comm_free": 25, "Init": 31, "Finalize": 32, "Cart_create": 43, "Startall": 124}},
		{MPIOther, 8, map[string]int64{"Test": 39, "Request_free": 115}},
		{MPIOneSided, 15, map[string]int64{"Win_create": 63, "Win_free": 64}},
		{MPIOneSided, 17, map[string]int64{"Put": 65, "Get": 66, "Accumulate": 67, "Win_fence": 68, "Win_start": 69,
			"Win_complete": 70, "Win_post": 71, "Win_wait": 72}},
		{MPIFile, 12, map[string]int64{"File_open": 141, "File_close": 142, "File_read_at": 147, "File_write_at": 149,
			"File_write_at_all": 150}},
	} {
		for name, value := range c.names {
			MPICalls[name] = MPICall{c.typ, value, c.state}
		}
	}
}

// FirstOtherMPICall plus 1 is the value of each type's first call that Extrae does not number.
const FirstOtherMPICall = 1000

// MPIStates are the states in calls that Extrae does not number, by type.
var MPIStates = map[uint32]uint8{MPIPointToPoint: 4, MPICollective: 13, MPIOther: 15, MPIOneSided: 17, MPIFile: 12}

// OutsideMPI is the label of the value 0 of the types of calls.
const OutsideMPI = "Outside MPI"

// Labels of event types that Extrae writes with calls.
const (
	SentLabel         = "Send Size in MPI Global OP"
	ReceivedLabel     = "Recv Size in MPI Global OP"
	RootLabel         = "Root in MPI Global OP"
	CommunicatorLabel = "Communicator in MPI Global OP"
	TargetLabel       = "MPI One-sided target rank"
)

// MPITypes are the event types of calls, with their labels.
var MPITypes = []struct {
	Type  uint32
	Label string
}{{MPIPointToPoint, "MPI Point-to-point"}, {MPICollective, "MPI Collective Comm"}, {MPIOther, "MPI Other"},
	{MPIOneSided, "MPI One-sided"}, {MPIFile, "MPI I/O"}}
