// Package format is the registry of trace formats: detection by content, file extensions, and opening. To add a format,
// write a package that makes a prv.Trace, and an entry here.
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
	"pview/prv/charm"
	"pview/prv/picl"
)

// Format is a format of trace files.
type Format struct {
	Name string // "Paraver trace"
	Doc  string
	// Extensions are the file extensions: for completion, and for files to be written.
	Extensions []string
	// Detect reports whether a file has the format, by its first bytes after decompression.
	Detect func(head []byte) bool
	// Open reads a trace; nil: the file holds a program, without times, which only a simulation turns into a trace.
	Open func(ctx context.Context, o *prv.Opener, path string, w prv.Watcher) (*prv.Trace, error)
}

// PuppetLog is the name of a format of programs.
const PuppetLog = "PUPPET log"

// formats are the formats. The first one is the fallback for unknown files: its reader reports the problem.
var formats = []Format{
	{"Paraver trace", "a trace, with its .pcf and .row", []string{".prv", ".prv.gz"}, beginsWith("#Paraver"),
		func(ctx context.Context, o *prv.Opener, path string, w prv.Watcher) (*prv.Trace, error) {
			return o.Open(ctx, path, w)
		}},
	{"Projections log", "the logs of Charm++'s tracer: a .sts with the .log or .log.gz of each PE", []string{".sts"},
		func(head []byte) bool { return beginsWith(charm.NamesMark)(head) || beginsWith(charm.LogMark)(head) },
		func(ctx context.Context, o *prv.Opener, path string, w prv.Watcher) (*prv.Trace, error) {
			return charm.Open(ctx, path, o.Strict, w)
		}},
	{"PICL trace", "what PICL and MPICL trace, old and new format", []string{".trf", ".trf.gz"}, picl.Detect,
		func(ctx context.Context, o *prv.Opener, path string, w prv.Watcher) (*prv.Trace, error) {
			return picl.Open(ctx, path, o.Strict, w)
		}},
	{PuppetLog, "a program without times, a line for each MPI call", []string{".log", ".log.gz"},
		beginsWith("#PUPPET log"), nil},
	{"Dimemas trace", "a program without times, for the simulator", []string{".dim", ".dim.gz"},
		beginsWith("#DIMEMAS:"), nil},
}

func beginsWith(text string) func([]byte) bool {
	return func(head []byte) bool { return bytes.HasPrefix(head, []byte(text)) }
}

// headSize is the number of bytes of a file that Detect sees.
const headSize = 512

// Of returns the format of a file: by its content; if it cannot be read, or is of no known format, by its extension,
// else Paraver's.
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

// headOf returns the first bytes of a regular file, decompressed; a pipe would lose them.
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
	n, _ := io.ReadFull(in, head) // fewer bytes of a shorter or broken file
	return head[:n]
}

// HasName reports whether a file name has an extension of the format.
func (f *Format) HasName(path string) bool {
	for _, ext := range f.Extensions {
		if strings.HasSuffix(path, ext) {
			return true
		}
	}
	return false
}

// IsProgram reports whether files of the format hold a program instead of a trace.
func (f *Format) IsProgram() bool { return f.Open == nil }

// Open reads a trace of any format. A program is an error of the Paraver reader: ask Of first where programs are
// welcome.
func Open(ctx context.Context, o *prv.Opener, path string, w prv.Watcher) (*prv.Trace, error) {
	f := Of(path)
	if f.IsProgram() {
		f = &formats[0]
	}
	return f.Open(ctx, o, path, w)
}

// Extensions returns the extensions of traces, and optionally of programs.
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
