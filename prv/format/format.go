// Package format is the registry of trace formats: how a file is recognised by its content, what its names end in, and how it
// is opened. A further format is a package that makes a prv.Trace, and an entry here.
package format

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"io"
	"os"
	"strings"

	"pview/prv"
)

// Format is a format of trace files.
type Format struct {
	Name string // "Paraver trace"
	Doc  string
	// Extensions are what names of files end in: for completion, and for what is written.
	Extensions []string
	// Detect reports whether a file is of the format by its first bytes, after decompression.
	Detect func(head []byte) bool
	// Open reads a trace; nil: the file holds a program, without times, that only a simulation makes a trace of.
	Open func(ctx context.Context, o *prv.Opener, path string, w prv.Watcher) (*prv.Trace, error)
}

// formats are the formats. The first one is what a file is taken for that is none of them: its reader says what is wrong.
var formats = []Format{
	{"Paraver trace", "a trace, with its .pcf and .row", []string{".prv", ".prv.gz"}, beginsWith("#Paraver"),
		func(ctx context.Context, o *prv.Opener, path string, w prv.Watcher) (*prv.Trace, error) {
			return o.Open(ctx, path, w)
		}},
	{"Dimemas trace", "a program without times, for the simulator", []string{".dim", ".dim.gz"}, beginsWith("#DIMEMAS:"), nil},
}

func beginsWith(text string) func([]byte) bool {
	return func(head []byte) bool { return bytes.HasPrefix(head, []byte(text)) }
}

// headSize is how many bytes of a file Detect sees.
const headSize = 512

// Of returns the format of a file: by its content; where it cannot be read, or is of no known format, by the end of its name, else
// Paraver's.
func Of(path string) *Format {
	head := headOf(path)
	for i := range formats {
		if formats[i].Detect(head) {
			return &formats[i]
		}
	}
	for i := range formats {
		if formats[i].HasName(path) {
			return &formats[i]
		}
	}
	return &formats[0]
}

// headOf returns the first bytes of a regular file, decompressed; of a pipe they would be lost.
func headOf(path string) []byte {
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
		return nil
	}
	f, err := os.Open(path)
	if err != nil {
		return nil
	}
	defer f.Close()
	var in io.Reader = bufio.NewReader(f)
	if magic, err := in.(*bufio.Reader).Peek(2); err == nil && magic[0] == 0x1f && magic[1] == 0x8b {
		if in, err = gzip.NewReader(in); err != nil {
			return nil
		}
	}
	head := make([]byte, headSize)
	n, _ := io.ReadFull(in, head) // of a shorter or broken file what there is
	return head[:n]
}

// HasName reports whether a file's name is one of the format's.
func (f *Format) HasName(path string) bool {
	for _, ext := range f.Extensions {
		if strings.HasSuffix(path, ext) {
			return true
		}
	}
	return false
}

// IsProgram reports whether files of the format hold a program in place of a trace.
func (f *Format) IsProgram() bool { return f.Open == nil }

// Open reads a trace of any format. A program is an error of the Paraver reader: ask Of first where programs are welcome.
func Open(ctx context.Context, o *prv.Opener, path string, w prv.Watcher) (*prv.Trace, error) {
	f := Of(path)
	if f.IsProgram() {
		f = &formats[0]
	}
	return f.Open(ctx, o, path, w)
}

// Extensions are what the names of traces end in; with programs, those of programs as well.
func Extensions(programs bool) (list []string) {
	for i := range formats {
		if programs || !formats[i].IsProgram() {
			list = append(list, formats[i].Extensions...)
		}
	}
	return list
}

// HasTraceName reports whether a file's name is that of a trace (or program).
func HasTraceName(path string, programs bool) bool {
	for i := range formats {
		if f := &formats[i]; (programs || !f.IsProgram()) && f.HasName(path) {
			return true
		}
	}
	return false
}
