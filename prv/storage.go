package prv

// Storage of the records of an open trace: in memory; in the files of a future index; or,
// where memory is short and there can be no index, in nameless files. For their storage
// during parsing see spill.go.

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"pview/prv/mapped"
	"sync"
	"sync/atomic"

	"github.com/adrg/xdg"
)

// storage decides for one trace.
type storage struct {
	// memory bounds the records, in bytes; 0: no limit.
	memory int64
	// places are possible places of an index, the best first; none: no index is wanted.
	places []string
	limit  int64       // bytes of an index
	mode   fs.FileMode // of the trace

	draft   *draft // the files that the records are in; nil: in memory
	noIndex error  // why there will be no index although one is wanted
	foreign error  // what stands in the best place for the index and is not pview's

	once   sync.Once
	spill  *spill
	noFile error        // why there is no spill
	packed atomic.Int64 // bytes of the segments in memory
}

// columns makes the columns; inMemory makes those that are in memory.
func (s *storage) columns(sizes *columnSizes, inMemory func(*columnSizes) *columns) (*columns, error) {
	if len(s.places) > 0 && canIndex {
		if s.draft, s.noIndex = s.newIndex(sizes); s.draft != nil {
			return s.draft.columns, nil
		}
	}
	n := sizes.bytes()
	if s.memory == 0 || n <= s.memory/2 || !mapped.Supported {
		return inMemory(sizes), nil
	}
	var first error
	for _, dir := range scratchFolders() {
		sweepDrafts(dir, scratchName)
		d, err := newDraft(filepath.Join(dir, scratchName), 0o600, sizes)
		if err == nil {
			d.forget()
			s.draft = d
			return d.columns, nil
		}
		if first == nil {
			first = err
		}
	}
	if n <= s.memory {
		return inMemory(sizes), nil
	}
	return nil,
		fmt.Errorf(
			"the records take %d MB, more than the %d MB of memory that pview may use, and there is no temporary file for them: %w",
			n>>20, s.memory>>20, first)
}

// newIndex makes the files of an index in the first place that takes them.
func (s *storage) newIndex(sizes *columnSizes) (*draft, error) {
	if n := sizes.bytes(); n > s.limit {
		return nil, fmt.Errorf("it would take more than the %d MB that --index-limit allows: %d MB", s.limit>>20, n>>20)
	}
	var errs []error
	for _, place := range s.places {
		if err := owned(place); errors.As(err, new(*foreignError)) {
			s.foreign = err
			errs = append(errs, err)
			continue
		}
		parent := filepath.Dir(place)
		if parent == indexCache() {
			if err := os.MkdirAll(parent, 0o700); err != nil {
				errs = append(errs, err)
				continue
			}
		}
		// An index is a convenience; it must not take the last of a disk.
		if free, ok := mapped.FreeSpace(parent); ok && sizes.bytes() > free/2 {
			errs = append(errs, fmt.Errorf("%s: too little space is free on the disk", parent))
			continue
		}
		if sweepDrafts(filepath.Split(place)) {
			return nil, errBusy
		}
		d, err := newDraft(place, s.mode, sizes)
		if err == nil {
			return d, nil
		}
		errs = append(errs, err)
	}
	return nil, errors.Join(errs...)
}

// scratchName is what the folders of temporary columns are called, for the moment that
// they have a name.
const scratchName = "pview"

// scratchFolders are where temporary files can be, the most roomy first: what is under
// /tmp may lie in memory.
var scratchFolders = func() []string { // a test has none
	return []string{xdg.CacheHome, "/var/tmp", os.TempDir()}
}

// keep takes a segment that was just packed. It is moved to a file when there are so many
// that the memory is short. Several goroutines may call it.
func (s *storage) keep(seg *segment) error {
	if s.memory == 0 || s.packed.Add(seg.data.size) <= s.memory/4 || seg.data.size == 0 {
		return nil
	}
	s.once.Do(func() { s.spill, s.noFile = newSpill(scratchFolders()) })
	err := s.noFile
	if err == nil {
		s.packed.Add(-seg.data.size)
		err = s.spill.put(seg)
	}
	if err != nil {
		return fmt.Errorf(
			"the records take more than the %d MB of memory that pview may use, and they cannot be kept in a temporary file: %w", s.memory>>20, err)
	}
	return nil
}

// release takes pages of the files out of the process's memory.
func (s *storage) release() {
	if s.draft != nil {
		s.draft.maps.Release()
	}
}

// parsed gives up what was needed to read the trace only; when that failed, everything.
func (s *storage) parsed(segs []*segment, err error) {
	if s.spill != nil {
		s.spill.file.Close()
	}
	for _, seg := range segs {
		if seg != nil { // not unpacked
			seg.release()
		}
	}
	if err != nil && s.draft != nil {
		s.draft.discard()
		s.draft = nil
	}
}
