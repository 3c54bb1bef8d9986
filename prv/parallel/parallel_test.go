package parallel

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"

	"pview/prv/mapped"
)

// Every step runs once with any number of workers.
func TestEach(t *testing.T) {
	for _, workers := range []int{-1, 0, 1, 3, 100} {
		for _, n := range []int{0, 1, 2, 1000} {
			ran := make([]atomic.Int32, n)
			var most atomic.Int32
			err := Each(t.Context(), n, workers, func(worker, i int) error {
				ran[i].Add(1)
				most.Store(max(most.Load(), int32(worker)))
				return nil
			})
			if err != nil || workers > 0 && int(most.Load()) >= workers {
				t.Fatalf("%d steps by %d workers: %v, worker %d", n, workers, err, most.Load())
			}
			for i := range ran {
				if got := ran[i].Load(); got != 1 {
					t.Fatalf("%d steps by %d workers: step %d ran %d times", n, workers, i, got)
				}
			}
		}
	}
}

func TestEachEnds(t *testing.T) {
	failure := errors.New("step 5")
	for _, workers := range []int{1, 4} {
		err := Each(t.Context(), 1000, workers, func(_, i int) error {
			if i == 5 {
				return failure
			}
			return nil
		})
		if !errors.Is(err, failure) {
			t.Errorf("%d workers: %v", workers, err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		err = Each(ctx, 1000, workers, func(_, i int) error {
			cancel()
			return nil
		})
		if !errors.Is(err, context.Canceled) {
			t.Errorf("%d workers, cancelled: %v", workers, err)
		}
	}
}

// A panic is passed on unchanged where the loop was called.
func TestPanics(t *testing.T) {
	for name, run := range map[string]func(){
		"one worker":   func() { Each(context.Background(), 10, 1, func(_, i int) error { panic("ours") }) },
		"four workers": func() { Each(context.Background(), 10, 4, func(_, i int) error { panic("ours") }) },
	} {
		func() {
			defer func() {
				if r := recover(); r != "ours" {
					t.Errorf("%s: recovered %v", name, r)
				}
			}()
			run()
			t.Errorf("%s: it returned", name)
		}()
	}
}

// A mapped file that breaks under a loop is an error of the loop.
func TestBrokenFile(t *testing.T) {
	if !mapped.Supported {
		t.Skip("no mapped files")
	}
	for name, run := range map[string]func(read func() error) error{
		"one worker": func(read func() error) error {
			return Each(t.Context(), 3, 1, func(int, int) error { return read() })
		},
		"four workers": func(read func() error) error {
			return Each(t.Context(), 8, 4, func(int, int) error { return read() })
		},
	} {
		path := filepath.Join(t.TempDir(), "file")
		if err := os.WriteFile(path, make([]byte, 1<<16), 0o600); err != nil {
			t.Fatal(err)
		}
		f, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		b, err := mapped.Map(f, 1<<16, false)
		f.Close()
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Truncate(path, 0); err != nil {
			t.Fatal(err)
		}
		var sum atomic.Int64
		err = run(func() error {
			for _, c := range b {
				sum.Add(int64(c))
			}
			return nil
		})
		var broken *mapped.Error
		if !errors.As(err, &broken) || broken.File != path {
			t.Errorf("%s: %v", name, err)
		}
		mapped.Unmap(b)
	}
}
