package tracecmd_test

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"pview/cli"
	"pview/cli/clitest"
	"pview/cli/command"
	"pview/prv/prvtest"
)

// facts are the counts that an independent program found in a trace: by kind ("state",
// "event", "messages") and number.
type facts map[[2]string]fact

type fact struct {
	label        string
	count, total int64
	distinct     int64
}

func readFacts(t *testing.T, file string) facts {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	r := csv.NewReader(f)
	r.Comma, r.LazyQuotes = '\t', true
	rows, err := r.ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	all := facts{}
	number := func(s string) int64 {
		n, _ := strconv.ParseInt(s, 10, 64)
		return n
	}
	for _, row := range rows[1:] {
		all[[2]string{row[0], row[1]}] = fact{row[2], number(row[3]), number(row[4]), number(row[5])}
	}
	return all
}

// tracesWithFacts returns the traces that have a facts.tsv beside them: those of testdata, and the shared ones if
// present.
func tracesWithFacts(t *testing.T) []string {
	t.Helper()
	found, err := filepath.Glob("../../testdata/traces/*/facts.tsv")
	if err != nil || len(found) < 3 {
		t.Fatalf("testdata has %v, %v", found, err)
	}
	more, _ := filepath.Glob(filepath.Join(prvtest.SharedDir(), "traces/*/facts.tsv"))
	return append(found, more...)
}

// info gives the counts of an independent program, by state and by event type.
func TestInfoAgreesWithFacts(t *testing.T) {
	for _, file := range tracesWithFacts(t) {
		dir := filepath.Dir(file)
		traces := prvtest.Traces(dir)
		if len(traces) == 0 {
			t.Fatalf("%s has no trace", dir)
		}
		t.Run(filepath.Base(traces[0]), func(t *testing.T) {
			want := readFacts(t, file)
			var out, stderr bytes.Buffer
			if status := cli.Run(t.Context(), []string{"info", "--no-index", "--format", "json", traces[0]},
				command.Streams{Out: &out, Err: &stderr}); status != command.StatusDone {
				t.Fatalf("status %d, %s", status, &stderr)
			}
			if want := prvtest.Doubts(t, traces[0], traces[0]); stderr.String() != want {
				t.Errorf("info says %q, want %q", stderr.String(), want)
			}
			got := factsOfInfo(t, out.Bytes())
			for key, w := range want {
				if key[0] == "messages" {
					w.label = ""
				}
				if got[key] != w {
					t.Errorf("%s %s: %+v, want %+v", key[0], key[1], got[key], w)
				}
				delete(got, key)
			}
			for key, g := range got {
				t.Errorf("%s %s: %+v, which is not in the facts", key[0], key[1], g)
			}
		})
	}
}

// factsOfInfo reads the answer of info, and checks its sums.
func factsOfInfo(t *testing.T, answer []byte) facts {
	t.Helper()
	var info struct {
		States, Events, Communications, Bytes int64
		StateValues                           []struct {
			Value, Count, Total int64
			Label               string
		} `json:"state_values"`
		EventTypes []struct {
			Type, Count, Distinct int64
			Label                 string
		} `json:"event_types"`
	}
	if err := json.Unmarshal(answer, &info); err != nil {
		t.Fatal(err)
	}
	all := facts{{"messages", "-"}: {"", info.Communications, info.Bytes, 0}}
	for _, s := range info.StateValues {
		all[[2]string{"state", strconv.FormatInt(s.Value, 10)}] = fact{s.Label, s.Count, s.Total, 0}
		info.States -= s.Count
	}
	for _, e := range info.EventTypes {
		all[[2]string{"event", strconv.FormatInt(e.Type, 10)}] = fact{e.Label, e.Count, 0, e.Distinct}
		info.Events -= e.Count
	}
	if info.States != 0 || info.Events != 0 {
		t.Errorf("the totals differ from the sums by %d states and %d events", info.States, info.Events)
	}
	return all
}

// The keys that programs may rely on; more may be added, none renamed.
func TestInfoKeys(t *testing.T) {
	const trace = "../../testdata/traces/twoapps_4_4/twoapps_4_4.prv"
	keys :=
		"duration unit nodes cpus ptasks tasks threads communicators states event_lines events communications " +
			"skipped event_types"
	var out bytes.Buffer
	if status := cli.Run(t.Context(), []string{"info", "--format", "json", trace},
		command.Streams{Out: &out, Err: os.Stderr}); status != command.StatusDone {
		t.Fatal(status)
	}
	var info map[string]any
	if err := json.Unmarshal(out.Bytes(), &info); err != nil {
		t.Fatal(err)
	}
	for key := range strings.FieldsSeq(keys) {
		if _, ok := info[key]; !ok {
			t.Errorf("json has no key %q", key)
		}
	}
	for key, want := range map[string]any{"unit": "ns", "ptasks": 2.0, "tasks": 8.0, "threads": 8.0,
		"communicators": 18.0, "states": 987.0, "event_lines": 1839.0, "events": 5273.0, "communications": 123.0} {
		if info[key] != want {
			t.Errorf("%s is %v, want %v", key, info[key], want)
		}
	}
	out.Reset()
	cli.Run(t.Context(), []string{"info", "--format", "tsv", trace}, command.Streams{Out: &out, Err: os.Stderr})
	for key := range strings.FieldsSeq(keys) {
		if !strings.Contains(out.String(), "\n"+key+"\t") {
			t.Errorf("tsv has no line %q", key)
		}
	}
	if !strings.HasPrefix(out.String(), "key\tvalue\tlabel\tcount\ttotal\tdistinct\n") {
		t.Errorf("tsv begins with %.60q", out.String())
	}
}

// Output for people has units and separators, and names instead of numbers.
func TestInfoForPeople(t *testing.T) {
	var out bytes.Buffer
	cli.Run(t.Context(), []string{"info", "../../testdata/traces/heat2d_8/heat2d_8.prv.gz"},
		command.Streams{Out: &out, Err: os.Stderr})
	for _, want := range []string{
		"  Duration        157.7 ms (157,717,028 ns)\n",
		"  Resources       2 nodes, 8 CPUs\n",
		"  Processes       1 ptask, 8 tasks, 8 threads, 9 communicators\n",
		"  Events          71,268 on 14,994 lines\n",
		"  Communications  1,200 messages, 2.949 MB\n",
		"  Skipped         none\n",
		"  State                       Records  Time (ms)   Share\n      1  Running                3,048    290.281  " +
			"23.0 %\n",
		"    50000001  MPI Point-to-point                                        5,760       4\n",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("there is no\n%s", want)
		}
	}
	if strings.Contains(out.String(), "\x1b") {
		t.Error("there are escape sequences although it is no terminal")
	}
}

// A run that takes no time is reported as such, not by two zeros.
func TestInfoOfNothing(t *testing.T) {
	path := filepath.Join(t.TempDir(), "nothing.prv")
	if err := os.WriteFile(path, []byte("#Paraver (22/11/2026 at 10:00):0_ns:1(2):1:2(1:1,1:1)\n"+
		"1:1:1:1:1:0:0:1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	out, _, _ := clitest.Run(t, "info", path)
	if !strings.Contains(out, "  Duration        0 ns: the run takes no time, so states have no shares of it\n") {
		t.Error(out)
	}
}

// All remarks on a trace are printed, not only the first, which comes on stderr.
func TestInfoRemarks(t *testing.T) {
	for format, want := range map[string]string{
		"table": "  Remark          Nsight Systems 2027.1.1.1, schema 4.0.0\n" +
			"  Remark          schema 4.0.0 is newer than the tested ones (3.x)\n",
		"tsv": "notes\t\t../../prv/nsight/testdata/n05-nvtx.sqlite: schema 4.0.0 is newer than the tested ones (3.x)\t",
	} {
		var out, err bytes.Buffer
		cli.Run(t.Context(), []string{"info", "--format", format, "../../prv/nsight/testdata/n05-nvtx.sqlite"},
			command.Streams{Out: &out, Err: &err})
		if !strings.Contains(out.String(), want) || !strings.Contains(err.String(), "remark") {
			t.Errorf("%s has no\n%s\n%s", format, want, out.String())
		}
	}
}
