// Gen writes the generated pages of docs/: the reference of commands, functions and
// keys, from the tables of the program. Run it with "go generate".
package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"pview/docs/tour"
	"pview/sim/ring"
)

func main() {
	pages := reference()
	page := schedulingPage()
	for _, e := range ring.Experiments {
		section, err := experimentSection(context.Background(), e)
		stop(err)
		page += section
	}
	networks, err := networksPage(context.Background())
	stop(err)
	pages["networks.md"] = networks
	pages["tour.md"] = tour.Page()
	pages["scheduling.md"] = page + schedulingNotes
	for name, text := range pages {
		stop(os.WriteFile(filepath.Join("docs", name), []byte(wrap(text)), 0o644))
	}
}

func stop(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
