package studycmd_test

import (
	"bytes"
	"context"
	"encoding/json"
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
			found = found || r["from"] == "start" && r["mapping"] == best["mapping"] &&
				r["total_ns"] == best["total_ns"]
		}
		if !found {
			t.Errorf("%s does not give the mapping %v", file, best["mapping"])
		}
	}
}

// TestMapGolden: puppet.md, checks 21 and 22: of all mappings of four processes to two processors, 50 us is the best,
// 100 us the worst; that of all on one processor beats one that separates partners.
func TestMapGolden(t *testing.T) {
	const dir = "../../testdata/puppet/"
	rows := rankMappings(t, dir+"R3-0000.log", "--machine", dir+"R3-0000.model", "--search", "all", "--top", "0")
	if first, last := rows[0], rows[len(rows)-1]; first["total_ns"] != 50000.0 || first["mapping"] != "0 1 1 0" ||
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
		totals[r["mapping"]] = r["total_ns"]
	}
	if totals["0 0 1 1"] != 40000.0 || totals["0 0 0 0"] != 80000.0 || totals["0 1 0 1"] != 480000.0 {
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
