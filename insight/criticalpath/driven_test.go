package criticalpath_test

import (
	"fmt"
	"slices"
	"testing"

	"pview/insight/criticalpath"
	"pview/insight/runtest"
	"pview/prv"
	"pview/prv/extrae"
)

// drivenRun is a run of two processors: Main::start, 0 to 40, creates at 30 the message that is there at 50 and starts
// Work::go at 60, which ends the run at 100.
const drivenRun = `#Paraver (01/01/26 at 00:00):100_us:2(1,1):1:2(1:1,1:2)
1:1:1:1:1:0:40:1
1:2:1:2:1:0:50:0
2:1:1:1:1:0:79000001:1:79000002:0
2:1:1:1:1:30:79000004:1:79000005:2
3:1:1:1:1:30:30:2:1:2:1:60:50:8:1
2:1:1:1:1:40:79000001:0
1:1:1:1:1:40:100:7
1:2:1:2:1:50:60:7
2:2:1:2:1:60:79000001:2:79000002:1:79000003:1
1:2:1:2:1:60:100:1
2:2:1:2:1:100:79000001:0
`

func drivenTrace(t *testing.T) *prv.Trace {
	tr := runtest.Read(t, drivenRun)
	tr.Labels = &prv.Labels{}
	tr.Labels.AddType(79000001, "Entry method", prv.ValueLabel{Value: 1, Label: "Main::start"},
		prv.ValueLabel{Value: 2, Label: "Work::go"})
	return tr
}

// The path of a message-driven run goes over its messages, and its blocks are entry methods.
func TestDriven(t *testing.T) {
	p := find(t, drivenTrace(t), criticalpath.Options{})
	var got []string
	for _, s := range p.Segments {
		got = append(got, fmt.Sprint(s.Thread+1, " ", s.Begin, "..", s.End, " ", criticalpath.Kinds[s.Kind].Key))
	}
	if want := []string{"1 0..30 computation", "2 30..50 transfer", "2 50..60 scheduling",
		"2 60..100 computation"}; !slices.Equal(got, want) {
		t.Errorf("%v, not %v", got, want)
	}
	got = nil
	for _, b := range p.Summary(nil).Blocks {
		got = append(got, fmt.Sprint(b.Name, " ", b.Time))
	}
	// 20 us on the way and 10 of scheduling are in no entry.
	if want := []string{"Work::go 40", "Main::start 30", criticalpath.OutsideName + " 30"}; !slices.Equal(got, want) {
		t.Errorf("%v, not %v", got, want)
	}
}

// Labels tell a prediction from a measurement: states have the numbers of whoever wrote the trace.
func TestPrediction(t *testing.T) {
	tr := drivenTrace(t)
	if find(t, tr, criticalpath.Options{}).Simulated {
		t.Error("a message-driven run is taken for a prediction")
	}
	tr.Labels.AddType(extrae.Predicted, extrae.PredictedLabel)
	if !find(t, tr, criticalpath.Options{}).Simulated {
		t.Error("a predicted message-driven run is taken for a measurement")
	}
	// Sent while state 1 holds: a tracer that has no states of calls.
	calls := runtest.Read(t, `#Paraver (01/01/26 at 00:00):100:2(1,1):1:2(1:1,1:2)
1:1:1:1:1:0:100:1
1:2:1:2:1:0:60:3
3:1:1:1:1:30:30:2:1:2:1:50:60:8:1
1:2:1:2:1:60:100:1
`)
	calls.Labels = &prv.Labels{}
	calls.Labels.AddState(1, "Running")
	if find(t, calls, criticalpath.Options{}).Simulated {
		t.Error("a trace of a tracer without states of calls is taken for a prediction")
	}
	calls.Labels.AddState(26, "Startup latency")
	if !find(t, calls, criticalpath.Options{}).Simulated {
		t.Error("a trace with the labels of a simulator is taken for a measurement")
	}
}
