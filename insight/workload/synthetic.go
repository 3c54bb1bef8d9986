package workload

// A synthetic trace from a model: threads walk from cluster to cluster by the model's probabilities, and draw
// durations, counters, gaps and messages from its distributions. Statistics agree with the original's within sampling
// error; the trace contains nothing else from the program.

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"

	"pview/prv"
)

// Bounds of a model file: its sizes are claims.
const (
	maxModel        = 64 << 20 // bytes
	maxThreads      = 1 << 20
	maxModelBursts  = 1 << 28
	maxModelCluster = 1 << 12
)

// ReadModel reads a model.
func ReadModel(in io.Reader, file string) (*Model, error) {
	m := &Model{}
	if err := json.NewDecoder(io.LimitReader(in, maxModel)).Decode(m); err != nil {
		return nil, fmt.Errorf("%s: no workload model: %w", file, err)
	}
	if err := m.check(); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return m, nil
}

// check rejects models that make no trace.
func (m *Model) check() error {
	if m.Version != modelVersion {
		return fmt.Errorf("pview_workload_model is %d: must be %d", m.Version, modelVersion)
	}
	threads := 0
	for _, n := range m.Threads {
		if n < 1 || n > maxThreads || threads+n > maxThreads {
			return fmt.Errorf("threads: must be 1 ... %d in all", maxThreads)
		}
		threads += n
	}
	k := len(m.Clusters)
	switch {
	case k == 0 || k > maxModelCluster || threads == 0:
		return fmt.Errorf("needs threads, and 1 ... %d clusters", maxModelCluster)
	case len(m.First) != k || len(m.Next) != k:
		return fmt.Errorf("first and next need %d rows, as there are clusters", k)
	}
	lists := []Bins{m.Bursts, m.Start, m.Messages.Size, m.Messages.Transfer}
	for c := range m.Clusters {
		if err := m.checkCluster(c); err != nil {
			return fmt.Errorf("cluster %d: %w", c, err)
		}
		lists = append(lists, m.Clusters[c].Gap)
		for _, p := range m.Clusters[c].Parameters {
			lists = append(lists, p.Bins)
		}
	}
	for _, b := range lists {
		if err := b.check(); err != nil {
			return err
		}
	}
	if !(m.Messages.PerBurst >= 0 && m.Messages.PerBurst <= 1e6) {
		return fmt.Errorf("messages: per_burst must be 0 ... 1000000")
	}
	if n := m.Bursts.At(1); !(n*float64(threads) <= maxModelBursts) {
		return fmt.Errorf("bursts_per_thread: at most %d bursts in all", maxModelBursts)
	}
	return nil
}

func (m *Model) checkCluster(c int) error {
	q := &m.Clusters[c]
	if len(m.Next[c]) != len(m.Clusters) || len(q.Normal) != len(q.Parameters) ||
		slices.ContainsFunc(q.Normal, func(row []float64) bool { return len(row) != len(q.Parameters) }) {
		return errors.New("next and normal_correlation must be square")
	}
	if q.Count > 0 && (len(q.Parameters) == 0 || q.Parameters[0].Name != "duration") {
		return errors.New("the first parameter must be the duration")
	}
	return nil
}

func (b Bins) check() error {
	for _, w := range b {
		if !(w.Weight > 0 && w.Weight <= 1) ||
			!(w.Low >= -1e18 && w.Low <= w.Mean && w.Mean <= w.High && w.High <= 1e18) {
			return fmt.Errorf("a bin is %v: must be weight, low <= mean <= high", w)
		}
	}
	return nil
}

// synthesis makes a trace.
type synthesis struct {
	*Model
	out   *prv.Builder
	lower []*mat.TriDense
	comms []prv.Comm
}

// Synthesize makes a trace from a model; the same seed makes the same trace.
func (m *Model) Synthesize(ctx context.Context, seed uint64) (*prv.Trace, error) {
	if err := m.check(); err != nil {
		return nil, err
	}
	s := &synthesis{Model: m}
	for c := range m.Clusters {
		s.lower = append(s.lower, lowerOf(m.Clusters[c].Normal))
	}
	h := prv.Header{Unit: prv.Nanoseconds}
	h.AddPtask()
	for task, threads := range m.Threads {
		h.AddNode(threads)
		h.AddTask(threads, task)
	}
	s.out = prv.NewBuilder(h)
	n := h.NumThreads()
	for th := range n {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		s.thread(int32(th), n, rand.New(rand.NewPCG(seed, uint64(th))))
	}
	for _, c := range s.comms {
		s.out.Comm(c)
	}
	t, err := s.out.Build()
	if err != nil {
		return nil, err
	}
	t.Labels, t.Names = s.labels(), &prv.Names{}
	return t, nil
}

// lowerOf returns the matrix that makes independent normal numbers correlated; nil: they stay independent.
func lowerOf(correlation [][]float64) *mat.TriDense {
	k := len(correlation)
	if k == 0 {
		return nil
	}
	// Correlations of ranks with many ties may not be positive definite: they are weakened until they are.
	for weight := 1.0; weight > 0.01; weight *= 0.98 {
		a := mat.NewSymDense(k, nil)
		for i := range k {
			for j := range i + 1 {
				v := correlation[i][j] * weight
				if i == j {
					v = 1
				}
				a.SetSym(i, j, v)
			}
		}
		var c mat.Cholesky
		if c.Factorize(a) {
			var l mat.TriDense
			c.LTo(&l)
			return &l
		}
	}
	return nil
}

// pick draws from a list of probabilities.
func pick(p []float64, u float64) int {
	last := 0
	for i, v := range p {
		if v <= 0 {
			continue
		}
		if last = i; u < v {
			return i
		}
		u -= v
	}
	return last
}

// thread writes a thread from its first burst to its last.
func (s *synthesis) thread(th int32, n int, rng *rand.Rand) {
	cpu := th + 1
	// Counts and starts are quantiles of the original, not drawn: there are few threads.
	share := (float64(th) + 0.5) / float64(n)
	bursts := int(math.Round(s.Bursts.At(share)))
	at := int64(s.Start.At(rng.Float64()))
	cluster := pick(s.First, rng.Float64())
	owed := 0.0
	for i := range bursts {
		c := &s.Clusters[cluster]
		if len(c.Parameters) == 0 {
			break // an unreachable cluster
		}
		values := s.draw(cluster, rng)
		end := at + max(1, int64(math.Round(values[0])))
		s.out.State(th, cpu, at, end, 1)
		var pairs []prv.Pair
		for j, p := range c.Parameters[1:] {
			if p.Present >= 1 || rng.Float64() < p.Present {
				pairs = append(pairs, prv.Pair{Type: p.Type, Value: int64(math.Round(values[j+1]))})
			}
		}
		if len(pairs) > 0 {
			s.out.Event(th, cpu, end, pairs...)
		}
		for owed += s.Messages.PerBurst; owed >= 1 && n > 1; owed-- {
			s.send(th, n, end, rng)
		}
		at = end
		if i+1 < bursts {
			if at = end + int64(math.Round(c.Gap.At(rng.Float64()))); at > end {
				s.out.State(th, cpu, end, at, c.State)
			}
			cluster = pick(s.Next[cluster], rng.Float64())
		}
	}
}

// draw draws the parameters of a burst.
func (s *synthesis) draw(cluster int, rng *rand.Rand) []float64 {
	c := &s.Clusters[cluster]
	free := make([]float64, len(c.Parameters))
	for j := range free {
		free[j] = rng.NormFloat64()
	}
	out := make([]float64, len(free))
	for j := range out {
		z := free[j]
		if l := s.lower[cluster]; l != nil {
			z = 0
			for k := range j + 1 {
				z += l.At(j, k) * free[k]
			}
		}
		out[j] = c.Parameters[j].Bins.At(distuv.UnitNormal.CDF(z))
	}
	return out
}

// send adds a message.
func (s *synthesis) send(th int32, n int, at int64, rng *rand.Rand) {
	var shares []float64
	for _, o := range s.Messages.Offsets {
		shares = append(shares, o.Share)
	}
	if len(shares) == 0 {
		return
	}
	by := s.Messages.Offsets[pick(shares, rng.Float64())].By
	to := int32(((int(th)+by)%n + n) % n)
	arrival := at + int64(math.Round(s.Messages.Transfer.At(rng.Float64())))
	s.comms = append(s.comms, prv.Comm{Send: th, Recv: to, SendCPU: th + 1, RecvCPU: to + 1,
		Size: int64(math.Round(s.Messages.Size.At(rng.Float64()))),
		Times: [4]int64{prv.LogicalSend: at, prv.PhysicalSend: at, prv.LogicalRecv: arrival,
			prv.PhysicalRecv: arrival}})
}

// labels names states and counters.
func (s *synthesis) labels() *prv.Labels {
	l := &prv.Labels{}
	for _, state := range prv.DefaultStates {
		l.AddState(state.Value, state.Label)
	}
	for _, c := range s.Clusters {
		for _, p := range c.Parameters {
			if _, ok := l.Type(p.Type); !ok && p.Type > 0 {
				l.AddType(p.Type, p.Label)
			}
		}
	}
	return l
}
