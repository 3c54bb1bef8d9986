package record

import (
	"context"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pview/prv"
)

// newThread starts the file of another thread of rank 0.
func newThread(t *testing.T, dir string, number uint32) *threadFile {
	t.Helper()
	first, err := os.ReadFile(filepath.Join(dir, fmt.Sprintf("%016x-000000-0000.rec", 1)))
	if err != nil {
		t.Fatal(err)
	}
	f, err := os.Create(filepath.Join(dir, fmt.Sprintf("%016x-000000-%04d.rec", 1, number)))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	h := first[:4096]
	binary.LittleEndian.PutUint32(h[24:], number)
	if _, err := f.Write(h); err != nil {
		t.Fatal(err)
	}
	return &threadFile{t: t, f: f}
}

// Thread 0 opens a region (team 0x101) with a worksharing loop, a single construct whose end the runtime does not
// report, a barrier, a critical section that it waits for, a lock that it only tests, and a task that it executes.
// Thread 1 joins the team, waits in the barrier, finishes its work at 1380 and then waits for the end of the region at
// 1420; its records end in the next region (team 0x102). Times count from 1000.
func TestConstructs(t *testing.T) {
	dir := t.TempDir()
	a := newFile(t, dir, 0, 1)
	b := newThread(t, dir, 1)
	mark := func(w *threadFile, at int64, what uint32, value int32, id, team int64) {
		w.put(rec{kind: kindOpenMP, begin: at, end: at, request: what, tag: value, bytes: id, aux: team})
	}
	a.init(0, 1)
	mark(a, 1200, ompParallel, 3, 0, 0x101)
	mark(a, 1210, ompOutlined, 1, 0, 0x101)
	mark(a, 1220, ompSharing, 4, 0, 0)
	mark(a, 1250, ompSharing, 0, 0, 0)
	mark(a, 1255, ompSharing, 6, 0, 0)
	mark(a, 1260, ompBarrier, 1, 0, 0)
	mark(a, 1290, ompBarrier, 0, 0, 0)
	mark(a, 1295, ompCritical, 3, 0, 0)
	mark(a, 1300, ompCritical, 6, 0, 0)
	mark(a, 1310, ompCritical, 5, 0, 0)
	mark(a, 1320, ompLock, 6, 0, 0)
	mark(a, 1330, ompLock, 5, 0, 0)
	mark(a, 1340, ompLock, 9, 0, 0) // not a step of a lock
	mark(a, 1345, ompConstructs, 1, 0, 0)
	mark(a, 1346, 0, 1, 0, 0)
	mark(a, 1350, ompCreate, 1, 77, 0x201)
	mark(a, 1360, ompExecute, 1, 77, 0)
	mark(a, 1380, ompExecute, 0, 0, 0)
	mark(a, 1390, ompTaskwait, 1, 0, 0)
	mark(a, 1395, ompTaskwait, 0, 0, 0)
	mark(a, 1400, ompOutlined, 0, 0, 0)
	mark(a, 1420, ompParallel, 0, 0, 0)
	mark(a, 1430, ompTaskwait, 0, 0, 0) // an end without a begin
	a.put(rec{kind: callFinalize, begin: 1600, end: 1700})
	a.ends()
	mark(b, 1215, ompOutlined, 1, 0, 0x101)
	mark(b, 1300, ompBarrier, 1, 0, 0)
	mark(b, 1340, ompBarrier, 0, 0, 0)
	mark(b, 1380, ompOutlined, 0, 0, 0)
	mark(b, 1550, ompOutlined, 1, 0, 0x102)
	b.ends()
	tr := opened(t, dir)
	var out strings.Builder
	if err := prv.Write(context.Background(), &out, tr); err != nil {
		t.Fatal(err)
	}
	_, body, _ := strings.Cut(out.String(), "\n")
	for _, e := range tr.Labels.Types {
		body += fmt.Sprintf("%d %s", e.Type, e.Label)
		for _, v := range e.Values {
			body += fmt.Sprintf("; %d %s", v.Value, v.Label)
		}
		body += "\n"
	}
	for _, n := range tr.Notes {
		body += n.Text + "\n"
	}
	if want := `
1:1:1:1:1:0:100:15
2:1:1:1:1:0:50000003:31
1:2:1:1:2:0:215:2
1:1:1:1:1:100:200:1
2:1:1:1:1:100:50000003:0
1:1:1:1:1:200:210:7
2:1:1:1:1:200:60000001:3
1:1:1:1:1:210:220:1
2:1:1:1:1:210:60000018:1:60000118:1
1:2:1:1:2:215:300:1
2:2:1:1:2:215:60000018:1:60000118:1
1:1:1:1:1:220:250:1
2:1:1:1:1:220:60000002:4
1:1:1:1:1:250:255:1
2:1:1:1:1:250:60000002:0
1:1:1:1:1:255:260:1
2:1:1:1:1:255:60000002:6
1:1:1:1:1:260:290:5
2:1:1:1:1:260:60000002:0
2:1:1:1:1:260:60000005:1
1:1:1:1:1:290:295:1
2:1:1:1:1:290:60000005:0
1:1:1:1:1:295:300:5
2:1:1:1:1:295:60000007:3
1:1:1:1:1:300:310:1
2:1:1:1:1:300:60000007:6
1:2:1:1:2:300:340:5
2:2:1:1:2:300:60000005:1
1:1:1:1:1:310:320:1
2:1:1:1:1:310:60000007:5
2:1:1:1:1:310:60000007:0
1:1:1:1:1:320:330:1
2:1:1:1:1:320:60000006:3
2:1:1:1:1:320:60000006:6
1:1:1:1:1:330:340:1
2:1:1:1:1:330:60000006:5
2:1:1:1:1:330:60000006:0
1:1:1:1:1:340:350:1
1:2:1:1:2:340:380:1
2:2:1:1:2:340:60000005:0
1:1:1:1:1:350:360:1
2:1:1:1:1:350:60000024:2:60000124:2:60000028:77
2:1:1:1:1:350:60000024:0:60000124:0
1:1:1:1:1:360:380:1
2:1:1:1:1:360:60000023:2:60000123:2:60000028:77
1:1:1:1:1:380:390:1
2:1:1:1:1:380:60000023:0:60000123:0
1:2:1:1:2:380:420:5
2:2:1:1:2:380:60000018:0:60000118:0
1:1:1:1:1:390:395:5
2:1:1:1:1:390:60000022:1
1:1:1:1:1:395:400:1
2:1:1:1:1:395:60000022:0
1:1:1:1:1:400:420:7
2:1:1:1:1:400:60000018:0:60000118:0
1:1:1:1:1:420:430:1
2:1:1:1:1:420:60000001:0
1:2:1:1:2:420:550:0
1:1:1:1:1:430:600:1
1:2:1:1:2:550:700:2
2:2:1:1:2:550:60000018:3:60000118:3
1:1:1:1:1:600:700:15
2:1:1:1:1:600:50000003:32
2:1:1:1:1:700:50000003:0
50000003 MPI Other; 0 Outside MPI; 31 MPI_Init; 32 MPI_Finalize
60000001 Parallel (OMP); 0 close; 3 REGION (open)
60000002 Worksharing (OMP); 0 End; 4 DO (open); 5 SECTIONS (open); 6 SINGLE (open)
60000005 OpenMP barrier; 0 End; 1 Begin
60000007 OpenMP unnamed critical section; 0 Unlocked status; 3 Lock; 5 Unlock; 6 Locked status
60000006 OpenMP named critical section; 0 Unlocked status; 3 Lock; 5 Unlock; 6 Locked status
60000022 OpenMP taskwait; 0 End; 1 Begin
60000028 OpenMP task identifier
60000018 Executed OpenMP parallel function; 0 End; 1 0x100; 2 0x200; 3 0x101
60000118 Executed OpenMP parallel function line and file; 0 End; 1 unknown (0x100); 2 unknown (0x200); 3 unknown (0x101)
60000023 Executed OpenMP task function; 0 End; 1 0x100; 2 0x200; 3 0x101
60000123 Executed OpenMP task function line and file; 0 End; 1 unknown (0x100); 2 unknown (0x200); 3 unknown (0x101)
60000024 Instantiated OpenMP task function; 0 End; 1 0x100; 2 0x200; 3 0x101
60000124 Instantiated OpenMP task function line and file; 0 End; 1 unknown (0x100); 2 unknown (0x200); 3 unknown (0x101)
functions are shown by address: no program or library was loaded there
3 damaged records left out
`; body != strings.TrimPrefix(want, "\n") {
		t.Errorf("trace: got\n%s\nwant%s", body, want)
	}
}

// Regions are named after their function and line; regions of the same line are numbered.
func TestNamesOfRegions(t *testing.T) {
	at := func(name string, line int) codePlace { return codePlace{function: function{name: name, line: line}} }
	var got []string
	for _, f := range nameRegions([]codePlace{at("solve", 12), at("init", 0), at("solve", 12), at("solve", 13),
		at("init", 0), at("solve", 12)}) {
		got = append(got, f.name)
	}
	if want := "solve:12 init solve:12 (2) solve:13 init (2) solve:12 (3)"; strings.Join(got, " ") != want {
		t.Errorf("%q, want %s", got, want)
	}
}
