// Package demo has the demonstration trace, shown when pview is started without
// a file. Package synth makes it (synth.Demo); after a change there, `go test
// ./prv/demo -update` rewrites the files.
package demo

import (
	"bytes"
	"context"
	_ "embed"

	"pview/prv"
)

// Name is the name of the trace in place of a file name.
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
