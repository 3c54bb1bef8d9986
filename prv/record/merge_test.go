package record

import (
	"bytes"
	"context"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"pview/prv"
)

// L7: the files of a trace are the same for any number of workers and any memory. 5 of 6 ranks, which two workers read
// in two passes, send and receive in a ring. Each rank enters 8 functions that all ranks share, starting with a
// different one, and one of its own; the second slice has other functions. Functions are numbered in the order in which
// rank 0 enters them, then rank 1, and so on.
func TestMergeWorkers(t *testing.T) {
	const ranks = 6
	dir, g := t.TempDir(), growingRun{}
	g.start(t, dir, ranks-1, ranks)
	for round, calls := range []int{sliceRecords, 1000} {
		for rank, w := range g.ranks {
			for i := range int64(9) {
				function := 100*int64(round) + (i+int64(rank))%8
				if i == 8 {
					function = 1000 + 100*int64(round) + int64(rank)
				}
				at := g.at + i
				w.put(rec{kind: kindEnter, begin: at, end: at, aux: function},
					rec{kind: kindEvent, begin: at, end: at, request: uint32(7 + rank), aux: i})
			}
		}
		g.at += 100
		g.grow(calls)
	}
	for _, w := range g.ranks[1:] {
		w.ends()
	}
	files := func(workers int, memory int64) []byte {
		t.Helper()
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(workers))
		trace, err := Open(context.Background(), dir, false, memory, prv.Watcher{})
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		if err := prv.Write(context.Background(), &b, trace); err != nil {
			t.Fatal(err)
		}
		if err := prv.WriteLabels(&b, trace.Labels); err != nil {
			t.Fatal(err)
		}
		fmt.Fprintln(&b, trace.Notes)
		return b.Bytes()
	}
	serial := files(1, 0)
	words := strings.Join(strings.Fields(string(serial)), " ")
	for _, text := range []string{" 1 0x0 2 0x1 ", " 9 0x3e8 10 0x3e9 ", " 13 0x3ec 14 0x64 ", " 22 0x44c ",
		" Event 7 of", " Event 11 of", "1 rank ended without", "1 rank left no records"} {
		if !strings.Contains(words, text) {
			t.Errorf("no %q", text)
		}
	}
	for _, memory := range []int64{0, 0, 1} {
		if !bytes.Equal(files(2, memory), serial) {
			t.Errorf("two workers differ, with memory %d", memory)
		}
	}
}

// L7: a call may have more records than a slice: MPI_Waitall with more receives.
func TestLongCall(t *testing.T) {
	const messages = sliceRecords + 10
	dir := t.TempDir()
	a, b := newFile(t, dir, 0, 2), newFile(t, dir, 1, 2)
	a.init(0, 2)
	b.init(1, 2)
	at := int64(2000)
	for i := range uint32(messages) {
		at += 10
		a.put(rec{kind: callSend, flags: flagSend, begin: at, end: at + 5, peer: 1, bytes: 8})
		b.put(rec{kind: callIrecv, flags: flagPost, begin: at, end: at + 5, request: i + 1})
	}
	b.put(rec{kind: callWaitall, begin: at + 10, end: at + 20})
	call := int64(b.seq)
	for i := range uint32(messages) {
		b.put(rec{kind: kindReceived, request: i + 1, recvd: 8, aux: call})
	}
	a.ends()
	b.ends()
	if n := opened(t, dir).Comms.Len(); n != messages {
		t.Errorf("%d messages, want %d", n, messages)
	}
}
