package nsight

import (
	"context"
	"database/sql"
	"errors"
	"math/rand"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	_ "modernc.org/sqlite" // writes databases

	"pview/prv"
	"pview/prv/extrae"
	"pview/prv/extrae/device"
	"pview/prv/prvtest"
)

func notesOf(tr *prv.Trace) string {
	var list []string
	for _, n := range tr.Notes {
		list = append(list, n.Text)
	}
	return strings.Join(list, "\n")
}

// threadOf returns the thread with a name, -1 if none.
func threadOf(tr *prv.Trace, name string) int {
	return slices.Index(tr.Names.Levels[prv.LevelThread], name)
}

// stateTime returns the time of a thread in a state.
func stateTime(tr *prv.Trace, thread int, state uint32) (sum int64) {
	s := &tr.Threads[thread].States
	for i := range s.Len() {
		if s.Value[i] == state {
			sum += s.End[i] - s.Begin[i]
		}
	}
	return sum
}

// Check 5: an export with few columns.
func TestOld(t *testing.T) {
	tr := openTrace(t, "testdata/n02-old.sqlite")
	if got := tr.Names.Levels[prv.LevelNode]; !slices.Equal(got, []string{"node 1"}) {
		t.Errorf("nodes %q", got)
	}
	if got := tr.Names.Levels[prv.LevelThread]; !slices.Equal(got, []string{"thread 7", "CUDA-D0.S7"}) {
		t.Errorf("threads %q", got)
	}
	if tr.Duration != 3000 {
		t.Errorf("it lasts %d", tr.Duration)
	}
	list := pieces(tr, 0, func(typ uint32) bool { return typ == typeNVTX })
	if len(list) != 2 || list[0].name != "all" || list[0].end != 3000 || list[1].name != "one" || list[1].begin != 1000 ||
		list[1].end != 2000 {
		t.Errorf("ranges %+v", list)
	}
	marks := 0
	e := &tr.Threads[0].Events
	for i := range e.Len() {
		if e.Type[i] == typeMark && e.Time[i] == 1500 && tr.Labels.ValueName(typeMark, e.Value.At(i)) == "mark" {
			marks++
		}
	}
	if marks != 1 {
		t.Errorf("%d marks", marks)
	}
	// Calls at 0, 1000 and 2000, each of 200, and ranges from 0 to 3000 around them.
	if others, running := stateTime(tr, 0, 15), stateTime(tr, 0, 1); others != 600 || running != 2400 {
		t.Errorf("others %d, running %d", others, running)
	}
	if busy := stateTime(tr, 1, device.Computing); busy != 1500 {
		t.Errorf("busy %d", busy)
	}
}

// Check 8: NVTX of all kinds, a payload of NCCL, counters, calls of the system, an unknown schema.
func TestRanges(t *testing.T) {
	tr := openTrace(t, "testdata/n05-nvtx.sqlite")
	if notes := notesOf(tr); !strings.Contains(notes, "schema 4.0.0 is newer than the tested ones (3.x)") ||
		!strings.Contains(notes, "1 begin without an end") {
		t.Errorf("notes %s", notes)
	}
	apart := threadOf(tr, "NVTX ranges")
	if list := pieces(tr, apart, func(typ uint32) bool { return typ == typeNVTX }); len(list) != 1 ||
		list[0].name != "transfer" || list[0].begin != 500 || list[0].end != 7000 {
		t.Errorf("ranges of no thread %+v", list)
	}
	var values []int64
	e := &tr.Threads[threadOf(tr, "Metrics GPU0")].Events
	for i := range e.Len() {
		values = append(values, e.Value.At(i))
	}
	if typ, _ := tr.Labels.Type(typeMetric + 3); !slices.Equal(values, []int64{0, 25, 50, 75}) ||
		typ.Label != "SMs Active [Throughput %]" {
		t.Errorf("counter %v %+v", values, typ)
	}
	stream := threadOf(tr, "CUDA-D0.S7")
	told := map[uint32]int64{}
	e = &tr.Threads[stream].Events
	for i := range e.Len() {
		if e.Value.At(i) != 0 {
			told[e.Type[i]] = e.Value.At(i)
		}
	}
	if told[device.Operation] != device.AllReduce || told[device.BytesIn] != 1<<20 {
		t.Errorf("told %v", told)
	}
	list := pieces(tr, threadOf(tr, "thread 400"), func(typ uint32) bool { return typ == typeNCCL })
	if len(list) != 1 || list[0].name != "ncclAllReduce" {
		t.Errorf("ranges of NCCL %+v", list)
	}
}

// Check 4 and part of 3: a report of a single host.
func TestAlone(t *testing.T) {
	tr := openTrace(t, prvtest.Shared(t, "oracle", "nsight", "cases", "n01-host1.sqlite"))
	if got := tr.Names.Levels[prv.LevelTask]; !slices.Equal(got, []string{"rank 1"}) {
		t.Errorf("tasks %q", got)
	}
	if got := tr.Names.Levels[prv.LevelNode]; !slices.Equal(got, []string{"node1"}) {
		t.Errorf("nodes %q", got)
	}
	// MPI_Init begins at 510 ms of the run, MPI_Recv ends at 662 ms.
	if tr.Duration != 152_000_000 {
		t.Errorf("it lasts %d", tr.Duration)
	}
	list := pieces(tr, 0, func(typ uint32) bool { return typ >= extrae.MPIPointToPoint && typ <= extrae.MPIOther })
	names := []string{"MPI_Init", "MPI_Allreduce", "MPI_Recv"}
	if len(list) != 3 {
		t.Fatalf("%d calls", len(list))
	}
	for i, p := range list {
		if p.name != names[i] {
			t.Errorf("call %d is %s", i, p.name)
		}
	}
	if list[0].begin != 0 || list[1].end-list[1].begin != 2_000_000 || stateTime(tr, 0, 13) != 2_000_000 {
		t.Errorf("calls %+v", list)
	}
	if !strings.Contains(notesOf(tr), "1 MPI message with only one end") {
		t.Errorf("notes %s", notesOf(tr))
	}
}

// Checks 1 and 3: two reports, the second of which began 500 ms later.
func TestRun(t *testing.T) {
	kit := prvtest.Shared(t, "oracle", "nsight")
	tr := openTrace(t, filepath.Join(kit, "cases", "n01-host0.sqlite"), filepath.Join(kit, "cases", "n01-host1.sqlite"))
	if got := tr.Names.Levels[prv.LevelTask]; !slices.Equal(got, []string{"rank 0", "rank 1"}) {
		t.Errorf("tasks %q", got)
	}
	if got := tr.Names.Levels[prv.LevelNode]; !slices.Equal(got, []string{"node0", "node1"}) {
		t.Errorf("nodes %q", got)
	}
	got := facts(t, tr)
	for key, want := range map[string]string{
		"collectives\t-\tmatched": "4", "collectives\t-\ttime_ns": "12000000", "collectives\t-\twait_ns": "4000000",
		"straggler\t1 dev 0\twait_caused_ns": "4000000", "run\t-\tduration_ns": "35000000",
		"gpu\t0 dev 0\tcompute_ns": "11600000", "gpu\t1 dev 0\tcompute_ns": "15600000",
	} {
		if got[key] != want {
			t.Errorf("%q: %s, want %s", key, got[key], want)
		}
	}
	messages := 0
	c := &tr.Comms
	for i := range c.Len() {
		if !device.IsLink(tr, int32(i)) {
			messages++
			if c.Tag[i] != 5 || c.Size[i] != 4096 || c.Send[i] != 0 || c.Times[prv.LogicalSend][i] != 150_000_000 ||
				c.Times[prv.PhysicalRecv][i] != 152_000_000 {
				t.Errorf("message %d at %d", i, c.Times[prv.LogicalSend][i])
			}
		}
	}
	if notes := notesOf(tr); messages != 1 || strings.Contains(notes, "clock") {
		t.Errorf("%d messages, notes %s", messages, notes)
	}
	_, err := OpenRun(context.Background(), []string{filepath.Join(kit, "cases", "n01-host0.sqlite"),
		"testdata/n02-old.sqlite"}, false, prv.Watcher{})
	if err == nil || !strings.Contains(err.Error(), "n02-old.sqlite: the export does not tell when its session began") {
		t.Errorf("without the time of a session: %v", err)
	}
}

// made writes a database.
func made(t testing.TB, statements ...string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "a b?c%20.sqlite")
	db, err := sql.Open("sqlite", strings.ReplaceAll(strings.ReplaceAll("file:"+path, "%", "%25"), "?", "%3f"))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for _, s := range statements {
		if _, err := db.Exec(s); err != nil {
			t.Fatal(s, err)
		}
	}
	return path
}

// Messages of one export with two ranks, by requests; calls without a number of Extrae's; failed calls.
func TestMessages(t *testing.T) {
	tr := openTrace(t, made(t,
		"create table StringIds (id, value)",
		"insert into StringIds values (1, 'MPI_Isend'), (2, 'MPI_Irecv'), (3, 'MPI_Wait'), (4, 'MPI_Nonsense'), "+
			"(5, 'cudaEventQuery_v3020'), (6, 'cudaMalloc_v3020')",
		"create table MPI_RANKS (globalTid, rank)",
		"insert into MPI_RANKS values ((7<<24)+7, 1), ((8<<24)+8, 0)",
		"create table MPI_P2P_EVENTS (start, end, globalTid, textId, commHandle, tag, remoteRank, size, requestHandle)",
		"insert into MPI_P2P_EVENTS values (100, 110, (8<<24)+8, 1, 50, 3, 1, 64, 9), "+
			"(40, 50, (7<<24)+7, 2, 51, 3, 0, 64, 5)",
		"create table MPI_START_WAIT_EVENTS (start, end, globalTid, textId, requestHandle)",
		"insert into MPI_START_WAIT_EVENTS values (60, 130, (7<<24)+7, 3, 5), (200, 210, (7<<24)+7, 3, 5)",
		"create table MPI_OTHER_EVENTS (start, end, globalTid, textId)",
		"insert into MPI_OTHER_EVENTS values (0, 10, (7<<24)+7, 4), (20, 15, (7<<24)+7, 4)",
		"create table CUPTI_ACTIVITY_KIND_RUNTIME (start, end, globalTid, correlationId, nameId, returnValue)",
		"insert into CUPTI_ACTIVITY_KIND_RUNTIME values (300, 310, (8<<24)+8, 1, 5, 600), (320, 330, (8<<24)+8, 2, 6, 2)"))
	if got := tr.Names.Levels[prv.LevelTask]; !slices.Equal(got, []string{"rank 0", "rank 1"}) {
		t.Fatalf("tasks %q", got)
	}
	c := &tr.Comms
	if c.Len() != 1 || c.Send[0] != 0 || c.Recv[0] != 1 || c.Size[0] != 64 || c.Tag[0] != 3 ||
		c.Times[prv.LogicalSend][0] != 100 || c.Times[prv.LogicalRecv][0] != 40 || c.Times[prv.PhysicalRecv][0] != 130 {
		t.Errorf("messages %+v", c)
	}
	if got := tr.Labels.ValueName(extrae.MPIOther, extrae.FirstOtherMPICall+1); got != "MPI_Nonsense" {
		t.Errorf("the call is %q", got)
	}
	notes := notesOf(tr)
	for _, want := range []string{"1 call failed; the first: cudaMalloc returned 2",
		"1 event of negative length left out", "only local handles"} {
		if !strings.Contains(notes, want) {
			t.Errorf("%q is not in %s", want, notes)
		}
	}
}

// Operations of a group, done by one kernel or by a kernel each.
func TestGroups(t *testing.T) {
	tr := openTrace(t, made(t,
		"create table CUPTI_ACTIVITY_KIND_RUNTIME (start, end, globalTid, correlationId, nameId)",
		"insert into CUPTI_ACTIVITY_KIND_RUNTIME values (50, 60, (7<<24)+7, 1, 'cuLaunchKernelEx'), "+
			"(150, 155, (7<<24)+7, 2, 'cudaLaunchKernel'), (156, 160, (7<<24)+7, 3, 'cudaLaunchKernel')",
		"create table CUPTI_ACTIVITY_KIND_KERNEL (start, end, deviceId, streamId, correlationId, globalPid, shortName)",
		"insert into CUPTI_ACTIVITY_KIND_KERNEL values (70, 90, 0, 7, 1, 7<<24, 'ncclDevKernel_SendRecv'), "+
			"(170, 180, 0, 7, 2, 7<<24, 'ncclDevKernel_X'), (180, 190, 0, 7, 3, 7<<24, 'ncclDevKernel_X')",
		"create table NVTX_EVENTS (start, end, eventType, text, globalTid)",
		"insert into NVTX_EVENTS values (1, 2, 59, 'ncclGroupStart', (7<<24)+7), (3, 4, 59, 'ncclSend', (7<<24)+7), "+
			"(5, 6, 59, 'ncclRecv', (7<<24)+7), (40, 65, 59, 'ncclGroupEnd', (7<<24)+7), "+
			"(101, 102, 59, 'ncclGroupStart', (7<<24)+7), (103, 104, 59, 'ncclBroadcast', (7<<24)+7), "+
			"(105, 106, 59, 'ncclAllReduce', (7<<24)+7), (140, 165, 59, 'ncclGroupEnd', (7<<24)+7)"))
	var got []int64
	e := &tr.Threads[1].Events
	for i := range e.Len() {
		if e.Type[i] == device.Operation && e.Value.At(i) != 0 {
			got = append(got, e.Value.At(i))
		}
	}
	if want := []int64{device.SendReceive, device.Broadcast, device.AllReduce}; !slices.Equal(got, want) {
		t.Errorf("operations %v, want %v", got, want)
	}
}

// Check 9, and files that are not exports.
func TestErrors(t *testing.T) {
	text := filepath.Join(t.TempDir(), "run.nsys-rep")
	if err := os.WriteFile(text, []byte("NSYS report"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ path, want string }{
		{text, "nsys export --type=sqlite run.nsys-rep"},
		{made(t, "create table notes (id)"), "an SQLite file, not of Nsight Systems"},
		{made(t, "create table rocpd_api (id)"), "rocprofiler"},
		{made(t, "create table StringIds (id, value)"), "no timeline in this export"},
		{filepath.Join(t.TempDir(), "missing.sqlite"), "no such file"},
	} {
		_, err := Open(context.Background(), c.path, false, prv.Watcher{})
		if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v", c.path, err)
		}
	}
	path := made(t, "create table NVTX_EVENTS (start, end, eventType, text, globalTid)",
		"insert into NVTX_EVENTS values (5, 3, 59, 'a', 1<<24), (5, 9, 59, 'b', 1<<24)")
	if _, err := Open(context.Background(), path, true, prv.Watcher{}); err == nil {
		t.Error("a negative length is no error of --strict")
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Open(ctx, path, false, prv.Watcher{}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	if list, _ := os.ReadDir(filepath.Dir(path)); len(list) != 1 {
		t.Errorf("something was written beside the file: %v", list)
	}
}

// Check 20: the form of the file does not matter.
func TestForms(t *testing.T) {
	raw, err := os.ReadFile("testdata/n05-nvtx.sqlite")
	if err != nil {
		t.Fatal(err)
	}
	want := facts(t, openTrace(t, "testdata/n05-nvtx.sqlite"))
	for _, pragma := range []string{"", "pragma page_size = 512", "pragma page_size = 65536"} {
		path := filepath.Join(t.TempDir(), "a.sqlite")
		if err := os.WriteFile(path, raw, 0o600); err != nil {
			t.Fatal(err)
		}
		db, err := sql.Open("sqlite", path)
		if err != nil {
			t.Fatal(err)
		}
		db.SetMaxOpenConns(1)
		for _, s := range []string{pragma, "create table k as select * from CUPTI_ACTIVITY_KIND_RUNTIME order by start desc",
			"drop table CUPTI_ACTIVITY_KIND_RUNTIME", "alter table k rename to CUPTI_ACTIVITY_KIND_RUNTIME", "vacuum"} {
			if _, err := db.Exec(s); err != nil {
				t.Fatal(s, err)
			}
		}
		db.Close()
		got := facts(t, openTrace(t, path))
		for key, value := range want {
			if got[key] != value {
				t.Errorf("%s: %q: %s, want %s", pragma, key, got[key], value)
			}
		}
	}
}

// Check 24: the trace contains nothing of the environment. Check 18 tests the words on the device.
func TestPrivacy(t *testing.T) {
	kit := prvtest.Shared(t, "oracle", "nsight", "data")
	tr := openTrace(t, filepath.Join(kit, "nsight-2025.5.2.sqlite"))
	notes := notesOf(tr)
	if !strings.Contains(notes, "RTX 3060, 28 SMs") {
		t.Errorf("notes %s", notes)
	}
	secret := made(t, "create table TARGET_INFO_SYSTEM_ENV (name, value)",
		"insert into TARGET_INFO_SYSTEM_ENV values ('DeviceEnvironment', 'TOKEN=secret'), ('Hostname', 'node7')",
		"create table META_DATA_CAPTURE (name, value)", "insert into META_DATA_CAPTURE values ('a', '/home/secret')",
		"create table META_DATA_EXPORT (name, value)", "insert into META_DATA_EXPORT values ('a', 'secret')",
		"create table PROCESSES (globalPid, name)", "insert into PROCESSES values (1<<24, '/home/secret/app')",
		"create table DIAGNOSTIC_EVENT (severity, text)",
		"insert into DIAGNOSTIC_EVENT values (2, 'lost events, see /home/secret/log')",
		"create table NVTX_EVENTS (start, end, eventType, text, globalTid)",
		"insert into NVTX_EVENTS values (5, 9, 59, 'b', 1<<24)")
	out := filepath.Join(t.TempDir(), "a.prv")
	tr = openTrace(t, secret)
	if err := prv.Save(context.Background(), out, tr); err != nil {
		t.Fatal(err)
	}
	all := notesOf(tr)
	for _, ext := range []string{".prv", ".pcf", ".row"} {
		b, err := os.ReadFile(strings.TrimSuffix(out, ".prv") + ext)
		if err != nil {
			t.Fatal(err)
		}
		all += string(b)
	}
	if strings.Contains(all, "secret") {
		t.Errorf("a secret is in %s", all)
	}
	if !strings.Contains(all, "app 1") || !strings.Contains(all, "node7") || !strings.Contains(all, "lost events") {
		t.Errorf("something is missing in %s", all)
	}
}

// opened opens bytes as an export: it must not panic, and errors have one line.
func opened(t *testing.T, path string, b []byte) {
	t.Helper()
	if err := os.WriteFile(path, b, 0o600); err != nil {
		t.Fatal(err)
	}
	tr, err := Open(context.Background(), path, false, prv.Watcher{})
	if err != nil && (err.Error() == "" || strings.Contains(err.Error(), "\n")) {
		t.Fatalf("%v", err)
	}
	if err == nil && tr.Duration < 0 {
		t.Fatalf("it lasts %d", tr.Duration)
	}
}

// Check 22: changed bytes and prefixes.
func TestDamaged(t *testing.T) {
	raw, err := os.ReadFile("testdata/n02-old.sqlite")
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "a.sqlite")
	step, changes := 97, 200
	if os.Getenv("PVIEW_LONG") != "" {
		step, changes = 1, 2000
	}
	for n := 0; n < len(raw); n += step {
		opened(t, path, raw[:n])
	}
	r := rand.New(rand.NewSource(1))
	for range changes {
		b := slices.Clone(raw)
		for range 1 + r.Intn(4) {
			b[r.Intn(len(b))] = byte(r.Intn(256))
		}
		opened(t, path, b)
	}
}

func FuzzOpen(f *testing.F) {
	for _, name := range []string{"n02-old", "n05-nvtx"} {
		b, err := os.ReadFile("testdata/" + name + ".sqlite")
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) { opened(t, filepath.Join(t.TempDir(), "a.sqlite"), b) })
}

// The synchronisation of an event that a query finds done is recorded, too: the query does not wait for it.
func TestQueriesDoNotWait(t *testing.T) {
	tr := openTrace(t, made(t,
		"create table StringIds (id, value)",
		"insert into StringIds values (1, 'cudaEventQuery_v3020'), (2, 'cudaEventSynchronize_v3020')",
		"create table CUPTI_ACTIVITY_KIND_SYNCHRONIZATION (globalPid, correlationId, syncType)",
		"insert into CUPTI_ACTIVITY_KIND_SYNCHRONIZATION values (7<<24, 1, 1), (7<<24, 2, 1)",
		"create table CUPTI_ACTIVITY_KIND_RUNTIME (start, end, globalTid, correlationId, nameId)",
		"insert into CUPTI_ACTIVITY_KIND_RUNTIME values (0, 10, (7<<24)+7, 1, 1), (10, 20, (7<<24)+7, 2, 2)"))
	if got := tr.Threads[0].States.Value; !slices.Equal(got, []uint32{15, device.Waiting}) {
		t.Errorf("states %v", got)
	}
}
