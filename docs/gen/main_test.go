package main

import (
	"os"
	"path/filepath"
	"testing"

	"pview/cli"
)

// The generated pages say what the program says.
func TestPagesAreFresh(t *testing.T) {
	for name, want := range cli.Reference() {
		got, err := os.ReadFile(filepath.Join("..", name))
		if err != nil {
			t.Fatal(err)
		}
		if string(got) != want {
			t.Errorf("docs/%s is stale: run go generate", name)
		}
	}
}
