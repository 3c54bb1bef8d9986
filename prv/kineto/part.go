package kineto

// Parts of a run: some of its ranks, while the files of others are being read.
//
// The events of a file may be in any order: PyTorch writes the functions of a thread as they end, and the work of the
// devices after those of all threads. So a rank can be shown only once its whole file has been read. Then it is final,
// except for what depends on other ranks: the begin of the run, the correction of clocks, and the numbers of names,
// groups and collectives. A rank that has not been read has one row, with its name.

import (
	"context"
	"io"
	"os"
	"regexp"
	"slices"
	"strconv"
	"sync"

	"pview/prv"
)

const (
	leastInParts = 4 << 20 // bytes: a run with smaller files is not shown in parts
	partGrowth   = 3       // each part needs this many times the bytes of the last
)

// provisional tells the user what may change in a part.
const provisional = "until then clocks are not aligned"

// parts builds the parts of a run for a Watcher.
type parts struct {
	show  func(*prv.Part)
	files []*file
	sizes []int64
	total int64

	mu   sync.Mutex
	read []bool
	done int64 // bytes of the files read
	next int64 // and for the next part
	busy bool  // one is being built
}

func newParts(files []*file, sizes []int64, total int64, show func(*prv.Part)) *parts {
	p := &parts{show: show, files: files, sizes: sizes, total: total, read: make([]bool, len(files))}
	if len(files) < 2 || total < leastInParts {
		p.show = nil
	}
	return p
}

// finished notes that a file is read, and shows a part if one is due. Errors of parts are ignored: the whole run will
// report the same.
func (p *parts) finished(ctx context.Context, i int) {
	if p.show == nil {
		return
	}
	p.mu.Lock()
	p.read[i] = true
	p.done += p.sizes[i]
	due := !p.busy && p.done >= p.next && 2*p.done <= p.total
	if due {
		p.busy, p.next = true, partGrowth*p.done
	}
	read := slices.Clone(p.read)
	p.mu.Unlock()
	if !due {
		return
	}
	if part, err := p.build(ctx, read); err == nil {
		p.show(part)
	}
	p.mu.Lock()
	p.busy = false
	p.mu.Unlock()
}

// build makes the trace of the files that are read, with a row for each of the others.
func (p *parts) build(ctx context.Context, read []bool) (*prv.Part, error) {
	var ready []*file
	files := make([]*file, len(p.files))
	for i, f := range p.files {
		if !read[i] {
			files[i] = unreadFile(f.path)
			continue
		}
		files[i] = f.forPart()
		ready = append(ready, files[i])
	}
	if err := sameRun(ready); err != nil {
		return nil, err
	}
	rank(files)
	b := newBuilder(files)
	t, err := b.build(ctx)
	if err != nil {
		return nil, err
	}
	t.Notes = nil // some would be about ranks that are not read yet
	part := &prv.Part{Trace: t, Until: t.Duration, Unread: make([]bool, len(t.Threads)), Provisional: provisional}
	for _, task := range b.tasks {
		if task.unread {
			part.Unread[task.first] = true
		}
	}
	return part, nil
}

// forPart returns a copy of a file for a builder, with copies of the columns that a builder changes.
func (f *file) forPart() *file {
	c := *f
	c.rows, c.parts, c.links = slices.Clone(f.rows), slices.Clone(f.parts), slices.Clone(f.links)
	for i := range c.rows {
		c.rows[i].points = slices.Clip(c.rows[i].points) // counters' points are appended to a thread's
	}
	return &c
}

// unreadFile represents a file that has not been read: one row, no records.
func unreadFile(path string) *file {
	f := newFile(path, false)
	f.unread, f.profiler, f.rank = true, true, rankInHead(path)
	f.first, f.last = 1, 0
	f.rows = []row{{}}
	return f
}

// headLength is the length of the start of a file that is searched for its rank.
const headLength = 64 << 10

var headRank = regexp.MustCompile(`"distributedInfo"\s*:\s*"?\{[^{}]*["']rank["']\s*:\s*(\d+)`)

// rankInHead returns the rank in the start of a file, -1 if none.
func rankInHead(path string) int64 {
	in, err := os.Open(path)
	if err != nil {
		return -1
	}
	defer in.Close()
	text, _, err := unpacked(in, headLength)
	if err != nil {
		return -1
	}
	head := make([]byte, headLength)
	n, _ := io.ReadFull(text, head)
	if m := headRank.FindSubmatch(head[:n]); m != nil {
		if r, err := strconv.ParseInt(string(m[1]), 10, 64); err == nil {
			return r
		}
	}
	return -1
}
