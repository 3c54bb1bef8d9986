//go:build unix

package e2e

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pview/prv/prvtest"
)

const oracle = "../../testdata/oracle/paraver"

// The trace tools from the command line, with Paraver's option files and with flags: the same records as Paraver's.
func TestTraceTools(t *testing.T) {
	t.Parallel()
	kit, err := filepath.Abs(oracle)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for _, ext := range []string{".prv", ".pcf", ".row"} {
		for _, name := range []string{"tr05_ring", "tr03_comms"} {
			text, err := os.ReadFile(filepath.Join(kit, "traces", name+ext))
			if err != nil {
				t.Fatal(err)
			}
			write(t, dir, name+ext, text)
		}
	}
	option := func(name string) string { return filepath.Join(kit, "tools", name) }
	for _, test := range []struct{ args, want string }{
		{"cut tr05_ring.prv --xml " + option("cut_remove.xml"), "cut_remove.prv"},
		{"cut tr05_ring.prv --from 10us --to 30000 --break-states", "cut_break.prv"},
		{"cut tr05_ring.prv --xml " + option("cut_remove.xml") +
			" --remove-first-states=false --remove-last-states=false --break-states", "cut_break.prv"},
		{"cut tr05_ring.prv --from 10us --to 30us --original-times", "cut_original.prv"},
		{"filter tr05_ring.prv --no-states --no-comms --types 50000001;42000050-42000059", "filter_types.prv"},
		{"filter tr05_ring.prv --no-events --no-comms --states running --min-state-time 2.5us", "filter_states.prv"},
		{"filter tr05_ring.prv --discard-types 60000019:2", "filter_discard_types.prv"},
		{"filter tr05_ring.prv --no-events --no-states --min-size 600", "filter_comms.prv"},
		{"counters tr05_ring.prv --xml " + option("sc_intervals_count.xml"), "sc_intervals_count.prv"},
		{"counters tr05_ring.prv --count 50000001:2,3 --accumulate 42000050 --keep 60000019 --bursts 2500",
			"sc_states_accum.prv"},
		{"shift tr03_comms.prv --level thread --times " + option("shift_threads.txt"), "shift_thread.prv"},
		{"shift tr03_comms.prv --by 0.7us", "shift_workload.prv"},
	} {
		got := run(t, dir, append(strings.Fields(test.args), "-o", "out.prv.gz")...)
		if got != (result{}) {
			t.Errorf("%s: %+v", test.args, got)
			continue
		}
		for _, pair := range [][2]string{{"out.prv.gz", "out.prv"}, {option(test.want), "want.prv"}} {
			path := pair[0]
			if !filepath.IsAbs(path) {
				path = filepath.Join(dir, path)
			}
			if got, want := run(t, dir, "convert", pair[0], pair[1]),
				(result{stderr: prvtest.Doubts(t, path, pair[0])}); got != want {
				t.Errorf("%s: %+v, want %+v", test.args, got, want)
			}
		}
		if a, b := recordsOf(t, dir, "out.prv"), recordsOf(t, dir, "want.prv"); a != b {
			t.Errorf("%s: the records are not those of %s", test.args, test.want)
		}
		if pcf, _ := os.ReadFile(filepath.Join(dir, "out.pcf")); !strings.Contains(string(pcf), "MPI_Isend") {
			t.Errorf("%s: the labels are gone", test.args)
		}
	}
}

// recordsOf returns a trace's file without the date and the comments.
func recordsOf(t *testing.T, dir, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	_, kept, _ := strings.Cut(string(text), ")")
	var lines []string
	for line := range strings.Lines(kept) {
		if line[0] != '#' {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "")
}

// A failure is reported, and leaves nothing behind; without -o a name is chosen and printed.
func TestTraceToolsRefuse(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, dir, "a.prv", []byte(good))
	write(t, dir, "bad.prv", []byte(good+"7:1\n"))
	write(t, dir, "o.xml", []byte("<config><filter/></config>"))
	write(t, dir, "no.xml", []byte("<html/>"))
	for _, test := range []struct {
		args, want string
		status     int
	}{
		{"cut a.prv -o a.prv", "a.prv: same file as TRACE, which is never overwritten", 2},
		{"cut a.prv -o a.csv", "a.csv: the name of a trace must end in .prv or .prv.gz", 2},
		{"cut a.prv --from 90% --to 10% -o b.prv", "a.prv: there is nothing from 900 ns to 100 ns", 2},
		{"cut a.prv --from 500 -o b.prv", "a.prv: nothing found: no record would be left, so no file was written", 3},
		{"cut a.prv --keep-events -o b.prv",
			"--keep-events needs --break-states=false or --original-times: states cut at the limits have no events " +
				"beyond them", 2},
		{"cut a.prv --tasks 3 -o b.prv", "a.prv: the trace has none of the tasks 3", 2},
		{"cut a.prv --xml o.xml -o b.prv", "o.xml: no <cutter> section", 1},
		{"cut a.prv --xml none.xml -o b.prv", "none.xml: no such file or directory", 1},
		{"shift a.prv -o b.prv", "shift needs --by TIMES or --times FILE", 2},
		{"shift a.prv --by 1,2,3 --level task -o b.prv", "a.prv: there are 3 times, but the trace has 2 tasks", 2},
		{"filter a.prv --states Foo -o b.prv", "a.prv: none of the trace's states is called Foo", 2},
		{"filter --strict bad.prv -o b.prv", "bad.prv:4: unknown kind of record: 7:1", 1},
		{"filter none.prv -o b.prv", "none.prv: no such file or directory", 1},
		{"counters a.prv --interval 1 --bursts 2", "--interval and --bursts are mutually exclusive", 2},
		{"--follow a.prv",
			"the viewer needs a terminal, and standard output is not one; `pview info TRACE` prints the contents of " +
				"a trace", 2},
	} {
		before := strings.Join(names(t, dir), " ")
		if got, want := run(t, dir, strings.Fields(test.args)...),
			(result{"", "pview: " + test.want + "\n", test.status}); got != want {
			t.Errorf("%s:\ngot  %+v\nwant %+v", test.args, got, want)
		}
		if after := strings.Join(names(t, dir), " "); after != before {
			t.Errorf("%s: there are now %s", test.args, after)
		}
	}
	for _, want := range []string{"a.chop1.prv\n", "a.chop2.prv\n"} {
		if got := run(t, dir, "cut", "a.prv"); got != (result{stdout: want}) {
			t.Errorf("%+v, want %s", got, want)
		}
	}
}

// pview waits for a trace that does not exist yet, and shows it as it grows.
func TestFollow(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	tm := start(t, 80, 24, []string{"--follow", "run.prv"}, inDir(dir))
	tm.awaitText("waiting for the first record")
	write(t, dir, "run.prv", []byte(good+"1:1:1:1:1:10:2"))
	tm.awaitText("0 .. 10 ns  (all)")
	f, err := os.OpenFile(filepath.Join(dir, "run.prv"), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.WriteString("0:3\n"); err != nil {
		t.Fatal(err)
	}
	tm.awaitText("0 .. 20 ns  (all)")
	tm.awaitText("following")
	tm.leave()
}

// Leaving the viewer in the middle of a cut leaves no file, whole or in part.
func TestLeaveWhileCutting(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, dir, "a.prv", []byte(good))
	tm := open(t, 80, 24, []string{"a.prv"}, inDir(dir))
	row := filepath.Join(dir, "a.row")
	aPipe(t, row) // which the cut has to copy
	tm.press(":", "cut b.prv.gz", keyEnter)
	tm.awaitText("cutting")
	f := whenRead(t, row)
	ended := make(chan struct{})
	go func() {
		withoutEnd(f)
		close(ended)
	}()
	tm.leave()
	<-ended
	if got := strings.Join(names(t, dir), " "); got != "a.prv a.row" {
		t.Errorf("there are %s", got)
	}
}
