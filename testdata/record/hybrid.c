// OpenMP of known structure, ROUNDS times: a region in which every thread computes, meets the others at a barrier, and
// passes a critical section and a lock; a loop that is shared out, whose last quarter takes LONGER times as long; a
// region in which one thread creates tasks and waits for them. Ranks exchange a message after each round. It prints its
// counts: "openmp RANK THREADS REGIONS", "each RANK BARRIERS CRITICALS LOCKS" of each thread, "tasks RANK N", and
// "thread RANK NUMBER NS" with the time that the thread was in the explicit barriers, by its own clock.
#include "counted.h"
#include <omp.h>
#include <time.h>

enum { ROUNDS = 20, TASKS = 6, MOST = 64, LONGER = 3 };

static struct { double barrier; char pad[64]; } spent[MOST];

static double now(void) {
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// nap waits for a time, without a processor: threads may be more than processors.
static void nap(double us) {
	struct timespec t = {0, (long)(us * 1000)};
	nanosleep(&t, NULL);
}

int main(int argc, char **argv) {
	int provided, threads = 0;
	C(MPI_Init_thread, &argc, &argv, MPI_THREAD_FUNNELED, &provided);
	C(MPI_Comm_rank, MPI_COMM_WORLD, &rank);
	C(MPI_Comm_size, MPI_COMM_WORLD, &size);
	omp_lock_t lock;
	omp_init_lock(&lock);
	for (int i = 0; i < ROUNDS; i++) {
#pragma omp parallel
		{
			int me = omp_get_thread_num();
#pragma omp single
			threads = omp_get_num_threads();
			nap(200 * (me + 1));
			double before = now();
#pragma omp barrier
			double met = now();
#pragma omp critical
			nap(100);
			omp_set_lock(&lock);
			spent[me].barrier += met - before;
			omp_unset_lock(&lock);
		}
#pragma omp parallel for schedule(static)
		for (int k = 0; k < 4 * omp_get_max_threads(); k++) nap(k < 3 * omp_get_max_threads() ? 100 : 100 * LONGER);
#pragma omp parallel
#pragma omp single nowait
		{
			for (int k = 0; k < TASKS; k++)
#pragma omp task
				nap(100);
#pragma omp taskwait
		}
		double x = i, y;
		C(MPI_Sendrecv, &x, 1, MPI_DOUBLE, (rank + 1) % size, 0, &y, 1, MPI_DOUBLE, (rank + size - 1) % size, 0,
			MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		S((rank + 1) % size, 8);
	}
	for (int i = 0; i < threads; i++) printf("thread %d %d %.0f\n", rank, i, 1e9 * spent[i].barrier);
	printf("openmp %d %d %d\n", rank, threads, 3 * ROUNDS);
	printf("each %d %d %d %d\n", rank, 2 * ROUNDS, ROUNDS, ROUNDS);
	printf("tasks %d %d\n", rank, TASKS * ROUNDS);
	return finish();
}
