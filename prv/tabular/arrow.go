package tabular

import (
	"io"
	"strings"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/arrow/memory"
)

// arrowSink writes an Arrow IPC file (Feather V2) without compression: any reader can map it.
type arrowSink struct {
	columns []column
	build   *array.RecordBuilder
	out     *ipc.FileWriter
}

// keptOpen hides a file's Close and Seek from writers.
type keptOpen struct{ io.Writer }

func newArrow(w io.Writer, columns []column) (sink, error) {
	var fields []arrow.Field
	for _, c := range columns {
		fields = append(fields, arrow.Field{Name: c.name,
			Type: [...]arrow.DataType{whole: arrow.PrimitiveTypes.Int64, small: arrow.PrimitiveTypes.Int32,
				text: arrow.BinaryTypes.String, real: arrow.PrimitiveTypes.Float64}[c.kind]})
	}
	schema := arrow.NewSchema(fields, nil)
	out, err := ipc.NewFileWriter(keptOpen{w}, ipc.WithSchema(schema))
	if err != nil {
		return nil, err
	}
	return &arrowSink{columns, array.NewRecordBuilder(memory.DefaultAllocator, schema), out}, nil
}

func (s *arrowSink) write(b *batch) error {
	for i, c := range s.columns {
		switch f := s.build.Field(i).(type) {
		case *array.Int64Builder:
			f.AppendValues(b.whole[i], nil)
		case *array.Int32Builder:
			f.AppendValues(b.small[i], nil)
		case *array.Float64Builder:
			f.AppendValues(b.real[i], nil)
		case *array.StringBuilder:
			for _, v := range b.text[i] {
				f.Append(strings.ToValidUTF8(v, "\ufffd"))
			}
		default:
			panic(c.name)
		}
	}
	record := s.build.NewRecordBatch()
	defer record.Release()
	return s.out.Write(record)
}

func (s *arrowSink) close() error {
	s.build.Release()
	return s.out.Close()
}
