package workload

// Functional description: the programs, variants or places in each cluster, by labels in the names of components.

import (
	"fmt"
	"slices"
	"strings"

	"pview/prv"
)

// CrossTable counts the values of a label by cluster.
type CrossTable struct {
	Label  string
	Values []string
	Counts [][]int // by value and cluster
}

// labels cuts the names of components into fields; missing fields are "". A field is named after its position.
func labels(names []string, separator string) [][]string {
	var rows [][]string
	width := 0
	for _, n := range names {
		f := strings.Split(n, separator)
		rows = append(rows, f)
		width = max(width, len(f))
	}
	for i := range rows {
		for len(rows[i]) < width {
			rows[i] = append(rows[i], "")
		}
	}
	return rows
}

// cross counts labels by cluster, from 0; negative clusters do not count.
func cross(label string, values []string, of []int, k int) *CrossTable {
	t := &CrossTable{Label: label}
	rows := map[string][]int{}
	for i, v := range values {
		if rows[v] == nil {
			rows[v] = make([]int, k)
			t.Values = append(t.Values, v)
		}
		if of[i] >= 0 {
			rows[v][of[i]]++
		}
	}
	slices.Sort(t.Values)
	for _, v := range t.Values {
		t.Counts = append(t.Counts, rows[v])
	}
	return t
}

// Share returns the share of a cluster's members with a value, and the lift: that share over the value's share of all
// members.
func (t *CrossTable) Share(value, cluster int) (part, lift float64) {
	inCluster, inValue, all := 0, 0, 0
	for v := range t.Counts {
		for c, n := range t.Counts[v] {
			all += n
			if c == cluster {
				inCluster += n
			}
			if v == value {
				inValue += n
			}
		}
	}
	part = share(float64(t.Counts[value][cluster]), float64(inCluster))
	return part, share(part, share(float64(inValue), float64(all)))
}

// Common returns a value that all members of a cluster have, but not all components, if there is one.
func (t *CrossTable) Common(cluster int) (value string, ok bool) {
	n := 0
	for v := range t.Values {
		if t.Counts[v][cluster] > 0 {
			value = t.Values[v]
			n++
		}
	}
	return value, n == 1 && len(t.Values) > 1
}

// compositions returns the cross tables of a result: by parts of the names of runs, by task for other kinds.
func (r *Result) compositions() (list []*CrossTable) {
	of := make([]int, len(r.Class))
	for i, c := range r.Class {
		of[i] = int(c) - FirstCluster
	}
	if r.Set.Thread == nil || r.Set.Kind.Name == "run" {
		rows := labels(r.Set.Names, ".")
		for j := range len(rows[0]) {
			values := make([]string, len(rows))
			for i := range rows {
				values[i] = rows[i][j]
			}
			list = append(list, cross(fmt.Sprintf("field %d", j+1), values, of, len(r.Clusters)))
		}
		return list
	}
	values := make([]string, len(r.Class))
	for i, th := range r.Set.Thread {
		if th >= 0 {
			values[i] = r.Set.Trace.Name(prv.LevelTask, int(r.Set.Trace.ThreadTask[th]))
		}
	}
	return []*CrossTable{cross("task", values, of, len(r.Clusters))}
}
