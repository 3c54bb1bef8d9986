package prv

// Saving a trace in files, whole or not at all.

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"pview/prv/mapped"
)

// Save writes a trace to path (compressed if that ends in .gz) and its labels and names to the .pcf and .row beside it,
// unless these would be empty and replace no older file. It is an error if it would replace a .pcf or .row without a
// trace. All files are written under temporary names in the same directory and renamed when they are complete and on
// disk: on an error, or if ctx ends, no file is changed or left behind. The error is a *FileError, or ctx.Err().
func Save(ctx context.Context, path string, t *Trace) error {
	var s Files
	defer s.Discard()
	if err := s.AddTrace(ctx, path, t); err != nil {
		return err
	}
	return s.Commit()
}

// SaveFile writes one file of another kind like Save: whole or not at all, and compressed if path ends in .gz.
func SaveFile(path string, write func(io.Writer) error) error {
	var s Files
	defer s.Discard()
	if err := s.Add(path, write); err != nil {
		return err
	}
	return s.Commit()
}

// Replaceable returns the error of SaveFile for a path that cannot be written: a folder, a device, a read-only file, or
// a path in a folder that does not exist.
func Replaceable(path string) error {
	path, _, err := target(path)
	if err == nil {
		_, err = os.Stat(filepath.Dir(path))
		err = saveError(path, err)
	}
	return err
}

// TraceReplaceable returns the error of Save for a path that cannot be written, before any work on the trace.
func TraceReplaceable(path string) error {
	err := Replaceable(path)
	for _, ext := range []string{".pcf", ".row"} {
		if err == nil {
			err = replaceable(Base(path) + ext)
		}
	}
	return err
}

func writeMaybeGzip(ctx context.Context, w io.Writer, path string, t *Trace) error {
	return maybeGzip(w, path, func(w io.Writer) error { return Write(ctx, w, t) })
}

// Files are files that appear together, or not at all: written under temporary names by the Add functions, renamed by
// Commit, removed by Discard, which does nothing after Commit.
type Files struct {
	files []savedFile
}

type savedFile struct {
	draft *draft
	path  string
}

// Add adds a file with the output of write, compressed if path ends in .gz.
func (s *Files) Add(path string, write func(io.Writer) error) error {
	return s.write(path, func(w io.Writer) error { return maybeGzip(w, path, write) })
}

// AddTrace adds a trace, its labels and names, as Save writes them.
func (s *Files) AddTrace(ctx context.Context, path string, t *Trace) error {
	err := s.companion(Base(path)+".pcf", func(w io.Writer) error { return WriteLabels(w, t.Labels) })
	if err == nil {
		err = s.companion(Base(path)+".row", func(w io.Writer) error { return WriteNames(w, t.Names) })
	}
	if err == nil {
		err = s.write(path, func(w io.Writer) error { return writeMaybeGzip(ctx, w, path, t) })
	}
	if err == nil {
		err = ctx.Err()
	}
	return err
}

// companion adds a small file, unless it is empty and replaces no other.
func (s *Files) companion(path string, write func(io.Writer) error) error {
	var b bytes.Buffer
	if err := write(&b); err != nil {
		return &FileError{File: path, Why: err.Error(), Err: err}
	}
	if _, err := os.Lstat(path); b.Len() == 0 && errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err := replaceable(path); err != nil {
		return err
	}
	return s.write(path, func(w io.Writer) error {
		_, err := w.Write(b.Bytes())
		return err
	})
}

// replaceable returns an error if path is a .pcf or .row without a trace: it may be replaced only together with the
// older trace that it belongs to.
func replaceable(path string) error {
	if info, err := os.Stat(path); err != nil || info.Size() == 0 {
		return nil
	}
	base := strings.TrimSuffix(path, filepath.Ext(path))
	for _, ext := range []string{".prv", ".prv.gz"} {
		if _, err := os.Stat(base + ext); err == nil {
			return nil
		}
	}
	return &FileError{File: path,
		Why: "it exists without its trace and is not overwritten: remove it, or write to another name"}
}

// write adds a file with the output of write, complete and on disk, but under its temporary name.
func (s *Files) write(path string, write func(io.Writer) error) error {
	path, mode, err := target(path)
	if err != nil {
		return err
	}
	d, err := newDraft(path, mode)
	if err != nil {
		return saveError(path, err)
	}
	s.files = append(s.files, savedFile{d, path})
	err = write(d.file)
	return saveError(path, cmp.Or(err, d.complete()))
}

// target returns the real path of a file (links resolved) and its permissions: those of the file that it replaces.
func target(path string) (string, fs.FileMode, error) {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return path, 0o666, nil
	case err != nil:
		return "", 0, saveError(path, err)
	case info.IsDir():
		return "", 0, &FileError{File: path, Why: "cannot be written: is a directory"}
	case !info.Mode().IsRegular():
		return "", 0, &FileError{File: path, Why: "cannot be written: is not a regular file"}
	case info.Mode().Perm()&0o200 == 0: // a rename would ignore the missing write permission
		return "", 0, &FileError{File: path, Why: "cannot be written: is read-only", Err: fs.ErrPermission}
	}
	if f, err := os.OpenFile(path, os.O_WRONLY, 0); err != nil {
		return "", 0, saveError(path, err)
	} else if err := f.Close(); err != nil {
		return "", 0, saveError(path, err)
	}
	return path, info.Mode().Perm(), nil
}

// saveError names the file that could not be written and the reason. It keeps the errors of a context, and of reading
// the data to write.
func saveError(path string, err error) error {
	if err == nil || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	if fe, me := (*FileError)(nil), (*mapped.Error)(nil); errors.As(err, &fe) || errors.As(err, &me) {
		return err
	}
	why := err.Error()
	if pe := (*fs.PathError)(nil); errors.As(err, &pe) {
		why = pe.Err.Error()
	}
	return &FileError{File: path, Why: "cannot be written: " + why, Err: err}
}

// Commit renames the files to their final names, in order.
func (s *Files) Commit() error {
	for len(s.files) > 0 {
		f := s.files[0]
		if err := f.draft.rename(f.path); err != nil {
			return saveError(f.path, err)
		}
		s.files = s.files[1:]
		// This makes the new name survive a power failure, too. Not every file system can do it; the file is good
		// without it.
		if d, err := os.Open(filepath.Dir(f.path)); err == nil {
			d.Sync()
			d.Close()
		}
	}
	return nil
}

// Discard removes the files that were not renamed.
func (s *Files) Discard() {
	for _, f := range s.files {
		f.draft.discard()
	}
	s.files = nil
}
