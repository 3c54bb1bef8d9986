package format

import (
	"context"
	"fmt"
	"path/filepath"

	"pview/prv"
)

// importOf returns how to open a trace whose index is a copy of the reader's trace; nil for other traces.
func importOf(o *prv.Opener, path string, w prv.Watcher) *prv.Imported {
	if r := runOf(o, path); r.format != nil {
		w := sparingly(o.Memory, r.files, w)
		if show := w.Part; show != nil {
			w.Part = func(p *prv.Part) {
				p.Trace.Path = path
				show(p)
			}
		}
		in := &prv.Imported{Path: path, Files: r.files, Read: func(ctx context.Context) (*prv.Trace, error) {
			t, err := bounded(ctx, o.Memory, path, func(ctx context.Context) (*prv.Trace, error) {
				return r.format.OpenRun(ctx, o, r.files, w)
			})
			if err == nil {
				t.Path = path
			}
			return t, err
		}}
		if n := len(r.files); n > 1 && path == r.files[0] {
			in.Name = fmt.Sprintf("%s+%d", filepath.Base(path), n-1)
		}
		return in
	}
	f := Of(path)
	if f.Files == nil {
		return nil
	}
	files := f.Files(path)
	w = sparingly(o.Memory, files, w)
	return &prv.Imported{Path: files[0], Files: files, Read: func(ctx context.Context) (*prv.Trace, error) {
		return f.Open(ctx, o, path, w)
	}}
}

// IndexName returns the path that names the index of a trace, in the form that package index takes; ok is false if
// traces of its format have none.
func IndexName(o *prv.Opener, path string) (name string, ok bool) {
	if in := importOf(o, path, prv.Watcher{}); in != nil {
		return in.IndexName(), true
	}
	return path, Of(path) == &formats[0]
}

// itself returns the only file of a trace.
func itself(path string) []string { return []string{path} }
