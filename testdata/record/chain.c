// A pipeline: a source, a manager that hands items to the replicas of the middle stage, the replicas, and a sink. Items
// sleep, so that any number of ranks fits on two processors: ITEM microseconds in source and sink, 1.8 times as long in
// a replica, SLOW times that from iteration FROM on. An iteration is 20 items.
// Arguments: iterations, ITEM, FROM, SLOW, replicas at work. Ranks but three are replicas.
// Prints the time of each iteration, in seconds, and how many replicas were at work.
#define _GNU_SOURCE
#include "pview.h"
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { ITEMS = 20, BYTES = 1000, DATA = 1, DONE, STOP };

// pause_for sleeps up to some time after the last pause, or after now: late wake-ups do not add up.
static void pause_for(double us, struct timespec *last) {
	struct timespec now;
	if (!last) clock_gettime(CLOCK_MONOTONIC, &now), last = &now;
	last->tv_nsec += (long)(us * 1e3);
	last->tv_sec += last->tv_nsec / 1000000000, last->tv_nsec %= 1000000000;
	clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, last, NULL);
}

int main(int argc, char **argv) {
	int rank, size, iterations = atoi(argv[1]), from = atoi(argv[3]), replicas = atoi(argv[5]);
	double item = atof(argv[2]), slow = atof(argv[4]), begin = 0;
	char data[BYTES] = {0};
	int *number = (int *)data, busy[1000] = {0}, ready = 0;
	MPI_Status status;
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	int most = size - 3, sink = size - 1, items = iterations * ITEMS;
	if (rank == 1) pview_tunable_int("replicas", &replicas, 1, most);
	for (int k = 0; k < items && !rank; k++) {
		pause_for(item, NULL);
		*number = k;
		MPI_Ssend(data, BYTES, MPI_BYTE, 1, DATA, MPI_COMM_WORLD);
	}
	for (int k = 0; k < items && rank == 1; k++) {
		if (k % ITEMS == 0) {
			if (k) printf("iteration %d %.6f %d\n", k / ITEMS, MPI_Wtime() - begin, replicas), fflush(stdout);
			begin = MPI_Wtime();
			pview_sync();
		}
		MPI_Recv(data, BYTES, MPI_BYTE, 0, DATA, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		for (;;) {
			int free = 0, done = -1;
			for (int i = 0; i < replicas && !free; i++)
				if (!busy[2 + (ready + i) % replicas]) free = 2 + (ready + i) % replicas;
			if (free) {
				ready = (free - 1) % replicas;
				busy[free] = 1;
				MPI_Send(data, BYTES, MPI_BYTE, free, DATA, MPI_COMM_WORLD);
				break;
			}
			MPI_Recv(&done, 1, MPI_INT, MPI_ANY_SOURCE, DONE, MPI_COMM_WORLD, &status);
			busy[status.MPI_SOURCE] = 0;
		}
	}
	for (int r = 2; r < sink && rank == 1; r++) {
		int done;
		if (busy[r]) MPI_Recv(&done, 1, MPI_INT, r, DONE, MPI_COMM_WORLD, &status);
		MPI_Send(data, 0, MPI_BYTE, r, STOP, MPI_COMM_WORLD);
	}
	while (rank > 1 && rank < sink) {
		MPI_Recv(data, BYTES, MPI_BYTE, 1, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
		if (status.MPI_TAG == STOP) break;
		pause_for(1.8 * item * (*number / ITEMS >= from ? slow : 1), NULL);
		MPI_Send(data, BYTES, MPI_BYTE, sink, DATA, MPI_COMM_WORLD);
		MPI_Send(&rank, 1, MPI_INT, 1, DONE, MPI_COMM_WORLD);
	}
	for (int k = 0; k < items && rank == sink; k++) {
		MPI_Recv(data, BYTES, MPI_BYTE, MPI_ANY_SOURCE, DATA, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		pause_for(item, NULL);
	}
	MPI_Finalize();
	return 0;
}
