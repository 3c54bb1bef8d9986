package tui

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	tea "charm.land/bubbletea/v2"

	"pview/prv"
	"pview/render/picture"
	"pview/render/raster"
	"pview/tui/pane"
	"pview/tui/paths"
)

// A picture of what is on the screen, to be taken along: the windows that are seen, one below the other, and the table
// of the analyzer when that is shown. It is made of the values, not of the cells: in pixels or shapes, at any size.

var exportActions = []deed{
	{Name: "export", Group: groupWindows, Keys: []string{"alt+e"}, Args: "FILE",
		Doc: "write what is on the screen as a picture, by the file's name: " + strings.Join(picture.Endings(),
			", ") + "; a size may follow, 1600x900", needsWindow: true, run: export,
		complete: anyModel(paths.Complete(picture.Endings()...)), prefill: (*Model).exportPath},
}

type exportedMsg struct {
	path string
	err  error
}

// exportPath is a name beside the trace that no file has.
func (m *Model) exportPath() string {
	base := "demo"
	if path := m.Focused().Trace.Data.Path; path != "" {
		base = prv.Base(path)
	}
	name := base + ".png"
	for i := 2; paths.Exists(name); i++ {
		name = fmt.Sprintf("%s-%d.png", base, i)
	}
	return name
}

// export takes FILE, or FILE and WIDTHxHEIGHT.
func export(m *Model, args string) tea.Cmd {
	if args == "" {
		return m.promptFor("export")
	}
	path, width, height := paths.Typed(args), 0.0, 0.0
	if i := strings.LastIndexByte(args, ' '); i > 0 {
		if w, h, err := picture.ParseSize(args[i+1:]); err == nil {
			path, width, height = paths.Typed(args[:i]), w, h
		}
	}
	format := picture.FormatOf(path)
	if format == nil {
		return m.scene.Refuse(fmt.Errorf("%s: the name of a picture ends in one of %s", path,
			strings.Join(picture.Endings(), ", ")))
	}
	fig, err := m.figure()
	if err != nil {
		return m.scene.Refuse(err)
	}
	fig.Width, fig.Height, fig.Scale = width, height, 2
	if width > 0 {
		fig.Scale = 1
	}
	return m.overwriting(func() tea.Cmd {
		m.scene.Say("writing " + path)
		m.writers.Add(1)
		return func() tea.Msg {
			defer m.writers.Done()
			return exportedMsg{path, prv.SaveFile(path, func(w io.Writer) error { return fig.Write(w, format) })}
		}
	}, path)
}

// figure is what is on the screen.
func (m *Model) figure() (*picture.Figure, error) {
	fig := &picture.Figure{Dark: m.dark, Title: strings.Join(traceFacts(m.Focused().Trace), ", ")}
	first, n := m.screen().windowsOnScreen()
	for _, w := range m.Windows[first : first+n] {
		switch {
		case w.Values.Err != nil:
			continue
		case w.Busy():
			return nil, errors.New("the windows are still being computed; try again in a moment")
		}
		p := picture.OfView(w, fig.Dark)
		p.Note = w.Trace.Name
		if w.Begin > 0 || w.End < w.Trace.Data.Duration {
			from, to := raster.FormatInterval(w.Begin, w.End, w.Trace.Data.Unit, 1000)
			p.Note += ", " + from + " to " + to
		}
		p.Flags = m.panes.flags(w.Trace)
		fig.Panels = append(fig.Panels, p)
	}
	if of, ok := m.panes.current().(pane.Pictured); ok && m.panes.open {
		panels, err := of.Panels(fig.Dark)
		if err != nil {
			return nil, err
		}
		fig.Panels = append(fig.Panels, panels...)
	}
	if len(fig.Panels) == 0 {
		return nil, errors.New("there is nothing on the screen that could be drawn")
	}
	return fig, nil
}

func (msg exportedMsg) tell(m *Model) tea.Cmd {
	if msg.err != nil {
		m.scene.Alarm(fmt.Sprintf("the picture was not written: %v", msg.err))
		return nil
	}
	text := "picture saved as " + msg.path
	if info, err := os.Stat(msg.path); err == nil {
		text += ", " + sizeText(info.Size())
	}
	m.scene.Say(text)
	return nil
}
