package store

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// The first comments and communicators of the file are kept, up to a limit, and are the same for any number of workers
// and any size of chunks.
func TestAsidesAreBounded(t *testing.T) {
	// With Memory 16 MiB the limit is 1 MiB. A line "#1234567" and its cost take 8+32 bytes: 26,214 fit, 1,048,560
	// bytes.
	const lines, fit = 30_000, 1 << 20 / 40
	var b strings.Builder
	b.WriteString("#Paraver (01/01/2026 at 10:00):1000_ns:1(1):1:1(1:1)\n1:1:1:1:1:0:10:1\n")
	for i := range lines {
		fmt.Fprintf(&b, "%s%07d\n", map[bool]string{true: "#", false: "c:"}[i%2 == 0], i)
	}
	text := strings.ReplaceAll(b.String(), "c:0", "c:") // communicators of 8 bytes, as well
	for _, opt := range []Options{{Memory: 16 << 20, Workers: 1, Chunk: 1000},
		{Memory: 16 << 20, Workers: 4, Chunk: 777}, {Memory: 16 << 20, Workers: 4}} {
		opt.Name = "a.prv"
		tr, err := hooks.read(context.Background(), strings.NewReader(text), opt)
		if err != nil {
			t.Fatal(err)
		}
		if len(tr.Comments) != fit/2 || len(tr.Communicators) != fit/2 {
			t.Errorf("%d comments and %d communicators, want %d each", len(tr.Comments), len(tr.Communicators), fit/2)
		}
		// The first line left out is 2 + fit + 1.
		want :=
			fmt.Sprintf(
				"a.prv:%d: comment and communicator lines beyond the first 1 MB are left out (%d lines): a larger "+
					"--memory keeps more", 2+fit+1, lines-fit)
		if len(tr.Notes) != 1 || tr.Notes[0].String() != want {
			t.Errorf("notes %v, want %s", tr.Notes, want)
		}
	}
	if tr, err := hooks.read(context.Background(), strings.NewReader(text), Options{}); err != nil ||
		len(tr.Comments)+len(tr.Communicators) != lines || len(tr.Notes) > 0 {
		t.Errorf("without a limit: %v, %v", err, tr.Notes)
	}
}

// While the first segment is being parsed, those after it together keep no more than the limit; when it is parsed, its
// lines come first.
func TestAsidesBehindASlowSegment(t *testing.T) {
	line := []byte("#1234567") // a line and its cost take 40 bytes: 10 lines fit
	b := asideBudget{limit: 400}
	segs := make([]*segment, 5)
	parse := func(number, lines int) {
		limit := b.limitOf(segs, number)
		s := &segment{}
		for i := range lines {
			s.asides.Add(line, int64(i+1), limit)
		}
		segs[number] = s
		b.settle(segs)
	}
	kept := func() (n []int) {
		for _, s := range segs {
			if s == nil {
				n = append(n, -1)
			} else {
				n = append(n, len(s.asides.text))
			}
		}
		return n
	}
	parse(1, 7)
	parse(2, 2)
	parse(3, 5) // 10 - 7 - 2 = 1 at most
	parse(4, 1) // the previous one has left lines out
	if got, want := kept(), []int{-1, 7, 2, 1, 0}; !slices.Equal(got, want) {
		t.Errorf("%v lines are kept, want %v", got, want)
	}
	parse(0, 4) // 10 - 4 = 6 of segment 1
	if got, want := kept(), []int{4, 6, 0, 0, 0}; !slices.Equal(got, want) {
		t.Errorf("%v lines are kept, want %v", got, want)
	}
	var left int64
	for _, s := range segs {
		left += s.asides.Left
	}
	if want := int64(7 + 2 + 5 + 1 + 4 - 10); left != want {
		t.Errorf("%d lines are left out, want %d", left, want)
	}
}

// A line that is longer than the memory allows is rejected, and the message names the limit.
func TestLongLineIsRefused(t *testing.T) {
	text := "#Paraver (01/01/2026 at 10:00):1000_ns:1(1):1:1(1:1)\n1:1:1:1:1:0:10:1\n#" + strings.Repeat("x",
		3<<20) + "\n"
	_, err := hooks.read(context.Background(), strings.NewReader(text), Options{Memory: 16 << 20})
	if want := "trace: a line is longer than the 1 MB that --memory allows: not a trace"; err == nil ||
		err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
	if _, err := hooks.read(context.Background(), strings.NewReader(text), Options{}); err != nil {
		t.Error(err)
	}
}

// Lines may take 64 MB, or a sixteenth of the given memory, but at least 1 MB.
func TestLimitsOfLines(t *testing.T) {
	for _, c := range []struct {
		memory, want int64
		text         string
	}{
		{0, 64 << 20, "a line is longer than 64 MB"},
		{1, 1 << 20, "a line is longer than the 1 MB that --memory allows"},
		{48 << 20, 3 << 20, "a line is longer than the 3 MB that --memory allows"},
		{1 << 30, 64 << 20, "a line is longer than 64 MB"},
		{8 << 30, 64 << 20, "a line is longer than 64 MB"},
	} {
		o := Options{Memory: c.memory}
		if o.Longest() != c.want || o.AsideLimit() != c.want || o.TooLong("a line") != c.text {
			t.Errorf("memory %d: %d, %d, %s", c.memory, o.Longest(), o.AsideLimit(), o.TooLong("a line"))
		}
	}
	if got, want := AsidesLeftOut("a.prv", MostAsides, 3, 7).String(),
		"a.prv:7: comment and communicator lines beyond the first 64 MB are left out (3 lines)"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
