// Iterations of a message around the ring each, and of a message to itself that a later iteration receives.
// Argument: ms of sleep in each.
#include "pview.h"
#include <mpi.h>
#include <stdlib.h>
#include <unistd.h>

int main(int argc, char **argv) {
	int rank, size, x = 0, out[20] = {0};
	MPI_Request q[2];
	MPI_Comm old;
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	for (int i = 1; i <= 10; i++) {
		pview_begin("iteration");
		usleep(1000 * atoi(argv[1]));
		// Of i ints to the right, tag 1: received one iteration later, in order.
		MPI_Isend(out, i, MPI_INT, (rank + 1) % size, 1, MPI_COMM_WORLD, &q[0]);
		MPI_Wait(&q[0], MPI_STATUS_IGNORE);
		if (i > 1) MPI_Recv(out, 20, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		// Handles of communicators that are freed are used again, for other groups.
		MPI_Comm_split(MPI_COMM_WORLD, i % 2 ? rank : 0, rank, &old);
		MPI_Allreduce(&rank, &x, 1, MPI_INT, MPI_SUM, old);
		MPI_Comm_free(&old);
		pview_end();
	}
	MPI_Recv(out, 20, MPI_INT, (rank + size - 1) % size, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	MPI_Finalize();
	return 0;
}
