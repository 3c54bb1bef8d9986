// Package store writes the runs of a study to disk as they end.
//
//	DIR/study.json            what study this is: kind, key, columns
//	DIR/runs-HOST-PID-N.arrows   the runs of one process: an Arrow IPC stream, a record batch per run
//	DIR/runs.arrow            the finished table: an Arrow IPC file, runs by index
//	DIR/hosts.arrow           where each run was made, and how long it took
//
// A run is one write at the end of a file, so however a process ends, all earlier runs are complete; a truncated record
// is skipped. A process never writes to the file of another one, so any number of processes may fill one store.
// runs.arrow only has data that depends on the study alone: an interrupted and resumed study ends with the same bytes
// as an undisturbed one.
//
// pandas, polars and DuckDB read all of these files: texts, such as names of files, are kept as UTF-8 (see prv.UTF8).
package store

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"syscall"

	"pview/prv"
	"pview/sim/study"
)

// The files of a store.
const (
	studyFile = "study.json"
	runsFile  = "runs.arrow"
	hostsFile = "hosts.arrow"
	segments  = "runs-*.arrows"
)

// Info identifies the study in a store.
type Info struct {
	Kind    string         `json:"kind"`
	Title   string         `json:"title"`
	Key     string         `json:"key"`
	Seed    uint64         `json:"seed,string"`
	Inputs  []study.Column `json:"inputs"`
	Outputs []study.Column `json:"outputs"`
	// Sealed is set if each finished table must have a seal; older stores have none.
	Sealed bool `json:"sealed,omitempty"`
	// Measured is the run from which the subject was made; older stores have none.
	Measured *measured `json:"measured,omitempty"`
}

// measured has the inputs and outputs of a run by column; nil if a value is unknown.
type measured struct {
	Inputs  []*float64 `json:"inputs"`
	Outputs []*float64 `json:"outputs"`
}

func infoOf(p *study.Plan) Info {
	info := Info{p.Kind, prv.UTF8(p.Title), p.Key, p.Seed, columnsOf(p.Inputs), columnsOf(p.Outputs), true, nil}
	if r := p.Measured; r != nil {
		info.Measured = &measured{known(r.Inputs), known(r.Outputs)}
	}
	return info
}

// columnsOf returns columns with their texts as stored.
func columnsOf(columns []study.Column) []study.Column {
	list := slices.Clone(columns)
	for i := range list {
		c := &list[i]
		c.Name, c.Unit, c.Levels = prv.UTF8(c.Name), prv.UTF8(c.Unit), slices.Clone(c.Levels)
		for k, text := range c.Levels {
			c.Levels[k] = prv.UTF8(text)
		}
	}
	return list
}

// known returns the values that JSON can represent, nil for others.
func known(values []float64) []*float64 {
	list := make([]*float64, len(values))
	for i, v := range values {
		if !math.IsNaN(v) && !math.IsInf(v, 0) {
			list[i] = &v
		}
	}
	return list
}

// row returns the measured run as in a plan; nil if the store has none, or not one with a value for each column.
func (m *measured) row(info Info) *study.Row {
	if m == nil || len(m.Inputs) != len(info.Inputs) || len(m.Outputs) != len(info.Outputs) {
		return nil
	}
	values := func(list []*float64) []float64 {
		all := make([]float64, len(list))
		for i, v := range list {
			if all[i] = math.NaN(); v != nil {
				all[i] = *v
			}
		}
		return all
	}
	return &study.Row{Index: -1, Status: study.Done, Inputs: values(m.Inputs), Outputs: values(m.Outputs)}
}

// Store is a folder with the runs of a study. It is a study.Keeper.
type Store struct {
	Dir  string
	Info Info
	rows []study.Row
	// table has the runs of the existing table: a study with fewer runs, or one stopped earlier by its rule, does not
	// drop them.
	table []study.Row
	out   *segment // nil before the first row
}

// ErrNone reports a folder without a store.
var ErrNone = errors.New("there is no study")

// ErrOther reports that the store belongs to another study.
type ErrOther struct {
	Dir  string
	Have Info
}

func (e *ErrOther) Error() string {
	return fmt.Sprintf(
		"%s holds another study (%s of %s, seed %d), or the same one of a program, machine or options that have "+
			"changed since: choose another folder", e.Dir, e.Have.Kind, e.Have.Title, e.Have.Seed)
}

// ErrStarted reports a store that has runs already.
type ErrStarted struct {
	Dir  string
	Runs int
}

func (e *ErrStarted) Error() string {
	return fmt.Sprintf("%s has %d runs of this study already: --resume keeps them and makes the missing ones", e.Dir,
		e.Runs)
}

// Open opens or creates the store of a plan. Without resume it must not have any runs yet.
func Open(dir string, p *study.Plan, resume bool) (*Store, error) {
	s := &Store{Dir: dir, Info: infoOf(p)}
	have, err := readInfo(dir)
	switch {
	case errors.Is(err, ErrNone):
		return s, s.create()
	case err != nil:
		return nil, err
	case have.Key != p.Key:
		return nil, &ErrOther{dir, have}
	}
	s.Info.Sealed = have.Sealed
	if s.rows, err = readRows(dir, s.Info); err != nil {
		return nil, err
	}
	if !resume && len(s.rows) > 0 {
		return nil, &ErrStarted{dir, len(s.rows)}
	}
	if err := readTable(dir, s.Info, func(r study.Row) { s.table = append(s.table, r) }); err != nil {
		return nil, err
	}
	return s, s.writable()
}

// create makes the folder and records its plan.
func (s *Store) create() error {
	if err := os.MkdirAll(s.Dir, 0o777); err != nil {
		return fmt.Errorf("the store of the study: %w", err)
	}
	text, err := json.MarshalIndent(s.Info, "", "  ")
	if err != nil {
		return err
	}
	return prv.SaveFile(filepath.Join(s.Dir, studyFile), func(w io.Writer) error {
		_, err := w.Write(append(text, '\n'))
		return err
	})
}

// writable reports, before the first row is computed, if rows cannot be stored.
func (s *Store) writable() error {
	f, err := os.CreateTemp(s.Dir, ".try-*")
	if err != nil {
		return fmt.Errorf("the store of the study: %w", err)
	}
	f.Close()
	return os.Remove(f.Name())
}

// Read reads a store: its study, and the runs that have ended so far, by index.
func Read(dir string) (Info, *study.Table, error) {
	info, err := readInfo(dir)
	if err != nil {
		return info, nil, err
	}
	rows, err := readRows(dir, info)
	return info, &study.Table{Inputs: info.Inputs, Outputs: info.Outputs, Rows: rows,
		Measured: info.Measured.row(info)}, err
}

func readInfo(dir string) (info Info, err error) {
	name := filepath.Join(dir, studyFile)
	text, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return info, fmt.Errorf("%s: %w", dir, ErrNone)
	}
	if err != nil {
		return info, fmt.Errorf("the store of the study: %w", err)
	}
	if err := json.Unmarshal(text, &info); err != nil {
		return info, fmt.Errorf("%s: this is not the description of a study: %w", name, err)
	}
	return info, nil
}

// readRows reads the finished table and the runs of all processes; the later of two rows of a run counts.
func readRows(dir string, info Info) ([]study.Row, error) {
	found := map[int]study.Row{}
	take := func(r study.Row) { // a failed and repeated run has two
		if found[r.Index].Status != study.Done {
			found[r.Index] = r
		}
	}
	if err := readTable(dir, info, take); err != nil {
		return nil, err
	}
	names, err := filepath.Glob(filepath.Join(dir, segments))
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		if err := readSegment(name, info, take); err != nil {
			return nil, err
		}
	}
	rows := make([]study.Row, 0, len(found))
	for _, r := range found {
		rows = append(rows, r)
	}
	slices.SortFunc(rows, byIndex)
	return rows, nil
}

// Rows returns the runs that the store had when it was opened.
func (s *Store) Rows() []study.Row { return s.rows }

// Append keeps a run.
func (s *Store) Append(r study.Row) error {
	if s.out == nil {
		out, err := newSegment(s.Dir, s.Info)
		if err != nil {
			return fmt.Errorf("the store of the study: %w", err)
		}
		s.out = out
	}
	if err := s.out.append(&r); err != nil {
		return fmt.Errorf("the store of the study: %w; the runs before are kept", err)
	}
	return nil
}

// Close ends the file of this process.
func (s *Store) Close() error {
	if s.out == nil {
		return nil
	}
	out := s.out
	s.out = nil
	return out.close()
}

// whole returns the runs of a table, plus the other runs of the previous table.
func (s *Store) whole(t *study.Table) []study.Row {
	rows := slices.Clone(t.Rows)
	for _, r := range s.table {
		if _, ok := slices.BinarySearchFunc(t.Rows, r.Index, func(a study.Row, index int) int {
			return cmp.Compare(a.Index, index)
		}); !ok {
			rows = append(rows, r)
		}
	}
	slices.SortFunc(rows, byIndex)
	return rows
}

func byIndex(a, b study.Row) int { return cmp.Compare(a.Index, b.Index) }

// Finish writes the finished table, and removes the files that it replaces.
func (s *Store) Finish(t *study.Table) error {
	if err := s.Close(); err != nil {
		return err
	}
	old, err := filepath.Glob(filepath.Join(s.Dir, segments))
	if err != nil {
		return err
	}
	rows := s.whole(t)
	var files prv.Files
	defer files.Discard()
	err = files.Add(filepath.Join(s.Dir, hostsFile), func(w io.Writer) error { return writeHosts(w, rows) })
	if err == nil {
		err = files.Add(filepath.Join(s.Dir, runsFile), func(w io.Writer) error { return writeRuns(w, s.Info, rows) })
	}
	if err == nil {
		err = files.Commit() // hosts.arrow first, so that an existing table is complete
	}
	if err != nil {
		return fmt.Errorf("the store of the study: %w; the runs are kept", err)
	}
	for _, name := range old {
		if err := os.Remove(name); err != nil {
			return err
		}
	}
	return nil
}

// Remove removes a store, but nothing else in its folder.
func Remove(dir string) error {
	names, err := filepath.Glob(filepath.Join(dir, segments))
	if err != nil {
		return err
	}
	for _, name := range append(names, filepath.Join(dir, runsFile), filepath.Join(dir, hostsFile),
		filepath.Join(dir, studyFile)) {
		if err := os.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	switch err := os.Remove(dir); {
	// other files are not ours
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTEMPTY), errors.Is(err, fs.ErrExist):
		return nil
	default:
		return err
	}
}
