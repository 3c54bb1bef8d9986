package frameworks

import (
	"math"
	"strconv"
	"strings"

	"pview/prv"
	"pview/prv/quantity"
)

// short is a time in the unit that reads best.
func short(ns float64) string { return quantity.FormatDuration(int64(math.Round(ns)), prv.Nanoseconds) }

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
