package cfg

import (
	"fmt"
	"strconv"
	"strings"

	"pview/prv"
	"pview/semantic"
)

// How values are spelled.

func readBool(s string) (bool, error) {
	switch strings.ToLower(s) {
	case "true", "1", "enabled":
		return true, nil
	case "false", "0", "disabled":
		return false, nil
	}
	return false, fmt.Errorf("%q is neither true nor false", short(s))
}

func readInt(s string) (int, error) {
	v, err := strconv.ParseFloat(s, 64)
	if err != nil || v != float64(int(v)) {
		return 0, fmt.Errorf("%q is no whole number", short(s))
	}
	return int(v), nil
}

func readFloat(s string) (float64, error) {
	v, err := strconv.ParseFloat(s, 64)
	if err != nil {
		return 0, fmt.Errorf("%q is no number", short(s))
	}
	return v, nil
}

func readFloats(fields []string) ([]float64, error) {
	list := make([]float64, 0, len(fields))
	for _, f := range fields {
		v, err := readFloat(f)
		if err != nil {
			return nil, err
		}
		list = append(list, v)
	}
	return list, nil
}

// short is a piece of a line for an error.
func short(s string) string {
	if len(s) > 40 {
		return s[:40] + "..."
	}
	return s
}

// readCount reads "n v1 .. vn" and returns the values; what follows them is left
// out, as Paraver does.
func readCount(fields []string) ([]string, error) {
	if len(fields) == 0 {
		return nil, fmt.Errorf("the number of values is missing")
	}
	n, err := readInt(fields[0])
	if err != nil || n < 0 {
		return nil, fmt.Errorf("%q is no number of values", short(fields[0]))
	}
	if n > len(fields)-1 {
		return nil, fmt.Errorf("%d values are announced, but %d follow", n, len(fields)-1)
	}
	return fields[1 : 1+n], nil
}

// readQuoted reads n strings in quotes.
func readQuoted(s string) ([]string, error) {
	var list []string
	for {
		s = strings.TrimSpace(s)
		if s == "" {
			return list, nil
		}
		if s[0] != '"' {
			return nil, fmt.Errorf("a label must stand in quotes: %q", short(s))
		}
		end := strings.IndexByte(s[1:], '"')
		if end < 0 {
			return nil, fmt.Errorf("a label's quote is not closed: %q", short(s))
		}
		list = append(list, s[1:1+end])
		s = s[end+2:]
	}
}

// readPairs reads "{ n, { {a, b}, {c, d} } }" and returns the pairs.
func readPairs(s string) ([][2]string, error) {
	_, s, ok := strings.Cut(s, ",")
	if !ok {
		return nil, fmt.Errorf("a list in braces is expected: %q", short(s))
	}
	var pairs [][2]string
	s = strings.TrimSpace(s)
	s = strings.TrimPrefix(s, "{")
	for {
		open := strings.IndexByte(s, '{')
		if open < 0 {
			return pairs, nil
		}
		s = s[open+1:]
		end := strings.IndexByte(s, '}')
		if end < 0 {
			return nil, fmt.Errorf("a brace is not closed: %q", short(s))
		}
		a, b, ok := strings.Cut(s[:end], ",")
		if !ok {
			return nil, fmt.Errorf("a pair is expected in braces: %q", short(s[:end]))
		}
		pairs = append(pairs, [2]string{strings.TrimSpace(a), strings.TrimSpace(b)})
		s = s[end+1:]
	}
}

// levels are the names of the levels; ptask is the old one of appl.
var levels = map[string]prv.Level{
	"workload": prv.LevelWorkload, "appl": prv.LevelPtask, "ptask": prv.LevelPtask, "task": prv.LevelTask, "thread": prv.LevelThread,
	"system": prv.LevelSystem, "node": prv.LevelNode, "cpu": prv.LevelCPU,
}

// levelName is the name of a level in a file.
func levelName(l prv.Level) string {
	if l == prv.LevelPtask {
		return "appl"
	}
	return l.String()
}

func readLevel(s string) (prv.Level, error) {
	l, ok := levels[s]
	if !ok {
		return 0, fmt.Errorf("unknown level %q", short(s))
	}
	return l, nil
}

func readUnit(s string) (semantic.Unit, error) {
	for _, u := range semantic.Units {
		if strings.EqualFold(u.Name, s) {
			return u.Unit, nil
		}
	}
	return 0, fmt.Errorf("unknown unit of time %q", short(s))
}

// oldDrawModes are the draw modes that old files number.
var oldDrawModes = []semantic.DrawMode{
	semantic.Last, semantic.Maximum, semantic.MinimumNotZero, semantic.Random, semantic.RandomNotZero,
	semantic.Average, semantic.AverageNotZero, semantic.MostTime,
}

func readDrawMode(s string) (semantic.DrawMode, error) {
	for _, m := range semantic.DrawModes {
		if m.Cfg == s {
			return m.Mode, nil
		}
	}
	if n, err := strconv.Atoi(s); err == nil && n >= 0 && n < len(oldDrawModes) {
		return oldDrawModes[n], nil
	}
	return 0, fmt.Errorf("unknown draw mode %q", short(s))
}

// readPalette reads "{value:r,g,b},{value:r,g,b}".
func readPalette(s string) (list []PaletteEntry, err error) {
	for _, part := range strings.Split(s, "}") {
		part = strings.Trim(part, " ,{")
		if part == "" {
			continue
		}
		value, rgb, ok := strings.Cut(part, ":")
		var e PaletteEntry
		var c [3]uint8
		if ok {
			e.Value, err = readFloat(strings.TrimSpace(value))
		}
		fields := strings.Split(rgb, ",")
		if !ok || err != nil || len(fields) != 3 {
			return nil, fmt.Errorf("%q is no colour of a value", short(part))
		}
		for i, f := range fields {
			n, err := strconv.ParseUint(strings.TrimSpace(f), 10, 8)
			if err != nil {
				return nil, fmt.Errorf("%q is no part of a colour", short(f))
			}
			c[i] = uint8(n)
		}
		e.Color = prv.RGB{R: c[0], G: c[1], B: c[2]}
		list = append(list, e)
	}
	return list, nil
}

// number spells a number so that it reads back the same.
func number(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }

func numbers(list []float64) string {
	s := make([]string, len(list))
	for i, v := range list {
		s[i] = number(v)
	}
	return strings.Join(s, " ")
}
