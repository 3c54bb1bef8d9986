package screen

import (
	"bytes"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"pview/internal/vt"
	"pview/render/raster"
)

// The wire reads the output of Bubble Tea's renderer: whether it switches the alternate screen, and whether it erases
// something. This file runs a real program over it, so that an upgrade of Bubble Tea that changes these sequences fails
// here.

// known are the control sequences of Bubble Tea whose effect on a picture we know: the parameters' prefix, the
// intermediate and the final byte. Check a new one before entering it here: Wire.Write must see every sequence that
// changes cells (clears).
var known = []string{
	"?h", "?l", // modes: the alternate screen, mouse, paste, cursor
	"?$p",                  // asks for a mode
	">m",                   // xterm's modifyOtherKeys
	">u", "=u", "<u", "?u", // kitty's keyboard protocol
	"H", "d", "G", "`", "A", "B", "C", "D", // move the cursor
	"J", "K", // erase: the wire sees them
	"m",
}

// session is a Bubble Tea program over a wire, and the terminal at its end.
type session struct {
	t       *testing.T
	wire    *Wire
	program *tea.Program
	input   *io.PipeWriter
	ended   chan error

	mu     sync.Mutex
	screen *vt.Screen
	sent   bytes.Buffer // by Bubble Tea
	all    bytes.Buffer // with the pictures
}

const sessionW, sessionH = 40, 6

// Write returns the terminal's end.
func (s *session) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.all.Write(p)
	return s.screen.Write(p)
}

// tap takes what Bubble Tea sends to the wire.
type tap struct{ *session }

func (b tap) Write(p []byte) (int, error) {
	b.mu.Lock()
	b.sent.Write(p)
	b.mu.Unlock()
	return b.wire.Write(p)
}

// still is a model that only asks for modes, as the viewer does.
type still struct {
	*session
	cursor *tea.Cursor
}

type cursorMsg struct{ x, y int }

func (m still) Init() tea.Cmd { return nil }

func (m still) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.ModeReportMsg:
		m.wire.Report(msg)
	case cursorMsg:
		m.cursor = tea.NewCursor(msg.x, msg.y)
	}
	return m, nil
}

func (m still) View() tea.View {
	v := tea.NewView(" ")
	v.AltScreen, v.MouseMode, v.WindowTitle, v.Cursor = true, tea.MouseModeCellMotion, "title", m.cursor
	return v
}

func newSession(t *testing.T) *session {
	s := &session{t: t, screen: vt.NewScreen(sessionW, sessionH), ended: make(chan error, 1)}
	env := []string{"TERM=xterm-256color"}
	s.wire = NewWire(s, env)
	go s.wire.Send()
	t.Cleanup(s.wire.Close)
	in, out := io.Pipe()
	s.input = out
	t.Cleanup(func() { out.Close() })
	s.program = tea.NewProgram(still{session: s}, tea.WithOutput(tap{s}), tea.WithInput(in), tea.WithEnvironment(env),
		tea.WithoutSignalHandler(), tea.WithWindowSize(sessionW, sessionH))
	go func() {
		_, err := s.program.Run()
		s.ended <- err
	}()
	t.Cleanup(s.program.Kill)
	return s
}

// show makes the wire show a picture full of a letter.
func (s *session) show(letter string) {
	c := raster.NewCanvas(sessionW, sessionH)
	for y := range c.H {
		c.Text(0, y, strings.Repeat(letter, c.W), raster.Style{})
	}
	s.wire.Show(c, raster.TrueColor, nil, false)
}

// await waits for the terminal to reach a state: up to two minutes, as the machine may be busy.
func (s *session) await(what string, as func() bool) {
	s.t.Helper()
	for range 24_000 {
		s.mu.Lock()
		ok := as()
		s.mu.Unlock()
		if ok {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
	s.t.Fatalf("%s; Bubble Tea sent %q, the screen shows\n%s", what, s.sent.String(), s.screen.Text())
}

// shows reports whether the picture of a letter fills the screen.
func (s *session) shows(letter string) func() bool {
	return func() bool { return strings.Count(s.screen.Text(), letter) == sessionW*sessionH }
}

// sends waits until Bubble Tea sends something new.
func (s *session) sends(what string, after func()) {
	s.t.Helper()
	s.mu.Lock()
	s.sent.Reset()
	s.mu.Unlock()
	after()
	s.await("Bubble Tea does not send "+fmt.Sprintf("%q", what), func() bool {
		return strings.Contains(s.sent.String(), what)
	})
}

// renderers reports whether the renderer of a program runs.
func renderers() bool {
	stacks := make([]byte, 1<<20)
	return bytes.Contains(stacks[:runtime.Stack(stacks, true)], []byte("(*Program).startRenderer.func"))
}

// The terminal shows the wire's picture all through a program's life: at the start, after the screen was cleared, after
// a new size, and after the terminal was given away and taken back; nothing is sent while it is given away.
func TestWireUnderstandsBubbleTea(t *testing.T) {
	s := newSession(t)
	s.show("a")
	s.await("the first picture is missing", s.shows("a"))
	s.await("the alternate screen was not asked for as the wire expects", func() bool {
		return strings.Count(s.sent.String(), altOn) == 1
	})
	s.await("the mode of synchronized output was not asked for", func() bool {
		return strings.Contains(s.sent.String(), "\x1b[?2026$p")
	})

	s.sends("\x1b[2J", func() { s.program.Send(tea.ClearScreen()) })
	s.await("after the screen was cleared the picture is missing", s.shows("a"))
	s.sends("J", func() { s.program.Send(tea.WindowSizeMsg{Width: sessionW, Height: sessionH}) })
	s.await("after a new size the picture is missing", s.shows("a"))

	if !renderers() {
		t.Error("the renderer has another name")
	}
	s.sends(altOff, func() {
		if err := s.program.ReleaseTerminal(); err != nil {
			t.Fatal(err)
		}
	})
	s.show("b")
	s.wire.Flush()
	s.mu.Lock()
	if text := s.screen.Text(); strings.Contains(text, "b") {
		t.Errorf("a terminal that was given away shows\n%s", text)
	}
	s.mu.Unlock()
	// Bubble Tea stops its old ticker late, and its new renderer uses the same ticker.
	s.await("the renderer of the terminal that was given away goes on", func() bool { return !renderers() })
	s.sends(altOn, func() {
		if err := s.program.RestoreTerminal(); err != nil {
			t.Fatal(err)
		}
	})
	s.await("after the terminal was taken back the picture is missing", s.shows("b"))

	s.sends("\x1b[?25h", func() { s.program.Send(cursorMsg{7, 3}) })
	s.show("c")
	s.await("the picture under a cursor is missing", s.shows("c"))
	s.await("the picture moves the cursor", func() bool { x, y := s.screen.Cursor(); return x == 7 && y == 3 })

	s.sends(altOff, s.program.Quit)
	if err := <-s.ended; err != nil {
		t.Error(err)
	}
	s.all.Reset()
	s.show("d")
	s.wire.Flush()
	if s.all.Len() > 0 {
		t.Errorf("after the end the terminal is sent %q", s.all.String())
	}
	if len(s.screen.Unknown) > 0 {
		t.Errorf("the terminal did not understand %q", s.screen.Unknown)
	}
}

// The terminal's answer about synchronized output reaches the wire: from then on, pictures come between two marks.
func TestWireSynchronizes(t *testing.T) {
	s := newSession(t)
	s.show("a")
	s.await("the first picture is missing", s.shows("a"))
	if strings.Contains(s.all.String(), "\x1b[?2026h") {
		t.Error("synchronized output is used before the terminal has said that it knows it")
	}
	go s.input.Write([]byte("\x1b[?2026;2$y"))
	s.await("the wire does not learn that the terminal knows synchronized output", func() bool {
		s.wire.mu.Lock()
		defer s.wire.mu.Unlock()
		return s.wire.sync
	})
	s.show("b")
	s.await("the second picture is missing", s.shows("b"))
	s.mu.Lock()
	defer s.mu.Unlock()
	text := s.all.String()
	if i := strings.LastIndex(text, strings.Repeat("b", sessionW)); i < 0 ||
		!strings.Contains(text[i:], "\x1b[?2026l") || strings.Count(text, "\x1b[?2026h") != 1 {
		t.Errorf("the wire does not use synchronized output: %q", text)
	}
}

// Bubble Tea sends nothing that changes the picture behind the wire's back: blanks, and sequences that we know.
func TestBubbleTeaSendsWhatIsKnown(t *testing.T) {
	s := newSession(t)
	s.show("a")
	s.await("the first picture is missing", s.shows("a"))
	s.sends("\x1b[2J", func() { s.program.Send(tea.ClearScreen()) })
	s.sends("J", func() { s.program.Send(tea.WindowSizeMsg{Width: sessionW, Height: sessionH}) })
	s.sends("\x1b[?25h", func() { s.program.Send(cursorMsg{7, 3}) })
	s.program.Send(cursorMsg{30, 0})
	s.program.Send(cursorMsg{3, 5})
	s.sends(altOff, s.program.Quit)
	if err := <-s.ended; err != nil {
		t.Error(err)
	}
	p := ansi.NewParser()
	for text, state := s.sent.Bytes(), byte(0); len(text) > 0; {
		seq, width, n, next := ansi.DecodeSequence(text, state, p)
		switch {
		case width > 0 && strings.Trim(string(seq), " ") != "":
			t.Errorf("Bubble Tea writes %q into the picture", seq)
		case ansi.HasCsiPrefix(seq):
			cmd := ansi.Cmd(p.Command())
			name := ""
			for _, b := range []byte{cmd.Prefix(), cmd.Intermediate(), cmd.Final()} {
				if b != 0 {
					name += string(rune(b))
				}
			}
			if !slices.Contains(known, name) {
				t.Errorf("Bubble Tea sends %q (%s), of which the wire does not know what it does to a picture", seq,
					name)
			}
		}
		text, state = text[n:], next
	}
}
