package frameworks

// The simulator against the models, of which it is independent.

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"pview/insight/frameworks/role"
)

// inNS turns the ms of the thesis into the simulator's ns.
func (f Farm) inNS() *Farm {
	f.M0, f.PerByte, f.Compute, f.Master = f.M0*1e6, f.PerByte*1e6, f.Compute*1e6, f.Master*1e6
	return &f
}

func (p Pipeline) inNS() *Pipeline {
	p.M0, p.PerByte = p.M0*1e6, p.PerByte*1e6
	stages := p.Stages
	p.Stages = nil
	for _, s := range stages {
		s.Compute *= 1e6
		s.Replicas = slices.Clone(s.Replicas)
		for k := range s.Replicas {
			s.Replicas[k] *= 1e6
		}
		p.Stages = append(p.Stages, s)
	}
	return &p
}

func simulate(t *testing.T, f *Farm, n int) float64 {
	t.Helper()
	s, err := f.inNS().Simulate(context.Background(), n, false)
	if err != nil {
		t.Fatal(err)
	}
	return s.Time / 1e6
}

func TestCheck08Simulator(t *testing.T) {
	near(t, "(8)", simulate(t, farm6(role.Async), 3), 22)
	near(t, "(9)", simulate(t, farm6(role.Sync), 3), 23)
	small := farm6(role.Async)
	small.Volume = 100
	near(t, "(7)", simulate(t, small, 3), 13.3333) // 4*0.5 + (30+1)/3 + 1
	near(t, "(7)", small.Time(3), 13.3333)
}

func TestCheck19Simulator(t *testing.T) {
	p := line(ms(1, 0.001, role.Async), 2000, 10, 30, 20, 5).inNS()
	s, whole, err := p.Simulate(context.Background(), 10, false)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "10 items", whole/1e6, 353)
	near(t, "an item", s.Time/1e6, 31)
	p.Protocol = role.Sync
	if s, _, err = p.Simulate(context.Background(), 20, false); err != nil {
		t.Fatal(err)
	}
	near(t, "an item, sync", s.Time/1e6, 33)
}

// A replica of stage 3 takes 200 + 2*2.131 ms for an item, and its manager then needs 2.131 ms to send the next one,
// which travels for 0.963 ms: (204.262 + 3.094)/2 = 103.678 ms, between the overlapped pace of the model (102.131) and
// the printed sum (105.225).
func TestCheck21Simulator(t *testing.T) {
	p := line(ms(2.131, 9.4e-5, role.Async), 10240, 100, 400, 300, 200, 100)
	q := p.with(p.replicate(9))
	s, _, err := q.inNS().Simulate(context.Background(), 48, false)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "pace", s.Time/1e6, 103.678)
	_, low := q.Slowest(Overlap)
	_, high := q.Slowest(Additive)
	near(t, "overlap", low, 102.131)
	near(t, "additive", high, 105.225)
}

func TestCheck28Simulator(t *testing.T) {
	f := &Farm{Link: ms(1, 0.001, role.Async), Volume: 2000, Given: 0.5, Compute: 142}
	for n, want := range map[int]float64{7: 28.571, 12: 25} {
		near(t, fmt.Sprint(n, " workers"), simulate(t, f, n), want)
		near(t, "(7)", f.Time(n), want)
	}
}
