package studycmd_test

import (
	"html"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pview/cli/clitest"
	"pview/cli/command"
)

// TestStudyPages: every kind of study writes a self-contained page: the answer as printed, whatever the format, with
// responses, factors, settings, runs and plots.
func TestStudyPages(t *testing.T) {
	path, dir := studyProgram(t), t.TempDir()
	pings, store := filepath.Join(dir, "pings.txt"), filepath.Join(dir, "runs")
	// 10 us + size / (100 bytes/us)
	if err := os.WriteFile(pings, []byte("1000 20us\n2000 30us\n4000 50us\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	simulated := []string{"<h2>Responses</h2>", "<h2>Meaning of the responses</h2>", "<h2>Factors</h2>",
		"<h2>Plots</h2>", "<td>latency</td>"}
	for _, c := range []struct {
		args string
		want []string
	}{
		{"montecarlo " + path +
			" --machine ethernet-1g --random latency=uniform(1us,2s) --random buses=1,2 --runs 12 --limit total=5s " +
			"--store " + store,
			append(simulated, "<h2>Machine, as it differs from ideal</h2>", "<td>--random</td><td>buses=1,2</td>",
				"12 runs, seed 1", "<summary>12 runs</summary>", "Influence on total",
				"<td>--limit</td><td>total=5s</td>", "<h2>Runs</h2>")},
		{"show " + store, append(simulated, "montecarlo", "Influence on total")},
		{"sweep " + path + " --vary latency=1ms,1s --vary policy=FIFO,RR",
			append(simulated, "<td>policy</td>", "<td>FIFO, RR</td>", `<td class="n">1 ms</td><td class="n">1 s</td>`)},
		{"sensitivity " + path + " --machine ethernet-1g --vary latency --vary bandwidth", simulated},
		{"sensitivity " + path + " --random latency=uniform(1us,2s) --runs 8", append(simulated, "First order")},
		{"modules " + path + " --blocks 40 --factor 4", []string{"If one block computed 4 times as fast:"}},
		{"fit " + path + "=4s --random latency=uniform(1us,2s) --runs 8 --rounds 0", append(simulated, "best fit:")},
		{"improve " + path + " --search latency=1s+-0.5s,1us..2s --target total=min --boxes 3 --points 4",
			append(simulated, "Direction", "<td>total</td><td>Predicted run time</td>")},
		{"robust " + path + " --candidate A:latency=uniform(1us,2s) --candidate B:latency=uniform(1us,1s) --runs 4",
			append(simulated, "Mean + 2 SD")},
		{"stability 10/9.0 31/9.36", []string{"<td>argument</td><td>31/9.36</td>",
			"Spread: 210 % of the elapsed times"}},
		{"share FFT=9.16/34.57 IS=20.8/23.3", []string{"<td>Unfairness</td>", `<th class="n">Alone (s)</th>`,
			"<h2>Plots</h2>"}},
		{"fit-network " + pings, []string{"As a machine: --set latency=10us --set bandwidth=",
			"<td>Latency</td><td>10 us</td>",
			"<h2>Plots</h2>"}},
		{"map " + path + " --search none --machine ethernet-1g",
			[]string{"<h1>Study of p.dim: map</h1>", "The best: --placement [", "<td>[", "Nodes busy",
				"<h2>Responses</h2>"}},
	} {
		kind := strings.Fields(c.args)[0]
		file := filepath.Join(dir, "page.html")
		args := append(append([]string{"study"}, strings.Fields(c.args)...), "--html", file)
		said, problems, status := clitest.Run(t, args...)
		if status != command.StatusDone {
			t.Error(c.args, status, problems)
			continue
		}
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		page := html.UnescapeString(string(data))
		for _, want := range c.want {
			if !strings.Contains(page, want) {
				t.Errorf("%s: no %q", c.args, want)
			}
		}
		if first := strings.TrimSpace(strings.SplitN(said, "\n", 2)[0]); kind != "share" && kind != "fit-network" &&
			kind != "fit" && !strings.Contains(page, "<p>"+first+"</p>") {
			t.Errorf("%s: the page does not say %q", kind, first)
		}
		if strings.Contains(page, "<h2>Plots</h2>") && !strings.Contains(clitest.SVGIn(t, page), "<svg") {
			t.Errorf("%s: no picture", kind)
		}
		if strings.Contains(page, `="http`) || strings.Contains(page, "<td>--html</td>") {
			t.Errorf("%s: the page loads something from elsewhere, or names itself", kind)
		}
	}
}

// TestStudyPageFormats: the page is the same, whatever format is printed.
func TestStudyPageFormats(t *testing.T) {
	path, dir := studyProgram(t), t.TempDir()
	var first string
	for _, format := range []string{"table", "json", "csv"} {
		file := filepath.Join(dir, format+".html")
		if _, problems, status := clitest.Run(t, "study", "sweep", path, "--vary", "latency=1ms,1s", "--format", format,
			"--html", file); status != command.StatusDone {
			t.Fatal(problems)
		}
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if first == "" {
			first = string(data)
		}
		if string(data) != first {
			t.Error(format, "has another page")
		}
	}
}
