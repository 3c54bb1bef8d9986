package tui

import (
	"errors"
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"pview/semantic"
	"pview/tui/action"
	"pview/tui/notation"
	"pview/tui/raster"
	"pview/tui/timeline"
)

// How a window draws what it shows.

var lookActions = []deed{
	{Name: "draw-mode", Group: groupLook, Keys: []string{"d"}, Args: "[MODE]", Doc: "next draw mode: how values that share a cell are combined", Hint: "draw mode", needsWindow: true, run: drawMode(1, false), complete: completeModes},
	{Name: "draw-mode-back", Group: groupLook, Keys: []string{"D"}, Doc: "previous draw mode", needsWindow: true, run: drawMode(-1, false)},
	{Name: "row-mode", Group: groupLook, Keys: []string{"r"}, Args: "[MODE]", Doc: "next row mode: how rows that share a line are combined", needsWindow: true, run: drawMode(1, true), complete: completeModes},
	{Name: "row-mode-back", Group: groupLook, Keys: []string{"R"}, Doc: "previous row mode", needsWindow: true, run: drawMode(-1, true)},
	{Name: "color", Group: groupLook, Keys: []string{"c"}, Args: "[MODE]", Doc: "next colour mode: code, gradient, not null gradient, alternative gradient", Hint: "colour", needsWindow: true, run: colorMode(1), complete: completeColors},
	{Name: "color-back", Group: groupLook, Keys: []string{"C"}, Doc: "previous colour mode", needsWindow: true, run: colorMode(-1)},
	{Name: "gradient", Group: groupLook, Keys: []string{"ctrl+g"}, Args: "[FUNCTION]", Doc: "next gradient function: linear, steps, logarithmic, exponential", needsWindow: true, run: gradientFunction, complete: completeGradients},
	{Name: "graph", Group: groupLook, Keys: []string{"G"}, Doc: "draw values as a function line, or as colours", needsWindow: true, run: toggleLook(func(l *timeline.Drawing) { l.Graph = !l.Graph })},
	{Name: "fine", Group: groupLook, Keys: []string{"|"}, Doc: "two time columns per cell, or one", needsWindow: true, run: toggleLook(func(l *timeline.Drawing) { l.Fine = !l.Fine })},
	{Name: "scale", Group: groupLook, Keys: []string{"y"}, Args: "[MIN MAX or fit]", Doc: "fix the semantic scale, or fit it to the view", needsWindow: true, run: setScale},
	{Name: "flags", Group: groupLook, Keys: []string{"e"}, Doc: "show or hide event flags", needsWindow: true, run: toggleLook(func(l *timeline.Drawing) { l.Flags = !l.Flags })},
	{Name: "lines", Group: groupLook, Keys: []string{"x"}, Args: "[off|logical|physical|both]", Doc: "draw communication lines: next kind", Hint: "messages", needsWindow: true, run: setLines, complete: func(*Model, string) []string { return timeline.CommLineNames[:] }},
	{Name: "legend", Group: groupLook, Keys: []string{"f3"}, Doc: "show or hide the legend", run: func(m *Model, _ string) tea.Cmd { m.legendOpen = !m.legendOpen; return nil }},
	{Name: "overview", Group: groupLook, Keys: []string{"f4"}, Doc: "show or hide the overview of the run", run: func(m *Model, _ string) tea.Cmd { m.overviewOpen = !m.overviewOpen; return nil }},
	{Name: "theme", Group: groupLook, Keys: []string{"f5"}, Args: "[dark|light]", Doc: "toggle dark and light background", run: setTheme, complete: func(*Model, string) []string { return []string{"dark", "light"} }},
	{Name: "ascii", Group: groupLook, Keys: []string{"f6"}, Doc: "toggle ASCII-only drawing", run: func(m *Model, _ string) tea.Cmd {
		m.ascii = !m.ascii
		m.restyle()
		return nil
	}},
	{Name: "mouse", Group: groupLook, Keys: []string{"f8"}, Doc: "leave the mouse to the terminal, to select text, or take it back", run: func(m *Model, _ string) tea.Cmd {
		m.mouseOff = !m.mouseOff
		if m.mouseOff {
			m.say("the mouse selects text; " + keysOf("mouse") + " takes it back")
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

func drawMode(step int, rows bool) func(*Model, string) tea.Cmd {
	return func(m *Model, args string) tea.Cmd {
		names := make([]string, len(semantic.DrawModes))
		at := 0
		w := m.Focused()
		now := w.Drawing.Modes.Time
		if rows {
			now = w.Drawing.Modes.Rows
		}
		for i, e := range semantic.DrawModes {
			names[i] = e.Name
			if e.Mode == now {
				at = i
			}
		}
		i, err := action.Choose(names, at, step, args)
		if err != nil {
			return m.refuse(err)
		}
		m.Change(w, "", func(s *timeline.Setup) {
			if rows {
				s.Drawing.Modes.Rows = semantic.DrawModes[i].Mode
			} else {
				s.Drawing.Modes.Time = semantic.DrawModes[i].Mode
			}
		})
		what := "draw mode"
		if rows {
			what = "row mode"
		}
		m.say(fmt.Sprintf("%s: %s, %s", what, names[i], semantic.DrawModes[i].Doc))
		return nil
	}
}

func completeModes(*Model, string) []string {
	var names []string
	for _, e := range semantic.DrawModes {
		names = append(names, e.Name)
	}
	return names
}

func colorMode(step int) func(*Model, string) tea.Cmd {
	return func(m *Model, args string) tea.Cmd {
		w := m.Focused()
		i, err := action.Choose(completeColors(m, ""), int(w.ColorMode()), step, args)
		if err != nil {
			return m.refuse(err)
		}
		m.Change(w, "", func(s *timeline.Setup) {
			s.Drawing.Color, s.Drawing.Graph = raster.ColorModes[i].Mode, false
			s.Drawing.Codes = s.Drawing.Color == raster.CodeColor
		})
		m.say(raster.ColorModes[i].Name + ": " + raster.ColorModes[i].Doc)
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
		return m.refuse(err)
	}
	m.Change(w, "", func(s *timeline.Setup) {
		s.Drawing.Gradient = i
		if w.ColorMode() == raster.CodeColor {
			s.Drawing.Color = raster.Gradient
		}
	})
	m.say("gradient: " + raster.GradientFunctions[i].Name + ", " + raster.GradientFunctions[i].Doc)
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
				return m.refuse(errors.New("scale needs two numbers, the smaller first: scale 0 10, or scale fit"))
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
		m.say(fmt.Sprintf("semantic scale fixed: %s to %s", raster.FormatValue(scale.Min, ""), raster.FormatValue(scale.Max, "")))
	} else {
		m.say("semantic scale fits the view")
	}
	return nil
}

func setLines(m *Model, args string) tea.Cmd {
	w := m.Focused()
	i, err := action.Choose(timeline.CommLineNames[:], int(w.Drawing.Comms), 1, args)
	if err != nil {
		return m.refuse(err)
	}
	m.Change(w, "", func(s *timeline.Setup) { s.Drawing.Comms = timeline.CommLines(i) })
	m.say("communication lines: " + timeline.CommLineNames[i])
	if w.Trace.Data.Comms.Len() == 0 {
		m.say("this trace has no messages")
	}
	return nil
}

func setTheme(m *Model, args string) tea.Cmd {
	at := 0
	if !m.dark {
		at = 1
	}
	i, err := action.Choose([]string{"dark", "light"}, at, 1, args)
	if err != nil {
		return m.refuse(err)
	}
	m.dark, m.background = i == 0, raster.NoColor
	m.restyle()
	return nil
}
