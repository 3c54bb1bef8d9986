package puppet_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"pview/sim"
	"pview/sim/puppet"
)

// rewrite reads a log of three ranks, of which the last two do nothing unless the text has their entries, and returns
// the entries of rank 0 as WriteLog writes them, without the rank and without MPI_Finalize.
func rewrite(t *testing.T, entries ...string) []string {
	t.Helper()
	text := "communicator c 0 2\n"
	for _, e := range entries {
		text += "0 0 MPI_" + e + "\n"
	}
	l, err := puppet.ReadLog("a.log", strings.NewReader(text+"1 0 MPI_Init\n2 0 MPI_Init\n"))
	if err != nil {
		t.Fatalf("%q: %v", entries, err)
	}
	return written(t, l.Program)
}

func written(t *testing.T, p *sim.Program) (list []string) {
	t.Helper()
	var b bytes.Buffer
	if err := puppet.WriteLog(&b, p); err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(b.String()) {
		line = strings.TrimSuffix(line, "\n")
		if e, ok := strings.CutPrefix(line, "0 0 MPI_"); ok && e != "Finalize" {
			list = append(list, e)
		}
	}
	return list
}

// Entries that WriteLog writes as they were.
func TestSameEntries(t *testing.T) {
	for _, e := range []string{
		"Send 1 10 7", "Send 1 10 7 mode=nospace", "Send 1 10 7 comm=1", "Send 1 140737488355327 7", // 2^47 - 1
		"Bsend 1 10 7", "Ssend 1 10 7", "Rsend 1 10 7",
		"Recv 1 7", "Recv ANY 7", "Recv 1 ANY", "Recv ANY ANY", "Recv 1 7 comm=1",
		"Recv ANY 7 from=2", "Recv 1 ANY tag=5", "Recv ANY ANY from=2 tag=5",
		"Probe 1 7", "Probe ANY 7 from=2",
		"Barrier", "Bcast 1 8", "Gather 1 8", "Gatherv 1 8", "Scatter 1 8", "Scatterv 1 8", "Scatterv 1 1 2 3",
		"Allgather 8", "Allgatherv 8", "Alltoall 8", "Alltoallv 8", "Alltoallv 1 2 3", "Reduce 1 8", "Allreduce 8",
		"Reduce_scatter 8", "Reduce_scatter 1 2 3", "Reduce_scatter_block 8", "Scan 8", "Alltoallw 1 2 3",
	} {
		// Its partners in a collective operation have the same entry; messages have tag 7.
		text := ""
		for _, rank := range []string{"0", "1", "2"} {
			if alone := strings.Contains(e, " 7"); rank == "0" || !alone {
				text += rank + " 0 MPI_" + e + "\n"
			}
			text += rank + " 0 MPI_Finalize\n"
		}
		l, err := puppet.ReadLog("a.log", strings.NewReader(text))
		if err != nil {
			t.Errorf("%s: %v", e, err)
			continue
		}
		if got := written(t, l.Program); !slices.Equal(got, []string{e}) {
			t.Errorf("%s is written as %q", e, got)
		}
	}
}

// Entries that WriteLog writes in another way. Requests are numbered; a number is used again once its request is
// complete.
func TestOtherEntries(t *testing.T) {
	for _, c := range []struct{ entries, want []string }{
		{[]string{"Isend 1 10 7 a", "Ibsend 1 10 7 b", "Issend 1 10 7 c", "Irsend 1 10 7 d", "Waitall a b c d"},
			[]string{"Isend 1 10 7 r1", "Ibsend 1 10 7 r2", "Issend 1 10 7 r3", "Irsend 1 10 7 r4", "Wait r1",
				"Wait r2", "Wait r3", "Wait r4"}},
		{[]string{"Irecv 1 7 a", "Irecv ANY 7 b from=2", "Wait a", "Wait b", "Irecv 1 7 c", "Irecv 1 7 d",
			"Irecv 1 7 e"},
			[]string{"Irecv 1 7 r1", "Irecv ANY 7 r2 from=2", "Wait r1", "Wait r2", "Irecv 1 7 r2", "Irecv 1 7 r1",
				"Irecv 1 7 r3"}},
		{[]string{"Send 1 10 7 mode=standard", "Send 1 10 7 mode=synchronous"},
			[]string{"Send 1 10 7", "Ssend 1 10 7"}},
		{[]string{"Recv any Any"}, []string{"Recv ANY ANY"}},
		{[]string{"Recv ANY ANY from=2"}, []string{"Recv ANY ANY"}}, // only half of what was recorded is known
		{[]string{"Recv ANY ANY tag=2"}, []string{"Recv ANY ANY"}},
		{[]string{"Recv 1 7 comm=x", "Send 1 0 7 comm=y", "Recv 2 7 comm=x", "Send 1 0 7 comm=world"},
			[]string{"Recv 1 7 comm=1", "Send 1 0 7 comm=2", "Recv 2 7 comm=1", "Send 1 0 7"}},

		// A persistent request keeps its number; waiting for one that was not started does nothing.
		{[]string{"Recv_init 1 7 a", "Send_init 2 10 7 b", "Wait a", "Startall a b", "Waitall b a", "Start b", "Wait b",
			"Isend 1 0 0 c"},
			[]string{"Irecv 1 7 r1", "Isend 2 10 7 r2", "Wait r2", "Wait r1", "Isend 2 10 7 r2", "Wait r2",
				"Isend 1 0 0 r3"}},
		{[]string{"Bsend_init 1 10 7 a", "Ssend_init 1 10 7 b", "Rsend_init 1 10 7 c", "Startall a b c"},
			[]string{"Ibsend 1 10 7 r1", "Issend 1 10 7 r2", "Irsend 1 10 7 r3"}},

		// A freed request: its number is free, unless it is active.
		{[]string{"Send_init 1 10 7 a", "Request_free a", "Isend 1 10 7 a"}, []string{"Isend 1 10 7 r1"}},
		{[]string{"Isend 1 10 7 a", "Request_free a", "Isend 1 10 8 a", "Wait a"},
			[]string{"Isend 1 10 7 r1", "Isend 1 10 8 r2", "Wait r2"}},
		{[]string{"Send_init 1 10 7 a", "Start a", "Request_free a", "Isend 1 10 8 a"},
			[]string{"Isend 1 10 7 r1", "Isend 1 10 8 r2"}},

		{[]string{"Irecv 1 7 a", "Cancel a", "Irecv 1 8 a", "Wait a"}, []string{"Irecv 1 8 r1", "Wait r1"}},
		{[]string{"Irecv 1 7 a", "Test a 0", "Test a 1"}, []string{"Irecv 1 7 r1", "Wait r1"}},
		{[]string{"Irecv 1 7 a", "Irecv 1 7 b", "Irecv 1 7 c", "Testall a b 0", "Testall a b 1", "Testany",
			"Testsome c"},
			[]string{"Irecv 1 7 r1", "Irecv 1 7 r2", "Irecv 1 7 r3", "Wait r1", "Wait r2", "Wait r3"}},
		{[]string{"Irecv 1 7 a", "Irecv 1 7 b", "Waitany b", "Waitsome a"},
			[]string{"Irecv 1 7 r1", "Irecv 1 7 r2", "Wait r2", "Wait r1"}},
		{[]string{"Iprobe 1 7 0", "Iprobe ANY 7 1 from=1"}, []string{"Probe ANY 7 from=1"}},
		{[]string{"Sendrecv 1 10 7 2 8", "Sendrecv_replace 1 10 7 ANY 8"},
			[]string{"Isend 1 10 7 r1", "Recv 2 8", "Wait r1", "Isend 1 10 7 r1", "Recv ANY 8", "Wait r1"}},
		{[]string{"Pcontrol 0", "Send 1 10 7", "Pcontrol 0", "Send 1 10 7", "Pcontrol 2", "Recv 1 7"},
			[]string{"Recv 1 7"}},
		{[]string{"Finalize"}, nil},
	} {
		if got := rewrite(t, c.entries...); !slices.Equal(got, c.want) {
			t.Errorf("%q are written as\n%q, not\n%q", c.entries, got, c.want)
		}
	}
}

// The times before entries add up; what passes while nothing is recorded does not count. Names of routines are read in
// any case, without MPI_ too.
func TestComputation(t *testing.T) {
	const log = "0 1e-6 MPI_Init\n0 2e-6 mpi_send 1 0 0\n0 4.5E-6 RECV 1 0\n0 8e-6 MPI_Pcontrol 0\n" +
		"0 16e-6 MPI_Send 1 0 0\n0 32e-6 MPI_Pcontrol 1\n0 1e9 MPI_Recv 1 1\n0 5e-10 MPI_Finalize\n1 0 MPI_Finalize\n"
	const want = "#PUPPET log\n0 3e-6 MPI_Send 1 0 0\n0 4.5e-6 MPI_Recv 1 0\n0 1.000000000000008e9 MPI_Recv 1 1\n" +
		"0 5e-10 MPI_Finalize\n1 0 MPI_Finalize\n"
	l, err := puppet.ReadLog("a.log", strings.NewReader(log))
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	if err := puppet.WriteLog(&b, l.Program); err != nil || b.String() != want {
		t.Errorf("%v:\n%s", err, b.String())
	}
}

// Collective operations: on another communicator, in the background, with sizes for each rank, and Exscan as Scan. A
// communicator's name becomes its number in the order of names, from 2; its ranks are sorted.
func TestCollectives(t *testing.T) {
	const log = "communicator zed 2 0\ncommunicator all 0 1 2 \ncommunicator last 2\ncommunicator zed 0 2\n" +
		"0 0 MPI_Exscan 8\n0 0 MPI_Bcast 2 8 comm=zed\n0 0 MPI_Iscatterv 0 1 2 3 a\n0 0 MPI_Iallreduce 4 b comm=zed\n" +
		"0 0 MPI_Ibarrier c\n0 0 MPI_Wait b\n0 0 MPI_Wait a\n0 0 MPI_Wait c\n0 0 MPI_Reduce_scatter 1 2 comm=zed\n" +
		"1 0 MPI_Scan 8\n1 0 MPI_Iscatterv 0 1 2 3 a\n1 0 MPI_Ibarrier c\n1 0 MPI_Waitall c a\n" +
		"2 0 MPI_Scan 8\n2 0 MPI_Bcast 2 8 comm=zed\n2 0 MPI_Iscatterv 0 1 2 3 a\n2 0 MPI_Iallreduce 4 b comm=zed\n" +
		"2 0 MPI_Ibarrier c\n2 0 MPI_Waitall a b c\n2 0 MPI_Reduce_scatter 1 2 comm=zed\n2 0 MPI_Barrier comm=last\n"
	const want = `#PUPPET log
communicator 3 2
communicator 4 0 2
0 0 MPI_Scan 8
0 0 MPI_Bcast 2 8 comm=4
0 0 MPI_Iscatterv 0 1 2 3 c1
0 0 MPI_Iallreduce 4 c2 comm=4
0 0 MPI_Ibarrier c3
0 0 MPI_Wait c2
0 0 MPI_Wait c1
0 0 MPI_Wait c3
0 0 MPI_Reduce_scatter 1 2 comm=4
0 0 MPI_Finalize
1 0 MPI_Scan 8
1 0 MPI_Iscatterv 0 1 2 3 c1
1 0 MPI_Ibarrier c2
1 0 MPI_Wait c2
1 0 MPI_Wait c1
1 0 MPI_Finalize
2 0 MPI_Scan 8
2 0 MPI_Bcast 2 8 comm=4
2 0 MPI_Iscatterv 0 1 2 3 c1
2 0 MPI_Iallreduce 4 c2 comm=4
2 0 MPI_Ibarrier c3
2 0 MPI_Wait c1
2 0 MPI_Wait c2
2 0 MPI_Wait c3
2 0 MPI_Reduce_scatter 1 2 comm=4
2 0 MPI_Barrier comm=3
2 0 MPI_Finalize
`
	l, err := puppet.ReadLog("a.log", strings.NewReader(log))
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	if err := puppet.WriteLog(&b, l.Program); err != nil || b.String() != want {
		t.Errorf("%v:\n%s", err, b.String())
	}
	for row, want := range []sim.Communicator{
		{ID: 1, Tasks: []int32{0, 1, 2}}, {ID: 2, Tasks: []int32{0, 1, 2}}, {ID: 3, Tasks: []int32{2}},
		{ID: 4, Tasks: []int32{0, 2}},
	} {
		if got := l.Program.Communicators[row]; !reflect.DeepEqual(got, want) {
			t.Errorf("communicator %d: %+v, not %+v", row, got, want)
		}
	}
	var sent []int64
	for _, c := range l.Program.Threads[0].Collectives {
		sent = append(sent, c.Sent)
		if c.Received != c.Sent {
			t.Errorf("%+v", c)
		}
	}
	slices.Sort(sent)
	// nothing for the barrier and the waits, two of which are equal and kept once; 1+2 and 1+2+3 for sizes of ranks
	if !slices.Equal(sent, []int64{0, 0, 0, 3, 4, 6, 8, 8}) {
		t.Errorf("bytes sent: %v", sent)
	}
}

// Of the operations only a blocking reduction is a kind of its own: its root is RootTask.
func TestKinds(t *testing.T) {
	l, err := puppet.ReadLog("a.log", strings.NewReader("0 0 MPI_Bcast 0 8\n0 0 MPI_Reduce 0 8\n"+
		"0 0 MPI_Ireduce 0 8 q\n0 0 MPI_Wait q\n"))
	if err != nil {
		t.Fatal(err)
	}
	x := &l.Program.Threads[0]
	for row, want := range []struct {
		kind sim.Kind
		root bool
	}{{sim.Collective, true}, {sim.Reduce, false}, {sim.CollectiveStart, true}, {sim.CollectiveWait, false}} {
		if c := x.Call(row); x.Kind(row) != want.kind || c.Root != want.root {
			t.Errorf("record %d: %v, %+v", row, x.Kind(row), c)
		}
	}
}

// Errors name the line.
func TestLogErrors(t *testing.T) {
	const rest = "1 0 MPI_Finalize\n2 0 MPI_Finalize\n"
	for _, c := range []struct{ log, want string }{
		{"", "a.log: there are no entries"},
		{"# nothing\n\n", "a.log:2: there are no entries"},
		{"0 0\n", "a.log:1: an entry is RANK SECONDS ROUTINE ARGUMENTS"},
		{"\nx 0 MPI_Init\n", `a.log:2: "x" must be a rank, from 0 to 1048575`},
		{"1048576 0 MPI_Init\n", `a.log:1: "1048576" must be a rank, from 0 to 1048575`},
		{"1048575 0 MPI_Init\n", "a.log:1: rank 0 has no entries"},
		{rest + "0 0 MPI_Send 3 0 0\n1048575 0\n", "a.log:4: an entry is RANK SECONDS ROUTINE ARGUMENTS"},
		{rest + "0 0 MPI_Send 4 0 0\n0 0 MPI_Send 4 0 0\n", "a.log:3: rank 3 has no entries"},
		{"0 -1 MPI_Init\n", `a.log:1: "-1" must be a time in seconds, >= 0`},
		{"0 1e MPI_Init\n", `a.log:1: "1e" must be a time in seconds`},
		{"0 1.1e9 MPI_Init\n", `a.log:1: "1.1e9" must be a time in seconds, >= 0`},
		{"0 nan MPI_Init\n", `a.log:1: "nan" must be a time in seconds, >= 0`},
		{"0 0 MPI_Finalize\n0 0 MPI_Init\n", "a.log:2: rank 0 has entries after MPI_Finalize"},
		{"0 0 MPI_Comm_split\n", `a.log:1: unknown routine "MPI_Comm_split"`},
		{"0 0 MPI_Init 5 6\n", `a.log:1: MPI_Init: "5" is one argument too many`},
		{"0 0 MPI_Init 5 from=6\n", `a.log:1: MPI_Init: "5" is one argument too many`},
		{"0 0 MPI_Init from=6\n", "a.log:1: MPI_Init: it has no option from"},
		{"0 0 MPI_Recv 0 0 from=6\n", ""},
		{"0 0 MPI_Send\n", "a.log:1: MPI_Send: the destination is missing"},
		{"0 0 MPI_Send 0\n", "a.log:1: MPI_Send: the size is missing"},
		{"0 0 MPI_Send 0 0\n", "a.log:1: MPI_Send: the tag is missing"},
		{"0 0 MPI_Send 0 -1 0\n", `a.log:1: MPI_Send: size "-1" must be a number >= 0`},
		{"0 0 MPI_Send 0 140737488355328 0\n", `a.log:1: MPI_Send: size "140737488355328" must be a number >= 0`},
		{"0 0 MPI_Send x 0 0\n", `a.log:1: MPI_Send: "x" must be a rank, from 0 to 1048575`},
		{"0 0 MPI_Send 0 0 0 mode=fast\n", `a.log:1: MPI_Send: there is no send mode "fast"`},
		{"0 0 MPI_Recv\n", "a.log:1: MPI_Recv: the source is missing"},
		{"0 0 MPI_Recv ANY 0 from=x\n", `a.log:1: MPI_Recv: "x" must be a rank, from 0 to 1048575`},
		{"0 0 MPI_Recv 0 ANY tag=x\n", `a.log:1: MPI_Recv: tag "x" must be a number >= 0`},
		{"0 0 MPI_Sendrecv 0 0\n", "a.log:1: MPI_Sendrecv: the tag is missing"},
		{"0 0 MPI_Iprobe 0 0\n", "a.log:1: MPI_Iprobe: the flag is missing"},
		{"0 0 MPI_Iprobe 0 1 x\n", `a.log:1: MPI_Iprobe: flag "x" must be a number >= 0`},

		{"0 0 MPI_Irecv 0 0\n", "a.log:1: MPI_Irecv: the request is missing"},
		{"0 0 MPI_Irecv 0 0 q\n0 0 MPI_Irecv 0 0 q\n", `a.log:2: MPI_Irecv: request "q" is still in use`},
		{"0 0 MPI_Recv_init 0 0 q\n0 0 MPI_Irecv 0 0 q\n", `a.log:2: MPI_Irecv: request "q" is still in use`},
		{"0 0 MPI_Wait q\n", `a.log:1: MPI_Wait: there is no request "q"`},
		{"0 0 MPI_Irecv 0 0 q\n0 0 MPI_Waitall q q\n", `a.log:2: MPI_Waitall: there is no request "q"`},
		{"0 0 MPI_Start q\n", `a.log:1: MPI_Start: there is no persistent request "q" to start`},
		{"0 0 MPI_Irecv 0 0 q\n0 0 MPI_Start q\n", `a.log:2: MPI_Start: there is no persistent request "q" to start`},
		{"0 0 MPI_Recv_init 0 0 q\n0 0 MPI_Startall q q\n",
			`a.log:2: MPI_Startall: there is no persistent request "q" to start`},
		{"0 0 MPI_Cancel q\n", `a.log:1: MPI_Cancel: there is no message with request "q" to cancel`},
		{"0 0 MPI_Recv_init 0 0 q\n0 0 MPI_Cancel q\n",
			`a.log:2: MPI_Cancel: there is no message with request "q" to cancel`},
		{"0 0 MPI_Ibarrier q\n0 0 MPI_Cancel q\n",
			`a.log:2: MPI_Cancel: there is no message with request "q" to cancel`},
		{"0 0 MPI_Request_free q\n", `a.log:1: MPI_Request_free: there is no request "q"`},
		{"0 0 MPI_Test\n", "a.log:1: MPI_Test: the request is missing"},
		{"0 0 MPI_Irecv 0 0 q\n0 0 MPI_Test q 2\n", `a.log:2: MPI_Test: flag "2" must be 0 or 1`},

		{"0 0 MPI_Bcast\n", "a.log:1: MPI_Bcast: the root is missing"},
		{"0 0 MPI_Bcast 0\n", "a.log:1: MPI_Bcast: the size is missing"},
		{"0 0 MPI_Bcast 0 1 2\n", `a.log:1: MPI_Bcast: "2" is one argument too many`},
		{"0 0 MPI_Ibarrier\n", "a.log:1: MPI_Ibarrier: the request is missing"},
		{"0 0 MPI_Ibarrier q\n0 0 MPI_Ibarrier q\n", `a.log:2: MPI_Ibarrier: request "q" is still in use`},
		{"0 0 MPI_Barrier comm=c\n", `a.log:1: there is no communicator "c"`},
		{"communicator c 1\n0 0 MPI_Init\n0 0 MPI_Barrier comm=c\n" + rest, "a.log:3: rank 0 is not in communicator c"},
		{"communicator c 0 2\n0 0 MPI_Bcast 1 8 comm=c\n" + rest,
			"a.log:2: the root, rank 1, is not in communicator c"},
		{"communicator c 1 2\n1 0 MPI_Barrier comm=c\n2 0 MPI_Barrier comm=c\n0 0 MPI_Init\n", ""},
		{"communicator c 0 2\n0 0 MPI_Alltoallv 1 2 3 comm=c\n" + rest,
			"a.log:2: 3 sizes for the 2 ranks of communicator c"},
		{"communicator c\n", "a.log:1: must be communicator NAME RANK RANK"},
		{"communicator c x\n", `a.log:1: "x" must be a rank, from 0 to 1048575`},
		{"communicator c 1 2 1\n", "a.log:1: communicator c has a rank twice"},
		{"communicator c 0 1\ncommunicator c 0 2\n", "a.log:2: communicator c had other ranks"},
	} {
		_, err := puppet.ReadLog("a.log", strings.NewReader(c.log))
		if c.want == "" && err != nil || c.want != "" && (err == nil || err.Error() != c.want) {
			t.Errorf("%q: %v, not %s", c.log, err, c.want)
		}
	}
	broken := io.MultiReader(strings.NewReader("0 0 MPI_Init\n"), iotest.ErrReader(errors.New("no disk")))
	if _, err := puppet.ReadLog("a.log", broken); err == nil || err.Error() != "a.log:2: no disk" {
		t.Errorf("a file that breaks off: %v", err)
	}
}

// Calls whose outcome depends on timing are counted.
func TestTimedCalls(t *testing.T) {
	for calls, want := range map[string]int{
		"Irecv 0 0 q,Wait q": 0, "Irecv 0 0 q,Test q 0,Test q 1": 2, "Irecv 0 0 q,Cancel q": 1, "Iprobe 0 0 0": 1,
		"Iprobe 0 0 1": 1, "Irecv 0 0 q,Testall q 0,Testany,Testsome,Waitany q": 4, "Irecv 0 0 q,Waitsome q": 1,
	} {
		text := ""
		for call := range strings.SplitSeq(calls, ",") {
			text += "0 0 MPI_" + call + "\n"
		}
		l, err := puppet.ReadLog("a.log", strings.NewReader(text))
		if err != nil || l.Timed != want || len(l.Remarks()) != min(want, 1) {
			t.Errorf("%s: %+v, %v", calls, l, err)
		}
	}
	l := puppet.Log{Timed: 2}
	if r := l.Remarks(); len(r) != 1 ||
		r[0] != "not network-deterministic: 2 time-dependent calls are replayed as recorded" {
		t.Errorf("%q", r)
	}
}

// A log may be compressed.
func TestOpenLog(t *testing.T) {
	const text = "#PUPPET log\n0 1e-6 MPI_Finalize\n"
	dir := t.TempDir()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	io.WriteString(z, text)
	z.Close()
	for name, content := range map[string]string{"plain": text, "gz": b.String(), "bad": "\x1f\x8bno"} {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
		l, err := puppet.OpenLog(path)
		if name == "bad" {
			if err == nil || !strings.HasPrefix(err.Error(), path+": ") {
				t.Errorf("bad: %v", err)
			}
		} else if err != nil || l.Program.Computation() != 1000 {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := puppet.OpenLog(filepath.Join(dir, "none")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
}

// Routines have their arguments for the documentation, in the order of their names.
func TestRoutines(t *testing.T) {
	list := puppet.Routines()
	var names []string
	args, docs := map[string]string{}, map[string]string{}
	for _, r := range list {
		docs[r.Name] = r.Doc
		names = append(names, strings.ToLower(r.Name))
		args[r.Name] = r.Args
	}
	// 22 of their own, 3 for each of 4 modes of sends, 2 for each of 16 operations, Exscan
	if len(list) != 22+12+32+1 || !slices.IsSorted(names) {
		t.Errorf("%d: %v", len(list), names)
	}
	for name, want := range map[string]string{"Barrier": "", "Ibarrier": "REQUEST", "Bcast": "ROOT BYTES",
		"Ireduce": "ROOT BYTES REQUEST", "Allreduce": "BYTES", "Issend": "DEST BYTES TAG REQUEST",
		"Rsend_init": "DEST BYTES TAG REQUEST", "Send": "DEST BYTES TAG"} {
		if got, ok := args[name]; !ok || got != want {
			t.Errorf("%s %s, not %s", name, got, want)
		}
	}
	if docs["Isend"] != "mode=nospace: complete when the message has arrived" || docs["Issend"] != "synchronous" ||
		!strings.HasSuffix(docs["Gatherv"], "on another communicator than that of all ranks") ||
		!strings.HasSuffix(docs["Scatterv"], "; BYTES for each rank, or their sum") {
		t.Errorf("%q", docs)
	}
}

// A program of a trace: sends that wait, receives without requests, which a wait names by their envelope, operations in
// the background without requests, threads that only compute, and what a log has no line for.
func TestWriteProgram(t *testing.T) {
	p := &sim.Program{}
	p.AddPtask()
	p.AddTask(2)
	p.AddTask(1)
	world := p.AddCommunicator(0, 9, []int32{0, 1})
	x := &p.Threads[1]
	p.Threads[0].AddCompute(5000)
	x.AddCompute(1000)
	x.AddEvent(7, 8)
	x.AddMessage(sim.SendRendezvous, sim.Message{Peer: 1, Size: 10})
	x.AddMessage(sim.IsendRendezvous, sim.Message{Peer: 1, Size: 10})
	x.AddMessage(sim.Isend, sim.Message{Peer: 1, Size: 10, Tag: 2})
	x.AddMessage(sim.Irecv, sim.Message{Peer: 1, Tag: 3})
	x.AddMessage(sim.Irecv, sim.Message{Peer: 1, Tag: 4})
	x.AddMessage(sim.Irecv, sim.Message{Peer: 1, Tag: 3, Size: 6})
	for _, tag := range []int64{4, 3, 3, 3} {
		x.AddMessage(sim.Wait, sim.Message{Peer: 1, Tag: tag})
	}
	for _, op := range []sim.CollectiveOp{0, 11} {
		x.AddCollective(sim.CollectiveStart, sim.CollectiveCall{Communicator: world, Op: op, Sent: 4})
	}
	for range 3 {
		x.AddCollective(sim.CollectiveWait, sim.CollectiveCall{Communicator: world})
	}
	y := &p.Threads[2]
	for _, op := range []sim.CollectiveOp{0, 11} {
		y.AddCollective(sim.CollectiveStart, sim.CollectiveCall{Communicator: world, Op: op, Sent: 4})
	}
	const want = `#PUPPET log
0 1e-6 MPI_Ssend 1 10 0
0 0 MPI_Issend 1 10 0 w1
0 0 MPI_Isend 1 10 2 w2
0 0 MPI_Irecv 1 3 w3
0 0 MPI_Irecv 1 4 w4
0 0 MPI_Irecv 1 3 w5
0 0 MPI_Wait w4
0 0 MPI_Wait w3
0 0 MPI_Wait w5
0 0 MPI_Recv 1 3
0 0 MPI_Ibarrier c6
0 0 MPI_Iallreduce 4 c7
0 0 MPI_Wait c6
0 0 MPI_Wait c7
0 0 MPI_Finalize
1 0 MPI_Ibarrier c1
1 0 MPI_Iallreduce 4 c2
1 0 MPI_Finalize
`
	if err := p.Link(); err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	if err := puppet.WriteLog(&b, p); err != nil || b.String() != want {
		t.Errorf("%v:\n%s", err, b.String())
	}
	for _, c := range []struct {
		add  func(*sim.Program)
		want string
	}{
		{func(p *sim.Program) { p.AddPtask() }, "a log has one application, not 2"},
		{func(p *sim.Program) { p.Threads[0].AddMessage(sim.Send, sim.Message{Peer: 1}) },
			"rank 0: two of its threads communicate"},
		{func(p *sim.Program) { p.Threads[2].AddMessage(sim.Put, sim.Message{Peer: 1}) }, "rank 1: a log has no put"},
		{func(p *sim.Program) {
			p.Threads[2].AddHandled(sim.Send, sim.Message{Peer: 0}, sim.Handling{Routine: 1})
		}, "rank 1: collective operations are messages already"},
	} {
		bad := &sim.Program{}
		bad.AddPtask()
		bad.AddTask(2)
		bad.AddTask(1)
		bad.Threads[1].AddMessage(sim.Recv, sim.Message{Peer: 1})
		own := bad.AddCommunicator(0, 1, []int32{0})
		bad.Threads[1].AddCollective(sim.Collective, sim.CollectiveCall{Communicator: own})
		c.add(bad)
		if err := bad.Link(); err != nil {
			t.Fatal(err)
		}
		if err := puppet.WriteLog(io.Discard, bad); err == nil || err.Error() != c.want {
			t.Errorf("%v, not %s", err, c.want)
		}
	}
}
