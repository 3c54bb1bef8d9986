// Package otf2 reads archives of OTF2, the Open Trace Format that Score-P, EZTrace and others write: NAME.otf2, which
// names the rest, NAME.def with all objects, and in the folder NAME the events of each location.
//
// A process is a task, a location a thread. Regions become Extrae's events and states: MPI calls, OpenMP constructs,
// user functions. Events are read twice: first to find what they use and when the run begins and ends, then to fill
// columns of known size. Files are mapped and read in parallel, one location each.
package otf2

import (
	"context"
	"os"
	"runtime"
	"sync"

	"pview/prv"
	"pview/prv/mapped"
	"pview/prv/model"
	"pview/prv/parallel"
)

// Open reads an archive by its anchor file, or by the folder that holds it. Damaged parts are left out and described in
// the notes of the trace; with strict the first fault is an error.
func Open(ctx context.Context, path string, strict bool, w prv.Watcher) (t *prv.Trace, err error) {
	if anchor := InFolder(path); anchor != "" {
		path = anchor
	}
	err = mapped.Guard(func() (err error) {
		t, err = open(ctx, path, strict, w)
		return err
	})
	return t, err
}

func open(ctx context.Context, path string, strict bool, w prv.Watcher) (*prv.Trace, error) {
	a, err := newArchive(path)
	if err != nil {
		return nil, err
	}
	if err := a.showPart(ctx, w); err != nil {
		return nil, err
	}
	meter := a.newMeter(ctx, w)
	if err := a.scanAll(ctx, meter); err != nil {
		return nil, err
	}
	if strict {
		if err := a.firstFault(); err != nil {
			return nil, err
		}
	}
	t, err := a.build(ctx, meter)
	if err != nil {
		return nil, err
	}
	doubts, err := model.FindDoubts(ctx, t)
	if err != nil {
		return nil, err
	}
	t.Doubts = *doubts
	return t, nil
}

// newArchive reads the definitions of an archive.
func newArchive(path string) (*archive, error) {
	anchor, err := readAnchor(path)
	if err != nil {
		return nil, err
	}
	d, faults, err := readDefinitions(anchor)
	if err != nil {
		return nil, err
	}
	a := &archive{anchor: anchor, definitions: d, regions: makeRegions(d), faults: faults}
	if err := a.place(); err != nil {
		return nil, err
	}
	a.findRanks()
	return a, nil
}

// build makes the trace once the events have been read for the first time.
func (a *archive) build(ctx context.Context, m *meter) (*prv.Trace, error) {
	a.plan()
	lanes, err := a.readAll(ctx, m)
	if err != nil {
		return nil, err
	}
	found, err := a.match(ctx, lanes)
	if err != nil {
		return nil, err
	}
	t, err := prv.Assemble(ctx, a.header, a.threads(lanes), found.columns())
	if err != nil {
		return nil, err
	}
	a.complete(t, lanes, found)
	return t, nil
}

// complete adds names, labels and notes.
func (a *archive) complete(t *prv.Trace, lanes []*lane, found *matched) {
	ops := uint32(0)
	for _, l := range lanes {
		ops |= l.ops
	}
	t.Path, t.Names, t.Labels = a.path, a.names, a.makeLabels(t, ops)
	a.report(t, lanes, found)
}

// meter reports progress: the bytes of both readings, each of which counts half.
type meter struct {
	ctx   context.Context
	mu    sync.Mutex
	done  int64
	total int64
	tell  func(done, total int64)
}

func (a *archive) newMeter(ctx context.Context, w prv.Watcher) *meter {
	m := &meter{ctx: ctx, tell: w.Progress}
	if m.tell != nil {
		m.total = a.size()
	}
	return m
}

// size returns the bytes of the events of all locations.
func (a *archive) size() (n int64) {
	for i := range a.locs {
		if info, err := os.Stat(a.fileOf(a.locs[i].id, ".evt")); err == nil {
			n += info.Size()
		}
	}
	return n
}

// step counts bytes, and reports whether to continue reading.
func (m *meter) step(n int) bool {
	if m.tell != nil {
		m.mu.Lock()
		m.done += int64(n)
		m.tell(m.done/2, m.total)
		m.mu.Unlock()
	}
	return m.ctx.Err() == nil
}

// scanAll reads all locations for the first time.
func (a *archive) scanAll(ctx context.Context, m *meter) error {
	workers := make([]*scanner, runtime.GOMAXPROCS(0))
	return parallel.Each(ctx, len(a.locs), len(workers), func(worker, i int) error {
		if workers[worker] == nil {
			workers[worker] = newScanner(a)
		}
		if err := workers[worker].scan(&a.locs[i], m); err != nil {
			return err
		}
		return ctx.Err()
	})
}

// readAll makes the rows of all locations.
func (a *archive) readAll(ctx context.Context, m *meter) ([]*lane, error) {
	lanes := make([]*lane, len(a.locs))
	owns := a.planMetrics()
	anyForks, taskRegions := false, false
	for i := range a.locs {
		anyForks = anyForks || a.locs[i].kinds[evOmpFork]+a.locs[i].kinds[evThreadFork] > 0
	}
	for i := range a.regions.list {
		g := &a.regions.list[i]
		taskRegions = taskRegions || g.used && g.class == taskRegion
	}
	err := parallel.For(ctx, len(a.locs), func(i int) error {
		loc := &a.locs[i]
		l := &lane{archive: a, location: loc, owns: owns[i], bySwitch: !taskRegions, base: stateRunning}
		l.teams = loc.kinds[evTeamBegin] > 0
		for _, k := range loc.regionUse {
			l.implicit = l.implicit || a.regions.list[k].class == implicitTask
		}
		l.opener = loc.kinds[evOmpFork]+loc.kinds[evThreadFork] > 0 || !anyForks && l.teams
		l.isStream = a.isStream(loc)
		isWorker := loc.own && loc.thread != a.header.Tasks[loc.task].FirstThread
		if l.isStream || isWorker && (l.teams || l.implicit) {
			l.base = stateIdle
		}
		lanes[i] = l
		if err := l.read(m); err != nil {
			return err
		}
		return ctx.Err()
	})
	return lanes, err
}

// threads returns the columns of the threads; the rows of a metrics-only location follow those of its thread.
func (a *archive) threads(lanes []*lane) []prv.Thread {
	all := make([]rows, len(a.cpus))
	for _, l := range lanes {
		if l.own != nil && l.location.own {
			all[l.thread] = l.rows
		}
	}
	for _, l := range lanes {
		if !l.location.own {
			r := &all[l.thread]
			r.time, r.typ, r.value = append(r.time, l.rows.time...), append(r.typ, l.rows.typ...),
				append(r.value, l.rows.value...)
		}
		l.rows = rows{}
	}
	threads := make([]prv.Thread, len(all))
	for i := range all {
		if len(all[i].begin) == 0 {
			all[i].addState(0, a.finish, stateAbsent)
		}
		threads[i] = all[i].columns(a.cpus[i])
	}
	return threads
}
