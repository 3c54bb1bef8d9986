// Calls from known functions and lines, with known work between: the test reads the marks. The argument is the number
// of pages that step touches first in each of three iterations.
#include <alloca.h>
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define KEEP __attribute__((noinline, noclone))

KEEP static int inner(int n) {
	MPI_Barrier(MPI_COMM_WORLD); // line: barrier
	return n + 1;
}

// Its frame has no fixed size.
KEEP static int dynamic(int n) {
	volatile char *room = alloca((size_t)n * 16 + 16);
	room[n] = 1;
	return inner(n) + room[n]; // line: inner
}

// Its frame is aligned.
KEEP static int aligned(int n) {
	volatile char room[64] __attribute__((aligned(64)));
	if ((uintptr_t)room % 64) abort();
	room[n] = 1;
	return dynamic(n) + room[n]; // line: dynamic
}

KEEP static void step(long pages) {
	long page = sysconf(_SC_PAGESIZE);
	char *p = mmap(NULL, (size_t)(pages * page), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	madvise(p, (size_t)(pages * page), MADV_NOHUGEPAGE);
	for (long i = 0; i < pages; i++) ((volatile char *)p)[i * page] = 1;
	MPI_Allreduce(MPI_IN_PLACE, &pages, 1, MPI_LONG, MPI_MAX, MPI_COMM_WORLD); // line: allreduce
	munmap(p, (size_t)(pages * page));
}

KEEP static int by_number(const void *a, const void *b) {
	int flag;
	MPI_Iprobe(MPI_ANY_SOURCE, 1, MPI_COMM_SELF, &flag, MPI_STATUS_IGNORE); // line: iprobe
	return *(const int *)a - *(const int *)b;
}

int main(int argc, char **argv) {
	int numbers[2] = {2, 1}, sum = 0;
	MPI_Init(&argc, &argv); // line: init
	for (int i = 0; i < 3; i++) {
		step(atol(argv[1])); // line: step
		sum += aligned(i);   // line: aligned
	}
	qsort(numbers, 2, sizeof *numbers, by_number); // line: qsort
	MPI_Finalize();                                // line: finalize
	printf("%d\n", sum);
	return 0;
}
