package editor

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"pview/render/timeline"
	"pview/semantic"
	"pview/tui/dialog"
	"pview/tui/notation"
	"pview/tui/pane"
)

// Derived windows: made of two others by an operation.

// Derive makes a view of two: "1 divide 2"; without arguments, in the editor, of the one in focus and the next.
func Derive(sc *pane.Scene, args string) tea.Cmd {
	a := slices.Index(sc.Views, sc.View)
	b, op := (a+1)%len(sc.Views), semantic.Call{Name: "product"}
	if args != "" {
		var err error
		if a, b, op, err = parseDerive(sc, args); err != nil {
			return sc.Refuse(err)
		}
	}
	v, w := sc.Views[a], sc.Views[b]
	if v.Trace != w.Trace {
		return sc.Refuse(fmt.Errorf("windows %d and %d are on different traces", a+1, b+1))
	}
	d := sc.CloneView(v)
	d.Name, d.Objects, d.Top, d.Span, d.Palette = "", nil, 0, 0, nil
	d.Drawing = timeline.Drawing{Modes: v.Drawing.Modes, Given: v.Drawing.Given}
	d.Sem = derivedOf(v, w, op)
	sc.Do(pane.AddView{View: d})
	if args == "" {
		return open(sc, d, true)
	}
	return nil
}

func derivedOf(v, w *timeline.View, op semantic.Call) semantic.Window {
	a, b := v.Named(), w.Named()
	s := semantic.DefaultWindow()
	s.Unit = v.Sem.Unit
	s.Level = v.Sem.Level
	if w.Sem.Level.IsResource() == s.Level.IsResource() {
		s.Level = max(s.Level, w.Sem.Level) // the finer
	}
	s.Name = fmt.Sprintf("%s %s %s", a.Name, op.Name, b.Name)
	s.Derived = &semantic.Derived{Op: op, A: semantic.Parent{Window: a, Factor: 1},
		B: semantic.Parent{Window: b, Factor: 1}}
	return s
}

// parseDerive reads "1 controlled: maximum 2".
func parseDerive(sc *pane.Scene, text string) (a, b int, op semantic.Call, err error) {
	words := strings.Fields(text)
	number := func(word string) (int, bool) {
		n, err := strconv.Atoi(word)
		return n - 1, err == nil && n >= 1 && n <= len(sc.Views)
	}
	if len(words) < 3 {
		return 0, 0, op, fmt.Errorf("derive needs two windows and an operation: derive 1 divide 2")
	}
	a, ok1 := number(words[0])
	b, ok2 := number(words[len(words)-1])
	if !ok1 || !ok2 {
		return 0, 0, op, fmt.Errorf("%s and %s: must be window numbers, 1 to %d", words[0], words[len(words)-1],
			len(sc.Views))
	}
	op, err = notation.ParseCall(semantic.DerivedFunctions, strings.Join(words[1:len(words)-1], " "),
		sc.View.Trace.Data.Labels, sc.View.Sem.Unit)
	return a, b, op, err
}

// CompleteDerive completes the operation and its operands.
func CompleteDerive(args string) []string {
	first, rest, more := strings.Cut(args, " ")
	if !more {
		return nil
	}
	var list []string
	for _, e := range semantic.Functions(semantic.DerivedFunctions) {
		if strings.HasPrefix(rest, e.Name+" ") {
			return nil
		}
		list = append(list, first+" "+e.Name+" ")
	}
	return list
}

// derived adds the fields of a derived window.
func (e *Editor) derived(s *semantic.Window) {
	e.head("Derived from")
	e.call("operation", semantic.DerivedFunctions, func(s *semantic.Window) *semantic.Call { return &s.Derived.Op }, s)
	for _, p := range []struct {
		label string
		get   func(*semantic.Window) *semantic.Parent
	}{
		{"first window", func(s *semantic.Window) *semantic.Parent { return &s.Derived.A }},
		{"second window", func(s *semantic.Window) *semantic.Parent { return &s.Derived.B }},
	} {
		now := p.get(s)
		choices := []*semantic.Window{now.Window}
		for _, w := range e.sc.Views {
			if w != e.view && w.Trace == e.view.Trace && !slices.ContainsFunc(choices, func(c *semantic.Window) bool {
				return c.Key() == w.Sem.Key()
			}) {
				choices = append(choices, w.Named())
			}
		}
		e.choice(p.label, now.Window.Name, "the window it is made of; it follows the changes of that window",
			len(choices), 0, func(i int) dialog.Item {
				return dialog.Item{Text: choices[i].Name, Detail: choices[i].Level.String()}
			}, func(s *semantic.Window, i int) {
				c := choices[i].Clone()
				p.get(s).Window = &c
			})
		e.number("  factor", "factor of the window's values", now.Factor,
			func(s *semantic.Window, v float64) { p.get(s).Factor = v })
		e.number("  shift", "take the value N bursts later, or earlier if negative", float64(now.Shift),
			func(s *semantic.Window, v float64) { p.get(s).Shift = int(v) })
	}
}
