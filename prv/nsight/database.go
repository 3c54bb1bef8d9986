package nsight

// The database: its origin and its values.

import (
	"math"
	"strconv"
	"strings"

	"pview/prv/nsight/sqlite"
)

type value = sqlite.Value

// marks are tables; an export has at least one of them.
var marks = []string{"META_DATA_EXPORT", "CUPTI_ACTIVITY_KIND_KERNEL", "CUPTI_ACTIVITY_KIND_RUNTIME", "NVTX_EVENTS",
	"StringIds"}

func isNsight(db *sqlite.File) bool {
	for _, name := range marks {
		if db.Tables[name] != nil {
			return true
		}
	}
	return false
}

func isRocprofiler(db *sqlite.File) bool {
	for name := range db.Tables {
		if strings.HasPrefix(name, "rocpd_") {
			return true
		}
	}
	return false
}

// number returns a whole number.
func number(v value) (int64, bool) {
	if v.Kind == sqlite.Integer {
		return v.Int, true
	}
	return converted(&v)
}

// converted returns the whole number of a value of another type.
func converted(v *value) (int64, bool) {
	if x, ok := v.Real(); ok && math.Abs(x) < 1<<62 {
		return int64(x), true
	}
	if v.Kind == sqlite.Text {
		n, err := strconv.ParseInt(v.Text(), 10, 64)
		return n, err == nil
	}
	return 0, false
}

// whole returns a number, 0 if there is none.
func whole(v value) int64 {
	n, _ := number(v)
	return n
}

// byNumber maps numbers to values; numbers that count up from 0 use a slice.
type byNumber[T any] struct {
	dense []entry[T]
	rest  map[int64]T
	count int64
}

type entry[T any] struct {
	value T
	set   bool
}

func (b *byNumber[T]) get(n int64) (value T, ok bool) {
	if uint64(n) < uint64(len(b.dense)) && b.dense[n].set {
		return b.dense[n].value, true
	}
	value, ok = b.rest[n]
	return value, ok
}

// set sets the value of a number. The slice is at most four times as long as there are values, plus 1024.
func (b *byNumber[T]) set(n int64, value T) {
	if _, ok := b.get(n); !ok {
		b.count++
	}
	if n < 0 || n >= 1024+4*b.count {
		if b.rest == nil {
			b.rest = map[int64]T{}
		}
		b.rest[n] = value
		return
	}
	if more := int(n) + 1 - len(b.dense); more > 0 {
		b.dense = append(b.dense, make([]entry[T], more)...)
	}
	b.dense[n] = entry[T]{value, true}
}
