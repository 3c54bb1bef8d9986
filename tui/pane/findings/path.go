package efficiency

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"

	tea "charm.land/bubbletea/v2"

	"pview/insight/criticalpath"
	"pview/prv"
	"pview/prv/quantity"
	"pview/render/style"
	"pview/render/timeline"
	"pview/tui/dialog"
	"pview/tui/pane"
	"pview/tui/pane/document"
)

// The critical path of a trace: found in the background, put into the trace as events, shown in a window of its own
// below the one in focus; and where its time goes, as a text.

// path is the critical paths that were found, and the search for one.
type path struct {
	sc     *pane.Scene
	known  map[*timeline.Trace]*pathKnown
	search *pathSearch // nil for none
}

// pathKnown is the critical path of a trace.
type pathKnown struct {
	revision int // of the trace that has its events
	summary  *criticalpath.Summary
}

// pathSearch is a critical path being looked for.
type pathSearch struct {
	gen         int
	trace       *timeline.Trace
	cancel      context.CancelFunc
	done, total atomic.Int64
}

type pathMsg struct {
	gen      int
	revision int // of the trace that was looked at
	marked   *prv.Trace
	known    *pathKnown
	err      error
}

// open shows the path, or looks for it.
func (p *path) open(args string) tea.Cmd {
	t := p.sc.View.Trace
	if t.Until != 0 {
		return p.sc.Refuse(errors.New("the critical path needs the whole run: the trace is still being read"))
	}
	var blocks []uint32
	for _, word := range strings.FieldsFunc(args, func(r rune) bool { return r == ' ' || r == ',' }) {
		n, err := strconv.ParseUint(word, 10, 32)
		if err != nil {
			return p.sc.Refuse(fmt.Errorf("%q: event type must be a number up to %d", word, uint32(math.MaxUint32)))
		}
		blocks = append(blocks, uint32(n))
	}
	if k := p.known[t]; k != nil && k.revision == t.Revision && blocks == nil {
		return p.show(t)
	}
	if p.search != nil {
		p.search.cancel()
	}
	ctx, cancel := context.WithCancel(p.sc.Context)
	s := &pathSearch{gen: p.sc.NextGen(), trace: t, cancel: cancel}
	p.search = s
	tr, revision := t.Data, t.Revision
	opt := criticalpath.Options{Blocks: blocks, Progress: func(done, total int64) {
		s.done.Store(done)
		s.total.Store(total)
	}}
	return func() tea.Msg {
		defer cancel()
		found, err := criticalpath.Find(ctx, tr, opt)
		if err != nil {
			return pathMsg{gen: s.gen, err: err}
		}
		return pathMsg{s.gen, revision, found.Mark(tr), &pathKnown{summary: found.Summary(nil)}, nil}
	}
}

// stop stops looking for a path.
func (p *path) stop() bool {
	if p.search == nil {
		return false
	}
	p.search.cancel()
	p.search = nil
	p.sc.Say("critical path: search stopped")
	return true
}

// progress says how far the search is; "" for none.
func (p *path) progress() string {
	s := p.search
	if s == nil {
		return ""
	}
	text := "critical path…"
	if total := s.total.Load(); total > 0 {
		text += " " + quantity.FormatProgress(s.done.Load(), total)
	}
	return text
}

// found takes a path. One of a trace that has grown or was closed in the meantime is dropped.
func (p *path) found(msg pathMsg) {
	s := p.search
	if s == nil || s.gen != msg.gen {
		return
	}
	p.search = nil
	t := s.trace
	switch {
	case !slices.Contains(p.sc.Traces, t):
	case msg.err != nil:
		p.sc.Alarm(msg.err.Error())
	case msg.revision != t.Revision:
		p.sc.Alarm(fmt.Sprintf("%s has changed during the search for its critical path: searching again", t.Name))
	default:
		p.sc.Do(pane.Revise{Trace: t, By: msg.marked, Done: func() {
			msg.known.revision = t.Revision
			p.known[t] = msg.known
			p.show(t)
		}})
	}
}

// show opens the window with the path, unless there is one, and tells where its time goes.
func (p *path) show(t *timeline.Trace) tea.Cmd {
	shown := slices.ContainsFunc(p.sc.Views, func(v *timeline.View) bool {
		types := timeline.ListedTypes(&v.Sem.Filter)
		return v.Trace == t && len(types) == 1 && types[0] == criticalpath.EventType
	})
	if !shown {
		v := p.sc.NewView(t)
		timeline.LastValue("Critical path", []uint32{criticalpath.EventType})(&v.Sem)
		p.sc.Do(pane.AddView{View: v})
	}
	summary := p.known[t].summary
	return p.sc.Dialogs.Open(&dialog.Pager{Title: "Critical path of " + t.Name,
		Layout: func(th *style.Theme, width int) []style.Line {
			return document.Lines(summary.Document(t.Data.Unit, 0), th, width)
		}})
}
