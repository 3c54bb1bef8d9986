//go:build !linux

package screen

import tea "charm.land/bubbletea/v2"

// StopSignal does nothing on systems without stop signals.
type StopSignal struct{}

// StopMsg comes when an external signal asks the process to stop.
type StopMsg struct{}

func (*StopSignal) Watch(*tea.Program) {}
func (*StopSignal) Arm()               {}
func (*StopSignal) Disarm()            {}
