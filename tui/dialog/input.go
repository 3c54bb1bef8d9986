package dialog

import (
	"strings"
	"unicode"

	"charm.land/bubbles/v2/key"
	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"

	"pview/render/raster"
	"pview/tui/screen"
)

// Input is a line of text that is being edited: the textinput of Bubbles, with the keys of readline, and paste. The
// zero value is an empty line. An Input must not be copied after its first use.
type Input struct {
	field    *textinput.Model // nil: empty
	selected bool             // the whole text: typing replaces it, moving the cursor keeps it
}

// NewInput returns a line with a text, and the cursor after it.
func NewInput(text string) Input {
	var in Input
	in.Set(text)
	return in
}

// String returns the text.
func (in *Input) String() string {
	if in.field == nil {
		return ""
	}
	return in.field.Value()
}

// Set replaces the text, and puts the cursor after it.
func (in *Input) Set(text string) {
	in.begin()
	in.field.SetValue(oneLine(text))
	in.field.CursorEnd()
	in.selected = false
}

// Select selects the whole text: typing replaces it, an arrow key edits it.
func (in *Input) Select() { in.selected = in.String() != "" }

// LongestInput limits typed or pasted text: no path and no command is longer.
const LongestInput = 4096

// editing has the keys of a line. Its owner handles the keys for suggestions. The terminal handles Ctrl+V: it pastes
// without a program that reads the clipboard.
var editing = func() textinput.KeyMap {
	keys := textinput.DefaultKeyMap()
	for _, b := range []*key.Binding{&keys.Paste, &keys.AcceptSuggestion, &keys.NextSuggestion, &keys.PrevSuggestion} {
		b.Unbind()
	}
	return keys
}()

// edits lists the keys of editing.
var edits = []key.Binding{
	editing.CharacterForward, editing.CharacterBackward, editing.WordForward, editing.WordBackward,
	editing.DeleteWordBackward, editing.DeleteWordForward, editing.DeleteAfterCursor, editing.DeleteBeforeCursor,
	editing.DeleteCharacterBackward, editing.DeleteCharacterForward, editing.LineStart, editing.LineEnd,
}

// deletes are the keys that delete a selected text.
var deletes = []key.Binding{
	editing.DeleteWordBackward, editing.DeleteWordForward, editing.DeleteAfterCursor, editing.DeleteBeforeCursor,
	editing.DeleteCharacterBackward, editing.DeleteCharacterForward,
}

// begin makes the field at the first use.
func (in *Input) begin() {
	if in.field != nil {
		return
	}
	field := textinput.New()
	field.Prompt, field.CharLimit, field.KeyMap, field.ShowSuggestions = "", LongestInput, editing, true
	field.SetVirtualCursor(false)
	field.Focus()
	in.field = &field
}

// suggest sets a completion of the text: the completion is shown after the typed text. "" is none.
func (in *Input) suggest(text string) {
	in.begin()
	var list []string
	if text != "" {
		list = []string{text}
	}
	in.field.SetSuggestions(list)
}

// insert puts text at the cursor. Line ends and other control characters of a
// paste become blanks.
func (in *Input) insert(text string) {
	if in.selected {
		in.Set("")
	}
	in.update(tea.PasteMsg{Content: oneLine(text)})
}

func (in *Input) update(msg tea.Msg) {
	in.begin()
	*in.field, _ = in.field.Update(msg) // the command would make a drawn cursor blink; the terminal draws ours
}

// oneLine replaces line ends and other control characters by blanks.
func oneLine(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, text)
}

// key edits the text; it returns false for keys that are not its own.
func (in *Input) key(k tea.KeyPressMsg) bool {
	switch {
	case k.String() == "space", k.String() == "shift+space":
		in.insert(" ")
	case in.selected && key.Matches(k, deletes...):
		in.Set("")
	case key.Matches(k, editing.DeleteWordForward) && in.field != nil &&
		in.field.Position()+1 >= len([]rune(in.field.Value())):
		// the last character is the word: textinput 2.2.1 reads past it, and panics
		in.update(tea.KeyPressMsg{Code: tea.KeyDelete})
	case key.Matches(k, edits...):
		if in.selected && !key.Matches(k, editing.CharacterForward, editing.WordForward, editing.LineEnd) {
			in.field.CursorStart() // as an arrow to the left of a selection does
		}
		in.selected = false
		in.update(k)
	case k.Text != "":
		in.insert(k.Text)
	default:
		return false
	}
	return true
}

// draw writes the text on line 0 of c and returns the column of the cursor. A text that is too long scrolls to keep the
// cursor visible. A suggestion follows the text in faint.
func (in *Input) draw(c raster.Canvas, st, faint raster.Style) int {
	c.Sub(0, 0, c.W, 1).Fill(raster.Cell{Rune: ' ', Style: st})
	if in.field == nil {
		return 0
	}
	if in.selected {
		st.Attr |= raster.Reverse
	}
	looks := textinput.StyleState{Text: screen.Styled(st), Suggestion: screen.Styled(faint)}
	in.field.SetStyles(textinput.Styles{Focused: looks, Blurred: looks})
	before := raster.TextWidth(string([]rune(in.field.Value())[:in.field.Position()]))
	shift := max(0, before-(c.W-1))
	screen.Paint(c, -shift, 0, in.field.View(), st)
	return before - shift
}

// column returns the column at which a character of the text is drawn in a field of some width.
func (in *Input) column(character, width int) int {
	if in.field == nil {
		return 0
	}
	text := []rune(in.field.Value())
	before := raster.TextWidth(string(text[:in.field.Position()]))
	return raster.TextWidth(string(text[:min(character, len(text))])) - max(0, before-(width-1))
}
