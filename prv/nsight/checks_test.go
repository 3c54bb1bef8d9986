package nsight

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pview/prv"
	"pview/prv/extrae/device"
	"pview/prv/prvtest"
)

// The numbered checks of the specification.
func TestChecks(t *testing.T) {
	const facts = "prv/nsight.TestFacts "
	prvtest.Checks(t, 24, []prvtest.Check{
		{Number: 1, Tests: "prv/nsight.TestRun"},
		{Number: 2, Tests: "insight/gpu.TestTwoReports"},
		{Number: 3, Tests: "prv/nsight.TestRun"},
		{Number: 4, Tests: "prv/nsight.TestAlone"},
		{Number: 5, Tests: facts + "prv/nsight.TestOld"},
		{Number: 6, Tests: facts + "prv/nsight.TestCorrelations"},
		{Number: 7, Tests: facts + "insight/gpu.TestGraphs insight/gpu.TestWhatIfErrors"},
		{Number: 8, Tests: facts + "prv/nsight.TestRanges"},
		{Number: 9, Tests: "prv/nsight.TestErrors prv/nsight.TestCutFile"},
		{Number: 10, Tests: facts + "prv/nsight.TestPlaces"},
		{Number: 11, Tests: facts + "insight/gpu.TestTwoProcesses"},
		{Number: 12, Tests: facts},
		{Number: 13, Tests: facts + "insight/gpu.TestTwoProcesses"},
		{Number: 14, Tests: "insight/gpu.TestTwoProcesses"},
		{Number: 15, Tests: facts},
		{Number: 16, Tests: facts},
		{Number: 17, Tests: facts + "prv/nsight.TestCopies"},
		{Number: 18, Tests: facts + "prv/nsight.TestPrivacy"},
		{Number: 19, Tests: facts},
		{Number: 20, Tests: "prv/nsight.TestForms"},
		{Number: 21, Tests: "insight/gpu.TestSameRun"},
		{Number: 22, Tests: "prv/nsight.TestDamaged", Why: "all prefixes and 2,000 changes with PVIEW_LONG, else some"},
		{Number: 23, Tests: "insight/gpu.TestExportsAgain"},
		{Number: 24, Tests: "prv/nsight.TestPrivacy"},
	})
}

func kitReport(t *testing.T, name string) *prv.Trace {
	t.Helper()
	return openTrace(t, filepath.Join(prvtest.Shared(t, "oracle", "nsight"), name+".sqlite"))
}

// Check 6: correlation numbers are per process; two calls are the driver's; a name is missing.
func TestCorrelations(t *testing.T) {
	tr := kitReport(t, "cases/n03-correlations")
	if n := tr.Comms.Len(); n != 6 {
		t.Errorf("%d launches", n)
	}
	for i := range tr.Comms.Len() {
		c := &tr.Comms
		if d := c.Times[prv.PhysicalRecv][i] - c.Times[prv.PhysicalSend][i]; d != 50 {
			t.Errorf("launch %d is delayed by %d", i, d)
		}
		if tr.ThreadTask[c.Send[i]] != tr.ThreadTask[c.Recv[i]] {
			t.Errorf("launch %d is of another process", i)
		}
	}
	driver, unnamed := 0, 0
	for i := range tr.Threads {
		e := &tr.Threads[i].Events
		for k, typ := range e.Type {
			switch name := tr.Labels.ValueName(typ, e.Value.At(k)); {
			case e.Value.At(k) == 0:
			case typ == device.Call && name == "cuLaunchKernel":
				driver++
			case typ == device.Kernel && name == "#777":
				unnamed++
			}
		}
	}
	if driver != 2 || unnamed != 1 {
		t.Errorf("%d calls of the driver, %d kernels without a name", driver, unnamed)
	}
}

// Check 9: the rest of a cut file is read.
func TestCutFile(t *testing.T) {
	path := prvtest.Shared(t, "oracle", "nsight", "cases", "n06-cut.sqlite")
	tr := openTrace(t, path)
	if busy := stateTime(tr, 0, device.Computing); busy != 1500 || len(tr.Threads) != 1 {
		t.Errorf("busy %d of %d rows", busy, len(tr.Threads))
	}
	for _, want := range []string{"the file is cut: 3 of its 6 pages are missing",
		"table NVTX_EVENTS is read up to row 0: page 5: the file has 3 pages"} {
		if notes := notesOf(tr); !strings.Contains(notes, want) {
			t.Errorf("%q is not in %s", want, notes)
		}
	}
	if _, err := Open(context.Background(), path, true, prv.Watcher{}); err == nil ||
		!strings.Contains(err.Error(), "n06-cut.sqlite: the file is cut") {
		t.Errorf("with --strict: %v", err)
	}
	other := prvtest.Shared(t, "oracle", "nsight", "cases", "n06-other.sqlite")
	if _, err := Open(context.Background(), other, false, prv.Watcher{}); err == nil ||
		!strings.Contains(err.Error(), "not of Nsight Systems") {
		t.Error(err)
	}
}

// Check 10: the rows of a real run, and its length.
func TestPlaces(t *testing.T) {
	tr := kitReport(t, "data/mfu_2gpu_before")
	var streams []string
	for i := range tr.Threads {
		if _, ok := device.StreamOf(tr, i); ok {
			task := tr.Name(prv.LevelTask, int(tr.ThreadTask[i]))
			streams = append(streams, task[strings.LastIndex(task, " ")+1:]+" "+tr.Name(prv.LevelThread, i))
		}
	}
	if !slices.Equal(streams, []string{"144 CUDA-D0.S7", "145 CUDA-D1.S15"}) {
		t.Errorf("streams %q", streams)
	}
	begins := map[uint32]int{}
	for i := range tr.Threads {
		e := &tr.Threads[i].Events
		for k, typ := range e.Type {
			if e.Value.At(k) != 0 {
				begins[typ]++
			}
		}
	}
	if kernels := begins[device.Kernel] + begins[device.Collective]; kernels != 4010 ||
		begins[device.Memory] != 1020+269 || begins[device.Call] != 7466 {
		t.Errorf("%d kernels, %d copies and sets, %d calls", kernels, begins[device.Memory], begins[device.Call])
	}
	// NVTX ranges extend beyond calls and operations, which take 299,960,967 ns: TestFacts.
	if tr.Duration < 299_960_967 || tr.Duration > 1_000_000_000 {
		t.Errorf("it lasts %d", tr.Duration)
	}
}

// Check 17: bytes and times of copies by their direction.
func TestCopies(t *testing.T) {
	tr := kitReport(t, "data/mfu_2gpu_before")
	type sum struct{ n, bytes, length int64 }
	sums := map[string]sum{}
	for i := range tr.Threads {
		for _, p := range pieces(tr, i, isWork) {
			if name := strings.Fields(p.name); p.typ == device.Memory && name[0] == "Memcpy" {
				s := sums[name[1]]
				sums[name[1]] = sum{s.n + 1, s.bytes + p.bytes, s.length + p.end - p.begin}
			}
		}
	}
	if got := sums["DtoD"]; got != (sum{986, 8_046_134_272, 5_665_431}) {
		t.Errorf("within devices %+v", got)
	}
	if got := sums["HtoD"]; got.n != 34 || got.bytes != 272 {
		t.Errorf("to devices %+v", got)
	}
}
