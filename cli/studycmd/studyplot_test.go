package studycmd_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pview/cli/clitest"
	"pview/cli/command"
)

// TestStudyPlots: every kind of study draws its outputs, in the format given by the file's suffix.
func TestStudyPlots(t *testing.T) {
	path, dir := studyProgram(t), t.TempDir()
	for _, c := range []struct {
		args string
		want []string
		not  string
	}{
		{"montecarlo --random latency=uniform(1us,2s) --random buses=1,2 --runs 12",
			[]string{">total by latency<", ">total by buses<", ">histogram of total<", ">distribution of total<",
				">running mean of total<", ">influence on total<",
				">best, run", ">worst, run", ">greatest, run"}, ""},
		{"sweep --vary latency=1ms..1s*10 --vary bandwidth=1,10", []string{">total by latency<", ">bandwidth 1 MB/s<",
			">bandwidth 10 MB/s<", ">100 ms<"}, "messages by latency"},
		{"sensitivity --machine ethernet-1g --vary latency --vary bandwidth",
			[]string{">influence on total<", ">latency<", ">bandwidth<"}, ""},
	} {
		kind, rest, _ := strings.Cut(c.args, " ")
		file := filepath.Join(dir, kind+".svg")
		_, problems, status := clitest.Run(t,
			append([]string{"study", kind, path, "--plot", file}, strings.Fields(rest)...)...)
		text, err := os.ReadFile(file)
		if status != command.StatusDone || err != nil {
			t.Fatal(c.args, status, problems, err)
		}
		for _, want := range c.want {
			if !strings.Contains(string(text), want) {
				t.Errorf("%s: no %q", kind, want)
			}
		}
		if c.not != "" && strings.Contains(string(text), c.not) {
			t.Errorf("%s: a plot %q of what is always the same", kind, c.not)
		}
	}
	if _, problems, status := clitest.Run(t, "study", "sweep", path, "--vary", "latency=1us,2us", "--plot",
		"x.gif"); status != command.StatusUsage || !strings.Contains(problems, "must end in one of .svg") {
		t.Error(status, problems)
	}
}
