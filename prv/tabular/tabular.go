// Package tabular writes a trace as tables for other programs: Parquet and Arrow files of threads, states, events,
// calls and messages, with times in ns, task and thread numbers as in the .prv, and labels of the .pcf beside the
// numbers. docs/data.md describes the columns and their use.
//
// Tables are written batch by batch: memory does not grow with the trace.
package tabular

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"slices"

	"pview/prv"
	"pview/prv/calls"
)

// Format is a kind of file.
type Format struct {
	Ext string
	new func(w io.Writer, columns []column) (sink, error)
}

// The kinds of files.
var (
	Parquet = &Format{".parquet", newParquet}
	Arrow   = &Format{".arrow", newArrow}
)

var formats = []*Format{Parquet, Arrow}

// kind is the type of a column.
type kind uint8

const (
	whole kind = iota // int64
	small             // int32
	text
	real // float64, NaN if there is none
)

// column is a column of a table.
type column struct {
	name string
	kind kind
}

// batch has some rows of a table, by column; a column uses the list of its kind.
type batch struct {
	whole [][]int64
	small [][]int32
	text  [][]string
	real  [][]float64
	rows  int
}

// sink takes the batches of a table.
type sink interface {
	write(b *batch) error
	close() error
}

// rowsPerBatch is the size of a row group of a Parquet file, or of a record batch of an Arrow file.
const rowsPerBatch = 1 << 18

// table is a file.
type table struct {
	name    string
	columns []column
	fill    func(t *prv.Trace, out *rows) error
}

// rows collects the rows of a table; add takes the values of a row, in the order of the columns.
type rows struct {
	ctx     context.Context
	columns []column
	to      sink
	b       batch
}

func (r *rows) init() {
	n := len(r.columns)
	r.b = batch{whole: make([][]int64, n), small: make([][]int32, n), text: make([][]string, n),
		real: make([][]float64, n)}
}

func (r *rows) int(i int, v int64)    { r.b.whole[i] = append(r.b.whole[i], v) }
func (r *rows) id(i int, v int32)     { r.b.small[i] = append(r.b.small[i], v) }
func (r *rows) text(i int, v string)  { r.b.text[i] = append(r.b.text[i], v) }
func (r *rows) real(i int, v float64) { r.b.real[i] = append(r.b.real[i], v) }

// next ends a row.
func (r *rows) next() error {
	if r.b.rows++; r.b.rows < rowsPerBatch {
		return nil
	}
	return r.flush()
}

func (r *rows) flush() error {
	if err := r.ctx.Err(); err != nil || r.b.rows == 0 {
		return err
	}
	err := r.to.write(&r.b)
	for i := range r.columns {
		r.b.whole[i], r.b.small[i], r.b.text[i], r.b.real[i] = r.b.whole[i][:0], r.b.small[i][:0], r.b.text[i][:0],
			r.b.real[i][:0]
	}
	r.b.rows = 0
	return err
}

// object adds the numbers of a thread to three columns.
func (r *rows) object(i int, t *prv.Trace, thread int32) {
	ptask, task, own := t.ThreadID(thread)
	r.id(i, int32(ptask))
	r.id(i+1, int32(task))
	r.id(i+2, int32(own))
}

var tables = []table{
	{"threads", []column{{"ptask", small}, {"task", small}, {"thread", small}, {"node", small}, {"cpu", small},
		{"name", text}}, func(t *prv.Trace, out *rows) error {
		for i := range t.Threads {
			out.object(0, t, int32(i))
			out.id(3, t.ThreadNode(int32(i))+1)
			out.id(4, t.Threads[i].CPU)
			out.text(5, t.Name(prv.LevelThread, i))
			if err := out.next(); err != nil {
				return err
			}
		}
		return nil
	}},
	{"states", []column{{"ptask", small}, {"task", small}, {"thread", small}, {"begin", whole}, {"end", whole},
		{"state", whole}, {"label", text}}, func(t *prv.Trace, out *rows) error {
		unit := t.Unit.Nanoseconds()
		for i := range t.Threads {
			s := &t.Threads[i].States
			for k := range s.Begin {
				end := s.Until(k, t.Duration)
				out.object(0, t, int32(i))
				out.int(3, s.Begin[k]*unit)
				out.int(4, end*unit)
				out.int(5, int64(s.Value[k]))
				out.text(6, t.Labels.StateName(int64(s.Value[k])))
				if err := out.next(); err != nil {
					return err
				}
			}
		}
		return nil
	}},
	{"events", []column{{"ptask", small}, {"task", small}, {"thread", small}, {"time", whole}, {"type", whole},
		{"value", whole}, {"type_label", text}, {"label", text}}, func(t *prv.Trace, out *rows) error {
		unit := t.Unit.Nanoseconds()
		for i := range t.Threads {
			e := &t.Threads[i].Events
			for k, typ := range e.Type {
				out.object(0, t, int32(i))
				out.int(3, e.Time[k]*unit)
				out.int(4, int64(typ))
				out.int(5, e.Value.At(k))
				out.text(6, t.Labels.TypeName(typ))
				label := ""
				if about, ok := t.Labels.Type(typ); ok {
					label, _ = about.ValueLabel(e.Value.At(k))
				}
				out.text(7, label)
				if err := out.next(); err != nil {
					return err
				}
			}
		}
		return nil
	}},
	{"calls", []column{{"ptask", small}, {"task", small}, {"thread", small}, {"begin", whole}, {"end", whole},
		{"type", whole}, {"value", whole}, {"depth", small}, {"family", text}, {"label", text}},
		func(t *prv.Trace, out *rows) error {
			types, unit := calls.TypesOf(t.Labels), t.Unit.Nanoseconds()
			for i := range t.Threads {
				err := types.Each(t, i, nil, func(c calls.Call) error {
					out.object(0, t, int32(i))
					out.int(3, c.Begin*unit)
					out.int(4, c.End*unit)
					out.int(5, int64(c.Type))
					out.int(6, c.Value)
					out.id(7, int32(c.Depth))
					out.text(8, calls.Families[c.Family].Name)
					out.text(9, t.Labels.ValueName(c.Type, c.Value))
					return out.next()
				})
				if err != nil {
					return err
				}
			}
			return nil
		}},
	{"messages", []column{{"send_ptask", small}, {"send_task", small}, {"send_thread", small}, {"receive_ptask", small},
		{"receive_task", small}, {"receive_thread", small},
		{"logical_send", whole}, {"physical_send", whole}, {"logical_receive", whole}, {"physical_receive", whole},
		{"size", whole}, {"tag", whole}}, func(t *prv.Trace, out *rows) error {
		unit := t.Unit.Nanoseconds()
		for i := range t.Comms.Send {
			out.object(0, t, t.Comms.Send[i])
			out.object(3, t, t.Comms.Recv[i])
			for role := range t.Comms.Times {
				out.int(6+role, t.Comms.Times[role][i]*unit)
			}
			out.int(10, t.Comms.Size[i])
			out.int(11, t.Comms.Tag[i])
			if err := out.next(); err != nil {
				return err
			}
		}
		return nil
	}},
}

// Save writes the tables of a trace into a folder, one file each. The folder appears when it is complete. An older
// folder is replaced if it holds only such tables; anything else at its place is left alone, with an error.
func (f *Format) Save(ctx context.Context, dir string, t *prv.Trace) error {
	owned := func(file string) bool {
		return slices.ContainsFunc(tables, func(t table) bool { return file == t.name+f.Ext })
	}
	return prv.SaveFolder(ctx, dir, owned, func(draft string) error {
		for i := range tables {
			if err := tables[i].save(ctx, filepath.Join(draft, tables[i].name+f.Ext), f, t); err != nil {
				return err
			}
		}
		return nil
	})
}

func (t *table) save(ctx context.Context, path string, f *Format, tr *prv.Trace) (err error) {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	defer func() {
		if e := file.Close(); err == nil {
			err = e
		}
	}()
	if err := write(ctx, file, f, t.columns, func(r *rows) error { return t.fill(tr, r) }); err != nil {
		return err
	}
	return file.Sync()
}

// write writes the rows that fill adds.
func write(ctx context.Context, w io.Writer, f *Format, columns []column, fill func(r *rows) error) error {
	to, err := f.new(w, columns)
	if err != nil {
		return err
	}
	r := &rows{ctx: ctx, columns: columns, to: to}
	r.init()
	if err = fill(r); err == nil {
		err = r.flush()
	}
	if e := to.close(); err == nil {
		err = e
	}
	return err
}
