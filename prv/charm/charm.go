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
	logs, err := findLogs(path, run.pes)
	if err != nil {
		return nil, err
	}
	if logs == nil {
		files, found, err := findSummaries(path, run.pes)
		if err != nil {
			return nil, err
		}
		if !found {
			return nil, &fs.PathError{Op: "open", Path: strings.TrimSuffix(path, ".sts") + ".0.log",
				Err: errors.New("neither logs nor summaries (.sum) of this run are beside the .sts")}
		}
		return openSummaries(ctx, run, files)
	}
	var done atomic.Int64
	err = parallel.Each(ctx, len(logs), 0, func(_, i int) error {
		if logs[i] == nil {
			return nil
		}
		if err := logs[i].read(ctx, run, strict); err != nil {
			return err
		}
		if n := done.Add(1); w.Progress != nil {
			w.Progress(n, int64(len(logs)))
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return build(ctx, run, logs)
}

// namesFile is the .sts that a file belongs to: the file itself, or the one of a log or summary, whose number is the
// last part of the name before .log or .sum. Logs may be in folders NAME.projdir.K beside it.
func namesFile(path string) (string, error) {
	if strings.HasSuffix(path, ".sts") {
		return path, nil
	}
	tries := []string{".sts"}
	name, _, ok := logName(path)
	if !ok && strings.HasSuffix(path, ".sum") {
		tries = []string{".sum.sts", ".sts"}
		if name, _, ok = splitName(path, ".sum"); !ok {
			return "", fmt.Errorf("%s: the summary of all PEs in one file has no rows: open that of a PE", path)
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

// logName splits the name of a log into the name of the run and the number of the PE.
func logName(path string) (run string, pe int, ok bool) {
	return splitName(strings.TrimSuffix(path, ".gz"), ".log")
}

// splitName splits the name of a PE's file.
func splitName(path, end string) (run string, pe int, ok bool) {
	base, has := strings.CutSuffix(filepath.Base(path), end)
	dot := strings.LastIndexByte(base, '.')
	if !has || dot < 1 {
		return "", 0, false
	}
	pe, err := strconv.Atoi(base[dot+1:])
	return base[:dot], pe, err == nil && pe >= 0
}

// findLogs finds the log of each PE, nil for none: PEs without one are normal. If no PE has one it returns nil.
func findLogs(path string, pes int) ([]*log, error) {
	logs := make([]*log, pes)
	base := strings.TrimSuffix(path, ".sts")
	patterns := []string{base + ".*.log", base + ".*.log.gz", base + ".projdir.*/*.log", base + ".projdir.*/*.log.gz"}
	found := 0
	for _, pattern := range patterns {
		list, err := filepath.Glob(escape(base, pattern))
		if err != nil {
			return nil, err
		}
		for _, file := range list {
			run, pe, ok := logName(file)
			if ok && run == filepath.Base(base) && pe < pes && logs[pe] == nil {
				logs[pe] = &log{path: file, pe: pe}
				found++
			}
		}
	}
	if found == 0 {
		return nil, nil
	}
	return logs, nil
}

// escape protects what is no pattern of ours.
func escape(base, pattern string) string {
	quoted := strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(base)
	return quoted + strings.TrimPrefix(pattern, base)
}
