package tui

import (
	"errors"
	"strings"

	tea "charm.land/bubbletea/v2"

	"pview/render/raster"
	"pview/render/timeline"
	"pview/tui/desk"
	"pview/tui/dialog"
	"pview/tui/notation"
)

// Going to times and to records.

var goToActions = []deed{
	{Name: "goto", Group: groupGoTo, Keys: []string{"g"}, Args: "TIME or RECORD",
		Doc: "go to 1.25s, 50%, +15us, or the next type=40 value=3, tag=5, size=1000, state=3, or label", Hint: "go to",
		needsWindow: true, run: goToCommand, complete: completeGoTo},
	{Name: "search", Group: groupGoTo, Keys: []string{"/"}, Doc: "search event labels: show an event, or go to it",
		Hint: "search", needsWindow: true, run: searchLabels},
	{Name: "next", Group: groupGoTo, Keys: []string{"n"}, Args: "[WHAT]", Doc: "go to the next match",
		needsWindow: true, run: func(m *Model, args string) tea.Cmd {
			return m.again(args, true)
		}, complete: completeQuery},
	{Name: "previous", Group: groupGoTo, Keys: []string{"N"}, Args: "[WHAT]", Doc: "go to the previous match",
		needsWindow: true, run: func(m *Model, args string) tea.Cmd {
			return m.again(args, false)
		}, complete: completeQuery},
	{Name: "next-burst", Group: groupGoTo, Keys: []string{"w"}, Doc: "go to the begin of the next burst of the row",
		needsWindow: true, run: func(m *Model, _ string) tea.Cmd { return stepBurst(m, true) }},
	{Name: "previous-burst", Group: groupGoTo, Keys: []string{"b"},
		Doc: "go to the begin of the burst, or of the previous one", needsWindow: true,
		run: func(m *Model, _ string) tea.Cmd { return stepBurst(m, false) }},
	{Name: "select", Group: groupGoTo, Keys: []string{"space"}, Doc: "start a selection at the cursor; again: end it",
		Hint: "select", needsWindow: true, run: selectHere},
	{Name: "mark", Group: groupGoTo, Keys: []string{"m"}, Args: "[TIME]",
		Doc: "set the first mark; the status line shows the time between both, across windows", needsWindow: true,
		run: func(m *Model, args string) tea.Cmd { return m.setMark(0, args) }},
	{Name: "mark-second", Group: groupGoTo, Keys: []string{"M"}, Args: "[TIME]", Doc: "set the second mark",
		needsWindow: true, run: func(m *Model, args string) tea.Cmd { return m.setMark(1, args) }},
	{Name: "goto-mark", Group: groupGoTo, Keys: []string{"`"}, Doc: "go to the other mark", needsWindow: true,
		run: goToMark},
	{Name: "clear-marks", Group: groupGoTo, Keys: []string{"delete", "backspace"}, Doc: "remove the marks",
		run: func(m *Model, _ string) tea.Cmd { m.ClearMarks(); return nil }},
}

func goToCommand(m *Model, args string) tea.Cmd {
	if args == "" {
		return m.promptFor("goto")
	}
	w := m.Focused()
	if t, note, err := notation.ParseTime(args, w.Trace.Data.Unit, m.Whole(w), w.Cursor); err == nil {
		m.GoTo(w, t, w.CursorRow)
		m.scene.Say(note)
		return nil
	}
	return lookFor(m, args, true)
}

func (m *Model) again(args string, forward bool) tea.Cmd {
	if args != "" {
		return lookFor(m, args, forward)
	}
	if m.query == nil {
		return m.scene.Refuse(errors.New("no search yet: " + keysOf("search") + " or " + keysOf("goto") + " does"))
	}
	return m.find(forward)
}

// completeGoTo offers ways to say where to go.
func completeGoTo(m *Model, args string) []string {
	if args == "" {
		return []string{"50%", "+10%", "type=", "value=", "tag=", "size=", "state="}
	}
	return completeQuery(m, args)
}

// completeQuery completes the last criterion of a query with labels of the trace.
func completeQuery(m *Model, args string) []string {
	w := m.Focused()
	if w == nil {
		return nil
	}
	cut := 0
	quoted := false
	for i, r := range args {
		if r == '"' {
			quoted = !quoted
		} else if r == ' ' && !quoted {
			cut = i + 1
		}
	}
	head, word := args[:cut], args[cut:]
	key, part, ok := strings.Cut(word, "=")
	labels := w.Trace.Data.Labels
	var names []string
	switch {
	case !ok:
		for _, k := range notation.QueryWords {
			if strings.HasPrefix(k, word) {
				names = append(names, head+k+"=")
			}
		}
		return names
	case key == "type":
		for _, t := range notation.KnownTypes(labels) {
			names = append(names, t.Label)
		}
	case key == "state":
		for _, s := range notation.KnownStates(labels) {
			names = append(names, s.Label)
		}
	case key == "value":
		seen := map[string]bool{}
		for i := range labels.Types {
			for _, v := range labels.Types[i].Values {
				if !seen[v.Label] {
					seen[v.Label] = true
					names = append(names, v.Label)
				}
			}
		}
	}
	part = strings.Trim(part, `"`)
	var full []string
	for _, i := range dialog.Rank(part, len(names), func(i int) string { return names[i] }) {
		if len(full) == 200 {
			break
		}
		full = append(full, head+key+"="+quoteWord(names[i]))
	}
	return full
}

func quoteWord(s string) string {
	if strings.ContainsAny(s, " ") {
		return `"` + s + `"`
	}
	return s
}

// Marks and the selection between them.

func (m *Model) setMark(i int, args string) tea.Cmd {
	w := m.Focused()
	if args == "" {
		m.CursorBack()
	}
	t := w.Cursor
	if args != "" {
		var note string
		var err error
		if t, note, err = notation.ParseTime(args, w.Trace.Data.Unit, m.Whole(w), w.Cursor); err != nil {
			return m.scene.Refuse(err)
		}
		m.scene.Say(note)
	}
	m.SetMark(i, t)
	m.Selecting = false
	return nil
}

// selectHere begins a selection; while one is being made it ends it.
func selectHere(m *Model, _ string) tea.Cmd {
	if m.Selecting {
		m.TrackSelection(m.screen().columns())
		m.Selecting = false
		return nil
	}
	m.setMark(0, "")
	m.setMark(1, "")
	m.Selecting = true
	m.scene.Say(m.theme.ASCII("move the cursor; Space ends the selection, z zooms on it, Esc drops it"))
	return nil
}

func goToMark(m *Model, _ string) tea.Cmd {
	w := m.Focused()
	for _, k := range m.Marks {
		if t := w.Trace.FromNS(k.NS); k.Set && t != w.Cursor {
			m.GoTo(w, t, w.CursorRow)
			return nil
		}
	}
	return m.scene.Refuse(errors.New("there is no other mark: " + keysOf("mark") + " sets one"))
}

// marksText says where the marks are, and how far from each other. All three have
// the same digits, and add up.
func (m *screenModel) marksText(w *timeline.View) string {
	t := w.Trace
	a, b := m.Marks[0], m.Marks[1]
	if !a.Set && !b.Set {
		return ""
	}
	step := decimalStep(w.Duration() / int64(max(m.columns(), 1)))
	if a.Set && b.Set {
		step = min(step, decimalStep(max(a.NS-b.NS, b.NS-a.NS)/t.Data.Unit.Nanoseconds()/1000))
	}
	at := func(k desk.Mark) int64 { return (t.FromNS(k.NS) + step/2) / step * step }
	f := raster.NewTimeFormat(t.Data.Unit, max(at(a), at(b)), step)
	var parts []string
	if a.Set {
		parts = append(parts, "A "+f.Format(at(a)))
	}
	if b.Set {
		parts = append(parts, "B "+f.Format(at(b)))
	}
	if a.Set && b.Set {
		parts = append(parts, m.theme.ASCII("Δ ")+f.Format(max(at(b)-at(a), at(a)-at(b))))
	}
	return strings.Join(parts, "  ")
}

// decimalStep is the greatest power of ten that is not above n; at least 1.
func decimalStep(n int64) int64 {
	step := int64(1)
	for step <= n/10 {
		step *= 10
	}
	return step
}
