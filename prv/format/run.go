package format

// Runs with several files: formats with a file for each rank. A run is named by a folder of such files, or by the first
// of several files that were given together.

import (
	"os"
	"path/filepath"

	"pview/prv"
)

// run has the files of a run's ranks, and their format; nil: a single file that is not a rank's.
type run struct {
	format *Format
	files  []string
}

// ofRank returns the format of a rank's file, nil for other files.
func ofRank(path string) *Format {
	head := headOf(path)
	if head == nil {
		return nil
	}
	if f := formatOf(path, head); f.IsRank != nil && f.IsRank(head) {
		return f
	}
	return nil
}

// Join groups neighbouring paths of ranks in the same format: each group is a run. Any other path is a group by itself.
func Join(paths []string) (groups [][]string) {
	for _, r := range join(paths) {
		groups = append(groups, r.files)
	}
	return groups
}

func join(paths []string) (runs []run) {
	for _, path := range paths {
		f := ofRank(path)
		if n := len(runs); f != nil && n > 0 && f == runs[n-1].format {
			runs[n-1].files = append(runs[n-1].files, path)
		} else {
			runs = append(runs, run{f, []string{path}})
		}
	}
	return runs
}

// runOf returns the run that a path names; its format is nil for a trace in a single file.
func runOf(o *prv.Opener, path string) run {
	if files := o.Runs[path]; len(files) > 0 {
		return run{ofRank(files[0]), files}
	}
	if info, err := os.Stat(path); err != nil || !info.IsDir() {
		return run{}
	}
	list, err := os.ReadDir(path)
	if err != nil {
		return run{}
	}
	var all []string
	for _, entry := range list {
		if !entry.IsDir() { // an index may be among the files
			all = append(all, filepath.Join(path, entry.Name()))
		}
	}
	for _, r := range join(all) {
		if r.format != nil {
			return r
		}
	}
	return run{}
}
