package workload

// Clusters as events of the trace: type 90000001, the class of a burst at its start, and 0 at its end.

import (
	"cmp"
	"slices"

	"pview/prv"
	"pview/prv/extrae"
)

// clusterLabel names the event type.
const clusterLabel = "Cluster ID"

// StreamOptions select the additions.
type StreamOptions struct {
	Only     bool // no other events
	Filtered bool // skip bursts without a cluster, except noise
}

// Stream returns the trace with the class of each component as events. The trace itself is unchanged, and shares its
// states and messages with the new one.
func (r *Result) Stream(opt StreamOptions) *prv.Trace {
	t := r.Set.Trace
	add := make([][]prv.TimedPair, len(t.Threads))
	for i, th := range r.Set.Thread {
		if th < 0 || opt.Filtered && r.Class[i] < ClassNoise {
			continue
		}
		add[th] = append(add[th], prv.TimedPair{Time: r.Set.Begin[i],
			Pair: prv.Pair{Type: extrae.ClusterID, Value: int64(r.Class[i])}},
			prv.TimedPair{Time: r.Set.End[i], Pair: prv.Pair{Type: extrae.ClusterID}})
	}
	for th := range add {
		// The end of a burst precedes the start of the next.
		slices.SortStableFunc(add[th], func(a, b prv.TimedPair) int {
			return cmp.Or(cmp.Compare(a.Time, b.Time), cmp.Compare(min(a.Value, 1), min(b.Value, 1)))
		})
	}
	labels := t.Labels.Clone()
	var values []prv.ValueLabel
	for c := range FirstCluster + len(r.Clusters) {
		values = append(values, prv.ValueLabel{Value: int64(c), Label: ClassName(int32(c))})
	}
	labels.AddType(extrae.ClusterID, clusterLabel, values...)
	return t.WithEvents(add, labels, func(typ uint32) bool { return !opt.Only && typ != extrae.ClusterID })
}

// Streams reports whether the components of a kind can be shown in the timeline: whether those of a thread never
// overlap.
func (k *Kind) Streams() bool { return k.Name == "burst" || k.Name == "task" }

// HasClusters reports whether a trace has clusters as events.
func HasClusters(t *prv.Trace) bool {
	for i := range t.Threads {
		if slices.Contains(t.Threads[i].Events.Type, extrae.ClusterID) {
			return true
		}
	}
	return false
}

// WithoutClusters returns the trace without clusters as events, with the given labels.
func WithoutClusters(t *prv.Trace, labels *prv.Labels) *prv.Trace {
	return t.WithEvents(make([][]prv.TimedPair, len(t.Threads)), labels, func(typ uint32) bool {
		return typ != extrae.ClusterID
	})
}
