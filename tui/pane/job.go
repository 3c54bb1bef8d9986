package pane

import (
	"context"
	"io"
	"sync/atomic"

	tea "charm.land/bubbletea/v2"

	"pview/insight/report/figure"
	"pview/prv"
	"pview/prv/quantity"
	"pview/render/picture"
	"pview/tui/paths"
)

// Job is the background work of a pane, one at a time.
type Job struct {
	sc  *Scene
	now *running // nil: none
}

type running struct {
	what        string // for people
	cancel      context.CancelFunc
	done, total atomic.Int64
}

// NewJob returns a job that does nothing.
func NewJob(sc *Scene) Job { return Job{sc: sc} }

// Start stops the current work and runs new work in the background, which reports its progress. The Result that it
// returns is called unless the job was stopped meanwhile. Work reads the Data that a timeline.Trace had when it began:
// the viewer replaces them while a trace is read or followed.
func (j *Job) Start(what string, work func(ctx context.Context, tell func(done, total int64)) Result) tea.Cmd {
	j.Stop()
	ctx, cancel := context.WithCancel(j.sc.Context)
	r := &running{what: what, cancel: cancel}
	j.now = r
	return func() tea.Msg {
		defer cancel()
		then := work(ctx, func(done, total int64) {
			r.done.Store(done)
			r.total.Store(total)
		})
		return Result(func() tea.Cmd {
			if j.now != r {
				return nil
			}
			j.now = nil
			return then()
		})
	}
}

// Stop ends the work; it reports whether there was any.
func (j *Job) Stop() bool {
	if j.now == nil {
		return false
	}
	j.now.cancel()
	j.now = nil
	return true
}

// What names the current work; "" for none.
func (j *Job) What() string {
	if j.now == nil {
		return ""
	}
	return j.now.what
}

// Progress is What with the percentage done, if known.
func (j *Job) Progress() string {
	if j.now != nil {
		if total := j.now.total.Load(); total > 1 {
			return j.now.what + " " + quantity.FormatProgress(j.now.done.Load(), total)
		}
	}
	return j.What()
}

// Write writes a file in the background, after a question if it would replace one, and reports it.
func (s *Scene) Write(path string, write func() error) tea.Cmd {
	return s.Overwrite(func() tea.Cmd {
		return func() tea.Msg {
			err := write()
			return Result(func() tea.Cmd {
				if err != nil {
					return s.Refuse(err)
				}
				s.Say("written: " + path)
				return nil
			})
		}
	}, path)
}

// WriteFigures writes figures to a picture, one below the other. args names the file; action asks for it if it is "".
// figures is called in the background.
func (s *Scene) WriteFigures(action, args, title, subtitle string, figures func() []*figure.Figure) tea.Cmd {
	if args == "" {
		return s.Ask(action)
	}
	path := paths.Typed(args)
	format, err := picture.FormatNamed(path)
	if err != nil {
		return s.Refuse(err)
	}
	f := &picture.Figure{Title: title, Subtitle: subtitle, Dark: s.Dark}
	return s.Write(path, func() error {
		for _, one := range figures() {
			if one != nil {
				f.Panels = append(f.Panels, &picture.Chart{Figure: one})
			}
		}
		return prv.SaveFile(path, func(w io.Writer) error { return f.Write(w, format) })
	})
}
