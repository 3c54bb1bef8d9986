package tui

import (
	"testing"
	"time"
)

// With very many rows no step blocks the interface for more than some milliseconds: the rest runs in the background.
func BenchmarkManyRows(b *testing.B) {
	d := onTrace(&testing.T{}, 200, 60, manyThreads(20000))
	for range b.N {
		for _, keys := range [][]string{{"+", "-"}, {"j", "k"}, {"l", "h"}, {"[", "]"}, {"i", "i"}, {"x", "x"},
			{"c", "C"}, {"G", "G"}, {"O", "O"}, {"W", "W"}, {"t", "T"}} {
			var worst time.Duration
			for range 3 {
				for _, k := range keys {
					msg := keyPress(d.t, k)
					start := time.Now()
					_, cmd := d.m.Update(msg)
					d.m.View()
					worst = max(worst, time.Since(start))
					d.run(cmd)
				}
			}
			b.Logf("%v: at most %v", keys, worst)
		}
	}
}
