package dimemas

// Reading the threads of a .dim in parallel.

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"runtime"
	"slices"
	"sync"

	"pview/prv/parallel"
	"pview/sim"
)

// part is the place of the records of a thread.
type part struct {
	thread   int32
	from, to int64
}

// errUnlike is the error of a file whose offsets do not match its records.
var errUnlike = errors.New("the offsets are wrong")

// readParts reads the threads in parallel, each from its start by the offsets at the end of the file. It returns nil if
// they do not cover all records, or on any error: then the file must be read from start to end, which finds the line.
func readParts(ctx context.Context, f io.ReaderAt, m *meter, name string, memory int64) (*sim.Program, error) {
	size := programSize{name: name, limit: memory}
	d := newDimReader(ctx, io.NewSectionReader(f, 0, m.total), name)
	d.stops = true
	if err := d.readLines(func() error { return size.checkAll(d.p, nil) }); err != nil || d.offsets <= d.at {
		return nil, err
	}
	parts, err := d.readOffsets(io.NewSectionReader(f, d.offsets, m.total-d.offsets))
	if err != nil {
		return nil, err
	}
	var mu sync.Mutex
	tell := func(bytes int64) {
		mu.Lock()
		defer mu.Unlock()
		if m.done += bytes; m.progress != nil {
			m.progress(m.done, m.total)
		}
	}
	threads := make([]sim.Thread, len(d.p.Threads))
	readers := make([]*dimReader, runtime.GOMAXPROCS(0)) // by worker, to reuse their memory
	err = parallel.Each(ctx, len(parts), len(readers), func(worker, i int) (err error) {
		x := &parts[i]
		before := make([]byte, 1)
		if _, err := f.ReadAt(before, x.from-1); err != nil || before[0] != '\n' {
			return errUnlike
		}
		own := readers[worker]
		if own == nil {
			own = newDimReader(ctx, nil, name)
			own.p, own.communicators, own.header, own.records, own.alone = d.p, d.communicators, true, true, true
			readers[worker] = own
		}
		own.in.Reset(io.NewSectionReader(f, x.from, x.to-x.from))
		own.last, own.owner, own.next = x.thread, nil, 0
		own.thread.Reset()
		counted, told := int64(0), int64(0)
		look := func() error {
			tell(own.next - told)
			told = own.next
			return size.check(&counted, own.thread)
		}
		if err := cmp.Or(own.readLines(look), look()); err != nil {
			return err
		}
		if own.over {
			return errUnlike
		}
		threads[x.thread], err = own.packer.Pack(ctx, own.thread)
		return err
	})
	if err != nil {
		return nil, err
	}
	d.p.Threads = threads
	return d.link()
}

// readOffsets reads the lines s:TASK:OFFSET:..., with an offset for each thread of a task.
func (d *dimReader) readOffsets(r io.Reader) ([]part, error) {
	parts := make([]part, 0, len(d.p.Threads))
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, maxLine)
	for lines.Scan() {
		f := &d.f
		f.split(bytes.TrimRight(lines.Bytes(), "\r"))
		task, ok := f.int(1)
		if string(f.text(0)) != "s" || !ok || task < 0 || task >= int64(len(d.p.Tasks)) {
			return nil, errUnlike
		}
		t := &d.p.Tasks[task]
		if int64(f.n) != 2+int64(t.Threads) {
			return nil, errUnlike
		}
		for i := range t.Threads {
			at, ok := f.int(2 + int(i))
			if !ok {
				return nil, errUnlike
			}
			parts = append(parts, part{thread: t.FirstThread + i, from: at})
		}
	}
	if len(parts) != len(d.p.Threads) {
		return nil, cmp.Or(lines.Err(), errUnlike)
	}
	slices.SortStableFunc(parts, func(x, y part) int { return cmp.Compare(x.from, y.from) })
	for i := range parts {
		if parts[i].to = d.offsets; i+1 < len(parts) {
			parts[i].to = parts[i+1].from
		}
	}
	if parts[0].from != d.at {
		return nil, errUnlike
	}
	return parts, nil
}
