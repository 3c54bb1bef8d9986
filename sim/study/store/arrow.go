package store

// The rows of a study as Arrow records.

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"pview/prv"
	"pview/prv/decode"
	"pview/sim/study"
)

// Columns of a table around the inputs and outputs.
var (
	before = []arrow.Field{{Name: "study", Type: arrow.BinaryTypes.String},
		{Name: "index", Type: arrow.PrimitiveTypes.Int64}, {Name: "seed", Type: arrow.PrimitiveTypes.Int64}}
	after = []arrow.Field{{Name: "redraws", Type: arrow.PrimitiveTypes.Int64}, {Name: "status",
		Type: arrow.BinaryTypes.String}, {Name: "reason", Type: arrow.BinaryTypes.String, Nullable: true}}
	where = []arrow.Field{{Name: "host", Type: arrow.BinaryTypes.String},
		{Name: "wall_ns", Type: arrow.PrimitiveTypes.Int64}}
)

// schemaOf returns the schema of the rows of a study; withHosts: including the columns that differ between executions.
func schemaOf(info Info, withHosts bool) *arrow.Schema {
	fields := slices.Clone(before)
	for i, list := range [][]study.Column{info.Inputs, info.Outputs} {
		for _, c := range list {
			f := arrow.Field{Name: c.Name, Type: arrow.PrimitiveTypes.Float64, Nullable: true,
				Metadata: arrow.NewMetadata([]string{"role", "unit"}, []string{[]string{"input", "output"}[i], c.Unit})}
			if c.Levels != nil {
				f.Type = arrow.BinaryTypes.String
			}
			fields = append(fields, f)
		}
	}
	fields = append(fields, after...)
	if withHosts {
		fields = append(fields, where...)
	}
	meta := arrow.NewMetadata([]string{"pview.kind", "pview.key"}, []string{info.Kind, info.Key})
	return arrow.NewSchema(fields, &meta)
}

// builder makes records of rows.
type builder struct {
	info  Info
	hosts bool
	build *array.RecordBuilder
}

func newBuilder(info Info, hosts bool) *builder {
	return &builder{info, hosts, array.NewRecordBuilder(memory.DefaultAllocator, schemaOf(info, hosts))}
}

// add appends a row.
func (b *builder) add(r *study.Row) {
	next := 0
	field := func() array.Builder {
		next++
		return b.build.Field(next - 1)
	}
	text := func(s string) { field().(*array.StringBuilder).Append(prv.UTF8(s)) }
	whole := func(n int64) { field().(*array.Int64Builder).Append(n) }
	cell := func(c *study.Column, values []float64, i int) {
		f := field()
		switch {
		case i >= len(values) || math.IsNaN(values[i]):
			f.AppendNull()
		case c.Levels != nil:
			f.(*array.StringBuilder).Append(c.Text(values[i]))
		default:
			f.(*array.Float64Builder).Append(values[i])
		}
	}
	text(b.info.Key)
	whole(int64(r.Index))
	whole(int64(r.Seed))
	for i := range b.info.Inputs {
		cell(&b.info.Inputs[i], r.Inputs, i)
	}
	for i := range b.info.Outputs {
		cell(&b.info.Outputs[i], r.Outputs, i)
	}
	whole(int64(r.Redraws))
	text(r.Status.String())
	text(r.Reason)
	if b.hosts {
		text(r.Host)
		whole(int64(r.Wall))
	}
}

// segment is the file of one process.
type segment struct {
	file  *os.File
	size  int64 // of the complete batches
	chunk chunk
	build *builder
	out   *ipc.Writer
}

// chunk collects arrow-go's output for a record, so that it reaches the file in one write.
type chunk struct{ b []byte }

// Write implements io.Writer.
func (c *chunk) Write(b []byte) (int, error) {
	c.b = append(c.b, b...)
	return len(b), nil
}

// mostSegments bounds the search for an unused name.
const mostSegments = 1 << 20

func newSegment(dir string, info Info) (*segment, error) {
	host, err := os.Hostname()
	if err != nil {
		host = "host"
	}
	s := &segment{build: newBuilder(info, true)}
	for n := 1; s.file == nil; n++ {
		name := filepath.Join(dir, fmt.Sprintf("runs-%s-%d-%d.arrows", host, os.Getpid(), n))
		s.file, err = os.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o666)
		if err != nil && !(errors.Is(err, fs.ErrExist) && n < mostSegments) {
			return nil, err
		}
	}
	s.out = ipc.NewWriter(&s.chunk, ipc.WithSchema(schemaOf(info, true)))
	return s, nil
}

// append writes a row. It truncates the remains of a failed write.
func (s *segment) append(r *study.Row) error {
	s.build.add(r)
	record := s.build.build.NewRecordBatch()
	defer record.Release()
	if err := s.out.Write(record); err != nil {
		return err
	}
	return s.flush()
}

func (s *segment) flush() error {
	b := s.chunk.b
	s.chunk.b = s.chunk.b[:0]
	n, err := s.file.Write(b)
	if err != nil {
		if n > 0 {
			err = errors.Join(err, s.file.Truncate(s.size))
		}
		return err
	}
	s.size += int64(n)
	return nil
}

// close ends the stream.
func (s *segment) close() error {
	err := s.out.Close()
	return errors.Join(err, s.flush(), s.file.Sync(), s.file.Close())
}

// readSegment reads the rows of a process; a truncated record ends them.
func readSegment(name string, info Info, take func(study.Row)) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	return decode.Guard(name, func() error {
		r, err := ipc.NewReader(f)
		if err != nil {
			return nil // an incomplete schema: the process ended before its first row
		}
		defer r.Release()
		if !r.Schema().Equal(schemaOf(info, true)) {
			return errForeign
		}
		for {
			record, err := r.Read()
			if err != nil { // io.EOF, or truncated
				return nil
			}
			if err := rowsOf(record, info, true, take); err != nil {
				return err
			}
		}
	})
}

var errForeign = errors.New("these are not runs of the study")

// levelsOf returns the value of each text, by column.
func levelsOf(columns []study.Column) []map[string]float64 {
	list := make([]map[string]float64, len(columns))
	for i, c := range columns {
		list[i] = map[string]float64{}
		for k, text := range c.Levels {
			list[i][text] = float64(k)
		}
	}
	return list
}

// rowsOf reads the rows of a record.
func rowsOf(record arrow.RecordBatch, info Info, hosts bool, take func(study.Row)) error {
	inputs, outputs := levelsOf(info.Inputs), levelsOf(info.Outputs)
	for i := range int(record.NumRows()) {
		next := 1 // after the study
		column := func() arrow.Array {
			next++
			return record.Column(next - 1)
		}
		text := func() string { return column().(*array.String).Value(i) }
		whole := func() int64 { return column().(*array.Int64).Value(i) }
		cells := func(levels []map[string]float64) (list []float64, known bool) {
			known = true
			for _, values := range levels {
				a, v := column(), math.NaN()
				switch a := a.(type) {
				case *array.Float64:
					if a.IsValid(i) {
						v = a.Value(i)
					}
				case *array.String:
					if a.IsValid(i) {
						var ok bool
						v, ok = values[a.Value(i)]
						known = known && ok
					}
				}
				list = append(list, v)
			}
			return list, known
		}
		r := study.Row{Index: int(whole()), Seed: uint64(whole())}
		var ok1, ok2 bool
		r.Inputs, ok1 = cells(inputs)
		r.Outputs, ok2 = cells(outputs)
		r.Redraws = int(whole())
		status := slices.Index(study.Statuses, text())
		if r.Index < 0 || r.Index >= study.MaxRuns || status < int(study.Done) || !ok1 || !ok2 {
			return errors.New("this is not a run of the study")
		}
		if r.Status = study.Status(status); r.Status != study.Done {
			r.Outputs = nil
		}
		r.Reason = text()
		if hosts {
			r.Host, r.Wall = text(), time.Duration(whole())
		}
		take(r)
	}
	return nil
}

// rowsPerRecord bounds the memory of a record of the finished table.
const rowsPerRecord = 1 << 14

// writeRuns writes the finished table.
func writeRuns(out io.Writer, info Info, rows []study.Row) error {
	b := newBuilder(info, false)
	defer b.build.Release()
	return writeFile(out, b.build, rows, b.add)
}

var hostsSchema = arrow.NewSchema(append([]arrow.Field{before[1]}, where...), nil)

// writeHosts writes where and how long each run was made.
func writeHosts(out io.Writer, rows []study.Row) error {
	b := array.NewRecordBuilder(memory.DefaultAllocator, hostsSchema)
	defer b.Release()
	return writeFile(out, b, rows, func(r *study.Row) {
		b.Field(0).(*array.Int64Builder).Append(int64(r.Index))
		b.Field(1).(*array.StringBuilder).Append(prv.UTF8(r.Host))
		b.Field(2).(*array.Int64Builder).Append(int64(r.Wall))
	})
}

func writeFile(out io.Writer, b *array.RecordBuilder, rows []study.Row, add func(*study.Row)) error {
	sealed := &sealer{to: out, sum: sha256.New()}
	w, err := ipc.NewFileWriter(struct{ io.Writer }{sealed}, ipc.WithSchema(b.Schema()))
	if err != nil {
		return err
	}
	for part := range slices.Chunk(rows, rowsPerRecord) {
		for i := range part {
			add(&part[i])
		}
		record := b.NewRecordBatch()
		err := w.Write(record)
		record.Release()
		if err != nil {
			return err
		}
	}
	if err := w.Close(); err != nil {
		return err
	}
	return sealed.close()
}

// readTable reads the finished table, if there is one.
func readTable(dir string, info Info, take func(study.Row)) error {
	hosts := map[int]study.Row{}
	err := readFile(filepath.Join(dir, hostsFile), hostsSchema, info.Sealed, func(record arrow.RecordBatch) error {
		for i := range int(record.NumRows()) {
			index := int(record.Column(0).(*array.Int64).Value(i))
			hosts[index] = study.Row{Host: record.Column(1).(*array.String).Value(i),
				Wall: time.Duration(record.Column(2).(*array.Int64).Value(i))}
		}
		return nil
	})
	if err != nil {
		return err
	}
	table := filepath.Join(dir, runsFile)
	return readFile(table, schemaOf(info, false), info.Sealed, func(record arrow.RecordBatch) error {
		return rowsOf(record, info, false, func(r study.Row) {
			h := hosts[r.Index]
			r.Host, r.Wall = h.Host, h.Wall
			take(r)
		})
	})
}

// readFile reads the records of an Arrow file; none if there is no such file.
func readFile(name string, schema *arrow.Schema, sealed bool, take func(arrow.RecordBatch) error) error {
	f, err := os.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer f.Close()
	return decode.Guard(name, func() error {
		if err := checkSeal(f, sealed); err != nil {
			return err
		}
		r, err := ipc.NewFileReader(f)
		if err != nil {
			return err
		}
		defer r.Close()
		if !r.Schema().Equal(schema) {
			return errForeign
		}
		for i := range r.NumRecords() {
			record, err := r.RecordBatch(i)
			if err == nil {
				err = take(record)
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
}
