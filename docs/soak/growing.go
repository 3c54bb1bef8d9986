//go:build unix

package main

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
)

// follows is the key that follows a trace, Alt+F. Loading the initial session ends following.
const follows = "\x1bf"

// writer writes a trace while it is followed.
type writer struct {
	path    string
	text    []byte // of the whole trace
	written int
}

// newWriter returns a writer for a trace in a folder, which it decompresses; it updates the trace's name.
func newWriter(dir string, name *string) (*writer, error) {
	text, err := os.ReadFile(filepath.Join(dir, *name))
	if plain, packed := strings.CutSuffix(*name, ".gz"); packed && err == nil {
		in, bad := gzip.NewReader(bytes.NewReader(text))
		if bad != nil {
			return nil, bad
		}
		if text, err = io.ReadAll(in); err == nil {
			err = os.Remove(filepath.Join(dir, *name))
		}
		*name = plain
	}
	w := &writer{path: filepath.Join(dir, *name), text: text}
	if err != nil {
		return nil, err
	}
	return w, w.finish()
}

// step does something to the file that a tracer or a user might do, and describes it.
func (w *writer) step(rng *rand.Rand) string {
	n := w.written + rng.IntN(1+len(w.text)/8)
	switch kind := rng.IntN(10); {
	case kind == 0:
		return w.does("replaced", w.replace(rng.IntN(len(w.text))))
	case kind == 1 || n > len(w.text):
		return w.does("written again", w.rewrite(rng.IntN(len(w.text))))
	case kind == 2:
		return w.does("truncated", w.truncate(rng.IntN(w.written+1)))
	}
	return w.does("grown", w.grow(n))
}

func (w *writer) does(what string, err error) string {
	return fmt.Sprintf("%s to %d bytes: %v", what, w.written, err)
}

// replace replaces the trace by another file with its first n bytes.
func (w *writer) replace(n int) error {
	draft := w.path + ".next"
	if err := os.WriteFile(draft, w.text[:n], 0o644); err != nil {
		return err
	}
	w.written = n
	return os.Rename(draft, w.path)
}

// rewrite writes the first n bytes from the start.
func (w *writer) rewrite(n int) error {
	w.written = n
	return os.WriteFile(w.path, w.text[:n], 0o644)
}

func (w *writer) truncate(n int) error {
	w.written = n
	return os.Truncate(w.path, int64(n))
}

// grow appends the bytes up to n.
func (w *writer) grow(n int) error {
	out, err := os.OpenFile(w.path, os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		return err
	}
	defer out.Close()
	_, err = out.Write(w.text[w.written:n])
	w.written = n
	return err
}

// finish completes the trace, whatever its state.
func (w *writer) finish() error { return w.rewrite(len(w.text)) }
