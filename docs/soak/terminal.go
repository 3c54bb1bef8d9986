//go:build unix

package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/creack/pty"

	"pview/internal/vt"
)

// patience is how long the viewer may take to show something before it counts as hanging. It is long, since the race
// detector and the machine may be slow.
const patience = 3 * time.Minute

// opening is how long it may take to show the trace. Starting reads the whole trace, and others may be using the
// machine.
const opening = 15 * time.Minute

// terminal is the viewer in a pseudo-terminal.
type terminal struct {
	cmd           *exec.Cmd
	dir           string // for files to inspect later
	pty           *os.File
	questions     *os.File
	answers       *json.Decoder
	columns, rows int
	stderr        strings.Builder
	exited        chan struct{}
	problem       error

	mu     sync.Mutex
	screen *vt.Screen
	last   time.Time // of output
}

func startTerminal(binary, work, dir string, args []string) (*terminal, error) {
	t := &terminal{cmd: exec.Command(binary, args...), dir: dir, exited: make(chan struct{}), columns: 120, rows: 40}
	t.screen = vt.NewScreen(t.columns, t.rows)
	master, tty, err := pty.Open()
	if err != nil {
		return nil, err
	}
	defer tty.Close()
	askR, askW, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer askR.Close()
	sayR, sayW, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer sayW.Close()
	t.pty, t.questions, t.answers = master, askW, json.NewDecoder(sayR)
	t.screen.Reply = master
	t.cmd.Dir = work
	t.cmd.Env = []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + dir, "XDG_CONFIG_HOME=" + dir, "XDG_CACHE_HOME=" + dir,
		"XDG_STATE_HOME=" + dir,
		"TERM=xterm-256color", "COLORTERM=truecolor", "LANG=C.UTF-8", viewer + "=" + dir,
		"GORACE=log_path=" + dir + "/race halt_on_error=0 exitcode=0",
	}
	t.cmd.Stdin, t.cmd.Stdout, t.cmd.Stderr = tty, tty, &t.stderr
	t.cmd.ExtraFiles = []*os.File{askR, sayW}
	t.cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true, Ctty: 1}
	if err := pty.Setsize(master, &pty.Winsize{Cols: uint16(t.columns), Rows: uint16(t.rows)}); err != nil {
		return nil, err
	}
	if err := t.cmd.Start(); err != nil {
		return nil, err
	}
	t.last = time.Now()
	go t.read()
	go func() {
		if err := t.cmd.Wait(); err != nil {
			t.problem = fmt.Errorf("the viewer ended: %w; it said\n%s", err, t.stderr.String())
		}
		close(t.exited)
		master.Close()
	}()
	return t, nil
}

// read keeps the screen up to date.
func (t *terminal) read() {
	buf := make([]byte, 64<<10)
	for {
		n, err := t.pty.Read(buf)
		t.mu.Lock()
		t.screen.Write(buf[:n])
		t.last = time.Now()
		t.mu.Unlock()
		if err != nil {
			return
		}
	}
}

// ended reports whether the viewer has ended, and the error if it failed.
func (t *terminal) ended() (bool, error) {
	select {
	case <-t.exited:
		return true, t.problem
	default:
		return false, nil
	}
}

func (t *terminal) kill() {
	t.cmd.Process.Kill()
	<-t.exited
}

// press sends keys. Errors mean that the viewer has ended, which ended reports.
func (t *terminal) press(keys string) {
	t.mu.Lock()
	t.last = time.Now()
	t.mu.Unlock()
	t.pty.WriteString(keys)
}

func (t *terminal) resize(columns, rows int) {
	t.mu.Lock()
	t.columns, t.rows = columns, rows
	t.screen.Resize(columns, rows)
	t.mu.Unlock()
	pty.Setsize(t.pty, &pty.Winsize{Cols: uint16(columns), Rows: uint16(rows)})
}

// still reports whether there has been no output for a while.
func (t *terminal) still(quiet time.Duration) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return time.Since(t.last) > quiet
}

// pause gives the viewer time to read the keys.
func (t *terminal) pause() {
	for end := time.Now().Add(2 * time.Second); !t.still(40*time.Millisecond) && time.Now().Before(end); {
		time.Sleep(10 * time.Millisecond)
	}
}

// escape is Esc in the kitty keyboard protocol. A bare Esc becomes part of the next key if the viewer reads both
// together, as it may on a busy machine.
const escape = "\x1b[27u"

// rest waits until the screen no longer changes. An animation never ends by itself: Esc stops it.
func (t *terminal) rest(patience time.Duration) error {
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		if ended, _ := t.ended(); ended || t.still(1500*time.Millisecond) {
			return nil
		}
	}
	return errors.New("the screen does not come to rest")
}

// awaitMatch waits for a text on the screen, and returns its last group.
func (t *terminal) awaitMatch(want *regexp.Regexp, patience time.Duration) (string, error) {
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		t.mu.Lock()
		text := t.screen.Text()
		t.mu.Unlock()
		if found := want.FindStringSubmatch(text); found != nil {
			return found[len(found)-1], nil
		}
		if ended, err := t.ended(); ended {
			return "", fmt.Errorf("the viewer ended: %w", err)
		}
	}
	return "", fmt.Errorf("there is no %q on the screen", want)
}

// hangs kills a hanging viewer, after writing its goroutines to a file.
func (t *terminal) hangs(how string) error {
	t.mu.Lock()
	screen := t.screen.Text()
	t.mu.Unlock()
	t.cmd.Process.Signal(syscall.SIGQUIT)
	select {
	case <-t.exited:
	case <-time.After(20 * time.Second):
		t.kill()
	}
	listing := filepath.Join(t.dir, "goroutines.txt")
	os.WriteFile(listing, []byte(t.stderr.String()), 0o644)
	return fmt.Errorf("the viewer %s; goroutines in %s; the screen:\n%s", how, listing, screen)
}

// ask asks the viewer for its figures.
func (t *terminal) ask(question byte) (f figures, err error) {
	if _, err = t.questions.Write([]byte{question}); err == nil {
		err = t.answers.Decode(&f)
	}
	return f, err
}

// wholeTrace matches the screen of an open trace while all of its time is shown.
var wholeTrace = regexp.MustCompile(`\(all\)`)

// memoryLine is the line of F9 on the cache of rows.
var memoryLine = regexp.MustCompile(`values; rows ([0-9.,]+ [kMGT]?B)`)

// sizeOf reads a size as the viewer writes it.
func sizeOf(text string) int64 {
	number, unit, _ := strings.Cut(text, " ")
	v, _ := strconv.ParseFloat(strings.ReplaceAll(number, ",", ""), 64)
	return int64(v * map[string]float64{"B": 1, "kB": 1e3, "MB": 1e6, "GB": 1e9}[unit])
}

// resident returns the resident memory of a process, in bytes.
func resident(pid int) (int64, error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0, err
	}
	_, after, _ := strings.Cut(string(text), "VmRSS:")
	line, _, _ := strings.Cut(after, "\n")
	kb, err := strconv.ParseInt(strings.TrimSuffix(strings.TrimSpace(line), " kB"), 10, 64)
	return kb << 10, err
}

// openFiles returns the number of files that a process has open.
func openFiles(pid int) (int, error) {
	list, err := os.ReadDir(fmt.Sprintf("/proc/%d/fd", pid))
	return len(list), err
}
