package mapping

// Structured mappings: starting points of searches, in addition to random ones.

import (
	"cmp"
	"fmt"
	"slices"
)

// structure places the tasks of a grid: place returns the slot of the task in column x of row y. A node has ceil(n/P)
// slots.
type structure struct {
	name  string
	fits  func(columns, rows int) bool
	place func(x, y, columns, rows int) int
}

var structures = []structure{
	{"snake", anyGrid, func(x, y, columns, _ int) int {
		if y%2 == 1 {
			x = columns - 1 - x
		}
		return y*columns + x
	}},
	{"column-major", anyGrid, func(x, y, _, rows int) int { return x*rows + y }},
	{"gray", func(columns, rows int) bool { return columns&(columns-1) == 0 && rows&(rows-1) == 0 },
		func(x, y, columns, _ int) int { return (y^y>>1)*columns + (x ^ x>>1) }},
}

func anyGrid(int, int) bool { return true }

// AddStructured adds the best mapping of each structure, by bytes times hops over all grids of the tasks, and the one
// from recursive bisection. It returns the best of them.
func (b *Problem) AddStructured(l *List) Candidate {
	per := perNode(b.Tasks, b.Nodes)
	found := []Candidate{{b.bisect(), "bisection"}}
	for _, s := range structures {
		var grids []Candidate
		for rows := 1; rows <= b.Tasks; rows++ {
			if columns := b.Tasks / rows; columns*rows == b.Tasks && s.fits(columns, rows) {
				grids = append(grids, Candidate{filled(b.Tasks, func(j int) int {
					return s.place(j%columns, j/columns, columns, rows) / per
				}), fmt.Sprintf("%s %dx%d", s.name, columns, rows)})
			}
		}
		if len(grids) > 0 {
			found = append(found, b.lightest(grids))
		}
	}
	for _, c := range found {
		l.Add(c.Mapping, c.From)
	}
	return b.lightest(found)
}

// lightest returns the candidate with the fewest bytes times hops, the first among equals.
func (b *Problem) lightest(list []Candidate) Candidate {
	return slices.MinFunc(list, func(x, y Candidate) int {
		return cmp.Compare(b.byteHops(x.Mapping), b.byteHops(y.Mapping))
	})
}

func (b *Problem) byteHops(m Mapping) (sum int64) {
	for i, list := range b.traffic {
		for _, e := range list {
			sum += b.between(m[i], m[e.peer]) * e.bytes
		}
	}
	return sum
}

// bisect halves the tasks, by their traffic, and the nodes, by their numbers, down to single nodes.
func (b *Problem) bisect() Mapping {
	m := make(Mapping, b.Tasks)
	all := make([]int, b.Tasks)
	for i := range all {
		all[i] = i
	}
	b.halve(m, all, 0, b.Nodes)
	return m
}

func (b *Problem) halve(m Mapping, tasks []int, first, nodes int) {
	if nodes == 1 || len(tasks) == 0 {
		for _, t := range tasks {
			m[t] = first
		}
		return
	}
	left := (nodes + 1) / 2
	tasks = b.grown(tasks)
	cut := (len(tasks)*left + nodes - 1) / nodes
	b.halve(m, tasks[:cut], first, left)
	b.halve(m, tasks[cut:], first+left, nodes-left)
}

// grown orders tasks: after the first, always the one with the most traffic with the previous ones.
func (b *Problem) grown(tasks []int) []int {
	rest := slices.Sorted(slices.Values(tasks))
	bytes := make(map[int]int64, len(tasks))
	order := make([]int, 0, len(tasks))
	for len(rest) > 0 {
		next := 0
		for i, t := range rest {
			if bytes[t] > bytes[rest[next]] {
				next = i
			}
		}
		t := rest[next]
		order = append(order, t)
		rest = slices.Delete(rest, next, next+1)
		for _, e := range b.partners[t] {
			bytes[int(e.peer)] += e.bytes
		}
	}
	return order
}
