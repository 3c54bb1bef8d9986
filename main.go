// Pview shows what a parallel program did, puts numbers on it, and predicts how it would run on another machine.
package main

import (
	"os"

	"pview/cli"
)

//go:generate go run ./docs/gen

func main() { os.Exit(cli.Main()) }
