package tracecmd_test

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pview/cli"
	"pview/cli/command"
	"pview/prv/prvtest"
)

// call runs a command line.
func call(args ...string) (status int, out, problems string) {
	var o, p bytes.Buffer
	status = cli.Run(context.Background(), args, command.Streams{In: nil, Out: &o, Err: &p})
	return status, o.String(), p.String()
}

// The index is made, listed, used and removed from the command line.
func TestIndexCommand(t *testing.T) {
	prvtest.Cache(t)
	path := filepath.Join(t.TempDir(), "run.prv")
	text := "#Paraver (a):10_ns:1(1):1:1(1:1)\n1:1:1:1:1:0:5:1\n1:1:1:1:1:5:10:2\n2:1:1:1:1:3:7:8:9:10\n"
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	if status, _, _ := call("index"); status != command.StatusNothing {
		t.Errorf("without indexes the status is %d", status)
	}
	status, out, errors := call("index", "--format", "json", path)
	if status != command.StatusDone {
		t.Fatalf("%d %s", status, errors)
	}
	var facts struct {
		Index          string
		States, Events int
		Files          []struct {
			File    string
			Rows    int
			Columns string
		}
	}
	if err := json.Unmarshal([]byte(out), &facts); err != nil {
		t.Fatal(err)
	}
	if facts.Index != path+".pvidx" || facts.States != 2 || facts.Events != 2 ||
		facts.Files[0].Columns != "begin end value" {
		t.Errorf("%+v", facts)
	}
	if _, out, _ := call("index"); !strings.Contains(out, path) {
		t.Errorf("the list is\n%s", out)
	}
	_, parsed, _ := call("info", "--no-index", path)
	if _, out, _ := call("info", path); out != parsed || parsed == "" {
		t.Errorf("from the index:\n%s\nand parsed:\n%s", out, parsed)
	}
	if status, out, _ := call("index", "--clear", path); status != command.StatusDone ||
		!strings.Contains(out, "freed") {
		t.Errorf("clear: %d %s", status, out)
	}
	if _, err := os.Stat(facts.Index); err == nil {
		t.Error("the index is still there")
	}
	if status, _, _ := call("index", "--clear", "all"); status != command.StatusNothing {
		t.Errorf("clearing nothing has status %d", status)
	}
}

// Runs in other formats have an index, too, with which commands print the same; formats without an index are refused
// before they are read.
func TestIndexOfOtherFormats(t *testing.T) {
	prvtest.Cache(t)
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS("../../testdata/traces/ranks_2")); err != nil {
		t.Fatal(err)
	}
	first, second := filepath.Join(dir, "rank-0.json.gz"), filepath.Join(dir, "rank-1.json.gz")
	for _, run := range []struct {
		args []string
		name string
	}{{[]string{dir}, dir}, {[]string{first}, first}, {[]string{first, second}, first + "+1"}} {
		status, out, problems := call(append([]string{"index"}, run.args...)...)
		if status != command.StatusDone || !strings.HasPrefix(out, run.name+".pvidx\n") {
			t.Fatalf("%v: status %d: %s%s", run.args, status, out, problems)
		}
		for _, words := range []string{"info", "diagnose", "efficiency", "devices"} {
			args := append([]string{words}, run.args...)
			_, read, said := call(append(args, "--no-index")...)
			if _, mapped, again := call(args...); mapped != read || again != said || read == "" {
				t.Errorf("%v prints from the index\n%s%s\nand without\n%s%s", args, mapped, again, read, said)
			}
		}
	}
	if _, out, _ := call("index"); strings.Count(out, ".pvidx") != 3 || strings.Contains(out, "cannot be read") {
		t.Errorf("the list is\n%s", out)
	}
	if status, _, problems := call("index", "--clear", first, second); status != command.StatusDone {
		t.Errorf("clear: %s", problems)
	}
	if _, out, _ := call("index"); strings.Count(out, ".pvidx") != 2 || strings.Contains(out, "+1.pvidx") {
		t.Errorf("after --clear the list is\n%s", out)
	}

	picl := filepath.Join(dir, "run.trf")
	if err := os.WriteFile(picl, []byte("-3 -901 0.5 0 0 0\n-4 -901 0.75 0 0 0\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	status, out, problems := call("index", picl)
	if status != command.StatusFailed || out != "" || !strings.Contains(problems, "of this format have no index") {
		t.Errorf("status %d: %s%s", status, out, problems)
	}
}
