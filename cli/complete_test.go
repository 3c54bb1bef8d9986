package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pview/cli/command"
)

// The shell is offered traces and directories, and, for the first word, commands.
func TestCompletion(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"run.prv", "run.pcf", "run.row", "big.prv.gz", "notes.txt", ".hidden.prv",
		"useful.cfg", "lunch.session.json"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(dir, "results"), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir)
	tests := []struct {
		typed string // the words, the last partly typed
		want  []string
	}{
		{"info ", []string{"big.prv.gz", "results/", "run.prv"}},
		{"info r", []string{"results/", "run.prv"}},
		{"info " + dir + "/b", []string{dir + "/big.prv.gz"}},
		{"info nosuch/", nil},
		{"ru", []string{"run.prv"}},
		{"us", []string{"useful.cfg"}},
		{"lu", []string{"lunch.session.json"}},
		{"info us", nil},
		{"inf", []string{"info"}},
		{"info --format ", []string{"table", "tsv", "csv", "sheet", "json"}},
		{"sim run.prv --machine u", []string{"useful.cfg"}},
		{"sim run.prv --machine idea", []string{"ideal"}},
		{"sim run.prv --collective-model ", []string{"CONST", "LIN", "LOG"}},
		{"sim run.prv --model ", []string{"dimemas", "thesis"}},
		{"help completion b", []string{"bash", "fish", "powershell", "zsh"}}, // the shell picks by what is typed
	}
	for _, test := range tests {
		var out bytes.Buffer
		args := append([]string{"__complete"}, strings.Split(test.typed, " ")...)
		Run(t.Context(), args, command.Streams{Out: &out, Err: &bytes.Buffer{}})
		var got []string
		for line := range strings.Lines(out.String()) {
			if name, _, _ := strings.Cut(strings.TrimSpace(line), "\t"); !strings.HasPrefix(name, ":") {
				got = append(got, name)
			}
		}
		if strings.Join(got, " ") != strings.Join(test.want, " ") {
			t.Errorf("%q: offers %q, want %q", test.typed, got, test.want)
		}
	}
}
