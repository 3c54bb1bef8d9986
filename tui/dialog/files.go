package dialog

import (
	"cmp"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"charm.land/bubbles/v2/filepicker"
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"

	"pview/render/raster"
	"pview/render/style"
	"pview/tui/action"
	"pview/tui/paths"
	"pview/tui/screen"
)

// Files is a box in which the user walks through folders to choose a file: the filepicker of Bubbles. Files with other
// endings are faint, for orientation, and cannot be chosen.
type Files struct {
	Title   string
	Endings []string                    // of the files that can be chosen
	Choose  func(path string) tea.Cmd   // called after the box was closed
	Type    func(folder string) tea.Cmd // called if the user would rather type a path; nil: no prompt takes one

	list    filepicker.Model
	rows    int    // of the list, as it was last told
	row     int    // of the chosen file, as drawn last
	problem string // why a folder is not shown
}

// filesRead is the result of reading a folder.
type filesRead struct {
	of     *Files
	folder string
	err    error
	files  tea.Msg // the list's own message
}

// NewFiles returns a box that begins in a folder.
func NewFiles(folder string) *Files {
	f := &Files{list: filepicker.New()}
	if abs, err := filepath.Abs(cmp.Or(folder, ".")); err == nil { // the list cannot go up from a relative path
		folder = abs
	}
	f.list.CurrentDirectory = folder
	keys := &f.list.KeyMap
	for _, k := range []struct {
		binding *key.Binding
		keys    []string
	}{
		{&keys.GoToTop, []string{"home", "g"}}, {&keys.GoToLast, []string{"end", "G", "shift+g"}},
		{&keys.Up, []string{"up", "k", "ctrl+p"}}, {&keys.Down, []string{"down", "j", "ctrl+n"}},
		{&keys.PageUp, []string{"pgup", "b", "ctrl+b"}}, {&keys.PageDown, []string{"pgdown", "space", "f", "ctrl+f"}},
		{&keys.Back, []string{"left", "h", "backspace"}}, {&keys.Open, []string{"right", "l", "enter"}},
		{&keys.Select, []string{"enter"}},
	} {
		k.binding.SetKeys(k.keys...)
	}
	return f
}

// begin reads the first folder.
func (f *Files) begin() tea.Cmd { return f.read(f.list.Init()) }

// read runs the list's command to read a folder, and finds out why it fails: the list itself would continue to show the
// previous folder.
func (f *Files) read(list tea.Cmd) tea.Cmd {
	if list == nil {
		return nil
	}
	folder := f.list.CurrentDirectory
	return func() tea.Msg {
		if _, err := os.ReadDir(folder); err != nil {
			return filesRead{f, folder, err, nil}
		}
		return filesRead{f, folder, nil, list()}
	}
}

// Update handles the contents of a folder.
func (f *Files) Update(msg tea.Msg) tea.Cmd {
	read, ok := msg.(filesRead)
	if !ok || read.of != f || read.folder != f.list.CurrentDirectory {
		return nil
	}
	if read.err != nil {
		f.problem = filepath.Base(read.folder) + ": " + paths.Cause(read.err).Error()
		if filepath.Dir(read.folder) == read.folder {
			return nil
		}
		return f.tell(pressed(f.list.KeyMap.Back))
	}
	cmd := f.tell(read.files)
	if f.list.HighlightedPath() == "" { // there are fewer files than before
		f.tell(pressed(f.list.KeyMap.GoToTop))
	}
	return cmd
}

// tell passes a message to the list.
func (f *Files) tell(msg tea.Msg) tea.Cmd {
	var cmd tea.Cmd
	f.list, cmd = f.list.Update(msg)
	return f.read(cmd)
}

// pressed returns the first key of a binding, pressed.
func pressed(b key.Binding) tea.KeyPressMsg {
	codes := map[string]rune{"home": tea.KeyHome, "up": tea.KeyUp, "down": tea.KeyDown, "left": tea.KeyLeft,
		"right": tea.KeyRight}
	return tea.KeyPressMsg{Code: codes[b.Keys()[0]]}
}

// Key moves the cursor and chooses.
func (f *Files) Key(h *Host, k tea.KeyPressMsg) tea.Cmd {
	f.problem = ""
	switch k.String() {
	case "esc", "q", "ctrl+c", "ctrl+g":
		h.Close()
		return nil
	case ".":
		f.list.ShowHidden = !f.list.ShowHidden
		return f.begin()
	case "/", "tab", "ctrl+o":
		if f.Type == nil {
			return nil
		}
		return f.Type(strings.TrimSuffix(f.list.CurrentDirectory, "/") + "/")
	}
	f.list.Path = ""
	cmd := f.tell(k)
	path := f.list.Path
	switch {
	case path == "" && cmd == nil && key.Matches(k, f.list.KeyMap.Open):
		return f.begin() // the folder no longer exists
	case path == "":
		return cmd
	case !slices.ContainsFunc(f.Endings, func(end string) bool { return strings.HasSuffix(path, end) }):
		f.problem = filepath.Base(path) + ": only " + strings.Join(f.Endings, ", ") + " can be opened here"
		return cmd
	}
	h.Close()
	return f.Choose(path)
}

// Paste is ignored.
func (f *Files) Paste(*Host, string) tea.Cmd { return nil }

// Mouse chooses: a click on a file, a second one on it opens it.
func (f *Files) Mouse(h *Host, msg tea.MouseMsg) tea.Cmd {
	box := f.box(h.W, h.H)
	switch e := msg.(type) {
	case tea.MouseWheelMsg:
		if e.Button == tea.MouseWheelUp {
			return f.tell(pressed(f.list.KeyMap.Up))
		} else if e.Button == tea.MouseWheelDown {
			return f.tell(pressed(f.list.KeyMap.Down))
		}
	case tea.MouseClickMsg:
		by := e.Y - box.Y - filesTop - f.row
		switch {
		case !box.Has(e.X, e.Y):
			h.Close()
		case e.Y < box.Y+filesTop || e.Y >= box.Y+box.H-2:
		case by == 0:
			return f.Key(h, tea.KeyPressMsg{Code: tea.KeyEnter})
		case by < 0:
			f.move(-by, f.list.KeyMap.Up)
		default:
			f.move(by, f.list.KeyMap.Down)
		}
	}
	return nil
}

// move presses a key several times.
func (f *Files) move(times int, b key.Binding) {
	for range times {
		f.tell(pressed(b))
	}
}

// filesTop is the line of the box in which the list begins: below the frame and the folder.
const filesTop = 2

func (f *Files) box(w, h int) raster.Rect {
	bw, bh := min(w-2, max(76, w*2/3), 110), min(h-2, max(h*3/4, 12))
	return raster.Rect{X: (w - bw) / 2, Y: (h - bh) / 2, W: bw, H: bh}
}

// Draw draws the box, the folder and its files.
func (f *Files) Draw(h *Host, on raster.Canvas) *tea.Position {
	th := h.Theme
	r := f.box(on.W, on.H)
	box := on.Sub(r.X, r.Y, r.W, r.H)
	box.Fill(raster.Cell{Rune: ' ', Style: th.Popup})
	box.Box(th.Glyphs, th.Border)
	box.Text(2, 0, " "+f.Title+" ", th.PopupTitle)
	box.TextIn(2, 1, box.W-4, style.Shorten(f.list.CurrentDirectory, box.W-4, th), th.PopupDim, false)
	body := box.Sub(2, filesTop, box.W-4, box.H-filesTop-2)
	f.fit(body.H)
	f.list.AllowedTypes, f.list.Styles = f.Endings, filesStyles(th)
	screen.Paint(body, 0, 0, f.list.View(), th.Popup)
	f.row = -1
	for y := range body.H {
		if body.At(0, y).Rune == '>' {
			f.row = y
			for x := range body.W { // the whole line, as in other lists
				cell := body.At(x, y)
				cell.BG = th.PopupSel.BG
				body.Set(x, y, cell)
			}
		}
	}
	foot := box.Sub(2, box.H-2, box.W-4, 1)
	if f.problem != "" {
		foot.TextIn(0, 0, foot.W, f.problem, th.Alarm, false)
		return nil
	}
	f.drawKeys(th, foot)
	return nil
}

// Brief returns the file at the cursor, and its folder.
func (f *Files) Brief(*Host) (lines []string) {
	for _, text := range []string{f.problem, filepath.Base(f.list.HighlightedPath()), f.list.CurrentDirectory} {
		if text != "" && text != "." {
			lines = append(lines, text)
		}
	}
	return lines
}

// fit sets the list's number of lines. After a page it shows one more, so it gets one less.
func (f *Files) fit(rows int) {
	if f.rows == rows {
		return
	}
	f.rows = rows
	chosen := f.list.HighlightedPath()
	const margin = 5 // that the list keeps below the cursor
	f.list, _ = f.list.Update(tea.WindowSizeMsg{Height: rows - 1 + margin})
	if chosen == "" {
		return
	}
	f.tell(pressed(f.list.KeyMap.GoToTop))
	for last := ""; f.list.HighlightedPath() != chosen && f.list.HighlightedPath() != last; {
		last = f.list.HighlightedPath()
		f.tell(pressed(f.list.KeyMap.Down))
	}
}

func (f *Files) drawKeys(th *style.Theme, c raster.Canvas) {
	keys := [][2]string{{action.KeyLabel("enter"), "open"}, {"→ ←", "folders"}, {".", "hidden"}, {"/", "type a path"},
		{"Esc", "close"}}
	if f.Type == nil {
		keys = slices.Delete(keys, 3, 4)
	}
	x := 0
	for _, k := range keys {
		if label := th.ASCII(k[0]); x+raster.TextWidth(label)+1+raster.TextWidth(k[1]) <= c.W {
			x = c.Text(x, 0, label, th.PopupKey)
			x = c.Text(x+1, 0, k[1], th.PopupDim) + 2
		}
	}
}

// filesStyles returns the styles of the list in the theme.
func filesStyles(th *style.Theme) filepicker.Styles {
	pop, dim, sel := screen.Styled(th.Popup), screen.Styled(th.PopupDim), screen.Styled(th.PopupSel)
	return filepicker.Styles{
		Cursor: screen.Styled(th.PopupKey), DisabledCursor: screen.Styled(th.PopupKey), File: pop, Symlink: pop,
		DisabledFile: dim, Permission: dim,
		Directory: screen.Styled(th.PopupKey), Selected: sel, DisabledSelected: screen.Styled(th.PopupSelDim),
		FileSize: dim.Width(8).Align(lipgloss.Right), EmptyDirectory: dim.SetString("  no files here"),
	}
}
