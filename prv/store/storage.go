package store

// Storage of the records of an open trace: in memory, in the files of a future index, or, if memory is short and no
// index can be made, in nameless files. For their storage during parsing see spill.go.

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"pview/prv/index"
	"pview/prv/mapped"
	"sync"
	"sync/atomic"

	"github.com/adrg/xdg"
)

// Storage decides where to keep the records of one trace.
type Storage struct {
	// Memory bounds the records, in bytes; 0: no limit.
	Memory int64
	// Places are the possible places of an index, best first; if empty, no index is wanted.
	Places []string
	Limit  int64       // bytes of an index
	Mode   fs.FileMode // of the trace

	Draft   *index.Draft // the files with the records; nil: in memory
	NoIndex error        // why there will be no index although one is wanted
	Foreign error        // what occupies the best place for the index, if it is not pview's

	once   sync.Once
	Spill  *spill
	noFile error        // why there is no spill
	packed atomic.Int64 // bytes of the segments in memory
}

// columns makes the columns; it calls inMemory for columns in memory.
func (s *Storage) columns(sizes *index.Sizes, inMemory func(*index.Sizes) *index.Columns) (*index.Columns, error) {
	if len(s.Places) > 0 && index.Supported {
		if s.MakeDraft(sizes); s.Draft != nil {
			return s.Draft.Columns, nil
		}
	}
	n := sizes.Bytes()
	if s.Memory == 0 || n <= s.Memory/2 || !mapped.Supported {
		return inMemory(sizes), nil
	}
	var first error
	for _, dir := range scratchFolders() {
		index.SweepDrafts(dir, scratchName)
		d, err := index.NewDraft(filepath.Join(dir, scratchName), 0o600, sizes)
		if err == nil {
			d.Forget()
			s.Draft = d
			return d.Columns, nil
		}
		if first == nil {
			first = err
		}
	}
	if n <= s.Memory {
		return inMemory(sizes), nil
	}
	return nil,
		fmt.Errorf("the records take %d MB, more than the %d MB of memory that pview may use, "+
			"and there is no temporary file for them: %w", n>>20, s.Memory>>20, first)
}

// MakeDraft makes the files of an index in one of the places. It sets Draft, or NoIndex if it fails.
func (s *Storage) MakeDraft(sizes *index.Sizes) { s.Draft, s.NoIndex = s.newIndex(sizes) }

// newIndex makes the files of an index in the first place that allows it.
func (s *Storage) newIndex(sizes *index.Sizes) (*index.Draft, error) {
	if n := sizes.Bytes(); n > s.Limit {
		return nil, fmt.Errorf("it would take more than the %d MB that --index-limit allows: %d MB", s.Limit>>20, n>>20)
	}
	var errs []error
	for _, place := range s.Places {
		if err := index.Owned(place); errors.As(err, new(*index.ForeignError)) {
			s.Foreign = err
			errs = append(errs, err)
			continue
		}
		parent := filepath.Dir(place)
		if parent == index.CacheFolder() {
			if err := os.MkdirAll(parent, 0o700); err != nil {
				errs = append(errs, err)
				continue
			}
		}
		// An index is a convenience; it must not fill up a disk.
		if free, ok := mapped.FreeSpace(parent); ok && sizes.Bytes() > free/2 {
			errs = append(errs, fmt.Errorf("%s: too little space is free on the disk", parent))
			continue
		}
		if index.SweepDrafts(filepath.Split(place)) {
			return nil, index.ErrBusy
		}
		d, err := index.NewDraft(place, s.Mode, sizes)
		if err == nil {
			return d, nil
		}
		errs = append(errs, err)
	}
	return nil, errors.Join(errs...)
}

// scratchName is the name of folders for temporary columns, which have it only for a moment.
const scratchName = "pview"

// scratchFolders can hold temporary files, the one with most room first: a folder under /tmp may be in memory.
var scratchFolders = func() []string { // a test has none
	return []string{xdg.CacheHome, "/var/tmp", os.TempDir()}
}

// keep takes a segment that was just packed. Segments move to files if memory is short. Several goroutines may call it.
func (s *Storage) keep(seg *segment) error {
	if s.Memory == 0 || s.packed.Add(seg.data.size) <= s.Memory/4 || seg.data.size == 0 {
		return nil
	}
	s.once.Do(func() { s.Spill, s.noFile = newSpill(scratchFolders()) })
	err := s.noFile
	if err == nil {
		s.packed.Add(-seg.data.size)
		err = s.Spill.put(seg)
	}
	if err != nil {
		return fmt.Errorf("the records take more than the %d MB of memory that pview may use, "+
			"and they cannot be kept in a temporary file: %w", s.Memory>>20, err)
	}
	return nil
}

// release evicts pages of the files from the process's memory.
func (s *Storage) release() {
	if s.Draft != nil {
		s.Draft.Maps.Release()
	}
}

// parsed releases what was needed only for reading the trace; if that failed, it releases everything.
func (s *Storage) parsed(segs []*segment, err error) {
	if s.Spill != nil {
		s.Spill.file.Close()
	}
	for _, seg := range segs {
		if seg != nil { // not unpacked
			seg.release()
		}
	}
	if err != nil && s.Draft != nil {
		s.Draft.Discard()
		s.Draft = nil
	}
}
