package dialog

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
)

// tree makes files and folders (names that end in /) in a new folder.
func tree(t *testing.T, names ...string) string {
	t.Helper()
	dir := t.TempDir()
	for _, name := range names {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(name, "/") {
			os.MkdirAll(path, 0o755)
		} else if err := os.WriteFile(path, nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// walk is a box of files that is open on a host, and its outcome.
type walk struct {
	t      *testing.T
	h      *Host
	f      *Files
	chosen string
	typing string
}

func newWalk(t *testing.T, dir string) *walk {
	w := &walk{t: t, h: host(80, 24), f: NewFiles(dir)}
	w.f.Title, w.f.Endings = "open", []string{".prv", ".prv.gz"}
	w.f.Choose = func(path string) tea.Cmd { w.chosen = path; return nil }
	w.f.Type = func(folder string) tea.Cmd { w.typing = folder; return nil }
	w.run(w.h.Open(w.f))
	return w
}

func (w *walk) run(cmd tea.Cmd) {
	for cmd != nil {
		cmd = w.h.Update(cmd())
	}
	drawn(w.h, w.f)
}

func (w *walk) keys(names ...string) {
	w.t.Helper()
	for _, name := range names {
		k := press(name)
		if name == "enter" {
			k = tea.KeyPressMsg{Code: tea.KeyEnter}
		}
		w.run(w.f.Key(w.h, k))
	}
}

// at holds the shown part of the file under the cursor.
func (w *walk) at() string {
	c := drawn(w.h, w.f)
	for y := range c.H {
		if text := c.Sub(0, y, c.W, 1).Plain(); strings.Contains(text, ">-") || strings.Contains(text, "> -") ||
			strings.Contains(text, "> d") {
			fields := strings.Fields(strings.Trim(text, " |"))
			return fields[len(fields)-1]
		}
	}
	return ""
}

func (w *walk) shows(texts ...string) {
	w.t.Helper()
	text := drawn(w.h, w.f).Plain()
	for _, want := range texts {
		if !strings.Contains(text, want) {
			w.t.Errorf("%q is missing:\n%s", want, text)
		}
	}
}

// Folders come first; Enter goes into one, h leaves it, with the cursor where it was; Enter on a trace chooses it.
func TestFilesWalks(t *testing.T) {
	dir := tree(t, "a.prv", "b.prv.gz", "notes.txt", "apps/lu/lu.8.prv", "empty/", ".hidden.prv")
	w := newWalk(t, dir)
	w.shows("open", "apps", "empty", "a.prv", "b.prv.gz", "notes.txt", "type a path")
	if got := w.at(); got != "apps" {
		t.Fatalf("the cursor begins on %q", got)
	}
	w.keys("enter", "l")
	w.shows("apps/lu", "lu.8.prv")
	w.keys("h", "h")
	if got := w.at(); got != "apps" {
		t.Errorf("after going back the cursor is on %q", got)
	}
	w.keys("j", "enter")
	w.shows("no files here")
	w.keys("G", "j", "enter", "h", "j")
	if got := w.at(); got != "a.prv" {
		t.Errorf("after an empty folder the cursor is on %q", got)
	}
	w.keys("G", "enter")
	w.shows("notes.txt: only .prv, .prv.gz can be opened here")
	if w.h.Top() == nil || w.chosen != "" {
		t.Fatalf("a file that is no trace was chosen: %q", w.chosen)
	}
	w.keys("k", "enter")
	if want := filepath.Join(dir, "b.prv.gz"); w.chosen != want || w.h.Top() != nil {
		t.Errorf("%q was chosen, want %q", w.chosen, want)
	}
}

// Hidden files come and go without losing the cursor, wherever it is.
func TestFilesHidden(t *testing.T) {
	w := newWalk(t, tree(t, ".a.prv", ".b.prv", "z.prv"))
	w.keys(".", "G")
	w.shows(".a.prv", ".b.prv", "z.prv")
	w.keys(".")
	if got := w.at(); got != "z.prv" {
		t.Errorf("without hidden files the cursor is on %q", got)
	}
	w.keys("enter")
	if filepath.Base(w.chosen) != "z.prv" {
		t.Errorf("%q was chosen", w.chosen)
	}
}

// An unreadable folder is reported, and the one above is shown.
func TestFilesWithoutAFolder(t *testing.T) {
	dir := tree(t, "gone/x.prv", "z.prv")
	w := newWalk(t, dir)
	os.RemoveAll(filepath.Join(dir, "gone"))
	if err := os.WriteFile(filepath.Join(dir, "gone"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	w.keys("enter")
	w.shows("gone: not a directory", "z.prv", filepath.Base(dir))
	if got := w.at(); got != "gone" {
		t.Errorf("the cursor is on %q", got)
	}
	os.Remove(filepath.Join(dir, "gone"))
	w.keys("enter") // on an entry that no longer exists
	if got := w.at(); got != "z.prv" {
		t.Errorf("the cursor is on %q", got)
	}
	w = newWalk(t, filepath.Join(dir, "never", "there"))
	w.shows("z.prv")
}

// The cursor is visible at every size, at every place of a long list, by keys, wheel and clicks.
func TestFilesLongList(t *testing.T) {
	var names []string
	for i := range 60 {
		names = append(names, "t"+string(rune('a'+i/26))+string(rune('a'+i%26))+".prv")
	}
	w := newWalk(t, tree(t, names...))
	for _, size := range [][2]int{{80, 24}, {80, 14}, {200, 60}, {40, 10}, {80, 24}} {
		w.h.W, w.h.H = size[0], size[1]
		for _, k := range []string{"", "G", "b", "f", "f", "f", "f", "k", "g", "f", "j", "b", "b", "G"} {
			if k != "" {
				w.keys(k)
			}
			if w.at() == "" {
				t.Fatalf("%v: after %q the cursor is not seen\n%s", size, k, drawn(w.h, w.f).Plain())
			}
		}
	}
	w.keys("g")
	box := w.f.box(80, 24)
	click := func(y int) {
		w.run(w.f.Mouse(w.h, tea.MouseClickMsg{X: box.X + 5, Y: box.Y + filesTop + y, Button: tea.MouseLeft}))
	}
	click(4)
	if got := w.at(); got != names[4] {
		t.Errorf("a click on line 4 goes to %q, want %q", got, names[4])
	}
	w.run(w.f.Mouse(w.h, tea.MouseWheelMsg{Button: tea.MouseWheelDown}))
	click(2)
	click(2)
	if filepath.Base(w.chosen) != names[2] {
		t.Errorf("two clicks choose %q, want %q", w.chosen, names[2])
	}
}

// A user who would rather type starts from the folder.
func TestFilesType(t *testing.T) {
	dir := tree(t, "apps/lu.prv")
	w := newWalk(t, dir)
	w.keys("l", "/")
	if want := dir + "/apps/"; w.typing != want {
		t.Errorf("the prompt begins with %q, want %q", w.typing, want)
	}
}
