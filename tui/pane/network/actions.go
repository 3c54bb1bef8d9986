package network

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"pview/render/raster"
	"pview/render/style"
	"pview/sim/topology"
	"pview/tui/action"
)

// What can be done with the pane.

// Actions are what can be done with the pane.
func (p *Pane) Actions() []action.Action {
	in := func(name string, keys []string, doc string, run func(string) tea.Cmd) action.Action {
		return action.Action{Name: name, Group: Title, Keys: keys, Doc: doc, InPane: true, NeedsView: true, Run: run}
	}
	move := func(dx, dy int) func(string) tea.Cmd {
		return func(string) tea.Cmd { p.move(dx, dy); return nil }
	}
	turn := func(by int) func(string) tea.Cmd {
		return func(string) tea.Cmd { p.page = (p.page + by + len(pages)) % len(pages); return nil }
	}
	return []action.Action{
		{Name: "network", Group: Title, Keys: []string{"alt+n"},
			Doc: "show which links carry the messages of the time in view, and who sends to whom", NeedsView: true,
			Run: p.open},
		in("network-up", []string{"up", "k"}, "go to the link, or the sender, above", move(0, -1)),
		in("network-down", []string{"down", "j"}, "go to the link, or the sender, below", move(0, 1)),
		in("network-left", []string{"left", "h"}, "go to the receiver at the left", move(-1, 0)),
		in("network-right", []string{"right", "l"}, "go to the receiver at the right", move(1, 0)),
		in("network-page", []string{"]", "tab"}, "show the next page: links, matrix, distances", turn(1)),
		in("network-page-back", []string{"["}, "show the page before", turn(-1)),
		in("network-measure", []string{"b", "space"}, "show bytes, messages or distances in the matrix",
			func(string) tea.Cmd {
				p.measure = (p.measure + 1) % numMeasures
				return nil
			}),
		in("network-message", []string{"enter"}, "go to the next message of the pair, or over the link, in the window",
			p.message),
		in("network-leave", []string{"esc"}, "stop what is under way; else go back to the window", p.leave),
	}
}

func (p *Pane) open(string) tea.Cmd {
	p.sc.Show(p, true)
	return nil
}

func (p *Pane) leave(string) tea.Cmd {
	if !p.Cancel() {
		p.sc.Leave()
	}
	return nil
}

// move goes to another link, or through the matrix.
func (p *Pane) move(dx, dy int) {
	a := p.shown
	if a == nil || a.err != nil {
		return
	}
	switch p.page {
	case pageLinks:
		p.link = max(0, min(p.link+dy, len(a.netmap.Loads)-1))
	case pageMatrix:
		step := max(p.drawn.step, 1)
		p.from = clamp(p.from+dy*step, a.traffic.Tasks)
		p.to = clamp(p.to+dx*step, a.traffic.Tasks)
	}
}

func clamp(v, n int) int { return max(0, min(v, n-1)) }

// message goes to the next message of the pair of the matrix, or over the link.
func (p *Pane) message(string) tea.Cmd {
	a := p.shown
	if a == nil || a.err != nil {
		return nil
	}
	switch {
	case p.page == pageMatrix:
		step := max(p.drawn.step, 1)
		from, to := p.from/step*step, p.to/step*step
		return p.next(func(x, y int32) bool { return x != y && int(x)/step*step == from && int(y)/step*step == to })
	case p.page == pageLinks && p.link < len(a.netmap.Loads):
		l := a.netmap.Loads[p.link]
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
	return nil
}

// Click chooses a page, a link or a pair; again: goes to a message.
func (p *Pane) Click(x, y int, _ tea.MouseClickMsg, again bool) tea.Cmd {
	d := &p.drawn
	if y == d.pagesAt {
		if i := style.TabAt(d.pages, x-1); i >= 0 {
			p.page = i
		}
		return nil
	}
	a := p.shown
	if a == nil || a.err != nil || !d.cells.Has(x, y) {
		return nil
	}
	x, y = x-d.cells.X, y-d.cells.Y
	was := [3]int{p.from, p.to, p.link}
	switch p.page {
	case pageLinks:
		p.link = clamp(d.top+y, len(a.netmap.Loads))
	case pageMatrix:
		step := max(d.step, 1)
		p.from, p.to = clamp((d.top+y)*step, a.traffic.Tasks), clamp((d.left+x/cellWidth)*step, a.traffic.Tasks)
	}
	if again && was == [3]int{p.from, p.to, p.link} {
		return p.message("")
	}
	return nil
}

// Wheel moves up and down.
func (p *Pane) Wheel(_ tea.MouseWheelMsg, sign int) tea.Cmd {
	p.move(0, sign)
	return nil
}

// Hints are the keys of the pane.
func (p *Pane) Hints() [][2]string {
	return [][2]string{{"[ ]", "links, matrix, distances"}, {"↑↓←→", "choose"}, {"Enter", "next message"},
		{"b", "bytes, messages, distance"}, {"Esc", "back"}}
}

// drawn is what stood where when the pane was drawn last.
type drawn struct {
	pagesAt   int
	pages     []int // first column of each page's name
	cells     raster.Rect
	top, left int // first line and column of the cells
	step      int // tasks to a cell of the matrix
}
