package format

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"pview/prv"
)

const trace = "#Paraver (22/11/2026 at 10:00):100:1(1):1:1(1:1)\n1:1:1:1:1:0:60:1\n"

func packed(text string) []byte {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	w.Write([]byte(text))
	w.Close()
	return b.Bytes()
}

// A file's content decides what it is, whatever its name.
func TestOf(t *testing.T) {
	dir := t.TempDir()
	for name, test := range map[string]struct {
		content []byte
		want    string
	}{
		"run.prv":      {[]byte(trace), "Paraver trace"},
		"run.dim":      {[]byte("#DIMEMAS:\"x\":0:1(1),0\n"), "Dimemas trace"},
		"misnamed.dim": {[]byte(trace), "Paraver trace"},
		"misnamed.prv": {[]byte("#DIMEMAS:\"x\":0:1(1),0\n"), "Dimemas trace"},
		"nothing":      {packed(trace), "Paraver trace"},
		"packed.prv":   {packed("#DIMEMAS:\"x\":0:1(1),0\n"), "Dimemas trace"},
		"empty.dim":    {nil, "Dimemas trace"},
		"empty":        {nil, "Paraver trace"},
		"broken.gz":    {packed(trace)[:5], "Paraver trace"},
	} {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, test.content, 0o600); err != nil {
			t.Fatal(err)
		}
		if got := Of(path).Name; got != test.want {
			t.Errorf("%s is a %s, want a %s", name, got, test.want)
		}
	}
	if got := Of(filepath.Join(dir, "missing.dim.gz")); !got.IsProgram() {
		t.Errorf("a missing .dim.gz is a %s", got.Name)
	}
	tr, err := Open(context.Background(), &prv.Opener{NoIndex: true}, filepath.Join(dir, "misnamed.dim"), prv.Watcher{})
	if err != nil || tr.Duration != 100 {
		t.Errorf("%v, %v", tr, err)
	}
	if _, err := Open(context.Background(), &prv.Opener{NoIndex: true}, filepath.Join(dir, "run.dim"),
		prv.Watcher{}); err == nil {
		t.Error("a program was opened as a trace")
	}
}

func TestExtensions(t *testing.T) {
	if got := Extensions(); !slices.Equal(got, []string{".prv", ".prv.gz", ".sts", ".sum", ".otf2", ".pvrec", ".json",
		".json.gz", ".sqlite", ".nsys-rep", ".qdrep", ".trf", ".trf.gz"}) {
		t.Errorf("traces end in %v", got)
	}
	for name, want := range map[string][2]bool{"a.prv": {true, true}, "a.prv.gz": {true, true}, "a.dim": {false, true},
		"a.cfg": {false, false}} {
		if HasTraceName(name, false) != want[0] || HasTraceName(name, true) != want[1] {
			t.Errorf("%s: %v, %v", name, HasTraceName(name, false), HasTraceName(name, true))
		}
	}
}

// A file's name decides the output format; programs are written elsewhere.
func TestForOutput(t *testing.T) {
	for name, want := range map[string]string{"a.prv": "Paraver trace", "a.prv.gz": "Paraver trace",
		"a.json":   "Chrome trace events",
		"a.trf.gz": "PICL trace", "a.parquet/": "Parquet", "a.arrow": "Arrow", "a.dim": Dimemas, "a.log": Puppet,
		"a.sts": "", "a.log.gz": "", "a": ""} {
		f := ForOutput(name)
		if f == nil {
			f = &Format{}
		}
		if f.Name != want || (f.Save == nil) != (f.Name == "" || f.IsProgram()) {
			t.Errorf("%s is written as %q, want %q", name, f.Name, want)
		}
	}
	if got := Outputs(); !slices.Equal(got, []string{".prv", ".prv.gz", ".dim", ".log", ".json", ".json.gz", ".trf",
		".trf.gz", ".parquet", ".arrow"}) {
		t.Errorf("outputs end in %v", got)
	}
}

// Every trace format is written in full, and read back if it can be.
func TestSave(t *testing.T) {
	tr, err := prv.Read(context.Background(), bytes.NewReader([]byte(trace)), prv.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, ext := range Outputs() {
		path := filepath.Join(t.TempDir(), "a"+ext)
		f := ForOutput(path)
		if f.Save == nil {
			continue
		}
		if err := f.Save(context.Background(), path, tr); err != nil {
			t.Errorf("%s: %v", ext, err)
		}
		if f.Detect == nil {
			continue
		}
		if got := Of(path); got != f {
			t.Errorf("%s was written as %s, and is %s", ext, f.Name, got.Name)
		}
		if _, err := Open(context.Background(), &prv.Opener{NoIndex: true, Strict: true}, path,
			prv.Watcher{}); err != nil {
			t.Errorf("%s: %v", ext, err)
		}
	}
}

// A trace that is read as a whole is rejected if it takes more memory than pview may use.
func TestBounded(t *testing.T) {
	var b bytes.Buffer
	b.WriteString(`{"schemaVersion":1,"traceEvents":[`)
	for i := range 100_000 {
		fmt.Fprintf(&b, `{"ph":"X","cat":"cpu_op","name":"f","pid":1,"tid":1,"ts":%d,"dur":5},`, 10*i)
	}
	b.WriteString("{}]}")
	path := filepath.Join(t.TempDir(), "a.json")
	if err := os.WriteFile(path, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	runtime.GC()
	for _, limit := range []int64{1 << 20, 1 << 30, 0} { // the rejected one first, while no earlier one is in memory
		refused := limit == 1<<20
		tr, err := Open(context.Background(), &prv.Opener{Memory: limit, NoIndex: true}, path, prv.Watcher{})
		if (err != nil) != refused || refused && !strings.Contains(err.Error(), "a.json: takes more than the 1 MB") {
			t.Errorf("with %d bytes: %v", limit, err)
		}
		if !refused && tr.Threads[0].States.Len() == 0 {
			t.Errorf("with %d bytes there are no states", limit)
		}
		runtime.GC()
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Open(ctx, &prv.Opener{Memory: 1 << 20, NoIndex: true}, path, prv.Watcher{}); err != context.Canceled {
		t.Errorf("cancelled: %v", err)
	}
}

// Files that may take more than half of the memory are not shown in parts.
func TestPartsTakeMemory(t *testing.T) {
	dir := t.TempDir()
	plain, packed := filepath.Join(dir, "a.json"), filepath.Join(dir, "b.json.gz")
	for _, path := range []string{plain, packed} {
		if err := os.WriteFile(path, make([]byte, 1000), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	w := prv.Watcher{Part: func(*prv.Part) {}}
	for _, c := range []struct {
		limit int64
		files []string
		want  bool
	}{{0, []string{plain, packed}, true}, {4000, []string{plain, plain}, true}, {3998, []string{plain, plain}, false},
		{32_000, []string{packed}, true}, {31_998, []string{packed}, false}} {
		if got := sparingly(c.limit, c.files, w).Part != nil; got != c.want {
			t.Errorf("%d bytes for %d files: parts %v", c.limit, len(c.files), got)
		}
	}
}
