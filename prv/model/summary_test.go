package model_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"pview/prv"
	"pview/prv/prvtest"
	"pview/prv/wide"
)

// The counts equal those made directly from the files' text.
func TestSummaryEqualsFacts(t *testing.T) {
	var facts []string
	for _, dir := range []string{"../../testdata/traces", filepath.Join(prvtest.SharedDir(), "traces")} {
		found, _ := filepath.Glob(filepath.Join(dir, "*", "facts.tsv"))
		facts = append(facts, found...)
	}
	if len(facts) < 5 {
		t.Fatalf("only %d fact files", len(facts))
	}
	for _, file := range facts {
		traces := prvtest.Traces(filepath.Dir(file))
		t.Run(filepath.Base(traces[0]), func(t *testing.T) {
			prvtest.SkipLarge(t, traces[0])
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			tr, err := prv.Open(context.Background(), traces[0], prv.Options{Strict: true})
			if err != nil {
				t.Fatal(err)
			}
			got := summaryAsFacts(t, tr)
			for i, line := range strings.Split(strings.TrimRight(string(want), "\n"), "\n") {
				if i >= len(got) || got[i] != line {
					t.Fatalf("line %d: got\n%s\nwant\n%s", i+1, got[min(i, len(got)-1)], line)
				}
			}
		})
	}
}

func summaryAsFacts(t *testing.T, tr *prv.Trace) []string {
	t.Helper()
	s, err := prv.Summarize(context.Background(), tr)
	if err != nil {
		t.Fatal(err)
	}
	lines := []string{"kind\tkey\tlabel\tcount\ttotal_ns\tdistinct_values"}
	for _, st := range s.States {
		lines = append(lines, fmt.Sprintf("state\t%d\t%s\t%d\t%s\t", st.State, st.Label, st.Count,
			st.Time.Times(tr.Unit.Nanoseconds())))
	}
	for _, ty := range s.Types {
		lines = append(lines, fmt.Sprintf("event\t%d\t%s\t%d\t\t%d", ty.Type, ty.Label, ty.Count, ty.Distinct))
	}
	return append(lines, fmt.Sprintf("messages\t-\ttotal_ns column holds bytes\t%d\t%s\t", s.Messages, s.Bytes))
}

func TestSummaryOfStates(t *testing.T) {
	tr := readTrace(t, `#Paraver ():100:0:1:2(1:0,1:0)
1:0:1:1:1:0:-1:1
1:0:1:1:1:10:20:2
1:0:1:1:1:30:-1:1
1:0:1:2:1:0:5:1
`)
	s, err := prv.Summarize(context.Background(), tr)
	if err != nil {
		t.Fatal(err)
	}
	want := []prv.StateSum{{State: 1, Label: "Running", Count: 3, Time: wide.Of(10 + 70 + 5)},
		{State: 2, Label: "Not created", Count: 1, Time: wide.Of(10)}}
	if fmt.Sprint(s.States) != fmt.Sprint(want) || s.StateRecords != 4 {
		t.Errorf("got %v, want %v", s.States, want)
	}
}

// Distinct values are counted exactly, over many threads and for values of all sizes, up to a million.
func TestDistinctValues(t *testing.T) {
	var text strings.Builder
	text.WriteString("#Paraver ():100:0:1:8(1:0" + strings.Repeat(",1:0", 7) + ")\n")
	rng := rand.New(rand.NewPCG(3, 4))
	want := map[int64]bool{0: true}
	text.WriteString("2:0:1:1:1:0:5:0\n")
	for task := 1; task <= 8; task++ {
		fmt.Fprintf(&text, "2:0:1:%d:1:0", task)
		for range 20000 {
			v := int64(rng.Uint64() >> (1 + rng.IntN(60)))
			want[v] = true
			text.WriteString(":5:" + strconv.FormatInt(v, 10))
		}
		text.WriteString("\n")
	}
	s, err := prv.Summarize(context.Background(), readTrace(t, text.String()))
	if err != nil {
		t.Fatal(err)
	}
	if ty := s.Types[0]; ty.Distinct != int64(len(want)) || ty.More || ty.Count != 160001 || s.EventLines != 9 {
		t.Errorf("got %+v, want %d distinct values", ty, len(want))
	}
}

func TestVeryManyDistinctValues(t *testing.T) {
	b := prv.NewBuilder(oneThread())
	for i := range int64(1<<20 + 5000) {
		b.Event(0, 0, i, prv.Pair{Type: 7, Value: i * 3}, prv.Pair{Type: 8, Value: i % 3})
	}
	tr, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	s, err := prv.Summarize(context.Background(), tr)
	if err != nil {
		t.Fatal(err)
	}
	if c, u := s.Types[0], s.Types[1]; c.Distinct != 1<<20 || !c.More || c.Count != 1<<20+5000 || u.Distinct != 3 ||
		u.More {
		t.Errorf("got %+v", s.Types)
	}
}

func TestSummarizeStops(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := prv.Summarize(ctx, readTrace(t, prvtest.Canonical)); err != context.Canceled {
		t.Errorf("got %v", err)
	}
}

// oneThread returns the header of a trace of one thread, without resources.
func oneThread() prv.Header {
	var h prv.Header
	h.AddPtask()
	h.AddTask(1, -1)
	return h
}

// A trace with more types than can have their own tally, some of them frequent: the counts equal those of plain maps.
func TestVeryManyTypes(t *testing.T) {
	type pair struct {
		typ   uint32
		value int64
	}
	var h prv.Header
	h.AddPtask()
	for range 8 {
		h.AddTask(1, -1)
	}
	b := prv.NewBuilder(h)
	rng := rand.New(rand.NewPCG(3, 4))
	counts, distinct := map[uint32]int64{}, map[pair]bool{}
	for i := range 200_000 {
		p := pair{uint32(rng.IntN(5000)), int64(rng.IntN(80)) - 5}
		if i%3 == 0 {
			p.typ %= 7
		}
		// 20 types have more values, and longer ones, than fit the tally that types share
		if i%2 == 0 && p.typ > 10 {
			p = pair{4000 + p.typ%20, int64(rng.IntN(300)) << (20 * rng.IntN(3))}
		}
		b.Event(int32(i%8), 0, int64(i), prv.Pair{Type: p.typ, Value: p.value})
		counts[p.typ]++
		distinct[p] = true
	}
	tr, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	sum, err := prv.Summarize(context.Background(), tr)
	if err != nil {
		t.Fatal(err)
	}
	values := map[uint32]int64{}
	for p := range distinct {
		values[p.typ]++
	}
	if len(sum.Types) != len(counts) || sum.EventPairs != 200_000 {
		t.Fatalf("%d types, %d events", len(sum.Types), sum.EventPairs)
	}
	for _, ty := range sum.Types {
		if ty.Count != counts[ty.Type] || ty.Distinct != values[ty.Type] || ty.More {
			t.Errorf("type %d: %d events, %d values; there are %d, %d", ty.Type, ty.Count, ty.Distinct, counts[ty.Type],
				values[ty.Type])
		}
	}
}
