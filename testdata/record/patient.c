// A library to preload: calls that wait for messages and collective operations sleep meanwhile, instead of spinning.
// Then ranks that wait take no processor from others, and times are those of a machine with one for each rank.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <sys/prctl.h>
#include <time.h>

// NEXT is the MPI library's own function. No symbol of it is linked: launchers and shells load this library, too.
#define NEXT(name) ((__typeof__(MPI_##name) *)dlsym(RTLD_NEXT, "PMPI_" #name))

static void wait_a_little(void) {
	static __thread int exact;
	if (!exact) prctl(PR_SET_TIMERSLACK, 1000UL), exact = 1;
	nanosleep(&(struct timespec){0, 100000}, NULL);
}

static int finish(int error, int n, MPI_Request *requests, MPI_Status *statuses) {
	__typeof__(MPI_Testall) *test = NEXT(Testall);
	for (int done = 0; error == MPI_SUCCESS && !done;) {
		error = test(n, requests, &done, statuses);
		if (!done) wait_a_little();
	}
	return error;
}

static int receive(void *buffer, int count, MPI_Datatype type, int source, int tag, MPI_Comm comm, MPI_Status *status) {
	__typeof__(MPI_Iprobe) *probe = NEXT(Iprobe);
	MPI_Status found;
	int here = 0;
	while (probe(source, tag, comm, &here, &found) == MPI_SUCCESS && !here) wait_a_little();
	return NEXT(Recv)(buffer, count, type, source, tag, comm, status);
}

// DEFINE defines a call for recorded programs, whose recorder calls PMPI, and for others.
#define DEFINE(name, parameters, arguments, result) \
	int PMPI_##name parameters { return result; } \
	int MPI_##name parameters { return PMPI_##name arguments; }

DEFINE(Recv, (void *b, int n, MPI_Datatype t, int source, int tag, MPI_Comm c, MPI_Status *s),
       (b, n, t, source, tag, c, s), receive(b, n, t, source, tag, c, s))
DEFINE(Waitall, (int n, MPI_Request *q, MPI_Status *s), (n, q, s), finish(MPI_SUCCESS, n, q, s))

// FINISHED starts the non-blocking form of a call, and waits for its end.
#define FINISHED(name, ...) \
	({ MPI_Request q; int e = NEXT(name)(__VA_ARGS__, &q); finish(e, 1, &q, MPI_STATUSES_IGNORE); })

DEFINE(Ssend, (const void *b, int n, MPI_Datatype t, int to, int tag, MPI_Comm c), (b, n, t, to, tag, c),
       FINISHED(Issend, b, n, t, to, tag, c))
DEFINE(Allreduce, (const void *b, void *r, int n, MPI_Datatype t, MPI_Op o, MPI_Comm c), (b, r, n, t, o, c),
       FINISHED(Iallreduce, b, r, n, t, o, c))
DEFINE(Alltoall, (const void *b, int n, MPI_Datatype t, void *r, int m, MPI_Datatype u, MPI_Comm c),
       (b, n, t, r, m, u, c), FINISHED(Ialltoall, b, n, t, r, m, u, c))
