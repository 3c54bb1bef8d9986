package screen

import (
	"io"
	"os"
	"sync/atomic"
	"time"

	"github.com/charmbracelet/x/term"
)

// When the program ends, Bubble Tea gives the terminal back. If the program cannot end, since it is blocked in a read
// or a write of the system, whoever is about to kill it gives the terminal back with the functions here.

// taken is the terminal that a running program has changed; nil while there is none.
var taken atomic.Pointer[takenTerminal]

type takenTerminal struct {
	in    *os.File
	state *term.State
	out   *os.File
}

// Take notes the state of the terminal before the program changes it. The returned function forgets it.
func Take(input io.Reader, output io.Writer) (forget func()) {
	in, out := os.Stdin, os.Stdout
	if f, ok := input.(*os.File); ok {
		in = f
	}
	if f, ok := output.(*os.File); ok {
		out = f
	}
	t := &takenTerminal{in: in, out: out}
	if state, err := term.GetState(in.Fd()); err == nil {
		t.state = state
	}
	taken.Store(t)
	return func() { taken.CompareAndSwap(t, nil) }
}

// leave ends the modes that the program sets: synchronized output, mouse, bracketed paste, key reports, the hidden
// cursor, the alternate screen.
const leave = "\x1b[?2026l\x1b[?1006l\x1b[?1003l\x1b[?1002l\x1b[?1000l\x1b[?2004l" +
	"\x1b[<u\x1b[>4;0m\x1b[0m\x1b[?25h\x1b[?1049l"

// GiveBack restores the terminal of a program that still runs, for a process that is about to be killed. It waits only
// a moment for a terminal that is not being read.
func GiveBack() {
	t := taken.Swap(nil)
	if t == nil {
		return
	}
	if t.state != nil {
		_ = term.Restore(t.in.Fd(), t.state)
	}
	written := make(chan struct{})
	go func() {
		_, _ = t.out.WriteString(leave)
		close(written)
	}()
	select {
	case <-written:
	case <-time.After(300 * time.Millisecond):
	}
}
