// Package puppet reads and writes the files of PUPPET (E. Demaine, Waterloo 1996): the log of a program's
// communication, and the model of a machine with a direct network.
//
// A log has a line for each call: the rank, the seconds of CPU time that it has computed since its last call, the MPI
// routine, and the arguments that a simulation needs. It does not contain communication times, so it can be recorded
// anywhere. The lines of a rank are in order; those of different ranks may be interleaved in any way. Ranks are those
// of MPI_COMM_WORLD; requests are any words; # begins a comment.
package puppet

import (
	"bufio"
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"

	"pview/prv"
	"pview/sim"
)

// mark begins a log.
const mark = "#PUPPET log"

// Log is a program as read from its log.
type Log struct {
	Program *sim.Program
	// Timed counts the calls whose outcome depended on timing (MPI_Test and the like): they are replayed as recorded.
	Timed int
}

// Remarks returns the reservations about a prediction from the log.
func (l *Log) Remarks() (list []string) {
	if l.Timed > 0 {
		list = append(list, fmt.Sprintf("not network-deterministic: %d time-dependent calls are replayed as recorded",
			l.Timed))
	}
	return list
}

// OpenLog reads a log, compressed or not.
func OpenLog(path string) (*Log, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	in := bufio.NewReader(f)
	if magic, _ := in.Peek(2); string(magic) == "\x1f\x8b" {
		z, err := gzip.NewReader(in)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		return ReadLog(path, z)
	}
	return ReadLog(path, in)
}

// maxRank bounds the ranks, so that a wrong number does not exhaust memory.
const maxRank = 1<<20 - 1

// ReadLog reads a log; the name is for errors, which are of type *prv.FileError.
func ReadLog(name string, r io.Reader) (*Log, error) {
	l := &logReader{name: name, ranks: map[int32]*rank{}, communicators: map[string][]int32{},
		matches: map[string]int64{"world": 0}, highest: -1}
	in := bufio.NewScanner(r)
	in.Buffer(nil, 1<<26)
	for in.Scan() {
		l.line++
		text, _, _ := strings.Cut(in.Text(), "#")
		words := strings.Fields(text)
		if len(words) == 0 {
			continue
		}
		if err := l.entry(words); err != nil {
			return nil, l.fail(l.line, err)
		}
	}
	if err := in.Err(); err != nil {
		return nil, l.fail(l.line+1, err)
	}
	return l.log()
}

// logReader is the state of reading.
type logReader struct {
	name          string
	line          int64
	ranks         map[int32]*rank
	highest       int32 // highest rank named anywhere
	highestAt     int64 // and its line
	communicators map[string][]int32
	matches       map[string]int64 // of the communicators of messages
	timed         int
}

func (l *logReader) fail(line int64, err error) error {
	return &prv.FileError{File: l.name, Line: line, Why: err.Error(), Err: err}
}

// rank is a process being read.
type rank struct {
	l        *logReader
	number   int32
	thread   sim.Thread
	block    float64 // CPU time, ns, not yet written
	off      bool    // recording is switched off
	ended    bool
	requests map[string]*handle
	spare    []int32
	used     int32
	calls    []call
}

// call is a collective call whose communicator is not yet known: a later line may define it.
type call struct {
	row  int
	name string
	line int64
}

// handle is a request.
type handle struct {
	number     int32
	kind       sim.Kind // Isend, Irecv, CollectiveStart
	row        int      // of its record
	message    sim.Message
	handling   sim.Handling
	op         sim.CollectiveOp
	persistent bool
	active     bool
}

// entry reads a line.
func (l *logReader) entry(words []string) error {
	if words[0] == "communicator" {
		return l.communicator(words[1:])
	}
	if len(words) < 3 {
		return fmt.Errorf("an entry is RANK SECONDS ROUTINE ARGUMENTS")
	}
	number, err := l.rank(words[0])
	if err != nil {
		return err
	}
	r := l.ranks[number]
	if r == nil {
		r = &rank{l: l, number: number, requests: map[string]*handle{}}
		l.ranks[number] = r
	}
	ns, err := seconds(words[1])
	if err != nil {
		return err
	}
	if r.ended {
		return fmt.Errorf("rank %d has entries after MPI_Finalize", number)
	}
	name := words[2]
	routine, ok := routineOf[strings.ToLower(strings.TrimPrefix(strings.TrimPrefix(name, "MPI_"), "mpi_"))]
	if !ok {
		return fmt.Errorf("unknown routine %q", name)
	}
	a := &arguments{l: l, name: name, words: words[3:], options: map[string]string{}}
	for len(a.words) > 0 {
		key, value, isOption := strings.Cut(a.words[len(a.words)-1], "=")
		if !isOption {
			break
		}
		a.options[key] = value
		a.words = a.words[:len(a.words)-1]
	}
	if r.off && routine.name != "Pcontrol" {
		return nil
	}
	if !r.off {
		r.block += ns
	}
	routine.read(r, a)
	return a.done()
}

// communicator reads "communicator NAME RANK...". Each rank's part of a log may repeat the line.
func (l *logReader) communicator(words []string) error {
	if len(words) < 2 {
		return fmt.Errorf("must be communicator NAME RANK RANK")
	}
	var tasks []int32
	for _, w := range words[1:] {
		n, err := l.rank(w)
		if err != nil {
			return err
		}
		tasks = append(tasks, n)
	}
	slices.Sort(tasks)
	if before, ok := l.communicators[words[0]]; ok && !slices.Equal(before, tasks) {
		return fmt.Errorf("communicator %s had other ranks", words[0])
	}
	if len(slices.Compact(slices.Clone(tasks))) < len(tasks) {
		return fmt.Errorf("communicator %s has a rank twice", words[0])
	}
	l.communicators[words[0]] = tasks
	return nil
}

// rank reads a rank.
func (l *logReader) rank(word string) (int32, error) {
	n, err := strconv.ParseUint(word, 10, 31)
	if err != nil || n > maxRank {
		return 0, fmt.Errorf("%q must be a rank, from 0 to %d", word, maxRank)
	}
	if int32(n) > l.highest {
		l.highest, l.highestAt = int32(n), l.line
	}
	return int32(n), nil
}

// log makes the program.
func (l *logReader) log() (*Log, error) {
	p := &sim.Program{Name: l.name}
	p.AddPtask()
	var world []int32
	for i := range l.highest + 1 {
		if l.ranks[i] == nil {
			return nil, l.fail(l.highestAt, fmt.Errorf("rank %d has no entries", i))
		}
		p.AddTask(1)
		world = append(world, i)
	}
	if len(world) == 0 {
		return nil, l.fail(l.line, fmt.Errorf("there are no entries"))
	}
	rows := map[string]int32{"world": p.AddCommunicator(0, 1, world)}
	var names []string
	for name := range l.communicators {
		names = append(names, name)
	}
	slices.Sort(names)
	for i, name := range names {
		rows[name] = p.AddCommunicator(0, int64(i)+2, l.communicators[name])
	}
	for i := range world {
		r := l.ranks[int32(i)]
		r.compute()
		for _, c := range r.calls {
			row, ok := rows[c.name]
			if !ok {
				return nil, l.fail(c.line, fmt.Errorf("there is no communicator %q", c.name))
			}
			call, tasks := &r.thread.Collectives[c.row], p.Communicators[row].Tasks
			call.Communicator = row
			if !slices.Contains(tasks, int32(i)) {
				return nil, l.fail(c.line, fmt.Errorf("rank %d is not in communicator %s", i, c.name))
			}
			if !slices.Contains(tasks, call.RootTask) {
				if collectives[call.Op].root {
					return nil, l.fail(c.line, fmt.Errorf("the root, rank %d, is not in communicator %s", call.RootTask,
						c.name))
				}
				call.RootTask = tasks[0]
			}
			if sizes := r.thread.Sizes[uint32(c.row)]; sizes != nil && len(sizes) != len(tasks) {
				return nil, l.fail(c.line, fmt.Errorf("%d sizes for the %d ranks of communicator %s", len(sizes),
					len(tasks), c.name))
			}
		}
		p.Threads[i] = r.thread
	}
	if err := p.Link(); err != nil {
		return nil, &prv.FileError{File: l.name, Why: err.Error(), Err: err}
	}
	return &Log{p, l.timed}, nil
}

// compute writes the block of computation.
func (r *rank) compute() {
	if r.block > 0 {
		r.thread.AddCompute(r.block)
	}
	r.block = 0
}

// add writes a message.
func (r *rank) add(k sim.Kind, m sim.Message, h sim.Handling) {
	r.compute()
	r.thread.AddHandled(k, m, h)
}

// newHandle gives a request to a name.
func (r *rank) newHandle(name string) (*handle, error) {
	if h := r.requests[name]; h != nil && (h.active || h.persistent) {
		return nil, fmt.Errorf("request %q is still in use", name)
	}
	h := &handle{}
	if n := len(r.spare); n > 0 {
		h.number, r.spare = r.spare[n-1], r.spare[:n-1]
	} else {
		r.used++
		h.number = r.used
	}
	r.requests[name] = h
	return h, nil
}

// begin starts the operation of a handle.
func (r *rank) begin(h *handle) {
	h.handling.Request, h.active = h.number, true
	r.compute()
	h.row = r.thread.Len()
	r.add(h.kind, h.message, h.handling)
}

// wait completes the operation of a request.
func (r *rank) wait(name string) error {
	h := r.requests[name]
	switch {
	case h == nil:
		return fmt.Errorf("there is no request %q", name)
	case !h.active: // a persistent request that was not started
		return nil
	case h.kind == sim.CollectiveStart:
		r.addCollective(sim.CollectiveWait, sim.CollectiveCall{Op: h.op, Request: h.number}, "")
	default:
		r.add(sim.WaitRequest, sim.Message{Peer: -1}, sim.Handling{Request: h.number})
	}
	r.drop(name, h)
	return nil
}

// drop ends the use of a request.
func (r *rank) drop(name string, h *handle) {
	h.active = false
	if !h.persistent {
		delete(r.requests, name)
		r.spare = append(r.spare, h.number)
	}
}

// cancel cancels an operation that has not been waited for.
func (r *rank) cancel(name string) error {
	h := r.requests[name]
	if h == nil || !h.active || h.kind == sim.CollectiveStart {
		return fmt.Errorf("there is no message with request %q to cancel", name)
	}
	r.thread.Cancel(h.row)
	r.drop(name, h)
	return nil
}

// addCollective writes a record of a collective operation; its communicator is found at the end.
func (r *rank) addCollective(k sim.Kind, c sim.CollectiveCall, communicator string) {
	r.compute()
	if communicator == "" {
		communicator = "world"
	}
	r.calls = append(r.calls, call{len(r.thread.Collectives), communicator, r.l.line})
	r.thread.AddCollective(k, c)
}

// seconds reads a time, exactly: "1e-5" is 10000 ns.
func seconds(word string) (ns float64, err error) {
	exponent := 0
	mantissa, power, ok := strings.Cut(strings.ToLower(word), "e")
	if ok {
		if exponent, err = strconv.Atoi(power); err != nil {
			return 0, fmt.Errorf("%q must be a time in seconds", word)
		}
	}
	ns, err = strconv.ParseFloat(mantissa+"e"+strconv.Itoa(exponent+9), 64)
	if err != nil || !(ns >= 0) || ns > 1e18 {
		return 0, fmt.Errorf("%q must be a time in seconds, >= 0", word)
	}
	return ns, nil
}

// inSeconds writes a time so that seconds reads it back.
func inSeconds(ns float64) string {
	text := strconv.FormatFloat(ns, 'e', -1, 64)
	mantissa, exponent, _ := strings.Cut(text, "e")
	n, _ := strconv.Atoi(exponent)
	if n -= 9; ns == 0 {
		return "0"
	}
	return mantissa + "e" + strconv.Itoa(n)
}
