package prv

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"math/rand/v2"
	"runtime"
	"strconv"
	"testing"
	"time"
)

// Text compressed block by block is one gzip member for other readers, and unchanged.
func TestGzipWriter(t *testing.T) {
	for _, size := range []int{0, 1, 1000, gzipBlock - 1, gzipBlock, gzipBlock + 1, 5*gzipBlock + 77} {
		text := traceLikeText(size)
		var b bytes.Buffer
		z := newGzipWriter(&b, 3)
		for rest := text; len(rest) > 0; {
			n := min(len(rest), 70_001)
			if _, err := z.Write(rest[:n]); err != nil {
				t.Fatal(err)
			}
			rest = rest[n:]
		}
		if err := z.Close(); err != nil {
			t.Fatal(err)
		}
		r, err := gzip.NewReader(&b)
		if err != nil {
			t.Fatal(err)
		}
		r.Multistream(false)
		got, err := io.ReadAll(r)
		if err != nil || !bytes.Equal(got, text) {
			t.Errorf("%d bytes: got %d back, error %v", size, len(got), err)
		}
		if b.Len() != 0 {
			t.Errorf("%d bytes: %d bytes after the first member", size, b.Len())
		}
	}
}

// The dictionary helps: the file is hardly larger than one compressed in one piece.
func TestGzipWriterCompressesWell(t *testing.T) {
	text := traceLikeText(4 * gzipBlock)
	var whole, blocks bytes.Buffer
	w := gzip.NewWriter(&whole)
	w.Write(text)
	w.Close()
	z := newGzipWriter(&blocks, 2)
	z.Write(text)
	z.Close()
	if blocks.Len() > whole.Len()*11/10 {
		t.Errorf("%d bytes in blocks, %d in one piece by the standard library", blocks.Len(), whole.Len())
	}
}

// After an error nothing hangs and no goroutine is left.
func TestGzipWriterFails(t *testing.T) {
	before := runtime.NumGoroutine()
	full := errors.New("disk full")
	z := newGzipWriter(fullDisk{full}, 2)
	text := traceLikeText(gzipBlock)
	var err error
	for i := 0; i < 100 && err == nil; i++ {
		_, err = z.Write(text)
	}
	if err != full || z.Close() != full {
		t.Errorf("got %v", err)
	}
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(time.Millisecond) {
		if runtime.NumGoroutine() <= before {
			return
		}
	}
	t.Errorf("%d goroutines, before %d", runtime.NumGoroutine(), before)
}

type fullDisk struct{ err error }

func (d fullDisk) Write([]byte) (int, error) { return 0, d.err }

func traceLikeText(size int) []byte {
	rng := rand.New(rand.NewPCG(5, 6))
	text := make([]byte, 0, size+64)
	for at := int64(0); len(text) < size; at += rng.Int64N(5000) {
		text = append(text, "2:1:1:1:1:"...)
		text = strconv.AppendInt(text, at, 10)
		text = append(text, ":50000001:0:42000050:"...)
		text = strconv.AppendInt(text, rng.Int64N(1<<20), 10)
		text = append(text, '\n')
	}
	return text[:size]
}

func BenchmarkGzipWriter(b *testing.B) {
	text := traceLikeText(16 << 20)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		z := newGzipWriter(io.Discard, runtime.GOMAXPROCS(0))
		z.Write(text)
		z.Close()
	}
}
