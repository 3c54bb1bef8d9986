//go:build unix

package e2e

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"pview/prv/quantity"
)

// question is a question that the viewer answers with at most six keys.
type question struct {
	keys string
	sees []string // texts of the command's answer
}

// ask opens traces, presses the keys of a question and waits for the answer.
func (q *question) ask(t *testing.T, dir string, traces ...string) *terminal {
	t.Helper()
	if n := len(q.keys); n > 6 {
		t.Errorf("%q: %d keys, want at most 6", q.keys, n)
	}
	tm := open(t, 120, 40, append(traces, "--no-index"), inDir(dir))
	for _, key := range strings.Split(q.keys, "") {
		tm.press(key)
		tm.settle()
	}
	for _, text := range q.sees {
		tm.awaitText(text)
	}
	return tm
}

// match returns the parts of a text that a pattern has in parentheses.
func match(t *testing.T, pattern, text string) []string {
	t.Helper()
	found := regexp.MustCompile(pattern).FindStringSubmatch(text)
	if found == nil {
		t.Fatalf("no %s in\n%s", pattern, text)
	}
	return found[1:]
}

// The viewer's answers to everyday questions match the commands'.
func TestAnswersAreThoseOfTheCommands(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	trace := filepath.Join(dir, "run.prv.gz")
	for _, end := range []string{".prv.gz", ".pcf", ".row"} {
		content, err := os.ReadFile(strings.TrimSuffix(heat(t), ".prv.gz") + end)
		if err != nil {
			t.Fatal(err)
		}
		write(t, dir, "run"+end, content)
	}
	said := func(args ...string) string {
		r := run(t, dir, append(args, "--no-index")...)
		if r.status != 0 {
			t.Fatalf("%v: %s", args, r.stderr)
		}
		return r.stdout
	}

	// What helps, and how much: the first finding, its share and its gain.
	first := match(t, `(?m)^ +1 +(\S+ %) +(\S+ \S+) +(\S+ \S+ \S+ \S+)`, said("diagnose", trace))
	(&question{"B", first}).ask(t, dir, trace).leave()

	// A network of twice the bandwidth: w saves its machine and the predicted trace.
	tm := (&question{"sj+", []string{"Predicted"}}).ask(t, dir, trace)
	tm.press("w")
	tm.settle()
	tm.press("\r")
	tm.awaitText("saved as")
	text := tm.text()
	tm.leave()
	machines, err := filepath.Glob(filepath.Join(dir, "*.cfg"))
	if err != nil || len(machines) != 1 {
		t.Fatalf("%d machines saved, %v", len(machines), err)
	}
	var answer struct {
		Total float64 `json:"total_ns"`
	}
	predicted := said("sim", trace, "--machine", machines[0], "--format", "json")
	if err := json.Unmarshal([]byte(predicted), &answer); err != nil {
		t.Fatal(err)
	}
	if want := "Predicted " + quantity.Time.Format(answer.Total); !strings.Contains(text, want) {
		t.Errorf("there is no %q on\n%s", want, text)
	}

	// What changed since the other run.
	other := strings.TrimSuffix(machines[0], ".cfg") + ".prv"
	changed := match(t, `(?m)^(A .*: .* \(.*%\))\n(B takes .{40})`, said("compare", trace, other))
	(&question{"=", changed}).ask(t, dir, trace, other).leave()

	// To show a colleague: a page.
	(&question{"Ehtml\r", []string{"timelines saved as"}}).ask(t, dir, trace).leave()
	if page, err := os.ReadFile(filepath.Join(dir, "run.html")); err != nil ||
		!strings.HasPrefix(string(page), "<!doctype html>") {
		t.Errorf("the page: %d bytes, %v", len(page), err)
	}
}
