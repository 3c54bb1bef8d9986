package semantic

import (
	"testing"

	"pview/prv"
)

// traceLate has two messages from thread 1 to thread 2. The one of 100 bytes is sent at 10 and 12, arrives at 30, and
// is received at 40. The one of 7 bytes is sent at 60 and 65 but received at 50 and 55, since the clocks differ.
const traceLate = `#Paraver (01/01/03 at 00:00):100:1(2):1:2(1:1,1:1)
3:1:1:1:1:10:12:2:1:2:1:40:30:100:5
3:1:1:1:1:60:65:2:1:2:1:50:55:7:6
`

// All functions on communications. In traceA thread 2 sends 1000 bytes at 45 and 50, which thread 1 receives at 30, and
// which arrive at 50; thread 1 sends 3000 at 60 and 62, received at 70 and 80.
func TestCommunications(t *testing.T) {
	a, late := read(t, traceA), read(t, traceLate)
	for _, c := range []struct {
		name  string
		trace *prv.Trace
		row   int
		want  string
	}{
		{"Comm Size", a, 0, "0-30:0 30-60:1000 60-100:3000"},
		{"Comm Size", a, 1, "0-45:0 45-70:1000 70-100:3000"},
		{"Comm Partner", a, 0, "0-60:0 60-100:2"},
		{"Comm Partner", a, 1, "0-45:0 45-100:1"},
		{"Comm Recv. Partner", a, 0, "0-30:0 30-50:2 50-100:0"}, // of the next effective receive
		{"Comm Recv. Partner", a, 1, "0-70:0 70-80:1 80-100:0"},
		{"Comm Recv. Partner", late, 1, "0-30:0 30-55:1 55-100:0"},
		{"Last Send Dur.", a, 0, "0-60:0 60-100:20"}, // 80 - 60
		{"Last Send Dur.", a, 1, "0-45:0 45-100:5"},  // 50 - 45
		{"Last Send Dur.", late, 0, "0-10:0 10-60:30 60-100:-5"},
		{"Next Recv Dur.", a, 0, "0-30:0 30-100:15"},             // the arrival at 50, sent at 45
		{"Next Recv Dur.", late, 1, "0-40:0 40-50:20 50-100:10"}, // the message sent at 60, both times
		{"Last Send Size", a, 0, "0-60:0 60-100:3000"},
		{"Send Messages in Transit", a, 0, "0-60:0 60-80:1 80-100:0"},
		{"Send Messages in Transit", late, 0, "0-10:0 10-40:1 40-100:0"},
		{"Send Bytes in Transit", a, 1, "0-45:0 45-50:1000 50-100:0"},
		{"Recv Messages in Transit", late, 1, "0-10:0 10-40:1 40-100:0"},
		{"Recv Bytes in Transit", a, 1, "0-60:0 60-80:3000 80-100:0"},
		{"Recv Negative Messages", late, 1, "0-55:0 55-60:1 60-100:0"},
		{"Recv Negative Bytes", late, 1, "0-55:0 55-60:7 60-100:0"},
		{"Recv Negative Messages", a, 0, "0-100:0"},
		{"Send BandWidth", a, 0, "0-60:0 60-80:166.667 80-100:0"},               // 3000 / (80 - 62)
		{"Send BandWidth", a, 1, "0-100:0"},                                     // physically it takes no time
		{"Recv BandWidth", late, 1, "0-10:0 10-40:3.33333 40-100:0"},            // 100 / (40 - 10)
		{"Number Of Sends", late, 0, "0-10:0 10-12:1 12-60:2 60-65:3 65-100:4"}, // one for each of the two times
		{"Number Of Send Bytes", late, 0, "0-10:0 10-12:100 12-60:200 60-65:207 65-100:214"},
		{"Number Of Receives", late, 1, "0-30:0 30-40:1 40-55:2 55-100:3"}, // at 50 it is not yet effective
		{"Number Of Receive Bytes", a, 0, "0-50:0 50-100:1000"},
		{"Messages Queued To Send", a, 0, "0-60:0 60-62:1 62-100:0"},
		{"Messages Queued To Send", late, 0, "0-10:0 10-12:1 12-60:0 60-65:1 65-100:0"},
		{"Messages Queued To Receive", late, 1, "0-30:0 30-40:1 40-100:0"},
		{"Messages Queued To Receive", a, 0, "0-100:0"},
		{"Last Tag", late, 1, "0-30:0 30-55:5 55-100:6"},
	} {
		w := at(prv.LevelThread, c.name)
		w.Filter.Comms.Physical = true
		if got := show(t, c.trace, w, c.row); got != c.want {
			t.Errorf("%s of thread %d: %s, want %s", c.name, c.row+1, got, c.want)
		}
	}
}
