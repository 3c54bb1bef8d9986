// Teams of different sizes, one within another, of one thread, and around MPI_Init and MPI_Finalize; threads that call
// MPI; MPI_Pcontrol stops recording within a region.
#include <mpi.h>
#include <omp.h>
#include <unistd.h>

int main(int argc, char **argv) {
	int provided;
#pragma omp parallel
	usleep(100);
	MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
	for (int i = 0; i < 12; i++) {
		if (i == 8) MPI_Pcontrol(1);
#pragma omp parallel
		{
			usleep(100 * (1 + omp_get_thread_num()));
			if (i == 4 && !omp_get_thread_num()) MPI_Pcontrol(0);
#pragma omp barrier
			usleep(50);
		}
#pragma omp parallel num_threads(2)
		{
			usleep(50);
#pragma omp parallel num_threads(2)
			usleep(100);
		}
#pragma omp parallel
		{
			int x = omp_get_thread_num();
#pragma omp for schedule(dynamic) nowait
			for (int k = 0; k < 8; k++) usleep(20);
			MPI_Sendrecv_replace(&x, 1, MPI_INT, 0, x, 0, x, MPI_COMM_SELF, MPI_STATUS_IGNORE);
		}
#pragma omp parallel if (0)
		usleep(10);
		MPI_Barrier(MPI_COMM_WORLD);
	}
	MPI_Finalize();
#pragma omp parallel
	usleep(10);
	return 0;
}
