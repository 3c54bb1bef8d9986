package efficiency

import (
	"strings"
	"testing"

	"pview/insight/efficiency"
)

// TestUsefulGroups: three processes of two threads in 6, 4 and 2 lines.
func TestUsefulGroups(t *testing.T) {
	run := &efficiency.Run{Processes: 3, Threads: 6, First: []int{0, 2, 4}, Useful: make([]int64, 6)}
	for lines, want := range map[int]string{6: "1.1 1.2 2.1 2.2 3.1 3.2", 4: "1 2 3", 2: "1..2 3"} {
		var names []string
		threads := 0
		for _, g := range usefulGroups(run, lines) {
			names = append(names, g.name)
			threads += g.to - g.from
		}
		if got := strings.Join(names, " "); got != want || threads != 6 {
			t.Errorf("%d lines: %s of %d threads", lines, got, threads)
		}
	}
}
