package puppet

// The MPI routines of a log and their arguments.

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"pview/sim"
)

// Routine is an entry of Routines.
type Routine struct {
	Name string // without MPI_
	Args string
	Doc  string
}

// Routines returns the routines of a log, for the documentation.
func Routines() (list []Routine) {
	for i := range routines {
		list = append(list, Routine{routines[i].name, routines[i].args, routines[i].doc})
	}
	return list
}

// routine reads an entry.
type routine struct {
	name, args, doc string
	read            func(r *rank, a *arguments)
}

var routines []routine

var routineOf = map[string]*routine{}

func init() {
	routines = []routine{
		{"Init", "", "the begin of a rank", ignored},
		{"Finalize", "", "its end: the computation before it counts", func(r *rank, a *arguments) { r.ended = true }},
		{"Pcontrol", "LEVEL", "0: nothing is recorded until a level > 0",
			func(r *rank, a *arguments) { r.off = a.number("level") == 0 }},
		{"Recv", "SOURCE TAG", "SOURCE and TAG may be ANY; from=RANK and tag=TAG name the message that was recorded",
			func(r *rank, a *arguments) {
				m, h := a.source()
				r.add(sim.Recv, m, h)
			}},
		{"Probe", "SOURCE TAG", "as Recv, but the message stays", func(r *rank, a *arguments) {
			m, h := a.source()
			r.add(sim.Probe, m, h)
		}},
		{"Irecv", "SOURCE TAG REQUEST", "", func(r *rank, a *arguments) { a.immediate(r, sim.Irecv, false) }},
		{"Recv_init", "SOURCE TAG REQUEST", "a persistent request",
			func(r *rank, a *arguments) { a.immediate(r, sim.Irecv, true) }},
		{"Wait", "REQUEST", "", func(r *rank, a *arguments) { a.fail(r.wait(a.word("request"))) }},
		{"Waitall", "REQUEST...", "in this order", func(r *rank, a *arguments) { a.waits(r) }},
		{"Waitany", "REQUEST", "the one that was complete", func(r *rank, a *arguments) { a.timed(r) }},
		{"Waitsome", "REQUEST...", "those that were complete", func(r *rank, a *arguments) { a.timed(r) }},
		{"Test", "REQUEST FLAG", "1: a wait; 0: nothing", func(r *rank, a *arguments) { a.test(r) }},
		{"Testall", "REQUEST... FLAG", "", func(r *rank, a *arguments) { a.test(r) }},
		{"Testany", "REQUEST...", "those that were complete, or nothing", func(r *rank, a *arguments) { a.timed(r) }},
		{"Testsome", "REQUEST...", "those that were complete, or nothing", func(r *rank, a *arguments) { a.timed(r) }},
		{"Iprobe", "SOURCE TAG FLAG", "1: a probe, of the message from=RANK where SOURCE is ANY; 0: nothing", iprobe},
		{"Cancel", "REQUEST", "the operation is removed", func(r *rank, a *arguments) {
			r.l.timed++
			a.fail(r.cancel(a.word("request")))
		}},
		{"Start", "REQUEST", "of a persistent request", func(r *rank, a *arguments) { a.start(r, a.word("request")) }},
		{"Startall", "REQUEST...", "", func(r *rank, a *arguments) {
			for len(a.words) > 0 {
				a.start(r, a.word("request"))
			}
		}},
		{"Request_free", "REQUEST", "", free},
		{"Sendrecv", "DEST BYTES TAG SOURCE TAG", "an immediate send, a receive, a wait for the send", sendrecv},
		{"Sendrecv_replace", "DEST BYTES TAG SOURCE TAG", "", sendrecv},
	}
	for _, s := range []struct {
		letter string
		mode   sim.SendMode
	}{{"", sim.ModeStandard}, {"b", sim.ModeBuffered}, {"s", sim.ModeSynchronous}, {"r", sim.ModeReady}} {
		upper := strings.ToUpper(s.letter)
		blocking, persistent := upper+"send", upper+"send_init"
		if s.letter == "" {
			blocking, persistent = "Send", "Send_init"
		}
		doc := "mode=nospace: complete when the message has arrived"
		if s.mode != sim.ModeStandard {
			doc = sim.SendModes[s.mode].Name
		}
		routines = append(routines,
			routine{blocking, "DEST BYTES TAG", doc, func(r *rank, a *arguments) {
				m, h := a.target(s.mode)
				r.add(sim.Send, m, h)
			}},
			routine{"I" + s.letter + "send", "DEST BYTES TAG REQUEST", doc,
				func(r *rank, a *arguments) { a.immediateSend(r, s.mode, false) }},
			routine{persistent, "DEST BYTES TAG REQUEST", "a persistent request",
				func(r *rank, a *arguments) { a.immediateSend(r, s.mode, true) }})
	}
	for op := range sim.Collectives {
		c := collectives[op]
		read := func(r *rank, a *arguments) { a.collective(r, sim.CollectiveOp(op), c.root, c.sizes, false) }
		args := strings.TrimSpace(map[bool]string{true: "ROOT "}[c.root] + map[bool]string{true: "BYTES"}[op != 0])
		doc := "comm=NAME: on another communicator than that of all ranks"
		if c.sizes {
			doc += "; BYTES for each rank, or their sum"
		}
		routines = append(routines, routine{sim.Collectives[op], args, doc, read},
			routine{"I" + strings.ToLower(sim.Collectives[op]), strings.TrimSpace(args + " REQUEST"), "non-blocking",
				func(r *rank, a *arguments) { a.collective(r, sim.CollectiveOp(op), c.root, c.sizes, true) }})
	}
	routines = append(routines, routine{"Exscan", "BYTES", "as Scan",
		func(r *rank, a *arguments) { a.collective(r, scan, false, false, false) }})
	slices.SortFunc(routines, func(a, b routine) int {
		return strings.Compare(strings.ToLower(a.name), strings.ToLower(b.name))
	})
	for i := range routines {
		routineOf[strings.ToLower(routines[i].name)] = &routines[i]
	}
}

// collectives are the arguments of the operations, by number: whether it has a root, and sizes for each rank.
var collectives = [16]struct{ root, sizes bool }{
	1: {root: true}, 2: {root: true}, 3: {root: true}, 4: {root: true}, 5: {root: true, sizes: true}, 9: {sizes: true},
	10: {root: true}, 12: {sizes: true}, 15: {sizes: true},
}

const scan = sim.CollectiveOp(14)

func ignored(*rank, *arguments) {}

func free(r *rank, a *arguments) {
	name := a.word("request")
	h := r.requests[name]
	if h == nil {
		a.fail(fmt.Errorf("there is no request %q", name))
		return
	}
	h.persistent = false
	if !h.active { // otherwise it is never awaited, and its number is not reused
		r.drop(name, h)
	}
	delete(r.requests, name)
}

func sendrecv(r *rank, a *arguments) {
	m, h := a.target(sim.ModeStandard)
	from, fh := a.source()
	if a.err != nil {
		return
	}
	s, err := r.newHandle(" sendrecv")
	if a.fail(err); err != nil {
		return
	}
	s.kind, s.message, s.handling = sim.Isend, m, h
	r.begin(s)
	r.add(sim.Recv, from, fh)
	a.fail(r.wait(" sendrecv"))
}

func iprobe(r *rank, a *arguments) {
	m, h := a.source()
	r.l.timed++
	if a.number("flag") != 0 && a.err == nil {
		r.add(sim.Probe, m, h)
	}
}

// arguments are the arguments of an entry; the first error is kept.
type arguments struct {
	l       *logReader
	name    string
	words   []string
	options map[string]string
	err     error
}

func (a *arguments) fail(err error) {
	if a.err == nil && err != nil {
		a.err = fmt.Errorf("%s: %w", a.name, err)
	}
}

// done reports an error, or leftover arguments.
func (a *arguments) done() error {
	if len(a.words) > 0 {
		a.fail(fmt.Errorf("%q is one argument too many", a.words[0]))
	}
	for key := range a.options {
		a.fail(fmt.Errorf("it has no option %s", key))
	}
	return a.err
}

func (a *arguments) word(what string) string {
	if len(a.words) == 0 {
		a.fail(fmt.Errorf("the %s is missing", what))
		return ""
	}
	w := a.words[0]
	a.words = a.words[1:]
	return w
}

// number reads a number >= 0.
func (a *arguments) number(what string) int64 { return a.parse(what, a.word(what)) }

func (a *arguments) parse(what, word string) int64 {
	n, err := strconv.ParseUint(word, 10, 47)
	if err != nil {
		a.fail(fmt.Errorf("%s %q must be a number >= 0", what, word))
	}
	return int64(n)
}

func (a *arguments) option(name string) (string, bool) {
	v, ok := a.options[name]
	delete(a.options, name)
	return v, ok
}

// peer reads a rank.
func (a *arguments) peer(what string) int32 {
	w := a.word(what)
	if a.err != nil {
		return 0
	}
	n, err := a.l.rank(w)
	a.fail(err)
	return n
}

// match returns the number of a message's communicator, 0 for that of all ranks.
func (a *arguments) match() int64 {
	name, ok := a.option("comm")
	if !ok {
		return 0
	}
	if _, known := a.l.matches[name]; !known {
		a.l.matches[name] = int64(len(a.l.matches))
	}
	return a.l.matches[name]
}

// target reads DEST BYTES TAG.
func (a *arguments) target(mode sim.SendMode) (m sim.Message, h sim.Handling) {
	m.Peer, m.Size, m.Tag = a.peer("destination"), a.number("size"), a.number("tag")
	m.Match, h.Mode = a.match(), mode
	if name, ok := a.option("mode"); ok {
		at := slices.IndexFunc(sim.SendModes, func(s struct{ Name, Doc string }) bool { return s.Name == name })
		if at < 0 {
			a.fail(fmt.Errorf("there is no send mode %q", name))
		}
		h.Mode = sim.SendMode(max(at, 0))
	}
	return m, h
}

// source reads SOURCE TAG, each of which may be ANY.
func (a *arguments) source() (m sim.Message, h sim.Handling) {
	any := func() bool {
		if len(a.words) == 0 || !strings.EqualFold(a.words[0], "ANY") {
			return false
		}
		a.words = a.words[1:]
		return true
	}
	m.Peer = -1
	if h.AnySource = any(); !h.AnySource {
		m.Peer = a.peer("source")
	}
	if h.AnyTag = any(); !h.AnyTag {
		m.Tag = a.number("tag")
	}
	m.Match = a.match()
	from, known := a.option("from")
	tag, knownTag := a.option("tag")
	if known && h.AnySource {
		n, err := a.l.rank(from)
		a.fail(err)
		m.Peer = n
	}
	if knownTag && h.AnyTag {
		m.Tag = a.parse("tag", tag)
	}
	h.Recorded = (known || !h.AnySource) && (knownTag || !h.AnyTag) && (h.AnySource || h.AnyTag)
	return m, h
}

// immediate reads an immediate receive, or a persistent one.
func (a *arguments) immediate(r *rank, k sim.Kind, persistent bool) {
	m, h := a.source()
	a.operation(r, k, m, h, persistent)
}

func (a *arguments) immediateSend(r *rank, mode sim.SendMode, persistent bool) {
	m, h := a.target(mode)
	a.operation(r, sim.Isend, m, h, persistent)
}

func (a *arguments) operation(r *rank, k sim.Kind, m sim.Message, h sim.Handling, persistent bool) {
	name := a.word("request")
	if a.err != nil {
		return
	}
	x, err := r.newHandle(name)
	if a.fail(err); err != nil {
		return
	}
	x.kind, x.message, x.handling, x.persistent = k, m, h, persistent
	if !persistent {
		r.begin(x)
	}
}

func (a *arguments) start(r *rank, name string) {
	h := r.requests[name]
	if h == nil || !h.persistent || h.active {
		a.fail(fmt.Errorf("there is no persistent request %q to start", name))
		return
	}
	r.begin(h)
}

func (a *arguments) waits(r *rank) {
	for len(a.words) > 0 {
		a.fail(r.wait(a.word("request")))
	}
}

// timed reads the requests that were complete.
func (a *arguments) timed(r *rank) {
	r.l.timed++
	a.waits(r)
}

// test reads requests and a flag: whether all of them were complete.
func (a *arguments) test(r *rank) {
	if len(a.words) == 0 {
		a.fail(fmt.Errorf("the request is missing"))
		return
	}
	last := len(a.words) - 1
	flag := a.words[last]
	if a.words = a.words[:last]; flag != "0" && flag != "1" {
		a.fail(fmt.Errorf("flag %q must be 0 or 1", flag))
		return
	}
	if flag == "0" {
		r.l.timed++
		a.words = nil
		return
	}
	a.timed(r)
}

// collective reads the rest of a collective call: [ROOT] BYTES... [REQUEST].
func (a *arguments) collective(r *rank, op sim.CollectiveOp, rooted, sized, starts bool) {
	c := sim.CollectiveCall{Op: op}
	communicator, _ := a.option("comm")
	if rooted {
		c.RootTask = a.peer("root")
		c.Root = c.RootTask == r.number
	}
	request := ""
	if starts {
		if len(a.words) == 0 {
			a.fail(fmt.Errorf("the request is missing"))
			return
		}
		request = a.words[len(a.words)-1]
		a.words = a.words[:len(a.words)-1]
	}
	var sizes []int64
	if op != 0 {
		sizes = append(sizes, a.number("size"))
		for sized && len(a.words) > 0 {
			sizes = append(sizes, a.number("size"))
		}
	}
	if a.err != nil {
		return
	}
	for _, n := range sizes {
		c.Sent += n
	}
	c.Received = c.Sent
	kind := sim.Collective
	if op == sim.OpReduce && !starts {
		kind, c.Root = sim.Reduce, false
	}
	if starts {
		h, err := r.newHandle(request)
		if a.fail(err); err != nil {
			return
		}
		h.kind, h.op, h.active = sim.CollectiveStart, op, true
		kind, c.Request = sim.CollectiveStart, h.number
	}
	if len(sizes) > 1 {
		if r.thread.Sizes == nil {
			r.thread.Sizes = map[uint32][]int64{}
		}
		r.thread.Sizes[uint32(len(r.thread.Collectives))] = sizes
	}
	r.addCollective(kind, c, communicator)
}
