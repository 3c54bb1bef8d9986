package cli

// Listings: results with too many rows to hold, written row by row.

import (
	"bufio"
	"encoding/json"
	"io"
	"math"
	"strconv"
	"strings"
)

// listing is a result for programs.
type listing struct {
	keys []string
	// decimals of numbers; negative: as many as needed.
	decimals int
	// rows calls yield for each row; it stops at its error, or has one of its own. yield
	// does not keep the cells.
	rows func(yield func(cells []datum) error) error
}

// datum is one cell: a text or a number.
type datum struct {
	text     string
	number   float64
	isNumber bool
}

func textual(s string) datum  { return datum{text: s} }
func numeric(v float64) datum { return datum{number: v, isNumber: true} }

// numericOrNone is a number, or NaN where there is none.
func numericOrNone(v float64, ok bool) datum {
	if !ok {
		v = math.NaN()
	}
	return numeric(v)
}

func isFinite(v float64) bool { return !math.IsInf(v, 0) && !math.IsNaN(v) }

func needsQuotes(s string) bool { return strings.ContainsAny(s, ",\"\r\n") }

// write writes the listing as tsv, csv or json.
func (l *listing) write(w io.Writer, format string) error {
	out := bufio.NewWriterSize(w, 64<<10)
	var err error
	switch format {
	case "json":
		err = l.writeJSON(out)
	case "csv":
		err = l.writeLines(out, ',')
	default:
		err = l.writeLines(out, '\t')
	}
	if err != nil {
		return err
	}
	return out.Flush()
}

func (l *listing) writeLines(out *bufio.Writer, separator byte) error {
	out.WriteString(strings.Join(l.keys, string(separator)))
	out.WriteByte('\n')
	var line []byte
	return l.rows(func(cells []datum) error {
		line = line[:0]
		for i, c := range cells {
			if i > 0 {
				line = append(line, separator)
			}
			switch {
			case c.isNumber:
				line = l.appendNumber(line, c.number)
			case separator == ',' && needsQuotes(c.text):
				line = append(append(append(line, '"'), strings.ReplaceAll(c.text, `"`, `""`)...), '"')
			case separator == ',':
				line = append(line, c.text...)
			default:
				line = append(line, oneCell.Replace(c.text)...)
			}
		}
		_, err := out.Write(append(line, '\n'))
		return err
	})
}

// appendNumber writes a number as Paraver does, "nan" where there is none.
func (l *listing) appendNumber(to []byte, v float64) []byte {
	if math.IsNaN(v) {
		return append(to, "nan"...)
	}
	return strconv.AppendFloat(to, v, 'f', l.decimals, 64)
}

// writeJSON writes a list of objects; a number that is none is null.
func (l *listing) writeJSON(out *bufio.Writer) error {
	keys := make([]string, len(l.keys))
	for i, key := range l.keys {
		quoted, err := json.Marshal(key)
		if err != nil {
			return err
		}
		keys[i] = string(quoted) + ": "
	}
	out.WriteByte('[')
	first := true
	var line []byte
	err := l.rows(func(cells []datum) error {
		line = append(line[:0], ",\n  {"...)
		if first {
			line = append(line[:0], "\n  {"...)
		}
		first = false
		for i, c := range cells {
			if i > 0 {
				line = append(line, ", "...)
			}
			line = append(line, keys[i]...)
			switch {
			case c.isNumber && isFinite(c.number):
				line = l.appendNumber(line, c.number)
			case c.isNumber:
				line = append(line, "null"...)
			default:
				quoted, err := json.Marshal(c.text)
				if err != nil {
					return err
				}
				line = append(line, quoted...)
			}
		}
		_, err := out.Write(append(line, '}'))
		return err
	})
	if !first {
		out.WriteByte('\n')
	}
	out.WriteByte(']')
	return err
}
