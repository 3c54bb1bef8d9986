package index

// Listing and removing indexes. The cache directory holds the indexes that could not be beside their trace, and for
// each of the others a small file with its place, so that all can be found.

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"pview/prv/model"
	"slices"
	"strings"
	"time"
)

// placeSuffix is the extension of the files that hold the place of an index.
const placeSuffix = ".place"

// Info describes an index.
type Info struct {
	Dir   string // the folder
	Trace string // the trace that it belongs to
	Bytes int64  // of its files
	Made  time.Time
	Used  time.Time // last opened

	// Why is the reason why it cannot be used; "" if it can.
	Why            string
	States         int64
	Events         int64
	Communications int64
	Files          []File
}

// File is a file of an index.
type File struct {
	Name    string
	Rows    int64
	Bytes   int64
	Columns []string
}

// List returns all known indexes, most recently used first.
func List() (list []Info) {
	entries, _ := os.ReadDir(CacheFolder()) // on an error, the list is empty
	for _, e := range entries {
		place := filepath.Join(CacheFolder(), e.Name())
		switch {
		case strings.HasPrefix(e.Name(), "."):
			continue
		case strings.HasSuffix(e.Name(), placeSuffix):
			dir, ok := readNote(place)
			if !ok {
				continue
			}
			if _, err := os.Lstat(dir); err != nil {
				os.Remove(place) // another program removed the index
				continue
			}
			place = dir
		case !strings.HasSuffix(e.Name(), suffix):
			continue
		}
		if IsMarked(place) {
			list = append(list, infoOf(place, true))
		}
	}
	slices.SortFunc(list, func(a, b Info) int { return b.Used.Compare(a.Used) })
	return list
}

// Of returns the description of a trace's index; nil if it has none. It checks every checksum.
func Of(path string) (*Info, error) {
	real, err := NamedBy(path)
	if err != nil {
		return nil, model.AsFileError(path, err)
	}
	for _, place := range PlacesOf(real) {
		if IsMarked(place) {
			info := infoOf(place, false)
			return &info, nil
		}
	}
	return nil, nil
}

// infoOf inspects an index; quickly, if there are many.
func infoOf(dir string, quick bool) (info Info) {
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
	if filepath.Dir(dir) != CacheFolder() { // folder and trace may have moved together
		info.Trace = strings.TrimSuffix(dir, suffix)
	}
	info.States, info.Events, info.Communications = m.Sizes.States, m.Sizes.Events, m.Sizes.Comms
	for i := range m.Tables {
		t := &m.Tables[i]
		f := File{Name: t.Name, Rows: t.Rows, Bytes: t.Size}
		for _, c := range t.Columns {
			f.Columns = append(f.Columns, c.Name)
		}
		info.Files = append(info.Files, f)
	}
	info.Why = m.trouble(info.Trace, dir, root, quick)
	return info
}

// trouble returns why the index of a trace cannot be used.
func (m *Meta) trouble(trace, dir string, root *os.Root, quick bool) string {
	now, err := m.Import.state(trace)
	if err != nil {
		return "the trace cannot be read: " + err.Error()
	}
	if why := m.Source.Differs(now); why != "" || quick {
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
	_, maps, err := Open(context.Background(), dir, now)
	if err != nil {
		return err.Error()
	}
	maps.Close()
	return ""
}

// Clear removes the indexes of a trace, which may no longer exist, and the leftovers of killed writers. It returns the
// number of bytes freed.
func Clear(path string) (freed int64, err error) {
	real, err := NamedBy(path)
	if err != nil {
		return 0, model.AsFileError(path, err)
	}
	var errs []error
	for _, place := range PlacesOf(real) {
		n, err := clearPlace(place)
		freed += n
		errs = append(errs, err)
	}
	return freed, errors.Join(errs...)
}

// ClearAll removes all known indexes.
func ClearAll() (freed int64, err error) {
	var errs []error
	for _, i := range List() {
		n, err := clearPlace(i.Dir)
		freed += n
		errs = append(errs, err)
	}
	return freed, errors.Join(errs...)
}

// clearPlace removes an index if it is pview's.
func clearPlace(place string) (freed int64, err error) {
	if IsMarked(place) {
		freed = infoOf(place, true).Bytes
	}
	SweepDrafts(filepath.Split(place))
	if err := removeIndex(place); err != nil {
		return 0, err
	}
	os.Remove(noteOf(place)) // only an index beside its trace has one
	return freed, nil
}

// noteOf returns the file that refers to an index beside its trace.
func noteOf(dir string) string {
	return filepath.Join(CacheFolder(), digest([]byte(dir))[:32]+placeSuffix)
}

// readNote returns the index that a note refers to. A note is named by the digest of its text; other files are ignored.
func readNote(path string) (dir string, ok bool) {
	if info, err := os.Lstat(path); err != nil || !info.Mode().IsRegular() || info.Size() > 64<<10 {
		return "", false
	}
	text, err := os.ReadFile(path)
	dir = string(text)
	return dir, err == nil && filepath.IsAbs(dir) && strings.HasSuffix(dir, suffix) && noteOf(dir) == path
}

// Register records a new index. The total size of the indexes in the cache directory is limited: the least recently
// used ones are removed.
func Register(dir string, limit int64) {
	if filepath.Dir(dir) != CacheFolder() {
		// Without the note, the index can be found only through its trace.
		if os.MkdirAll(CacheFolder(), 0o700) == nil {
			os.WriteFile(noteOf(dir), []byte(dir), 0o600)
		}
		return
	}
	total := int64(0)
	for _, i := range List() {
		if filepath.Dir(i.Dir) != CacheFolder() {
			continue
		}
		if total += i.Bytes; total > limit && i.Dir != dir {
			removeIndex(i.Dir)
		}
	}
}

// Touch records the use of an index.
func Touch(dir string) {
	now := time.Now()
	os.Chtimes(dir, now, now) // it fails for another user's index, which does not matter
}
