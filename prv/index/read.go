package index

// From an index to a trace, with all possible checks.

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"os"
	"pview/prv/mapped"
	"pview/prv/model"
	"pview/prv/parallel"
)

// open maps the files and makes a trace from them.
func (m *Meta) open(ctx context.Context, root *os.Root, maps *mapped.Files) (*model.Trace, error) {
	t := &model.Trace{Labels: &model.Labels{}, Names: &model.Names{}}
	if err := m.header(t); err != nil {
		return nil, err
	}
	if err := m.checkThreads(t); err != nil {
		return nil, err
	}
	c, err := m.mapColumns(root, maps)
	if err != nil {
		return nil, err
	}
	if err := checkPositions(ctx, c, t, &m.Threads); err != nil {
		return nil, err
	}
	m.carve(t, c)
	for _, c := range m.Comments {
		t.Comments = append(t.Comments, string(c))
	}
	t.Cut, t.Notes, t.Doubts = m.Cut, m.Notes, m.Doubts
	m.Skipped.restore(&t.Skipped)
	return t, m.Import.restore(t)
}

// header rebuilds the resources, with the functions that the parser of headers uses.
func (m *Meta) header(t *model.Trace) error {
	h := &m.Header
	t.Date, t.Unit, t.HeaderEnd, t.Duration = h.Date, h.Unit, h.End, h.Duration
	for _, c := range h.Communicators {
		t.Communicators = append(t.Communicators, model.Communicator{Text: string(c)})
	}
	cpus, threads, tasks := int64(0), int64(0), int64(0)
	most := min(int64(len(m.Threads.CPU)), model.MostObjects) // each has an entry
	for _, n := range h.NodeCPUs {
		if cpus += int64(n); n < 0 || cpus > model.MostObjects {
			return errors.New("invalid nodes")
		}
		t.AddNode(int(n))
	}
	if len(h.TaskNodes) != len(h.TaskThreads) {
		return errors.New("invalid tasks")
	}
	for _, n := range h.PtaskTasks {
		if n < 0 || int64(n) > int64(len(h.TaskThreads))-tasks {
			return errors.New("invalid ptasks")
		}
		t.AddPtask()
		for range n {
			own, node := h.TaskThreads[tasks], h.TaskNodes[tasks]
			if threads += int64(own); own < 0 || threads > most || node < -1 || int(node) >= max(1, len(h.NodeCPUs)) &&
				len(h.NodeCPUs) > 0 {
				return errors.New("invalid tasks")
			}
			t.AddTask(int(own), int(node))
			tasks++
		}
	}
	t.Threads = make([]model.Thread, threads)
	return nil
}

// checkThreads checks the numbers of records of the threads.
func (m *Meta) checkThreads(t *model.Trace) error {
	n, s, l := len(t.Threads), &m.Sizes, &m.Threads
	if s.Threads != n || len(l.CPU) != n || len(l.Has) != n {
		return errors.New("its numbers of threads do not agree")
	}
	for _, c := range []struct {
		what  string
		rows  []int64
		total int64
	}{
		{"states", l.States, s.States}, {"events", l.Events, s.Events}, {"large values", l.Large, s.Large},
		{"sends", l.Sends, s.Comms},
		{"receives", l.Receives, s.Comms},
	} {
		sum := int64(0)
		for _, r := range c.rows {
			// Counts must be too small for the sum to wrap.
			if r < 0 || r > math.MaxInt64/(2*model.MostObjects) {
				return fmt.Errorf("invalid numbers of %s", c.what)
			}
			sum += r
		}
		if len(c.rows) != n || sum != c.total {
			return fmt.Errorf("its numbers of %s do not agree", c.what)
		}
	}
	if s.Comms > math.MaxInt32 {
		return errors.New("invalid number of communications")
	}
	for i := range l.Has {
		h, cpu := l.Has[i], l.CPU[i]
		if h&HasStateCPU != 0 && !s.StateCPU || h&HasEventCPU != 0 && !s.EventCPU || h&HasStateOrder != 0 &&
			!s.StateOrder || cpu < 0 {
			return fmt.Errorf("invalid columns or CPU of thread %d", i)
		}
	}
	return nil
}

// mapColumns maps the files of columns.
func (m *Meta) mapColumns(root *os.Root, maps *mapped.Files) (*Columns, error) {
	if len(m.Tables) != len(tables) {
		return nil, fmt.Errorf("it has %d files of columns", len(m.Tables))
	}
	c := &Columns{}
	for i := range tables {
		if err := m.mapTable(root, maps, c, i); err != nil {
			return nil, fmt.Errorf("%s: %w", tables[i].name, err)
		}
	}
	return c, nil
}

func (m *Meta) mapTable(root *os.Root, maps *mapped.Files, c *Columns, i int) error {
	t, own := &tables[i], &m.Tables[i]
	used := t.used(&m.Sizes)
	if own.Name != t.name || own.Rows != t.rows(&m.Sizes) || len(own.Columns) != len(used) {
		return errors.New("it is the wrong table")
	}
	f, err := root.Open(t.name)
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() || info.Size() != own.Size {
		return fmt.Errorf("it has %d bytes instead of %d", info.Size(), own.Size)
	}
	if n := (own.Size + blockSize - 1) / blockSize; int64(len(own.Blocks)) != n {
		return fmt.Errorf("it has %d checksums instead of %d", len(own.Blocks), n)
	}
	if err := own.checkBlocks(f, sampledBlocks); err != nil {
		return err
	}
	b, err := mapped.Map(f, own.Size, false)
	if err != nil {
		return fmt.Errorf("it cannot be mapped: %w", err)
	}
	maps.List = append(maps.List, b)
	for k := range used {
		at, n := own.Columns[k].At, int64(0)
		if own.Rows > 0 {
			if own.Rows > own.Size { // so that the number of bytes cannot wrap around
				return errors.New("it has more rows than bytes")
			}
			n = used[k].bytesOf(own.Rows)
		}
		if own.Columns[k].Name != used[k].name || at < 0 || at%8 != 0 || n > own.Size || at > own.Size-n {
			return fmt.Errorf("its column %s is in the wrong place", used[k].name)
		}
		used[k].alias(c, b[at:at+n])
	}
	return nil
}

// sampledBlocks is the number of blocks of each file that are checked at each open: the first, the last, and others
// spread between them. Small files are checked completely.
const sampledBlocks = 16

// checkBlocks checks the checksums of some blocks of a file, or of all blocks.
func (t *tableMeta) checkBlocks(f *os.File, most int) error {
	n := len(t.Blocks)
	buf := make([]byte, blockSize)
	for k := range min(n, most) {
		i := k
		if n > most {
			i = k * (n - 1) / (most - 1)
		}
		at := int64(i) * blockSize
		b := buf[:min(blockSize, t.Size-at)]
		if _, err := f.ReadAt(b, at); err != nil {
			return err
		}
		if blockSum(b) != t.Blocks[i] {
			return fmt.Errorf("it is damaged: wrong checksum of the bytes from %d on", at)
		}
	}
	return nil
}

// checkPositions checks the columns whose values are positions: threads at the ends of communications, communications
// in the orders, CPUs, and positions in the file.
func checkPositions(ctx context.Context, c *Columns, t *model.Trace, l *threadMeta) error {
	comms, threads, cpus := len(c.Comms.Send), len(t.Threads), math.MaxInt32
	if len(t.Nodes) > 0 {
		cpus = t.NumCPUs() + 1
	}
	lists := []struct {
		what   string
		values []int32
		limit  int
	}{
		{"thread", c.Comms.Send, threads}, {"thread", c.Comms.Recv, threads},
		{"communication", c.Order[model.LogicalSend], comms}, {"communication", c.Order[model.PhysicalSend], comms},
		{"communication", c.Order[model.LogicalRecv], comms}, {"communication", c.Order[model.PhysicalRecv], comms},
		{"CPU", c.stateCPU, cpus}, {"CPU", c.eventCPU, cpus}, {"CPU", c.Comms.SendCPU, cpus},
		{"CPU", c.Comms.RecvCPU, cpus},
		{"CPU", l.CPU, cpus}, {"place in the file", c.stateOrder, math.MaxInt32},
	}
	return parallel.For(ctx, len(lists), func(i int) error {
		limit := uint32(lists[i].limit)
		for _, v := range lists[i].values {
			if uint32(v) >= limit {
				return fmt.Errorf("it is damaged: there is no %s %d", lists[i].what, v)
			}
		}
		return nil
	})
}

// rows returns the number of records of thread i.
func (l *threadMeta) rows(i int) Rows {
	return Rows{l.States[i], l.Events[i], l.Large[i], l.Sends[i], l.Receives[i]}
}

// carve gives the threads their parts of the columns.
func (m *Meta) carve(t *model.Trace, c *Columns) {
	var at, ordered Rows
	for i := range t.Threads {
		l := &m.Threads
		n := l.rows(i)
		t.Threads[i].CPU = l.CPU[i]
		Carve(t, c, i, &at, n, l.Has[i])
		carveOrders(t, c, i, &ordered, n, l.Has[i])
	}
	t.Comms = c.Comms
	if !m.CommCPU {
		t.Comms.SendCPU, t.Comms.RecvCPU = nil, nil
	}
	m.carveLines(t, c)
}

// carveOrders gives thread i its part of the orders.
func carveOrders(t *model.Trace, c *Columns, i int, at *Rows, n Rows, has ThreadHas) {
	own := &t.Threads[i].Comm
	if a, b := at.sends, at.sends+n.sends; a < b {
		own[model.PhysicalSend] = c.Order[model.PhysicalSend][a:b:b]
		if own[model.LogicalSend] = own[model.PhysicalSend]; has&hasOneSendOrder == 0 {
			own[model.LogicalSend] = c.Order[model.LogicalSend][a:b:b]
		}
		at.sends = b
	}
	if a, b := at.receives, at.receives+n.receives; a < b {
		own[model.PhysicalRecv] = c.Order[model.PhysicalRecv][a:b:b]
		if own[model.LogicalRecv] = own[model.PhysicalRecv]; has&hasOneReceiveOrder == 0 {
			own[model.LogicalRecv] = c.Order[model.LogicalRecv][a:b:b]
		}
		at.receives = b
	}
}

// carveLines makes each thread's set of events that start a line, which begins with a new word. In the file the bits
// cover all threads.
func (m *Meta) carveLines(t *model.Trace, c *Columns) {
	words := int64(0)
	for _, n := range m.Threads.Events {
		words += (n + 63) / 64
	}
	lines := make(model.Bits, words)
	at := int64(0)
	for i, n := range m.Threads.Events {
		k := (n + 63) / 64
		if n == 0 {
			continue
		}
		own := lines[:k:k]
		lines = lines[k:]
		copyBits(own, c.lines, at, n)
		t.Threads[i].Events.Lines = own
		at += n
	}
}

// copyBits copies n bits, starting at position at, to the start of dst.
func copyBits(dst model.Bits, src []byte, at, n int64) {
	for i := range dst {
		dst[i] = bitsAt(src, at+int64(i)*64)
	}
	if rest := uint(n & 63); rest != 0 {
		dst[len(dst)-1] &= 1<<rest - 1
	}
}

// bitsAt returns the 64 bits from position at on; bits past the end are 0.
func bitsAt(src []byte, at int64) uint64 {
	first, shift := at>>3, uint(at&7)
	var room [9]byte
	if int64(len(src)) < first+9 {
		copy(room[:], src[first:])
		src, first = room[:], 0
	}
	return binary.LittleEndian.Uint64(src[first:])>>shift | uint64(src[first+8])<<(64-shift)
}

// restore is the inverse of skippedOf.
func (s *skippedMeta) restore(to *model.Skipped) {
	if s == nil {
		return
	}
	for _, r := range model.Reasons {
		to.Count[r] = max(0, s.Count[r.Key()])
		if r.Key() == s.Reason {
			to.First.Reason = r
		}
	}
	to.First.Line, to.First.Text = s.Line, string(s.Text)
}
