package study

import (
	"fmt"
	"slices"

	"pview/render/raster"
	"pview/render/style"
	"pview/sim/study"
)

// The table of the runs: number, inputs, outputs, and what became of each.

const (
	numberWidth = 7
	leastCell   = 10
	mostCell    = 18
	markWidth   = 9  // "greatest"
	failWidth   = 24 // the reason of a failure, as far as it goes
)

// statusWidth is the room for what became of a run.
func (s *session) statusWidth() int {
	if s.state.Failed+s.state.Killed > 0 {
		return failWidth
	}
	return markWidth
}

// head is the name of a column of the table; 0 is the number of the run.
func (s *session) head(i int) string {
	if i == 0 {
		return "run"
	}
	return s.info(i - 1).Name
}

// width is the width of a column of the table.
func (s *session) width(i int) int {
	if i == 0 {
		return numberWidth
	}
	return min(max(raster.TextWidth(s.head(i))+2, leastCell), mostCell)
}

// drawTable draws the rows in their order, with the chosen one in view.
func (p *Pane) drawTable(c raster.Canvas, s *session) {
	th := p.sc.Theme
	p.placeColumns(c, s)
	for k, x := range p.drawn.starts {
		i := p.drawn.first + k
		name, st := s.head(i), th.Dim
		if abs(s.sorted)-1 == i-1 && s.sorted != 0 {
			arrow := map[bool]string{true: "▲", false: "▼"}
			name += th.ASCII(arrow[s.sorted > 0])
		}
		if i == s.column {
			if st = th.Bold; p.sc.Focused {
				st = th.Accent
			}
		}
		c.TextIn(x, 0, s.width(i)-1, th.Cut(name, s.width(i)-1), st, true)
	}
	body := c.Sub(0, 1, c.W, c.H-1)
	order := s.ordered()
	if at := slices.Index(order, s.position()); at >= 0 {
		s.top = min(max(s.top, at-body.H+1), at)
	}
	s.top = max(min(s.top, len(order)-body.H), 0)
	least, greatest := s.extremes()
	low, high := s.info(s.y).Ends()
	for y := range min(body.H, len(order)-s.top) {
		k := order[s.top+y]
		st := th.Text
		line := body.Sub(0, y, body.W, 1)
		if k == s.position() {
			if st = th.PopupSel; !p.sc.Focused {
				st = th.Bold
			}
			line.Fill(raster.Cell{Rune: ' ', Style: st})
		}
		p.drawRow(line, s, k, st, map[int]string{least: low, greatest: high}[k])
	}
	style.DrawScrollbar(body, s.top, body.H, len(order), th)
}

func abs(n int) int { return max(n, -n) }

// placeColumns finds the columns for which there is room: with the one at the cursor.
func (p *Pane) placeColumns(c raster.Canvas, s *session) {
	room := c.W - s.statusWidth() - 1
	first := 0
	for {
		x := 0
		p.drawn.first, p.drawn.starts = first, nil
		for i := first; i <= s.count() && x+s.width(i) <= room; i++ {
			p.drawn.starts = append(p.drawn.starts, x)
			x += s.width(i)
		}
		if first+len(p.drawn.starts) > s.column || first >= s.column {
			return
		}
		first++
	}
}

func (p *Pane) drawRow(c raster.Canvas, s *session, k int, st raster.Style, mark string) {
	th, r := p.sc.Theme, &s.table.Rows[k]
	end := 0
	for n, x := range p.drawn.starts {
		i := p.drawn.first + n
		text := fmt.Sprint(r.Index)
		if i > 0 {
			text = s.text(s.value(r, i-1), i-1)
		}
		c.TextIn(x, 0, s.width(i)-1, th.Cut(text, s.width(i)-1), st, true)
		end = x + s.width(i)
	}
	note := map[string]raster.Style{"best": th.Good, "worst": th.Alarm, "least": th.Accent, "greatest": th.Accent}[mark]
	if r.Status != study.Done {
		mark, note = r.Status.String()+": "+r.Reason, th.Warn
	}
	note.BG = st.BG
	c.Text(end+1, 0, th.Cut(mark, c.W-end-2), note)
}
