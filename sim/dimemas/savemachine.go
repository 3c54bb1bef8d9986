package dimemas

// Writing a whole machine: the configuration and its files.

import (
	"bytes"
	"fmt"
	"io"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"pview/prv"
	"pview/sim"
	"pview/sim/parameter"
)

// noteMark begins a comment line with a parameter that no record of a configuration can hold: Dimemas skips the line,
// and has the parameter as a command-line option.
const noteMark = "// pview: "

// SaveMachine writes a machine as a configuration, and next to it the scheduler and communications files that it needs,
// with the same name and the extensions .sched, .comms and .random. Parameters that fit none of them are written as
// comments, from which OpenMachine reads them back.
func SaveMachine(path string, m *sim.Machine) error {
	base := strings.TrimSuffix(path, filepath.Ext(path))
	c := &Config{Machine: m}
	var scheduler, comms, text bytes.Buffer
	random := WriteRandom(m)
	if random != "" {
		c.Random = filepath.Base(base) + ".random"
	}
	if !reflect.DeepEqual(m.Scheduler, sim.DefaultScheduler()) {
		if err := WriteScheduler(&scheduler, m.Scheduler); err != nil {
			return err
		}
		c.Scheduler = filepath.Base(base) + ".sched"
	}
	if err := writeCommunications(&comms, m); err != nil {
		return err
	}
	if comms.Len() > 0 {
		c.Communications = filepath.Base(base) + ".comms"
	}
	if err := WriteConfig(&text, c); err != nil {
		return err
	}
	notes, err := missing(m, text.Bytes(), scheduler.Bytes(), comms.Bytes())
	if err != nil {
		return err
	}
	text.WriteString(notes)
	for _, f := range []struct {
		path string
		text []byte
	}{{base + ".sched", scheduler.Bytes()}, {base + ".comms", comms.Bytes()}, {base + ".random", []byte(random)},
		{path, text.Bytes()}} {
		if len(f.text) == 0 {
			continue
		}
		if err := prv.SaveFile(f.path, func(w io.Writer) error {
			_, err := w.Write(f.text)
			return err
		}); err != nil {
			return err
		}
	}
	return nil
}

// missing re-reads the written files, and returns comments for the settings that they lost.
func missing(m *sim.Machine, text, scheduler, comms []byte) (string, error) {
	c, err := ParseConfig("configuration", text)
	if err != nil {
		return "", err
	}
	got := c.Machine
	if len(scheduler) > 0 {
		if got.Scheduler, err = ParseScheduler("scheduler file", scheduler); err != nil {
			return "", err
		}
	}
	if err := parseCommunications(got, "communications file", comms); err != nil {
		return "", err
	}
	var b strings.Builder
	for i := range parameter.All {
		p := &parameter.All[i]
		want, same := p.Setting(m)
		if v, _ := p.Setting(got); same && v != want && (p.Applies == nil || p.Applies(m)) {
			fmt.Fprintf(&b, "%s%s %s\n", noteMark, p.Name, p.FormatSetting(want))
		}
	}
	for i := range parameter.Texts {
		if x := &parameter.Texts[i]; x.Get(m) != "" {
			if m.Direct.Graph != nil || slices.ContainsFunc(m.Routines, func(r sim.Routine) bool {
				return r.Graph != nil
			}) {
				return "", fmt.Errorf("a configuration cannot hold a topology of one's own")
			}
			fmt.Fprintf(&b, "%s%s %s\n", noteMark, x.Name, x.Get(m))
		}
	}
	return b.String(), nil
}

// applyNotes applies the comments of SaveMachine. Unknown names, from a later pview, are ignored.
func applyNotes(m *sim.Machine, notes []note) error {
	for _, n := range notes {
		name, value, _ := strings.Cut(n.text, " ")
		if x := parameter.TextByName(name); x != nil {
			if err := x.Set(m, value); err != nil {
				return &prv.FileError{File: n.file, Line: n.line, Why: fmt.Sprintf("%s: %v", name, err), Err: err}
			}
			continue
		}
		p := parameter.ByName(name)
		if p == nil {
			continue
		}
		v, err := p.ParseSetting(value)
		if err != nil {
			return &prv.FileError{File: n.file, Line: n.line, Why: fmt.Sprintf("%s: %v", name, err), Err: err}
		}
		if v.Distribution.Kind != "" { // its mean is in a record, possibly by node
			m.Vary(sim.Variation{Parameter: name, Distribution: v.Distribution})
			continue
		}
		p.Set(m, v.Value)
	}
	return nil
}

// note is such a comment.
type note struct {
	file string
	line int64
	text string
}
