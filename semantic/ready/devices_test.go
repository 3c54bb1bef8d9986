package ready_test

import (
	"context"
	"testing"

	"pview/semantic"
	"pview/semantic/label"
	"pview/semantic/ready"
	"pview/semantic/series"
)

// One task with two streams: kernels from 10 to 60 on the first, communication from 40 to 90 on the second, and, while
// the kernel runs, a copy of 5 after the communication.
const streamed = `#Paraver (01/01/03 at 00:00):100:1(2):1:1(2:1)
2:1:1:1:1:10:63000006:7
2:1:1:1:1:60:63000006:0
2:2:1:1:2:40:63000007:1:9703:1
2:2:1:1:2:90:63000007:0:9703:0
2:2:1:1:2:92:63000001:1
2:2:1:1:2:97:63000001:0
`

const streamLabels = "EVENT_TYPE\n0    63000006    CUDA kernel\nVALUES\n0      End\n" +
	"7      void lib::gemm<float, (int)4>(float*, int)\n"

// Overlap is 40 to 60, exposed communication 60 to 90, and streams are busy for 50 + 50 + 5.
func TestDeviceViews(t *testing.T) {
	f := facts(t, streamed, streamLabels)
	for name, want := range map[string]float64{"Overlap": 20, "Exposed communication": 30, "Busy streams": 105,
		"Device kernel": 7 * 50, "Device collective": 50, "Device copy": 5} {
		v, err := f.Find(name)
		if err != nil {
			t.Fatal(err)
		}
		e, err := semantic.Compile(f.Trace, &v.Window)
		if err != nil {
			t.Fatal(err)
		}
		got := 0.0
		for i := range f.Trace.Count(v.Window.Level) {
			s, err := series.NewCache(1<<20).Get(context.Background(), e, v.Window.Key(), i)
			if err != nil {
				t.Fatal(err)
			}
			s.Times(0, 100, func(value float64, time int64) { got += value * float64(time) })
		}
		if got != want {
			t.Errorf("%s: %v, not %v", name, got, want)
		}
	}
	v, _ := f.Find(ready.DeviceKernel)
	labels := label.Of(&v.Window, f.Trace)
	if whole, short := labels.Name(7), labels.Shorten(labels.Name(7)); short != "gemm" || whole == short {
		t.Errorf("%q, %q", whole, short)
	}
	if plain := facts(t, run, ""); plain.Missing("Overlap") == "" || plain.Missing("Device kernel") == "" {
		t.Error("views of devices are offered without devices")
	}
}
