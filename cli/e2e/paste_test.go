//go:build unix

package e2e

import (
	"strings"
	"testing"
	"time"
)

// Ctrl+C leaves the viewer whatever a paste leaves behind: an end mark in two halves, an unterminated control string, a
// paste without an end, and a text that is searched for in the names of a list.
func TestPasteTakesNoKeys(t *testing.T) {
	t.Parallel()
	const begin, end = "\x1b[200~", "\x1b[201~"
	tests := []struct {
		name  string
		keys  []string
		pause time.Duration // between them
		shown string
	}{
		{"slow end", []string{":", begin + "goto 10", end[:4], end[4:]}, 60 * time.Millisecond, "goto 10"},
		{"slow start", []string{":", begin[:4], begin[4:] + "goto 10" + end}, 60 * time.Millisecond, "goto 10"},
		{"control string", []string{":", begin + "goto \x1b]0;10" + end}, 0, "goto  ]0;10"},
		{"no end", []string{":", begin + "goto 10"}, 0, ""},
		{"list", []string{"v", begin + strings.Repeat("-", 200) + "x" + end}, 0, "nothing fits"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			write(t, dir, "a.prv", []byte(good))
			tm := start(t, 100, 30, []string{"a.prv"}, inDir(dir))
			tm.awaitText(" 1.1.1 ")
			for _, keys := range test.keys {
				tm.press(keys)
				time.Sleep(test.pause)
			}
			tm.settle() // input that arrives with the text of a paste belongs to it
			if test.shown != "" {
				tm.awaitText(test.shown)
			}
			tm.press(keyCtrlC) // closes the dialog
			if test.shown != "" {
				tm.awaitNoText(test.shown)
			}
			tm.settle()
			tm.press(keyCtrlC)
			if status := tm.end(); status.ExitStatus() != 0 {
				t.Errorf("the viewer ended with status %d: %s", status.ExitStatus(), tm.stderr.String())
			}
		})
	}
}
