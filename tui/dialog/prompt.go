package dialog

import (
	"errors"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"

	"pview/render/raster"
	"pview/render/style"
)

// Prompt is a line of input at the bottom of the screen with a list of
// completions above it.
type Prompt struct {
	Label       string // before the text: ":"
	Hint        string // shown while the text is empty
	Input       Input
	Past        *[]string // earlier texts, oldest first; may be nil
	recall      int       // position in them, backwards: 0 is the text being written
	draft       string    // that text, while an earlier one is shown
	Completions []Completion
	Chosen      int // among the offers; -1 for none
	top         int // first offer that is shown
	Moved       bool
	wrong       error // why the text was refused; nil once it is edited

	// Suggest returns the completions for a text. accept runs it: it is called
	// after the prompt was closed.
	Suggest func(text string) []Completion
	Accept  func(text string) tea.Cmd
	Dropped func() // called when the prompt is left with Esc; nil for nothing
	// Resolve turns the text, and the offer that is chosen, into what accept gets; more puts it back into the line for
	// further input. nil: the unchanged text, or the offer that the user moved to.
	Resolve func(p *Prompt, text string) (final string, more bool)
	// Browse opens a box to choose a file, starting at the text's path; nil: the prompt does not ask for a file.
	Browse func(text string) tea.Cmd
}

// BrowseKey lets the user choose a file instead of typing its path.
const BrowseKey = "ctrl+o"

// Completion is one completion.
type Completion struct {
	Text string // becomes the whole input
	Name string // shown; the text when ""
	Doc  string
	Keys string
	Weak bool // only related to the text: it is not taken unless the user moves to it
}

const promptLines = 10 // completions shown at once

func (p *Prompt) opened() { p.refresh() }

func (p *Prompt) refresh() {
	p.Completions, p.Chosen, p.top, p.Moved, p.wrong = nil, -1, 0, false, nil
	if p.Suggest != nil {
		p.Completions = p.Suggest(p.Input.String())
	}
	if len(p.Completions) > 0 {
		p.Chosen = 0
	}
	p.suggest()
}

// suggest shows, after the text, how Tab would complete it.
func (p *Prompt) suggest() {
	text := ""
	if p.Chosen >= 0 {
		text = p.Completions[p.Chosen].Text
	}
	p.Input.suggest(text)
}

func (p *Prompt) Key(h *Host, k tea.KeyPressMsg) tea.Cmd {
	switch k.String() {
	case "esc", "ctrl+c", "ctrl+g":
		p.leave(h)
	case "enter":
		return p.enter(h)
	case BrowseKey:
		if p.Browse != nil {
			return p.Browse(p.Input.String())
		}
	case "tab":
		if p.Chosen >= 0 {
			p.Input.Set(p.Completions[p.Chosen].Text)
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
		if k.String() == "backspace" && p.Input.String() == "" {
			p.leave(h)
		} else if p.Input.key(k) {
			p.recall = 0
			p.refresh()
		}
	}
	return nil
}

// leave closes the prompt without an answer.
func (p *Prompt) leave(h *Host) {
	h.Close()
	if p.Dropped != nil {
		p.Dropped()
	}
}

// move chooses another offer, or an earlier text above the first offer or if nothing is offered.
func (p *Prompt) move(by int) {
	if len(p.Completions) > 0 && p.recall == 0 && (by > 0 || p.Chosen > 0) {
		p.Chosen = min(max(p.Chosen+by, 0), len(p.Completions)-1)
		p.Moved = true
		p.suggest()
		return
	}
	if p.Past == nil || len(*p.Past) == 0 || by > 0 && p.recall == 0 {
		return
	}
	if p.recall == 0 {
		p.draft = p.Input.String()
	}
	step := 1
	if by > 0 {
		step = -1
	}
	p.recall = min(max(p.recall+step, 0), len(*p.Past))
	if p.recall == 0 {
		p.Input.Set(p.draft)
	} else {
		p.Input.Set((*p.Past)[len(*p.Past)-p.recall])
	}
	recall := p.recall
	p.refresh()
	p.recall, p.Chosen = recall, -1
	p.suggest()
}

func (p *Prompt) enter(h *Host) tea.Cmd {
	text := strings.TrimSpace(p.Input.String())
	if p.Resolve != nil {
		final, more := p.Resolve(p, text)
		if more {
			p.Input.Set(final)
			p.refresh()
			return nil
		}
		text = strings.TrimSpace(final)
	} else if p.Moved && p.Chosen >= 0 {
		text = strings.TrimSpace(p.Completions[p.Chosen].Text)
	}
	h.Close()
	h.answered = p
	if p.Past != nil && text != "" && (len(*p.Past) == 0 || (*p.Past)[len(*p.Past)-1] != text) {
		*p.Past = append(*p.Past, text)
	}
	return p.Accept(text)
}

func (p *Prompt) Paste(h *Host, text string) tea.Cmd {
	p.Input.insert(text)
	p.refresh()
	return nil
}

func (p *Prompt) Mouse(h *Host, msg tea.MouseMsg) tea.Cmd {
	switch e := msg.(type) {
	case tea.MouseWheelMsg:
		if e.Button == tea.MouseWheelUp {
			p.move(-1)
		} else if e.Button == tea.MouseWheelDown {
			p.move(1)
		}
	case tea.MouseClickMsg:
		first := h.H - 1 - min(len(p.Completions), p.lines(h))
		i := e.Y - first + p.top
		switch {
		case e.Y >= first && e.Y < h.H-1 && i < len(p.Completions):
			p.Input.Set(p.Completions[i].Text)
			p.refresh()
		case e.Y < first:
			p.leave(h)
		}
	}
	return nil
}

func (p *Prompt) lines(h *Host) int { return min(promptLines, max(h.H-4, 1)) }

// errorLines limits the text of an error.
const errorLines = 3

func (p *Prompt) Draw(h *Host, screen raster.Canvas) *tea.Position {
	screen = p.drawError(h, screen)
	th, y := h.Theme, screen.H-1
	line := screen.Sub(0, y, screen.W, 1)
	line.Fill(raster.Cell{Rune: ' '})
	x := 1
	if h.small() {
		x = 0
	}
	// else only one of them fits
	if text := p.Input.String(); text == "" || x+raster.TextWidth(p.Label) < line.W-1 {
		x = line.Text(x, 0, p.Label, th.Accent)
	}
	if p.Input.String() == "" && p.Hint != "" {
		line.TextIn(x+1, 0, line.W-x-1, p.Hint, th.Dim, false)
	}
	field := line.Sub(x, 0, line.W-x, 1)
	at := 0
	if p.Input.String() != "" {
		at = p.Input.draw(field, th.Text, th.Dim)
	}
	if p.wrong == nil {
		p.drawOffers(h, screen)
		return &tea.Position{X: min(x+at, screen.W-1), Y: y}
	}
	from, to := misread(p.Input.String(), p.wrong)
	for column := x + p.Input.column(from, field.W); column < min(x+p.Input.column(to, field.W), screen.W); column++ {
		cell := line.At(column, 0)
		cell.Style = th.Alarm
		cell.Style.Attr |= raster.Underline
		line.Set(column, 0, cell)
	}
	return &tea.Position{X: min(x+at, screen.W-1), Y: y}
}

// drawError writes why the text was refused on the last lines of the screen, and returns the part above them.
func (p *Prompt) drawError(h *Host, screen raster.Canvas) raster.Canvas {
	if p.wrong == nil {
		return screen
	}
	lines := style.Wrap(p.wrong.Error(), max(screen.W-2, 1))
	lines = lines[:min(len(lines), errorLines, max(screen.H-1, 0))]
	above := screen.H - len(lines)
	for i, text := range lines {
		line := screen.Sub(0, above+i, screen.W, 1)
		line.Fill(raster.Cell{Rune: ' '})
		line.Text(1, 0, text, h.Theme.Alarm)
	}
	return screen.Sub(0, 0, screen.W, above)
}

// misread returns the part of a text that an error is about, in characters: the position that the error gives, or the
// first part that it quotes. It is empty if the error names none.
func misread(text string, err error) (from, to int) {
	var at interface {
		Place() (text string, from int)
	}
	if errors.As(err, &at) {
		inner, offset := at.Place()
		if begin := strings.LastIndex(text, inner); begin >= 0 {
			rest := []rune(inner)[min(offset, utf8.RuneCountInString(inner)):]
			from = utf8.RuneCountInString(text[:begin]) + offset
			return from, from + max(len([]rune(word.FindString(string(rest)))), 1)
		}
	}
	for _, quoted := range quotes.FindAllString(err.Error(), -1) {
		part, wrong := strconv.Unquote(quoted)
		if begin := strings.LastIndex(text, part); wrong == nil && part != "" && begin >= 0 {
			from = utf8.RuneCountInString(text[:begin])
			return from, from + utf8.RuneCountInString(part)
		}
	}
	return 0, 0
}

var (
	quotes = regexp.MustCompile(`"(\\.|[^"\\])*"`)
	word   = regexp.MustCompile(`^[\w.]+`)
)

func (p *Prompt) drawOffers(h *Host, screen raster.Canvas) {
	n := min(len(p.Completions), p.lines(h))
	if n == 0 {
		return
	}
	if p.Chosen >= 0 {
		p.top = min(max(p.top, p.Chosen-n+1), p.Chosen)
	}
	p.top = min(max(p.top, 0), len(p.Completions)-n)
	box := screen.Sub(0, screen.H-1-n, screen.W, n)
	nameW, docW, keysW := 0, 0, 0
	for _, o := range p.Completions {
		nameW = max(nameW, raster.TextWidth(o.shown()))
		docW = max(docW, raster.TextWidth(o.Doc))
		keysW = max(keysW, raster.TextWidth(o.Keys))
	}
	nameW = min(nameW, max(screen.W/2, screen.W-docW-keysW-6))
	for i := range n {
		o := p.Completions[p.top+i]
		st, dim, key := h.Theme.Popup, h.Theme.PopupDim, h.Theme.PopupKey
		if p.top+i == p.Chosen {
			st, dim, key = h.Theme.PopupSel, h.Theme.PopupSelDim, h.Theme.PopupSel
		}
		box.Sub(0, i, box.W, 1).Fill(raster.Cell{Rune: ' ', Style: st})
		box.TextIn(2, i, nameW, h.Theme.Cut(o.shown(), nameW), st, false)
		docX, docEnd := 2+nameW+2, box.W-keysW-2
		if keysW == 0 {
			docEnd = box.W - 1
		}
		box.TextIn(docX, i, docEnd-docX, h.Theme.Cut(o.Doc, docEnd-docX), dim, false)
		if keysW > 0 && docEnd > docX {
			box.TextIn(docEnd+1, i, keysW, o.Keys, key, true)
		}
	}
	style.DrawScrollbar(box, p.top, n, len(p.Completions), h.Theme)
}

func (o *Completion) shown() string {
	if o.Name != "" {
		return o.Name
	}
	return o.Text
}

// Agreed reports whether the answer to a question is yes: nothing but Enter, or the beginning of "yes".
func Agreed(answer string) bool { return strings.HasPrefix("yes", strings.ToLower(answer)) }
