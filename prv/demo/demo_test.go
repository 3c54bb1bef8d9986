package demo_test

import (
	"bytes"
	"context"
	"flag"
	"os"
	"testing"

	"github.com/klauspost/compress/gzip"

	"pview/prv"
	"pview/prv/demo"
	"pview/prv/synth"
)

var update = flag.Bool("update", false, "write the files of the demonstration trace anew")

// The embedded trace equals the one that the generator makes.
func TestDemoIsUpToDate(t *testing.T) {
	g, err := synth.New(synth.Demo())
	if err != nil {
		t.Fatal(err)
	}
	want, err := g.Trace(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		write(t, want)
		t.Skip("written; now run the test again without -update")
	}
	got, err := demo.Open(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if err := prv.Equal(got, want); err != nil {
		t.Errorf("the embedded trace and the generator's differ (go test ./prv/demo -update): %v", err)
	}
}

// write writes the files with the best compression.
func write(t *testing.T, tr *prv.Trace) {
	t.Helper()
	var records, labels, names bytes.Buffer
	z, err := gzip.NewWriterLevel(&records, gzip.BestCompression)
	if err != nil {
		t.Fatal(err)
	}
	if err := prv.Write(context.Background(), z, tr); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	if err := prv.WriteLabels(&labels, tr.Labels); err != nil {
		t.Fatal(err)
	}
	if err := prv.WriteNames(&names, tr.Names); err != nil {
		t.Fatal(err)
	}
	for name, b := range map[string]*bytes.Buffer{"demo.prv.gz": &records, "demo.pcf": &labels, "demo.row": &names} {
		if err := os.WriteFile(name, b.Bytes(), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// The trace has something for each feature of pview.
func TestDemoHasEverything(t *testing.T) {
	tr, err := demo.Open(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	s, err := prv.Summarize(context.Background(), tr)
	if err != nil {
		t.Fatal(err)
	}
	if len(tr.Nodes) != 4 || len(tr.Tasks) != 16 || len(tr.Threads) != 32 || len(tr.Communicators) != 17 {
		t.Errorf("%d nodes, %d tasks, %d threads, %d communicators", len(tr.Nodes), len(tr.Tasks), len(tr.Threads),
			len(tr.Communicators))
	}
	if len(s.States) < 12 || len(s.Types) < 20 || s.Messages < 1000 || tr.Duration < 1_500_000_000 ||
		tr.Duration > 2_500_000_000 {
		t.Errorf("%d states, %d types, %d messages, %d ns", len(s.States), len(s.Types), s.Messages, tr.Duration)
	}
	precision := false
	for i := range tr.Labels.Types {
		precision = precision || tr.Labels.Types[i].Precision > 0
	}
	if !precision || tr.Name(prv.LevelNode, 3) != "node4" {
		t.Error("no type with precision, or no names")
	}
}
