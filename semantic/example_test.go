package semantic_test

import (
	"context"
	"fmt"
	"log"
	"strings"

	"pview/filter"
	"pview/prv"
	"pview/semantic"
)

// run is a trace of two tasks: the first computes, waits for a message, and calls function 7
// within function 3; the second computes all the time.
const run = `#Paraver (01/01/2026 at 00:00):100_ns:1(2):1:2(1:1,1:1)
1:1:1:1:1:0:40:1
1:1:1:1:1:40:60:3
1:1:1:1:1:60:100:1
1:2:1:2:1:0:100:1
2:1:1:1:1:10:60000019:3
2:1:1:1:1:20:60000019:7
2:1:1:1:1:30:60000019:0
2:1:1:1:1:40:60000019:0
`

func read() *prv.Trace {
	t, err := prv.Read(context.Background(), strings.NewReader(run), prv.Options{})
	if err != nil {
		log.Fatal(err)
	}
	return t
}

// print writes the bursts of all rows of a window.
func print(t *prv.Trace, w *semantic.Window) {
	e, err := semantic.Compile(t, w)
	if err != nil {
		log.Fatal(err)
	}
	for row := range e.Rows() {
		s, err := e.Series(context.Background(), row)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Print(t.Name(w.Level, row), ":")
		for i := range s.Len() {
			begin, end, v := s.Burst(i)
			fmt.Printf(" [%d,%d)=%g", begin, end, v)
		}
		fmt.Println()
	}
}

// How many threads compute at a time: 1 for each that is in state 1, added up over the
// levels to the workload.
func ExampleCompile() {
	w := semantic.ThreadWindow("Useful")
	w.Level = prv.LevelWorkload
	print(read(), &w)
	// Output:
	// WORKLOAD: [0,40)=2 [40,60)=1 [60,100)=2
}

// Which function a thread is in: the value on top of the stack of enter and leave events.
func ExampleThreadWindow() {
	w := semantic.ThreadWindow("Last Evt Val")
	w.Filter = filter.Only(60000019)
	w.Compose[prv.LevelThread].Name = "Stacked Val"
	print(read(), &w)
	// Output:
	// THREAD 1.1.1: [0,10)=0 [10,20)=3 [20,30)=7 [30,40)=3 [40,100)=0
	// THREAD 1.2.1: [0,100)=0
}

// A derived window combines two: the functions, where the thread computes.
func ExampleDerived() {
	calls := semantic.ThreadWindow("Last Evt Val")
	calls.Filter = filter.Only(60000019)
	useful := semantic.ThreadWindow("Useful")
	w := semantic.DefaultWindow()
	w.Derived = &semantic.Derived{
		Op: semantic.Call{Name: "product"},
		A:  semantic.Parent{Window: &calls, Factor: 1},
		B:  semantic.Parent{Window: &useful, Factor: 1},
	}
	print(read(), &w)
	// Output:
	// THREAD 1.1.1: [0,10)=0 [10,20)=3 [20,30)=7 [30,40)=0 [40,60)=0 [60,100)=0
	// THREAD 1.2.1: [0,100)=0
}
