// Package format is the registry of file formats: detection by content, file extensions, opening and saving. To add a
// format, write a package that reads or writes a prv.Trace, and add an entry to the table here.
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
	"pview/prv/kineto"
	"pview/prv/nsight"
	"pview/prv/otf2"
	"pview/prv/perfetto"
	"pview/prv/picl"
	"pview/prv/record"
	"pview/prv/tabular"
)

// Format is a format of files that are read, written or both.
type Format struct {
	Name string // "Paraver trace"
	Doc  string
	// Extensions are the extensions of files to read: for completion, and for files whose content does not identify
	// them.
	Extensions []string
	// Outputs are the extensions of files to write.
	Outputs []string
	// Detect reports whether a file has the format, by its first bytes after decompression; nil if the format is only
	// written.
	Detect func(head []byte) bool
	// Open reads a trace; nil if files hold a program, without times, which becomes a trace only by simulation, or if
	// the format is only written.
	Open func(ctx context.Context, o *prv.Opener, path string, w prv.Watcher) (*prv.Trace, error)
	// IsRank reports whether a file that Detect accepts is one rank's: several of them are one run. nil: no file is.
	IsRank func(head []byte) bool
	// OpenRun reads the files of the ranks of a run; nil if IsRank is.
	OpenRun func(ctx context.Context, o *prv.Opener, paths []string, w prv.Watcher) (*prv.Trace, error)
	// Follow returns a trace that is being written; nil if the format cannot be followed.
	Follow func(path string) (prv.Source, error)
	// Files returns all files of a trace that gets an index; the first one names the index. nil: there is no index, or
	// the reader makes it.
	Files func(path string) []string
	// Save writes a trace, whole or not at all; nil: packages of sim write the program of a trace, or the format is
	// only read.
	Save func(ctx context.Context, path string, t *prv.Trace) error
}

// Names of the formats of programs.
const (
	Dimemas = "Dimemas trace"
	Puppet  = "PUPPET log"
)

// formats has all formats. The first one is the fallback for unknown files: its reader reports the problem.
var formats = []Format{
	{Name: "Paraver trace", Doc: "a trace, with its .pcf and .row",
		Extensions: []string{".prv", ".prv.gz"}, Outputs: []string{".prv", ".prv.gz"}, Detect: beginsWith("#Paraver"),
		Open: func(ctx context.Context, o *prv.Opener, path string, w prv.Watcher) (*prv.Trace, error) {
			return o.Open(ctx, path, w)
		}, Follow: func(path string) (prv.Source, error) { return prv.Follow(path) }, Save: prv.Convert},
	{Name: "Projections log",
		Doc: "the logs of Charm++'s tracer: a .sts with the .log or .log.gz of each PE, or without them its " +
			".sum",
		Extensions: []string{".sts", ".sum"}, Detect: beginsWith(charm.NamesMark, charm.LogMark, charm.SummaryMark),
		Open: strictly(charm.Open)},
	{Name: "OTF2 archive",
		Doc:        "the traces of Score-P, EZTrace and others, of all locations: the anchor file or its folder",
		Extensions: []string{otf2.Extension}, Detect: otf2.Detect, Open: strictly(otf2.Open), Files: otf2.Files},
	{Name: "pview recording", Doc: "a folder of records of pview record", Extensions: []string{record.Extension},
		Open: func(ctx context.Context, o *prv.Opener, path string, w prv.Watcher) (*prv.Trace, error) {
			return record.Open(ctx, path, o.Strict, o.Memory, w)
		}, Follow: func(path string) (prv.Source, error) { return record.Follow(path), nil }},
	{Name: Dimemas, Doc: "a program without times, for the simulator",
		Extensions: []string{".dim", ".dim.gz"}, Outputs: []string{".dim"}, Detect: beginsWith("#DIMEMAS:")},
	{Name: Puppet, Doc: "a program without times, a line for each MPI call",
		Extensions: []string{".log", ".log.gz"}, Outputs: []string{".log"}, Detect: beginsWith("#PUPPET log")},
	{Name: "Chrome trace events",
		Doc:        "JSON of PyTorch's profiler (Kineto) and other tools; written for ui.perfetto.dev",
		Extensions: []string{".json", ".json.gz"}, Outputs: []string{".json", ".json.gz"}, Detect: kineto.Detect,
		Open: strictly(kineto.Open), Save: stream(perfetto.Write), Files: itself, IsRank: kineto.IsRank,
		OpenRun: func(ctx context.Context, o *prv.Opener, paths []string, w prv.Watcher) (*prv.Trace, error) {
			return kineto.OpenRun(ctx, paths, o.Strict, w)
		}},
	{Name: "Nsight Systems export", Doc: "the SQLite that `nsys export --type=sqlite` makes of a report",
		Extensions: []string{".sqlite", ".nsys-rep", ".qdrep"}, Detect: nsight.Detect, Open: strictly(nsight.Open),
		Files: itself, IsRank: nsight.Detect,
		OpenRun: func(ctx context.Context, o *prv.Opener, paths []string, w prv.Watcher) (*prv.Trace, error) {
			return nsight.OpenRun(ctx, paths, o.Strict, w)
		}},
	{Name: "PICL trace", Doc: "the traces of PICL and MPICL, old and new format",
		Extensions: []string{".trf", ".trf.gz"}, Outputs: []string{".trf", ".trf.gz"}, Detect: picl.Detect,
		Open: strictly(picl.Open), Save: stream(picl.Write)},
	{Name: "Parquet", Doc: "a folder of tables for DuckDB, pandas, polars, Spark",
		Outputs: []string{".parquet"}, Save: tabular.Parquet.Save},
	{Name: "Arrow", Doc: "a folder of tables that any reader of Arrow can map",
		Outputs: []string{".arrow"}, Save: tabular.Arrow.Save},
}

// strictly adapts a reader that needs only one setting of the Opener, and that keeps the trace as a whole.
func strictly(open func(ctx context.Context, path string, strict bool, w prv.Watcher) (*prv.Trace, error)) func(
	context.Context, *prv.Opener, string, prv.Watcher) (*prv.Trace, error) {
	return func(ctx context.Context, o *prv.Opener, path string, w prv.Watcher) (*prv.Trace, error) {
		return bounded(ctx, o.Memory, path, func(ctx context.Context) (*prv.Trace, error) {
			return open(ctx, path, o.Strict, w)
		})
	}
}

// stream adapts a writer of one file, which is compressed if its name ends in .gz.
func stream(write func(ctx context.Context, w io.Writer, t *prv.Trace) error) func(
	context.Context, string, *prv.Trace) error {
	return func(ctx context.Context, path string, t *prv.Trace) error {
		return prv.SaveFile(path, func(w io.Writer) error { return write(ctx, w, t) })
	}
}

func beginsWith(marks ...string) func([]byte) bool {
	return func(head []byte) bool {
		for _, mark := range marks {
			if bytes.HasPrefix(head, []byte(mark)) {
				return true
			}
		}
		return false
	}
}

// headSize is the number of bytes of a file that Detect sees.
const headSize = 512

// Of returns the format of a file by its content; if it cannot be read, or has no known format, by its extension; else
// Paraver's.
func Of(path string) *Format {
	head := headOf(path)
	if anchor := otf2.InFolder(path); anchor != "" {
		head = headOf(anchor)
	}
	return formatOf(path, head)
}

// formatOf is Of for a file with known first bytes.
func formatOf(path string, head []byte) *Format {
	for i := range formats {
		if f := &formats[i]; f.Detect != nil && f.Detect(head) {
			return &formats[i]
		}
	}
	for i := range formats {
		if formats[i].hasName(path) {
			return &formats[i]
		}
	}
	return &formats[0]
}

// headOf returns the first bytes of a regular file, decompressed; reading a pipe would lose them.
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
	n, _ := io.ReadFull(in, head) // a short or broken file has fewer bytes
	return head[:n]
}

// hasName reports whether a file name has an extension of the format.
func (f *Format) hasName(path string) bool { return hasAny(strings.TrimRight(path, "/"), f.Extensions) }

func hasAny(path string, extensions []string) bool {
	for _, ext := range extensions {
		if strings.HasSuffix(path, ext) {
			return true
		}
	}
	return false
}

// Follow returns a trace that is still being written, which need not exist yet.
func Follow(path string) (prv.Source, error) {
	f := Of(path)
	if f.Follow == nil {
		return nil, &prv.FileError{File: path, Why: "a " + f.Name + " cannot be followed while it is written"}
	}
	return f.Follow(path)
}

// IsProgram reports whether files of the format hold a program instead of a trace.
func (f *Format) IsProgram() bool { return f.Detect != nil && f.Open == nil }

// ForOutput returns the format that is written to a file or folder of this name, nil if none.
func ForOutput(path string) *Format {
	for i := range formats {
		if hasAny(strings.TrimRight(path, "/"), formats[i].Outputs) {
			return &formats[i]
		}
	}
	return nil
}

// Outputs returns the extensions of all files that are written.
func Outputs() (list []string) {
	for i := range formats {
		list = append(list, formats[i].Outputs...)
	}
	return list
}

// Open reads a trace of any format. For a program the Paraver reader returns an error: callers that accept programs ask
// Of first.
func Open(ctx context.Context, o *prv.Opener, path string, w prv.Watcher) (*prv.Trace, error) {
	if in := importOf(o, path, w); in != nil {
		return o.Import(ctx, in)
	}
	f := Of(path)
	if f.IsProgram() {
		f = &formats[0]
	}
	return f.Open(ctx, o, path, w)
}

// Extensions returns the extensions of traces.
func Extensions() (list []string) {
	for i := range formats {
		if !formats[i].IsProgram() {
			list = append(list, formats[i].Extensions...)
		}
	}
	return list
}

// HasTraceName reports whether a file name is that of a trace, or, if programs is set, of a program.
func HasTraceName(path string, programs bool) bool {
	for i := range formats {
		if f := &formats[i]; (programs || !f.IsProgram()) && f.hasName(path) {
			return true
		}
	}
	return false
}
