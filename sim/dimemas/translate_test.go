package dimemas_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pview/prv"
	"pview/sim/dimemas"
)

// TestTranslations: the small translations of the kit come out record for
// record, byte for byte.
func TestTranslations(t *testing.T) {
	for name, opt := range map[string]dimemas.TranslateOptions{
		"x01-point-to-point":       {},
		"x02-collectives":          {},
		"x03-counters-probes":      {},
		"x04-no-init-sync-no-idle": {NoIdle: true, NoInitBarrier: true},
		"x05-burst-from-counter":   {CounterType: 42000050, CounterFactor: 1e-9},
		"x06-iprobe-miss-rate":     {ProbeRate: 0.5, TestRate: 0.4},
	} {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(kit, "translations", name)
			want, err := os.ReadFile(filepath.Join(dir, "out.dim"))
			if err != nil {
				t.Fatal(err)
			}
			got := translated(t, filepath.Join(dir, "in.prv"), "out.dim", opt)
			compareText(t, got, string(want))
		})
	}
}

// translated returns the .dim of a trace.
func translated(t testing.TB, path, name string, opt dimemas.TranslateOptions) string {
	t.Helper()
	tr, err := prv.Open(context.Background(), path, prv.Options{})
	if err != nil {
		t.Fatal(err)
	}
	p, err := dimemas.FromTrace(context.Background(), tr, opt)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := dimemas.WriteProgram(&b, p.Program, name); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// compareText tells the first line that differs.
func compareText(t *testing.T, got, want string) {
	t.Helper()
	if got == want {
		return
	}
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	n := 0
	for i := range min(len(g), len(w)) {
		if g[i] != w[i] {
			t.Errorf("line %d: %s\n  not %s", i+1, g[i], w[i])
			if n++; n > 3 {
				return
			}
		}
	}
	t.Errorf("%d lines, not %d", len(g), len(w))
}
