// Package external makes a command the solver of a study: any program that reads a file of parameters and prints
// figures (thesis, section 5.4). Each run has its own directory, with the template filled in with the run's values; the
// command runs there, and the outputs are extracted from its output or files.
package external

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"time"

	"pview/prv"
	"pview/sim/study"
	"pview/sim/study/command"
)

// Solver is an external command.
type Solver struct {
	Command   string   // for the shell; it runs in the directory of the run
	Inputs    []string // files, such as the program, copied for each run
	Templates []Template
	Extracts  []Extract
	Env       []string // additional environment variables, NAME=VALUE
}

// Template is a file in which @NAME@ is replaced by the value of an input.
type Template struct {
	Name string // in the directory of the run
	Text string
}

// ReadTemplate reads a template, FILE or FILE:NAME.
func ReadTemplate(spec string) (t Template, err error) {
	file, name, ok := strings.Cut(spec, ":")
	if !ok {
		name = filepath.Base(file)
	}
	if name != filepath.Base(name) || name == "." || name == ".." {
		return t, fmt.Errorf("%q: the name in the directory of the run must not have a folder", name)
	}
	text, err := os.ReadFile(file)
	return Template{name, string(text)}, err
}

// Extract finds an output.
type Extract struct {
	study.Column
	File    string // in the directory of the run; "": the command's output
	Pattern *regexp.Regexp
}

// ParseExtract reads NAME=[FILE:]PATTERN, a regular expression whose first group is the number; the last match counts.
func ParseExtract(spec string) (e Extract, err error) {
	name, pattern, ok := strings.Cut(spec, "=")
	if file, rest, isFile := strings.Cut(pattern, ":"); isFile && file == filepath.Base(file) &&
		!strings.ContainsAny(file, " ()[]\\") {
		e.File, pattern = file, rest
	}
	e.Name = strings.TrimSpace(name)
	e.Pattern, err = regexp.Compile(pattern)
	if !ok || e.Name == "" || err != nil || e.Pattern.NumSubexp() < 1 {
		return e, fmt.Errorf("%q must be NAME=PATTERN or NAME=FILE:PATTERN, with a group (...) around the number", spec)
	}
	return e, nil
}

// columns returns the columns of the outputs.
func (s *Solver) columns() (list []study.Column) {
	for i := range s.Extracts {
		list = append(list, s.Extracts[i].Column)
	}
	return list
}

// Use makes a plan run the command instead of the simulation.
func (s *Solver) Use(p *study.Plan) error {
	if strings.TrimSpace(s.Command) == "" || len(s.Extracts) == 0 {
		return errors.New("an external solver needs a command, and outputs to extract")
	}
	inputs, err := s.fingerprints()
	if err != nil {
		return err
	}
	p.Outputs, p.Case = s.columns(), nil
	p.Key = study.Key("external", nil, p.Key, s.Command, inputs, s.Templates, s.Env, fmt.Sprint(s.Extracts))
	p.Solve = func(ctx context.Context, r *study.Row, hold func()) ([]float64, error) {
		return s.solve(ctx, p.Inputs, r, hold)
	}
	return p.Check()
}

// fingerprints returns the names and contents of the input files, for Key.
func (s *Solver) fingerprints() (list []string, err error) {
	for _, name := range s.Inputs {
		h := sha256.New()
		if err := copyTo(h, name); err != nil {
			return nil, err
		}
		list = append(list, filepath.Base(name), hex.EncodeToString(h.Sum(nil)))
	}
	return list, nil
}

func copyTo(w io.Writer, name string) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = io.Copy(w, f)
	return err
}

// copyInto copies a file, with its permissions, into the directory of a run: the command may change it there.
func copyInto(dir, name string) error {
	info, err := os.Stat(name)
	if err != nil {
		return err
	}
	if info.Mode()&0o111 != 0 {
		// A command that another run starts now would inherit the open file, and a program that a process can still
		// write to does not start: "text file busy". See https://go.dev/issue/22315.
		syscall.ForkLock.RLock()
		defer syscall.ForkLock.RUnlock()
	}
	out, err := os.OpenFile(filepath.Join(dir, filepath.Base(name)), os.O_CREATE|os.O_WRONLY|os.O_TRUNC,
		info.Mode().Perm()|0o200)
	if err != nil {
		return err
	}
	return errors.Join(copyTo(out, name), out.Close())
}

// lookEvery is the interval at which a running command is checked for suspension.
const lookEvery = 20 * time.Millisecond

// solve makes a run.
func (s *Solver) solve(ctx context.Context, inputs []study.Column, r *study.Row, hold func()) ([]float64, error) {
	folder, err := prv.NewTempFolder("", "pview-run-")
	if err != nil {
		return nil, err
	}
	defer folder.Remove()
	dir := folder.Path
	pairs := []string{"@index@", strconv.Itoa(r.Index), "@seed@", strconv.FormatUint(r.Seed, 10)}
	for i := range inputs {
		pairs = append(pairs, "@"+inputs[i].Name+"@", inputs[i].Text(r.Inputs[i]))
	}
	patch := strings.NewReplacer(pairs...)
	for _, name := range s.Inputs {
		if err := copyInto(dir, name); err != nil {
			return nil, err
		}
	}
	for _, t := range s.Templates {
		if err := os.WriteFile(filepath.Join(dir, t.Name), []byte(patch.Replace(t.Text)), 0o666); err != nil {
			return nil, err
		}
	}
	printed, err := s.execute(ctx, patch.Replace(s.Command), folder, hold)
	if err != nil {
		return nil, err
	}
	list := make([]float64, len(s.Extracts))
	for i := range s.Extracts {
		if list[i], err = s.Extracts[i].from(dir, printed); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// execute runs the command in its own process group, which is stopped while hold blocks. The command holds the folder's
// lock, since it may outlive a killed pview.
func (s *Solver) execute(ctx context.Context, line string, folder *prv.TempFolder, hold func()) ([]byte, error) {
	cmd := exec.CommandContext(ctx, "/bin/sh", "-c", line)
	var out, problems bytes.Buffer
	cmd.Dir, cmd.Env = folder.Path, append(os.Environ(), s.Env...)
	grouped(cmd, folder.Lock)
	wait, err := command.Start(cmd, &capped{w: &out}, &capped{w: &problems})
	if err != nil {
		return nil, err
	}
	ended := make(chan error)
	go func() { ended <- wait() }()
	tick := time.NewTicker(lookEvery)
	defer tick.Stop()
	for {
		select {
		case err := <-ended:
			if err != nil {
				line, _, _ := strings.Cut(strings.TrimSpace(problems.String()), "\n")
				return nil, errors.New(strings.TrimSuffix(fmt.Sprintf("the command failed (%v): %s", err, line), ": "))
			}
			return out.Bytes(), nil
		case <-tick.C:
			suspended(cmd, hold)
		}
	}
}

// capped keeps the first megabyte of a command's output.
type capped struct{ w *bytes.Buffer }

// Write implements io.Writer.
func (c *capped) Write(b []byte) (int, error) {
	const most = 1 << 20
	c.w.Write(b[:min(len(b), most-c.w.Len())])
	return len(b), nil
}

// from finds the output.
func (e *Extract) from(dir string, printed []byte) (v float64, err error) {
	if e.File != "" {
		f, err := os.Open(filepath.Join(dir, e.File))
		if err != nil {
			return v, fmt.Errorf("%s: the command has not written %s", e.Name, e.File)
		}
		defer f.Close()
		const most = 64 << 20
		if printed, err = io.ReadAll(io.LimitReader(f, most)); err != nil {
			return v, fmt.Errorf("%s: %w", e.Name, err)
		}
	}
	all := e.Pattern.FindAllSubmatch(printed, -1)
	if len(all) == 0 {
		return v, fmt.Errorf("%s: nothing matches %s", e.Name, e.Pattern)
	}
	text := string(all[len(all)-1][1])
	if v, err = strconv.ParseFloat(text, 64); err != nil {
		return v, fmt.Errorf("%s: %q is not a number", e.Name, text)
	}
	return v, nil
}
