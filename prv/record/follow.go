package record

// Following a program while it runs: records are merged as they come, up to the time that all ranks have passed. After
// the program has ended, the last Read merges them again, like Open: only then can clocks be corrected by both
// comparisons.

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"syscall"
	"time"

	"pview/prv"
	"pview/prv/mapped"
)

// Follower reads a folder of records that grows. It is for one goroutine.
type Follower struct {
	dir     string
	worlds  []*world
	notes   []prv.Note
	files   int       // one per thread
	since   time.Time // when the files were first seen
	m       *merger   // nil before all ranks have begun
	records *prv.Growing
	reached int64     // time in the trace
	at      time.Time // when it was reached
	ended   bool
	// Ahead lets the trace grow past ranks that wait in a call; what they do is added later. Otherwise idle workers
	// would hold up the others.
	Ahead bool
}

// Follow returns a Follower of the folder dir, which need not exist yet.
func Follow(dir string) *Follower { return &Follower{dir: dir} }

// Close closes the files.
func (f *Follower) Close() {
	closeAll(f.worlds)
	f.worlds, f.m, f.records, f.files = nil, nil, nil, 0
}

const (
	// patience is the time to wait for ranks that have not begun.
	patience = 3 * time.Second
	// heldAfter is the time without growth after which the reason is given.
	heldAfter = 2 * time.Second
)

// Read merges what has been recorded since the last Read.
func (f *Follower) Read(ctx context.Context, progress func(done, total int64)) (g prv.Growth, err error) {
	err = mapped.Guard(func() error {
		g, err = f.read(ctx, progress)
		return err
	})
	var fault *mapped.Error
	if errors.As(err, &fault) { // a thread ended between two readings, and its file was truncated
		f.Close()
		return prv.Growth{}, prv.ErrWaiting
	}
	return g, err
}

func (f *Follower) read(ctx context.Context, progress func(done, total int64)) (g prv.Growth, err error) {
	if f.ended {
		g.Complete = true
		return g, nil
	}
	names, err := fs.Glob(os.DirFS(f.dir), "*.rec")
	if err != nil {
		return g, err
	}
	gone := len(names) == 0 && f.files > 0 // the folder has been replaced by a trace
	if !gone && len(names) != f.files {
		g.Restarted = f.m != nil
		if err := f.begin(); err != nil {
			return g, err
		}
	}
	running, err := f.grow(gone)
	if err != nil {
		return g, err
	}
	if !running && f.files > 0 {
		if g.Trace, err = build(ctx, f.dir, f.worlds, 0, progress); err != nil {
			return g, err
		}
		g.Trace.Notes = append(f.notes, g.Trace.Notes...)
		closeAll(f.worlds)
		f.worlds, f.ended, g.Complete = nil, true, true
		return g, nil
	}
	if err := scan(ctx, f.worlds, true); err != nil {
		return g, err
	}
	if f.m == nil && !f.start() {
		return g, prv.ErrWaiting
	}
	f.m.groups()
	limit, last := f.passed()
	if limit > f.reached {
		if err := f.m.merge(ctx, limit, progress); err != nil {
			return g, err
		}
		f.reached, f.at = limit, time.Now()
		g.Trace = f.records.Trace(&f.m.head)
		f.m.describe(g.Trace, f.dir)
		g.Trace.Notes = append(f.notes, g.Trace.Notes...)
	} else if f.reached == 0 {
		return g, prv.ErrWaiting
	}
	if wait := time.Since(f.at); wait > heldAfter {
		g.Held = f.held(last, wait)
	}
	return g, nil
}

// begin opens the files of all existing threads.
func (f *Follower) begin() (err error) {
	f.Close()
	if f.since.IsZero() {
		f.since = time.Now()
	}
	if f.worlds, f.notes, err = openFolder(f.dir); err != nil || len(f.notes) > 0 && time.Since(f.since) < patience {
		closeAll(f.worlds)
		f.worlds = nil
		if err != nil && time.Since(f.since) > patience {
			return err
		}
		return prv.ErrWaiting // headers and names of calls are written after the files appear
	}
	f.files = len(f.notes)
	for _, p := range recorded(f.worlds) {
		f.files += len(p.streams)
		for _, s := range p.streams {
			if s.file, err = os.Open(s.path); err != nil {
				return err
			}
		}
	}
	return nil
}

// start prepares the merge once all ranks have records.
func (f *Follower) start() bool {
	ranks, begun := 0, 0
	for _, w := range f.worlds {
		ranks += w.size
	}
	for _, p := range recorded(f.worlds) {
		if p.first < math.MaxInt64 {
			begun++
		}
	}
	if begun == 0 || begun < ranks && time.Since(f.since) < patience {
		return false
	}
	f.m = newMerger(f.worlds)
	f.m.head.End = 0
	f.records = prv.NewGrowing(f.m.head.NumThreads())
	f.m.setTargets(f.records, f.records)
	f.reached, f.at = 0, time.Now()
	return true
}

// grow maps the current contents of the files, and reports whether more may come.
func (f *Follower) grow(gone bool) (running bool, err error) {
	host, _ := os.Hostname()
	for _, p := range recorded(f.worlds) {
		over := gone
		for _, s := range p.streams {
			s.dead = gone || s.host == host && !alive(s.pid) // checked first: its last records are read afterwards
			if err := s.grow(); err != nil {
				return false, err
			}
			over = over || s.dead || s.ended == endFinalized // the end of a process ends all of its threads
		}
		for _, s := range p.streams {
			s.dead = over
			running = running || !s.over()
		}
	}
	return running, nil
}

// grow maps the current contents of the file.
func (s *stream) grow() error {
	info, err := s.file.Stat()
	if err != nil {
		return err
	}
	if size := info.Size(); size != int64(len(s.mapping)) {
		again, err := mapped.Map(s.file, size, false)
		if err != nil {
			return err
		}
		mapped.Unmap(s.mapping)
		s.mapping, s.data = again, again[min(s.first, len(again)):]
	}
	if len(s.mapping) >= headerSize {
		s.ended = int(binary.LittleEndian.Uint32(s.mapping[endAt:]))
	}
	return nil
}

// alive reports whether a process of this machine runs.
func alive(pid int) bool {
	p, err := os.FindProcess(pid)
	return err == nil && !errors.Is(p.Signal(syscall.Signal(0)), os.ErrProcessDone)
}

// passed returns the time in the trace that all ranks have passed, and the slowest thread.
func (f *Follower) passed() (limit int64, last *lane) {
	limit = math.MaxInt64
	latest := int64(0)
	for _, lanes := range f.m.byProcess {
		at, first := int64(-1), lanes[0]
		for _, l := range lanes {
			t := l.time(l.stream.passed)
			latest = max(latest, t)
			if l.stream.over() || f.Ahead && l.stream.inside > 0 {
				continue
			}
			if t > at {
				at, first = t, l
			}
		}
		if at >= 0 && at < limit {
			limit, last = at, first
		}
	}
	if f.Ahead {
		limit = min(limit, latest)
	}
	return limit, last
}

// held returns the reason why the trace has stopped growing.
func (f *Follower) held(l *lane, wait time.Duration) string {
	if l == nil {
		return ""
	}
	doing := "out of MPI"
	if names := l.process.world.names; l.stream.inside > 0 && l.stream.inside < len(names) {
		doing = "in MPI_" + names[l.stream.inside]
	}
	return fmt.Sprintf("rank %d %s for %.0f s", l.process.rank, doing, wait.Seconds())
}
