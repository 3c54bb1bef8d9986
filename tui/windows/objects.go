package windows

import (
	"errors"
	"fmt"
	"pview/prv"
	"pview/render/timeline"
	"pview/semantic"
	"pview/tui/action"
	"pview/tui/dialog"
	"pview/tui/paths"
	"regexp"
	"slices"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"
)

// Levels.

// nextLevel goes to the next level with objects in a direction, or to the named one.
func (c *Content) nextLevel(step int) func(string) tea.Cmd {
	return func(args string) tea.Cmd {
		w := c.Focused()
		if args != "" {
			var names []string
			for _, l := range timeline.LevelOrder {
				names = append(names, l.String())
			}
			if strings.HasPrefix("application", strings.ToLower(args)) { // .cfg files call the ptask so
				args = prv.LevelPtask.String()
			}
			i, err := action.Choose(names, 0, 0, args)
			if err != nil {
				return c.sc.Refuse(err)
			}
			return c.setLevel(w, timeline.LevelOrder[i])
		}
		at := slices.Index(timeline.LevelOrder, w.Sem.Level)
		for {
			at = (at + step + len(timeline.LevelOrder)) % len(timeline.LevelOrder)
			if l := timeline.LevelOrder[at]; w.Trace.Data.Count(l) > 0 {
				return c.setLevel(w, l)
			}
		}
	}
}

func (c *Content) setLevel(w *timeline.View, l prv.Level) tea.Cmd {
	if w.Trace.Data.Count(l) == 0 {
		return c.sc.Refuse(fmt.Errorf("there is no level %s: %w", l, semantic.ErrNoResources))
	}
	before := w.Sem.Level
	object := -1
	if w.Rows(w.Trace.Data) > 0 {
		object = w.Object(w.CursorRow)
	}
	c.setSemantic(w, func(s *semantic.Window) { s.Level = l })
	if before != l && object >= 0 {
		c.ShowRow(w, Related(w.Trace.Data, before, object, l))
	}
	return nil
}

// Related returns the object of a level that contains an object of another level, or its first part.
func Related(t *prv.Trace, from prv.Level, object int, to prv.Level) int {
	threads := t.ThreadsOf(from, object)
	if len(threads) == 0 {
		return 0
	}
	return max(t.ObjectOf(to, threads[0], t.Threads[threads[0]].CPU), 0)
}

func (c *Content) completeLevels(string) (names []string) {
	if w := c.Focused(); w != nil {
		for _, l := range timeline.LevelOrder {
			if w.Trace.Data.Count(l) > 0 {
				names = append(names, l.String())
			}
		}
	}
	return names
}

// setObjects shows some objects, all of them for nil. The cursor stays on its object.
func (c *Content) setObjects(w *timeline.View, objects []int32) tea.Cmd {
	object := -1
	if n := w.Rows(w.Trace.Data); n > 0 && w.CursorRow < n {
		object = w.Object(w.CursorRow)
	}
	if len(objects) == w.Trace.Data.Count(w.Sem.Level) && slices.IsSorted(objects) {
		objects = nil
	}
	c.Change(w, "", func(s *timeline.Setup) { s.Objects, s.Top, s.Span = objects, 0, 0 })
	if row := w.RowOf(w.Trace.Data, object); row >= 0 {
		w.CursorRow = row
	}
	return nil
}

func (c *Content) openObjects(string) tea.Cmd {
	w := c.Focused()
	tr := w.Trace.Data
	p := &dialog.Picker{Title: "Objects of level " + w.Sem.Level.String(), Multi: true}
	for o := range tr.Count(w.Sem.Level) {
		p.Items = append(p.Items, dialog.Item{Text: tr.Name(w.Sem.Level, o), On: w.RowOf(tr, o) >= 0, Data: o})
	}
	every := func(f func(on bool) bool) func(*dialog.Picker, *dialog.Item) tea.Cmd {
		return func(p *dialog.Picker, _ *dialog.Item) tea.Cmd {
			for _, i := range p.Shown {
				p.Items[i].On = f(p.Items[i].On)
			}
			return nil
		}
	}
	p.Keys = []dialog.Key{
		{Press: "enter", Word: "show", Run: func(p *dialog.Picker, _ *dialog.Item) tea.Cmd {
			return c.showChecked(w, p)
		}},
		{Press: "tab", Word: "check", Keep: true, Run: func(p *dialog.Picker, it *dialog.Item) tea.Cmd {
			if it != nil {
				it.On = !it.On
				p.Move(1)
			}
			return nil
		}},
		{Press: "ctrl+a", Word: "all", Keep: true, Run: every(func(bool) bool { return true })},
		{Press: "ctrl+x", Word: "none", Keep: true, Run: every(func(bool) bool { return false })},
		{Press: "ctrl+t", Word: "invert", Keep: true, Run: every(func(on bool) bool { return !on })},
	}
	return c.sc.Dialogs.Open(p)
}

func (c *Content) showChecked(w *timeline.View, p *dialog.Picker) tea.Cmd {
	var objects []int32
	for _, it := range p.Items {
		if it.On {
			objects = append(objects, int32(it.Data.(int)))
		}
	}
	if len(objects) == 0 {
		return c.sc.Refuse(errors.New("nothing checked: a window needs at least one object"))
	}
	return c.setObjects(w, objects)
}

// selectRows shows the objects of a list of numbers, or those whose names match a regular expression.
func (c *Content) selectRows(args string) tea.Cmd {
	w := c.Focused()
	tr := w.Trace.Data
	n := tr.Count(w.Sem.Level)
	objects, err := parseRanges(args, n)
	if err != nil {
		re, rerr := regexp.Compile("(?i)" + paths.Unquote(args))
		if rerr != nil {
			return c.sc.Refuse(fmt.Errorf("%q is neither a list such as 1-8,12 nor a regular expression", args))
		}
		for o := range n {
			if re.MatchString(tr.Name(w.Sem.Level, o)) {
				objects = append(objects, int32(o))
			}
		}
	}
	if len(objects) == 0 {
		return c.sc.Refuse(fmt.Errorf("no %s matches %q", w.Sem.Level, args))
	}
	return c.setObjects(w, objects)
}

// parseRanges reads "1-8,12" as objects (0-based) of 1..n, in the given order.
func parseRanges(text string, n int) ([]int32, error) {
	var list []int32
	seen := make([]bool, n+1)
	for _, part := range strings.Split(strings.ReplaceAll(text, " ", ""), ",") {
		lo, hi, isRange := strings.Cut(part, "-")
		a, err := strconv.Atoi(lo)
		b := a
		if isRange && err == nil {
			b, err = strconv.Atoi(hi)
		}
		if err != nil {
			return nil, err
		}
		for i := max(a, 1); i <= min(b, n); i++ {
			if !seen[i] {
				seen[i] = true
				list = append(list, int32(i-1))
			}
		}
	}
	return list, nil
}

func (c *Content) invertRows(string) tea.Cmd {
	w := c.Focused()
	var hidden []int32
	for o, row := range w.RowsByObject() {
		if row < 0 {
			hidden = append(hidden, int32(o))
		}
	}
	if len(hidden) == 0 {
		return c.sc.Refuse(errors.New("all objects are shown: nothing to invert"))
	}
	return c.setObjects(w, hidden)
}

func (c *Content) hideRow(string) tea.Cmd {
	w := c.Focused()
	n := w.Rows(w.Trace.Data)
	if n <= 1 {
		return c.sc.Refuse(errors.New("the last row cannot be hidden"))
	}
	var rest []int32
	for row := range n {
		if row != w.CursorRow {
			rest = append(rest, int32(w.Object(row)))
		}
	}
	top, span, row := w.Top, w.Span, w.CursorRow
	c.Change(w, "", func(s *timeline.Setup) { s.Objects, s.Top, s.Span = rest, top, span })
	c.ShowRow(w, min(row, n-2))
	return nil
}
