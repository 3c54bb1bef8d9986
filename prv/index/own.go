package index

// Recognising pview's own folders. A name is no proof: run.prv.pvidx may be any folder. Indexes and their drafts carry
// a mark. A folder without it is never removed or replaced; in a folder with it, only files that pview makes are.

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"pview/prv/model"
	"strings"
)

// The mark is a file by the convention for cache folders (bford.info/cachedir), which backup programs respect: the
// convention's first line, and a line of our own.
const (
	markFile = "CACHEDIR.TAG"
	markText = "Signature: 8a477f597d28d172789f06886806bc55\n" +
		"# This folder is an index of pview: see pview index --help\n"
)

// metaBegin begins the metadata of an index without a mark: earlier versions did not make marks.
const metaBegin = `"index":{"format":"` + format + `"`

// ownFiles are the names of all files that an index or a draft can have.
var ownFiles = func() map[string]bool {
	own := map[string]bool{metaFile: true, countsFile: true, lockName: true, markFile: true}
	for i := range tables {
		own[tables[i].name] = true
	}
	for i := range nameTables {
		own[nameTables[i].name] = true
	}
	return own
}()

// nfsPrefix begins the names that NFS gives to removed files that are still in use.
const nfsPrefix = ".nfs"

// ForeignError reports a folder that is not pview's, so that pview may not remove or replace it.
type ForeignError struct{ dir, why string }

func (e *ForeignError) Error() string { return fmt.Sprintf("%s %s, and is left alone", e.dir, e.why) }

// Owned returns nil if pview may remove or replace a folder: it is marked and has only pview's files. Otherwise the
// error is a *ForeignError or the file system's.
func Owned(dir string) error {
	root, err := openMarked(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	if err := ownedOnly(dir, root); err == nil || isAt(root, dir) {
		return err
	}
	return Owned(dir)
}

// isAt reports, as far as it can tell, whether an open folder still has its name: another process that makes the same
// index may have replaced it.
func isAt(root *os.Root, dir string) bool {
	opened, err := root.Stat(".")
	if err != nil {
		return !errors.Is(err, fs.ErrNotExist)
	}
	named, err := os.Lstat(dir)
	if err != nil {
		return !errors.Is(err, fs.ErrNotExist)
	}
	return os.SameFile(opened, named)
}

// openMarked opens a folder that carries the mark.
func openMarked(dir string) (*os.Root, error) {
	info, err := os.Lstat(dir)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		return nil, &ForeignError{dir, "is not an index of pview"}
	}
	root, err := os.OpenRoot(dir)
	if errors.Is(err, fs.ErrNotExist) { // it was removed a moment ago
		return openMarked(dir)
	}
	if err != nil {
		return nil, &ForeignError{dir, "cannot be looked into"}
	}
	if beginsWith(root, markFile, markText, 0) || beginsWith(root, metaFile, metaBegin, 128) {
		return root, nil
	}
	defer root.Close()
	if !isAt(root, dir) {
		return openMarked(dir)
	}
	return nil, &ForeignError{dir, "is not an index of pview"}
}

// IsMarked reports whether a folder carries the mark.
func IsMarked(dir string) bool {
	root, err := openMarked(dir)
	if err != nil {
		return false
	}
	root.Close()
	return true
}

// beginsWith reports whether a regular file of a folder has the text near its start, after at most skip bytes.
func beginsWith(root *os.Root, name, text string, skip int) bool {
	if info, err := root.Lstat(name); err != nil || !info.Mode().IsRegular() {
		return false
	}
	f, err := root.Open(name)
	if err != nil {
		return false
	}
	defer f.Close()
	begin := make([]byte, len(text)+skip)
	n, _ := io.ReadFull(f, begin) // a short file has fewer
	return strings.Contains(string(begin[:n]), text)
}

// ownedOnly returns an error if an open folder holds anything that is not pview's.
func ownedOnly(dir string, root *os.Root) error {
	entries, err := fs.ReadDir(root.FS(), ".")
	if err != nil {
		return &ForeignError{dir, "cannot be looked into"}
	}
	for _, e := range entries {
		if isOwn := ownFiles[e.Name()] || strings.HasPrefix(e.Name(), nfsPrefix); !isOwn || e.IsDir() {
			return &ForeignError{dir, "holds a file that is not pview's (" + model.Clean(e.Name()) + ")"}
		}
	}
	return nil
}

// removeOwned removes one of pview's folders.
func removeOwned(dir string) error {
	if err := Owned(dir); err != nil {
		return err
	}
	return emptyOut(dir)
}

// emptyOut removes pview's files from a folder, and the folder if it is then empty. The mark goes last, so that the
// next process can remove what a killed process, or NFS with mapped files, has left.
func emptyOut(dir string) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	for name := range ownFiles {
		if name == markFile {
			continue
		}
		if err := root.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	left, err := fs.ReadDir(root.FS(), ".")
	if err != nil || len(left) > 1 || len(left) == 1 && left[0].Name() != markFile {
		return err
	}
	if err := root.Remove(markFile); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return os.Remove(dir)
}

// removeIndex removes an index; it renames it first, so that no process sees half of it. The error is nil if there is
// no index.
func removeIndex(dir string) error {
	err := Owned(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	parent, name := filepath.Split(dir)
	old := filepath.Join(parent, draftName(name))
	if err := os.Rename(dir, old); err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		return err
	}
	err = removeOwned(old)
	if errors.Is(err, fs.ErrNotExist) { // another process has removed it
		return nil
	}
	if errors.As(err, new(*ForeignError)) {
		os.Rename(old, dir) // another process's file has appeared meanwhile
	}
	return err
}

// draftName makes a name for a draft of an index; isDraftName recognises such names.
func draftName(name string) string { return draftPrefix(name) + rand.Text()[:draftLetters] }

// draftPrefix returns the start of the names of an index's drafts.
func draftPrefix(name string) string { return "." + name + "." }

const draftLetters = 8 // from rand.Text's alphabet

func isDraftName(name, of string) bool {
	letters, ok := strings.CutPrefix(name, draftPrefix(of))
	return ok && len(letters) == draftLetters && strings.Trim(letters, "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567") == ""
}
