package synth_test

import (
	"context"
	"crypto/sha256"
	"fmt"
	"strings"
	"testing"

	"pview/prv"
	"pview/prv/synth"
)

// Two tasks of a ring, one iteration: they start, initialise MPI, compute, pass a message around and end. A call begins
// 80 ns after the code before it ends. Both run at 2.4 cycles per ns: in its kernel, function 4 from 3450316 to 4475824
// ns, task 2 counts 1025508 x 2.4 = 2461219 cycles.
func TestRing(t *testing.T) {
	g := generator(t, synth.Options{Pattern: "ring", Tasks: 2, Iterations: 1, Callers: 1})
	if want := `
#Paraver (21/11/2026 at 00:34):5467225_ns:1(2):1:2(1:1,1:1),3
c:1:1:2:1:2
c:1:2:1:1
c:1:3:1:2
1:1:1:1:1:0:2138169:2
1:2:1:2:1:0:2016584:2
1:2:1:2:1:2016584:2150493:1
2:2:1:2:1:2016584:40000001:1:40000033:2
1:1:1:1:1:2138169:2269764:1
2:1:1:1:1:2138169:40000001:1:40000033:1
1:2:1:2:1:2150493:3449660:15
2:2:1:2:1:2150493:50000003:31:42000050:283778:42000059:321381:70000001:1:80000001:98
1:1:1:1:1:2269764:3581979:15
2:1:1:1:1:2269764:50000003:31:42000050:316774:42000059:315828:70000001:1:80000001:98
1:2:1:2:1:3449660:3449740:1
2:2:1:2:1:3449660:50000003:0:42000050:1091300:42000059:3118000
1:2:1:2:1:3449740:3450316:15
2:2:1:2:1:3449740:50000003:19:42000050:169:42000059:192:70000001:1:80000001:86
1:2:1:2:1:3450316:4475904:1
2:2:1:2:1:3450316:50000003:0:42000050:483:42000059:1382
2:2:1:2:1:3450316:1001:1
2:2:1:2:1:3450316:60000019:4:60000119:4:42000050:0:42000059:0
1:1:1:1:1:3581979:3582059:1
2:1:1:1:1:3581979:50000003:0:42000050:1102260:42000059:3149316
1:1:1:1:1:3582059:3582307:15
2:1:1:1:1:3582059:50000003:19:42000050:192:42000059:192:70000001:1:80000001:86
1:1:1:1:1:3582307:4601527:1
2:1:1:1:1:3582307:50000003:0:42000050:208:42000059:595
2:1:1:1:1:3582307:1001:1
2:1:1:1:1:3582307:60000019:4:60000119:4:42000050:0:42000059:0
2:2:1:2:1:4475824:60000019:0:60000119:0:42000050:4481879:42000059:2461219
1:2:1:2:1:4475904:4603137:16
2:2:1:2:1:4475904:50000001:41:42000050:192:42000059:192:70000001:1:80000001:108
3:2:1:2:1:4475904:4475904:1:1:1:1:4601527:4603446:8192:7
2:1:1:1:1:4601447:60000019:0:60000119:0:42000050:4500522:42000059:2445936
1:1:1:1:1:4601527:4603446:16
2:1:1:1:1:4601527:50000001:41:42000050:192:42000059:192:70000001:1:80000001:108
3:1:1:1:1:4601527:4601527:2:1:2:1:4475904:4603137:8192:7
1:2:1:2:1:4603137:4603217:1
2:2:1:2:1:4603137:50000001:0:42000050:106875:42000059:305358
1:2:1:2:1:4603217:5213128:15
2:2:1:2:1:4603217:50000003:32:42000050:192:42000059:192:70000001:1:80000001:99
1:1:1:1:1:4603446:4603526:1
2:1:1:1:1:4603446:50000001:0:42000050:1611:42000059:4605
1:1:1:1:1:4603526:5179322:15
2:1:1:1:1:4603526:50000003:32:42000050:192:42000059:192:70000001:1:80000001:99
1:1:1:1:1:5179322:5467225:1
2:1:1:1:1:5179322:50000003:0:42000050:483668:42000059:1381910
1:2:1:2:1:5213128:5421676:1
2:2:1:2:1:5213128:50000003:0:42000050:512325:42000059:1463786
2:2:1:2:1:5421676:40000001:0
1:2:1:2:1:5421676:5467225:0
2:1:1:1:1:5467225:40000001:0
`; string(text(t, g)) != strings.TrimPrefix(want, "\n") {
		t.Errorf("trace: got\n%s\nwant%s", text(t, g), want)
	}
}

// The same options and seed give the same trace on every machine and in every version: benchmarks and tests compare
// measurements on it. If a digest changes, so have the traces.
func TestTracesStayTheSame(t *testing.T) {
	for _, c := range []struct {
		opt  synth.Options
		want string // digest of trace and labels
	}{
		{synth.Options{Pattern: "stencil", Tasks: 6, Nodes: 2, Iterations: 6, Callers: 3, Imbalance: 20},
			"4f6ffe453e99"},
		{synth.Options{Pattern: "stencil", Tasks: 2, Threads: 3, Iterations: 2, Message: 100_000, Seed: 3},
			"783a4322dff4"},
		{synth.Options{Pattern: "ring", Tasks: 3, Iterations: 11, NoCounters: true}, "08f0c5307ece"},
		{synth.Options{Pattern: "collective", Tasks: 5, Nodes: 2, Iterations: 3}, "bc4496fe5a87"},
		{synth.Options{Pattern: "master-worker", Tasks: 4, Iterations: 4, Callers: 2}, "17dc578f969b"},
		{synth.Options{Pattern: "master-worker", Tasks: 1, Iterations: 2}, "20c7f63ca93b"},
		{synth.Options{Pattern: "pipeline", Tasks: 4, Nodes: 4, Iterations: 9}, "d2c8bff210d9"},
		{synth.Options{Pattern: "demo", Tasks: 8, Nodes: 2, Callers: 3}, "cbc324537f2e"},
	} {
		g := generator(t, c.opt)
		var labels strings.Builder
		if err := prv.WriteLabels(&labels, g.Labels()); err != nil {
			t.Fatal(err)
		}
		sum := sha256.New()
		sum.Write(text(t, g))
		fmt.Fprint(sum, labels.String(), g.Names().Levels)
		if got := fmt.Sprintf("%x", sum.Sum(nil))[:12]; got != c.want {
			t.Errorf("%+v: digest %s, want %s", c.opt, got, c.want)
		}
	}
}

// A trace comes close to the requested size, which sets the number of its iterations.
func TestSizesOfTraces(t *testing.T) {
	for _, size := range []int{300_000, 1 << 20} {
		n := len(text(t, generator(t, synth.Options{Tasks: 4, Bytes: int64(size)})))
		if n < size*9/10 || n > size*11/10 {
			t.Errorf("%d bytes, want about %d", n, size)
		}
	}
	if n := len(text(t, generator(t, synth.Options{Bytes: 1}))); n < 1000 { // at least one iteration
		t.Errorf("%d bytes", n)
	}
}

// Options at their limits.
func TestOptions(t *testing.T) {
	for _, c := range []struct {
		opt  synth.Options
		want string // "": accepted
	}{
		{synth.Options{}, ""},
		{synth.Options{Pattern: "none"}, `synth: no pattern "none"`},
		{synth.Options{Tasks: -1}, "synth: cannot make -1 tasks of 1 threads on 1 nodes"},
		{synth.Options{Tasks: 2, Nodes: 3}, "synth: cannot make 2 tasks of 1 threads on 3 nodes"},
		{synth.Options{Tasks: 2, Nodes: 2, Iterations: 1}, ""},
		{synth.Options{Tasks: 1<<20 + 1}, "synth: cannot make 1048577 tasks of 1 threads on 1 nodes"},
		{synth.Options{Tasks: 2, Threads: 1<<19 + 1}, "synth: cannot make 2 tasks of 524289 threads on 1 nodes"},
		{synth.Options{Compute: 999}, "synth: option out of range"},
		{synth.Options{Compute: 1000, Iterations: 1}, ""},
		{synth.Options{Message: -1}, "synth: option out of range"},
		{synth.Options{Imbalance: -1}, "synth: option out of range"},
		{synth.Options{Iterations: -1}, "synth: option out of range"},
		{synth.Options{Bytes: -1}, "synth: option out of range"},
		{synth.Options{Callers: -1}, "synth: option out of range"},
		{synth.Options{Callers: 4}, "synth: option out of range"},
		{synth.Options{Callers: 3, Iterations: 1}, ""},
	} {
		_, err := synth.New(c.opt)
		if got := fmt.Sprint(err); err == nil && c.want != "" || err != nil && got != c.want {
			t.Errorf("%+v: %v, want %s", c.opt, err, c.want)
		}
	}
}

// Generation stops when the context ends.
func TestRunStops(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	g := generator(t, synth.Options{})
	cancel()
	if _, err := g.Trace(ctx); err != context.Canceled {
		t.Errorf("%v", err)
	}
}
