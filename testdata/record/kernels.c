// Kernels of parallel programs, each by name: stencil, cg, pipeline, farm, transpose. Computation sleeps, so that 16
// ranks fit on two processors, and some ranks have more of it. Arguments: kernel, iterations, microseconds.
// Prints the messages that all ranks have sent by MPI_Send, MPI_Isend and MPI_Sendrecv, and their bytes.
#define _GNU_SOURCE
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static int rank, size, iterations;
static double pause_us;
static long sent[2]; // messages, bytes

static void compute(double part) {
	long ns = (long)(1e3 * pause_us * part);
	nanosleep(&(struct timespec){ns / 1000000000, ns % 1000000000}, NULL);
}

static void count(int bytes) { sent[0]++, sent[1] += bytes; }

static double sum(double x) {
	double all;
	MPI_Allreduce(&x, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
	return all;
}

// A field on a grid of ranks: halos to four neighbours; the last rank has half as much again to do.
static void stencil(void) {
	enum { HALO = 256 };
	static double out[4][HALO], in[4][HALO];
	int dims[2] = {0, 0}, periods[2] = {1, 1}, to[4];
	MPI_Comm grid;
	MPI_Dims_create(size, 2, dims);
	MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &grid);
	for (int d = 0; d < 2; d++) MPI_Cart_shift(grid, d, 1, &to[2 * d], &to[2 * d + 1]);
	for (int i = 0; i < iterations; i++) {
		MPI_Request q[8];
		for (int k = 0; k < 4; k++) MPI_Irecv(in[k], HALO, MPI_DOUBLE, to[k], k ^ 1, grid, &q[k]);
		for (int k = 0; k < 4; k++) {
			MPI_Isend(out[k], HALO, MPI_DOUBLE, to[k], k, grid, &q[4 + k]);
			count(HALO * sizeof(double));
		}
		MPI_Waitall(8, q, MPI_STATUSES_IGNORE);
		compute(rank == size - 1 ? 1.5 : 1);
		sum(1);
	}
	MPI_Comm_free(&grid);
}

// Conjugate gradients: a product whose parts are summed up by exchanges over powers of two, and two dot products.
static void cg(void) {
	enum { PART = 512 };
	static double own[PART], other[PART];
	for (int i = 0; i < iterations; i++) {
		compute(1);
		for (int step = 1; step < size; step *= 2) {
			MPI_Sendrecv(own, PART, MPI_DOUBLE, rank ^ step, i, other, PART, MPI_DOUBLE, rank ^ step, i, MPI_COMM_WORLD,
				     MPI_STATUS_IGNORE);
			count(PART * sizeof(double));
		}
		sum(1);
		compute(0.2 + 0.3 * rank / size);
		sum(1);
	}
}

// Items that pass all ranks in order; the second needs twice as long as the others.
static void pipeline(void) {
	static char item[4000];
	for (int i = 0; i < iterations; i++) {
		if (rank) MPI_Recv(item, sizeof item, MPI_BYTE, rank - 1, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		compute(rank == 1 ? 2 : 1);
		if (rank < size - 1) MPI_Send(item, sizeof item, MPI_BYTE, rank + 1, i, MPI_COMM_WORLD), count(sizeof item);
	}
}

// A master that hands tasks of 0.5 to 1.5 to the worker that is free, two for each worker in an iteration.
static void farm(void) {
	int workers = size - 1, tasks = 2 * workers, task, stop = -1;
	MPI_Status status;
	for (int i = 0; i < iterations && !rank; i++)
		for (int next = 0, taken = 0; taken < tasks;) {
			int to = next + 1;
			if (next >= workers) MPI_Recv(&task, 1, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &status), taken++;
			if (next >= workers) to = status.MPI_SOURCE;
			if (next < tasks) MPI_Send(&next, 1, MPI_INT, to, 1, MPI_COMM_WORLD), count(sizeof next);
			next++;
		}
	for (int w = 1; w <= workers && !rank; w++) MPI_Send(&stop, 1, MPI_INT, w, 1, MPI_COMM_WORLD), count(sizeof stop);
	while (rank) {
		MPI_Recv(&task, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, &status);
		if (task < 0) break;
		compute(0.5 + (double)task / tasks);
		MPI_Send(&task, 1, MPI_INT, 0, 1, MPI_COMM_WORLD), count(sizeof task);
	}
}

// Fourier transforms: all ranks exchange blocks with all between two computations, and sum at the end of an iteration.
static void transpose(void) {
	enum { BLOCK = 2048 };
	char *out = calloc((size_t)size, BLOCK), *in = calloc((size_t)size, BLOCK);
	for (int i = 0; i < iterations; i++) {
		compute(1);
		MPI_Alltoall(out, BLOCK, MPI_BYTE, in, BLOCK, MPI_BYTE, MPI_COMM_WORLD);
		compute(rank % 2 ? 0.6 : 0.4);
		sum(1);
	}
	free(out), free(in);
}

static const struct { const char *name; void (*run)(void); } kernels[] = {
	{"stencil", stencil}, {"cg", cg}, {"pipeline", pipeline}, {"farm", farm}, {"transpose", transpose},
};

int main(int argc, char **argv) {
	long all[2];
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	iterations = atoi(argv[2]), pause_us = atof(argv[3]);
	for (size_t k = 0; k < sizeof kernels / sizeof *kernels; k++)
		if (!strcmp(kernels[k].name, argv[1])) kernels[k].run();
	// All wait for all: a phase ends here, however late a rank is. From MPI_Reduce some leave before others have come.
	MPI_Allreduce(sent, all, 2, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
	if (!rank) printf("messages %ld bytes %ld\n", all[0], all[1]);
	MPI_Finalize();
	return 0;
}
