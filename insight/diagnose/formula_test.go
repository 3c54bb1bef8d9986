package diagnose

import (
	"math"
	"testing"
)

// Checks 18 to 20 of projections.md: the number of parts of a message, and what they save.
func TestSplit(t *testing.T) {
	for _, c := range []struct {
		bytes, before, after, send, receive float64
		parts                               int
		saving                              float64
	}{
		{84, 100, 60, 4, 9, 6, 100}, // (12 - 2)^2, the square roots of 144 and 4
		{84, 60, 100, 4, 9, 4, 81},  // (12 - 3)^2
		{40, 100, 60, 7, 9, 4, 54},  // sqrt(100/7) = 3.78: 100 x 2/3 - 14 = 52.67, 100 x 3/4 - 21 = 54
		{1, 100, 2, 4, 9, 1, 0},     // sqrt(3/4) < 1
		{84, 60, 60, 4, 9, 4, 81},   // as much before as after: the smaller of the two savings
	} {
		if k, s := split(c.bytes, c.before, c.after, c.send, c.receive); k != c.parts || math.Abs(s-c.saving) > 1e-9 {
			t.Errorf("%+v: %d parts save %f", c, k, s)
		}
	}
}
