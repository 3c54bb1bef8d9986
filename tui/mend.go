package tui

import (
	"errors"
	"fmt"

	tea "charm.land/bubbletea/v2"

	"pview/prv"
	"pview/render/timeline"
	"pview/tui/pane"
)

// mender re-reads traces whose index files broke.
type mender struct {
	m       *Model
	mending map[*timeline.Trace]bool // being read again, or given up
}

// shown returns the open traces.
func (r *mender) shown() []*prv.Trace {
	list := make([]*prv.Trace, 0, len(r.m.Traces))
	for _, t := range r.m.Traces {
		list = append(list, t.Data)
	}
	return list
}

// mend re-reads the broken traces.
func (r *mender) mend() tea.Cmd {
	var cmds []tea.Cmd
	for _, t := range r.m.Traces {
		why := t.Data.Broken()
		if why == nil || r.mending[t] {
			continue
		}
		r.mending[t] = true
		r.m.scene.Alarm(fmt.Sprintf("%s: %v; re-reading it", t.Name, why))
		ctx, path := r.m.ctx, t.Data.Path
		cmds = append(cmds, func() tea.Msg {
			data, err := r.m.loader.file(ctx, path, prv.Watcher{})
			return pane.Result(func() tea.Cmd { return r.mended(t, data, why, err) })
		})
	}
	return tea.Batch(cmds...)
}

// mended replaces a trace by its re-read version; why is the reason for reading it again.
func (r *mender) mended(t *timeline.Trace, data *prv.Trace, why, err error) tea.Cmd {
	if err == nil {
		err = sameObjects(t.Data, data)
	}
	if err != nil {
		for _, w := range r.m.Windows {
			if w.Trace == t {
				w.Values.Stop()
				w.Values.Err = errors.Join(why, err)
			}
		}
		r.m.scene.Alarm(fmt.Sprintf("%s: %v; cannot re-read it: %v", t.Name, why, err))
		return nil
	}
	delete(r.mending, t)
	r.m.scene.Say(t.Name + " was re-read")
	return r.m.revise(t, data)
}

// sameObjects reports whether windows on one trace can show the other.
func sameObjects(a, b *prv.Trace) error {
	for _, l := range prv.Levels {
		if a.Count(l) != b.Count(l) {
			return fmt.Errorf("the trace has changed: %d objects of level %s instead of %d", b.Count(l), l, a.Count(l))
		}
	}
	return nil
}
