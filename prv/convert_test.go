package prv

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"pview/prv/prvtest"
	"pview/prv/store"
)

// A converted trace keeps its .pcf to the byte, comments included.
func TestConvertKeepsLabels(t *testing.T) {
	const text = "#Paraver (01/01/2026 at 10:00):1000_ns:1(2):1:2(1:1,1:1)\n1:1:1:1:1:0:10:1\n"
	const pcf = "# written by hand\nSTATES\n1    Running\nnot a line of a .pcf\n"
	dir := t.TempDir()
	in, out := filepath.Join(dir, "a.prv"), filepath.Join(dir, "b.prv.gz")
	for name, content := range map[string]string{"a.prv": text, "a.pcf": pcf, "b.prv": "older", "b.pcf": "older",
		"b.row": "LEVEL THREAD SIZE 1\nolder\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	tr, err := Open(t.Context(), in, store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := Convert(t.Context(), out, tr); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"a.pcf": pcf, "b.pcf": pcf, "b.row": ""} {
		if got, err := os.ReadFile(filepath.Join(dir, name)); err != nil || string(got) != want {
			t.Errorf("%s is %q, %v; want %q", name, got, err, want)
		}
	}
	back, err := Open(t.Context(), out, store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := Equal(tr, back); err != nil {
		t.Error(err)
	}
	// Written under another name with the same .pcf, the trace leaves that file unchanged.
	if err := Convert(t.Context(), filepath.Join(dir, "a.prv.gz"), tr); err != nil {
		t.Fatal(err)
	}
	if got, _ := os.ReadFile(filepath.Join(dir, "a.pcf")); string(got) != pcf {
		t.Errorf("a.pcf has become %q", got)
	}
}

// A link to a trace elsewhere uses the labels beside the target, unless there are some beside the link. A trace
// converted from it gets the same labels.
func TestNamesBehindALink(t *testing.T) {
	there, here := t.TempDir(), t.TempDir()
	prvtest.Write(t, filepath.Join(there, "run.prv"), traceA)
	prvtest.Write(t, filepath.Join(there, "run.pcf"), "STATES\n1 Busy there\n")
	link := filepath.Join(here, "today.prv")
	if err := os.Symlink(filepath.Join(there, "run.prv"), link); err != nil {
		t.Skip(err)
	}
	name := func(path string) string {
		tr, err := Open(context.Background(), path, store.Options{})
		if err != nil {
			t.Fatal(err)
		}
		return tr.Labels.StateName(1)
	}
	if got := name(link); got != "Busy there" {
		t.Errorf("through the link: %q", got)
	}
	tr, err := Open(context.Background(), link, store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	made := filepath.Join(here, "made.prv.gz")
	if err := Convert(context.Background(), made, tr); err != nil {
		t.Fatal(err)
	}
	if got := name(made); got != "Busy there" {
		t.Errorf("converted: %q", got)
	}
	prvtest.Write(t, filepath.Join(here, "today.pcf"), "STATES\n1 Busy here\n")
	if got := name(link); got != "Busy here" {
		t.Errorf("with names beside the link: %q", got)
	}
}
