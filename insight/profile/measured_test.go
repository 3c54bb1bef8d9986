package profile_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"pview/insight/profile"
	"pview/insight/runtest"
	"pview/prv"
	"pview/semantic/ready"
	"pview/semantic/series"
)

// measured has two tasks until 1000 us. The first computes for 600 us, with 1 200 000 instructions in 600 000 cycles,
// and then waits in MPI_Barrier. The second, which has no states, computes from 200 to 500 and from 900 to 1000.
const measured = `#Paraver (01/01/26 at 00:00):1000_us:2(1,1):1:2(1:1,1:2)
1:1:1:1:1:0:600:1
2:1:1:1:1:0:42000050:0:42000059:0
2:1:1:1:1:600:42000050:1200000:42000059:600000
2:1:1:1:1:600:50000002:8
1:1:1:1:1:600:1000:9
2:1:1:1:1:1000:50000002:0
2:2:1:2:1:200:1:1
2:2:1:2:1:500:50000002:8
2:2:1:2:1:900:50000002:0
2:2:1:2:1:1000:1:0
`

const measuredLabels = `STATES
1    Running
9    Group Communication

EVENT_TYPE
9   50000002    MPI Collective Comm
VALUES
8   MPI_Barrier
0   Outside MPI

EVENT_TYPE
7   42000050    PAPI_TOT_INS [Instr completed]
7   42000059    PAPI_TOT_CYC [Total cycles]
`

// Sections and figures of the run, of parts of it, and of a time after it.
func TestMeasured(t *testing.T) {
	tr := runtest.Read(t, measured)
	var err error
	if tr.Labels, _, err = prv.ParseLabels("x.pcf", strings.NewReader(measuredLabels)); err != nil {
		t.Fatal(err)
	}
	facts, err := ready.Observe(context.Background(), tr)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		begin, end int64
		want       string
	}{
		// Of 2 x 1000 us, 600 + 400 are useful; 1 200 000 instructions in these.
		{-10, 2000, "0..1000 useful 0.5 IPC 2 MIPS 1200\nMPI calls, MPI_Barrier 800 0.4\n" +
			"Ranks, useful, THREAD 1.1.1 600 0.6, THREAD 1.2.1 400 0.4\n"},
		// Half of the instructions, in 300 + 200 us.
		{300, 800, "300..800 useful 0.5 IPC 2 MIPS 1200\nMPI calls, MPI_Barrier 500 0.5\n" +
			"Ranks, useful, THREAD 1.1.1 300 0.6, THREAD 1.2.1 200 0.4\n"},
		{600, 800, "600..800 useful 0 IPC 0 MIPS 0\nMPI calls, MPI_Barrier 400 1\n" +
			"Ranks, useful, THREAD 1.1.1 0 0, THREAD 1.2.1 0 0\n"},
		{1000, 1200, "1000..1200 useful 0 IPC 0 MIPS 0\n" + // after the run
			"Ranks, useful, THREAD 1.1.1 0 0, THREAD 1.2.1 0 0\n"},
	} {
		p, err := profile.Measure(context.Background(), facts, series.NewCache(1<<20), c.begin, c.end, []int32{0, 1})
		if err != nil {
			t.Fatal(err)
		}
		got := fmt.Sprintf("%d..%d useful %g IPC %g MIPS %g\n", p.Begin, p.End, p.Useful, p.IPC, p.Rate)
		for _, s := range p.Sections {
			if s.Title == "States" {
				continue // thread 2 has none
			}
			got += s.Title
			for _, e := range s.List {
				got += fmt.Sprintf(", %s %s %g", e.Name, e.Time, e.Share)
			}
			got += "\n"
		}
		if got != c.want {
			t.Errorf("%swant\n%s", got, c.want)
		}
	}
}
