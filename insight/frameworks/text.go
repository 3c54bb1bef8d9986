package frameworks

import (
	"math"
	"strconv"
	"strings"

	"pview/prv"
	"pview/prv/quantity"
)

// short is a time in ns, written in the unit that reads best or is in use when it is read.
type short float64

// String writes the time.
func (s short) String() string {
	return quantity.FormatDuration(int64(math.Round(float64(s))), prv.Nanoseconds)
}

// ranges writes tasks as in Paraver: 2-5,7.
func ranges(tasks []int32, first int32) string {
	var words []string
	for i := 0; i < len(tasks); {
		k := i
		for k+1 < len(tasks) && tasks[k+1] == tasks[k]+1 {
			k++
		}
		word := strconv.Itoa(int(tasks[i]-first) + 1)
		if k > i {
			word += "-" + strconv.Itoa(int(tasks[k]-first)+1)
		}
		words = append(words, word)
		i = k + 1
	}
	return strings.Join(words, ",")
}

// list joins what stands side by side.
func list(words []string) string { return strings.Join(words, " | ") }
