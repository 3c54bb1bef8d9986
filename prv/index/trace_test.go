package index_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"pview/prv"
	"pview/prv/index"
	"pview/prv/prvtest"
	"pview/prv/store"
)

// A trace opened from its index equals the parsed trace.
func TestIndexIsTheTrace(t *testing.T) {
	prvtest.Cache(t)
	for name, text := range prvtest.AwkwardTraces {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "run.prv")
			prvtest.Write(t, path, text)
			prvtest.Write(t, prv.Base(path)+".pcf",
				"STATES\n0 Idle\n1 Busy\n\nEVENT_TYPE\n0 7 Seven\nVALUES\n8 eight\nnonsense\n")
			prvtest.Write(t, prv.Base(path)+".row", "LEVEL THREAD SIZE 1\nmaster\n")
			checkIndexed(t, path)
		})
	}
}

// The same holds for all traces of the repository and of the kits.
func TestIndexOfRealTraces(t *testing.T) {
	prvtest.Cache(t)
	paths, err := filepath.Glob("../../testdata/traces/*/*.prv*")
	if err != nil || len(paths) == 0 {
		t.Fatal("no traces", err)
	}
	if dir := os.Getenv("PVIEW_SHARED"); dir != "" {
		paths = append(paths, prvtest.Traces(dir, "traces", "*")...)
	}
	for _, path := range paths {
		t.Run(filepath.Base(path), func(t *testing.T) {
			here := filepath.Join(t.TempDir(), filepath.Base(path))
			for _, ext := range []string{"", ".pcf", ".row"} {
				from, to := path, here
				if ext != "" {
					from, to = prv.Base(path)+ext, prv.Base(here)+ext
				}
				if text, err := os.ReadFile(from); err == nil {
					prvtest.Write(t, to, string(text))
				}
			}
			checkIndexed(t, here)
		})
	}
}

// checkIndexed parses a trace, opens it while its index is being made, and opens it from the index.
func checkIndexed(t *testing.T, path string) {
	t.Helper()
	ctx := context.Background()
	parsed, err := prv.Open(ctx, path, store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	o := &prv.Opener{Least: 1, Tell: func(s string) { t.Error(s) }}
	for _, what := range []string{"while the index is made", "from the index"} {
		if (what == "from the index") != exists(path+".pvidx") {
			t.Fatalf("%s: index there: %v", what, exists(path+".pvidx"))
		}
		got, err := o.Open(ctx, path, store.Watcher{})
		if err != nil {
			t.Fatal(err)
		}
		if err := prvtest.Same(parsed, got); err != nil {
			t.Errorf("%s: %v", what, err)
		}
		o.Wait(ctx)
		if err := prvtest.Same(parsed, got); err != nil {
			t.Errorf("%s, after it was made: %v", what, err)
		}
	}
	if info, err := index.Of(path); err != nil || info == nil || info.Why != "" {
		t.Errorf("the index is said to be %+v, %v", info, err)
	}
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}
