package device

import (
	"context"
	"slices"
	"strings"
	"testing"

	"pview/prv"
)

// Annotations that are named as steps mark them where no events do; others between them do not.
func TestStepsOf(t *testing.T) {
	text := "#Paraver (01/01/26 at 00:00):100_ns:1(1):1:1(1:1)\n" + strings.Join([]string{"2:1:1:1:1:5:9600:1",
		"2:1:1:1:1:10:9600:2", "2:1:1:1:1:20:9600:0", "2:1:1:1:1:30:9600:0", "2:1:1:1:1:40:9600:3"}, "\n") + "\n"
	tr, err := prv.Read(context.Background(), strings.NewReader(text), prv.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for labels, want := range map[string][]Step{
		"1 step 7\n2 forward\n3 Step_8\n":          {{7, 5, 30}, {8, 40, 100}},
		"1 epoch\n2 iteration 12\n3 step size 3\n": {{12, 10, 20}},
		"1 epoch\n2 forward\n3 backward\n":         nil,
	} {
		pcf := "EVENT_TYPE\n0 9702 Iteration\n\nEVENT_TYPE\n0 9600 NVTX\nVALUES\n0 End\n" + labels
		if tr.Labels, _, err = prv.ParseLabels("x.pcf", strings.NewReader(pcf)); err != nil {
			t.Fatal(err)
		}
		s := StepsOf(tr)
		if s == nil != (want == nil) {
			t.Errorf("%q: %v", labels, s)
		}
		if s != nil {
			if got := s.Of(&tr.Threads[0].Events); !slices.Equal(got, want) {
				t.Errorf("%q: %v, want %v", labels, got, want)
			}
		}
	}
}
