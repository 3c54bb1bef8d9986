package figure

import (
	"math/rand/v2"
	"testing"

	"pview/prv/quantity"
)

// Figures of 10,000 runs are made on the goroutine of the viewer.
func BenchmarkFigures(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 2))
	columns := []Column{{Name: "total", Kind: quantity.Time}, {Name: "latency", Kind: quantity.Time},
		{Name: "bandwidth"}}
	for i := range columns {
		for range 10000 {
			columns[i].Values = append(columns[i].Values, 1e9*rng.Float64())
		}
	}
	for name, figure := range map[string]func() *Figure{
		"scatter":      func() *Figure { return Scatter(columns[1], columns[0]) },
		"histogram":    func() *Figure { return Histogram(columns[0]) },
		"distribution": func() *Figure { return Distribution(columns[0]) },
		"mean":         func() *Figure { return RunningMean(columns[0]) },
		"influence":    func() *Figure { return Influence(columns[0], columns[1:]) },
	} {
		b.Run(name, func(b *testing.B) {
			for range b.N {
				figure()
			}
		})
	}
}
