package prv

// Opening traces of other formats through their indexes. The format's reader makes a trace in memory; the index is a
// copy of it.

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"pview/prv/index"
	"pview/prv/mapped"
	"pview/prv/store"
)

// Imported is a trace in another format than .prv.
type Imported struct {
	Path string // of the trace; the index lies beside it
	// Name, if set, replaces the last element of Path in the name of the index.
	Name string
	// Files are all files that the reader reads, with the names that it uses in notes.
	Files []string
	Read  func(ctx context.Context) (*Trace, error)
}

// Import opens a trace in another format, from its index if that is usable, else by its reader. A missing index is then
// made in the background: see Wait.
func (o *Opener) Import(ctx context.Context, in *Imported) (t *Trace, err error) {
	if o.NoIndex || !index.Supported {
		return in.Read(ctx)
	}
	src, names, err := o.importable(in)
	if err != nil {
		return in.Read(ctx) // Read returns the reason
	}
	tried := false
	err = mapped.Guard(func() (err error) {
		t, tried, err = o.fromIndex(ctx, src)
		return err
	})
	if err != nil || t != nil {
		return t, err
	}
	before, unknown := src.state()
	t, err = in.Read(ctx)
	if err != nil || unknown != nil || !tried && before.Size < o.leastImported() {
		return t, err
	}
	m := &index.Meta{Source: before, Notes: slices.Clone(t.Notes)}
	for i := range m.Notes {
		m.Notes[i].File = noteName(in, names, m.Notes[i].File)
	}
	o.begin(ctx, func(ctx context.Context) { o.keep(ctx, t, src, names, in.mode(), m) })
	return t, nil
}

// leastImported returns the size from which files in other formats get an index: they take longer to read per byte.
func (o *Opener) leastImported() int64 {
	if o.Least > 0 {
		return o.Least
	}
	return leastIndexed / 4
}

// IndexName returns the path that names the index, in the form that package index takes.
func (in *Imported) IndexName() string {
	if in.Name == "" {
		return in.Path
	}
	real, err := index.NamedBy(in.Path)
	if err != nil {
		real = in.Path
	}
	return filepath.Join(filepath.Dir(real), in.Name)
}

// importable returns how to find a trace's index, and the names of the trace's files relative to the index's folder.
func (o *Opener) importable(in *Imported) (*indexable, []string, error) {
	real, err := index.NamedBy(in.IndexName())
	if err != nil {
		return nil, nil, err
	}
	names := make([]string, len(in.Files))
	for i, file := range in.Files {
		if file, err = filepath.Abs(file); err != nil {
			return nil, nil, err
		}
		if names[i], err = filepath.Rel(filepath.Dir(real), file); err != nil {
			return nil, nil, err
		}
	}
	return &indexable{path: in.Path, places: index.PlacesOf(real), state: func() (index.TraceState, error) {
		s, err := index.ImportState(real, names)
		s.Strict = o.Strict
		return s, err
	}, complete: func(t *Trace) {
		for i := range t.Notes {
			t.Notes[i].File = noteFile(in, names, t.Notes[i].File)
		}
	}}, names, nil
}

// noteName returns the name in the index for a note's file, and noteFile is the reverse: it is the name of a file of
// the trace, else a path relative to the trace's folder.
func noteName(in *Imported, names []string, file string) string {
	if i := slices.Index(in.Files, file); i >= 0 {
		return names[i]
	}
	if rel, err := filepath.Rel(filepath.Dir(in.Path), file); err == nil {
		return rel
	}
	return file
}

func noteFile(in *Imported, names []string, name string) string {
	if i := slices.Index(names, name); i >= 0 {
		return in.Files[i]
	}
	return filepath.Join(filepath.Dir(in.Path), name)
}

// mode returns the permissions that all files of the trace share.
func (in *Imported) mode() fs.FileMode {
	mode := fs.ModePerm
	for _, file := range in.Files {
		if info, err := os.Stat(file); err == nil {
			mode &= info.Mode()
		}
	}
	return mode
}

// keep makes the index of a trace in memory.
func (o *Opener) keep(ctx context.Context, t *Trace, src *indexable, files []string, mode fs.FileMode, m *index.Meta) {
	s := &store.Storage{Places: src.places, Limit: o.limit(), Mode: mode}
	if s.MakeDraft(index.SizesOf(t)); s.Draft == nil {
		o.tellNoIndex(src.path, s.NoIndex)
		return
	}
	defer func() {
		t.Counts.Trimmed(nil)
		s.Draft.Discard() // the files do not hold the trace
	}()
	var labels, names strings.Builder
	err := WriteLabels(&labels, t.Labels)
	if err == nil {
		err = WriteNames(&names, t.Names)
	}
	if err == nil {
		err = s.Draft.Copy(ctx, t)
	}
	if err != nil {
		o.tellNoIndex(src.path, err)
		return
	}
	m.Import = index.NewImport(files, labels.String(), names.String())
	o.finish(ctx, t, src, s, m)
}
