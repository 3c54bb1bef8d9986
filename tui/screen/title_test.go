package screen

import (
	"strings"
	"testing"
)

func TestTitle(t *testing.T) {
	for from, want := range map[string]string{
		"pview: lu.8.prv":               "pview: lu.8.prv",
		"a\x1b]52;c;cHdk\x07.prv":       "a]52;c;cHdk.prv", // would have set the clipboard
		"a\x1b\\b\x9c.prv":              "a\\b.prv",        // ends the sequence that sets a title
		"a\u009d2;b\u009c.prv":          "a2;b.prv",        // the same in C1
		"run\u202evrp.exe\u2066\u200f":  "runvrp.exe",      // reads from right to left
		"bad\xff\x90.prv":               "badÿ.prv",        // no UTF-8
		"two\nlines\ttab":               "two lines tab",
		"幅.prv":                         "幅.prv",
		strings.Repeat("long", 10*1000): strings.Repeat("long", 50)[:199] + "…",
	} {
		if got := Title(from); got != want {
			t.Errorf("%q gives the title %q, want %q", from, got, want)
		}
	}
}
