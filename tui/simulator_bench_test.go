package tui

import (
	"context"
	"fmt"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"pview/prv"
	"pview/prv/synth"
	"pview/tui/pane"
	"pview/tui/pane/simulator"
)

// stencilTrace returns the measured trace of a stencil on 64 tasks, whose program for the simulation has about a
// million records.
func stencilTrace(tb testing.TB) *prv.Trace {
	tb.Helper()
	g, err := synth.New(synth.Options{Tasks: 64, Nodes: 8, Bytes: 28 << 20, NoCounters: true})
	if err != nil {
		tb.Fatal(err)
	}
	t, err := g.Trace(context.Background())
	if err != nil {
		tb.Fatal(err)
	}
	return t
}

// BenchmarkResimulate measures the time from a change of the machine to the picture of the predicted trace, for a
// program of a million records of 64 tasks, on a screen of 200 x 60.
func BenchmarkResimulate(b *testing.B) {
	measured := stencilTrace(b)
	m := New(Options{Demo: func() (*prv.Trace, error) { return measured, nil }})
	defer m.shut()
	// A change is simulated immediately; later computations and animations are omitted.
	m.after = func(_ time.Duration, msg tea.Msg) tea.Cmd {
		switch msg.(type) {
		case tickMsg, settledMsg:
			return nil
		}
		return func() tea.Msg { return msg }
	}
	step := func(msg tea.Msg) (cmd tea.Cmd) {
		_, cmd = m.Update(msg)
		m.View()
		return cmd
	}
	messages := make(chan tea.Msg, 100)
	spawn := func(cmd tea.Cmd) {
		if cmd != nil {
			go func() {
				if msg := cmd(); msg != nil {
					messages <- msg
				}
			}()
		}
	}
	loop := func(done func() bool) {
		for !done() {
			msg := <-messages
			if batch, ok := msg.(tea.BatchMsg); ok {
				for _, c := range batch {
					spawn(c)
				}
				continue
			}
			spawn(step(msg))
		}
	}
	spawn(step(tea.WindowSizeMsg{Width: 200, Height: 60}))
	spawn(m.Init())
	loop(func() bool { return m.Focused() != nil })
	typed := func(text string) {
		for _, r := range text {
			key := tea.Key{Code: r, Text: string(r)}
			if r == ' ' {
				key = tea.Key{Code: tea.KeySpace, Text: " "}
			}
			spawn(step(tea.KeyPressMsg(key)))
		}
	}
	enter := func() { spawn(step(tea.KeyPressMsg{Code: tea.KeyEnter})) }
	typed(":simulate infiniband-hdr")
	enter()
	simulations, _ := pane.First[*simulator.Pane](m.panes.list)
	s := simulations.Of(m.Focused().Trace)
	shown := func() bool {
		if simulations.Busy() || s.Predicted() == nil || len(m.Windows) < 2 {
			return false
		}
		v := &m.Windows[1].Values
		return m.Windows[1].Trace == s.Predicted() && v.Eval != nil && !v.Busy && v.Wanted > 0 && v.Known == v.Wanted
	}
	loop(shown)
	totals := time.Duration(0)
	b.ResetTimer()
	for i := range b.N {
		b.StopTimer()
		typed(fmt.Sprintf(":machine-set latency %dns", 1001+i))
		b.StartTimer()
		begin := time.Now()
		enter()
		loop(func() bool { return simulations.Busy() })
		loop(func() bool { return !simulations.Busy() })
		totals += time.Since(begin)
		loop(shown)
		m.View()
	}
	b.StopTimer()
	if s.Err() != nil {
		b.Fatal(s.Err())
	}
	b.ReportMetric(float64(totals.Milliseconds())/float64(b.N), "ms/total")
	b.ReportMetric(float64(b.Elapsed().Milliseconds())/float64(b.N), "ms/picture")
	b.ReportMetric(float64(s.Program().Records()), "records")
}
