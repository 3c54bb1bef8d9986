package network

import (
	"errors"
	"math"
	"slices"

	tea "charm.land/bubbletea/v2"

	"pview/insight/traffic"
	"pview/render/raster"
	"pview/sim/topology"
	"pview/tui/action"
	"pview/tui/list"
)

// The pane's actions and moves.

// Actions returns the pane's actions.
func (p *Pane) Actions() []action.Action {
	in := func(name string, keys []string, doc string, run func(string) tea.Cmd) action.Action {
		return action.Action{Name: name, Group: Title, Keys: keys, Doc: doc, InPane: true, NeedsView: true, Run: run}
	}
	return []action.Action{
		action.Action{Name: "network", Group: Title,
			Doc: "show which links carry the messages of the time in view, and who sends to whom", NeedsView: true,
			Run: p.sc.Opener(p)}.With(
			in("measure", []string{"b", "space"}, "show bytes, messages or distances in the matrix",
				func(string) tea.Cmd {
					if p.pages.At != pageMatrix {
						p.pages.At = pageMatrix
						return nil
					}
					p.measure = (p.measure + 1) % numMeasures
					return nil
				}),
			in("message", []string{"enter"}, "go to the next message of the pair, or over the link, in the window",
				p.message),
		),
	}
}

// PageNames returns the names of the pages.
func (p *Pane) PageNames() []string { return p.pages.Names }

// Page returns the position of the page that is shown.
func (p *Pane) Page() int { return p.pages.At }

// Moves returns the verbs of the list of links, or of the matrix, and of the pages.
func (p *Pane) Moves() list.Moves {
	moves := p.pages.Moves(func(err error) tea.Cmd {
		if err != nil {
			return p.sc.Refuse(err)
		}
		return nil
	})
	links := p.links.Moves()
	for v, by := range map[list.Verb]struct{ dx, dy int }{list.Up: {0, -1}, list.Down: {0, 1}, list.Left: {-1, 0},
		list.Right: {1, 0}, list.PageUp: {0, -10}, list.PageDown: {0, 10}, list.First: {0, -math.MaxInt32},
		list.Last: {0, math.MaxInt32}} {
		moves[v] = func(string) tea.Cmd {
			if p.pages.At == pageMatrix {
				p.moveInMatrix(by.dx, by.dy)
			} else if f := links[v]; f != nil && p.pages.At == pageLinks {
				return f("")
			}
			return nil
		}
	}
	return moves
}

// moveInMatrix moves by cells of the matrix.
func (p *Pane) moveInMatrix(dx, dy int) {
	if a := p.answer(); a != nil {
		step := max(p.drawn.step, 1)
		p.from, p.to = clamp(p.from+dy*step, a.traffic.Tasks), clamp(p.to+dx*step, a.traffic.Tasks)
	}
}

// answer returns the shown answer; nil for an error, or nothing yet.
func (p *Pane) answer() *answer {
	if p.shown == nil || p.shown.err != nil {
		return nil
	}
	return p.shown
}

// loads returns the links of the shown answer, the busiest first.
func (p *Pane) loads() []traffic.Load {
	if a := p.answer(); a != nil {
		return a.netmap.Loads
	}
	return nil
}

func clamp(v, n int) int { return max(0, min(v, n-1)) }

// message goes to the next message of the matrix's pair, or over the link.
func (p *Pane) message(string) tea.Cmd {
	a := p.answer()
	if a == nil {
		return nil
	}
	switch {
	case p.pages.At == pageMatrix:
		step := max(p.drawn.step, 1)
		from, to := p.from/step*step, p.to/step*step
		return p.next(func(x, y int32) bool { return x != y && int(x)/step*step == from && int(y)/step*step == to })
	case p.pages.At == pageLinks && p.links.At() >= 0:
		l := a.netmap.Loads[p.links.At()]
		over := map[[2]int32]bool{}
		var way []int
		for _, pair := range a.traffic.Pairs {
			way = topology.Route(a.net.Topology, int(a.net.At[pair.From]), int(a.net.At[pair.To]), way[:0])
			if slices.ContainsFunc(way, func(link int) bool {
				from, to := topology.Ends(a.net.Topology, link)
				return from == l.From && to == l.To
			}) {
				over[[2]int32{pair.From, pair.To}] = true
			}
		}
		return p.next(func(x, y int32) bool { return over[[2]int32{x, y}] })
	}
	return p.sc.Refuse(errors.New("no pair of the matrix and no link is chosen"))
}

// Click chooses a page, a link or a pair; again: goes to a message.
func (p *Pane) Click(x, y int, _ tea.MouseClickMsg, again bool) tea.Cmd {
	d, a := &p.drawn, p.answer()
	switch {
	case a == nil:
	case p.pages.At == pageLinks:
		if _, same := p.links.Click(x, y); same && again {
			return p.message("")
		}
	case p.pages.At == pageMatrix && d.cells.Has(x, y):
		was, step := [2]int{p.from, p.to}, max(d.step, 1)
		p.from = clamp((d.top+y-d.cells.Y)*step, a.traffic.Tasks)
		p.to = clamp((d.left+(x-d.cells.X)/cellWidth)*step, a.traffic.Tasks)
		if again && was == [2]int{p.from, p.to} {
			return p.message("")
		}
	}
	return nil
}

// Wheel moves up and down.
func (p *Pane) Wheel(_ tea.MouseWheelMsg, sign int) tea.Cmd {
	if p.pages.At == pageLinks {
		p.links.By(sign)
	} else {
		p.moveInMatrix(0, sign)
	}
	return nil
}

// Hints returns the keys of the page.
func (p *Pane) Hints() []action.Hint {
	switch {
	case p.pages.At == pageMatrix:
		return []action.Hint{
			{"page", "pages"}, {"move left, move right, move up, move down", "choose"},
			{"network message", "next message"}, {"network measure", "measure"}, {"leave", "back"},
		}
	case p.pages.At == pageLinks && len(p.loads()) > 0:
		return []action.Hint{
			{"page", "pages"}, {"move up, move down", "choose"}, {"network message", "next message"},
			{"network measure", "matrix"}, {"leave", "back"},
		}
	}
	return []action.Hint{{"page", "pages"}, {"network measure", "matrix"}, {"leave", "back"}}
}

// drawn holds the place of the matrix in the last drawing.
type drawn struct {
	cells     raster.Rect
	top, left int // first line and column of the cells
	step      int // tasks per cell of the matrix
}
