// A program that ends in the way of its first argument, on the last rank, after ten messages around the ring.
#include <mpi.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char **argv) {
	int rank, size, x = 0;
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	for (int i = 0; i < 10; i++)
		MPI_Sendrecv(&rank, 1, MPI_INT, (rank + 1) % size, 0, &x, 1, MPI_INT, (rank + size - 1) % size, 0, MPI_COMM_WORLD,
			MPI_STATUS_IGNORE);
	MPI_Barrier(MPI_COMM_WORLD);
	if (rank == size - 1) {
		usleep(500000); // until the others wait in MPI_Recv
		if (!strcmp(argv[1], "abort")) MPI_Abort(MPI_COMM_WORLD, 5);
		if (!strcmp(argv[1], "crash")) *(volatile int *)8 = 1;
		if (!strcmp(argv[1], "kill")) kill(getpid(), SIGKILL);
		if (!strcmp(argv[1], "exit")) exit(3);
	}
	MPI_Recv(&x, 1, MPI_INT, (rank + 1) % size, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE); // never comes
	MPI_Finalize();
	return 0;
}
