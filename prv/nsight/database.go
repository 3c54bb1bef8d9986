package nsight

// The database: whose it is, and its values.

import (
	"math"
	"strconv"
	"strings"

	"pview/prv/nsight/sqlite"
)

type value = sqlite.Value

// marks are tables of which an export has one at least.
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
	if n, ok := v.Integer(); ok {
		return n, true
	}
	return converted(v)
}

// converted returns the whole number of a value of another type.
func converted(v value) (int64, bool) {
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
