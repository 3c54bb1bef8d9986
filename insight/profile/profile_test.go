package profile_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pview/insight/profile"
	"pview/prv"
	"pview/prv/extrae/execution"
	"pview/semantic/ready"
	"pview/semantic/series"
)

// run is message-driven, recorded from 100 to 200 us. On thread 1 A (entry 1) runs in 100..140 and 150..160: B (2),
// which it calls, in between; A sends one message, B one, when it ends. On thread 2 A runs in 160..180, and once more
// without time at 190, and sends one.
const run = `#Paraver (01/01/26 at 00:00):200_us:1(2):1:1(2:1)
1:1:1:1:1:0:100:2
1:2:1:1:2:0:100:2
2:1:1:1:1:100:79000001:1:79000002:0
1:1:1:1:1:100:160:1
1:2:1:1:2:100:160:0
2:1:1:1:1:120:79000004:1:79000005:1
2:1:1:1:1:140:79000001:0
2:1:1:1:1:140:79000001:2:79000002:0
2:1:1:1:1:150:79000001:0
2:1:1:1:1:150:79000004:2:79000005:1
2:1:1:1:1:150:79000001:1
2:1:1:1:1:160:79000001:0
1:1:1:1:1:160:200:0
2:2:1:1:2:160:79000001:1:79000002:1:79000003:1
1:2:1:1:2:160:180:1
2:2:1:1:2:170:79000004:1:79000005:2
2:2:1:1:2:180:79000001:0
1:2:1:1:2:180:200:0
2:2:1:1:2:190:79000001:1:79000002:2:79000003:1
2:2:1:1:2:190:79000001:0
`

func TestEntryMethods(t *testing.T) {
	tr, err := prv.Read(context.Background(), strings.NewReader(run), prv.Options{Strict: true})
	if err != nil {
		t.Fatal(err)
	}
	tr.Labels = &prv.Labels{}
	tr.Labels.AddType(79000001, "Entry method", prv.ValueLabel{Value: 1, Label: "A"},
		prv.ValueLabel{Value: 2, Label: "B"})
	facts, err := ready.Observe(context.Background(), tr)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		begin, end int64
		useful     float64
		want       []string
	}{
		// Of 2 x 100 us: A 40 + 10 + 20, B 10. A is executed once on thread 1, twice on thread 2.
		{0, 200, 0.4, []string{"A 70 35.0 % 3 executions 2 messages", "B 10 5.0 % 1 executions 1 messages"}},
		// Only the second part of the first execution of A.
		{150, 160, 0.5, []string{"A 10 50.0 % 1 executions 0 messages"}},
	} {
		p, err := profile.Measure(context.Background(), facts, series.NewCache(1<<20), c.begin, c.end, []int32{0, 1})
		if err != nil {
			t.Fatal(err)
		}
		if p.Useful != c.useful {
			t.Errorf("%d..%d: %v useful, want %v", c.begin, c.end, p.Useful, c.useful)
		}
		var got []string
		for _, s := range p.Sections {
			for _, e := range s.List {
				if s.Title == profile.EntryMethods {
					got = append(got, fmt.Sprintf("%s %s %.1f %% %d executions %d messages", e.Name, e.Time,
						100*e.Share, e.Executions, e.Messages))
				}
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%d..%d: %q, want %q", c.begin, c.end, got, c.want)
		}
	}
}

// A summary has sums by entry method at its end, and no messages.
func TestSummary(t *testing.T) {
	tr, err := prv.Read(
		context.Background(),
		strings.NewReader(`#Paraver (01/01/26 at 00:00):1000_us:2(1,1):1:2(1:1,1:2)
1:1:1:1:1:0:500:1
1:2:1:2:1:0:100:1
2:1:1:1:1:1000:79000303:2:79000304:400:79000305:4
2:2:1:2:1:1000:79000303:2:79000304:100:79000305:1
`),
		prv.Options{Strict: true},
	)
	if err != nil {
		t.Fatal(err)
	}
	tr.Labels = &prv.Labels{}
	tr.Labels.AddType(execution.SummedEntry, "Entry method, in sum", prv.ValueLabel{Value: 2, Label: "Main::go"})
	facts, err := ready.Observe(context.Background(), tr)
	if err != nil {
		t.Fatal(err)
	}
	for end, want := range map[int64]string{1000: "Main::go 500 us 25 % 5 -1", 900: ""} { // 500 of 2 x 1000 us
		p, err := profile.Measure(context.Background(), facts, series.NewCache(1<<20), 0, end, []int32{0, 1})
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for _, s := range p.Sections {
			if s.Title == profile.EntryMethods {
				e := s.List[0]
				got = fmt.Sprintf("%s %s us %g %% %d %d", e.Name, e.Time, 100*e.Share, e.Executions, e.Messages)
			}
		}
		if got != want {
			t.Errorf("up to %d: %q, want %q", end, got, want)
		}
	}
}
