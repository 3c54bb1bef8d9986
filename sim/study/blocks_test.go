package study_test

import (
	"context"
	"testing"

	"pview/sim"
	"pview/sim/study"
)

// TestFixedBlock: the machine gives block 1 of the program of D41 (two bursts, 4 of its 10 s) a fixed length of 3 s for
// each, so the run takes 6 + 2*3 = 12 s; twice as fast they are 1.5 s, and the run takes 6 + 2*1.5 = 9 s.
func TestFixedBlock(t *testing.T) {
	p := blocks(t)
	m := sim.IdealFor(p)
	m.Modules = []sim.Module{{Type: 40, Value: 1, Ratio: -3e9}, {Type: 40, Value: 2, Ratio: 1}}
	list, _ := study.BlocksOf(p, study.DefaultBlocks)
	gains, base, err := study.Faster(context.Background(), study.Case{Program: p, Machine: m}, list[:1], 2,
		study.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if base.Total != 12e9 || gains[0].Total != 9e9 {
		t.Errorf("%d ns as it is, %d ns faster", base.Total, gains[0].Total)
	}
}
