package dimemas

// Random ("sensitivity") files.

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"strings"

	"pview/prv"
	"pview/sim"
)

// randomLines are the lines of a random file and their parameters, in the unit of the parameter. The line of the
// processor is read and has no effect, as in Dimemas.
var randomLines = []struct{ key, parameter string }{
	{"Processor", ""},
	{"Network bandwidth", "bandwidth"},
	{"Network latency", "latency"},
	{"Memory bandwidth", "local-bandwidth"},
	{"Memory latency", "local-latency"},
	{"External Network bandwidth", "wan-bandwidth"},
	{"External Network latency", "wan-latency"},
}

// OpenRandom reads a random file into a machine.
func OpenRandom(m *sim.Machine, path string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return openError(path, err)
	}
	return ParseRandom(m, path, text)
}

// ParseRandom reads a random file: for each parameter NONE, NORMAL mean deviation, or UNIFORM left right, whose values
// are added to the parameter (MB/s, ns) at each use.
func ParseRandom(m *sim.Machine, name string, text []byte) error {
	line, next := int64(0), 0
	for raw := range bytes.Lines(text) {
		line++
		t := strings.TrimSpace(string(raw))
		if t == "" {
			continue
		}
		fail := func(format string, args ...any) error {
			return &prv.FileError{File: name, Line: line, Why: fmt.Sprintf(format, args...)}
		}
		if next == len(randomLines) {
			return fail("a line after the last, which is %s:", randomLines[next-1].key)
		}
		want := randomLines[next]
		next++
		key, value, ok := strings.Cut(t, ":")
		if !ok || key != want.key {
			return fail("%q where %s: is expected", t, want.key)
		}
		v, err := parseRandomValue(value)
		if err != nil {
			return fail("%s: %v", key, err)
		}
		if v.Kind != "" && want.parameter != "" {
			m.Vary(sim.Variation{Parameter: want.parameter, Distribution: v, Added: true})
		}
	}
	if next < len(randomLines) {
		return &prv.FileError{File: name, Line: line, Why: randomLines[next].key + ": is missing"}
	}
	return nil
}

func parseRandomValue(text string) (d sim.Distribution, err error) {
	f := strings.Fields(text)
	if (len(f) == 1 || len(f) == 3) && f[0] == "NONE" { // ignore its two parameters, if given
		return d, nil
	}
	if len(f) != 3 || f[0] != "NORMAL" && f[0] != "UNIFORM" {
		return d, fmt.Errorf("it is NONE, NORMAL mean deviation, or UNIFORM left right")
	}
	d.Kind = strings.ToLower(f[0])
	for i := range 2 {
		if d.Params[i], err = strconv.ParseFloat(f[i+1], 64); err != nil || d.Params[i] != d.Params[i] ||
			d.Params[i] > 1e18 || d.Params[i] < -1e18 {
			return d, fmt.Errorf("%q is not a number", f[i+1])
		}
	}
	return d, (sim.Variation{Distribution: d, Added: true}).Check()
}

// WriteRandom returns the random file of a machine; empty if no parameter has added values.
func WriteRandom(m *sim.Machine) string {
	var b strings.Builder
	some := false
	for _, l := range randomLines {
		fmt.Fprintf(&b, "%s: ", l.key)
		value := "NONE"
		for _, v := range m.Random {
			if v.Added && v.Parameter == l.parameter {
				value = fmt.Sprintf("%s %s %s", strings.ToUpper(v.Kind), number(v.Params[0]), number(v.Params[1]))
				some = true
			}
		}
		b.WriteString(value + "\n")
	}
	if !some {
		return ""
	}
	return b.String()
}
