package prv

// Folders that are written whole, like files: as a draft that is renamed.

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"pview/prv/mapped"
)

// oldSuffix is appended to the name of a draft to name the folder that it replaces.
const oldSuffix = ".old"

// SaveFolder writes a folder of files: write gets a folder for them, which replaces an older one once they are
// complete. owned reports whether a file can be one of such a folder's: a folder with any other file is not replaced.
// The error is a *FileError or ctx's.
func SaveFolder(ctx context.Context, path string, owned func(file string) bool,
	write func(dir string) error) error {
	path = filepath.Clean(path)
	if err := holdsOnly(path, owned); err != nil {
		return err
	}
	draft, lock, err := newFolderDraft(path, owned)
	if err != nil {
		return saveError(path, err)
	}
	defer noteUnfinished(draft)()
	defer lock.Close() // after the folder is in place or gone
	defer os.RemoveAll(draft)
	if err := cmp.Or(write(draft), lock.Sync(), ctx.Err()); err != nil {
		return saveError(path, err)
	}
	old := draft + oldSuffix
	if err := os.Rename(path, old); err == nil {
		defer os.RemoveAll(old)
	} else if !errors.Is(err, fs.ErrNotExist) {
		return saveError(path, err)
	}
	return saveError(path, os.Rename(draft, path))
}

// holdsOnly returns an error if something other than a folder of owned files exists.
func holdsOnly(path string, owned func(string) bool) error {
	entries, err := os.ReadDir(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return &FileError{File: path, Why: "cannot be written: a file has that name, and the output is a folder"}
	}
	for _, e := range entries {
		if !owned(e.Name()) || !e.Type().IsRegular() {
			return &FileError{File: path, Why: "holds " + Clean(e.Name()) +
				", which is not one of its files, and is not overwritten: remove it, or write to another name"}
		}
	}
	return nil
}

// newFolderDraft removes the drafts of killed writers, then makes and locks the draft of a folder.
func newFolderDraft(path string, owned func(string) bool) (name string, lock *os.File, err error) {
	prefix := draftPrefix(path)
	sweepFolders(path, prefix, owned)
	return lockedFolder(filepath.Dir(path), prefix, 0o777)
}

// sweepFolders removes drafts of a folder whose writers were killed, and restores the folder that one of them was about
// to replace.
func sweepFolders(path, prefix string, owned func(string) bool) {
	parent := filepath.Dir(path)
	entries, err := os.ReadDir(parent)
	if err != nil {
		return
	}
	for _, e := range entries {
		name, isOld := strings.CutSuffix(e.Name(), oldSuffix)
		if !isDraft(name, prefix) || !e.IsDir() {
			continue
		}
		draft, own := filepath.Join(parent, name), filepath.Join(parent, e.Name())
		if holdsOnly(own, owned) != nil || !isDead(draft) {
			continue
		}
		if isOld {
			if _, err := os.Lstat(path); errors.Is(err, fs.ErrNotExist) && os.Rename(own, path) == nil {
				continue
			}
		}
		os.RemoveAll(own)
	}
}

// isDead reports whether a draft has no living writer: its lock is free, or it is gone.
func isDead(draft string) bool {
	f, err := os.Open(draft)
	if err != nil {
		return errors.Is(err, fs.ErrNotExist)
	}
	defer f.Close()
	return mapped.Lock(f) == nil
}
