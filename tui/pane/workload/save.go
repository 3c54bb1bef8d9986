package workload

// Files: schemes, models, components, traces and pictures.

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"

	tea "charm.land/bubbletea/v2"

	"pview/insight/report/figure"
	"pview/insight/workload"
	"pview/insight/workload/plots"
	"pview/prv"
	"pview/render/picture"
	"pview/tui/paths"
)

// savedMsg is a file that was written.
type savedMsg struct {
	path string
	err  error
}

// writer writes a result to a file.
type writer func(ctx context.Context, r *workload.Result, path string) error

// toFile makes a writer of what writes text.
func toFile(write func(ctx context.Context, r *workload.Result, w io.Writer) error) writer {
	return func(ctx context.Context, r *workload.Result, path string) error {
		return paths.Replace(path, func(w io.Writer) error { return write(ctx, r, w) })
	}
}

// writers are what can be written, by the ending of the file.
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

// save writes the result in the form that the ending of the file asks for.
func (p *Pane) save(args string) tea.Cmd {
	if args == "" {
		return p.sc.Ask("workload-save")
	}
	return p.onResult(func(s *session) tea.Cmd {
		path := paths.Typed(args)
		for _, w := range writers {
			if !strings.HasSuffix(path, w.ending) {
				continue
			}
			if paths.Same(path, s.trace.Data.Path) {
				return p.sc.Refuse(errors.New("the trace would be written over itself, which is never done"))
			}
			ctx, r := p.sc.Context, s.snapshot()
			return p.sc.Overwrite(func() tea.Cmd {
				return func() tea.Msg { return savedMsg{path, w.write(ctx, r, path)} }
			}, path)
		}
		return p.sc.Refuse(
			errors.New("a model is written as .json or .txt, components as .csv, the trace as .prv or .prv.gz"))
	})("")
}

// saveScheme keeps the settings in the user's folder.
func (p *Pane) saveScheme(args string) tea.Cmd {
	if args == "" {
		return p.sc.Ask("workload-save-scheme")
	}
	return p.on(func(s *session) tea.Cmd {
		set := s.set
		if set.Parameters == nil && s.result != nil {
			set.Parameters = s.result.Settings.Parameters
		}
		text, err := workload.SchemeOf(s.kind, set).Text()
		if err != nil {
			return p.sc.Refuse(err)
		}
		path := workload.SchemePath(workload.SchemeFolder(), strings.TrimSpace(args))
		return p.sc.Overwrite(func() tea.Cmd {
			return func() tea.Msg {
				if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
					return savedMsg{path, err}
				}
				return savedMsg{path, paths.Replace(path, func(w io.Writer) error {
					_, err := io.WriteString(w, text)
					return err
				})}
			}
		}, path)
	})("")
}

// savePlot writes the plots, one below the other.
func (p *Pane) savePlot(args string) tea.Cmd {
	if args == "" {
		return p.sc.Ask("workload-plot")
	}
	return p.onResult(func(s *session) tea.Cmd {
		path := paths.Typed(args)
		format, err := picture.FormatNamed(path)
		if err != nil {
			return p.sc.Refuse(err)
		}
		f := &picture.Figure{Title: s.trace.Name, Subtitle: s.summary(), Dark: p.sc.Dark}
		r, x, y, class := s.snapshot(), s.x, s.y, s.chosen()
		return p.sc.Overwrite(func() tea.Cmd {
			return func() tea.Msg {
				for _, one := range []*figure.Figure{plots.Scatter(r, x, y), plots.ByCluster(r, x, class), plots.Ratios(r, x, y)} {
					if one != nil {
						f.Panels = append(f.Panels, &picture.Chart{Figure: one})
					}
				}
				return savedMsg{path, paths.Replace(path, func(w io.Writer) error { return f.Write(w, format) })}
			}
		}, path)
	})("")
}
