//go:build unix

package e2e

import (
	"bytes"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"pview/internal/vt"
)

// indexed writes a trace with an index into its own directory, and returns its path and how to truncate every file of
// the index.
func indexed(t *testing.T) (path string, truncate func()) {
	t.Helper()
	dir := t.TempDir()
	path = filepath.Join(dir, "run.prv")
	for _, args := range [][]string{{"synth", "--size", "1M", "--no-index", path}, {"index", path}} {
		if r := run(t, dir, args...); r.status != 0 {
			t.Fatalf("%v: %s", args, r.stderr)
		}
	}
	files, err := filepath.Glob(filepath.Join(dir, "*", "*.arrow"))
	if err != nil || len(files) == 0 {
		t.Fatalf("there is no index: %v", err)
	}
	return path, func() {
		for _, f := range files {
			if err := os.Truncate(f, 0); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// The index is truncated under an open viewer: the trace is read again, looks the same, and the terminal is restored.
func TestIndexBreaksUnderViewer(t *testing.T) {
	t.Parallel()
	path, truncate := indexed(t)
	for name, keys := range map[string][][]string{
		"nobody does anything": nil,
		// Esc and a key in one go would be Alt and that key
		"keys": {{"+", "+", "i", keyRight, keyRight, "a", keyEsc}, {"-", "-", "-", "i"}},
	} {
		tm := open(t, 120, 40, []string{path})
		tm.press("i")
		tm.settle()
		before := ""
		tm.see(func(s *vt.Screen) { before = timeline(s) })
		truncate()
		for _, part := range keys {
			tm.press(part...)
			tm.settle()
		}
		if keys == nil {
			tm.press("\x1b[I") // the terminal gets the focus: the files are checked some time after any event
			tm.awaitText("was re-read")
		}
		tm.await(name+": the timeline as it was", func(s *vt.Screen) bool { return timeline(s) == before })
		tm.leave()
		if r := run(t, filepath.Dir(path), "index", path); r.status != 0 {
			t.Fatal(r.stderr)
		}
	}
}

// The trace is also gone: the rows say why they are empty, and the terminal is restored.
func TestIndexAndTraceBreakUnderViewer(t *testing.T) {
	t.Parallel()
	path, truncate := indexed(t)
	tm := open(t, 120, 40, []string{path})
	truncate()
	if err := os.Truncate(path, 10); err != nil {
		t.Fatal(err)
	}
	tm.press("+")
	tm.awaitText("cannot re-read it")
	tm.press("+", "-")
	tm.awaitText("can no longer be read")
	tm.leave()
}

// The index is truncated while stat writes its result: it says so and fails.
func TestIndexBreaksUnderStat(t *testing.T) {
	t.Parallel()
	path, truncate := indexed(t)
	cmd := exec.CommandContext(t.Context(), pview, "stat", path, "--format", "tsv")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	// Output that does not fit into the pipe is computed and written after this.
	if _, err := io.ReadFull(out, make([]byte, 10)); err != nil {
		t.Fatal(err)
	}
	truncate()
	io.Copy(io.Discard, out)
	err = cmd.Wait()
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != 1 {
		t.Errorf("it ended with %v", err)
	}
	if got := stderr.String(); !strings.Contains(got, "run the command again") || strings.Count(got, "\n") != 1 {
		t.Errorf("it said %q", got)
	}
}

// The index is truncated before anything is written: the result comes from the text. A configuration in a pipe shows
// when the trace is open.
func TestIndexBreaksUnderWhat(t *testing.T) {
	t.Parallel()
	path, truncate := indexed(t)
	args := []string{"what", path, "--at", "50%", "--object", "1.3.1", "--format", "tsv"}
	want := run(t, filepath.Dir(path), args...)
	pipe := filepath.Join(t.TempDir(), "all.cfg")
	aPipe(t, pipe)
	cmd := exec.CommandContext(t.Context(), pview, append(args, "--cfg", pipe)...)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	const cfg = "#ParaverCFG\nConfigFile.NumWindows: 1\nwindow_name all\nwindow_type single\nwindow_id " +
		"1\nwindow_level thread\nwindow_mode all\n"
	f := whenRead(t, pipe) // the trace is open
	truncate()
	// The second run finds a file in place of the pipe.
	if err := os.WriteFile(pipe+".file", []byte(cfg), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(pipe+".file", pipe); err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteString(cfg); err != nil {
		t.Fatal(err)
	}
	f.Close()
	if err := cmd.Wait(); err != nil || stdout.String() != want.stdout {
		t.Errorf("%v; it said %q and wrote\n%s\nwant\n%s", err, stderr.String(), stdout.String(), want.stdout)
	}
	if got := stderr.String(); !strings.Contains(got, "parsing the trace instead") {
		t.Errorf("it said %q", got)
	}
}
