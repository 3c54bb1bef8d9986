//go:build unix

package e2e

import (
	"path/filepath"
	"strings"
	"testing"

	"pview/internal/vt"
)

// Labels may be as long as a file, and full of characters that are invisible or control a terminal. The viewer always
// cuts them, with a mark, and they cost no more than the columns that they take.
func TestHostileLabels(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	long := func(s string) string { return strings.Repeat(s, 65000) }
	const invisible = "\u3164\u200b\u202e\u2066\ufeff"
	marks := "m" + strings.Repeat("\u0301", 500)
	write(t, dir, "a.prv", []byte(header+"1:1:1:1:1:0:500:1\n1:1:1:1:1:500:1000:2\n1:2:1:2:1:0:1000:1\n"+
		"2:1:1:1:1:100:77:5\n2:2:1:2:1:200:77:6\n3:1:1:1:1:100:120:2:1:2:1:300:320:64:9\n"))
	write(t, dir, "a.pcf",
		[]byte("STATES\n1    "+long("S")+"\n2    "+marks+invisible+"\x1b]52;c;AAAA\a\x9b31m\n\nEVENT_TYPE\n0    77    "+
			long("T")+"\nVALUES\n5    "+long("V")+"\n6    "+invisible+marks+"\n"))
	write(t, dir, "a.row", []byte("LEVEL THREAD SIZE 2\n"+long("R")+"\n"+invisible+marks+"\n"))
	tm := start(t, 100, 30, []string{filepath.Join(dir, "a.prv")})
	tm.awaitText("(all)")
	tm.settle()
	const most = 40_000 // of any of these steps: a screen of 3000 cells, each with a colour, several times
	check := func(what string) {
		t.Helper()
		text := tm.settle()
		tm.see(func(s *vt.Screen) {
			if tm.sent > most {
				t.Errorf("%s: %d bytes were sent", what, tm.sent)
			}
			tm.sent = 0
			if len(s.Unknown) > 0 {
				t.Errorf("%s: a label acts on the terminal: %q", what, s.Unknown)
			}
		})
		for _, bad := range []string{"\u202e", "\u2066", "\u200b", "\u3164", strings.Repeat("\u0301", 5), "\x1b"} {
			if strings.Contains(text, bad) {
				t.Errorf("%s: %q is on the screen", what, bad)
			}
		}
		if !strings.Contains(text, "…") {
			t.Errorf("%s: nothing is marked as cut:\n%s", what, text)
		}
	}
	check("timeline")
	tm.press("i")
	tm.awaitText("64 bytes")
	check("What/Where")
	tm.leave()
	// Commands also cut them in output for people.
	for _, args := range []string{"info", "what --at 100", "stat", "stat --stat Time", "stat --analyze all",
		"stat --thread Last_Evt_Val --stat Time", "efficiency", "sim"} {
		words := strings.Fields(args)
		words = append([]string{words[0], "a.prv", "--no-index"}, words[1:]...)
		for i := range words {
			words[i] = strings.ReplaceAll(words[i], "_", " ")
		}
		got := run(t, dir, words...)
		if got.status != 0 || len(got.stdout) > 8000 {
			t.Errorf("%s: status %d, %d bytes: %s", args, got.status, len(got.stdout), got.stderr)
		}
	}
}
