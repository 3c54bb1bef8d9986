//go:build unix

// Picture makes the pictures in docs/: it runs pview in a pseudo-terminal, presses keys,
// and writes down the screen as SVG. It is run by hand when the screen has
// changed:
//
//	go run ./docs/picture
package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"time"

	"github.com/creack/pty"

	"pview/internal/vt"
)

// picture is a screen and the keys that lead to it.
type picture struct {
	file          string
	columns, rows int
	keys          []string
	description   string
}

var pictures = []picture{
	{"demo.svg", 120, 34, []string{
		":view 700ms 800ms\r",      // the hot spot drifts from task to task
		"x",                        // with the messages between them
		"g738ms\r", "jjjjjjjjjjjj", // the cursor at a task that waits
		"\r", // What/Where
	}, "pview on its demo trace: a timeline of 16 threads coloured by state, messages between them, and the records around the cursor"},
	{"simulator.svg", 120, 44, []string{
		":view 700ms 800ms\r",
		":simulate ethernet-1g\r",
		"++", // four times the latency
	}, "the simulator of pview: the demo trace, below it the run that is predicted on a slower network, and the machine's parameters"},
}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run() error {
	dir, err := os.MkdirTemp("", "pview-picture-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	program := filepath.Join(dir, "pview")
	if out, err := exec.Command("go", "build", "-o", program, "pview").CombinedOutput(); err != nil {
		return fmt.Errorf("building pview: %w\n%s", err, out)
	}
	for _, p := range pictures {
		screen, err := p.take(program)
		if err != nil {
			return fmt.Errorf("%s: %w", p.file, err)
		}
		var b bytes.Buffer
		if err := screen.WriteSVG(&b, p.description); err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join("docs", p.file), b.Bytes(), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// rest is how long the screen must stand still before the next key is pressed.
const rest = 700 * time.Millisecond

// take runs the program, presses the keys, and returns the screen.
func (p picture) take(program string) (*vt.Screen, error) {
	cmd := exec.Command(program)
	cmd.Env = append(os.Environ(), "TERM=xterm-256color", "COLORTERM=truecolor", "LANG=C.UTF-8", "NO_COLOR=", "TMUX=")
	tty, err := pty.StartWithSize(cmd, &pty.Winsize{Cols: uint16(p.columns), Rows: uint16(p.rows)})
	if err != nil {
		return nil, err
	}
	defer tty.Close()
	defer cmd.Process.Kill()
	screen := vt.NewScreen(p.columns, p.rows)
	screen.Reply = tty
	var mu sync.Mutex
	last := time.Now()
	go func() {
		buf := make([]byte, 64<<10)
		for {
			n, err := tty.Read(buf)
			mu.Lock()
			screen.Write(buf[:n])
			last = time.Now()
			mu.Unlock()
			if err != nil {
				return
			}
		}
	}()
	settle := func() {
		for still := false; !still; time.Sleep(10 * time.Millisecond) {
			mu.Lock()
			still = time.Since(last) > rest
			mu.Unlock()
		}
	}
	for _, k := range append([]string{""}, p.keys...) {
		mu.Lock()
		last = time.Now()
		mu.Unlock()
		if _, err := io.WriteString(tty, k); err != nil {
			return nil, err
		}
		settle()
	}
	mu.Lock()
	defer mu.Unlock()
	picture := *screen // a copy, which the program's end does not wipe
	return &picture, nil
}
