package explaincmd_test

import (
	"encoding/json"
	"strings"
	"testing"

	"pview/cli/clitest"
	"pview/cli/command"
)

const ranks = "../../testdata/traces/ranks_2"

// Two ranks of three steps; rank 1 computes 1 ms longer in the second one, so rank 0 waits 1 ms in that allreduce. Each
// transfer takes 600 us, so all ranks spend 2 x 3 x 0.6 + 1 = 4.6 ms in collectives, of which 1 / 4.6 = 21.7 % waiting.
func TestDevices(t *testing.T) {
	for _, args := range [][]string{{ranks}, {ranks + "/rank-0.json.gz", ranks + "/rank-1.json.gz"}} {
		out, problems, status := clitest.Run(t, append([]string{"devices"}, args...)...)
		if status != command.StatusDone || problems != "" || !strings.Contains(out,
			"21.7 % of the time in 3 matched collectives is waiting for the last rank to begin; 100 % of it for "+
				"rank 1.") {
			t.Errorf("status %d: %s%s", status, problems, out)
		}
	}
	// Two measures have separate names: computing in the span of a device, and in the whole run.
	out, _, _ := clitest.Run(t, "devices", ranks)
	for _, want := range []string{" of their span (first to last operation), ", " (computing in the whole run of ",
		"shares are of the span"} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
	out, _, _ = clitest.Run(t, "devices", ranks, "--format", "json")
	var answer struct {
		Devices []struct {
			Compute int64 `json:"compute_ns"`
		}
		Collectives []struct {
			Wait     int64 `json:"wait_ns"`
			Transfer int64 `json:"transfer_ns"`
		}
	}
	if err := json.Unmarshal([]byte(out), &answer); err != nil {
		t.Fatal(err)
	}
	// 3 x (700 + 1000 + 150) us, and 1 ms more on rank 1
	if len(answer.Devices) != 2 || answer.Devices[0].Compute != 5_550_000 || answer.Devices[1].Compute != 6_550_000 ||
		len(answer.Collectives) != 3 || answer.Collectives[1].Wait != 1_000_000 || answer.Collectives[1].Transfer != 600_000 {
		t.Errorf("%+v", answer)
	}
	// Other analyses are about the devices, too, with the same figures: 12.1 ms of kernels.
	out, problems, _ := clitest.Run(t, "efficiency", ranks, "--format", "tsv")
	if !strings.Contains(problems, "processors are the devices") ||
		!strings.Contains(out, "Useful duration, total (us)\t12100.00") {
		t.Errorf("efficiency: %s%s", problems, out)
	}
	out, problems, _ = clitest.Run(t, "diagnose", ranks, "--format", "json")
	var diagnosis struct {
		Devices int
		Account []struct {
			Entry string
			NS    int64
		}
		Findings []struct{ Rule, Title string }
	}
	if err := json.Unmarshal([]byte(out), &diagnosis); err != nil {
		t.Fatal(err)
	}
	sums := map[string]int64{}
	for _, e := range diagnosis.Account {
		sums[e.Entry] += e.NS
	}
	if problems != "" || diagnosis.Devices != 2 || sums["computing"] != 12_100_000 || sums["wait"] == 0 {
		t.Errorf("diagnose: %s%+v %v", problems, diagnosis, sums)
	}
	rules := ""
	for _, f := range diagnosis.Findings {
		rules += f.Rule + " "
		if f.Rule < "R49" {
			t.Errorf("%s takes streams for processors: %s", f.Rule, f.Title)
		}
	}
	// Rank 1 computes 0.5 ms more than the mean: the same 1 ms / 2 devices that rank 0 waits for it, found once.
	if !strings.Contains(rules, "R49") || strings.Contains(rules, "R53") {
		t.Errorf("findings %s", rules)
	}
	for args, why := range map[string]string{"sim": "the engine has no model of launches",
		"frameworks": "streams of devices, which have no roles"} {
		out, problems, status := clitest.Run(t, args, ranks)
		if status != command.StatusFailed || out != "" || !strings.Contains(problems, why) ||
			strings.Count(problems, "\n") != 1 {
			t.Errorf("%s: status %d: %s%s", args, status, out, problems)
		}
	}
	if _, problems, status := clitest.Run(t, "devices", twoApps); status != command.StatusNothing ||
		!strings.Contains(problems, "no work of devices in this trace") {
		t.Errorf("status %d: %s", status, problems)
	}
	if _, problems, status := clitest.Run(t, "devices", "--separate", ranks+"/rank-0.json.gz",
		ranks+"/rank-1.json.gz"); status != command.StatusUsage || !strings.Contains(problems, "takes no argument") {
		t.Errorf("status %d: %s", status, problems)
	}
}

// If rank 1 were as fast as rank 0, its kernel would end 1 ms earlier, and no rank would wait.
func TestDevicesWhatIf(t *testing.T) {
	out, problems, status := clitest.Run(t, "devices", ranks, "--what-if", "as-others=rank 1", "--format", "tsv")
	if want := "what_if\trecorded\treplayed\tshorter\nthe whole run\t10680000\t9680000\t1000000\n"; problems != "" ||
		status != command.StatusDone || !strings.HasPrefix(out, want) ||
		!strings.Contains(out, "waits in matched collectives\t1000000\t0\t1000000\n") {
		t.Errorf("status %d: %s%s", status, problems, out)
	}
	_, problems, status = clitest.Run(t, "devices", ranks, "--what-if", "speed:2")
	if status == command.StatusDone || !strings.Contains(problems, "what-if speed:2: unknown; there are kernel=") {
		t.Errorf("status %d: %s", status, problems)
	}
}
