package tui

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"

	"pview/prv"
	"pview/prv/prvtest"
	"pview/prv/quantity"
	"pview/tui/dialog"
	"pview/tui/pane"
	"pview/tui/pane/analyzer"
	"pview/tui/pane/efficiency"
	"pview/tui/pane/findings"
	"pview/tui/pane/simulator"
	"pview/tui/pane/whatwhere"
	"pview/tui/screen"
)

// driver runs the program without a terminal: messages in, screens out. Commands run immediately and to their end, so
// that tests see final results; timers never fire unless a test fires them.
type driver struct {
	t      *testing.T
	m      *Model
	timers []tea.Msg
	quit   bool
}

// screens returns the screen sizes for long tests. The race detector is slow and finds nothing more at a second size:
// with -short it is only the first.
func screens() [][2]int {
	all := [][2]int{{80, 24}, {200, 60}}
	if testing.Short() {
		return all[:1]
	}
	return all
}

func drive(t *testing.T, width, height int, o Options) *driver {
	t.Helper()
	no := false
	dark := true
	profile := colorprofile.TrueColor
	if o.ASCII == nil {
		o.ASCII = &no
	}
	if o.Dark == nil {
		o.Dark = &dark
	}
	if o.Profile == nil {
		o.Profile = &profile
	}
	d := &driver{t: t, m: New(o)}
	t.Cleanup(d.m.shut)
	t.Cleanup(func() { // an action changes the units, which are global
		if err := errors.Join(quantity.UseTimeUnit(quantity.TimeUnits[0]),
			quantity.UseSizeUnit(quantity.SizeUnits[0])); err != nil {
			t.Error(err)
		}
	})
	d.m.after = func(_ time.Duration, msg tea.Msg) tea.Cmd {
		d.timers = append(d.timers, msg)
		return nil
	}
	d.send(tea.WindowSizeMsg{Width: width, Height: height})
	d.run(d.m.Init())
	return d
}

func (d *driver) send(msg tea.Msg) {
	d.t.Helper()
	_, cmd := d.m.Update(msg)
	d.m.View()
	d.run(cmd)
}

func (d *driver) run(cmd tea.Cmd) {
	d.t.Helper()
	if cmd == nil {
		return
	}
	switch msg := cmd().(type) {
	case nil:
	case tea.BatchMsg:
		for _, c := range msg {
			d.run(c)
		}
	case tea.QuitMsg:
		d.quit = true
	default:
		d.send(msg)
	}
}

// fire fires the timers that are due, once.
func (d *driver) fire() {
	d.t.Helper()
	due := d.timers
	d.timers = nil
	for _, msg := range due {
		d.send(msg)
	}
}

var specialKeys = map[string]tea.Key{
	"left": {Code: tea.KeyLeft}, "right": {Code: tea.KeyRight}, "up": {Code: tea.KeyUp}, "down": {Code: tea.KeyDown},
	"enter": {Code: tea.KeyEnter}, "esc": {Code: tea.KeyEsc}, "tab": {Code: tea.KeyTab},
	"space": {Code: tea.KeySpace, Text: " "},
	"home":  {Code: tea.KeyHome}, "end": {Code: tea.KeyEnd}, "pgup": {Code: tea.KeyPgUp},
	"pgdown":    {Code: tea.KeyPgDown},
	"backspace": {Code: tea.KeyBackspace}, "delete": {Code: tea.KeyDelete},
	"f1": {Code: tea.KeyF1}, "f2": {Code: tea.KeyF2}, "f3": {Code: tea.KeyF3}, "f4": {Code: tea.KeyF4},
	"f5": {Code: tea.KeyF5}, "f6": {Code: tea.KeyF6}, "f7": {Code: tea.KeyF7}, "f8": {Code: tea.KeyF8},
	"f9": {Code: tea.KeyF9},
}

// keyPress builds the message for a key in the spelling of the table of actions.
func keyPress(t *testing.T, name string) tea.KeyPressMsg {
	t.Helper()
	k := tea.Key{}
	rest := name
	for {
		if r, ok := strings.CutPrefix(rest, "ctrl+"); ok && r != "" {
			k.Mod |= tea.ModCtrl
			rest = r
		} else if r, ok := strings.CutPrefix(rest, "shift+"); ok && r != "" {
			k.Mod |= tea.ModShift
			rest = r
		} else if r, ok := strings.CutPrefix(rest, "alt+"); ok && r != "" {
			k.Mod |= tea.ModAlt
			rest = r
		} else {
			break
		}
	}
	if s, ok := specialKeys[rest]; ok {
		k.Code, k.Text = s.Code, s.Text
	} else {
		r := []rune(rest)
		if len(r) != 1 {
			t.Fatalf("the test does not know the key %q", name)
		}
		k.Code = r[0]
		if k.Mod == 0 {
			k.Text = rest
		}
	}
	msg := tea.KeyPressMsg(k)
	if msg.String() != name {
		t.Fatalf("key %q comes out as %q", name, msg.String())
	}
	return msg
}

// press presses keys one after another.
func (d *driver) press(keys ...string) {
	d.t.Helper()
	for _, k := range keys {
		d.send(keyPress(d.t, k))
	}
}

// typed presses the keys of a text.
func (d *driver) typed(text string) {
	d.t.Helper()
	for _, r := range text {
		if r == ' ' {
			d.press("space")
		} else {
			d.press(string(r))
		}
	}
}

// leavePrompt leaves a prompt that was refused.
func (d *driver) leavePrompt() {
	d.t.Helper()
	if _, ok := d.m.dialogs.Top().(*dialog.Prompt); ok {
		d.press("esc")
	}
}

// command types a command into the palette and runs it.
func (d *driver) command(text string) {
	d.t.Helper()
	d.leavePrompt()
	d.press(":")
	d.typed(text)
	d.press("enter")
}

// screen returns the lines of the screen without styles.
func (d *driver) screen() []string {
	d.t.Helper()
	return strings.Split(ansi.Strip(d.m.View().Content), "\n")
}

// styled returns the screen with its styles.
func (d *driver) styled() string { return d.m.View().Content }

// sees fails unless every text is on the screen.
func (d *driver) sees(texts ...string) {
	d.t.Helper()
	screen := strings.Join(d.screen(), "\n")
	for _, s := range texts {
		if !strings.Contains(screen, s) {
			d.t.Errorf("the screen does not show %q:\n%s", s, screen)
		}
	}
}

// misses fails if any of the texts is on the screen.
func (d *driver) misses(texts ...string) {
	d.t.Helper()
	screen := strings.Join(d.screen(), "\n")
	for _, s := range texts {
		if strings.Contains(screen, s) {
			d.t.Errorf("the screen shows %q:\n%s", s, screen)
		}
	}
}

// rows returns the picture of a window, styles included.
func (d *driver) picture(i int) string {
	d.t.Helper()
	d.m.View()
	return string(screen.Append(nil, d.m.Windows[i].Paint.Picture, d.m.profile))
}

func traceOf(t *testing.T, text string) *prv.Trace {
	t.Helper()
	tr, err := prv.Read(context.Background(), strings.NewReader(text), prv.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return tr
}

// onTrace runs the program on a trace given as text.
func onTrace(t *testing.T, width, height int, text string) *driver {
	t.Helper()
	tr := traceOf(t, text)
	return drive(t, width, height, Options{Demo: func() (*prv.Trace, error) { return tr, nil }})
}

const traceA = prvtest.TraceA

func windowSize(w, h int) tea.Msg { return tea.WindowSizeMsg{Width: w, Height: h} }

func manyThreads(n int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "#Paraver (01/01/03 at 00:00):100:1(%d):1:%d(", n, n)
	for i := range n {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString("1:1")
	}
	b.WriteString(")\n")
	for i := range n {
		fmt.Fprintf(&b, "1:%d:1:%d:1:%d:%d:%d\n", i+1, i+1, i%50, i%50+40, i%5)
	}
	return b.String()
}

// driveNoTimers drops timers.
func driveNoTimers(time.Duration, tea.Msg) tea.Cmd { return nil }

// paneOf returns the pane of a type.
func paneOf[T any](d *driver) T {
	p, ok := pane.First[T](d.m.panes.list)
	if !ok {
		d.t.Fatalf("no pane is a %T", p)
	}
	return p
}

func (d *driver) what() *whatwhere.Pane        { return paneOf[*whatwhere.Pane](d) }
func (d *driver) analyzer() *analyzer.Pane     { return paneOf[*analyzer.Pane](d) }
func (d *driver) simulator() *simulator.Pane   { return paneOf[*simulator.Pane](d) }
func (d *driver) efficiency() *efficiency.Pane { return paneOf[*efficiency.Pane](d) }
func (d *driver) findings() *findings.Pane     { return paneOf[*findings.Pane](d) }

// show opens a pane, with or without the focus.
func (d *driver) show(p pane.Pane, focus bool) {
	d.m.panes.show(p)
	d.m.PaneFocus = focus
}
