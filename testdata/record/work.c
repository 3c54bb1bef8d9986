// Iterations of known CPU time: each computes for so many ms of the thread's CPU time, passes a number around the ring
// waits for all. Arguments: iterations, ms. Prints the sum of the longest computations, the time that the program takes
// with a processor for each rank and a network that costs nothing, and the wall time.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double cpu(void) {
	struct timespec t;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

int main(int argc, char **argv) {
	int rank, size, iterations = atoi(argv[1]), in, out = 1;
	double seconds = 1e-3 * atof(argv[2]), begin, wall, longest, total = 0;
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	MPI_Barrier(MPI_COMM_WORLD);
	begin = MPI_Wtime();
	for (int i = 0; i < iterations; i++) {
		double from = cpu(), took, most;
		while ((took = cpu() - from) < seconds) {}
		MPI_Sendrecv(&out, 1, MPI_INT, (rank + 1) % size, 3, &in, 1, MPI_INT, (rank + size - 1) % size, 3, MPI_COMM_WORLD,
			MPI_STATUS_IGNORE);
		MPI_Allreduce(&took, &most, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
		total += most;
	}
	wall = MPI_Wtime() - begin;
	MPI_Reduce(&wall, &longest, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
	if (!rank) printf("analytic %.9f wall %.6f\n", total, longest);
	MPI_Finalize();
	return 0;
}
