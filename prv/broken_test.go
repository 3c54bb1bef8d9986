//go:build linux || darwin || freebsd

package prv

import (
	"pview/prv/model"
	"pview/prv/store"

	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"pview/prv/mapped"
)

// indexedTrace writes a trace of 3,000 states. Opened once, it has an index.
func indexedTrace(t *testing.T) (path string, open func() *Trace) {
	path = filepath.Join(t.TempDir(), "run.prv")
	if err := os.WriteFile(path, []byte("#Paraver (22/11/2026 at 10:00):100:1(1):1:1(1:1)\n"+
		strings.Repeat("1:1:1:1:1:0:60:1\n", 3000)), 0o600); err != nil {
		t.Fatal(err)
	}
	o := &Opener{Least: 1, Tell: func(string) {}}
	return path, func() *Trace {
		tr, err := o.Open(context.Background(), path, store.Watcher{})
		if err != nil {
			t.Fatal(err)
		}
		o.Wait(context.Background())
		return tr
	}
}

// openFiles returns the number of files of a trace's index that this process has open. Only Linux reports it.
func openFiles(t *testing.T, path string) (n int) {
	const own = "/proc/self/fd"
	list, err := os.ReadDir(own)
	if err != nil {
		t.Skip("this system does not tell which files are open")
	}
	for _, e := range list {
		if name, err := os.Readlink(filepath.Join(own, e.Name())); err == nil && strings.HasPrefix(name, path) {
			n++
		}
	}
	return n
}

// A trace whose index is truncated reports it, whether the index was opened or just made; its records can still be
// read. Opened again, it is parsed.
func TestBrokenIndex(t *testing.T) {
	for _, reopened := range []bool{false, true} {
		path, open := indexedTrace(t)
		tr := open()
		if reopened {
			tr = open()
		}
		if err := tr.Broken(); err != nil {
			t.Fatalf("reopened %v: %v", reopened, err)
		}
		files, err := filepath.Glob(path + ".pvidx" + "/*")
		if err != nil || len(files) == 0 {
			t.Fatal("there is no index", err)
		}
		for _, name := range files {
			if err := os.Truncate(name, 0); err != nil {
				t.Fatal(err)
			}
		}
		var broken *mapped.Error
		err = mapped.Guard(func() error {
			if s, err := model.Count(context.Background(), tr, nil); err == nil { // Summarize has the counts
				t.Errorf("reopened %v: %v states were counted", reopened, s.States)
			} else {
				return err
			}
			return nil
		})
		if !errors.As(err, &broken) || !errors.As(tr.Broken(), &broken) {
			t.Errorf("reopened %v: counting: %v; it says %v", reopened, err, tr.Broken())
		}
		if again := open(); again.Broken() != nil || again.Threads[0].States.Len() != 3000 ||
			again.Threads[0].States.End[2999] != 60 {
			t.Errorf("reopened %v: opened again: %v", reopened, again.Broken())
		}
	}
}

// The files of unreferenced traces are closed: a viewer may open the same trace a thousand times.
func TestFilesOfCollectedTraces(t *testing.T) {
	path, open := indexedTrace(t)
	kept := open()
	before := openFiles(t, path)
	var others []*Trace
	for range 20 {
		others = append(others, open())
	}
	opened := openFiles(t, path)
	// no collection so far has closed them
	runtime.KeepAlive(others)
	// cleanups run in their own goroutine
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		if runtime.GC(); openFiles(t, path) <= before {
			break
		}
	}
	if now := openFiles(t, path); opened <= before || now > before {
		t.Errorf("%d files of the trace that is kept, %d with 20 more, %d after those have gone", before, opened, now)
	}
	if kept.Broken() != nil || kept.Threads[0].States.End[2999] != 60 {
		t.Errorf("the trace that is kept: %v", kept.Broken())
	}
}

// The cleanup of a trace does not touch the addresses of files that were already unmapped: something else may be mapped
// there.
func TestClosedMappingsAreLeftAlone(t *testing.T) {
	const size = 1 << 20
	path := filepath.Join(t.TempDir(), "columns")
	if err := os.WriteFile(path, make([]byte, size), 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	same := 0
	for range 20 {
		old, err := mapped.Map(f, size, false)
		if err != nil {
			t.Fatal(err)
		}
		m := &mapped.Files{List: [][]byte{old}}
		m.Keep()
		m.Close()
		now, err := mapped.Memory(size)
		if err != nil {
			t.Fatal(err)
		}
		defer mapped.Free(now)
		now[0] = 7
		if &now[0] != &old[0] {
			continue
		}
		same++
		for range 5 {
			runtime.GC()
			time.Sleep(time.Millisecond)
		}
		if now[0] != 7 {
			t.Fatal("memory at the addresses of a closed file was given back")
		}
	}
	if same == 0 {
		t.Skip("this system never gives an address twice")
	}
}
