package gpu

import (
	"encoding/json"
	"strings"
	"testing"

	"pview/prv"
	"pview/prv/extrae/device"
	"pview/prv/prvtest"
	"pview/render/document"
)

// threeRanks is an analysis of three ranks in us, in which all figures differ.
func threeRanks() (*prv.Trace, *Analysis) {
	h := prv.Header{Unit: prv.Microseconds}
	h.AddPtask()
	for range 3 {
		h.AddTask(1, -1)
	}
	trace := &prv.Trace{Path: "three.prv", Resources: h.Resources, Names: &prv.Names{}, Labels: &prv.Labels{}}
	trace.Unit = prv.Microseconds
	step := func(task int32, number, begin, end int64) Step {
		return Step{Task: task, Step: device.Step{Number: number, Begin: begin, End: end}}
	}
	return trace, &Analysis{Charged: []int64{0, 900, 300}, Alone: 2, Begin: 100, Elapsed: 2000,
		Devices: []Device{{Kind: "CUDA", Number: 3, Begin: 100, End: 1100, Busy: 900, Compute: 700, Comm: 200,
			Memory: 90, ExposedComm: 150, ExposedMemory: 50, Overlap: 50, Operations: 12}},
		Streams: []Stream{{Stream: device.Stream{Kind: "CUDA", Device: 3, Number: 7}, Operations: 10, Busy: 850,
			HostWait: 21, KernelWait: 22, Other: 23, Launched: 8, Delay: 160, LongestDelay: 90, Early: 1,
			LongestQueue: 4}},
		Collectives: []Collective{
			// 30 MB of 3 ranks in 200 us: 4/3 of it by each link.
			{Group: 1, Turn: 4, Operation: device.AllReduce, Members: 3, Size: 3, Bytes: 30_000_000, Begin: 200,
				Last: 500, Late: 1, Time: 1500, Wait: 900, Transfer: 200},
			{Group: 1, Turn: 5, Operation: device.AllReduce, Members: 2, Size: 3, Bytes: 10, Begin: 800, Last: 1100,
				Late: 2, Time: 700, Wait: 300, Transfer: 100},
		},
		// Step 1 takes 10, 40 and 20, step 2 the same on two ranks, and step 3 is known of one.
		Steps: []Step{step(0, 1, 100, 110), step(1, 1, 0, 40), step(2, 1, 5, 25), step(0, 2, 50, 80),
			step(1, 2, 60, 90), step(2, 3, 100, 107)}}
}

// All that an analysis prints. Programs have ns.
func TestThreeRanks(t *testing.T) {
	trace, a := threeRanks()
	text := document.Text(a.Document(trace), nil)
	var rows strings.Builder
	if err := document.WriteTable(&rows, a.rows(trace), "csv"); err != nil {
		t.Fatal(err)
	}
	object, err := json.MarshalIndent(a.object(trace), "", " ")
	if err != nil {
		t.Fatal(err)
	}
	prvtest.SameFile(t, "testdata/three_ranks.txt", text+"\n"+rows.String()+"\n"+prvtest.Rounded(string(object))+"\n")
}

// Sections appear if they have contents, and notes if there is something to note.
func TestNothingToSay(t *testing.T) {
	trace, a := threeRanks()
	has := func(text string) bool { return strings.Contains(document.Text(a.Document(trace), nil), text) }
	for _, c := range []struct {
		text   string
		change func()
	}{
		{"Steps by rank", func() { a.Steps = nil }},
		{"2 operations without a launch call", func() { a.Streams[0].Launched = 10 }},
		{"waits are lower bounds", func() { a.Collectives[1].Members = 3 }},
		{"is waiting for the last rank to begin", func() { a.Collectives[0].Wait, a.Collectives[1].Wait = 0, 0 }},
		{"Of 2 collectives only one member is recorded", func() { a.Alone = 0 }},
		{"Collectives: waiting", func() { a.Collectives = nil }},
	} {
		if !has(c.text) {
			t.Errorf("%q is missing", c.text)
		}
		if c.change(); has(c.text) {
			t.Errorf("%q is there", c.text)
		}
	}
	if d := a.Reply(trace); d.Title != "three.prv" || len(d.Sections) == 0 {
		t.Errorf("a reply without questions: %+v", d)
	}
	a.Answer = &Answer{}
	if d := a.Reply(trace); d.Title != "" {
		t.Errorf("a reply to questions: %+v", d)
	}
	if got := a.Matched(); got != "collectives" {
		t.Error(got)
	}
	a.Collectives = []Collective{{Operation: device.Send, Wait: 1, Time: 2}}
	if got := a.Matched(); got != "communication" || !has("in 1 matched operation is waiting") {
		t.Error(got)
	}
}
