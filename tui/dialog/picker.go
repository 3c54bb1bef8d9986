package dialog

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"pview/render/raster"
	"pview/render/style"
	"pview/tui/action"
	"pview/tui/list"
)

// Picker is a list in a box to choose from: views, event labels, objects, traces. It takes the keys of lists; after
// "/", typing narrows it.
type Picker struct {
	Title  string
	Typing bool   // it starts narrowing: the key that opens it asks for a text
	Empty  string // message if there is nothing to choose from
	// Missing explains why the typed text is not in the list; "" if unknown. May be nil.
	Missing func(text string) string
	// Fill reloads the items once their source is known; nil if it is known from the start.
	Fill    func() []Item
	in      Input
	narrows bool // what is typed narrows the list
	Items   []Item
	Shown   []int // items that fit what was typed
	rows    list.List
	Multi   bool // items have check marks

	Preview func(it *Item) // called with the item at the cursor, by the form that opened the picker

	Keys []Key // Enter does the first
}

// Item is one line of a picker.
type Item struct {
	Text   string      // shown, and searched
	Also   string      // searched
	Detail string      // shown at the right
	On     bool        // checked, in a picker with check marks
	Swatch raster.Cell // a sample of its colour, before the text; zero for none
	Data   any
}

// Key is an action on the chosen item. run gets a nil item if nothing is chosen; it closes the picker unless keep is
// set.
type Key struct {
	Press, Word string
	Keep        bool
	Run         func(p *Picker, it *Item) tea.Cmd
}

func (p *Picker) opened() {
	if p.Fill != nil {
		p.Items = p.Fill()
	}
	p.narrows = p.Typing
	p.narrow()
}

// narrow shows the items that match the typed text: first those whose text does, or one of whose other names equals it.
func (p *Picker) narrow() {
	typed := p.in.String()
	p.Shown = rankBy(typed, len(p.Items), func(i int) (int, bool) {
		it := &p.Items[i]
		points, ok := score(typed, it.Text)
		if slices.Contains(strings.Fields(strings.ToLower(it.Also)), strings.ToLower(strings.TrimSpace(typed))) {
			return max(points, aliasPoints), true
		}
		if ok {
			return points, true
		}
		_, ok = score(typed, it.Text+" "+it.Also)
		return noText, ok
	})
	p.rows.Len = func() int { return len(p.Shown) }
	p.rows.Choose(0)
}

// Points of items that match by other names: a whole word ranks above a text that matches but not at its start;
// anything else ranks below all texts.
const (
	aliasPoints = 400
	noText      = math.MinInt32
)

func (p *Picker) Chosen() *Item {
	if len(p.Shown) == 0 {
		return nil
	}
	return &p.Items[p.Shown[p.rows.At()]]
}

// Choose puts the cursor on an item, by its position before any narrowing.
func (p *Picker) Choose(i int) { p.rows.Choose(i) }

// Move goes down by a number of items.
func (p *Picker) Move(by int) { p.rows.By(by) }

func (p *Picker) Key(h *Host, k tea.KeyPressMsg) tea.Cmd {
	name := k.String()
	for i := range p.Keys {
		if p.Keys[i].Press == name {
			return p.act(h, &p.Keys[i])
		}
	}
	switch name {
	case "ctrl+c", "ctrl+g":
		h.Close()
	case "esc":
		if !p.narrows || p.Typing {
			h.Close()
		}
		p.widen()
	case "ctrl+p":
		p.Move(-1)
	case "ctrl+n":
		p.Move(1)
	default:
		p.move(h, k)
	}
	return nil
}

// move goes through the list, or narrows it. While it narrows, letters are text.
func (p *Picker) move(h *Host, k tea.KeyPressMsg) {
	page := p.height(h)
	steps := map[list.Verb]int{list.Up: -1, list.Down: 1, list.PageUp: -page, list.PageDown: page,
		list.First: -len(p.Shown), list.Last: len(p.Shown)}
	for v, by := range steps {
		if (!p.narrows || k.Text == "" && k.Mod == 0) && slices.Contains(list.Verbs[v].Keys, k.String()) {
			p.Move(by)
			return
		}
	}
	switch {
	case p.narrows && k.String() == "backspace" && p.in.String() == "" && !p.Typing:
		p.narrows = false
	case p.narrows:
		if p.in.key(k) {
			p.narrow()
		}
	case slices.Contains(list.Verbs[list.Narrow].Keys, k.String()):
		p.narrows = true
	}
}

// widen shows all items again.
func (p *Picker) widen() {
	if p.narrows = p.Typing; p.in.String() != "" {
		p.in.Set("")
		p.narrow()
	}
}

func (p *Picker) act(h *Host, k *Key) tea.Cmd {
	if p.Chosen() == nil && !k.Keep {
		return nil // nothing selected
	}
	if !k.Keep {
		h.Close()
	}
	return k.Run(p, p.Chosen())
}

func (p *Picker) Paste(_ *Host, text string) tea.Cmd {
	p.narrows = true
	p.in.insert(text)
	p.narrow()
	return nil
}

func (p *Picker) Mouse(h *Host, msg tea.MouseMsg) tea.Cmd {
	box := p.Box(h.W, h.H)
	switch e := msg.(type) {
	case tea.MouseWheelMsg:
		if e.Button == tea.MouseWheelUp {
			p.Move(-1)
		} else if e.Button == tea.MouseWheelDown {
			p.Move(1)
		}
	case tea.MouseClickMsg:
		if !box.Has(e.X, e.Y) {
			h.Close()
		} else if _, same := p.rows.Click(e.X, e.Y); same && len(p.Keys) > 0 {
			return p.act(h, &p.Keys[0])
		}
	}
	return nil
}

func (p *Picker) height(h *Host) int { return max(p.Box(h.W, h.H).H-5, 1) }

// Box returns the place of the picker on a screen of the given size.
func (p *Picker) Box(w, h int) raster.Rect {
	bw := min(w-2, max(76, w*2/3), 110)
	bh := min(h-2, max(len(p.Items)+5, 8), max(h*3/4, 12))
	if p.Preview != nil { // its subject is shown above it
		bh = min(bh, max(h/2, 9))
		return raster.Rect{X: (w - bw) / 2, Y: h - bh - 1, W: bw, H: bh}
	}
	return raster.Rect{X: (w - bw) / 2, Y: (h - bh) / 2, W: bw, H: bh}
}

func (p *Picker) Draw(h *Host, screen raster.Canvas) *tea.Position {
	th := h.Theme
	r := p.Box(screen.W, screen.H)
	box := screen.Sub(r.X, r.Y, r.W, r.H)
	box.Fill(raster.Cell{Rune: ' ', Style: th.Popup})
	box.Box(th.Glyphs, th.Border)
	box.Text(2, 0, " "+p.Title+" ", th.PopupTitle)
	if p.Multi {
		n := 0
		for _, it := range p.Items {
			if it.On {
				n++
			}
		}
		count := fmt.Sprintf(" %d of %d ", n, len(p.Items))
		box.Text(box.W-2-len(count), 0, count, th.PopupDim)
	}
	x := box.Text(2, 1, "/ ", th.PopupKey)
	field := box.Sub(x, 1, box.W-x-2, 1)
	at := p.in.draw(field, th.Popup, th.PopupDim)
	if p.in.String() == "" {
		field.TextIn(0, 0, field.W, "narrows the list", th.PopupDim, false)
	}
	for i := 1; i < box.W-1; i++ {
		box.Set(i, 2, raster.Cell{Rune: th.Glyphs.Horizontal, Style: th.Border})
	}
	p.drawItems(list.Look{Pane: screen, Theme: th, Popup: true}, box.Sub(1, 3, box.W-2, box.H-5))
	p.drawKeys(th, box.Sub(2, box.H-2, box.W-4, 1))
	if !p.narrows {
		return nil
	}
	return &tea.Position{X: r.X + x + at, Y: r.Y + 1}
}

// Brief returns the typed text, and the items from the chosen one on.
func (p *Picker) Brief(*Host) (lines []string) {
	if typed := p.in.String(); typed != "" {
		lines = append(lines, "/"+typed)
	}
	if len(p.Shown) == 0 {
		return append(lines, p.nothing())
	}
	for _, i := range p.Shown[p.rows.At():] {
		mark := ""
		if p.Multi && p.Items[i].On {
			mark = "x "
		}
		lines = append(lines, mark+p.Items[i].Text)
	}
	return lines
}

// nothing says why the list is empty.
func (p *Picker) nothing() string {
	const text = "nothing fits"
	switch {
	case len(p.Items) == 0:
		return cmp.Or(p.Empty, text)
	case p.Missing != nil:
		return cmp.Or(p.Missing(p.in.String()), text)
	}
	return text
}

func (p *Picker) drawItems(k list.Look, c raster.Canvas) {
	if len(p.Shown) == 0 {
		for y, line := range style.Wrap(p.nothing(), max(c.W-2, 1)) {
			c.TextIn(1, y, c.W-2, line, k.Theme.PopupDim, false)
		}
	}
	p.rows.Draw(k, c, func(c raster.Canvas, i int, st, dim raster.Style) {
		it, x := &p.Items[p.Shown[i]], 1
		if p.Multi {
			box := "[ ] "
			if it.On {
				box = "[x] "
			}
			x = c.Text(x, 0, box, st)
		}
		if it.Swatch.Rune != 0 {
			box, sample := c.Sub(x, 0, 2, 1), it.Swatch
			if !sample.BG.IsSet() {
				sample.BG = st.BG
			}
			box.Fill(sample)
			x += 3
		}
		w := raster.TextWidth(it.Detail)
		room := c.W - x - w - 4
		// cut the detail rather than the text
		if least := min(raster.TextWidth(it.Text), (c.W-x)/2); room < least {
			if room, w = least, c.W-x-least-4; w < 12 {
				room, w = c.W-x-2, 0
			}
		}
		c.TextIn(x, 0, room, k.Theme.Cut(it.Text, room), st, false)
		if w > 0 {
			c.TextIn(c.W-w-2, 0, w, k.Theme.Cut(it.Detail, w), dim, true)
		}
	})
}

func (p *Picker) drawKeys(th *style.Theme, c raster.Canvas) {
	x := 0
	for _, k := range append(p.Keys, Key{Press: "esc", Word: "close"}) {
		label := th.ASCII(action.KeyLabel(k.Press))
		if x+raster.TextWidth(label)+1+raster.TextWidth(k.Word) > c.W {
			break
		}
		x = c.Text(x, 0, label, th.PopupKey)
		x = c.Text(x+1, 0, k.Word, th.PopupDim) + 2
	}
}
