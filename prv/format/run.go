package format

// Runs of several files: formats with a file for each rank. A path names a run if it is a folder of such files, or the
// first of files that were given together.

import (
	"os"
	"path/filepath"

	"pview/prv"
)

// run is the files of the ranks of a run, and their format; nil: one file, not of a rank.
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

// Join groups neighbouring paths of ranks of one format: each group is a run. Other paths are a group each.
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

// runOf returns the run that a path names; its format is nil for a trace in one file.
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
		if !entry.IsDir() { // an index may lie between the files
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
