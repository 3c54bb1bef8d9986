package tui

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"pview/tui/raster"
	"pview/tui/style"
)

// prompt is a line of input at the bottom of the screen with a list of
// completions above it.
type prompt struct {
	label  string // before the text: ":"
	hint   string // shown while the text is empty
	in     input
	past   *[]string // earlier texts, oldest first; may be nil
	recall int       // how far back in them: 0 is the text being written
	draft  string    // that text, while an earlier one is shown
	offers []offer
	chosen int // among the offers; -1 for none
	top    int // first offer that is shown
	moved  bool

	// suggest returns the completions for a text. accept runs it: it is called
	// after the prompt was closed.
	suggest func(text string) []offer
	accept  func(text string) tea.Cmd
	// resolve turns the text, and the offer that is chosen, into what accept gets;
	// more puts it back into the line for further input. nil: the text as it is, or
	// the offer that the user moved to.
	resolve func(p *prompt, text string) (final string, more bool)
}

// offer is one completion.
type offer struct {
	text string // becomes the whole input
	name string // shown; the text when ""
	doc  string
	keys string
	weak bool // it only has to do with the text: it is not taken unless it is moved to
}

const promptLines = 10 // completions shown at once

func (p *prompt) opened() { p.refresh() }

func (p *prompt) refresh() {
	p.offers, p.chosen, p.top, p.moved = nil, -1, 0, false
	if p.suggest != nil {
		p.offers = p.suggest(p.in.String())
	}
	if len(p.offers) > 0 {
		p.chosen = 0
	}
}

func (p *prompt) Key(h *Host, k tea.KeyPressMsg) tea.Cmd {
	switch k.String() {
	case "esc", "ctrl+c", "ctrl+g":
		h.Close()
	case "enter":
		return p.enter(h)
	case "tab":
		if p.chosen >= 0 {
			p.in.set(p.offers[p.chosen].text)
			p.refresh()
		}
	case "up", "ctrl+p":
		p.move(-1)
	case "down", "ctrl+n", "shift+tab":
		p.move(1)
	case "pgup":
		p.move(-promptLines)
	case "pgdown":
		p.move(promptLines)
	default:
		if k.String() == "backspace" && len(p.in.text) == 0 {
			h.Close()
		} else if p.in.key(k) {
			p.recall = 0
			p.refresh()
		}
	}
	return nil
}

// move chooses another offer, or, above the first and while nothing is offered,
// an earlier text.
func (p *prompt) move(by int) {
	if len(p.offers) > 0 && p.recall == 0 && (by > 0 || p.chosen > 0) {
		p.chosen = min(max(p.chosen+by, 0), len(p.offers)-1)
		p.moved = true
		return
	}
	if p.past == nil || len(*p.past) == 0 || by > 0 && p.recall == 0 {
		return
	}
	if p.recall == 0 {
		p.draft = p.in.String()
	}
	step := 1
	if by > 0 {
		step = -1
	}
	p.recall = min(max(p.recall+step, 0), len(*p.past))
	if p.recall == 0 {
		p.in.set(p.draft)
	} else {
		p.in.set((*p.past)[len(*p.past)-p.recall])
	}
	recall := p.recall
	p.refresh()
	p.recall, p.chosen = recall, -1
}

func (p *prompt) enter(h *Host) tea.Cmd {
	text := strings.TrimSpace(p.in.String())
	if p.resolve != nil {
		final, more := p.resolve(p, text)
		if more {
			p.in.set(final)
			p.refresh()
			return nil
		}
		text = strings.TrimSpace(final)
	} else if p.moved && p.chosen >= 0 {
		text = strings.TrimSpace(p.offers[p.chosen].text)
	}
	h.Close()
	if p.past != nil && text != "" && (len(*p.past) == 0 || (*p.past)[len(*p.past)-1] != text) {
		*p.past = append(*p.past, text)
	}
	return p.accept(text)
}

func (p *prompt) Paste(h *Host, text string) tea.Cmd {
	p.in.insert(text)
	p.refresh()
	return nil
}

func (p *prompt) Mouse(h *Host, msg tea.MouseMsg) tea.Cmd {
	switch e := msg.(type) {
	case tea.MouseWheelMsg:
		if e.Button == tea.MouseWheelUp {
			p.move(-1)
		} else if e.Button == tea.MouseWheelDown {
			p.move(1)
		}
	case tea.MouseClickMsg:
		first := h.H - 1 - min(len(p.offers), p.lines(h))
		i := e.Y - first + p.top
		switch {
		case e.Y >= first && e.Y < h.H-1 && i < len(p.offers):
			p.in.set(p.offers[i].text)
			p.refresh()
		case e.Y < first:
			h.Close()
		}
	}
	return nil
}

func (p *prompt) lines(h *Host) int { return min(promptLines, max(h.H-4, 1)) }

func (p *prompt) Draw(h *Host, screen raster.Canvas) *tea.Position {
	th, y := h.Theme, screen.H-1
	line := screen.Sub(0, y, screen.W, 1)
	line.Fill(raster.Cell{Rune: ' '})
	x := line.Text(1, 0, p.label, th.Accent)
	if len(p.in.text) == 0 && p.hint != "" {
		line.TextIn(x+1, 0, line.W-x-1, p.hint, th.Dim, false)
	}
	field := line.Sub(x, 0, line.W-x, 1)
	at := 0
	if len(p.in.text) > 0 {
		at = p.in.draw(field, th.Text)
	}
	p.drawOffers(h, screen)
	return &tea.Position{X: min(x+at, screen.W-1), Y: y}
}

func (p *prompt) drawOffers(h *Host, screen raster.Canvas) {
	n := min(len(p.offers), p.lines(h))
	if n == 0 {
		return
	}
	if p.chosen >= 0 {
		p.top = min(max(p.top, p.chosen-n+1), p.chosen)
	}
	p.top = min(max(p.top, 0), len(p.offers)-n)
	box := screen.Sub(0, screen.H-1-n, screen.W, n)
	nameW, keysW := 0, 0
	for _, o := range p.offers {
		nameW = max(nameW, raster.TextWidth(o.shown()))
		keysW = max(keysW, raster.TextWidth(o.keys))
	}
	nameW = min(nameW, screen.W/2)
	for i := range n {
		o := p.offers[p.top+i]
		st, dim, key := h.Theme.Popup, h.Theme.PopupDim, h.Theme.PopupKey
		if p.top+i == p.chosen {
			st, dim, key = h.Theme.PopupSel, h.Theme.PopupSelDim, h.Theme.PopupSel
		}
		box.Sub(0, i, box.W, 1).Fill(raster.Cell{Rune: ' ', Style: st})
		box.TextIn(2, i, nameW, h.Theme.Cut(o.shown(), nameW), st, false)
		docX, docEnd := 2+nameW+2, box.W-keysW-2
		if keysW == 0 {
			docEnd = box.W - 1
		}
		box.TextIn(docX, i, docEnd-docX, h.Theme.Cut(o.doc, docEnd-docX), dim, false)
		if keysW > 0 && docEnd > docX {
			box.TextIn(docEnd+1, i, keysW, o.keys, key, true)
		}
	}
	style.DrawScrollbar(box, p.top, n, len(p.offers), h.Theme)
}

func (o *offer) shown() string {
	if o.name != "" {
		return o.name
	}
	return o.text
}
