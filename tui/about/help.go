package about

import (
	"strings"

	"pview/render/raster"
	"pview/render/style"
	"pview/tui/action"
	"pview/tui/dialog"
)

// helpEntry lays out one line of the help: keys, name, what it does. What does not
// fit goes on below.
func helpEntry(th *style.Theme, width int, keys, name, args, doc string) []style.Line {
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
	keys = th.ASCII(keys)
	over := max(raster.TextWidth(keys)-(keyW-1), 0)
	if nameW > 0 { // its column makes room for wide keys
		keyW, nameW, over = keyW+over, max(nameW-over, raster.TextWidth(name)), 0
	}
	first := style.Line{{Text: " " + pad(keys, keyW-1) + " ", Style: th.PopupKey}}
	if nameW > 0 {
		first = append(first, style.Span{Text: pad(name, nameW) + " ", Style: th.Popup})
	}
	left := keyW + 1
	if nameW > 0 {
		left += nameW + 1
	}
	var lines []style.Line
	if over > 0 { // too wide for their column: they have a line of their own
		lines = append(lines, first)
	}
	for i, part := range style.Wrap(doc, max(width-left-1, 10)) {
		if i == 0 && over == 0 {
			lines = append(lines, append(first, style.Span{Text: part, Style: th.PopupDim}))
			continue
		}
		lines = append(lines, style.Line{{Text: strings.Repeat(" ", left) + part, Style: th.PopupDim}})
	}
	return lines
}

func pad(s string, width int) string {
	return s + strings.Repeat(" ", max(width-raster.TextWidth(s), 0))
}

var promptKeys = []action.Gesture{
	{Does: "Tab", Doc: "take the chosen completion"},
	{Does: "↑ ↓", Doc: "choose a completion; above the first: earlier lines"},
	{Does: "Enter", Doc: "do it"},
	{Does: "Esc", Doc: "leave it"},
	{Does: "Ctrl+A Ctrl+E", Doc: "begin, end of the line"},
	{Does: "Ctrl+W Ctrl+U", Doc: "delete the word, the line before the cursor"},
	{Does: action.KeyLabel(dialog.BrowseKey), Doc: "where a file is asked for: choose it in its folder"},
}

var helpNotes = []string{
	"Times: 1.25s, 300us, 50% of the run, a bare number in the trace's own unit; + or - is relative to the cursor.",
	"Type commands by name after :, arguments are shown in brackets.",
	"Other keys: a table [keys] in the configuration file (pview config names it), or keys = \"wasd\" there: w and s zoom, a and d pan, as in Perfetto.",
}

// Card lays out the keys that matter most in a pane, or in the windows where it is "", in columns.
func Card(pane string, keys [][2]string, th *style.Theme, width int) []style.Line {
	title := "Keys in the windows"
	if pane != "" {
		title = "Keys in " + pane + ", which has the focus; Esc gives it back to the windows"
	}
	lines := []style.Line{{{Text: title, Style: th.PopupTitle}}}
	columns := max(width/26, 1)
	cell := width / columns
	for i, k := range keys {
		if i%columns == 0 {
			lines = append(lines, nil)
		}
		last := &lines[len(lines)-1]
		*last = append(*last, style.Span{Text: " " + pad(th.ASCII(k[0]), 9) + " ", Style: th.PopupKey},
			style.Span{Text: pad(th.Cut(k[1], max(cell-12, 1)), max(cell-11, 1)), Style: th.Popup})
	}
	return append(lines, nil)
}

// HelpText lays out the help.
func HelpText(t *action.Table, groups []string, gestures []action.Gesture, th *style.Theme, width int) []style.Line {

	var lines []style.Line
	for _, g := range groups {
		lines = append(lines, style.Line{{Text: g, Style: th.PopupTitle}})
		pane := false
		for _, a := range t.Each() {
			if a.Group != g || a.Run == nil {
				continue
			}
			if a.InPane && !pane {
				pane = true
				lines = append(lines, nil, style.Line{{Text: "While " + g + " has the focus", Style: th.PopupTitle}})
			}
			lines = append(lines, helpEntry(th, width, action.JoinKeys(a.Keys), a.Name, a.Args, a.Doc)...)
		}
		lines = append(lines, nil)
	}
	lines = append(lines, style.Line{{Text: "Mouse", Style: th.PopupTitle}})
	for _, g := range gestures {
		lines = append(lines, helpEntry(th, width, g.Does, "", "", g.Doc)...)
	}
	lines = append(lines, nil, style.Line{{Text: "In prompts and lists", Style: th.PopupTitle}})
	for _, e := range promptKeys {
		lines = append(lines, helpEntry(th, width, e.Does, "", "", e.Doc)...)
	}
	lines = append(lines, nil)
	for _, text := range helpNotes {
		for _, part := range style.Wrap(text, width) {
			lines = append(lines, style.Line{{Text: part, Style: th.PopupDim}})
		}
	}
	return lines
}
