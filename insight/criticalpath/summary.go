package criticalpath

// The breakdown of a path's time: by kind, by thread, by block of the program.

import (
	"cmp"
	"slices"
	"sort"

	"pview/insight/report"
	"pview/prv"
	"pview/prv/extrae"
)

// Share is a part of the path's time.
type Share struct {
	Name  string
	Time  int64 // in the trace's unit
	Kinds [NumKinds]int64
	// Visits counts its separate stretches.
	Visits int

	longest stretches
}

// stretches are the longest stretches of a part of the path, adjacent ones of a thread joined.
type stretches struct {
	list []Segment
	open Segment // which the next one may extend
}

// mostStretches is the number of kept stretches.
const mostStretches = 20

func (l *stretches) add(thread int32, begin, end int64) {
	if l.open.End == begin && l.open.Thread == thread {
		l.open.End = end
		return
	}
	l.close()
	l.open = Segment{Begin: begin, End: end, Thread: thread}
}

// close ends the open stretch.
func (l *stretches) close() {
	g := l.open
	switch l.open = (Segment{}); {
	case g.End == g.Begin:
	case len(l.list) < mostStretches:
		l.list = append(l.list, g)
	default:
		short := 0
		for i, s := range l.list {
			if s.length() < l.list[short].length() {
				short = i
			}
		}
		if g.length() > l.list[short].length() {
			l.list[short] = g
		}
	}
}

func (g *Segment) length() int64 { return g.End - g.Begin }

// evidence returns the stretches, the longest first.
func (l *stretches) evidence() (list []report.Evidence) {
	for _, g := range l.list {
		list = append(list, report.Evidence{From: g.Begin, To: g.End, Threads: []int32{g.Thread},
			Cost: float64(g.length())})
	}
	slices.SortFunc(list, func(a, b report.Evidence) int {
		return cmp.Or(cmp.Compare(b.Cost, a.Cost), cmp.Compare(a.From, b.From))
	})
	return list
}

// Summary breaks the path's time down in three ways; each time the parts sum to Total.
type Summary struct {
	Total   int64
	Kinds   [NumKinds]int64
	Threads []Share // in thread order, the network last; threads off the path are omitted
	Blocks  []Share // longest first

	Segments, Jumps int // of the path
	Guessed         int // see Path
	Simulated       bool
	between         bool // see Path

	longest [NumKinds]stretches
}

// NetworkName names the time on no thread, OutsideName the time in no block.
const (
	NetworkName = "Network"
	OutsideName = "outside of all blocks"
)

// Summary returns the breakdown of the time. Labels name the blocks; nil: those of the trace.
func (p *Path) Summary(labels *prv.Labels) *Summary {
	if labels == nil {
		labels = p.t.Labels
	}
	s := &Summary{Segments: len(p.Segments), Jumps: p.Jumps, Guessed: p.Guessed, Simulated: p.Simulated,
		between: p.between}
	threads := make([]Share, len(p.t.Threads)+1)
	blocks := blockShares{labels: labels, regions: p.regions, at: map[blockKey]int{}}
	for i := range p.Segments {
		g := &p.Segments[i]
		d := g.End - g.Begin
		s.Total += d
		s.Kinds[g.Kind] += d
		s.longest[g.Kind].add(g.Thread, g.Begin, g.End)
		who := int(g.Thread)
		if g.Kind.OnNetwork() {
			who = len(threads) - 1
		}
		t := &threads[who]
		if t.Time += d; i == 0 || p.Segments[i-1].Thread != g.Thread ||
			p.Segments[i-1].Kind.OnNetwork() != g.Kind.OnNetwork() {
			t.Visits++
		}
		t.Kinds[g.Kind] += d
		t.longest.add(g.Thread, g.Begin, g.End)
	}
	for i := range p.visits {
		blocks.add(p, &p.visits[i])
	}
	for i := range threads {
		if threads[i].Time == 0 {
			continue
		}
		threads[i].Name = NetworkName
		if i < len(threads)-1 {
			threads[i].Name = p.t.Name(prv.LevelThread, i)
		}
		s.Threads = append(s.Threads, threads[i])
	}
	s.Blocks = blocks.list
	for k := range s.longest {
		s.longest[k].close()
	}
	for _, list := range [][]Share{s.Threads, s.Blocks} {
		for i := range list {
			list[i].longest.close()
		}
	}
	slices.SortStableFunc(s.Blocks, func(a, b Share) int {
		return cmp.Or(cmp.Compare(b.Time, a.Time), cmp.Compare(a.Name, b.Name))
	})
	return s
}

// blockKey identifies a block: by event type and value, type 0 for none; or by the row of the path's regions.
type blockKey struct {
	typ   uint32
	value int64
}

// visit is a stretch of a segment in a block.
type visit struct {
	segment    int32
	key        blockKey
	begin, end int64
}

// blockShares sums the time per block.
type blockShares struct {
	labels  *prv.Labels
	regions []string
	at      map[blockKey]int
	list    []Share
	last    int // row of list
	thread  int32
}

func (b *blockShares) nameOf(key blockKey) string {
	if b.regions != nil {
		return b.regions[key.value]
	}
	if key.typ == 0 {
		return OutsideName
	}
	name := extrae.RegionName(b.labels, key.typ, key.value)
	if slices.Contains(deviceBlocks, key.typ) {
		name = extrae.ShortName(name)
	}
	return name
}

func (b *blockShares) add(p *Path, v *visit) {
	g := &p.Segments[v.segment]
	i, ok := b.at[v.key]
	if !ok {
		name := b.nameOf(v.key)
		// Tracers number one function once per address.
		if i = slices.IndexFunc(b.list, func(s Share) bool { return s.Name == name }); i < 0 {
			i = len(b.list)
			b.list = append(b.list, Share{Name: name})
		}
		b.at[v.key] = i
	}
	s := &b.list[i]
	s.Time += v.end - v.begin
	s.Kinds[g.Kind] += v.end - v.begin
	s.longest.add(g.Thread, v.begin, v.end)
	if s.Visits == 0 || b.last != i || b.thread != g.Thread {
		s.Visits++
	}
	b.last, b.thread = i, g.Thread
}

// visits divides segments where their threads change blocks. A message in flight belongs to the block in which its
// receiver was when it arrived.
func (n *names) visits(segments []Segment) (out []visit) {
	for i := range segments {
		n.split(int32(i), &segments[i], func(v visit) { out = append(out, v) })
	}
	return out
}

func (n *names) split(segment int32, g *Segment, add func(v visit)) {
	list := n.changes[g.Thread]
	// The last change before the end of the segment.
	i := sort.Search(len(list), func(i int) bool { return list[i].time >= g.End }) - 1
	if g.Kind.OnNetwork() {
		add(visit{segment, keyOf(list, i), g.Begin, g.End})
		return
	}
	first := i
	for first >= 0 && list[first].time > g.Begin {
		first--
	}
	begin := g.Begin
	for ; first < i; first++ {
		next := list[first+1].time
		add(visit{segment, keyOf(list, first), begin, next})
		begin = next
	}
	add(visit{segment, keyOf(list, i), begin, g.End})
}

func keyOf(list []change, i int) blockKey {
	if i < 0 {
		return blockKey{}
	}
	return blockKey{list[i].typ, list[i].value}
}
