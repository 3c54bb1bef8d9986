package explaincmd_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pview/cli/clitest"
	"pview/insight/workload"
)

const loadTrace = "../../testdata/traces/npb_cg_S_8_burst/npb_cg_S_8_burst.prv"

// result returns the output of a command that must succeed.
func result(t *testing.T, args ...string) string {
	t.Helper()
	out, problems, status := clitest.Run(t, args...)
	if status != 0 {
		t.Fatalf("%v: status %d, %s", args, status, problems)
	}
	return out
}

// The object for programs has its keys, and every view prints something.
func TestWorkload(t *testing.T) {
	out := result(t, "workload", loadTrace, "--method", "kmeans", "--format", "json")
	var o map[string]any
	if err := json.Unmarshal([]byte(out), &o); err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{"component", "parameters", "clusters", "unclustered", "method"} {
		if o[key] == nil {
			t.Errorf("no key %s", key)
		}
	}
	for _, v := range workload.Views {
		args := []string{"workload", loadTrace, "--show", v.Name, "--format", "tsv"}
		if v.Name != "k" {
			args = append(args, "--method", "kmeans", "--k", "2")
		}
		if v.Name == "speedup" {
			args = append(args, "--component", "run")
		}
		if lines := strings.Count(result(t, args...), "\n"); lines < 2 {
			t.Errorf("%s: %d lines", v.Name, lines)
		}
	}
	for i := range workload.Kinds {
		kind := workload.Kinds[i].Name
		if kind == "event" || kind == "message" || kind == "collective" {
			continue // the trace has bursts only
		}
		if lines := strings.Count(result(t, "workload", loadTrace, "--component", kind, "--format", "csv"),
			"\n"); lines < 2 {
			t.Errorf("%s: %d lines", kind, lines)
		}
	}
}

// All files: the suite's, the components', a model that becomes a trace, a picture, and a scheme that is applied again.
func TestWorkloadFiles(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	first := result(t, "workload", loadTrace, "--method", "kmeans", "--k", "3", "-o", at("w"), "--components",
		at("c.csv"), "--model", at("m.json"), "--plot", at("p.svg"), "--save-scheme", at("s.toml"), "--format", "tsv")
	for name, begins := range map[string]string{"w.clusters_info.csv": "Cluster Name,NOISE,Cluster 1",
		"w.DATA.csv": "# Instance,TaskId", "w.prv": "#Paraver", "c.csv": "name,thread,begin_ns", "m.json": "{\n",
		"p.svg": "<svg"} {
		text, err := os.ReadFile(at(name))
		if err != nil || !strings.Contains(string(text[:min(len(text), 400)]), begins) {
			t.Errorf("%s: %v %.60s", name, err, text)
		}
	}
	if again := result(t, "workload", loadTrace, "--scheme", at("s.toml"), "--format", "tsv"); again != first {
		t.Errorf("the scheme gives\n%s\nnot\n%s", again, first)
	}
	result(t, "synth", "--model", at("m.json"), at("made.prv"))
	if out := result(t, "info", at("made.prv"), "--format", "json"); !strings.Contains(out, `"tasks": 8`) {
		t.Error(out)
	}
	for _, name := range []string{"c.parquet", "c.arrow", "c.tsv"} {
		result(t, "workload", loadTrace, "--components", at(name))
	}
}

func TestWorkloadUsage(t *testing.T) {
	stateless := filepath.Join(t.TempDir(), "stateless.prv")
	text := "#Paraver (01/01/26 at 00:00):10_ns:1(1):1:1(1:1)\n2:1:1:1:1:5:7:1\n"
	if err := os.WriteFile(stateless, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	for want, args := range map[string][]string{
		"workload needs TRACE":        {},
		"several traces need":         {loadTrace, loadTrace},
		"must end in .csv":            {loadTrace, "--components", "x.xls"},
		"must end in .json or .txt":   {loadTrace, "--model", "x"},
		"must be two percentiles":     {loadTrace, "--trim", "9,1"},
		"needs --component run":       {loadTrace, "--show", "speedup"},
		"only one of them":            {loadTrace, "--xml", "a", "--scheme", "b"},
		"must be one of duration":     {loadTrace, "--parameters", "nonsense"},
		"there is no timeline":        {"../../prv/picl/testdata/statistics.trf", "--component", "message"},
		"there is no thread function": {loadTrace, "--parameters", "mean(x)"},
		"has no message":              {loadTrace, "--component", "message"},
		"has no states: --types cuts": {stateless},
		"--eps: 0: must be > 0":       {loadTrace, "--eps", "0"},
		"whole number from 1":         {loadTrace, "--most-k", "0"},
		"the factor must be a number": {loadTrace, "--parameters", "duration@x"},
		"a model needs bursts, not": {loadTrace, "--component", "task", "--model",
			filepath.Join(t.TempDir(), "m.json")},
		"must be two numbers from 1 to 1": {loadTrace, "--plot", filepath.Join(t.TempDir(), "a.svg"), "--axes", "7",
			"--parameters", "duration"},
	} {
		if _, errors, status := clitest.Run(t, append([]string{"workload"}, args...)...); status == 0 ||
			!strings.Contains(errors, want) {
			t.Errorf("%v: status %d, %q, want %q", args, status, errors, want)
		}
	}
}
