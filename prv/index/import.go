package index

// Indexes of traces in other formats than .prv. Their records are read into memory, and copied into the files of the
// index. It also keeps labels and names, since there is no .pcf and .row. It is valid for a state of all files of the
// trace and for the program that read them: another version may make another trace from the same files.

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"sync"

	"pview/prv/exact"
	"pview/prv/mapped"
	"pview/prv/model"
)

// Import describes the additional contents of the index of a trace in another format.
type Import struct {
	// Files are the files of the trace, relative to the folder of the index's name. Notes of the trace name their files
	// in the same way.
	Files []exact.Text `json:"files"`
	// Labels and Names are the text of a .pcf and of a .row.
	Labels exact.Text `json:"labels"`
	Names  exact.Text `json:"names"`
}

// NewImport returns the Import of a trace read from files, with the text of its .pcf and .row.
func NewImport(files []string, labels, names string) *Import {
	m := &Import{Labels: exact.Text(labels), Names: exact.Text(names)}
	for _, f := range files {
		m.Files = append(m.Files, exact.Text(f))
	}
	return m
}

// restore gives a trace its labels and names.
func (m *Import) restore(t *model.Trace) (err error) {
	if m == nil {
		return nil
	}
	if t.Labels, _, err = model.ParseLabels("labels", strings.NewReader(string(m.Labels))); err == nil {
		t.Names, _, err = model.ParseNames("names", strings.NewReader(string(m.Names)))
	}
	return err
}

// state returns the current state of a trace.
func (m *Import) state(trace string) (TraceState, error) {
	if m == nil {
		return StateOf(trace)
	}
	files := make([]string, len(m.Files))
	for i, f := range m.Files {
		files[i] = string(f)
	}
	return ImportState(trace, files)
}

// sampledFiles is the maximum number of files of a trace whose contents are sampled. With more, only names, sizes and
// times count: opening thousands of files takes longer than opening the index.
const sampledFiles = 32

// ImportState returns the state of a trace made from files, whose names are relative to the folder of path. Its size is
// their sum, its time the latest.
func ImportState(path string, files []string) (s TraceState, err error) {
	s = TraceState{Path: path, Reader: reader()}
	h := sha256.New()
	for _, name := range files {
		one, err := stateOfOne(filepath.Join(filepath.Dir(path), name), len(files) <= sampledFiles)
		if err != nil {
			return s, err
		}
		s.Size += one.Size
		s.Changed = max(s.Changed, one.Changed)
		fmt.Fprintf(h, "%q %d %d %s\n", name, one.Size, one.Changed, one.Sample)
	}
	s.Sample = hex.EncodeToString(h.Sum(nil))
	return s, nil
}

// stateOfOne returns the state of one of several files. Only regular files are opened: opening a pipe would break it.
func stateOfOne(path string, sampled bool) (TraceState, error) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return TraceState{}, err
	case !info.Mode().IsRegular():
		return TraceState{}, fmt.Errorf("%s is not a regular file", path)
	case sampled:
		return StateOf(path)
	}
	return TraceState{Size: info.Size(), Changed: info.ModTime().UnixNano()}, nil
}

// reader returns the version of this program: the module's version with the commit, if it was built from unchanged
// sources, else the size and time of its file.
var reader = sync.OnceValue(func() string {
	if info, ok := debug.ReadBuildInfo(); ok {
		if v := info.Main.Version; v != "" && v != "(devel)" && !strings.HasSuffix(v, "+dirty") {
			return v
		}
	}
	path, err := os.Executable()
	if err != nil {
		return "unknown"
	}
	file, err := os.Stat(path)
	if err != nil {
		return "unknown"
	}
	return fmt.Sprintf("development version, %d bytes of %d", file.Size(), file.ModTime().UnixNano())
})

// SizesOf returns the sizes of the columns of a trace in memory.
func SizesOf(t *model.Trace) *Sizes {
	s := &Sizes{Threads: len(t.Threads), Comms: int64(t.Comms.Len()), CommCPU: t.Comms.SendCPU != nil,
		EventLines: t.Comms.EventLines != nil}
	for i := range t.Threads {
		th := &t.Threads[i]
		s.States += int64(th.States.Len())
		s.Events += int64(th.Events.Len())
		s.Large += int64(len(th.Events.Value.Large))
		s.StateCPU = s.StateCPU || th.States.CPU != nil
		s.StateOrder = s.StateOrder || th.States.FileOrder != nil
		s.EventCPU = s.EventCPU || th.Events.CPU != nil
	}
	return s
}

// Copy copies the records of a trace into the draft, which has the trace's sizes.
func (d *Draft) Copy(ctx context.Context, t *model.Trace) error {
	return mapped.Guard(func() error {
		d.copyComms(&t.Comms)
		into := &model.Trace{Threads: make([]model.Thread, len(t.Threads))}
		var all threadMeta
		var at, ordered Rows
		for i := range t.Threads {
			from, to := &t.Threads[i], &into.Threads[i]
			all.add(from)
			n := all.rows(i)
			has := all.Has[i] &^ (hasOneSendOrder | hasOneReceiveOrder) // the file has both
			Carve(into, d.Columns, i, &at, n, has)
			carveOrders(into, d.Columns, i, &ordered, n, has)
			copyThread(to, from)
			d.Maps.Release()
			if err := ctx.Err(); err != nil {
				return err
			}
		}
		return nil
	})
}

func (d *Draft) copyComms(from *model.Comms) {
	to := &d.Columns.Comms
	copy(to.Send, from.Send)
	copy(to.Recv, from.Recv)
	for r := range from.Times {
		copy(to.Times[r], from.Times[r])
	}
	copy(to.Size, from.Size)
	copy(to.Tag, from.Tag)
	copy(to.SendCPU, from.SendCPU)
	copy(to.RecvCPU, from.RecvCPU)
	copy(to.EventLines, from.EventLines)
}

// copyThread copies the columns of a thread; the lines of its events are derived.
func copyThread(to, from *model.Thread) {
	copy(to.States.Begin, from.States.Begin)
	copy(to.States.End, from.States.End)
	copy(to.States.Value, from.States.Value)
	copy(to.States.CPU, from.States.CPU)
	copy(to.States.FileOrder, from.States.FileOrder)
	copy(to.Events.Time, from.Events.Time)
	copy(to.Events.Type, from.Events.Type)
	copy(to.Events.Value.Small, from.Events.Value.Small)
	copy(to.Events.Value.Large, from.Events.Value.Large)
	copy(to.Events.CPU, from.Events.CPU)
	for r := range from.Comm {
		copy(to.Comm[r], from.Comm[r])
	}
}
