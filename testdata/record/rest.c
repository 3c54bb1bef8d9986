// The calls of the recorder's table that the other programs of this kind leave out. On 4 ranks.
#include "counted.h"

int main(int argc, char **argv) {
	begin(&argc, &argv);
	int a[64] = {0}, b[64] = {0}, right = (rank + 1) % size, left = (rank + size - 1) % size, one = 1, old = 0;
	MPI_Comm world = MPI_COMM_WORLD, graph, other;
	MPI_Request q[2];
	MPI_Win w;

	// Point to point: ready sends find their receives posted, since a barrier is between.
	char *space = malloc(1 << 16);
	int bytes = 1 << 16;
	C(MPI_Buffer_attach, space, bytes);
	C(MPI_Bsend_init, a, 3, MPI_INT, right, 1, world, &q[0]);
	C(MPI_Irecv, b, 3, MPI_INT, left, 1, world, &q[1]);
	C(MPI_Start, &q[0]), S(right, 12);
	C(MPI_Waitall, 2, q, MPI_STATUSES_IGNORE);
	C(MPI_Request_free, &q[0]);
	C(MPI_Buffer_detach, &space, &bytes);
	C(MPI_Rsend_init, a, 4, MPI_INT, right, 2, world, &q[0]);
	C(MPI_Irecv, b, 4, MPI_INT, left, 2, world, &q[1]);
	C(MPI_Barrier, world);
	C(MPI_Start, &q[0]), S(right, 16);
	C(MPI_Waitall, 2, q, MPI_STATUSES_IGNORE);
	C(MPI_Request_free, &q[0]);

	// Communicators and topologies, and collective operations on them.
	MPI_Group all;
	MPI_Comm_group(world, &all);
	C(MPI_Comm_create_group, world, all, 0, &other);
	C(MPI_Comm_disconnect, &other);
	C(MPI_Comm_dup_with_info, world, MPI_INFO_NULL, &other);
	C(MPI_Comm_free, &other);
	// Ranks use two of the same members in different order.
	MPI_Comm copies[2];
	for (int i = 0; i < 2; i++) C(MPI_Comm_idup, world, &copies[i], &q[i]);
	C(MPI_Waitall, 2, q, MPI_STATUSES_IGNORE);
	MPI_Request sends[2];
	for (int k = 0; k < 2; k++) {
		int i = k ^ rank & 1;
		C(MPI_Irecv, b + 8 * i, 8, MPI_INT, left, 10 + i, copies[i], &q[i]);
		C(MPI_Isend, a, 5 + i, MPI_INT, right, 10 + i, copies[i], &sends[i]), S(right, 20 + 4 * i);
	}
	C(MPI_Waitall, 2, q, MPI_STATUSES_IGNORE);
	C(MPI_Waitall, 2, sends, MPI_STATUSES_IGNORE);
	for (int i = 0; i < 2; i++) C(MPI_Comm_free, &copies[i]);
	int index[64], edges[64], periods[1] = {1}, mapped;
	for (int i = 0; i < size; i++) index[i] = i + 1, edges[i] = i ^ 1;
	C(MPI_Cart_map, world, 1, &size, periods, &mapped);
	C(MPI_Graph_map, world, size, index, edges, &mapped);
	C(MPI_Graph_create, world, size, index, edges, 0, &graph);
	C(MPI_Comm_free, &graph);
	C(MPI_Dist_graph_create, world, 1, &rank, &one, &right, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &graph);
	C(MPI_Comm_free, &graph);
	C(MPI_Dist_graph_create_adjacent, world, 1, &left, MPI_UNWEIGHTED, 1, &right, MPI_UNWEIGHTED, MPI_INFO_NULL, 0,
	  &graph);
	int two = 2, place = 0;
	MPI_Aint at = 0;
	MPI_Datatype type = MPI_INT;
	C(MPI_Neighbor_allgatherv, a, 2, MPI_INT, b, &two, &place, MPI_INT, graph);
	C(MPI_Neighbor_alltoallv, a, &two, &place, MPI_INT, b, &two, &place, MPI_INT, graph);
	C(MPI_Neighbor_alltoallw, a, &two, &at, &type, b, &two, &at, &type, graph);
#define SOON(f, ...) (C(f, __VA_ARGS__, &q[0]), C(MPI_Wait, &q[0], MPI_STATUS_IGNORE))
	SOON(MPI_Ineighbor_allgather, a, 2, MPI_INT, b, 2, MPI_INT, graph);
	SOON(MPI_Ineighbor_allgatherv, a, 2, MPI_INT, b, &two, &place, MPI_INT, graph);
	SOON(MPI_Ineighbor_alltoall, a, 2, MPI_INT, b, 2, MPI_INT, graph);
	SOON(MPI_Ineighbor_alltoallv, a, &two, &place, MPI_INT, b, &two, &place, MPI_INT, graph);
	SOON(MPI_Ineighbor_alltoallw, a, &two, &at, &type, b, &two, &at, &type, graph);
	C(MPI_Comm_free, &graph);
	int ones[16], places[16];
	MPI_Datatype types[16];
	for (int i = 0; i < 16; i++) ones[i] = 1, places[i] = 0, types[i] = MPI_INT;
	SOON(MPI_Iallgatherv, a, 1, MPI_INT, b, ones, places, MPI_INT, world);
	SOON(MPI_Ialltoallv, a, ones, places, MPI_INT, b, ones, places, MPI_INT, world);
	SOON(MPI_Ialltoallw, a, ones, places, types, b, ones, places, types, world);
	SOON(MPI_Igatherv, a, 1, MPI_INT, b, ones, places, MPI_INT, 0, world);
	SOON(MPI_Iscatterv, a, ones, places, MPI_INT, b, 1, MPI_INT, 0, world);
	SOON(MPI_Ireduce_scatter, a, b, ones, MPI_INT, MPI_SUM, world);
	SOON(MPI_Iexscan, a, b, 2, MPI_INT, MPI_SUM, world);
	C(MPI_Reduce_local, a, b, 2, MPI_INT, MPI_SUM);

	// One-sided.
	void *memory;
	MPI_Aint length;
	int unit;
	C(MPI_Alloc_mem, 64, MPI_INFO_NULL, &memory);
	C(MPI_Win_create_dynamic, MPI_INFO_NULL, world, &w);
	C(MPI_Win_attach, w, memory, 64);
	C(MPI_Win_detach, w, memory);
	C(MPI_Win_free, &w);
	C(MPI_Free_mem, memory);
	C(MPI_Win_allocate_shared, 64, 4, MPI_INFO_NULL, world, &memory, &w);
	C(MPI_Win_shared_query, w, 0, &length, &unit, &memory);
	C(MPI_Win_free, &w);
	C(MPI_Win_create, a, sizeof a, sizeof *a, MPI_INFO_NULL, world, &w);
	C(MPI_Win_post, all, 0, w);
	C(MPI_Win_start, all, 0, w);
	C(MPI_Win_complete, w);
	for (int done = 0; !done;) C(MPI_Win_test, w, &done);
	C(MPI_Win_lock_all, 0, w);
	C(MPI_Win_sync, w);
	C(MPI_Win_flush_all, w);
	C(MPI_Win_flush_local, right, w);
	C(MPI_Win_flush_local_all, w);
	C(MPI_Compare_and_swap, &one, &old, b, MPI_INT, right, 0, w);
	C(MPI_Rget, b, 2, MPI_INT, right, 1, 2, MPI_INT, w, &q[0]);
	C(MPI_Wait, &q[0], MPI_STATUS_IGNORE);
	C(MPI_Raccumulate, &one, 1, MPI_INT, right, 4, 1, MPI_INT, MPI_SUM, w, &q[0]);
	C(MPI_Wait, &q[0], MPI_STATUS_IGNORE);
	C(MPI_Rget_accumulate, &one, 1, MPI_INT, b + 8, 1, MPI_INT, right, 5, 1, MPI_INT, MPI_SUM, w, &q[0]);
	C(MPI_Wait, &q[0], MPI_STATUS_IGNORE);
	C(MPI_Win_unlock_all, w);
	C(MPI_Win_free, &w);

	// MPI-IO: writes before reads of the same kind of pointer.
	char name[4096];
	snprintf(name, sizeof name, "%s.data", argv[0]);
	MPI_File f;
	MPI_Status *none = MPI_STATUS_IGNORE;
	MPI_Offset own = rank * 64;
	C(MPI_File_open, world, name, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &f);
	C(MPI_File_write, f, a, 4, MPI_INT, none);
	C(MPI_File_write_all, f, a, 4, MPI_INT, none);
	C(MPI_File_iwrite, f, a, 4, MPI_INT, &q[0]), C(MPI_Wait, &q[0], none);
	C(MPI_File_iwrite_all, f, a, 4, MPI_INT, &q[0]), C(MPI_Wait, &q[0], none);
	C(MPI_File_iwrite_at, f, own, a, 4, MPI_INT, &q[0]), C(MPI_Wait, &q[0], none);
	C(MPI_File_iwrite_at_all, f, own, a, 4, MPI_INT, &q[0]), C(MPI_Wait, &q[0], none);
	C(MPI_Barrier, world);
	C(MPI_File_seek, f, 0, MPI_SEEK_SET);
	C(MPI_File_read_all, f, b, 4, MPI_INT, none);
	C(MPI_File_read_at_all, f, own, b, 4, MPI_INT, none);
	C(MPI_File_iread, f, b, 4, MPI_INT, &q[0]), C(MPI_Wait, &q[0], none);
	C(MPI_File_iread_all, f, b, 4, MPI_INT, &q[0]), C(MPI_Wait, &q[0], none);
	C(MPI_File_iread_at_all, f, own, b, 4, MPI_INT, &q[0]), C(MPI_Wait, &q[0], none);
	C(MPI_File_set_view, f, 0, MPI_INT, MPI_INT, "native", MPI_INFO_NULL);
	C(MPI_File_set_info, f, MPI_INFO_NULL);
	C(MPI_File_set_atomicity, f, 0);
	C(MPI_File_write_all_begin, f, a, 4, MPI_INT), C(MPI_File_write_all_end, f, a, none);
	C(MPI_File_write_at_all_begin, f, own, a, 4, MPI_INT), C(MPI_File_write_at_all_end, f, a, none);
	C(MPI_File_read_all_begin, f, b, 4, MPI_INT), C(MPI_File_read_all_end, f, b, none);
	C(MPI_File_read_at_all_begin, f, own, b, 4, MPI_INT), C(MPI_File_read_at_all_end, f, b, none);
#ifndef OPEN_MPI // 4.1 does not return from operations on shared pointers, nor always from closing a file of a set size
	C(MPI_File_preallocate, f, 256);
	C(MPI_File_set_size, f, 512);
	C(MPI_File_write_shared, f, a, 4, MPI_INT, none);
	C(MPI_File_write_ordered, f, a, 4, MPI_INT, none);
	C(MPI_File_iwrite_shared, f, a, 4, MPI_INT, &q[0]), C(MPI_Wait, &q[0], none);
	C(MPI_Barrier, world);
	C(MPI_File_seek_shared, f, 0, MPI_SEEK_SET);
	C(MPI_File_read_shared, f, b, 1, MPI_INT, none);
	C(MPI_File_read_ordered, f, b, 1, MPI_INT, none);
	C(MPI_File_iread_shared, f, b, 1, MPI_INT, &q[0]), C(MPI_Wait, &q[0], none);
	C(MPI_File_write_ordered_begin, f, a, 4, MPI_INT), C(MPI_File_write_ordered_end, f, a, none);
	C(MPI_File_read_ordered_begin, f, b, 4, MPI_INT), C(MPI_File_read_ordered_end, f, b, none);
#endif
	C(MPI_File_close, &f);
	if (!rank) C(MPI_File_delete, name, MPI_INFO_NULL);
	return finish();
}
