package tabular

// Tables of an analysis: columns in memory.

import (
	"context"
	"io"
	"strings"
)

// Column is a column of a frame: one of the three lists has its values.
type Column struct {
	Name string
	Int  []int64
	Real []float64 // NaN if there is none
	Text func(row int) string
}

// FormatOf returns the format of a file by its extension, nil if unknown.
func FormatOf(path string) *Format {
	for _, f := range formats {
		if strings.HasSuffix(path, f.Ext) {
			return f
		}
	}
	return nil
}

// WriteFrame writes columns of n rows as a single file.
func WriteFrame(ctx context.Context, w io.Writer, f *Format, n int, columns []Column) error {
	var list []column
	for _, c := range columns {
		kind := text
		if c.Int != nil {
			kind = whole
		} else if c.Real != nil {
			kind = real
		}
		list = append(list, column{c.Name, kind})
	}
	return write(ctx, w, f, list, func(r *rows) error {
		for row := range n {
			for i := range columns {
				switch c := &columns[i]; {
				case c.Int != nil:
					r.int(i, c.Int[row])
				case c.Real != nil:
					r.real(i, c.Real[row])
				default:
					r.text(i, c.Text(row))
				}
			}
			if err := r.next(); err != nil {
				return err
			}
		}
		return nil
	})
}
