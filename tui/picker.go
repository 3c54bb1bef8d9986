package tui

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"pview/tui/raster"
	"pview/tui/style"
)

// picker is a list in a box to choose from: views, event labels, objects, traces.
// Typing narrows it.
type picker struct {
	title string
	empty string // what to say when there is nothing to choose from
	// fill lists the items anew, when what they are made of has become known; nil when it is known from the start.
	fill  func() []item
	in    input
	items []item
	shown []int // items that fit what was typed
	at    int   // in shown
	top   int
	multi bool // items have check marks

	preview func(it *item) // told of the item at the cursor, by the form that the picker is open in

	keys []pickerKey // the first is what Enter does
}

// item is one line of a picker.
type item struct {
	text   string // shown, and searched
	also   string // searched
	detail string // shown at the right
	on     bool   // checked, in a picker with check marks
	data   any
}

// pickerKey is something that can be done with the chosen item. run gets a nil
// item when nothing is chosen; it closes the picker unless keep is set.
type pickerKey struct {
	key, word string
	keep      bool
	run       func(p *picker, it *item) tea.Cmd
}

func (p *picker) opened() {
	if p.fill != nil {
		p.items = p.fill()
	}
	p.narrow()
}

// narrow shows the items that fit what was typed: first those whose text does.
func (p *picker) narrow() {
	p.shown = rank(p.in.String(), len(p.items), func(i int) string { return p.items[i].text })
	fits := make([]bool, len(p.items))
	for _, i := range p.shown {
		fits[i] = true
	}
	for _, i := range rank(p.in.String(), len(p.items), func(i int) string { return p.items[i].text + " " + p.items[i].also }) {
		if !fits[i] {
			p.shown = append(p.shown, i)
		}
	}
	p.at, p.top = 0, 0
}

func (p *picker) chosen() *item {
	if p.at < 0 || p.at >= len(p.shown) {
		return nil
	}
	return &p.items[p.shown[p.at]]
}

func (p *picker) move(by int) { p.at = max(0, min(p.at+by, len(p.shown)-1)) }

func (p *picker) Key(h *Host, k tea.KeyPressMsg) tea.Cmd {
	name := k.String()
	for i := range p.keys {
		if p.keys[i].key == name {
			return p.act(h, &p.keys[i])
		}
	}
	switch name {
	case "esc", "ctrl+c", "ctrl+g":
		h.Close()
	case "up", "ctrl+p":
		p.move(-1)
	case "down", "ctrl+n":
		p.move(1)
	case "pgup":
		p.move(-p.height(h))
	case "pgdown":
		p.move(p.height(h))
	case "home":
		p.at = 0
	case "end":
		p.move(len(p.shown))
	default:
		if p.in.key(k) {
			p.narrow()
		}
	}
	return nil
}

func (p *picker) act(h *Host, k *pickerKey) tea.Cmd {
	if p.chosen() == nil && !k.keep {
		return nil // there is nothing to do it with
	}
	if !k.keep {
		h.Close()
	}
	return k.run(p, p.chosen())
}

func (p *picker) Paste(_ *Host, text string) tea.Cmd {
	p.in.insert(text)
	p.narrow()
	return nil
}

func (p *picker) Mouse(h *Host, msg tea.MouseMsg) tea.Cmd {
	box := p.box(h.W, h.H)
	switch e := msg.(type) {
	case tea.MouseWheelMsg:
		if e.Button == tea.MouseWheelUp {
			p.move(-1)
		} else if e.Button == tea.MouseWheelDown {
			p.move(1)
		}
	case tea.MouseClickMsg:
		i := p.top + e.Y - box.Y - 3
		switch {
		case !box.Has(e.X, e.Y):
			h.Close()
		case e.Y >= box.Y+3 && e.Y < box.Y+box.H-2 && i < len(p.shown):
			if p.at == i && len(p.keys) > 0 {
				return p.act(h, &p.keys[0])
			}
			p.at = i
		}
	}
	return nil
}

func (p *picker) height(h *Host) int { return max(p.box(h.W, h.H).H-5, 1) }

// box is where the picker stands on a screen of the given size.
func (p *picker) box(w, h int) raster.Rect {
	bw := min(w-2, max(76, w*2/3), 110)
	bh := min(h-2, max(len(p.items)+5, 8), max(h*3/4, 12))
	if p.preview != nil { // what it is about stands above it
		bh = min(bh, max(h/2, 9))
		return raster.Rect{X: (w - bw) / 2, Y: h - bh - 1, W: bw, H: bh}
	}
	return raster.Rect{X: (w - bw) / 2, Y: (h - bh) / 2, W: bw, H: bh}
}

func (p *picker) Draw(h *Host, screen raster.Canvas) *tea.Position {
	th := h.Theme
	r := p.box(screen.W, screen.H)
	box := screen.Sub(r.X, r.Y, r.W, r.H)
	box.Fill(raster.Cell{Rune: ' ', Style: th.Popup})
	box.Box(th.Glyphs, th.Border)
	box.Text(2, 0, " "+p.title+" ", th.PopupTitle)
	if p.multi {
		n := 0
		for _, it := range p.items {
			if it.on {
				n++
			}
		}
		count := fmt.Sprintf(" %d of %d ", n, len(p.items))
		box.Text(box.W-2-len(count), 0, count, th.PopupDim)
	}
	x := box.Text(2, 1, "/ ", th.PopupKey)
	field := box.Sub(x, 1, box.W-x-2, 1)
	at := p.in.draw(field, th.Popup)
	if len(p.in.text) == 0 {
		field.TextIn(0, 0, field.W, "type to narrow the list", th.PopupDim, false)
	}
	for i := 1; i < box.W-1; i++ {
		box.Set(i, 2, raster.Cell{Rune: th.Glyphs.Horizontal, Style: th.Border})
	}
	p.drawItems(th, box.Sub(1, 3, box.W-2, box.H-5))
	p.drawKeys(th, box.Sub(2, box.H-2, box.W-4, 1))
	return &tea.Position{X: r.X + x + at, Y: r.Y + 1}
}

func (p *picker) drawItems(th *style.Theme, c raster.Canvas) {
	if len(p.shown) == 0 {
		text := "nothing fits"
		if len(p.items) == 0 {
			text = p.empty
		}
		c.TextIn(1, 0, c.W-2, text, th.PopupDim, false)
		return
	}
	p.top = min(max(p.top, p.at-c.H+1), p.at)
	p.top = max(0, min(p.top, len(p.shown)-c.H))
	for y := 0; y < c.H && p.top+y < len(p.shown); y++ {
		it := &p.items[p.shown[p.top+y]]
		st, dim := th.Popup, th.PopupDim
		if p.top+y == p.at {
			st, dim = th.PopupSel, th.PopupSelDim
		}
		c.Sub(0, y, c.W, 1).Fill(raster.Cell{Rune: ' ', Style: st})
		x := 1
		if p.multi {
			box := "[ ] "
			if it.on {
				box = "[x] "
			}
			x = c.Text(x, y, box, st)
		}
		w := raster.TextWidth(it.detail)
		room := c.W - x - w - 4
		if room < 12 {
			room, w = c.W-x-2, 0
		}
		c.TextIn(x, y, room, th.Cut(it.text, room), st, false)
		if w > 0 {
			c.TextIn(c.W-w-2, y, w, it.detail, dim, true)
		}
	}
	style.DrawScrollbar(c, p.top, c.H, len(p.shown), th)
}

func (p *picker) drawKeys(th *style.Theme, c raster.Canvas) {
	x := 0
	for _, k := range append(p.keys, pickerKey{key: "esc", word: "close"}) {
		label := keyLabel(th, k.key)
		if x+raster.TextWidth(label)+1+raster.TextWidth(k.word) > c.W {
			break
		}
		x = c.Text(x, 0, label, th.PopupKey)
		x = c.Text(x+1, 0, k.word, th.PopupDim) + 2
	}
}
