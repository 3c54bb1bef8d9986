// Two ranks start two others, and send each a message.
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv) {
	MPI_Comm parents, children, *others = &children;
	int rank, x = 1;
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_get_parent(&parents);
	if (parents == MPI_COMM_NULL) {
		MPI_Comm_spawn(argv[0], MPI_ARGV_NULL, 2, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &children, MPI_ERRCODES_IGNORE);
		MPI_Send(&x, 1, MPI_INT, rank, 0, children);
	} else {
		others = &parents;
		MPI_Recv(&x, 1, MPI_INT, rank, 0, parents, MPI_STATUS_IGNORE);
	}
	MPI_Barrier(*others);
	MPI_Comm_disconnect(others);
	MPI_Finalize();
	return 0;
}
