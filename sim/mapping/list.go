package mapping

import (
	"context"
	"fmt"
)

// Candidate is a mapping, and where it comes from: "machine", a rule, a search.
type Candidate struct {
	Mapping
	From string
}

// List has mappings that differ from each other.
type List struct {
	Candidates []Candidate
	seen       map[string]bool
}

// Add adds a mapping, unless it is already listed.
func (l *List) Add(m Mapping, from string) {
	if key := m.String(); !l.seen[key] {
		l.seen[key] = true
		l.Candidates = append(l.Candidates, Candidate{m, from})
	}
}

// ByRule returns a list of the machine's mapping, given by the node of each task, and of the mappings by rule.
func (b *Problem) ByRule(machine []int32, seed uint64) *List {
	l := &List{seen: map[string]bool{}}
	own := make(Mapping, len(machine))
	for i, n := range machine {
		own[i] = int(n)
	}
	l.Add(own, "machine")
	for i := range Forms {
		l.Add(Forms[i].place(b.Tasks, b.Nodes, seed), Forms[i].Name)
	}
	return l
}

// AddSearched adds the structured mappings, and the results of simulated annealing from the best of them.
func (b *Problem) AddSearched(ctx context.Context, l *List, seed uint64) {
	best := b.AddStructured(l)
	l.Add(b.Anneal(ctx, best.Mapping, seed), best.From+", annealed")
}

// AddAnnealed adds the result of simulated annealing from a start.
func (b *Problem) AddAnnealed(ctx context.Context, l *List, start Mapping, seed uint64) {
	l.Add(b.Anneal(ctx, start, seed), fmt.Sprintf("anneal %d", seed))
}
