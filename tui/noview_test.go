package tui

import (
	"slices"
	"testing"

	"pview/tui/list"
)

// Without an open trace, no key in any pane does harm: a session may open a pane whose windows are all invalid, and
// closing a trace leaves the pane open.
func TestPanesWithoutTrace(t *testing.T) {
	d := onDemo(t, 120, 40)
	d.command("close-trace")
	m := d.m
	for _, p := range m.panes.list {
		for focus := range 2 {
			for v := range list.NumVerbs {
				m.panes.open, m.panes.shown, m.PaneFocus = true, slices.Index(m.panes.list, p), focus == 1
				func() {
					defer func() {
						if r := recover(); r != nil {
							t.Errorf("%s, %s: %v", p.Title(), list.Verbs[v].Name, r)
						}
					}()
					d.command(list.Verbs[v].Name)
				}()
			}
		}
	}
}
