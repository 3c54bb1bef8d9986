package tracecmd_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pview/cli/clitest"
	"pview/cli/command"
)

// Two tasks in microseconds: 1.1.1 sends 64 bytes at 30, 1.2.1 has them at 50.
const whatTrace = `#Paraver (22/11/2026 at 10:00):100:2(1,1):1:2(1:1,1:2)
1:1:1:1:1:0:60:1
1:1:1:1:1:60:100:3
2:1:1:1:1:10:50000001:2
2:1:1:1:1:40:50000001:0:40:7
1:2:1:2:1:0:100:1
3:1:1:1:1:30:31:2:1:2:1:50:45:64:9
`

const whatLabels = `STATES
0    Idle
1    Running
3    Waiting a message

EVENT_TYPE
9    50000001    MPI Point-to-point
VALUES
2    MPI_Send
0    Outside MPI
`

func whatFile(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "pair.prv")
	for name, text := range map[string]string{path: whatTrace, strings.TrimSuffix(path, "prv") + "pcf": whatLabels} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return path
}

// TestWhat: at 35 us thread 1.1.1 runs, has sent its message, and will be in MPI_Send until 40.
func TestWhat(t *testing.T) {
	path := whatFile(t)
	for _, test := range []struct {
		args []string
		want string // rows without the heading
	}{
		{[]string{"--at", "35us", "--object", "1.1.1"}, `
0	1.1.1	state	Running	1		60000			
10000	1.1.1	event	MPI Point-to-point: MPI_Send	2	50000001				
30000	1.1.1	send	to THREAD 1.2.1	64			1.2.1	50000	9
40000	1.1.1	event	MPI Point-to-point: Outside MPI	0	50000001				
40000	1.1.1	event	type 40: 7	7	40				
60000	1.1.1	state	Waiting a message	3		100000			
`},
		{[]string{"--at", "35", "--object", "1.1.1", "-n", "1"}, `
0	1.1.1	state	Running	1		60000			
30000	1.1.1	send	to THREAD 1.2.1	64			1.2.1	50000	9
40000	1.1.1	event	MPI Point-to-point: Outside MPI	0	50000001				
`},
		{[]string{"--at", "50%", "--object", "2", "--level", "node", "--kinds", "receive"}, `
50000	1.2.1	receive	from THREAD 1.1.1	64			1.1.1	30000	9
`},
		{[]string{"--at", "0", "--kinds", "event", "--event-type", "mpi point-to-point", "--event-value", "2"}, `
10000	1.1.1	event	MPI Point-to-point: MPI_Send	2	50000001				
`},
	} {
		out, problems, status := clitest.Run(t, append([]string{"what", path, "--no-index", "--format", "tsv"},
			test.args...)...)
		_, rows, _ := strings.Cut(out, "\n")
		if status != command.StatusDone || "\n"+rows != test.want {
			t.Errorf("%v: status %d, %s\n%s\nwant%s", test.args, status, problems, rows, test.want)
		}
	}
	out, _, _ := clitest.Run(t, "what", path, "--no-index", "--at", "35", "--object", "THREAD 1.1.1", "--raw", "-n",
		"1")
	if want := "1:1:1:1:1:0:60:1\n3:1:1:1:1:30:31:2:1:2:1:50:45:64:9\n2:1:1:1:1:40:50000001:0:40:7\n"; out != want {
		t.Errorf("raw: %s, want %s", out, want)
	}
	out, _, _ = clitest.Run(t, "what", path, "--no-index", "--at", "35", "--object", "1.2", "--format", "json")
	var list []struct {
		Time    int64 `json:"time_ns"`
		Kind    string
		Until   *int64 `json:"until_ns"`
		Partner *string
	}
	if err := json.Unmarshal([]byte(out), &list); err != nil || len(list) != 2 || list[0].Kind != "state" ||
		*list[0].Until != 100_000 || *list[1].Partner != "1.1.1" {
		t.Errorf("%v in %s", err, out)
	}
	out, _, _ = clitest.Run(t, "what", path, "--no-index", "--at", "35", "--object", "1.1.1")
	for _, want := range []string{"THREAD 1.1.1 at 35 us\n",
		">  30 us  send    to THREAD 1.2.1, 64 bytes, tag 9             50 us\n"} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
}

func TestWhatTroubles(t *testing.T) {
	path := whatFile(t)
	for _, test := range []struct {
		args   []string
		status int
		says   string
	}{
		{[]string{"--at", "35", "--kinds", "send", "--object", "1.2.1"}, command.StatusNothing,
			"no such records at 35 us of THREAD 1.2.1"},
		{nil, command.StatusUsage, "what needs --at TIME"},
		{[]string{"--at", "soon"}, command.StatusUsage, `--at soon: "soon" is not a time`},
		{[]string{"--at", "1s"}, command.StatusUsage, "the trace ends at 100 us"},
		{[]string{"--at", "0", "--object", "1.3.1"}, command.StatusUsage,
			`no thread "1.3.1": they are THREAD 1.1.1 to THREAD 1.2.1`},
		{[]string{"--at", "0", "--level", "rack"}, command.StatusUsage, `there is no level "rack"`},
		{[]string{"--at", "0", "--kinds", "flag"}, command.StatusUsage, `there is no kind "flag"`},
		{[]string{"--at", "0", "--count", "-1"}, command.StatusUsage, "must be from 0 to 1,000,000"},
		{[]string{"--at", "0", "--event-type", "12345"}, command.StatusNothing, "no event of type 12345"},
	} {
		_, problems, status := clitest.Run(t, append([]string{"what", path, "--no-index"}, test.args...)...)
		if status != test.status || !strings.Contains(problems, test.says) {
			t.Errorf("%v: status %d, %q", test.args, status, problems)
		}
	}
}
