package simcmd_test

// Acceptance checks of the program's answers on the direct network, by their numbers in puppet.md.

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pview/cli"
	"pview/cli/clitest"
	"pview/cli/command"
)

const directCases = "../../testdata/puppet/"

// directOutput runs pview, which must succeed, and returns what it prints.
func directOutput(t *testing.T, args ...string) string {
	t.Helper()
	out, problems, status := clitest.Run(t, args...)
	if status != command.StatusDone {
		t.Fatalf("%v: %s", args, problems)
	}
	return out
}

func decode[T any](t *testing.T, text string) (v T) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	return v
}

// Checks look at directAnswer.
type directAnswer struct {
	TotalNS int64 `json:"total_ns"`
	Speedup float64
	Tasks   []struct {
		EndNS     int64 `json:"end_ns"`
		BlockedNS int64 `json:"blocked_ns"`
		MaxQueue  int64 `json:"max_queue"`
	}
	Nodes []struct {
		BusyNS      int64 `json:"busy_ns"`
		Utilisation float64
	}
}

func directCase(t *testing.T, id string) directAnswer {
	t.Helper()
	return decode[directAnswer](t, directOutput(t, "sim", directCases+id+".log", "--machine", directCases+id+".model",
		"--format", "json"))
}

// Check 24: of M2-shared: T 290, CPU 390, speedup 39/29; busy 290 and 100, idle 0 and 190; utilisation 100 % and 34.48
// %, on average 67.24 %.
func TestDirectStatistics(t *testing.T) {
	r := directCase(t, "M2-shared")
	if r.TotalNS != 290000 || math.Abs(r.Speedup-39.0/29) > 1e-6 || len(r.Nodes) != 2 {
		t.Fatalf("%+v", r)
	}
	mean := 0.0
	for i, busy := range []int64{290000, 100000} {
		n := r.Nodes[i]
		if n.BusyNS != busy || math.Abs(n.Utilisation-float64(busy)/290000) > 1e-6 ||
			r.TotalNS-n.BusyNS != []int64{0, 190000}[i] {
			t.Errorf("processor %d: %+v", i, n)
		}
		mean += n.Utilisation / 2
	}
	if math.Abs(mean-0.67241379) > 1e-6 {
		t.Errorf("mean utilisation %g", mean)
	}
	for i, blocked := range []int64{60000, 0, 0} {
		if r.Tasks[i].BlockedNS != blocked {
			t.Errorf("task %d is blocked for %d ns", i+1, r.Tasks[i].BlockedNS)
		}
	}
}

// Check 26: a study gives the same answer with one worker, with several, and when repeated.
func TestDirectDeterminism(t *testing.T) {
	args := []string{"study", "map", directCases + "R1-0123.log", "--machine", directCases + "R1-0123.model",
		"--search", "all", "--top", "0", "--format", "tsv", "--jobs"}
	one := directOutput(t, append(args, "1")...)
	if several := directOutput(t, append(args, "4")...); several != one {
		t.Error("the answer depends on the number of workers")
	}
	if again := directOutput(t, append(args, "1")...); again != one {
		t.Error("another answer the second time")
	}
	if n := strings.Count(one, "\n"); n != 257 { // 4^4, and a heading
		t.Errorf("%d lines", n)
	}
}

// Check 33: the predicted trace of M2-spread, simulated on its model again, ends as the log does: [200, 200, 100].
func TestDirectExportAgain(t *testing.T) {
	trace := filepath.Join(t.TempDir(), "spread.prv")
	model := directCases + "M2-spread.model"
	directOutput(t, "sim", directCases+"M2-spread.log", "--machine", model, "-o", trace)
	r := decode[directAnswer](t, directOutput(t, "sim", trace, "--no-index", "--machine", model, "--format", "json"))
	for i, want := range []int64{200000, 200000, 100000} {
		if r.Tasks[i].EndNS != want {
			t.Errorf("task %d ends at %d ns, not %d", i+1, r.Tasks[i].EndNS, want)
		}
	}
}

// Check 33: a predicted trace is written for ParaGraph, directly and from the .prv, compressed or not; it can be
// opened. The input is never overwritten.
func TestDirectPICL(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	args := []string{"sim", directCases + "M2-shared.log", "--machine", directCases + "M2-shared.model", "-o"}
	directOutput(t, append(args, at("a.prv"))...)
	directOutput(t, append(args, at("a.trf"))...)
	directOutput(t, "convert", at("a.prv"), at("b.trf.gz"), "--no-index")
	for _, name := range []string{"a.trf", "b.trf.gz"} {
		directOutput(t, "convert", at(name), at("c.prv"))
		text, err := os.ReadFile(at("c.prv"))
		if err != nil || !strings.Contains(string(text), "\n3:3:1:3:1:100000:100000:1:1:1:1:100000:160000:50:0\n") {
			t.Errorf("%s: %v, %s", name, err, text)
		}
	}
	var problems bytes.Buffer
	if status := cli.Run(context.Background(), []string{"convert", at("a.trf"), at("a.trf")},
		command.Streams{In: nil, Out: io.Discard,
			Err: &problems}); status != command.StatusUsage || !strings.Contains(problems.String(), "same file as IN") {
		t.Errorf("%d, %s", status, problems.String())
	}
}

// Check 34: in P6-same-tag the message of 10 bytes waits on rank 1 from 20 until 1010, when the receive of the one
// before it ends.
func TestDirectQueue(t *testing.T) {
	trace := filepath.Join(t.TempDir(), "queue.prv")
	directOutput(t, "sim", directCases+"P6-same-tag.log", "--machine", directCases+"P6-same-tag.model", "-o", trace)
	queue := directOutput(t, "stat", trace, "--no-index", "--view", "Receive queue", "--format", "tsv", "--precision",
		"0")
	if want :=
		"object\tbegin\tduration\tvalue\n1.1.1\t0\t1010\t0\n1.2.1\t0\t20\t0\n1.2.1\t20\t990\t1\n"; queue != want {
		t.Errorf("%q, not %q", queue, want)
	}
	if r := directCase(t, "P6-same-tag"); r.Tasks[1].MaxQueue != 2 {
		t.Errorf("at most %d messages wait, not 2", r.Tasks[1].MaxQueue)
	}
}

// Check 28: lines through the times of messages.
func TestDirectLinkFit(t *testing.T) {
	exact := "0 100us\n1000 600us\n2000 1100us\n3000 1600us\n4000 2100us\n"
	fit := func(text string, args ...string) (startup, perByte float64, outliers int) {
		t.Helper()
		var out, problems bytes.Buffer
		if status := cli.Run(context.Background(), append([]string{"study", "fit-network", "-", "--format", "json"},
			args...), command.Streams{In: strings.NewReader(text), Out: &out,
			Err: &problems}); status != command.StatusDone {
			t.Fatalf("%v: %s", args, problems.String())
		}
		r := decode[struct {
			LatencyNS float64 `json:"latency_ns"`
			PerByteNS float64 `json:"per_byte_ns"`
			Messages  []struct{ Outlier bool }
		}](t, out.String())
		for _, m := range r.Messages {
			if m.Outlier {
				outliers++
			}
		}
		return r.LatencyNS / 1000, r.PerByteNS / 1000, outliers
	}
	for _, c := range []struct {
		text             string
		args             []string
		startup, perByte float64
		outliers         int
	}{
		{exact, nil, 100, 0.5, 0},
		{exact + "2000 9100us\n", nil, 1433.333333, 0.5, 0},
		{exact + "4000 9100us\n", nil, -775, 1.375, 0},
		{exact, []string{"--robust"}, 100, 0.5, 0},
		{exact + "2000 9100us\n", []string{"--robust"}, 100, 0.5, 1},
		{exact + "4000 9100us\n", []string{"--robust"}, 100, 0.5, 1},
		// Batches of 4 round trips of 800, 808 and 4000 us: the median of their means is 101 us for one way; 901 us for
		// 1600 bytes.
		{"0 800us\n0 808us\n0 4000us\n1600 7208us\n", []string{"--divide", "8", "--median"}, 101, 0.5, 0},
		{"0 1449.848us\n1000 2458.492us\n2000 3467.136us\n4000 5484.424us\n", nil, 1449.848, 1.008644, 0},
	} {
		startup, perByte, outliers := fit(c.text, c.args...)
		if math.Abs(startup-c.startup) > 1e-5 || math.Abs(perByte-c.perByte) > 1e-8 || outliers != c.outliers {
			t.Errorf("%q %v: %g + %g a byte, %d outliers; not %g + %g, %d", c.text, c.args, startup, perByte, outliers,
				c.startup, c.perByte, c.outliers)
		}
	}
}
