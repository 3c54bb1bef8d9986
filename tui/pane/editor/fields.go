package editor

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"pview/filter"
	"pview/prv"
	"pview/prv/quantity"
	"pview/render/raster"
	"pview/render/timeline"
	"pview/semantic"
	"pview/tui/dialog"
	"pview/tui/notation"
)

// The fields of the form: the properties of a view.

// field is a line of the form.
type field struct {
	label, text, doc string
	heading          bool
	// edit changes the field, or opens a dialog that does.
	edit func(e *Editor) tea.Cmd
	// step goes to the next or previous value; nil if there is none.
	step func(e *Editor, by int)
}

// list lays out the fields of the current window.
func (e *Editor) list() {
	w := e.view
	s, tr := &w.Sem, w.Trace.Data
	e.fields = nil
	e.head("Window")
	e.name(s)
	e.level(s, tr)
	e.unit(s)
	lowest := prv.LevelThread
	if s.Derived != nil {
		e.derived(s)
		if lowest = max(s.Derived.A.Window.Level,
			s.Derived.B.Window.Level); s.Derived.A.Window.Level.IsResource() != s.Derived.B.Window.Level.IsResource() {
			lowest = s.Level
		}
	}
	e.head("Functions")
	for _, l := range wayUp(s.Level, lowest) {
		if s.Derived == nil || l != lowest {
			e.call(l.String()+" function", semantic.FamilyOf(l), func(s *semantic.Window) *semantic.Call {
				return &s.Functions[l]
			}, s)
		}
		e.call("compose "+l.String(), semantic.ComposeFunctions, func(s *semantic.Window) *semantic.Call {
			return &s.Compose[l]
		}, s)
	}
	e.call("compose on top 2", semantic.ComposeFunctions, func(s *semantic.Window) *semantic.Call { return &s.Top2 }, s)
	e.call("compose on top 1", semantic.ComposeFunctions, func(s *semantic.Window) *semantic.Call { return &s.Top1 }, s)
	for i := range s.Extra {
		e.call(fmt.Sprintf("further %d", i+1), semantic.ComposeFunctions, func(s *semantic.Window) *semantic.Call {
			return &s.Extra[i]
		}, s)
	}
	if s.Derived == nil {
		e.filter(s, w.Trace)
	}
	e.rows.Choose(e.rows.At())
}

// wayUp lists the levels above a window's, starting from one.
func wayUp(to, from prv.Level) []prv.Level {
	way := []prv.Level{prv.LevelThread, prv.LevelTask, prv.LevelPtask, prv.LevelWorkload}
	if to.IsResource() {
		way = []prv.Level{prv.LevelThread, prv.LevelCPU, prv.LevelNode, prv.LevelSystem}
	}
	return way[max(slices.Index(way, from), 0) : slices.Index(way, to)+1]
}

func (e *Editor) head(text string) { e.fields = append(e.fields, field{label: text, heading: true}) }

func (e *Editor) add(f field) { e.fields = append(e.fields, f) }

func (e *Editor) name(s *semantic.Window) {
	e.add(field{label: "name", text: cmp.Or(s.Name, "(what it shows)"),
		doc: "name of the window; empty: from function and filter", edit: func(e *Editor) tea.Cmd {
			return e.ask("name ", s.Name, func(text string) error {
				e.set(func(s *semantic.Window) { s.Name = text })
				return nil
			})
		}})
}

func (e *Editor) level(s *semantic.Window, tr *prv.Trace) {
	var levels []prv.Level
	for _, l := range timeline.LevelOrder {
		if tr.Count(l) > 0 {
			levels = append(levels, l)
		}
	}
	e.choice("level", s.Level.String(), "objects, one per row", len(levels), slices.Index(levels, s.Level),
		func(i int) dialog.Item {
			return dialog.Item{Text: levels[i].String(),
				Detail: fmt.Sprintf("%s rows", raster.FormatCount(int64(tr.Count(levels[i]))))}
		}, func(s *semantic.Window, i int) { s.Level = levels[i] })
}

func (e *Editor) unit(s *semantic.Window) {
	e.choice("unit of time", s.Unit.String(), "of values that are durations", len(semantic.Units), int(s.Unit),
		func(i int) dialog.Item {
			return dialog.Item{Text: semantic.Units[i].Symbol, Detail: semantic.Units[i].Name}
		}, func(s *semantic.Window, i int) { s.Unit = semantic.Units[i].Unit })
}

// choice adds a field with a few values: Enter lists them, left and right go
// through them.
func (e *Editor) choice(label, text, doc string, n, at int, describe func(i int) dialog.Item,
	set func(s *semantic.Window, i int)) {
	if n == 0 {
		return
	}
	e.add(field{label: label, text: text, doc: doc,
		step: func(e *Editor, by int) {
			e.set(func(s *semantic.Window) { set(s, (max(at, 0)+by+n)%n) })
		},
		edit: func(e *Editor) tea.Cmd {
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

// toggle adds a yes/no field.
func (e *Editor) toggle(label, doc string, get func(s *semantic.Window) *bool, s *semantic.Window) {
	text := "no"
	if *get(s) {
		text = "yes"
	}
	flip := func(e *Editor) {
		e.set(func(s *semantic.Window) { b := get(s); *b = !*b })
	}
	e.add(field{label: label, text: text, doc: doc,
		step: func(e *Editor, _ int) { flip(e) },
		edit: func(e *Editor) tea.Cmd { flip(e); return nil }})
}

// filter adds the fields that select the thread function's input.
func (e *Editor) filter(s *semantic.Window, t *timeline.Trace) {
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
			e.toggle("type or value", "one of the two must match, not both", func(s *semantic.Window) *bool {
				return &s.Filter.Events.Or
			}, s)
		}
	}
	for _, f := range []struct {
		label, doc string
		get        func(c *filter.CommFilter) *bool
	}{
		{"logical messages", "use the program's message times", func(c *filter.CommFilter) *bool { return &c.Logical }},
		{"physical messages", "use the network's message times", func(c *filter.CommFilter) *bool {
			return &c.Physical
		}},
		{"within nodes", "messages within a node pass", func(c *filter.CommFilter) *bool { return &c.Intra }},
		{"between nodes", "messages between nodes pass", func(c *filter.CommFilter) *bool { return &c.Inter }},
		{"from or to", "one of the two must match, not both", func(c *filter.CommFilter) *bool { return &c.FromToOr }},
		{"tag or size", "one of the two must match, not both", func(c *filter.CommFilter) *bool {
			return &c.TagSizeOr
		}},
	} {
		e.toggle(f.label, f.doc, func(s *semantic.Window) *bool { return f.get(&s.Filter.Comms) }, s)
	}
}

// criterion adds a criterion of the filter: left and right change its function,
// Enter asks for its numbers; event types are checked in a list.
func (e *Editor) criterion(label, word, doc string, get func(*semantic.Window) *filter.Criterion, s *semantic.Window,
	t *timeline.Trace) {
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
		step: func(e *Editor, by int) {
			at := slices.IndexFunc(filter.Functions, func(f filter.Entry) bool { return f.Func == c.Func })
			n := len(filter.Functions)
			f := filter.Functions[(at+by+n)%n].Func
			e.set(func(s *semantic.Window) { get(s).Func = f })
		},
		edit: func(e *Editor) tea.Cmd {
			if word == "type" && (c.Func == filter.All || c.Func == filter.Equal || c.Func == filter.NotEqual) {
				return e.checkTypes(get, t)
			}
			return e.ask(label+" ", strings.TrimPrefix(notation.CriterionText(c), "="), func(text string) error {
				if text == "" {
					e.set(func(s *semantic.Window) { *get(s) = filter.Criterion{} })
					return nil
				}
				if !strings.ContainsAny(text[:1], "=!<>") {
					text = "=" + text
				}
				next, err := notation.ParseCriterion(word, text, t.Data.Labels, s.Unit)
				if err == nil {
					e.set(func(s *semantic.Window) { *get(s) = next })
				}
				return err
			})
		}})
}

// checkTypes lists the event types that occur, with check marks.
func (e *Editor) checkTypes(get func(*semantic.Window) *filter.Criterion, t *timeline.Trace) tea.Cmd {
	listed := get(&e.view.Sem).Values
	p := &dialog.Picker{Title: "Event types", Multi: true, Empty: "this trace has no events"}
	for _, c := range t.Types {
		p.Items = append(p.Items, dialog.Item{Text: t.TypeLabel(c.Type), Also: fmt.Sprint(c.Type),
			Detail: fmt.Sprintf("%d  %s", c.Type, quantity.CountOf(c.Count, "event")),
			On:     slices.Contains(listed, float64(c.Type)), Data: c.Type})
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
			if list == nil { // nothing is checked: use the one at the cursor
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
func (e *Editor) call(label string, family semantic.Family, get func(*semantic.Window) *semantic.Call,
	s *semantic.Window) {
	table := semantic.Functions(family)
	c := *get(s)
	entry, ok := semantic.Lookup(family, c.Name)
	name, doc, at := c.Name, "unknown function", -1
	if ok {
		name, doc = entry.Name, entry.Doc
		at = slices.IndexFunc(table, func(t semantic.Entry) bool { return t.Name == entry.Name })
	}
	e.choice(label, name, doc, len(table), at, func(i int) dialog.Item {
		return dialog.Item{Text: table[i].Name, Also: table[i].Group + " " + strings.Join(table[i].Aliases, " "),
			Detail: table[i].Doc}
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
		e.add(field{label: "  " + strings.ToLower(p.Name), text: timeline.Numbers(list),
			doc: entry.Name + ": " + p.Name + ", " + doc, edit: func(e *Editor) tea.Cmd {
				return e.ask(p.Name+" ", timeline.Numbers(list), func(text string) error {
					next, err := notation.ParseAmounts(text, s.Unit)
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
func (e *Editor) number(label, doc string, v float64, set func(s *semantic.Window, v float64)) {
	e.add(field{label: label, text: strconv.FormatFloat(v, 'g', -1, 64), doc: doc, edit: func(e *Editor) tea.Cmd {
		return e.ask(label+" ", strconv.FormatFloat(v, 'g', -1, 64), func(text string) error {
			next, err := e.view.Sem.Unit.Amount(text)
			if err != nil {
				return err
			}
			e.set(func(s *semantic.Window) { set(s, next) })
			return nil
		})
	}})
}
