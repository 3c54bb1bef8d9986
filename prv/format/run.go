package format

// Runs of several files: formats with a file for each rank. A path stands for a run where it is a folder of such files,
// or the first of files that were given together.

import (
	"os"
	"path/filepath"

	"pview/prv"
)

// ofRank returns the format of a file if it is that of a rank, else nil.
func ofRank(path string) *Format {
	head := headOf(path)
	if head == nil {
		return nil
	}
	if f := Of(path); f.IsRank != nil && f.IsRank(head) {
		return f
	}
	return nil
}

// Join groups neighbouring paths of ranks of one format: each group is a run. Other paths are a group each.
func Join(paths []string) (runs [][]string) {
	var last *Format
	for _, path := range paths {
		f := ofRank(path)
		if f != nil && f == last {
			runs[len(runs)-1] = append(runs[len(runs)-1], path)
		} else {
			runs = append(runs, []string{path})
		}
		last = f
	}
	return runs
}

// filesOf returns the files of a run that a path stands for; none for a trace in one file.
func filesOf(o *prv.Opener, path string) []string {
	if files := o.Runs[path]; len(files) > 0 {
		return files
	}
	if info, err := os.Stat(path); err != nil || !info.IsDir() {
		return nil
	}
	list, err := os.ReadDir(path)
	if err != nil {
		return nil
	}
	var all []string
	for _, entry := range list {
		all = append(all, filepath.Join(path, entry.Name()))
	}
	for _, files := range Join(all) {
		if ofRank(files[0]) != nil {
			return files
		}
	}
	return nil
}
