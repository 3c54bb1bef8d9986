package about

import (
	"strings"

	"pview/render/raster"
	"pview/render/style"
	"pview/tui/action"
	"pview/tui/dialog"
)

// helpEntry lays out one line of the help: keys, name, what it does. The rest is wrapped to the lines below.
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
	{Does: "Ctrl+A Ctrl+E", Doc: "start, end of the line"},
	{Does: "Ctrl+W Ctrl+U", Doc: "delete the word, the line before the cursor"},
	{Does: action.KeyLabel(dialog.BrowseKey), Doc: "where a file is asked for: choose it in its folder"},
}

var helpNotes = []string{
	"Times: 1.25s, 300us, 50% of the run, a bare number in the trace's own unit; + or - is relative to the cursor.",
	"Type commands by name after :, arguments are shown in brackets.",
	"Other keys: a table [keys] in the configuration file (pview config names it), or keys = \"wasd\" there: w and s " +
		"zoom, a and d pan, as in Perfetto.",
}

// A Part is a part of the card: keys, and what they do in a word or two.
type Part struct {
	Title string
	Keys  [][2]string
}

// Card lays out the keys that matter most, in columns: one screen of 80x24.
func Card(title string, parts []Part, th *style.Theme, width int) []style.Line {
	var lines []style.Line
	for _, part := range style.Wrap(title, width) {
		lines = append(lines, style.Line{{Text: part, Style: th.PopupTitle}})
	}
	const least, keyWidth = 25, 10 // columns of a cell, and of the keys in it
	columns := max(width/least, 1)
	cell := width / columns
	for _, part := range parts {
		lines = append(lines, style.Line{{Text: part.Title, Style: th.PopupDim}})
		for i, k := range part.Keys {
			if i%columns == 0 {
				lines = append(lines, nil)
			}
			last := &lines[len(lines)-1]
			keys := " " + pad(th.ASCII(k[0]), keyWidth-2) + " "
			room := max(cell-raster.TextWidth(keys), 1)
			*last = append(*last, style.Span{Text: keys, Style: th.PopupKey},
				style.Span{Text: pad(th.Cut(k[1], room-1), room), Style: th.Popup})
		}
	}
	const more = "↓ all keys and commands; / searches here, : finds commands by words"
	for _, part := range style.Wrap(more, width) {
		lines = append(lines, style.Line{{Text: th.ASCII(part), Style: th.PopupDim}})
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
