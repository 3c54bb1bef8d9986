package tracecmd_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"pview/cli"
	"pview/cli/clitest"
	"pview/cli/command"
)

// TestOracle asks the command every question of the kit, and compares the answer with the tool's to the last digit. If
// the two builds of the tool differ, the parallel one's answer counts.
func TestOracle(t *testing.T) {
	index, err := os.ReadFile(filepath.Join(clitest.Kit, "index.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	pairs := strings.Split(strings.TrimSpace(string(index)), "\n")[1:]
	if len(pairs) != 416 {
		t.Errorf("the kit has %d pairs", len(pairs))
	}
	for _, line := range pairs {
		f := strings.Split(line, "\t")
		cfg, trace, what := f[0], f[1], f[4]
		t.Run(cfg+"__"+trace, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(clitest.Kit, "traces", strings.TrimSuffix(trace, "_gz")+".prv")
			if trace == "tr03_comms_gz" {
				path = filepath.Join(clitest.Kit, "traces", trace+".prv.gz")
			}
			question := filepath.Join(clitest.Kit, "cfgs", cfg+".cfg")
			var out, problems bytes.Buffer
			if status := cli.Run(context.Background(), []string{"stat", "--format", "tsv", path, question},
				command.Streams{In: nil, Out: &out, Err: &problems}); status != command.StatusDone {
				t.Fatalf("status %d: %s", status, problems.String())
			}
			same(t, what, answerOf(t, cfg+"__"+trace), out.String(), namesAreWrong(t, question))
		})
	}
}

// answerOf returns the output of the tool for a pair.
func answerOf(t *testing.T, pair string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(clitest.Kit, "results_parallel_build", pair+".tsv"))
	if err != nil {
		text, err = os.ReadFile(filepath.Join(clitest.Kit, "results", pair+".tsv"))
	}
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// namesAreWrong reports whether the tool misnames the objects of a timeline: CPUs and nodes are one too low.
func namesAreWrong(t *testing.T, question string) bool {
	t.Helper()
	text, err := os.ReadFile(question)
	if err != nil {
		t.Fatal(err)
	}
	levels := regexp.MustCompile(`(?m)^window_level (\w+)`).FindAllStringSubmatch(string(text), -1)
	level := levels[len(levels)-1][1]
	return !bytes.Contains(text, []byte("ANALYZER2D")) && (level == "cpu" || level == "node")
}

// same compares answers line by line.
func same(t *testing.T, what, want, got string, withoutNames bool) {
	t.Helper()
	w, g := strings.Split(strings.TrimRight(want, "\n"), "\n"), strings.Split(strings.TrimRight(got, "\n"), "\n")
	bad := 0
	for i := range max(len(w), len(g)) {
		var x, y string
		if i < len(w) {
			x = w[i]
		}
		if i < len(g) {
			y = g[i]
		}
		if withoutNames {
			_, x, _ = strings.Cut(x, "\t")
			_, y, _ = strings.Cut(y, "\t")
		}
		if x != y {
			if bad++; bad == 1 {
				t.Errorf("%s: line %d of %d (%d wanted):\n got %q\nwant %q", what, i+1, len(g), len(w), y, x)
			}
		}
	}
	if bad > 1 {
		t.Errorf("... and %d lines more", bad-1)
	}
}
