package tui

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"pview/tui/raster"
)

// The help, made from the tables of actions and gestures.

func openHelp(m *Model, _ string) tea.Cmd {
	return m.openPager(&pager{title: "Help", layout: helpLines})
}

func helpLines(th *theme, width int) []styledLine {
	var lines []styledLine
	for _, g := range groupOrder {
		lines = append(lines, styledLine{{g, th.popupTitle}})
		pane := false
		for i := range actions {
			a := &actions[i]
			if a.Group != g {
				continue
			}
			if a.InPane && !pane {
				pane = true
				lines = append(lines, nil, styledLine{{"While " + g + " has the focus", th.popupTitle}})
			}
			lines = append(lines, helpEntry(th, width, joinKeys(a.Keys), a.Name, a.Args, a.Doc)...)
		}
		lines = append(lines, nil)
	}
	lines = append(lines, styledLine{{"Mouse", th.popupTitle}})
	for _, g := range gestures {
		lines = append(lines, helpEntry(th, width, g.Gesture, "", "", g.Doc)...)
	}
	lines = append(lines, nil, styledLine{{"In prompts and lists", th.popupTitle}})
	for _, e := range promptKeys {
		lines = append(lines, helpEntry(th, width, e.Gesture, "", "", e.Doc)...)
	}
	lines = append(lines, nil)
	for _, text := range helpNotes {
		for _, part := range wrap(text, width) {
			lines = append(lines, styledLine{{part, th.popupDim}})
		}
	}
	return lines
}

// helpEntry lays out one line of the help: keys, name, what it does. What does not
// fit goes on below.
func helpEntry(th *theme, width int, keys, name, args, doc string) []styledLine {
	keyW, nameW := 16, 17
	if width < 92 {
		keyW, nameW = 14, 0
	}
	switch {
	case name == "":
		keyW, nameW = keyW+nameW+2, 0
	case nameW == 0 || args != "":
		doc += "  :" + strings.TrimSpace(name+" "+args)
	}
	keys = th.ascii(keys)
	first := styledLine{{" " + pad(keys, keyW-1) + " ", th.popupKey}}
	if nameW > 0 {
		first = append(first, span{pad(name, nameW) + " ", th.popup})
	}
	room := width - keyW - nameW - 3
	var lines []styledLine
	for i, part := range wrap(doc, max(room, 10)) {
		if i == 0 {
			lines = append(lines, append(first, span{part, th.popupDim}))
			continue
		}
		indent := strings.Repeat(" ", raster.TextWidth(first.plain()))
		lines = append(lines, styledLine{{indent + part, th.popupDim}})
	}
	return lines
}

func pad(s string, width int) string {
	return s + strings.Repeat(" ", max(width-raster.TextWidth(s), 0))
}

var promptKeys = []Gesture{
	{"Tab", "take the completion that is chosen"},
	{"↑ ↓", "choose a completion; above the first: earlier lines"},
	{"Enter", "do it"},
	{"Esc", "leave it"},
	{"Ctrl+A Ctrl+E", "begin, end of the line"},
	{"Ctrl+W Ctrl+U", "delete the word, the line before the cursor"},
}

var helpNotes = []string{
	"Times: 1.25s, 300us, 50% of the run, a bare number in the trace's own unit; with + or - from the cursor on.",
	"Every command can be typed after : by its name, and what is in brackets there.",
}
