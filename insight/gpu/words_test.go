package gpu

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"pview/prv"
	"pview/prv/kineto"
	"pview/prv/prvtest"
	"pview/render/document"
)

// twoRanks is a run of two ranks, each with a device, in three steps.
func twoRanks(t *testing.T) (*prv.Trace, *Analysis) {
	t.Helper()
	files, _ := filepath.Glob(filepath.Join(prvtest.Root(), "testdata", "traces", "ranks_2", "*.json.gz"))
	trace, err := kineto.OpenRun(context.Background(), files, false, prv.Watcher{})
	trace, a := analysed(t, trace, err)
	trace.Path = "ranks_2"
	return trace, a
}

// The analysis of a run of two ranks, and its prediction with faster collectives.
func TestWords(t *testing.T) {
	trace, a := twoRanks(t)
	text := document.Text(a.Document(trace), nil)
	a.Answer = answerTo(t, trace, a, "collectives:0.5")
	text += "\n--- with faster collectives\n" + document.Text(a.Document(trace), nil)
	prvtest.SameFile(t, "testdata/words.txt", text)
}

// The object of a run of two ranks.
func TestObject(t *testing.T) {
	trace, a := twoRanks(t)
	a.Answer = answerTo(t, trace, a, "collectives:0.5")
	object, err := json.MarshalIndent(a.object(trace), "", " ")
	if err != nil {
		t.Fatal(err)
	}
	prvtest.SameFile(t, "testdata/object.json", prvtest.Rounded(string(object)))
}

// The headline of a run of two ranks, and the changes that one may ask about.
func TestHeadline(t *testing.T) {
	trace, a := twoRanks(t)
	h, err := Headline(context.Background(), trace)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, f := range h.Factors {
		fmt.Fprintf(&b, "%s %s %.4f\n", f.Abbr, f.Title, f.Value)
	}
	for _, l := range h.Lines {
		fmt.Fprintln(&b, l.Sentence)
	}
	for _, c := range a.Changes(trace) {
		fmt.Fprintln(&b, c)
	}
	prvtest.SameFile(t, "testdata/headline.txt", b.String())
}

// Stream 7 has A from 20 to 120 us, stream 8 has B from 120 to 200. No waits for events are recorded.
func TestOrder(t *testing.T) {
	trace, a := own(t, ownRun)
	o := a.Order()
	var streams []int32
	for th := range trace.Threads {
		if o.IsStream(int32(th)) {
			streams = append(streams, int32(th))
		}
	}
	if len(streams) != 2 {
		t.Fatalf("streams %v", streams)
	}
	begin := func(x Operation, ok bool) int64 {
		if !ok {
			return -1
		}
		return x.Begin / 1000
	}
	for _, c := range []struct {
		name      string
		got, want int64
	}{
		{"before 20", begin(o.Before(streams[0], 20_000)), -1},
		{"before 20.001", begin(o.Before(streams[0], 20_001)), 20},
		{"before 500", begin(o.Before(streams[1], 500_000)), 120},
		{"from 20", begin(o.From(streams[0], 20_000)), 20},
		{"from 21", begin(o.From(streams[0], 21_000)), -1},
		{"from 19", begin(o.From(streams[0], 19_000)), -1},
		{"ended by 119", begin(o.Ended(0, 119_000)), -1},
		{"ended by 120", begin(o.Ended(0, 120_000)), 20},
		{"ended by 199", begin(o.Ended(0, 199_000)), 20},
		{"ended by 200", begin(o.Ended(0, 200_000)), 120},
	} {
		if c.got != c.want {
			t.Errorf("%s: %d, want %d", c.name, c.got, c.want)
		}
	}
	b, _ := o.From(streams[1], 120_000)
	if _, ok := o.Awaited(trace, b); ok || b.End != 200_000 || b.Event != -1 || b.Launch < 0 || b.Collective != nil {
		t.Errorf("%+v", b)
	}
}

// What devices wait for in collectives, and why: rank 1 begins last, and computes until then.
func TestWhy(t *testing.T) {
	trace, a := twoRanks(t)
	var b strings.Builder
	for d, p := range a.Each(Waiting) {
		c := a.Collective(d, p)
		fmt.Fprintf(&b, "%s waits from %d to %d in %s\n", d.Title(trace), p.Begin/1000, p.End/1000, a.Name(trace, d, p))
		fmt.Fprintf(&b, "for %s, stream %d\n", a.Devices[c.LateDevice()].Title(trace), c.LateThread())
		a.Why(d, p, func(late *Device, q *Piece, begin, end int64) {
			fmt.Fprintf(&b, "%d to %d %s\n", begin/1000, end/1000, a.Does(trace, late, q))
		})
	}
	prvtest.SameText(t, b.String(), `
		rank 0 CUDA-D0 waits from 5900 to 6900 in allreduce
		for rank 1 CUDA-D1, stream 7
		5900 to 6880 gemm_backward
		6880 to 6900 gap between kernels
	`)
}
