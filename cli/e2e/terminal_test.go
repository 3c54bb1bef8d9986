//go:build unix

package e2e

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/charmbracelet/x/term"
	"github.com/creack/pty"

	"pview/internal/vt"
	"pview/tui/screen"
)

// patience is how long a test waits for the screen to show something. It is long: the machine may be busy, or stall.
const patience = 2 * time.Minute

// terminal is the program running in a pseudo-terminal.
type terminal struct {
	t      *testing.T
	cmd    *exec.Cmd
	pty    *os.File    // the terminal's end
	tty    *os.File    // the program's end
	stdin  *os.File    // nil: the terminal
	before *term.State // of the line discipline
	mixed  bool        // standard error goes to the terminal, too
	ended  chan struct{}
	stderr bytes.Buffer // read it after the end

	mu     sync.Mutex
	screen *vt.Screen
	sent   int // bytes that the program has sent
	calm   int // consecutive looks at which it did nothing
}

// option changes how the program is started.
type option func(*terminal)

func withEnv(env ...string) option {
	return func(tm *terminal) { tm.cmd.Env = append(tm.cmd.Env, env...) }
}

func inDir(dir string) option { return func(tm *terminal) { tm.cmd.Dir = dir } }

// mute makes the terminal ignore queries.
func mute() option { return func(tm *terminal) { tm.screen.Reply = nil } }

// start runs the program in a terminal of the given size. The end of the test kills it if it has not ended by itself.
func start(t *testing.T, columns, rows int, args []string, options ...option) *terminal {
	t.Helper()
	home := t.TempDir()
	tm := &terminal{t: t, cmd: exec.Command(pview, args...), screen: vt.NewScreen(kept(columns, rows)),
		ended: make(chan struct{})}
	tm.cmd.Dir = home
	tm.cmd.Env = []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + home, "XDG_CONFIG_HOME=" + home, "XDG_CACHE_HOME=" + home,
		"XDG_STATE_HOME=" + home,
		"TERM=xterm-256color", "COLORTERM=truecolor", "LANG=C.UTF-8",
	}
	master, tty, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	tm.pty, tm.tty = master, tty
	tm.screen.Reply = master
	for _, o := range options {
		o(tm)
	}
	if err := pty.Setsize(master, &pty.Winsize{Cols: uint16(columns), Rows: uint16(rows)}); err != nil {
		t.Fatal(err)
	}
	// The calls above made the file blocking: a reader would keep it open after Close.
	if err := syscall.SetNonblock(int(master.Fd()), true); err != nil {
		t.Fatal(err)
	}
	if tm.before, err = term.GetState(tty.Fd()); err != nil {
		t.Fatal(err)
	}
	tm.cmd.Stdin, tm.cmd.Stdout, tm.cmd.Stderr = tty, tty, &tm.stderr
	if tm.mixed {
		tm.cmd.Stderr = tty
	}
	if tm.stdin != nil {
		tm.cmd.Stdin = tm.stdin
	}
	tm.cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true, Ctty: 1} // standard output
	if err := tm.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	tm.expectMore()
	go tm.read()
	go func() {
		tm.cmd.Wait()
		// The terminal stays open until its last output is read and its state is checked.
		close(tm.ended)
	}()
	t.Cleanup(func() {
		tm.cmd.Process.Kill()
		<-tm.ended
		tty.Close()
		master.Close()
	})
	return tm
}

// kept returns the part of a screen of any size that the test keeps: more than the program draws. A terminal that
// reports 0x0 has 80x24.
func kept(columns, rows int) (int, int) {
	if columns == 0 {
		return 80, 24
	}
	return min(columns, screen.MostColumns+10), min(rows, screen.MostRows+10)
}

// read keeps the screen up to date.
func (tm *terminal) read() {
	buf := make([]byte, 64<<10)
	for {
		n, err := tm.pty.Read(buf)
		tm.mu.Lock()
		tm.screen.Write(buf[:n])
		tm.sent += n
		tm.calm = 0
		tm.mu.Unlock()
		if err != nil {
			return
		}
	}
}

// see calls f with the screen.
func (tm *terminal) see(f func(s *vt.Screen)) {
	tm.mu.Lock()
	defer tm.mu.Unlock()
	f(tm.screen)
}

// text returns what the screen shows.
func (tm *terminal) text() (text string) {
	tm.see(func(s *vt.Screen) { text = looks(s) })
	return text
}

// alike maps glyphs of halves and quarters of a cell to the one that looks the same with the colours exchanged: the
// viewer sends the one that takes fewer bytes, given the screen's present contents.
var alike = strings.NewReplacer("▐", "▌", "▄", "▀", "▗", "▛", "▖", "▜", "▝", "▙", "▘", "▟", "▞", "▚")

// looks returns the text of a screen, the same for cells that look alike.
func looks(s *vt.Screen) string { return alike.Replace(s.Text()) }

// await waits until the screen is as wanted; if that never happens, it reports what was wanted.
func (tm *terminal) await(what string, wanted func(s *vt.Screen) bool) {
	tm.t.Helper()
	for deadline := time.Now().Add(patience); ; time.Sleep(5 * time.Millisecond) {
		ok := false
		tm.see(func(s *vt.Screen) { ok = wanted(s) })
		if ok {
			return
		}
		select {
		case <-tm.ended:
			tm.t.Fatalf("the program ended before there was %s; it said %q; the screen:\n%s", what, tm.stderr.String(),
				tm.text())
		default:
		}
		if time.Now().After(deadline) {
			tm.t.Fatalf("there was no %s; the screen:\n%s", what, tm.text())
		}
	}
}

// awaitText waits until the screen shows a text.
func (tm *terminal) awaitText(text string) {
	tm.t.Helper()
	tm.await("text "+text, func(s *vt.Screen) bool { return strings.Contains(looks(s), text) })
}

// awaitNoText waits until the screen no longer shows a text.
func (tm *terminal) awaitNoText(text string) {
	tm.t.Helper()
	tm.await("going away of "+text, func(s *vt.Screen) bool { return !strings.Contains(looks(s), text) })
}

// sentBytes counts the bytes that the program has sent so far.
func (tm *terminal) sentBytes() (n int) {
	tm.see(func(*vt.Screen) { n = tm.sent })
	return n
}

// expectMore makes settle wait for further output.
func (tm *terminal) expectMore() { tm.see(func(*vt.Screen) { tm.calm = 0 }) }

// settle waits until the program has sent nothing and done nothing for a while, and returns the
// screen.
func (tm *terminal) settle() string {
	tm.t.Helper()
	const quiet = 25 // looks, not a time: the test may stall, and then find output that arrived meanwhile
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
		if works(tm.cmd.Process.Pid) { // on a busy machine it may take longer to send something
			tm.expectMore()
		}
		tm.mu.Lock()
		tm.calm++
		still := tm.calm > quiet
		tm.mu.Unlock()
		if still {
			return tm.text()
		}
	}
	tm.t.Fatal("the screen does not come to rest")
	return ""
}

// works reports whether a thread of a process or of its children runs, waits for a processor or for a disk: on Linux,
// elsewhere it is false.
func works(pid int) bool {
	threads, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*", pid))
	return slices.ContainsFunc(threads, func(thread string) bool {
		stat, _ := os.ReadFile(filepath.Join(thread, "stat"))
		_, state, found := bytes.Cut(stat, []byte(") ")) // behind the name
		return found && (state[0] == 'R' || state[0] == 'D') || slices.ContainsFunc(childrenOf(thread), works)
	})
}

// childrenOf returns the processes that a thread, such as /proc/1/task/1, has started.
func childrenOf(thread string) (pids []int) {
	text, _ := os.ReadFile(filepath.Join(thread, "children"))
	for _, word := range strings.Fields(string(text)) {
		if pid, err := strconv.Atoi(word); err == nil {
			pids = append(pids, pid)
		}
	}
	return pids
}

// press sends keys, as a terminal sends them.
func (tm *terminal) press(keys ...string) {
	tm.t.Helper()
	tm.expectMore()
	for _, k := range keys {
		if _, err := io.WriteString(tm.pty, k); err != nil {
			tm.t.Fatal(err)
		}
	}
}

// Keys that are not a character.
const (
	keyRight = "\x1b[C"
	keyEnd   = "\x1b[F"
	keyEnter = "\r"
	keyEsc   = "\x1b"
	keyCtrlC = "\x03"
	keyCtrlZ = "\x1a"
)

// resize changes the size of the terminal.
func (tm *terminal) resize(columns, rows int) {
	tm.t.Helper()
	tm.see(func(s *vt.Screen) { s.Resize(kept(columns, rows)) })
	tm.expectMore()
	if err := pty.Setsize(tm.pty, &pty.Winsize{Cols: uint16(columns), Rows: uint16(rows)}); err != nil {
		tm.t.Fatal(err)
	}
}

// signal sends the program a signal.
func (tm *terminal) signal(s os.Signal) {
	tm.t.Helper()
	if err := tm.cmd.Process.Signal(s); err != nil {
		tm.t.Fatal(err)
	}
}

// end waits for the program to end and returns its status.
func (tm *terminal) end() syscall.WaitStatus {
	tm.t.Helper()
	select {
	case <-tm.ended:
	case <-time.After(patience):
		tm.t.Fatalf("the program does not end; the screen:\n%s", tm.text())
	}
	tm.drain()
	return tm.cmd.ProcessState.Sys().(syscall.WaitStatus)
}

// drain waits until everything that the program has sent is on the screen: until a mark sent after it arrives.
func (tm *terminal) drain() {
	tm.t.Helper()
	const mark = "the end of the test's program"
	io.WriteString(tm.tty, "\x1b]2;"+mark+"\a")
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
		done := false
		tm.see(func(s *vt.Screen) { done = s.Title == mark })
		if done {
			return
		}
	}
	tm.t.Fatal("the terminal does not show what is sent to it")
}

// checkGivenBack checks that the terminal is as the program found it: main
// screen, cursor shown, no mouse, no special keys, the line discipline as before.
func (tm *terminal) checkGivenBack() {
	tm.t.Helper()
	tm.see(func(s *vt.Screen) {
		var modes []int
		for m := range s.Modes {
			modes = append(modes, m)
		}
		slices.Sort(modes)
		if want := []int{7, vt.ModeCursor}; !slices.Equal(modes, want) {
			tm.t.Errorf("modes %v are set, want %v: wrapping and the cursor alone", modes, want)
		}
		if keys := slices.DeleteFunc(slices.Clone(s.Keyboard), func(flags int) bool {
			return flags == 0
		}); len(keys) > 0 || s.ModifyOtherKeys != 0 {
			tm.t.Errorf("the keyboard is left in special modes: %v, %d", keys, s.ModifyOtherKeys)
		}
	})
	after, err := term.GetState(tm.pty.Fd())
	if err != nil {
		tm.t.Fatal(err)
	}
	if !reflect.DeepEqual(after, tm.before) {
		tm.t.Errorf("the line discipline is %+v, was %+v", after, tm.before)
	}
}

// checkUnderstood checks that the terminal understood everything that the program sent.
func (tm *terminal) checkUnderstood() {
	tm.t.Helper()
	tm.see(func(s *vt.Screen) {
		if len(s.Unknown) > 0 {
			tm.t.Errorf("the terminal did not understand %q", s.Unknown)
		}
	})
}
