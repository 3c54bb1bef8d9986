package command

import (
	"io"
	"os"
	"strings"
	"testing"
	"time"
)

// A line appears before anything is reported, then the share of the steps, without a unit: 1 of 6 is 16 %.
func TestProgressOfSteps(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	p := &Progress{w: w, what: "diagnosis of a.prv", start: time.Now().Add(-time.Hour), Plain: true}
	p.begin()
	p.Report(1, 6)
	p.begin() // comes too late
	p.Close()
	p.begin()
	w.Close()
	text, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	if got := string(text); strings.Count(got, "diagnosis of a.prv…") != 1 ||
		!strings.Contains(got, "diagnosis of a.prv  16 %") || strings.Contains(got, " of 6") {
		t.Errorf("the line was %q", got)
	}
}
