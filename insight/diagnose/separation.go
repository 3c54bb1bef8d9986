package diagnose

// Phases of message-driven runs. A separation point is a unit with which no other is executed or waiting to be
// executed, but those that it causes: what comes before cannot influence the timing of what comes after it (Sinha's
// thesis, 5.3).

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

// separationPoints are the units that separate, in order of time.
func (g *graph) separationPoints() (points []int32) {
	list := make([]instant, 0, 3*len(g.units))
	for i := range g.units {
		u := &g.units[i]
		if u.creator >= 0 {
			list = append(list, instant{g.created(int32(i)), int32(i), atCreation})
		}
		list = append(list, instant{u.end, int32(i), atEnd}, instant{u.begin, int32(i), atBegin})
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
			if g.units[at.unit].creator < 0 {
				active++
			}
			if active == 1 {
				points = append(points, at.unit)
			}
		}
	}
	return points
}

// keptPoints drops points that would make phases without units: of points in a row the last is kept, of three or more
// the first too.
func (g *graph) keptPoints(points []int32) (kept []int32) {
	order := make([]int32, len(g.units))
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortFunc(order, func(x, y int32) int {
		return cmp.Or(cmp.Compare(g.units[x].begin, g.units[y].begin), cmp.Compare(x, y))
	})
	place := make([]int, len(g.units))
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

// cutAtPoints cuts the run behind each separation point but the first, which opens the first phase.
func (g *graph) cutAtPoints() {
	begin := int64(0)
	for k, i := range g.keptPoints(g.separationPoints()) {
		if end := g.units[i].end; k > 0 && end > begin {
			g.phases = append(g.phases, phase{from: begin, to: end})
			begin = end
		}
	}
	if begin < g.t.Duration || len(g.phases) == 0 {
		g.phases = append(g.phases, phase{from: begin, to: g.t.Duration})
	}
}
