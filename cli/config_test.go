package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/BurntSushi/toml"

	"pview/cli/command"
	"pview/prv"
	"pview/prv/prvtest"
)

// configWith runs a command with a configuration file.
func configWith(t *testing.T, text string, args ...string) (status int, out, err string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "config.toml")
	if e := os.WriteFile(path, []byte(text), 0o644); e != nil {
		t.Fatal(e)
	}
	t.Setenv(configVariable, path)
	var o, e bytes.Buffer
	status = Run(context.Background(), args, command.Streams{Out: &o, Err: &e})
	return status, o.String(), strings.ReplaceAll(e.String(), path, "config.toml")
}

// The file sets defaults; flags override it; config shows the source of each.
func TestConfig(t *testing.T) {
	status, out, _ := configWith(t,
		"memory = \"3G\"\nascii = true\nmachine = \"ideal\"\n[keys]\n\"zoom in\" = [\"w\"]\n",
		"config", "--format", "tsv", "--memory", "2G")
	if status != 0 {
		t.Fatalf("status %d: %s", status, out)
	}
	for _, want := range []string{"memory\t2G\tcommand line\n", "ascii\ttrue\t", "config.toml:2\n", "machine\tideal\t",
		"keys.zoom in\tw\t", "color\tauto\tdefault\n"} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is not in\n%s", want, out)
		}
	}
}

// Keys that are set under a former name of an action are listed as the file names them, with the present name.
func TestConfigOfFormerNames(t *testing.T) {
	status, out, err := configWith(t, "[keys]\npart-up = [\"w\"]\n", "config", "--format", "tsv")
	if status != 0 || !strings.Contains(out, "keys.part-up\tw\t") ||
		!strings.Contains(out, "config.toml:1, a former name of move up\n") {
		t.Errorf("status %d, %s\n%s", status, err, out)
	}
}

// The viewer's initial settings are printed as its menus spell them.
func TestConfigOfTheViewer(t *testing.T) {
	status, out, err := configWith(t, "theme = \"light\"\nview = \"mpi call\"\nunits = \"ms\"\n", "config", "--format",
		"tsv")
	if status != 0 {
		t.Fatalf("status %d: %s", status, err)
	}
	for _, want := range []string{"theme\tlight\t", "config.toml:1\n", "view\tMPI call\t", "config.toml:2\n",
		"draw\tauto\tdefault\n", "units\tms\t", "config.toml:3\n", "sizes\tdecimal\tdefault\n"} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is not in\n%s", want, out)
		}
	}
}

// The units of the file, or of a flag, apply to what people read: 1,500,000 ns are 1.5 ms, and 0.0015 s. The output for
// programs does not change.
func TestUnits(t *testing.T) {
	trace := filepath.Join(t.TempDir(), "a.prv")
	if err := os.WriteFile(trace,
		[]byte("#Paraver (01/01/2026 at 10:00):1500000_ns:1(1):1:1(1:1)\n1:1:1:1:1:0:1500000:1\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ config, flag, want string }{
		{"", "auto", "Duration        1.5 ms (1,500,000 ns)"},
		{"units = \"us\"\n", "", "Duration        1,500 us (1,500,000 ns)"},
		{"units = \"us\"\n", "s", "Duration        0.0015 s (1,500,000 ns)"},
	} {
		args := []string{"info", "--no-index", trace}
		if test.flag != "" {
			args = append(args, "--units", test.flag)
		}
		if status, out, err := configWith(t, test.config, args...); status != 0 || !strings.Contains(out, test.want) {
			t.Errorf("%v: status %d %s, no %q in\n%s", test, status, err, test.want, out)
		}
		if _, out, _ := configWith(t, test.config, append(args, "--format", "tsv")...); !strings.Contains(out,
			"1500000") {
			t.Errorf("%v: tsv:\n%s", test, out)
		}
	}
	configWith(t, "", "config") // back to the default
}

// Errors in the file have its name, the line and the reason.
func TestWrongConfig(t *testing.T) {
	for text, want := range map[string]string{
		"memory = \"3G\"\ncolor = \"pink\"\n": "config.toml:2: color: ",
		"\ncolour = \"256\"\n":                "config.toml:2: colour: no such setting; known: ascii, color,",
		"theme = \"pink\"\n": "config.toml:1: theme: must be one of auto, dark, light, calm, " +
			"paraver",
		"units = \"min\"\n": "config.toml:1: units: must be one of auto, ns, us, ms, s",
		"view = \"Nothing\"\n": "config.toml:1: view: must be one of auto, State As Is, Useful, " +
			"MPI call,",
		"ascii = true\ndraw = 3\n":                 "config.toml:2: draw: must be one of auto, Automatic, ",
		"memory = \n":                              "config.toml:1: ",
		"pink = 1\nred = 2\nblue = 3\ngreen = 4\n": "config.toml:1: pink: no such setting",
		"memory = [1]\n":                           "config.toml:1: memory: ",
		"[keys]\n\nfly = [\"w\"]\n":                "config.toml:1: keys: line 3: there is no action \"fly\"",
		"machine = \"ideal\"\nkeys = 3\n":          "config.toml:2: keys: must be a preset, or a table",
		"keys = \"wsad\"\n":                        "config.toml:1: keys: no preset \"wsad\"; known: wasd",
		"[keys]\n\npreset = \"wsad\"\n":            "line 3: no preset \"wsad\"",
		"[keys]\nzoom-in = \"w\"\n":                "line 2: zoom-in: must be a list of keys",
	} {
		if status, _, err := configWith(t, text, "config"); status == 0 || !strings.Contains(err, want) {
			t.Errorf("%q: status %d, %q, want %q", text, status, err, want)
		}
	}
}

// A preset is a set of keys, alone or changed by others: w zooms in, and pan left, by its former name, has the key in
// the table.
func TestPresetOfKeys(t *testing.T) {
	for text, want := range map[string]string{
		"keys = \"wasd\"\n": "keys.pan left\ta left\t",
		"[keys]\npreset = \"wasd\"\npan-left = [\"q\"]\n": "keys.pan left\tq\t",
	} {
		status, out, err := configWith(t, text, "config", "--format", "tsv")
		if status != 0 || !strings.Contains(out, want) || !strings.Contains(out, "keys.zoom in\tw +\t") {
			t.Errorf("%q: status %d, %q\n%s", text, status, err, out)
		}
	}
}

// The file accepts any name of a machine, and any keys of an action.
func TestConfigOfAnything(t *testing.T) {
	for seed := range uint64(50) {
		rng := rand.New(rand.NewPCG(seed, 0))
		machine, key := "m"+prv.UTF8(prvtest.Text(rng)), "k"+prv.UTF8(prvtest.Text(rng))
		var file strings.Builder
		if err := toml.NewEncoder(&file).Encode(map[string]any{"machine": machine,
			"keys": map[string]any{"zoom in": []string{key}}}); err != nil {
			t.Fatal(err)
		}
		status, out, err := configWith(t, file.String(), "config", "--format", "json")
		if status != 0 {
			t.Fatalf("seed %d: status %d: %s\n%s", seed, status, err, file.String())
		}
		var rows []struct{ Setting, Value string }
		if err := json.Unmarshal([]byte(out), &rows); err != nil {
			t.Fatal(err)
		}
		got := map[string]string{}
		for _, r := range rows {
			got[r.Setting] = r.Value
		}
		if got["machine"] != machine || got["keys.zoom in"] != key {
			t.Errorf("seed %d: %q and %q instead of %q and %q", seed, got["machine"], got["keys.zoom in"], machine, key)
		}
	}
}
