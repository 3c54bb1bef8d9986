package prv

import (
	"pview/prv/model"
	"pview/prv/store"

	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/klauspost/compress/gzip"
)

// Open reads the trace at path, a .prv or a .prv.gz, with the .pcf and .row beside it if they exist. Bad records are
// skipped and counted (Trace.Skipped). The error is a *FileError that names file, line and reason, or ctx.Err() if ctx
// ended first.
func Open(ctx context.Context, path string, opt store.Options) (*Trace, error) {
	t, err := open(ctx, path, opt)
	if err == nil {
		openCompanions(t)
	}
	return t, err
}

// open is Open without the .pcf and .row.
func open(ctx context.Context, path string, opt store.Options) (*Trace, error) {
	f, size, err := openFile(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	opt.Name, opt.Size = path, size
	if show := opt.Part; show != nil {
		opt.Part = func(part *Part) {
			openCompanions(part.Trace)
			show(part)
		}
	}
	t, err := read(ctx, f, opt)
	if err != nil {
		return nil, err
	}
	t.Path = path
	d, err := model.FindDoubts(ctx, t)
	if err == nil {
		err = locateDoubts(ctx, d, path, t)
	}
	if err != nil {
		return nil, err
	}
	t.Doubts = *d
	return t, nil
}

// openFile opens a regular file or a pipe and returns its size.
func openFile(path string) (*os.File, int64, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, 0, model.AsFileError(path, err)
	}
	info, err := f.Stat()
	switch {
	case err != nil:
		f.Close()
		return nil, 0, model.AsFileError(path, err)
	case info.IsDir():
		f.Close()
		return nil, 0, &FileError{File: path, Why: "is a directory"}
	}
	return f, info.Size(), nil
}

// Base returns a trace's path without .prv or .prv.gz: the base name of the .pcf and .row.
func Base(path string) string {
	return strings.TrimSuffix(strings.TrimSuffix(path, ".gz"), ".prv")
}

// companionOf returns the path of the .pcf or .row (ext) of a trace. It is beside the trace; if that is a link, and
// there is none beside the link, beside the link's target.
func companionOf(path, ext string) string {
	beside := Base(path) + ext
	if _, err := os.Lstat(beside); err == nil {
		return beside
	}
	target, err := filepath.EvalSymlinks(path)
	if err != nil {
		return beside
	}
	if name := Base(target) + ext; name != beside {
		if _, err := os.Stat(name); err == nil {
			return name
		}
	}
	return beside
}

// openCompanions reads the .pcf and .row. They may be missing; problems become notes, so that labels never prevent
// opening a trace.
func openCompanions(t *Trace) {
	openCompanion(t, ".pcf", readLabels)
	openCompanion(t, ".row", readNames)
}

func readNames(t *Trace, name string, r io.Reader) (notes []Note, err error) {
	names, notes, err := ParseNames(name, r)
	if err == nil {
		t.Names = names
	}
	return notes, err
}

func readLabels(t *Trace, name string, r io.Reader) (notes []Note, err error) {
	labels, notes, err := ParseLabels(name, r)
	if err == nil {
		t.Labels = labels
	}
	return notes, err
}

func openCompanion(t *Trace, ext string, parse func(*Trace, string, io.Reader) ([]Note, error)) {
	name := companionOf(t.Path, ext)
	f, _, err := openFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return
	}
	if err == nil {
		var notes []Note
		notes, err = parse(t, name, f)
		f.Close()
		t.Notes = append(t.Notes, notes...)
	}
	if err != nil {
		t.Notes = append(t.Notes, Note{File: name, Text: "not read: " + strings.TrimPrefix(err.Error(), name+": ")})
	}
}

// Read reads the text of a .prv, plain or gzip-compressed, without labels.
func Read(ctx context.Context, r io.Reader, opt store.Options) (*Trace, error) {
	if opt.Name == "" {
		opt.Name = "trace"
	}
	return read(ctx, r, opt)
}

func read(ctx context.Context, src io.Reader, opt store.Options) (*Trace, error) {
	r := store.NewReader(src, opt)
	if err := openText(r); err != nil {
		return nil, err
	}
	if err := readHeader(r); err != nil {
		return nil, err
	}
	return r.Load(ctx)
}

// openText detects whether the file is compressed. Paraver goes by the name; the first two bytes are more reliable,
// since some downloads are unpacked on the way but keep their name.
func openText(r *store.Reader) error {
	raw := bufio.NewReaderSize(r.Src, 64<<10)
	magic, err := raw.Peek(2)
	if err != nil && err != io.EOF {
		return model.AsFileError(r.Options.Name, err)
	}
	if len(magic) == 0 {
		return r.Fail(0, "empty file", nil)
	}
	r.Text = raw
	if r.Gzip = bytes.Equal(magic, []byte{0x1f, 0x8b}); !r.Gzip {
		if strings.HasSuffix(r.Options.Name, ".gz") {
			if begin, _ := raw.Peek(longestMark); !hasFirstLine(begin) {
				return r.Fail(0, "not a gzip file, although its name ends in .gz", nil)
			}
			r.Notes = append(r.Notes, Note{File: r.Options.Name, Text: "not compressed, although its name ends in .gz"})
		}
		return nil
	}
	z, err := gzip.NewReader(raw)
	if err != nil {
		return r.Corrupt(0, err)
	}
	r.Text = bufio.NewReaderSize(z, 64<<10)
	return nil
}

// readHeader reads the first line and the communicator lines that it announces.
func readHeader(r *store.Reader) error {
	line, err := readLine(r)
	if err == nil && line == newFormat {
		line, err = readLine(r)
	}
	if err != nil {
		return err
	}
	size := r.Options.Size
	if r.Gzip {
		size *= 50 // the usual compression of traces
	}
	h, comms, err := parseHeader(line, size)
	if err != nil {
		return r.Fail(r.Line, err.Error(), nil)
	}
	r.Head = h
	kept := int64(0)
	for k := range comms {
		next, _ := r.Text.Peek(2)
		if !store.IsCommunicator(next) {
			return r.Fail(r.Line+1,
				fmt.Sprintf(
					"broken header: it announces %d communicator lines, but after %d of them comes another line", comms,
					k), nil)
		}
		line, err := readLine(r)
		if err != nil {
			return err
		}
		if kept += store.LineCost(line); kept > r.Options.AsideLimit() {
			return r.Fail(r.Line, fmt.Sprintf("broken header: its communicators take more than %s",
				store.Megabytes(r.Options.AsideLimit())), nil)
		}
		r.Head.Communicators = append(r.Head.Communicators, Communicator{Text: line})
	}
	return nil
}

// readLine reads a line of the header part. It checks the first bytes before it reads the rest, so that a large file of
// another kind is rejected immediately.
func readLine(r *store.Reader) (string, error) {
	r.Line++
	var line []byte
	for {
		part, err := r.Text.ReadSlice('\n')
		line = append(line, part...)
		if r.Line == 1 && err == io.EOF && len(line) == 0 {
			return "", r.Fail(0, "empty file", nil)
		}
		if r.Line == 1 && !hasFirstLine(line) {
			if err == nil || err == bufio.ErrBufferFull || err == io.EOF {
				_, _, err := parseHeader(string(line), 0)
				return "", r.Fail(1, err.Error(), nil)
			}
		}
		switch {
		case err == nil, err == io.EOF && len(line) > 0:
			return strings.TrimRight(string(line), "\r\n"), nil
		case err == bufio.ErrBufferFull:
			if int64(len(line)) > r.Options.Longest() {
				return "", r.Fail(r.Line, "broken header: "+r.Options.TooLong("the line"), nil)
			}
		case err == io.EOF:
			return "", r.Fail(r.Line, "the file ends before the header", nil)
		case r.Gzip && errors.Is(err, io.ErrUnexpectedEOF):
			return "", r.Fail(r.Line, "the gzip stream ends in the header", err)
		case r.Gzip:
			return "", r.Corrupt(r.Line, err)
		default:
			return "", model.AsFileError(r.Options.Name, err)
		}
	}
}
