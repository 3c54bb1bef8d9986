// Functions of -finstrument-functions, regions and events of pview.h. Arguments: none. Runs without the recorder.
#include "pview.h"
#include <mpi.h>
#include <stdio.h>

static int inner(int n) { return n + 1; }

int outer(int n) { // line 8
	MPI_Barrier(MPI_COMM_WORLD);
	return inner(n);
}

int main(int argc, char **argv) {
	int n = 0;
	pview_begin("too early");
	MPI_Init(&argc, &argv);
	pview_end();
	for (int i = 0; i < 3; i++) {
		pview_begin(i == 1 ? "odd" : "a region with a name of more than fifty-six characters, to the end");
		pview_event(123456, i == 2 ? -7 : 1000000000000LL + i);
		n = outer(n);
		pview_end();
	}
	MPI_Finalize();
	printf("%d\n", n);
	return 0;
}
