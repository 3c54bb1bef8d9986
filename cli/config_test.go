package cli

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
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
	status = Run(context.Background(), args, Streams{Out: &o, Err: &e})
	return status, o.String(), strings.ReplaceAll(e.String(), path, "config.toml")
}

// The file sets defaults; a flag goes before it; config says where each comes from.
func TestConfig(t *testing.T) {
	status, out, _ := configWith(t, "memory = \"3G\"\nascii = true\nmachine = \"ideal\"\n[keys]\nzoom-in = [\"w\"]\n", "config", "--format", "tsv", "--memory", "2G")
	if status != 0 {
		t.Fatalf("status %d: %s", status, out)
	}
	for _, want := range []string{"memory\t2G\tcommand line\n", "ascii\ttrue\t", "config.toml:2\n", "machine\tideal\t", "keys.zoom-in\tw\t", "color\tauto\tdefault\n"} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is not in\n%s", want, out)
		}
	}
}

// What the viewer begins with is shown as its menus spell it.
func TestConfigOfTheViewer(t *testing.T) {
	status, out, err := configWith(t, "theme = \"light\"\nview = \"mpi call\"\n", "config", "--format", "tsv")
	if status != 0 {
		t.Fatalf("status %d: %s", status, err)
	}
	for _, want := range []string{"theme\tlight\t", "config.toml:1\n", "view\tMPI call\t", "config.toml:2\n", "draw\tauto\tdefault\n"} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is not in\n%s", want, out)
		}
	}
}

// What is wrong with the file is said with its name, its line and the reason.
func TestWrongConfig(t *testing.T) {
	for text, want := range map[string]string{
		"memory = \"3G\"\ncolor = \"pink\"\n": "config.toml:2: color: ",
		"\ncolour = \"256\"\n":                "config.toml:2: colour: no such setting; known: ascii, color,",
		"theme = \"pink\"\n":                  "config.toml:1: theme: must be one of auto, dark, light, calm, paraver",
		"view = \"Nothing\"\n":                "config.toml:1: view: must be one of auto, State As Is, Useful, MPI call,",
		"ascii = true\ndraw = 3\n":            "config.toml:2: draw: must be one of auto, Automatic, ",
		"memory = \n":                         "config.toml:1: ",
		"memory = [1]\n":                      "config.toml:1: memory: ",
		"[keys]\n\nfly = [\"w\"]\n":           "config.toml:1: keys: line 3: there is no action \"fly\"",
		"machine = \"ideal\"\nkeys = 3\n":     "config.toml:2: keys: must be a preset, or a table",
		"keys = \"wsad\"\n":                   "config.toml:1: keys: no preset \"wsad\"; known: wasd",
		"[keys]\n\npreset = \"wsad\"\n":       "line 3: no preset \"wsad\"",
		"[keys]\nzoom-in = \"w\"\n":           "line 2: zoom-in: must be a list of keys",
	} {
		if status, _, err := configWith(t, text, "config"); status == 0 || !strings.Contains(err, want) {
			t.Errorf("%q: status %d, %q, want %q", text, status, err, want)
		}
	}
}

// A preset is a set of keys, alone or with others in their place: w zooms in, and pan-left has what the table says.
func TestPresetOfKeys(t *testing.T) {
	for text, want := range map[string]string{
		"keys = \"wasd\"\n": "keys.pan-left\ta left\t",
		"[keys]\npreset = \"wasd\"\npan-left = [\"q\"]\n": "keys.pan-left\tq\t",
	} {
		status, out, err := configWith(t, text, "config", "--format", "tsv")
		if status != 0 || !strings.Contains(out, want) || !strings.Contains(out, "keys.zoom-in\tw +\t") {
			t.Errorf("%q: status %d, %q\n%s", text, status, err, out)
		}
	}
}
