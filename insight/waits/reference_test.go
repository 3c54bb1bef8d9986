package waits_test

// A plain version of the definitions, by brute force, against random programs with right and with wrong clocks (check
// 36).

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pview/insight/waits"
)

// refCall is a call of the reference.
type refCall struct {
	thread      int
	enter, exit int64
	name        string
	root        bool
	sends       []int // messages that it sends
	completes   []int
	ends        []int // messages of Isends that it completes
	op          int   // collective operation, -1 for none
}

// refMessage is a message: the calls that send it, post its receive and complete it.
type refMessage struct {
	from, to         int
	send, post, done *refCall
	size             int64
}

// program is a random program while it runs.
type program struct {
	r        *rand.Rand
	clock    []int64
	text     [][]string
	regions  []map[string][][2]int64 // by thread
	calls    []*refCall
	byThread [][]*refCall
	messages []*refMessage
	ops      [][]*refCall // members
	isends   [][]int
}

func newProgram(r *rand.Rand, threads, steps int) *program {
	p := &program{r: r, clock: make([]int64, threads), text: make([][]string, threads),
		byThread: make([][]*refCall, threads), isends: make([][]int, threads)}
	for range threads {
		p.regions = append(p.regions, map[string][][2]int64{})
	}
	kinds := []func(){p.message, p.message, p.message, p.collective, p.swapped, p.waitall}
	for range steps {
		for i := range threads {
			p.compute(i)
		}
		kinds[r.IntN(len(kinds))]()
	}
	for i := range threads {
		p.compute(i)
	}
	return p
}

func (p *program) compute(i int) {
	if p.r.IntN(4) == 0 {
		return
	}
	name := string(rune('A' + p.r.IntN(3)))
	d := int64(1 + p.r.IntN(60))
	p.stretch(i, name, d)
}

func (p *program) stretch(i int, name string, d int64) {
	from := p.clock[i]
	p.clock[i] += d
	p.regions[i][name] = append(p.regions[i][name], [2]int64{from, p.clock[i]})
	p.text[i] = append(p.text[i], fmt.Sprintf("%s[%d,%d)", name, from, p.clock[i]))
}

// call adds a call of a thread from now until a time.
func (p *program) call(i int, name string, until int64, root bool) *refCall {
	c := &refCall{thread: i, enter: p.clock[i], exit: until, name: name, op: -1, root: root}
	mark := ""
	if root {
		mark = "!"
	}
	p.text[i] = append(p.text[i], fmt.Sprintf("%s%s[%d,%d)", name, mark, c.enter, c.exit))
	p.regions[i]["MPI_"+name] = append(p.regions[i]["MPI_"+name], [2]int64{c.enter, c.exit})
	p.calls = append(p.calls, c)
	p.byThread[i] = append(p.byThread[i], c)
	p.clock[i] = until
	return c
}

func (p *program) two() (int, int) {
	a := p.r.IntN(len(p.clock))
	return a, (a + 1 + p.r.IntN(len(p.clock)-1)) % len(p.clock)
}

func (p *program) some() int64 { return int64(1 + p.r.IntN(9)) }

func (p *program) add(m refMessage) int {
	p.messages = append(p.messages, &m)
	n := len(p.messages) - 1
	m2 := p.messages[n]
	m2.send.sends = append(m2.send.sends, n)
	m2.done.completes = append(m2.done.completes, n)
	return n
}

// message is a Send or Ssend and a Recv.
func (p *program) message() {
	a, b := p.two()
	sent, posted := p.clock[a], p.clock[b]
	name, size := "Send", []int64{8, 100000}[p.r.IntN(2)]
	if p.r.IntN(3) == 0 {
		name = "Ssend"
	}
	left := sent + p.some()
	if name == "Ssend" || size > 1024 && p.r.IntN(2) == 0 {
		left = max(sent, posted) + p.some()
	}
	s := p.call(a, name, left, false)
	r := p.call(b, "Recv", max(sent, posted)+p.some(), false)
	p.add(refMessage{a, b, s, r, r, size})
}

// swapped are two messages that are received in the other order than they are sent.
func (p *program) swapped() {
	a, b := p.two()
	s1 := p.call(a, "Send", p.clock[a]+p.some(), false)
	p.stretch(a, "B", int64(5+p.r.IntN(50)))
	s2 := p.call(a, "Send", p.clock[a]+p.some(), false)
	r2 := p.call(b, "Recv", max(s2.enter, p.clock[b])+p.some(), false)
	r1 := p.call(b, "Recv", max(s1.enter, p.clock[b])+p.some(), false)
	p.add(refMessage{a, b, s2, r2, r2, 8})
	p.add(refMessage{a, b, s1, r1, r1, 8})
}

// waitall is an exchange by Irecv, Isend and Waitall.
func (p *program) waitall() {
	a, b := p.two()
	size := []int64{8, 100000}[p.r.IntN(2)]
	ra := p.call(a, "Irecv", p.clock[a]+p.some(), false)
	sa := p.call(a, "Isend", p.clock[a]+p.some(), false)
	p.compute(a)
	p.compute(b)
	rb := p.call(b, "Irecv", p.clock[b]+p.some(), false)
	sb := p.call(b, "Isend", p.clock[b]+p.some(), false)
	p.compute(a)
	p.compute(b)
	ea, eb := p.clock[a], p.clock[b]
	wa := p.call(a, "Waitall", max(ea, sb.enter, rb.enter)+p.some(), false)
	wb := p.call(b, "Waitall", max(eb, sa.enter, ra.enter)+p.some(), false)
	m := p.add(refMessage{a, b, sa, rb, wb, size})
	wa.ends = append(wa.ends, m)
	m = p.add(refMessage{b, a, sb, ra, wa, size})
	wb.ends = append(wb.ends, m)
}

// collective is an operation of all threads.
func (p *program) collective() {
	name := []string{"Allreduce", "Barrier", "Bcast", "Reduce", "Scan"}[p.r.IntN(5)]
	root := p.r.IntN(len(p.clock))
	last := slices.Max(p.clock)
	enters := slices.Clone(p.clock)
	var members []*refCall
	for i := range p.clock {
		from := max(last, enters[i])
		switch {
		case name == "Bcast":
			from = max(enters[i], enters[root])
		case name == "Reduce" && i != root:
			from = enters[i]
		case name == "Scan":
			from = slices.Max(enters[:i+1])
		}
		c := p.call(i, name, from+p.some(), i == root && (name == "Bcast" || name == "Reduce"))
		c.op = len(p.ops)
		members = append(members, c)
	}
	p.ops = append(p.ops, members)
}

// shift moves the clocks of the threads.
func (p *program) shift(by []int64) {
	for _, c := range p.calls {
		c.enter += by[c.thread]
		c.exit += by[c.thread]
	}
	for i := range p.regions {
		p.clock[i] += by[i]
		for _, list := range p.regions[i] {
			for k := range list {
				list[k][0] += by[i]
				list[k][1] += by[i]
			}
		}
	}
	for i := range p.text {
		for k, item := range p.text[i] {
			p.text[i][k] = itemForm.ReplaceAllStringFunc(item, func(s string) string {
				m := itemForm.FindStringSubmatch(s)
				return fmt.Sprintf("%s%s[%d,%d)", m[1], m[2], number(m[3])+by[i], number(m[4])+by[i])
			})
		}
	}
}

// script writes the program as a trace, with the times of messages as a tracer has them.
func (p *program) script() string {
	var b strings.Builder
	for i, items := range p.text {
		fmt.Fprintf(&b, "%d: %s\n", i+1, strings.Join(items, " "))
	}
	for _, m := range p.messages {
		posted := m.post.enter
		if m.post.name == "Irecv" {
			posted = m.post.exit
		}
		fmt.Fprintf(&b, "%d>%d %d %d %d %d size %d\n", m.from+1, m.to+1, m.send.enter, m.send.exit, posted, m.done.exit,
			m.size)
	}
	return b.String()
}

// refWait is a wait of the reference.
type refWait struct {
	thread, cause int
	from, to      int64
	class         waits.Class
	clock, infer  bool
	region        string
	l             int64 // L
	done          bool
}

func (w *refWait) len() int64 { return w.to - w.from }

// reference computes waits and costs from the definitions.
type reference struct {
	p     *program
	waits []*refWait
	cost  map[string][2]int64
}

// candidate of a call: the latest counts, of equal ones Late Sender, then the lower cause.
func (ref *reference) choose(list []refWait) *refWait {
	slices.SortStableFunc(list, func(a, b refWait) int {
		return cmp.Or(cmp.Compare(b.to, a.to), cmp.Compare(a.class, b.class), cmp.Compare(a.cause, b.cause))
	})
	if len(list) == 0 || list[0].to <= list[0].from {
		return nil
	}
	return &list[0]
}

func (ref *reference) find() {
	alone, moved := 0, 0 // messages in rendezvous without their receiver, and once it was back
	for _, c := range ref.p.calls {
		var list []refWait
		base := refWait{thread: c.thread, from: c.enter, region: "MPI_" + c.name}
		for _, n := range c.completes {
			m := ref.p.messages[n]
			if w := base; m.send.enter > c.enter {
				w.to, w.class, w.cause, w.clock = min(m.send.enter, c.exit), ref.order(n), m.from, m.send.enter > c.exit
				list = append(list, w)
			}
		}
		var progress []refWait
		sent := slices.Clone(c.ends)
		if c.name == "Send" || c.name == "Ssend" {
			sent = append(sent, c.sends...)
		}
		for _, n := range sent {
			m := ref.p.messages[n]
			if (c.name == "Ssend" || m.size > 1024) && c.exit > m.post.enter && m.post.enter > c.enter {
				w := base
				w.to, w.class, w.cause, w.infer = m.post.enter, waits.LateReceiver, m.to, c.name == "Waitall"
				list = append(list, w)
			} else if back := ref.back(m, c); (c.name == "Ssend" || m.size > 1024) && m.post.enter <= c.enter &&
				c.enter < back {
				if back >= min(c.exit, m.done.exit) {
					alone++
					continue
				}
				moved++
				w := base
				w.to, w.class, w.cause, w.infer = back, waits.LateProgress, m.to, c.name == "Waitall"
				progress = append(progress, w)
			}
		}
		if c.op >= 0 {
			if w, ok := ref.group(c, base); ok {
				list = append(list, w)
			}
		}
		if len(list) == 0 {
			list = progress
		}
		if w := ref.choose(list); w != nil {
			ref.waits = append(ref.waits, w)
		}
	}
	if 10*alone > alone+moved {
		ref.waits = slices.DeleteFunc(ref.waits, func(w *refWait) bool { return w.class == waits.LateProgress })
	}
}

// back returns the first time at which the receiver of a message is in a call once the message is announced and its
// receive posted; c completes its send.
func (ref *reference) back(m *refMessage, c *refCall) int64 {
	at := max(c.enter, m.post.enter)
	if m.send != c {
		at = max(m.send.exit, m.post.enter)
	}
	first := int64(math.MaxInt64)
	for _, o := range ref.p.calls {
		if o.thread == m.to && o.exit >= at {
			first = min(first, max(at, o.enter))
		}
	}
	return first
}

// order returns the class of the wait for a message.
func (ref *reference) order(n int) waits.Class {
	m := ref.p.messages[n]
	var later []*refMessage // of the same receiver, by completion
	for _, o := range ref.p.messages {
		if o.to == m.to && o.done.exit > m.done.exit {
			later = append(later, o)
		}
	}
	slices.SortStableFunc(later, func(a, b *refMessage) int { return cmp.Compare(a.done.exit, b.done.exit) })
	for k, o := range later {
		if k >= 100 {
			break
		}
		if o.send.enter < m.send.enter {
			if o.from == m.from {
				return waits.WrongOrderSame
			}
			return waits.WrongOrderDifferent
		}
	}
	return waits.LateSender
}

// group returns the wait of a member of a collective operation.
func (ref *reference) group(c *refCall, w refWait) (refWait, bool) {
	classes := map[string]waits.Class{"Allreduce": waits.WaitNxN, "Barrier": waits.WaitBarrier,
		"Bcast": waits.LateBroadcast, "Reduce": waits.EarlyReduce, "Scan": waits.EarlyScan}
	w.class, w.to = classes[c.name], -1
	for _, o := range ref.p.ops[c.op] {
		counts := true
		switch c.name {
		case "Bcast":
			counts = o.root && !c.root
		case "Reduce":
			counts = c.root && !o.root
		case "Scan":
			counts = o.thread < c.thread
		}
		if !counts {
			continue
		}
		if o.enter > c.exit {
			w.clock = true
			if c.name == "Bcast" {
				w.to, w.cause = c.exit, o.thread
			}
			continue
		}
		if o.enter > w.to {
			w.to, w.cause = o.enter, o.thread
		}
	}
	return w, w.to > c.enter
}

// time returns the time of a thread in a region over [from, to), without some waits.
func (ref *reference) time(thread int, region string, from, to int64, out []*refWait) (sum int64) {
	for _, s := range ref.p.regions[thread][region] {
		sum += max(0, min(s[1], to)-max(s[0], from))
	}
	if region == "code outside of traced functions" { // outside of all others
		sum = to - from
		for name := range ref.p.regions[thread] {
			sum -= ref.time(thread, name, from, to, nil)
		}
	}
	for _, w := range out {
		if w.thread == thread && w.region == region {
			sum -= max(0, min(w.to, to)-max(w.from, from))
		}
	}
	return sum
}

// step returns the last time at which two threads were in step.
func (ref *reference) step(s *refWait) (at int64) {
	for _, v := range ref.waits {
		pair := v.thread == s.thread && v.cause == s.cause || v.thread == s.cause && v.cause == s.thread
		if pair && v.to <= s.from {
			at = max(at, v.to)
		}
	}
	for _, op := range ref.p.ops {
		if op[0].name != "Allreduce" && op[0].name != "Barrier" {
			continue
		}
		last := int64(0)
		for _, c := range op {
			last = max(last, c.enter)
		}
		if last <= s.from && op[s.thread].exit >= last && op[s.cause].exit >= last {
			at = max(at, last)
		}
	}
	return at
}

// share passes on the costs: always a wait that no other one can still pass something to.
func (ref *reference) share() bool {
	ref.cost = map[string][2]int64{}
	for range ref.waits {
		var next *refWait
		for _, s := range ref.waits {
			if s.done || next != nil && s.to < next.to {
				continue
			}
			if next == nil || s.to > next.to || s.thread < next.thread {
				ready := true
				for _, v := range ref.waits { // one with the same end whose cause is s's thread comes first
					ready = ready && (v.done || v == s || v.to != s.to || v.cause != s.thread)
				}
				if ready {
					next = s
				} else if next == nil || s.to > next.to {
					next = nil
				}
			}
		}
		if next == nil {
			return false // a circle
		}
		ref.pass(next)
	}
	return true
}

func (ref *reference) pass(s *refWait) {
	s.done = true
	t0 := ref.step(s)
	var inside []*refWait
	total := int64(0)
	for _, v := range ref.waits {
		if v.thread == s.cause && v.from >= t0 && v.to <= s.to {
			inside = append(inside, v)
			total += v.len()
		}
	}
	slices.SortFunc(inside, func(a, b *refWait) int { return cmp.Compare(a.from, b.from) })
	names := []string{"code outside of traced functions"}
	for name := range ref.p.regions[s.cause] {
		names = append(names, name)
	}
	slices.Sort(names)
	excess := make([]int64, len(names))
	for i, name := range names {
		excess[i] = max(0, ref.time(s.cause, name, t0, s.to, inside)-ref.time(s.thread, name, t0, s.from, ref.waits))
		total += excess[i]
	}
	weights, given, later := int64(0), int64(0), int64(0)
	part := func(weight int64) (short, long int64) {
		weights += weight
		short, long = s.len()*weights/total-given, s.l*weights/total-later
		given, later = given+short, later+long
		return short, long
	}
	for i, name := range names {
		short, long := part(excess[i])
		key := fmt.Sprintf("%d %s", s.cause+1, strings.TrimPrefix(name, "MPI_"))
		c := ref.cost[key]
		ref.cost[key] = [2]int64{c[0] + short, c[1] + long}
	}
	for _, v := range inside {
		short, long := part(v.len())
		v.l += short + long
	}
}

// lines returns the lines that shown writes of a result.
func (ref *reference) lines() (lines []string) {
	slices.SortFunc(ref.waits, func(a, b *refWait) int {
		return cmp.Or(cmp.Compare(a.thread, b.thread), cmp.Compare(a.from, b.from))
	})
	for _, w := range ref.waits {
		line := fmt.Sprintf("%d [%d,%d) class %d by %d", w.thread+1, w.from, w.to, w.class, w.cause+1)
		if w.clock {
			line += " clock"
		}
		if w.infer {
			line += " inferred"
		}
		lines = append(lines, line)
	}
	var delays []string
	for key, c := range ref.cost {
		if c[0]+c[1] > 0 {
			delays = append(delays, fmt.Sprintf("%s %d+%d", key, c[0], c[1]))
		}
	}
	slices.Sort(delays)
	return append(lines, delays...)
}

// Check 36, with 500 programs of each kind: 3,000 take half a minute.
func TestReference(t *testing.T) {
	const programs = 500
	found, circles := 0, 0
	for _, shifted := range []bool{false, true} {
		for seed := range programs {
			r := rand.New(rand.NewPCG(uint64(seed), 36))
			threads := 2 + r.IntN(4)
			p := newProgram(r, threads, 3+r.IntN(10))
			if shifted {
				by := make([]int64, threads)
				for i := range by {
					by[i] = int64(r.IntN(40))
				}
				p.shift(by)
			}
			text := p.script()
			ref := &reference{p: p}
			ref.find()
			if !ref.share() {
				circles++
				continue
			}
			res := analyze(t, parse(t, text), limit(1024))
			got := shown(res)
			slices.Sort(got[len(res.Waits):])
			if want := ref.lines(); !slices.Equal(got, want) {
				t.Fatalf("seed %d, shifted %v:\n%s\nis\n  %s\nnot\n  %s", seed, shifted, text,
					strings.Join(got, "\n  "), strings.Join(want, "\n  "))
			}
			found += len(res.Waits)
		}
	}
	if found < programs || circles > programs/10 {
		t.Errorf("%d waits, %d circles in %d programs", found, circles, programs)
	}
	t.Logf("%d waits, %d circles", found, circles)
}
