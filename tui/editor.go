package tui

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"pview/filter"
	"pview/prv"
	"pview/semantic"
	"pview/tui/dialog"
	"pview/tui/notation"
	"pview/tui/raster"
	"pview/tui/style"
	"pview/tui/timeline"
)

// The editor: everything that decides what a window shows, as a form. The window
// follows every change at once; Enter keeps them, as one thing to undo, Esc brings
// back what was.

var editActions = []deed{
	{Name: "edit", Group: groupShow, Keys: []string{"P"}, Doc: "edit what the window shows: level, filter, functions, their parameters", Hint: "edit", needsWindow: true, run: func(m *Model, _ string) tea.Cmd { return m.openEditor(false) }},
	{Name: "derive", Group: groupWindows, Keys: []string{"alt+d"}, Args: "[N OPERATION N]", Doc: "make a window of two others: derive 1 divide 2; without more, in the editor", needsWindow: true, run: derive, complete: completeDerive},
}

// editor is a form over a window.
type editor struct {
	m      *Model
	window int            // id
	before timeline.Setup // what Esc brings back
	fresh  bool           // the window was made for this: Esc closes it
	fields []field
	at     int
	top    int
	inner  dialog.Host      // the picker or prompt that is open for a field
	held   *semantic.Window // what the window showed before it was opened
	sure   bool             // it was not left with Esc
}

// field is a line of the form.
type field struct {
	label, text, doc string
	heading          bool
	// edit opens what changes the field, or changes it.
	edit func(e *editor) tea.Cmd
	// step goes to the next or previous value; nil where there is none.
	step func(e *editor, by int)
}

func (m *Model) openEditor(fresh bool) tea.Cmd {
	w := m.window()
	e := &editor{m: m, window: w.ID, before: w.Setup, fresh: fresh}
	e.list()
	e.move(1)
	m.dialogs.Open(e)
	return nil
}

// set changes what the window shows, without a step to undo.
func (e *editor) set(f func(s *semantic.Window)) {
	w := e.m.windowByID(e.window)
	if w == nil {
		return
	}
	next := w.Sem.Clone()
	f(&next)
	if next.Level != w.Sem.Level {
		w.Objects, w.Top, w.Span = nil, 0, 0
		if next.Level == e.before.Sem.Level {
			w.Objects, w.Top, w.Span = e.before.Objects, e.before.Top, e.before.Span
		}
	}
	w.Sem = next
	w.Paint.Version++
	e.list()
}

// list lays out the fields of the window as it is.
func (e *editor) list() {
	w := e.m.windowByID(e.window)
	if w == nil {
		return
	}
	s, tr := &w.Sem, w.Trace.Data
	e.fields = nil
	e.head("Window")
	e.name(s)
	e.level(s, tr)
	e.unit(s)
	lowest := prv.LevelThread
	if s.Derived != nil {
		e.derived(s)
		if lowest = max(s.Derived.A.Window.Level, s.Derived.B.Window.Level); s.Derived.A.Window.Level.IsResource() != s.Derived.B.Window.Level.IsResource() {
			lowest = s.Level
		}
	}
	e.head("Functions")
	for _, l := range wayUp(s.Level, lowest) {
		if s.Derived == nil || l != lowest {
			e.call(l.String()+" function", semantic.FamilyOf(l), func(s *semantic.Window) *semantic.Call { return &s.Functions[l] }, s)
		}
		e.call("compose "+l.String(), semantic.ComposeFunctions, func(s *semantic.Window) *semantic.Call { return &s.Compose[l] }, s)
	}
	e.call("compose on top 2", semantic.ComposeFunctions, func(s *semantic.Window) *semantic.Call { return &s.Top2 }, s)
	e.call("compose on top 1", semantic.ComposeFunctions, func(s *semantic.Window) *semantic.Call { return &s.Top1 }, s)
	for i := range s.Extra {
		e.call(fmt.Sprintf("further %d", i+1), semantic.ComposeFunctions, func(s *semantic.Window) *semantic.Call { return &s.Extra[i] }, s)
	}
	if s.Derived == nil {
		e.filter(s, w.Trace)
	}
	e.at = min(e.at, len(e.fields)-1)
}

// wayUp lists the levels on the way to a window's, from one on.
func wayUp(to, from prv.Level) []prv.Level {
	way := []prv.Level{prv.LevelThread, prv.LevelTask, prv.LevelPtask, prv.LevelWorkload}
	if to.IsResource() {
		way = []prv.Level{prv.LevelThread, prv.LevelCPU, prv.LevelNode, prv.LevelSystem}
	}
	return way[max(slices.Index(way, from), 0) : slices.Index(way, to)+1]
}

func (e *editor) head(text string) { e.fields = append(e.fields, field{label: text, heading: true}) }

func (e *editor) add(f field) { e.fields = append(e.fields, f) }

func (e *editor) name(s *semantic.Window) {
	e.add(field{label: "name", text: orElse(s.Name, "(what it shows)"), doc: "the name of what is shown; empty: made of function and filter", edit: func(e *editor) tea.Cmd {
		return e.ask("name ", s.Name, nil, func(text string) error {
			e.set(func(s *semantic.Window) { s.Name = text })
			return nil
		})
	}})
}

func (e *editor) level(s *semantic.Window, tr *prv.Trace) {
	var levels []prv.Level
	for _, l := range levelOrder {
		if tr.Count(l) > 0 {
			levels = append(levels, l)
		}
	}
	e.choice("level", s.Level.String(), "the objects that have a row each", len(levels), slices.Index(levels, s.Level), func(i int) dialog.Item {
		return dialog.Item{Text: levels[i].String(), Detail: fmt.Sprintf("%s rows", raster.FormatCount(int64(tr.Count(levels[i]))))}
	}, func(s *semantic.Window, i int) { s.Level = levels[i] })
}

func (e *editor) unit(s *semantic.Window) {
	e.choice("unit of time", s.Unit.String(), "of durations among the values", len(semantic.Units), int(s.Unit), func(i int) dialog.Item {
		return dialog.Item{Text: semantic.Units[i].Symbol, Detail: semantic.Units[i].Name}
	}, func(s *semantic.Window, i int) { s.Unit = semantic.Units[i].Unit })
}

// choice adds a field with a few values: Enter lists them, left and right go
// through them.
func (e *editor) choice(label, text, doc string, n, at int, describe func(i int) dialog.Item, set func(s *semantic.Window, i int)) {
	if n == 0 {
		return
	}
	e.add(field{label: label, text: text, doc: doc,
		step: func(e *editor, by int) {
			e.set(func(s *semantic.Window) { set(s, (max(at, 0)+by+n)%n) })
		},
		edit: func(e *editor) tea.Cmd {
			items := make([]dialog.Item, n)
			for i := range items {
				items[i] = describe(i)
				items[i].Data = i
			}
			return e.pick(label, items, at, func(it *dialog.Item) {
				e.set(func(s *semantic.Window) { set(s, it.Data.(int)) })
			})
		}})
}

// toggle adds a field that is yes or no.
func (e *editor) toggle(label, doc string, get func(s *semantic.Window) *bool, s *semantic.Window) {
	text := "no"
	if *get(s) {
		text = "yes"
	}
	flip := func(e *editor) {
		e.set(func(s *semantic.Window) { b := get(s); *b = !*b })
	}
	e.add(field{label: label, text: text, doc: doc,
		step: func(e *editor, _ int) { flip(e) },
		edit: func(e *editor) tea.Cmd { flip(e); return nil }})
}

// filter adds the fields of what the thread function sees.
func (e *editor) filter(s *semantic.Window, t *timeline.Trace) {
	e.head("Filter")
	for i := range notation.FilterWords {
		c := &notation.FilterWords[i]
		get := func(s *semantic.Window) *filter.Criterion { return c.Criterion(&s.Filter) }
		label := map[string]string{"type": "event type", "value": "event value"}[c.Word]
		if label == "" {
			label = "message " + c.Word
		}
		e.criterion(label, c.Word, c.Doc, get, s, t)
		if c.Word == "value" {
			e.toggle("type or value", "one of the two is enough for an event to pass", func(s *semantic.Window) *bool { return &s.Filter.Events.Or }, s)
		}
	}
	for _, f := range []struct {
		label, doc string
		get        func(c *filter.CommFilter) *bool
	}{
		{"logical messages", "the program's times of messages count", func(c *filter.CommFilter) *bool { return &c.Logical }},
		{"physical messages", "the network's times of messages count", func(c *filter.CommFilter) *bool { return &c.Physical }},
		{"within nodes", "messages within a node pass", func(c *filter.CommFilter) *bool { return &c.Intra }},
		{"between nodes", "messages between nodes pass", func(c *filter.CommFilter) *bool { return &c.Inter }},
		{"from or to", "one of the two is enough for a message to pass", func(c *filter.CommFilter) *bool { return &c.FromToOr }},
		{"tag or size", "one of the two is enough for a message to pass", func(c *filter.CommFilter) *bool { return &c.TagSizeOr }},
	} {
		e.toggle(f.label, f.doc, func(s *semantic.Window) *bool { return f.get(&s.Filter.Comms) }, s)
	}
}

// criterion adds a criterion of the filter: left and right change its function,
// Enter asks for its numbers; event types are checked in a list.
func (e *editor) criterion(label, word, doc string, get func(*semantic.Window) *filter.Criterion, s *semantic.Window, t *timeline.Trace) {
	c := get(s)
	text := c.Func.String()
	if c.Func != filter.All && c.Func != filter.None {
		text += " " + timeline.Numbers(c.Values)
		if word == "type" && len(c.Values) > 0 {
			text += "  " + t.TypeLabel(uint32(c.Values[0]))
		}
	}
	doc += ": " + c.Func.Entry().Doc
	e.add(field{label: label, text: text, doc: doc,
		step: func(e *editor, by int) {
			at := slices.IndexFunc(filter.Functions, func(f filter.Entry) bool { return f.Func == c.Func })
			n := len(filter.Functions)
			f := filter.Functions[(at+by+n)%n].Func
			e.set(func(s *semantic.Window) { get(s).Func = f })
		},
		edit: func(e *editor) tea.Cmd {
			if word == "type" && (c.Func == filter.All || c.Func == filter.Equal || c.Func == filter.NotEqual) {
				return e.checkTypes(get, t)
			}
			return e.ask(label+" ", strings.TrimPrefix(notation.CriterionText(c), "="), nil, func(text string) error {
				if text == "" {
					e.set(func(s *semantic.Window) { *get(s) = filter.Criterion{} })
					return nil
				}
				if !strings.ContainsAny(text[:1], "=!<>") {
					text = "=" + text
				}
				next, err := notation.ParseCriterion(word, text, t.Data.Labels)
				if err == nil {
					e.set(func(s *semantic.Window) { *get(s) = next })
				}
				return err
			})
		}})
}

// checkTypes lists the event types that occur, with check marks.
func (e *editor) checkTypes(get func(*semantic.Window) *filter.Criterion, t *timeline.Trace) tea.Cmd {
	w := e.m.windowByID(e.window)
	listed := get(&w.Sem).Values
	p := &dialog.Picker{Title: "Event types", Multi: true, Empty: "this trace has no events"}
	for _, c := range t.Types {
		p.Items = append(p.Items, dialog.Item{Text: t.TypeLabel(c.Type), Also: fmt.Sprint(c.Type), Detail: fmt.Sprintf("%d  %s events", c.Type, raster.FormatCount(c.Count)), On: slices.Contains(listed, float64(c.Type)), Data: c.Type})
	}
	p.Keys = []dialog.Key{
		{Press: "enter", Word: "let pass", Run: func(p *dialog.Picker, it *dialog.Item) tea.Cmd {
			e.sure = true
			var list []float64
			for _, it := range p.Items {
				if it.On {
					list = append(list, float64(it.Data.(uint32)))
				}
			}
			if list == nil { // nothing is checked: the one at the cursor
				list = []float64{float64(it.Data.(uint32))}
			}
			e.set(func(s *semantic.Window) {
				c := get(s)
				if c.Func == filter.All {
					c.Func = filter.Equal
				}
				c.Values, c.Labels = list, nil
			})
			return nil
		}},
		{Press: "tab", Word: "check", Keep: true, Run: func(p *dialog.Picker, it *dialog.Item) tea.Cmd {
			if it != nil {
				it.On = !it.On
				p.Move(1)
			}
			return nil
		}},
		{Press: "ctrl+x", Word: "none", Keep: true, Run: func(p *dialog.Picker, _ *dialog.Item) tea.Cmd {
			for i := range p.Items {
				p.Items[i].On = false
			}
			return nil
		}},
	}
	return e.open(p)
}

// call adds a function and its parameters.
func (e *editor) call(label string, family semantic.Family, get func(*semantic.Window) *semantic.Call, s *semantic.Window) {
	table := semantic.Functions(family)
	c := *get(s)
	entry, ok := semantic.Lookup(family, c.Name)
	name, doc, at := c.Name, "this function is not known", -1
	if ok {
		name, doc = entry.Name, entry.Doc
		at = slices.IndexFunc(table, func(t semantic.Entry) bool { return t.Name == entry.Name })
	}
	e.choice(label, name, doc, len(table), at, func(i int) dialog.Item {
		return dialog.Item{Text: table[i].Name, Also: table[i].Group + " " + strings.Join(table[i].Aliases, " "), Detail: table[i].Doc}
	}, func(s *semantic.Window, i int) {
		*get(s) = semantic.Call{Name: table[i].Name}
	})
	if !ok {
		return
	}
	for i, p := range entry.Params {
		list := p.Default
		if i < len(c.Params) && c.Params[i] != nil {
			list = c.Params[i]
		}
		doc := "a number"
		if p.List {
			doc = "numbers: 1,2,3"
		}
		e.add(field{label: "  " + strings.ToLower(p.Name), text: timeline.Numbers(list), doc: entry.Name + ": " + p.Name + ", " + doc, edit: func(e *editor) tea.Cmd {
			return e.ask(p.Name+" ", timeline.Numbers(list), nil, func(text string) error {
				next, err := notation.ParseNumbers(text)
				if err == nil && !p.List && len(next) != 1 {
					err = fmt.Errorf("%s is one number", p.Name)
				}
				if err != nil {
					return err
				}
				e.set(func(s *semantic.Window) {
					call := get(s)
					params := make([][]float64, max(len(call.Params), i+1))
					for k := range params {
						params[k] = entry.Params[k].Default
						if k < len(call.Params) && call.Params[k] != nil {
							params[k] = call.Params[k]
						}
					}
					params[i] = next
					call.Params = params
				})
				return nil
			})
		}})
	}
}

// number adds a field of one number.
func (e *editor) number(label, doc string, v float64, set func(s *semantic.Window, v float64)) {
	e.add(field{label: label, text: strconv.FormatFloat(v, 'g', -1, 64), doc: doc, edit: func(e *editor) tea.Cmd {
		return e.ask(label+" ", strconv.FormatFloat(v, 'g', -1, 64), nil, func(text string) error {
			next, err := strconv.ParseFloat(text, 64)
			if err != nil || math.IsNaN(next) || math.IsInf(next, 0) {
				return fmt.Errorf("%q is no number", text)
			}
			e.set(func(s *semantic.Window) { set(s, next) })
			return nil
		})
	}})
}

// open opens a picker or prompt for a field, within the form.
func (e *editor) open(d dialog.Dialog) tea.Cmd {
	w := e.m.windowByID(e.window)
	held := w.Sem.Clone()
	e.held, e.sure = &held, false
	return e.inner.Open(d)
}

// pick lets the user choose; what the cursor is on is shown at once.
func (e *editor) pick(title string, items []dialog.Item, at int, set func(it *dialog.Item)) tea.Cmd {
	p := &dialog.Picker{Title: title, Items: items, Keys: []dialog.Key{{Press: "enter", Word: "take", Run: func(_ *dialog.Picker, it *dialog.Item) tea.Cmd {
		e.sure = true
		set(it)
		return nil
	}}}}
	p.Preview = func(it *dialog.Item) {
		if it != nil {
			set(it)
		}
	}
	cmd := e.open(p)
	p.At = max(at, 0)
	return cmd
}

// ask lets the user type; what is wrong is said, and asked again.
func (e *editor) ask(label, text string, suggest func(string) []dialog.Completion, accept func(text string) error) tea.Cmd {
	p := &dialog.Prompt{Label: label, Input: dialog.NewInput(text), Suggest: suggest}
	p.Accept = func(text string) tea.Cmd {
		e.sure = true
		if err := accept(strings.TrimSpace(text)); err != nil {
			e.m.alarm(err.Error())
		}
		return nil
	}
	return e.open(p)
}

// within hands something to what is open for a field, and notices when that closes.
func (e *editor) within(h *dialog.Host, f func(d dialog.Dialog) tea.Cmd) tea.Cmd {
	e.inner.W, e.inner.H, e.inner.Theme = h.W, h.H, h.Theme
	cmd := f(e.inner.Top())
	if e.inner.Top() == nil {
		if !e.sure { // left with Esc: as it was
			held := e.held
			e.set(func(s *semantic.Window) { *s = held.Clone() })
		}
	} else if p, ok := e.inner.Top().(*dialog.Picker); ok && p.Preview != nil {
		p.Preview(p.Chosen())
	}
	return cmd
}

func (e *editor) Key(h *dialog.Host, k tea.KeyPressMsg) tea.Cmd {
	if e.inner.Top() != nil {
		return e.within(h, func(d dialog.Dialog) tea.Cmd { return d.Key(&e.inner, k) })
	}
	switch k.String() {
	case "esc", "ctrl+c", "q":
		h.Close()
		e.cancel()
	case "ctrl+s", "P":
		h.Close()
		e.accept()
	case "up", "k", "ctrl+p", "shift+tab":
		e.move(-1)
	case "down", "j", "ctrl+n", "tab":
		e.move(1)
	case "pgup":
		e.moveBy(-8)
	case "pgdown":
		e.moveBy(8)
	case "home", "g":
		e.moveBy(-len(e.fields))
	case "end", "G":
		e.moveBy(len(e.fields))
	case "left", "h":
		e.step(-1)
	case "right", "l":
		e.step(1)
	case "space", "e":
		return e.fields[e.at].edit(e)
	case "enter":
		return e.fields[e.at].edit(e)
	}
	return nil
}

func (e *editor) step(by int) {
	if f := &e.fields[e.at]; f.step != nil {
		f.step(e, by)
	}
}

// move goes to the next field, over headings.
func (e *editor) move(by int) {
	for i := e.at + by; i >= 0 && i < len(e.fields); i += by {
		if !e.fields[i].heading {
			e.at = i
			return
		}
	}
	for e.at < len(e.fields)-1 && e.fields[e.at].heading {
		e.at++
	}
}

func (e *editor) moveBy(by int) {
	e.at = max(min(e.at+by, len(e.fields)-1), 0)
	if e.fields[e.at].heading {
		e.move(1)
	}
}

// accept keeps the changes as one step.
func (e *editor) accept() {
	w := e.m.windowByID(e.window)
	if w == nil || e.fresh {
		return
	}
	next := w.Setup
	w.Setup = e.before
	e.m.change(w, "", func(s *timeline.Setup) { *s = next })
}

// cancel brings back what was.
func (e *editor) cancel() {
	w := e.m.windowByID(e.window)
	switch {
	case w == nil:
	case e.fresh:
		e.m.dropWindow(w)
	case !w.Setup.Equal(&e.before):
		w.Setup = e.before
		w.Paint.Version++
		e.m.say("the window is as it was: " + keysOf("edit") + " in the editor keeps changes")
	}
}

func (e *editor) Paste(h *dialog.Host, text string) tea.Cmd {
	if e.inner.Top() == nil {
		return nil
	}
	return e.within(h, func(d dialog.Dialog) tea.Cmd { return d.Paste(&e.inner, text) })
}

func (e *editor) Mouse(h *dialog.Host, msg tea.MouseMsg) tea.Cmd {
	if e.inner.Top() != nil {
		return e.within(h, func(d dialog.Dialog) tea.Cmd { return d.Mouse(&e.inner, msg) })
	}
	box := e.box(h.W, h.H)
	switch ev := msg.(type) {
	case tea.MouseWheelMsg:
		if ev.Button == tea.MouseWheelUp {
			e.move(-1)
		} else if ev.Button == tea.MouseWheelDown {
			e.move(1)
		}
	case tea.MouseClickMsg:
		i := e.top + ev.Y - box.Y - 1
		if ev.Y > box.Y && ev.Y < box.Y+box.H-3 && i < len(e.fields) && !e.fields[i].heading {
			again := i == e.at
			if e.at = i; again {
				return e.fields[i].edit(e)
			}
		}
	}
	return nil
}

// box is where the form stands: at the bottom, so that the window is seen.
func (e *editor) box(w, h int) raster.Rect {
	bh := min(max(h/2, 10), len(e.fields)+4, h-1)
	return raster.Rect{X: 0, Y: h - bh, W: w, H: bh}
}

func (e *editor) Draw(h *dialog.Host, screen raster.Canvas) *tea.Position {
	th := h.Theme
	r := e.box(screen.W, screen.H)
	box := screen.Sub(r.X, r.Y, r.W, r.H)
	box.Fill(raster.Cell{Rune: ' ', Style: th.Popup})
	box.Box(th.Glyphs, th.Border)
	title := " Edit "
	if w := e.m.windowByID(e.window); w != nil {
		title = th.Cut(" Edit: "+w.Title()+" ", box.W-4)
	}
	box.Text(2, 0, title, th.PopupTitle)
	body := box.Sub(1, 1, box.W-2, box.H-4)
	e.top = min(max(e.top, e.at-body.H+1), e.at)
	e.top = max(min(e.top, len(e.fields)-body.H), 0)
	if e.at > 0 && e.top == e.at && e.fields[e.at-1].heading {
		e.top-- // the first field of a part is shown with its heading
	}
	for y := 0; y < body.H && e.top+y < len(e.fields); y++ {
		e.drawField(th, body.Sub(0, y, body.W, 1), e.top+y)
	}
	style.DrawScrollbar(body, e.top, body.H, len(e.fields), th)
	f := &e.fields[e.at]
	box.TextIn(2, box.H-3, box.W-4, th.Cut(f.doc, box.W-4), th.PopupDim, false)
	x := 2
	for _, k := range [][2]string{{"↑↓", "field"}, {"←→", "next value"}, {"Enter", "choose"}, {"P", "keep"}, {"Esc", "as it was"}} {
		x = box.Text(x, box.H-2, th.ASCII(k[0]), th.PopupKey)
		x = box.Text(x+1, box.H-2, k[1], th.PopupDim) + 2
	}
	if d := e.inner.Top(); d != nil {
		e.inner.W, e.inner.H, e.inner.Theme = h.W, h.H, h.Theme
		return d.Draw(&e.inner, screen)
	}
	if e.m.message.alarm {
		box.TextIn(2, box.H-3, box.W-4, th.Cut(e.m.message.text, box.W-4), raster.Style{FG: th.Alarm.FG, BG: th.Popup.BG, Attr: th.Alarm.Attr}, false)
	}
	return nil
}

const editLabel = 22 // columns of the labels of the form

func (e *editor) drawField(th *style.Theme, c raster.Canvas, i int) {
	f := &e.fields[i]
	if f.heading {
		c.Text(1, 0, f.label, th.PopupTitle)
		return
	}
	st, dim := th.Popup, th.PopupDim
	if i == e.at {
		st, dim = th.PopupSel, th.PopupSelDim
		c.Fill(raster.Cell{Rune: ' ', Style: st})
	}
	c.TextIn(3, 0, editLabel, th.Cut(f.label, editLabel), dim, false)
	text := f.text
	if i == e.at && f.step != nil {
		text = th.ASCII("◀ ") + text + th.ASCII(" ▶")
	}
	c.TextIn(editLabel+4, 0, c.W-editLabel-6, th.Cut(text, c.W-editLabel-6), st, false)
}
