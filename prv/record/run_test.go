package record

import (
	"context"
	"encoding/binary"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"pview/prv"
	"pview/prv/extrae"
	"pview/prv/prvtest"
)

// The settings become environment variables of the program: launchers set them by their options, once per program; for
// other commands they are in the environment. A library that is already preloaded stays so.
func TestCommands(t *testing.T) {
	all := Settings{Folder: "/f", Library: "/l.so", Buffer: 1 << 20, Limit: 7, CPUTime: true, Callers: 3,
		Counters: []string{"cycles", "page-faults"}, After: 2 * time.Second, From: 5}
	few := Settings{Folder: "/f", Library: "/l.so"}
	few.Launcher = OpenMPI
	hydra := few
	hydra.Launcher = MPICH
	for _, c := range []struct {
		s           Settings
		preloaded   string
		args        string
		want, added string // arguments, and what is added to the environment
	}{
		{all, "", "./prog a b", "./prog a b", "PVIEW_RECORD_DIR=/f PVIEW_RECORD_BUFFER=1048576 PVIEW_RECORD_LIMIT=7 " +
			"PVIEW_RECORD_CPU=1 PVIEW_RECORD_CALLERS=3 PVIEW_RECORD_COUNTERS=cycles:0:0,page-faults:1:2 " +
			"PVIEW_RECORD_AFTER=2000000000 PVIEW_RECORD_FROM=5 LD_PRELOAD=/l.so"},
		{few, "", "mpirun -n 2 ./prog : -n 1 ./other", "mpirun -x PVIEW_RECORD_DIR=/f -x LD_PRELOAD=/l.so " +
			"-n 2 ./prog : -x PVIEW_RECORD_DIR=/f -x LD_PRELOAD=/l.so -n 1 ./other", ""},
		{hydra, "/x.so", "mpiexec -n 2 ./prog", "mpiexec -genv PVIEW_RECORD_DIR /f -genv LD_PRELOAD /l.so:/x.so -n 2 " +
			"./prog", ""},
	} {
		t.Setenv("LD_PRELOAD", c.preloaded)
		cmd := c.s.Command(strings.Fields(c.args))
		added := cmd.Env[len(os.Environ()):]
		if got := strings.Join(cmd.Args, " "); got != c.want || strings.Join(added, " ") != c.added {
			t.Errorf("%s: %s\nwith %s", c.args, got, added)
		}
	}
}

// The status is that of a shell: 128 plus the signal if a signal ended the program.
func TestWait(t *testing.T) {
	for script, want := range map[string]int{"exit 0": 0, "exit 3": 3, "kill -9 $$": 128 + int(syscall.SIGKILL)} {
		cmd := exec.Command("sh", "-c", script)
		if err := cmd.Start(); err != nil {
			t.Skip(err)
		}
		if got, err := Wait(cmd); got != want || err != nil {
			t.Errorf("%s: %d, %v, want %d", script, got, err, want)
		}
	}
}

// A launcher's version tells which MPI it belongs to; other commands are not launchers.
func TestLaunchers(t *testing.T) {
	dir := t.TempDir()
	for name, version := range map[string]string{"mpirun": "mpirun (Open MPI) 4.1.4", "mpiexec.hydra": "HYDRA build",
		"orterun": "mpirun (OpenRTE) 3", "mpiexec": "Intel(R) MPI Library", "prterun": "something else",
		"other": "Open MPI"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\necho '"+version+"'\n"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for name, want := range map[string]string{"mpirun": OpenMPI, "mpiexec.hydra": MPICH, "orterun": OpenMPI,
		"mpiexec": MPICH, "prterun": "", "other": "", "absent": ""} {
		if got := LauncherOf(context.Background(), filepath.Join(dir, name)); got != want {
			t.Errorf("%s is a launcher of %q, want %q", name, got, want)
		}
	}
	// The test itself and sh are not linked with an MPI library.
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"-n", "2", self, "a"}, filepath.Base(self)}, {[]string{"srun", "sh", self}, "sh"},
		{[]string{"mpirun", "-n", "2"}, "run"}, {nil, "run"},
	} {
		if got := ProgramName(c.args); got != c.want {
			t.Errorf("%q runs %s, want %s", c.args, got, c.want)
		}
	}
	if got := Mismatch(OpenMPI, []string{"mpirun", self}); got != "" {
		t.Errorf("a program without MPI: %s", got)
	}
}

// Counters have names; the library opens them by kind and number.
func TestNamesOfCounters(t *testing.T) {
	for _, c := range []struct {
		names []string
		want  string
	}{
		{nil, ""}, {CounterNames(), ""}, {[]string{"cycles", "cycles"}, "duplicate cycles"},
		{[]string{"cycles", "bananas"}, `unknown counter "bananas"; known: instructions, cycles, task-clock, ` +
			"page-faults, context-switches, cpu-migrations"},
	} {
		err := CheckCounters(c.names)
		if c.want == "" && err != nil || c.want != "" && (err == nil || err.Error() != c.want) {
			t.Errorf("%v: %v, want %s", c.names, err, c.want)
		}
	}
	if got, want := counterVariable(CounterNames()), "instructions:0:1,cycles:0:0,task-clock:1:1,page-faults:1:2,"+
		"context-switches:1:3,cpu-migrations:1:4"; got != want { // as linux/perf_event.h numbers them
		t.Errorf("%s, want %s", got, want)
	}
	for reason, want := range map[syscall.Errno]string{syscall.ENOENT: "this machine has no such counter",
		syscall.ENODEV: "this machine has no such counter", syscall.EINVAL: "not together with the others",
		syscall.EPERM:  "the system does not allow it (kernel.perf_event_paranoid)",
		syscall.EACCES: "the system does not allow it (kernel.perf_event_paranoid)",
		syscall.EIO:    "input/output error"} {
		if got := whyNotCounted(reason); got != want {
			t.Errorf("%d: %s, want %s", reason, got, want)
		}
	}
}

// Notes and states show how a file ends: a thread at its limit, or whose disk was full, is untraced from then on; one
// whose rank was killed is absent.
func TestEndsOfFiles(t *testing.T) {
	for end, want := range map[byte]struct {
		state uint32
		note  string
	}{
		endKilled:    {stateAbsent, "1 rank ended without"},
		endFinalized: {stateAbsent, ""},
		endByLimit:   {stateUntraced, "1 thread"},
		endByDisk:    {stateUntraced, "disk"},
	} {
		dir := t.TempDir()
		for rank := range 2 {
			w := newFile(t, dir, rank, 2)
			w.init(rank, 2)
			w.put(rec{kind: callTest, begin: 1200, end: 1300 + 700*int64(rank)})
			w.ends()
			if rank == 0 {
				if _, err := w.f.WriteAt([]byte{end}, endAt); err != nil {
					t.Fatal(err)
				}
			}
		}
		tr := opened(t, dir)
		s := &tr.Threads[0].States
		last := s.Len() - 1
		if s.Value[last] != want.state || s.Begin[last] != 300 || s.End[last] != 1000 {
			t.Errorf("end %d: state %d from %d to %d", end, s.Value[last], s.Begin[last], s.End[last])
		}
		var notes []string
		for _, n := range tr.Notes {
			if !strings.HasPrefix(n.Text, "the clock") { // the ranks are on two nodes, and have no messages
				notes = append(notes, n.Text)
			}
		}
		if text := strings.Join(notes, "\n"); want.note == "" && text != "" || !strings.Contains(text, want.note) {
			t.Errorf("end %d: notes %q, want %q", end, text, want.note)
		}
	}
}

// A damaged file is left out, with a note; with strict it is an error.
func TestDamagedFile(t *testing.T) {
	dir := t.TempDir()
	w := newFile(t, dir, 0, 2)
	w.init(0, 2)
	w.put(rec{kind: callFinalize, begin: 1400, end: 1500})
	w.ends()
	prvtest.Write(t, filepath.Join(dir, fmt.Sprintf("%016x-000001-0000.rec", 1)), "short")
	tr := opened(t, dir)
	if len(tr.Notes) == 0 || !strings.HasSuffix(tr.Notes[0].Text, "too short for a header") {
		t.Errorf("notes %v", tr.Notes)
	}
	if _, err := Open(context.Background(), dir, true, 0, prv.Watcher{}); err == nil ||
		!strings.HasSuffix(err.Error(), "too short for a header") {
		t.Errorf("strictly: %v", err)
	}
}

// Headers that no recorder writes are rejected with the reason.
func TestRefusedHeaders(t *testing.T) {
	for _, c := range []struct {
		at    int64
		value uint32
		want  string // "": accepted
	}{
		{8, 64, ""}, {8, 63, "record size 63, header size 4096"}, {8, 4097, "record size 4097, header size 4096"},
		{12, headerSize - 1, "record size 64, header size 1431"}, {68, 1, "record size 64, header size 4096"},
		{20, 0, "rank 0 of 0"}, {20, mostRanks + 1, "rank 0 of 16777217"}, {16, 1, "rank 1 of 1"},
	} {
		dir := t.TempDir()
		w := newFile(t, dir, 0, 1)
		w.init(0, 1)
		w.put(rec{kind: callFinalize, begin: 1400, end: 1500})
		w.ends()
		if _, err := w.f.WriteAt(binary.LittleEndian.AppendUint32(nil, c.value), c.at); err != nil {
			t.Fatal(err)
		}
		s, err := openStream(w.f.Name())
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.HasSuffix(err.Error(), ": "+c.want)) {
			t.Errorf("%d at %d: %v, want %s", c.value, c.at, err, c.want)
		}
		if err == nil {
			s.close()
		}
	}
}

// Calls have more events on their lines: the bytes and target of a put, whose rank is found by the members of the
// window; the bytes of a file operation; and the bytes, communicator and root of a collective operation. The exit of a
// region, whose name takes two records, also exits the regions within it. Recording is off from 800 to 900.
func TestDetails(t *testing.T) {
	const put, fileWrite, bcast = 8, 9, 10
	word := func(s string) int64 { return int64(binary.LittleEndian.Uint64([]byte(s))) }
	dir := t.TempDir()
	for rank := range 2 {
		w := newFile(t, dir, rank, 2)
		names := callNames + "8 MPI_Put\n9 MPI_File_write\n10 MPI_Bcast\n"
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("%016x.calls", 1)), []byte(names), 0o600); err != nil {
			t.Fatal(err)
		}
		w.init(rank, 2)
		if rank == 0 {
			w.put(rec{kind: kindComm, comm: 5, tag: 1, bytes: 2}, rec{kind: kindMembers, begin: 1})
		}
		w.put(rec{kind: put, begin: 1200, end: 1250, bytes: 64, comm: 5, peer: 0},
			rec{kind: put, begin: 1260, end: 1270, bytes: 64, comm: 5, peer: 2},
			rec{kind: put, begin: 1280, end: 1290, comm: 5},
			rec{kind: fileWrite, begin: 1300, end: 1350, bytes: 100}, rec{kind: fileWrite, begin: 1360, end: 1370},
			rec{kind: bcast, flags: flagCollective, begin: 1400, end: 1450, bytes: 7, recvd: 9, peer: 1},
			rec{kind: kindName, flags: 3, begin: word("step of\x00")},
			rec{kind: kindName, flags: 3, begin: word(" a solve")},
			rec{kind: kindEnter, begin: 1500, request: 3, aux: 3},
			rec{kind: kindEnter, begin: 1550, request: 4, aux: 4},
			rec{kind: kindExit, begin: 1600, request: 3, aux: 3}, rec{kind: kindExit, begin: 1610, request: 3, aux: 3},
			rec{kind: kindEvent, begin: 1700, request: 1234, aux: 5},
			rec{kind: kindOff, begin: 1800}, rec{kind: kindOn, begin: 1900},
			rec{kind: callFinalize, begin: 1950, end: 2000})
		w.ends()
	}
	tr := opened(t, dir)
	const details = `
0 50000003:31
100 50000003:0
200 50000004:65 50001000:64%s
250 50000004:0
260 50000004:65 50001000:64
270 50000004:0
280 50000004:65
290 50000004:0
300 50000005:1000 50000110:100
350 50000005:0
360 50000005:1000
370 50000005:0
400 50000002:7 50100001:7 50100002:9 50100004:1%s
450 50000002:0
500 60000019:1 60000119:1
550 60000019:2 60000119:2
600 60000019:0 60000119:0
600 60000019:0 60000119:0
700 1234:5
950 50000003:32
1000 50000003:0
states 0-100:15 100-200:1 200-250:17 250-260:1 260-270:17 270-280:1 280-290:17 290-300:1 300-350:12 350-360:1
states 360-370:12 370-400:1 400-450:13 450-800:1 800-900:14 900-950:1 950-1000:15`
	target, root := " 50001001:1", " 50100003:1"
	for thread, want := range []string{fmt.Sprintf(details, target, ""), fmt.Sprintf(details, "", root)} {
		var got strings.Builder
		th := &tr.Threads[thread]
		for i := range th.Events.Len() {
			if th.Events.Lines.Has(i) {
				fmt.Fprintf(&got, "\n%d", th.Events.Time[i])
			}
			fmt.Fprintf(&got, " %d:%d", th.Events.Type[i], th.Events.Value.At(i))
		}
		got.WriteString("\nstates")
		for i, v := range th.States.Value {
			if i == 10 {
				got.WriteString("\nstates")
			}
			fmt.Fprintf(&got, " %d-%d:%d", th.States.Begin[i], th.States.End[i], v)
		}
		if got.String() != want {
			t.Errorf("thread %d:%s\nwant%s", thread, got.String(), want)
		}
	}
	for value, want := range map[int64]string{1: "step of a solve", 2: "region 4"} {
		if got := tr.Labels.ValueName(extrae.UserFunction, value); got != want {
			t.Errorf("region %d is %q, want %q", value, got, want)
		}
	}
}
