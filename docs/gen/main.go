// Gen writes the generated pages of docs/: the reference of commands, functions and
// keys, from the tables of the program. Run it with "go generate".
package main

import (
	"fmt"
	"os"
	"path/filepath"

	"pview/cli"
)

func main() {
	for name, text := range cli.Reference() {
		if err := os.WriteFile(filepath.Join("docs", name), []byte(text), 0o644); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
}
