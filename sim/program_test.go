package sim

import (
	"slices"
	"testing"
)

// Link reports the record, counted from 1, and its thread; the neighbours of what it reports are linked.
func TestLinkReports(t *testing.T) {
	handled := func(k Kind, m Message, h Handling) func(*Thread) {
		return func(t *Thread) { t.AddHandled(k, m, h) }
	}
	calls := func(list ...CollectiveCall) func(*Thread) {
		return func(t *Thread) {
			for _, c := range list {
				t.AddCollective(Collective, c)
			}
		}
	}
	world := CollectiveCall{Op: OpReduce}
	for name, c := range map[string]struct {
		add func(t *Thread) // to thread 1.2.1, after a burst
		ok  bool
	}{
		"burst of nothing":     {func(t *Thread) { t.AddCompute(0) }, true},
		"negative burst":       {func(t *Thread) { t.AddCompute(-1) }, false},
		"to the last task":     {handled(Send, Message{Peer: 2}, Handling{}), true},
		"to none":              {handled(Send, Message{Peer: 3}, Handling{}), false},
		"to less than none":    {handled(Send, Message{Peer: -1}, Handling{}), false},
		"no bytes":             {handled(Send, Message{Size: 0}, Handling{}), true},
		"fewer bytes":          {handled(Send, Message{Size: -1}, Handling{}), false},
		"last mode":            {handled(Send, Message{}, Handling{Mode: ModeReady}), true},
		"no mode":              {handled(Send, Message{}, Handling{Mode: ModeReady + 1}), false},
		"receive of any":       {handled(Recv, Message{Peer: -1}, Handling{AnySource: true}), true},
		"probe of any":         {handled(Probe, Message{Peer: -1}, Handling{AnyTag: true}), true},
		"send to any":          {handled(Send, Message{}, Handling{AnyTag: true}), false},
		"known source":         {handled(Recv, Message{Peer: -1}, Handling{AnySource: true, Recorded: true}), false},
		"a request":            {handled(WaitRequest, Message{}, Handling{Request: 1}), true},
		"wait for no request":  {handled(WaitRequest, Message{}, Handling{}), false},
		"negative request":     {handled(Send, Message{}, Handling{Request: -1}), false},
		"last routine":         {handled(Send, Message{}, Handling{Routine: 16}), true},
		"no routine":           {handled(Send, Message{}, Handling{Routine: 17}), false},
		"collective":           {calls(world), true},
		"of no communicator":   {calls(CollectiveCall{Communicator: 2}), false},
		"of less":              {calls(CollectiveCall{Communicator: -1}), false},
		"of others":            {calls(CollectiveCall{Communicator: 1}), false},
		"no operation":         {calls(CollectiveCall{Op: 16}), false},
		"the second of others": {calls(world, CollectiveCall{Communicator: 1}), false},
		"a port":               {handled(RecvPort, Message{Tag: 1}, Handling{}), true},
		"another's port":       {handled(RecvPort, Message{Tag: 2}, Handling{}), false},
	} {
		p := &Program{}
		p.AddPtask()
		for range 3 {
			p.AddTask(1)
		}
		p.Communicators = []Communicator{{ID: 1, Tasks: []int32{0, 1, 2}}, {ID: 2, Tasks: []int32{0, 2}}}
		p.Threads[0].AddMessage(RecvPort, Message{Tag: 2})
		p.Threads[1].AddCompute(1)
		c.add(&p.Threads[1])
		if err := p.Link(); (err == nil) != c.ok {
			t.Errorf("%s: %v", name, err)
		}
	}
	p := &Program{}
	if _, _, err := p.Linked(); err == nil {
		t.Error("a program is linked before Link")
	}
	p.AddPtask()
	p.AddTask(1)
	for _, c := range []struct {
		task int32
		ok   bool
	}{{0, true}, {1, false}, {-1, false}} {
		p.Communicators = []Communicator{{Tasks: []int32{c.task}}}
		if err := p.Link(); (err == nil) != c.ok {
			t.Errorf("communicator of task %d: %v", c.task, err)
		}
	}
}

func message(peer int32) Message { return Message{Peer: peer, Tag: 5, Size: 1} }

// A send and its receive are of one stream, and so are those of the same tag; the semaphores of a task are its own.
func TestStreams(t *testing.T) {
	p := &Program{}
	p.AddPtask()
	p.AddTask(1)
	p.AddTask(1)
	a, b := &p.Threads[0], &p.Threads[1]
	a.AddMessage(Send, message(1))
	a.AddMessage(Isend, message(1))
	a.AddMessage(Send, Message{Peer: 1, Tag: 6})
	a.AddMessage(Send, Message{Peer: 1, Tag: 5, Match: 1})
	a.AddMessage(SemaphoreSignal, Message{Tag: 9})
	a.AddMessage(SendPort, Message{Tag: 7})
	b.AddMessage(Recv, message(0))
	b.AddMessage(Send, message(0))
	b.AddMessage(SemaphoreWait, Message{Tag: 9})
	b.AddMessage(RecvPort, Message{Tag: 7})
	b.AddHandled(Recv, message(-1), Handling{AnySource: true})
	if err := p.Link(); err != nil {
		t.Fatal(err)
	}
	channels := func(th *Thread) (list []int32) {
		for row := range th.Kinds() {
			list = append(list, th.Message(row).Channel())
		}
		return list
	}
	// Streams 0 to 3: tag 5, 6, 5 of another match, the port; 4: from 1 to 0.
	if got, want := channels(a), []int32{0, 0, 1, 2, 0, 3}; !slices.Equal(got, want) {
		t.Errorf("streams %v, want %v", got, want)
	}
	if got, want := channels(b), []int32{0, 4, 1, 3, NoChannel}; !slices.Equal(got, want) {
		t.Errorf("streams %v, want %v", got, want)
	}
	if n, semaphores, err := p.Linked(); n != 5 || semaphores != 2 || err != nil || !p.HasHandling() {
		t.Errorf("%d streams, %d semaphores, %v", n, semaphores, err)
	}
	if m := a.Message(5); m.Peer != 1 {
		t.Errorf("the message to the port goes to task %d, want 1", m.Peer)
	}
	a.AddMessage(SendPort, Message{Tag: 8})
	if err := p.Link(); err != nil {
		t.Fatal(err)
	}
	if _, _, err := p.Linked(); err == nil {
		t.Error("a port without a receiver is not reported")
	}
}

// The second of two programs keeps its messages, communicators and names, behind the first.
func TestMerge(t *testing.T) {
	program := func(name string, tasks int) *Program {
		p := &Program{Name: name}
		p.AddPtask()
		for i := range tasks {
			p.AddTask(1 + i)
		}
		p.Communicators = []Communicator{{ID: 4, Tasks: []int32{0, 1}}}
		p.Threads[0].AddMessage(Send, message(1))
		p.Threads[0].AddHandled(Recv, message(-1), Handling{AnySource: true})
		p.Threads[0].AddCollective(Reduce, CollectiveCall{RootTask: 1})
		p.Threads[1].AddMessage(Recv, message(0))
		p.Threads[1].AddCollective(Reduce, CollectiveCall{RootTask: 1})
		if err := p.Link(); err != nil {
			t.Fatal(err)
		}
		return p
	}
	a, b := program("a", 3), program("b", 2)
	all, err := Merge(a, b)
	if err != nil {
		t.Fatal(err)
	}
	if all.Name != "a, b" || len(all.Ptasks) != 2 || len(all.Tasks) != 5 || len(all.Threads) != 9 {
		t.Errorf("%s: %d ptasks, %d tasks, %d threads", all.Name, len(all.Ptasks), len(all.Tasks), len(all.Threads))
	}
	// Threads of a: 0; 1, 2; 3 to 5. Of b: 6; 7, 8.
	for thread, want := range []string{"1.1.1", "1.2.1", "1.2.2", "1.3.1", "1.3.2", "1.3.3", "2.1.1", "2.2.1",
		"2.2.2"} {
		if got := all.ThreadName(int32(thread)); got != want {
			t.Errorf("thread %d is %s, want %s", thread, got, want)
		}
	}
	if got := all.TaskName(4); got != "2.2" {
		t.Errorf("the last task is %s", got)
	}
	first := &all.Threads[6]
	if got := []int32{first.Messages[0].Peer, first.Messages[1].Peer}; !slices.Equal(got, []int32{4, -1}) {
		t.Errorf("messages to and from %v, want 4 and any", got)
	}
	if c := all.Communicators[1]; c.Ptask != 1 || c.ID != 4 || !slices.Equal(c.Tasks, []int32{3, 4}) {
		t.Errorf("communicator %+v", c)
	}
	if c := first.Collectives[0]; c.Communicator != 1 || c.RootTask != 4 {
		t.Errorf("call %+v", c)
	}
	if b.Threads[0].Messages[0].Peer != 1 || b.Threads[0].Collectives[0].RootTask != 1 {
		t.Error("Merge has changed a program")
	}
}
