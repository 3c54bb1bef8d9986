package explaincmd_test

import (
	"encoding/json"
	"html"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"pview/cli/clitest"
	"pview/cli/command"
)

// TestCompare: a measured run against its own prediction. In every format the parts of each kind add up to the
// difference.
func TestCompare(t *testing.T) {
	predicted := filepath.Join(t.TempDir(), "predicted.prv")
	if _, problems, status := clitest.Run(t, "sim", clitest.Heat, "--machine", "ideal", "-o",
		predicted); status != command.StatusDone {
		t.Fatal(problems)
	}
	out, problems, status := clitest.Run(t, "compare", clitest.Heat, predicted, "--format", "json")
	if status != command.StatusDone || problems != "" {
		t.Fatalf("status %d: %s", status, problems)
	}
	var answer struct {
		Difference int64 `json:"difference_ns"`
		A          int64 `json:"a_ns"`
		Headline   string
		Parts      []struct {
			Kind, Name string
			Difference int64 `json:"difference_ns"`
			Share      float64
		}
		Phases []struct{ A, B *struct{ Number int } }
	}
	if err := json.Unmarshal([]byte(out), &answer); err != nil {
		t.Fatal(err)
	}
	sums := map[string]int64{}
	for _, p := range answer.Parts {
		sums[p.Kind] += p.Difference
	}
	for _, kind := range []string{"phase", "category", "call", "function", "wait", "cause", "ranks"} {
		if sums[kind] != answer.Difference || answer.Difference >= 0 {
			t.Errorf("by %s: %d, the difference is %d", kind, sums[kind], answer.Difference)
		}
	}
	if answer.A != 157_717_028 || !strings.HasPrefix(answer.Headline, "B takes ") || len(answer.Phases) < 13 {
		t.Errorf("%+v", answer)
	}
	tsv, _, _ := clitest.Run(t, "compare", clitest.Heat, predicted, "--format", "tsv", "--by", "category")
	var sum int64
	for _, line := range strings.Split(strings.TrimSpace(tsv), "\n")[1:] {
		v, err := strconv.ParseInt(strings.Split(line, "\t")[5], 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		sum += v
	}
	if sum != answer.Difference {
		t.Errorf("tsv adds up to %d", sum)
	}
	text, _, _ := clitest.Run(t, "compare", clitest.Heat, predicted, predicted, "--top", "2")
	for _, want := range []string{answer.Headline, "C takes", "parallel efficiency 23.0 %", " more "} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing in:\n%s", want, text)
		}
	}
}

// TestCompareSeveral: three runs are in one table, whose columns add up to the times of the runs. With different
// numbers of threads the page has the efficiencies as curves.
func TestCompareSeveral(t *testing.T) {
	folder := t.TempDir()
	run := func(name, tasks string) string {
		file := filepath.Join(folder, name)
		if _, problems, status := clitest.Run(t, "synth", "--seed", "1", "--tasks", tasks, "--nodes", "1", "--size",
			"40K", file); status != command.StatusDone {
			t.Fatal(problems)
		}
		return file
	}
	page := filepath.Join(folder, "report.html")
	text, problems, status := clitest.Run(t, "compare", run("a.prv", "2"), run("b.prv", "4"), run("c.prv", "8"), "--by",
		"category", "--html", page)
	if status != command.StatusDone {
		t.Fatal(problems)
	}
	_, text, _ = strings.Cut(text, "Category")
	lines := strings.Split(strings.TrimSpace(text), "\n")
	if !regexp.MustCompile(`^A +B +C +B - A +C - A$`).MatchString(strings.TrimSpace(lines[0])) ||
		!strings.HasPrefix(lines[len(lines)-1], "all ") {
		t.Errorf("table:\n%s", text)
	}
	data, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	if svg := clitest.SVGIn(t, html.UnescapeString(string(data))); !strings.Contains(svg, "load balance") ||
		!strings.Contains(svg, "threads") {
		t.Error("no curves")
	}
}

// TestCompareSame: a run compared with itself lists nothing, unless a kind is requested.
func TestCompareSame(t *testing.T) {
	text, _, _ := clitest.Run(t, "compare", clitest.Heat, clitest.Heat)
	if !strings.Contains(text, "Call: no difference") || strings.Contains(text, "MPI_Waitall") {
		t.Error(text)
	}
	if text, _, _ := clitest.Run(t, "compare", clitest.Heat, clitest.Heat, "--by", "call"); !strings.Contains(text,
		"MPI_Waitall") {
		t.Error(text)
	}
}

// TestCompareFailAbove: exit status 1 means that a run is slower than allowed.
func TestCompareFailAbove(t *testing.T) {
	slower := filepath.Join(t.TempDir(), "slower.prv")
	if _, problems, status := clitest.Run(t, "sim", clitest.Heat, "--machine", "ideal", "--latency", "20ms", "-o",
		slower); status != command.StatusDone {
		t.Fatal(problems)
	}
	for limit, want := range map[string]int{"5%": command.StatusFailed, "100000%": command.StatusDone,
		"100": command.StatusDone} {
		_, problems, status := clitest.Run(t, "compare", clitest.Heat, slower, "--fail-above", limit)
		if status != want || (status == command.StatusFailed) != strings.Contains(problems, "longer than") {
			t.Errorf("%s: status %d, want %d: %s", limit, status, want, problems)
		}
	}
}

func TestCompareRefuses(t *testing.T) {
	for _, c := range []struct {
		args   []string
		status int
		want   string
	}{
		{[]string{clitest.Heat}, command.StatusUsage, "needs two traces"},
		{[]string{clitest.Heat, clitest.Heat, "--fail-above", "much"}, command.StatusUsage, "must be a share"},
		{[]string{clitest.Heat, clitest.Heat, "--pin", "3"}, command.StatusUsage, "must be two phases"},
		{[]string{clitest.Heat, clitest.Heat, "--pin", "1=99"}, command.StatusFailed,
			"no phases 1 and 99: the runs have 13 and 13"},
		{[]string{clitest.Heat, clitest.Heat, "--map", "1,2"}, command.StatusFailed,
			"the map of threads has 2 threads, the runs have 8"},
		{[]string{clitest.Heat, clitest.Heat, "--ptask", "2"}, command.StatusFailed, "no application 2"},
	} {
		_, problems, status := clitest.Run(t, append([]string{"compare"}, c.args...)...)
		if status != c.status || !strings.Contains(problems, c.want) {
			t.Errorf("%v: status %d, %s", c.args, status, problems)
		}
	}
}

// TestCompareHTML: the page is self-contained, has the sentence, the parts of every kind, and a picture of both runs.
func TestCompareHTML(t *testing.T) {
	folder := t.TempDir()
	slower, file := filepath.Join(folder, "slower.prv"), filepath.Join(folder, "report.html")
	if _, problems, status := clitest.Run(t, "sim", clitest.Heat, "--machine", "ideal", "--latency", "20ms", "-o",
		slower); status != command.StatusDone {
		t.Fatal(problems)
	}
	text, problems, status := clitest.Run(t, "compare", clitest.Heat, slower, "--html", file, "--top", "3")
	if status != command.StatusDone {
		t.Fatal(problems)
	}
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	page := html.UnescapeString(string(data))
	headline := strings.Split(text, "\n")[3]
	for _, rest := range regexp.MustCompile(`(?m)^(\d+ more)   *(\S+ \S+)  `).FindAllStringSubmatch(text, -1) {
		if !strings.Contains(page, "<td>"+rest[1]+"</td><td class=\"n\">"+rest[2]+"</td>") {
			t.Errorf("the page lacks the row %q", rest[0])
		}
	}
	for _, want := range []string{headline, "B  slower.prv", "Phase", "Category", "Ranks", " more</summary>",
		`class="more" style="width:100.0%"`} {
		if !strings.Contains(page, want) && !strings.Contains(clitest.SVGIn(t, page), want) {
			t.Errorf("%q is missing", want)
		}
	}
	for _, name := range []string{"A", "B", "waiting", "transfer", "outside of calls", "MPI_Waitall", "exchange_halo",
		"all"} {
		if !strings.Contains(page, "<tr><td>"+name+"</td>") {
			t.Errorf("no row of a table begins with %q", name)
		}
	}
	for _, want := range []string{"THREAD 1.1.1", "over 30 % more", "B - A"} {
		if !strings.Contains(clitest.SVGIn(t, page), want) {
			t.Errorf("%q is missing in the picture", want)
		}
	}
	if strings.Contains(page, `="http`) {
		t.Error("the page loads something from elsewhere")
	}
}
