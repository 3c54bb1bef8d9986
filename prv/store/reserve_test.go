package store

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"pview/prv/model"
	"strings"
	"testing"
)

// evenText returns a trace whose states and events come at a constant rate. Each thread has a state and a line of two
// events in each round of 64 lines; from round 512 on, the second event's value exceeds 31 bits.
func evenText(rounds int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "#Paraver (01/01/2026 at 00:00):%d_ns:1(32):1:32(1:1%s)\n", 100*rounds, strings.Repeat(",1:1", 31))
	for i := range rounds {
		for th := 1; th <= 32; th++ {
			fmt.Fprintf(&b, "1:%d:1:%d:1:%d:%d:1\n2:%d:1:%d:1:%d:60000001:%d:60000002:%d\n", th, th, 100*i,
				100*i+100, th, th, 100*i, i, i<<22)
		}
	}
	return b.String()
}

// readReserved reads a text with reserved columns, and reports how many threads have them.
func readReserved(t *testing.T, text string, opt Options) (tr *model.Trace, threads int) {
	t.Helper()
	opt.Storage, opt.Name = &Storage{Memory: opt.Memory}, "trace"
	return loadReserved(t, readerOf(t, text, opt))
}

// readZipped is readReserved of a compressed file.
func readZipped(t *testing.T, text string, opt Options) (tr *model.Trace, threads int) {
	t.Helper()
	opt.Storage, opt.Name = &Storage{Memory: opt.Memory}, "trace"
	r := readerOf(t, text, opt)
	var file bytes.Buffer
	z, err := gzip.NewWriterLevel(&file, gzip.HuffmanOnly) // the compressed file must be large for its text
	if err != nil {
		t.Fatal(err)
	}
	io.Copy(z, r.Text)
	z.Close()
	r.Src = &ProgressReader{r: &file, total: int64(file.Len())}
	body, err := gzip.NewReader(r.Src)
	if err != nil {
		t.Fatal(err)
	}
	r.Text, r.Gzip = bufio.NewReader(body), true
	return loadReserved(t, r)
}

func loadReserved(t *testing.T, r *Reader) (tr *model.Trace, threads int) {
	t.Helper()
	ctx := context.Background()
	reserved := r.reserve()
	segs, err := r.body(ctx, reserved)
	if err != nil {
		t.Fatal(err)
	}
	if reserved != nil {
		for i := range reserved.threads {
			if th := &reserved.threads[i]; th.next == th.stored && th.next != [2]int{} {
				threads++
			}
		}
	}
	if tr, err = r.trace(ctx, segs, reserved); err != nil {
		t.Fatal(err)
	}
	return tr, threads
}

// A text with a constant rate fits the columns estimated from samples.
func TestReservedColumnsFit(t *testing.T) {
	text := evenText(2000)
	got, threads := readReserved(t, text, Options{Workers: 2, Chunk: 16 << 10})
	if threads != 32 {
		t.Errorf("%d threads of 32 have reserved columns", threads)
	}
	want, err := hooks.read(context.Background(), strings.NewReader(text), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := model.Equal(got, want); err != nil {
		t.Error(err)
	}
	// Each round has a state and two events of every thread; the value of the first event is the round's number.
	th := &got.Threads[31]
	if th.States.Len() != 2000 || th.Events.Len() != 4000 || th.Events.Value.At(2*1234) != 1234 ||
		th.Events.Value.At(2*511+1) != 511<<22 || th.Events.Value.At(2*1234+1) != 1234<<22 ||
		!th.Events.Lines.Has(2468) || th.Events.Lines.Has(2469) {
		t.Errorf("%d states, %d events; value %d", th.States.Len(), th.Events.Len(), th.Events.Value.At(2*1234))
	}
}

// The start of a compressed text with a constant rate predicts the columns of the rest; if the file is too short, or
// the estimate exceeds the memory, all rows stay in segments.
func TestReservedColumnsOfZipped(t *testing.T) {
	text := evenText(1500)
	want, err := hooks.read(context.Background(), strings.NewReader(text), Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		text    string
		opt     Options
		threads int
	}{
		{text, Options{Workers: 2, Chunk: 16 << 10}, 32},
		{text, Options{Workers: 3, Chunk: 8000, how: inLines}, 32},
		{text, Options{Workers: 1, Chunk: 16 << 10, Memory: 8 << 20}, 0},
		{evenText(100), Options{Workers: 2, Chunk: 16 << 10}, 0},
	} {
		got, threads := readZipped(t, c.text, c.opt)
		if threads != c.threads {
			t.Errorf("%d bytes, memory %d: %d threads have reserved columns", len(c.text), c.opt.Memory, threads)
		}
		if len(c.text) < len(text) {
			if want, err = hooks.read(context.Background(), strings.NewReader(c.text), Options{}); err != nil {
				t.Fatal(err)
			}
		}
		if err := model.Equal(got, want); err != nil {
			t.Errorf("%d bytes, memory %d: %v", len(c.text), c.opt.Memory, err)
		}
	}
}

// Large values in the start of a compressed text, which waits in segments, go into the reserved columns, whether the
// rest has large values or not.
func TestLargeValuesBeforeReservedColumns(t *testing.T) {
	head, body, _ := strings.Cut(evenText(1500), "\n")
	lines := strings.SplitAfter(body, "\n")
	for _, c := range []struct{ large, rest string }{{"-5", "5"}, {"-5", "4294967296"}, {"5", "-5"}} {
		var b strings.Builder
		b.WriteString(head + "\n")
		for i, line := range lines {
			value := c.rest
			if i < 640 { // ten rounds
				value = c.large
			}
			if strings.HasPrefix(line, "2:") {
				line = line[:strings.LastIndexByte(line, ':')+1] + value + "\n"
			}
			b.WriteString(line)
		}
		want, err := hooks.read(context.Background(), strings.NewReader(b.String()), Options{})
		if err != nil {
			t.Fatal(err)
		}
		got, threads := readZipped(t, b.String(), Options{Workers: 2, Chunk: 16 << 10})
		if threads != 32 {
			t.Errorf("%s, then %s: %d threads have reserved columns", c.large, c.rest, threads)
		}
		if err := model.Equal(got, want); err != nil {
			t.Errorf("%s, then %s: %v", c.large, c.rest, err)
		}
	}
}

// If threads come and go or move to other CPUs, samples mislead, but everything is still read.
func TestReservedColumnsTooShort(t *testing.T) {
	head, body, _ := strings.Cut(evenText(1000), "\n")
	lines := strings.SplitAfter(body, "\n")
	rng := rand.New(rand.NewPCG(5, 6))
	short, shortZipped := 0, 0
	for _, c := range []struct {
		name   string
		change func(i int, line string) string
	}{
		{"bursts", func(i int, line string) string { // of different lengths, where samples may miss them
			if i/97%11 == 3 {
				return strings.Repeat(line, 1+rng.IntN(20))
			}
			return line
		}},
		{"one thread at the end", func(i int, line string) string {
			if i > len(lines)*9/10 {
				return "1:1:1:7:1:70000:70001:3\n2:1:1:7:1:70000:1:4294967296:2:1\n"
			}
			return line
		}},
		{"lines longer than samples", func(i int, line string) string {
			if i%40 == 0 {
				return "2:3:1:3:1:70:" + strings.Repeat("60000003:4:", 60) + "60000003:4\n"
			}
			return line
		}},
		{"moving", func(i int, line string) string {
			if i%1000 > 500 {
				return strings.Replace(line, line[:4], line[:2]+"9:", 1)
			}
			return line
		}},
		{"times beyond the base", func(i int, line string) string {
			if i%500 == 0 {
				return "1:1:1:3:1:9000000000:99000000000:3\n2:1:1:3:1:9000000000:1:9999999999\n" +
					"3:1:1:3:1:5:6:2:1:2:1:7:8:9:10\n"
			}
			return line
		}},
	} {
		var b strings.Builder
		b.WriteString(head + "\n")
		for i, line := range lines {
			if line != "" {
				b.WriteString(c.change(i, line))
			}
		}
		want, err := hooks.read(context.Background(), strings.NewReader(b.String()), Options{Workers: 1})
		if err != nil {
			t.Fatal(err)
		}
		for _, opt := range []Options{{Workers: 2, Chunk: 30_000}, {Workers: 3, Chunk: 8000},
			{Workers: 1, Chunk: 20_000, how: inLines}, {Workers: 2, Chunk: 16_000, Memory: 34 << 20}} {
			if testing.Short() && opt.Workers == 1 {
				continue // under the race detector
			}
			got, threads := readReserved(t, b.String(), opt)
			if threads == 0 {
				t.Errorf("%s, chunks of %d: no thread has reserved columns", c.name, opt.Chunk)
			}
			short += 32 - threads
			if err := model.Equal(got, want); err != nil {
				t.Errorf("%s, chunks of %d: %v", c.name, opt.Chunk, err)
			}
			got, threads = readZipped(t, b.String(), opt)
			shortZipped += 32 - threads
			if err := model.Equal(got, want); err != nil {
				t.Errorf("%s, chunks of %d, compressed: %v", c.name, opt.Chunk, err)
			}
		}
	}
	if short == 0 || shortZipped == 0 {
		t.Error("all columns are long enough")
	}
}
