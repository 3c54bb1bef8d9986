//go:build !linux

package tui

import tea "charm.land/bubbletea/v2"

// stopSignal has nothing to learn where there are no stop signals.
type stopSignal struct{}

func (*stopSignal) watch(*tea.Program) {}
func (*stopSignal) arm()               {}
func (*stopSignal) disarm()            {}
