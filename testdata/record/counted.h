// Programs for the tests of pview record. They count their own calls and messages, and print them after MPI_Finalize:
// "call RANK NAME N" and "sent RANK TO N BYTES".
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int rank, size, calls;
static struct { const char *name; int n; } counted[512];
static struct { long n, bytes; } sent[256];

static void count(const char *name) {
	for (int i = 0; i < calls; i++)
		if (!strcmp(counted[i].name, name)) { counted[i].n++; return; }
	counted[calls].name = name, counted[calls++].n = 1;
}

// C calls an MPI function and counts it; S counts a message to a rank of MPI_COMM_WORLD.
#define C(f, ...) (count(#f), f(__VA_ARGS__))
#define S(to, size) (sent[to].n++, sent[to].bytes += (long)(size))

static inline void begin(int *argc, char ***argv) {
	C(MPI_Init, argc, argv);
	C(MPI_Comm_rank, MPI_COMM_WORLD, &rank);
	C(MPI_Comm_size, MPI_COMM_WORLD, &size);
}

static inline int finish(void) {
	C(MPI_Finalize);
	for (int i = 0; i < calls; i++) printf("call %d %s %d\n", rank, counted[i].name, counted[i].n);
	for (int i = 0; i < size; i++)
		if (sent[i].n) printf("sent %d %d %ld %ld\n", rank, i, sent[i].n, sent[i].bytes);
	return 0;
}
