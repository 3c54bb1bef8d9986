package studycmd_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pview/cli"
	"pview/cli/clitest"
	"pview/cli/command"
)

// rankMappings runs pview study map and returns its rows.
func rankMappings(t *testing.T, args ...string) (rows []map[string]any) {
	t.Helper()
	var out, problems bytes.Buffer
	if status := cli.Run(context.Background(), append([]string{"study", "map", "--format", "json"}, args...),
		command.Streams{In: nil, Out: &out, Err: &problems}); status != command.StatusDone {
		t.Fatalf("%v: %s", args, problems.String())
	}
	if err := json.Unmarshal(out.Bytes(), &rows); err != nil {
		t.Fatalf("%v: %s", err, out.String())
	}
	return rows
}

// TestMap: heat2d is a grid of 2 x 4 tasks. On a mesh of 2 x 4 the search finds, from random starts, a mapping that is
// faster than tasks in order, with fewer hops; the launcher files of the best give the same mapping when they are read
// back.
func TestMap(t *testing.T) {
	dir := t.TempDir()
	heat := []string{"../../testdata/traces/heat2d_8/heat2d_8.prv.gz", "--no-index", "--set",
		"network=direct-contention",
		"--set", "topology=mesh 2 4", "--set", "link-bandwidth=100MB/s",
		"--set", "link-startup=1us"}
	args := heat
	var files []string
	for _, ext := range []string{".rankfile", ".hostfile", ".order", ".map"} {
		files = append(files, filepath.Join(dir, "best"+ext))
		args = append(args, "--write", files[len(files)-1])
	}
	best := rankMappings(t, args...)[0]
	byRule := rankMappings(t, append(heat, "--search", "none")...)
	for _, r := range byRule {
		if r["from"] == "machine" && (best["total_ns"].(float64) >= r["total_ns"].(float64) ||
			best["hops"].(float64) >= r["hops"].(float64)) {
			t.Errorf("the best, %v, is not better than tasks in order, %v", best, r)
		}
	}
	for _, file := range files {
		found := false
		for _, r := range rankMappings(t, append(heat, "--search", "none", "--start", file)...) {
			found = found || r["from"] == "start" && r["placement"] == best["placement"] &&
				r["total_ns"] == best["total_ns"]
		}
		if !found {
			t.Errorf("%s does not give the mapping %v", file, best["placement"])
		}
	}
}

// TestMapNumbers: four tasks of two applications compute 400, 100, 300 and 200 ns. On two nodes with a CPU each, the
// best has an application on each, 500 ns. Each row takes as long in sim with the row's placement.
func TestMapNumbers(t *testing.T) {
	dir := t.TempDir()
	trace, list := filepath.Join(dir, "two.prv"), filepath.Join(dir, "best.map")
	text := "#Paraver (01/01/2020 at 00:00):400_ns:1(4):2:2(1:1,1:1):2(1:1,1:1)\n" +
		"1:1:1:1:1:0:400:1\n1:2:1:2:1:0:100:1\n1:3:2:1:1:0:300:1\n1:4:2:2:1:0:200:1\n"
	if err := os.WriteFile(trace, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	study := []string{trace, "--no-index", "--search", "all", "--top", "0", "--set", "cpus=1"}
	rows := rankMappings(t, append(study, "--write", list)...)
	if rows[0]["placement"] != "[1,1][2,2]" || rows[0]["total_ns"] != 500.0 {
		t.Errorf("the best: %v", rows[0])
	}
	// Its nodes compute all the time. With 4 CPUs each, the best mapping has all tasks on one node, which computes 1000
	// ns on 4 CPUs in 400 ns.
	four := rankMappings(t, append(study, "--set", "cpus=4")...)
	for i, r := range []map[string]any{rows[0], four[0]} {
		for _, share := range []string{"utilisation", "highest", "lowest"} {
			if want := []float64{1, 0.625}[i]; r[share] != want {
				t.Errorf("%s: %v, not %g", share, r[share], want)
			}
		}
	}
	full, problems, _ := clitest.Run(t, "sim", trace, "--no-index", "--cpus", "4", "--placement", "[1,1][1,1]",
		"--format", "json")
	if !strings.Contains(full, "\"busy_ns\": 1000,\n      \"utilisation\": 0.625\n") {
		t.Errorf("sim on 4 CPUs: %s%s", full, problems)
	}
	// With code four times as fast the nodes compute all the time, not 400 % of it.
	events := "2:1:1:1:1:0:60000019:1\n2:1:1:1:1:400:60000019:0\n2:3:2:1:1:0:60000019:1\n2:3:2:1:1:300:60000019:0\n" +
		"2:2:1:2:1:0:60000019:1\n2:2:1:2:1:100:60000019:0\n2:4:2:2:1:0:60000019:1\n2:4:2:2:1:200:60000019:0\n"
	if err := os.WriteFile(trace, []byte(text+events), 0o666); err != nil {
		t.Fatal(err)
	}
	fast := rankMappings(t, append(study, "--set", "module=60000019:1=4")...)
	if r := fast[0]; r["total_ns"] != 125.0 || r["utilisation"] != 1.0 || r["lowest"] != 1.0 || r["speedup"] != 2.0 {
		t.Errorf("with a module: %v", r)
	}
	if err := os.WriteFile(trace, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	if at, err := os.ReadFile(list); err != nil || string(at) != "0\n0\n1\n1\n" {
		t.Errorf("%s, %v", at, err)
	}
	for _, r := range rows {
		place := r["placement"].(string)
		text, problems, _ := clitest.Run(t, "sim", trace, "--no-index", "--cpus", "1", "--placement", place, "--format",
			"json")
		if !strings.Contains(text, fmt.Sprintf(`"total_ns": %.0f,`, r["total_ns"])) {
			t.Errorf("%s takes %v ns, but in sim: %s%s", place, r["total_ns"], text, problems)
		}
	}
	_, problems, status := clitest.Run(t, append(append([]string{"study", "map"}, study...), "--write",
		filepath.Join(dir, "best.rankfile"))...)
	if status == command.StatusDone || !strings.Contains(problems, "one application, the trace has 2") {
		t.Errorf("a launcher's file for two applications: %s", problems)
	}
}

// TestFewerNodes: two tasks compute 400 and 100 ns and 1.1 sends 1000 bytes to 1.2 at its end, which takes 1 ns a byte
// between nodes: 1400 ns on 2 nodes. A class of machines has the number of nodes that is set: on one node, the tasks
// take 400 ns with a CPU each, and 500 ns if the number of CPUs is set to one, too. Commands sim and study always had 2
// nodes.
func TestFewerNodes(t *testing.T) {
	trace := filepath.Join(t.TempDir(), "two.prv")
	text := "#Paraver (01/01/2020 at 00:00):500_ns:1(2):1:2(1:1,1:1)\n" +
		"1:1:1:1:1:0:400:1\n1:1:1:1:1:400:500:4\n1:2:1:2:1:0:100:1\n1:2:1:2:1:100:500:3\n" +
		"3:1:1:1:1:400:400:2:1:2:1:100:500:1000:1\n"
	if err := os.WriteFile(trace, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	common := []string{trace, "--no-index", "--format", "json"}
	for set, want := range map[string]float64{"nodes=2": 1400, "nodes=1": 400, "nodes=1 cpus=1": 500} {
		studied, simulated := []string{"study", "sweep", "--vary", "latency=0,0"}, []string{"sim"}
		studied, simulated = append(studied, common...), append(simulated, common...)
		for _, one := range strings.Fields(set + " bandwidth=954MB/s") {
			name, value, _ := strings.Cut(one, "=")
			studied, simulated = append(studied, "--set", one), append(simulated, "--"+name, value)
		}
		out, problems, _ := clitest.Run(t, simulated...)
		var r struct {
			Total float64 `json:"total_ns"`
		}
		if err := json.Unmarshal([]byte(out), &r); err != nil {
			t.Fatalf("%v: %s%s", err, out, problems)
		}
		again, problems, _ := clitest.Run(t, studied...)
		if r.Total != want || !strings.Contains(again, fmt.Sprintf(": %.0f,", want)) {
			t.Errorf("%s: %g ns, not %g; in a study: %s%s", set, r.Total, want, again, problems)
		}
	}
}

// TestMapGolden: puppet.md, checks 21 and 22: of all mappings of four processes to two processors the best takes 50 us,
// the worst 100 us; all on one processor beats a mapping that separates partners.
func TestMapGolden(t *testing.T) {
	const dir = "../../testdata/puppet/"
	rows := rankMappings(t, dir+"R3-0000.log", "--machine", dir+"R3-0000.model", "--search", "all", "--top", "0")
	if first, last := rows[0], rows[len(rows)-1]; first["total_ns"] != 50000.0 || first["placement"] != "[1,2,2,1]" ||
		last["total_ns"] != 100000.0 {
		t.Errorf("%v ... %v", first, last)
	}
	// The placement, with nodes from 1, is one that sim takes.
	text, _, _ := clitest.Run(t, "study", "map", dir+"R3-0000.log", "--machine", dir+"R3-0000.model", "--search", "all")
	same, _, _ := clitest.Run(t, "sim", dir+"R3-0000.log", "--machine", dir+"R3-0000.model", "--placement", "[1,2,2,1]")
	if !strings.Contains(text, "The best: --placement [1,2,2,1]\n") || !strings.Contains(same, "50,000 ns") {
		t.Errorf("%s\n%s", text, same)
	}
	totals := map[any]any{}
	for _, r := range rankMappings(t, dir+"R2-0000.log", "--machine", dir+"R2-0000.model", "--search", "all", "--top",
		"0") {
		totals[r["placement"]] = r["total_ns"]
	}
	if totals["[1,1,2,2]"] != 40000.0 || totals["[1,1,1,1]"] != 80000.0 || totals["[1,2,1,2]"] != 480000.0 {
		t.Errorf("%v", totals)
	}
	for _, c := range []struct {
		args []string
		why  string
	}{
		{[]string{"--search", "luck"}, "--search must be"},
		{[]string{"--start", "nowhere"}, "--start must be"},
		{[]string{"--search", "balance", "--rule-of-moves", "worst"}, "--rule-of-moves must be"},
		{[]string{"--write", "x.txt"}, "its name must end in"},
		{[]string{"--set", "topology=klein 4"}, "no topology"},
	} {
		var out, problems bytes.Buffer
		status := cli.Run(context.Background(), append([]string{"study", "map", dir + "R3-0000.log", "--machine",
			dir + "R3-0000.model"}, c.args...), command.Streams{In: nil, Out: &out, Err: &problems})
		if status == command.StatusDone || !strings.Contains(problems.String(), c.why) {
			t.Errorf("%v: status %d, %s", c.args, status, problems.String())
		}
	}
}

// If all nodes are equally far apart no mapping is better than another.
func TestEqualMappings(t *testing.T) {
	out, problems, status := clitest.Run(t, "study", "map", "../../testdata/traces/heat2d_8/heat2d_8.prv.gz",
		"--no-index", "--search", "none", "--set", "latency=1us")
	if status != command.StatusDone || !strings.Contains(out, " mappings: the run takes ") ||
		strings.Contains(out, "times as long") {
		t.Errorf("status %d: %s%s", status, problems, out)
	}
}
