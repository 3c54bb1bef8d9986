package report

import (
	"strings"

	"pview/prv"
)

// ObjectID returns the numbers of an object: "1.2.1" for a thread, "2.4" for a CPU of node 2, "" for the workload and
// the system.
func ObjectID(t *prv.Trace, l prv.Level, i int) string {
	_, id, _ := strings.Cut(t.DefaultName(l, i), " ")
	return id
}

// ThreadIDs returns the numbers of threads, as ObjectID does.
func ThreadIDs(t *prv.Trace, threads []int32) []string {
	ids := make([]string, len(threads))
	for i, th := range threads {
		ids[i] = ObjectID(t, prv.LevelThread, int(th))
	}
	return ids
}

// UpperFirst returns a text with its first letter in upper case.
func UpperFirst(s string) string {
	n := min(1, len(s))
	return strings.ToUpper(s[:n]) + s[n:]
}
