// Package record records MPI programs. A C library that is loaded into the program (lib/record.c, with wrappers
// generated from a table of calls) writes the activity of each thread to a file of fixed-size records; a folder
// NAME.pvrec has the files of a run. Open reads such a folder as a trace in Extrae's vocabulary.
//
// Messages are matched as in MPI: per communicator, sender, receiver and tag, sends in call order with receives in
// posting order; the status of a completed receive replaces its wildcards.
package record

import (
	"context"
	"math"
	"runtime"

	"pview/prv"
	"pview/prv/mapped"
)

// Extension is the extension of folders of records.
const Extension = ".pvrec"

// OtherMPI is a file in the folder; it exists if the program's MPI library is not the one that the recorder was
// compiled for.
const OtherMPI = "other-mpi"

// Open reads a folder of records. Damaged files are left out, with a note; with strict they are errors. memory limits
// the trace's records, in bytes; 0: no limit.
func Open(ctx context.Context, dir string, strict bool, memory int64, w prv.Watcher) (t *prv.Trace, err error) {
	err = mapped.Guard(func() error {
		worlds, notes, err := openFolder(dir)
		if err != nil {
			return err
		}
		defer closeAll(worlds)
		if strict && len(notes) > 0 {
			return &prv.FileError{File: notes[0].File, Why: notes[0].Text}
		}
		if t, err = build(ctx, dir, worlds, memory, w.Progress); err == nil {
			t.Notes = append(notes, t.Notes...)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	return t, nil
}

// partsPerWorker is the number of a merger's parts per worker: more than one, so that no worker waits long for the
// others.
const partsPerWorker = 2

// build makes the trace from all records when no more will come.
func build(ctx context.Context, dir string, worlds []*world, memory int64,
	progress func(done, total int64)) (*prv.Trace, error) {
	if err := scan(ctx, worlds, false); err != nil {
		return nil, err
	}
	m := newMerger(worlds)
	b := prv.NewBuilder(m.head)
	b.Limit(memory)
	parts := make([]target, min(partsPerWorker*runtime.GOMAXPROCS(0), len(recorded(worlds))))
	for i := range parts {
		parts[i] = b.Part()
	}
	m.setTargets(b, parts...)
	if err := m.merge(ctx, math.MaxInt64, progress); err != nil {
		return nil, err
	}
	if err := m.finish(ctx); err != nil {
		return nil, err
	}
	t, err := b.Build()
	if err != nil {
		return nil, err
	}
	m.describe(t, dir)
	return t, nil
}

// describe gives a trace its labels, names and notes.
func (m *merger) describe(t *prv.Trace, dir string) {
	t.Path = dir
	all := newFacts(m.rest.kinds)
	for _, p := range append(m.parts, &m.rest) {
		all.add(&p.facts)
	}
	t.Labels, t.Names = m.labels(&all), m.names()
	t.Notes = m.notes(dir, &all.counts)
	if m.cpuTime {
		t.Comments = []string{prv.CPUTimeComment}
	}
}
