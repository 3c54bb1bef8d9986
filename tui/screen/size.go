package screen

import (
	"context"
	"io"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/term"
)

// The size of the terminal is a claim, too: one of 5000 columns and rows takes gigabytes of cells. Drawing has limits
// that no physical screen reaches; the rest of a larger terminal stays empty.

// Limits of drawing, in cells.
const (
	MostColumns = 1600
	MostRows    = 600
)

// The size assumed for a terminal that reports none: a serial line, or the pseudo-terminal of docker exec -t.
const (
	plainColumns = 80
	plainRows    = 24
)

// Limited returns a filter of messages that limits the size of the terminal, assumes one if it reports 0x0, and reads a
// Ctrl+C right after an Esc, which arrives as Ctrl+Alt+C, as Ctrl+C.
func Limited(_ tea.Model, msg tea.Msg) tea.Msg {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		if msg.Width == 0 || msg.Height == 0 {
			return tea.WindowSizeMsg{Width: plainColumns, Height: plainRows}
		}
		return tea.WindowSizeMsg{Width: min(msg.Width, MostColumns), Height: min(msg.Height, MostRows)}
	case tea.KeyPressMsg:
		if msg.Code == 'c' && msg.Mod == tea.ModCtrl|tea.ModAlt {
			msg.Mod = tea.ModCtrl
			return msg
		}
	}
	return msg
}

// Huge returns the options for a terminal beyond the limits; nil for any other. Bubble Tea allocates the size of a
// file's terminal before it can be told otherwise, so it is given no file, and Resizes sends it the sizes.
func Huge(out io.Writer, env []string) []tea.ProgramOption {
	f, ok := out.(term.File)
	if !ok {
		return nil
	}
	w, h, err := term.GetSize(f.Fd())
	if err != nil || w <= MostColumns && h <= MostRows {
		return nil
	}
	return []tea.ProgramOption{
		tea.WithOutput(struct{ io.Writer }{out}), tea.WithColorProfile(colorprofile.Detect(f, env)),
		tea.WithWindowSize(min(w, MostColumns), min(h, MostRows)),
	}
}

// Resizes tells the program about changes of the terminal's size, until ctx ends: for a program started with Huge.
func Resizes(ctx context.Context, out io.Writer, p *tea.Program) {
	f, ok := out.(term.File)
	if !ok {
		return
	}
	lastW, lastH, _ := term.GetSize(f.Fd())
	for tick := time.NewTicker(time.Second / 4); ; {
		select {
		case <-ctx.Done():
			tick.Stop()
			return
		case <-tick.C:
		}
		if w, h, err := term.GetSize(f.Fd()); err == nil && (w != lastW || h != lastH) {
			lastW, lastH = w, h
			p.Send(tea.WindowSizeMsg{Width: w, Height: h})
		}
	}
}
