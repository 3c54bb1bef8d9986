package prv

// Which indexes there are, and getting rid of them. The cache directory holds those that
// could not stand beside their trace, and for each of the others a small file with its
// place, so that all can be found.

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"pview/prv/model"
	"slices"
	"strings"
	"time"
)

// placeSuffix is the extension of the files that hold the place of an index.
const placeSuffix = ".place"

// IndexInfo describes an index.
type IndexInfo struct {
	Dir   string // the folder
	Trace string // the trace that it belongs to
	Bytes int64  // of its files
	Made  time.Time
	Used  time.Time // last opened

	// Why is the reason why it cannot be used (any more); "" when it can.
	Why            string
	States         int64
	Events         int64
	Communications int64
	Files          []IndexFile
}

// IndexFile is a file of an index.
type IndexFile struct {
	Name    string
	Rows    int64
	Bytes   int64
	Columns []string
}

// Indexes returns all known indexes, most recently used first.
func Indexes() (list []IndexInfo) {
	entries, _ := os.ReadDir(indexCache()) // none: no indexes
	for _, e := range entries {
		place := filepath.Join(indexCache(), e.Name())
		switch {
		case strings.HasPrefix(e.Name(), "."):
			continue
		case strings.HasSuffix(e.Name(), placeSuffix):
			dir, ok := readNote(place)
			if !ok {
				continue
			}
			if _, err := os.Lstat(dir); err != nil {
				os.Remove(place) // it was removed by other means
				continue
			}
			place = dir
		case !strings.HasSuffix(e.Name(), indexSuffix):
			continue
		}
		if isMarked(place) {
			list = append(list, indexInfo(place, true))
		}
	}
	slices.SortFunc(list, func(a, b IndexInfo) int { return b.Used.Compare(a.Used) })
	return list
}

// IndexOf returns the description of a trace's index; nil when it has none. Every
// checksum is checked.
func IndexOf(path string) (*IndexInfo, error) {
	real, err := realPath(path)
	if err != nil {
		return nil, model.AsFileError(path, err)
	}
	for _, place := range placesOf(real) {
		if isMarked(place) {
			info := indexInfo(place, false)
			return &info, nil
		}
	}
	return nil, nil
}

// indexInfo looks at an index; quickly, when there are many.
func indexInfo(dir string, quick bool) (info IndexInfo) {
	info.Dir = dir
	if d, err := os.Stat(dir); err == nil {
		info.Used = d.ModTime()
	}
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		if i, err := e.Info(); err == nil {
			info.Bytes += i.Size()
		}
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		info.Why = err.Error()
		return info
	}
	defer root.Close()
	if i, err := root.Stat(metaFile); err == nil {
		info.Made = i.ModTime()
	}
	m, err := readMeta(root)
	if err != nil {
		info.Why = err.Error()
		return info
	}
	info.Trace = m.Source.Path
	if filepath.Dir(dir) != indexCache() { // folder and trace may have been moved together
		info.Trace = strings.TrimSuffix(dir, indexSuffix)
	}
	info.States, info.Events, info.Communications = m.Sizes.States, m.Sizes.Events, m.Sizes.Comms
	for i := range m.Tables {
		t := &m.Tables[i]
		f := IndexFile{Name: t.Name, Rows: t.Rows, Bytes: t.Size}
		for _, c := range t.Columns {
			f.Columns = append(f.Columns, c.Name)
		}
		info.Files = append(info.Files, f)
	}
	info.Why = m.trouble(info.Trace, dir, root, quick)
	return info
}

// trouble returns why the index of a trace cannot be used.
func (m *indexMeta) trouble(trace, dir string, root *os.Root, quick bool) string {
	now, err := stateOf(trace)
	if err != nil {
		return "the trace cannot be read: " + err.Error()
	}
	if why := m.Source.differs(now); why != "" || quick {
		return why
	}
	for i := range m.Tables {
		f, err := root.Open(m.Tables[i].Name)
		if err != nil {
			return err.Error()
		}
		err = m.Tables[i].checkBlocks(f, len(m.Tables[i].Blocks))
		f.Close()
		if err != nil {
			return m.Tables[i].Name + ": " + err.Error()
		}
	}
	_, maps, err := openIndex(context.Background(), dir, now)
	if err != nil {
		return err.Error()
	}
	maps.Close()
	return ""
}

// ClearIndex removes the indexes of a trace, which need not exist any more, and the
// leftovers of killed writers. It returns the number of bytes freed.
func ClearIndex(path string) (freed int64, err error) {
	real, err := realPath(path)
	if errors.Is(err, fs.ErrNotExist) {
		real, err = filepath.Abs(path)
	}
	if err != nil {
		return 0, model.AsFileError(path, err)
	}
	var errs []error
	for _, place := range placesOf(real) {
		n, err := clearPlace(place)
		freed += n
		errs = append(errs, err)
	}
	return freed, errors.Join(errs...)
}

// ClearIndexes removes all known indexes.
func ClearIndexes() (freed int64, err error) {
	var errs []error
	for _, i := range Indexes() {
		n, err := clearPlace(i.Dir)
		freed += n
		errs = append(errs, err)
	}
	return freed, errors.Join(errs...)
}

// clearPlace removes an index, if pview's it is.
func clearPlace(place string) (freed int64, err error) {
	if isMarked(place) {
		freed = indexInfo(place, true).Bytes
	}
	sweepDrafts(filepath.Split(place))
	if err := removeIndex(place); err != nil {
		return 0, err
	}
	os.Remove(noteOf(place)) // there is one only when it stood beside its trace
	return freed, nil
}

// noteOf is the file that refers to an index beside its trace.
func noteOf(dir string) string {
	return filepath.Join(indexCache(), digest([]byte(dir))[:32]+placeSuffix)
}

// readNote returns the index that a note tells of. A note bears the digest of its text as its name: no other file is
// obeyed.
func readNote(path string) (dir string, ok bool) {
	if info, err := os.Lstat(path); err != nil || !info.Mode().IsRegular() || info.Size() > 64<<10 {
		return "", false
	}
	text, err := os.ReadFile(path)
	dir = string(text)
	return dir, err == nil && filepath.IsAbs(dir) && strings.HasSuffix(dir, indexSuffix) && noteOf(dir) == path
}

// register records a new index. The total size of those in the cache directory is
// limited: the least recently used ones go.
func register(dir string, limit int64) {
	if filepath.Dir(dir) != indexCache() {
		// Without the note it is found by its trace only.
		if os.MkdirAll(indexCache(), 0o700) == nil {
			os.WriteFile(noteOf(dir), []byte(dir), 0o600)
		}
		return
	}
	total := int64(0)
	for _, i := range Indexes() {
		if filepath.Dir(i.Dir) != indexCache() {
			continue
		}
		if total += i.Bytes; total > limit && i.Dir != dir {
			removeIndex(i.Dir)
		}
	}
}

// touch records the use of an index.
func touch(dir string) {
	now := time.Now()
	os.Chtimes(dir, now, now) // of somebody else's it fails, and matters less
}
