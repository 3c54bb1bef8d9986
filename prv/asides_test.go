package prv

import (
	"context"
	"fmt"
	"strings"
	"testing"
)

// Comments and communicators are kept up to a limit, those that stand first in the file: the same on any number of
// workers, with chunks of any size.
func TestAsidesAreBounded(t *testing.T) {
	// With Memory 16 MiB the limit is 1 MiB. A line "#1234567" and its cost take 8+32 bytes: 26,214 fit, 1,048,560 bytes.
	const lines, fit = 30_000, 1 << 20 / 40
	var b strings.Builder
	b.WriteString("#Paraver (01/01/2026 at 10:00):1000_ns:1(1):1:1(1:1)\n1:1:1:1:1:0:10:1\n")
	for i := range lines {
		fmt.Fprintf(&b, "%s%07d\n", map[bool]string{true: "#", false: "c:"}[i%2 == 0], i)
	}
	text := strings.ReplaceAll(b.String(), "c:0", "c:") // communicators of 8 bytes, too
	for _, opt := range []Options{{Memory: 16 << 20, Workers: 1, chunk: 1000}, {Memory: 16 << 20, Workers: 4, chunk: 777}, {Memory: 16 << 20, Workers: 4}} {
		opt.Name = "a.prv"
		tr, err := Read(context.Background(), strings.NewReader(text), opt)
		if err != nil {
			t.Fatal(err)
		}
		if len(tr.Comments) != fit/2 || len(tr.Communicators) != fit/2 {
			t.Errorf("%d comments and %d communicators, want %d each", len(tr.Comments), len(tr.Communicators), fit/2)
		}
		// The first that is left out is line 2 + fit + 1.
		want := fmt.Sprintf("a.prv:%d: comment and communicator lines beyond the first 1 MB are left out (%d lines): a larger --memory keeps more", 2+fit+1, lines-fit)
		if len(tr.Notes) != 1 || tr.Notes[0].String() != want {
			t.Errorf("notes %v, want %s", tr.Notes, want)
		}
	}
	if tr, err := Read(context.Background(), strings.NewReader(text), Options{}); err != nil || len(tr.Comments)+len(tr.Communicators) != lines || len(tr.Notes) > 0 {
		t.Errorf("without a limit: %v, %v", err, tr.Notes)
	}
}

// A line that is longer than the memory allows is refused, and the message names the limit.
func TestLongLineIsRefused(t *testing.T) {
	text := "#Paraver (01/01/2026 at 10:00):1000_ns:1(1):1:1(1:1)\n1:1:1:1:1:0:10:1\n#" + strings.Repeat("x", 3<<20) + "\n"
	_, err := Read(context.Background(), strings.NewReader(text), Options{Memory: 16 << 20})
	if want := "trace: a line is longer than the 1 MB that --memory allows: not a trace"; err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
	if _, err := Read(context.Background(), strings.NewReader(text), Options{}); err != nil {
		t.Error(err)
	}
}
