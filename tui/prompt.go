package tui

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"pview/tui/raster"
	"pview/tui/style"
)

// An overlay takes the keys while it is open: a prompt, a picker, the help.
type overlay interface {
	// key handles a key press; m.overlay is nil or another one when it is done.
	key(m *Model, k tea.KeyPressMsg) tea.Cmd
	paste(m *Model, text string) tea.Cmd
	mouse(m *Model, msg tea.MouseMsg) tea.Cmd
	// draw paints it on the screen and returns where the text cursor stands; nil for none.
	draw(m *Model, screen raster.Canvas) *tea.Position
}

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
	suggest func(m *Model, text string) []offer
	accept  func(m *Model, text string) tea.Cmd
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

func (m *Model) openPrompt(p *prompt) tea.Cmd {
	m.overlay = p
	p.refresh(m)
	return nil
}

func (p *prompt) refresh(m *Model) {
	p.offers, p.chosen, p.top, p.moved = nil, -1, 0, false
	if p.suggest != nil {
		p.offers = p.suggest(m, p.in.String())
	}
	if len(p.offers) > 0 {
		p.chosen = 0
	}
}

func (p *prompt) key(m *Model, k tea.KeyPressMsg) tea.Cmd {
	switch k.String() {
	case "esc", "ctrl+c", "ctrl+g":
		m.overlay = nil
	case "enter":
		return p.enter(m)
	case "tab":
		if p.chosen >= 0 {
			p.in.set(p.offers[p.chosen].text)
			p.refresh(m)
		}
	case "up", "ctrl+p":
		p.move(m, -1)
	case "down", "ctrl+n", "shift+tab":
		p.move(m, 1)
	case "pgup":
		p.move(m, -promptLines)
	case "pgdown":
		p.move(m, promptLines)
	default:
		if k.String() == "backspace" && len(p.in.text) == 0 {
			m.overlay = nil
		} else if p.in.key(k) {
			p.recall = 0
			p.refresh(m)
		}
	}
	return nil
}

// move chooses another offer, or, above the first and while nothing is offered,
// an earlier text.
func (p *prompt) move(m *Model, by int) {
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
	p.refresh(m)
	p.recall, p.chosen = recall, -1
}

func (p *prompt) enter(m *Model) tea.Cmd {
	text := strings.TrimSpace(p.in.String())
	if p.resolve != nil {
		final, more := p.resolve(p, text)
		if more {
			p.in.set(final)
			p.refresh(m)
			return nil
		}
		text = strings.TrimSpace(final)
	} else if p.moved && p.chosen >= 0 {
		text = strings.TrimSpace(p.offers[p.chosen].text)
	}
	m.overlay = nil
	if p.past != nil && text != "" && (len(*p.past) == 0 || (*p.past)[len(*p.past)-1] != text) {
		*p.past = append(*p.past, text)
	}
	return p.accept(m, text)
}

func (p *prompt) paste(m *Model, text string) tea.Cmd {
	p.in.insert(text)
	p.refresh(m)
	return nil
}

func (p *prompt) mouse(m *Model, msg tea.MouseMsg) tea.Cmd {
	switch e := msg.(type) {
	case tea.MouseWheelMsg:
		if e.Button == tea.MouseWheelUp {
			p.move(m, -1)
		} else if e.Button == tea.MouseWheelDown {
			p.move(m, 1)
		}
	case tea.MouseClickMsg:
		first := m.height - 1 - min(len(p.offers), p.lines(m))
		i := e.Y - first + p.top
		switch {
		case e.Y >= first && e.Y < m.height-1 && i < len(p.offers):
			p.in.set(p.offers[i].text)
			p.refresh(m)
		case e.Y < first:
			m.overlay = nil
		}
	}
	return nil
}

func (p *prompt) lines(m *Model) int { return min(promptLines, max(m.height-4, 1)) }

func (p *prompt) draw(m *Model, screen raster.Canvas) *tea.Position {
	th, y := m.theme, screen.H-1
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
	p.drawOffers(m, screen)
	return &tea.Position{X: min(x+at, screen.W-1), Y: y}
}

func (p *prompt) drawOffers(m *Model, screen raster.Canvas) {
	n := min(len(p.offers), p.lines(m))
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
		st, dim, key := m.theme.Popup, m.theme.PopupDim, m.theme.PopupKey
		if p.top+i == p.chosen {
			st, dim, key = m.theme.PopupSel, m.theme.PopupSelDim, m.theme.PopupSel
		}
		box.Sub(0, i, box.W, 1).Fill(raster.Cell{Rune: ' ', Style: st})
		box.TextIn(2, i, nameW, m.theme.Cut(o.shown(), nameW), st, false)
		docX, docEnd := 2+nameW+2, box.W-keysW-2
		if keysW == 0 {
			docEnd = box.W - 1
		}
		box.TextIn(docX, i, docEnd-docX, m.theme.Cut(o.doc, docEnd-docX), dim, false)
		if keysW > 0 && docEnd > docX {
			box.TextIn(docEnd+1, i, keysW, o.keys, key, true)
		}
	}
	style.DrawScrollbar(box, p.top, n, len(p.offers), m.theme)
}

func (o *offer) shown() string {
	if o.name != "" {
		return o.name
	}
	return o.text
}
