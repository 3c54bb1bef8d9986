package record

// Reading the files that lib/record.c writes. Numbers are little-endian, like both supported architectures.

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"unsafe"

	"pview/prv"
	"pview/prv/mapped"
	"pview/prv/parallel"
)

// Kinds of records beyond calls; see lib/record.c.
const (
	firstMark    = 60001
	kindReceived = iota - 1 + firstMark
	kindSent
	kindPosted
	kindComm
	kindMembers
	kindClock
	kindOn
	kindOff
	kindEvent
	kindEnter
	kindExit
	kindName
	kindStack
	kindOpenMP
)

// Flags of the record of a call.
const (
	flagSend = 1 << iota
	flagRecv
	flagPost
	flagCollective
	flagRepost
	flagFailed
	flagUnseen // recording was stopped: for matching only
)

// Ends of a file.
const (
	endKilled = iota
	endFinalized
	endByLimit
	endByDisk
)

const (
	magic       = "PVREC2\n\x00"
	magic1      = "PVREC1\n\x00" // the same without call stacks and named counters
	headerSize  = 1432           // used part of the first page
	endAt       = 60             // place in the header that tells how the file ended
	memberCount = 14             // of a record
)

// record is a record as stored in the file. It must not outlive the mapping.
type record []byte

func (r record) seq() uint32    { return binary.LittleEndian.Uint32(r) }
func (r record) kind() int      { return int(binary.LittleEndian.Uint16(r[4:])) }
func (r record) flags() uint16  { return binary.LittleEndian.Uint16(r[6:]) }
func (r record) begin() int64   { return int64(binary.LittleEndian.Uint64(r[8:])) }
func (r record) end() int64     { return int64(binary.LittleEndian.Uint64(r[16:])) }
func (r record) bytes() int64   { return int64(binary.LittleEndian.Uint64(r[24:])) }
func (r record) recvd() int64   { return int64(binary.LittleEndian.Uint64(r[32:])) }
func (r record) comm() int32    { return int32(binary.LittleEndian.Uint32(r[40:])) }
func (r record) peer() int32    { return int32(binary.LittleEndian.Uint32(r[44:])) }
func (r record) tag() int32     { return int32(binary.LittleEndian.Uint32(r[48:])) }
func (r record) request() int64 { return int64(binary.LittleEndian.Uint32(r[52:])) }
func (r record) aux() int64     { return int64(binary.LittleEndian.Uint64(r[56:])) }

// counter returns a counter of a pair before (0) and after (1) the call.
func (r record) counter(pair, i int) int64 {
	return int64(binary.LittleEndian.Uint64(r[64+16*pair+8*i:]))
}

// cpu returns the thread's CPU time before (0) and after (1) the call, ns; it is the first pair if recorded.
func (r record) cpu(i int) int64 { return r.counter(0, i) }

// address returns a return address in a part of a call stack.
func (r record) address(i int) uint64 { return binary.LittleEndian.Uint64(r[8+8*i:]) }

// written and ended read the seq of a record and the end of a call atomically: a file may still be growing, and what
// the program wrote before them must be visible after them.
func (r record) written() uint32 { return atomic.LoadUint32((*uint32)(unsafe.Pointer(&r[0]))) }
func (r record) ended() int64    { return int64(atomic.LoadUint64((*uint64)(unsafe.Pointer(&r[16])))) }

// name returns a part of a region's name.
func (r record) name() []byte {
	part, _, _ := bytes.Cut(r[8:64], []byte{0})
	return part
}

// member returns the world rank of a member, -1 if it does not exist or is not in this world.
func (r record) member(i int) int32 { return int32(binary.LittleEndian.Uint32(r[8+4*i:])) }

// stream holds the records of a thread.
type stream struct {
	path           string
	rank, size     int
	number         int // of the thread
	world          uint64
	date           int64
	ended          int
	cpus, counters int // pairs
	cpuTimes       bool
	counting       []counting
	counted        int // thousandths of the time that the counters ran; 0: unknown
	callers        int // levels of call stacks
	host, program  string
	mpi, note      string
	recordSize     int
	first          int // size of the header
	openMP, unseen int // why OpenMP was not recorded, and the number of its threads; 0: recorded, or none
	pid            int
	started        int64  // ns, on its own clock
	data           []byte // the records
	n              int    // number of complete records
	open           *comm  // a communicator whose members follow after record n
	passed         int64  // ns: how far the program has come
	computed       int64  // ns: CPU time outside of calls, plus 1 ns per call: see cpuClock
	clock          cpuClock
	inside         int // kind of the call that the program is in at that time; 0: none
	mapping        []byte
	file           *os.File // set if the stream is followed
	dead           bool     // killed: no more records will come
	thread, cpu    int32    // in the trace
}

func (s *stream) at(i int) record { return record(s.data[i*s.recordSize:][:s.recordSize]) }

// openStream maps a file.
func openStream(path string) (*stream, error) {
	fail := func(why string) error { return &prv.FileError{File: path, Why: why} }
	h, err := mapped.Open(path)
	if err != nil {
		return nil, fail(err.Error())
	}
	s := &stream{path: path, mapping: h}
	if len(h) < headerSize {
		s.close()
		return nil, fail("too short for a header")
	}
	u32 := func(at int) int { return int(binary.LittleEndian.Uint32(h[at:])) }
	text := func(at, n int) string {
		t, _, _ := bytes.Cut(h[at:at+n], []byte{0})
		return strings.ToValidUTF8(string(t), "?")
	}
	s.recordSize = u32(8)
	first := u32(12)
	s.rank, s.size, s.number, s.pid = u32(16), u32(20), u32(24), u32(28)
	s.world = binary.LittleEndian.Uint64(h[32:])
	s.started = int64(binary.LittleEndian.Uint64(h[40:]))
	s.date = int64(binary.LittleEndian.Uint64(h[48:]))
	s.ended, s.cpus, s.counters = u32(endAt), u32(64), u32(68)
	s.host, s.program, s.mpi, s.note = text(72, 64), text(136, 256), text(392, 256), text(648, 512)
	switch {
	case string(h[:8]) != magic && string(h[:8]) != magic1:
		err = fail("not a recording of this version of pview")
	case s.recordSize < 64 || s.recordSize > 4096 || s.recordSize < 64+16*s.counters || first < headerSize:
		err = fail(fmt.Sprintf("record size %d, header size %d", s.recordSize, first))
	case s.size < 1 || s.size > mostRanks || s.rank >= s.size:
		err = fail(fmt.Sprintf("rank %d of %d", s.rank, s.size))
	}
	if err == nil {
		s.callers, s.counted = u32(1160), u32(1164)
		s.openMP, s.unseen = u32(1424), u32(1428)
		if why := s.readCounting(text(1168, 256)); why != nil {
			err = fail(why.Error())
		}
	}
	if err != nil {
		s.close()
		return nil, err
	}
	s.first = first
	s.data = h[min(first, len(h)):]
	return s, nil
}

// mostRanks bounds the ranks, as prv bounds the objects of a trace.
const mostRanks = 1 << 24

func (s *stream) close() {
	mapped.Unmap(s.mapping)
	s.mapping, s.data = nil, nil
	if s.file != nil {
		s.file.Close()
	}
}

// cpuClock measures a thread's CPU time outside of calls; calls count as 1 ns, to keep their order.
type cpuClock struct{ now, read int64 }

// pass returns when a call begins and ends.
func (c *cpuClock) pass(r record) (begin, end int64) {
	if c.read > 0 && !r.endsWait() {
		c.now += max(r.cpu(0)-c.read, 0)
	}
	c.read = max(r.cpu(0), r.cpu(1))
	begin = c.now
	c.now++
	return begin, c.now
}

// process is a rank.
type process struct {
	world    *world
	rank     int
	streams  []*stream
	comms    map[int32]*comm
	windows  map[int32]*comm
	receives receives
	made     map[string]int32 // number of its groups by members
	clock    clock
	used     map[int32]bool // communicators with messages or collective operations
	fresh    []int32        // communicators to be grouped
	unmarked []int32        // used communicators whose group is not marked yet
	lastUsed int32
	regions  map[uint16][]byte // names
	modules  []module          // nil: not read yet
	callers  map[uint64]caller // by return address
	places   map[int64]int64   // numbers in the trace: of functions, by address
	named    map[uint16]int64  // of regions, by number
	parallel map[int64]int64   // of places that open regions of OpenMP or create tasks
	tasks    map[int64]int64   // of unfinished tasks, by the task's number
	lost     int64             // invalid records
	first    int64             // ns, on the process's own clock
	last     int64
}

// comm is a communicator, or the group of a window, as seen by a process.
type comm struct {
	group   *group
	members []int32 // world ranks
	remote  []int32 // of an inter-communicator
	missing int     // members still to be read
}

// partners returns the members that ranks in calls refer to: those of the other group in an inter-communicator.
func (c *comm) partners() []int32 {
	if c.remote != nil {
		return c.remote
	}
	return c.members
}

// group is a communicator, the same for all of its members.
type group struct {
	order  int // position in the order of discovery
	number int // in the trace, from 1
	used   bool
	ranks  []int32
}

// clock corrects the time of a process.
type clock struct{ samples []sample }

// sample is a comparison with rank 0's clock at a time: the offset to add, and the round trip, ns.
type sample struct{ at, add, trip int64 }

// correct converts a time to rank 0's clock, linearly between the first sample and the last.
func (c *clock) correct(t int64) int64 {
	switch n := len(c.samples); {
	case n == 0:
		return t
	case n == 1 || c.samples[n-1].at <= c.samples[0].at:
		return t + c.samples[0].add
	default:
		a, b := c.samples[0], c.samples[n-1]
		return t + a.add + int64(math.Round(float64(b.add-a.add)*(float64(t-a.at)/float64(b.at-a.at))))
	}
}

// world is a run of an MPI program: a ptask.
type world struct {
	dir       string
	id        uint64
	size      int
	processes []*process // by rank; nil: nothing recorded
	names     []string   // of calls, by kind
	byMembers map[string]*group
	task      int32 // the first
}

// file returns the path of a file that all ranks share.
func (w *world) file(extension string) string {
	return filepath.Join(w.dir, fmt.Sprintf("%016x.%s", w.id, extension))
}

// openFolder maps the files of a folder, ordered by name: world, rank, thread.
func openFolder(dir string) (worlds []*world, notes []prv.Note, err error) {
	defer func() {
		if err != nil {
			closeAll(worlds)
		}
	}()
	files, err := fs.Glob(os.DirFS(dir), "*.rec")
	if err != nil {
		return nil, nil, err
	}
	byID := map[uint64]*world{}
	for _, name := range files {
		path := filepath.Join(dir, name)
		s, err := openStream(path)
		if err != nil {
			notes = append(notes, prv.Note{File: path, Text: "not read: " + strings.TrimPrefix(err.Error(), path+": ")})
			continue
		}
		w := byID[s.world]
		if w == nil {
			w = &world{dir: dir, id: s.world, size: s.size, processes: make([]*process, s.size)}
			if w.names, err = readNames(w.file("calls")); err != nil {
				s.close()
				return worlds, notes, err
			}
			byID[s.world] = w
			worlds = append(worlds, w)
		}
		if s.size != w.size {
			s.close()
			return worlds, notes, &prv.FileError{File: path, Why: fmt.Sprintf("%d ranks, the others say %d", s.size, w.size)}
		}
		p := w.processes[s.rank]
		if p == nil {
			p = &process{world: w, rank: s.rank, comms: map[int32]*comm{}, windows: map[int32]*comm{},
				used: map[int32]bool{}, lastUsed: -1, first: math.MaxInt64}
			w.processes[s.rank] = p
		}
		p.streams = append(p.streams, s)
	}
	if len(worlds) == 0 {
		if len(notes) > 0 {
			return nil, nil, fmt.Errorf("%s", notes[0])
		}
		return nil, nil, &prv.FileError{File: dir, Why: "no records: no MPI program was recorded here"}
	}
	return worlds, notes, nil
}

func closeAll(worlds []*world) {
	for _, p := range recorded(worlds) {
		for _, s := range p.streams {
			s.close()
		}
	}
}

// recorded returns the processes with records.
func recorded(worlds []*world) (list []*process) {
	for _, w := range worlds {
		for _, p := range w.processes {
			if p != nil {
				list = append(list, p)
			}
		}
	}
	return list
}

// readNames reads the names of a world's calls, by kind.
func readNames(path string) ([]string, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var names []string
	for i, line := range strings.Split(strings.TrimSpace(string(text)), "\n") {
		number, name, _ := strings.Cut(line, " ")
		n, err := strconv.Atoi(number)
		if err != nil || n < 1 || n >= firstMark || !strings.HasPrefix(name, "MPI_") {
			return nil, &prv.FileError{File: path, Line: int64(i + 1), Why: fmt.Sprintf("no call: %q", line)}
		}
		for len(names) <= n {
			names = append(names, "")
		}
		names[n] = strings.TrimPrefix(name, "MPI_")
	}
	return names, nil
}

// scan reads the new records for their number, communicators and clocks. The record of a call in progress is
// incomplete: if running is set, it stops there.
func scan(ctx context.Context, worlds []*world, running bool) error {
	list := recorded(worlds)
	return parallel.For(ctx, len(list), func(i int) error {
		p := list[i]
		slices.SortFunc(p.streams, func(a, b *stream) int { return cmp.Compare(a.number, b.number) })
		for _, s := range p.streams {
			p.scanStream(s, running && !s.over())
		}
		return nil
	})
}

// over reports whether no more records will come.
func (s *stream) over() bool { return s.ended != endKilled || s.dead }

func (p *process) scanStream(s *stream, running bool) {
	s.inside = 0
	s.passed = max(s.passed, s.started)
	for ; (s.n+1)*s.recordSize <= len(s.data) && s.n < math.MaxInt32-1; s.n++ {
		r := s.at(s.n)
		if r.written() != uint32(s.n+1) {
			break
		}
		kind := r.kind()
		switch kind {
		case kindMembers:
			if s.open != nil {
				s.open.read(r)
			}
			continue
		case kindName:
			p.addName(r)
			continue
		case kindStack:
			continue
		}
		begin, end := r.begin(), r.ended()
		if kind < firstMark && end == 0 && running {
			s.passed, s.inside = max(s.passed, begin), kind
			break
		}
		if kind == kindComm && running && !s.described(p.world.size) {
			break
		}
		s.open = nil
		if begin < 0 || end < 0 || end > 0 && end < begin || begin > math.MaxInt64/4 || end > math.MaxInt64/4 {
			break
		}
		p.scanRecord(s, r, kind)
	}
}

// scanRecord reads a complete record.
func (p *process) scanRecord(s *stream, r record, kind int) {
	switch kind {
	case kindReceived, kindSent:
		p.use(r.comm())
	case kindComm:
		s.open = p.define(r)
	case kindClock:
		p.clock.samples = append(p.clock.samples, sample{r.begin(), r.aux(), r.bytes()})
	case kindPosted:
	default:
		if r.flags()&(flagSend|flagRecv|flagCollective) != 0 {
			p.use(r.comm())
		}
		if s.cpuTimes {
			_, s.computed = s.clock.pass(r)
		}
		begin, end := r.begin(), r.ended()
		p.first, p.last = min(p.first, begin), max(p.last, begin, end)
		s.passed = max(s.passed, begin, end)
	}
}

// described reports whether all members of the communicator that comes next have been written.
func (s *stream) described(most int) bool {
	r := s.at(s.n)
	size, remote, ok := r.sizes(most)
	if !ok || r.comm() == 0 && r.tag() == 0 {
		return true // a damaged communicator, and that of all ranks, have none
	}
	last := s.n + int(size+memberCount-1)/memberCount + int(remote+memberCount-1)/memberCount
	return (last+1)*s.recordSize <= len(s.data) && s.at(last).written() == uint32(last+1)
}

// addName appends a part of a region's name.
func (p *process) addName(r record) {
	if p.regions == nil {
		p.regions = map[uint16][]byte{}
	}
	p.regions[r.flags()] = append(p.regions[r.flags()], r.name()...)
}

// use notes that a communicator has messages or collective operations.
func (p *process) use(comm int32) {
	if comm == p.lastUsed {
		return
	}
	p.lastUsed = comm
	if !p.used[comm] {
		p.used[comm], p.unmarked = true, append(p.unmarked, comm)
	}
}

// sizes returns the numbers of local and remote members of a communicator; ok is false if one is out of range (0 to
// most).
func (r record) sizes(most int) (local, remote int64, ok bool) {
	local, remote = r.bytes(), r.recvd()
	return local, remote, local >= 0 && local <= int64(most) && remote >= 0 && remote <= int64(most)
}

// define begins a communicator, and returns it if its members follow.
func (p *process) define(r record) *comm {
	size, remote, ok := r.sizes(p.world.size)
	if !ok {
		p.lost++
		return nil
	}
	c := &comm{missing: int(size + remote), members: make([]int32, 0, size)}
	if remote > 0 {
		c.remote = make([]int32, 0, remote)
	}
	if r.tag() != 0 {
		p.windows[r.comm()] = c
		return c
	}
	if r.comm() == 0 {
		c.missing = 0
		for i := range p.world.size {
			c.members = append(c.members, int32(i))
		}
	}
	p.comms[r.comm()], p.fresh = c, append(p.fresh, r.comm())
	return c
}

// read adds the members in a record. Local members come first; both lists start in a new record.
func (c *comm) read(r record) {
	to := &c.members
	if len(c.members) == cap(c.members) {
		to = &c.remote
	}
	for i := 0; i < memberCount && len(*to) < cap(*to) && c.missing > 0; i++ {
		*to = append(*to, r.member(i))
		c.missing--
	}
}
