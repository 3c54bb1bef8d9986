// A master and its workers. Tasks sleep, so that any number of ranks fits on two processors: task i of M takes
// BASE * (0.4 + 1.2 * i / M) microseconds, BASE grows by DRIFT from iteration to iteration, and each task by chance up to
// NOISE more or less. Handing a chunk out costs the master COST microseconds.
// Arguments: iterations, M, base, drift, noise, cost, tasks of a chunk, most tasks of a chunk (0: it cannot be tuned).
// Prints the time of each iteration, in seconds, and the size of its chunks.
#define _GNU_SOURCE
#include "pview.h"
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

// pause_for sleeps up to some time after the last pause, or after now: late wake-ups do not add up.
static void pause_for(double us, struct timespec *last) {
	struct timespec now;
	if (!last) clock_gettime(CLOCK_MONOTONIC, &now), last = &now;
	last->tv_nsec += (long)(us * 1e3);
	last->tv_sec += last->tv_nsec / 1000000000, last->tv_nsec %= 1000000000;
	clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, last, NULL);
}

typedef struct { int first, n, iteration; char data[244]; } chunk_t;

int main(int argc, char **argv) {
	int rank, size, iterations = atoi(argv[1]), tasks = atoi(argv[2]), chunk = atoi(argv[7]), most = atoi(argv[8]);
	double base = atof(argv[3]), drift = atof(argv[4]), noise = atof(argv[5]), cost = atof(argv[6]);
	chunk_t c = {0};
	MPI_Status status;
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	srand48(rank);
	if (!rank && most) pview_tunable_int("partition", &chunk, 1, most);
	for (int i = 0; i < iterations && !rank; i++) {
		int next = 0, out = 0;
		double begin = MPI_Wtime();
		pview_sync();
		for (int w = 1; next < tasks || out > 0; w++) {
			if (w >= size || next >= tasks) {
				MPI_Recv(&c, sizeof c, MPI_BYTE, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &status);
				out--;
			}
			if (next >= tasks) continue;
			c.first = next, c.iteration = i, c.n = chunk < tasks - next ? chunk : tasks - next;
			next += c.n;
			pause_for(cost, NULL);
			MPI_Send(&c, sizeof c, MPI_BYTE, w < size ? w : status.MPI_SOURCE, 1, MPI_COMM_WORLD);
			out++;
		}
		printf("iteration %d %.6f %d\n", i + 1, MPI_Wtime() - begin, chunk);
		fflush(stdout);
	}
	for (int w = 1; w < size && !rank; w++) MPI_Send(&c, 0, MPI_BYTE, w, 2, MPI_COMM_WORLD);
	while (rank) {
		MPI_Recv(&c, sizeof c, MPI_BYTE, 0, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
		if (status.MPI_TAG == 2) break;
		struct timespec last;
		clock_gettime(CLOCK_MONOTONIC, &last);
		for (int k = c.first; k < c.first + c.n; k++) {
			pview_begin("task");
			pause_for(base * (1 + drift * c.iteration) * (0.4 + 1.2 * k / tasks) * (1 + noise * (2 * drand48() - 1)), &last);
			pview_end();
		}
		MPI_Send(&c, sizeof c, MPI_BYTE, 0, 1, MPI_COMM_WORLD);
	}
	MPI_Finalize();
	return 0;
}
