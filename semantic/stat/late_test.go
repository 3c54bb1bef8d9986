package stat

import (
	"context"
	"strings"
	"testing"

	"pview/prv"
	"pview/semantic"
)

// Thread 1 waits in its receives 30..70 and 80..95; thread 2 sends at 50 and at 90. Thread 1 sends at 10 and is in that
// call until 25; thread 2 receives from 20 on.
const lateRun = `#Paraver (01/01/03 at 00:00):100:1(2):1:2(1:1,1:1)
1:1:1:1:1:0:10:1
1:2:1:2:1:0:20:1
1:1:1:1:1:10:25:4
3:1:1:1:1:10:25:2:1:2:1:20:26:800:1
1:2:1:2:1:20:26:3
1:1:1:1:1:25:30:1
1:2:1:2:1:26:50:1
1:1:1:1:1:30:70:3
3:2:1:2:1:50:60:1:1:1:1:30:70:1000:5
1:2:1:2:1:50:60:4
1:2:1:2:1:60:90:1
1:1:1:1:1:70:80:1
1:1:1:1:1:80:95:3
3:2:1:2:1:90:92:1:1:1:1:80:95:1000:5
1:2:1:2:1:90:92:4
1:2:1:2:1:92:100:1
1:1:1:1:1:95:100:1
`

func TestLateStatistics(t *testing.T) {
	tr, err := prv.Read(context.Background(), strings.NewReader(lateRun), prv.Options{})
	if err != nil {
		t.Fatal(err)
	}
	w := semantic.DefaultWindow()
	for _, c := range []struct {
		statistic string
		row, col  int
		want      float64
	}{
		{"Late sends", 1, 0, 30},    // thread 2 makes thread 1 wait from 30 to 50 and from 80 to 90
		{"Late sends", 0, 1, 0},     // its message left before the receive
		{"Late receives", 1, 0, 10}, // thread 2 posts its receive at 20, thread 1 sent at 10
		{"Late receives", 0, 1, 0},
	} {
		table, err := Compute(context.Background(), tr, Histogram{Control: &w, Statistic: c.statistic}, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got, _ := table.Cell(0, c.row, c.col); got != c.want {
			t.Errorf("%s of row %d by column %d: %g, want %g", c.statistic, c.row+1, c.col+1, got, c.want)
		}
	}
}
