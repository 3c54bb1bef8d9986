//go:build unix

package e2e

import (
	"strings"
	"testing"
)

// Sums over threads may exceed 63 bits, 9.2e18 ns: three threads of 4e18 ns sum to 12e18, of which 11e18 (91.67 %) are
// computing, which is 3,055,556 h, and 1e18 waiting.
func TestSumsBeyond63Bits(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	const end = "4000000000000000000"
	write(t, dir, "long.prv", []byte("#Paraver (01/01/2026 at 00:00):"+end+"_ns:0:1:3(1:1,1:1,1:1)\n"+
		"1:0:1:1:1:0:"+end+":1\n1:0:1:2:1:0:"+end+":1\n"+
		"1:0:1:3:1:0:3000000000000000000:1\n1:0:1:3:1:3000000000000000000:"+end+":3\n"))
	for _, test := range []struct {
		args   string
		status int
		want   []string
	}{
		{"info --format json", 0, []string{`"total": 11000000000000000000`}},
		{"info", 0, []string{"11000000000.000  91.7 %"}},
		{"efficiency", 0, []string{"Parallel efficiency                  91.7 %", "11000000000 s"}},
		{"diagnose", 0, []string{"3,055,556 h", "utilisation is 91.7 %",
			"recoverable at most 92592 h 35 min 33 s (8.3 %)"}},
		{"diagnose --format json", 0, []string{`"ns": 11000000000000000000`}},
		{"compare long.prv", 1, []string{
			"long.prv: 3 threads x 1111111 h 06 min 40 s are more than 63 bits of ns hold"}},
	} {
		got := run(t, dir, append(strings.Fields(test.args), "long.prv")...)
		for _, want := range test.want {
			if text := got.stdout + got.stderr; got.status != test.status || !strings.Contains(text, want) {
				t.Errorf("pview %s: status %d, want %d with %q:\n%s", test.args, got.status, test.status, want, text)
			}
		}
	}
}
