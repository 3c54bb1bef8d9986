// Collective operations, blocking and not, on communicators of all kinds; messages on them, between groups as well.
#include "counted.h"

int main(int argc, char **argv) {
	begin(&argc, &argv);
	int a[64] = {0}, b[64] = {0}, counts[16], places[16];
	MPI_Datatype types[16];
	MPI_Comm world = MPI_COMM_WORLD, copy, half, pairs, cart, row, inter, merged, made, idle;
	MPI_Request q[16];
	MPI_Group group, part;
	int n = 0;
	for (int i = 0; i < 16; i++) counts[i] = 1, places[i] = 4 * i, types[i] = MPI_INT;

	C(MPI_Comm_dup, world, &copy);
	C(MPI_Comm_split, world, rank % 2, -rank, &half); // the last is the first
	C(MPI_Comm_split_type, world, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &pairs);
	int dims[2] = {2, size / 2}, periods[2] = {1, 1}, keep[2] = {0, 1};
	C(MPI_Cart_create, world, 2, dims, periods, 0, &cart);
	C(MPI_Cart_sub, cart, keep, &row);
	MPI_Comm_group(world, &group);
	int firsts[2] = {0, 1};
	MPI_Group_incl(group, 2, firsts, &part);
	C(MPI_Comm_create, world, part, &made);
	C(MPI_Intercomm_create, half, 0, world, rank % 2 ? size - 2 : size - 1, 7, &inter);
	C(MPI_Intercomm_merge, inter, rank % 2, &merged);

	C(MPI_Barrier, world);
	C(MPI_Bcast, a, 10, MPI_INT, 1, half);
	C(MPI_Reduce, a, b, 10, MPI_INT, MPI_SUM, 0, world);
	C(MPI_Allreduce, a, b, 10, MPI_INT, MPI_SUM, copy);
	C(MPI_Gather, a, 2, MPI_INT, b, 2, MPI_INT, 0, world);
	C(MPI_Gatherv, a, 1, MPI_INT, b, counts, places, MPI_INT, 0, world);
	C(MPI_Scatter, a, 2, MPI_INT, b, 2, MPI_INT, 0, world);
	C(MPI_Scatterv, a, counts, places, MPI_INT, b, 1, MPI_INT, 0, world);
	C(MPI_Allgather, a, 2, MPI_INT, b, 2, MPI_INT, world);
	C(MPI_Allgather, MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, b, 2, MPI_INT, world);
	C(MPI_Allgatherv, a, 1, MPI_INT, b, counts, places, MPI_INT, world);
	C(MPI_Alltoall, a, 2, MPI_INT, b, 2, MPI_INT, world);
	C(MPI_Alltoallv, a, counts, places, MPI_INT, b, counts, places, MPI_INT, world);
	C(MPI_Alltoallw, a, counts, places, types, b, counts, places, types, world);
	C(MPI_Reduce_scatter, a, b, counts, MPI_INT, MPI_SUM, world);
	C(MPI_Reduce_scatter_block, a, b, 2, MPI_INT, MPI_SUM, world);
	C(MPI_Scan, a, b, 2, MPI_INT, MPI_SUM, world);
	C(MPI_Exscan, a, b, 2, MPI_INT, MPI_SUM, world);
	C(MPI_Neighbor_allgather, a, 1, MPI_INT, b, 1, MPI_INT, cart);
	C(MPI_Neighbor_alltoall, a, 1, MPI_INT, b, 1, MPI_INT, cart);
	C(MPI_Barrier, inter);
	C(MPI_Bcast, a, 10, MPI_INT, rank % 2 ? 0 : rank == size - 2 ? MPI_ROOT : MPI_PROC_NULL, inter);

	int c[16][64];
	C(MPI_Ibarrier, world, &q[n++]);
	C(MPI_Ibcast, c[1], 10, MPI_INT, 0, world, &q[n++]);
	C(MPI_Ireduce, a, c[2], 10, MPI_INT, MPI_SUM, 0, world, &q[n++]);
	C(MPI_Iallreduce, a, c[3], 10, MPI_INT, MPI_SUM, world, &q[n++]);
	C(MPI_Igather, a, 2, MPI_INT, c[4], 2, MPI_INT, 0, world, &q[n++]);
	C(MPI_Iscatter, a, 2, MPI_INT, c[5], 2, MPI_INT, 0, world, &q[n++]);
	C(MPI_Iallgather, a, 2, MPI_INT, c[6], 2, MPI_INT, world, &q[n++]);
	C(MPI_Ialltoall, a, 2, MPI_INT, c[7], 2, MPI_INT, world, &q[n++]);
	C(MPI_Ireduce_scatter_block, a, c[8], 2, MPI_INT, MPI_SUM, world, &q[n++]);
	C(MPI_Iscan, a, c[9], 2, MPI_INT, MPI_SUM, world, &q[n++]);
	C(MPI_Waitall, n, q, MPI_STATUSES_IGNORE);

	// Messages: within a half from its first to its last, in a row, and from each even rank to the odd one after it.
	int place, members, other = rank % 2 ? rank - 1 : rank + 1;
	C(MPI_Comm_rank, half, &place);
	C(MPI_Comm_size, half, &members);
	if (place == 0 && members > 1) C(MPI_Send, a, 3, MPI_INT, members - 1, 0, half), S(rank % 2, 12);
	if (place == members - 1 && members > 1) C(MPI_Recv, b, 3, MPI_INT, 0, 0, half, MPI_STATUS_IGNORE);
	if (rank % 2) C(MPI_Recv, b, 4, MPI_INT, place, 0, inter, MPI_STATUS_IGNORE);
	else C(MPI_Send, a, 4, MPI_INT, place, 0, inter), S(other, 16);
	C(MPI_Send, a, 5, MPI_INT, rank, 0, copy), S(rank, 20);
	C(MPI_Recv, b, 5, MPI_INT, rank, 0, copy, MPI_STATUS_IGNORE);

	C(MPI_Comm_free, &merged);
	C(MPI_Comm_free, &inter);
	C(MPI_Comm_dup, half, &idle);
	C(MPI_Sendrecv, a, 6, MPI_INT, members - 1 - place, 0, b, 6, MPI_INT, members - 1 - place, 0, idle, MPI_STATUS_IGNORE);
	S(rank % 2 + 2 * place, 24);
	C(MPI_Comm_free, &idle);
	return finish();
}
