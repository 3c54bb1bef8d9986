// Iterations of a ring for some seconds: ranks compute, the last one three times as long; messages, and a sum of all.
// Arguments: seconds, and microseconds of an iteration of rank 0.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int main(int argc, char **argv) {
	int rank, size, iterations = 0;
	double seconds = argc > 1 ? atof(argv[1]) : 5, begin, sum, local = 1;
	useconds_t pause = argc > 2 ? (useconds_t)atoi(argv[2]) : 1000;
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	begin = MPI_Wtime();
	for (int more = 1; more; iterations++) {
		int out = iterations, in = -1;
		MPI_Request q[2];
		MPI_Irecv(&in, 1, MPI_INT, (rank + size - 1) % size, 7, MPI_COMM_WORLD, &q[0]);
		usleep(rank == size - 1 ? 3 * pause : pause);
		MPI_Isend(&out, 1, MPI_INT, (rank + 1) % size, 7, MPI_COMM_WORLD, &q[1]);
		MPI_Waitall(2, q, MPI_STATUSES_IGNORE);
		MPI_Allreduce(&local, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
		more = MPI_Wtime() - begin < seconds;
		MPI_Bcast(&more, 1, MPI_INT, 0, MPI_COMM_WORLD);
	}
	if (!rank) printf("%d iterations\n", iterations);
	MPI_Finalize();
	return 0;
}
