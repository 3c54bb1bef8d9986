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
	"pview/sim/engine"
)

// FuzzReadProgram: whatever a .dim says, reading it gives a program or an error; a program can be written, reads back
// the same, and its simulation ends.
func FuzzReadProgram(f *testing.F) {
	for _, name := range []string{"p08-late-receiver-rendezvous", "g-nonblocking", "g-reduce-root-sync", "n12-modules",
		"d01-unmatched"} {
		text, err := os.ReadFile(filepath.Join(kit, name, "trace.dim"))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	f.Add([]byte("#DIMEMAS:\"x\":0:2(1,1),1,0,1(0)\nd:1:1:2:0:1\n1:0:0:1e-3\n2:0:0:1:9:1:1:1\n3:1:0:0:-2:9:1:1:0\n"))
	f.Add([]byte(extended))
	f.Add(
		[]byte(
			"#DIMEMAS:\"x\":0:1(2),0,0,1(0)\n20:0:0:60000024:5\n20:0:0:60000028:1\n20:0:0:60000022:0\n" +
				"20:0:1:60000023:5\n" +
				"20:0:1:60000028:1\n20:0:1:60000023:0\n",
		))
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
		r, err := engine.Run(context.Background(), p, sim.Ideal(len(p.Tasks)), sim.Options{Trace: true})
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

// FuzzParseScheduler: whatever a scheduler file says, reading it gives a scheduler that can be used or an error; it can
// be written and reads back the same, and a simulation by it ends.
func FuzzParseScheduler(f *testing.F) {
	for _, p := range sim.Policies() {
		s := sim.DefaultScheduler()
		s.Policy, s.Preemptive = p.Name, true
		if p.Name == "UNIX_SVR4" {
			s.Levels = sim.SolarisLevels()[57:]
			for i := range s.Levels {
				s.Levels[i].Expired, s.Levels[i].Slept, s.Levels[i].Waited = 0, 2, 2
			}
		}
		var b bytes.Buffer
		if err := dimemas.WriteScheduler(&b, s); err != nil {
			f.Fatal(err)
		}
		f.Add(b.Bytes())
	}
	p := &sim.Program{}
	for range 3 {
		p.AddPtask()
		p.Threads[p.AddTask(1)].AddCompute(1e5)
	}
	if err := p.Link(); err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		s, err := dimemas.ParseScheduler("x.cfg", text)
		if err != nil {
			return
		}
		var first, second bytes.Buffer
		if err := dimemas.WriteScheduler(&first, s); err != nil {
			t.Fatal(err)
		}
		again, err := dimemas.ParseScheduler("y.cfg", first.Bytes())
		if err != nil {
			t.Fatalf("what was written does not read: %v\n%s", err, first.Bytes())
		}
		if err := dimemas.WriteScheduler(&second, again); err != nil || !bytes.Equal(first.Bytes(), second.Bytes()) {
			t.Fatalf("%s\ncame back as\n%s", first.Bytes(), second.Bytes())
		}
		if s.Quantum > 0 && s.Quantum < 100 { // that would take long, as it should
			return
		}
		for i := range s.Levels {
			s.Levels[i].Quantum = max(s.Levels[i].Quantum, 100)
		}
		s.QuantumFactor = max(s.QuantumFactor, 1)
		m := sim.Ideal(1)
		m.Scheduler, m.Mapping = s, []sim.Mapping{{Kind: sim.Interleaved}}
		for _, model := range sim.Models {
			r, err := engine.Run(context.Background(), p, m, sim.Options{Rules: model.Rules})
			if err != nil {
				t.Fatalf("%v\n%s", err, text)
			}
			if r.Computation < 3e5*(1-1e-9) || r.Total < int64(3e5) {
				t.Fatalf("%d ns, of which %g of computation, are too few\n%s", r.Total, r.Computation, text)
			}
		}
	})
}

// FuzzParseRandom: whatever a random file says, reading it gives distributions that can be used or an error.
func FuzzParseRandom(f *testing.F) {
	f.Add([]byte(randomFile))
	f.Fuzz(func(t *testing.T, text []byte) {
		m := sim.Ideal(2)
		if dimemas.ParseRandom(m, "random.cfg", text) != nil {
			return
		}
		if err := m.Check(); err != nil {
			t.Fatal(err)
		}
		again := sim.Ideal(2)
		if written := dimemas.WriteRandom(m); written != "" {
			if err := dimemas.ParseRandom(again, "again.cfg", []byte(written)); err != nil {
				t.Fatalf("%v\n%s", err, written)
			}
		}
	})
}
