package tracecmd_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pview/cli/clitest"
	"pview/cli/command"
)

// stat runs the command on a trace of the kit.
func runStat(t *testing.T, args ...string) (out, problems string, status int) {
	t.Helper()
	for i, a := range args {
		if strings.HasPrefix(a, "tr0") {
			args[i] = filepath.Join(clitest.Kit, "traces", a)
		}
		if strings.HasSuffix(a, ".cfg") && !strings.Contains(a, "/") {
			args[i] = filepath.Join(clitest.Kit, "cfgs", a)
		}
	}
	return clitest.Run(t, append([]string{"stat"}, args...)...)
}

// TestStatFlags: a window defined by flags gives the same numbers as the equivalent configuration.
func TestStatFlags(t *testing.T) {
	for _, c := range []struct {
		pair string
		args []string
	}{
		{"state_state_as_is__tr01_states", []string{"--unit", "ns"}},
		{"state_in_state__tr06_awkward", []string{"--unit", "ns", "--thread", "In State {1, 0}"}},
		{"event_last_evt_val__tr02_events", []string{"--thread", "Last Evt Val", "--event-type", "user function"}},
		{"compose_mod__tr02_events", []string{"--thread", "Last Evt Val", "--event-type", "60000019",
			"--compose-thread", "Mod {3}"}},
		{"workload_parallelism__tr05_ring", []string{"--level", "workload", "--thread", "Useful"}},
		{"node_maximum__tr04_hybrid", []string{"--level", "node", "--node", "Maximum", "--unit", "ns"}},
		{"window_range__tr04_hybrid", []string{"--from", "2000", "--to", "9us", "--unit", "ns"}},
		{"histo_state_x_ins_average_value__tr04_hybrid", []string{"--stat", "average value", "--columns", "0:16:1",
			"--data", "Next Evt Val", "--data-event-type", "42000050"}},
		{"histo_comm_log_numsends__tr05_ring", []string{"--stat", "#Sends"}},
		{"histo_vertical__tr04_hybrid", []string{"--stat", "Time", "--columns", "0:16:1", "--vertical"}},
		{"histo_hide_cols__tr04_hybrid", []string{"--stat", "Time", "--columns", "0:16:1", "--hide-empty"}},
	} {
		t.Run(c.pair, func(t *testing.T) {
			_, trace, _ := strings.Cut(c.pair, "__")
			out, problems, status := runStat(t, append([]string{"--format", "tsv", trace + ".prv"}, c.args...)...)
			if status != command.StatusDone {
				t.Fatalf("status %d: %s", status, problems)
			}
			same(t, c.pair, answerOf(t, c.pair), out, strings.HasPrefix(c.pair, "node"))
		})
	}
}

// TestStatForms: the same numbers in all formats, and everything in a file with --all.
func TestStatForms(t *testing.T) {
	out, _, _ := runStat(t, "--format", "csv", "--precision", "1", "tr01_states.prv", "state_useful.cfg", "--to", "200")
	if want := "object,begin,duration,value\n1.1.1,0.0,100000.0,1.0\n"; !strings.HasPrefix(out, want) {
		t.Errorf("csv:\n%s\nwant\n%s", out, want)
	}
	out, _, _ = runStat(t, "--format", "json", "tr05_ring.prv", "histo_delta_float.cfg")
	var cells []struct {
		Plane, Row, Column string
		Value              *float64
	}
	if err := json.Unmarshal([]byte(out), &cells); err != nil || len(cells) == 0 || cells[0].Row != "THREAD 1.1.1" {
		t.Fatalf("json: %v\n%s", err, out)
	}
	for i := range cells {
		if cells[i].Row == "Avg/Max" && cells[i].Value != nil && math.IsNaN(*cells[i].Value) {
			t.Error("a number that is none is written")
		}
	}
	out, _, _ = runStat(t, "--format", "tsv", "--all", "tr04_hybrid.prv", "histo_3d.cfg")
	var heads []string
	for line := range strings.Lines(out) {
		if line[0] == '#' || strings.HasPrefix(line, "object") || strings.HasPrefix(line, "plane") {
			heads = append(heads, strings.TrimSpace(line))
		}
	}
	bursts := "|object\tbegin\tduration\tvalue|"
	want := "# State" + bursts + "# fun" + bursts + "# H|plane\trow\tcolumn\tvalue"
	if got := strings.Join(heads, "|"); got != want {
		t.Errorf("--all has the lines %q, want %q", got, want)
	}
	out, _, _ = runStat(t, "--format", "json", "--all", "tr04_hybrid.prv", "histo_3d.cfg")
	var all []struct {
		Name, Kind string
		Rows       []map[string]any
	}
	if err := json.Unmarshal([]byte(out), &all); err != nil || len(all) != 3 || all[1].Name != "fun" ||
		all[2].Kind != "histogram" || len(all[0].Rows) == 0 {
		t.Fatalf("json of everything: %v\n%.400s", err, out)
	}
	out, _, _ = runStat(t, "tr05_ring.prv", "--stat", "Time", "--precision", "2", "--columns", "1:2:1")
	for _, want := range []string{"State As Is: Time (us), 0.00 .. 129.22 us\n",
		"values outside the columns are not counted", "\n              Running\nTHREAD 1.1.1    87.58\n",
		"\nAvg/Max          0.87\n"} {
		if !strings.Contains(out, want) {
			t.Errorf("there is no %q in\n%s", want, out)
		}
	}
	out, _, _ = runStat(t, "tr02_events.prv", "--thread", "Next Evt Val", "--event-type", "60000019")
	if want :=
		"\nobject  begin (us)  duration (us)  value\nT 1              0              6  1  main\n"; !strings.Contains(
		out, want) {
		t.Errorf("there is no %q in\n%s", want, out)
	}
}

// Bursts below 1 us are in no column of whole microseconds: the note names a unit that has columns for them, with which
// they are counted. With --columns there is no such hint.
func TestStatHintsAtUnit(t *testing.T) {
	path := filepath.Join(t.TempDir(), "short.prv")
	if err := os.WriteFile(path, []byte("#Paraver (22/11/2026 at 10:00):900_ns:1(1):1:1(1:1)\n"+
		"1:1:1:1:1:0:500:1\n1:1:1:1:1:600:900:1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	args := []string{"stat", path, "--view", "useful duration", "--stat", "Time"}
	const lost, hint = "values outside the columns are not counted", ": a unit below us, such as --unit ns, helps\n"
	for _, c := range []struct {
		more       []string
		lost, hint bool
	}{{nil, true, true}, {[]string{"--unit", "ns"}, false, false}, {[]string{"--columns", "5:9:1"}, true, false}} {
		out, _, _ := clitest.Run(t, append(args, c.more...)...)
		if strings.Contains(out, lost) != c.lost || strings.Contains(out, hint) != c.hint {
			t.Errorf("%v:\n%s", c.more, out)
		}
	}
	_, problems, _ := clitest.Run(t, append(args, "--format", "tsv")...)
	if !strings.Contains(problems, lost+hint) {
		t.Errorf("stderr: %s", problems)
	}
}

// TestStatAnalyze: the ring of 40 iterations has a burst of computation before, between and
// after its exchanges, and each task sends one message per iteration.
func TestStatAnalyze(t *testing.T) {
	out, problems, status := runStat(t, "--format", "tsv", "--precision", "0", "tr05_ring.prv", "--thread", "Useful",
		"--analyze", "number of bursts,Number of Bytes Sent", "--sum", "send && logical ? size : 0")
	want := "object\tnumber_of_bursts\tnumber_of_bytes_sent\tsum\n1.1.1\t41\t30720\t30720\n1.2.1\t41\t"
	if status != command.StatusDone || !strings.HasPrefix(out, want) {
		t.Errorf("status %d, %q:\n%s\nwant\n%s", status, problems, out, want)
	}
	// No burst is as long: they have no mean.
	out, _, _ = runStat(t, "--format", "json", "tr05_ring.prv", "--analyze", "Average Burst", "--bursts", "1e6:1e9")
	if want := `{"object": "1.1.1", "average_burst": null}`; !strings.Contains(out, want) {
		t.Errorf("there is no %s in %s", want, out)
	}
	all, _, _ := runStat(t, "tr05_ring.prv", "--thread", "Useful", "--analyze", "all", "--from", "0", "--to", "50%")
	for _, want := range []string{"Useful, 0 .. 64.613 us\n", "Average Burst (us)", "Minimum Semantic Value"} {
		if !strings.Contains(all, want) {
			t.Errorf("there is no %q in\n%s", want, all)
		}
	}
}

// mixedLevels writes a configuration whose window of CPUs is derived from threads. The fault names file and line.
func mixedLevels(t *testing.T) (path, fault string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(clitest.Kit, "cfgs", "derived_add.cfg"))
	if err != nil {
		t.Fatal(err)
	}
	const level = "window_level thread"
	at := bytes.LastIndex(text, []byte(level))
	path = filepath.Join(t.TempDir(), "mixed.cfg")
	if err := os.WriteFile(path, slices.Concat(text[:at], []byte("window_level cpu"), text[at+len(level):]),
		0o600); err != nil {
		t.Fatal(err)
	}
	line := 1 + bytes.Count(text[:at], []byte("\n"))
	return path, fmt.Sprintf(`%s:%d: window "add": a window at level cpu cannot be derived from "A" at level thread`,
		path, line)
}

// TestStatErrors: an error is one line, with the status that programs expect.
func TestStatErrors(t *testing.T) {
	dir := t.TempDir()
	bad := filepath.Join(dir, "bad.cfg")
	text, err := os.ReadFile(filepath.Join(clitest.Kit, "cfgs", "state_useful.cfg"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(bad, bytes.Replace(text, []byte("{thread, Useful}"), []byte("{thread, Useless}"), 1),
		0o644); err != nil {
		t.Fatal(err)
	}
	mixed, fault := mixedLevels(t)
	for _, c := range []struct {
		args   string
		status int
		want   string
	}{
		{"", command.StatusUsage, "stat needs TRACE"},
		{"tr04_hybrid.prv " + mixed, command.StatusFailed, fault},
		{"tr01_states.prv none/none.cfg", command.StatusFailed, "none/none.cfg: no such file or directory"},
		{"tr01_states.prv " + bad, command.StatusFailed,
			bad + `:42: window_selected_functions: pview does not have the thread function "Useless"`},
		{"tr01_states.prv cpu_active_thd.cfg", command.StatusFailed, "the trace has no resource information"},
		{"tr01_states.prv event_last_evt_val.cfg", command.StatusFailed, "the trace has no event of type 60000019"},
		{"tr01_states.prv --level core", command.StatusUsage, `there is no level "core"`},
		{"tr01_states.prv --thread Foo", command.StatusUsage, `there is no thread function "Foo"`},
		{"tr01_states.prv --thread Useful{1}", command.StatusUsage, "Useful takes 0 parameters"},
		{"tr01_states.prv --compose1 Mod{1,2}", command.StatusUsage, `parameter "Divider" of Mod must be one number`},
		{"tr01_states.prv --thread InState{x}", command.StatusUsage, `there is no thread function "InState"`},
		{"tr01_states.prv --stat foo", command.StatusUsage, `there is no statistic "foo"`},
		{"tr01_states.prv --from 99s", command.StatusUsage, "the trace ends at 1 ms"},
		{"tr01_states.prv --from 10% --to 5%", command.StatusUsage, "empty time range from 100 us to 50 us"},
		{"tr01_states.prv --columns 1:2:1", command.StatusUsage, "--columns is for histograms, and needs --stat"},
		{"tr01_states.prv --stat Time --columns 1:2", command.StatusUsage, "must be MIN:MAX:WIDTH"},
		{"tr01_states.prv state_useful.cfg --level task", command.StatusUsage,
			"cannot be combined with a configuration"},
		{"tr01_states.prv --analyze foo", command.StatusUsage, `there is no function "foo"`},
		{"tr01_states.prv --analyze all --bursts 5:1", command.StatusUsage, "must be MIN:MAX"},
		{"tr01_states.prv --analyze all --stat Time", command.StatusUsage, "--stat excludes --analyze and --sum"},
		{"tr01_states.prv --within 1:2", command.StatusUsage, "--within needs --analyze"},
		{"tr01_states.prv --sum foo+1", command.StatusUsage, `--sum: column 1: unknown name "foo"; known: `},
		{"tr01_states.prv --precision -1", command.StatusUsage, "--precision must be from 0 to 100"},
		{"tr01_states.prv --event-type 777", command.StatusNothing, "the trace has no event of type 777"},
	} {
		out, problems, status := runStat(t, strings.Fields(c.args)...)
		if status != c.status || !strings.Contains(problems, c.want) || out != "" ||
			strings.Count(problems, "\n") != 1 {
			t.Errorf("stat %s: status %d, %q on standard error, want %d, %q", c.args, status, problems, c.status,
				c.want)
		}
	}
	if _, problems, status := runStat(t, "tr01_states.prv", "event_last_evt_val.cfg",
		"--any-types"); status != command.StatusDone || problems == "" {
		t.Errorf("--any-types: status %d, %q", status, problems)
	}
}
