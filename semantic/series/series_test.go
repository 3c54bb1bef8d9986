package series

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"
)

func TestBurstThatCoversATime(t *testing.T) {
	s := New([]int64{0, 10, 10, 20}, []float64{0, 1, 2, 3}, 30)
	for _, c := range []struct {
		t int64
		i int
	}{{-1, 0}, {0, 0}, {9, 0}, {10, 2}, {19, 2}, {20, 3}, {30, 3}, {99, 3}} {
		if i := s.At(c.t); i != c.i {
			t.Errorf("At(%d) = %d, want %d", c.t, i, c.i)
		}
	}
}

// A43: with "maximum" a burst of 1 us in a window of 1 s and 80 columns is
// visible, with "most time" it is not.
func TestShortBurstInAWideCell(t *testing.T) {
	const us, s = 1_000, 1_000_000_000
	series := New([]int64{0, 503 * s / 1000, 503*s/1000 + us}, []float64{1, 7, 1}, s)
	seen := map[DrawMode]int{}
	for _, m := range []DrawMode{Maximum, MostTime} {
		for col := range int64(80) {
			if v, ok := series.Value(col*s/80, (col+1)*s/80, m, 0); !ok {
				t.Fatalf("column %d has no value", col)
			} else if v == 7 {
				seen[m]++
			}
		}
	}
	if seen[Maximum] != 1 || seen[MostTime] != 0 {
		t.Errorf("columns that show the burst: maximum %d, most time %d; want 1 and 0", seen[Maximum], seen[MostTime])
	}
}

// Records at one time make bursts of length zero: no time, but values.
func TestZeroLengthBursts(t *testing.T) {
	s := New([]int64{0, 10, 10, 10, 20}, []float64{1, 9, -4, 2, 0}, 20)
	for _, c := range []struct {
		a, b int64
		m    DrawMode
		v    float64
	}{
		{5, 15, Maximum, 9}, {5, 15, Last, 2}, {5, 15, MostTime, 2}, {5, 15, MinimumNotZero, -4},
		{0, 10, Maximum, 1},                        // the cell ends before the burst's end
		{10, 11, Maximum, 9},                       // and begins with its begin
		{11, 12, Maximum, 2}, {10, 10, Maximum, 2}, // a cell of no length is a point
		{15, 20, Maximum, 2}, // it excludes the burst at the end of the series
		{15, 20, Last, 2},
		{10, 20, Average, 7.0 / 3}, {10, 20, MinimumAbsoluteNotZero, 2}, {10, 20, MaximumAbsolute, 9},
	} {
		if v, ok := s.Value(c.a, c.b, c.m, 0); !ok || v != c.v {
			t.Errorf("[%d,%d) %v: %v, want %v", c.a, c.b, c.m, v, c.v)
		}
	}
	for _, c := range [][2]int64{{-5, 0}, {20, 25}, {21, 21}, {-1, -1}} {
		if v, ok := s.Value(c[0], c[1], Maximum, 0); ok {
			t.Errorf("[%d,%d) lies outside, but has value %v", c[0], c[1], v)
		}
	}
}

// 0 and -0 count as one value, but each comes back unchanged.
func TestMinusZero(t *testing.T) {
	minus := math.Copysign(0, -1)
	var begin []int64
	var value []float64
	for i := range int64(300) {
		begin, value = append(begin, i*10), append(value, []float64{0, minus, 3}[i%3])
	}
	s := New(begin, value, 3000)
	for i, want := range value {
		if _, _, v := s.Burst(i); v != want || math.Signbit(v) != math.Signbit(want) {
			t.Fatalf("burst %d is %v, not %v", i, v, want)
		}
	}
	if v, _ := s.Value(0, 3000, MostTime, 0); v != 0 {
		t.Errorf("most time: %v, though 0 and -0 cover more", v)
	}
	if g := s.Aggregate(0, 3000); g.NotZero != 100 {
		t.Errorf("%d bursts are not 0", g.NotZero)
	}
}

// randomSeries returns a series of n bursts, a part of them of length zero,
// with the given number of distinct values, 0 among them.
func randomSeries(r *rand.Rand, n, distinct int, gap int64) (s *Series, begin []int64, value []float64) {
	t := int64(0)
	for range n {
		begin = append(begin, t)
		value = append(value, float64(r.IntN(distinct)-distinct/3))
		if r.IntN(4) > 0 {
			t += 1 + r.Int64N(gap)
		}
	}
	return New(begin, value, t+r.Int64N(gap)), begin, value
}

// TestPyramidAgreesWithBursts compares every result on random intervals with one computed burst by burst.
func TestPyramidAgreesWithBursts(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, c := range []struct {
		n, distinct int
		gap         int64
	}{
		{1, 2, 10}, {2, 2, 10}, {63, 3, 10}, {64, 3, 10}, {65, 3, 10}, {128, 3, 10}, {129, 5, 10}, {1000, 5, 10},
		{1025, 300, 10}, {20_000, 17, 10}, {20_000, 200, 10}, {20_000, 5000, 10}, {70_000, 4, 3},
		{500, 4, 1 << 33}, // blocks too long for 32 bits
	} {
		s, begin, value := randomSeries(r, c.n, c.distinct, c.gap)
		for range 300 {
			a := r.Int64N(s.End() + 1)
			b := a + r.Int64N(s.End()-a+2)
			if r.IntN(2) == 0 {
				b = min(s.End(), a+r.Int64N(200*c.gap))
			}
			compareInterval(t, s, naive{begin, value, s.End()}, a, b)
			if t.Failed() {
				t.Fatalf("series of %d bursts, %d values", c.n, c.distinct)
			}
		}
	}
}

// In a series that is 0 for long stretches, the last value other than 0 is found wherever it is.
func TestPyramidOverZeros(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	const n = 20_000
	begin, value := make([]int64, n), make([]float64, n)
	for i := range begin {
		begin[i] = int64(3 * i)
	}
	for range 6 {
		value[r.IntN(n)] = float64(1 + r.IntN(3))
	}
	s := New(begin, value, 3*n)
	for range 1000 {
		a := r.Int64N(s.End())
		b := a + 1 + r.Int64N(s.End()-a)
		compareInterval(t, s, naive{begin, value, s.End()}, a, b)
		if t.Failed() {
			t.Fatal("in a series of zeros")
		}
	}
}

// A random mode picks each of ten bursts about as often, whether the cell's begin, its end or the seed varies: of 1000
// picks 100 each, within four standard deviations of 9.5: 60 to 140.
func TestRandomModesAreEven(t *testing.T) {
	const n = 10_000
	begin, value := make([]int64, n), make([]float64, n)
	for i := range begin {
		begin[i], value[i] = int64(100*i), float64(i%10)
	}
	s := New(begin, value, 100*n)
	for name, cell := range map[string]func(i int64) (a, b int64, seed uint64){
		"begin": func(i int64) (a, b int64, seed uint64) { return i % 100, 1000, uint64(i / 100) },
		"end":   func(i int64) (a, b int64, seed uint64) { return 0, 901 + i%100, uint64(i / 100) },
		"seed":  func(i int64) (a, b int64, seed uint64) { return 0, 1000, uint64(i) },
		"both":  func(i int64) (a, b int64, seed uint64) { return 1000 * (i % 900), 1000*(i%900) + 1000, 0 },
	} {
		var picks [10]int
		for i := range int64(1000) {
			a, b, seed := cell(i)
			v, _ := s.Value(a, b, Random, seed)
			picks[int(v)]++
		}
		for v, n := range picks {
			if n < 60 || n > 140 {
				t.Errorf("%s: %d is picked %d times of 1000", name, v, n)
			}
		}
	}
}

// A series returns the columns that it was built from, and its distinct values in order of appearance.
func TestColumns(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	for _, c := range []struct {
		n, distinct int
		gap         int64
	}{{1, 1, 9}, {64, 3, 9}, {65, 3, 9}, {1000, 300, 9}, {200, 4, 1 << 33}} {
		s, begin, value := randomSeries(r, c.n, c.distinct, c.gap)
		gotBegin, gotValue := s.Columns([]int64{-7}, []float64{-9})
		if !slices.Equal(gotBegin, append([]int64{-7}, begin...)) ||
			!slices.Equal(gotValue, append([]float64{-9}, value...)) {
			t.Errorf("%d bursts: other columns", c.n)
		}
		var want []float64
		for _, v := range value {
			if !slices.Contains(want, v) {
				want = append(want, v)
			}
		}
		if few := len(want) <= 256; few {
			if got, ok := s.Distinct(); !ok || !slices.Equal(got, want) {
				t.Errorf("%d bursts: distinct values %v, want %v", c.n, got, want)
			}
		} else if got, ok := s.Distinct(); ok || got != nil {
			t.Errorf("%d distinct values are listed", len(got))
		}
	}
}

// Cells at the ends of a series 0..30: those that touch it only are outside.
func TestCellsAtTheEnds(t *testing.T) {
	s := New([]int64{0, 10, 20}, []float64{1, 2, 3}, 30)
	for _, c := range []struct {
		a, b int64
		want string
	}{
		{-5, 0, "none"}, {-5, 1, "1"}, {-5, 11, "2"}, {29, 31, "3"}, {30, 31, "none"}, {31, 40, "none"},
		{-1, -1, "none"}, {0, 0, "1"}, {10, 10, "2"}, {30, 30, "3"}, {31, 31, "none"}, {9, 10, "1"}, {10, 11, "2"},
	} {
		got := "none"
		if v, ok := s.Value(c.a, c.b, Last, 0); ok {
			got = fmt.Sprint(v)
		}
		if got != c.want {
			t.Errorf("[%d,%d) is %s, want %s", c.a, c.b, got, c.want)
		}
	}
	if g := s.Aggregate(30, 31); g != (Agg{}) || g.Average() != 0 {
		t.Errorf("outside: %+v", g)
	}
	// 1 for 5, 2 for 10, 3 for 5: 5 + 20 + 15 = 40 in 20.
	if g := s.Aggregate(5, 25); g.Integral != 40 || g.Time != 20 || g.Average() != 2 {
		t.Errorf("%+v, on average %g", g, g.Average())
	}
}

// The modes in the order of Paraver's menu, with the spelling of .cfg files.
func TestDrawModes(t *testing.T) {
	want := []string{"Last draw_last", "Last not zero draw_last (own)", "Maximum draw_maximum",
		"Maximum not zero draw_maximum (own)", "Minimum draw_minnotzero (own)", "Minimum not zero draw_minnotzero",
		"Maximum absolute draw_absolute_maximum", "Minimum absolute not zero draw_absolute_minimum",
		"Random draw_random", "Random not zero draw_randnotzero", "Average draw_average",
		"Average not zero draw_averagenotzero", "Mode draw_mode", "Proportional draw_mode (own)"}
	var got []string
	for _, m := range DrawModes {
		text := m.Mode.String() + " " + m.Mode.Entry().Cfg
		if m.Own {
			text += " (own)"
		}
		got = append(got, text)
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// naive computes answers from every burst.
type naive struct {
	begin []int64
	value []float64
	end   int64
}

// cell returns the pieces of the bursts in [a,b): values and times.
func (n naive) cell(a, b int64) (v []float64, time []int64) {
	for i, begin := range n.begin {
		until := n.end
		if i+1 < len(n.begin) {
			until = n.begin[i+1]
		}
		if begin < b && (until > a || begin >= a) {
			v = append(v, n.value[i])
			time = append(time, min(until, b)-max(begin, a))
		}
	}
	return v, time
}

// longest returns the value of the longest burst in [a,b), of several the first. Bursts at the ends count with their
// whole length.
func (n naive) longest(a, b int64) (v float64) {
	length := int64(-1)
	for i, begin := range n.begin {
		until := n.end
		if i+1 < len(n.begin) {
			until = n.begin[i+1]
		}
		if begin < b && (until > a || begin >= a) && until-begin > length {
			v, length = n.value[i], until-begin
		}
	}
	return v
}

func compareInterval(t *testing.T, s *Series, n naive, a, b int64) {
	t.Helper()
	if a >= b || a >= s.End() {
		return
	}
	v, time := n.cell(a, b)
	want := naiveModes(v, time)
	if len(v) > mostScan && s.code == nil { // too many values to count: the longest burst's
		want[MostTime] = n.longest(a, b)
	}
	for m, w := range want {
		if got, ok := s.Value(a, b, m, 0); !ok || math.Abs(got-w) > 1e-12*math.Abs(w) {
			t.Errorf("[%d,%d) %v: %v, want %v (of %d bursts)", a, b, m, got, w, len(v))
		}
	}
	for _, m := range []DrawMode{Random, RandomNotZero} {
		got, _ := s.Value(a, b, m, 7)
		again, _ := s.Value(a, b, m, 7)
		found := false
		for _, x := range v {
			found = found || x == got && (m == Random || x != 0)
		}
		if !found && !(m == RandomNotZero && got == 0 && want[AverageNotZero] == 0) || got != again {
			t.Errorf("[%d,%d) %v: %v, then %v, of %v", a, b, m, got, again, v)
		}
	}
	compareAggregate(t, s.Aggregate(a, b), v, time, want)
}

func naiveModes(v []float64, time []int64) map[DrawMode]float64 {
	lo, hi, lo0, hi0, abs0 := math.Inf(1), math.Inf(-1), math.Inf(1), math.Inf(-1), math.Inf(1)
	sum, n, last0 := 0.0, 0.0, 0.0
	shares := map[float64]int64{}
	for i, x := range v {
		lo, hi = min(lo, x), max(hi, x)
		sum += x
		shares[x] += time[i]
		if x != 0 {
			lo0, hi0, last0, n = min(lo0, x), max(hi0, x), x, n+1
			abs0 = nearer(abs0, x)
		}
	}
	mode, most := v[len(v)-1], int64(0)
	for x, d := range shares {
		if d > most || d == most && d > 0 && x > mode {
			mode, most = x, d
		}
	}
	not0 := 0.0
	if n > 0 {
		not0 = sum / n
	} else {
		hi0 = 0
	}
	return map[DrawMode]float64{
		Last: v[len(v)-1], Maximum: hi, MinimumNotZero: finite(lo0), MaximumAbsolute: further(lo, hi),
		MinimumAbsoluteNotZero: finite(abs0), Average: sum / float64(len(v)), AverageNotZero: not0, MostTime: mode,
		Minimum: lo, MaximumNotZero: hi0, LastNotZero: last0,
	}
}

func compareAggregate(t *testing.T, g Agg, v []float64, time []int64, want map[DrawMode]float64) {
	t.Helper()
	var w Agg
	w.First, w.Count = g.First, len(v)
	w.Min, w.Max = v[0], v[0]
	for i, x := range v {
		w.Min, w.Max = min(w.Min, x), max(w.Max, x)
		w.Sum += x
		w.Integral += x * float64(time[i])
		w.Time += time[i]
		if x != 0 {
			w.NotZero++
			w.TimeNotZero += time[i]
			w.LastNotZero = x
		}
		w.Last = x
	}
	w.MinNotZero, w.MinAbsNotZero = want[MinimumNotZero], want[MinimumAbsoluteNotZero]
	if math.Abs(g.Integral-w.Integral) <= 1e-12*math.Abs(w.Integral) {
		g.Integral = w.Integral // sums of products may round in another order
	}
	if g != w {
		t.Errorf("aggregate\n got %+v\nwant %+v", g, w)
	}
}

// Forward and backward, the bursts are the same.
func TestNavigation(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	s, begin, _ := randomSeries(r, 3000, 5, 9)
	var forward, backward []int
	for i, ok := 0, true; ok; i, ok = s.Next(begin[i]) {
		forward = append(forward, s.At(begin[i])) // the last of those at one time
	}
	for i := s.Len() - 1; ; {
		backward = append(backward, i)
		j, ok := s.Prev(begin[i])
		if !ok {
			break
		}
		i = j
	}
	if len(forward) != len(backward) {
		t.Fatalf("%d bursts forward, %d backward", len(forward), len(backward))
	}
	for i := range forward {
		if forward[i] != backward[len(backward)-1-i] {
			t.Fatalf("burst %d: %d forward, %d backward", i, forward[i], backward[len(backward)-1-i])
		}
	}
}

// Late times and long rows take 32 bits per begin; only a block longer than 2^32 needs 64.
func TestBeginsArePacked(t *testing.T) {
	rowFrom := func(start, step int64) *Series {
		begin, value := []int64{0}, []float64{0}
		for i := range int64(1000) {
			begin, value = append(begin, start+i*step), append(value, float64(i%3))
		}
		return New(begin, value, start+1000*step)
	}
	if s := rowFrom(1e6, 1e6); s.wide != nil || s.Bytes() > 10*1000 {
		t.Errorf("%d bytes for 1000 bursts", s.Bytes())
	}
	if s := rowFrom(60e6, 60e6); s.wide != nil { // blocks of 64 x 60e6 = 3.84e9 < 2^32, up to 60e9
		t.Error("late times take 64 bits")
	}
	wide := rowFrom(1e12, 1e6)
	if wide.wide == nil {
		t.Error("the first block is longer than 2^32")
	}
	if begin, end, _ := wide.Burst(1000); begin != 1e12+999e6 || end != 1e12+1000e6 {
		t.Errorf("the last burst lasts from %d to %d", begin, end)
	}
}

// The memory of 1000 bursts of 3 values: 16 begins of blocks and 3 values, 8 bytes each; 5 bytes per burst; in the
// pyramid, 16 entries of 64 bytes; in the shares, (1000/64 + 1) x 3 times of 8 bytes. Of 1000 values: 8 + 4 bytes per
// burst, no shares.
func TestBytes(t *testing.T) {
	for distinct, want := range map[int]int64{3: 16*8 + 3*8 + 1000*5 + 16*64 + 16*3*8, 1000: 16*8 + 1000*12 + 16*64} {
		begin, value := make([]int64, 1000), make([]float64, 1000)
		for i := range begin {
			begin[i], value[i] = int64(i), float64(i%distinct)
		}
		s := New(begin, value, 1000)
		if got := s.Bytes() - int64(unsafe.Sizeof(*s)); got < want || got > want+want/20 { // some are rounded up
			t.Errorf("%d values: %d bytes, want %d", distinct, got, want)
		}
	}
}

func TestValueDoesNotAllocate(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for _, distinct := range []int{5, 2000} {
		s, _, _ := randomSeries(r, 5000, distinct, 9)
		for _, m := range DrawModes {
			if n := testing.AllocsPerRun(10, func() { s.Value(100, 900, m.Mode, 1) }); n != 0 {
				t.Errorf("%s over %d values: %v allocations", m.Name, distinct, n)
			}
		}
	}
}
