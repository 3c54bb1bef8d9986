package dimemas_test

import (
	"context"
	"strings"
	"testing"

	"pview/prv"
	"pview/sim/dimemas"
)

// TestOversubscribed: nodes with more ranks than CPUs are reported if the trace records the number of CPUs; threads of
// a rank do not count, nor a rank that has a counter for the length of its computation.
func TestOversubscribed(t *testing.T) {
	const body = "\n1:1:1:1:1:0:100:1\n"
	// Threads that tell CPU 1 or 2, on a node that is said to have four.
	const told = body + "2:1:1:1:1:0:40000033:1\n2:1:1:2:1:0:40000033:2\n2:1:1:3:1:0:40000033:1\n"
	for _, c := range []struct {
		header, says string
		counter      uint32
	}{
		{"1(4):1:4(1:1,1:1,1:1,1:1)" + told + "2:1:1:4:1:0:40000033:2", "node 1 ran 4 threads on 2 CPUs", 0},
		{"1(4):1:4(1:1,1:1,1:1,1:1)" + told + "2:1:1:4:1:0:40000033:3", "", 0},
		{"1(4):1:4(1:1,1:1,1:1,1:1)", "", 0},
		{"1(2):1:4(1:1,1:1,1:1,1:1)",
			"node 1 ran 4 ranks on 2 CPUs: measured computation and calls may contain waiting for a CPU", 0},
		{"1(2):1:4(1:1,1:1,1:1,1:1)", "", 42000059},
		{"1(2):1:2(4:1,4:1)", "", 0},
		{"3(2,1,1):1:6(1:1,1:1,1:2,1:2,1:3,1:3)", "node 2 ran 2 ranks on 1 CPU, as on another:", 0},
		{"3(2,1,1):1:7(1:1,1:1,1:2,1:2,1:3,1:3,1:3)",
			"node 2 ran 2 ranks on 1 CPU; 1 other node had too few CPUs as well:", 0},
		{"4(1,1,1,1):1:8(1:1,1:1,1:2,1:2,1:3,1:3,1:4,1:4)", "node 1 ran 2 ranks on 1 CPU, as on 3 others:", 0},
		{"1(2):2:2(1:1,1:1),1(1:1)", "node 1 ran 3 ranks on 2 CPUs", 0},
	} {
		tr, err := prv.Read(context.Background(),
			strings.NewReader("#Paraver (22/11/2026 at 10:00):100:"+c.header+body), prv.Options{})
		if err != nil {
			t.Fatal(err)
		}
		p, err := dimemas.FromTrace(context.Background(), tr,
			dimemas.TranslateOptions{CounterType: c.counter, CounterFactor: 1})
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(p.Remarks(), "; "); strings.Contains(got, " CPU") != (c.says != "") ||
			!strings.Contains(got, c.says) {
			t.Errorf("%s: %q, not %q", c.header, got, c.says)
		}
	}
}
