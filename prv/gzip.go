package prv

// Compressing on all cores.
//
// A gzip stream is one deflate stream, but deflate can be flushed to a byte boundary at any point and given the
// preceding text. So blocks of the text are compressed independently, each with the end of the previous one as its
// dictionary, and the results are concatenated. That gives one ordinary gzip member that every reader accepts (some
// reject files with several members), a fraction of a percent larger than a sequential one.

import (
	"encoding/binary"
	"hash/crc32"
	"io"
	"sync"

	"github.com/klauspost/compress/flate"
)

const (
	gzipBlock  = 1 << 20  // text per compressed block
	gzipWindow = 32 << 10 // how far back deflate refers
)

// gzipWriter compresses what is written to it. Close must be called, even after an error: it ends the goroutines.
type gzipWriter struct {
	job  *gzipJob // the block being filled
	crc  uint32
	size uint32 // of all text, modulo 2^32

	queue chan *gzipJob // in order
	done  chan struct{} // closed when everything is written
	jobs  sync.Pool     // of *gzipJob, for reuse
	flate sync.Pool     // of *flate.Writer

	mu  sync.Mutex
	err error
}

// gzipJob is the compression of a block.
type gzipJob struct {
	text   []byte
	before []byte // end of the previous block
	packed appender
	ready  chan struct{}
}

// newGzipWriter returns a writer that compresses up to about N blocks concurrently.
func newGzipWriter(w io.Writer, workers int) *gzipWriter {
	z := &gzipWriter{queue: make(chan *gzipJob, max(workers, 1)), done: make(chan struct{})}
	z.jobs.New = func() any {
		return &gzipJob{text: make([]byte, 0, gzipBlock), before: make([]byte, 0, gzipWindow)}
	}
	z.job = z.newJob()
	go z.writeOut(w)
	return z
}

// newJob returns an empty block.
func (z *gzipWriter) newJob() *gzipJob {
	j := z.jobs.Get().(*gzipJob)
	j.text, j.before, j.packed, j.ready = j.text[:0], j.before[:0], j.packed[:0], make(chan struct{})
	return j
}

// writeOut writes compressed blocks in order.
func (z *gzipWriter) writeOut(w io.Writer) {
	defer close(z.done)
	// Deflate, no name, no time, unknown system: the same text always gives the same file.
	_, err := w.Write([]byte{0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255})
	z.fail(err)
	for job := range z.queue {
		<-job.ready
		if z.failed() == nil {
			_, err := w.Write(job.packed)
			z.fail(err)
		}
		z.jobs.Put(job)
	}
}

func (z *gzipWriter) fail(err error) {
	z.mu.Lock()
	defer z.mu.Unlock()
	if z.err == nil {
		z.err = err
	}
}

func (z *gzipWriter) failed() error {
	z.mu.Lock()
	defer z.mu.Unlock()
	return z.err
}

func (z *gzipWriter) Write(p []byte) (n int, err error) {
	n = len(p)
	for len(p) > 0 {
		t := z.job.text
		k := copy(t[len(t):cap(t)], p)
		z.job.text, p = t[:len(t)+k], p[k:]
		if len(z.job.text) == cap(t) {
			z.send(false)
		}
	}
	return n, z.failed()
}

// send compresses the block in the background. It waits while all workers are busy.
func (z *gzipWriter) send(last bool) {
	job := z.job
	z.crc = crc32.Update(z.crc, crc32.IEEETable, job.text)
	z.size += uint32(len(job.text))
	z.job = z.newJob()
	z.job.before = append(z.job.before, job.text[max(0, len(job.text)-gzipWindow):]...)
	crc, size := z.crc, z.size
	z.queue <- job
	go func() {
		defer close(job.ready)
		z.compress(job, last)
		if last {
			job.packed = binary.LittleEndian.AppendUint32(job.packed, crc)
			job.packed = binary.LittleEndian.AppendUint32(job.packed, size)
		}
	}()
}

// compress compresses a block, ending at a byte boundary or at the end of the stream.
func (z *gzipWriter) compress(job *gzipJob, last bool) {
	var err error
	f, ok := z.flate.Get().(*flate.Writer)
	if ok {
		f.ResetDict(&job.packed, job.before)
	} else if f, err = flate.NewWriterDict(&job.packed, flate.DefaultCompression, job.before); err != nil {
		z.fail(err)
		return
	}
	defer z.flate.Put(f)
	if _, err = f.Write(job.text); err == nil {
		if last {
			err = f.Close()
		} else {
			err = f.Flush()
		}
	}
	z.fail(err)
}

// appender is a writer that appends to a slice.
type appender []byte

func (a *appender) Write(p []byte) (int, error) {
	*a = append(*a, p...)
	return len(p), nil
}

// Close compresses the rest, waits until everything is written, and returns the first error.
func (z *gzipWriter) Close() error {
	z.send(true)
	close(z.queue)
	<-z.done
	return z.failed()
}
