package dimemas_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"pview/sim"
	"pview/sim/dimemas"
)

// FuzzReadProgram: whatever a .dim says, reading it gives a program or an error; a program can be written, reads back
// the same, and its simulation ends.
func FuzzReadProgram(f *testing.F) {
	for _, name := range []string{"p08-late-receiver-rendezvous", "g-nonblocking", "g-reduce-root-sync", "n12-modules", "d01-unmatched"} {
		text, err := os.ReadFile(filepath.Join(kit, name, "trace.dim"))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	f.Add([]byte("#DIMEMAS:\"x\":0:2(1,1),1,0,1(0)\nd:1:1:2:0:1\n1:0:0:1e-3\n2:0:0:1:9:1:1:1\n3:1:0:0:-2:9:1:1:0\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		p, err := dimemas.ReadProgram(context.Background(), bytes.NewReader(text), "x.dim")
		if err != nil {
			return
		}
		var first, second bytes.Buffer
		if err := dimemas.WriteProgram(&first, p, "x"); err != nil {
			t.Fatal(err)
		}
		again, err := dimemas.ReadProgram(context.Background(), bytes.NewReader(first.Bytes()), "y.dim")
		if err != nil {
			t.Fatalf("what was written does not read: %v\n%s", err, first.Bytes())
		}
		if err := dimemas.WriteProgram(&second, again, "x"); err != nil || !bytes.Equal(first.Bytes(), second.Bytes()) {
			t.Fatalf("%s\ncame back as\n%s", first.Bytes(), second.Bytes())
		}
		r, err := sim.Run(context.Background(), p, sim.Ideal(len(p.Tasks)), sim.Options{Trace: true, DisableOpenMP: true})
		var d *sim.Deadlock
		if err != nil && !errors.As(err, &d) {
			t.Logf("%v", err)
		}
		if err == nil && r.Trace.Duration < r.Total {
			t.Fatalf("the trace ends at %d, the run at %d", r.Trace.Duration, r.Total)
		}
	})
}

// FuzzParseConfig: whatever a configuration says, reading it gives a machine that can be used or an error; a machine
// can be written and reads back the same.
func FuzzParseConfig(f *testing.F) {
	files, _ := filepath.Glob(filepath.Join(kit, "*", "sim.cfg"))
	for _, path := range files {
		text, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		c, err := dimemas.ParseConfig("x.cfg", text)
		if err != nil {
			return
		}
		if err := c.Machine.Check(); err != nil {
			t.Fatal(err)
		}
		if len(c.Machine.Nodes) > 1000 {
			return
		}
		var first, second bytes.Buffer
		if err := dimemas.WriteConfig(&first, c); err != nil {
			t.Fatal(err)
		}
		again, err := dimemas.ParseConfig("y.cfg", first.Bytes())
		if err != nil {
			t.Fatalf("what was written does not read: %v\n%s", err, first.Bytes())
		}
		if err := dimemas.WriteConfig(&second, again); err != nil || !bytes.Equal(first.Bytes(), second.Bytes()) {
			t.Fatalf("%s\ncame back as\n%s", first.Bytes(), second.Bytes())
		}
	})
}
