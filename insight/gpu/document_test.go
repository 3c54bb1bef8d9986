package gpu

import (
	"slices"
	"testing"

	"pview/insight/report"
	"pview/prv"
	"pview/prv/extrae/device"
)

// The rows of devices and streams: shares are of the span of 200, delays per launched operation; undefined ratios are
// omitted.
func TestDocumentOfDevices(t *testing.T) {
	h := prv.Header{}
	h.AddPtask()
	h.AddTask(2, -1)
	trace := &prv.Trace{Resources: h.Resources, Names: &prv.Names{}}
	a := &Analysis{Charged: []int64{0},
		Devices: []Device{
			{Kind: "CUDA", Number: 1, Begin: 100, End: 300, Busy: 150, Compute: 100, Comm: 40, Overlap: 10,
				ExposedComm: 30, ExposedMemory: 20},
			{Kind: "CUDA", Number: 2, Begin: 100, End: 300, Busy: 150, Compute: 150},
		},
		Streams: []Stream{
			{Stream: device.Stream{Kind: "CUDA", Device: 1, Number: 7}, Operations: 10, Busy: 150, HostWait: 1,
				KernelWait: 2, Other: 3, Launched: 8, Delay: 160, LongestDelay: 90, LongestQueue: 4},
			{Stream: device.Stream{Kind: "CUDA", Device: 1, Number: 8}, Operations: 5, Busy: 9},
		}}
	got := map[string][][]any{}
	for _, s := range a.Document(trace).Sections {
		for _, b := range s.Blocks {
			if table, ok := b.(*report.Table); ok && len(table.Columns) > 0 {
				got[table.Columns[0].Title] = table.Rows
			}
		}
	}
	for title, want := range map[string][][]any{
		"Device": {
			{"TASK 1.1 CUDA-D1", int64(200), 0.5, 0.15, 0.1, 0.25, 0.25},
			{"TASK 1.1 CUDA-D2", int64(200), 0.75, 0.0, 0.0, 0.25, nil}, // no communication to overlap
		},
		"Stream": {
			{"TASK 1.1 CUDA-D1.S7", int64(10), int64(150), int64(1), int64(2), int64(3), int64(2), int64(20), int64(90),
				int64(4)},
			{"TASK 1.1 CUDA-D1.S8", int64(5), int64(9), int64(0), int64(0), int64(0), int64(5), nil, nil, int64(0)},
		},
	} {
		if !slices.EqualFunc(got[title], want, slices.Equal[[]any]) {
			t.Errorf("%s: %v, want %v", title, got[title], want)
		}
	}
}
