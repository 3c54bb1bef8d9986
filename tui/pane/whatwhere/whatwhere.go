// Package whatwhere is the What/Where pane: at the cursor the object and its value, and around it the records of the
// object, one per line. It searches in the background; the previous records stay until it finishes.
package whatwhere

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sort"

	tea "charm.land/bubbletea/v2"

	"pview/prv"
	"pview/render/timeline"
	"pview/semantic/nearby"
	"pview/tui/action"
	"pview/tui/list"
	"pview/tui/pane"
)

// Title is the pane's name.
const Title = "What/Where"

// around is the number of records listed on each side of the cursor.
const around = 200

// Pane is What/Where.
type Pane struct {
	pane.None
	sc *pane.Scene

	names  bool // labels in place of numbers
	hex    bool // numbers in hexadecimal
	raw    bool // records as lines of the .prv
	all    bool // also what the view's filter rejects
	states bool
	events bool
	comms  bool

	key    key // of the requested list
	of     key // of the current list
	found  []nearby.Record
	rows   list.List          // of the records
	want   *nearby.Record     // to be chosen when the list arrives
	cancel context.CancelFunc // of the running search; nil for none
	seek   context.CancelFunc // of the search for a message; nil for none

	width int // of the list, as drawn last
}

// key holds everything that the list depends on.
type key struct {
	trace                      *timeline.Trace
	data                       *prv.Trace // its data then: it may have a later revision
	filter                     string
	level                      prv.Level
	object                     int
	t                          int64
	all, states, events, comms bool
	raw                        bool
}

// foundMsg is the list for a key.
type foundMsg struct {
	key  key
	list []nearby.Record
	err  error
}

// partnerMsg is a message whose other end is the target.
type partnerMsg struct {
	view *timeline.View
	data *prv.Trace
	rec  nearby.Record
	ok   bool
}

// New returns the pane.
func New(sc *pane.Scene) *Pane {
	p := &Pane{sc: sc, names: true, states: true, events: true, comms: true}
	p.rows = list.List{Len: func() int { return len(p.found) }, Lines: p.linesOf, Text: p.textOf}
	return p
}

func (p *Pane) Title() string { return Title }

func (p *Pane) Height(room int) int { return pane.Third(room) }

// Update takes the records found.
func (p *Pane) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case foundMsg:
		p.take(msg)
	case partnerMsg:
		return p.foundPartner(msg)
	case pane.TraceClosed:
		p.forget(msg.Trace)
	case pane.TraceReset:
		p.forget(msg.Trace)
	}
	return nil
}

// forget drops records of a closed trace.
func (p *Pane) forget(t *timeline.Trace) {
	if p.of.trace == t || p.key.trace == t {
		p.stop()
		p.key, p.of, p.found, p.want = key{}, key{}, nil, nil
	}
}

func (p *Pane) stop() {
	if p.cancel != nil {
		p.cancel()
		p.cancel = nil
	}
}

// Busy reports whether records are being looked for.
func (p *Pane) Busy() bool { return p.cancel != nil || p.seek != nil }

// Sync searches the records around the cursor when the cursor or the query has changed.
func (p *Pane) Sync() tea.Cmd {
	if p.sc.Open != p {
		if t := p.of.trace; t != nil && t.Data != p.of.data {
			p.forget(t) // a hidden list must not keep a former revision in memory
		}
		return nil
	}
	w := p.sc.View
	if w == nil || w.Rows(w.Trace.Data) == 0 || w.Values.Err != nil {
		p.stop()
		p.key, p.of, p.found = key{}, key{}, nil
		return nil
	}
	k := key{w.Trace, w.Trace.Data, w.Values.Key, w.Sem.Level, w.Object(w.CursorRow), w.Cursor, p.all, p.states,
		p.events, p.comms, p.raw}
	if k == p.key {
		return nil
	}
	p.stop()
	p.key = k
	ctx, cancel := context.WithCancel(p.sc.Context)
	p.cancel = cancel
	q := p.query(w)
	q.States, q.Events, q.Messages = p.states, p.events, p.comms
	if p.all {
		q.Pass = nil
	}
	return func() tea.Msg {
		defer cancel()
		r, err := nearby.Find(ctx, q)
		if err != nil {
			return foundMsg{key: k, err: err}
		}
		list := r.Records
		if k.raw {
			list = nearby.OnePerLine(q.Trace, list)
		}
		return foundMsg{key: k, list: list}
	}
}

// query returns the query for the records around the cursor of a view.
func (p *Pane) query(w *timeline.View) nearby.Query {
	q := nearby.Query{Trace: w.Trace.Data, Level: w.Sem.Level, Object: w.Object(w.CursorRow), Time: w.Cursor,
		Before: around, After: around}
	if w.Values.Eval != nil {
		q.Pass = w.Values.Eval.Pass()
	} else {
		q.Pass = nearby.FilterOf(w.Trace.Data, &w.Sem)
	}
	return q
}

// take takes the list. It chooses the record at or before the cursor, unless another one is wanted.
func (p *Pane) take(msg foundMsg) {
	if msg.key != p.key || p.cancel == nil {
		return
	}
	p.cancel = nil
	if msg.err != nil {
		if !errors.Is(msg.err, context.Canceled) {
			p.sc.Alarm(msg.err.Error())
		}
		return
	}
	p.of, p.found = msg.key, msg.list
	tr := p.of.data
	at := sort.Search(len(p.found), func(i int) bool { return p.found[i].Time(tr) > p.of.t }) - 1
	for at > 0 && p.found[at-1].Time(tr) == p.found[at].Time(tr) {
		at--
	}
	if p.want != nil {
		if i := slices.Index(p.found, *p.want); i >= 0 {
			at = i
		}
		p.want = nil
	}
	p.rows.Show(max(at, 0), 1)
}

// Records returns the list.
func (p *Pane) Records() []nearby.Record { return p.found }

// Choose chooses a record by its position.
func (p *Pane) Choose(i int) { p.rows.Choose(i) }

// Chosen returns the chosen record, if the list is up to date with the cursor.
func (p *Pane) Chosen() (nearby.Record, bool) {
	i := p.rows.At()
	if i < 0 || p.of != p.key || p.of.data != p.of.trace.Data {
		return nearby.Record{}, false
	}
	return p.found[i], true
}

// Click chooses the record on a line; a second click goes to it.
func (p *Pane) Click(x, y int, _ tea.MouseClickMsg, again bool) tea.Cmd {
	if _, same := p.rows.Click(x, y); same && again {
		return p.goChosen("")
	}
	return nil
}

// Wheel goes through the records.
func (p *Pane) Wheel(_ tea.MouseWheelMsg, sign int) tea.Cmd {
	p.rows.Wheel(sign)
	return nil
}

// Moves returns the verbs of the list.
func (p *Pane) Moves() list.Moves { return p.sc.ListMoves(p, &p.rows) }

// Hints returns the keys of the pane.
func (p *Pane) Hints() []action.Hint { return hints }

// hints are the actions of the pane, the most used first.
var hints = []action.Hint{
	{"move up, move down", "choose"}, {"what go", "go to record"}, {"partner", "other end"}, {"leave", "back"},
	{"what names", "names"}, {"what raw", "as in .prv"}, {"what hex", "hexadecimal"}, {"what all", "unfiltered"},
	{"what states", "states"}, {"what events", "events"}, {"what messages", "messages"},
}

// Actions returns the pane's actions.
func (p *Pane) Actions() []action.Action {
	in := func(name string, keys []string, doc string, run func(string) tea.Cmd) action.Action {
		return action.Action{Name: name, Group: Title, Keys: keys, Doc: doc, InPane: true, Run: run}
	}
	flip := func(b *bool) func(string) tea.Cmd {
		return func(string) tea.Cmd {
			*b = !*b
			p.sc.Show(p, p.sc.Focused)
			return nil
		}
	}
	goTo := in("go", []string{"enter"}, "go to the record: to the partner of a message, else to its time", p.goChosen)
	goTo.NeedsView = true
	return []action.Action{
		{Name: "ask", Group: Title, Keys: []string{"enter"}, Doc: "open What/Where at the cursor and focus it",
			NeedsView: true, Run: p.ask},
		action.Action{Name: "what", Group: Title, Keys: []string{"i"},
			Doc:       "open or close What/Where; it follows the cursor",
			NeedsView: true, Run: p.toggle}.With(
			in("names", []string{"n"}, "names or numbers", flip(&p.names)),
			in("raw", []string{"r"}, "records as lines of the .prv", flip(&p.raw)),
			in("hex", []string{"x"}, "numbers in hexadecimal", flip(&p.hex)),
			in("all", []string{"f"}, "include records that the window's filter rejects", flip(&p.all)),
			in("states", []string{"t"}, "show or hide states", flip(&p.states)),
			in("events", []string{"v"}, "show or hide events", flip(&p.events)),
			in("messages", []string{"m"}, "show or hide messages", flip(&p.comms)),
			goTo,
		),
		{Name: "partner", Group: Title, Keys: []string{"p"},
			Doc: "go to the other end of the message at, or before, the cursor", NeedsView: true,
			Run: p.partnerAtCursor},
	}
}

func (p *Pane) ask(string) tea.Cmd {
	p.sc.Do(pane.CenterCursor{})
	p.sc.Show(p, true)
	return nil
}

func (p *Pane) toggle(string) tea.Cmd {
	if p.sc.Open == p {
		p.sc.Hide()
		return nil
	}
	p.sc.Do(pane.CenterCursor{})
	p.sc.Show(p, false)
	return nil
}

// goChosen goes to the chosen record.
func (p *Pane) goChosen(string) tea.Cmd {
	r, ok := p.Chosen()
	if !ok {
		return nil
	}
	w := p.sc.View
	if r.Kind.IsMessage() {
		r = r.Partner(w.Trace.Data)
	}
	return p.goTo(w, r)
}

// goTo puts the cursor of a view on a record, and chooses this record among those at its time.
func (p *Pane) goTo(w *timeline.View, r nearby.Record) tea.Cmd {
	tr := w.Trace.Data
	row := timeline.Place(w.RowsByObject(), tr.ObjectOf(w.Sem.Level, r.Thread, r.CPU(tr)))
	if row < 0 {
		return p.sc.Refuse(fmt.Errorf("%s is not a row of this window", tr.ShortName(prv.LevelThread, int(r.Thread))))
	}
	t := min(r.Time(tr), max(tr.Duration-1, 0))
	if w.Cursor == t && w.CursorRow == int(row) {
		if i := slices.Index(p.found, r); i >= 0 {
			p.rows.Choose(i)
		}
	} else {
		p.want = &r
	}
	p.sc.Do(pane.GoTo{View: w, Time: t, Row: int(row)})
	return nil
}

// partnerAtCursor goes to the other end of the nearest message at or before the cursor in its row; else of the first
// one after it. If the pane's chosen record is a message, it takes precedence.
func (p *Pane) partnerAtCursor(string) tea.Cmd {
	w := p.sc.View
	if w.Rows(w.Trace.Data) == 0 {
		return nil
	}
	if r, ok := p.Chosen(); ok && p.sc.Open == p && r.Kind.IsMessage() {
		return p.goTo(w, r.Partner(w.Trace.Data))
	}
	if p.seek != nil {
		p.seek()
	}
	ctx, cancel := context.WithCancel(p.sc.Context)
	p.seek = cancel
	q := p.query(w)
	q.Time = w.Anchor()
	q.Messages, q.Before, q.After = true, 1, 1
	return func() tea.Msg {
		defer cancel()
		r, err := nearby.Find(ctx, q)
		if err != nil || len(r.Records) == 0 {
			return partnerMsg{view: w}
		}
		return partnerMsg{w, q.Trace, r.Records[0], true}
	}
}

func (p *Pane) foundPartner(msg partnerMsg) tea.Cmd {
	p.seek = nil
	switch {
	case p.sc.View != msg.view || msg.ok && msg.data != msg.view.Trace.Data:
	case !msg.ok:
		p.sc.Say("no message near the cursor in this row")
	default:
		return p.goTo(msg.view, msg.rec.Partner(msg.view.Trace.Data))
	}
	return nil
}
