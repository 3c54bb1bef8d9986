package index

// Which folders are pview's. A name is no proof: run.prv.pvidx may be anybody's folder. Indexes, and drafts of them,
// carry a mark, and nothing that does not carry it is removed or replaced; of what does, only the files that pview
// makes.

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

// The mark is a file of the convention for cache folders (bford.info/cachedir), which backup programs heed: its first
// line, and a line of our own.
const (
	markFile = "CACHEDIR.TAG"
	markText = "Signature: 8a477f597d28d172789f06886806bc55\n" +
		"# This folder is an index of pview: see pview index --help\n"
)

// The metadata of an index without a mark begin with metaBegin: earlier versions made none.
const metaBegin = `"index":{"format":"` + format + `"`

// ownFiles are the names of all files that an index, or a draft, can have.
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

// nfsPrefix begins the names that NFS gives to removed files for as long as they are in use.
const nfsPrefix = ".nfs"

// ForeignError says that a folder is not pview's to remove or to replace.
type ForeignError struct{ dir, why string }

func (e *ForeignError) Error() string { return fmt.Sprintf("%s %s, and is left alone", e.dir, e.why) }

// Owned returns nil when pview may remove or replace a folder: it is marked, and has no files but pview's. Otherwise
// the error is a *foreignError, or that of the file system.
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

// isAt reports whether an opened folder still has its name, as far as can be told: another who makes the same index may
// have put his in its place.
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
	if errors.Is(err, fs.ErrNotExist) { // since a moment ago
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

// beginsWith reports whether a regular file of a folder has the text within its first bytes: at its begin, or at most
// skip bytes behind it.
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
	n, _ := io.ReadFull(f, begin) // a short file has less
	return strings.Contains(string(begin[:n]), text)
}

// ownedOnly returns an error when an opened folder holds anything that is not pview's.
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

// removeOwned removes a folder of pview's.
func removeOwned(dir string) error {
	if err := Owned(dir); err != nil {
		return err
	}
	return emptyOut(dir)
}

// emptyOut removes pview's files from a folder, and the folder when it is empty then. The mark goes last: what a kill
// leaves, or NFS of files that are still mapped, can be removed by the next.
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

// removeIndex removes an index: first its name, so that nobody sees half of it. It is nil when there is none.
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
	if errors.Is(err, fs.ErrNotExist) { // another has swept it away
		return nil
	}
	if errors.As(err, new(*ForeignError)) {
		os.Rename(old, dir) // somebody else's file came in between
	}
	return err
}

// draftName makes a name for a draft of an index; isDraftName knows such names.
func draftName(name string) string { return draftPrefix(name) + rand.Text()[:draftLetters] }

// The names of the drafts of an index begin with draftPrefix.
func draftPrefix(name string) string { return "." + name + "." }

const draftLetters = 8 // of rand.Text's alphabet

func isDraftName(name, of string) bool {
	letters, ok := strings.CutPrefix(name, draftPrefix(of))
	return ok && len(letters) == draftLetters && strings.Trim(letters, "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567") == ""
}
