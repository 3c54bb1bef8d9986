package answer_test

import (
	"context"
	"strings"
	"testing"

	"pview/insight/report"
	"pview/insight/runtest"
	"pview/insight/waits"
	"pview/insight/waits/answer"
	"pview/prv"
	"pview/prv/prvtest"
	"pview/render/document"
	"pview/render/document/documenttest"
)

// late returns a run of 4 tasks on two nodes, in us, and its waits. Task 1 computes function 1 for 10,000. Task 2 does
// for 2,000, then waits 8,000 for its message (Late Sender). Task 3 sends at 4,000 to task 4, which receives after
// function 2 at 7,000 (Late Receiver). All meet once task 2 has the message, at 11,500, and again after 5,000 of
// function 3 of task 2, which it begins at 14,500.
func late(t *testing.T) (*prv.Trace, *waits.Result) {
	t.Helper()
	p := runtest.NewProgram(4)
	p.Nodes = 2
	for task, time := range []int64{10_000, 2000, 4000, 4000} {
		p.Work(task, 1, time)
	}
	p.Send(0, 1)
	p.Recv(1, 0)
	p.Add(2, runtest.Step{Do: runtest.SendsSync, Peer: 3, Size: 8})
	p.Work(3, 2, 3000)
	p.Recv(3, 2)
	p.All(runtest.Step{Do: runtest.Meets})
	p.Work(1, 3, 5000)
	p.All(runtest.Step{Do: runtest.Meets})
	tr := p.Run(t)
	tr.Path, tr.Unit = "late.prv", prv.Microseconds
	return tr, analysed(t, tr)
}

func analysed(t *testing.T, tr *prv.Trace) *waits.Result {
	t.Helper()
	r, err := waits.Analyze(context.Background(), tr, waits.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// All that programs and people read of the waits of a run. The path follows task 1 until it has sent, then task 2.
func TestWords(t *testing.T) {
	tr, r := late(t)
	r.Unknown = 3
	path := []waits.Stretch{{From: 0, To: 10_500, Thread: 0}, {From: 10_500, To: 22_500, Thread: 1}}
	prvtest.SameFile(t, "testdata/late.txt", documenttest.Whole(t, answer.Document(r, tr, 0, path)))
}

// The first cause and region only, and remarks. A limit of 0 bytes is assumed within nodes, one of 4096 bytes is proved
// between them.
func TestRemarks(t *testing.T) {
	tr, r := late(t)
	r.Notes = []string{"a note"}
	r.Eager = [2]waits.EagerLimit{{Size: 0}, {Size: 4096, Proved: true}}
	r.Clocks = []waits.Clocks{{From: 0, To: 0, Messages: 1, Largest: 7}, {From: 0, To: 1, Operations: 2, Largest: 1500},
		{From: 1, To: 0, Messages: 3, Operations: 1, Largest: 20}}
	path := []waits.Stretch{{From: 0, To: 22_500, Thread: 0}}
	prvtest.SameText(t, document.Text(answer.Document(r, tr, 1, path), nil), `
		late.prv

		8 waits, 34 ms: 37.8 % of the time of 4 threads
		a note
		Sends of up to 0 bytes on one node do not wait for their receiver (assumed)
		Sends of up to 4,096 bytes between nodes do not wait for their receiver `+
		`(proved by sends that returned before their receive)
		records contradict the one clock of node 1: 1 message received before sent, by up to 7 us
		clocks of nodes 1 and 2 disagree: 2 collective operations left too early, by up to 1.5 ms
		clocks of nodes 2 and 1 disagree: 3 messages received before sent, 1 collective operation left too early, `+
		`by up to 20 us

		  Class          Waits   Time   Share  Longest    Direct  Indirect
		  Late Sender        1   8 ms   8.9 %     8 ms   8 ms     0 us
		  Late Receiver      1   3 ms   3.3 %     3 ms   3 ms     0 us
		  Wait at N x N      6  23 ms  25.6 %     5 ms  16.76 ms  6.243 ms
		  Operation         12  28 ms  31.1 %     3 ms

		  Cause       Thread  Waiting caused   Share  At once  Further down  Waits  Worst
		  function 3  1.2.1            15 ms  16.7 %    15 ms          0 us      3  1.1.1 from 14.5 ms, 5 ms
		  and 3 more (--top 0 shows all)

		  On the critical path   Time   Share  Above the mean  Threads: same  More  Lost to it
		  function 1            10 ms  44.4 %            5 ms          20 ms  0 us    25.99 ms
		  and 6 more (--top 0 shows all)
	`)
}

// Two tasks meet after 3000 ns each: nobody waits. The second takes 1 ns longer: the first waits for it, for 1 ns of
// the 2 x 6001. A run without messages has no sentence about them. A path of 1 ns is in function 1.
func TestLittle(t *testing.T) {
	var got strings.Builder
	for longer := range int64(2) {
		p := runtest.NewProgram(2)
		p.Work(0, 1, 3000)
		p.Work(1, 1, 3000+longer)
		p.All(runtest.Step{Do: runtest.Meets})
		tr := p.Run(t)
		r := analysed(t, tr)
		r.Eager, r.Messages = [2]waits.EagerLimit{{Size: 0}, {Size: -1}}, longer
		got.WriteString(document.Text(answer.Document(r, tr, 0, []waits.Stretch{{From: 0, To: longer}}), nil))
	}
	prvtest.SameText(t, got.String(), `
		0 waits, 0 ns: 0 % of the time of 2 threads

		  Class      Waits  Time   Share  Longest
		  Operation      2  6 us  50.0 %     3 us
		1 wait, 1 ns: 0.01 % of the time of 2 threads
		Sends of up to 0 bytes on one node do not wait for their receiver (assumed)

		  Class          Waits  Time    Share  Longest  Direct  Indirect
		  Wait at N x N      1  1 ns   0.01 %     1 ns    1 ns      0 ns
		  Operation          2  6 us  50.0 %      3 us

		  Cause       Thread  Waiting caused   Share  At once  Further down  Waits  Worst
		  function 1  1.2.1             1 ns  0.01 %     1 ns          0 ns      1  1.1.1 from 3 us, 1 ns

		  On the critical path  Time  Share  Above the mean  Threads: same      More  Lost to it
		  function 1            1 ns  100 %            0 ns           2 ns  5.999 us        0 ns
		  value 10              0 ns    0 %            0 ns           0 ns  6 us            0 ns
	`)
}

// A wait in sentences: for a message, for a thread that computed or had waited itself, and for one that nobody knows.
func TestPassages(t *testing.T) {
	tr, r := late(t)
	wait := func(th int32, i int) *waits.Wait { return &r.Of(th)[i] }
	var got strings.Builder
	say := func(w *waits.Wait) {
		d := &report.Document{}
		d.Add(answer.Passages(w, tr)...)
		got.WriteString(document.Text(d, nil))
	}
	say(wait(1, 0))
	say(wait(2, 0))
	say(wait(2, 1))
	say(&waits.Wait{To: 5, Thread: 3, Cause: -1, L: 1, Class: waits.WaitBarrier})
	runtest.NameThreads(t, tr, "host", "CUDA-D0.S1", "c", "d")
	say(&waits.Wait{To: 5, Thread: 3, Cause: 0, Direct: 5, Class: waits.WaitBarrier})
	say(&waits.Wait{To: 5, Thread: 3, Cause: 1, Direct: 2, Class: waits.WaitBarrier})
	prvtest.SameText(t, got.String(), `
		1.2.1 waits 8 ms for 1.1.1: Late Sender
		a receive began before its message was sent
		8 ms of it because 1.1.1 computed longer, 0 us because that thread had waited itself
		it made others wait 6.243 ms later
		message of 8 bytes, tag 0, sent at 10.000 ms, received at 11.500 ms
		1.3.1 waits 3 ms for 1.4.1: Late Receiver
		a send waited until its receive was posted
		3 ms of it because 1.4.1 computed longer, 0 us because that thread had waited itself
		message of 8 bytes, tag 0, sent at 4.000 ms, received at 8.000 ms
		1.3.1 waits 3.5 ms for 1.2.1: Wait at N x N
		an operation in which each needs all, before the last had entered it
		552 us of it because 1.2.1 computed longer, 2.948 ms because that thread had waited itself
		1.4.1 waits 5 us for an unknown thread: Wait at Barrier
		a Barrier before the last had entered it
		it made others wait 1 us later
		d waits 5 us for host: Wait at Barrier
		a Barrier before the last had entered it
		5 us of it because host computed longer, 0 us because that thread had waited itself
		d waits 5 us for CUDA-D0.S1: Wait at Barrier
		a Barrier before the last had entered it
		2 us of it because CUDA-D0.S1 worked longer or had no work, 3 us because that thread had waited itself
	`)
}
