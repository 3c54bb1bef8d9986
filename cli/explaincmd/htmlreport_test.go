package explaincmd_test

import (
	"encoding/base64"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"pview/cli/clitest"
	"pview/cli/command"
)

// TestDiagnoseHTML: the page is self-contained, names the findings in their order, and has pictures of their evidence.
func TestDiagnoseHTML(t *testing.T) {
	file := filepath.Join(t.TempDir(), "report.html")
	out, problems, status := clitest.Run(t, "diagnose", clitest.Heat, "--html", file, "--format", "tsv")
	if status != command.StatusDone {
		t.Fatalf("status %d: %s", status, problems)
	}
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	page, at := string(data), 0
	lines := strings.Split(strings.TrimSpace(out), "\n")
	for i, line := range lines[1:] {
		rule := strings.Split(line, "\t")[1]
		next := strings.Index(page[at:], "rule "+rule+" (")
		if next < 0 {
			t.Fatalf("finding %d, %s, is missing or out of order", i+1, rule)
		}
		at += next + 1
	}
	pictures := regexp.MustCompile(`src="data:image/svg(?:\+|&#43;)xml;base64,([^"]+)"`).FindAllStringSubmatch(page, -1)
	if len(pictures) == 0 {
		t.Fatal("no pictures")
	}
	for i, p := range pictures {
		svg, err := base64.StdEncoding.DecodeString(strings.ReplaceAll(p[1], "&#43;", "+"))
		want := "THREAD 1."
		if i == 0 { // the account
			want = "the rest"
		}
		if err != nil || !strings.Contains(string(svg), want) {
			t.Errorf("%v: %.200s", err, svg)
		}
	}
	for _, want := range []string{"<h2>Lost time by entry</h2>", "<h2>Wait states</h2>", "Late Sender",
		"Load balance"} {
		if !strings.Contains(page, want) {
			t.Errorf("%q is missing", want)
		}
	}
	if strings.Contains(page, "=\"http") {
		t.Error("the page loads something from elsewhere")
	}
}
