// Threads that call MPI at the same time: each sends to the thread of its number on the right neighbour.
#include "counted.h"
#include <pthread.h>

enum { THREADS = 3, ROUNDS = 50 };

static void *thread(void *number) {
	int tag = (int)(long)number, in[100], out[100] = {0}, right = (rank + 1) % size, left = (rank + size - 1) % size;
	for (int i = 0; i < ROUNDS; i++) {
		MPI_Request q[2];
		MPI_Irecv(in, 100, MPI_INT, left, tag, MPI_COMM_WORLD, &q[0]);
		MPI_Isend(out, 1 + tag, MPI_INT, right, tag, MPI_COMM_WORLD, &q[1]);
		MPI_Waitall(2, q, MPI_STATUSES_IGNORE);
	}
	return NULL;
}

int main(int argc, char **argv) {
	int provided;
	C(MPI_Init_thread, &argc, &argv, MPI_THREAD_MULTIPLE, &provided);
	C(MPI_Comm_rank, MPI_COMM_WORLD, &rank);
	C(MPI_Comm_size, MPI_COMM_WORLD, &size);
	if (provided < MPI_THREAD_MULTIPLE) printf("no threads\n");
	pthread_t list[THREADS];
	for (long i = 0; i < THREADS && provided == MPI_THREAD_MULTIPLE; i++)
		pthread_create(&list[i], NULL, thread, (void *)i);
	for (int i = 0; i < THREADS && provided == MPI_THREAD_MULTIPLE; i++) {
		pthread_join(list[i], NULL);
		for (int k = 0; k < ROUNDS; k++) {
			count("MPI_Irecv"), count("MPI_Isend"), count("MPI_Waitall");
			S((rank + 1) % size, 4 * (1 + i));
		}
	}
	return finish();
}
