//go:build unix

package format

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// A pipe is read once and has no index: opening it just to look would break it for its writer.
func TestImportedPipe(t *testing.T) {
	o := opener(t)
	path := filepath.Join(t.TempDir(), "run.json")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Skip(err)
	}
	wrote := make(chan error, 1)
	go func() {
		f, err := os.OpenFile(path, os.O_WRONLY, 0)
		if err == nil {
			_, err = f.WriteString(`[{"ph":"X","name":"a","pid":1,"tid":1,"ts":1,"dur":1}]`)
			f.Close()
		}
		wrote <- err
	}()
	if tr, indexed := open(t, o, path); indexed || len(tr.Threads) != 1 {
		t.Errorf("%d threads, from an index: %v", len(tr.Threads), indexed)
	}
	if err := <-wrote; err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(path + ".pvidx"); err == nil {
		t.Error("a pipe has an index")
	}
}
