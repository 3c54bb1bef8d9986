package screen

import (
	"os"
	"os/signal"
	"syscall"
	"unsafe"

	tea "charm.land/bubbletea/v2"
)

// Ctrl+Z is a key while the viewer runs; an external stop signal (kill -TSTP) must give the terminal back, too. While
// the viewer runs it catches the signal and suspends itself as for the key; while it is suspended the signal stops the
// process, as Bubble Tea intends. Once Go has caught a stop signal it keeps swallowing it (signal.Reset does not
// restore the default), so the handler is changed by the system call itself.

// StopSignal reports external stop signals to the viewer.
type StopSignal struct {
	caught  chan os.Signal
	handler sigaction // Go's, while the default is in place
}

// sigaction is the kernel's structure on all Linux machines that Go's runtime treats alike.
type sigaction struct {
	handler  uintptr
	flags    uint64
	restorer uintptr
	mask     uint64
}

func exchange(act, old *sigaction) {
	_, _, _ = syscall.RawSyscall6(syscall.SYS_RT_SIGACTION, uintptr(syscall.SIGTSTP), uintptr(unsafe.Pointer(act)),
		uintptr(unsafe.Pointer(old)), unsafe.Sizeof(act.mask), 0, 0)
}

// Watch catches stop signals, unless they are ignored.
func (s *StopSignal) Watch(p *tea.Program) {
	if signal.Ignored(syscall.SIGTSTP) {
		return
	}
	s.caught = make(chan os.Signal, 1)
	signal.Notify(s.caught, syscall.SIGTSTP)
	go func() {
		for range s.caught {
			p.Send(StopMsg{})
		}
	}()
}

// Arm catches stop signals again.
func (s *StopSignal) Arm() {
	if s.caught != nil && s.handler.handler != 0 {
		exchange(&s.handler, nil)
		s.handler = sigaction{}
	}
}

// Disarm lets stop signals stop the process.
func (s *StopSignal) Disarm() {
	if s.caught != nil && s.handler.handler == 0 {
		exchange(&sigaction{}, &s.handler)
	}
}

// StopMsg comes when an external signal asks the process to stop.
type StopMsg struct{}
