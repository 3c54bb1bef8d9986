package dialog

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"pview/tui/raster"
	"pview/tui/style"
)

// Pager is a text in a box that can be scrolled and searched: the help, the
// problems of a trace, what a trace contains. Its lines are laid out anew for
// every width.
type Pager struct {
	Title  string
	Layout func(th *style.Theme, width int) []style.Line
	Top    int

	find    Input
	finding bool
	found   string // what is searched for; "" for nothing
}

func (p *Pager) Key(h *Host, k tea.KeyPressMsg) tea.Cmd {
	if p.finding {
		switch k.String() {
		case "esc", "ctrl+c":
			p.finding, p.found = false, ""
		case "enter":
			p.finding = false
		default:
			if p.find.key(k) {
				p.found = p.find.String()
				p.next(h, p.Top, 1)
			}
		}
		return nil
	}
	page := max(p.box(h.W, h.H).H-4, 1)
	switch k.String() {
	case "esc":
		if p.found == "" {
			h.Close()
		}
		p.found = ""
	case "q", "?", "enter", "ctrl+c":
		h.Close()
	case "/":
		p.finding, p.find = true, NewInput("")
	case "n":
		p.next(h, p.Top+1, 1)
	case "N", "shift+n":
		p.next(h, p.Top-1, -1)
	case "up", "k":
		p.Top--
	case "down", "j":
		p.Top++
	case "pgup", "b", "ctrl+b", "ctrl+u":
		p.Top -= page
	case "pgdown", "space", "f", "ctrl+f", "ctrl+d":
		p.Top += page
	case "home", "g":
		p.Top = 0
	case "end", "G", "shift+g":
		p.Top = 1 << 30
	}
	return nil
}

// next moves to the next line from the given one that has what is searched for.
func (p *Pager) next(h *Host, from, step int) {
	if p.found == "" {
		return
	}
	lines := p.Lines(h)
	for i := from; i >= 0 && i < len(lines); i += step {
		if strings.Contains(strings.ToLower(lines[i].Plain()), strings.ToLower(p.found)) {
			p.Top = i
			return
		}
	}
}

func (p *Pager) Lines(h *Host) []style.Line {
	return p.Layout(h.Theme, p.box(h.W, h.H).W-4)
}

func (p *Pager) Paste(*Host, string) tea.Cmd { return nil }

func (p *Pager) Mouse(h *Host, msg tea.MouseMsg) tea.Cmd {
	switch e := msg.(type) {
	case tea.MouseWheelMsg:
		if e.Button == tea.MouseWheelUp {
			p.Top -= 3
		} else if e.Button == tea.MouseWheelDown {
			p.Top += 3
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

func (p *Pager) Draw(h *Host, screen raster.Canvas) *tea.Position {
	th := h.Theme
	r := p.box(screen.W, screen.H)
	box := screen.Sub(r.X, r.Y, r.W, r.H)
	box.Fill(raster.Cell{Rune: ' ', Style: th.Popup})
	box.Box(th.Glyphs, th.Border)
	box.Text(2, 0, " "+p.Title+" ", th.PopupTitle)
	body := box.Sub(2, 1, box.W-3, box.H-3)
	lines := p.Lines(h)
	p.Top = max(0, min(p.Top, len(lines)-body.H))
	for y := 0; y < body.H && p.Top+y < len(lines); y++ {
		lines[p.Top+y].Draw(body.Sub(0, 0, body.W-1, body.H), 0, y)
		p.highlight(body, y, lines[p.Top+y].Plain(), th)
	}
	style.DrawScrollbar(body, p.Top, body.H, len(lines), th)
	foot := box.Sub(2, box.H-2, box.W-4, 1)
	if p.finding {
		x := foot.Text(0, 0, "/", th.PopupKey)
		at := p.find.draw(foot.Sub(x, 0, foot.W-x, 1), th.Popup)
		return &tea.Position{X: r.X + 2 + x + at, Y: r.Y + box.H - 2}
	}
	x := 0
	for _, k := range [][2]string{{"↑↓ PgUp PgDn", "scroll"}, {"/", "search"}, {"n", "next"}, {"q", "close"}} {
		x = foot.Text(x, 0, th.ASCII(k[0]), th.PopupKey)
		x = foot.Text(x+1, 0, k[1], th.PopupDim) + 2
	}
	return nil
}

// highlight marks what is searched for in line y.
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
