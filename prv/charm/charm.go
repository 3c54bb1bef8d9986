// Package charm reads the logs of Charm++'s tracer (Projections) as a trace: NAME.sts, which names everything, and one
// NAME.N.log or NAME.N.log.gz per processing element (PE). Without logs it reads the summaries NAME.N.sum.
//
// A PE is a thread; a task is a node of PEs that share memory, or a PE. Each execution of an entry method is a unit:
// state Running, with an event for the entry, and for the message that started it. A message between PEs is a
// communication from its creation to the begin of the unit. Event types are 79000001 and following.
package charm

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"

	"pview/prv"
	"pview/prv/parallel"
)

// The begin of the files.
const (
	NamesMark = "PROJECTIONS_ID"
	LogMark   = "PROJECTIONS-RECORD"
)

// Open reads the logs that belong to a .sts file, or to one of the logs. Lines that are damaged are left out and
// counted in the notes of the trace; with strict the first is an error.
func Open(ctx context.Context, path string, strict bool, w prv.Watcher) (*prv.Trace, error) {
	path, err := namesFile(path)
	if err != nil {
		return nil, err
	}
	run, err := openNames(path)
	if err != nil {
		return nil, err
	}
	base := strings.TrimSuffix(path, ".sts")
	files, err := findFiles(base, run.pes, ".log", ".*.log", ".*.log.gz", ".projdir.*/*.log", ".projdir.*/*.log.gz")
	if err != nil {
		return nil, err
	}
	if files != nil {
		logs := make([]*log, len(files))
		err := readEach(ctx, files, w, func(pe int) error {
			logs[pe] = &log{path: files[pe], pe: pe}
			return logs[pe].read(ctx, run, strict)
		})
		if err != nil {
			return nil, err
		}
		return build(ctx, run, logs)
	}
	if files, err = findFiles(strings.TrimSuffix(base, ".sum"), run.pes, ".sum", ".*.sum"); err != nil {
		return nil, err
	}
	if files == nil {
		return nil, &fs.PathError{Op: "open", Path: base + ".0.log",
			Err: errors.New("neither logs nor summaries (.sum) of this run are beside the .sts")}
	}
	list := make([]*summary, len(files))
	err = readEach(ctx, files, w, func(pe int) (err error) {
		list[pe], err = readSummary(files[pe])
		return err
	})
	if err != nil {
		return nil, err
	}
	return buildSummaries(run, list)
}

// readEach calls read for each PE that has a file, in parallel.
func readEach(ctx context.Context, files []string, w prv.Watcher, read func(pe int) error) error {
	var done atomic.Int64
	return parallel.For(ctx, len(files), func(pe int) error {
		if files[pe] == "" {
			return nil
		}
		if err := read(pe); err != nil {
			return err
		}
		if n := done.Add(1); w.Progress != nil {
			w.Progress(n, int64(len(files)))
		}
		return nil
	})
}

// namesFile returns the .sts that a file belongs to: the file itself, or that of a log or summary, whose PE number is
// the last part of the name before .log or .sum. Logs may be in folders NAME.projdir.K beside the .sts.
func namesFile(path string) (string, error) {
	if strings.HasSuffix(path, ".sts") {
		return path, nil
	}
	tries := []string{".sts"}
	name, _, ok := splitName(strings.TrimSuffix(path, ".gz"), ".log")
	if !ok && strings.HasSuffix(path, ".sum") {
		tries = []string{".sum.sts", ".sts"}
		if name, _, ok = splitName(path, ".sum"); !ok {
			return "", fmt.Errorf("%s: not the summary of a PE, which is named NAME.N.sum; that of all PEs has no rows",
				path)
		}
	}
	if !ok {
		return path, nil
	}
	dir := filepath.Dir(path)
	for _, end := range tries {
		for _, try := range []string{filepath.Join(dir, name+end), filepath.Join(dir, "..", name+end)} {
			if _, err := os.Stat(try); err == nil {
				return try, nil
			}
		}
	}
	return "", fmt.Errorf("%s: the file with the names, %s%s, is missing beside it", path, name, tries[0])
}

// splitName splits the name of a PE's file into the name of the run and the number of the PE.
func splitName(path, end string) (run string, pe int, ok bool) {
	base, has := strings.CutSuffix(filepath.Base(path), end)
	dot := strings.LastIndexByte(base, '.')
	if !has || dot < 1 {
		return "", 0, false
	}
	pe, err := strconv.Atoi(base[dot+1:])
	return base[:dot], pe, err == nil && pe >= 0
}

// findFiles finds the file of each PE, "" if it has none, which is normal. The first pattern that has a PE's file
// counts. If no PE has a file, it returns nil.
func findFiles(base string, pes int, end string, patterns ...string) ([]string, error) {
	files := make([]string, pes)
	found := false
	for _, pattern := range patterns {
		list, err := filepath.Glob(escape(base) + pattern)
		if err != nil {
			return nil, err
		}
		for _, file := range list {
			run, pe, ok := splitName(strings.TrimSuffix(file, ".gz"), end)
			if ok && run == filepath.Base(base) && pe < pes && files[pe] == "" {
				files[pe], found = file, true
			}
		}
	}
	if !found {
		return nil, nil
	}
	return files, nil
}

// escape protects text that is not a pattern.
func escape(base string) string {
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(base)
}
