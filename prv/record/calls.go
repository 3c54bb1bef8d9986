package record

// The table of calls: what each MPI function is in Extrae's vocabulary, and what its wrapper keeps of it.

import (
	"strings"

	"pview/prv/extrae"
)

// States, by Extrae's numbers.
const (
	stateRunning  = 1
	stateAbsent   = 2
	stateReceive  = 3
	stateSend     = 4
	stateProbe    = 6
	stateWait     = 8
	stateIsend    = 10
	stateIrecv    = 11
	stateIO       = 12
	stateGroup    = 13
	stateUntraced = 14
	stateOther    = 15
	stateSendrecv = 16
	stateMemory   = 17
)

// call is an MPI function.
type call struct {
	name   string // without MPI_
	family uint32 // event type
	value  int64  // Extrae's; 0: firstOwn and following, by place in the list of functions
	state  uint32
	// before and after are C code around the call, in the macros of lib/record.c; $0 and following are the arguments.
	before, after string
}

// firstOwn is the first value of calls for which Extrae's is not known: labels tell what they are.
const firstOwn = 1000

const (
	ptp   = extrae.MPIPointToPoint
	coll  = extrae.MPICollective
	other = extrae.MPIOther
	rma   = extrae.MPIOneSided
	file  = extrae.MPIFile
)

// C code of several calls.
const (
	send       = "SEND($5, $3, $4, BYTES($1, $2));"
	persistent = "PERSISTENT($6, 1, $5, $3, $4, BYTES($1, $2));"
	put        = "ACCESS($7, $3, BYTES($1, $2));"
	accumulate = "ACCESS($8, $3, BYTES($1, $2));"
	transfer   = "TRANSFER(BYTES($2, $3));"
	transferAt = "TRANSFER(BYTES($3, $4));"
	newComm1   = "NEWCOMM($1);"
)

// calls are the functions that are more than "other". A non-blocking collective (Ibcast) and one with large counts
// (Send_c) have the entry of the plain one.
var calls = []call{
	{"Send", ptp, 1, stateSend, send, ""}, {"Bsend", ptp, 33, stateSend, send, ""},
	{"Ssend", ptp, 34, stateSend, send, ""}, {"Rsend", ptp, 35, stateSend, send, ""},
	{"Isend", ptp, 3, stateIsend, send, ""}, {"Ibsend", ptp, 36, stateIsend, send, ""},
	{"Issend", ptp, 37, stateIsend, send, ""}, {"Irsend", ptp, 38, stateIsend, send, ""},
	{"Send_init", ptp, 117, stateIsend, "", persistent}, {"Bsend_init", ptp, 0, stateIsend, "", persistent},
	{"Ssend_init", ptp, 0, stateIsend, "", persistent}, {"Rsend_init", ptp, 0, stateIsend, "", persistent},
	{"Recv_init", ptp, 116, stateIrecv, "", "PERSISTENT($6, 0, $5, $3, $4, 0);"},
	{"Start", ptp, 0, stateIsend, "START(1, $0);", ""}, {"Startall", other, 124, stateOther, "START($0, $1);", ""},
	{"Recv", ptp, 2, stateReceive, "PARTNER($5, $3, $4); STATUS($6);", "RECEIVED($6, $3);"},
	{"Irecv", ptp, 4, stateIrecv, "PARTNER($5, $3, $4);", "TRACK($6, $3, $5);"},
	{"Sendrecv", ptp, 41, stateSendrecv, "SEND($10, $3, $4, BYTES($1, $2)); STATUS($11);", "ALSO($11, $8, $10);"},
	{"Sendrecv_replace", ptp, 42, stateSendrecv, "SEND($7, $3, $4, BYTES($1, $2)); STATUS($8);", "ALSO($8, $5, $7);"},
	{"Isendrecv", ptp, 0, stateIsend, "SEND($10, $3, $4, BYTES($1, $2));", "TRACK($11, $8, $10);"},
	{"Isendrecv_replace", ptp, 0, stateIsend, "SEND($7, $3, $4, BYTES($1, $2));", "TRACK($8, $5, $7);"},
	{"Probe", ptp, 61, stateProbe, "PARTNER($2, $0, $1);", ""},
	{"Iprobe", ptp, 62, stateProbe, "PARTNER($2, $0, $1);", ""},
	{"Mprobe", ptp, 0, stateProbe, "PARTNER($2, $0, $1); STATUS($4);", "TRACK_MESSAGE($3, $4, $2);"},
	{"Improbe", ptp, 0, stateProbe, "PARTNER($2, $0, $1); STATUS($5);", "if (*$3) { TRACK_MESSAGE($4, $5, $2); }"},
	{"Mrecv", ptp, 0, stateReceive, "TAKE_MESSAGE($3); STATUS($4);", "RECEIVED_MESSAGE($4);"},
	{"Imrecv", ptp, 0, stateIrecv, "TAKE_MESSAGE($3);", "TRACK_AGAIN($4);"},
	{"Wait", ptp, 5, stateWait, "STATUS($1); ENTRIES(1, $0, $1);", "COMPLETED(1, $1);"},
	{"Waitall", ptp, 6, stateWait, "ENTRIES($0, $1, $2);", "COMPLETED($0, $2);"},
	{"Waitany", ptp, 59, stateWait, "HANDLES($0, $1); STATUS($3);", "COMPLETED_ONE(*$2, $3);"},
	{"Waitsome", ptp, 60, stateWait, "HANDLES($0, $1); STATUSES($4);", "COMPLETED_SOME(*$2, $3, $4);"},
	{"Test", other, 39, stateWait, "HANDLES(1, $0); STATUS($2);", "if (*$1) { COMPLETED_ONE(0, $2); }"},
	{"Testall", other, 0, stateWait, "HANDLES($0, $1); STATUSES($3);", "if (*$2) { COMPLETED_ALL($0, $3); }"},
	{"Testany", other, 0, stateWait, "HANDLES($0, $1); STATUS($4);", "if (*$3) { COMPLETED_ONE(*$2, $4); }"},
	{"Testsome", other, 0, stateWait, "HANDLES($0, $1); STATUSES($4);", "COMPLETED_SOME(*$2, $3, $4);"},
	{"Request_free", other, 115, stateWait, "FORGET($0);", ""},
	{"Cancel", other, 0, stateOther, "", ""}, {"Buffer_attach", other, 0, stateOther, "", ""},

	{"Barrier", coll, 8, stateGroup, "COLLECTIVE($0, -1, 0, 0);", ""},
	{"Bcast", coll, 7, stateGroup, "COLLECTIVE($4, $3, ROOT ? BYTES($1, $2) : 0, ROOT ? 0 : BYTES($1, $2));", ""},
	{"Reduce", coll, 9, stateGroup, "COLLECTIVE($6, $5, ROOT ? 0 : BYTES($2, $3), ROOT ? BYTES($2, $3) : 0);", ""},
	{"Allreduce", coll, 10, stateGroup, "COLLECTIVE($5, -1, BYTES($2, $3), BYTES($2, $3));", ""},
	{"Alltoall", coll, 11, stateGroup, "COLLECTIVE($6, -1, $0 == MPI_IN_PLACE ? BYTES($4, $5) : BYTES($1, $2), " +
		"BYTES($4, $5) * (uint64_t)MEMBERS);", ""},
	{"Alltoallv", coll, 12, stateGroup, "COLLECTIVE($8, -1, $0 == MPI_IN_PLACE ? SUM($5, MEMBERS, $7) : " +
		"SUM($1, MEMBERS, $3), SUM($5, MEMBERS, $7));", ""},
	{"Alltoallw", coll, 0, stateGroup, "COLLECTIVE($8, -1, $0 == MPI_IN_PLACE ? SUMW($5, MEMBERS, $7) : " +
		"SUMW($1, MEMBERS, $3), SUMW($5, MEMBERS, $7));", ""},
	{"Gather", coll, 13, stateGroup, "COLLECTIVE($7, $6, $0 == MPI_IN_PLACE ? BYTES($4, $5) : BYTES($1, $2), " +
		"ROOT ? BYTES($4, $5) * (uint64_t)MEMBERS : 0);", ""},
	{"Gatherv", coll, 14, stateGroup, "COLLECTIVE($8, $7, $0 == MPI_IN_PLACE ? BYTES($4[C->rank], $6) : " +
		"BYTES($1, $2), ROOT ? SUM($4, MEMBERS, $6) : 0);", ""},
	{"Scatter", coll, 15, stateGroup, "COLLECTIVE($7, $6, ROOT ? BYTES($1, $2) * (uint64_t)MEMBERS : 0, " +
		"$3 == MPI_IN_PLACE ? BYTES($1, $2) : BYTES($4, $5));", ""},
	{"Scatterv", coll, 16, stateGroup, "COLLECTIVE($8, $7, ROOT ? SUM($1, MEMBERS, $3) : 0, " +
		"$4 == MPI_IN_PLACE ? BYTES($1[C->rank], $3) : BYTES($5, $6));", ""},
	{"Allgather", coll, 17, stateGroup, "COLLECTIVE($6, -1, $0 == MPI_IN_PLACE ? BYTES($4, $5) : BYTES($1, $2), " +
		"BYTES($4, $5) * (uint64_t)MEMBERS);", ""},
	{"Allgatherv", coll, 18, stateGroup, "COLLECTIVE($7, -1, $0 == MPI_IN_PLACE ? BYTES($4[C->rank], $6) : " +
		"BYTES($1, $2), SUM($4, MEMBERS, $6));", ""},
	{"Reduce_scatter", coll, 80, stateGroup, "COLLECTIVE($5, -1, SUM($2, C->size, $3), BYTES($2[C->rank], $3));", ""},
	{"Reduce_scatter_block", coll, 0, stateGroup, "COLLECTIVE($5, -1, BYTES($2, $3) * (uint64_t)C->size, " +
		"BYTES($2, $3));", ""},
	{"Scan", coll, 30, stateGroup, "COLLECTIVE($5, -1, BYTES($2, $3), BYTES($2, $3));", ""},
	{"Exscan", coll, 0, stateGroup, "COLLECTIVE($5, -1, BYTES($2, $3), BYTES($2, $3));", ""},
	{"Iallreduce", coll, 155, stateGroup, "", ""}, {"Ibarrier", coll, 156, stateGroup, "", ""},
	{"Ibcast", coll, 157, stateGroup, "", ""},
	// Of a neighbourhood: the communicator alone. The number of neighbours would have to be asked for in each call.
	{"Neighbor_allgather", coll, 0, stateGroup, "COLLECTIVE($6, -1, BYTES($1, $2), 0);", ""},
	{"Neighbor_allgatherv", coll, 0, stateGroup, "COLLECTIVE($7, -1, BYTES($1, $2), 0);", ""},
	{"Neighbor_alltoall", coll, 0, stateGroup, "COLLECTIVE($6, -1, BYTES($1, $2), 0);", ""},
	{"Neighbor_alltoallv", coll, 0, stateGroup, "COLLECTIVE($8, -1, 0, 0);", ""},
	{"Neighbor_alltoallw", coll, 0, stateGroup, "COLLECTIVE($8, -1, 0, 0);", ""},

	{"Comm_rank", other, 19, stateOther, "ON($0);", ""}, {"Comm_size", other, 20, stateOther, "ON($0);", ""},
	{"Init", other, 31, stateOther, "", ""}, {"Init_thread", other, 0, stateOther, "", ""},
	{"Finalize", other, 32, stateOther, "", ""},
	{"Comm_dup", other, 22, stateOther, "ON($0);", newComm1},
	{"Comm_dup_with_info", other, 0, stateOther, "ON($0);", "NEWCOMM($2);"},
	{"Comm_split", other, 23, stateOther, "ON($0);", "NEWCOMM($3);"},
	{"Comm_split_type", other, 0, stateOther, "ON($0);", "NEWCOMM($4);"},
	{"Comm_create", other, 0, stateOther, "ON($0);", "NEWCOMM($2);"},
	{"Comm_create_group", other, 0, stateOther, "ON($0);", "NEWCOMM($3);"},
	{"Comm_free", other, 25, stateOther, "DROPCOMM($0);", ""},
	{"Comm_disconnect", other, 0, stateOther, "DROPCOMM($0);", ""},
	{"Cart_create", other, 43, stateOther, "ON($0);", "NEWCOMM($5);"},
	{"Cart_sub", other, 0, stateOther, "ON($0);", "NEWCOMM($2);"},
	{"Graph_create", other, 0, stateOther, "ON($0);", "NEWCOMM($5);"},
	{"Dist_graph_create", other, 0, stateOther, "ON($0);", "NEWCOMM($8);"},
	{"Dist_graph_create_adjacent", other, 0, stateOther, "ON($0);", "NEWCOMM($9);"},
	{"Intercomm_create", other, 0, stateOther, "ON($0);", "NEWCOMM($5);"},
	{"Intercomm_merge", other, 0, stateOther, "ON($0);", "NEWCOMM($2);"},

	{"Win_create", rma, 63, stateOther, "", ""}, {"Win_free", rma, 64, stateOther, "DROPWIN($0);", ""},
	{"Win_fence", rma, 68, stateMemory, "", ""},
	{"Win_start", rma, 69, stateMemory, "", ""}, {"Win_complete", rma, 70, stateMemory, "", ""},
	{"Win_post", rma, 71, stateMemory, "", ""}, {"Win_wait", rma, 72, stateMemory, "", ""},
	{"Put", rma, 65, stateMemory, put, ""}, {"Get", rma, 66, stateMemory, put, ""},
	{"Rput", rma, 0, stateMemory, put, ""}, {"Rget", rma, 0, stateMemory, put, ""},
	{"Accumulate", rma, 67, stateMemory, accumulate, ""}, {"Raccumulate", rma, 0, stateMemory, accumulate, ""},
	{"Get_accumulate", rma, 0, stateMemory, "ACCESS($11, $6, BYTES($4, $5));", ""},
	{"Rget_accumulate", rma, 0, stateMemory, "ACCESS($11, $6, BYTES($4, $5));", ""},
	{"Fetch_and_op", rma, 0, stateMemory, "ACCESS($6, $3, BYTES(1, $2));", ""},
	{"Compare_and_swap", rma, 0, stateMemory, "ACCESS($6, $4, BYTES(1, $3));", ""},

	{"File_open", file, 141, stateIO, "ON($0);", ""}, {"File_close", file, 142, stateIO, "", ""},
	{"File_read", file, 0, stateIO, transfer, ""}, {"File_write", file, 0, stateIO, transfer, ""},
	{"File_read_all", file, 0, stateIO, transfer, ""}, {"File_write_all", file, 0, stateIO, transfer, ""},
	{"File_read_shared", file, 0, stateIO, transfer, ""}, {"File_write_shared", file, 0, stateIO, transfer, ""},
	{"File_read_ordered", file, 0, stateIO, transfer, ""}, {"File_write_ordered", file, 0, stateIO, transfer, ""},
	{"File_iread", file, 0, stateIO, transfer, ""}, {"File_iwrite", file, 0, stateIO, transfer, ""},
	{"File_iread_all", file, 0, stateIO, transfer, ""}, {"File_iwrite_all", file, 0, stateIO, transfer, ""},
	{"File_iread_shared", file, 0, stateIO, transfer, ""}, {"File_iwrite_shared", file, 0, stateIO, transfer, ""},
	{"File_read_at", file, 147, stateIO, transferAt, ""}, {"File_write_at", file, 149, stateIO, transferAt, ""},
	{"File_read_at_all", file, 0, stateIO, transferAt, ""},
	{"File_write_at_all", file, 150, stateIO, transferAt, ""},
	{"File_iread_at", file, 0, stateIO, transferAt, ""}, {"File_iwrite_at", file, 0, stateIO, transferAt, ""},
	{"File_iread_at_all", file, 0, stateIO, transferAt, ""},
	{"File_iwrite_at_all", file, 0, stateIO, transferAt, ""},
}

// unrecorded are functions that are not wrapped: they are local and take no longer than recording them, may be called
// outside MPI_Init and MPI_Finalize, or have a wrapper in lib/record.c.
var unrecorded = []string{
	"Init", "Init_thread", "Finalize", "Pcontrol", "Initialized", "Finalized", "Is_thread_main", "Query_thread",
	"Get_version", "Get_library_version", "Get_processor_name", "Get_address", "Address", "Get_count", "Get_elements",
	"Get_elements_x", "Session_", "T_", "Status_", "Error_", "Errhandler_", "Info_", "Add_error_", "Attr_", "Keyval_",
	"Test_cancelled", "Type_", "Pack", "Unpack", "Op_", "Group_", "Comm_get_", "Comm_set_", "Win_get_", "Win_set_",
	"Comm_create_keyval", "Comm_free_keyval", "Win_create_keyval", "Win_free_keyval", "Comm_create_errhandler",
	"Win_create_errhandler", "File_create_errhandler", "Comm_delete_attr", "Win_delete_attr", "Comm_compare",
	"Comm_test_inter", "Comm_remote_", "Cart_coords", "Cart_get", "Cart_rank", "Cart_shift", "Cartdim_get", "Dims_create",
	"Graph_get", "Graphdims_get", "Graph_neighbors", "Topo_test", "Dist_graph_neighbors", "Comm_group", "Sizeof",
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

// callOf returns the entry of a function: its own, or that of the plain one; families of other calls go by their names.
func callOf(name string) call {
	plain := strings.TrimSuffix(name, "_c")
	c, ok := byName[plain]
	if collective, found := byName[strings.ToUpper(plain[1:min(2, len(plain))])+plain[min(2, len(plain)):]]; found &&
		plain[0] == 'I' && collective.family == coll {
		if !ok {
			c, ok = collective, true
			c.value = 0
		}
		c.before, c.after = collective.before, collective.after
	}
	if ok {
		c.name = name
		if plain != name {
			c.value = 0
		}
		return c
	}
	c = call{name: name, family: other, state: stateOther}
	switch {
	case strings.HasPrefix(name, "File_"):
		c.family, c.state = file, stateIO
	case strings.HasPrefix(name, "Win_"):
		c.family, c.state = rma, stateMemory
	}
	return c
}

var byName = func() map[string]call {
	m := map[string]call{}
	for _, c := range calls {
		m[c.name] = c
	}
	return m
}()
