package breakdown_test

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"pview/insight/breakdown"
	"pview/insight/eventgraph"
	"pview/insight/report"
	"pview/insight/runtest"
	"pview/prv"
	"pview/prv/extrae/execution"
	"pview/prv/prvtest"
	"pview/render/document"
)

// driven returns the graph of a message-driven run on 3 processors, with its phases.
func driven(t *testing.T) *eventgraph.Graph {
	t.Helper()
	g := runtest.Graph(t, runtest.Driven(t))
	if err := g.FindPhases(context.Background()); err != nil {
		t.Fatal(err)
	}
	return g
}

// checkRows compares the rows of a document for programs, and its columns.
func checkRows(t *testing.T, d *report.Document, columns, want string) {
	t.Helper()
	var b strings.Builder
	if err := document.Write(&b, d, "csv", nil); err != nil {
		t.Fatal(err)
	}
	head, rows, _ := strings.Cut(b.String(), "\n")
	if head != columns {
		t.Errorf("columns %s", head)
	}
	prvtest.SameText(t, rows, want)
}

// Of the longest chain, of 21, 6 are of class 1 and 15 of 2. Without time of 2 it has 6 and 5 of class 3, without its
// units 10. 15, the longest mean of class 2, by 14, and 1 execution of a processor by 2 / 3. A message takes 16: 14 by
// ten times that.
func TestClassDocument(t *testing.T) {
	g := driven(t)
	list, err := breakdown.Classes(context.Background(), g, 10)
	if err != nil {
		t.Fatal(err)
	}
	d := breakdown.ClassDocument(list, g.Waits.Level, prv.Microseconds, 2)
	checkRows(t, d, "class,runs,time_ns,share,mean_ns,min_ns,max_ns,threads,count_imbalance,grain_imbalance,grain,"+
		"path_share,zeroing_ns,slack_ns,normalised_ns,pattern", `
		value 2,2,28000,0.6511627906976745,14000,13000,15000,2,1.5,1.0714285714285714,0.0875,`+
		`0.7142857142857143,10000,11000,20000,
		value 1,1,10000,0.23255813953488372,10000,10000,10000,1,,,0.0625,0.2857142857142857,6000,6000,10000,
		value 3,1,5000,0.11627906976744186,5000,5000,5000,1,,,0.03125,0,0,0,5000,
	`)
	text := document.Text(d, nil)
	if !strings.HasPrefix(text, "code regions: none\n\nClass    N   time   share   mean") ||
		!strings.Contains(text, "value 2  2  28 us  65.1 %  14 us") || strings.Contains(text, "value 3") ||
		!strings.HasSuffix(text, "and 1 more (--top 0 shows all)\n") {
		t.Error(text)
	}
	if text := document.Text(breakdown.ClassDocument(list, g.Waits.Level, prv.Microseconds, 3), nil); strings.Contains(
		text, "more") {
		t.Error(text)
	}
}

const stageColumns = "from_ns,busy,least_busy,created,executed,grain_ns,queued,arrived"

// In stages of 25: processor 1 executes until 10, 2 from 20 to 30 and from 35 to 38, 3 from 25 to 40 and from 45 to 50.
// Messages wait from 15 to 20, 30 to 35, 22 to 25, and 40 to 45.
func TestStagesOfDrivenRun(t *testing.T) {
	g := driven(t)
	steps, err := breakdown.Stages(context.Background(), g, 25)
	if err != nil {
		t.Fatal(err)
	}
	checkRows(t, breakdown.StageDocument(steps, prv.Microseconds), stageColumns, `
		0,0.2,0,2,2,10000,0.32,2
		25000,0.37333333333333335,0,1,3,7666.666666666667,0.4,2
		50000,0,0,0,0,0,0,0
	`)
	checkAttributes(t, g, `
		Busy: 40.0 % 0 % 0 %, 20.0 % 32.0 % 0 %, 0 % 80.0 % 0 %, all 19.1 %
		Overhead: 0 % 0 % 0 %, 0 % 0 % 0 %, 0 % 0 % 0 %, all 0 %
		Idle: 60.0 % 100 % 40.0 %, 80.0 % 68.0 % 40.0 %, 100 % 20.0 % 40.0 %, all 60.9 %
		Messages created: 2 0 0, 0 0 0, 0 1 0, all 3
		Messages arrived: 0 0 0, 1 1 0, 1 1 0, all 4
		Executions: 1 0 0, 1 1 0, 0 2 0, all 5
		Mean length: 10 ns none none, 10 ns 3 ns none, none 10 ns none, all 9 ns
		Messages waiting: 0 0 0, 0.2 0.2 0, 0.12 0.2 0, all 0.24
		value 2: time: 0 % 0 % 0 %, 20.0 % 32.0 % 0 %, 0 % 60.0 % 0 %, all 12.4 %
		value 2: executions: 0 0 0, 1 1 0, 0 1 0, all 3
		value 1: time: 40.0 % 0 % 0 %, 0 % 0 % 0 %, 0 % 0 % 0 %, all 4.4 %
		value 1: executions: 1 0 0, 0 0 0, 0 0 0, all 1
		value 3: time: 0 % 0 % 0 %, 0 % 0 % 0 %, 0 % 20.0 % 0 %, all 2.2 %
		value 3: executions: 0 0 0, 0 0 0, 0 1 0, all 1
	`)
}

// In stages of 25: task 1 computes until 40 and from 50 to 70, task 2 until 20.
func TestStages(t *testing.T) {
	g := graph(t)
	steps, err := breakdown.Stages(context.Background(), g, 25)
	if err != nil {
		t.Fatal(err)
	}
	checkRows(t, breakdown.StageDocument(steps, prv.Microseconds), stageColumns, `
		0,0.9,0.8,0,2,30000,0,0
		25000,0.3,0,0,0,0,0,0
		50000,0.4,0,0,1,20000,0,0
		75000,0,0,0,0,0,0,0
	`)
	checkAttributes(t, g, `
		Busy: 100 % 60.0 % 80.0 % 0 %, 80.0 % 0 % 0 % 0 %, all 40.0 %
		Overhead: 0 % 0 % 0 % 0 %, 0 % 0 % 0 % 0 %, all 0 %
		Idle: 0 % 40.0 % 20.0 % 20.0 %, 20.0 % 100 % 100 % 20.0 %, all 40.0 %
		Messages created: 0 0 0 0, 0 0 0 0, all 0
		Messages arrived: 0 0 0 0, 0 0 0 0, all 0
		Executions: 1 0 1 0, 1 0 0 0, all 3
		Mean length: 40 ns none 20 ns none, 20 ns none none none, all 27 ns
		Messages waiting: 0 0 0 0, 0 0 0 0, all 0
		function 1: time: 100 % 60.0 % 80.0 % 0 %, 80.0 % 0 % 0 % 0 %, all 40.0 %
		function 1: executions: 1 0 1 0, 1 0 0 0, all 3
	`)
}

// checkAttributes compares the attributes of a run: of each thread in each stage of 25, and of all.
func checkAttributes(t *testing.T, g *eventgraph.Graph, want string) {
	t.Helper()
	var b strings.Builder
	for _, a := range breakdown.Attributes(g) {
		grid, err := breakdown.NewGrid(context.Background(), g, a, 25)
		if err != nil {
			t.Fatal(err)
		}
		text := func(first, last, from, to int) string {
			return grid.Text(grid.Of(first, last, from, to), prv.Nanoseconds)
		}
		fmt.Fprint(&b, a.Name, ":")
		for th := range grid.Threads {
			for k := range grid.Stages {
				fmt.Fprint(&b, " ", text(th, th+1, k, k+1))
			}
			b.WriteString(",")
		}
		fmt.Fprintln(&b, " all", text(0, grid.Threads, 0, grid.Stages))
	}
	prvtest.SameText(t, b.String(), want)
}

// A message is sent at 10 and is there at 30: for 15 of the first 25 ns, and 5 of the next, it waits.
func TestMessagesWait(t *testing.T) {
	b := runtest.Tasks(2)
	b.Comm(prv.Comm{Send: 0, Recv: 1, Times: [4]int64{10, 12, 5, 30}})
	b.State(0, 0, 0, 40, 1)
	b.State(1, 0, 0, 40, 1)
	steps, err := breakdown.Stages(context.Background(), runtest.Graph(t, runtest.Build(t, b)), 25)
	if err != nil || len(steps) != 2 {
		t.Fatal(steps, err)
	}
	if a, b := &steps[0], &steps[1]; a.Queued != 0.6 || b.Queued != 0.2 || !slices.Equal(a.Created, []int{1, 0}) ||
		!slices.Equal(b.Created, []int{0, 0}) || !slices.Equal(a.Arrived, []int{0, 0}) ||
		!slices.Equal(b.Arrived, []int{0, 1}) || a.From != 0 || a.To != 25 || b.To != 50 || b.MeanBusy() != 0.6 {
		t.Errorf("%+v", steps)
	}
}

// Mean lengths by thread, in ns of a trace in us. Processor 1, marked, has one unit of 10, 2 units of 10 and 3, 3 of 15
// and 5.
func TestByThread(t *testing.T) {
	g := driven(t)
	g.T.Unit = prv.Microseconds
	grid, err := breakdown.NewGrid(context.Background(), g, attribute(t, g, "grain"), 25)
	if err != nil {
		t.Fatal(err)
	}
	f := grid.ByThread(g.T, 0)
	l := f.Layers[0]
	if !slices.Equal(l.X, []float64{-0.5, 0.5, 1.5}) || !slices.Equal(l.X2, []float64{0.5, 1.5, 2.5}) ||
		!slices.Equal(l.Y, []float64{10_000, 6500, 10_000}) || f.Rules[0].At != 0 || f.Rules[0].Name != "1.1.1" ||
		!slices.Equal(f.X.Names, []string{"1.1.1", "1.2.1", "1.3.1"}) {
		t.Errorf("%+v %+v", l, f.Rules)
	}
	// Only the first two have executions in the first stage: missing values are not drawn.
	early := grid.OverTime(g.T.Unit, 1)
	if span := early.Layers[0]; span.Y[0] != 10_000 || span.Y2[0] != 10_000 || span.Y[1] != 3000 ||
		early.Rules[0].At != 37_500 || early.Rules[0].Name != "stage 2" || early.Layers[1].X[0] != 12_500 {
		t.Errorf("%+v %+v", early.Layers, early.Rules)
	}
}

func attribute(t *testing.T, g *eventgraph.Graph, key string) breakdown.Attribute {
	t.Helper()
	for _, a := range breakdown.Attributes(g) {
		if a.Key == key {
			return a
		}
	}
	t.Fatal(key)
	return breakdown.Attribute{}
}

func TestFormat(t *testing.T) {
	for _, c := range []struct {
		kind breakdown.ColumnKind
		v    float64
		want string
	}{
		{breakdown.Amounts, 12_000, "12,000"}, {breakdown.Times, 1.6, "2 us"}, {breakdown.Shares, 0.5, "50.0 %"},
		{breakdown.Ratios, 999.4, "999"}, {breakdown.Ratios, 1000, "1000"}, {breakdown.Ratios, 123_456, "123456"},
		{breakdown.Ratios, 0.01234, "0.0123"}, {breakdown.Times, math.NaN(), ""},
	} {
		if got := c.kind.Format(c.v, prv.Microseconds); got != c.want {
			t.Errorf("%v: %q, want %q", c, got, c.want)
		}
	}
}

// Of 101 executions, of 1 to 101 ns, the 100 longest are kept, the longest first, of equal ones the earlier first. Two
// threads of four have the class: their counts are no imbalance, as it is a role of half of them.
func TestLongest(t *testing.T) {
	b := runtest.Tasks(4)
	end := int64(0)
	for n := range int64(101) {
		takes := (n*37)%101 + 1
		runtest.Executed(b, 0, end, end+takes, 1, 0, 0, nil)
		end += takes + 1
	}
	runtest.Executed(b, 1, 0, 101, 1, 0, 0, nil)
	g := runtest.Graph(t, runtest.Build(t, b))
	if err := g.FindPhases(context.Background()); err != nil {
		t.Fatal(err)
	}
	list, err := breakdown.Classes(context.Background(), g, 1)
	if err != nil || len(list) != 1 {
		t.Fatal(list, err)
	}
	c := &list[0]
	if n := len(c.Longest); n != 100 || c.Longest[0].Cost != 101 || c.Longest[1].Cost != 101 ||
		c.Longest[0].Threads[0] != 0 || c.Longest[99].Cost != 3 {
		t.Errorf("%d executions, %+v", n, c.Longest)
	}
	if c.CountImbalance != 0 || c.Threads != 2 || c.Min != 1 || c.Max != 101 {
		t.Errorf("%+v", c)
	}
}

// The clock of a message-driven run begins before its records, from 1,030 to 1,060: the first stage of 25 is from 1,025
// on, and has an execution from 1,030 to 1,040.
func TestStagesBeginWithTheRun(t *testing.T) {
	b := runtest.Tasks(1)
	runtest.Executed(b, 0, 1030, 1040, 1, 0, 0, nil)
	runtest.Line(b, 0, 1060, runtest.Slots{execution.Entry: 0})
	g := runtest.Graph(t, runtest.Build(t, b))
	steps, err := breakdown.Stages(context.Background(), g, 25)
	if err != nil {
		t.Fatal(err)
	}
	checkRows(t, breakdown.StageDocument(steps, prv.Nanoseconds), stageColumns, `
		1025,0.4,0.4,0,1,10,0,0
		1050,0,0,0,0,0,0,0
	`)
	grid, err := breakdown.NewGrid(context.Background(), g, attribute(t, g, "busy"), 25)
	if err != nil {
		t.Fatal(err)
	}
	if f := grid.OverTime(prv.Nanoseconds, 1); f.X.Zero || f.Rules[0].At != 1062.5 {
		t.Errorf("%+v %+v", f.X, f.Rules)
	}
}
