package command

import (
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/term"

	"pview/prv/quantity"
	"pview/tui/screen"
)

// Progress is a line on a terminal that shows the progress of a long task and
// disappears when it is done. On anything but a terminal it is silent.
type Progress struct {
	mu    sync.Mutex
	w     *os.File // nil: silent
	what  string
	start time.Time
	last  time.Time
	shown bool
	timer *time.Timer // redraws if nothing is reported for a while
	Plain bool        // units are not bytes: only the percentage is meaningful
}

// A task shorter than progressDelay shows no progress; the line is redrawn at most
// every progressStep.
const (
	progressDelay = 300 * time.Millisecond
	progressStep  = 100 * time.Millisecond
)

func NewProgress(w io.Writer, what string) *Progress {
	p := &Progress{what: what, start: time.Now()}
	if IsTerminal(w) && screen.Check(os.Environ()) == nil {
		p.w = w.(*os.File)
		p.timer = time.AfterFunc(progressDelay, p.begin)
	}
	return p
}

// begin draws the line of a task that has not reported anything yet.
func (p *Progress) begin() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.w != nil && !p.shown {
		p.line(p.what + "…")
	}
}

// Report draws the line: done of total bytes. Safe for concurrent use.
func (p *Progress) Report(done, total int64) {
	p.draw(done, total, func(n int64) string { return quantity.Bytes.Format(float64(n)) })
}

// Stage draws the line of a task that has stages. Safe for concurrent use.
func (p *Progress) Stage(what string, done, total int64) {
	p.Task(what)
	p.Report(done, total)
}

// Task names the current task.
func (p *Progress) Task(what string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.what = what
}

// Rows draws the line: done of total rows. Safe for concurrent use.
func (p *Progress) Rows(done, total int64) { p.draw(done, total, quantity.FormatCount) }

func (p *Progress) draw(done, total int64, say func(int64) string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := time.Now()
	if p.w == nil || now.Sub(p.start) < progressDelay || now.Sub(p.last) < progressStep {
		return
	}
	p.last = now
	percent := quantity.FormatProgress(done, total)
	if p.Plain {
		p.line(p.what + "  " + percent)
		return
	}
	p.line(fmt.Sprintf("%s  %s of %s  %s", p.what, say(done), say(total), percent))
}

// line replaces the line on the terminal.
func (p *Progress) line(line string) {
	p.shown = true
	if width, _, err := term.GetSize(p.w.Fd()); err == nil && width > 1 {
		line = ansi.Truncate(line, width-1, "")
	}
	fmt.Fprint(p.w, "\r"+ansi.EraseLineRight+line)
}

// Close erases the line.
func (p *Progress) Close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.shown {
		fmt.Fprint(p.w, "\r"+ansi.EraseLineRight)
	}
	if p.timer != nil {
		p.timer.Stop()
	}
	p.w = nil
}
