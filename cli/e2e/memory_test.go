//go:build unix

package e2e

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"pview/internal/vt"
)

// measured is the environment variable that makes the test's binary run a program and write its peak memory, in kB, to
// the file named by the variable. The system's figure for a process started by the test itself would include the test's
// own memory.
const measured = "PVIEW_E2E_MEASURE"

// measure runs a program for runWithin.
func measure(file string, args []string) int {
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	cmd.Run()
	most := cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss
	if runtime.GOOS == "darwin" {
		most /= 1024 // bytes there, kB elsewhere
	}
	os.WriteFile(file, fmt.Appendln(nil, most), 0o600)
	return cmd.ProcessState.ExitCode()
}

// runWithin runs the program, and checks its memory.
func runWithin(t *testing.T, dir string, megabytes int64, args ...string) result {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "peak")
	cmd := exec.CommandContext(t.Context(), self, append([]string{pview}, args...)...)
	cmd.Env = append(os.Environ(), measured+"="+file)
	cmd.Dir = dir
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	cmd.Run()
	var kB int64
	if text, err := os.ReadFile(file); err != nil {
		t.Fatal(err)
	} else if fmt.Sscan(string(text), &kB); kB>>10 > megabytes || kB == 0 {
		t.Errorf("%v took %d kB, more than %d MB", args, kB, megabytes)
	}
	return result{stdout.String(), stderr.String(), cmd.ProcessState.ExitCode()}
}

// bomb returns a compressed trace with a repeated text.
func bomb(text string, times int) []byte {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	io.WriteString(z, good)
	for range times {
		io.WriteString(z, text)
	}
	z.Close()
	return b.Bytes()
}

// Whatever a file contains, --memory is not exceeded by much: lines that are not records are kept up to a limit, with a
// remark.
func TestLinesBesideRecordsAreBounded(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for name, content := range map[string][]byte{
		"comments":      bomb(strings.Repeat("# comment\n", 1000), 3000),
		"tiny":          bomb(strings.Repeat("#\n", 10_000), 500),
		"long":          bomb("#"+strings.Repeat("x", 1<<20)+"\n", 300),
		"communicators": bomb(strings.Repeat("c:1:1:1:1\n", 1000), 3000),
	} {
		t.Run(name, func(t *testing.T) {
			write(t, dir, name+".prv.gz", content)
			got := runWithin(t, dir, 160, "info", "--no-index", "--memory", "100M", name+".prv.gz")
			// A sixteenth of 100 MB is 6.25 MB.
			if got.status != 0 || !strings.Contains(got.stderr,
				"comment and communicator lines beyond the first 6 MB are left out (") ||
				!strings.HasSuffix(got.stderr, "a larger --memory keeps more\n") {
				t.Errorf("%d %q", got.status, got.stderr)
			}
		})
	}
	write(t, dir, "line.prv.gz", bomb("#"+strings.Repeat("x", 20<<20)+"\n", 1))
	got := runWithin(t, dir, 160, "info", "--no-index", "--memory", "100M", "line.prv.gz")
	if want := (result{"", "pview: line.prv.gz: a line is longer than the 6 MB that --memory allows: not a trace\n",
		1}); got != want {
		t.Errorf("%+v", got)
	}
}

// An event line with 300,000 types is counted, within the memory in all formats but JSON, which is refused.
func TestManyEventTypes(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	var b strings.Builder
	b.WriteString(good + "2:1:1:1:1:5")
	const types = 300_000
	for i := range types {
		fmt.Fprintf(&b, ":%d:1", i+1)
	}
	write(t, dir, "types.prv", []byte(b.String()+"\n"))
	for _, format := range []string{"table", "tsv", "csv"} {
		// The output, 10 to 20 MB, is in the test's memory. With 120 MB, a line can have 7.5 MB.
		got := runWithin(t, dir, 220, "info", "--no-index", "--memory", "120M", "--format", format, "types.prv")
		if got.status != 0 || strings.Count(got.stdout, "\n") < types {
			t.Errorf("%s: %d %s, %d lines", format, got.status, got.stderr, strings.Count(got.stdout, "\n"))
		}
	}
	got := runWithin(t, dir, 220, "info", "--no-index", "--memory", "120M", "--format", "json", "types.prv")
	if want := (result{"",
		"pview: types.prv: 300000 event types take more memory as JSON than the 120 MB that --memory allows: use " +
			"--format tsv\n", 1}); got != want {
		t.Errorf("%+v", got)
	}
}

// A histogram with too many columns for the memory is refused with the name of the limit; so is one with too many for
// any memory.
func TestManyColumns(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, dir, "a.prv", []byte(good+"2:1:1:1:1:5:7:40\n"))
	columns := func(n int, memory ...string) []string {
		return append([]string{"stat", "--no-index", "a.prv", "--thread", "Last Evt Val", "--stat", "Time", "--columns",
			fmt.Sprintf("0:%d:1", n)}, memory...)
	}
	for _, test := range []struct {
		args []string
		want string
	}{
		{columns(1_000_000, "--memory", "200M"), "1000001 columns, 1 planes and 2 rows take "},
		{columns(1_000_000, "--memory", "200M"), ", more than the 50 MB that --memory allows: choose fewer columns\n"},
		{columns(16_000_000, "--memory", "64G"),
			", more than the 1024 MB that a histogram can have: choose fewer columns\n"},
	} {
		if got := runWithin(t, dir, 150, test.args...); got.status != 1 || !strings.Contains(got.stderr, test.want) {
			t.Errorf("%v: %d %q", test.args, got.status, got.stderr)
		}
	}
	if got := runWithin(t, dir, 200, columns(100_000, "--memory", "200M", "--format", "tsv")...); got.status != 0 ||
		strings.Count(got.stdout, "\n") != 1+(2+6)*100_001 {
		t.Errorf("%d %q, %d lines", got.status, got.stderr, strings.Count(got.stdout, "\n"))
	}
}

// A pixel picture is not made if the memory is only enough for a smaller one: 20,000 x 20,000 of 8 bytes are
// 3,200,000,000 = 3,051 * 2^20. As vector graphics it costs nothing.
func TestHugePictures(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, dir, "a.prv", []byte(good))
	huge := func(out string) result {
		return runWithin(t, dir, 150, "export", "--no-index", "a.prv", "--memory", "200M", "--size", "20000x20000",
			"-o", out)
	}
	want := result{"",
		"pview: a.png: cannot be written: a picture of 20000 x 20000 pixels takes 3051 MB of memory, more than the " +
			"200 MB that --memory allows: make it smaller, or vector graphics\n", 1}
	if got := huge("a.png"); got != want {
		t.Errorf("%+v", got)
	}
	if got := huge("a.svg"); got.status != 0 {
		t.Errorf("%+v", got)
	}
}

// On a huge terminal only a part is drawn; once it is smaller, all of it.
func TestHugeTerminal(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, dir, "a.prv", []byte(good))
	tm := start(t, 5000, 5000, []string{filepath.Join(dir, "a.prv"), "--memory", "200M"})
	tm.awaitText("(all)")
	tm.settle()
	tm.resize(3000, 4000)
	tm.settle()
	tm.resize(100, 30)
	tm.press("0") // dismisses the remark on the missing .pcf
	tm.await("the hints in the last row", func(s *vt.Screen) bool { return strings.Contains(s.Line(29), "q quit") })
	if text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", tm.cmd.Process.Pid)); err == nil {
		_, after, _ := strings.Cut(string(text), "VmHWM:")
		var kB int64
		if fmt.Sscan(after, &kB); kB>>10 > 600 || kB == 0 {
			t.Errorf("it took %d kB", kB)
		}
	}
	tm.leave()
}

// The time for the threads of one task is linear: four times as many take about four times as much processor time;
// searching for each among all would take sixteen times.
func TestManyThreadsOfOneTask(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	const few, many = 50_000, 200_000
	for _, n := range []int{few, many} {
		var b strings.Builder
		fmt.Fprintf(&b, "#Paraver (01/01/2026 at 10:00):1000_ns:1(%d):1:1(%d:1)\n", n, n)
		for i := range n {
			fmt.Fprintf(&b, "1:%d:1:1:%d:0:1000:1\n", i+1, i+1)
		}
		write(t, dir, fmt.Sprintf("%d.prv", n), []byte(b.String()))
	}
	for _, command := range []string{"sim", "efficiency"} {
		user := func(n int) float64 {
			cmd := exec.CommandContext(t.Context(), pview, command, "--no-index", fmt.Sprintf("%d.prv", n))
			cmd.Dir = dir
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Fatalf("%s: %v, %s", command, err, out)
			}
			return cmd.ProcessState.UserTime().Seconds()
		}
		if a, b := user(few), user(many); b > 11*max(a, 0.1) {
			t.Errorf("%s: %.2f s for %d threads, %.2f s for %d", command, a, few, b, many)
		}
	}
}

// A program that does not fit the memory is not simulated: 6 million records whose values do not fit into 31 bits take
// 13 bytes each, 78 MB. The 20 bytes of each event of the trace are in a temporary file, which the system may write
// out.
func TestProgramsAreBounded(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	events := "2:1:1:1:1:5:60000001:1" + strings.Repeat(":7:3000000000", 1000) + "\n"
	write(t, dir, "large.prv.gz", bomb(events, 6000))
	got := runWithin(t, dir, 280, "sim", "--no-index", "--memory", "64M", "large.prv.gz")
	if got.status != 1 || !strings.HasSuffix(got.stderr,
		"pview: large.prv.gz: the program for the simulation takes more than the 64 MB that --memory allows\n") {
		t.Errorf("sim says %+v", got)
	}
	got = runWithin(t, dir, 280, "efficiency", "--no-index", "--memory", "64M", "large.prv.gz")
	tooLarge := "the program for the simulation takes more than the 64 MB that --memory allows"
	said := strings.Join(strings.Fields(got.stdout), " ")
	if got.status != 0 || !strings.Contains(said, "not simulated: large.prv.gz: "+tooLarge) {
		t.Errorf("efficiency says %+v", got)
	}

	var dim bytes.Buffer
	z := gzip.NewWriter(&dim)
	io.WriteString(z, "#DIMEMAS:\"large\":1,0:1(1),0\n")
	bursts := strings.Repeat("1:0:0:0.0010000005\n", 1000)
	for range 6000 {
		io.WriteString(z, bursts)
	}
	z.Close()
	write(t, dir, "large.dim.gz", dim.Bytes())
	got = runWithin(t, dir, 200, "sim", "--memory", "64M", "large.dim.gz")
	if got.status != 1 || got.stderr != "pview: large.dim.gz: "+tooLarge+"\n" {
		t.Errorf("sim of a .dim says %+v", got)
	}
}
