package workload

// Files: schemes, models, components, traces and pictures.

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	tea "charm.land/bubbletea/v2"

	"pview/insight/report/figure"
	"pview/insight/workload"
	"pview/insight/workload/plots"
	"pview/prv"
	"pview/tui/pane"
	"pview/tui/paths"
)

// writer writes a result to a file.
type writer func(ctx context.Context, r *workload.Result, path string) error

// toFile makes a writer from a function that writes text.
func toFile(write func(ctx context.Context, r *workload.Result, w io.Writer) error) writer {
	return func(ctx context.Context, r *workload.Result, path string) error {
		return prv.SaveFile(path, func(w io.Writer) error { return write(ctx, r, w) })
	}
}

// writers write files, by their ending.
var writers = []struct {
	ending string
	write  writer
}{
	{".json", toFile(func(ctx context.Context, r *workload.Result, w io.Writer) error {
		m, err := r.Model(ctx)
		if err != nil {
			return err
		}
		return m.WriteJSON(w)
	})},
	{".txt", toFile(func(ctx context.Context, r *workload.Result, w io.Writer) error {
		m, err := r.Model(ctx)
		if err != nil {
			return err
		}
		return m.WriteText(w)
	})},
	{".csv", toFile(func(_ context.Context, r *workload.Result, w io.Writer) error { return r.WriteData(w) })},
	{".prv", writeTrace},
	{".prv.gz", writeTrace},
}

// writeTrace writes the trace with the clusters as events.
func writeTrace(ctx context.Context, r *workload.Result, path string) error {
	if !r.Set.Kind.Streams() {
		return errUnplaced
	}
	return prv.Save(ctx, path, r.Stream(workload.StreamOptions{}))
}

// files writes schemes, models, components, traces and pictures.
type files struct{ sc *pane.Scene }

// save writes the result in the format of the file's ending.
func (f *files) save(s *session, args string) tea.Cmd {
	path := paths.Typed(args)
	if s.result == nil {
		return f.sc.Refuse(errNoResult)
	}
	for _, w := range writers {
		if !strings.HasSuffix(path, w.ending) {
			continue
		}
		if paths.Same(path, s.trace.Data.Path) {
			return f.sc.Refuse(errors.New("the trace would overwrite itself"))
		}
		ctx, r := f.sc.Context, s.snapshot()
		return f.sc.Write(path, func() error { return w.write(ctx, r, path) })
	}
	return f.sc.Refuse(
		errors.New("a model is written as .json or .txt, components as .csv, the trace as .prv or .prv.gz"))
}

// saveScheme keeps the settings in the user's folder.
func (f *files) saveScheme(s *session, args string) tea.Cmd {
	set := s.set
	if set.Parameters == nil && s.result != nil {
		set.Parameters = s.result.Settings.Parameters
	}
	text, err := workload.SchemeOf(s.kind, set).Text()
	if err != nil {
		return f.sc.Refuse(err)
	}
	path := workload.SchemePath(workload.SchemeFolder(), strings.TrimSpace(args))
	return f.sc.Write(path, func() error {
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			return err
		}
		return prv.SaveFile(path, func(w io.Writer) error {
			_, err := io.WriteString(w, text)
			return err
		})
	})
}

// takeScheme reads settings from a file.
func (f *files) takeScheme(s *session, args string) tea.Cmd {
	scheme, err := workload.ReadScheme(workload.SchemePath(workload.SchemeFolder(), strings.TrimSpace(args)))
	if err != nil {
		return f.sc.Refuse(err)
	}
	kind, set, err := scheme.Settings()
	if err != nil {
		return f.sc.Refuse(fmt.Errorf("%s: %w", args, err))
	}
	s.kind, s.set = kind, set
	s.recut()
	return nil
}

// savePlot writes the plots, one below the other.
func (f *files) savePlot(s *session, args string) tea.Cmd {
	if s.result == nil {
		return f.sc.Refuse(errNoResult)
	}
	r, x, y, class := s.snapshot(), s.x, s.y, s.chosen()
	return f.sc.WriteFigures("workload plot", args, s.trace.Name, r.Summary(), func() []*figure.Figure {
		return []*figure.Figure{plots.Scatter(r, x, y), plots.ByCluster(r, x, class), plots.Ratios(r, x, y)}
	})
}
