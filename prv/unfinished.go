package prv

import (
	"cmp"
	"crypto/rand"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"

	"pview/prv/mapped"
)

// Files are written under temporary names. A process that is terminated while writing has no time to finish, but enough
// to remove its temporary files. If it is killed outright, the next writer of a file removes them.

var unfinished struct {
	sync.Mutex
	temps map[string]bool
}

// noteUnfinished notes the temporary name of a file or folder that is being written, until finished is called.
func noteUnfinished(temp string) (finished func()) {
	unfinished.Lock()
	defer unfinished.Unlock()
	if unfinished.temps == nil {
		unfinished.temps = map[string]bool{}
	}
	unfinished.temps[temp] = true
	return func() {
		unfinished.Lock()
		defer unfinished.Unlock()
		delete(unfinished.temps, temp)
	}
}

// RemoveUnfinished removes files and folders that are still being written, before the process ends.
func RemoveUnfinished() {
	unfinished.Lock()
	defer unfinished.Unlock()
	for temp := range unfinished.temps {
		os.RemoveAll(temp)
	}
}

// draft is a file that is being written: hidden beside its place, and locked while its writer lives.
type draft struct {
	file     *os.File
	locked   bool
	finished func()
}

// Names of drafts: .NAME.XXXXXXXX, with a random end. A long name is cut, so that the draft's fits.
const (
	draftLetters = 8
	longestName  = 200 // bytes
)

func draftPrefix(path string) string {
	name := filepath.Base(path)
	return "." + name[:min(len(name), longestName)] + "."
}

// newDraft removes the drafts of killed writers, then makes the draft of a file.
func newDraft(path string, mode fs.FileMode) (*draft, error) {
	dir, prefix := filepath.Dir(path), draftPrefix(path)
	sweepDrafts(dir, prefix)
	for {
		name := filepath.Join(dir, prefix+rand.Text()[:draftLetters])
		f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, mode)
		if err != nil {
			return nil, err
		}
		// Before it is locked, another writer may take it for a killed writer's and remove it.
		err = mapped.Lock(f)
		if _, gone := os.Lstat(name); gone != nil || errors.Is(err, syscall.EWOULDBLOCK) {
			f.Close()
			continue
		}
		return &draft{f, err == nil, noteUnfinished(name)}, nil
	}
}

// sweepDrafts removes drafts whose writers were killed: their lock is free.
func sweepDrafts(dir, prefix string) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	for _, e := range entries {
		if !isDraft(e.Name(), prefix) || !e.Type().IsRegular() {
			continue
		}
		if f, err := os.OpenFile(filepath.Join(dir, e.Name()), os.O_RDWR, 0); err == nil {
			if mapped.Lock(f) == nil {
				os.Remove(f.Name())
			}
			f.Close()
		}
	}
}

// isDraft reports whether a name is a draft's with a prefix.
func isDraft(name, prefix string) bool {
	end, ok := strings.CutPrefix(name, prefix)
	return ok && len(end) == draftLetters && strings.Trim(end, "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567") == ""
}

// complete flushes the file to disk.
func (d *draft) complete() error {
	err := d.file.Sync()
	if !d.locked {
		err = cmp.Or(err, d.file.Close())
	}
	return err
}

// rename gives the file its final name.
func (d *draft) rename(path string) error {
	err := os.Rename(d.file.Name(), path)
	if err == nil {
		d.finished()
		if d.locked { // not earlier, or another writer might remove it
			err = d.file.Close()
		}
	}
	return err
}

// discard removes the file.
func (d *draft) discard() {
	os.Remove(d.file.Name())
	d.file.Close()
	d.finished()
}
