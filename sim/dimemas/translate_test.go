package dimemas_test

import (
	"bytes"
	"context"
	"fmt"
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

// A Reduce that does not name its communicator is one of the first, and its root, task 1, is the first root there. The
// second Reduce names it: its root is task 2.
func TestRootOfReduceWithoutCommunicator(t *testing.T) {
	tr, err := prv.Read(t.Context(), strings.NewReader(`#Paraver (01/01/2026 at 00:00):100_ns:1(2):1:2(1:1,1:1),1
c:1:1:2:1:2
2:1:1:1:1:10:50000002:9:50100001:8:50100003:1
2:2:1:2:1:10:50000002:9:50100001:8
2:1:1:1:1:20:50000002:0
2:2:1:2:1:20:50000002:0
2:1:1:1:1:30:50000002:9:50100001:8:50100004:1
2:2:1:2:1:30:50000002:9:50100001:8:50100003:1:50100004:1
2:1:1:1:1:40:50000002:0
2:2:1:2:1:40:50000002:0
`), prv.Options{Strict: true})
	if err != nil {
		t.Fatal(err)
	}
	got, err := dimemas.FromTrace(t.Context(), tr, dimemas.TranslateOptions{NoInitBarrier: true})
	if err != nil {
		t.Fatal(err)
	}
	for i := range got.Program.Threads {
		calls := got.Program.Threads[i].Collectives
		if len(calls) != 2 || calls[0].RootTask != 0 || calls[1].RootTask != 1 {
			t.Errorf("task %d has %+v", i+1, calls)
		}
	}
}

// A thread that exceeds the memory while it is translated is an error, and not a program of a part of it, even if it
// would fit once packed: 1000 equal values of 8 bytes become one.
func TestThreadExceedsMemory(t *testing.T) {
	text := "#Paraver (01/01/2026 at 00:00):1001_ns:1(1):1:1(1:1)\n"
	for i := range 1000 {
		text += fmt.Sprintf("2:1:1:1:1:%d:60000019:%d\n", i+1, int64(1)<<40)
	}
	tr, err := prv.Read(t.Context(), strings.NewReader(text), prv.Options{Strict: true})
	if err != nil {
		t.Fatal(err)
	}
	all, err := dimemas.FromTrace(t.Context(), tr, dimemas.TranslateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	packed := all.Program.Threads[0].Bytes()
	_, err = dimemas.FromTrace(t.Context(), tr, dimemas.TranslateOptions{Memory: packed + 4000})
	if err == nil || !strings.Contains(err.Error(), "--memory") {
		t.Errorf("the error is %v", err)
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

// compareText reports the first line that differs.
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
