package tracecmd_test

import (
	"bytes"
	"context"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pview/cli"
	"pview/cli/clitest"
	"pview/cli/command"
)

// runExport runs the command on traces of the repository.
func runExport(t *testing.T, args ...string) (problems string, status int) {
	t.Helper()
	var out, p bytes.Buffer
	status = cli.Run(context.Background(), append([]string{"--no-index", "export"}, args...),
		command.Streams{In: nil, Out: &out, Err: &p})
	if out.Len() > 0 {
		t.Errorf("standard output: %q", out.String())
	}
	return p.String(), status
}

// One command per kind of picture; each picture describes in words what it shows.
func TestExport(t *testing.T) {
	dir := t.TempDir()
	for name, c := range map[string]struct {
		args []string
		has  []string // in the SVG
		not  string
	}{
		"states": {nil, []string{"State As Is", ">THREAD 1.8.1<", ">Wait/WaitAll<", ">Running<", "157.7 ms, 8 tasks",
			">150 ms<"}, "predicted"},
		"part": {[]string{"--from", "50ms", "--to", "60ms", "--title", "A & B"},
			[]string{"50.00 .. 60.00 ms", ">A &amp; B<", ">52 ms<"}, ">150 ms<"},
		"messages": {[]string{"--messages", "--from", "40ms", "--to", "45ms"}, []string{"stroke="}, ""},
		"histogram": {[]string{"--stat", "% Time"}, []string{"% Time", ">THREAD 1.1.1<", ">Running<", ">Average<",
			">Avg/Max<"}, ">150 ms<"},
		"figures": {[]string{"--analyze", "Number of Bursts, Average Burst"},
			[]string{">Number of Bursts<", ">Average Burst (us)<"}, ""},
		"curves": {[]string{"--curves", "--level", "workload", "--thread", "Useful"},
			[]string{"height: 0 to 8", ">WORKLOAD<"}, ""},
		"predicted": {[]string{"--machine", "ethernet-1g"}, []string{"predicted: ethernet-1g", ">150 ms<"}, ""},
		"pair": {[]string{"../../testdata/traces/callmix_4_skew/callmix_4_skew.prv"},
			[]string{"callmix_4_skew.prv", "heat2d_8.prv.gz"}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			out := filepath.Join(dir, name+".svg")
			if problems, status := runExport(t, append([]string{clitest.Heat, "-o", out},
				c.args...)...); status != command.StatusDone {
				t.Fatalf("status %d: %s", status, problems)
			}
			text, err := os.ReadFile(out)
			if err != nil {
				t.Fatal(err)
			}
			for _, want := range c.has {
				if !strings.Contains(string(text), want) {
					t.Errorf("no %q in\n%.3000s", want, text)
				}
			}
			if c.not != "" && strings.Contains(string(text), c.not) {
				t.Errorf("%q in it", c.not)
			}
		})
	}
}

// The other formats, and a size.
func TestExportFormats(t *testing.T) {
	dir := t.TempDir()
	for ext, begin := range map[string]string{".png": "\x89PNG", ".pdf": "%PDF-", ".html": "<!doctype html>"} {
		out := filepath.Join(dir, "a"+ext)
		if problems, status := runExport(t, clitest.Heat, "-o", out, "--size", "640x360",
			"--dark"); status != command.StatusDone {
			t.Fatalf("%s: status %d: %s", ext, status, problems)
		}
		text, err := os.ReadFile(out)
		if err != nil || !strings.HasPrefix(string(text), begin) {
			t.Errorf("%s begins with %.20q (%v)", ext, text, err)
		}
		if ext == ".png" {
			if img, err := png.DecodeConfig(bytes.NewReader(text)); err != nil || img.Width != 640 ||
				img.Height != 360 {
				t.Errorf("%v, %v", img, err)
			}
		}
	}
}

// An output that cannot be written is refused before anything is read, and no input is ever replaced.
func TestExportRefuses(t *testing.T) {
	dir := t.TempDir()
	link := filepath.Join(dir, "in.svg") // the trace by another name
	data, err := os.ReadFile(clitest.Heat)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(link, data, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{clitest.Heat}, "export needs -o FILE"},
		{[]string{clitest.Heat, "-o", "a.gif"},
			"a.gif: unknown format; the name of FILE must end in one of .svg, .png, .pdf, .html"},
		{[]string{link, "-o", link}, "same file as an input"},
		{[]string{clitest.Heat, "-o", "a.svg", "--size", "5x5"}, "--size 5x5: must be WIDTHxHEIGHT"},
		{[]string{clitest.Heat, "-o", "a.png", "--scale", "0"}, "--scale 0: must be from 1 to 8"},
		{[]string{"-o", "a.svg"}, "export needs TRACE"},
		{[]string{clitest.Heat, "x.cfg", "--thread", "Useful", "-o", "a.svg"}, "--thread defines a window"},
	} {
		if problems, status := runExport(t, c.args...); status != command.StatusUsage ||
			!strings.Contains(problems, c.want) {
			t.Errorf("%q: status %d, %q; want %q", c.args, status, problems, c.want)
		}
	}
	if problems, status := runExport(t, clitest.Heat, "-o", filepath.Join(dir, "no",
		"a.svg")); status != command.StatusFailed ||
		!strings.Contains(problems, "cannot be written") {
		t.Errorf("status %d, %q", status, problems)
	}
	mixed, fault := mixedLevels(t)
	if problems, status := runExport(t, filepath.Join(clitest.Kit, "traces", "tr04_hybrid.prv"), mixed, "-o",
		filepath.Join(dir, "mixed.svg")); status != command.StatusFailed || !strings.Contains(problems, fault) {
		t.Errorf("status %d, %q, want %q", status, problems, fault)
	}
	if now, err := os.ReadFile(link); err != nil || !bytes.Equal(now, data) {
		t.Errorf("the input was changed: %v", err)
	}
	if list, _ := filepath.Glob(filepath.Join(dir, "*")); len(list) != 1 {
		t.Errorf("files left: %v", list)
	}
}
