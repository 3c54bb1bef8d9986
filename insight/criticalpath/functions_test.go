package criticalpath

import (
	"context"
	"fmt"
	"testing"

	"pview/insight/runtest"
	"pview/prv"
)

// Threads are 1 where the path is on them: from 0 to 5 on the first, and so on; it ends where the run does.
func TestStepsOfPath(t *testing.T) {
	for _, c := range []struct {
		tr   *prv.Trace
		want string
	}{
		{runtest.DrivenChain(t), "[0 5] [1 0] [0 5 25] [0 1 0] [0 25] [0 1] "},
		{runtest.Driven(t), "[0 6] [1 0] [0] [0] [0 6] [0 1] "},
	} {
		steps, err := findSteps(context.Background(), c.tr)
		if err != nil {
			t.Fatal(err)
		}
		text := ""
		for _, s := range *steps {
			text += fmt.Sprint(s.Begin, s.Value, " ")
		}
		if text != c.want {
			t.Errorf("%s", text)
		}
	}
}
