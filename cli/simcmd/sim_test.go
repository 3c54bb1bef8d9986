package simcmd_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"pview/cli"
	"pview/cli/clitest"
	"pview/cli/command"
	"pview/prv"
	"pview/sim"
)

func runSim(t *testing.T, args ...string) (out, problems string, status int) {
	t.Helper()
	return clitest.Run(t, append([]string{"sim"}, args...)...)
}

// TestSimOptions: the cases of the kit that Dimemas simulated with options, with the same options.
func TestSimOptions(t *testing.T) {
	for _, c := range []struct {
		name  string
		args  []string
		total int64
	}{
		{"p03-eager-limit-S64K", []string{"-S", "64K"}, 27169413},
		{"p03-eager-limit-S64K", []string{"--eager-limit", "65536"}, 27169413},
		{"p04-asynch-sends-F", []string{"--asynch-sends"}, 25525000},
		{"p04b-no-option", nil, 27423224},
		{"n08-rr-context-switch", []string{"--scheduler", "sched.cfg"}, 21810000},
		{"n08-rr-context-switch", []string{"--policy", "RR", "--quantum", "0.5ms", "--context-switch", "1e-5"},
			21810000},
		{"s04-stencil-bw-lat-override", []string{"--bandwidth", "1000", "--latency", "0.000001"}, 29528527},
		{"s04-stencil-bw-lat-override", []string{"--bandwidth", "1000MB/s", "--latency", "1us"}, 29528527},
		{"c01-one-bus", []string{"--buses", "1"}, 7732046},
		{"n05-explicit-mapping", nil, 9149395},
		{"g-comfile-P4", nil, 27438883},
		{"g-log-P4", []string{"--comms", "../g-comfile-P4/comms.cfg"}, 27438883},
	} {
		t.Run(c.name+" "+strings.Join(c.args, " "), func(t *testing.T) {
			dir := filepath.Join(clitest.SimKit, c.name)
			args := []string{filepath.Join(dir, "trace.dim"), "--machine", filepath.Join(dir, "sim.cfg"), "--format",
				"json"}
			for _, a := range c.args {
				if strings.HasSuffix(a, ".cfg") {
					a = filepath.Join(dir, a)
				}
				args = append(args, a)
			}
			out, problems, status := runSim(t, args...)
			if status != command.StatusDone {
				t.Fatalf("status %d: %s", status, problems)
			}
			var answer struct {
				Total int64 `json:"total_ns"`
			}
			if err := json.Unmarshal([]byte(out), &answer); err != nil || answer.Total != c.total {
				t.Errorf("total %d (%v), not %d", answer.Total, err, c.total)
			}
		})
	}
}

// TestSimMachineFlags: flags can set what a communications file sets for each operation, and parameters of all nodes.
func TestSimMachineFlags(t *testing.T) {
	total := func(args ...string) (n int64) {
		t.Helper()
		out, problems, status := runSim(t, append(args, "--format", "json")...)
		var answer struct {
			Total int64 `json:"total_ns"`
		}
		if err := json.Unmarshal([]byte(out), &answer); err != nil || status != command.StatusDone {
			t.Fatalf("%v: %v, %s", args, err, problems)
		}
		return answer.Total
	}
	text, err := os.ReadFile(filepath.Join(clitest.SimKit, "g-comfile-P4", "comms.cfg"))
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(clitest.SimKit, "g-log-P4")
	args := []string{filepath.Join(dir, "trace.dim"), "-m", filepath.Join(dir, "sim.cfg")}
	for line := range strings.Lines(string(text)) {
		f := strings.Fields(line) // Machine globalop: 0 OP MODEL SIZE MODEL SIZE
		op, err := strconv.Atoi(f[3])
		if err != nil {
			t.Fatal(err)
		}
		args = append(args, "--collective", fmt.Sprintf("%s=%s:%s,%s:%s", sim.Collectives[op], f[4], f[5], f[6], f[7]))
	}
	if got := total(args...); got != 27438883 { // as with the file
		t.Errorf("total %d", got)
	}
	dir = filepath.Join(clitest.SimKit, "s04-stencil-bw-lat-override")
	args = []string{filepath.Join(dir, "trace.dim"), "-m", filepath.Join(dir, "sim.cfg"), "--bandwidth", "1000"}
	for _, c := range []struct{ flag, says string }{
		{"node=1:latency=1us", ""},
		{"node=0:latency=1us", "nodes must be from 1 to"},
		{"node=1:buses=1", "is not a parameter of a node"},
		{"node=latency=1us", "must be NODE:PARAMETER=VALUE"},
		{"collective=Bcst=0,LOG", "there is no collective operation"},
		{"collective=Bcast=0,LUG", `model "LUG" must be one of 0, CTE, LIN, LOG`},
		{"module=60000019=2", "must be TYPE:VALUE=RATIO"},
	} {
		_, problems, status := runSim(t, append(args, "--"+c.flag)...)
		if (status == command.StatusDone) != (c.says == "") || !strings.Contains(problems, c.says) {
			t.Errorf("%s: %d, %s", c.flag, status, problems)
		}
	}
	all := total(append(args, "--latency", "1us")...)
	one := total(append(args, "--latency", "1us", "--node", "1:cpu-ratio=0.5")...)
	if all != 29528527 || one <= all {
		t.Errorf("%d; with a slow node %d", all, one)
	}
}

// TestSimAnswer: the keys that programs rely on, for a Paraver trace.
func TestSimAnswer(t *testing.T) {
	out, problems, status := runSim(t, filepath.Join(clitest.SimKit, "translations", "x01-point-to-point", "in.prv"),
		"--asynch-sends", "--format", "json")
	if status != command.StatusDone {
		t.Fatalf("status %d: %s", status, problems)
	}
	var answer struct {
		Total       int64   `json:"total_ns"`
		Baseline    int64   `json:"baseline_ns"`
		Messages    int64   `json:"messages"`
		Bytes       int64   `json:"bytes"`
		Utilisation float64 `json:"utilisation"`
		Tasks       []struct {
			Task   int              `json:"task"`
			End    int64            `json:"end_ns"`
			States map[string]int64 `json:"states"`
		} `json:"tasks"`
	}
	if err := json.Unmarshal([]byte(out), &answer); err != nil {
		t.Fatal(err)
	}
	if answer.Baseline != 200000 || answer.Messages != 6 || answer.Bytes != 27273 || len(answer.Tasks) != 2 {
		t.Errorf("%+v", answer)
	}
	running := int64(0)
	for i, task := range answer.Tasks {
		sum := int64(0)
		for _, ns := range task.States {
			sum += ns
		}
		if task.Task != i+1 || task.End > answer.Total || sum != task.End {
			t.Errorf("task %d: ends at %d of %d, its states add up to %d", task.Task, task.End, answer.Total, sum)
		}
		running += task.States["Running"]
	}
	if got, want := answer.Utilisation, float64(running)/2/float64(answer.Total); got != want {
		t.Errorf("utilisation %g, not %g", got, want)
	}
}

// TestSimDriven: two processors compute 100 us each, the second begins when the first has sent a message, after 96 us.
// Their clocks started 1000 us earlier. The measured time is that of the records, 200 us, as in efficiency and
// critical; so the rows of the replay sum to 2 x 200 us.
func TestSimDriven(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"run.sts": "PROJECTIONS_ID;VERSION 11.0;MACHINE \"test\";PROCESSORS 2;TOTAL_CHARES 1;TOTAL_EPS 2;CHARE 0 " +
			"\"Main\" -1;ENTRY CHARE 0 \"Main()\" 0 0;ENTRY CHARE 1 \"work()\" 0 0;MESSAGE 0 8;END",
		"run.0.log": "PROJECTIONS-RECORD 5;6 1000;2 1 0 1000 -1 0 0 0 0 0 0 0 0;1 4 1 1096 0 0 100 0;" +
			"3 1 0 1100 -1 0 0 0;14 1100 0;15 1200 0;7 1200",
		"run.1.log": "PROJECTIONS-RECORD 5;6 1000;14 1000 1;15 1100 1;2 4 1 1100 0 0 100 0 0 0 0 0 0;" +
			"3 4 1 1200 0 0 0 0;7 1200",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(strings.ReplaceAll(text, ";", "\n")+"\n"),
			0o644); err != nil {
			t.Fatal(err)
		}
	}
	run := filepath.Join(dir, "run.sts")
	out, _, _ := runSim(t, run, "--no-index", "--format", "json")
	var r struct {
		Baseline int64 `json:"baseline_ns"`
		Replay   struct {
			Measured int64 `json:"measured_ns"`
			Rows     []struct {
				Measured int64 `json:"measured_ns"`
			}
		} `json:"fitted_replay"`
	}
	if err := json.Unmarshal([]byte(out), &r); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	var sum int64
	for _, row := range r.Replay.Rows {
		sum += row.Measured
	}
	if r.Baseline != 200_000 || r.Replay.Measured != 200_000 || sum != 400_000 {
		t.Errorf("measured %d, replay %d, its rows %d", r.Baseline, r.Replay.Measured, sum)
	}
	text, _, _ := runSim(t, run, "--no-index")
	if !strings.Contains(text, "Measured   200 us; predicted / measured 0.980") {
		t.Error(text)
	}
}

// TestSimIdleBlocks: bursts in an idle block (event 0) take time on the CPU, as in Dimemas, and are not called
// computing. Of the 2 x 100 ms of two tasks, 20 + 100 are computed: 60 %; the first is idle for the other 80, which
// Dimemas counts as well: 100 %.
func TestSimIdleBlocks(t *testing.T) {
	path := filepath.Join(t.TempDir(), "idle.dim")
	text := "#DIMEMAS:\"idle\":0:2(1,1),0\n1:0:0:0.02\n20:0:0:0:1\n1:0:0:0.08\n20:0:0:0:0\n1:1:0:0.1\n"
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	out, problems, status := runSim(t, path)
	want := "Computing  60.0 % of the threads' time; 100 % with idle blocks and the tracer's work, as Dimemas counts"
	if got := strings.Join(strings.Fields(out), " "); status != command.StatusDone ||
		!strings.Contains(got, strings.Join(strings.Fields(want), " ")) {
		t.Errorf("status %d: %s%s", status, out, problems)
	}
	if out, _, _ = runSim(t, path, "--format", "json"); !strings.Contains(out, `"utilisation": 0.6,`) {
		t.Error(out)
	}
}

// TestSimTrace: the predicted trace is a trace like any other.
func TestSimTrace(t *testing.T) {
	dir := filepath.Join(clitest.SimKit, "s01-stencil-4x2")
	path := filepath.Join(t.TempDir(), "out.prv")
	_, problems, status := runSim(t, filepath.Join(dir, "trace.dim"), "-m", filepath.Join(dir, "sim.cfg"), "-o", path)
	if status != command.StatusDone {
		t.Fatalf("status %d: %s", status, problems)
	}
	got, err := prv.Open(context.Background(), path, prv.Options{Strict: true})
	if err != nil {
		t.Fatal(err)
	}
	if got.Duration != 59126563 || got.NumThreads() != 8 || got.Labels.StateName(26) != "Startup latency" {
		t.Errorf("duration %d, %d threads, state 26 %q", got.Duration, got.NumThreads(), got.Labels.StateName(26))
	}
}

// TestSimNames: a predicted trace has the measured one's names of threads and states, but the machine's names of nodes.
func TestSimNames(t *testing.T) {
	dir := t.TempDir()
	in, out := filepath.Join(dir, "in.prv"), filepath.Join(dir, "out.prv")
	for name, text := range map[string]string{
		in: "#Paraver (01/01/2026 at " +
			"10:00):1000_ns:1(2):1:2(1:1,1:1)\n1:1:1:1:1:0:1000:1\n1:2:1:2:1:0:900:1\n",
		filepath.Join(dir, "in.row"): "LEVEL NODE SIZE 1\nhere\n\nLEVEL THREAD SIZE 2\nmaster\nworker\n",
		filepath.Join(dir, "in.pcf"): "STATES\n1    Useful\n",
	} {
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if _, problems, status := runSim(t, in, "-o", out); status != command.StatusDone {
		t.Fatalf("status %d: %s", status, problems)
	}
	got, err := prv.Open(context.Background(), out, prv.Options{Strict: true})
	if err != nil {
		t.Fatal(err)
	}
	worker, _ := got.Names.Lookup(prv.LevelThread, 1)
	node, named := got.Names.Lookup(prv.LevelNode, 0)
	if worker != "worker" || named || got.Labels.StateName(1) != "Useful" {
		t.Errorf("thread 2 is %q, node 1 %q, state 1 %q", worker, node, got.Labels.StateName(1))
	}
}

// TestSimTroubles: an error says what cannot be simulated, and which task waits for what.
func TestSimTroubles(t *testing.T) {
	d01 := filepath.Join(clitest.SimKit, "d01-unmatched")
	bad := filepath.Join(t.TempDir(), "bad.cfg")
	if err := os.WriteFile(bad, []byte("#DIMEMAS_CONFIGURATION\n\n\"environment information\" {1};;\n"),
		0o644); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args   []string
		says   string
		status int
	}{
		{[]string{filepath.Join(d01, "trace.dim"), "-m", filepath.Join(d01, "sim.cfg")},
			"thread 1.1.1 waits at its record 7: rendezvous send of 100 bytes with tag 5 to task 1.2",
			command.StatusFailed},
		{[]string{filepath.Join(d01, "trace.dim"), "-m", bad}, "bad.cfg:3: environment information: 1 fields, not 7",
			command.StatusFailed},
		{[]string{filepath.Join(d01, "trace.dim"), "--latency", "5 parsecs"},
			`unknown unit "parsecs": must be one of ns, us`, command.StatusUsage},
		{[]string{filepath.Join(d01, "trace.dim"), "--policy", "LOTTERY"}, "flag: it is one of FIFO",
			command.StatusUsage},
		{[]string{filepath.Join(d01, "trace.dim"), "--process-per-node", "0"}, "0 tasks per node",
			command.StatusFailed},
		{[]string{filepath.Join(d01, "trace.dim"), "--fill-nodes", "--placement", "[1,2]"},
			"--fill-nodes and --placement are mutually exclusive", command.StatusUsage},
		{[]string{filepath.Join(d01, "trace.dim"), "--placement", "[1,9]"},
			"task 2 is placed on node 9, but nodes are numbered from 1 to 2", command.StatusFailed},
		{[]string{filepath.Join(d01, "trace.dim"), "-y", "2ms", "-z", "1ms"}, "--window-end must be after",
			command.StatusUsage},
		{[]string{filepath.Join(d01, "trace.dim"), "--latency", "1e9"}, "goes no further than 2.52e+08 s",
			command.StatusFailed},
		{[]string{filepath.Join(d01, "sim.cfg")}, "sim.cfg", command.StatusFailed},
		{[]string{filepath.Join(d01, "trace.dim"), "-m", "cray"},
			`there is no machine "cray": neither a file (.cfg) nor a name from pview list machines`,
			command.StatusUsage},
		{[]string{filepath.Join(d01, "trace.dim"), "-m", "cray.cfg"}, "cray.cfg: no such file", command.StatusFailed},
	} {
		_, problems, status := runSim(t, c.args...)
		if status != c.status || !strings.Contains(problems, c.says) {
			t.Errorf("%v: status %d, %q", c.args, status, problems)
		}
	}
}

// TestConvertToDim: convert writes the same .dim as prv2dim.
func TestConvertToDim(t *testing.T) {
	dir := filepath.Join(clitest.SimKit, "translations", "x05-burst-from-counter")
	path := filepath.Join(t.TempDir(), "out.dim")
	var o, p bytes.Buffer
	if status := cli.Run(context.Background(), []string{"convert", filepath.Join(dir, "in.prv"), path, "-b", "42000050",
		"-f", "1e-9"}, command.Streams{In: nil, Out: &o, Err: &p}); status != command.StatusDone {
		t.Fatalf("status %d: %s", status, p.String())
	}
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if want, err := os.ReadFile(filepath.Join(dir, "out.dim")); err != nil || !bytes.Equal(got, want) {
		t.Errorf("%v: %s", err, got)
	}
}

// TestSimApplications: several traces, and those that a configuration names, are concurrent applications. On two nodes
// of one CPU, both ping-pongs share the CPUs and the links.
func TestSimApplications(t *testing.T) {
	dir := filepath.Join(clitest.SimKit, "p01-pingpong-eager")
	trace := filepath.Join(dir, "trace.dim")
	alone := simTotals(t, trace, "--machine", filepath.Join(dir, "sim.cfg"))
	both := simTotals(t, trace, trace, "--machine", filepath.Join(dir, "sim.cfg"))
	if len(alone.Tasks) != 2 || len(both.Tasks) != 4 || both.Tasks[3].Ptask != 2 || both.Tasks[3].Task != 2 {
		t.Fatalf("%d and %d tasks: %v", len(alone.Tasks), len(both.Tasks), both.Tasks)
	}
	if both.Total <= alone.Total || both.Total > 3*alone.Total {
		t.Errorf("together %d ns, alone %d", both.Total, alone.Total)
	}
	text, err := os.ReadFile(filepath.Join(dir, "sim.cfg"))
	if err != nil {
		t.Fatal(err)
	}
	one := `"predefined mapping information" {"1 TASKS_PER_NODE"};;`
	two := `"mapping information" {"first.dim", 2, [2] {0,1}};;` + "\n" +
		`"mapping information" {"second.dim", 2, [2] {0,1}};;`
	cfg := filepath.Join(t.TempDir(), "two.cfg")
	write := func(path string, text []byte) {
		if err := os.WriteFile(path, text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write(cfg, bytes.Replace(text, []byte(one), []byte(two), 1))
	records, err := os.ReadFile(trace)
	if err != nil {
		t.Fatal(err)
	}
	write(filepath.Join(filepath.Dir(cfg), "second.dim"), records)
	if named := simTotals(t, trace, "--machine", cfg); named.Total != both.Total || len(named.Tasks) != 4 {
		t.Errorf("named by the configuration: %d ns, not %d", named.Total, both.Total)
	}
}

// simAnswer is the answer of pview sim.
type simAnswer struct {
	Total int64 `json:"total_ns"`
	Tasks []struct {
		Ptask, Task int
		States      map[string]int64
	}
}

func simTotals(t *testing.T, args ...string) (answer simAnswer) {
	t.Helper()
	out, problems, status := runSim(t, append(args, "--format", "json")...)
	if status != command.StatusDone {
		t.Fatalf("status %d: %s", status, problems)
	}
	if err := json.Unmarshal([]byte(out), &answer); err != nil {
		t.Fatal(err)
	}
	return answer
}

// TestSimModel: the rules of the thesis, as a whole and one by one.
func TestSimModel(t *testing.T) {
	dir := filepath.Join(clitest.SimKit, "p06-late-receiver-eager")
	trace, cfg := filepath.Join(dir, "trace.dim"), filepath.Join(dir, "sim.cfg")
	plain := simTotals(t, trace, "--machine", cfg)
	if named := simTotals(t, trace, "--machine", cfg, "--model", "dimemas"); named.Total != plain.Total {
		t.Errorf("--model dimemas: %d ns, not %d", named.Total, plain.Total)
	}
	free := simTotals(t, trace, "--machine", cfg, "--rule", "receiver-latency=free")
	whole := simTotals(t, trace, "--machine", cfg, "--model", "thesis")
	back := simTotals(t, trace, "--machine", cfg, "--model", "thesis", "--rule", "receiver-latency=paid")
	if free.Total >= plain.Total || whole.Total != free.Total || back.Total != plain.Total {
		t.Errorf("%d ns, with free receives %d, by the thesis %d, there with paid ones %d", plain.Total, free.Total,
			whole.Total, back.Total)
	}
	for _, args := range [][]string{{"--model", "venus"}, {"--rule", "receiver-latency=never"}, {"--rule", "nothing"},
		{"--latency", "poisson(3)"}} {
		if _, problems, status := runSim(t, append([]string{trace}, args...)...); status != command.StatusUsage ||
			problems == "" {
			t.Errorf("%v: status %d: %s", args, status, problems)
		}
	}
}

// TestSimOutput (D45): the predicted trace has no bad record, and its average number of running threads, times its
// duration, is the CPU time.
func TestSimOutput(t *testing.T) {
	for _, model := range []string{"dimemas", "thesis"} {
		dir := filepath.Join(clitest.SimKit, "s01-stencil-4x2")
		out := filepath.Join(t.TempDir(), "predicted.prv")
		answer := simTotals(t, filepath.Join(dir, "trace.dim"), "--machine", filepath.Join(dir, "sim.cfg"), "-o", out,
			"--model", model)
		running := int64(0)
		for _, task := range answer.Tasks {
			running += task.States["Running"]
		}
		tr, err := prv.Open(context.Background(), out, prv.Options{Strict: true})
		if err != nil {
			t.Fatal(err)
		}
		var o, p bytes.Buffer
		if cli.Run(context.Background(), []string{"stat", out, "--level", "ptask", "--thread", "In State {1}",
			"--analyze",
			"Average Semantic Value",
			"--format", "json"}, command.Streams{In: nil, Out: &o, Err: &p}) != command.StatusDone {
			t.Fatal(p.String())
		}
		var rows []map[string]any
		if err := json.Unmarshal(o.Bytes(), &rows); err != nil || len(rows) != 1 {
			t.Fatalf("%v\n%s", err, o.String())
		}
		average := 0.0
		for _, v := range rows[0] {
			if f, ok := v.(float64); ok {
				average = f
			}
		}
		if got := average * float64(tr.Duration); math.Abs(got-float64(running)) > 1 || running == 0 ||
			tr.Duration != answer.Total {
			t.Errorf("%s: %.1f ns by the trace of %d, %d by the answer of %d", model, got, tr.Duration, running,
				answer.Total)
		}
	}
}

// A prediction names its machine and how far off the replay of the measured run is; the rows of the replay sum to it.
func TestAccuracy(t *testing.T) {
	out, problems, status := clitest.Run(t, "sim", clitest.Heat, "--latency", "5us")
	if status != command.StatusDone || !strings.Contains(problems, "node 1 ran 4 threads on 2 CPUs; 1 other node had") {
		t.Errorf("status %d: %s", status, problems)
	}
	for _, want := range []string{"Machine    ideal, latency 5 us\n", "Accuracy   the replay on the fitted machine (",
		"Of the run\n  MPI_Waitall       point-to-point",
		// Not created: 155,353,836 ns of 8 x 157,717,028, 12.3 %.
		"Computing  86.6 % of the threads' time, also where they were not created or not traced, as Dimemas"} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in %s", want, out)
		}
	}
	// The counter named by the remark does not count time before a thread is created.
	const counter = "--burst-counter 44838979 --burst-factor 1e-9"
	out, _, _ = clitest.Run(t, append([]string{"sim", clitest.Heat}, strings.Fields(counter)...)...)
	if !strings.Contains(problems, "(pview sim "+counter+")") || !strings.Contains(out, "of the threads' time\n") {
		t.Errorf("%s\n%s", problems, out)
	}
	out, _, _ = clitest.Run(t, "sim", clitest.Heat, "--latency", "5us", "--format", "json")
	study, _, _ := clitest.Run(t, "study", "sweep", clitest.Heat, "--set", "latency=5us", "--vary", "cpus=1,2",
		"--format", "json")
	for _, text := range []string{out, study} {
		var a struct {
			Machine string
			Replay  struct {
				Off  float64
				Rows []struct{ Share float64 }
			} `json:"fitted_replay"`
		}
		if err := json.Unmarshal([]byte(text), &a); err != nil {
			t.Fatal(err)
		}
		sum := 0.0
		for _, r := range a.Replay.Rows {
			sum += r.Share
		}
		if a.Machine != "ideal, latency 5 us" || math.Abs(a.Replay.Off+0.5257) > 0.001 ||
			math.Abs(sum-a.Replay.Off) > 1e-9 {
			t.Errorf("machine %q, off %g, sum %g", a.Machine, a.Replay.Off, sum)
		}
	}
}
