// pview's recorder: writes each MPI call of a process to a mapped file of fixed records. A generated part precedes it,
// which declares a pointer real_MPI_X for each MPI function and the enumeration of the calls; the generated wrappers
// follow: see wrap.go. file.go reads the files.
//
// Rules: nothing is recorded before MPI_Init has returned and after MPI_Finalize has; only the outermost call of a
// thread is recorded, since MPI functions call each other; on any trouble recording ends with a one-line message, and
// the program continues.

// Kinds of records other than calls.
enum {
	PV_RECEIVED = 60001, // a receive completed: comm, peer (rank in comm), tag, recvd bytes, req, aux: seq of the call;
	                     // with PV_FAILED it was cancelled or given up
	PV_SENT,             // a persistent send started: comm, peer, tag, bytes, aux: seq of the call
	PV_POSTED,           // a persistent receive started: comm, req, aux: seq of the call
	PV_COMM,             // a communicator: comm, peer: own rank, bytes: size, recvd: remote size, or 0 of an intra one;
	                     // tag 1: the group of a window
	PV_MEMBERS,          // world ranks of its members, 14 per record
	PV_CLOCK,            // begin: local time, aux: offset to rank 0's time, bytes: round trip, ns
	PV_ON, PV_OFF,       // recording begins and stops on this thread: MPI_Pcontrol, --only-after, --from-iteration
	PV_EVENT,            // of the program: aux: value, req: type
	PV_ENTER, PV_EXIT,   // user function or region; aux: address of a function; req: number of a region's name
	PV_NAME,             // flags: its number; 56 bytes of the name; records of one number follow each other
	PV_STACK,            // flags: number of callers; 7 return addresses per record, the innermost first
	PV_OPENMP            // req: the construct; tag: value of Extrae's event, 0: it ends; aux: place, or team; bytes: task
};

// Constructs of OpenMP. A team is the return address of its region, with the number of the region in the bits above.
enum { PV_PARALLEL = 1, PV_OUTLINED, PV_SHARING, PV_BARRIER, PV_TASKWAIT, PV_LOCK, PV_CRITICAL, PV_CREATE, PV_EXECUTE };

enum { PV_SEND = 1, PV_RECV = 2, PV_POST = 4, PV_COLLECTIVE = 8, PV_REPOST = 16, PV_FAILED = 32,
	PV_UNSEEN = 64 }; // while recording is stopped: only for matching messages
enum { PV_RECORDING = 1, PV_STOPPED };
// Ends of a file; 0 if the process was killed.
enum { PV_FINALIZED = 1, PV_BY_LIMIT, PV_BY_DISK };
// Why OpenMP was not recorded: its runtime has no OMPT, or did not call the recorder.
enum { PV_NO_OMPT = 1, PV_NOT_ASKED };

// pv_rec is a record; counters follow it in pairs, before and after the call: CPU time, then those of
// pv_header.counting.
// aux of a call is the seq of its PV_STACK, 0: none.
typedef struct {
	uint32_t seq; // number in the file, from 1; written last: 0 until the record is complete
	uint16_t kind, flags;
	uint64_t begin, end; // ns, CLOCK_MONOTONIC; end 0: still in the call
	uint64_t bytes, recvd;
	int32_t comm, peer, tag;
	uint32_t req;
	uint64_t aux;
	uint64_t counters[];
} pv_rec;

// pv_header is the first page of a file.
typedef struct {
	char magic[8]; // PVREC2\n
	uint32_t record, header;
	int32_t rank, size, thread, pid;
	uint64_t world;   // identifies the run of the program
	uint64_t started; // CLOCK_MONOTONIC, ns
	int64_t date;     // seconds since 1970
	uint32_t level;   // thread level, as MPI_Query_thread returns it
	uint32_t ended;   // see PV_FINALIZED
	uint32_t cpus;
	uint32_t counters; // pairs of a record
	char host[64], program[256], library[256], note[512];
	uint32_t callers;   // levels of call stacks
	uint32_t counted;   // thousandths of the time in which the counters ran; 0: unknown
	char counting[256]; // "NAME ERRNO," for each counter; ERRNO 0: it counts
	uint32_t openmp;    // see PV_NO_OMPT; 0: no OpenMP, or recorded
	uint32_t unseen;    // number of threads, if openmp is set
} pv_header;

#define PV_PAGE 4096

// pv_comm_t is a communicator (or the group of a window).
typedef struct { int32_t id, rank, size, remote; } pv_comm_t;

// pv_entry holds the communicator or the pending operation of a handle.
typedef struct {
	uint64_t key; // 0: free
	pv_comm_t *comm;
	uint64_t bytes;
	uint32_t id; // of the pending receive; 0: none
	int32_t peer, tag;
	uint8_t persistent, send;
} pv_entry;

typedef struct { pv_entry *slots; size_t mask, used; } pv_table;

enum { PV_COUNTERS = 8, PV_CALLERS = 32, PV_FORTRAN = 2 }; // callers in the Fortran layer of an MPI library

// pv_stacks has the call stacks that a thread has written, and the rules to unwind its code.
typedef struct pv_stacks pv_stacks;

typedef struct pv_thread {
	char *next;          // in the window
	char *ready;         // end of the part whose pages are in memory
	char *end;
	char *window;
	uint32_t seq;
	int in;              // in a call
	int off;             // recording has ended on this thread: no window
	pv_stacks *stacks;   // NULL: none are recorded
	int stopped;         // its last mark is PV_OFF
	int fd, number;
	off_t offset;        // of the window in the file
	char *stale[8];      // windows that the current call may still write to
	int nstale;
	MPI_Comm comm;       // last looked up
	pv_comm_t *found;
	unsigned generation;
	// Copies of the arguments of a completion.
	size_t room;
	uint64_t *handles;
	pv_entry *entries;
	MPI_Status *statuses;
	int counting[PV_COUNTERS], slots[PV_COUNTERS], ncounting; // descriptors (the first reads all); places in records
} pv_thread;

static int pv_on;             // PV_RECORDING, or PV_STOPPED temporarily
static int pv_dead;           // recording has ended for good
static int pv_waiting;        // for pv_after, or for iteration pv_from
static uint64_t pv_after;     // a time; 0: none
static long pv_from;
static int pv_locked;         // several threads may call MPI at once
static int pv_rank, pv_size, pv_rec_size = sizeof(pv_rec), pv_cpu;
static int pv_pairs;          // of counters in a record, including the CPU time
static int pv_levels;         // wanted, of call stacks
static uint64_t pv_world, pv_limit;
static size_t pv_window;
static char pv_dir[3800], pv_note[512], pv_library[256], pv_hostname[64];
static uint32_t pv_requests;  // ids assigned
static unsigned pv_generation = 1;
static int pv_threads, pv_comms, pv_level;
static MPI_Group pv_group;
static pthread_mutex_t pv_mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_key_t pv_key;
static __thread pv_thread *pv_self PV_TLS;

#define pv_unlikely(x) __builtin_expect(!!(x), 0)

static inline uint64_t pv_clock(clockid_t id) {
	struct timespec t;
	clock_gettime(id, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

// pv_ticks converts the time-stamp counter to CLOCK_MONOTONIC: ns + (counter - ticks) * mult / 2^32, if it ticks evenly
// and the kernel uses it for its own clock, which takes twice as long to read. All ranks of a node use the same
// conversion, or messages would arrive before they were sent. mult is 0 if the counter is not used.
static struct { uint64_t ticks, ns, mult; } pv_ticks;

static inline uint64_t pv_now(void) {
#ifdef __x86_64__
	if (pv_ticks.mult)
		return pv_ticks.ns + (uint64_t)((unsigned __int128)(__builtin_ia32_rdtsc() - pv_ticks.ticks) * pv_ticks.mult >> 32);
#endif
	return pv_clock(CLOCK_MONOTONIC);
}

// pv_calibrate reads both clocks; the second time, at least 10 ms later, it also sets the rate of the counter, to about
// 5 ppm.
static void pv_calibrate(void) {
#ifdef __x86_64__
	static uint64_t first, at;
	unsigned a, b, c, d;
	char source[64] = "";
	FILE *f = fopen("/sys/devices/system/clocksource/clocksource0/current_clocksource", "r");
	if (f && !fgets(source, sizeof source, f)) source[0] = 0;
	if (f) fclose(f);
	source[strcspn(source, "\n")] = 0;
	if (strcmp(source, "tsc") && strcmp(source, "kvm-clock") && strcmp(source, "hyperv_clocksource_tsc_page")) return;
	if (!__get_cpuid(0x80000007, &a, &b, &c, &d) || !(d & 1 << 8)) return;
	while (at && pv_clock(CLOCK_MONOTONIC) - at < 10000000) usleep(1000);
	uint64_t ticks = 0, ns = 0, least = 0;
	for (int k = 0; k < 20; k++) {
		uint64_t before = pv_clock(CLOCK_MONOTONIC), now = __builtin_ia32_rdtsc(), took = pv_clock(CLOCK_MONOTONIC) - before;
		if (!k || took < least) least = took, ticks = now, ns = before + took / 2;
	}
	if (at && ticks > first) {
		pv_ticks.mult = (uint64_t)((double)(ns - at) / (double)(ticks - first) * 4294967296.0);
		pv_ticks.ticks = ticks, pv_ticks.ns = ns;
	}
	first = ticks, at = ns;
#endif
}

static void pv_say(const char *format, ...) {
	char line[1024];
	int n = snprintf(line, sizeof line, "pview record: ");
	va_list args;
	va_start(args, format);
	n += vsnprintf(line + n, sizeof line - (size_t)n - 1, format, args);
	va_end(args);
	if (n > (int)sizeof line - 2) n = sizeof line - 2;
	line[n] = '\n';
	if (write(2, line, (size_t)n + 1) < 0) return;
}

// Files and windows.

// pv_map moves the window of a thread to an offset of its file; 0 if the file cannot grow.
static int pv_map(pv_thread *t, off_t offset) {
	if (t->window) {
		if (t->in && t->nstale == 8) return 0;
		if (t->in) t->stale[t->nstale++] = t->window;
		else munmap(t->window, pv_window);
	}
	t->window = t->next = t->ready = t->end = NULL;
	// Allocated, not sparse: a page without room on the disk would kill the program with SIGBUS.
	int failed = posix_fallocate(t->fd, offset, (off_t)pv_window); // leaves errno alone
	if (failed) {
		errno = failed;
		return 0;
	}
	char *p = mmap(NULL, pv_window, PROT_READ | PROT_WRITE, MAP_SHARED, t->fd, offset);
	if (p == MAP_FAILED) return 0;
	t->window = t->next = t->ready = p;
	t->end = p + pv_window;
	t->offset = offset;
	return 1;
}

// Counters. Each thread has one group, which is read in one go.

typedef struct { char name[24]; uint32_t type; uint64_t config; } pv_counter;
static pv_counter pv_counters[PV_COUNTERS];
static int pv_ncounters;

// pv_choose_counters reads their names and the arguments for perf_event_open: "NAME:TYPE:CONFIG,".
static void pv_choose_counters(const char *list) {
	while (list && pv_ncounters < PV_COUNTERS) {
		pv_counter *c = &pv_counters[pv_ncounters];
		unsigned long long config;
		if (sscanf(list, "%23[^:]:%u:%llu", c->name, &c->type, &config) != 3) return;
		c->config = config;
		pv_ncounters++;
		if ((list = strchr(list, ','))) list++;
	}
}

// pv_open_counters opens the counters of the calling thread. If the kernel may not be counted, only the program is,
// except for counters of the kernel's own work.
static void pv_open_counters(pv_thread *t, char *counting, size_t size) {
	size_t used = 0;
	for (int i = 0; i < pv_ncounters; i++) {
		pv_counter *c = &pv_counters[i];
		struct perf_event_attr attr = {.size = sizeof attr, .type = c->type, .config = c->config, .exclude_hv = 1,
			.read_format = PERF_FORMAT_GROUP | PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING};
		int kernels = c->type == PERF_TYPE_SOFTWARE &&
			(c->config == PERF_COUNT_SW_CONTEXT_SWITCHES || c->config == PERF_COUNT_SW_CPU_MIGRATIONS);
		int group = t->ncounting ? t->counting[0] : -1;
		long fd = syscall(SYS_perf_event_open, &attr, 0, -1, group, PERF_FLAG_FD_CLOEXEC);
		if (fd < 0 && (errno == EACCES || errno == EPERM) && !kernels) {
			attr.exclude_kernel = 1;
			fd = syscall(SYS_perf_event_open, &attr, 0, -1, group, PERF_FLAG_FD_CLOEXEC);
		}
		used += (size_t)snprintf(counting + used, size - used, "%s %d,", c->name, fd < 0 ? errno : 0);
		if (fd < 0) continue;
		t->slots[t->ncounting] = i;
		t->counting[t->ncounting++] = (int)fd;
	}
}

// pv_count notes the CPU time and the counters, before or after a call.
static __attribute__((noinline)) void pv_count(pv_thread *t, pv_rec *r, int after) {
	if (pv_cpu) r->counters[after] = pv_clock(CLOCK_THREAD_CPUTIME_ID);
	uint64_t now[3 + PV_COUNTERS]; // their number, times, values
	if (!t->ncounting || read(t->counting[0], now, sizeof now) < 0) return;
	for (int i = 0; i < t->ncounting; i++) r->counters[2 * (pv_cpu + t->slots[i]) + after] = now[3 + i];
}

static void pv_close_counters(pv_thread *t) {
	uint64_t now[3 + PV_COUNTERS];
	if (t->ncounting && read(t->counting[0], now, sizeof now) > 0 && now[1]) {
		uint32_t counted = (uint32_t)((double)now[2] / (double)now[1] * 1000);
		if (counted < 1) counted = 1;
		if (pwrite(t->fd, &counted, sizeof counted, offsetof(pv_header, counted)) < 0) { /* then it is not known */ }
	}
	while (t->ncounting > 0) close(t->counting[--t->ncounting]);
}

// pv_close ends a thread's file after its last record.
static void pv_close(pv_thread *t) {
	if (t->fd < 0) return;
	pv_close_counters(t);
	off_t used = t->window ? t->offset + (t->next - t->window) : PV_PAGE + (off_t)t->seq * pv_rec_size;
	if (t->window) munmap(t->window, pv_window);
	t->window = t->next = t->ready = t->end = NULL;
	t->off = 1;
	if (ftruncate(t->fd, used)) { /* the rest is zeros, which are no records */ }
	close(t->fd);
	t->fd = -1;
}

static void pv_thread_ends(void *p) {
	pv_thread *t = p;
	if (pv_dead != 2) pv_close(t); // 2: a child, whose files are its parent's
	t->off = 1;
}

static pv_stacks *pv_new_stacks(void);

// pv_thread_start begins the records of this thread, with the given number if that is free; -1: any.
static pv_thread *pv_thread_start(int number) {
	pv_thread *t = calloc(1, sizeof *t);
	if (!t) return NULL;
	pv_self = t;
	t->off = 1;
	char path[4096];
	do {
		t->number = number >= 0 ? number : __atomic_fetch_add(&pv_threads, 1, __ATOMIC_RELAXED);
		snprintf(path, sizeof path, "%s/%016llx-%06d-%04d.rec", pv_dir, (unsigned long long)pv_world, pv_rank, t->number);
		t->fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
		number = -1;
	} while (t->fd < 0 && errno == EEXIST);
	pthread_setspecific(pv_key, t);
	if (t->fd < 0) {
		pv_say("rank %d, thread %d: %s: %s; not recorded", pv_rank, t->number, path, strerror(errno));
		return t;
	}
	pv_header *h = calloc(1, PV_PAGE);
	if (!h) return t;
	memcpy(h->magic, "PVREC2\n", 8);
	h->record = (uint32_t)pv_rec_size;
	h->header = PV_PAGE;
	h->rank = pv_rank, h->size = pv_size, h->thread = t->number, h->pid = getpid();
	h->world = pv_world;
	h->started = pv_now();
	h->date = time(NULL);
	h->level = (uint32_t)pv_level;
	h->cpus = (uint32_t)sysconf(_SC_NPROCESSORS_ONLN);
	h->counters = (uint32_t)pv_pairs;
	if (pv_levels) t->stacks = pv_new_stacks();
	h->callers = t->stacks ? (uint32_t)pv_levels : 0;
	pv_open_counters(t, h->counting, sizeof h->counting);
	memcpy(h->host, pv_hostname, sizeof h->host);
	memcpy(h->library, pv_library, sizeof h->library);
	memcpy(h->note, pv_note, sizeof h->note);
	ssize_t n = readlink("/proc/self/exe", h->program, sizeof h->program - 1);
	if (n > 0) h->program[n] = 0;
	int ok = write(t->fd, h, PV_PAGE) == PV_PAGE && pv_map(t, PV_PAGE);
	free(h);
	if (!ok) {
		pv_say("rank %d, thread %d: %s: %s; not recorded", pv_rank, t->number, path, strerror(errno));
		close(t->fd);
		unlink(path);
		t->fd = -1;
		return t;
	}
	t->off = 0;
	return t;
}

static void pv_end_mark(pv_thread *t, uint32_t how) {
	if (pwrite(t->fd, &how, sizeof how, offsetof(pv_header, ended)) < 0) { /* then it looks killed */ }
}

// pv_room_for_more makes room for the next record; 0 if recording has stopped. It requests pages in chunks: a fault for
// each page costs more than writing its records. The chunk stays in the cache until it is used.
static __attribute__((noinline)) int pv_room_for_more(pv_thread *t) {
	enum { CHUNK = 128 << 10 };
	if (t->next >= t->end) {
		if (t->off) return 0;
		off_t next = t->offset + (off_t)pv_window;
		int why = pv_limit && (uint64_t)next + pv_window > pv_limit ? PV_BY_LIMIT : 0;
		if (!why && !pv_map(t, next)) why = PV_BY_DISK;
		if (why) {
			t->off = 1;
			pv_say("rank %d: recording stops: %s", pv_rank,
				why == PV_BY_LIMIT ? "the limit of its size is reached (--limit)" : strerror(errno));
			pv_end_mark(t, (uint32_t)why);
			return 0;
		}
	}
	size_t left = (size_t)(t->end - t->ready), n = left < CHUNK ? left : CHUNK;
	int before = errno;
	madvise(t->ready, n, MADV_POPULATE_WRITE); // Linux 5.14; otherwise they are faulted in one by one
	errno = before;
	t->ready += n;
	return 1;
}

// pv_append returns the next record of a thread, NULL if recording has stopped.
static pv_rec *pv_append(pv_thread *t, unsigned kind) {
	if (pv_unlikely(t->next >= t->ready) && !pv_room_for_more(t)) return NULL;
	pv_rec *r = (pv_rec *)t->next;
	t->next += pv_rec_size;
	r->kind = (uint16_t)kind;
	t->seq++;
	return r;
}

// pv_done publishes a record to readers.
static inline void pv_done(pv_thread *t, pv_rec *r) { __atomic_store_n(&r->seq, t->seq, __ATOMIC_RELEASE); }

static void pv_resolve(void);

static pv_rec *pv_enter_slow(unsigned kind, void *site);
static uint32_t pv_stack(pv_thread *t, uint64_t site);

static pv_rec *pv_begin(pv_thread *t, unsigned kind, void *site) {
	uint32_t stack = pv_unlikely(t->stacks != NULL) ? pv_stack(t, (uint64_t)(uintptr_t)site) : 0;
	pv_rec *r = pv_append(t, kind);
	if (pv_unlikely(!r)) return NULL;
	t->in = 1;
	if (pv_unlikely(stack)) r->aux = stack;
	if (pv_unlikely(pv_pairs)) pv_count(t, r, 0);
	r->begin = pv_now();
	pv_done(t, r);
	return r;
}

// pv_enter begins the record of a call that returns to site; NULL: the call is not recorded. Functions that all
// wrappers use are not inlined, or the library would take ten seconds to compile.
static __attribute__((noinline)) pv_rec *pv_enter(unsigned kind, void *site) {
	pv_thread *t = pv_self;
	if (pv_unlikely(!t || t->in | t->stopped | (pv_on ^ PV_RECORDING))) return pv_enter_slow(kind, site);
	return pv_begin(t, kind, site);
}

// pv_instant gives a mark its time and counters.
static void pv_instant(pv_thread *t, pv_rec *r) {
	if (pv_pairs) {
		pv_count(t, r, 0);
		for (int i = 0; i < pv_pairs; i++) r->counters[2 * i + 1] = r->counters[2 * i];
	}
	r->begin = r->end = pv_now();
}

// pv_phase marks the point where a thread notices that recording has stopped or begun.
static void pv_phase(pv_thread *t) {
	int stopped = pv_on == PV_STOPPED;
	if (t->off | t->in || t->stopped == stopped) return;
	t->stopped = stopped;
	pv_rec *r = pv_append(t, stopped ? PV_OFF : PV_ON);
	if (!r) return;
	pv_instant(t, r);
	pv_done(t, r);
}

// pv_due begins recording once the program has come far enough.
static void pv_due(void) {
	if (pv_from > 0 || (pv_after && pv_now() < pv_after)) return;
	pv_waiting = 0;
	pv_on = PV_RECORDING;
}

static pv_rec *pv_enter_slow(unsigned kind, void *site) {
	pv_resolve();
	if (!pv_on || (pv_self && pv_self->in)) return NULL;
	pv_thread *t = pv_self ? pv_self : pv_thread_start(-1);
	if (!t) return NULL;
	if (pv_waiting) pv_due();
	pv_phase(t);
	pv_rec *r = t->off ? NULL : pv_begin(t, kind, site);
	if (r && t->stopped) r->flags = PV_UNSEEN;
	return r;
}

// pv_take_back removes the record of a call that nothing needs.
static void pv_take_back(pv_thread *t, pv_rec *r) {
	if ((char *)r + pv_rec_size != t->next || t->next == t->window) return;
	memset(r, 0, (size_t)pv_rec_size);
	t->next = (char *)r;
	t->seq--;
}

static void pv_unstale(pv_thread *t) {
	while (t->nstale > 0) munmap(t->stale[--t->nstale], pv_window);
}

static __attribute__((noinline)) void pv_leave(pv_rec *r, int failed) {
	pv_thread *t = pv_self;
	if (pv_unlikely(failed)) r->flags |= PV_FAILED;
	if (pv_unlikely(pv_pairs)) pv_count(t, r, 1);
	__atomic_store_n(&r->end, pv_now(), __ATOMIC_RELEASE); // last: readers may use the call's data from now on
	t->in = 0;
	if (pv_unlikely(t->nstale)) pv_unstale(t);
	else if (pv_unlikely((r->flags & ~PV_COLLECTIVE) == PV_UNSEEN)) pv_take_back(t, r);
}

// Call stacks: return addresses from the MPI call outwards, unwound with the tables that programs carry for exceptions
// (.eh_frame, DWARF's call frame information), which needs no frame pointers. The rule for a place is looked up once
// and kept. Only memory between the stack pointer and the end of the thread's stack is read: a wrong table, or a
// replaced library, ends a stack early or gives a wrong caller, but no fault.

static int pv_module(struct dl_phdr_info *info, size_t size, void *to) {
	char path[4096] = "";
	if (info->dlpi_name && *info->dlpi_name) snprintf(path, sizeof path, "%s", info->dlpi_name);
	else if (readlink("/proc/self/exe", path, sizeof path - 1) < 0) return 0;
	uint64_t first = UINT64_MAX, end = 0;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *h = &info->dlpi_phdr[i];
		if (h->p_type != PT_LOAD) continue;
		if (h->p_vaddr < first) first = h->p_vaddr;
		if (h->p_vaddr + h->p_memsz > end) end = h->p_vaddr + h->p_memsz;
	}
	if (end > first && path[0] == '/')
		fprintf(to, "%llx %llx %llx %s\n", (unsigned long long)info->dlpi_addr,
			(unsigned long long)(info->dlpi_addr + first), (unsigned long long)(info->dlpi_addr + end), path);
	return 0;
}

// pv_modules writes where programs and libraries are loaded: the offset to subtract from addresses, begin, end and
// path.
static void pv_modules(void) {
	static pthread_mutex_t once = PTHREAD_MUTEX_INITIALIZER;
	char path[4096], part[4096 + 8];
	snprintf(path, sizeof path, "%s/%016llx-%06d.maps", pv_dir, (unsigned long long)pv_world, pv_rank);
	snprintf(part, sizeof part, "%s.part", path);
	pthread_mutex_lock(&once);
	FILE *f = fopen(part, "w");
	if (f) dl_iterate_phdr(pv_module, f);
	if (f && !fclose(f)) rename(part, path);
	pthread_mutex_unlock(&once);
}

#ifdef __x86_64__
enum { PV_REG_FP = 6, PV_REG_SP = 7, PV_REG_RA = 16, PV_OP_FP = 0x76 };
#else
enum { PV_REG_FP = 29, PV_REG_SP = 31, PV_REG_RA = 30, PV_OP_FP = 0x8d };
#endif

// pv_cell tells where a register of the caller is saved.
typedef struct { enum { PV_SAME, PV_AT_CFA, PV_AT_FP, PV_LOST } how; int32_t offset; } pv_cell;

// pv_rule tells how to get from a return address to the caller's. CFA is the stack pointer there.
typedef struct {
	uint64_t pc;  // 0: free
	int32_t cfa;  // what to add to the register
	uint8_t from; // the register of the CFA: PV_REG_SP, PV_REG_FP; 0: the stack ends here
	uint8_t load; // the CFA is in memory there
	pv_cell ra, fp;
} pv_rule;

// Rules and stacks are in one of PV_WAYS places after the one given by their hash; the place to replace rotates.
enum { PV_RULES = 1024, PV_STACKS = 512, PV_WAYS = 4 };

typedef struct { uint32_t seq, n; uint64_t callers[PV_CALLERS]; } pv_seen; // seq of its first record; 0: free

struct pv_stacks {
	uint64_t low, high; // of the thread's stack
	unsigned replaced;
	pv_rule rules[PV_RULES];
	pv_seen seen[PV_STACKS];
};

// pv_new_stacks returns NULL if there is no memory. Its pages are allocated on first use.
static pv_stacks *pv_new_stacks(void) {
	pthread_attr_t attr;
	void *low = NULL;
	size_t size = 0;
	pv_stacks *s = calloc(1, sizeof *s);
	if (!s || pthread_getattr_np(pthread_self(), &attr)) return s;
	pthread_attr_getstack(&attr, &low, &size);
	pthread_attr_destroy(&attr);
	s->low = (uint64_t)(uintptr_t)low, s->high = s->low + size;
	return s;
}

// pv_cursor reads numbers of DWARF.
typedef struct { const uint8_t *at, *end; } pv_cursor;

static uint64_t pv_take_n(pv_cursor *c, size_t n) {
	uint64_t v = 0;
	if ((size_t)(c->end - c->at) < n) n = (size_t)(c->end - c->at);
	memcpy(&v, c->at, n);
	c->at += n;
	return v;
}

static uint64_t pv_uleb(pv_cursor *c) {
	uint64_t v = 0;
	for (unsigned shift = 0; c->at < c->end; shift += 7) {
		uint8_t b = *c->at++;
		if (shift < 64) v |= (uint64_t)(b & 0x7f) << shift;
		if (!(b & 0x80)) break;
	}
	return v;
}

static int64_t pv_sleb(pv_cursor *c) {
	uint64_t v = 0;
	unsigned shift = 0;
	uint8_t b = 0;
	while (c->at < c->end) {
		b = *c->at++;
		if (shift < 64) v |= (uint64_t)(b & 0x7f) << shift;
		shift += 7;
		if (!(b & 0x80)) break;
	}
	if (shift < 64 && b & 0x40) v |= ~(uint64_t)0 << shift;
	return (int64_t)v;
}

// pv_block returns the expression that follows.
static pv_cursor pv_block(pv_cursor *c) {
	uint64_t n = pv_uleb(c);
	if (n > (uint64_t)(c->end - c->at)) n = (uint64_t)(c->end - c->at);
	pv_cursor b = {c->at, c->at + n};
	c->at = b.end;
	return b;
}

// pv_row is the row of the table for a place.
typedef struct {
	uint64_t from; // the register of the CFA
	int64_t offset;
	int load;
	pv_cell ra, fp;
} pv_row;

// pv_cie holds what the entries of a table have in common.
typedef struct { uint64_t align; int64_t data; int width, sized; pv_cursor program; } pv_cie;

// pv_read_cie reads a CIE; 0: unknown kind.
static int pv_read_cie(const uint8_t *at, pv_cie *cie) {
	uint32_t length;
	memcpy(&length, at, 4);
	if (length >= 0xfffffff0u) return 0;
	pv_cursor c = {at + 8, at + 4 + length};
	unsigned version = (unsigned)pv_take_n(&c, 1), encoding = 0;
	const char *kinds = (const char *)c.at;
	c.at += strnlen(kinds, (size_t)(c.end - c.at)) + 1;
	if (version != 1 && version != 3) return 0;
	cie->align = pv_uleb(&c);
	cie->data = pv_sleb(&c);
	if (version == 1) c.at++;
	else pv_uleb(&c);
	cie->sized = *kinds == 'z';
	if (*kinds && !cie->sized) return 0;
	if (cie->sized) {
		pv_cursor data = pv_block(&c);
		for (kinds++; *kinds; kinds++) {
			static const uint8_t widths[] = {8, 0, 2, 4, 8, 0, 0, 0, 0, 0, 2, 4, 8, 0, 0, 0};
			switch (*kinds) {
			case 'R': encoding = (unsigned)pv_take_n(&data, 1); break;
			case 'L': data.at++; break;
			case 'P': pv_take_n(&data, widths[pv_take_n(&data, 1) & 15]); break;
			case 'B': break;  // keys of signed return addresses
			default: return 0; // such as 'S', a signal handler
			}
		}
	}
	cie->width = encoding == 0 || (encoding & 7) == 4 ? 8 : (encoding & 7) == 3 ? 4 : 0;
	cie->program = c;
	return cie->width != 0;
}

static pv_cell *pv_cell_of(pv_row *row, uint64_t reg) {
	return reg == PV_REG_RA ? &row->ra : reg == PV_REG_FP ? &row->fp : NULL;
}

static void pv_set(pv_row *row, uint64_t reg, int how, int64_t offset) {
	pv_cell *cell = pv_cell_of(row, reg);
	if (cell) *cell = (pv_cell){how, (int32_t)offset};
}

// pv_run executes a program of the table up to a place, starting with the row of the first place; 0: it has something
// unknown.
static int pv_run(const pv_cie *cie, pv_cursor c, uint64_t at, uint64_t until, const pv_row *first, pv_row *row) {
	pv_row kept[8];
	int depth = 0;
	while (c.at < c.end) {
		uint8_t op = *c.at++;
		uint64_t low = op & 0x3f, reg;
		int64_t value;
		pv_cursor b;
		switch (op & 0xc0 ? op & 0xc0 : op) {
		case 0x00: continue;
		case 0x40: at += low * cie->align; break;
		case 0x02: at += pv_take_n(&c, 1) * cie->align; break;
		case 0x03: at += pv_take_n(&c, 2) * cie->align; break;
		case 0x04: at += pv_take_n(&c, 4) * cie->align; break;
		case 0x80: pv_set(row, low, PV_AT_CFA, (int64_t)pv_uleb(&c) * cie->data); continue;
		case 0x05: reg = pv_uleb(&c), pv_set(row, reg, PV_AT_CFA, (int64_t)pv_uleb(&c) * cie->data); continue;
		case 0x11: reg = pv_uleb(&c), pv_set(row, reg, PV_AT_CFA, pv_sleb(&c) * cie->data); continue;
		case 0xc0:
		case 0x06:
			reg = op & 0xc0 ? low : pv_uleb(&c);
			if (pv_cell_of(row, reg)) *pv_cell_of(row, reg) = *pv_cell_of((pv_row *)first, reg);
			continue;
		case 0x07: pv_set(row, pv_uleb(&c), PV_LOST, 0); continue;
		case 0x08: pv_set(row, pv_uleb(&c), PV_SAME, 0); continue;
		case 0x09: pv_set(row, pv_uleb(&c), PV_LOST, 0), pv_uleb(&c); continue;
		case 0x14: pv_set(row, pv_uleb(&c), PV_LOST, 0), pv_uleb(&c); continue;
		case 0x15: pv_set(row, pv_uleb(&c), PV_LOST, 0), pv_sleb(&c); continue;
		case 0x0a:
			if (depth == 8) return 0;
			kept[depth++] = *row;
			continue;
		case 0x0b:
			if (!depth) return 0;
			*row = kept[--depth];
			continue;
		case 0x0c: row->from = pv_uleb(&c), row->offset = (int64_t)pv_uleb(&c), row->load = 0; continue;
		case 0x12: row->from = pv_uleb(&c), row->offset = pv_sleb(&c) * cie->data, row->load = 0; continue;
		case 0x0d: row->from = pv_uleb(&c), row->load = 0; continue;
		case 0x0e: row->offset = (int64_t)pv_uleb(&c), row->load = 0; continue;
		case 0x13: row->offset = pv_sleb(&c) * cie->data, row->load = 0; continue;
		case 0x0f: // in functions that align their stack: the value at an offset from the frame pointer
			b = pv_block(&c);
			row->load = 1, row->from = 0;
			if (b.at < b.end && *b.at++ == PV_OP_FP) {
				row->offset = pv_sleb(&b);
				if (b.end - b.at == 1 && *b.at == 0x06) row->from = PV_REG_FP;
			}
			continue;
		case 0x10:
			reg = pv_uleb(&c), b = pv_block(&c);
			if (b.at < b.end && *b.at++ == PV_OP_FP && (value = pv_sleb(&b), b.at == b.end))
				pv_set(row, reg, PV_AT_FP, value);
			else
				pv_set(row, reg, PV_LOST, 0);
			continue;
		case 0x16: pv_set(row, pv_uleb(&c), PV_LOST, 0), pv_block(&c); continue;
		case 0x2d: continue; // the return address is signed
		case 0x2e: pv_uleb(&c); continue;
		default: return 0;
		}
		if (at > until) return 1;
	}
	return 1;
}

// pv_lookup is the search for a rule.
typedef struct { pv_rule *rule; unsigned long long loaded; } pv_lookup;

// pv_read_fde fills the rule from the entry of a function that begins at an address.
static void pv_read_fde(const uint8_t *at, uint64_t begin, pv_rule *rule) {
	uint32_t length, back;
	memcpy(&length, at, 4), memcpy(&back, at + 4, 4);
	pv_cie cie;
	if (length >= 0xfffffff0u || !back || !pv_read_cie(at + 4 - back, &cie)) return;
	pv_cursor c = {at + 8 + cie.width, at + 4 + length};
	uint64_t range = pv_take_n(&c, (size_t)cie.width), place = rule->pc - 1; // in the call
	if (place - begin >= range) return;
	if (cie.sized) pv_block(&c);
	pv_row first = {0}, row;
	if (!pv_run(&cie, cie.program, 0, UINT64_MAX, &first, &first)) return;
	row = first;
	if (!pv_run(&cie, c, begin, place, &first, &row)) return;
	if ((row.from != PV_REG_SP && row.from != PV_REG_FP) || row.offset != (int32_t)row.offset || row.ra.how != PV_AT_CFA)
		return;
	rule->cfa = (int32_t)row.offset, rule->from = (uint8_t)row.from, rule->load = (uint8_t)row.load;
	rule->ra = row.ra, rule->fp = row.fp;
}

// pv_search searches a module's sorted table of functions and entries for the rule's place.
static int pv_search(struct dl_phdr_info *info, size_t size, void *of) {
	pv_lookup *l = of;
	uint64_t place = l->rule->pc - 1, base = info->dlpi_addr;
	const uint8_t *table = NULL;
	int inside = 0;
	l->loaded = info->dlpi_adds;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *h = &info->dlpi_phdr[i];
		if (h->p_type == PT_LOAD && place - base - h->p_vaddr < h->p_memsz) inside = 1;
		if (h->p_type == PT_GNU_EH_FRAME) table = (const uint8_t *)(uintptr_t)(base + h->p_vaddr);
	}
	if (!inside) return 0;
	// Version 1; the number of entries in 4 bytes; entries as 4 bytes relative to the table's start.
	if (!table || table[0] != 1 || (table[1] & 15) != 0x0b || table[2] != 0x03 || table[3] != 0x3b) return 1;
	uint32_t n, low = 0;
	memcpy(&n, table + 8, 4);
	const int32_t *entries = (const int32_t *)(table + 12);
	uint64_t from = (uint64_t)(uintptr_t)table;
	for (uint32_t high = n; low < high;) {
		uint32_t middle = low + (high - low) / 2;
		if (from + (uint64_t)(int64_t)entries[2 * middle] <= place) low = middle + 1;
		else high = middle;
	}
	if (low)
		pv_read_fde(table + entries[2 * low - 1], from + (uint64_t)(int64_t)entries[2 * low - 2], l->rule);
	return 1;
}

// pv_find_rule finds the rule of a return address, and stores it in place of another.
static __attribute__((noinline)) pv_rule *pv_find_rule(pv_stacks *s, pv_rule *places, uint64_t pc) {
	static unsigned long long loaded;
	pv_rule *rule = &places[s->replaced++ % PV_WAYS];
	for (int i = 0; i < PV_WAYS && rule->pc; i++)
		if (!places[i].pc) rule = &places[i];
	*rule = (pv_rule){.pc = pc};
	pv_lookup l = {rule, 0};
	dl_iterate_phdr(pv_search, &l);
	if (l.loaded == __atomic_load_n(&loaded, __ATOMIC_RELAXED)) return rule;
	__atomic_store_n(&loaded, l.loaded, __ATOMIC_RELAXED);
	pv_modules(); // a killed program has no later chance
	return rule;
}

static inline pv_rule *pv_rule_of(pv_stacks *s, uint64_t pc) {
	pv_rule *places = &s->rules[(pc * 0x9e3779b97f4a7c15u >> 32) % (PV_RULES / PV_WAYS) * PV_WAYS];
	for (int i = 0; i < PV_WAYS; i++)
		if (places[i].pc == pc) return &places[i];
	return pv_find_rule(s, places, pc);
}

// pv_walk fills in the return addresses from site on; the stack pointer, frame pointer and return address belong to a
// function that pv_enter's wrapper has called. It returns the number of addresses, at least one.
static int pv_walk(pv_stacks *s, uint64_t sp, uint64_t fp, uint64_t pc, uint64_t site, uint64_t *callers) {
	int n = 0;
	for (int own = 8; sp >= s->low && sp < s->high;) { // at most this many own frames
		if (pc == site || n) callers[n++] = pc;
		else if (!own--) break;
		if (n == pv_levels + PV_FORTRAN) return n;
		pv_rule *rule = pv_rule_of(s, pc);
		if (!rule->from) break;
		uint64_t cfa = (rule->from == PV_REG_SP ? sp : fp) + (uint64_t)(int64_t)rule->cfa;
#define PV_VALID(address) (((address) & 7) == 0 && (address) >= sp && (address) <= s->high - 8)
#define PV_LOAD(address) (*(const uint64_t *)(uintptr_t)(address))
		if (rule->load) {
			if (!PV_VALID(cfa)) break;
			cfa = PV_LOAD(cfa);
		}
		uint64_t ra = cfa + (uint64_t)(int64_t)rule->ra.offset;
		if (cfa <= sp || cfa > s->high || !PV_VALID(ra)) break;
		if (rule->fp.how != PV_SAME) {
			uint64_t at = (rule->fp.how == PV_AT_CFA ? cfa : fp) + (uint64_t)(int64_t)rule->fp.offset;
			fp = rule->fp.how != PV_LOST && PV_VALID(at) ? PV_LOAD(at) : 0;
		}
		pc = PV_LOAD(ra);
#ifdef __aarch64__
		pc &= (1ull << 48) - 1; // without a signature
#endif
		if (!pc) break;
		sp = cfa;
	}
	if (!n) callers[n++] = site;
	return n;
}

// pv_stack returns the seq of the record with the callers of a call that returns to site, and writes it unless the
// thread has done so recently; 0: recording has stopped.
static __attribute__((noinline)) uint32_t pv_stack(pv_thread *t, uint64_t site) {
	enum { PART = 7 };
	uint64_t callers[PV_CALLERS], hash = 0;
	uint32_t n = (uint32_t)pv_walk(t->stacks, (uint64_t)(uintptr_t)__builtin_dwarf_cfa(),
		*(uint64_t *)__builtin_frame_address(0), (uint64_t)(uintptr_t)__builtin_return_address(0), site, callers);
	for (uint32_t i = 0; i < n; i++) hash = (hash ^ callers[i]) * 0x9e3779b97f4a7c15u, hash ^= hash >> 29;
	pv_seen *places = &t->stacks->seen[hash % (PV_STACKS / PV_WAYS) * PV_WAYS], *s = NULL;
	for (int i = 0; i < PV_WAYS; i++) {
		if (places[i].seq && places[i].n == n && !memcmp(places[i].callers, callers, n * sizeof *callers))
			return places[i].seq;
		if (!places[i].seq) s = &places[i];
	}
	if (!s) s = &places[t->stacks->replaced++ % PV_WAYS];
	s->seq = 0, s->n = n;
	memcpy(s->callers, callers, n * sizeof *callers);
	for (uint32_t i = 0; i < n; i += PART) {
		pv_rec *r = pv_append(t, PV_STACK);
		if (!r) return s->seq = 0;
		r->flags = (uint16_t)(n - i);
		memcpy((char *)r + 8, callers + i, (n - i < PART ? n - i : PART) * sizeof *callers);
		pv_done(t, r);
		if (!i) s->seq = t->seq;
	}
	return s->seq;
}

// Handles.

static inline void pv_lock(void) { if (pv_unlikely(pv_locked)) pthread_mutex_lock(&pv_mutex); }
static inline void pv_unlock(void) { if (pv_unlikely(pv_locked)) pthread_mutex_unlock(&pv_mutex); }

enum { PV_OF_COMM = 1, PV_OF_REQUEST, PV_OF_MESSAGE, PV_OF_WINDOW };
static pv_table pv_tables[5];

static inline uint64_t pv_hash(uint64_t k) { return (k * 0x9e3779b97f4a7c15u) >> 20; }

// pv_find returns the entry of a handle, NULL if none; the lock is held.
static pv_entry *pv_find(int of, uint64_t key) {
	pv_table *t = &pv_tables[of];
	if (!t->used) return NULL;
	for (size_t i = pv_hash(key) & t->mask; t->slots[i].key; i = (i + 1) & t->mask)
		if (t->slots[i].key == key) return &t->slots[i];
	return NULL;
}

// pv_put returns the entry of a handle, a new one if none; the lock is held. NULL: no memory.
static pv_entry *pv_put(int of, uint64_t key) {
	pv_table *t = &pv_tables[of];
	pv_entry *e = pv_find(of, key);
	if (e) return e;
	if (!t->slots || 2 * t->used > t->mask) {
		pv_table bigger = {NULL, t->slots ? 2 * t->mask + 1 : 255, t->used};
		if (!(bigger.slots = calloc(bigger.mask + 1, sizeof *bigger.slots))) return NULL;
		for (size_t k = 0; t->slots && k <= t->mask; k++) {
			if (!t->slots[k].key) continue;
			size_t i = pv_hash(t->slots[k].key) & bigger.mask;
			while (bigger.slots[i].key) i = (i + 1) & bigger.mask;
			bigger.slots[i] = t->slots[k];
		}
		free(t->slots);
		*t = bigger;
	}
	size_t i = pv_hash(key) & t->mask;
	while (t->slots[i].key) i = (i + 1) & t->mask;
	t->used++;
	memset(&t->slots[i], 0, sizeof t->slots[i]);
	t->slots[i].key = key;
	return &t->slots[i];
}

// pv_remove frees the slot of an entry and closes the gap; the lock is held.
static void pv_remove(int of, pv_entry *e) {
	pv_table *t = &pv_tables[of];
	size_t gap = (size_t)(e - t->slots), i = gap;
	t->used--;
	for (;;) {
		i = (i + 1) & t->mask;
		if (!t->slots[i].key) break;
		size_t home = pv_hash(t->slots[i].key) & t->mask;
		if (((i - home) & t->mask) >= ((i - gap) & t->mask)) t->slots[gap] = t->slots[i], gap = i;
	}
	t->slots[gap].key = 0;
}

#define PV_KEY(handle) ((uint64_t)(uintptr_t)(handle) + 1)

// Communicators.

static void pv_members(pv_thread *t, MPI_Group group, int n) {
	int *ranks = calloc((size_t)n * 2, sizeof *ranks), *world = ranks + n;
	if (!ranks) return;
	for (int i = 0; i < n; i++) ranks[i] = i;
	if (P(Group_translate_ranks)(group, n, ranks, pv_group, world) == MPI_SUCCESS)
		for (int i = 0; i < n; i += 14) {
			pv_rec *m = pv_append(t, PV_MEMBERS);
			if (!m) break;
			int *to = (int *)((char *)m + 8);
			for (int k = 0; k < 14; k++) to[k] = i + k >= n || world[i + k] == MPI_UNDEFINED ? -1 : world[i + k];
			pv_done(t, m);
		}
	free(ranks);
}

// pv_describe gives a group an id and writes its members; remote is MPI_GROUP_NULL for intra-communicators.
static pv_comm_t *pv_describe(int of, uint64_t key, MPI_Group group, MPI_Group remote) {
	pv_thread *t = pv_self;
	pv_comm_t *c = calloc(1, sizeof *c);
	if (!c) return NULL;
	P(Group_rank)(group, &c->rank);
	P(Group_size)(group, &c->size);
	if (remote != MPI_GROUP_NULL) P(Group_size)(remote, &c->remote);
	pv_lock();
	c->id = pv_comms++;
	pv_entry *e = pv_put(of, key);
	if (e) e->comm = c;
	pv_generation++;
	pv_unlock();
	if (t && !t->off) {
		pv_rec *r = pv_append(t, PV_COMM);
		if (r) {
			r->tag = of == PV_OF_WINDOW;
			r->comm = c->id, r->peer = c->rank, r->bytes = (uint64_t)c->size, r->recvd = (uint64_t)c->remote;
			pv_done(t, r);
			if (c->id > 0) { // 0 is MPI_COMM_WORLD
				pv_members(t, group, c->size);
				if (c->remote) pv_members(t, remote, c->remote);
			}
		}
	}
	return c;
}

// pv_new_comm describes a communicator with the members of another one, possibly itself.
static pv_comm_t *pv_new_comm(MPI_Comm comm, MPI_Comm like) {
	MPI_Group group = MPI_GROUP_NULL, remote = MPI_GROUP_NULL;
	int inter = 0;
	if (comm == MPI_COMM_NULL || P(Comm_group)(like, &group) != MPI_SUCCESS) return NULL;
	P(Comm_test_inter)(like, &inter);
	if (inter) P(Comm_remote_group)(like, &remote);
	pv_comm_t *c = pv_describe(PV_OF_COMM, PV_KEY(comm), group, remote);
	P(Group_free)(&group);
	if (inter) P(Group_free)(&remote);
	return c;
}

static pv_comm_t pv_none = {-1, -1, 0, 0};

static pv_comm_t *pv_comm(MPI_Comm comm) {
	pv_thread *t = pv_self;
	if (t->comm == comm && t->generation == pv_generation) return t->found;
	if (comm == MPI_COMM_NULL) return &pv_none;
	pv_lock();
	pv_entry *e = pv_find(PV_OF_COMM, PV_KEY(comm));
	pv_comm_t *c = e ? e->comm : NULL;
	pv_unlock();
	if (!c && !(c = pv_new_comm(comm, comm))) return &pv_none;
	t->comm = comm, t->found = c, t->generation = pv_generation;
	return c;
}

static pv_comm_t *pv_win(MPI_Win win) {
	pv_lock();
	pv_entry *e = pv_find(PV_OF_WINDOW, PV_KEY(win));
	pv_comm_t *c = e ? e->comm : NULL;
	pv_unlock();
	MPI_Group group;
	if (!c && P(Win_get_group)(win, &group) == MPI_SUCCESS) {
		c = pv_describe(PV_OF_WINDOW, PV_KEY(win), group, MPI_GROUP_NULL);
		P(Group_free)(&group);
	}
	return c ? c : &pv_none;
}

static void pv_drop(int of, uint64_t key) {
	pv_lock();
	pv_entry *e = pv_find(of, key);
	if (e) pv_remove(of, e);
	pv_generation++;
	pv_unlock();
}

// Sizes, in bytes.

static inline uint64_t pv_type_size(MPI_Datatype type) {
	MPI_Count size = 0;
	P(Type_size_x)(type, &size);
	return size > 0 ? (uint64_t)size : 0;
}
static inline uint64_t pv_bytes(int64_t count, MPI_Datatype type) {
	return count > 0 ? (uint64_t)count * pv_type_size(type) : 0;
}
#define BYTES(count, type) pv_bytes((int64_t)(count), type)
// SUM is the size of n counts of a type; SUMW that of n counts of as many types.
#define SUM(counts, n, type) ({ int64_t pv_s = 0; for (int pv_i = 0; pv_i < (n); pv_i++) pv_s += (counts)[pv_i]; \
	pv_bytes(pv_s, type); })
#define SUMW(counts, n, types) ({ uint64_t pv_s = 0; for (int pv_i = 0; pv_i < (n); pv_i++) \
	pv_s += pv_bytes((counts)[pv_i], (types)[pv_i]); pv_s; })

// The actions of wrappers, for the table of calls. pv_r is the record of the call, pv_e its result.

#define SEND(c, to, with, size) do { pv_r->comm = pv_comm(c)->id; pv_r->peer = (to); pv_r->tag = (with); \
	pv_r->bytes = (size); if ((to) != MPI_PROC_NULL) pv_r->flags |= PV_SEND; } while (0)
#define PARTNER(c, from, with) do { pv_r->comm = pv_comm(c)->id; pv_r->peer = (from); pv_r->tag = (with); } while (0)
#define STATUS(s) MPI_Status pv_status; if ((s) == MPI_STATUS_IGNORE) (s) = &pv_status
#define RECEIVED(s, from) if (pv_e == MPI_SUCCESS && (from) != MPI_PROC_NULL) { pv_r->flags |= PV_RECV; \
	pv_r->peer = (s)->MPI_SOURCE; pv_r->tag = (s)->MPI_TAG; pv_r->recvd = pv_received(s); }
#define ALSO(s, from, c) if (pv_e == MPI_SUCCESS && (from) != MPI_PROC_NULL) pv_complete(pv_r, 0, pv_comm(c), s)
#define TRACK(request, from, c) if (pv_e == MPI_SUCCESS && (from) != MPI_PROC_NULL) \
	pv_track(pv_r, PV_OF_REQUEST, PV_KEY(*(request)), pv_comm(c))
#define TRACK_MESSAGE(message, s, c) if (pv_e == MPI_SUCCESS && (s)->MPI_SOURCE != MPI_PROC_NULL) \
	pv_track(pv_r, PV_OF_MESSAGE, PV_KEY(*(message)), pv_comm(c))
#define TAKE_MESSAGE(message) pv_entry pv_m = pv_take(PV_OF_MESSAGE, PV_KEY(*(message)))
#define RECEIVED_MESSAGE(s) if (pv_e == MPI_SUCCESS && pv_m.id) pv_complete(pv_r, pv_m.id, pv_m.comm, s)
#define TRACK_AGAIN(request) if (pv_e == MPI_SUCCESS && pv_m.id) \
	pv_pending(pv_r, PV_REPOST, pv_m.id, PV_OF_REQUEST, PV_KEY(*(request)), pv_m.comm)
#define PERSISTENT(request, is_send, c, to, with, size) if (pv_e == MPI_SUCCESS && (to) != MPI_PROC_NULL) \
	pv_persist(PV_KEY(*(request)), is_send, pv_comm(c), to, with, size)
#define START(n, requests) do { for (int pv_i = 0; pv_i < (n); pv_i++) \
	pv_start_request(pv_r, PV_KEY((requests)[pv_i])); } while (0)
#define FORGET(request) pv_forget(pv_r, PV_KEY(*(request)))
// ENTRIES and HANDLES save what the call overwrites; STATUSES makes the call return sources and sizes.
#define ENTRIES(n, requests, s) int pv_any = 0; if (pv_room(n)) { for (int pv_i = 0; pv_i < (n); pv_i++) { \
	pv_any |= (pv_self->entries[pv_i] = pv_take(PV_OF_REQUEST, PV_KEY((requests)[pv_i]))).id != 0; } \
	if (pv_any && (s) == MPI_STATUSES_IGNORE) (s) = pv_self->statuses; }
#define HANDLES(n, requests) int pv_any = pv_room(n); for (int pv_i = 0; pv_any && pv_i < (n); pv_i++) \
	pv_self->handles[pv_i] = PV_KEY((requests)[pv_i])
#define STATUSES(s) if (pv_any && (s) == MPI_STATUSES_IGNORE) (s) = pv_self->statuses
#define COMPLETED(n, s) for (int pv_i = 0; pv_any && pv_good(pv_e) && pv_i < (n); pv_i++) { \
	pv_entry *pv_q = &pv_self->entries[pv_i]; if (pv_q->id) pv_complete(pv_r, pv_q->id, pv_q->comm, &(s)[pv_i]); }
#define COMPLETED_ONE(i, s) if (pv_any && pv_e == MPI_SUCCESS && (i) != MPI_UNDEFINED) \
	pv_finish(pv_r, pv_self->handles[i], s)
#define COMPLETED_ALL(n, s) for (int pv_i = 0; pv_any && pv_good(pv_e) && pv_i < (n); pv_i++) \
	pv_finish(pv_r, pv_self->handles[pv_i], &(s)[pv_i])
#define COMPLETED_SOME(n, indices, s) if (pv_any && pv_good(pv_e) && (n) != MPI_UNDEFINED) \
	for (int pv_i = 0; pv_i < (n); pv_i++) pv_finish(pv_r, pv_self->handles[(indices)[pv_i]], &(s)[pv_i])
#define NEWCOMM(c) if (pv_e == MPI_SUCCESS) pv_new_comm(*(c), *(c))
#define COPY(c, of) if (pv_e == MPI_SUCCESS) pv_new_comm(*(c), of) // its members cannot be queried yet
#define DROPCOMM(c) pv_drop(PV_OF_COMM, PV_KEY(*(c)))
#define DROPWIN(w) pv_drop(PV_OF_WINDOW, PV_KEY(*(w)))
#define ON(c) pv_r->comm = pv_comm(c)->id
// COLLECTIVE: C is the communicator, ROOT whether this is the root, MEMBERS the number of ranks that are sent to.
#define COLLECTIVE(c, root, sent, received) do { pv_comm_t *C = pv_comm(c); pv_r->comm = C->id; pv_r->peer = (root); \
	pv_r->flags |= PV_COLLECTIVE; pv_r->bytes = (sent); pv_r->recvd = (received); } while (0)
#define ROOT (C->remote ? pv_r->peer == MPI_ROOT : C->rank == pv_r->peer)
#define MEMBERS (C->remote ? C->remote : C->size)
#define ACCESS(w, target, size) do { pv_comm_t *C = pv_win(w); pv_r->comm = C->id; pv_r->peer = (target); \
	pv_r->bytes = (size); } while (0)
#define TRANSFER(size) pv_r->bytes = (size)

static inline int pv_good(int e) { return e == MPI_SUCCESS || e == MPI_ERR_IN_STATUS; }

static uint64_t pv_received(MPI_Status *s) {
	MPI_Count n = 0;
	P(Get_elements_x)(s, MPI_BYTE, &n);
	return n > 0 ? (uint64_t)n : 0;
}

// pv_complete writes that a receive completed, in the call of r.
static void pv_complete(pv_rec *r, uint32_t id, pv_comm_t *c, MPI_Status *s) {
	int cancelled = 0;
	if (id) P(Test_cancelled)(s, &cancelled);
	pv_thread *t = pv_self;
	pv_rec *d = pv_append(t, PV_RECEIVED);
	if (!d) return;
	if (cancelled) d->flags = PV_FAILED;
	d->comm = c->id, d->peer = s->MPI_SOURCE, d->tag = s->MPI_TAG, d->recvd = pv_received(s), d->req = id;
	d->aux = r->seq;
	pv_done(t, d);
}

// pv_take returns the entry of a handle that ends now; a persistent one only becomes inactive.
static pv_entry pv_take(int of, uint64_t key) {
	pv_entry out = {0};
	pv_lock();
	pv_entry *e = pv_find(of, key);
	if (e) {
		out = *e;
		if (e->persistent) e->id = 0;
		else pv_remove(of, e);
	}
	pv_unlock();
	return out;
}

// pv_forget writes that a receive's completion will not be recorded.
static void pv_forget(pv_rec *r, uint64_t key) {
	pv_entry q = pv_take(PV_OF_REQUEST, key);
	if (q.persistent) pv_drop(PV_OF_REQUEST, key);
	pv_rec *d = q.id ? pv_append(pv_self, PV_RECEIVED) : NULL;
	if (!d) return;
	d->flags = PV_FAILED, d->req = q.id, d->aux = r->seq;
	pv_done(pv_self, d);
}

// pv_pending keeps the receive that r posted or matched until its request or message completes.
static void pv_pending(pv_rec *r, unsigned flag, uint32_t id, int of, uint64_t key, pv_comm_t *c) {
	r->req = id;
	r->flags |= flag;
	pv_lock();
	pv_entry *e = pv_put(of, key);
	if (e) e->id = id, e->comm = c, e->persistent = 0;
	pv_unlock();
}

static void pv_track(pv_rec *r, int of, uint64_t key, pv_comm_t *c) {
	pv_pending(r, PV_POST, __atomic_add_fetch(&pv_requests, 1, __ATOMIC_RELAXED), of, key, c);
}

static void pv_finish(pv_rec *r, uint64_t key, MPI_Status *s) {
	pv_entry q = pv_take(PV_OF_REQUEST, key);
	if (q.id) pv_complete(r, q.id, q.comm, s);
}

static void pv_persist(uint64_t key, int send, pv_comm_t *c, int peer, int tag, uint64_t bytes) {
	pv_lock();
	pv_entry *e = pv_put(PV_OF_REQUEST, key);
	if (e) {
		e->id = 0, e->comm = c, e->persistent = 1;
		e->send = (uint8_t)send, e->peer = peer, e->tag = tag, e->bytes = bytes;
	}
	pv_unlock();
}

static void pv_start_request(pv_rec *r, uint64_t key) {
	pv_lock();
	pv_entry *e = pv_find(PV_OF_REQUEST, key), q = {0};
	if (e) {
		if (!e->send) e->id = __atomic_add_fetch(&pv_requests, 1, __ATOMIC_RELAXED);
		q = *e;
	}
	pv_unlock();
	if (!e) return;
	pv_thread *t = pv_self;
	pv_rec *d = pv_append(t, q.send ? PV_SENT : PV_POSTED);
	if (!d) return;
	d->comm = q.comm->id, d->peer = q.peer, d->tag = q.tag, d->bytes = q.bytes, d->req = q.id, d->aux = r->seq;
	pv_done(t, d);
}

// pv_room makes room for n arguments; 0: none.
static int pv_room(int n) {
	pv_thread *t = pv_self;
	if (n <= 0) return 0;
	if ((size_t)n > t->room) {
		size_t room = 2 * (size_t)n + 64;
		free(t->handles), free(t->entries), free(t->statuses);
		t->handles = malloc(room * sizeof *t->handles);
		t->entries = malloc(room * sizeof *t->entries);
		t->statuses = malloc(room * sizeof *t->statuses);
		t->room = t->handles && t->entries && t->statuses ? room : 0;
	}
	return (size_t)n <= t->room;
}

// Begin and end of recording.

static int pv_synced, pv_addresses; // addresses of functions are recorded
static int pv_one_node;             // all ranks have the same clock

// pv_sync compares the clocks of other nodes with rank 0's, by the fastest of many round trips. Collective operations
// are slow if waiting ranks take processors from others, so one node uses few.
static void pv_sync(void) {
	enum { TRIPS = 32, TAG = 32001 };
	MPI_Comm node, heads;
	int here = 0, near = 0;
	uint64_t at[3] = {0, 0, 0}; // local time, offset, round trip
	if (pv_one_node) return;
	if (P(Comm_split_type)(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, pv_rank, MPI_INFO_NULL, &node) != MPI_SUCCESS) return;
	P(Comm_rank)(node, &here);
	P(Comm_size)(node, &near);
	pv_one_node = near == pv_size;
	if (!pv_synced) {
		if (!here) pv_calibrate();
		P(Bcast)(&pv_ticks, sizeof pv_ticks, MPI_BYTE, 0, node);
		pv_synced = 1;
	}
	if (pv_one_node) {
		P(Comm_free)(&node);
		return;
	}
	P(Comm_split)(MPI_COMM_WORLD, here ? MPI_UNDEFINED : 0, pv_rank, &heads);
	if (!here) {
		int number, n;
		P(Comm_rank)(heads, &number);
		P(Comm_size)(heads, &n);
		for (int other = 1; other < n; other++)
			for (int k = 0; k < TRIPS && (!number || number == other); k++) {
				uint64_t mine = 0;
				if (!number) {
					P(Recv)(&mine, 8, MPI_BYTE, other, TAG, heads, MPI_STATUS_IGNORE);
					mine = pv_now();
					P(Send)(&mine, 8, MPI_BYTE, other, TAG, heads);
					continue;
				}
				uint64_t before = pv_now();
				P(Send)(&before, 8, MPI_BYTE, 0, TAG, heads);
				P(Recv)(&mine, 8, MPI_BYTE, 0, TAG, heads, MPI_STATUS_IGNORE);
				uint64_t trip = pv_now() - before;
				if (k == 0 || trip < at[2]) at[0] = before + trip / 2, at[1] = mine - at[0], at[2] = trip;
			}
		P(Comm_free)(&heads);
	}
	P(Bcast)(at, sizeof at, MPI_BYTE, 0, node);
	P(Comm_free)(&node);
	pv_thread *t = pv_self;
	pv_rec *r = t && !t->off && at[2] ? pv_append(t, PV_CLOCK) : NULL;
	if (!r) return;
	r->begin = at[0], r->aux = at[1], r->bytes = at[2];
	pv_done(t, r);
}

static void pv_in_child(void) { pv_on = 0, pv_dead = 2, pv_self = NULL; }

static const char *pv_env(const char *name) {
	const char *v = getenv(name);
	return v && *v ? v : NULL;
}

// pv_names writes the names of the calls by number, once for all ranks.
static void pv_names(void) {
	char path[4096], part[4096 + 8];
	snprintf(path, sizeof path, "%s/%016llx.calls", pv_dir, (unsigned long long)pv_world);
	snprintf(part, sizeof part, "%s.part", path);
	FILE *f = fopen(part, "w");
	if (!f) return;
	for (size_t i = 1; i < sizeof pv_call_names / sizeof *pv_call_names; i++) fprintf(f, "%zu %s\n", i, pv_call_names[i]);
	if (!fclose(f)) rename(part, path);
}

// pv_os_threads is the number of threads of this process; 0: unknown.
static int pv_os_threads(void) {
	struct stat s;
	return stat("/proc/self/task", &s) || s.st_nlink < 2 ? 0 : (int)s.st_nlink - 2;
}

static int pv_mpi_threads; // started by MPI_Init, plus this one

static void pv_openmp_end(void);

// pv_start begins recording, in MPI_Init, which was called at a given time and returns to site.
static void pv_start(uint64_t begin, uint64_t cpu, unsigned kind, void *site) {
	if (pv_dead) return;
	const char *dir = pv_env("PVIEW_RECORD_DIR");
	int length = 0;
	pv_dead = 1;
	char version[MPI_MAX_LIBRARY_VERSION_STRING + 1] = ""; // MPICH's has 2 kB: how it was configured
	P(Get_library_version)(version, &length);
	strncpy(pv_library, version, sizeof pv_library - 1);
	P(Comm_rank)(MPI_COMM_WORLD, &pv_rank);
	P(Comm_size)(MPI_COMM_WORLD, &pv_size);
	P(Comm_group)(MPI_COMM_WORLD, &pv_group);
	P(Query_thread)(&pv_level);
	pv_locked = pv_level == MPI_THREAD_MULTIPLE;
	gethostname(pv_hostname, sizeof pv_hostname - 1);
	struct { uint64_t world; int32_t ok; char dir[sizeof pv_dir]; } *head = calloc(1, sizeof *head);
	if (!head) return;
	if (!pv_rank) {
		head->world = pv_clock(CLOCK_REALTIME) << 8 ^ (uint64_t)getpid();
		if (dir) snprintf(head->dir, sizeof head->dir, "%s", dir);
		else snprintf(head->dir, sizeof head->dir, "%s-%d.pvrec", program_invocation_short_name, (int)getpid());
		head->ok = !mkdir(head->dir, 0777) || errno == EEXIST;
		if (!head->ok) pv_say("%s: %s; not recorded", head->dir, strerror(errno));
	}
	P(Bcast)(head, sizeof *head, MPI_BYTE, 0, MPI_COMM_WORLD);
	memcpy(pv_dir, head->dir, sizeof pv_dir);
	pv_world = head->world;
	int ok = head->ok;
	free(head);
	if (!ok || pthread_key_create(&pv_key, pv_thread_ends)) return;
	const char *v;
	if ((v = pv_env("PVIEW_RECORD_CPU"))) pv_cpu = atoi(v) != 0;
	if ((v = pv_env("PVIEW_RECORD_LIMIT"))) pv_limit = strtoull(v, NULL, 10);
	uint64_t buffer = (v = pv_env("PVIEW_RECORD_BUFFER")) ? strtoull(v, NULL, 10) : 4u << 20;
	if ((v = pv_env("PVIEW_RECORD_CALLERS"))) pv_levels = atoi(v);
	if (pv_levels < 0 || pv_levels > PV_CALLERS - PV_FORTRAN) pv_levels = PV_CALLERS - PV_FORTRAN;
	pv_choose_counters(pv_env("PVIEW_RECORD_COUNTERS"));
	pv_pairs = pv_cpu + pv_ncounters;
	pv_rec_size = (int)(sizeof(pv_rec) + 16 * (size_t)pv_pairs);
	size_t unit = (size_t)pv_rec_size * PV_PAGE / 16; // whole pages, whole records
	pv_window = buffer < 2 * unit ? unit : buffer / unit * unit;
	pthread_atfork(NULL, NULL, pv_in_child);
	pv_dead = 0;
	if (!pv_rank) pv_names();
	pv_thread *t = pv_self ? pv_self : pv_thread_start(-1);
	if (!t || t->off) { pv_dead = 1; return; }
	if (t->stacks) pv_modules();
	pv_on = PV_RECORDING;
	pv_rec *r = pv_begin(t, kind, site);
	if (!r) return;
	r->begin = begin;
	if (pv_cpu) r->counters[0] = cpu;
	pv_new_comm(MPI_COMM_WORLD, MPI_COMM_WORLD);
	pv_new_comm(MPI_COMM_SELF, MPI_COMM_SELF);
	pv_sync();
	r->comm = 0;
	pv_leave(r, 0);
	if ((v = pv_env("PVIEW_RECORD_AFTER"))) pv_after = pv_now() + strtoull(v, NULL, 10);
	if ((v = pv_env("PVIEW_RECORD_FROM"))) pv_from = atol(v);
	if (pv_after || pv_from > 0) {
		pv_waiting = 1, pv_on = PV_STOPPED;
		pv_phase(t);
	}
}

// pv_end ends the file of the thread that calls MPI_Finalize; other threads end their own files.
static void pv_end(pv_rec *r, int e) {
	pv_leave(r, e != MPI_SUCCESS);
	pv_on = 0, pv_dead = 1;
	if (!pv_self->off) pv_end_mark(pv_self, PV_FINALIZED);
	pv_close(pv_self);
}

int MPI_Init(int *argc, char ***argv) {
	pv_resolve();
	pv_calibrate();
	uint64_t begin = pv_now(), cpu = pv_clock(CLOCK_THREAD_CPUTIME_ID);
	int before = pv_os_threads(), e = P(Init)(argc, argv);
	pv_mpi_threads = pv_os_threads() - before + 1;
	if (e == MPI_SUCCESS) pv_start(begin, cpu, PV_MPI_Init, __builtin_return_address(0));
	return e;
}

int MPI_Init_thread(int *argc, char ***argv, int required, int *provided) {
	pv_resolve();
	pv_calibrate();
	uint64_t begin = pv_now(), cpu = pv_clock(CLOCK_THREAD_CPUTIME_ID);
	int before = pv_os_threads(), e = P(Init_thread)(argc, argv, required, provided);
	pv_mpi_threads = pv_os_threads() - before + 1;
	if (e == MPI_SUCCESS) pv_start(begin, cpu, PV_MPI_Init_thread, __builtin_return_address(0));
	return e;
}

int MPI_Finalize(void) {
	if (pv_on == PV_STOPPED && pv_self && !pv_self->off && !pv_self->in) { // this call is recorded all the same
		pv_on = PV_RECORDING;
		pv_waiting = 0;
		pv_phase(pv_self);
	}
	pv_rec *r = pv_enter(PV_MPI_Finalize, __builtin_return_address(0));
	if (!r) {
		if (!pv_dead) pv_on = 0, pv_dead = 1;
		return P(Finalize)();
	}
	r->comm = 0;
	pv_sync();
	if (pv_addresses || pv_levels) pv_modules(); // including libraries loaded since
	P(Group_free)(&pv_group);
	pv_openmp_end();
	int e = P(Finalize)();
	pv_end(r, e);
	return e;
}

int MPI_Pcontrol(const int level, ...) {
	pv_resolve();
	if (!pv_on) return MPI_SUCCESS;
	pv_waiting = 0;
	pv_on = level ? PV_RECORDING : PV_STOPPED;
	if (pv_self) pv_phase(pv_self);
	return MPI_SUCCESS;
}

// Functions and events of the program.

// pv_new_mark begins a mark of a thread; NULL: it is not recorded. Functions called by MPI are left out: their records
// would fall within that of the call.
static pv_rec *pv_new_mark(pv_thread *t, unsigned kind) {
	if (pv_on != PV_RECORDING || t->off | t->in) return NULL;
	if (pv_unlikely(t->stopped)) pv_phase(t);
	pv_rec *r = pv_append(t, kind);
	if (r) pv_instant(t, r);
	return r;
}

// pv_mark writes a mark.
static pv_rec *pv_mark(unsigned kind, uint32_t type, uint64_t value) {
	pv_thread *t = pv_self;
	if (pv_unlikely(!t) && (!pv_on || !(t = pv_thread_start(-1)))) return NULL;
	pv_rec *r = pv_new_mark(t, kind);
	if (!r) return NULL;
	r->req = type;
	r->aux = value;
	pv_done(t, r);
	return r;
}

void pview_record_event(unsigned type, long long value) { pv_mark(PV_EVENT, type, (uint64_t)value); }

// pv_name returns the number of a region's name, from 1, and writes it when it is new; 0: there are too many.
static uint32_t pv_name(pv_thread *t, const char *name) {
	enum { SLOTS = 4096, MOST = 255, PART = 56 };
	static char *names[SLOTS];
	static uint16_t numbers[SLOTS], count;
	size_t n = strnlen(name, MOST);
	uint64_t hash = 14695981039346656037u; // FNV-1a
	for (size_t i = 0; i < n; i++) hash = (hash ^ (unsigned char)name[i]) * 1099511628211u;
	pthread_mutex_lock(&pv_mutex);
	size_t at = hash % SLOTS;
	while (names[at] && (strncmp(names[at], name, n) || names[at][n])) at = (at + 1) % SLOTS;
	uint32_t number = numbers[at];
	if (!number && count < SLOTS / 2 && (names[at] = strndup(name, n))) {
		number = numbers[at] = ++count;
		for (size_t i = 0; i == 0 || i < n; i += PART) {
			pv_rec *r = pv_append(t, PV_NAME);
			if (!r) break;
			r->flags = (uint16_t)number;
			memcpy((char *)r + 8, name + i, n - i < PART ? n - i : PART);
			pv_done(t, r);
		}
	}
	pthread_mutex_unlock(&pv_mutex);
	return number;
}

void pview_record_begin(const char *name) {
	if (pv_waiting && pv_from > 0 && !strcmp(name, "iteration") && !--pv_from) pv_due();
	if (pv_on != PV_RECORDING) return;
	pv_thread *t = pv_self ? pv_self : pv_thread_start(-1);
	if (!t || t->off | t->in) return;
	uint32_t number = pv_name(t, name);
	if (number) pv_mark(PV_ENTER, number, 0);
}

void pview_record_end(void) { pv_mark(PV_EXIT, 1, 0); }

// Steering. A mapped file of the run, WORLD.tune, has the variables that ranks have registered and how often each rank
// has called pview_sync; tune.go reads it, and writes new values of variables. Ranks change a variable together, at a
// pview_sync that none has reached yet: the tuner proposes its number, checks how far the ranks are, and makes the
// proposal final. A rank that gets there first voids it. All accesses are sequentially consistent, so the tuner sees a
// rank that missed the proposal.

enum { PV_TUNABLES = 64 };
enum { PV_PROPOSED = 1, PV_FINAL, PV_VOID };
// Types of events.
enum { PV_TYPE_SYNC = 9990000, PV_TYPE_DECISION, PV_TYPE_TUNABLE = 9990100 };

typedef struct { uint64_t registered; uint32_t syncs, unused; } pv_tune_rank; // bits of slots

typedef struct {
	char name[64];
	uint32_t state;    // 0: free, 1: being written, 2: a variable
	uint32_t whole;    // an int
	double low, high;
	double value;      // the last rank's value
	double wanted;
	uint64_t proposal; // number of a pview_sync << 2 | PV_PROPOSED, PV_FINAL or PV_VOID; 0: none
	uint64_t decision; // that it belongs to
	uint64_t unused;
} pv_tune_slot;

typedef struct { char magic[8]; uint32_t ranks, slots; uint64_t unused[6]; } pv_tune_header;

// pv_variable is a variable of this process.
typedef struct {
	char name[64];
	void *value;
	int whole, slot; // slot -1: not in the file yet
	double low, high;
	uint64_t done;   // the proposal that it follows
} pv_variable;

static pv_variable pv_variables[PV_TUNABLES];
static int pv_nvariables, pv_attached;
static pv_tune_rank *pv_tune_ranks;
static pv_tune_slot *pv_tune_slots;

void pview_record_tunable(const char *name, void *value, int whole, double low, double high) {
	pthread_mutex_lock(&pv_mutex);
	int i = 0;
	while (i < pv_nvariables && strncmp(pv_variables[i].name, name, sizeof pv_variables[i].name - 1)) i++;
	if (i < PV_TUNABLES) {
		pv_variable *v = &pv_variables[i];
		if (i == pv_nvariables) {
			strncpy(v->name, name, sizeof v->name - 1);
			v->slot = -1;
			pv_nvariables++;
		}
		v->value = value, v->whole = whole, v->low = low, v->high = high;
	}
	pthread_mutex_unlock(&pv_mutex);
}

static double pv_variable_now(const pv_variable *v) { return v->whole ? *(int *)v->value : *(double *)v->value; }

// pv_variable_mark records the value of a variable, doubles in millionths.
static void pv_variable_mark(const pv_variable *v) {
	double x = pv_variable_now(v) * (v->whole ? 1 : 1e6);
	pv_mark(PV_EVENT, (uint32_t)(PV_TYPE_TUNABLE + v->slot), (uint64_t)(int64_t)(x < 0 ? x - 0.5 : x + 0.5));
}

// pv_tune_open maps the file; 0 if there is none.
static int pv_tune_open(void) {
	static int tried;
	if (pv_tune_slots) return 1;
	if (tried) return 0;
	tried = 1;
	char path[4096];
	size_t size = sizeof(pv_tune_header) + (size_t)pv_size * sizeof(pv_tune_rank) + PV_TUNABLES * sizeof(pv_tune_slot);
	snprintf(path, sizeof path, "%s/%016llx.tune", pv_dir, (unsigned long long)pv_world);
	int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666), failed = fd < 0 ? errno : posix_fallocate(fd, 0, (off_t)size);
	char *p = failed ? MAP_FAILED : mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (fd >= 0) close(fd);
	if (p == MAP_FAILED) {
		pv_say("rank %d: %s: %s; not steered", pv_rank, path, strerror(failed ? failed : errno));
		return 0;
	}
	pv_tune_header *h = (pv_tune_header *)p; // all ranks write the same
	h->ranks = (uint32_t)pv_size, h->slots = PV_TUNABLES;
	pv_tune_ranks = (pv_tune_rank *)(h + 1);
	pv_tune_slots = (pv_tune_slot *)(pv_tune_ranks + pv_size);
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
	memcpy(h->magic, "PVTUNE1", 8);
	return 1;
}

// pv_attach finds or makes the slot of a variable.
static void pv_attach(pv_variable *v) {
	for (int i = 0; i < PV_TUNABLES; i++) {
		pv_tune_slot *s = &pv_tune_slots[i];
		uint32_t state = 0;
		if (__atomic_compare_exchange_n(&s->state, &state, 1, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) {
			memcpy(s->name, v->name, sizeof s->name);
			s->whole = (uint32_t)v->whole, s->low = v->low, s->high = v->high, s->value = pv_variable_now(v);
			__atomic_store_n(&s->state, 2, __ATOMIC_SEQ_CST);
		}
		while (__atomic_load_n(&s->state, __ATOMIC_SEQ_CST) != 2) sched_yield();
		if (memcmp(s->name, v->name, sizeof s->name)) continue;
		v->slot = i;
		__atomic_fetch_or(&pv_tune_ranks[pv_rank].registered, 1ull << i, __ATOMIC_SEQ_CST);
		pv_variable_mark(v);
		return;
	}
}

// pv_follow sets a variable to the tuner's value, if that is due at the n-th pview_sync.
static void pv_follow(pv_variable *v, uint32_t n) {
	pv_tune_slot *s = &pv_tune_slots[v->slot];
	uint64_t proposal = __atomic_load_n(&s->proposal, __ATOMIC_SEQ_CST);
	if (!proposal || proposal == v->done || n < proposal >> 2) return;
	if ((proposal & 3) == PV_PROPOSED &&
		__atomic_compare_exchange_n(&s->proposal, &proposal, proposal | PV_VOID, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
		return;
	v->done = proposal;
	if ((proposal & 3) != PV_FINAL) return;
	if (v->whole) *(int *)v->value = (int)s->wanted;
	else *(double *)v->value = s->wanted;
	s->value = s->wanted;
	pv_mark(PV_EVENT, PV_TYPE_DECISION, s->decision);
	pv_variable_mark(v);
}

void pview_record_sync(void) {
	if (!pv_on || !pv_tune_open()) return;
	for (; pv_attached < pv_nvariables; pv_attached++) pv_attach(&pv_variables[pv_attached]);
	uint32_t n = __atomic_add_fetch(&pv_tune_ranks[pv_rank].syncs, 1, __ATOMIC_SEQ_CST);
	pv_mark(PV_EVENT, PV_TYPE_SYNC, n);
	for (int i = 0; i < pv_attached; i++)
		if (pv_variables[i].slot >= 0) pv_follow(&pv_variables[i], n);
}

// For programs compiled with -finstrument-functions.

// pv_first_address writes where programs are loaded, once the first address has been recorded.
static inline void pv_first_address(void) {
	if (pv_unlikely(!pv_addresses) && !__atomic_exchange_n(&pv_addresses, 1, __ATOMIC_RELAXED)) pv_modules();
}

void __cyg_profile_func_enter(void *function, void *site) {
	if (pv_mark(PV_ENTER, 0, (uint64_t)(uintptr_t)function)) pv_first_address();
}

void __cyg_profile_func_exit(void *function, void *site) { pv_mark(PV_EXIT, 0, (uint64_t)(uintptr_t)function); }

#ifdef PVIEW_STATIC
#define PV_ALIAS(type, name, parameters)
static void pv_resolve(void) {}
#else
// The Fortran layers of libraries call either name.
#define PV_ALIAS(type, name, parameters) type PMPI_##name parameters __attribute__((alias("MPI_" #name)));

// pv_resolve finds the functions of the MPI library. It may be outside the scope of symbol searches, for example if
// Python has loaded it.
static void pv_resolve(void) {
	static const char *const libraries[] = {"libmpi.so.40", "libmpich.so.12", "libmpi.so.12", "libmpi.so"};
	static int done;
	if (__atomic_load_n(&done, __ATOMIC_ACQUIRE)) return;
	void *from = RTLD_NEXT;
	if (!dlsym(from, "PMPI_Init")) {
		from = NULL;
		for (size_t i = 0; !from && i < sizeof libraries / sizeof *libraries; i++)
			from = dlopen(libraries[i], RTLD_NOLOAD | RTLD_LAZY);
		if (!from) {
			pv_say("no MPI library is loaded");
			abort();
		}
	}
	for (size_t i = 0; i < sizeof pv_functions / sizeof *pv_functions; i++)
		*pv_functions[i].to = dlsym(from, pv_functions[i].name);
	__atomic_store_n(&done, 1, __ATOMIC_RELEASE);
}

// pv_check leaves a program that has another MPI library than the recorder was compiled for: their handles differ in
// size, so calls cannot even be passed on. The program restarts without the recorder, before main.
__attribute__((constructor)) static void pv_check(int argc, char **argv) {
#ifdef OPEN_MPI
	const int wanted = 1;
#else
	const int wanted = 0;
#endif
	if (dlsym(RTLD_DEFAULT, "MPI_Init") != dlsym(RTLD_DEFAULT, "PMPI_Init")) { // the program is linked with -lpview
		pv_dead = 1;
		return;
	}
	if (argc < 1 || !dlsym(RTLD_NEXT, "PMPI_Init") || (dlsym(RTLD_NEXT, "ompi_mpi_comm_world") != NULL) == wanted) return;
	// Only one rank reports it.
	char path[4096];
	const char *dir = pv_env("PVIEW_RECORD_DIR");
	int fd = -1;
	if (dir) {
		snprintf(path, sizeof path, "%s/other-mpi", dir);
		fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	}
	if (fd >= 0 || errno != EEXIST)
		pv_say("the program has another MPI library than the recorder; not recorded (see --mpicc)");
	unsetenv("LD_PRELOAD");
	execv("/proc/self/exe", argv);
	_exit(127);
}
#endif
