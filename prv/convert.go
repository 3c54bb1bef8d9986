package prv

// Saving a trace that was read from a file under another name.

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"pview/prv/model"
)

// Convert writes a trace that was read from t.Path to another path, like Save, but copies the .pcf and .row byte for
// byte: rewriting would lose their comments and unreadable parts. If both paths share their .pcf and .row (run.prv and
// run.prv.gz in one directory), those stay as they are.
func Convert(ctx context.Context, path string, t *Trace) error {
	var s Files
	defer s.Discard()
	err := s.write(path, func(w io.Writer) error { return writeMaybeGzip(ctx, w, path, t) })
	if err == nil {
		err = s.takeOver(ctx, companionOf(t.Path, ".pcf"), Base(path)+".pcf",
			func(w io.Writer) error { return WriteLabels(w, t.Labels) })
	}
	if err == nil {
		err = s.takeOver(ctx, companionOf(t.Path, ".row"), Base(path)+".row",
			func(w io.Writer) error { return WriteNames(w, t.Names) })
	}
	if err == nil {
		err = ctx.Err()
	}
	if err == nil {
		s.files = append(s.files[1:], s.files[0]) // the trace appears last
		err = s.Commit()
	}
	return err
}

// takeOver adds a copy of a small file. If that file does not exist, write writes the trace's own; if that is empty, an
// older file at the destination is emptied, since it belongs to the trace that is being replaced.
func (s *Files) takeOver(ctx context.Context, from, to string, write func(io.Writer) error) error {
	f, _, err := openFile(from)
	if errors.Is(err, fs.ErrNotExist) {
		return s.companion(to, write)
	}
	if err != nil {
		return err
	}
	defer f.Close()
	source, err := f.Stat()
	if err != nil {
		return model.AsFileError(from, err)
	}
	if old, err := os.Stat(to); err == nil && os.SameFile(source, old) {
		return nil
	}
	if err := replaceable(to); err != nil {
		return err
	}
	return s.write(to, func(w io.Writer) error {
		_, err := io.Copy(w, whileWanted{ctx, f})
		return err
	})
}

func writeNothing(io.Writer) error { return nil }

// whileWanted is a reader that stops when its context ends.
type whileWanted struct {
	ctx context.Context
	io.Reader
}

func (r whileWanted) Read(b []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	return r.Reader.Read(b)
}
