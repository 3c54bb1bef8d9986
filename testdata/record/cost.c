// The time of a call that does next to nothing, ns: the least of many batches. With the argument sync, that of
// pview_sync, which looks after a variable; with critical, that of each of the three steps of a critical section.
#include "../../prv/record/lib/pview.h"
#include <mpi.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv) {
	enum { BATCHES = 200, CALLS = 1000 };
	int sync = argc > 1 && !strcmp(argv[1], "sync"), critical = argc > 1 && !strcmp(argv[1], "critical");
	volatile int variable = 1;
	MPI_Init(&argc, &argv);
	if (sync) pview_tunable_int("partition", (int *)&variable, 1, 8);
	double least = 1e9;
	for (int k = 0; k < BATCHES; k++) {
		double begin = MPI_Wtime();
		for (int i = 0; i < CALLS && sync; i++) pview_sync();
		for (int i = 0; i < CALLS && critical; i++) {
#pragma omp critical
			variable++;
		}
		for (int i = 0; i < CALLS && !sync && !critical; i++) MPI_Send(NULL, 0, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD);
		double each = (MPI_Wtime() - begin) / CALLS / (critical ? 3 : 1);
		if (each < least) least = each;
	}
	printf("%.1f ns a call\n", least * 1e9);
	MPI_Finalize();
	return 0;
}
