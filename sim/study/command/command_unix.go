//go:build unix

package command

import (
	"io"
	"os"
	"os/exec"
	"syscall"
	"time"
)

// Start starts a command that prints to two writers. wait returns when the command has ended, and all its output is
// written. It does not wait for processes left behind. The writers must not fail.
//
// Package exec would wait for such processes for some time (exec.Cmd.WaitDelay), and a machine suspended for as long
// would lose the command's output.
func Start(cmd *exec.Cmd, stdout, stderr io.Writer) (wait func() error, err error) {
	var pipes []*pipe
	finish := func() {
		for _, p := range pipes {
			p.finish()
		}
	}
	for _, end := range []struct {
		of *io.Writer
		to io.Writer
	}{{&cmd.Stdout, stdout}, {&cmd.Stderr, stderr}} {
		r, w, err := os.Pipe()
		if err != nil {
			finish()
			return nil, err
		}
		defer w.Close() // the command has its own
		*end.of = w
		pipes = append(pipes, follow(r, end.to))
	}
	if err := cmd.Start(); err != nil {
		finish()
		return nil, err
	}
	return func() error {
		defer finish()
		return cmd.Wait()
	}, nil
}

// pipe copies a command's output to a writer.
type pipe struct {
	from  *os.File
	to    io.Writer
	ended chan struct{}
}

func follow(from *os.File, to io.Writer) *pipe {
	p := &pipe{from, to, make(chan struct{})}
	go func() {
		defer close(p.ended)
		io.Copy(p.to, p.from)
	}()
	return p
}

// mostInPipe is the capacity of a pipe.
const mostInPipe = 1 << 20

// finish drains the pipe and closes it: a command that has ended prints no more, but other processes may hold its end
// of the pipe.
func (p *pipe) finish() {
	defer p.from.Close()
	p.from.SetReadDeadline(time.Now()) // ends a blocked read
	<-p.ended
	p.from.SetReadDeadline(time.Time{})
	conn, err := p.from.SyscallConn()
	if err != nil {
		return
	}
	conn.Read(func(fd uintptr) bool {
		b := make([]byte, mostInPipe)
		n, _ := syscall.Read(int(fd), b) // does not block, and reads all that is there
		p.to.Write(b[:max(n, 0)])
		return true
	})
}
