// Package kineto reads the JSON of PyTorch's profiler (Kineto), and of other tools that write Chrome's trace events.
//
// A file of the profiler is a task, its rank; rows are the threads of the host and the streams of its devices.
// Functions, calls and kernels are states and events, launches are messages from the call to the stream; package device
// has the numbers. JSON of other tools opens as processes and threads. Times are read as decimals into ns, without
// floating point.
package kineto

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"sync/atomic"

	"pview/prv"
	"pview/prv/parallel"
)

var marks = regexp.MustCompile(`"(traceEvents|schemaVersion|deviceProperties|distributedInfo|displayTimeUnit|` +
	`traceName|baseTimeNanoseconds|schema)"\s*:`)

// Detect reports whether a file begins like JSON trace events.
func Detect(head []byte) bool {
	head = bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\xef\xbb\xbf")), " \t\r\n")
	switch {
	case len(head) == 0:
		return false
	case head[0] == '{':
		return marks.Match(head)
	case head[0] == '[':
		head = bytes.TrimLeft(head[1:], " \t\r\n")
		return len(head) > 0 && head[0] == '{' && bytes.Contains(head, []byte(`"ph"`))
	}
	return false
}

// Open reads a file. Damaged events are left out and counted in the notes of the trace; with strict the first is an
// error.
func Open(ctx context.Context, path string, strict bool, w prv.Watcher) (*prv.Trace, error) {
	return OpenRun(ctx, []string{path}, strict, w)
}

// OpenRun reads the files of the ranks of one run, in parallel.
func OpenRun(ctx context.Context, paths []string, strict bool, w prv.Watcher) (*prv.Trace, error) {
	files, err := readFiles(ctx, paths, strict, w)
	if err != nil {
		return nil, err
	}
	return newBuilder(files).build(ctx)
}

// readFiles reads the files, in parallel, and puts them in the order of their ranks.
func readFiles(ctx context.Context, paths []string, strict bool, w prv.Watcher) ([]*file, error) {
	total, sizes, files := int64(0), make([]int64, len(paths)), make([]*file, len(paths))
	for i, path := range paths {
		if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
			sizes[i] = info.Size()
			total += info.Size()
		}
		files[i] = newFile(path, strict)
	}
	var done atomic.Int64
	parts := newParts(files, sizes, total, w.Part)
	err := parallel.For(ctx, len(paths), func(i int) error {
		err := files[i].read(ctx, func(n int) {
			if now := done.Add(int64(n)); w.Progress != nil {
				w.Progress(now, total)
			}
		})
		if err != nil {
			return err
		}
		files[i].finish()
		if files[i].err == nil {
			parts.finished(ctx, i)
		}
		return files[i].err
	})
	if err != nil {
		return nil, err
	}
	if err := sameRun(files); err != nil {
		return nil, err
	}
	rank(files)
	return files, nil
}

// sameRun rejects files of different runs: several worlds, or traces without a rank.
func sameRun(files []*file) error {
	if len(files) < 2 {
		return nil
	}
	var first *file
	for _, f := range files {
		switch {
		case !f.profiler:
			return &prv.FileError{File: f.path, Why: "not a rank of PyTorch's profiler: open it alone (--separate)"}
		case f.world == 0:
		case first == nil:
			first = f
		case f.world != first.world:
			return &prv.FileError{File: f.path, Why: fmt.Sprintf("rank %d of %d, but %s is of a run of %d: open them "+
				"apart (--separate)", f.rank, f.world, first.path, first.world)}
		}
	}
	return nil
}

// IsRank reports whether a file begins like a rank's file of PyTorch's profiler: several of these are one run.
func IsRank(head []byte) bool { return Detect(head) && rankMarks.Match(head) }

var rankMarks = regexp.MustCompile(`"(schemaVersion|deviceProperties|distributedInfo)"\s*:`)

var rankName = regexp.MustCompile(`(?:rank|worker)[-_ ]?(\d+)`)

// rank gives files without a rank the number in their name, else one by their order.
func rank(files []*file) {
	for i, f := range files {
		if f.rank >= 0 {
			continue
		}
		f.rank = int64(i)
		if m := rankName.FindStringSubmatch(filepath.Base(f.path)); m != nil {
			if n, err := strconv.ParseInt(m[1], 10, 64); err == nil {
				f.rank = n
			}
		}
	}
	slices.SortStableFunc(files, func(x, y *file) int { return cmp.Compare(x.rank, y.rank) })
}
