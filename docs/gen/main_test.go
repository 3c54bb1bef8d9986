package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pview/cli"
	"pview/cli/command"
	"pview/docs/tour"
	"pview/prv"
	"pview/sim/ring"
)

// The generated pages are up to date with the program.
func TestPagesAreFresh(t *testing.T) {
	pages := reference()
	pages["tour.md"] = tour.Page()
	var err error
	if pages["networks.md"], err = networksPage(t.Context()); err != nil {
		t.Fatal(err)
	}
	for name, want := range pages {
		got, err := os.ReadFile(filepath.Join("..", name))
		if err != nil {
			t.Fatal(err)
		}
		if string(got) != wrap(want) {
			t.Errorf("docs/%s is stale: run go generate", name)
		}
	}
}

// The page on scheduling has all sections in order, and the current results of two experiments.
func TestSchedulingPageIsFresh(t *testing.T) {
	file, err := os.ReadFile("../scheduling.md")
	if err != nil {
		t.Fatal(err)
	}
	page, ok := strings.CutPrefix(string(file), wrap(schedulingPage()))
	page, ok2 := strings.CutSuffix(page, wrap(schedulingNotes))
	if !ok || !ok2 {
		t.Error("docs/scheduling.md is stale: run go generate")
	}
	sections := strings.Split(page, "\n### ")[1:]
	if len(sections) != len(ring.Experiments) {
		t.Fatalf("%d experiments, not %d", len(sections), len(ring.Experiments))
	}
	for i, e := range ring.Experiments {
		if !strings.HasPrefix(sections[i], e.Name+": "+e.Doc+"\n") {
			t.Errorf("section %d is not %s: run go generate", i+1, e.Name)
		}
		if e.Name != "E1" && e.Name != "F1" {
			continue
		}
		want, err := experimentSection(t.Context(), e)
		if err != nil {
			t.Fatal(err)
		}
		if strings.TrimSpace("### "+sections[i]) != strings.TrimSpace(wrap(want)) {
			t.Errorf("what docs/scheduling.md says of %s is stale: run go generate", e.Name)
		}
	}
}

// The page on formats has every reason for skipping a record, and every key of info's answer.
func TestFormatsPageIsComplete(t *testing.T) {
	page, err := os.ReadFile("../formats.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range prv.Reasons {
		if want := "| `" + r.Key() + "` | " + r.String() + " |"; !strings.Contains(string(page), want) {
			t.Errorf("there is no line %s", want)
		}
	}
	var answer bytes.Buffer
	status := cli.Run(t.Context(), []string{"info", "--format", "json",
		"../../testdata/traces/npb_cg_S_8_burst/npb_cg_S_8_burst.prv"}, command.Streams{Out: &answer, Err: os.Stderr})
	var info map[string]any
	if err := json.Unmarshal(answer.Bytes(), &info); status != command.StatusDone || err != nil {
		t.Fatal(status, err)
	}
	for key := range info {
		if !strings.Contains(string(page), "`"+key+"`") {
			t.Errorf("the key %s is not explained", key)
		}
	}
}
