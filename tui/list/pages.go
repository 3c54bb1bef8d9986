package list

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"pview/render/raster"
	"pview/tui/action"
)

// Pages are the pages of a pane, of which one is shown.
type Pages struct {
	Names []string
	At    int // the page that is shown

	tabs   raster.Rect
	starts []int // first column of each name in tabs, as drawn last
}

// spare is the number of columns beside the names that others may use.
const spare = 8

// Turn goes to the page of a name, or a number of pages further if the name is "".
func (p *Pages) Turn(by int, name string) error {
	at, err := action.Choose(p.Names, p.At, by, name)
	if err == nil {
		p.At = at
	}
	return err
}

// Moves returns the verbs of turning pages. turned is called with the outcome.
func (p *Pages) Moves(turned func(err error) tea.Cmd) Moves {
	return Moves{
		NextPage:     func(name string) tea.Cmd { return turned(p.Turn(1, name)) },
		PreviousPage: func(name string) tea.Cmd { return turned(p.Turn(-1, name)) },
	}
}

// Draw writes the names, two columns apart or one if there is less room, and returns the column after them.
func (p *Pages) Draw(k Look, c raster.Canvas) (end int) {
	p.tabs = c.Within(k.Pane)
	gap := 2
	if raster.TextWidth(strings.Join(p.Names, "  ")) > c.W-spare {
		gap = 1
	}
	p.starts, end = k.Theme.DrawTabs(c, 0, gap, p.Names, p.At, k.Focused)
	return end
}

// Click turns to the page whose name is at a place of the pane; it reports whether one is.
func (p *Pages) Click(x, y int) bool {
	if !p.tabs.Has(x, y) {
		return false
	}
	x -= p.tabs.X
	for i, start := range p.starts {
		if x >= start && x < start+raster.TextWidth(p.Names[i]) {
			p.At = i
			return true
		}
	}
	return false
}
