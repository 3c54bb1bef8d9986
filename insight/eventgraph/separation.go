package eventgraph

// Phases of message-driven runs. A separation point is a unit during which no other unit executes or waits, except
// those it causes: nothing before it can influence the timing of anything after it (Sinha's thesis, 5.3).

import (
	"cmp"
	"slices"
)

// instant is a change of the number of messages that are created and not yet executed.
type instant struct {
	time int64
	unit int32
	step uint8 // creation, end, begin: in this order at one time
}

const (
	atCreation = iota
	atEnd
	atBegin
)

// SeparationPoints returns the units that separate, in order of time.
func (g *Graph) SeparationPoints() (points []int32) {
	list := make([]instant, 0, 3*len(g.Units))
	for i := range g.Units {
		u := &g.Units[i]
		if u.Creator >= 0 {
			list = append(list, instant{g.Created(int32(i)), int32(i), atCreation})
		}
		list = append(list, instant{u.End, int32(i), atEnd}, instant{u.Begin, int32(i), atBegin})
	}
	slices.SortFunc(list, func(x, y instant) int {
		return cmp.Or(cmp.Compare(x.time, y.time), cmp.Compare(x.step, y.step), cmp.Compare(x.unit, y.unit))
	})
	active := 0
	for _, at := range list {
		switch at.step {
		case atCreation:
			active++
		case atEnd:
			active--
		case atBegin:
			if g.Units[at.unit].Creator < 0 {
				active++
			}
			if active == 1 {
				points = append(points, at.unit)
			}
		}
	}
	return points
}

// KeptPoints drops points that would make phases without units: of consecutive points the last is kept, of three or
// more also the first.
func (g *Graph) KeptPoints(points []int32) (kept []int32) {
	order := make([]int32, len(g.Units))
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortFunc(order, func(x, y int32) int {
		return cmp.Or(cmp.Compare(g.Units[x].Begin, g.Units[y].Begin), cmp.Compare(x, y))
	})
	place := make([]int, len(g.Units))
	for k, i := range order {
		place[i] = k
	}
	for i := 0; i < len(points); {
		n := i
		for n+1 < len(points) && place[points[n+1]] == place[points[n]]+1 {
			n++
		}
		if n-i >= 2 {
			kept = append(kept, points[i])
		}
		kept = append(kept, points[n])
		i = n + 1
	}
	return kept
}

// cutAtPoints cuts the run after each separation point except the first, which opens the first phase.
func (g *Graph) cutAtPoints() {
	begin := int64(0)
	for k, i := range g.KeptPoints(g.SeparationPoints()) {
		if end := g.Units[i].End; k > 0 && end > begin {
			g.Phases = append(g.Phases, Phase{From: begin, To: end})
			begin = end
		}
	}
	if begin < g.T.Duration || len(g.Phases) == 0 {
		g.Phases = append(g.Phases, Phase{From: begin, To: g.T.Duration})
	}
}
