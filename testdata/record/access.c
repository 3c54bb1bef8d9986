// One-sided communication and MPI-IO.
#include "counted.h"

int main(int argc, char **argv) {
	begin(&argc, &argv);
	int a[16], b[16], right = (rank + 1) % size, one = 1, old;
	MPI_Win w, allocated;
	void *base;
	MPI_Request q;
	memset(a, 0, sizeof a);
	C(MPI_Win_create, a, sizeof a, sizeof *a, MPI_INFO_NULL, MPI_COMM_WORLD, &w);
	C(MPI_Win_fence, 0, w);
	C(MPI_Put, b, 4, MPI_INT, right, 0, 4, MPI_INT, w);
	C(MPI_Win_fence, 0, w);
	C(MPI_Get, b, 4, MPI_INT, right, 4, 4, MPI_INT, w);
	C(MPI_Accumulate, b, 2, MPI_INT, right, 8, 2, MPI_INT, MPI_SUM, w);
	C(MPI_Win_fence, 0, w);
	C(MPI_Win_lock, MPI_LOCK_SHARED, right, 0, w);
	C(MPI_Fetch_and_op, &one, &old, MPI_INT, right, 12, MPI_SUM, w);
	C(MPI_Get_accumulate, &one, 1, MPI_INT, &old, 1, MPI_INT, right, 13, 1, MPI_INT, MPI_SUM, w);
	C(MPI_Win_unlock, right, w);
	C(MPI_Win_lock_all, 0, w);
	C(MPI_Rput, b, 3, MPI_INT, right, 0, 3, MPI_INT, w, &q);
	C(MPI_Wait, &q, MPI_STATUS_IGNORE);
	C(MPI_Win_flush, right, w);
	C(MPI_Win_unlock_all, w);
	MPI_Group all, to, from;
	MPI_Comm_group(MPI_COMM_WORLD, &all);
	int left = (rank + size - 1) % size;
	MPI_Group_incl(all, 1, &right, &to);
	MPI_Group_incl(all, 1, &left, &from);
	C(MPI_Win_post, from, 0, w);
	C(MPI_Win_start, to, 0, w);
	C(MPI_Put, b, 1, MPI_INT, right, 0, 1, MPI_INT, w);
	C(MPI_Win_complete, w);
	C(MPI_Win_wait, w);
	C(MPI_Win_free, &w);
	C(MPI_Win_allocate, 64, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &allocated);
	C(MPI_Win_free, &allocated);

	char name[4096];
	snprintf(name, sizeof name, "%s.data", argv[0]);
	MPI_File f;
	C(MPI_File_open, MPI_COMM_WORLD, name, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &f);
	C(MPI_File_write_at, f, rank * 64, a, 16, MPI_INT, MPI_STATUS_IGNORE);
	C(MPI_File_write_at_all, f, rank * 64, a, 16, MPI_INT, MPI_STATUS_IGNORE);
	C(MPI_File_sync, f);
	C(MPI_File_read_at, f, rank * 64, b, 16, MPI_INT, MPI_STATUS_IGNORE);
	C(MPI_File_seek, f, rank * 64, MPI_SEEK_SET);
	C(MPI_File_read, f, b, 8, MPI_INT, MPI_STATUS_IGNORE);
	C(MPI_File_iread_at, f, rank * 64, b, 16, MPI_INT, &q);
	C(MPI_Wait, &q, MPI_STATUS_IGNORE);
	C(MPI_File_close, &f);
	return finish();
}
