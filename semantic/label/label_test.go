package label_test

import (
	"context"
	"fmt"
	"log"
	"strings"

	"pview/prv"
	"pview/semantic"
	"pview/semantic/label"
)

// The names of a window's values.
func ExampleOf() {
	t, err := prv.Read(context.Background(), strings.NewReader("#Paraver (01/01/2026 at 00:00):100_ns:1(1):1:1(1:1)\n"+
		"1:1:1:1:1:0:100:1\n"), prv.Options{})
	if err != nil {
		log.Fatal(err)
	}
	states, durations := semantic.DefaultWindow(), semantic.ThreadWindow("State Record Dur.")
	names := label.Of(&states, t)
	fmt.Println(names.Name(1), "-", label.Of(&durations, t).Name(1500), "-", names.Name(99))
	// Output:
	// Running - 1,500 us - Unknown state 99
}
