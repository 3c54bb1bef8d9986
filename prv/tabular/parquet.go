package tabular

import (
	"io"
	"reflect"
	"strconv"
	"strings"

	"github.com/parquet-go/parquet-go"
)

// parquetSink writes a Parquet file: a row group per batch, in Zstandard, with dictionaries of the labels.
type parquetSink struct {
	columns []column
	out     *parquet.GenericWriter[any]
	rows    []parquet.Row
}

// goTypes are the types of a column's values, which the library makes the schema of.
var goTypes = [...]reflect.Type{whole: reflect.TypeFor[int64](), small: reflect.TypeFor[int32](),
	text: reflect.TypeFor[string](), real: reflect.TypeFor[float64]()}

func newParquet(w io.Writer, columns []column) (sink, error) {
	var fields []reflect.StructField
	for _, c := range columns {
		tag := c.name
		if c.kind == text {
			tag += ",dict"
		}
		fields = append(fields, reflect.StructField{Name: fieldName(len(fields)), Type: goTypes[c.kind],
			Tag: reflect.StructTag(`parquet:"` + tag + `"`)})
	}
	schema := parquet.SchemaOf(reflect.New(reflect.StructOf(fields)).Interface())
	out := parquet.NewGenericWriter[any](w, schema, parquet.Compression(&parquet.Zstd),
		parquet.MaxRowsPerRowGroup(rowsPerBatch), parquet.CreatedBy("pview", "", ""))
	return &parquetSink{columns: columns, out: out}, nil
}

// fieldName is the name of the n-th field of a Go struct; that of the column is in its tag.
func fieldName(n int) string { return "F" + strconv.Itoa(n) }

// rowsAtOnce is how many rows are made before they are written: the library copies them.
const rowsAtOnce = 1024

func (s *parquetSink) write(b *batch) error {
	if s.rows == nil {
		values := make([]parquet.Value, rowsAtOnce*len(s.columns))
		for i := range rowsAtOnce {
			s.rows = append(s.rows, values[i*len(s.columns):(i+1)*len(s.columns)])
		}
	}
	for from := 0; from < b.rows; from += rowsAtOnce {
		n := min(rowsAtOnce, b.rows-from)
		for i, c := range s.columns {
			for k := range n {
				s.rows[k][i] = valueOf(b, c.kind, i, from+k).Level(0, 0, i)
			}
		}
		if _, err := s.out.WriteRows(s.rows[:n]); err != nil {
			return err
		}
	}
	return nil
}

func valueOf(b *batch, k kind, column, row int) parquet.Value {
	switch k {
	case whole:
		return parquet.Int64Value(b.whole[column][row])
	case small:
		return parquet.Int32Value(b.small[column][row])
	case real:
		return parquet.DoubleValue(b.real[column][row])
	}
	return parquet.ByteArrayValue([]byte(strings.ToValidUTF8(b.text[column][row], "\ufffd")))
}

func (s *parquetSink) close() error { return s.out.Close() }
