package system

import "testing"

// System events have a class; unknown ones have that of their neighbours.
func TestClassOf(t *testing.T) {
	for id, want := range map[int]Class{-11: Setup, -21: Transmit, -33: Transmit, -45: Transmit, -50: Transmit,
		-52: Receive, -62: Receive, -221: InputOutput, -402: Synchronise, -503: Allocate,
		-602: Generic, -785: Collective, -849: Collective, -901: Envelope, -914: Tracing, -17: Setup,
		-25: Transmit, -99: Receive, -300: InputOutput, -450: Synchronise, -550: Allocate,
		-650: Generic, -888: Collective, -950: Tracing, -5000: Tracing} {
		if got := ClassOf(id); got != want {
			t.Errorf("event %d is of class %d, want %d", id, got, want)
		}
	}
}

// Tests, waits, probes and cancels are not requests.
func TestIsRequest(t *testing.T) {
	for id, want := range map[int]bool{-21: true, -25: false, -27: true, -28: false, -39: true, -52: true, -53: false,
		-57: true, -58: false, -221: true, -402: false, -5: false} {
		if IsRequest(id) != want {
			t.Errorf("event %d is a request: %v, want %v", id, !want, want)
		}
	}
}
