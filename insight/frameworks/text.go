package frameworks

import (
	"math"
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

// list joins what stands side by side.
func list(words []string) string { return strings.Join(words, " | ") }
