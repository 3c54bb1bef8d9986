// A clock that runs 0.3 % fast on the node called node2: linked into a program, it stands before libc's.
#define _GNU_SOURCE
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

int clock_gettime(clockid_t id, struct timespec *t) {
	static long long first;
	char name[64] = "";
	long failed = syscall(SYS_clock_gettime, id, t);
	if (failed || id != CLOCK_MONOTONIC) return (int)failed;
	gethostname(name, sizeof name);
	if (strcmp(name, "node2")) return 0;
	long long ns = t->tv_sec * 1000000000ll + t->tv_nsec;
	if (!first) first = ns;
	ns += (ns - first) * 3 / 1000;
	t->tv_sec = ns / 1000000000, t->tv_nsec = ns % 1000000000;
	return 0;
}
