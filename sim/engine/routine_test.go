package engine_test

import (
	"slices"
	"strings"
	"testing"

	"pview/sim"
	"pview/sim/parameter"
)

// broadcast returns a program in which task 1 sends 90 bytes to all by MPI_Bcast.
func broadcast(t *testing.T, tasks int) *sim.Program {
	t.Helper()
	p := &sim.Program{}
	p.AddPtask()
	var all []int32
	for range tasks {
		all = append(all, p.AddTask(1))
	}
	world := p.AddCommunicator(0, 1, all)
	for i := range tasks {
		p.Threads[i].AddCompute(0)
		p.Threads[i].AddCollective(sim.Collective,
			sim.CollectiveCall{Communicator: world, Op: 1, Sent: 90, Received: 90})
	}
	link(t, p)
	return p
}

// TestCollectiveNetwork is check 17 (K4) by the machine's own words: messages take links of 10 us and 1 us a byte of a
// complete graph: 100 us to each. Bcast has the leaves 7 to 14 of a tree with links twice as fast, 50 us each, 2, 4 or
// 6 of them. Links without cost for Barrier do not matter.
func TestCollectiveNetwork(t *testing.T) {
	const own = "Bcast=tree 2 3 link-startup=5us link-bandwidth=1.9073486328125MB/s map=7/8/9/10/11/12/13/14 " +
		"Barrier=ring link-startup=0 link-bandwidth=infinite"
	p := broadcast(t, 8)
	ends := func(m *sim.Machine) (list []int64) {
		for _, s := range run(t, p, m).Tasks {
			list = append(list, s.End/1000)
		}
		return list
	}
	for _, network := range []string{"direct", "direct-contention"} {
		m := linked("complete 8", network, sim.SwitchPacket, 8)
		m.Direct.Startup, m.Direct.PerByte = 10e3, 1e3
		x := parameter.TextByName("collective-network")
		if network == "direct" {
			if got := ends(m); !slices.Equal(got, []int64{0, 100, 100, 100, 100, 100, 100, 100}) {
				t.Errorf("%v on the network of messages", got)
			}
		}
		if err := x.Set(m, own); err != nil {
			t.Fatal(err)
		}
		// With contention the messages leave the root, over one link, one after the other: 50 us later each. That to
		// rank 2 leaves at 50 and takes 4 links, that to rank 7 at 300 and takes 6.
		want := []int64{0, 100, 200, 200, 300, 300, 300, 300}
		if network == "direct-contention" {
			want = []int64{0, 100, 250, 300, 450, 500, 550, 600}
		}
		if got := ends(m); !slices.Equal(got, want) {
			t.Errorf("%s: %v, not %v", network, got, want)
		}
		again := linked("complete 8", network, sim.SwitchPacket, 8)
		again.Direct.Startup, again.Direct.PerByte = 10e3, 1e3
		if err := x.Set(again, x.Get(m)); err != nil || !again.Equal(m) {
			t.Errorf("%q is read as %q (%v)", x.Get(m), x.Get(again), err)
		}
		if err := x.Set(m, "Bcast=messages; Barrier=messages"); err != nil || m.Routines != nil || x.Get(m) != "" {
			t.Errorf("%v, %v", m.Routines, err)
		}
	}
	for text, why := range map[string]string{"Bcast=klein 4": "Bcast: there is no topology",
		"link-startup=1us": "must begin with OPERATION=SHAPE", "Bcst=ring": "must begin with",
		"Bcast":                     "must begin with",
		"Bcast=ring link-startup=x": "Bcast: link-startup:", "Bcast=ring speed=1": "no such parameter",
		"Bcast=ring map=1/x": `"x": must be a processor`, "Bcast=messages packet-size=1": "must begin with"} {
		m := linked("complete 8", "direct", 0, 8)
		if err := parameter.TextByName("collective-network").Set(m, text); err == nil ||
			!strings.Contains(err.Error(), why) || m.Routines != nil {
			t.Errorf("%s: %v, not %s", text, err, why)
		}
	}
}

// Speeds of what goes ahead, of flits and within a processor are parameters: 0.1 ms = 2 links of 8 bytes ahead at 3 us
// and 1 us a byte, then 10 us and 68 bytes at 1 us.
func TestOwnSpeeds(t *testing.T) {
	m := linked("ring 4", "direct", sim.SwitchCircuit, 4)
	m.Direct.Startup, m.Direct.PerByte, m.Direct.Control = 10e3, 1e3, 8
	set := func(name, value string) {
		t.Helper()
		p := parameter.ByName(name)
		v, err := p.Parse(value)
		if err != nil {
			t.Fatal(err)
		}
		p.Set(m, v)
	}
	set("control-startup", "3us")
	if got := m.Direct.Time(2, 68); got != 2*(3e3+8e3)+10e3+68e3 { // bytes as on the link
		t.Errorf("%g ns", got)
	}
	if v, _ := parameter.ByName("control-bandwidth").Get(m); v < 0.95 || v > 0.96 { // 10^6 / 2^20
		t.Errorf("%g MB/s", v)
	}
	set("control-startup", "as the link")
	if got := m.Direct.Time(2, 68); got != 2*(10e3+8e3)+10e3+68e3 || m.Direct.ControlOwn {
		t.Errorf("%g ns", got)
	}
	set("processor-startup", "2us")
	if got := m.Direct.Time(0, 68); got != 2e3 {
		t.Errorf("%g ns within a processor", got)
	}
}

// Task 1 comes to a barrier at 100 us and task 2 at 200; it takes 25 us in and 25 out. In the background each pays
// 25 us to begin it, and 25 to wait for it.
func TestTimeInOperations(t *testing.T) {
	for _, c := range []struct {
		name  string
		kinds []sim.Kind
		end   int64 // us
	}{
		{"blocking", []sim.Kind{sim.Collective}, 250},
		{"in the background", []sim.Kind{sim.CollectiveStart, sim.CollectiveWait}, 275},
	} {
		p := &sim.Program{}
		p.AddPtask()
		p.AddTask(1)
		p.AddTask(1)
		world := p.AddCommunicator(0, 1, []int32{0, 1})
		for i := range p.Threads {
			p.Threads[i].AddCompute(float64(100_000 * (1 + i)))
			for _, k := range c.kinds {
				p.Threads[i].AddCollective(k, sim.CollectiveCall{Communicator: world, Request: 1})
			}
		}
		link(t, p)
		for i, s := range run(t, p, network(2)).Tasks {
			if s.End != 1000*c.end || s.BlockedColl != float64(100_000*(1-i)) || s.InColl != 50_000 ||
				s.Collectives != int64(len(c.kinds)) {
				t.Errorf("%s, task %d: %+v", c.name, i+1, s)
			}
		}
	}
}
