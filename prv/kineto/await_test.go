package kineto

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pview/prv"
	"pview/prv/extrae/device"
)

// eventsOf lists the messages of events: "stream -> stream: times".
func eventsOf(t *prv.Trace) (list []string) {
	c := &t.Comms
	for i := range c.Len() {
		if c.Tag[i] == device.EventTag {
			list = append(list, fmt.Sprintf("%s -> %s: %d %d %d %d", t.Names.Levels[prv.LevelThread][c.Send[i]],
				t.Names.Levels[prv.LevelThread][c.Recv[i]], c.Times[0][i], c.Times[1][i], c.Times[2][i], c.Times[3][i]))
		}
	}
	return list
}

// Operations A1 and A2 of stream 7 end at 20 and 30 us, with launches 10 and 12; B1 and B2 of stream 8 begin at 25 and
// 40, with launches 14 and 30. The file begins at 10 us.
const twoStreams = `{"schemaVersion": 1, "traceEvents": [
{"ph":"X","cat":"kernel","name":"A1","pid":0,"tid":7,"ts":10,"dur":10,"args":{"device":0,"stream":7,"correlation":10}},
{"ph":"X","cat":"kernel","name":"A2","pid":0,"tid":7,"ts":20,"dur":10,"args":{"device":0,"stream":7,"correlation":12}},
{"ph":"X","cat":"kernel","name":"B1","pid":0,"tid":8,"ts":25,"dur":5,"args":{"device":0,"stream":8,"correlation":14}},
{"ph":"X","cat":"kernel","name":"B2","pid":0,"tid":8,"ts":40,"dur":5,"args":{"device":0,"stream":8,"correlation":30}}`

// If a stream waits for an event, there is a message from the last operation launched before the event to the first one
// launched after the wait. There is none if either is missing, if a stream waits for itself, or if the event is
// unknown; identical waits have one.
func TestAwaitEvents(t *testing.T) {
	for _, c := range []struct {
		what                       string
		stream, on, record, called int
		want, note                 string
	}{
		{"the second operation", 8, 7, 13, 20, "CUDA-D0.S7 -> CUDA-D0.S8: 20000 20000 30000 30000", ""},
		{"the first operation", 8, 7, 11, 20, "CUDA-D0.S7 -> CUDA-D0.S8: 10000 10000 30000 30000", ""},
		{"the next operation is B1", 8, 7, 11, 13, "CUDA-D0.S7 -> CUDA-D0.S8: 10000 10000 15000 15000", ""},
		{"the other way", 7, 8, 13, 11, "", ""}, // no operation of stream 8 before it
		{"B1 begins before A2 ends", 8, 7, 13, 13, "", "1 wait of streams for events left out"},
		{"no operation before the event", 8, 7, 10, 20, "", ""},
		{"no operation after the wait", 8, 7, 13, 30, "", ""},
		{"a stream without operations", 8, 9, 13, 20, "", ""},
		{"itself", 8, 8, 20, 29, "", ""},
		{"the host", -1, 7, 13, 20, "", ""},
		{"an unknown event", 8, 7, -1, 20, "", ""},
	} {
		wait := fmt.Sprintf(`,{"ph":"X","cat":"cuda_sync","name":"Stream Wait Event","pid":0,"tid":8,"ts":22,"dur":0,`+
			`"args":{"wait_on_stream":%d,"wait_on_cuda_event_record_corr_id":%d,"stream":%d,"correlation":%d,`+
			`"device":0}}`,
			c.on, c.record, c.stream, c.called)
		tr := open(t, write(t, "run.json", twoStreams+wait+wait+"]}"))
		var want []string
		if c.want != "" {
			want = []string{c.want}
		}
		if got := eventsOf(tr); !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", c.what, got, want)
		}
		if got := fmt.Sprint(tr.Notes); strings.Contains(got, "of streams for events") != (c.note != "") ||
			!strings.Contains(got, c.note) {
			t.Errorf("%s: notes %s", c.what, got)
		}
		if n := len(tr.Names.Levels[prv.LevelThread]); n != 2 {
			t.Errorf("%s: %d threads", c.what, n)
		}
	}
}

// Checks 27 and 33: the memset of stream 24 at 348,628 + 19,406 us waits for the kernel of stream 20, which runs from
// 348,700 for 123 us (after 1712867402 s); in c16 C of stream 8 at 222 us waits for A of stream 7, which ends at 220.
func TestAwaitEventsOfKit(t *testing.T) {
	tr := kitFile(t, "data", "event-sync-streams.json.gz")
	got := eventsOf(tr)
	if len(got) != 1 || !strings.HasPrefix(got[0], "CUDA-D0.S20 -> CUDA-D0.S24: ") {
		t.Fatalf("%v", got)
	}
	c := &tr.Comms
	i := slices.Index(c.Tag, device.EventTag)
	if waited := c.Times[prv.PhysicalRecv][i] - c.Times[prv.PhysicalSend][i]; waited != (368_034-348_823)*1000 {
		t.Errorf("%d ns between the operations", waited)
	}
	tr = kitFile(t, "cases", "c16-path", "rank-0.json")
	if got := eventsOf(tr); !slices.Equal(got, []string{"CUDA-D0.S7 -> CUDA-D0.S8: 220000 220000 222000 222000"}) {
		t.Errorf("c16: %v", got)
	}
}
