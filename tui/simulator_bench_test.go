package tui

import (
	"context"
	"fmt"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"pview/prv"
	"pview/sim"
)

// stencilProgram is a program of so many tasks in a ring: computation, an event at its begin and end, messages to both neighbours, an
// Allreduce now and then.
func stencilProgram(tb testing.TB, tasks, records int) *sim.Program {
	tb.Helper()
	p := &sim.Program{}
	p.AddPtask()
	var all []int32
	for i := range tasks {
		p.AddTask(1)
		all = append(all, int32(i))
	}
	world := p.AddCommunicator(0, 1, all)
	const perStep = 11
	match := int64(1)
	for step := range records / tasks / perStep {
		for i := range tasks {
			th := &p.Threads[i]
			left, right := int32((i+tasks-1)%tasks), int32((i+1)%tasks)
			base := match
			th.AddCompute(1000 + float64((i*7919+step*104729)%997))
			th.AddEvent(50000001, 3)
			for k, peer := range []int32{left, right} {
				th.AddMessage(sim.Irecv, sim.Message{Size: 4096, Tag: int64(k), Match: base, Peer: peer})
			}
			for k, peer := range []int32{right, left} {
				th.AddMessage(sim.Isend, sim.Message{Size: 4096, Tag: int64(k), Match: base, Peer: peer})
			}
			th.AddCompute(500)
			for k, peer := range []int32{left, right} {
				th.AddMessage(sim.Wait, sim.Message{Size: 4096, Tag: int64(k), Match: base, Peer: peer})
			}
			th.AddEvent(50000001, 0)
			if step%10 == 0 {
				th.AddCollective(sim.Collective, sim.CollectiveCall{Communicator: world, Op: 11, Sent: 8, Received: 8})
			} else {
				th.AddCompute(0)
			}
		}
		match++
	}
	if err := p.Link(); err != nil {
		tb.Fatal(err)
	}
	return p
}

// BenchmarkResimulate is the time from a change of the machine to the
// picture of the predicted trace, of a program of a million records of 64 tasks, on a screen of 200 x 60.
func BenchmarkResimulate(b *testing.B) {
	p := stencilProgram(b, 64, 1_000_000)
	ideal, err := sim.Run(context.Background(), p, sim.IdealFor(p), sim.Options{Trace: true})
	if err != nil {
		b.Fatal(err)
	}
	m := New(Options{Demo: func() (*prv.Trace, error) { return ideal.Trace, nil }})
	defer m.shut()
	// A change is simulated at once; what is computed long after it, and what moves, is left out.
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
	s := m.simulator.Of(m.Focused().Trace)
	shown := func() bool {
		if m.simulator.Busy() || s.Predicted() == nil || len(m.Windows) < 2 {
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
		loop(func() bool { return m.simulator.Busy() })
		loop(func() bool { return !m.simulator.Busy() })
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
