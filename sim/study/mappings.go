package study

// Studies of mappings: a run for each mapping, with its network load as inputs.

import (
	"context"
	"slices"

	"pview/sim/mapping"
)

// KindMap is the kind of its plan.
const KindMap = "map"

// Mappings is the definition of a study of mappings.
type Mappings struct {
	Base    Case
	Outputs []Output
	// Attempts is the number of searches by simulated annealing from random starts, in addition to the one from the
	// best structured mapping; Seed seeds their random numbers.
	Attempts int
	Seed     uint64
}

// mappingColumns are the inputs of such a study.
var mappingColumns = []Column{{Name: "from"}, {Name: "hops"}, {Name: "byte_hops", Unit: "B"},
	{Name: "max_link", Unit: "B"}, {Name: "mapping"}}

// Plan searches the mappings, and prepares their simulations.
func (m *Mappings) Plan(ctx context.Context) (*Plan, error) {
	b, err := mapping.NewProblem(m.Base.Program, m.Base.Machine, m.Base.Rules)
	if err != nil {
		return nil, err
	}
	at, err := m.Base.Machine.Placement(m.Base.Program)
	if err != nil {
		return nil, err
	}
	l := b.ByRule(at, m.Seed)
	b.AddSearched(ctx, l, m.Seed)
	for i := range m.Attempts {
		seed := m.Seed + uint64(i)
		start, _ := mapping.Named("random", b.Tasks, b.Nodes, seed)
		b.AddAnnealed(ctx, l, start, seed)
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	inputs := make([]Input, len(mappingColumns))
	for i := range inputs {
		inputs[i] = Input{Column: mappingColumns[i], Apply: func(*Case, float64) {}}
	}
	froms, places := &inputs[0].Column, &inputs[len(inputs)-1]
	var draws []Draw
	for i, c := range l.Candidates {
		w := b.Weigh(c.Mapping)
		if !slices.Contains(froms.Levels, c.From) {
			froms.Levels = append(froms.Levels, c.From)
		}
		places.Levels = append(places.Levels, b.Placement(c.Mapping))
		draws = append(draws, Draw{Inputs: []float64{float64(slices.Index(froms.Levels, c.From)), float64(w.Hops),
			float64(w.ByteHops), float64(w.MaxLink), float64(i)}})
	}
	places.Apply = func(c *Case, v float64) { c.Machine = l.Candidates[int(v)].On(c.Machine, c.Program) }
	p, err := newPlan(KindMap, m.Seed, &m.Base, inputs, m.Outputs, FixedDesign(len(draws), func(i int) (Draw, error) {
		return draws[i], nil
	}))
	if err != nil {
		return nil, err
	}
	p.reseed(&m.Base)
	p.Key = Key(KindMap, []*Case{&m.Base}, m.Seed, places.Levels, names(m.Outputs))
	return p, nil
}
