package record

// The table of calls: each MPI function in Extrae's vocabulary, and what its wrapper records.

import (
	"strings"

	"pview/prv/extrae"
)

// States outside of calls, by Extrae's numbers.
const (
	stateIdle     = 0
	stateRunning  = 1
	stateAbsent   = 2
	stateSync     = 5
	stateForkJoin = 7
	stateUntraced = 14
)

// call is an MPI function. Its Value is 0 if Extrae does not number it: then its value in the trace is firstOwn plus
// its place among such functions.
type call struct {
	name string // without MPI_
	extrae.MPICall
	// before and after are C code around the call, in macros of lib/record.c; $0, $1, ... are the arguments.
	before, after string
}

// firstOwn is the first value for calls that Extrae does not number; labels name them.
const firstOwn = 1000

const (
	ptp   = extrae.MPIPointToPoint
	coll  = extrae.MPICollective
	other = extrae.MPIOther
	rma   = extrae.MPIOneSided
	file  = extrae.MPIFile
)

// numbered marks the calls that extrae.MPICalls describes. The others are recorded like similar calls.
var (
	numbered   = extrae.MPICall{}
	isend      = extrae.MPICall{Type: ptp, State: 10}
	irecv      = extrae.MPICall{Type: ptp, State: 11}
	receive    = extrae.MPICall{Type: ptp, State: 3}
	probe      = extrae.MPICall{Type: ptp, State: 6}
	test       = extrae.MPICall{Type: other, State: 8}
	collective = plainCall(coll)
	otherCall  = plainCall(other)
	oneSided   = plainCall(rma)
	io         = plainCall(file)
)

// plainCall returns how to record a call of a type that Extrae does not number.
func plainCall(typ uint32) extrae.MPICall {
	return extrae.MPICall{Type: typ, State: extrae.MPIStates[typ]}
}

// C code shared by several calls.
const (
	send       = "SEND($5, $3, $4, BYTES($1, $2));"
	persistent = "PERSISTENT($6, 1, $5, $3, $4, BYTES($1, $2));"
	put        = "ACCESS($7, $3, BYTES($1, $2));"
	accumulate = "ACCESS($8, $3, BYTES($1, $2));"
	transfer   = "TRANSFER(BYTES($2, $3));"
	transferAt = "TRANSFER(BYTES($3, $4));"
	newComm1   = "NEWCOMM($1);"
)

// calls are the functions with their own C code or kind. A nonblocking collective (Ibcast) and a call with large counts
// (Send_c) use the entry of the plain one.
var calls = []call{
	{"Send", numbered, send, ""}, {"Bsend", numbered, send, ""},
	{"Ssend", numbered, send, ""}, {"Rsend", numbered, send, ""},
	{"Isend", numbered, send, ""}, {"Ibsend", numbered, send, ""},
	{"Issend", numbered, send, ""}, {"Irsend", numbered, send, ""},
	{"Send_init", numbered, "", persistent}, {"Bsend_init", isend, "", persistent},
	{"Ssend_init", isend, "", persistent}, {"Rsend_init", isend, "", persistent},
	{"Recv_init", numbered, "", "PERSISTENT($6, 0, $5, $3, $4, 0);"},
	{"Psend_init", isend, "", "PERSISTENT($8, 1, $6, $4, $5, BYTES($1 * $2, $3));"},
	{"Precv_init", irecv, "", "PERSISTENT($8, 0, $6, $4, $5, 0);"},
	{"Start", isend, "START(1, $0);", ""}, {"Startall", numbered, "START($0, $1);", ""},
	{"Recv", numbered, "PARTNER($5, $3, $4); STATUS($6);", "RECEIVED($6, $3);"},
	{"Irecv", numbered, "PARTNER($5, $3, $4);", "TRACK($6, $3, $5);"},
	{"Sendrecv", numbered, "SEND($10, $3, $4, BYTES($1, $2)); STATUS($11);", "ALSO($11, $8, $10);"},
	{"Sendrecv_replace", numbered, "SEND($7, $3, $4, BYTES($1, $2)); STATUS($8);", "ALSO($8, $5, $7);"},
	{"Isendrecv", isend, "SEND($10, $3, $4, BYTES($1, $2));", "TRACK($11, $8, $10);"},
	{"Isendrecv_replace", isend, "SEND($7, $3, $4, BYTES($1, $2));", "TRACK($8, $5, $7);"},
	{"Probe", numbered, "PARTNER($2, $0, $1);", ""},
	{"Iprobe", numbered, "PARTNER($2, $0, $1);", ""},
	{"Mprobe", probe, "PARTNER($2, $0, $1); STATUS($4);", "TRACK_MESSAGE($3, $4, $2);"},
	{"Improbe", probe, "PARTNER($2, $0, $1); STATUS($5);", "if (*$3) { TRACK_MESSAGE($4, $5, $2); }"},
	{"Mrecv", receive, "TAKE_MESSAGE($3); STATUS($4);", "RECEIVED_MESSAGE($4);"},
	{"Imrecv", irecv, "TAKE_MESSAGE($3);", "TRACK_AGAIN($4);"},
	{"Wait", numbered, "STATUS($1); ENTRIES(1, $0, $1);", "COMPLETED(1, $1);"},
	{"Waitall", numbered, "ENTRIES($0, $1, $2);", "COMPLETED($0, $2);"},
	{"Waitany", numbered, "HANDLES($0, $1); STATUS($3);", "COMPLETED_ONE(*$2, $3);"},
	{"Waitsome", numbered, "HANDLES($0, $1); STATUSES($4);", "COMPLETED_SOME(*$2, $3, $4);"},
	{"Test", numbered, "HANDLES(1, $0); STATUS($2);", "if (*$1) { COMPLETED_ONE(0, $2); }"},
	{"Testall", test, "HANDLES($0, $1); STATUSES($3);", "if (*$2) { COMPLETED_ALL($0, $3); }"},
	{"Testany", test, "HANDLES($0, $1); STATUS($4);", "if (*$3) { COMPLETED_ONE(*$2, $4); }"},
	{"Testsome", test, "HANDLES($0, $1); STATUSES($4);", "COMPLETED_SOME(*$2, $3, $4);"},
	{"Request_free", numbered, "FORGET($0);", ""},

	{"Barrier", numbered, "COLLECTIVE($0, -1, 0, 0);", ""},
	{"Bcast", numbered, "COLLECTIVE($4, $3, ROOT ? BYTES($1, $2) : 0, ROOT ? 0 : BYTES($1, $2));", ""},
	{"Reduce", numbered, "COLLECTIVE($6, $5, ROOT ? 0 : BYTES($2, $3), ROOT ? BYTES($2, $3) : 0);", ""},
	{"Allreduce", numbered, "COLLECTIVE($5, -1, BYTES($2, $3), BYTES($2, $3));", ""},
	{"Alltoall", numbered, "COLLECTIVE($6, -1, $0 == MPI_IN_PLACE ? BYTES($4, $5) : BYTES($1, $2), " +
		"BYTES($4, $5) * (uint64_t)MEMBERS);", ""},
	{"Alltoallv", numbered, "COLLECTIVE($8, -1, $0 == MPI_IN_PLACE ? SUM($5, MEMBERS, $7) : " +
		"SUM($1, MEMBERS, $3), SUM($5, MEMBERS, $7));", ""},
	{"Alltoallw", collective, "COLLECTIVE($8, -1, $0 == MPI_IN_PLACE ? SUMW($5, MEMBERS, $7) : " +
		"SUMW($1, MEMBERS, $3), SUMW($5, MEMBERS, $7));", ""},
	{"Gather", numbered, "COLLECTIVE($7, $6, $0 == MPI_IN_PLACE ? BYTES($4, $5) : BYTES($1, $2), " +
		"ROOT ? BYTES($4, $5) * (uint64_t)MEMBERS : 0);", ""},
	{"Gatherv", numbered, "COLLECTIVE($8, $7, $0 == MPI_IN_PLACE ? BYTES($4[C->rank], $6) : " +
		"BYTES($1, $2), ROOT ? SUM($4, MEMBERS, $6) : 0);", ""},
	{"Scatter", numbered, "COLLECTIVE($7, $6, ROOT ? BYTES($1, $2) * (uint64_t)MEMBERS : 0, " +
		"$3 == MPI_IN_PLACE ? BYTES($1, $2) : BYTES($4, $5));", ""},
	{"Scatterv", numbered, "COLLECTIVE($8, $7, ROOT ? SUM($1, MEMBERS, $3) : 0, " +
		"$4 == MPI_IN_PLACE ? BYTES($1[C->rank], $3) : BYTES($5, $6));", ""},
	{"Allgather", numbered, "COLLECTIVE($6, -1, $0 == MPI_IN_PLACE ? BYTES($4, $5) : BYTES($1, $2), " +
		"BYTES($4, $5) * (uint64_t)MEMBERS);", ""},
	{"Allgatherv", numbered, "COLLECTIVE($7, -1, $0 == MPI_IN_PLACE ? BYTES($4[C->rank], $6) : " +
		"BYTES($1, $2), SUM($4, MEMBERS, $6));", ""},
	{"Reduce_scatter", numbered, "COLLECTIVE($5, -1, SUM($2, C->size, $3), BYTES($2[C->rank], $3));", ""},
	{"Reduce_scatter_block", collective, "COLLECTIVE($5, -1, BYTES($2, $3) * (uint64_t)C->size, " +
		"BYTES($2, $3));", ""},
	{"Scan", numbered, "COLLECTIVE($5, -1, BYTES($2, $3), BYTES($2, $3));", ""},
	{"Exscan", collective, "COLLECTIVE($5, -1, BYTES($2, $3), BYTES($2, $3));", ""},

	// Neighbourhood collectives record only the communicator: querying the number of neighbours in each call would cost
	// too much.
	{"Neighbor_allgather", collective, "COLLECTIVE($6, -1, BYTES($1, $2), 0);", ""},
	{"Neighbor_allgatherv", collective, "COLLECTIVE($7, -1, BYTES($1, $2), 0);", ""},
	{"Neighbor_alltoall", collective, "COLLECTIVE($6, -1, BYTES($1, $2), 0);", ""},
	{"Neighbor_alltoallv", collective, "COLLECTIVE($8, -1, 0, 0);", ""},
	{"Neighbor_alltoallw", collective, "COLLECTIVE($8, -1, 0, 0);", ""},

	{"Comm_rank", numbered, "ON($0);", ""}, {"Comm_size", numbered, "ON($0);", ""},
	{"Comm_dup", numbered, "ON($0);", newComm1},
	{"Comm_dup_with_info", otherCall, "ON($0);", "NEWCOMM($2);"},
	{"Comm_idup", otherCall, "ON($0);", "COPY($1, $0);"},
	{"Comm_idup_with_info", otherCall, "ON($0);", "COPY($2, $0);"},
	{"Comm_split", numbered, "ON($0);", "NEWCOMM($3);"},
	{"Comm_split_type", otherCall, "ON($0);", "NEWCOMM($4);"},
	{"Comm_create", otherCall, "ON($0);", "NEWCOMM($2);"},
	{"Comm_create_group", otherCall, "ON($0);", "NEWCOMM($3);"},
	{"Comm_create_from_group", otherCall, "", "NEWCOMM($4);"},
	{"Comm_free", numbered, "DROPCOMM($0);", ""},
	{"Comm_disconnect", otherCall, "DROPCOMM($0);", ""},
	{"Cart_create", numbered, "ON($0);", "NEWCOMM($5);"},
	{"Cart_sub", otherCall, "ON($0);", "NEWCOMM($2);"},
	{"Graph_create", otherCall, "ON($0);", "NEWCOMM($5);"},
	{"Dist_graph_create", otherCall, "ON($0);", "NEWCOMM($8);"},
	{"Dist_graph_create_adjacent", otherCall, "ON($0);", "NEWCOMM($9);"},
	{"Intercomm_create", otherCall, "ON($0);", "NEWCOMM($5);"},
	{"Intercomm_create_from_groups", otherCall, "", "NEWCOMM($7);"},
	{"Intercomm_merge", otherCall, "ON($0);", "NEWCOMM($2);"},

	{"Win_free", numbered, "DROPWIN($0);", ""},
	{"Put", numbered, put, ""}, {"Get", numbered, put, ""},
	{"Rput", oneSided, put, ""}, {"Rget", oneSided, put, ""},
	{"Accumulate", numbered, accumulate, ""}, {"Raccumulate", oneSided, accumulate, ""},
	{"Get_accumulate", oneSided, "ACCESS($11, $6, BYTES($4, $5));", ""},
	{"Rget_accumulate", oneSided, "ACCESS($11, $6, BYTES($4, $5));", ""},
	{"Fetch_and_op", oneSided, "ACCESS($6, $3, BYTES(1, $2));", ""},
	{"Compare_and_swap", oneSided, "ACCESS($6, $4, BYTES(1, $3));", ""},

	{"File_open", numbered, "ON($0);", ""},
	{"File_read", io, transfer, ""}, {"File_write", io, transfer, ""},
	{"File_read_all", io, transfer, ""}, {"File_write_all", io, transfer, ""},
	{"File_read_shared", io, transfer, ""}, {"File_write_shared", io, transfer, ""},
	{"File_read_ordered", io, transfer, ""}, {"File_write_ordered", io, transfer, ""},
	{"File_iread", io, transfer, ""}, {"File_iwrite", io, transfer, ""},
	{"File_iread_all", io, transfer, ""}, {"File_iwrite_all", io, transfer, ""},
	{"File_iread_shared", io, transfer, ""}, {"File_iwrite_shared", io, transfer, ""},
	{"File_read_at", numbered, transferAt, ""}, {"File_write_at", numbered, transferAt, ""},
	{"File_read_at_all", io, transferAt, ""},
	{"File_write_at_all", numbered, transferAt, ""},
	{"File_iread_at", io, transferAt, ""}, {"File_iwrite_at", io, transferAt, ""},
	{"File_iread_at_all", io, transferAt, ""},
	{"File_iwrite_at_all", io, transferAt, ""},
}

// unrecorded are the functions that are not wrapped: they are local and take no longer than recording them would, may
// be called before MPI_Init or after MPI_Finalize, or have a wrapper in lib/record.c.
var unrecorded = []string{
	"Init", "Init_thread", "Finalize", "Pcontrol", "Initialized", "Finalized", "Is_thread_main", "Query_thread",
	"Get_version", "Get_library_version", "Get_processor_name", "Get_address", "Address", "Get_count", "Get_elements",
	"Get_elements_x", "Session_", "T_", "Status_", "Error_", "Errhandler_", "Info_", "Add_error_", "Attr_", "Keyval_",
	"Test_cancelled", "Type_", "Pack", "Pack_", "Unpack", "Unpack_", "Op_", "Group_",
	"Comm_get_", "Comm_set_", "Win_get_", "Win_set_",
	"Comm_create_keyval", "Comm_free_keyval", "Win_create_keyval", "Win_free_keyval", "Comm_create_errhandler",
	"Win_create_errhandler", "File_create_errhandler", "Comm_delete_attr", "Win_delete_attr", "Comm_compare",
	"Comm_test_inter", "Comm_remote_", "Cart_coords", "Cart_get", "Cart_rank", "Cart_shift", "Cartdim_get", "Dims_create",
	"Graph_get", "Graphdims_get", "Graph_neighbors", "Graph_neighbors_", "Topo_test", "Dist_graph_neighbors",
	"Dist_graph_neighbors_", "Comm_group", "Sizeof",
	"Register_datarep", "File_get_", "Grequest_", "Comm_call_errhandler", "Win_call_errhandler", "File_call_errhandler",
	"File_set_errhandler", "DUP_FN", "Aint_", "Request_get_status", "Message_", "Open_port", "Close_port",
	"Publish_name", "Unpublish_name", "Lookup_name", "Buffer_detach_", "CONVERSION_FN_NULL", "COMM_", "WIN_", "TYPE_",
}

// isRecorded reports whether a function gets a generated wrapper.
func isRecorded(name string) bool {
	if strings.HasSuffix(name, "_c2f") || strings.HasSuffix(name, "_f2c") { // Fortran layers call them
		return false
	}
	for _, u := range unrecorded {
		prefix := strings.HasSuffix(u, "_")
		if name == u || strings.TrimSuffix(name, "_c") == u || prefix && strings.HasPrefix(name, u) {
			return false
		}
	}
	return true
}

// callOf returns the entry of a function: its own, or that of the plain function; other families of calls are
// recognised by their names.
func callOf(name string) call {
	plain := strings.TrimSuffix(name, "_c")
	c, ok := byName[plain]
	if rest, found := strings.CutPrefix(plain, "I"); found && rest != "" {
		if blocking := byName[strings.ToUpper(rest[:1])+rest[1:]]; blocking.Type == coll {
			if !ok {
				c, ok = blocking, true
				c.Value = 0
			}
			c.before, c.after = blocking.before, blocking.after
		}
	}
	switch {
	case ok && plain != name:
		c.Value = 0
	case ok:
	case strings.HasPrefix(name, "File_"):
		c.MPICall = io
	case strings.HasPrefix(name, "Win_"):
		c.MPICall = oneSided
	default:
		c.MPICall = otherCall
	}
	return c
}

// byName has the calls that Extrae numbers, and the table's.
var byName = func() map[string]call {
	m := map[string]call{}
	for name, c := range extrae.MPICalls {
		m[name] = call{name: name, MPICall: c}
	}
	for _, c := range calls {
		if known, ok := m[c.name]; ok {
			c.MPICall = known.MPICall
		}
		m[c.name] = c
	}
	return m
}()
