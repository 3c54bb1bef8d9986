package index

// An unfinished index: a folder under its own name. Its files have their full length and are mapped, so that the parser
// can unpack the records into them. It is finished while the trace is already in use.

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"pview/prv/mapped"
	"pview/prv/model"
)

// Draft is the folder of an unfinished index, and its files.
type Draft struct {
	dir   string // "" after it is finished or removed
	Final string // final name
	mode  fs.FileMode
	lock  *os.File

	sizes   Sizes
	frames  []*frame
	files   []*os.File
	Maps    mapped.Files
	Columns *Columns
}

// ErrBusy means that another process is making the index.
var ErrBusy = errors.New("another pview is making the index")

// NewDraft makes a folder that can become the index at final, with columns of the given sizes. mode is the trace's:
// users who may not read the trace may not read its index.
func NewDraft(final string, mode fs.FileMode, sizes *Sizes) (d *Draft, err error) {
	parent, name := filepath.Split(final)
	d = &Draft{Final: final, mode: mode & 0o666, sizes: *sizes, Columns: &Columns{}}
	defer func() {
		if err != nil {
			d.Discard()
			d = nil
		}
	}()
	if err := d.makeFolder(parent, name); err != nil {
		return d, err
	}
	for i := range tables {
		if err := d.addTable(&tables[i]); err != nil {
			return d, err
		}
	}
	return d, nil
}

// makeFolder makes and locks the folder. Before it is locked, another process may take it for a killed writer's and
// remove it; then makeFolder makes another.
func (d *Draft) makeFolder(parent, name string) (err error) {
	for range 10 {
		d.dir = filepath.Join(parent, draftName(name))
		if err := os.Mkdir(d.dir, 0o700|d.mode|d.mode>>2&0o111); err != nil {
			d.dir = ""
			return err
		}
		if d.lock, err = d.createLock(); err == nil {
			if err = mapped.Lock(d.lock); err == nil || errors.Is(err, errors.ErrUnsupported) {
				if _, err = os.Lstat(d.lock.Name()); err == nil {
					return nil
				}
			}
		}
		d.Forget()
		if d.lock = nil; errors.Is(err, fs.ErrPermission) {
			break
		}
	}
	return fmt.Errorf("the folder for the index cannot be locked: %w", err)
}

// createLock marks the folder as pview's and makes its lock.
func (d *Draft) createLock() (*os.File, error) {
	lock, err := d.create(lockName)
	if err != nil {
		return nil, err
	}
	mark, err := d.create(markFile)
	if err == nil {
		_, err = mark.WriteString(markText)
		err = cmp.Or(err, mark.Close())
	}
	if err != nil {
		lock.Close()
		return nil, err
	}
	return lock, nil
}

// SweepDrafts removes the drafts of killed writers, and reports whether a writer is at work. It ignores folders without
// pview's mark.
func SweepDrafts(parent, name string) (busy bool) {
	entries, err := os.ReadDir(parent)
	if err != nil {
		return false
	}
	for _, e := range entries {
		dir := filepath.Join(parent, e.Name())
		if !e.IsDir() || !isDraftName(e.Name(), name) || !IsMarked(dir) {
			continue
		}
		switch f, err := os.Open(filepath.Join(dir, lockName)); {
		case err == nil:
			if mapped.Lock(f) != nil {
				busy = true
			} else {
				removeOwned(dir)
			}
			f.Close()
		case errors.Is(err, fs.ErrNotExist): // its removal was interrupted: a lock is made before the mark
			removeOwned(dir)
		}
	}
	return busy
}

// create makes a file of the index; its name must be among those that are removed with the index.
func (d *Draft) create(name string) (*os.File, error) {
	if !ownFiles[name] {
		panic(name + " is missing in ownFiles")
	}
	return os.OpenFile(filepath.Join(d.dir, name), os.O_RDWR|os.O_CREATE|os.O_EXCL, d.mode|0o600)
}

// addTable creates the file of a table, at its final length.
func (d *Draft) addTable(t *table) error {
	frame, err := newFrame(t, &d.sizes)
	if err != nil {
		return err
	}
	f, err := d.create(t.name)
	if err != nil {
		return err
	}
	d.files = append(d.files, f)
	if err := mapped.Reserve(f, frame.size); err != nil {
		return &fs.PathError{Op: "reserve", Path: f.Name(), Err: err}
	}
	b, err := mapped.Map(f, frame.size, true)
	if err != nil {
		return err
	}
	d.frames = append(d.frames, frame)
	d.Maps.List = append(d.Maps.List, b)
	return mapped.Guard(func() error {
		frame.writeTo(b)
		for i := range frame.columns {
			c := &frame.columns[i]
			c.alias(d.Columns, b[c.place:c.place+c.bytes])
		}
		return nil
	})
}

// Discard removes the folder and unmaps the files: the columns may no longer be used.
func (d *Draft) Discard() {
	d.Forget()
	d.Maps.Close()
}

// Forget removes the folder, but leaves the files mapped until the process ends.
func (d *Draft) Forget() {
	if d.dir != "" {
		emptyOut(d.dir) // the draft's own folder, marked or not
		d.dir = ""
	}
	for _, f := range d.files {
		f.Close()
	}
	if d.lock != nil {
		d.lock.Close()
	}
	d.files, d.lock = nil, nil
}

// Finish completes the index of trace t, which lives in the draft's columns, and renames it to its final name. On an
// error nothing is left behind, and the trace stays in files without a name. m has what only the parser knows.
func (d *Draft) Finish(ctx context.Context, t *model.Trace, m *Meta) error {
	err := mapped.Guard(func() error { return d.complete(ctx, t, m) })
	if err == nil {
		err = d.install()
	}
	d.Forget()
	for _, b := range d.Maps.List {
		mapped.Seal(b)
	}
	return err
}

// complete writes what is still missing, and flushes it to disk.
func (d *Draft) complete(ctx context.Context, t *model.Trace, m *Meta) error {
	m.describe(t, &d.sizes)
	for i, frame := range d.frames {
		b := d.Maps.List[i]
		if err := frame.derive(ctx, t, b); err != nil {
			return err
		}
		table, err := frame.describe(ctx, tables[i].name, b)
		if err != nil {
			return err
		}
		m.Tables = append(m.Tables, table)
		if err := d.files[i].Sync(); err != nil {
			return err
		}
	}
	if err := d.writeNames(t); err != nil {
		return err
	}
	if err := d.writeCounts(ctx, t, m); err != nil {
		return err
	}
	return d.writeMeta(m)
}

func (d *Draft) writeMeta(m *Meta) error {
	text, err := json.Marshal(m)
	if err != nil {
		return err
	}
	if text, err = json.Marshal(sealed{digest(text), text}); err != nil {
		return err
	}
	if len(text) > maxMeta {
		return errors.New("too much data besides the records (comments?) for an index")
	}
	return d.writeFile(metaFile, func(f *os.File) error {
		_, err := f.Write(text)
		return err
	})
}

// writeCounts writes the counts of the records.
func (d *Draft) writeCounts(ctx context.Context, t *model.Trace, m *Meta) error {
	t.Counts.Trimmed(d.Maps.Release)
	s, err := model.Summarize(ctx, t)
	d.Maps.Release()
	if err != nil {
		return err
	}
	text, err := countsTextOf(s)
	if err != nil {
		return err
	}
	m.Counts = digest(text)
	return d.writeFile(countsFile, func(f *os.File) error {
		_, err := f.Write(text)
		return err
	})
}

// writeFile writes a small file and flushes it to disk.
func (d *Draft) writeFile(name string, write func(*os.File) error) error {
	f, err := d.create(name)
	if err != nil {
		return err
	}
	err = write(f)
	if err == nil {
		err = f.Sync()
	}
	if e := f.Close(); err == nil {
		err = e
	}
	return err
}

// install gives the folder its final name. It first moves away an index with that name, since a folder cannot be
// renamed over another one with files. Anything else with that name stays.
func (d *Draft) install() error {
	var err error
	for range 10 {
		if e := removeIndex(d.Final); e != nil {
			return e
		}
		if err = os.Rename(d.dir, d.Final); err == nil {
			d.dir = ""
			os.Remove(filepath.Join(d.Final, lockName))
			if parent, err := os.Open(filepath.Dir(d.Final)); err == nil {
				parent.Sync()
				parent.Close()
			}
			return nil
		}
	}
	return err
}
