package command

// Listings: results with too many rows to hold, written row by row.

import (
	"bufio"
	"encoding/json"
	"io"
	"math"
	"strconv"
	"strings"
)

// Listing is a result for programs.
type Listing struct {
	Keys []string
	// Decimals of numbers; negative: as many as needed.
	Decimals int
	// Rows calls yield for each row; it stops at its error, or has one of its own. yield
	// does not keep the cells.
	Rows func(yield func(cells []Datum) error) error
}

// Datum is one cell: a text or a number.
type Datum struct {
	text     string
	number   float64
	isNumber bool
}

func Textual(s string) Datum  { return Datum{text: s} }
func Numeric(v float64) Datum { return Datum{number: v, isNumber: true} }

// NumericOrNone is a number, or NaN where there is none.
func NumericOrNone(v float64, ok bool) Datum {
	if !ok {
		v = math.NaN()
	}
	return Numeric(v)
}

func IsFinite(v float64) bool { return !math.IsInf(v, 0) && !math.IsNaN(v) }

func needsQuotes(s string) bool { return strings.ContainsAny(s, ",\"\r\n") }

// Write writes the listing as tsv, csv or json.
func (l *Listing) Write(w io.Writer, format string) error {
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

func (l *Listing) writeLines(out *bufio.Writer, separator byte) error {
	out.WriteString(strings.Join(l.Keys, string(separator)))
	out.WriteByte('\n')
	var line []byte
	return l.Rows(func(cells []Datum) error {
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
func (l *Listing) appendNumber(to []byte, v float64) []byte {
	if math.IsNaN(v) {
		return append(to, "nan"...)
	}
	return strconv.AppendFloat(to, v, 'f', l.Decimals, 64)
}

// writeJSON writes a list of objects; a number that is none is null.
func (l *Listing) writeJSON(out *bufio.Writer) error {
	keys := make([]string, len(l.Keys))
	for i, key := range l.Keys {
		quoted, err := json.Marshal(key)
		if err != nil {
			return err
		}
		keys[i] = string(quoted) + ": "
	}
	out.WriteByte('[')
	first := true
	var line []byte
	err := l.Rows(func(cells []Datum) error {
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
			case c.isNumber && IsFinite(c.number):
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

// oneCell keeps text from breaking a line of tab-separated fields.
var oneCell = strings.NewReplacer("\t", " ", "\n", " ", "\r", " ")
