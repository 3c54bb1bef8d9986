package prv_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"pview/prv"
)

// Opening a trace and going through the states of each thread.
func ExampleOpen() {
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "run.prv")
	text := "#Paraver (22/11/2026 at 10:00):100_ns:1(2):1:2(1:1,1:1)\n" +
		"1:1:1:1:1:0:60:1\n" +
		"1:1:1:1:1:60:100:3\n" +
		"1:2:1:2:1:0:100:1\n" +
		"3:1:1:1:1:30:31:2:1:2:1:50:55:64:9\n"
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		log.Fatal(err)
	}

	t, err := prv.Open(context.Background(), path, prv.Options{})
	if err != nil {
		log.Fatal(err)
	}
	for i := range t.Threads {
		s := &t.Threads[i].States
		for k := range s.Len() {
			fmt.Printf("%s: %s from %d to %d %s\n", t.Name(prv.LevelThread, i), t.Labels.StateName(int64(s.Value[k])),
				s.Begin[k], s.End[k], t.Unit)
		}
	}
	fmt.Println(t.Comms.Len(), "message of", t.Comms.Size[0], "bytes")
	// Output:
	// THREAD 1.1.1: Running from 0 to 60 ns
	// THREAD 1.1.1: Waiting a message from 60 to 100 ns
	// THREAD 1.2.1: Running from 0 to 100 ns
	// 1 message of 64 bytes
}

// Building a trace record by record, and summing it up.
func ExampleBuilder() {
	var r prv.Resources
	r.AddNode(1)
	r.AddPtask()
	r.AddTask(1, 0) // one thread, on node 0
	b := prv.NewBuilder(prv.Header{Unit: prv.Microseconds, End: 100, Resources: r})
	b.State(0, 1, 0, 70, 1)
	b.State(0, 1, 70, 100, 0)
	b.Event(0, 1, 70, prv.Pair{Type: 60000019, Value: 0})
	t, err := b.Build()
	if err != nil {
		log.Fatal(err)
	}
	s, err := prv.Summarize(context.Background(), t)
	if err != nil {
		log.Fatal(err)
	}
	for _, state := range s.States {
		fmt.Println(t.Labels.StateName(int64(state.State)), state.Time, t.Unit)
	}
	// Output:
	// Idle 30 us
	// Running 70 us
}
