package workload

// The model of a workload: a trace reduced to its clusters, their distributions and their order. It is small, reveals
// nothing about the program, and is enough to make a synthetic trace with the same statistics.

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"

	"pview/insight/workload/fit"
	"pview/prv"
	"pview/prv/extrae/device"
	"pview/prv/quantity"
)

// modelVersion is the version of the layout of Model.
const modelVersion = 1

// Model is a model of the bursts of a run. Times are in ns.
type Model struct {
	Version  int     `json:"pview_workload_model"`
	Source   string  `json:"source"`
	Method   string  `json:"method"`
	Duration float64 `json:"duration_ns"`
	// Threads is the number of threads of each task.
	Threads []int `json:"threads"`
	// Bursts is the distribution of the number of bursts over the threads.
	Bursts Bins `json:"bursts_per_thread"`
	// Start is the distribution of the start of a thread's first burst.
	Start Bins `json:"start_ns"`
	// Clusters[0] has the bursts without a cluster; then cluster 1, 2, ...
	Clusters []ModelCluster `json:"clusters"`
	// First is the probability that each cluster is the first of a thread, Next[a][b] the probability that b follows a.
	First    []float64     `json:"first"`
	Next     [][]float64   `json:"next"`
	Messages ModelMessages `json:"messages"`
}

// ModelCluster is a cluster.
type ModelCluster struct {
	ID         int              `json:"id"`
	Count      int              `json:"count"`
	Share      float64          `json:"share"`
	TimeShare  float64          `json:"time_share"`
	Parameters []ModelParameter `json:"parameters"`
	// Normal is the correlation of the parameters' normal scores: their ranks, mapped to a normal distribution.
	Normal [][]float64 `json:"normal_correlation"`
	// Gap is the distribution of the time until the thread's next burst, and State the state of most of that time.
	Gap   Bins   `json:"gap_ns"`
	State uint32 `json:"gap_state"`
}

// ModelParameter is a parameter: the duration, then the values of events at the end.
type ModelParameter struct {
	Name string `json:"name"`
	Type uint32 `json:"event_type,omitempty"`
	// Present is the share of the bursts with it.
	Present      float64 `json:"present"`
	Label        string  `json:"label,omitempty"`
	Mean         float64 `json:"mean"`
	Std          float64 `json:"std"`
	Min          float64 `json:"min"`
	Max          float64 `json:"max"`
	Distribution string  `json:"distribution,omitempty"`
	Distance     float64 `json:"distance"`
	Rejected     bool    `json:"rejected"`
	Bins         Bins    `json:"bins"`
}

// ModelMessages are the messages.
type ModelMessages struct {
	Count    int     `json:"count"`
	PerBurst float64 `json:"per_burst"`
	Size     Bins    `json:"size"`
	Transfer Bins    `json:"transfer_ns"`
	// Offsets are the distances from sender to receiver in threads, modulo their number, with their shares.
	Offsets []Offset `json:"offsets"`
}

// Offset is a distance of partners.
type Offset struct {
	By    int     `json:"by"`
	Share float64 `json:"share"`
}

// Bin is a part of a distribution: values from Low to High with a mean.
type Bin struct{ Weight, Low, Mean, High float64 }

// MarshalJSON writes a bin as a list of its four numbers.
func (b Bin) MarshalJSON() ([]byte, error) {
	return json.Marshal([4]float64{b.Weight, b.Low, b.Mean, b.High})
}

// UnmarshalJSON reads a bin.
func (b *Bin) UnmarshalJSON(text []byte) error {
	var v [4]float64
	if err := json.Unmarshal(text, &v); err != nil {
		return err
	}
	*b = Bin{v[0], v[1], v[2], v[3]}
	return nil
}

// Bins are a distribution by its parts, in ascending order: narrow ones at both ends, so that outliers keep their
// weight.
type Bins []Bin

// tails are the shares at which bins end.
var tails = func() (list []float64) {
	for p := 0.5; p < 1; p += 0.02 {
		list = append(list, p)
	}
	for rest := 0.01; rest > 1e-7; rest /= 2 {
		list = append(list, 1-rest)
	}
	for _, p := range slices.Clone(list[1:]) {
		list = append(list, 1-p)
	}
	slices.Sort(list)
	return append(list, 1)
}()

// binsOf divides a sample into bins.
func binsOf(values []float64) (bins Bins) {
	sorted := slices.DeleteFunc(slices.Clone(values), math.IsNaN)
	slices.Sort(sorted)
	n := len(sorted)
	from := 0
	for _, p := range tails {
		to := min(n, int(math.Ceil(p*float64(n)-1e-9)))
		if to <= from {
			continue
		}
		part := sorted[from:to]
		mean := 0.0
		for _, v := range part {
			mean += v / float64(len(part))
		}
		low, high := part[0], part[len(part)-1]
		bins = append(bins, Bin{float64(len(part)) / float64(n), low, min(max(mean, low), high), high})
		from = to
	}
	return bins
}

// At returns the value at a share of the distribution, 0 .. 1. Over uniformly distributed shares its mean equals the
// sample's: within a bin the value is low + (high-low) u^a, whose mean is low + (high-low)/(1+a).
func (b Bins) At(u float64) float64 {
	for i := range b {
		w := &b[i]
		if u > w.Weight && i+1 < len(b) {
			u -= w.Weight
			continue
		}
		if w.High <= w.Low || w.Mean <= w.Low {
			return w.Low
		}
		return w.Low + (w.High-w.Low)*math.Pow(min(u/w.Weight, 1), (w.High-w.Mean)/(w.Mean-w.Low))
	}
	return 0
}

// mostOffsets bounds the number of distances kept.
const mostOffsets = 32

// Model makes the model of a clustering of bursts.
func (r *Result) Model(ctx context.Context) (*Model, error) {
	s := r.Set
	if s.Kind.Name != "burst" {
		return nil, fmt.Errorf("a model needs bursts, not a %s", s.Kind.Name)
	}
	if s.Len() == 0 {
		return nil, fmt.Errorf("a model needs bursts: there are none")
	}
	unit := float64(s.Trace.Unit.Nanoseconds())
	m := &Model{Version: modelVersion, Source: filepath.Base(s.Trace.Path), Method: r.Settings.Method,
		Duration: float64(s.Trace.Duration) * unit}
	for i := range s.Trace.Tasks {
		m.Threads = append(m.Threads, int(s.Trace.Tasks[i].Threads))
	}
	counters, err := r.counters(ctx)
	if err != nil {
		return nil, err
	}
	m.follow(r, unit)
	for c := range m.Clusters {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		m.Clusters[c].describe(r, c, counters)
	}
	m.messages(r, unit)
	return m, nil
}

// symbol returns the cluster of a component in a model: 0 for none.
func (r *Result) symbol(i int) int { return max(0, int(r.Class[i])-FirstCluster+1) }

// counters returns the event types that the parameters read, as columns.
func (r *Result) counters(ctx context.Context) (names []string, err error) {
	for _, name := range r.ParameterNames() {
		for _, part := range strings.FieldsFunc(name, func(c rune) bool { return strings.ContainsRune("+-*/", c) }) {
			if _, _, err := r.Set.operand(part); err == nil && !slices.Contains(names, part) {
				names = append(names, part)
			}
		}
	}
	var list []Parameter
	for _, n := range names {
		list = append(list, Parameter{Name: n})
	}
	return names, r.Set.Measure(ctx, list, r.Settings.Workers)
}

// follow finds which cluster follows which, and the time in between.
func (m *Model) follow(r *Result, unit float64) {
	s, k := r.Set, len(r.Clusters)+1
	m.Clusters = make([]ModelCluster, k)
	first, next := make([]float64, k), make([][]float64, k)
	gaps, states := make([][]float64, k), make([]map[uint32]int64, k)
	for c := range next {
		next[c], states[c] = make([]float64, k), map[uint32]int64{}
	}
	last := make([]int, len(s.Trace.Threads))
	counts := make([]float64, len(s.Trace.Threads))
	for i := range last {
		last[i] = -1
	}
	var starts []float64
	for i, th := range s.Thread {
		b := r.symbol(i)
		counts[th]++
		if before := last[th]; before >= 0 {
			a := r.symbol(before)
			next[a][b]++
			gaps[a] = append(gaps[a], max(0, float64(s.Begin[i]-s.End[before])*unit))
			if at, ok := stateAt(s.Trace, th, s.End[before]); ok && s.Begin[i] > s.End[before] {
				states[a][at] += s.Begin[i] - s.End[before]
			}
		} else {
			first[b]++
			starts = append(starts, float64(s.Begin[i])*unit)
		}
		last[th] = i
	}
	m.First, m.Bursts, m.Start = normal(first), binsOf(counts), binsOf(starts)
	for c := range k {
		m.Next = append(m.Next, normal(next[c]))
		m.Clusters[c].ID, m.Clusters[c].Gap = c, binsOf(gaps[c])
		most := int64(-1)
		for state, time := range states[c] {
			if time > most || time == most && state < m.Clusters[c].State {
				most, m.Clusters[c].State = time, state
			}
		}
	}
}

// normal divides by the sum.
func normal(v []float64) []float64 {
	sum := 0.0
	for _, x := range v {
		sum += x
	}
	for i := range v {
		v[i] = share(v[i], sum)
	}
	return v
}

// stateAt returns the state that starts at a time or covers it.
func stateAt(t *prv.Trace, thread int32, at int64) (uint32, bool) {
	s := &t.Threads[thread].States
	i, found := slices.BinarySearch(s.Begin, at)
	if !found {
		i--
	}
	for found && i+1 < s.Len() && s.Begin[i+1] == at {
		i++
	}
	if i < 0 || s.Until(i, t.Duration) <= at {
		return 0, false
	}
	return s.Value[i], true
}

// describe finds the distributions of the parameters of a cluster.
func (c *ModelCluster) describe(r *Result, k int, counters []string) {
	s := r.Set
	var rows []int
	time, all := 0.0, 0.0
	for i := range s.n {
		all += r.timeOf(i)
		if r.symbol(i) == k {
			rows = append(rows, i)
			time += r.timeOf(i)
		}
	}
	c.Count, c.Share, c.TimeShare = len(rows), share(float64(len(rows)), float64(s.n)), share(time, all)
	var columns [][]float64
	for _, name := range append([]string{"duration"}, counters...) {
		column := s.Column(name)
		var values []float64
		for _, i := range rows {
			values = append(values, column.Values[i])
		}
		d := fit.Describe(values)
		if d.N == 0 {
			continue // an event missing from these bursts
		}
		p := ModelParameter{Name: name, Present: float64(d.N) / float64(len(rows)), Mean: d.Mean, Std: d.Std,
			Min: d.Min, Max: d.Max, Bins: binsOf(values)}
		if name != "duration" {
			_, p.Type, _ = s.operand(name) // counters has checked it
			p.Label = s.Trace.Labels.TypeName(p.Type)
		}
		if list := fit.Distributions(d); len(list) > 0 {
			p.Distribution, p.Distance, p.Rejected = list[0].String(), list[0].D, d.Rejected(list[0])
		}
		c.Parameters = append(c.Parameters, p)
		columns = append(columns, scores(values))
	}
	c.Normal = correlations(columns)
}

// scores maps values to the normal distribution by their ranks; equal values have the mean of their ranks, missing ones
// 0.
func scores(values []float64) []float64 {
	order := make([]int, 0, len(values))
	for i, v := range values {
		if !math.IsNaN(v) {
			order = append(order, i)
		}
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(values[a], values[b]) })
	out := make([]float64, len(values))
	for from := 0; from < len(order); {
		to := from + 1
		for to < len(order) && values[order[to]] == values[order[from]] {
			to++
		}
		z := distuv.UnitNormal.Quantile((float64(from+to-1)/2 + 0.5) / float64(len(order)))
		for _, i := range order[from:to] {
			out[i] = z
		}
		from = to
	}
	return out
}

func correlations(columns [][]float64) [][]float64 {
	out := make([][]float64, len(columns))
	for a := range columns {
		out[a] = make([]float64, len(columns))
		for b := range columns {
			v := 1.0
			if a != b {
				if v = stat.Correlation(columns[a], columns[b], nil); math.IsNaN(v) {
					v = 0
				}
			}
			out[a][b] = v
		}
	}
	return out
}

// messages finds the distributions of the messages.
func (m *Model) messages(r *Result, unit float64) {
	c, n := &r.Set.Trace.Comms, len(r.Set.Trace.Threads)
	var sizes, transfers []float64
	offsets := map[int]int{}
	for i := range c.Len() {
		if device.IsLink(r.Set.Trace, int32(i)) {
			continue
		}
		sizes = append(sizes, float64(c.Size[i]))
		transfers = append(transfers, max(0, float64(c.Times[prv.PhysicalRecv][i]-c.Times[prv.PhysicalSend][i])*unit))
		offsets[(int(c.Recv[i]-c.Send[i])+n)%n]++
	}
	m.Messages.Count = len(sizes)
	m.Messages.PerBurst = share(float64(len(sizes)), float64(r.Set.n))
	m.Messages.Size, m.Messages.Transfer = binsOf(sizes), binsOf(transfers)
	for by, count := range offsets {
		m.Messages.Offsets = append(m.Messages.Offsets, Offset{by, float64(count) / float64(len(sizes))})
	}
	slices.SortFunc(m.Messages.Offsets, func(a, b Offset) int {
		return cmp.Or(cmp.Compare(b.Share, a.Share), cmp.Compare(a.By, b.By))
	})
	m.Messages.Offsets = m.Messages.Offsets[:min(len(m.Messages.Offsets), mostOffsets)]
}

// WriteJSON writes the model.
func (m *Model) WriteJSON(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetIndent("", " ")
	return e.Encode(m)
}

// WriteText writes a summary of the model for people.
func (m *Model) WriteText(w io.Writer) error {
	var b strings.Builder
	threads := 0
	for _, n := range m.Threads {
		threads += n
	}
	fmt.Fprintf(&b, "workload model of %s: %d tasks, %d threads, %.9g ns, by %s\n", m.Source, len(m.Threads), threads,
		m.Duration, m.Method)
	for _, c := range m.Clusters {
		if c.Count == 0 {
			continue
		}
		name := fmt.Sprintf("cluster %d", c.ID)
		if c.ID == 0 {
			name = "no cluster"
		}
		fmt.Fprintf(&b, "%s: %s, %s of them, %s of the time\n", name, quantity.CountOf(int64(c.Count), "burst"),
			quantity.FormatPercent(c.Share), quantity.FormatPercent(c.TimeShare))
		for _, p := range c.Parameters {
			fmt.Fprintf(&b, "  %s: mean %.6g std %.6g min %.6g max %.6g", p.Name, p.Mean, p.Std, p.Min, p.Max)
			if p.Distribution != "" {
				fmt.Fprintf(&b, ", nearest %s, D %.4f", p.Distribution, p.Distance)
				if p.Rejected {
					b.WriteString(" (rejected)")
				}
			}
			b.WriteByte('\n')
		}
	}
	fmt.Fprintf(&b, "messages: %d, %.4g for each burst\n", m.Messages.Count, m.Messages.PerBurst)
	_, err := io.WriteString(w, b.String())
	return err
}
