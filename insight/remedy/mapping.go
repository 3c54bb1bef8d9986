package remedy

// Other places of the tasks: messages between nodes that would stay within one.

import (
	"fmt"
	"slices"

	"pview/insight/replay"
	"pview/insight/report"
)

// mapped finds a better mapping of the tasks to the nodes.
func mapped(r *Run) []*Candidate {
	t := r.Graph.T
	nodes := len(t.Nodes)
	if nodes < 2 || t.Comms.Len() == 0 {
		return nil
	}
	tasks := len(t.Tasks)
	place := make([]int32, tasks) // of the run
	room := make([]int, nodes)
	for i := range place {
		place[i] = t.ThreadNode(t.Tasks[i].FirstThread)
		room[place[i]]++
	}
	bytes := r.traffic(tasks)
	now := between(bytes, place)
	best, name, least := place, "", now
	for _, m := range [...]struct {
		name string
		make func() []int32
	}{
		{"consecutive ranks on each node", func() []int32 { return blocks(tasks, room) }},
		{"ranks placed by their traffic", func() []int32 { return clustered(bytes, tasks, room) }},
	} {
		if other := m.make(); between(bytes, other) < 0.75*least {
			best, name, least = other, m.name, between(bytes, other)
		}
	}
	if name == "" {
		return nil
	}
	c := &Candidate{Rule: LocalityID, Kind: report.Mapping, When: report.Steady, Region: -1}
	c.Edit, c.Estimate = r.moved(best)
	c.Title = fmt.Sprintf("%s of the bytes go between nodes; with another mapping, %s, %s would",
		percent(now, total(bytes)), name, percent(least, total(bytes)))
	c.Advice = "place exchanging tasks on one node: " + name + " (the mapping of the launcher, or a rank file)"
	c.Spec = "map"
	return []*Candidate{c}
}

// moved places the tasks on other nodes. Estimate is what the messages of a thread that become local gain at most.
func (r *Run) moved(best []int32) (e *replay.Edit, estimate int64) {
	t := r.Graph.T
	place := make([]int32, len(best))
	for i := range place {
		place[i] = t.ThreadNode(t.Tasks[i].FirstThread)
	}
	busier := r.loads(r.traffic(len(place)), place, best)
	e = r.NewEdit()
	sums := make([]int64, r.threads)
	for k, info := range r.Edge {
		switch info.Kind {
		case replay.MessageEdge, replay.ReadyEdge, replay.BackEdge:
		default:
			continue
		}
		m := info.Ref
		from, to := t.ThreadTask[t.Comms.Send[m]], t.ThreadTask[t.Comms.Recv[m]]
		was, will := place[from] != place[to], best[from] != best[to]
		lag := r.Lag[k]
		switch {
		case was && !will:
			lag = min(lag, r.local(t.Comms.Size[m])+max(0, min(r.Net.Handling[0], lag)))
			if info.Kind == replay.MessageEdge {
				sums[t.Comms.Recv[m]] += r.Lag[k] - lag
			}
		case !was && will:
			lag = r.Net.Takes(1, t.Comms.Size[m])
		case was && will: // the tasks of a node share its link: less other traffic
			least := min(lag, r.Net.Takes(1, 0))
			lag = least + int64(float64(lag-least)*min(1, busier))
		}
		if lag != r.Lag[k] {
			e.SetLag(int32(k), lag)
		}
		if info.Kind == replay.BackEdge && lag < r.Lag[k] {
			node := r.node0(int32(k))
			e.Add(node, -min(r.Lag[k]-lag, e.OwnAt(node)))
		}
	}
	return e, slices.Max(sums)
}

// local is what a message takes within a node; where none was fitted it is a microsecond and 5 GB/s, at most the time
// between nodes.
func (r *Run) local(size int64) int64 {
	if r.Net.Fitted[0] {
		return r.Net.Takes(0, size)
	}
	return min(r.Net.Takes(1, size), int64(r.tick()*(1+float64(size)/5000)))
}

// traffic are the bytes between tasks.
func (r *Run) traffic(tasks int) []map[int32]float64 {
	t := r.Graph.T
	bytes := make([]map[int32]float64, tasks)
	for m := range t.Comms.Len() {
		from, to := t.ThreadTask[t.Comms.Send[m]], t.ThreadTask[t.Comms.Recv[m]]
		if from == to {
			continue
		}
		if bytes[from] == nil {
			bytes[from] = map[int32]float64{}
		}
		bytes[from][to] += float64(t.Comms.Size[m])
	}
	return bytes
}

// between are the bytes between nodes.
func between(bytes []map[int32]float64, place []int32) (sum float64) {
	for from, row := range bytes {
		for to, n := range row {
			if place[from] != place[to] {
				sum += n
			}
		}
	}
	return sum
}

func total(bytes []map[int32]float64) (sum float64) {
	for _, row := range bytes {
		for _, n := range row {
			sum += n
		}
	}
	return sum
}

// loads is the traffic of the busiest node with another mapping, relative to that of now.
func (r *Run) loads(bytes []map[int32]float64, now, other []int32) float64 {
	most := func(place []int32) float64 {
		load := map[int32]float64{}
		for from, row := range bytes {
			for to, n := range row {
				if place[from] != place[to] {
					load[place[from]] += n
				}
			}
		}
		best := 0.0
		for _, n := range load {
			best = max(best, n)
		}
		return best
	}
	return most(other) / max(1, most(now))
}

// blocks places consecutive tasks together.
func blocks(tasks int, room []int) []int32 {
	place := make([]int32, tasks)
	node, left := 0, room[0]
	for i := range place {
		for left == 0 {
			node++
			left = room[node]
		}
		place[i] = int32(node)
		left--
	}
	return place
}

// clustered fills node after node: with the task that exchanges most with those that are there, from one that is not
// placed and exchanges most of all.
func clustered(bytes []map[int32]float64, tasks int, room []int) []int32 {
	both := make([]map[int32]float64, tasks)
	for i := range both {
		both[i] = map[int32]float64{}
	}
	for from, row := range bytes {
		for to, n := range row {
			both[from][to] += n
			both[to][int32(from)] += n
		}
	}
	place := make([]int32, tasks)
	for i := range place {
		place[i] = -1
	}
	for node, left := range room {
		pull := make([]float64, tasks)
		for ; left > 0; left-- {
			best := -1
			for i := range place {
				if place[i] < 0 && (best < 0 || pull[i] > pull[best]) {
					best = i
				}
			}
			place[best] = int32(node)
			for to, n := range both[best] {
				pull[to] += n
			}
		}
	}
	return place
}
