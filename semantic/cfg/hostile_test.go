package cfg

// Hostile configurations: windows of any function, level, chain of composes and depth of derivation, with shifts,
// filters, selections and ranges that nobody would choose, and histograms of them in two and three dimensions. The
// tests check properties: a configuration gives an error or an answer; the answer depends neither on the number of
// workers nor on whether the trace was parsed or comes from the index; and a configuration that is written and read
// back gives the same answer.

import (
	"bytes"
	"context"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pview/filter"
	"pview/prv"
	"pview/semantic"
	"pview/semantic/series"
	"pview/semantic/stat"
)

// choices decides the choices of a configuration: from random numbers, or from the bytes of a fuzzer.
type choices interface {
	IntN(n int) int
}

// script makes choices by bytes; after the last it always takes the first one.
type script struct{ bytes []byte }

func (s *script) IntN(n int) int {
	if len(s.bytes) == 0 {
		return 0
	}
	b := s.bytes[0]
	s.bytes = s.bytes[1:]
	if n > 256 && len(s.bytes) > 0 {
		b, v := int(b), int(s.bytes[0])
		s.bytes = s.bytes[1:]
		return (b<<8 | v) % n
	}
	return int(b) % n
}

// hostile makes configurations.
type hostile struct{ choices }

// once is true once in n.
func (h hostile) once(n int) bool { return h.IntN(n) == n-1 }

func pick[T any](h hostile, list ...T) T { return list[h.IntN(len(list))] }

// number returns a number for parameters, factors and limits.
func (h hostile) number() float64 {
	return pick(h, 0, 1, 2, 3, -1, 0.5, -2.5, 7, 13, 16, 100, 1000, 4096, 1e6, 1e-3, 50000001, 60000019, 42000050, 1e12,
		-1e300)
}

// call returns a call of any function of a family except the user's.
func (h hostile) call(f semantic.Family) semantic.Call {
	table := semantic.Functions(f)
	e := &table[h.IntN(len(table))]
	if e.Name == semantic.UserFunction {
		e = &table[0]
	}
	c := semantic.Call{Name: e.Name}
	for _, p := range e.Params {
		values := []float64{h.number()}
		for p.List && h.once(2) && len(values) < 5 {
			values = append(values, h.number())
		}
		c.Params = append(c.Params, values)
	}
	return c
}

// compose is As Is most of the time.
func (h hostile) compose() semantic.Call {
	if !h.once(4) {
		return semantic.Call{}
	}
	return h.call(semantic.ComposeFunctions)
}

// criterion returns a criterion of a filter.
func (h hostile) criterion(values ...float64) (c filter.Criterion) {
	c.Func = filter.Functions[h.IntN(len(filter.Functions))].Func
	for range h.IntN(4) {
		c.Values = append(c.Values, pick(h, values...))
	}
	return c
}

// window makes a window, with earlier ones as possible parents.
func (h hostile) window(n int, earlier []*Window) *Window {
	w := NewWindow(semantic.DefaultWindow())
	w.Name = fmt.Sprintf("W%d", n)
	w.Level = pick(h, prv.Levels...)
	w.Unit = pick(h, semantic.Nanoseconds, semantic.Microseconds, semantic.Milliseconds, semantic.Seconds)
	for _, l := range prv.Levels {
		w.Functions[l] = h.call(semantic.FamilyOf(l))
		w.Compose[l] = h.compose()
	}
	w.Top1, w.Top2 = h.compose(), h.compose()
	for range h.IntN(4) {
		w.Extra = append(w.Extra, h.compose())
	}
	if len(earlier) > 0 && h.once(2) {
		parent := func() semantic.Parent {
			return semantic.Parent{Window: &pick(h, earlier...).Window, Factor: h.number(),
				Shift: pick(h, 0, 0, 1, -1, 2, -3)}
		}
		w.Derived = &semantic.Derived{Op: h.call(semantic.DerivedFunctions), A: parent(), B: parent()}
	} else {
		h.filter(&w.Filter)
	}
	w.View.Color = pick(h, CodeColor, CodeColor, GradientColor, FunctionLine)
	h.view(w)
	return w
}

func (h hostile) filter(f *filter.Filter) {
	types := []float64{50000001, 50000002, 42000050, 60000019, 1, 50000003}
	if h.once(2) {
		f.Events.Type, f.Events.Value = h.criterion(types...), h.criterion(0, 1, 2, 1000)
	}
	f.Events.Or = h.once(4)
	c := &f.Comms
	c.Logical, c.Physical, c.Intra, c.Inter = !h.once(4), h.once(2), !h.once(4), !h.once(4)
	c.FromToOr, c.TagSizeOr = h.once(4), h.once(4)
	for _, at := range []*filter.Criterion{&c.From, &c.To, &c.Tag, &c.Size, &c.Bandwidth} {
		if h.once(6) {
			*at = h.criterion(0, 1, 2, 7, 100)
		}
	}
}

// view sets a window's time and selection.
func (h hostile) view(w *Window) {
	switch h.IntN(4) {
	case 0:
		w.View.Range = stat.Range{Relative: true, Begin: pick(h, 0, 0.25, 0.9, 1.5, -1), End: pick(h, 1, 0.5, 0.25, 2)}
	case 1:
		w.View.Range = stat.Range{Begin: pick(h, 0., 1, 5000, 1e9), End: pick(h, 20000., 5001, 1, 1e18)}
	}
	if h.once(4) {
		s := Selection{Level: pick(h, prv.Levels...)}
		for range parents(s.Level) {
			s.Parent = append(s.Parent, h.IntN(3))
		}
		for range 1 + h.IntN(3) {
			s.On = append(s.On, h.once(2))
		}
		w.View.Objects = append(w.View.Objects, s)
	}
}

func (h hostile) scale() stat.Scale {
	return stat.Scale{Auto: h.once(2), Zero: h.once(2), Min: pick(h, 0, 0, 1, 0.5, -5, 1000),
		Max: pick(h, 5, 20, 0.25, 1000, 0, -7.5), Delta: pick(h, 1, 1, 0.5, 20, 333.25)}
}

func (h hostile) histogram(windows []*Window) *Histogram {
	var g stat.Histogram
	statistics := stat.Statistics()
	g.Name, g.Statistic = "H", statistics[h.IntN(len(statistics))].Name
	g.Control, g.Data = &pick(h, windows...).Window, &pick(h, windows...).Window
	if h.once(2) {
		g.Third, g.Planes, g.Plane = &pick(h, windows...).Window, h.scale(), h.number()
	}
	g.Columns = h.scale()
	g.Columns.Count = pick(h, 0, 0, 7)
	g.Range.Whole = h.once(2)
	g.HideEmpty, g.ShortNames, g.Vertical = h.once(2), h.once(2), h.once(4)
	g.Sort = stat.Sort{On: h.once(2), By: pick(h, "Total", "Average", "Stdev", "Avg/Max"), Reverse: h.once(2)}
	return NewHistogram(g)
}

// file makes a configuration.
func (h hostile) file() *File {
	f := &File{Name: "hostile.cfg"}
	for n := range 1 + h.IntN(4) {
		f.Windows = append(f.Windows, h.window(n+1, f.Windows))
	}
	if h.once(2) {
		f.Histograms = append(f.Histograms, h.histogram(f.Windows))
	}
	return f
}

// answer returns the output of a configuration on a trace, line by line: "refused" in place of error messages, since
// these name lines. The number of workers must not matter.
func answer(t testing.TB, f *File, tr *prv.Trace, workers int) []string {
	t.Helper()
	bound, _, err := f.Bind(tr, true)
	if err != nil {
		if err.Error() == "" {
			t.Error("refused without a reason")
		}
		return []string{"refused"}
	}
	var lines []string
	for i := range bound.Windows {
		lines = append(lines, timeline(t, tr, &bound.Windows[i].Window.Window, workers)...)
	}
	for _, h := range bound.Histograms {
		lines = append(lines, table(t, tr, h, workers)...)
	}
	return lines
}

// timeline returns a line per row of a window: the number of its bursts, and their sum.
func timeline(t testing.TB, tr *prv.Trace, w *semantic.Window, workers int) []string {
	t.Helper()
	e, err := semantic.Compile(tr, w)
	if err != nil {
		return []string{w.Name + " refused"}
	}
	rows := make([]int, e.Rows())
	for i := range rows {
		rows[i] = i
	}
	lines := make([]string, len(rows))
	err = e.All(context.Background(), rows, workers, func(row int, s *series.Series) {
		sum := fnv.New64()
		last := int64(0)
		for i := range s.Len() {
			begin, end, v := s.Burst(i)
			if begin < last || end < begin {
				t.Errorf("%s, row %d: a burst from %d to %d after %d", w.Name, row, begin, end, last)
			}
			last = begin
			fmt.Fprintln(sum, begin, end, v)
		}
		lines[row] = fmt.Sprintf("%s %d: %d bursts, %x", w.Name, row, s.Len(), sum.Sum64())
	})
	if err != nil {
		t.Errorf("%s: %v", w.Name, err)
	}
	return lines
}

// mostMemory bounds a histogram, so that a fuzzer makes many instead of one with a million planes; tooLarge is the
// answer beyond the bound.
const (
	mostMemory = 32 << 20
	tooLarge   = "H is too large"
)

// table returns a line per cell of a histogram.
func table(t testing.TB, tr *prv.Trace, h stat.Histogram, workers int) (lines []string) {
	t.Helper()
	if h.Refused() != nil {
		return []string{"H refused"}
	}
	got, err := stat.Compute(context.Background(), tr, h, stat.Options{Workers: workers, Memory: mostMemory})
	switch {
	case err != nil && strings.Contains(err.Error(), "--memory"):
		return []string{tooLarge}
	case err != nil:
		return []string{"H refused"}
	}
	for e := range got.Entries(9) {
		lines = append(lines, fmt.Sprint(e))
	}
	return lines
}

// hold checks the properties of a configuration on a trace that was parsed and on the same trace from its index, unless
// its histogram is too large, which may depend on the workers. (A .cfg cannot express everything, such as a parent
// finer than its window, so the file is read back first.)
func hold(t testing.TB, made *File, parsed, indexed *prv.Trace) (answered bool) {
	t.Helper()
	f := reread(t, made)
	three := answer(t, f, parsed, 3)
	if slices.Contains(three, tooLarge) {
		return false
	}
	want := answer(t, f, parsed, 1)
	for what, got := range map[string][]string{
		"with three workers": three,
		"from the index":     answer(t, f, indexed, 2),
		"read back":          answer(t, reread(t, f), parsed, 1),
	} {
		if !slices.Equal(got, want) {
			t.Errorf("%s the answer is another:\n%s\nnot\n%s\n%s", what, beginning(got), beginning(want), written(t, f))
		}
	}
	return len(want) > 0 && !strings.HasSuffix(want[len(want)-1], "refused")
}

// beginning returns the first lines of an answer.
func beginning(lines []string) string { return strings.Join(lines[:min(len(lines), 8)], "\n") }

func written(t testing.TB, f *File) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := Write(&out, f); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func reread(t testing.TB, f *File) *File {
	t.Helper()
	text := written(t, f)
	g, _, err := Read(f.Name, bytes.NewReader(text))
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return g
}

// bothWays opens a trace of the kit from its text and from its index.
func bothWays(t testing.TB, name string) (parsed, indexed *prv.Trace) {
	t.Helper()
	dir := t.TempDir()
	for _, ext := range []string{".prv", ".pcf", ".row"} {
		if text, err := os.ReadFile(filepath.Join(kit, "traces", name+ext)); err == nil {
			if err := os.WriteFile(filepath.Join(dir, name+ext), text, 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	path := filepath.Join(dir, name+".prv")
	for _, tr := range []**prv.Trace{&parsed, &indexed} {
		o := &prv.Opener{Least: 1}
		var err error
		if *tr, err = o.Open(context.Background(), path, prv.Watcher{}); err != nil {
			t.Fatal(err)
		}
		o.Wait(context.Background())
	}
	if _, err := os.Stat(path + ".pvidx"); err != nil {
		t.Fatal("no index was made")
	}
	return parsed, indexed
}

// TestHostileFunctions: the configurations of TestHostile call every function.
func TestHostileFunctions(t *testing.T) {
	called := map[string]bool{}
	for seed := range hostileFiles {
		f := hostile{rand.New(rand.NewPCG(uint64(seed), 15))}.file()
		for _, w := range f.Windows {
			for _, p := range slices.Concat(functionPlaces(w), composePlaces(w)) {
				called[p.family.String()+" "+p.spelling()] = true
				if p.isOwn() {
					called[p.family.String()+" "+p.call.Name] = true
				}
			}
			if w.Derived != nil {
				called[semantic.DerivedFunctions.String()+" "+w.Derived.Op.Name] = true
			}
		}
		for _, h := range f.Histograms {
			called["statistic "+h.Statistic] = true
		}
	}
	for _, family := range semantic.Families {
		for _, e := range semantic.Functions(family) {
			if e.Name != semantic.UserFunction && !called[family.String()+" "+e.Name] {
				t.Errorf("no configuration calls the %s %s", family, e.Name)
			}
		}
	}
	for _, s := range stat.Statistics() {
		if !called["statistic "+s.Name] {
			t.Errorf("no configuration asks for the statistic %s", s.Name)
		}
	}
}

// hostileFiles is the number of configurations that TestHostile tries per trace.
const hostileFiles = 300

// TestHostile tries random configurations on three traces.
func TestHostile(t *testing.T) {
	n := hostileFiles
	if testing.Short() {
		n = 40
	}
	for _, name := range []string{"tr04_hybrid", "tr03_comms", "tr06_awkward"} {
		t.Run(name, func(t *testing.T) {
			parsed, indexed := bothWays(t, name)
			answered := 0
			for seed := range n {
				f := hostile{rand.New(rand.NewPCG(uint64(seed), 15))}.file()
				f.Name = fmt.Sprintf("seed %d", seed)
				if hold(t, f, parsed, indexed) {
					answered++
				}
				if t.Failed() {
					t.Fatalf("seed %d", seed)
				}
			}
			t.Logf("%d of %d answered", answered, n)
			if answered < n/4 {
				t.Errorf("%d of %d configurations were answered: the generator asks for too little", answered, n)
			}
		})
	}
}

// FuzzHostile lets the fuzzer choose the configuration.
func FuzzHostile(f *testing.F) {
	f.Add([]byte{})
	r := rand.New(rand.NewPCG(1, 15))
	for range 8 {
		b := make([]byte, 300)
		for i := range b {
			b[i] = byte(r.IntN(256))
		}
		f.Add(b)
	}
	parsed, indexed := bothWays(f, "tr03_comms")
	f.Fuzz(func(t *testing.T, b []byte) {
		hold(t, hostile{&script{b}}.file(), parsed, indexed)
	})
}
