package role

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pview/prv"
	"pview/prv/prvtest"
)

// flow are messages from one task to another, from 1, with their size.
type flow struct{ from, to, messages, size int64 }

// sent returns a trace of messages, sent and received at one time each, the n-th at n. The tasks are those of the last
// of some applications, of which the others have a task each.
func sent(t *testing.T, others, tasks int, flows []flow) *prv.Trace {
	t.Helper()
	h := prv.Header{Unit: prv.Nanoseconds}
	h.AddNode(1)
	for range others {
		h.AddPtask()
		h.AddTask(1, 0)
	}
	h.AddPtask()
	for range tasks {
		h.AddTask(1, 0)
	}
	b := prv.NewBuilder(h)
	at := int64(0)
	for _, f := range flows {
		for range f.messages {
			b.Comm(prv.Comm{Send: int32(others) + int32(f.from) - 1, Recv: int32(others) + int32(f.to) - 1,
				Size: f.size, Times: [4]int64{at, at, at, at}})
			at++
		}
	}
	b.State(int32(others), 0, 0, max(1, at), 1)
	tr, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return tr
}

// farmOf makes task 1 exchange messages with each of some others.
func farmOf(workers, messages int64) (list []flow) {
	for w := range workers {
		list = append(list, flow{1, w + 2, messages, 1000}, flow{w + 2, 1, messages, 1000})
	}
	return list
}

// lineOf makes each task send messages to the next.
func lineOf(messages int64, tasks ...int64) (list []flow) {
	for i := range tasks[1:] {
		list = append(list, flow{tasks[i], tasks[i+1], messages, 1000})
	}
	return list
}

// The structures that are seen in the messages between tasks, with all scores and their reasons.
func TestRecognise(t *testing.T) {
	var b strings.Builder
	for _, c := range []struct {
		name  string
		tasks int
		flows []flow
	}{
		{"two tasks", 2, lineOf(10, 1, 2)},
		{"no messages", 3, nil},
		{"a chain of two", 3, lineOf(10, 1, 2)},
		{"a farm", 4, farmOf(3, 10)},
		{"a farm in which 5 % of the messages are between workers", 4, append(farmOf(3, 19), flow{2, 3, 6, 1000})},
		{"a farm in which more are between workers", 4, append(farmOf(3, 19), flow{2, 3, 7, 1000})},
		{"a farm with a worker that returns nothing", 5, append(farmOf(3, 10), flow{1, 5, 10, 1000})},
		{"a pipeline", 4, lineOf(20, 1, 2, 3, 4)},
		{"a pipeline with acknowledgements", 3, append(lineOf(20, 1, 2, 3), flow{2, 1, 20, 64}, flow{3, 2, 20, 1})},
		{"a chain of three that returns data", 3, append(lineOf(20, 1, 2, 3), lineOf(20, 3, 2, 1)...)},
		{"a pipeline of which a stage passes 5 % less on", 4, append(lineOf(20, 1, 2, 3), flow{3, 4, 19, 1000})},
		{"a pipeline of which a stage passes a tenth less on", 4, append(lineOf(20, 1, 2, 3), flow{3, 4, 18, 1000})},
		{"a pipeline with a replicated stage", 6, append(append(lineOf(20, 1, 2), lineOf(10, 2, 3, 5)...),
			append(lineOf(10, 2, 4, 5), append(lineOf(20, 5, 6), flow{3, 2, 10, 4}, flow{4, 2, 10, 4})...)...)},
		{"two that are no replicas", 5, append(append(lineOf(20, 1, 2), lineOf(10, 2, 3, 5)...),
			lineOf(10, 2, 4, 5)...)},
		{"a ring", 4, lineOf(20, 1, 2, 3, 4, 1)},
		{"a tail that ends in a circle", 5, lineOf(20, 1, 2, 3, 4, 2)},
		{"two sources", 4, append(lineOf(20, 1, 3, 4), lineOf(20, 2, 3)...)},
		{"a fan", 4, append(lineOf(10, 1, 2), append(lineOf(10, 1, 3), lineOf(10, 1, 4)...)...)},
		{"a master of pipelines", 5, append(lineOf(20, 1, 2, 3, 1), lineOf(20, 1, 4, 5, 1)...)},
		{"a master of pipelines of which one does not return", 5, append(lineOf(20, 1, 2, 3, 1),
			lineOf(20, 1, 4, 5)...)},
	} {
		for others := range 2 {
			tr := sent(t, others, c.tasks, c.flows)
			w := Window{Ptask: others}
			r, err := Recognise(context.Background(), tr, w)
			if err != nil {
				t.Fatal(err)
			}
			text := said(r, tr)
			if others == 0 {
				fmt.Fprintf(&b, "%s: possible %v\n%s", c.name, Possible(tr, w), text)
			} else if all := b.String(); !strings.HasSuffix(strings.ReplaceAll(all, "ptask 1 ", "ptask 2 "),
				strings.ReplaceAll(text, "ptask 1 ", "ptask 2 ")) {
				t.Errorf("%s beside another application: %s", c.name, text)
			}
		}
	}
	prvtest.SameFile(t, "testdata/recognised.txt", b.String())
}

// said writes a recognition.
func said(r *Recognition, tr *prv.Trace) string {
	var b strings.Builder
	if r.Roles != nil {
		fmt.Fprintf(&b, "  %s of %d tasks: %s\n", r.Roles.Kind, r.Roles.tasks(),
			strings.Join(r.Roles.Describe(tr), "; "))
		if n := len(r.Roles.Members()); n != r.Roles.tasks() {
			fmt.Fprintf(&b, "  but %d members\n", n)
		}
	}
	if r.Refusal != "" {
		fmt.Fprintf(&b, "  %s\n", r.Refusal)
	}
	for _, s := range r.Scores {
		fmt.Fprintf(&b, "    %s %.3f %v: %s\n", s.Kind, s.Value, s.Accepted, s.Why)
	}
	return b.String()
}

// The structure that a user asks for.
func TestOnly(t *testing.T) {
	tr := sent(t, 0, 4, farmOf(3, 10))
	r, err := Recognise(context.Background(), tr, Window{})
	if err != nil {
		t.Fatal(err)
	}
	if r.Only(PipelineOf); r.Roles != nil || r.Refusal !=
		"no pipeline was recognised (score 0.00): 0 tasks send data without receiving any; a pipeline has one such "+
			"task, its first stage" {
		t.Errorf("%+v %q", r.Roles, r.Refusal)
	}
	if r.Only(MasterWorker); r.Roles == nil || r.Refusal != "" {
		t.Errorf("%+v %q", r.Roles, r.Refusal)
	}
	if _, err := Recognise(context.Background(), tr, Window{Ptask: 1}); err == nil ||
		err.Error() != "there is no ptask 2: the trace has 1" {
		t.Error(err)
	}
}

// Messages are those sent in the window, excluding its end. A window without an end has all.
func TestMessagesOfWindow(t *testing.T) {
	tr := sent(t, 0, 3, append(lineOf(2, 1, 2), lineOf(2, 3, 2)...)) // at 0, 1, 2, 3
	for _, c := range []struct {
		from, to int64
		want     []int32
	}{{0, 0, []int32{0, 1, 2, 3}}, {0, 2, []int32{0, 1}}, {1, 3, []int32{1, 2}}, {2, 0, []int32{2, 3}}, {4, 0, nil},
		{0, 1, []int32{0}}} {
		if got := slices.Collect(Window{From: c.from, To: c.to}.Messages(tr)); !slices.Equal(got, c.want) {
			t.Errorf("from %d to %d: %v, want %v", c.from, c.to, got, c.want)
		}
	}
	if got := SendsFrom(tr, 2, 3); !slices.Equal(got, []int32{3}) {
		t.Errorf("thread 3 sends %v from 3 on", got)
	}
}

// A task is 30 ns in point-to-point calls and 10 in a collective operation, besides MPI_Init: a quarter. From 35 to 45
// it is 5 in each.
func TestCollectiveShare(t *testing.T) {
	h := prv.Header{Unit: prv.Nanoseconds}
	h.AddNode(1)
	for range 2 {
		h.AddPtask()
		h.AddTask(1, 0)
	}
	b := prv.NewBuilder(h)
	for _, c := range []struct {
		thread     int32
		typ        uint32
		value      int64
		begin, end int64
	}{{0, 50000003, 31, 0, 5}, {0, 50000001, 1, 10, 40}, {0, 50000002, 10, 40, 50}, {1, 50000002, 10, 0, 100}} {
		b.Event(c.thread, 0, c.begin, prv.Pair{Type: c.typ, Value: c.value})
		b.Event(c.thread, 0, c.end, prv.Pair{Type: c.typ})
	}
	tr, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		w    Window
		want float64
	}{{Window{}, 0.25}, {Window{From: 35, To: 45}, 0.5}, {Window{From: 50, To: 60}, 0}, {Window{To: 40}, 0},
		{Window{Ptask: 1}, 1}} {
		if got := collectiveShare(tr, c.w); got != c.want {
			t.Errorf("%+v: %g, want %g", c.w, got, c.want)
		}
	}
}
