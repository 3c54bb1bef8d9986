package perfetto

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pview/prv"
	"pview/prv/calls"
)

// A run of 40 us: task 1 runs and at 10 us sends a message that task 2 receives at 20 us. Each thread is in an MPI
// call; that of task 2 is also in user function 3, which never ends.
const small = `#Paraver (01/01/2026 at 10:00):40000_ns:1(2):1:2(1:1,1:1)
1:1:1:1:1:0:10500:1
1:1:1:1:1:10500:40000:4
1:2:1:2:1:0:-1:1
2:1:1:1:1:10000:50000001:1
2:1:1:1:1:10001:42000050:123456
2:1:1:1:1:12000:50000001:0
2:2:1:2:1:5000:60000019:3
2:2:1:2:1:5000:50000001:2
2:2:1:2:1:20000:50000001:0
2:2:1:2:1:21000:7:8
3:1:1:1:1:10000:10000:2:1:2:1:20000:20000:1000:7
3:1:1:1:1:11000:11000:2:1:2:1:6000:30000:1000:8
`

const labels = "STATES\n1 Running\n4 Blocking Send\n\nEVENT_TYPE\n9 50000001 MPI Point-to-point\nVALUES\n0 End\n1 " +
	"MPI_Send\n2 MPI_Recv\n\nEVENT_TYPE\n7 42000050 PAPI_TOT_INS\n\nEVENT_TYPE\n0 7 Phase\nVALUES\n8 \"eight\"\n"

func open(t *testing.T, text, pcf string) *prv.Trace {
	t.Helper()
	base := filepath.Join(t.TempDir(), "a")
	for ext, s := range map[string]string{".prv": text, ".pcf": pcf} {
		if err := os.WriteFile(base+ext, []byte(s), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	tr, err := (&prv.Opener{NoIndex: true}).Open(t.Context(), base+".prv", prv.Watcher{})
	if err != nil {
		t.Fatal(err)
	}
	return tr
}

func written(t *testing.T, tr *prv.Trace) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := Write(t.Context(), &b, tr); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// Every record of a small run in the format's terms: times in us.
func TestEvents(t *testing.T) {
	got := string(written(t, open(t, small, labels)))
	for _, want := range []string{
		`{"ph":"M","pid":2,"tid":0,"name":"process_name","args":{"name":"TASK 1.2"}}`,
		`{"ph":"M","pid":1,"tid":1,"name":"thread_name","args":{"name":"THREAD 1.1.1"}}`,
		`{"ph":"M","pid":1,"tid":2,"name":"thread_name","args":{"name":"THREAD 1.1.1 MPI calls"}}`,
		`{"ph":"B","pid":1,"tid":1,"ts":0,"name":"Running","cat":"state"},
{"ph":"E","pid":1,"tid":1,"ts":10.500,"name":"Running"}`,
		`{"ph":"B","pid":1,"tid":1,"ts":10.500,"name":"Blocking Send","cat":"state"},
{"ph":"E","pid":1,"tid":1,"ts":40,"name":"Blocking Send"}`,
		`{"ph":"B","pid":2,"tid":5,"ts":0,"name":"Running","cat":"state"},
{"ph":"E","pid":2,"tid":5,"ts":40,"name":"Running"}`, // until the end
		`{"ph":"B","pid":1,"tid":2,"ts":10,"name":"MPI_Send","cat":"MPI Point-to-point"}`,
		`{"ph":"E","pid":1,"tid":2,"ts":12,"name":"MPI_Send"}`,
		`{"ph":"B","pid":2,"tid":7,"ts":5,"name":`,  // the user function
		`{"ph":"E","pid":2,"tid":7,"ts":40,"name":`, // ends with the run
		`{"ph":"C","pid":1,"tid":1,"ts":10.001,"name":"PAPI_TOT_INS THREAD 1.1.1","args":{"value":123456}}`,
		`{"ph":"i","pid":2,"tid":5,"ts":21,"name":"Phase","s":"t","cat":"event",` +
			`"args":{"type":7,"value":8,"label":"\"eight\""}}`,
		`{"ph":"s","pid":1,"tid":1,"ts":10,"name":"message","cat":"message","id":1,"args":{"bytes":1000,"tag":7}}`,
		`{"ph":"f","pid":2,"tid":5,"ts":20,"name":"message","cat":"message","id":1,"bp":"e","args":{"bytes":1000,"tag":7}}`,
		// A receive that was posted at 6 us, before the send at 11, gets the message at 30.
		`{"ph":"s","pid":1,"tid":1,"ts":11,"name":"message","cat":"message","id":2,"args":{"bytes":1000,"tag":8}}`,
		`{"ph":"f","pid":2,"tid":5,"ts":30,"name":"message","cat":"message","id":2,"bp":"e","args":{"bytes":1000,"tag":8}}`,
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %s in\n%s", want, got)
		}
	}
}

// event is an event as in the format's documentation.
type event struct {
	Ph, Name, Cat, S, Bp string
	Pid, Tid             *int
	Ts                   *float64
	ID                   int
	Args                 map[string]any
}

// check compares a file with the documented format: phases and their required fields, names of all processes and
// tracks, slices that nest on each track, flows with both ends, and counters with numbers.
func check(t *testing.T, text []byte) (n map[string]int) {
	t.Helper()
	var file struct {
		TraceEvents     []event
		DisplayTimeUnit string
	}
	if err := json.Unmarshal(text, &file); err != nil {
		t.Fatal(err)
	}
	if file.DisplayTimeUnit != "ns" && file.DisplayTimeUnit != "ms" {
		t.Errorf("displayTimeUnit is %q", file.DisplayTimeUnit)
	}
	n = map[string]int{}
	process, track, owner := map[int]string{}, map[int]string{}, map[int]int{}
	open, last, flows, sent := map[int][]string{}, map[int]float64{}, map[int]string{}, map[int]float64{}
	for i, e := range file.TraceEvents {
		n[e.Ph]++
		bad := func(why string) { t.Errorf("event %d (%+v): %s", i, e, why) }
		if e.Pid == nil || e.Tid == nil {
			bad("no pid or tid")
			continue
		}
		if e.Ph != "M" {
			if e.Ts == nil || *e.Ts < 0 {
				bad("no time")
				continue
			}
			if track[*e.Tid] == "" || process[*e.Pid] == "" {
				bad("its track or its process has no name yet")
			}
			if o, ok := owner[*e.Tid]; ok && o != *e.Pid {
				bad("its track is that of another process")
			}
			owner[*e.Tid] = *e.Pid
		}
		if e.Name == "" {
			bad("no name")
		}
		switch e.Ph {
		case "M":
			if e.Name == "process_name" {
				process[*e.Pid] = fmt.Sprint(e.Args["name"])
			}
			if e.Name == "thread_name" {
				track[*e.Tid] = fmt.Sprint(e.Args["name"])
			}
		case "B":
			if *e.Ts < last[*e.Tid] {
				bad("not in order")
			}
			if e.Cat == "state" {
				if n["state"]++; len(open[*e.Tid]) > 0 {
					bad("a state in a state")
				}
			}
			open[*e.Tid] = append(open[*e.Tid], e.Name)
			last[*e.Tid] = *e.Ts
		case "E":
			if k := len(open[*e.Tid]); k == 0 || *e.Ts < last[*e.Tid] || open[*e.Tid][k-1] != e.Name {
				bad("it ends nothing, or another slice, or is not in order")
			} else {
				open[*e.Tid] = open[*e.Tid][:k-1]
			}
			last[*e.Tid] = *e.Ts
		case "C":
			if _, ok := e.Args["value"].(float64); !ok {
				bad("no number")
			}
		case "i":
			if e.S != "t" {
				bad("scope")
			}
		case "s", "f":
			flows[e.ID] += e.Ph
			if e.Ph == "s" {
				sent[e.ID] = *e.Ts
			} else if *e.Ts < sent[e.ID] {
				bad("a flow that ends before it begins")
			}
			if e.Ph == "f" && e.Bp != "e" {
				bad("a flow that ends at the next slice")
			}
		default:
			bad("unknown phase")
		}
	}
	for tid, list := range open {
		if len(list) > 0 {
			t.Errorf("track %d never ends %d slices", tid, len(list))
		}
	}
	for id, ends := range flows {
		if ends != "sf" {
			t.Errorf("flow %d has the ends %q", id, ends)
		}
	}
	return n
}

// Real runs, and one whose records are all distorted, comply with the format, and nothing is left out.
func TestFormat(t *testing.T) {
	askew := open(t,
		"#Paraver (01/01/2026 at "+
			"10:00):50:1(1):1:1(1:1)\n1:1:1:1:1:0:30:1\n1:1:1:1:1:10:20:2\n1:1:1:1:1:10:10:3\n2:1:1:1:1:5:50000001:0\n"+
			"2:1:1:1:1:7:50000001:1:60000019:2\n2:1:1:1:1:8:60000019:3:50000001:2\n"+
			"3:1:1:1:1:40:40:1:1:1:1:9:9:1:1\n", "")
	check(t, written(t, askew))
	for _, name := range []string{"heat2d_8/heat2d_8.prv.gz", "hybrid_4x4/hybrid_4x4.prv.gz",
		"twoapps_4_4/twoapps_4_4.prv"} {
		tr, err := (&prv.Opener{NoIndex: true}).Open(t.Context(), filepath.Join("../../testdata/traces", name),
			prv.Watcher{})
		if err != nil {
			t.Fatal(err)
		}
		n := check(t, written(t, tr))
		states, events := 0, 0 // without events that end calls
		types := calls.TypesOf(tr.Labels)
		for i := range tr.Threads {
			e := &tr.Threads[i].Events
			states += tr.Threads[i].States.Len()
			for k, typ := range e.Type {
				if _, ok := types.Family(typ); !ok || e.Value.At(k) != 0 {
					events++
				}
			}
		}
		if n["state"] != states || n["s"] != tr.Comms.Len() || n["f"] != n["s"] {
			t.Errorf("%s: %v of %d states and %d messages", name, n, states, tr.Comms.Len())
		}
		// An event is a counter's, an instant, or the begin or end of a call.
		if got := n["C"] + n["i"] + n["B"] - states; got != events || n["B"] != n["E"] {
			t.Errorf("%s: %d events, want %d: %v", name, got, events, n)
		}
	}
}

// A full disk and a cancelled command are errors.
func TestWriteFails(t *testing.T) {
	tr := open(t, small, labels)
	if err := Write(t.Context(), full{}, tr); err == nil || err.Error() != "disk full" {
		t.Errorf("%v", err)
	}
	big, err := (&prv.Opener{NoIndex: true}).Open(t.Context(), "../../testdata/traces/heat2d_8/heat2d_8.prv.gz",
		prv.Watcher{})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := Write(ctx, &bytes.Buffer{}, big); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("disk full") }
