package otf2

// The part of an archive that is shown while the rest is read: the first events of each location, up to a time that all
// have reached. They are read as a separate archive, since numbers depend on what is known only once all events have
// been read: the regions in use and the end of the run.

import (
	"context"
	"math"

	"pview/prv"
)

const (
	leastInParts = 16 << 20 // bytes of events: a smaller archive is not shown in parts
	partOf       = 32       // a part reads one byte in 32 of each location
	leastOfPart  = 4 << 10  // bytes: the least that is read of a location
)

// showPart shows the first part of an archive if it is large. Its errors are ignored, except that of ctx: the whole
// archive will report the same.
func (a *archive) showPart(ctx context.Context, w prv.Watcher) error {
	if w.Part == nil || a.size() < leastInParts {
		return nil
	}
	if part, err := readPart(ctx, a.path); err == nil && part.Until > 0 {
		w.Part(part)
	}
	return ctx.Err()
}

// readPart reads the first part of an archive.
func readPart(ctx context.Context, path string) (*prv.Part, error) {
	a, err := newArchive(path)
	if err != nil {
		return nil, err
	}
	a.isPart = true
	m := &meter{ctx: ctx}
	if err := a.scanAll(ctx, m); err != nil {
		return nil, err
	}
	t, err := a.build(ctx, m)
	if err != nil {
		return nil, err
	}
	t.Notes, t.Comments, t.Cut = nil, nil, nil // they are about ends that have not been read yet
	return &prv.Part{Trace: t, Until: min(a.until(), a.finish-1)}, nil
}

// stopOf returns the offset where reading a location's events stops; 0: at their end.
func (a *archive) stopOf(data []byte) int {
	if !a.isPart {
		return 0
	}
	return max(len(data)/partOf, leastOfPart)
}

// until returns the time in ns that all locations where the reading stopped have reached.
func (a *archive) until() int64 {
	until := int64(math.MaxInt64)
	for i := range a.locs {
		if l := &a.locs[i]; l.stopped {
			until = min(until, a.ns(l.last))
		}
	}
	if until == math.MaxInt64 { // all events were read
		return 0
	}
	return until
}
