// A library to preload: MPI_Recv and MPI_Ssend sleep while they wait, instead of spinning. Then ranks that wait take no
// processor from others, and times are those of a machine with one for each rank.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <sys/prctl.h>
#include <time.h>

// next returns the MPI library's own function. No symbol of it is linked: launchers and shells load this library, too.
static void *next(const char *name) { return dlsym(RTLD_NEXT, name); }
#define NEXT(name) ((__typeof__(name) *)next("P" #name))

static void wait_a_little(void) {
	static __thread int exact;
	if (!exact) prctl(PR_SET_TIMERSLACK, 1000UL), exact = 1;
	nanosleep(&(struct timespec){0, 100000}, NULL);
}

int PMPI_Recv(void *buffer, int count, MPI_Datatype type, int source, int tag, MPI_Comm comm, MPI_Status *status) {
	__typeof__(MPI_Iprobe) *probe = NEXT(MPI_Iprobe);
	MPI_Status found;
	int here = 0;
	while (probe(source, tag, comm, &here, &found) == MPI_SUCCESS && !here) wait_a_little();
	return NEXT(MPI_Recv)(buffer, count, type, source, tag, comm, status);
}

int PMPI_Ssend(const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm) {
	__typeof__(MPI_Test) *test = NEXT(MPI_Test);
	MPI_Request request;
	MPI_Status status;
	int done = 0, error = NEXT(MPI_Issend)(buffer, count, type, to, tag, comm, &request);
	while (error == MPI_SUCCESS && !done) {
		error = test(&request, &done, &status);
		if (!done) wait_a_little();
	}
	return error;
}

// Of a program that is not recorded.
int MPI_Recv(void *buffer, int count, MPI_Datatype type, int source, int tag, MPI_Comm comm, MPI_Status *status) {
	return PMPI_Recv(buffer, count, type, source, tag, comm, status);
}

int MPI_Ssend(const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm) {
	return PMPI_Ssend(buffer, count, type, to, tag, comm);
}
