package prv

import (
	"crypto/rand"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"syscall"

	"pview/prv/mapped"
)

// TempFolder is a folder for temporary files. If its process is killed, the next process that makes a folder of the
// same kind in the same place removes it.
type TempFolder struct {
	Path string
	// Lock protects the folder until all processes that have it open have ended: pass it to processes that go on using
	// the folder without pview.
	Lock     *os.File
	finished func()
}

// swept has the places and kinds whose dead folders have been removed: once per process is enough.
var swept sync.Map

// NewTempFolder makes a folder in parent; "" is the system's. Names of the same kind begin with prefix.
func NewTempFolder(parent, prefix string) (*TempFolder, error) {
	if parent == "" {
		parent = os.TempDir()
	}
	if _, again := swept.LoadOrStore([2]string{parent, prefix}, true); !again {
		sweepTempFolders(parent, prefix)
	}
	name, lock, err := lockedFolder(parent, prefix, 0o700)
	if err != nil {
		return nil, err
	}
	return &TempFolder{name, lock, noteUnfinished(name)}, nil
}

// Remove removes the folder and all files in it.
func (t *TempFolder) Remove() {
	os.RemoveAll(t.Path)
	t.Lock.Close()
	t.finished()
}

// sweepTempFolders removes the user's folders that no process holds.
func sweepTempFolders(parent, prefix string) {
	entries, err := os.ReadDir(parent)
	if err != nil {
		return
	}
	for _, e := range entries {
		path := filepath.Join(parent, e.Name())
		if isDraft(e.Name(), prefix) && e.IsDir() && mapped.IsOwn(path) && isDead(path) {
			os.RemoveAll(path)
		}
	}
}

// lockedFolder makes and locks a folder with a random name.
func lockedFolder(parent, prefix string, mode fs.FileMode) (name string, lock *os.File, err error) {
	for {
		name = filepath.Join(parent, prefix+rand.Text()[:draftLetters])
		if err := os.Mkdir(name, mode); err != nil {
			return "", nil, err
		}
		// Before it is locked, another process may take it for a killed process's and remove it.
		if lock, err = os.Open(name); errors.Is(err, fs.ErrNotExist) {
			continue
		} else if err != nil {
			os.Remove(name)
			return "", nil, err
		}
		err = mapped.Lock(lock)
		if _, gone := os.Lstat(name); gone == nil && !errors.Is(err, syscall.EWOULDBLOCK) {
			return name, lock, nil
		}
		lock.Close()
	}
}
