package phase

// The signature of a phase: its calls, independent of their duration.

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"

	"pview/prv/parallel"
)

// Signature identifies a phase: the sequence of the first process's collective operations, and how often a process
// calls each MPI function and user function on average, rounded. Names are those of the .pcf, so that different traces
// can be compared.
type Signature struct {
	Collectives []string
	Counts      []Count // by name
}

// Count counts calls of something.
type Count struct {
	Name string
	Per  int // process, on average
}

// Key identifies signatures: equal ones have equal keys.
func (s *Signature) Key() string {
	var b strings.Builder
	b.WriteString(strings.Join(s.Collectives, " "))
	for _, c := range s.Counts {
		fmt.Fprintf(&b, "|%s %d", c.Name, c.Per)
	}
	return b.String()
}

// Distance returns the share of calls in which two signatures differ, from 0 (the same) to 1 (nothing in common): the
// sum of |a-b| over the sum of max(a, b) of the counts. Signatures that differ only in the order of their collective
// operations are 0.01 apart.
func (s *Signature) Distance(o *Signature) float64 {
	differ, all := 0, 0
	i, k := 0, 0
	for i < len(s.Counts) || k < len(o.Counts) {
		switch {
		case k == len(o.Counts) || i < len(s.Counts) && s.Counts[i].Name < o.Counts[k].Name:
			differ, all = differ+s.Counts[i].Per, all+s.Counts[i].Per
			i++
		case i == len(s.Counts) || o.Counts[k].Name < s.Counts[i].Name:
			differ, all = differ+o.Counts[k].Per, all+o.Counts[k].Per
			k++
		default:
			a, b := s.Counts[i].Per, o.Counts[k].Per
			differ, all = differ+max(a, b)-min(a, b), all+max(a, b)
			i, k = i+1, k+1
		}
	}
	if differ > 0 {
		return float64(differ) / float64(all)
	}
	if !slices.Equal(s.Collectives, o.Collectives) {
		return 0.01
	}
	return 0
}

// Name describes the signature in a few words: its functions, else its calls, MPI_Init first, then the most frequent.
func (s *Signature) Name() string {
	var parts []Count
	for _, c := range s.Counts {
		if !strings.HasPrefix(c.Name, "MPI_") {
			short, _, _ := strings.Cut(c.Name, " [") // mangled names follow in brackets
			parts = append(parts, Count{short, c.Per})
		}
	}
	if len(parts) == 0 {
		parts = slices.Clone(s.Counts)
	}
	slices.SortStableFunc(parts, func(a, b Count) int { return cmp.Or(begins(a, b), cmp.Compare(b.Per, a.Per)) })
	more := ""
	if len(parts) > 3 {
		parts, more = parts[:3], " ..."
	}
	var words []string
	for _, p := range parts {
		if p.Per > 1 {
			words = append(words, fmt.Sprintf("%d %s", p.Per, p.Name))
		} else {
			words = append(words, p.Name)
		}
	}
	if len(words) == 0 {
		return "no calls"
	}
	return strings.Join(words, ", ") + more
}

// begins puts MPI_Init first: its phase also has the start of the processes.
func begins(a, b Count) int {
	first := func(c Count) int {
		if strings.HasPrefix(c.Name, "MPI_Init") {
			return 0
		}
		return 1
	}
	return cmp.Compare(first(a), first(b))
}

// entry identifies a call or function.
type entry struct {
	typ   uint32
	value int64
}

// signer gives the phases their signatures.
type signer struct {
	*finder
	tiling *Tiling
	cuts   []cut      // between the phases
	orders [][]string // collective operations of the first process, by phase

	mu     sync.Mutex
	counts []map[entry]int // by phase
}

// sign groups the phases by signature.
func (f *finder) sign(l *Tiling, cuts []cut) error {
	s := &signer{finder: f, tiling: l, cuts: cuts, counts: make([]map[entry]int, len(l.Phases)),
		orders: make([][]string, len(l.Phases))}
	err := parallel.For(f.ctx, len(f.threads), s.count)
	if err != nil {
		return err
	}
	byKey := map[string]int{}
	for i := range l.Phases {
		sig := s.signature(i)
		key := sig.Key()
		g, ok := byKey[key]
		if !ok {
			g = len(l.Groups)
			byKey[key] = g
			l.Groups = append(l.Groups, Group{Signature: sig, Worst: i})
		}
		own := &l.Groups[g]
		l.Phases[i].Group = g
		own.Occurrences++
		own.Time += l.Phases[i].Duration()
		if l.Phases[i].Duration() > l.Phases[own.Worst].Duration() {
			own.Worst = i
		}
	}
	return nil
}

// leaves returns the time when a process leaves a phase other than the last: it begins the next while others are still
// in this one.
func (s *signer) leaves(task, phase int) int64 {
	c := &s.cuts[phase]
	if s.tiling.From == Steps {
		return c.own[task]
	}
	if s.tiling.From == Events {
		return s.marks(s.tasks[task])[c.number]
	}
	own, _ := s.part(task, c.comm, int(c.number))
	return own.end
}

// count adds the calls of a thread.
func (s *signer) count(thread int) error {
	e := &s.t.Threads[s.threads[thread]].Events
	task := int(s.t.ThreadTask[s.threads[thread]] - s.tasks[0])
	own, phase, end := map[entry]int{}, 0, int64(math.MinInt64)
	if len(s.cuts) > 0 {
		end = s.leaves(task, 0)
	}
	for i, k := range s.rows[thread] {
		if i&0xfff == 0 && s.ctx.Err() != nil {
			return s.ctx.Err()
		}
		typ, value := e.Type[k], e.Value.At(int(k))
		what := kind(s.kinds.Part(typ))
		if value == 0 || what == marker {
			continue
		}
		for phase < len(s.cuts) && e.Time[k] >= end {
			s.add(phase, own)
			clear(own)
			if phase++; phase < len(s.cuts) {
				end = s.leaves(task, phase)
			}
		}
		own[entry{typ, value}]++
		if thread == 0 && what == collective {
			s.orders[phase] = append(s.orders[phase], s.t.Labels.ValueName(typ, value))
		}
	}
	s.add(phase, own)
	return nil
}

// add adds the counts of a thread in a phase.
func (s *signer) add(phase int, own map[entry]int) {
	if len(own) == 0 {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.counts[phase] == nil {
		s.counts[phase] = map[entry]int{}
	}
	for e, n := range own {
		s.counts[phase][e] += n
	}
}

// signature returns the signature of a phase. Values with the same name are the same thing.
func (s *signer) signature(phase int) Signature {
	byName := map[string]int{}
	for e, n := range s.counts[phase] {
		byName[s.t.Labels.ValueName(e.typ, e.value)] += n
	}
	sig := Signature{Collectives: s.orders[phase]}
	for name, n := range byName {
		if per := int(math.Round(float64(n) / float64(len(s.tasks)))); per > 0 {
			sig.Counts = append(sig.Counts, Count{name, per})
		}
	}
	slices.SortFunc(sig.Counts, func(a, b Count) int { return cmp.Compare(a.Name, b.Name) })
	return sig
}
