package dialog

import (
	"slices"
	"strings"

	"charm.land/bubbles/v2/viewport"
	tea "charm.land/bubbletea/v2"

	"pview/render/raster"
	"pview/render/style"
	"pview/tui/screen"
)

// Pager is a text in a box that can be scrolled and searched: the help, the problems of a trace, what a trace contains.
// Its lines are laid out again for each width.
type Pager struct {
	Title  string
	Layout func(th *style.Theme, width int) []style.Line

	view  viewport.Model
	lines []style.Line // in view, broken where they were wider
	laid  layout       // of the lines

	find    Input
	finding bool
	found   string // what is searched for; "" for nothing
}

// layout holds everything that the lines of a pager depend on, except the text itself.
type layout struct {
	theme *style.Theme
	width int
	fresh bool // nothing has happened since that may have changed the text
}

// Top returns the first line that is shown.
func (p *Pager) Top() int { return p.view.YOffset() }

// lay updates what is shown: the text and the size of the screen may have changed.
func (p *Pager) lay(h *Host) {
	body := p.body(h)
	p.view.SetWidth(body.W)
	p.view.SetHeight(body.H)
	p.view.SetYOffset(p.view.YOffset())
	now := layout{h.Theme, body.W, true}
	if now == p.laid {
		return
	}
	p.laid = now
	var lines []style.Line
	for _, line := range p.Lines(h) {
		lines = append(lines, line.Break(body.W)...)
	}
	if slices.EqualFunc(lines, p.lines, slices.Equal[style.Line]) {
		return
	}
	p.lines = lines
	text := make([]string, len(lines))
	for i, line := range lines {
		for _, s := range line {
			text[i] += screen.Span(s.Text, s.Style)
		}
	}
	p.view.SetContentLines(text)
}

// Key handles a key.
func (p *Pager) Key(h *Host, k tea.KeyPressMsg) tea.Cmd {
	p.lay(h)
	if p.finding {
		switch k.String() {
		case "esc", "ctrl+c":
			p.finding, p.found = false, ""
		case "enter":
			p.finding = false
		default:
			if p.find.key(k) {
				p.found = p.find.String()
				p.next(p.Top(), 1)
			}
		}
		return nil
	}
	page := max(p.view.Height()-1, 1)
	switch k.String() {
	case "esc":
		if p.found == "" {
			h.Close()
		}
		p.found = ""
	case "q", "?", "enter", "ctrl+c":
		h.Close()
	case "/":
		p.finding, p.find = true, Input{}
	case "n":
		p.next(p.Top()+1, 1)
	case "N", "shift+n":
		p.next(p.Top()-1, -1)
	case "up", "k":
		p.view.ScrollUp(1)
	case "down", "j":
		p.view.ScrollDown(1)
	case "pgup", "b", "ctrl+b", "ctrl+u":
		p.view.ScrollUp(page)
	case "pgdown", "space", "f", "ctrl+f", "ctrl+d":
		p.view.ScrollDown(page)
	case "home", "g":
		p.view.GotoTop()
	case "end", "G", "shift+g":
		p.view.GotoBottom()
	}
	return nil
}

// next moves to the next line, from the given one on, that contains the searched text.
func (p *Pager) next(from, step int) {
	if p.found == "" {
		return
	}
	for i := from; i >= 0 && i < len(p.lines); i += step {
		if strings.Contains(strings.ToLower(p.lines[i].Plain()), strings.ToLower(p.found)) {
			p.view.SetYOffset(i)
			return
		}
	}
}

// Lines returns the text as it is laid out for the screen.
func (p *Pager) Lines(h *Host) []style.Line {
	return p.Layout(h.Theme, p.body(h).W)
}

func (p *Pager) Paste(*Host, string) tea.Cmd { return nil }

func (p *Pager) Mouse(h *Host, msg tea.MouseMsg) tea.Cmd {
	p.lay(h)
	switch e := msg.(type) {
	case tea.MouseWheelMsg:
		if e.Button == tea.MouseWheelUp {
			p.view.ScrollUp(3)
		} else if e.Button == tea.MouseWheelDown {
			p.view.ScrollDown(3)
		}
	case tea.MouseClickMsg:
		if b := p.box(h.W, h.H); !b.Has(e.X, e.Y) {
			h.Close()
		}
	}
	return nil
}

func (p *Pager) box(w, h int) raster.Rect {
	bw := min(w-2, 130)
	if w <= 84 {
		bw = w
	}
	bh := h - 2
	if h < 24 {
		bh = h
	}
	return raster.Rect{X: (w - bw) / 2, Y: (h - bh) / 2, W: bw, H: bh}
}

// body returns the size of the part of the box that shows the text.
func (p *Pager) body(h *Host) raster.Rect {
	if h.small() {
		return raster.Rect{W: h.W, H: h.H}
	}
	box := p.box(h.W, h.H)
	return raster.Rect{W: max(box.W-4, 0), H: max(box.H-3, 0)}
}

// Brief returns the text from the first line in view on.
func (p *Pager) Brief(h *Host) (lines []string) {
	if p.finding {
		lines = append(lines, "/"+p.find.String())
	}
	p.lay(h)
	for _, line := range p.lines[min(p.Top(), len(p.lines)):] {
		if text := strings.TrimSpace(line.Plain()); text != "" {
			lines = append(lines, text)
		}
	}
	return lines
}

// Draw draws the box and the text in it.
func (p *Pager) Draw(h *Host, on raster.Canvas) *tea.Position {
	th := h.Theme
	r := p.box(on.W, on.H)
	box := on.Sub(r.X, r.Y, r.W, r.H)
	box.Fill(raster.Cell{Rune: ' ', Style: th.Popup})
	box.Box(th.Glyphs, th.Border)
	box.Text(2, 0, " "+p.Title+" ", th.PopupTitle)
	body := box.Sub(2, 1, box.W-3, box.H-3)
	p.lay(h)
	screen.Paint(body.Sub(0, 0, body.W-1, body.H), 0, 0, p.view.View(), th.Popup)
	for y, line := range p.lines[p.Top():min(p.Top()+body.H, len(p.lines))] {
		p.highlight(body, y, line.Plain(), th)
	}
	style.DrawScrollbar(body, p.Top(), body.H, len(p.lines), th)
	foot := box.Sub(2, box.H-2, box.W-4, 1)
	if p.finding {
		x := foot.Text(0, 0, "/", th.PopupKey)
		at := p.find.draw(foot.Sub(x, 0, foot.W-x, 1), th.Popup, th.PopupDim)
		return &tea.Position{X: r.X + 2 + x + at, Y: r.Y + box.H - 2}
	}
	x := 0
	for _, k := range [][2]string{{"↑↓ PgUp PgDn", "scroll"}, {"/", "search"}, {"n", "next"}, {"q", "close"}} {
		x = foot.Text(x, 0, th.ASCII(k[0]), th.PopupKey)
		x = foot.Text(x+1, 0, k[1], th.PopupDim) + 2
	}
	return nil
}

// highlight marks the searched text in line y.
func (p *Pager) highlight(c raster.Canvas, y int, text string, th *style.Theme) {
	if p.found == "" {
		return
	}
	low, want := strings.ToLower(text), strings.ToLower(p.found)
	for from := 0; ; {
		i := strings.Index(low[from:], want)
		if i < 0 || len(low) != len(text) {
			return
		}
		i += from
		x := raster.TextWidth(text[:i])
		for k := range raster.TextWidth(want) {
			cell := c.At(x+k, y)
			cell.FG, cell.Attr = th.Match.FG, th.Match.Attr
			c.Set(x+k, y, cell)
		}
		from = i + len(want)
	}
}
