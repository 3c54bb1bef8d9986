// Package demo carries the demonstration trace: what pview shows when it is
// started without a file. Package synth makes it (synth.Demo); after a change
// there, `go test ./prv/demo -update` writes the files anew.
package demo

import (
	"bytes"
	"context"
	_ "embed"

	"pview/prv"
)

// Name is what the trace is called where a file's name would stand.
const Name = "demo.prv"

var (
	//go:embed demo.prv.gz
	records []byte
	//go:embed demo.pcf
	labels []byte
	//go:embed demo.row
	names []byte
)

// Open reads the demonstration trace, with labels and names. Its Path is empty.
func Open(ctx context.Context) (*prv.Trace, error) {
	t, err := prv.Read(ctx, bytes.NewReader(records), prv.Options{Name: Name})
	if err != nil {
		return nil, err
	}
	if t.Labels, _, err = prv.ParseLabels("demo.pcf", bytes.NewReader(labels)); err != nil {
		return nil, err
	}
	t.Names, _, err = prv.ParseNames("demo.row", bytes.NewReader(names))
	return t, err
}
