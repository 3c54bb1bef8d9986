package frameworks

import (
	"math"
	"strings"

	"pview/prv"
	"pview/prv/quantity"
)

// short is a time in ns, written in the unit that reads best or that the user chose.
type short float64

// String writes the time.
func (s short) String() string {
	return quantity.FormatDuration(int64(math.Round(float64(s))), prv.Nanoseconds)
}

// list joins adjacent cells.
func list(words []string) string { return strings.Join(words, " | ") }
