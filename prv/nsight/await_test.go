package nsight

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pview/prv"
	"pview/prv/extrae/device"
)

// Operations A1 and A2 of stream 7 end at 20 and 30, with launches 10 and 14; B of stream 8 begins at 40, with launch
// 30. Stream 8 waits in call 20 for event 5, which calls 11 and 15 have recorded on stream 7 under the numbers 100 and
// 101. The number tells which recording it waits for; without one it is the event's last before the wait.
func TestStreamWaits(t *testing.T) {
	const (
		a1   = "CUDA-D0.S7 -> CUDA-D0.S8: 10 30"
		a2   = "CUDA-D0.S7 -> CUDA-D0.S8: 20 30"
		note = "1 wait of streams for events: where these were recorded is not in the export"
	)
	for _, c := range []struct {
		what, wait string // call, event, eventSyncId
		want       string
	}{
		{"the first by its number", "20, 5, 100", a1},
		{"the second by its number", "20, 5, 101", a2},
		{"the last of the event", "20, 5, null", a2},
		{"the last before the wait", "13, 5, 999", a1},
		{"before it is recorded", "11, 5, null", ""},
		{"another event", "20, 6, 102", ""},
		{"no event", "20, 4294967295, 4294967295", ""},
	} {
		tr := openTrace(t, made(t,
			"create table CUPTI_ACTIVITY_KIND_KERNEL (start, end, deviceId, streamId, correlationId, globalPid, "+
				"shortName)",
			"insert into CUPTI_ACTIVITY_KIND_KERNEL values (10, 20, 0, 7, 10, 16777216, 'A1'), "+
				"(20, 30, 0, 7, 14, 16777216, 'A2'), (40, 50, 0, 8, 30, 16777216, 'B')",
			"create table CUPTI_ACTIVITY_KIND_CUDA_EVENT (deviceId, streamId, correlationId, globalPid, eventId, "+
				"eventSyncId)",
			"insert into CUPTI_ACTIVITY_KIND_CUDA_EVENT values (0, 7, 15, 16777216, 5, 101), "+
				"(0, 7, 11, 16777216, 5, 100)",
			"create table CUPTI_ACTIVITY_KIND_SYNCHRONIZATION (deviceId, streamId, globalPid, syncType, "+
				"correlationId, eventId, eventSyncId)",
			"insert into CUPTI_ACTIVITY_KIND_SYNCHRONIZATION values (0, 8, 16777216, 2, "+c.wait+")"))
		var got []string
		names := tr.Names.Levels[prv.LevelThread]
		for i := range tr.Comms.Len() {
			if k := &tr.Comms; k.Tag[i] == device.EventTag {
				got = append(got, fmt.Sprintf("%s -> %s: %d %d", names[k.Send[i]], names[k.Recv[i]],
					k.Times[prv.PhysicalSend][i], k.Times[prv.PhysicalRecv][i]))
			}
		}
		if want := []string{c.want}; !slices.Equal(got, want) && c.want != "" || c.want == "" && got != nil {
			t.Errorf("%s: %q, want %q", c.what, got, want)
		}
		if notes := notesOf(tr); strings.Contains(notes, note) != (c.want == "") {
			t.Errorf("%s: notes %s", c.what, notes)
		}
	}
}
