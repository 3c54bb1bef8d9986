package sim

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// collectives returns a program of 3 tasks: task 1 broadcasts 100 bytes; 0 and 2 reduce 50 to both; all start a
// barrier, compute, and wait for it; each sends 10 bytes to each.
func collectives(t *testing.T) *Program {
	t.Helper()
	p := &Program{}
	p.AddPtask()
	for range 3 {
		p.AddTask(1)
	}
	p.Communicators = []Communicator{{ID: 1, Tasks: []int32{2, 0, 1}}, {ID: 2, Tasks: []int32{2, 0}}}
	for i := range p.Threads {
		th := &p.Threads[i]
		th.AddCollective(Collective, CollectiveCall{Op: opBcast, Root: i == 1, Sent: int64(100 * (i % 2))})
		if i != 1 {
			th.AddCollective(Collective, CollectiveCall{Communicator: 1, Op: opAllreduce, Sent: 50})
		}
		th.AddCollective(CollectiveStart, CollectiveCall{Op: opBarrier, Request: 5})
		th.AddCompute(7)
		th.AddCollective(CollectiveWait, CollectiveCall{Op: opBarrier, Request: 5})
		th.AddCollective(Collective, CollectiveCall{Op: opAlltoall, Sent: 10})
	}
	if err := p.Link(); err != nil {
		t.Fatal(err)
	}
	return p
}

// lines writes the records of a thread: kind, peer, bytes, tag, match, request.
func lines(t *Thread) (list []string) {
	for row, k := range t.Kinds() {
		if !k.HasMessage() {
			list = append(list, k.String())
			continue
		}
		m, h := t.Message(row), t.Handled(row)
		list = append(list, fmt.Sprintf("%s %d: %d bytes, tag %d, match %d, request %d", k, m.Peer, m.Size, m.Tag,
			m.Match, h.Request))
	}
	return list
}

// Messages of an operation are of a context of its communicator, -2 or -4 here, and of its own where it is started.
// Requests are used again.
func TestExpand(t *testing.T) {
	p := collectives(t)
	rules := Rules{CollectiveForm: CollectivesAsMessages}
	m := Ideal(3)
	m.Expansion.Barrier = 4
	q, err := rules.AsMessages(p, m)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"receive 1: 0 bytes, tag 1, match -2, request 0",
		"receive 2: 0 bytes, tag 11, match -4, request 0",
		"send 2: 50 bytes, tag 11, match -4, request 0",
		"immediate receive 1: 0 bytes, tag 0, match -3, request 1",
		"immediate receive 2: 0 bytes, tag 0, match -3, request 2",
		"immediate send 1: 4 bytes, tag 0, match -3, request 3",
		"immediate send 2: 4 bytes, tag 0, match -3, request 4",
		"burst",
		"wait for a request -1: 0 bytes, tag 0, match 0, request 1",
		"wait for a request -1: 0 bytes, tag 0, match 0, request 2",
		"wait for a request -1: 0 bytes, tag 0, match 0, request 3",
		"wait for a request -1: 0 bytes, tag 0, match 0, request 4",
		"immediate receive 1: 0 bytes, tag 8, match -2, request 4",
		"immediate receive 2: 0 bytes, tag 8, match -2, request 3",
		"send 1: 10 bytes, tag 8, match -2, request 0",
		"send 2: 10 bytes, tag 8, match -2, request 0",
		"wait for a request -1: 0 bytes, tag 0, match 0, request 4",
		"wait for a request -1: 0 bytes, tag 0, match 0, request 3",
	}
	if got := lines(&q.Threads[0]); !slices.Equal(got, want) {
		t.Errorf("task 1:\n%s\nwant:\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	want = []string{"send 0: 100 bytes, tag 1, match -2, request 0", "send 2: 100 bytes, tag 1, match -2, request 0"}
	if got := lines(&q.Threads[1]); !slices.Equal(got[:2], want) {
		t.Errorf("the root sends %v, want %v", got[:2], want)
	}
	if h := q.Threads[1].Handled(0); h.Routine != 1+uint8(opBcast) || h.Mode != ModeBuffered {
		t.Errorf("its first message: %+v", h)
	}
	if again, _ := rules.AsMessages(p, m); again != q {
		t.Error("the same expansion is made twice")
	}
	m.Expansion.Send = ModeReady
	if other, err := rules.AsMessages(p, m); err != nil || other.Threads[1].Handled(0).Mode != ModeReady {
		t.Errorf("another mode: %v", err)
	}
	if same, _ := (&Rules{}).AsMessages(p, m); same != p {
		t.Error("operations are messages where the rule says otherwise")
	}
	roots := p.Roots()
	if got := fmt.Sprint(roots); got != "[[1 0 0 0] [1 0 0] [1 0 0 0]]" {
		t.Errorf("roots %s", got)
	}
	p.Threads[2].Cancel(1)
	if err := p.Link(); err != nil {
		t.Fatal(err)
	}
	m.Expansion.Barrier = 5
	if _, err := rules.AsMessages(p, m); err == nil {
		t.Error("an operation of which a task takes no part is expanded")
	}
}

// The larger algorithm serves from the given size on, by the largest that a task sends.
func TestChoosing(t *testing.T) {
	for _, c := range []struct {
		text string
		op   CollectiveOp
		ok   bool
		by   string // for 99 and 100 bytes
	}{
		{"binomial", opBcast, true, "binomial binomial"}, {"direct/100/binomial", opBcast, true, "direct binomial"},
		{"ring", opBcast, false, ""}, {"direct/100/ring", opBcast, false, ""},
		{"direct/0/binomial", opBcast, false, ""},
		{"direct/1/binomial", opBcast, true, "binomial binomial"}, {"direct/x/binomial", opBcast, false, ""},
		{"direct/100", opBcast, false, ""},
	} {
		choice, err := ParseChoosing(c.text, c.op)
		if (err == nil) != c.ok {
			t.Errorf("%s: %v", c.text, err)
		}
		if !c.ok {
			continue
		}
		var by []string
		for _, size := range []int64{99, 100} {
			o := &operation{calls: []*memberCall{{call: &CollectiveCall{}}, {call: &CollectiveCall{Sent: size}}}}
			by = append(by, choice.of(o).Name)
		}
		if got := strings.Join(by, " "); got != c.by || choice.String() != c.text {
			t.Errorf("%s: %s, want %s; written %s", c.text, got, c.by, choice)
		}
	}
	for name, change := range map[string]func(x *Expansion){
		"mode": func(x *Expansion) { x.Send = ModeReady + 1 }, "barrier": func(x *Expansion) { x.Barrier = -1 },
		"small": func(x *Expansion) { x.Algorithms[3].Small = uint8(len(Algorithms)) },
		"large": func(x *Expansion) { x.Algorithms[3].Large = uint8(len(Algorithms)) },
		"other": func(x *Expansion) { x.Algorithms[opBcast].Large, _ = AlgorithmByName("ring", opAllgather) },
	} {
		x := Expansion{Send: ModeReady}
		if err := x.check(); err != nil {
			t.Error(err)
		}
		if change(&x); x.check() == nil {
			t.Errorf("%s: an impossible expansion passes", name)
		}
	}
}
