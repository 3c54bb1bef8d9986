package synth_test

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"pview/prv"
	"pview/prv/synth"
)

func generator(t testing.TB, opt synth.Options) *synth.Generator {
	t.Helper()
	g, err := synth.New(opt)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func text(t testing.TB, g *synth.Generator) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := g.Write(context.Background(), &b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// shapes returns the sizes and kinds that every property below must hold for.
func shapes() []synth.Options {
	var list []synth.Options
	for _, p := range synth.Patterns {
		for _, o := range []synth.Options{
			{Tasks: 1, Iterations: 5},
			{Tasks: 7, Nodes: 2, Iterations: 20, Imbalance: 50, Callers: 3},
			{Tasks: 16, Threads: 3, Nodes: 4, Iterations: 10, Seed: 9},
		} {
			o.Pattern = p.Name
			if p.Name != "demo" || o.Tasks == 16 {
				list = append(list, o)
			}
		}
	}
	return list
}

func name(o synth.Options) string {
	return fmt.Sprintf("%s-%dx%d-%d", cmp.Or(o.Pattern, "stencil"), o.Tasks, max(o.Threads, 1), o.Callers)
}

// Written traces have no faults, are in time order, and equal those built in memory.
func TestTracesAreSound(t *testing.T) {
	for _, o := range shapes() {
		t.Run(name(o), func(t *testing.T) {
			g := generator(t, o)
			written, err := prv.Read(context.Background(), bytes.NewReader(text(t, g)), prv.Options{Strict: true})
			if err != nil {
				t.Fatal(err)
			}
			built, err := g.Trace(context.Background())
			if err != nil {
				t.Fatal(err)
			}
			labels := *built
			labels.Labels, labels.Names = written.Labels, written.Names
			if err := prv.Equal(written, &labels); err != nil {
				t.Error(err)
			}
			checkOrder(t, string(text(t, g)))
			checkStates(t, written)
			checkMessages(t, written)
			checkLabels(t, built)
		})
	}
}

// checkOrder: records are in time order.
func checkOrder(t *testing.T, text string) {
	t.Helper()
	last := int64(-1)
	for line := range strings.Lines(text) {
		var cpu, p, task, th, at, psend int64
		switch line[:2] {
		case "1:", "2:":
			fmt.Sscanf(line[2:], "%d:%d:%d:%d:%d", &cpu, &p, &task, &th, &at)
		case "3:":
			fmt.Sscanf(line[2:], "%d:%d:%d:%d:%d:%d", &cpu, &p, &task, &th, &at, &psend)
			at = psend
		default:
			continue
		}
		if at < last {
			t.Fatalf("a record of time %d comes after one of %d: %s", at, last, line)
		}
		last = at
	}
}

// checkStates: each thread's states follow one another without gap or overlap, none is empty, and they end with the
// trace.
func checkStates(t *testing.T, tr *prv.Trace) {
	t.Helper()
	for i := range tr.Threads {
		s := &tr.Threads[i].States
		for k := range s.Len() {
			before := int64(0)
			if k > 0 {
				before = s.End[k-1]
			}
			if s.Begin[k] != before || s.End[k] <= s.Begin[k] {
				t.Fatalf("%s: state %d is from %d to %d, the one before ends at %d", tr.DefaultName(prv.LevelThread, i),
					k, s.Begin[k], s.End[k], before)
			}
		}
		if n := s.Len(); n == 0 || s.End[n-1] > tr.Duration || tr.Duration != tr.HeaderEnd {
			t.Fatalf("%s: %d states; trace ends at %d, header says %d", tr.DefaultName(prv.LevelThread, i), n,
				tr.Duration, tr.HeaderEnd)
		}
	}
}

// checkMessages: nothing arrives before it is sent, and each end of a message is in a state that fits.
func checkMessages(t *testing.T, tr *prv.Trace) {
	t.Helper()
	c := &tr.Comms
	for i := range c.Len() {
		ls, ps, lr, pr := c.Times[0][i], c.Times[1][i], c.Times[2][i], c.Times[3][i]
		if ps < ls || pr <= ps || pr < lr {
			t.Fatalf("message %d: %d %d %d %d", i, ls, ps, lr, pr)
		}
		for _, end := range []struct {
			thread int32
			at     int64
			states []uint32
		}{{c.Send[i], ls, []uint32{4, 10, 16}}, {c.Recv[i], pr - 1, []uint32{3, 8, 16}}} {
			if s := stateAt(&tr.Threads[end.thread].States, end.at); !slices.Contains(end.states, s) {
				t.Fatalf("message %d: thread %d is in state %d at %d", i, end.thread, s, end.at)
			}
		}
	}
}

func stateAt(s *prv.States, at int64) uint32 {
	i, found := slices.BinarySearch(s.Begin, at)
	if !found {
		i--
	}
	return s.Value[i]
}

// checkLabels: everything in the trace has a name.
func checkLabels(t *testing.T, tr *prv.Trace) {
	t.Helper()
	for i := range tr.Threads {
		for _, s := range tr.Threads[i].States.Value {
			if _, ok := tr.Labels.State(int64(s)); !ok {
				t.Fatalf("state %d has no label", s)
			}
		}
		e := &tr.Threads[i].Events
		for k, typ := range e.Type {
			et, ok := tr.Labels.Type(typ)
			if !ok {
				t.Fatalf("event type %d has no label", typ)
			}
			if _, ok := et.ValueLabel(e.Value.At(k)); len(et.Values) > 0 && !ok {
				t.Fatalf("value %d of type %d has no label", e.Value.At(k), typ)
			}
		}
	}
}

// The same options give the same trace, another seed a different one.
func TestDeterministic(t *testing.T) {
	o := synth.Options{Tasks: 6, Threads: 2, Seed: 3}
	a, b := text(t, generator(t, o)), text(t, generator(t, o))
	if !bytes.Equal(a, b) {
		t.Error("two runs differ")
	}
	o.Seed = 4
	if bytes.Equal(a, text(t, generator(t, o))) {
		t.Error("the seed has no effect")
	}
}

func TestBytes(t *testing.T) {
	for _, o := range []synth.Options{
		{Tasks: 8, Bytes: 5 << 20},
		{Tasks: 1, Bytes: 5 << 20, Callers: 3},
		{Tasks: 64, Threads: 2, Bytes: 20 << 20, Pattern: "pipeline"},
	} {
		var n countingWriter
		if err := generator(t, o).Write(context.Background(), &n); err != nil {
			t.Fatal(err)
		}
		if float64(n) < 0.9*float64(o.Bytes) || float64(n) > 1.1*float64(o.Bytes) {
			t.Errorf("%s: %d bytes, want about %d", name(o), n, o.Bytes)
		}
	}
}

type countingWriter int64

func (n *countingWriter) Write(p []byte) (int, error) {
	*n += countingWriter(len(p))
	return len(p), nil
}

func TestImbalance(t *testing.T) {
	useful := func(imbalance int) (first, last int64) {
		tr, err := generator(t, synth.Options{Tasks: 9, Imbalance: imbalance,
			Iterations: 30}).Trace(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		sum := func(s *prv.States) (ns int64) {
			for i, v := range s.Value {
				if v == 1 {
					ns += s.End[i] - s.Begin[i]
				}
			}
			return ns
		}
		return sum(&tr.Threads[0].States), sum(&tr.Threads[8].States)
	}
	if a, b := useful(0); float64(b) > 1.1*float64(a) || float64(b) < 0.9*float64(a) {
		t.Errorf("balanced: %d and %d ns", a, b)
	}
	if a, b := useful(50); float64(b) < 2.5*float64(a) || float64(b) > 3.5*float64(a) {
		t.Errorf("50%% and 150%% of the mean: %d and %d ns", a, b)
	}
}

func TestOptionsThatCannotBe(t *testing.T) {
	for _, o := range []synth.Options{
		{Pattern: "chaos"}, {Tasks: -1}, {Tasks: 2, Nodes: 3}, {Tasks: 1 << 20, Threads: 2}, {Compute: 1}, {Callers: 4},
	} {
		if _, err := synth.New(o); err == nil {
			t.Errorf("%+v is accepted", o)
		}
	}
}

func TestStops(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := generator(t, synth.Options{}).Write(ctx, io.Discard); err != context.Canceled {
		t.Errorf("got %v", err)
	}
}

// Wide and long traces, which benchmarks and stress tests use.
func TestExtremeShapes(t *testing.T) {
	if testing.Short() {
		t.Skip("large")
	}
	for _, o := range []synth.Options{
		{Tasks: 16384, Nodes: 512, Iterations: 1},
		{Tasks: 1, Bytes: 50 << 20},
	} {
		g := generator(t, o)
		tr, err := prv.Read(context.Background(), bytes.NewReader(text(t, g)), prv.Options{Strict: true})
		if err != nil {
			t.Fatal(err)
		}
		if len(tr.Threads) != o.Tasks {
			t.Errorf("%d threads", len(tr.Threads))
		}
	}
}

// BenchmarkWrite streams traces of different shapes.
func BenchmarkWrite(b *testing.B) {
	for _, o := range []synth.Options{
		{Tasks: 64, Nodes: 4, Bytes: 100 << 20},
		{Tasks: 64, Nodes: 4, Bytes: 100 << 20, Callers: 3},
		{Tasks: 16384, Nodes: 64, Iterations: 2},
		{Tasks: 1, Bytes: 100 << 20},
	} {
		b.Run(name(o), func(b *testing.B) {
			g := generator(b, o)
			for b.Loop() {
				var n countingWriter
				if err := g.Write(context.Background(), &n); err != nil {
					b.Fatal(err)
				}
				b.SetBytes(int64(n))
			}
			b.ReportAllocs()
		})
	}
}
