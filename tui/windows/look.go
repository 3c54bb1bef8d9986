package windows

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"pview/render/raster"
	"pview/render/timeline"
	"pview/semantic/series"
	"pview/tui/action"
	"pview/tui/desk"
	"pview/tui/dialog"
	"pview/tui/notation"
	"pview/tui/pane"
)

// Look sets how windows are drawn, and the parts around them.
type Look struct {
	*desk.Desk
	sc       *pane.Scene
	Legend   bool // below the windows
	Overview bool // of the run, above the windows
}

// NewLook returns the look of a desk's windows.
func NewLook(d *desk.Desk, sc *pane.Scene) *Look {
	return &Look{Desk: d, sc: sc, Legend: true, Overview: true}
}

// Actions returns the actions that change how windows are drawn.
func (l *Look) Actions() []action.Action {
	return action.OfView(action.GroupLook, []action.Action{
		action.Action{Name: "draw-mode", Keys: []string{"d"}, Args: "[MODE]",
			Doc: "choose the draw mode: how values that share a cell are combined", Run: l.drawMode(timeModes),
			Complete: DrawModes}.With(
			action.Action{Name: "back", Keys: []string{"D"}, Doc: "previous draw mode", Run: l.drawModeBack(timeModes)},
		),
		action.Action{Name: "row-mode", Keys: []string{"r"}, Args: "[MODE]",
			Doc: "choose the row mode: how rows that share a line are combined", Run: l.drawMode(rowModes),
			Complete: DrawModes}.With(
			action.Action{Name: "back", Keys: []string{"R"}, Doc: "previous row mode", Run: l.drawModeBack(rowModes)},
		),
		action.Action{Name: "color", Keys: []string{"c"}, Args: "[MODE]",
			Doc: "next colour mode: code, gradient, not null gradient, alternative gradient", Run: l.colorMode(1),
			Complete: colorModes}.With(
			action.Action{Name: "back", Keys: []string{"C"}, Doc: "previous colour mode", Run: l.colorMode(-1)},
		),
		{Name: "gradient", Keys: []string{"ctrl+g"}, Args: "[FUNCTION]",
			Doc: "next gradient function: linear, steps, logarithmic, exponential", Run: l.gradientFunction,
			Complete: gradients},
		{Name: "graph", Keys: []string{"G"}, Doc: "draw values as a function line, or as colours",
			Run: l.toggle(func(d *timeline.Drawing) { d.Graph = !d.Graph })},
		{Name: "fine", Keys: []string{"|"}, Doc: "one time column per cell, or two",
			Run: l.toggle(func(d *timeline.Drawing) { d.Coarse = !d.Coarse })},
		{Name: "scale", Keys: []string{"alt+y"}, Args: "[MIN MAX or fit]",
			Doc: "fix the semantic scale, or fit it to the view", Run: l.setScale},
		{Name: "flags", Keys: []string{"W"}, Doc: "show or hide event flags",
			Run: l.toggle(func(d *timeline.Drawing) { d.Flags = !d.Flags })},
		{Name: "lines", Keys: []string{"x"}, Args: "[off|logical|physical|both]",
			Doc: "draw communication lines: next kind", Run: l.setLines, Complete: words(timeline.CommLineNames[:])},
		{Name: "legend", Keys: []string{"f3"}, Args: "[on|off]", Doc: "list all values in view with their colours; " +
			"legend off hides the legend below the windows", Run: l.openLegend, Complete: words([]string{"on", "off"})},
		{Name: "overview", Keys: []string{"f4"}, Doc: "show or hide the overview of the run",
			Run: action.Do(func() { l.Overview = !l.Overview })},
	}, "overview")
}

// words completes one of a few words.
func words(list []string) func(string) []string { return func(string) []string { return list } }

// toggle changes how the window in focus is drawn.
func (l *Look) toggle(f func(*timeline.Drawing)) func(string) tea.Cmd {
	return func(string) tea.Cmd {
		l.Change(l.Focused(), "", func(s *timeline.Setup) { f(&s.Drawing) })
		return nil
	}
}

// modeAxis is the axis along which a draw mode combines: the values that share a cell, or the rows that share a line.
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

// automatic names the draw mode derived from the values.
const automatic = "Automatic"

// setMode sets a mode of the window in focus by its position in DrawModes.
func (l *Look) setMode(a *modeAxis, i int) tea.Cmd {
	w := l.Focused()
	l.Change(w, "", func(s *timeline.Setup) {
		mode, given := a.of(&s.Drawing)
		if *mode, *given = series.Maximum, i > 0; *given {
			*mode = series.DrawModes[i-1].Mode
		}
	})
	now := a.now(w.Modes()).Entry()
	l.sc.Say(fmt.Sprintf("%s: %s, %s", a.name, now.Name, now.Doc))
	return nil
}

// at returns the position of a window's mode.
func (a *modeAxis) at(w *timeline.View) int {
	mode, given := a.of(&w.Drawing)
	if !*given {
		return 0
	}
	return 1 + slices.IndexFunc(series.DrawModes, func(e series.DrawModeEntry) bool { return e.Mode == *mode })
}

// drawMode sets a mode, or lets the user choose from a list.
func (l *Look) drawMode(a *modeAxis) func(string) tea.Cmd {
	return func(args string) tea.Cmd {
		if args == "" {
			return l.chooseMode(a)
		}
		i, err := action.Choose(DrawModes(""), 0, 0, args)
		if err != nil {
			return l.sc.Refuse(err)
		}
		return l.setMode(a, i)
	}
}

// chooseMode lists the modes.
func (l *Look) chooseMode(a *modeAxis) tea.Cmd {
	p := &dialog.Picker{Title: strings.ToUpper(a.name[:1]) + a.name[1:], Keys: []dialog.Key{
		{Press: "enter", Word: "draw so", Run: func(_ *dialog.Picker, it *dialog.Item) tea.Cmd {
			return l.setMode(a, it.Data.(int))
		}},
	}}
	docs := []string{a.doc}
	for _, e := range series.DrawModes {
		docs = append(docs, e.Doc)
	}
	for i, name := range DrawModes("") {
		p.Items = append(p.Items, dialog.Item{Text: name, Detail: docs[i], Data: i})
	}
	cmd := l.sc.Dialogs.Open(p)
	p.Move(a.at(l.Focused()))
	return cmd
}

// drawModeBack goes to the previous mode in the list.
func (l *Look) drawModeBack(a *modeAxis) func(string) tea.Cmd {
	return func(string) tea.Cmd {
		n := len(series.DrawModes) + 1
		return l.setMode(a, (a.at(l.Focused())+n-1)%n)
	}
}

// DrawModes lists the draw modes as the menu does: first the automatic one.
func DrawModes(string) []string {
	names := []string{automatic}
	for _, e := range series.DrawModes {
		names = append(names, e.Name)
	}
	return names
}

func (l *Look) colorMode(step int) func(string) tea.Cmd {
	return func(args string) tea.Cmd {
		w := l.Focused()
		i, err := action.Choose(colorModes(""), int(w.ColorMode()), step, args)
		if err != nil {
			return l.sc.Refuse(err)
		}
		l.Change(w, "", func(s *timeline.Setup) {
			s.Drawing.Color, s.Drawing.Graph = raster.ColorModes[i].Mode, false
			s.Drawing.Codes = s.Drawing.Color == raster.CodeColor
		})
		l.sc.Say(raster.ColorModes[i].Name + ": " + raster.ColorModes[i].Doc)
		return nil
	}
}

func colorModes(string) []string {
	var names []string
	for _, e := range raster.ColorModes {
		names = append(names, e.Name)
	}
	return names
}

func (l *Look) gradientFunction(args string) tea.Cmd {
	w := l.Focused()
	i, err := action.Choose(gradients(""), w.Drawing.Gradient, 1, args)
	if err != nil {
		return l.sc.Refuse(err)
	}
	l.Change(w, "", func(s *timeline.Setup) {
		s.Drawing.Gradient = i
		if w.ColorMode() == raster.CodeColor {
			s.Drawing.Color = raster.Gradient
		}
	})
	l.sc.Say("gradient: " + raster.GradientFunctions[i].Name + ", " + raster.GradientFunctions[i].Doc)
	return nil
}

func gradients(string) []string {
	var names []string
	for _, g := range raster.GradientFunctions {
		names = append(names, g.Name)
	}
	return names
}

// setScale fixes the semantic scale at given values or at the present ones, or
// lets it fit.
func (l *Look) setScale(args string) tea.Cmd {
	w := l.Focused()
	scale, fixed := w.Paint.Scale, !w.Drawing.Fixed
	if args = strings.TrimSpace(args); args != "" {
		fixed = !strings.EqualFold(args, "fit")
		if fixed {
			list, err := notation.ParseAmounts(strings.ReplaceAll(args, "..", " "), w.Sem.Unit)
			if err != nil {
				return l.sc.Refuse(err)
			}
			if len(list) != 2 || !(list[0] < list[1]) {
				return l.sc.Refuse(errors.New("scale needs two numbers, the smaller first: scale 0 10, or scale fit"))
			}
			scale = raster.Scale{Min: list[0], Max: list[1]}
		}
	}
	l.Change(w, "", func(s *timeline.Setup) {
		s.Drawing.Fixed, s.Drawing.Scale = fixed, scale
		if !fixed {
			s.Drawing.Scale = raster.Scale{}
		}
	})
	if fixed {
		l.sc.Say(fmt.Sprintf("semantic scale fixed: %s to %s", raster.FormatValue(scale.Min, ""),
			raster.FormatValue(scale.Max, "")))
	} else {
		l.sc.Say("semantic scale fits the view")
	}
	return nil
}

func (l *Look) setLines(args string) tea.Cmd {
	w := l.Focused()
	i, err := action.Choose(timeline.CommLineNames[:], int(w.Drawing.Comms), 1, args)
	if err != nil {
		return l.sc.Refuse(err)
	}
	l.Change(w, "", func(s *timeline.Setup) {
		s.Drawing.Comms, s.Drawing.Between = timeline.CommLines(i), timeline.Pair{}
	})
	l.sc.Say("communication lines: " + timeline.CommLineNames[i])
	if w.Trace.Data.Comms.Len() == 0 {
		l.sc.Say("this trace has no messages")
	}
	return nil
}

// openLegend lists all values in view, the most frequent first; with on or off it shows or hides the legend.
func (l *Look) openLegend(args string) tea.Cmd {
	if args != "" {
		i, err := action.Choose([]string{"off", "on"}, 0, 0, args)
		if err != nil {
			return l.sc.Refuse(err)
		}
		l.Legend = i == 1
		return nil
	}
	w := l.Focused()
	p := &dialog.Picker{Title: "Legend", Empty: "the view is drawn by a scale, not by values", Keys: []dialog.Key{
		{Press: "enter", Word: "next place in the row", Run: func(_ *dialog.Picker, it *dialog.Item) tea.Cmd {
			return l.nextOf(it.Data.(float64))
		}},
	}}
	if w.ColorMode() == raster.CodeColor && !w.Drawing.Graph {
		entries := l.WithMirrored(w, &w.Paint.Legend).Entries
		slices.SortStableFunc(entries, func(a, b raster.LegendEntry) int { return cmp.Compare(b.Share, a.Share) })
		for _, e := range entries {
			p.Items = append(p.Items, dialog.Item{Text: e.Label, Also: raster.FormatValue(e.Value, ""),
				Detail: raster.FormatPercent(e.Share), Swatch: e.Cell, Data: e.Value})
		}
	}
	return l.sc.Dialogs.Open(p)
}

// nextOf puts the cursor on the next burst with a value in its row; after the last, the first.
func (l *Look) nextOf(v float64) tea.Cmd {
	w := l.Focused()
	s := w.SeriesOf(w.CursorRow)
	if s == nil {
		return nil
	}
	at := s.At(w.Cursor)
	for k := 1; k <= s.Len(); k++ {
		if begin, end, value := s.Burst((at + k) % s.Len()); value == v && end > begin {
			l.GoTo(w, begin, w.CursorRow)
			return nil
		}
	}
	l.sc.Say("the row at the cursor does not have this value")
	return nil
}
