package prv

// Saving a trace made from the text of another.

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"pview/prv/model"
	"runtime"
	"strings"
)

// Origin is the source of a derived trace, a file or a trace in memory, which gives the new trace its labels and names.
type Origin struct {
	Path   string  // of the .prv; "" for a trace in memory
	Labels *Labels // used if Path is empty
	Names  *Names
}

// Derive writes a trace to path, as Save does, whole or not at all: write produces its text, compressed if path ends in
// .gz. The .pcf and the .row are copies of its origin's; the text from labels, called after the trace is written, is
// appended to the .pcf (labels may be nil).
func Derive(ctx context.Context, path string, from Origin, write func(io.Writer) error, labels func() string) error {
	var s Files
	defer s.Discard()
	err := s.Add(path, write)
	if err == nil {
		err = s.deriveLabels(ctx, path, from, labels)
	}
	if err == nil {
		if from.Path != "" {
			err = s.takeOver(ctx, companionOf(from.Path, ".row"), Base(path)+".row", writeNothing)
		} else {
			err = s.companion(Base(path)+".row", func(w io.Writer) error { return WriteNames(w, from.Names) })
		}
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

// maybeGzip calls write on w, through a compressor if path ends in .gz.
func maybeGzip(w io.Writer, path string, write func(io.Writer) error) error {
	if !strings.HasSuffix(path, ".gz") {
		return write(w)
	}
	z := newGzipWriter(w, runtime.GOMAXPROCS(0))
	err := write(z)
	if e := z.Close(); err == nil {
		err = e
	}
	return err
}

// deriveLabels adds the .pcf: the origin's, with the additions.
func (s *Files) deriveLabels(ctx context.Context, path string, from Origin, labels func() string) error {
	added := ""
	if labels != nil {
		added = labels()
	}
	origin, to := companionOf(from.Path, ".pcf"), Base(path)+".pcf"
	if from.Path != "" && added == "" {
		return s.takeOver(ctx, origin, to, writeNothing)
	}
	var text bytes.Buffer
	if from.Path == "" {
		if err := WriteLabels(&text, from.Labels); err != nil {
			return err
		}
	} else if old, err := os.ReadFile(origin); err == nil {
		text.Write(old)
	} else if !errors.Is(err, fs.ErrNotExist) {
		return model.AsFileError(origin, err)
	}
	return s.companion(to, func(w io.Writer) error {
		_, err := w.Write(append(text.Bytes(), added...))
		return err
	})
}

// OpenLabels reads the .pcf beside a .prv; if it is missing or unreadable the labels are empty.
func OpenLabels(path string) *Labels {
	t := &Trace{Path: path, Labels: &Labels{}}
	openCompanion(t, ".pcf", readLabels)
	return t.Labels
}
