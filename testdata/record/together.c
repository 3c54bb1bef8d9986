// A variable that all ranks register, and iterations that check that they have the same value of it. Argument: seconds.
// Prints how often the ranks differed, and how often the value changed.
#include "pview.h"
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
	int rank, value = 10, last = 10, changes = 0, differ = 0, more = 1;
	double real = 0.5, begin;
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	pview_tunable_int("width", &value, 1, 1000);
	pview_tunable_double("real", &real, 0, 1);
	for (begin = MPI_Wtime(); more;) {
		int all[2], own[2];
		pview_sync();
		own[0] = value, own[1] = -value;
		MPI_Allreduce(own, all, 2, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
		differ += all[0] != -all[1];
		changes += value != last;
		last = value;
		more = MPI_Wtime() - begin < atof(argv[1]);
		MPI_Bcast(&more, 1, MPI_INT, 0, MPI_COMM_WORLD);
	}
	printf("rank %d differ %d changes %d real %g\n", rank, differ, changes, real);
	MPI_Finalize();
	return 0;
}
