package picl

import (
	"bytes"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pview/prv"
	"pview/prv/extrae"
	"pview/prv/extrae/system"
)

// written returns a trace in PICL's format.
func written(t testing.TB, tr *prv.Trace) string {
	t.Helper()
	var b bytes.Buffer
	if err := Write(context.Background(), &b, tr); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// paraver reads a trace of two tasks, each with a thread; times are us.
func paraver(t testing.TB, body string) *prv.Trace {
	t.Helper()
	tr, err := prv.Read(context.Background(),
		strings.NewReader("#Paraver (22/11/2026 at 10:00):400:2(1,1):1:2(1:1,1:2)\n"+body), prv.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return tr
}

// readBack reads a written trace; it must have no notes.
func readBack(t *testing.T, text string) *prv.Trace {
	t.Helper()
	back, err := Open(context.Background(), write(t, text), true, prv.Watcher{})
	if err != nil {
		t.Fatal(err)
	}
	same(t, "notes", notes(back), "")
	return back
}

// TestWrite: in a function (60000019) task 1 sends 50 bytes at 100 and does not wait; task 2 waits for them from 30
// until 160. The answer arrives at 250, before task 1 receives at 260; task 2 waits in its send until 250.
func TestWrite(t *testing.T) {
	tr := paraver(t, `1:1:1:1:1:0:400:1
1:2:1:2:1:0:30:1
1:2:1:2:1:30:160:3
1:2:1:2:1:160:200:1
1:2:1:2:1:200:250:9
1:2:1:2:1:250:300:1
2:1:1:1:1:90:60000019:7
2:1:1:1:1:270:60000019:0
3:1:1:1:1:100:100:2:1:2:1:30:160:50:4
3:2:1:2:1:200:200:1:1:1:1:260:250:8:5
`)
	tr.Labels.AddType(60000019, "User function", prv.ValueLabel{Value: 7, Label: "solve"})
	text := written(t, tr)
	same(t, "text", text, `-5 0 0.0 -1 -1 1 0 solve
-3 -901 0.000000000 0 0 0
-3 -901 0.000000000 1 0 0
-3 -52 0.000030000 1 0 1 2 4
-3 0 0.000090000 0 0 0
-3 -21 0.000100000 0 0 4 2 50 4 1 0
-4 -21 0.000100000 0 0 0
-4 -52 0.000160000 1 0 4 2 50 4 0 0
-3 -23 0.000200000 1 0 4 2 8 5 0 0
-4 -23 0.000250000 1 0 0
-3 -51 0.000260000 0 0 1 2 5
-4 -51 0.000260000 0 0 4 2 8 5 1 0
-4 0 0.000270000 0 0 0
-4 -901 0.000300000 1 0 0
-4 -901 0.000400000 0 0 0
`)
	back := readBack(t, text)
	same(t, "messages", messages(back),
		"0->1 sent 100-100 received 30-160, 50 bytes, tag 4\n1->0 sent 200-250 received 260-260, 8 bytes, tag 5")
	same(t, "states of task 1", states(back, 0), "0-100 1, 100-260 1, 260-400 1")
	same(t, "states of task 2", states(back, 1), "0-30 1, 30-160 3, 160-200 1, 200-250 4, 250-300 1")
	same(t, "function", events(back, 0, system.UserType), "90 1, 270 0")
}

// Collective operations and barriers of MPI have system events; MPI_Gatherv shares the one of MPI_Gather. Other calls
// are system overhead.
func TestWriteCollectives(t *testing.T) {
	body, names := "", []string{"MPI_Bcast", "MPI_Barrier", "MPI_Gatherv", "mpi_allreduce", "MPI_Send",
		"broadcast"}
	var labels []prv.ValueLabel
	for i, name := range names {
		labels = append(labels, prv.ValueLabel{Value: int64(i + 1), Label: name})
		at := 10 * i
		body += fmt.Sprintf("1:1:1:1:1:%d:%d:1\n1:1:1:1:1:%d:%d:13\n", at, at+5, at+5, at+10) +
			fmt.Sprintf("2:1:1:1:1:%d:50000002:%d\n2:1:1:1:1:%d:50000002:0\n", at+5, i+1, at+10)
	}
	tr := paraver(t, body)
	tr.Labels.AddType(extrae.MPICollective, "MPI collective", labels...)
	same(t, "text", written(t, tr), `-3 -901 0.000000000 0 0 0
-3 -901 0.000000000 1 0 0
-3 -785 0.000005000 0 0 0
-4 -785 0.000010000 0 0 0
-3 -402 0.000015000 0 0 0
-4 -402 0.000020000 0 0 0
-3 -786 0.000025000 0 0 0
-4 -786 0.000030000 0 0 0
-3 -782 0.000035000 0 0 0
-4 -782 0.000040000 0 0 0
-3 -602 0.000045000 0 0 0
-4 -602 0.000050000 0 0 0
-3 -602 0.000055000 0 0 0
-4 -602 0.000060000 0 0 0
-4 -901 0.000060000 0 0 0
-4 -901 0.000400000 1 0 0
`)
}

// TestWriteRequests: two receives are posted at 10 and 20; both are complete at 200, where a single wait ends. A
// function that ends during the wait ends after it.
func TestWriteRequests(t *testing.T) {
	tr := paraver(t, `1:1:1:1:1:0:300:1
1:2:1:2:1:0:50:1
1:2:1:2:1:50:200:8
1:2:1:2:1:200:300:1
2:2:1:2:1:40:60000019:7
2:2:1:2:1:120:60000019:0
3:1:1:1:1:60:60:2:1:2:1:10:200:1:4
3:1:1:1:1:70:70:2:1:2:1:20:200:2:4
`)
	back := readBack(t, written(t, tr))
	same(t, "messages", messages(back),
		"0->1 sent 60-60 received 10-200, 1 bytes, tag 4\n0->1 sent 70-70 received 20-200, 2 bytes, tag 4")
	same(t, "states", states(back, 1), "0-10 1, 10-20 1, 20-50 1, 50-200 8, 200-300 1")
	same(t, "function", events(back, 1, system.UserType), "40 1, 200 0")
}

// times returns what the format keeps of messages: who, bytes, tag, and when they are sent, posted and received.
func times(tr *prv.Trace) (list []string) {
	c := &tr.Comms
	for i := range c.Len() {
		posted := c.Times[prv.LogicalRecv][i]
		list = append(list, fmt.Sprint(c.Send[i], c.Recv[i], c.Size[i], c.Tag[i], c.Times[prv.LogicalSend][i], posted,
			max(posted, c.Times[prv.PhysicalRecv][i])))
	}
	slices.Sort(list)
	return list
}

// waiting returns, by thread, the time outside of Running, Idle and untraced states.
func waiting(tr *prv.Trace) (list []int64) {
	for i := range tr.Threads {
		s, sum := &tr.Threads[i].States, int64(0)
		for k, v := range s.Value {
			if m := extrae.StatesOf(tr.Labels, extrae.Auto).Meaning(v); m != extrae.Useful && m != extrae.Absent {
				sum += s.End[k] - s.Begin[k]
			}
		}
		list = append(list, sum)
	}
	return list
}

// Traces of MPI programs have the same messages, and the same time outside of computation, after they were written and
// read. Messages with the same threads and tag are received in the order in which they are sent.
func TestWriteAll(t *testing.T) {
	for _, name := range []string{"heat2d_8/heat2d_8.prv.gz", "callmix_4_skew/callmix_4_skew.prv",
		"npb_cg_S_8_burst/npb_cg_S_8_burst.prv", "twoapps_4_4/twoapps_4_4.prv"} {
		tr, err := (&prv.Opener{NoIndex: true}).Open(context.Background(), filepath.Join("../../testdata/traces", name),
			prv.Watcher{})
		if err != nil {
			t.Fatal(err)
		}
		back, err := Open(context.Background(), write(t, written(t, tr)), true, prv.Watcher{})
		if err != nil {
			t.Fatal(err)
		}
		if n := notes(back); n != "" {
			t.Errorf("%s: %s", name, n)
		}
		if got, want := times(back), times(tr); !slices.Equal(got, want) {
			t.Errorf("%s: %d messages, not %d, or other ones: %v", name, len(got), len(want), first(got, want))
		}
		if got, want := waiting(back), waiting(tr); !slices.Equal(got, want) {
			t.Errorf("%s: not computing for %v ns, not %v", name, got, want)
		}
	}
}

// first returns the first difference of two lists.
func first(got, want []string) string {
	for i := range min(len(got), len(want)) {
		if got[i] != want[i] {
			return got[i] + " is not " + want[i]
		}
	}
	return ""
}
