// OpenMP, for runtimes with OMPT (LLVM's libomp, not GCC's libgomp): the runtime looks for ompt_start_tool when it
// starts, and calls the functions registered there. OpenMP 5.0 fixes the types and numbers, so no header of a runtime
// is needed.

typedef union { uint64_t value; void *ptr; } pv_omp_data;
typedef void (*pv_omp_function)(void);
typedef pv_omp_function (*pv_omp_lookup)(const char *name);
typedef struct {
	int (*initialize)(pv_omp_lookup lookup, int device, pv_omp_data *tool);
	void (*finalize)(pv_omp_data *tool);
	pv_omp_data tool;
} pv_omp_tool;

enum { PV_OMP_BEGIN = 1, PV_OMP_END };
enum { PV_OMP_INITIAL = 1, PV_OMP_EXPLICIT = 4 }; // kinds of tasks
enum { PV_OMP_COMPLETE = 1, PV_OMP_CANCEL = 3, PV_OMP_DETACH };
// Kinds of synchronisation. Before OpenMP 5.1 all implicit barriers are of one kind.
enum { PV_OMP_IMPLICIT = 2, PV_OMP_TASKWAIT = 5, PV_OMP_TASKGROUP, PV_OMP_REDUCTION, PV_OMP_JOIN = 9 };
enum { PV_OMP_TEST_LOCK = 2, PV_OMP_TEST_NEST_LOCK = 4, PV_OMP_CRITICAL };

// Data of tasks. An implicit one is PV_OMP_WORKS until its thread has reached the end of the region; an explicit one
// has its number above the low three bits.
enum { PV_OMP_WORKS = 1, PV_OMP_DONE, PV_OMP_TASK = 4, PV_OMP_NUMBER = 3 };

#define PV_OMP_PLACE (((uint64_t)1 << 48) - 1) // the return address in a team's number

static int pv_omp_started;

// pv_omp records the begin or end of a construct; value is the value of Extrae's event. A thread without a file gets
// one when it opens a region or works in one: reports on a region that is already over are ignored.
static void pv_omp(unsigned construct, int value, uint64_t place, uint64_t task) {
	pv_thread *t = pv_self;
	if (!t) return;
	if (pv_unlikely(pv_on == PV_STOPPED)) pv_phase(t);
	pv_rec *r = pv_new_mark(t, PV_OPENMP);
	if (!r) return;
	r->req = construct, r->tag = value, r->aux = place, r->bytes = task;
	pv_done(t, r);
}

static void pv_omp_parallel_begin(pv_omp_data *task, const void *frame, pv_omp_data *team, unsigned requested,
	int flags, const void *code) {
	static uint64_t regions;
	team->value = __atomic_add_fetch(&regions, 1, __ATOMIC_RELAXED) << 48 | ((uint64_t)(uintptr_t)code & PV_OMP_PLACE);
	if (!pv_self && pv_on == PV_RECORDING) pv_thread_start(-1);
	pv_omp(PV_PARALLEL, 3, team->value, 0);
	if (pv_on == PV_RECORDING) pv_first_address();
}

static void pv_omp_parallel_end(pv_omp_data *team, pv_omp_data *task, int flags, const void *code) {
	pv_omp(PV_PARALLEL, 0, team->value, 0);
}

// pv_omp_done ends a thread's part of a region. The runtime tells workers of a region's end only when the next one
// begins, so their part ends when they reach the barrier.
static void pv_omp_done(pv_omp_data *task) {
	if (!task || task->value != PV_OMP_WORKS) return;
	task->value = PV_OMP_DONE;
	pv_omp(PV_OUTLINED, 0, 0, 0);
}

static void pv_omp_implicit_task(int scope, pv_omp_data *team, pv_omp_data *task, unsigned threads, unsigned number,
	int flags) {
	if (flags & PV_OMP_INITIAL) return;
	if (scope != PV_OMP_BEGIN) {
		pv_omp_done(task);
		return;
	}
	task->value = PV_OMP_WORKS;
	if (!pv_self && pv_on == PV_RECORDING) pv_thread_start(number ? (int)number : -1);
	pv_omp(PV_OUTLINED, 1, team ? team->value : 0, 0);
}

static void pv_omp_sync_region(int kind, int scope, pv_omp_data *team, pv_omp_data *task, const void *code) {
	if (kind == PV_OMP_TASKWAIT || kind == PV_OMP_TASKGROUP || kind == PV_OMP_REDUCTION) return;
	// The barrier at the end of a region has the region's place, or none.
	if (kind == PV_OMP_JOIN || (kind == PV_OMP_IMPLICIT &&
		(!team || !code || ((uint64_t)(uintptr_t)code & PV_OMP_PLACE) == (team->value & PV_OMP_PLACE)))) {
		if (scope == PV_OMP_BEGIN) pv_omp_done(task);
		return;
	}
	pv_omp(PV_BARRIER, scope == PV_OMP_BEGIN, 0, 0);
}

// pv_omp_sync_wait records waits for tasks: a taskgroup is a region of the program, at whose end it waits.
static void pv_omp_sync_wait(int kind, int scope, pv_omp_data *team, pv_omp_data *task, const void *code) {
	if (kind == PV_OMP_TASKWAIT || kind == PV_OMP_TASKGROUP) pv_omp(PV_TASKWAIT, scope == PV_OMP_BEGIN, 0, 0);
}

static void pv_omp_work(int kind, int scope, pv_omp_data *team, pv_omp_data *task, uint64_t count, const void *code) {
	static const uint8_t values[] = {[1] = 4, [2] = 5, [3] = 6, [10] = 4, [11] = 4, [12] = 4, [13] = 4};
	int value = kind > 0 && kind < (int)sizeof values ? values[kind] : 0;
	if (value) pv_omp(PV_SHARING, scope == PV_OMP_BEGIN ? value : 0, 0, 0);
}

static unsigned pv_omp_mutex(int kind) { return kind < PV_OMP_CRITICAL ? PV_LOCK : PV_CRITICAL; }

static void pv_omp_acquire(int kind, unsigned hint, unsigned how, uint64_t wait, const void *code) {
	if (kind != PV_OMP_TEST_LOCK && kind != PV_OMP_TEST_NEST_LOCK) pv_omp(pv_omp_mutex(kind), 3, 0, 0);
}

static void pv_omp_acquired(int kind, uint64_t wait, const void *code) { pv_omp(pv_omp_mutex(kind), 6, 0, 0); }

static void pv_omp_released(int kind, uint64_t wait, const void *code) { pv_omp(pv_omp_mutex(kind), 5, 0, 0); }

static void pv_omp_task_create(pv_omp_data *task, const void *frame, pv_omp_data *created, int flags, int depends,
	const void *code) {
	static uint64_t tasks;
	if (!(flags & PV_OMP_EXPLICIT)) return;
	uint64_t number = __atomic_add_fetch(&tasks, 1, __ATOMIC_RELAXED);
	created->value = number << PV_OMP_NUMBER | PV_OMP_TASK;
	pv_omp(PV_CREATE, 1, (uint64_t)(uintptr_t)code & PV_OMP_PLACE, number);
}

// pv_omp_task_schedule records when tasks begin and end. A waiting task and those that its thread executes meanwhile
// are nested.
static void pv_omp_task_schedule(pv_omp_data *prior, int status, pv_omp_data *next) {
	if (prior && prior->value & PV_OMP_TASK &&
		(status == PV_OMP_COMPLETE || status == PV_OMP_CANCEL || status == PV_OMP_DETACH))
		pv_omp(PV_EXECUTE, 0, 0, prior->value >> PV_OMP_NUMBER);
	if (!next || !(next->value & PV_OMP_TASK) || next->value & PV_OMP_WORKS) return;
	next->value |= PV_OMP_WORKS;
	pv_omp(PV_EXECUTE, 1, 0, next->value >> PV_OMP_NUMBER);
}

static int pv_omp_initialize(pv_omp_lookup lookup, int device, pv_omp_data *tool) {
	static const struct { int event; pv_omp_function call; } calls[] = {
		{3, (pv_omp_function)pv_omp_parallel_begin}, {4, (pv_omp_function)pv_omp_parallel_end},
		{5, (pv_omp_function)pv_omp_task_create}, {6, (pv_omp_function)pv_omp_task_schedule},
		{7, (pv_omp_function)pv_omp_implicit_task}, {16, (pv_omp_function)pv_omp_sync_wait},
		{17, (pv_omp_function)pv_omp_released}, {20, (pv_omp_function)pv_omp_work},
		{23, (pv_omp_function)pv_omp_sync_region}, {26, (pv_omp_function)pv_omp_acquire},
		{27, (pv_omp_function)pv_omp_acquired},
	};
	int (*set)(int event, pv_omp_function call) = (int (*)(int, pv_omp_function))lookup("ompt_set_callback");
	if (!set) return 0;
	for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) set(calls[i].event, calls[i].call);
	pv_omp_started = 1;
	return 1;
}

static void pv_omp_finalize(pv_omp_data *tool) {}

pv_omp_tool *ompt_start_tool(unsigned version, const char *runtime) {
	static pv_omp_tool tool = {pv_omp_initialize, pv_omp_finalize, {0}};
	return &tool;
}

// pv_openmp_end notes in this thread's file why OpenMP was not recorded, if there are threads besides MPI's.
static void pv_openmp_end(void) {
#ifndef PVIEW_STATIC
	static const struct { const char *name; uint32_t why; } runtimes[] = {{"libgomp.so.1", PV_NO_OMPT},
		{"libomp.so.5", PV_NOT_ASKED}, {"libomp.so", PV_NOT_ASKED}, {"libiomp5.so", PV_NOT_ASKED}};
	struct { uint32_t why, threads; } found = {0, 0};
	int threads = pv_os_threads() - pv_mpi_threads;
	if (pv_omp_started || threads < 1 || pv_self->off) return;
	for (size_t i = 0; !found.why && i < sizeof runtimes / sizeof *runtimes; i++) {
		void *library = dlopen(runtimes[i].name, RTLD_NOLOAD | RTLD_LAZY);
		if (!library) continue;
		dlclose(library);
		found.why = runtimes[i].why, found.threads = (uint32_t)threads;
	}
	if (found.why && pwrite(pv_self->fd, &found, sizeof found, offsetof(pv_header, openmp)) < 0) {
		/* then it is not known */
	}
#endif
}
