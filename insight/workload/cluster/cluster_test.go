package cluster

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

func points(dim int, values ...float64) *Points { return &Points{Dim: dim, Values: values} }

// blobs are points around some centres, with some noise between.
func blobs(n, dim, k int, sigma float64) *Points {
	rng := rand.New(rand.NewPCG(1, 2))
	p := &Points{Dim: dim}
	for i := range n {
		for j := range dim {
			v := rng.Float64()
			if i%20 != 0 {
				v = 0.2 + 0.6*float64((i%k)>>(j%3)&1) + sigma*rng.NormFloat64()
			}
			p.Values = append(p.Values, v)
		}
	}
	return p
}

func about(a, b float64) bool {
	return a == b || math.Abs(a-b) <= 1e-3*math.Abs(b) || math.IsNaN(a) && math.IsNaN(b)
}

func kmeansOf(t testing.TB, p *Points, most, workers int) []Partition {
	t.Helper()
	list, err := KMeans(context.Background(), p, most, workers, nil)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// sets returns the clusters of a partition as sets, in order of their first members.
func sets[T uint8 | int32](of []T) string {
	var order []T
	in := map[T][]int{}
	for i, c := range of {
		if in[c] == nil {
			order = append(order, c)
		}
		in[c] = append(in[c], i)
	}
	text := ""
	for _, c := range order {
		text += fmt.Sprint(in[c])
	}
	return text
}

// Check 15: k-means with one parameter. For k = 3 the means are 1, 11 and 31, each with 1 + 0 + 1 = 2 within, so SS =
// 6; R(3) = (156/6 - 1) * (9 - 3) = 150.
func TestCheck15(t *testing.T) {
	values := []float64{0, 1, 2, 10, 11, 12, 30, 31, 32}
	list := kmeansOf(t, points(1, values...), 0, 0)
	for i, want := range []struct{ ss, r float64 }{{1406, math.NaN()}, {156, 56.0897}, {6, 150}, {4.5, 1.6667},
		{3, 2}} {
		if !about(list[i].SS, want.ss) || !about(list[i].R, want.r) {
			t.Errorf("k = %d: SS %v, R %v, want %v", i+1, list[i].SS, list[i].R, want)
		}
	}
	if !about(list[2].Ratio, 700) || Rules[0].Choose(list) != 3 || sets(list[2].Of) != "[0 1 2][3 4 5][6 7 8]" {
		t.Errorf("between/within %v, recommended %d, %s", list[2].Ratio, Rules[0].Choose(list), sets(list[2].Of))
	}
	scaled := points(1)
	for _, v := range values {
		scaled.Values = append(scaled.Values, v/32)
	}
	for i, q := range kmeansOf(t, scaled, 0, 0) {
		if !about(q.R, list[i].R) && q.SS > 1e-9 {
			t.Errorf("scaled, k = %d: R %v, want %v", q.K, q.R, list[i].R)
		}
	}
}

// Check 16: points move between clusters. For k = 2 the split at the mean of 25/6 is {0,1,2,3} {9,10}: SS = 5 + 0.5.
func TestCheck16(t *testing.T) {
	list := kmeansOf(t, points(1, 0, 1, 2, 3, 9, 10), 0, 0)
	if sets(list[1].Of) != "[0 1 2 3][4 5]" || !about(list[1].SS, 5.5) || !about(list[2].SS, 1.5) {
		t.Errorf("%s, SS %v %v", sets(list[1].Of), list[1].SS, list[2].SS)
	}
	if list := kmeansOf(t, points(1, 7, 7, 7, 7), 0, 0); len(list) != 1 || Rules[0].Choose(list) != 0 {
		t.Errorf("equal points: %d partitions, recommended %d", len(list), Rules[0].Choose(list))
	}
	list = kmeansOf(t, points(1, 0, 0, 1, 1), 0, 0)
	if len(list) != 2 || list[1].SS != 0 || !math.IsInf(list[1].R, 1) || Rules[0].Choose(list) != 2 {
		t.Errorf("%+v", list)
	}
}

// Check 24: nine points. Within 0.06, point 4 at (.05,.05) has 2, 3, 9 and itself; 9 at (.1,.06) has 4 only.
func TestCheck24(t *testing.T) {
	p := points(2, 0, 0, 0, .05, .05, 0, .05, .05, 1, 1, 1, .95, .95, 1, .5, .5, .1, .06)
	for _, c := range []struct {
		eps   float64
		least int
		want  string
	}{
		{0.06, 3, "[0 0 0 0 1 1 1 -1 0]"},
		{0.06, 4, "[-1 0 0 0 -1 -1 -1 -1 0]"},
		{0.03, 3, "[-1 -1 -1 -1 -1 -1 -1 -1 -1]"},
	} {
		d, err := DBSCAN(context.Background(), p, c.eps, c.least, 0)
		if got := fmt.Sprint(d.Of); err != nil || got != c.want {
			t.Errorf("eps %v, minPoints %d: %s, want %s", c.eps, c.least, got, c.want)
		}
	}
	curve, err := KDistances(context.Background(), p, 2, 0)
	want := []float64{0.6364, 0.0781, 0.0707, 0.0707, 0.05, 0.05, 0.05, 0.05, 0.05}
	if err != nil || !slices.EqualFunc(curve, want, about) || !about(Knee(curve), 0.0781) {
		t.Errorf("%v, knee %v", curve, Knee(curve))
	}
	d, err := DBSCAN(context.Background(), p, Knee(curve)*1.001, 3, 0) // 0.0782
	if got := fmt.Sprint(d.Of); err != nil || got != "[0 0 0 0 1 1 1 -1 0]" {
		t.Errorf("at the knee: %s", got)
	}
}

// plainKMeans is Hartigan's procedure without blocks, with the centroids recomputed at every look.
func plainKMeans(p *Points, k int) []uint8 {
	of := make([]uint8, p.Len())
	mean := func(c uint8) (m []float64, n float64) {
		m = make([]float64, p.Dim)
		for i := range of {
			if of[i] == c {
				n++
				for j, v := range p.At(i) {
					m[j] += v
				}
			}
		}
		for j := range m {
			m[j] /= n
		}
		return m, n
	}
	for now := 2; now <= k; now++ {
		best, at, by := 0.0, uint8(0), 0
		for c := range now - 1 {
			m, _ := mean(uint8(c))
			for j := range p.Dim {
				ss := 0.0
				for i := range of {
					if int(of[i]) == c {
						ss += (p.At(i)[j] - m[j]) * (p.At(i)[j] - m[j])
					}
				}
				if ss > best*(1+tie) {
					best, at, by = ss, uint8(c), j
				}
			}
		}
		m, n := mean(at)
		for i := range of {
			if of[i] == at && p.At(i)[by] > m[by]+tie*math.Sqrt(best/n) {
				of[i] = uint8(now - 1)
			}
		}
		for moved := true; moved; {
			moved = false
			for i := range of {
				m, n := mean(of[i])
				if n < 2 {
					continue
				}
				least, to := distance2(p.At(i), m)*n/(n-1)*(1-tolerance), of[i]
				for c := range now {
					if m, n := mean(uint8(c)); uint8(c) != of[i] && distance2(p.At(i), m)*n/(n+1) < least {
						least, to = distance2(p.At(i), m)*n/(n+1), uint8(c)
					}
				}
				if to != of[i] {
					of[i], moved = to, true
				}
			}
		}
	}
	return of
}

// plainDBSCAN returns the algorithm of the paper.
func plainDBSCAN(p *Points, eps float64, least int) []int32 {
	const unseen = -2
	of := make([]int32, p.Len())
	for i := range of {
		of[i] = unseen
	}
	region := func(i int) (list []int) {
		for k := range of {
			if distance2(p.At(i), p.At(k)) <= eps*eps {
				list = append(list, k)
			}
		}
		return list
	}
	next := int32(0)
	for i := range of {
		if of[i] != unseen {
			continue
		}
		seeds := region(i)
		if len(seeds) < least {
			of[i] = noise
			continue
		}
		of[i] = next
		for len(seeds) > 0 {
			k := seeds[0]
			seeds = seeds[1:]
			if of[k] == noise {
				of[k] = next
			}
			if of[k] != unseen {
				continue
			}
			of[k] = next
			if more := region(k); len(more) >= least {
				seeds = append(seeds, more...)
			}
		}
		next++
	}
	return of
}

// plainKDistances compares all points.
func plainKDistances(p *Points, k int) (distances []float64) {
	for i := range p.Len() {
		var list []float64
		for o := range p.Len() {
			if o != i {
				list = append(list, math.Sqrt(distance2(p.At(i), p.At(o))))
			}
		}
		slices.Sort(list)
		distances = append(distances, list[k-1])
	}
	slices.Sort(distances)
	slices.Reverse(distances)
	return distances
}

// The plain algorithms find the same, whatever the number of workers.
func TestReference(t *testing.T) {
	for dim := 1; dim <= 5; dim++ {
		p := blobs(240, dim, 5, 0.03*math.Sqrt(float64(dim)))
		for _, workers := range []int{1, 2, 7} {
			list := kmeansOf(t, p, 0, workers)
			for _, k := range []int{2, 5} {
				if !slices.Equal(list[k-1].Of, plainKMeans(p, k)) {
					t.Errorf("%d dimensions, %d workers: k-means differs for k = %d", dim, workers, k)
				}
			}
			for _, eps := range []float64{0, 0.003, 0.02, 0.1, 0.4} {
				for _, least := range []int{1, 4, 12} {
					d, err := DBSCAN(context.Background(), p, eps, least, workers)
					if want := plainDBSCAN(p, eps, least); err != nil || !slices.Equal(d.Of, want) {
						t.Errorf("%d dimensions, eps %v, minPoints %d, %d workers: DBSCAN differs", dim, eps, least,
							workers)
					}
				}
			}
		}
		for _, k := range []int{1, 4, 30, 239, 240} {
			curve, _ := KDistances(context.Background(), p, k, 2)
			if !slices.Equal(curve, plainKDistances(p, min(k, 239))) {
				t.Errorf("%d dimensions: the distances to the %d. differ", dim, k)
			}
		}
	}
}

// Few points, where clusters have two points or one: the plain algorithms find the same.
func TestFewPoints(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for n := 2; n < 14; n++ {
		for range 40 {
			p := &Points{Dim: 1 + rng.IntN(2)}
			for range n * p.Dim {
				p.Values = append(p.Values, rng.Float64())
			}
			for _, q := range kmeansOf(t, p, n-1, 1) {
				if want := plainKMeans(p, q.K); !slices.Equal(q.Of, want) {
					t.Fatalf("%v, k = %d: %v, want %v", p, q.K, q.Of, want)
				}
				sum := 0.0
				for i, c := range q.Of {
					sum += distance2(p.At(i), q.Means[c])
				}
				if !about(q.SS, sum) {
					t.Errorf("%v, k = %d: SS %v, want %v", p, q.K, q.SS, sum)
				}
			}
			eps, least := 0.3*rng.Float64(), 1+rng.IntN(4)
			d, err := DBSCAN(context.Background(), p, eps, least, 1)
			if want := plainDBSCAN(p, eps, least); err != nil || !slices.Equal(d.Of, want) {
				t.Errorf("%v, eps %v, minPoints %d: %v, want %v", p, eps, least, d.Of, want)
			}
			k := 1 + rng.IntN(n-1)
			if curve, _ := KDistances(context.Background(), p, k, 1); !slices.Equal(curve, plainKDistances(p, k)) {
				t.Errorf("%v: the distances to the %d. differ", p, k)
			}
		}
	}
}

// Blocks in which points move and blocks in which none does, by one worker and by several.
func TestWorkers(t *testing.T) {
	p := blobs(3*block, 2, 4, 0.1)
	one, many := kmeansOf(t, p, 5, 1), kmeansOf(t, p, 5, 3)
	for i := range one {
		if !slices.Equal(one[i].Of, many[i].Of) || one[i].SS != many[i].SS {
			t.Errorf("k = %d differs", i+1)
		}
	}
}

// Numbers that are all equal, nearly equal, huge, and grids of eps with ties.
func TestDegenerate(t *testing.T) {
	for name, p := range map[string]*Points{
		"one":   points(2, 1, 1),
		"equal": points(1, 3, 3, 3, 3, 3),
		"huge":  points(1, 1e300, 1e300, 1e300*(1+1e-15), -1e300),
		"large": points(2, 1e15, 0, 1e15+1, 0, 1e15+2, 0, 1e15+4, 0),
		"ties":  points(1, 0, 1, 2, 3, 4, 6, 7, 8, 10),
	} {
		for _, least := range []int{1, 2, 3} {
			d, err := DBSCAN(context.Background(), p, 1, least, 0)
			if want := plainDBSCAN(p, 1, least); err != nil || !slices.Equal(d.Of, want) {
				t.Errorf("%s, minPoints %d: %v, want %v", name, least, d.Of, want)
			}
		}
	}
	if list := kmeansOf(t, points(1), 0, 0); len(list) > 1 {
		t.Errorf("%d partitions of nothing", len(list))
	}
	d, err := DBSCAN(context.Background(), points(2), 1, 3, 0)
	if err != nil || d.K != 0 {
		t.Errorf("%+v, %v", d, err)
	}
}

// Points that were left out of a sample join the nearest cluster, if it is near.
func TestAssign(t *testing.T) {
	of, err := Assign(context.Background(), points(1, 0, 1, 10), []int32{0, 0, 1}, points(1, 0.6, 9.5, 5, 2.9, 3), 2, 0)
	if err != nil || !slices.Equal(of, []int32{0, 1, noise, 0, noise}) {
		t.Errorf("%v, %v", of, err)
	}
	of, err = Assign(context.Background(), points(1), nil, points(1, 7), 2, 0)
	if err != nil || !slices.Equal(of, []int32{noise}) {
		t.Errorf("to no cluster: %v, %v", of, err)
	}
}

// A curve bends where it is furthest from the line between its ends; of equal points the first counts.
func TestKnee(t *testing.T) {
	for _, c := range []struct {
		curve []float64
		want  float64
	}{
		{nil, 0}, {[]float64{7}, 7}, {[]float64{9, 4}, 9}, {[]float64{9, 8, 2, 1, 0}, 2}, {[]float64{9, 3, 2, 1, 0}, 3},
		{[]float64{10, 6, 4, 0}, 6}, {[]float64{12, 6, 3, 0}, 6}, {[]float64{12, 11, 10, 0}, 10},
	} {
		if got := Knee(c.curve); got != c.want {
			t.Errorf("%v: %g, want %g", c.curve, got, c.want)
		}
	}
}

// A rule looks at the ratio of each partition, which must be above 10, and at whether its clusters are apart.
func TestRules(t *testing.T) {
	nan := math.NaN()
	part := func(values ...float64) (list []Partition) { // R and Between of 2, 3, ... clusters
		list = []Partition{{K: 1, R: nan, Between: nan}}
		for i := 0; i < len(values); i += 2 {
			list = append(list, Partition{K: len(list) + 1, R: values[i], Between: values[i+1]})
		}
		return list
	}
	for _, c := range []struct {
		list           []Partition
		largest, every int
	}{
		{nil, 0, 0},
		{part(), 0, 0},
		{part(20, 0.1), 2, 2},
		{part(10, 0.1), 0, 0},  // not above 10
		{part(20, 0.25), 0, 0}, // not apart
		{part(20, 0.1, 30, 0.1, 25, 0.1), 3, 4},
		{part(20, 0.1, 30, 0.5, 25, 0.1), 4, 4},
		{part(20, 0.5, 30, 0.5, 25, 0.1), 4, 4},
		{part(20, 0.1, 10, 0.1, 25, 0.1), 4, 2},
		{part(9, 0.1, 11, 0.1), 3, 0},
		{part(20, 0.1, 20, 0.1), 2, 3},
	} {
		largest, every := Rules[0].Choose(c.list), Rules[1].Choose(c.list)
		if largest != c.largest || every != c.every {
			t.Errorf("%+v: %d and %d, want %d and %d", c.list, largest, every, c.largest, c.every)
		}
	}
}

// There are fewer clusters than points, but one at least; progress tells each.
func TestMost(t *testing.T) {
	for _, c := range []struct{ n, most, want int }{{1, 0, 1}, {2, 0, 1}, {3, 0, 2}, {5, 2, 2}, {5, -1, 4}, {30, 0, 10},
		{30, 12, 12}} {
		p := &Points{Dim: 1}
		for i := range c.n {
			p.Values = append(p.Values, float64(i*i))
		}
		var told [][2]int
		tell := func(k, most int) { told = append(told, [2]int{k, most}) }
		list, err := KMeans(context.Background(), p, c.most, 1, tell)
		if err != nil || len(list) != c.want || told[0] != [2]int{1, c.want} ||
			told[len(told)-1] != [2]int{c.want, c.want} {
			t.Errorf("%+v: %d partitions, %v, %v", c, len(list), told, err)
		}
	}
}

func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	p := blobs(100000, 2, 3, 0.1)
	if _, err := KMeans(ctx, p, 0, 0, nil); err == nil {
		t.Error("k-means")
	}
	if _, err := DBSCAN(ctx, p, 0.01, 10, 0); err == nil {
		t.Error("DBSCAN")
	}
	if _, err := KDistances(ctx, p, 4, 0); err == nil {
		t.Error("k-distances")
	}
}

// A search that is ended while it looks between two clusters has no counts of the points.
func TestCancelledBetween(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	m := &kmeans{Points: points(1, 0, 1), of: []uint8{0, 1}, size: []int{1, 1}, centroid: [][]float64{{0}, {1}}}
	if _, err := m.between(ctx); err != context.Canceled {
		t.Error(err)
	}
}

func BenchmarkKMeans1e6(b *testing.B) {
	p := blobs(1_000_000, 3, 5, 0.05)
	for b.Loop() {
		kmeansOf(b, p, 0, 0)
	}
}

func BenchmarkDBSCAN(b *testing.B) {
	for _, n := range []int{100_000, 1_000_000} {
		for _, dim := range []int{2, 3} {
			p := blobs(n, dim, 5, 0.05)
			b.Run(fmt.Sprintf("%d/%dD", n, dim), func(b *testing.B) {
				for b.Loop() {
					if _, err := DBSCAN(context.Background(), p, 0.01, 10, 0); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

func BenchmarkKDistances1e6(b *testing.B) {
	p := blobs(1_000_000, 2, 5, 0.05)
	for b.Loop() {
		if _, err := KDistances(context.Background(), p, 9, 0); err != nil {
			b.Fatal(err)
		}
	}
}
