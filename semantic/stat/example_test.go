package stat_test

import (
	"context"
	"fmt"
	"log"
	"strings"

	"pview/prv"
	"pview/semantic"
	"pview/semantic/stat"
)

// run is a trace of two tasks: the first computes, waits, and computes; the second computes
// and sends the first 64 bytes.
const run = `#Paraver (01/01/2026 at 00:00):100_ns:1(2):1:2(1:1,1:1)
1:1:1:1:1:0:40:1
1:1:1:1:1:40:60:3
1:1:1:1:1:60:100:1
1:2:1:2:1:0:100:1
3:2:1:2:1:45:50:1:1:1:1:41:60:64:0
`

func read() *prv.Trace {
	t, err := prv.Read(context.Background(), strings.NewReader(run), prv.Options{})
	if err != nil {
		log.Fatal(err)
	}
	return t
}

// The time of each thread in each state.
func ExampleCompute() {
	states := semantic.DefaultWindow()
	states.Unit = semantic.Nanoseconds
	table, err := stat.Compute(context.Background(), read(), stat.Histogram{
		Control: &states, Statistic: "Time", Columns: stat.Scale{Max: 3, Delta: 1}, HideEmpty: true,
	}, stat.Options{})
	if err != nil {
		log.Fatal(err)
	}
	for e := range table.Entries(0) {
		if e.Row == "StDev" || e.Row == "Avg/Max" {
			continue
		}
		fmt.Printf("%-14s%-20s%g\n", e.Row, e.Column, e.Value)
	}
	// Output:
	// THREAD 1.1.1  Running             80
	// THREAD 1.1.1  Waiting a message   20
	// THREAD 1.2.1  Running             100
	// THREAD 1.2.1  Waiting a message   0
	// Total         Running             180
	// Total         Waiting a message   20
	// Average       Running             90
	// Average       Waiting a message   20
	// Maximum       Running             100
	// Maximum       Waiting a message   20
	// Minimum       Running             80
	// Minimum       Waiting a message   20
}

// Who sends how much to whom. The table keeps the sums for other statistics of messages.
func ExampleTable_With() {
	states := semantic.DefaultWindow()
	sent, err := stat.Compute(context.Background(), read(), stat.Histogram{Control: &states, Statistic: "Bytes sent"},
		stat.Options{})
	if err != nil {
		log.Fatal(err)
	}
	received, err := sent.With("Bytes received")
	if err != nil {
		log.Fatal(err)
	}
	to, _ := sent.Cell(0, 1, 0)
	from, _ := received.Cell(0, 0, 1)
	fmt.Println(sent.Rows[1].Name, "sends", to, "bytes to", sent.Columns[0].Name, "which receives", from)
	// Output:
	// THREAD 1.2.1 sends 64 bytes to THREAD 1.1.1 which receives 64
}

// The figures of the thesis' analyzer.
func ExampleAnalyze() {
	useful := semantic.ThreadWindow("Useful")
	a, err := stat.Analyze(context.Background(), read(), stat.Query{Window: &useful}, stat.Options{})
	if err != nil {
		log.Fatal(err)
	}
	f, _ := stat.LookupFunction("Average Semantic Value")
	for i, row := range a.Rows {
		v, _ := a.Value(i, f)
		fmt.Println(row.Name, v)
	}
	// Output:
	// THREAD 1.1.1 0.8
	// THREAD 1.2.1 1
}
