// Package nsight reads the SQLite exports of NVIDIA Nsight Systems.
//
// A process is a task; its rows are the threads of the host and the streams of its devices. They get the same states,
// events and messages as package kineto makes from PyTorch's records. Tables and columns come and go between versions:
// none of them is required. Each table is read once, in the order of its rows.
package nsight

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"pview/prv"
	"pview/prv/mapped"
	"pview/prv/nsight/sqlite"
)

// Detect reports whether a file begins like an SQLite file.
func Detect(head []byte) bool { return sqlite.Detect(head) }

// Open reads an export. Damaged records are left out and counted in the notes of the trace; with strict the first is an
// error.
func Open(ctx context.Context, path string, strict bool, w prv.Watcher) (*prv.Trace, error) {
	return OpenRun(ctx, []string{path}, strict, w)
}

// OpenRun reads the reports of one run. Their clocks are aligned by the times at which the sessions began.
func OpenRun(ctx context.Context, paths []string, strict bool, w prv.Watcher) (*prv.Trace, error) {
	reports := make([]*report, len(paths))
	kinds := newKinds()
	for i, path := range paths {
		r, err := open(ctx, path, strict, kinds, w)
		if err != nil {
			return nil, err
		}
		if r.number = i; len(paths) > 1 && r.utc == 0 {
			return nil, &prv.FileError{File: path, Why: "the export does not tell when its session began: its times " +
				"cannot be compared with those of " + paths[(i+1)%len(paths)] +
				" (--separate opens each as a separate trace)"}
		}
		reports[i] = r
	}
	return build(ctx, reports)
}

// open reads a report.
func open(ctx context.Context, path string, strict bool, kinds *kinds, w prv.Watcher) (*report, error) {
	refuse := func(why string) error { return &prv.FileError{File: path, Why: why} }
	head := make([]byte, 512)
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	n, _ := f.Read(head)
	f.Close()
	if !Detect(head[:n]) {
		if ext := filepath.Ext(path); ext == ".nsys-rep" || ext == ".qdrep" {
			return nil, refuse("a report of Nsight Systems in its own format: `nsys export --type=sqlite " +
				filepath.Base(path) + "` makes the .sqlite that pview opens")
		}
		return nil, refuse("not an SQLite file")
	}
	db, err := sqlite.Open(path)
	if err != nil {
		return nil, refuse(oneLine(err))
	}
	defer db.Close()
	switch {
	case isNsight(db):
	case isRocprofiler(db):
		return nil, refuse("a database of AMD's rocprofiler (rocpd), which pview does not read")
	default:
		return nil, refuse("an SQLite file, not of Nsight Systems")
	}
	r := newReport(db, path, strict, kinds)
	return r, mapped.Guard(func() error { return r.read(ctx, w) })
}

func oneLine(err error) string { return strings.Join(strings.Fields(err.Error()), " ") }

// note adds a note to those of the trace.
func (r *report) note(format string, args ...any) {
	r.notes = append(r.notes, prv.Note{File: r.path, Text: fmt.Sprintf(format, args...)})
}
