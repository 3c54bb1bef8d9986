//go:build unix

package e2e

import (
	"strings"
	"testing"
)

// Sizes and depths claimed by a file cost neither memory nor minutes.
func TestHarmfulFiles(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "good.prv", []byte(good))
	write(t, dir, "deep.toml", []byte("x="+strings.Repeat("{a=", 50000)+"1"+strings.Repeat("}", 50000)))
	write(t, dir, "c.sts", []byte("PROJECTIONS_ID\nVERSION 11.0\nPROCESSORS 1\nCHARE 0 \"A\" 4611686018427387904\n"+
		"ENTRY CHARE 1 \"go\" 0 0\nEND\n"))
	write(t, dir, "c.0.log", []byte("PROJECTIONS-RECORD\n6 0\n2 4 1 20 0 0 64 0 1 2\n3 4 1 30 0 0 0\n7 40\n"))
	for _, test := range []struct {
		config string
		args   []string
		want   string // standard error
		status int
	}{
		{"deep.toml", []string{"info", "good.prv"}, "pview: deep.toml:1: nested more than 100 levels deep\n", 1},
		{"", []string{"info", "c.sts"},
			"pview: c.sts: 1 unit whose message was created while nothing was traced\n", 0},
	} {
		t.Setenv("PVIEW_CONFIG", test.config)
		got := runWithin(t, dir, 200, test.args...)
		if got.status != test.status || got.stderr != test.want {
			t.Errorf("%q: %+v", test.args, got)
		}
	}
}
