package tui

import (
	"context"
	"regexp"
	"testing"

	"pview/prv"
	"pview/prv/synth"
)

// The memory is reported with its parts, in one line.
func TestMemory(t *testing.T) {
	g, err := synth.New(synth.Options{Tasks: 4})
	if err != nil {
		t.Fatal(err)
	}
	tr, err := g.Trace(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	d := drive(t, 120, 30, Options{Paths: []string{"a.prv"},
		Open: func(context.Context, string, prv.Watcher) (*prv.Trace, error) { return tr, nil }})
	d.command("memory")
	want :=
		regexp.MustCompile(
			`^memory: ([\d.]+ [kMG]B in total, [\d.]+ [kMG]?B mapped files, )?[\d.]+ [kMG]B values; rows [1-9][\d.]* [kMG]?B`,
		)
	if !want.MatchString(d.m.scene.Messages.Text) {
		t.Errorf("it says %q", d.m.scene.Messages.Text)
	}
}
