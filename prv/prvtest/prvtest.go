// Package prvtest is shared by the tests of several packages: the small traces of the specification, as text, and the
// path to the folder of real traces and reference figures. It does not import package prv, so that tests inside that
// package can use it, too.
package prvtest

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
)

// TraceA is the first example of the requirements (checks A1 and following): two threads on two nodes, a
// message of tag 5 to the first and one of tag 6 to the second.
const TraceA = `#Paraver (01/01/03 at 00:00):100:2:1:2(1:1,1:2)
1:1:1:1:1:0:30:1
1:2:1:2:1:0:45:1
2:2:1:2:1:5:500:7
2:1:1:1:1:10:40:1
2:1:1:1:1:20:40:2
2:1:1:1:1:25:40:0
1:1:1:1:1:30:50:3
1:2:1:2:1:45:50:7
3:2:1:2:1:45:50:1:1:1:1:30:50:1000:5
1:1:1:1:1:50:90:1
1:2:1:2:1:50:70:1
2:2:1:2:1:55:500:9
2:1:1:1:1:60:40:3
3:1:1:1:1:60:62:2:1:2:1:70:80:3000:6
1:2:1:2:1:70:80:3
2:1:1:1:1:80:40:0
1:2:1:2:1:80:100:1
2:1:1:1:1:90:40:0
`

// TraceB is the second example: two ptasks that share one CPU.
const TraceB = `#Paraver (01/01/03 at 00:00):40:1:2:1(1:1):1(1:1)
1:1:1:1:1:0:10:1
1:1:2:1:1:0:10:5
1:1:1:1:1:10:20:3
1:1:2:1:1:10:30:1
1:1:1:1:1:20:30:5
1:1:1:1:1:30:40:1
`

// Shared returns the path of a file or folder of the shared traces and reference figures, which are beside the
// repository (or where the environment variable PVIEW_SHARED says), or skips the test if it is missing.
func Shared(t testing.TB, path ...string) string {
	t.Helper()
	full := filepath.Join(append([]string{SharedDir()}, path...)...)
	if _, err := os.Stat(full); err != nil {
		t.Skip("no shared traces beside the repository")
	}
	return full
}

// SharedDir returns the folder of Shared, whether it exists or not.
func SharedDir() string {
	if dir := os.Getenv("PVIEW_SHARED"); dir != "" {
		return dir
	}
	return filepath.Join(Root(), "..", "shared")
}

// Root returns the folder of the repository.
func Root() string {
	dir, _ := os.Getwd()
	for dir != filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			break
		}
		dir = filepath.Dir(dir)
	}
	return dir
}

// Traces returns the .prv and .prv.gz files in the folders that match a pattern, without other files such as indexes.
func Traces(folders ...string) []string {
	dir := filepath.Join(folders...)
	plain, _ := filepath.Glob(filepath.Join(dir, "*.prv"))
	packed, _ := filepath.Glob(filepath.Join(dir, "*.prv.gz"))
	return append(plain, packed...)
}

// SkipLarge skips the test of a trace above 1 MB with -short, which the race detector uses.
func SkipLarge(t testing.TB, path string) {
	t.Helper()
	if info, err := os.Stat(path); testing.Short() && err == nil && info.Size() > 1<<20 {
		t.Skip("large")
	}
}

// Long skips a test with -short, which the race detector uses: one that takes long with it and has no races to find.
func Long(t testing.TB) {
	t.Helper()
	if testing.Short() {
		t.Skip("long")
	}
}

// Stairs writes the trace of a run of 1000 us with p processes: process i computes for 100 (10 - i) us. It returns the
// path.
func Stairs(t testing.TB, dir string, p int) string {
	t.Helper()
	var b strings.Builder
	fmt.Fprintf(&b, "#Paraver (01/01/26 at 00:00):1000:1(%d):1:%d(1:1%s)\n", p, p, strings.Repeat(",1:1", p-1))
	for i := range p {
		fmt.Fprintf(&b, "1:%d:1:%d:1:0:%d:1\n", i+1, i+1, 100*(10-i))
	}
	path := filepath.Join(dir, fmt.Sprintf("stairs%d.prv", p))
	if err := os.WriteFile(path, []byte(b.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// Work measures f on one processor: with more, the figures depend on how many workers get some of the work. looks is
// how often f checks its context, which it does after a number of steps; bytes is the least that it allocates on the
// heap in three runs, since a run allocates more if the garbage collector has emptied pools.
func Work(f func(ctx context.Context)) (looks, bytes float64) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	bytes = math.Inf(1)
	var c counted
	for range 3 {
		c = counted{Context: context.Background()}
		before := AllocatedSoFar()
		f(&c)
		bytes = min(bytes, AllocatedSoFar()-before)
	}
	return float64(c.looks.Load()), bytes
}

// counted is a context that counts its checks.
type counted struct {
	context.Context
	looks atomic.Int64
}

func (c *counted) Err() error {
	c.looks.Add(1)
	return nil
}

// AllocatedSoFar returns the exact number of bytes that the program has allocated on the heap since its start: package
// runtime/metrics leaves out half-used spans.
func AllocatedSoFar() float64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return float64(m.TotalAlloc)
}
