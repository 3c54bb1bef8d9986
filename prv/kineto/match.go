package kineto

// Matching the operations of different ranks as collectives. The ranks' records begin and end at different times, so
// the k-th operation of one need not be the k-th of another, and equal counts prove nothing. The lists of a process
// group are aligned at the shift at which all operations agree and the differences of their ends are nearly constant,
// since the members of a collective end together; with a wrong shift, the differences vary by the lengths of steps:
//
//	rank 0   AAGA AAGA          shift 2 fits: all pairs agree, and their ends are always 3 us apart
//	rank 1     GA AAGA AAGA
//
// If no shift fits, the longest common subsequence of operations is used. If groups are unknown, all ranks are assumed
// to form one, and two operations match only if their times overlap: no member can end before the last begins.

import (
	"cmp"
	"fmt"
	"slices"

	"pview/prv"
	"pview/prv/extrae/device"
)

const (
	nearlyConstant = 50_000 // ns: median deviation of the differences of ends
	surelyConstant = 5_000
	fewestShifted  = 3      // minimum number of operations for a shift
	farthestShift  = 64     // beyond the difference in length
	meetTolerance  = 10_000 // ns by which an end may precede the last begin
	mostCells      = 1 << 25
)

// member is an operation of a rank in the list of its group.
type member struct {
	task       int32
	begin, end int64 // on the axis of the run, before clocks are corrected
	operation  int64
	work       int32
}

// instance is an operation of a group: the index of its member in each rank's list, by position of the rank; -1:
// missing.
type instance []int32

// list holds the operations that ranks of a group have in common: of all members, or of a sender and a receiver.
type list struct {
	group   int32
	between string     // "0>1" for point to point
	ranks   []int32    // tasks
	members [][]member // by position in ranks
	matched []instance
}

// match finds the groups of the run, and numbers the operations of each.
func (b *builder) match() {
	for _, l := range b.lists() {
		b.matchList(l)
	}
	b.correctClocks()
}

// lists collects the operations of each group by rank.
func (b *builder) lists() []*list {
	type key struct {
		group   int32
		between string
	}
	lists := map[key]*list{}
	var all []*list
	ids := map[string]int32{}
	var texts []string // of groups
	for number, t := range b.tasks {
		if !t.profiler {
			continue
		}
		of := map[int32]int32{} // groups of the run, by those of the file
		for i := range t.work {
			o := &t.work[i]
			if o.part < 0 {
				continue
			}
			p := &t.parts[o.part]
			id, ok := of[p.group]
			if !ok {
				g := runGroup{assumed: true}
				if p.group >= 0 {
					g = runGroup{group: t.groups[p.group]}
				} else {
					g.size = max(t.world, int64(len(b.tasks)))
				}
				text := fmt.Sprint(g.assumed, "\x00", g.name, "\x00", g.members)
				if id, ok = ids[text]; !ok {
					id = int32(len(b.groups))
					ids[text] = id
					texts = append(texts, text)
					b.groups = append(b.groups, g)
				}
				of[p.group] = id
				if !slices.Contains(b.groups[id].tasks, int32(number)) {
					b.groups[id].tasks = append(b.groups[id].tasks, int32(number))
				}
			}
			p.id = id + 1
			between := ""
			if o.state == device.Exchanging && p.source >= 0 && p.destination >= 0 {
				between = fmt.Sprintf("%d>%d", p.source, p.destination)
			}
			l := lists[key{id, between}]
			if l == nil {
				l = &list{group: id, between: between}
				lists[key{id, between}] = l
				all = append(all, l)
			}
			n := len(l.ranks)
			if n == 0 || l.ranks[n-1] != int32(number) {
				l.ranks = append(l.ranks, int32(number))
				l.members = append(l.members, nil)
				n++
			}
			operation := p.operation
			if between != "" {
				operation = device.SendReceive // one side sends, the other receives
			}
			l.members[n-1] = append(l.members[n-1], member{int32(number), o.begin + t.offset, o.end + t.offset, operation,
				int32(i)})
		}
	}
	slices.SortFunc(all, func(x, y *list) int {
		return cmp.Or(cmp.Compare(texts[x.group], texts[y.group]), cmp.Compare(x.between, y.between))
	})
	for _, l := range all {
		for _, m := range l.members { // the streams of a rank are one after the other
			slices.SortStableFunc(m, func(x, y member) int { return cmp.Compare(x.begin, y.begin) })
		}
	}
	b.collectives = all
	return all
}

// matchList finds the instances of a list, and numbers them after those of the group that already have numbers.
func (b *builder) matchList(l *list) {
	reference := 0
	for i := range l.members {
		if len(l.members[i]) > len(l.members[reference]) {
			reference = i
		}
	}
	empty := func() instance {
		in := make(instance, len(l.ranks))
		for i := range in {
			in[i] = -1
		}
		return in
	}
	for i := range l.members[reference] {
		in := empty()
		in[reference] = int32(i)
		l.matched = append(l.matched, in)
	}
	for i := range l.members {
		if i == reference {
			continue
		}
		for k, at := range alignLists(l.members[reference], l.members[i], b.groups[l.group].assumed) {
			if at < 0 {
				in := empty()
				in[i] = int32(k)
				l.matched = append(l.matched, in)
				continue
			}
			l.matched[at][i] = int32(k)
		}
	}
	g := &b.groups[l.group]
	for turn, in := range l.matched {
		for i, k := range in {
			if k >= 0 {
				m := &l.members[i][k]
				t := b.tasks[m.task]
				t.parts[t.work[m.work].part].turn = g.turns + int64(turn)
			}
		}
	}
	g.turns += int64(len(l.matched))
}

// alignLists returns, for each operation of other, the operation of a that it matches; -1: none.
func alignLists(a, other []member, assumed bool) []int {
	shift, shifted := 0, false
	if !assumed {
		shift, shifted = shiftOf(a, other)
	}
	if shifted {
		at := make([]int, len(other))
		for k := range other {
			if at[k] = k + shift; at[k] < 0 || at[k] >= len(a) {
				at[k] = -1
			}
		}
		return at
	}
	same := func(i, k int) bool {
		x, y := &a[i], &other[k]
		return x.operation == y.operation && (!assumed || max(x.begin, y.begin) <= min(x.end, y.end)+meetTolerance)
	}
	if len(a)*len(other) > mostCells { // too large for a table
		return inTurn(len(a), len(other), same)
	}
	return longestCommon(len(a), len(other), same)
}

// inTurn matches each of m operations with the next of n that fits and is not too far away.
func inTurn(n, m int, same func(i, k int) bool) []int {
	at, next := make([]int, m), 0
	for k := range at {
		at[k] = -1
		for i := next; i < min(n, next+farthestShift) && at[k] < 0; i++ {
			if same(i, k) {
				at[k] = i
			}
		}
		next = max(next, at[k]+1)
	}
	return at
}

// longestCommon returns, for each of m operations in the longest common subsequence, its match among n; -1 for the
// others.
func longestCommon(n, m int, same func(i, k int) bool) []int {
	width := m + 1
	common := make([]int32, (n+1)*width) // at i*width+k: the length for a[i:] and other[k:]
	for i := n - 1; i >= 0; i-- {
		for k := m - 1; k >= 0; k-- {
			longest := max(common[(i+1)*width+k], common[i*width+k+1])
			if same(i, k) {
				longest = max(longest, common[(i+1)*width+k+1]+1)
			}
			common[i*width+k] = longest
		}
	}
	at := make([]int, m)
	for k := range at {
		at[k] = -1
	}
	for i, k := 0, 0; i < n && k < m; {
		switch {
		case same(i, k) && common[i*width+k] == common[(i+1)*width+k+1]+1:
			at[k] = i
			i, k = i+1, k+1
		case common[(i+1)*width+k] >= common[i*width+k+1]:
			i++
		default:
			k++
		}
	}
	return at
}

// shiftOf returns the shift at which all operations agree and the differences of ends vary least, smaller shifts first;
// ok is false if there is none.
func shiftOf(a, other []member) (shift int, ok bool) {
	best := int64(nearlyConstant + 1)
	farthest := max(len(a)-len(other), len(other)-len(a)) + farthestShift
	for n := range 2*farthest + 1 {
		s := (n + 1) / 2 // 0, -1, 1, -2, 2 ...
		if n%2 == 1 {
			s = -s
		}
		from, to := max(0, -s), min(len(other), len(a)-s)
		if to-from < fewestShifted || 2*(to-from) < len(other) {
			continue
		}
		agree := true
		for k := from; k < to && agree; k++ {
			agree = a[k+s].operation == other[k].operation
		}
		if !agree {
			continue
		}
		differences := make([]int64, 0, to-from)
		for k := from; k < to; k++ {
			differences = append(differences, other[k].end-a[k+s].end)
		}
		if _, rest := middle(differences); rest < best {
			if best, shift, ok = rest, s, true; rest <= surelyConstant {
				return shift, true
			}
		}
	}
	if !ok { // equal lists with few operations, or with ends that vary
		return 0, len(a) > 0 && slices.EqualFunc(a, other, func(x, y member) bool { return x.operation == y.operation })
	}
	return shift, true
}

// middle returns the median of a list, which it sorts, and the median of the distances from it.
func middle(list []int64) (median, rest int64) {
	slices.Sort(list)
	median = list[len(list)/2]
	for i := range list {
		list[i] = max(list[i]-median, median-list[i])
	}
	slices.Sort(list)
	return median, list[len(list)/2]
}

// pairOfRanks are two ranks with common collectives.
type pairOfRanks struct{ low, high int32 }

// clock tells how far a rank's clock is ahead of its reference's.
type clock struct {
	offset, rest int64
	n            int
	reference    int32
	known        bool
}

// offsets returns the clock of each task. Clocks are compared by the ends of common collectives, breadth first from the
// lowest task, and first for the pairs with the most collectives.
func (b *builder) offsets() []clock {
	ends := map[pairOfRanks][]int64{}
	for _, l := range b.collectives {
		if l.between != "" {
			continue
		}
		for _, in := range l.matched {
			if slices.Contains(in, -1) || len(in) < 2 || !device.Synchronises(l.members[0][in[0]].operation) {
				continue
			}
			first := &l.members[0][in[0]]
			for i := 1; i < len(in); i++ {
				pair := pairOfRanks{l.ranks[0], l.ranks[i]}
				ends[pair] = append(ends[pair], l.members[i][in[i]].end-first.end)
			}
		}
	}
	pairs := make([]pairOfRanks, 0, len(ends))
	for pair := range ends {
		pairs = append(pairs, pair)
	}
	slices.SortFunc(pairs, func(x, y pairOfRanks) int {
		return cmp.Or(cmp.Compare(len(ends[y]), len(ends[x])), cmp.Compare(x.low, y.low), cmp.Compare(x.high, y.high))
	})
	clocks := make([]clock, len(b.tasks))
	medians := map[pairOfRanks][2]int64{}
	for _, pair := range pairs {
		median, rest := middle(ends[pair])
		medians[pair] = [2]int64{median, rest}
	}
	for start := range clocks {
		if clocks[start].known {
			continue
		}
		clocks[start] = clock{known: true, reference: int32(start)}
		for queue := []int32{int32(start)}; len(queue) > 0; queue = queue[1:] {
			at := queue[0]
			for _, pair := range pairs {
				other, sign := pair.high, int64(1)
				if pair.high == at {
					other, sign = pair.low, -1
				} else if pair.low != at {
					continue
				}
				if !clocks[other].known {
					m := medians[pair]
					clocks[other] = clock{clocks[at].offset + sign*m[0], m[1], len(ends[pair]), int32(start), true}
					queue = append(queue, other)
				}
			}
		}
	}
	return clocks
}

// Conditions of a correction, in ns and collectives.
const (
	leastOffset     = 50_000
	fewestToCorrect = 5
	fewestIfSure    = 3
)

// correctClocks moves the times of ranks whose clocks are ahead or behind.
func (b *builder) correctClocks() {
	if len(b.tasks) < 2 {
		return
	}
	b.clocks = b.offsets()
	for i := range b.clocks {
		c := &b.clocks[i]
		if b.tasks[i].path == b.tasks[c.reference].path {
			continue // both are of the same recording, with one clock
		}
		away := max(c.offset, -c.offset)
		if away <= leastOffset || c.n < fewestToCorrect && !(c.n >= fewestIfSure && c.rest < surelyConstant) ||
			c.rest >= away/10 {
			continue
		}
		t := b.tasks[i]
		t.ahead = c.offset
		direction := "ahead of"
		if c.offset < 0 {
			direction = "behind"
		}
		b.said = append(b.said, fmt.Sprintf("clock of %s is %.3f ms %s %s (%d collectives, residual %d us): corrected",
			t.name, float64(away)/1e6, direction, b.tasks[c.reference].name, c.n, c.rest/1000))
	}
}

// exchange adds the messages from send to receive kernels.
func (b *builder) exchange() {
	for _, l := range b.collectives {
		if l.between == "" || len(l.ranks) != 2 {
			continue
		}
		for _, in := range l.matched {
			if slices.Contains(in, -1) {
				continue
			}
			from, to := &l.members[0][in[0]], &l.members[1][in[1]]
			if b.partOf(from).operation == device.Receive {
				from, to = to, from
			}
			send, receive := b.partOf(from), b.partOf(to)
			if send.operation != device.Send || receive.operation != device.Receive {
				continue
			}
			begin := b.tasks[from.task].offset + b.workOf(from).begin
			posted, done := b.workOf(to).begin+b.tasks[to.task].offset, b.workOf(to).end+b.tasks[to.task].offset
			sender, senderCPU := b.threadOf(from)
			receiver, receiverCPU := b.threadOf(to)
			b.out.Comm(prv.Comm{Send: sender, SendCPU: senderCPU, Recv: receiver, RecvCPU: receiverCPU,
				Size: max(send.in, 0), Tag: device.TransferTag,
				Times: [4]int64{begin, begin, posted, done}})
		}
	}
}

func (b *builder) workOf(m *member) *operation { return &b.tasks[m.task].work[m.work] }

func (b *builder) partOf(m *member) *part { return &b.tasks[m.task].parts[b.workOf(m).part] }

// threadOf returns the thread and CPU of a member.
func (b *builder) threadOf(m *member) (thread, cpu int32) {
	t := b.tasks[m.task]
	k := slices.Index(t.streams, t.work[m.work].stream)
	return t.first + int32(len(t.rows)+k), t.cpus[k]
}
