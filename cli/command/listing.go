package command

// Listings: results with too many rows to hold, written row by row.

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"io"
	"math"
	"runtime"
	"strings"

	"pview/prv/parallel"
	"pview/prv/quantity"
	"pview/render/document"
)

// Listing is a result for programs.
type Listing struct {
	Keys []string
	// Decimals of numbers; negative: as many as needed.
	Decimals int
	// Rows calls yield for each row of a part, from 0; it returns yield's error or its own. yield does not keep the
	// cells. Parts are made in parallel; 0 means 1.
	Parts int
	Rows  func(part int, yield func(cells []Datum) error) error
}

// Datum is one cell: a text or a number.
type Datum struct {
	text     string
	number   float64
	isNumber bool
}

func Textual(s string) Datum  { return Datum{text: s} }
func Numeric(v float64) Datum { return Datum{number: v, isNumber: true} }

// NumericOrNone returns a number, or NaN if there is none.
func NumericOrNone(v float64, ok bool) Datum {
	if !ok {
		v = math.NaN()
	}
	return Numeric(v)
}

func IsFinite(v float64) bool { return !math.IsInf(v, 0) && !math.IsNaN(v) }

func needsQuotes(s string) bool { return strings.ContainsAny(s, ",\"\r\n") }

// Write writes the listing as tsv, csv, sheet or json.
func (l *Listing) Write(w io.Writer, format string) error {
	out := bufio.NewWriterSize(w, 64<<10)
	var err error
	switch format {
	case "json":
		err = l.writeJSON(out)
	case "csv":
		err = l.writeLines(out, ',', nil)
	case "sheet":
		err = l.writeLines(out, ',', document.SheetCell)
	default:
		err = l.writeLines(out, '\t', nil)
	}
	if err != nil {
		return err
	}
	return out.Flush()
}

// writeLines writes a line of cells per row; safe changes texts, unless it is nil.
func (l *Listing) writeLines(out *bufio.Writer, separator byte, safe func(string) string) error {
	out.WriteString(strings.Join(l.Keys, string(separator)))
	out.WriteByte('\n')
	return l.write(out, func(line []byte, cells []Datum) ([]byte, error) {
		for i, c := range cells {
			if i > 0 {
				line = append(line, separator)
			}
			if safe != nil && !c.isNumber {
				c.text = safe(c.text)
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
		return append(line, '\n'), nil
	})
}

// write writes the rows as formatted by add.
func (l *Listing) write(out io.Writer, add func(text []byte, cells []Datum) ([]byte, error)) error {
	return WriteParts(context.Background(), out, max(l.Parts, 1), func(i int, p *parallel.Part) error {
		return l.Rows(i, func(cells []Datum) (err error) {
			if p.Text, err = add(p.Text, cells); err != nil {
				return err
			}
			return p.Pass()
		})
	})
}

// WriteParts writes the texts of parts, which print makes in parallel.
func WriteParts(ctx context.Context, w io.Writer, parts int, print func(i int, p *parallel.Part) error) error {
	o, texts := parallel.NewOrdered(w, parts), make([][]byte, runtime.GOMAXPROCS(0))
	err := parallel.Each(ctx, parts, len(texts), func(worker, i int) error {
		p := o.Begin(i, texts[worker])
		defer func() { texts[worker] = p.End() }()
		return print(i, p)
	})
	return cmp.Or(err, o.Err())
}

// appendNumber writes a number as Paraver does, "nan" if there is none.
func (l *Listing) appendNumber(to []byte, v float64) []byte {
	if math.IsNaN(v) {
		return append(to, "nan"...)
	}
	return quantity.AppendFixed(to, v, l.Decimals)
}

// writeJSON writes a list of objects; NaN becomes null.
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
	list := &listWriter{w: out}
	err := l.write(list, func(line []byte, cells []Datum) ([]byte, error) {
		line = append(line, ",\n  {"...)
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
					return nil, err
				}
				line = append(line, quoted...)
			}
		}
		return append(line, '}'), nil
	})
	if list.begun {
		out.WriteByte('\n')
	}
	out.WriteByte(']')
	return err
}

// listWriter writes commas between the elements of a list.
type listWriter struct {
	w     io.Writer
	begun bool
}

func (l *listWriter) Write(b []byte) (int, error) {
	if l.begun {
		return l.w.Write(b)
	}
	l.begun = true
	n, err := l.w.Write(b[1:])
	return n + 1, err
}

// oneCell keeps text from breaking a line of tab-separated fields.
var oneCell = strings.NewReplacer("\t", " ", "\n", " ", "\r", " ")
