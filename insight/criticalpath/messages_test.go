package criticalpath

import (
	"testing"

	"pview/sim"
)

const (
	running = uint32(sim.StateRunning)
	ready   = uint32(sim.StateReady)
	startup = uint32(sim.StateStartup)
	waiting = uint32(sim.StateWaiting)
)

// stateOf1 is a state of thread 1.
func stateOf1(begin, end int64, value uint32) onThread {
	return onThread{thread: 1, begin: begin, end: end, value: value}
}

func sends(thread int32, m message) onThread { return onThread{thread: thread, message: &m} }

// A sender at 10 has done its part at the end of its latency, before which it may wait for a CPU, and at the latest
// when the message leaves, or now, at 50.
func TestSenderReady(t *testing.T) {
	for _, c := range []struct {
		left   int64
		states []onThread
		want   int64
	}{
		{20, nil, 10},
		{20, []onThread{stateOf1(10, 15, startup)}, 15},
		{20, []onThread{stateOf1(10, 25, startup)}, 20},
		{60, []onThread{stateOf1(10, 55, startup)}, 50},
		{20, []onThread{stateOf1(0, 10, running), stateOf1(10, 12, ready), stateOf1(12, 14, uint32(sim.StateSwitch)),
			stateOf1(14, 17, startup)}, 17},
		{20, []onThread{stateOf1(10, 12, running), stateOf1(12, 14, startup)}, 10},
		{20, []onThread{stateOf1(10, 12, ready), stateOf1(13, 15, startup)}, 10},
		{20, []onThread{stateOf1(11, 15, startup)}, 10},
		{20, []onThread{stateOf1(10, 20, ready), stateOf1(20, 22, startup)}, 10},
	} {
		f := finderIn(t, 0, append(c.states, sends(1, message{0, 10, c.left, 20, 60}))...)
		if got := f.senderReady(0); got != c.want {
			t.Errorf("%+v: %d", c, got)
		}
	}
}

// A message of a sender that is ready at 20 leaves at 35, or earlier. Its receiver, which waits since begin and posted
// it then or before, triggered that if its own time is that of the send, or of the end of the sender's wait.
func TestReceiverMet(t *testing.T) {
	for _, c := range []struct {
		state               onThread
		left, begin, posted int64
		want                int64
	}{
		{stateOf1(20, 30, waiting), 35, 30, 5, 30},
		{stateOf1(20, 30, waiting), 35, 5, 30, 30},
		{stateOf1(20, 30, waiting), 35, 5, 6, -1},
		{stateOf1(20, 30, waiting), 30, 30, 5, 30},
		{stateOf1(20, 40, waiting), 35, 40, 5, -1},
		{stateOf1(20, 40, waiting), 35, 35, 5, 35},
		{stateOf1(20, 30, running), 35, 30, 5, -1},
		{stateOf1(20, 30, running), 35, 5, 35, 35},
		{stateOf1(21, 30, waiting), 35, 30, 5, -1},
		{stateOf1(21, 30, waiting), 20, 20, 5, -1}, // left when the sender was ready
	} {
		f := finderIn(t, 0, c.state, sends(1, message{0, 20, c.left, c.posted, 60}))
		if got := f.receiverMet(0, 20, c.begin, c.posted); got != c.want {
			t.Errorf("%+v: %d", c, got)
		}
	}
}

// Thread 0 has waited from 20 to 50: for the arrival of a message, until its receiver was ready, or until its own
// message had arrived.
func TestFollowMessages(t *testing.T) {
	type try = func(f *finder) bool
	arrival := func(tried int) try { return func(f *finder) bool { return f.followArrival(20, tried) } }
	rendezvous := func(f *finder) bool { return f.followRendezvous(20) }
	sending := func(f *finder) bool { return f.followSending(0, 20) }
	starts := func(f *finder) bool { return f.startsMessage(20) }
	now := []onThread{sends(1, message{0, 50, 50, 20, 50}), sends(2, message{0, 50, 50, 20, 50})}
	for _, c := range []struct {
		name    string
		records []onThread
		follow  try
		want    string
	}{
		{"arrival", []onThread{sends(1, message{0, 10, 12, 20, 50})}, arrival(0),
			"true to 1, 12..50 transfer of 0, 10..12 resources of 0"},
		{"arrival, posted late", []onThread{sends(1, message{0, 10, 12, 21, 50})}, arrival(0), "false to 0"},
		{"arrival before", []onThread{sends(1, message{0, 10, 12, 20, 49})}, arrival(0), "false to 0"},
		{"arrival, met", []onThread{sends(1, message{0, 10, 20, 20, 50})}, arrival(0),
			"true to 0, 20..50 transfer of 0"},
		{"arrival at once", now, arrival(0), "true to 1"},
		{"second arrival at once", now, arrival(1), "true to 2"},
		{"third arrival at once", now, arrival(2), "false to 0"},
		{"receiver", []onThread{sends(0, message{1, 20, 50, 50, 60})}, rendezvous, "true to 1"},
		{"receiver, left before", []onThread{sends(0, message{1, 20, 49, 49, 60})}, rendezvous, "false to 0"},
		{"receiver, sent before", []onThread{sends(0, message{1, 19, 50, 50, 60})}, rendezvous, "false to 0"},
		{"receiver, sent later", []onThread{sends(0, message{1, 21, 50, 50, 60})}, rendezvous, "false to 0"},
		{"receiver behind latency", []onThread{{begin: 15, end: 20, value: startup},
			sends(0, message{1, 15, 50, 50, 60})}, rendezvous, "true to 1"},
		{"receiver is the sender", []onThread{sends(0, message{0, 20, 50, 50, 60})}, rendezvous, "false to 0"},
		{"sending", []onThread{sends(0, message{1, 15, 18, 5, 50})}, sending,
			"true to 0, 18..50 transfer of 0, 15..18 resources of 0"},
		{"sending, met", []onThread{sends(0, message{1, 15, 18, 18, 50})}, sending, "true to 1, 18..50 transfer of 0"},
		{"sending, not there", []onThread{sends(0, message{1, 15, 18, 5, 51})}, sending, "false to 0"},
		{"sending later", []onThread{sends(0, message{1, 21, 22, 5, 50})}, sending, "false to 0"},
		{"starts a send", []onThread{sends(0, message{1, 20, 22, 5, 50})}, starts, "true to 0"},
		{"starts a receive", []onThread{sends(1, message{0, 10, 22, 20, 50})}, starts, "true to 0"},
		{"starts neither", []onThread{sends(1, message{0, 20, 20, 21, 50})}, starts, "false to 0"},
	} {
		f := finderIn(t, 0, c.records...)
		if got := f.went(c.follow(f)); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}
