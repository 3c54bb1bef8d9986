// The time of a call that does next to nothing, ns: the least of many batches.
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv) {
	enum { BATCHES = 200, CALLS = 1000 };
	MPI_Init(&argc, &argv);
	double least = 1e9;
	for (int k = 0; k < BATCHES; k++) {
		double begin = MPI_Wtime();
		for (int i = 0; i < CALLS; i++) MPI_Send(NULL, 0, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD);
		double each = (MPI_Wtime() - begin) / CALLS;
		if (each < least) least = each;
	}
	printf("%.1f ns a call\n", least * 1e9);
	MPI_Finalize();
	return 0;
}
