// A master and its workers. Tasks sleep, so that any number of ranks fits on two processors: task i of M takes
// BASE * (0.4 + 1.2 * i / M) microseconds, BASE grows by DRIFT from iteration to iteration, and each task by chance up
// to NOISE more or less. Handing a chunk out costs the master COST microseconds.
// Arguments: iterations, M, base, drift, noise, cost, value, most, and if they differ from "partition" and 0: variable,
// first iteration. The variable begins with a value and may become most (0: it cannot be tuned). It is one of
//   partition  tasks of a chunk
//   part       the part of all tasks in a batch for all workers: partition as a double
//   policy     0: one chunk for each worker, 1: batches with half of all tasks, 2: with half of those that are left
//   workers    how many workers get tasks, in chunks of one
// Prints the time of each iteration, in seconds, and the value of the variable.
#define _GNU_SOURCE
#include "pview.h"
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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

static int chunk, policy = -1, workers; // policy -1: all chunks have equally many tasks
static double part = 0.5;

// next_chunk returns how many tasks the chunk at some place of an iteration has: a batch has a chunk for each worker.
static int next_chunk(int place, int tasks, int left) {
	static int batch;
	if (policy < 0) return chunk < left ? chunk : left;
	if (place % workers == 0) {
		batch = policy == 0 ? tasks : (int)(part * (policy == 1 ? tasks : left));
		if (batch < workers) batch = workers;
		if (batch > left) batch = left;
	}
	int n = batch / workers + (place % workers < batch % workers);
	return n ? n : 1;
}

// tune registers the variable with a name; it has a value at first.
static void tune(const char *name, double value, double most) {
	int *whole = !strcmp(name, "policy") ? &policy : !strcmp(name, "workers") ? &workers : &chunk;
	chunk = 1;
	if (!strcmp(name, "part")) {
		policy = 1, part = value;
		if (most) pview_tunable_double("partition", &part, 0.1, most);
	} else {
		*whole = (int)value;
		if (most) pview_tunable_int(name, whole, whole != &policy, (int)most);
	}
}

int main(int argc, char **argv) {
	int rank, size, iterations = atoi(argv[1]), tasks = atoi(argv[2]), start = argc > 10 ? atoi(argv[10]) : 0;
	double base = atof(argv[3]), drift = atof(argv[4]), noise = atof(argv[5]), cost = atof(argv[6]);
	const char *name = argc > 9 ? argv[9] : "partition";
	chunk_t c = {0};
	MPI_Status status;
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	srand48(rank);
	workers = size - 1;
	if (!rank) tune(name, atof(argv[7]), atof(argv[8]));
	for (int i = start; i < iterations && !rank; i++) {
		int next = 0, out = 0;
		double begin = MPI_Wtime();
		pview_sync();
		for (int w = 1; next < tasks || out > 0; w++) {
			if (w > workers || next >= tasks) {
				MPI_Recv(&c, sizeof c, MPI_BYTE, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &status);
				out--;
			}
			if (next >= tasks) continue;
			c.first = next, c.iteration = i, c.n = next_chunk(w - 1, tasks, tasks - next);
			next += c.n;
			pause_for(cost, NULL);
			MPI_Send(&c, sizeof c, MPI_BYTE, w <= workers ? w : status.MPI_SOURCE, 1, MPI_COMM_WORLD);
			out++;
		}
		double value = !strcmp(name, "part") ? part : !strcmp(name, "policy") ? policy :
			!strcmp(name, "workers") ? workers : chunk;
		printf("iteration %d %.6f %g\n", i + 1, MPI_Wtime() - begin, value);
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
			pause_for(base * (1 + drift * c.iteration) * (0.4 + 1.2 * k / tasks) * (1 + noise * (2 * drand48() - 1)),
				  &last);
			pview_end();
		}
		MPI_Send(&c, sizeof c, MPI_BYTE, 0, 1, MPI_COMM_WORLD);
	}
	MPI_Finalize();
	return 0;
}
