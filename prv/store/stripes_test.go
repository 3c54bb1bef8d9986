package store

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"pview/prv/model"
	"pview/prv/prvtest"
	"strings"
	"testing"
	"unsafe"
)

// wideText returns a trace of 700 threads: three stripes, the last of which is not full. Threads move to other CPUs,
// times go back, and some lines have more events than a record of a stripe can hold.
func wideText(lines int) string {
	const threads = 700
	rng := rand.New(rand.NewPCG(7, 8))
	var b strings.Builder
	fmt.Fprintf(&b, "#Paraver (01/01/2026 at 00:00):%d_ns:1(800):1:%d(1:1%s)\n", 10_000_000_000*lines, threads,
		strings.Repeat(",1:1", threads-1))
	for i := range lines {
		th := 1 + rng.IntN(threads)
		object := fmt.Sprintf("%d:1:%d:1", th+i%50/49, th)
		time := 3_000_000_000*i + 1000 // soon beyond 32 bits
		switch rng.IntN(16) {
		case 0, 1, 2, 3, 4:
			fmt.Fprintf(&b, "1:%s:%d:%d:%d\n", object, time, time+rng.IntN(1000), rng.IntN(20))
		case 5:
			fmt.Fprintf(&b, "1:%s:%d:%d:1\n", object, max(0, time-rng.IntN(1<<40)), time+1<<40)
		case 6:
			fmt.Fprintf(&b, "2:%s:%d:7:%d\n", object, max(0, time-rng.IntN(1<<40)), rng.Int64())
		case 7, 8:
			to := 1 + rng.IntN(threads)
			fmt.Fprintf(&b, "3:%s:%d:%d:%d:1:%d:1:%d:%d:64:%d\n", object, time, time+5, to, to, time+10,
				time+10+rng.IntN(1<<34), i)
		default:
			fmt.Fprintf(&b, "2:%s:%d%s\n", object, time, strings.Repeat(fmt.Sprintf(":5%d:%d", i%3, i), 1+rng.IntN(6)))
		}
		if i%4000 == 3999 {
			fmt.Fprintf(&b, "2:%s:%d%s\n# a comment\n1:9:1:9:9:1:2:3\n", object, time,
				strings.Repeat(":60:70", 2*mostEvents+i%5))
		}
	}
	return b.String()
}

// A wide trace is the same from stripes as from lines read one by one, however it is divided into ranges.
func TestStripes(t *testing.T) {
	text := wideText(20_000)
	want, err := hooks.read(context.Background(), struct{ *strings.Reader }{strings.NewReader(text)},
		Options{Workers: 1, how: inLines, Name: "trace"})
	if err != nil {
		t.Fatal(err)
	}
	if want.Threads[3].States.CPU == nil || want.Comms.Len() < 2000 || want.Skipped.Total() != 5 {
		t.Fatalf("the trace is not what it should be: %d communications, skipped: %v", want.Comms.Len(), want.Skipped)
	}
	for _, opt := range []Options{
		{Workers: 1, wide: 700}, {Workers: 2, wide: 700}, {Workers: 3, wide: 700, how: inLines},
		{Workers: 2, wide: 700, Chunk: 7000}, {Workers: 2, wide: 700, Chunk: 100_000, Memory: 1 << 30},
		{Workers: 2, wide: 700, Chunk: 300},
	} {
		opt.Name, opt.Storage = "trace", &Storage{}
		var done int64
		opt.Progress = func(now, total int64) { done = max(done, now) }
		got, err := readSized(context.Background(), text, opt)
		if err != nil {
			t.Fatal(err)
		}
		if err := model.Equal(got, want); err != nil {
			t.Errorf("chunks of %d: %v", opt.Chunk, err)
		}
		if got.Skipped != want.Skipped || fmt.Sprint(got.Notes) != fmt.Sprint(want.Notes) ||
			fmt.Sprint(got.Comments) != fmt.Sprint(want.Comments) {
			t.Errorf("chunks of %d: skipped %+v, want %+v; notes %v, want %v", opt.Chunk, got.Skipped, want.Skipped,
				got.Notes, want.Notes)
		}
		if done != int64(len(text)) {
			t.Errorf("chunks of %d: progress ends at %d of %d", opt.Chunk, done, len(text))
		}
	}
}

// Communications of a range that take several blocks are the same, in the same order, as if read one by one; some are
// too large for a row, and some threads have moved to other CPUs.
func TestStripesOfCommunications(t *testing.T) {
	const threads, lines = 700, 20_000
	var b strings.Builder
	fmt.Fprintf(&b, "#Paraver (01/01/2026 at 00:00):%d_ns:1(800):1:%d(1:1%s)\n", int64(lines)<<20, threads,
		strings.Repeat(",1:1", threads-1))
	for i := range lines {
		from, to, send := 1+i%threads, 1+i*7%threads, i<<20
		fmt.Fprintf(&b, "3:%d:1:%d:1:%d:%d:%d:1:%d:1:%d:%d:%d:%d\n", from+i/15_000, from, send, send+5, to, to, send+7,
			send+9, (1+i/19_000)<<(i%40), i)
	}
	text := b.String()
	want, err := hooks.read(context.Background(), struct{ *strings.Reader }{strings.NewReader(text)},
		Options{Workers: 1, how: inLines})
	if err != nil {
		t.Fatal(err)
	}
	if rows := blockNumbers * 4 / int(unsafe.Sizeof(commRow{})); want.Comms.SendCPU == nil || lines/3 < rows {
		t.Fatalf("the trace is not what it should be: a block has %d rows", rows)
	}
	for workers := 1; workers <= 2; workers++ {
		got, err := readSized(context.Background(), text, Options{Workers: workers, wide: threads, Storage: &Storage{}})
		if err != nil {
			t.Fatal(err)
		}
		if err := model.Equal(got, want); err != nil {
			t.Errorf("%d workers: %v", workers, err)
		}
	}
}

// Traces with special columns are the same from stripes.
func TestStripesOfAwkwardTraces(t *testing.T) {
	texts := maps.Clone(prvtest.AwkwardTraces)
	texts["one event on another CPU"] = "#Paraver (a):10_ns:1(2):1:1(1:1)\n1:1:1:1:1:0:5:1\n2:2:1:1:1:5:7:8\n"
	texts["one state on another CPU"] = "#Paraver (a):10_ns:1(2):1:1(1:1)\n2:1:1:1:1:0:7:8\n1:2:1:1:1:0:5:1\n"
	for name, text := range texts {
		want, err := hooks.read(context.Background(), struct{ *strings.Reader }{strings.NewReader(text)},
			Options{Workers: 1, how: inLines, Name: "trace"})
		if err != nil {
			t.Fatal(err)
		}
		for _, chunk := range []int{0, 60} {
			got, err := readSized(context.Background(), text,
				Options{Workers: 2, wide: 1, Chunk: chunk, Name: "trace", Storage: &Storage{}})
			if err == nil {
				err = prvtest.Same(got, want)
			}
			if err != nil {
				t.Errorf("%s, chunks of %d: %v", name, chunk, err)
			}
		}
	}
}

// Stripes are used only as intended: for a plain file of many threads that is small compared with the memory.
func TestStripesOfWideFiles(t *testing.T) {
	text := wideText(100)
	for _, c := range []struct {
		opt  Options
		want bool
	}{
		{Options{wide: 700}, true},
		{Options{wide: 701}, false},
		{Options{}, false}, // 1024 threads
		{Options{wide: 700, Memory: int64(4 * len(text))}, true},
		{Options{wide: 700, Memory: int64(4*len(text)) - 4}, false},
		{Options{wide: 700, Part: func(*Part) {}}, false},
	} {
		r := readerOf(t, text, c.opt)
		if r.inStripes() != c.want {
			t.Errorf("%+v: stripes: %v", c.opt, !c.want)
		}
	}
}

// Reading that ends early reports the reason.
func TestStripesCancelled(t *testing.T) {
	text := wideText(3000)
	ctx, cancel := context.WithCancel(context.Background())
	opt := Options{Workers: 2, wide: 700, Chunk: 5000, Name: "trace", Storage: &Storage{}}
	opt.Progress = func(done, _ int64) {
		if done > int64(len(text)/2) {
			cancel()
		}
	}
	if _, err := readSized(ctx, text, opt); err != context.Canceled {
		t.Errorf("the error is %v", err)
	}
}

// The parsing states of two threads share a cache line: otherwise most records would load more.
func TestCurrentFitsCacheLine(t *testing.T) {
	if n := unsafe.Sizeof(current{}); n != 32 {
		t.Errorf("it takes %d bytes", n)
	}
}
