// MPI 4, where the library has it: large counts, persistent collective operations, partitioned messages, and what else
// is new. On 4 ranks.
#include "counted.h"

#if MPI_VERSION >= 4
static int a[256], b[256], right, left, ones[16], places[16];
static MPI_Count large[16];
static MPI_Aint far[16];
static MPI_Datatype types[16];
static MPI_Request q[4];
static MPI_Status *none = MPI_STATUS_IGNORE, *all = MPI_STATUSES_IGNORE;
static MPI_Info info = MPI_INFO_NULL;
static MPI_Comm world = MPI_COMM_WORLD;

#define TO n, MPI_INT, right, 1, world
#define FROM n, MPI_INT, left, 1, world

// A ready send finds its receive posted, since a barrier is between.
#define SEND(f, count) do { MPI_Count n = count; C(MPI_Irecv_c, b, FROM, &q[0]); C(MPI_Barrier, world); \
	C(f, a, TO), S(right, 4 * n); C(MPI_Wait, &q[0], none); } while (0)
#define ISEND(f, count) do { MPI_Count n = count; C(MPI_Irecv_c, b, FROM, &q[0]); C(MPI_Barrier, world); \
	C(f, a, TO, &q[1]), S(right, 4 * n); C(MPI_Waitall, 2, q, all); } while (0)
#define AGAIN(f, count) do { MPI_Count n = count; C(MPI_Recv_init_c, b, FROM, &q[0]); C(f, a, TO, &q[1]); \
	C(MPI_Start, &q[0]); C(MPI_Barrier, world); C(MPI_Start, &q[1]), S(right, 4 * n); C(MPI_Waitall, 2, q, all); \
	for (int i = 0; i < 2; i++) C(MPI_Request_free, &q[i]); } while (0)
#define STARTED() do { C(MPI_Start, &q[0]); C(MPI_Wait, &q[0], none); C(MPI_Request_free, &q[0]); } while (0)
// LARGE has the forms of a collective operation with large counts, PERSISTENT the one with others.
#define LARGE(name, iname, ...) do { C(MPI_##name##_c, __VA_ARGS__); C(MPI_##iname##_c, __VA_ARGS__, &q[0]); \
	C(MPI_Wait, &q[0], none); C(MPI_##name##_init_c, __VA_ARGS__, info, &q[0]); STARTED(); } while (0)
#define PERSISTENT(name, ...) do { C(MPI_##name##_init, __VA_ARGS__, info, &q[0]); STARTED(); } while (0)
#define BOTH(name, iname, ...) do { LARGE(name, iname, __VA_ARGS__); PERSISTENT(name, __VA_ARGS__); } while (0)

static void messages(void) {
	int flag = 0, two[2] = {1, 2};
	MPI_Message m;
	char *space = malloc(1 << 16);
	C(MPI_Buffer_attach_c, space, 1 << 16);
	SEND(MPI_Send_c, 1);
	SEND(MPI_Ssend_c, 2);
	SEND(MPI_Rsend_c, 3);
	SEND(MPI_Bsend_c, 4);
	ISEND(MPI_Isend_c, 5);
	ISEND(MPI_Issend_c, 6);
	ISEND(MPI_Irsend_c, 7);
	ISEND(MPI_Ibsend_c, 8);
	AGAIN(MPI_Send_init_c, 9);
	AGAIN(MPI_Ssend_init_c, 10);
	AGAIN(MPI_Rsend_init_c, 11);
	AGAIN(MPI_Bsend_init_c, 12);
	MPI_Count n = 13;
	C(MPI_Sendrecv_c, a, n, MPI_INT, right, 1, b, FROM, none), S(right, 52);
	C(MPI_Sendrecv_replace_c, a, n, MPI_INT, right, 1, left, 1, world, none), S(right, 52);
	C(MPI_Isendrecv, a, n, MPI_INT, right, 1, b, FROM, &q[0]), S(right, 52);
	C(MPI_Isendrecv_replace, a + 64, n, MPI_INT, right, 1, left, 1, world, &q[1]), S(right, 52);
	C(MPI_Waitall, 2, q, all);
	C(MPI_Isendrecv_c, a, n, MPI_INT, right, 1, b, FROM, &q[0]), S(right, 52);
	C(MPI_Isendrecv_replace_c, a + 64, n, MPI_INT, right, 1, left, 1, world, &q[1]), S(right, 52);
	C(MPI_Waitall, 2, q, all);
	for (int i = 0; i < 3; i++) C(MPI_Isend_c, a, TO, &q[i]), S(right, 52);
	C(MPI_Recv_c, b, FROM, none);
	C(MPI_Mprobe, left, 1, world, &m, none);
	C(MPI_Mrecv_c, b, n, MPI_INT, &m, none);
	C(MPI_Mprobe, left, 1, world, &m, none);
	C(MPI_Imrecv_c, b, n, MPI_INT, &m, &q[3]);
	C(MPI_Waitall, 4, q, all);

	// In 4 parts of 2, received in 2 parts of 4; twice.
	C(MPI_Psend_init, a, 4, 2, MPI_INT, right, 2, world, info, &q[0]);
	C(MPI_Precv_init, b, 2, 4, MPI_INT, left, 2, world, info, &q[1]);
	for (int i = 0; i < 2; i++) {
		C(MPI_Startall, 2, q), S(right, 32);
		C(MPI_Pready, 0, q[0]);
		C(MPI_Pready_list, 2, two, q[0]);
		C(MPI_Pready_range, 3, 3, q[0]);
		for (flag = 0; !flag;) C(MPI_Parrived, q[1], 1, &flag);
		C(MPI_Waitall, 2, q, all);
	}
	for (int i = 0; i < 2; i++) C(MPI_Request_free, &q[i]);
}

static void collectives(void) {
	MPI_Comm graph, other;
	PERSISTENT(Barrier, world);
	BOTH(Bcast, Ibcast, a, 2, MPI_INT, 0, world);
	BOTH(Reduce, Ireduce, a, b, 2, MPI_INT, MPI_SUM, 0, world);
	BOTH(Allreduce, Iallreduce, a, b, 2, MPI_INT, MPI_SUM, world);
	BOTH(Scan, Iscan, a, b, 2, MPI_INT, MPI_SUM, world);
	BOTH(Exscan, Iexscan, a, b, 2, MPI_INT, MPI_SUM, world);
	BOTH(Reduce_scatter_block, Ireduce_scatter_block, a, b, 2, MPI_INT, MPI_SUM, world);
	LARGE(Reduce_scatter, Ireduce_scatter, a, b, large, MPI_INT, MPI_SUM, world);
	PERSISTENT(Reduce_scatter, a, b, ones, MPI_INT, MPI_SUM, world);
	BOTH(Gather, Igather, a, 2, MPI_INT, b, 2, MPI_INT, 0, world);
	LARGE(Gatherv, Igatherv, a, 1, MPI_INT, b, large, far, MPI_INT, 0, world);
	PERSISTENT(Gatherv, a, 1, MPI_INT, b, ones, places, MPI_INT, 0, world);
	BOTH(Scatter, Iscatter, a, 2, MPI_INT, b, 2, MPI_INT, 0, world);
	LARGE(Scatterv, Iscatterv, a, large, far, MPI_INT, b, 1, MPI_INT, 0, world);
	PERSISTENT(Scatterv, a, ones, places, MPI_INT, b, 1, MPI_INT, 0, world);
	BOTH(Allgather, Iallgather, a, 2, MPI_INT, b, 2, MPI_INT, world);
	LARGE(Allgatherv, Iallgatherv, a, 1, MPI_INT, b, large, far, MPI_INT, world);
	PERSISTENT(Allgatherv, a, 1, MPI_INT, b, ones, places, MPI_INT, world);
	BOTH(Alltoall, Ialltoall, a, 2, MPI_INT, b, 2, MPI_INT, world);
	LARGE(Alltoallv, Ialltoallv, a, large, far, MPI_INT, b, large, far, MPI_INT, world);
	PERSISTENT(Alltoallv, a, ones, places, MPI_INT, b, ones, places, MPI_INT, world);
	LARGE(Alltoallw, Ialltoallw, a, large, far, types, b, large, far, types, world);
	PERSISTENT(Alltoallw, a, ones, places, types, b, ones, places, types, world);
	C(MPI_Reduce_local_c, a, b, 2, MPI_INT, MPI_SUM);
	C(MPI_Dist_graph_create_adjacent, world, 1, &left, MPI_UNWEIGHTED, 1, &right, MPI_UNWEIGHTED, info, 0, &graph);
	BOTH(Neighbor_allgather, Ineighbor_allgather, a, 2, MPI_INT, b, 2, MPI_INT, graph);
	LARGE(Neighbor_allgatherv, Ineighbor_allgatherv, a, 1, MPI_INT, b, large, far, MPI_INT, graph);
	PERSISTENT(Neighbor_allgatherv, a, 1, MPI_INT, b, ones, places, MPI_INT, graph);
	BOTH(Neighbor_alltoall, Ineighbor_alltoall, a, 2, MPI_INT, b, 2, MPI_INT, graph);
	LARGE(Neighbor_alltoallv, Ineighbor_alltoallv, a, large, far, MPI_INT, b, large, far, MPI_INT, graph);
	PERSISTENT(Neighbor_alltoallv, a, ones, places, MPI_INT, b, ones, places, MPI_INT, graph);
	LARGE(Neighbor_alltoallw, Ineighbor_alltoallw, a, large, far, types, b, large, far, types, graph);
	PERSISTENT(Neighbor_alltoallw, a, ones, far, types, b, ones, far, types, graph);
	C(MPI_Comm_free, &graph);
	C(MPI_Comm_idup_with_info, world, info, &other, &q[0]);
	C(MPI_Wait, &q[0], none);
	C(MPI_Comm_free, &other);
	MPI_Group all, half, others;
	MPI_Comm_group(world, &all);
	int odd[2] = {1, 3}, even[2] = {0, 2};
	MPI_Group_incl(all, 2, rank % 2 ? odd : even, &half);
	MPI_Group_incl(all, 2, rank % 2 ? even : odd, &others);
	C(MPI_Comm_create_from_group, half, "pview", info, MPI_ERRORS_ARE_FATAL, &other);
	C(MPI_Comm_free, &other);
	C(MPI_Intercomm_create_from_groups, half, 0, others, 0, "pview", info, MPI_ERRORS_ARE_FATAL, &other);
	C(MPI_Sendrecv, a, 3, MPI_INT, rank / 2, 0, b, 3, MPI_INT, rank / 2, 0, other, none), S(rank ^ 1, 12);
	C(MPI_Comm_free, &other);
}

static void oneSided(void) {
	MPI_Win w;
	void *base;
	MPI_Aint bytes, unit;
	C(MPI_Win_allocate_c, 64, 4, info, world, &base, &w);
	C(MPI_Win_free, &w);
	C(MPI_Win_allocate_shared_c, 64, 4, info, world, &base, &w);
	C(MPI_Win_shared_query_c, w, 0, &bytes, &unit, &base);
	C(MPI_Win_free, &w);
	C(MPI_Win_create_c, a, sizeof a, sizeof *a, info, world, &w);
	C(MPI_Win_lock_all, 0, w);
	C(MPI_Put_c, b, 2, MPI_INT, right, 0, 2, MPI_INT, w);
	C(MPI_Get_c, b, 2, MPI_INT, right, 2, 2, MPI_INT, w);
	C(MPI_Accumulate_c, b, 2, MPI_INT, right, 4, 2, MPI_INT, MPI_SUM, w);
	C(MPI_Get_accumulate_c, b, 2, MPI_INT, b + 8, 2, MPI_INT, right, 6, 2, MPI_INT, MPI_SUM, w);
	C(MPI_Rput_c, b, 2, MPI_INT, right, 8, 2, MPI_INT, w, &q[0]), C(MPI_Wait, &q[0], none);
	C(MPI_Rget_c, b, 2, MPI_INT, right, 10, 2, MPI_INT, w, &q[0]), C(MPI_Wait, &q[0], none);
	C(MPI_Raccumulate_c, b, 2, MPI_INT, right, 12, 2, MPI_INT, MPI_SUM, w, &q[0]), C(MPI_Wait, &q[0], none);
	C(MPI_Rget_accumulate_c, b, 2, MPI_INT, b + 8, 2, MPI_INT, right, 14, 2, MPI_INT, MPI_SUM, w, &q[0]);
	C(MPI_Wait, &q[0], none);
	C(MPI_Win_unlock_all, w);
	C(MPI_Win_free, &w);
}

static void files(const char *program) {
	char name[4096];
	MPI_File f;
	MPI_Offset own = rank * 64;
	snprintf(name, sizeof name, "%s.data", program);
	C(MPI_File_open, world, name, MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, info, &f);
#define IO(f_, buffer) C(MPI_File_##f_##_c, f, buffer, 4, MPI_INT, none)
#define AT(f_, buffer) C(MPI_File_##f_##_c, f, own, buffer, 4, MPI_INT, none)
#define IIO(f_, buffer) C(MPI_File_##f_##_c, f, buffer, 4, MPI_INT, &q[0]), C(MPI_Wait, &q[0], none)
#define IAT(f_, buffer) C(MPI_File_##f_##_c, f, own, buffer, 4, MPI_INT, &q[0]), C(MPI_Wait, &q[0], none)
#define SPLIT(f_, buffer) C(MPI_File_##f_##_begin_c, f, buffer, 4, MPI_INT), C(MPI_File_##f_##_end, f, buffer, none)
#define SPLITAT(f_, buffer) C(MPI_File_##f_##_begin_c, f, own, buffer, 4, MPI_INT), \
	C(MPI_File_##f_##_end, f, buffer, none)
	IO(write, a), IO(write_all, a), IO(write_shared, a), IO(write_ordered, a);
	AT(write_at, a), AT(write_at_all, a);
	IIO(iwrite, a), IIO(iwrite_all, a), IIO(iwrite_shared, a);
	IAT(iwrite_at, a), IAT(iwrite_at_all, a);
	SPLIT(write_all, a), SPLIT(write_ordered, a), SPLITAT(write_at_all, a);
	C(MPI_Barrier, world);
	C(MPI_File_seek, f, 0, MPI_SEEK_SET);
	C(MPI_File_seek_shared, f, 0, MPI_SEEK_SET);
	IO(read, b), IO(read_all, b), IO(read_shared, b), IO(read_ordered, b);
	AT(read_at, b), AT(read_at_all, b);
	IIO(iread, b), IIO(iread_all, b), IIO(iread_shared, b);
	IAT(iread_at, b), IAT(iread_at_all, b);
	SPLIT(read_all, b), SPLIT(read_ordered, b), SPLITAT(read_at_all, b);
	C(MPI_File_close, &f);
}
#endif

int main(int argc, char **argv) {
	begin(&argc, &argv);
#if MPI_VERSION >= 4
	right = (rank + 1) % size, left = (rank + size - 1) % size;
	for (int i = 0; i < 16; i++) ones[i] = large[i] = 1, types[i] = MPI_INT;
	messages();
	collectives();
	oneSided();
	files(argv[0]);
#endif
	return finish();
}
