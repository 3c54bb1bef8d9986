//go:build linux

package index_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"pview/prv/prvtest"
)

// Any .prv, even a truncated one, reads back from its index as the parsed trace. The index is not made a second time.
func TestIndexOfAnything(t *testing.T) {
	prvtest.Cache(t)
	for seed := range uint64(100) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			rng := rand.New(rand.NewPCG(seed, 0))
			path := indexed(t, anyText(rng))
			before := metaOf(t, path)
			if said := reopened(t, path); len(said) > 0 {
				t.Errorf("said: %q", said)
			}
			if metaOf(t, path) != before {
				t.Error("the index was made again")
			}
		})
	}
}

// anyText writes a trace in which all fields are often extreme, and some lines are bad.
func anyText(rng *rand.Rand) string {
	var b strings.Builder
	tasks, threads := 1+rng.IntN(3), 1+rng.IntN(3)
	nodes := []string{"0", "1(4)", "2(1,3)", "3(0,0,2)"}[rng.IntN(4)]
	fmt.Fprintf(&b, "#Paraver (01/01/2026 at 00:00):%d%s:%s:2", max(0, anyTime(rng)),
		[]string{"", "_ns", "_us"}[rng.IntN(3)], nodes)
	for range 2 {
		fmt.Fprintf(&b, ":%d(%d:%d%s)", tasks, threads, 1, strings.Repeat(fmt.Sprintf(",%d:1", threads), tasks-1))
	}
	n := rng.IntN(3)
	if n > 0 {
		fmt.Fprintf(&b, ",%d", n)
	}
	b.WriteByte('\n')
	for i := range n {
		fmt.Fprintf(&b, "c:1:%d:%d:%s\n", i+1, tasks, strings.Trim(strings.Repeat("1:", tasks), ":"))
	}
	b.WriteString("1:0:1:1:1:0:1:1\n") // a trace without a good record is an error
	least := b.Len()
	object := func() string {
		return fmt.Sprintf("%d:%d:%d:%d", rng.IntN(3), 1+rng.IntN(2), 1+rng.IntN(tasks), 1+rng.IntN(threads))
	}
	for range rng.IntN(60) {
		switch rng.IntN(8) {
		case 0:
			line := strings.NewReplacer("\n", "", "\r", "").Replace(prvtest.Text(rng))
			fmt.Fprintf(&b, "%s%s\n", []string{"", "#", "c:", "4:", "2:1:1:1:1:"}[rng.IntN(5)], line)
		case 1, 2:
			fmt.Fprintf(&b, "1:%s:%d:%d:%d\n", object(), anyTime(rng), anyTime(rng), prvtest.Int(rng))
		case 3, 4:
			fmt.Fprintf(&b, "3:%s:%d:%d:%s:%d:%d:%d:%d\n", object(), anyTime(rng), anyTime(rng), object(), anyTime(rng),
				anyTime(rng), prvtest.Int(rng), prvtest.Int(rng))
		default:
			fmt.Fprintf(&b, "2:%s:%d", object(), anyTime(rng))
			for range 1 + rng.IntN(3) {
				fmt.Fprintf(&b, ":%d:%d", anyTime(rng), prvtest.Int(rng))
			}
			b.WriteByte('\n')
		}
	}
	if cut := rng.IntN(20); rng.IntN(4) == 0 && b.Len()-cut >= least {
		return b.String()[:b.Len()-cut]
	}
	return b.String()
}

// anyTime returns a time, or the type of an event, that is mostly valid.
func anyTime(rng *rand.Rand) int64 {
	if n := prvtest.Int(rng); n >= 0 || rng.IntN(10) == 0 {
		return n
	}
	return int64(rng.IntN(50))
}
