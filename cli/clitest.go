// Package clitest runs the command line in tests.
package cli

import (
	"bytes"
	"context"
	"encoding/base64"
	"regexp"
	"testing"
)

// Files of testdata, from the directory of a package of commands.
const (
	heat   = "../testdata/traces/heat2d_8/heat2d_8.prv.gz"
	kit    = "../testdata/oracle/paraver" // cfgs and results of Paraver's command-line tool
	simKit = "../testdata/oracle/dimemas" // predictions of Dimemas 5.5.0
)

// runCommand runs a command line and returns its standard output, its standard error and its exit status.
func runCommand(t *testing.T, args ...string) (out, problems string, status int) {
	t.Helper()
	var o, p bytes.Buffer
	status = Run(context.Background(), args, Streams{nil, &o, &p})
	return o.String(), p.String(), status
}

// svgIn returns the first picture of a page.
func svgIn(t *testing.T, page string) string {
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
