package recent_test

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pview/prv/prvtest"
	"pview/tui/recent"
)

// The last machine and traces are read back whatever bytes their names have.
func TestReadsBackAnything(t *testing.T) {
	t.Chdir(t.TempDir())
	path := filepath.Join(t.TempDir(), "state", "recent.json")
	for seed := range uint64(100) {
		rng := rand.New(rand.NewPCG(seed, 0))
		machine, name := prvtest.Text(rng), strings.NewReplacer("\x00", "", "/", "").Replace(prvtest.Text(rng))
		if len(name) > 200 {
			name = name[:200]
		}
		trace := filepath.Join(t.TempDir(), "x"+name+".prv")
		if err := os.WriteFile(trace, nil, 0o644); err != nil {
			t.Fatal(err)
		}
		f := recent.Read(path)
		f.Opened(trace)()
		f.UseMachine(machine)()
		again := recent.Read(path)
		if got := again.Machine(); got != machine {
			t.Errorf("seed %d: machine %q instead of %q", seed, got, machine)
		}
		if list := again.List(nil)(); len(list) == 0 || list[0].Data != trace {
			t.Errorf("seed %d: %q is not the first of %v", seed, trace, list)
		}
	}
}
