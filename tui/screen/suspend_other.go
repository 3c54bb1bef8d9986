//go:build !linux

package screen

import tea "charm.land/bubbletea/v2"

// StopSignal has nothing to learn where there are no stop signals.
type StopSignal struct{}

// StopMsg comes when the process is asked to stop from outside.
type StopMsg struct{}

func (*StopSignal) Watch(*tea.Program) {}
func (*StopSignal) Arm()               {}
func (*StopSignal) Disarm()            {}
