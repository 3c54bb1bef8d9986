package cli

import (
	"encoding/json"
	"strconv"
	"strings"
	"testing"
)

// TestDiagnoseWaits: the classes of waiting and the causes sum to the same time, in the forms for programs.
func TestDiagnoseWaits(t *testing.T) {
	out, problems, status := runCommand(t, "diagnose", heat, "--waits", "--format", "tsv")
	if status != StatusDone || problems != "" {
		t.Fatalf("status %d: %s", status, problems)
	}
	sums := map[string]int64{}
	for _, line := range strings.Split(strings.TrimSpace(out), "\n")[1:] {
		f := strings.Split(line, "\t")
		if f[0] == "class" && f[5] == "" {
			continue // no waiting
		}
		ns, err := strconv.ParseInt(f[4], 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		sums[f[0]] += ns
	}
	if sums["class"] == 0 || sums["class"] != sums["delay"] {
		t.Errorf("classes sum to %d, causes to %d", sums["class"], sums["delay"])
	}
	out, _, _ = runCommand(t, "diagnose", heat, "--waits", "--format", "json")
	var answer struct {
		Waiting int64 `json:"waiting_ns"`
		Length  int64 `json:"length_ns"`
	}
	if err := json.Unmarshal([]byte(out), &answer); err != nil || answer.Waiting != sums["class"] || answer.Length != 157_717_028 {
		t.Errorf("%v: %+v", err, answer)
	}
	// With all sends eager nobody waits for a receiver.
	out, _, _ = runCommand(t, "diagnose", heat, "--waits", "--eager", "1G")
	if strings.Contains(out, "Late Receiver") {
		t.Error("senders wait for receivers")
	}
}

func TestDiagnoseNothing(t *testing.T) {
	if _, _, status := runCommand(t, "diagnose", "../testdata/traces/npb_cg_S_8_burst/npb_cg_S_8_burst.prv", "--waits", "--no-idle-workers"); status != StatusNothing && status != StatusDone {
		t.Errorf("status %d", status)
	}
	if _, _, status := runCommand(t, "diagnose", heat, "--eager", "much"); status != StatusUsage {
		t.Errorf("status %d", status)
	}
}
