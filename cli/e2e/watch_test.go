//go:build unix

package e2e

import (
	"encoding/binary"
	"os"
	"path/filepath"
	"regexp"
	"syscall"
	"testing"

	"pview/cli/clitest"
	"pview/internal/vt"
)

// W1: while the program runs, the viewer of pview record --watch shows the headline, the account and the gains of
// repairs. It names a rank that has stopped, says when the program has ended, and exits with the program's status.
func TestRecordWatch(t *testing.T) {
	clitest.WithOneMPI(t, func(t *testing.T, library string) {
		dir := t.TempDir()
		program := clitest.Compiled(t, library, "rings.c")
		args := []string{"record", "--watch", "-o", "a.prv", "mpirun." + library, "-np", "4", program, "600", "5000"}
		tm := start(t, 200, 40, args, inDir(dir), withEnv("OMPI_ALLOW_RUN_AS_ROOT=1",
			"OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1", "OMPI_MCA_rmaps_base_oversubscribe=1"),
			func(tm *terminal) { tm.mixed = true })
		for _, text := range []string{"following", "% efficient", "lost:", "to gain:"} {
			tm.awaitText(text)
		}
		pid := pidOf(t, filepath.Join(dir, "a.pvrec", "*-000002-0000.rec"))
		syscall.Kill(pid, syscall.SIGSTOP)
		held := regexp.MustCompile(`rank \d (in MPI_\w+|out of MPI) for \d+ s`)
		tm.await("the rank that has stopped", func(s *vt.Screen) bool { return held.MatchString(s.Text()) })
		syscall.Kill(pid, syscall.SIGCONT)
		syscall.Kill(pid, syscall.SIGTERM)
		tm.awaitText("ended")
		tm.press("q")
		tm.awaitText("a.prv: 4 ranks")
		if status := tm.end(); status.ExitStatus() == 0 {
			t.Error("the status is 0, and a rank was ended")
		}
		tm.checkGivenBack()
		tm.checkUnderstood()
	})
}

// pidOf returns the id of the process that writes a file of records.
func pidOf(t *testing.T, pattern string) int {
	t.Helper()
	names, _ := filepath.Glob(pattern)
	if len(names) != 1 {
		t.Fatalf("%s: %v", pattern, names)
	}
	header, err := os.ReadFile(names[0])
	if err != nil || len(header) < 32 {
		t.Fatalf("%v, %d bytes", err, len(header))
	}
	return int(binary.LittleEndian.Uint32(header[28:]))
}
