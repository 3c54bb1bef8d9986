package diagnose

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pview/prv"
)

// Two devices without communication compute 100 and 300 us: the mean is 200 us, and the second computes 100 us more,
// which no wait explains.
func TestUnevenDevices(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "run.prv")
	for name, text := range map[string]string{
		"run.prv": "#Paraver (27/11/2026 at 10:00):300000_ns:1(2):1:2(1:1,1:1)\n" +
			"1:1:1:1:1:0:100000:1\n1:1:1:1:1:100000:300000:0\n1:2:1:2:1:0:300000:1\n",
		"run.row": "LEVEL THREAD SIZE 2\nCUDA-D0.S7\nCUDA-D1.S7\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	trace, err := prv.Open(context.Background(), path, prv.Options{})
	if err != nil {
		t.Fatal(err)
	}
	r, err := Analyze(context.Background(), trace, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range r.Findings {
		if f.Rule == unevenWorkID {
			if f.Severity != 100_000 || !strings.Contains(f.Title, "CUDA-D1 computes 300 us, the mean of 2 devices is 200 us") {
				t.Errorf("%v: %s", f.Severity, f.Title)
			}
			return
		}
	}
	t.Errorf("%+v", r.Findings)
}
