//go:build unix

package e2e

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"pview/cli/clitest"
)

// T4: the viewer of pview steer --watch shows the decisions while the program runs. When it is closed, the terminal is
// restored, the lines of the decisions are printed, and Ctrl-C ends the program; its trace has the run up to then.
func TestSteerWatch(t *testing.T) {
	clitest.WithOneMPI(t, func(t *testing.T, library string) {
		dir := t.TempDir()
		program := clitest.Compiled(t, library, "farm.c", "-I", "../../prv/record/lib")
		args := []string{"steer", "--apply", "--watch", "-o", "farm.prv", "mpirun." + library, "-np", "5", program,
			"100000", "24", "20000", "0", "0", "1000", "6", "12"}
		tm := start(t, 160, 40, args, inDir(dir),
			withEnv("LD_PRELOAD="+clitest.Patient(t, library), "OMPI_ALLOW_RUN_AS_ROOT=1",
				"OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1", "OMPI_MCA_rmaps_base_oversubscribe=1"),
			func(tm *terminal) { tm.mixed = true })
		tm.awaitText("following")
		decided := awaitDecision(t, tm, filepath.Join(dir, "farm.pvrec", "*.steer"))
		if !regexp.MustCompile(`^iteration \d+: partition 6 -> \d+: of 24 tasks on 4 workers, `).MatchString(decided) {
			t.Errorf("decided: %s", decided)
		}
		what, _, _ := strings.Cut(decided, ": of 24 tasks")

		search(tm, "decision", "Steering decision")
		tm.awaitText("Last Evt Val: Steering decision")
		tm.press(keyEnd)
		tm.awaitText(what)
		tm.press("q")
		tm.awaitText("the program is still running")
		tm.awaitText(what)
		tm.press(keyCtrlC)
		tm.end()
		tm.checkGivenBack()
		tm.checkUnderstood()
		labels, err := os.ReadFile(filepath.Join(dir, "farm.pcf"))
		if err != nil || !strings.Contains(string(labels), what) {
			t.Errorf("the trace does not name the decision: %v; the screen:\n%s", err, tm.text())
		}
	})
}

// search shows the results for a text, and waits if the trace does not have it yet.
func search(tm *terminal, text, found string) {
	tm.t.Helper()
	const dialog = "Search events"
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); {
		tm.press("/")
		tm.awaitText(dialog)
		tm.press(text)
		for range 20 {
			time.Sleep(100 * time.Millisecond)
			if strings.Contains(tm.text(), found) {
				tm.press(keyEnter)
				return
			}
		}
		tm.press(keyEsc)
		tm.awaitNoText(dialog)
	}
	tm.t.Fatalf("%s finds no %s; the screen:\n%s", text, found, tm.text())
}

// awaitDecision waits for the first decision in the records of a run.
func awaitDecision(t *testing.T, tm *terminal, pattern string) string {
	t.Helper()
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(50 * time.Millisecond) {
		if found, _ := filepath.Glob(pattern); len(found) > 0 {
			text, _ := os.ReadFile(found[0])
			line, _, _ := strings.Cut(string(text), "\n")
			return line
		}
	}
	t.Fatalf("no decision; the screen:\n%s", tm.text())
	return ""
}
