package study

// Measurements as a study: figures that were measured elsewhere, and what follows from them, in the same store and the
// same plots as simulated runs.

import "context"

// Measurement is a run that was made elsewhere.
type Measurement struct{ Inputs, Outputs []float64 }

// Measured is the plan of measurements: its runs are at once what they are.
func Measured(kind, title string, inputs, outputs []Column, list []Measurement) (*Plan, error) {
	p := &Plan{Kind: kind, Title: title, Inputs: inputs, Outputs: outputs,
		Design: FixedDesign(len(list), func(i int) (Draw, error) { return Draw{Inputs: list[i].Inputs}, nil }),
		Solve:  func(_ context.Context, r *Row, _ func()) ([]float64, error) { return list[r.Index].Outputs, nil },
	}
	p.Key = Key(kind, nil, inputs, outputs, list)
	return p, p.check()
}
