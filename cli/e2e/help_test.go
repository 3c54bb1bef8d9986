//go:build unix

package e2e

import (
	"strings"
	"testing"

	"pview/internal/vt"
)

// Help goes to standard output; it is bold in a terminal, without colour, and
// does not ask the terminal anything.
func TestHelp(t *testing.T) {
	t.Parallel()
	tm := start(t, 80, 100, []string{"--help"}, mute())
	if status := tm.end(); status.ExitStatus() != 0 {
		t.Errorf("status %d", status.ExitStatus())
	}
	tm.checkGivenBack()
	tm.checkUnderstood()
	tm.see(func(s *vt.Screen) {
		for y := range s.Rows {
			if line := s.Line(y); line == "Usage" && !s.At(0, y).Style.Bold {
				t.Error("the title Usage is not bold")
			}
			for x := range s.Columns {
				if st := s.At(x, y).Style; st.Fg != nil || st.Bg != nil {
					t.Fatalf("there is colour in line %q", s.Line(y))
				}
			}
		}
	})
	for _, want := range []string{"Usage\n  pview [TRACE...]", "  info        Print the contents of a trace",
		"  --strict"} {
		if text := tm.text(); !strings.Contains(text, want) {
			t.Errorf("there is no %q in\n%s", want, text)
		}
	}
	if got := run(t, t.TempDir(), "--help"); got.status != 0 || got.stderr != "" ||
		strings.Contains(got.stdout, "\x1b") {
		t.Errorf("without a terminal: %+v", got)
	}
}

// The manual page and the completion scripts are usable.
func TestManAndCompletion(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if got := run(t, dir, "man"); got.status != 0 || !strings.HasPrefix(got.stdout, ".TH PVIEW 1") ||
		!strings.Contains(got.stdout, "convert") {
		t.Errorf("man: status %d, %.200q", got.status, got.stdout)
	}
	for _, shell := range []string{"bash", "zsh", "fish", "powershell"} {
		if got := run(t, dir, "completion", shell); got.status != 0 || !strings.Contains(got.stdout, "pview") {
			t.Errorf("completion %s: status %d, %.200q", shell, got.status, got.stdout)
		}
	}
	if got := run(t, dir, "--version"); got.status != 0 || !strings.HasPrefix(got.stdout, "pview ") ||
		strings.Count(got.stdout, "\n") != 1 {
		t.Errorf("--version: %+v", got)
	}
}
