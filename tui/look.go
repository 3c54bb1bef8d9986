package tui

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"pview/prv/quantity"
	"pview/render/raster"
	"pview/render/timeline"
	"pview/semantic/series"
	"pview/tui/action"
	"pview/tui/dialog"
	"pview/tui/notation"
)

// How a window draws what it shows.

var lookActions = []deed{
	{Name: "draw-mode", Group: groupLook, Keys: []string{"d"}, Args: "[MODE]",
		Doc: "choose the draw mode: how values that share a cell are combined", Hint: "draw mode", needsWindow: true,
		run: drawMode(timeModes), complete: completeModes},
	{Name: "draw-mode-back", Group: groupLook, Keys: []string{"D"}, Doc: "previous draw mode", needsWindow: true,
		run: drawModeBack(timeModes)},
	{Name: "row-mode", Group: groupLook, Keys: []string{"r"}, Args: "[MODE]",
		Doc: "choose the row mode: how rows that share a line are combined", needsWindow: true, run: drawMode(rowModes),
		complete: completeModes},
	{Name: "row-mode-back", Group: groupLook, Keys: []string{"R"}, Doc: "previous row mode", needsWindow: true,
		run: drawModeBack(rowModes)},
	{Name: "color", Group: groupLook, Keys: []string{"c"}, Args: "[MODE]",
		Doc: "next colour mode: code, gradient, not null gradient, alternative gradient", Hint: "colour",
		needsWindow: true, run: colorMode(1), complete: completeColors},
	{Name: "color-back", Group: groupLook, Keys: []string{"C"}, Doc: "previous colour mode", needsWindow: true,
		run: colorMode(-1)},
	{Name: "gradient", Group: groupLook, Keys: []string{"ctrl+g"}, Args: "[FUNCTION]",
		Doc: "next gradient function: linear, steps, logarithmic, exponential", needsWindow: true,
		run: gradientFunction, complete: completeGradients},
	{Name: "graph", Group: groupLook, Keys: []string{"G"}, Doc: "draw values as a function line, or as colours",
		needsWindow: true, run: toggleLook(func(l *timeline.Drawing) { l.Graph = !l.Graph })},
	{Name: "fine", Group: groupLook, Keys: []string{"|"}, Doc: "one time column per cell, or two", needsWindow: true,
		run: toggleLook(func(l *timeline.Drawing) { l.Coarse = !l.Coarse })},
	{Name: "scale", Group: groupLook, Keys: []string{"y"}, Args: "[MIN MAX or fit]",
		Doc: "fix the semantic scale, or fit it to the view", needsWindow: true, run: setScale},
	{Name: "flags", Group: groupLook, Keys: []string{"e"}, Doc: "show or hide event flags", needsWindow: true,
		run: toggleLook(func(l *timeline.Drawing) { l.Flags = !l.Flags })},
	{Name: "lines", Group: groupLook, Keys: []string{"x"}, Args: "[off|logical|physical|both]",
		Doc: "draw communication lines: next kind", Hint: "messages", needsWindow: true, run: setLines,
		complete: func(*Model, string) []string { return timeline.CommLineNames[:] }},
	{Name: "legend", Group: groupLook, Keys: []string{"f3"}, Args: "[on|off]",
		Doc:         "list all values in view with their colours; legend off hides the legend below the windows",
		needsWindow: true, run: openLegend, complete: func(*Model, string) []string { return []string{"on", "off"} }},
	{Name: "overview", Group: groupLook, Keys: []string{"f4"}, Doc: "show or hide the overview of the run",
		run: func(m *Model, _ string) tea.Cmd { m.overviewOpen = !m.overviewOpen; return nil }},
	{Name: "theme", Group: groupLook, Keys: []string{"f5"}, Args: "[dark|light|calm|paraver]",
		Doc: "toggle dark and light background; calm: one colour per meaning, as in other runs; paraver: the colours of the .pcf", run: setTheme, complete: themeNames},
	{Name: "units", Group: groupLook, Keys: []string{"alt+u"}, Args: "[auto|ns|us|ms|s]",
		Doc: "unit of times on the axis, in tables and texts: next, or the one named; auto is the most readable one",
		run: setUnits, complete: func(*Model, string) []string { return quantity.TimeUnits }},
	{Name: "ascii", Group: groupLook, Keys: []string{"f6"}, Doc: "toggle ASCII-only drawing",
		run: func(m *Model, _ string) tea.Cmd {
			m.ascii = !m.ascii
			m.restyle()
			return nil
		}},
	{Name: "mouse", Group: groupLook, Keys: []string{"f8"},
		Doc: "leave the mouse to the terminal, to select text, or take it back", run: func(m *Model, _ string) tea.Cmd {
			m.mouseOff = !m.mouseOff
			if m.mouseOff {
				m.scene.Say("the mouse selects text; " + keysOf("mouse") + " takes it back")
			}
			return nil
		}},
}

func toggleLook(f func(*timeline.Drawing)) func(*Model, string) tea.Cmd {
	return func(m *Model, _ string) tea.Cmd {
		m.Change(m.Focused(), "", func(s *timeline.Setup) { f(&s.Drawing) })
		return nil
	}
}

// modeAxis is what a draw mode is of: the values that share a cell, or the rows that share a line.
type modeAxis struct {
	name, doc string
	of        func(d *timeline.Drawing) (mode *series.DrawMode, given *bool)
	now       func(m raster.Modes) series.DrawMode
}

var (
	timeModes = &modeAxis{
		"draw mode", "Proportional for states, calls and functions, Maximum for amounts",
		func(d *timeline.Drawing) (*series.DrawMode, *bool) { return &d.Modes.Time, &d.Given.Time },
		func(m raster.Modes) series.DrawMode { return m.Time },
	}
	rowModes = &modeAxis{
		"row mode", "Mode for states, calls and functions, Maximum for amounts",
		func(d *timeline.Drawing) (*series.DrawMode, *bool) { return &d.Modes.Rows, &d.Given.Rows },
		func(m raster.Modes) series.DrawMode { return m.Rows },
	}
)

// automatic is the name of the draw mode that suits the values.
const automatic = "Automatic"

// set sets the mode of a window by its position in completeModes.
func (a *modeAxis) set(m *Model, i int) tea.Cmd {
	w := m.Focused()
	m.Change(w, "", func(s *timeline.Setup) {
		mode, given := a.of(&s.Drawing)
		if *mode, *given = series.Maximum, i > 0; *given {
			*mode = series.DrawModes[i-1].Mode
		}
	})
	now := a.now(w.Modes()).Entry()
	m.scene.Say(fmt.Sprintf("%s: %s, %s", a.name, now.Name, now.Doc))
	return nil
}

// at is the position of the mode of a window.
func (a *modeAxis) at(w *timeline.View) int {
	mode, given := a.of(&w.Drawing)
	if !*given {
		return 0
	}
	return 1 + slices.IndexFunc(series.DrawModes, func(e series.DrawModeEntry) bool { return e.Mode == *mode })
}

// drawMode sets a mode, or lets the user choose from a list.
func drawMode(a *modeAxis) func(*Model, string) tea.Cmd {
	return func(m *Model, args string) tea.Cmd {
		if args == "" {
			return a.choose(m)
		}
		i, err := action.Choose(completeModes(m, ""), 0, 0, args)
		if err != nil {
			return m.scene.Refuse(err)
		}
		return a.set(m, i)
	}
}

func (a *modeAxis) choose(m *Model) tea.Cmd {
	p := &dialog.Picker{Title: strings.ToUpper(a.name[:1]) + a.name[1:], Keys: []dialog.Key{
		{Press: "enter", Word: "draw so", Run: func(_ *dialog.Picker, it *dialog.Item) tea.Cmd {
			return a.set(m, it.Data.(int))
		}},
	}}
	docs := []string{a.doc}
	for _, e := range series.DrawModes {
		docs = append(docs, e.Doc)
	}
	for i, name := range completeModes(m, "") {
		p.Items = append(p.Items, dialog.Item{Text: name, Detail: docs[i], Data: i})
	}
	cmd := m.dialogs.Open(p)
	p.Move(a.at(m.Focused()))
	return cmd
}

// drawModeBack goes to the mode before in the list.
func drawModeBack(a *modeAxis) func(*Model, string) tea.Cmd {
	return func(m *Model, _ string) tea.Cmd {
		n := len(series.DrawModes) + 1
		return a.set(m, (a.at(m.Focused())+n-1)%n)
	}
}

func completeModes(*Model, string) []string {
	names := []string{automatic}
	for _, e := range series.DrawModes {
		names = append(names, e.Name)
	}
	return names
}

func colorMode(step int) func(*Model, string) tea.Cmd {
	return func(m *Model, args string) tea.Cmd {
		w := m.Focused()
		i, err := action.Choose(completeColors(m, ""), int(w.ColorMode()), step, args)
		if err != nil {
			return m.scene.Refuse(err)
		}
		m.Change(w, "", func(s *timeline.Setup) {
			s.Drawing.Color, s.Drawing.Graph = raster.ColorModes[i].Mode, false
			s.Drawing.Codes = s.Drawing.Color == raster.CodeColor
		})
		m.scene.Say(raster.ColorModes[i].Name + ": " + raster.ColorModes[i].Doc)
		return nil
	}
}

func completeColors(*Model, string) []string {
	var names []string
	for _, e := range raster.ColorModes {
		names = append(names, e.Name)
	}
	return names
}

func gradientFunction(m *Model, args string) tea.Cmd {
	w := m.Focused()
	i, err := action.Choose(completeGradients(m, ""), w.Drawing.Gradient, 1, args)
	if err != nil {
		return m.scene.Refuse(err)
	}
	m.Change(w, "", func(s *timeline.Setup) {
		s.Drawing.Gradient = i
		if w.ColorMode() == raster.CodeColor {
			s.Drawing.Color = raster.Gradient
		}
	})
	m.scene.Say("gradient: " + raster.GradientFunctions[i].Name + ", " + raster.GradientFunctions[i].Doc)
	return nil
}

func completeGradients(*Model, string) []string {
	var names []string
	for _, g := range raster.GradientFunctions {
		names = append(names, g.Name)
	}
	return names
}

// setScale fixes the semantic scale at given values or at the present ones, or
// lets it fit.
func setScale(m *Model, args string) tea.Cmd {
	w := m.Focused()
	scale, fixed := w.Paint.Scale, !w.Drawing.Fixed
	if args = strings.TrimSpace(args); args != "" {
		fixed = !strings.EqualFold(args, "fit")
		if fixed {
			list, err := notation.ParseNumbers(strings.ReplaceAll(args, "..", " "))
			if err != nil || len(list) != 2 || !(list[0] < list[1]) {
				return m.scene.Refuse(errors.New("scale needs two numbers, the smaller first: scale 0 10, or scale fit"))
			}
			scale = raster.Scale{Min: list[0], Max: list[1]}
		}
	}
	m.Change(w, "", func(s *timeline.Setup) {
		s.Drawing.Fixed, s.Drawing.Scale = fixed, scale
		if !fixed {
			s.Drawing.Scale = raster.Scale{}
		}
	})
	if fixed {
		m.scene.Say(fmt.Sprintf("semantic scale fixed: %s to %s", raster.FormatValue(scale.Min, ""),
			raster.FormatValue(scale.Max, "")))
	} else {
		m.scene.Say("semantic scale fits the view")
	}
	return nil
}

func setLines(m *Model, args string) tea.Cmd {
	w := m.Focused()
	i, err := action.Choose(timeline.CommLineNames[:], int(w.Drawing.Comms), 1, args)
	if err != nil {
		return m.scene.Refuse(err)
	}
	m.Change(w, "", func(s *timeline.Setup) {
		s.Drawing.Comms, s.Drawing.Between = timeline.CommLines(i), timeline.Pair{}
	})
	m.scene.Say("communication lines: " + timeline.CommLineNames[i])
	if w.Trace.Data.Comms.Len() == 0 {
		m.scene.Say("this trace has no messages")
	}
	return nil
}

// themes are the arguments of the action "theme": the terminal's background, and the colours of data.
var themes = []struct {
	name       string
	background bool // it says what the background is
	set        func(m *Model)
}{
	{"dark", true, func(m *Model) { m.dark, m.background = true, raster.NoColor }},
	{"light", true, func(m *Model) { m.dark, m.background = false, raster.NoColor }},
	{"calm", false, func(m *Model) { m.paraver = false }},
	{"paraver", false, func(m *Model) { m.paraver = true }},
}

func themeNames(*Model, string) []string {
	var names []string
	for _, t := range themes {
		names = append(names, t.name)
	}
	return names
}

func setTheme(m *Model, args string) tea.Cmd {
	at := 0
	if m.dark {
		at = 1
	}
	if args != "" {
		var err error
		if at, err = action.Choose(themeNames(m, ""), 0, 0, args); err != nil {
			return m.scene.Refuse(err)
		}
	}
	themes[at].set(m)
	m.restyle()
	return nil
}

// setUnits has times drawn in another unit, and windows that open from now on count durations in it. A filter may
// compare durations, so open windows keep their unit. Panes whose sentences have times re-word them.
func setUnits(m *Model, args string) tea.Cmd {
	i, err := action.Choose(quantity.TimeUnits, slices.Index(quantity.TimeUnits, quantity.TimeUnit()), 1, args)
	if err == nil {
		err = quantity.UseTimeUnit(quantity.TimeUnits[i])
	}
	if err != nil {
		return m.scene.Refuse(err)
	}
	m.scene.Say("times are in: " + quantity.TimeUnit())
	return nil
}

// openLegend lists all values in view, the most seen first; with on or off it shows or hides the legend.
func openLegend(m *Model, args string) tea.Cmd {
	if args != "" {
		i, err := action.Choose([]string{"off", "on"}, 0, 0, args)
		if err != nil {
			return m.scene.Refuse(err)
		}
		m.legendOpen = i == 1
		return nil
	}
	w := m.Focused()
	p := &dialog.Picker{Title: "Legend", Empty: "the view is drawn by a scale, not by values", Keys: []dialog.Key{
		{Press: "enter", Word: "next place in the row", Run: func(_ *dialog.Picker, it *dialog.Item) tea.Cmd {
			return m.nextOf(it.Data.(float64))
		}},
	}}
	if w.ColorMode() == raster.CodeColor && !w.Drawing.Graph {
		entries := m.WithMirrored(w, &w.Paint.Legend).Entries
		slices.SortStableFunc(entries, func(a, b raster.LegendEntry) int { return cmp.Compare(b.Share, a.Share) })
		for _, e := range entries {
			p.Items = append(p.Items, dialog.Item{Text: e.Label, Also: raster.FormatValue(e.Value, ""),
				Detail: raster.FormatPercent(e.Share), Swatch: e.Cell, Data: e.Value})
		}
	}
	return m.dialogs.Open(p)
}

// nextOf puts the cursor on the next burst with a value in its row; after the last comes the first.
func (m *Model) nextOf(v float64) tea.Cmd {
	w := m.Focused()
	s := w.SeriesOf(w.CursorRow)
	if s == nil {
		return nil
	}
	at := s.At(w.Cursor)
	for k := 1; k <= s.Len(); k++ {
		if begin, end, value := s.Burst((at + k) % s.Len()); value == v && end > begin {
			m.GoTo(w, begin, w.CursorRow)
			return nil
		}
	}
	m.scene.Say("the row at the cursor does not have this value")
	return nil
}
