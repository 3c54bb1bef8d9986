package store

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pview/prv/model"
	"pview/prv/prvtest"
)

// The trace has at least one line for each reason why the stages take a line or leave it to chunkParser.line. It has
// two threads on a node of two CPUs, and one thread on the other node.
const particular = `#Paraver (d):10000000000000_ns:2(2,1):1:2(2:1,1:2)
1:1:1:1:1:0:10:1
1:1:1:1:1:10:20:1
1:1:1:1:1:20:30:1:77
1:1:1:1:1:30:40
1:1:1:1:1:40:30:1
1:1:1:1:1:40:50:4294967295
1:1:1:1:1:50:60:4294967296
1:1:1:1:1:50:4294967345:2
1:1:1:1:1:50:4294967346:2
1:1:1:1:1:60:-1:2
1:2:1:1:1:70:80:2
1:2:1:1:1:80:90:2
1:1:1:1:1:90:100:2
1:3:1:1:1:100:110:2
1:0:1:1:1:110:120:2
1:3:1:2:1:0:10:1
01:3:1:2:1:0:10:1
1:3:1:2:1:00000000000000010:20:1
1:3:1:2:1:0000000000000010:20:1
1:3:1:2:2:10:20:1
1:3:1:3:1:10:20:1
1:3:2:1:1:10:20:1
1:3:0:1:1:10:20:1
1:3:1:2:1:9223372036854775808:20:1
2:1:1:1:1:100:7:8
2:1:1:1:1:100:7:8:9:4294967295
2:1:1:1:1:100:7:8:9:4294967296
2:1:1:1:1:100:7:8:4294967295:1
2:1:1:1:1:100:7:8:4294967296:1
2:1:1:1:1:100:7:8:9
2:1:1:1:1:100:7
2:1:1:1:1:100
2:1:1:1:1:99:7:8
2:2:1:1:1:100:7:-8
2:2:1:1:1:101:7:18446744073709551615
2:2:1:1:1:2147483900:7:8
2:2:1:1:1:5000000000:7:8
2:2:1:1:1:4731564545:7:8
2:2:1:1:1:5000000000: 7:8
2:2:1:1:1:4731564544:7:8:9:10
2:2:1:1:1:9999999999999999:7:8
2:2:1:1:1:99999999999999999:7:8
2:2:1:1:1:9223372036854775807:7:8
2:2:1:1:1:9223372036854775807:7:9
2:2:1:1:1:5000000000:1:1:2:2:3:3:4:4:5:5:6:6:7:7:8:8:9:9:10:10:11:11:12:12:13:13:14:14:15:15:16:16:17:17:18:18:19:19:20:20:21:21:22:22:23:23:24:24:25:25:26:26:27:27:28:28:29:29:30:30:31:31:32:32:33:33
3:2:1:1:1:5000:5000:3:1:2:1:6000:6000:64:1 3:1:1:1:1:5000:5000:3:1:2:1:6000:6000:64:1
3:1:1:1:1:5000:5000:3:1:2:1:6000:6000:64:4294967295
3:1:1:1:1:5000:5000:3:1:2:1:6000:6000:64:4294967296
3:1:1:1:1:5000:5000:3:1:2:1:6000:6000:64
3:1:1:1:1:5000:5000:3:1:2:1:6000:6000:64:1:2
3:1:1:1:1:5000:5000:3:1:2:1:6000:6000:64:-1
3:1:1:1:1:5000:2147488647:3:1:2:1:6000:6000:64:1
3:1:1:1:1:5000:2147488648:3:1:2:1:6000:6000:64:1
3:1:1:1:1:3000000000:3000000000:3:1:2:1:852516352:6000:64:1
3:1:1:1:1:3000000000:3000000000:3:1:2:1:852516351:6000:64:1
3:1:1:1:1:9223372036854775807:3000000000:3:1:2:1:852516351:6000:64:1
3:1:1:1:1:99999999999999999:3000000000:3:1:2:1:852516351:6000:64:1
3:1:1:1:1:5000:5000:3:1:2:9:6000:6000:64:1
4:1:2

# a comment
c:1:9:1:1
5:1:1:1:1:0:1:1
1:1:1:1:1:0:10:1` + "\r" + `
:1:1:1:1:1:0:10:1
1:1:1:1:1:120:130:1
2:1:1:1:1:130:7:8
`

// sameReading reads a text by the stages, in chunks and blocks of several sizes, and line by line, and compares all
// results.
func sameReading(t *testing.T, text string, chunk int) {
	t.Helper()
	var want *model.Trace
	var wantErr error
	for i, opt := range []Options{
		{Workers: 1, how: inLines}, {Workers: 1, how: inStages}, {Workers: 2, how: inStages, Chunk: chunk},
		{Workers: 1, how: inLines, Chunk: chunk},
		{Workers: 2, how: inStages, Chunk: chunk}, {Workers: 1, how: inLines, Chunk: chunk, Memory: 4000},
		{Workers: 2, how: inStages, Chunk: chunk, wide: 1}, {Workers: 1, how: inLines, Chunk: chunk, wide: 1},
		{Workers: 1, how: inStages, wide: 1},
	} {
		if testing.Short() && i > 0 && opt.Workers == 1 {
			continue // under the race detector
		}
		src := io.Reader(strings.NewReader(text)) // its size is known: columns are reserved
		if i < 4 {
			src = struct{ io.Reader }{src}
		}
		opt.Name, opt.Storage = "trace", &Storage{Memory: opt.Memory}
		opt.Size = int64(len(text))
		got, err := hooks.read(context.Background(), src, opt)
		if want == nil && wantErr == nil {
			want, wantErr = got, err
			continue
		}
		if fmt.Sprint(err) != fmt.Sprint(wantErr) {
			t.Fatalf("chunks of %d: %v; line by line: %v", opt.Chunk, err, wantErr)
		}
		if err != nil {
			continue
		}
		if err := model.Equal(got, want); err != nil {
			t.Fatalf("chunks of %d, and line by line: %v", opt.Chunk, err)
		}
		for i := range got.Threads {
			if !slices.Equal(got.Threads[i].States.FileOrder, want.Threads[i].States.FileOrder) ||
				got.Threads[i].CPU != want.Threads[i].CPU {
				t.Fatalf("chunks of %d, and line by line: order or CPU of thread %d", opt.Chunk, i)
			}
		}
		if got.Skipped != want.Skipped || !slices.Equal(got.Notes, want.Notes) ||
			fmt.Sprint(got.Cut) != fmt.Sprint(want.Cut) {
			t.Fatalf("chunks of %d: %+v, %v, %v; line by line: %+v, %v, %v", opt.Chunk, got.Skipped, got.Notes, got.Cut,
				want.Skipped, want.Notes, want.Cut)
		}
		if d := opt.Storage.Draft; d != nil {
			d.Discard() // to limit the number of open files
		}
	}
}

func TestStagesOfParticularLines(t *testing.T) {
	step := 1
	if testing.Short() { // under the race detector
		step = 7
	}
	for chunk := 0; chunk < 400; chunk += step {
		sameReading(t, particular, chunk)
	}
	// Each of these lines also among plain ones, which the stages read before and after it.
	head, body, _ := strings.Cut(particular, "\n")
	around := "1:1:1:1:1:0:10:1\n2:1:1:1:2:5:7:8\n1:3:1:2:1:0:10:1\n3:1:1:1:1:5000:5000:3:1:2:1:6000:6000:64:1\n"
	for line := range strings.Lines(body) {
		sameReading(t, head+"\n"+around+around+line+around+line+line+around, 90)
	}
}

// The stages must take plain lines and not leave them all to the other parser.
func TestStagesTakePlainLines(t *testing.T) {
	text := plainText(textBlock)
	var h model.Header
	h.AddNode(64)
	h.AddPtask()
	for range 64 {
		h.AddTask(1, 0)
	}
	p := newChunkParser(&h.Resources)
	text = append(text, make([]byte, Pad)...)
	p.readBlock(text, 0, len(text)-Pad)
	p.readBlock(text, 0, len(text)-Pad)
	lines := bytes.Count(text, []byte{'\n'})
	// Not taken are the first record of each thread, those where the second pass goes back in time, and the first
	// communication, which has no predecessor.
	if p.left > 3*64+2 || lines < 1000 {
		t.Errorf("%d of %d lines are not read by the stages", p.left, lines)
	}
}

// mutated changes a text here and there, making lines odd, long, short or different.
func mutated(rng *rand.Rand, text []byte) []byte {
	text = slices.Clone(text)
	parts := []string{":", "\n", "-", " ", "\r\n", "0", "9", "99999999999", "4294967296", "2147483647",
		"2147483648", "#", "1:1:1:1:1:", "::", "-1",
		"3:", "\t"}
	for range 1 + rng.IntN(12) {
		at := rng.IntN(len(text) + 1)
		switch part := parts[rng.IntN(len(parts))]; rng.IntN(4) {
		case 0:
			text = slices.Insert(text, at, []byte(part)...)
		case 1:
			text = slices.Delete(text, at, min(len(text), at+1+rng.IntN(4)))
		case 2:
			copy(text[at:], part)
		default: // moves a line elsewhere
			from := at + bytes.IndexByte(text[at:], '\n') + 1
			line := text[from:min(len(text), from+1+max(0, bytes.IndexByte(text[from:], '\n')))]
			to := rng.IntN(len(text) + 1)
			to += bytes.IndexByte(text[to:], '\n') + 1
			text = slices.Insert(text, to, bytes.Clone(line)...)
		}
	}
	return text
}

// samples returns the beginnings of real traces and of those in testdata.
func samples(t testing.TB) (list [][]byte) {
	files := prvtest.Traces("../../testdata/oracle/*/traces")
	shared, _ := filepath.Glob(filepath.Join(prvtest.SharedDir(), "traces", "*", "*.prv"))
	for _, name := range append(files, shared...) {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		head := bytes.IndexByte(b, '\n') + 1
		if b = b[:min(len(b), head+24<<10)]; head > 0 {
			list = append(list, b[:bytes.LastIndexByte(b, '\n')+1])
		}
	}
	return list
}

func TestStagesOfMutatedTraces(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	list := samples(t)
	if len(list) == 0 {
		t.Fatal("no traces in testdata")
	}
	for _, text := range list {
		sameReading(t, string(text), 1000)
		if testing.Short() {
			continue
		}
		for range 3 {
			head := bytes.IndexByte(text, '\n') + 1
			sameReading(t, string(text[:head])+string(mutated(rng, text[head:])), rng.IntN(6000))
		}
	}
}

// FuzzStages reads traces by the stages and line by line.
func FuzzStages(f *testing.F) {
	f.Add([]byte(particular), uint16(300), uint64(0))
	for i, text := range samples(f) {
		f.Add(text[:min(len(text), 6<<10)], uint16(700), uint64(i))
	}
	f.Fuzz(func(t *testing.T, text []byte, chunk uint16, seed uint64) {
		if len(text) > 32<<10 || bytes.HasPrefix(text, []byte("\x1f\x8b")) {
			return
		}
		if head := bytes.IndexByte(text, '\n') + 1; seed != 0 && head > 0 {
			text = append(text[:head:head], mutated(rand.New(rand.NewPCG(seed, 5)), text[head:])...)
		}
		if h, _, err := hooks.head(string(text)); err == nil && h.NumThreads() > 10_000 {
			return
		}
		sameReading(t, string(text), int(chunk))
	})
}

// comparison holds reusable memory for sameFields.
type comparison struct {
	plain, fast  fields
	low, fastLow []uint32
	text         []byte
}

// sameFields compares the assembly with plain Go on every range of whole lines.
func (c *comparison) sameFields(t *testing.T, text []byte, from, to int) {
	t.Helper()
	c.text = append(append(c.text[:0], text...),
		"0123456789:\n0123456789:\n0123456789:\n0123456789:\n0123456789:\n0123456789:\n"[:Pad]...)
	if len(c.low) < len(text)+fieldSlack {
		c.low, c.fastLow = make([]uint32, len(text)+fieldSlack), make([]uint32, len(text)+fieldSlack)
	}
	plain, fast, low, fastLow := &c.plain, &c.fast, c.low, c.fastLow
	plain.allocate(len(text))
	fast.allocate(len(text))
	n, lines, odd := readPlain(c.text, from, to, plain, low)
	n2, lines2, odd2 := readFields(c.text, from, to, fast, fastLow)
	if n != n2 || lines != lines2 || odd != odd2 {
		t.Fatalf("%d fields, %d lines, %d odd; by assembly %d, %d, %d, in %.100q", n, lines, odd, n2, lines2, odd2,
			text[from:to])
	}
	if !slices.Equal(plain.ends[1:n+1], fast.ends[1:n+1]) || !slices.Equal(plain.lines[:lines], fast.lines[:lines]) ||
		!slices.Equal(plain.odd[:odd], fast.odd[:odd]) {
		t.Fatalf("the fields differ in %.100q", text[from:to])
	}
	for i := range n {
		if plain.numbers[i] != fast.numbers[i] || low[i] != fastLow[i] {
			t.Fatalf("number %d is %d, %d, by assembly %d, %d, in %.100q", i, plain.numbers[i], low[i], fast.numbers[i],
				fastLow[i], text[from:to])
		}
		if (plain.bigFrom(i)^fast.bigFrom(i))&1 != 0 || plain.bigFrom(i)&1 == 1 != (plain.numbers[i]>>31 != 0) {
			t.Fatalf("number %d of %.100q", i, text[from:to])
		}
	}
}

// lineBegins returns the positions where lines begin, and the end.
func lineBegins(text []byte) []int {
	list := []int{0}
	for i, c := range text {
		if c == '\n' {
			list = append(list, i+1)
		}
	}
	return list
}

// Assembly and plain Go agree wherever lines begin and end: at every offset in the words that are read at a time.
func TestFieldsEverywhere(t *testing.T) {
	text :=
		[]byte(particular +
			"\n\n1\n12:\n1:1:1:1:1:1:1:1:1:1:1:1:1:1:1:1:1:1:1:1:1:1:1:1:1:1:1:1:1:1:1:1:1:1:1:1:1:1:1:1:1:1:1:1:1\n" +
			":::::::::\n\n\n\n\n1:12345678901234567\n\xff:\x80:/;\n")
	begins := lineBegins(text)
	var c comparison
	for i := range begins {
		for _, to := range begins[i:] {
			c.sameFields(t, text, begins[i], to)
		}
	}
	for n := range 140 {
		c.sameFields(t, append([]byte(strings.Repeat("7", n)), '\n'), 0, n+1)
		c.sameFields(t, []byte(strings.Repeat("\n", n)+"123:45\n"), n, n+7)
	}
}

// FuzzFields reads the fields of any bytes with assembly and in plain Go.
func FuzzFields(f *testing.F) {
	f.Add([]byte(particular))
	f.Add(plainText(1000))
	f.Add([]byte(wideText(40)))
	for _, text := range samples(f) {
		f.Add(text[:min(len(text), 2<<10)])
	}
	var c comparison
	f.Fuzz(func(t *testing.T, text []byte) {
		if len(text) > 2<<10 {
			return
		}
		text = append(slices.Clip(text), '\n')
		begins := lineBegins(text)
		for i, from := range begins[:len(begins)-1] {
			if i%8 == 0 {
				c.sameFields(t, text, from, len(text))
			}
			c.sameFields(t, text, from, begins[i+1])
		}
	})
}
