package tracecmd

// Recording with the viewer on the screen: the viewer has the terminal, and the program's output is held back.

import (
	"context"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"syscall"

	"github.com/spf13/cobra"

	"pview/prv/record"
)

// watch runs the program and shows its records in the viewer. If the viewer is closed, the program continues to its
// end.
func (r *recorder) watch(cmd *cobra.Command, program *exec.Cmd) (int, error) {
	out, err := newHeld(r.Out)
	if err != nil {
		return 0, err
	}
	defer out.release()
	problems, err := newHeld(r.Err)
	if err != nil {
		return 0, err
	}
	defer problems.release()
	program.Stdout, program.Stderr = out, problems
	if err := program.Start(); err != nil {
		return 0, err
	}
	if r.steering != nil {
		before := r.Err
		r.Err = problems
		stop := r.steering.begin()
		defer func() {
			stop()
			r.Err = before
		}()
	}
	ended := make(chan struct{})
	var status int
	var failed error
	go func() {
		defer close(ended)
		status, failed = record.Wait(program)
	}()
	outer := cmd.Context()
	ctx, cancel := context.WithCancel(outer)
	defer cancel()
	go func() { // nothing more to show
		<-ended
		if names, _ := filepath.Glob(filepath.Join(r.settings.Folder, "*.rec")); len(names) == 0 {
			cancel()
		}
	}()
	cmd.SetContext(ctx)
	shown := r.view(cmd, relative(r.settings.Folder))
	defer r.forward(program)()
	out.release()
	problems.release()
	select {
	case <-ended:
	default:
		if outer.Err() != nil {
			program.Process.Signal(syscall.SIGTERM)
		} else {
			r.Say("the program is still running; Ctrl-C interrupts it")
		}
		<-ended
	}
	if failed == nil && ctx.Err() == nil {
		failed = shown
	}
	return status, failed
}

// held buffers its input in a file until it is released.
type held struct {
	mu   sync.Mutex
	to   io.Writer
	file *os.File // nil: released
}

func newHeld(to io.Writer) (*held, error) {
	f, err := os.CreateTemp("", "pview-output")
	if err != nil {
		return nil, err
	}
	os.Remove(f.Name()) // it exists until it is closed
	return &held{to: to, file: f}, nil
}

func (h *held) Write(b []byte) (int, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.file != nil {
		return h.file.Write(b)
	}
	return h.to.Write(b)
}

// release writes the buffered data, and makes later writes immediate.
func (h *held) release() {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.file == nil {
		return
	}
	defer h.file.Close()
	if _, err := h.file.Seek(0, io.SeekStart); err == nil {
		io.Copy(h.to, h.file)
	}
	h.file = nil
}
