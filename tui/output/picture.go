package output

import (
	"fmt"
	"io"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"pview/prv"
	"pview/render/picture"
	"pview/tui/action"
	"pview/tui/pane"
	"pview/tui/paths"
)

// Pictures returns the action that draws the part in focus as a picture.
func (o *Writer) Pictures() []action.Action {
	return action.OfView(action.GroupWindows, []action.Action{
		{Name: "export", Keys: []string{"E"}, Args: "FILE", Doc: "write the windows, or the figure or " +
			"table of the page in focus, as a picture in the format of the file's ending: " +
			strings.Join(picture.Endings(), ", ") + "; html alone: beside the trace; a size may follow, 1600x900",
			Run: o.export, Complete: paths.Complete(picture.Endings()...),
			Prefill: func() string { return o.picturePath(".png") }},
	})
}

// picturePath returns an unused name next to the trace.
func (o *Writer) picturePath(ending string) string {
	name := o.base() + ending
	for i := 2; paths.Exists(name); i++ {
		name = fmt.Sprintf("%s-%d%s", o.base(), i, ending)
	}
	return name
}

// export takes FILE, or FILE and WIDTHxHEIGHT. FILE may be an ending alone.
func (o *Writer) export(args string) tea.Cmd {
	path, width, height := paths.Typed(args), 0.0, 0.0
	if i := strings.LastIndexByte(args, ' '); i > 0 {
		if w, h, err := picture.ParseSize(args[i+1:]); err == nil {
			path, width, height = paths.Typed(args[:i]), w, h
		}
	}
	if ending := "." + strings.TrimPrefix(path, "."); slices.Contains(picture.Endings(), ending) {
		path = o.picturePath(ending)
	}
	format := picture.FormatOf(path)
	if format == nil {
		return o.sc.Refuse(fmt.Errorf("%s: the name of a picture ends in one of %s", path,
			strings.Join(picture.Endings(), ", ")))
	}
	fig, name, err := o.Figure()
	if err != nil {
		return o.sc.Refuse(err)
	}
	fig.Width, fig.Height, fig.Scale = width, height, 2
	if width > 0 {
		fig.Scale = 1
	}
	return o.Overwrite(func() tea.Cmd {
		o.sc.Say("writing " + path)
		o.writers.Add(1)
		return func() tea.Msg {
			defer o.writers.Done()
			err := prv.SaveFile(path, func(w io.Writer) error { return fig.Write(w, format) })
			return pane.Result(func() tea.Cmd {
				if err != nil {
					o.sc.Alarm(fmt.Sprintf("the picture was not written: %v", err))
					return nil
				}
				o.sc.Say(name + " saved as " + path + sizeOf(path))
				return nil
			})
		}
	}, path)
}
