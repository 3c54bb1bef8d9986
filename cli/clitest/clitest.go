// Package clitest runs pview's command line in the tests of the commands.
package clitest

import (
	"bytes"
	"context"
	"encoding/base64"
	"regexp"
	"testing"

	"pview/cli"
	"pview/cli/command"
)

// Files of testdata, from the directory of a package of commands.
const (
	Heat   = "../../testdata/traces/heat2d_8/heat2d_8.prv.gz"
	Kit    = "../../testdata/oracle/paraver" // cfgs and results of Paraver's command-line tool
	SimKit = "../../testdata/oracle/dimemas" // predictions of Dimemas 5.5.0
)

// Run runs a command line and returns its standard output, its standard error and its exit status.
func Run(t *testing.T, args ...string) (out, problems string, status int) {
	t.Helper()
	var o, p bytes.Buffer
	status = cli.Run(context.Background(), args, command.Streams{In: nil, Out: &o, Err: &p})
	return o.String(), p.String(), status
}

// svgIn returns the first picture of a page.
func SVGIn(t *testing.T, page string) string {
	t.Helper()
	m := regexp.MustCompile(`src="data:image/svg\+xml;base64,([^"]+)"`).FindStringSubmatch(page)
	if m == nil {
		t.Fatal("no picture")
	}
	svg, err := base64.StdEncoding.DecodeString(m[1])
	if err != nil {
		t.Fatal(err)
	}
	return string(svg)
}
