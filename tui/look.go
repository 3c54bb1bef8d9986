package tui

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"pview/prv/quantity"
	"pview/render/raster"
	"pview/tui/action"
	"pview/tui/pane"
)

// themes are the arguments of the action "theme": the terminal's background, and the colours of data.
var themes = []struct {
	name       string
	background bool // it sets the background
	set        func(t *terminal)
}{
	{"dark", true, func(t *terminal) { t.dark, t.background = true, raster.NoColor }},
	{"light", true, func(t *terminal) { t.dark, t.background = false, raster.NoColor }},
	{"calm", false, func(t *terminal) { t.paraver = false }},
	{"paraver", false, func(t *terminal) { t.paraver = true }},
}

// ThemeNames lists the themes.
func ThemeNames() (names []string) {
	for _, t := range themes {
		names = append(names, t.name)
	}
	return names
}

// actions returns the actions that change how the whole screen looks.
func (t *terminal) actions(sc *pane.Scene) []action.Action {
	return action.Of(action.GroupLook, []action.Action{
		{Name: "theme", Keys: []string{"f5"}, Args: "[dark|light|calm|paraver]", Doc: "toggle dark and light " +
			"background; calm: one colour per meaning, as in other runs; paraver: the colours of the .pcf",
			Run:      func(args string) tea.Cmd { return t.setTheme(sc, args) },
			Complete: func(string) []string { return ThemeNames() }},
		{Name: "units", Keys: []string{"alt+u"}, Args: "[auto|ns|us|ms|s]", Doc: "unit of times on the axis, in " +
			"tables and texts: next, or the one named; auto is the most readable one",
			Run:      func(args string) tea.Cmd { return setUnits(sc, args) },
			Complete: func(string) []string { return quantity.TimeUnits }},
		{Name: "ascii", Keys: []string{"f6"}, Doc: "toggle ASCII-only drawing", Run: action.Do(func() {
			t.ascii = !t.ascii
			t.restyle()
		})},
		{Name: "mouse", Keys: []string{"f8"}, Doc: "leave the mouse to the terminal, to select text, or take it back",
			Run: action.Do(func() {
				if t.mouseOff = !t.mouseOff; t.mouseOff {
					sc.Say("the mouse selects text; " + sc.KeysOf("mouse") + " takes it back")
				}
			})},
	})
}

func (t *terminal) setTheme(sc *pane.Scene, args string) tea.Cmd {
	at := 0
	if t.dark {
		at = 1
	}
	if args != "" {
		var err error
		if at, err = action.Choose(ThemeNames(), 0, 0, args); err != nil {
			return sc.Refuse(err)
		}
	}
	themes[at].set(t)
	t.restyle()
	return nil
}

// setUnits sets the unit of times on the screen, and of durations in windows opened from now on. Open windows keep
// their unit, since a filter may compare durations.
func setUnits(sc *pane.Scene, args string) tea.Cmd {
	i, err := action.Choose(quantity.TimeUnits, slices.Index(quantity.TimeUnits, quantity.TimeUnit()), 1, args)
	if err == nil {
		err = quantity.UseTimeUnit(quantity.TimeUnits[i])
	}
	if err != nil {
		return sc.Refuse(err)
	}
	unit := quantity.TimeUnit()
	if unit == quantity.TimeUnits[0] {
		unit = "the most readable unit"
	}
	sc.Say("times are in " + unit)
	return nil
}
