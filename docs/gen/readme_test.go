package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"pview/cli"
	"pview/cli/command"
	"pview/docs/tour"
)

// The links of README.md exist, its commands run on the demo trace, and its story has the figures that they print.
func TestReadmeIsTrue(t *testing.T) {
	page, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	text := string(page)
	for _, m := range regexp.MustCompile(`\]\(([^)]+)\)`).FindAllStringSubmatch(text, -1) {
		if _, err := os.Stat(filepath.Join("../..", m[1])); err != nil && !strings.Contains(m[1], "://") {
			t.Error(err)
		}
	}
	t.Chdir("../..")
	repaired := filepath.Join(t.TempDir(), "repaired.prv")
	run := func(want ...string) {
		t.Helper()
		call := "pview " + strings.Join(want[:1], "")
		if !strings.Contains(text, call) {
			t.Errorf("README.md has no %s", call)
		}
		var out bytes.Buffer
		args := append(strings.Fields(strings.ReplaceAll(want[0], "repaired.prv", repaired)), "--no-index")
		if status := cli.Run(t.Context(), args, command.Streams{Out: &out,
			Err: os.Stderr}); status != command.StatusDone {
			t.Fatalf("%s: status %d", call, status)
		}
		for _, figure := range want[1:] {
			if !strings.Contains(out.String(), figure) || !strings.Contains(text, figure) {
				t.Errorf("%s: %s is not in README.md, or not in\n%s", call, figure, out.String())
			}
		}
	}
	run("diagnose prv/demo/demo.prv.gz", "1.706 s", "51.1 %", "23.0 %", "392.7 ms", "update_cells._omp_fn.0")
	run("diagnose prv/demo/demo.prv.gz --repair "+tour.Repair+" -o repaired.prv", "1.313 s instead of 1.706 s")
	run("compare prv/demo/demo.prv.gz repaired.prv", "23.0 % less time", "66.4 %")
}
