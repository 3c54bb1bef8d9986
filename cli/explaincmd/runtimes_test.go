package explaincmd_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pview/cli/clitest"
	"pview/cli/command"
)

// TestDiagnoseRuntimes: a message-driven run under other queues. R creates A, B and C, of which C is urgent; C lets D
// begin on the other processor.
func TestDiagnoseRuntimes(t *testing.T) {
	unit := func(processor, from, to, entry, message int) string {
		return fmt.Sprintf(
			"1:%d:1:%d:1:%d:%d:1\n2:%d:1:%d:1:%d:79000001:%d:79000002:%d:79000003:1\n2:%d:1:%d:1:%d:79000001:0\n",
			processor, processor, from, to, processor, processor, from, entry, message, processor, processor, to)
	}
	made := func(at, message, entry, receiver, priority int) string {
		return fmt.Sprintf("2:1:1:1:1:%d:79000004:%d:79000005:%d:79000006:2:79000007:%d:79000010:%d\n", at, message,
			entry, receiver, priority)
	}
	text := "#Paraver (21/11/26 at 00:00):84_ns:1(2):1:2(1:1,1:1)\n" + unit(1, 0, 10, 1, 0) + made(4, 1, 2, 1,
		2) + made(6, 2, 3, 1, 2) + made(8, 3, 4, 1, 1) + unit(1, 10, 30, 2, 1) + unit(1, 30, 50, 3, 2) +
		unit(1, 50, 60, 4, 3) + made(60, 4, 5, 2, 2) + "3:1:1:1:1:60:60:2:1:2:1:64:64:8:1\n" + unit(2, 64, 84, 5, 4)
	lines := strings.SplitAfter(strings.TrimSuffix(text, "\n"), "\n")
	slices.SortStableFunc(lines[1:], func(x, y string) int {
		var a, b int
		fmt.Sscan(strings.Split(x, ":")[5], &a)
		fmt.Sscan(strings.Split(y, ":")[5], &b)
		return a - b
	})
	path := filepath.Join(t.TempDir(), "driven.prv")
	if err := os.WriteFile(path, []byte(strings.Join(lines, "")), 0o644); err != nil {
		t.Fatal(err)
	}
	out, problems, status := clitest.Run(t, "diagnose", path, "--runtimes", "--no-index", "--format", "tsv")
	if status != command.StatusDone || !strings.Contains(out, "\nrecorded\trecorded\t84\t") ||
		!strings.Contains(out, "\npriority\trecorded\t60\t") {
		t.Errorf("status %d: %s%s", status, out, problems)
	}
	// Four stages of 21: processor 1 is busy in the last one only.
	out, problems, status = clitest.Run(t, "diagnose", path, "--stages", "21", "--no-index", "--format", "tsv")
	if status != command.StatusDone || strings.Count(out, "\n") != 5 ||
		!strings.Contains(out, "\n0\t0.5\t0\t3\t2\t15\t") {
		t.Errorf("status %d: %s%s", status, out, problems)
	}
	if _, problems, status := clitest.Run(t, "diagnose", clitest.Heat, "--runtimes",
		"--no-index"); status != command.StatusFailed ||
		!strings.Contains(problems, "not a message-driven run") {
		t.Errorf("status %d: %s", status, problems)
	}
}
