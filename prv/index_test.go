package prv

import (
	"context"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"pview/prv/index"
	"pview/prv/prvtest"
	"pview/prv/store"

	"github.com/adrg/xdg"
)

// cacheHere gives the test a cache directory of its own.
func cacheHere(t testing.TB) {
	t.Helper()
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	xdg.Reload()
	t.Cleanup(xdg.Reload)
}

// awkwardTraces are traces with what makes columns special: a CPU that changes, states and
// events out of order, messages whose orders differ, comments, communicators in the
// body, bytes that are no UTF-8, bad records, a cut.
var awkwardTraces = map[string]string{
	"one state":  "#Paraver (a):10:0:1:1(1:1)\n1:0:1:1:1:0:10:1\n",
	"open state": "#Paraver (a):10_ns:1(2):1:1(2:1)\n1:1:1:1:1:0:-1:1\n1:2:1:1:2:3:9:4294967295\n",
	"migration": "#Paraver (a):10_ns:1(4):1:2(2:1,1:1)\n1:1:1:1:1:0:5:1\n1:2:1:1:1:5:10:1\n1:3:1:1:2:0:10:1\n" +
		"2:3:1:1:2:4:7:8\n2:4:1:2:1:4:7:8\n2:1:1:2:1:5:7:8:9:10\n2:4:1:2:1:6:7:8\n",
	"disorder": "#Paraver (a):10_ns:1(4):1:2(2:1,1:1)\n1:1:1:1:1:5:9:1\n1:1:1:1:1:0:5:2\n1:3:1:1:2:0:10:1\n" +
		"2:1:1:1:1:8:1:1:2:2\n2:1:1:1:1:3:3:3:4:4:5:5\n",
	"messages": "#Paraver (a):100_ns:2(2,2):1:3(1:1,1:1,1:2),2\nc:1:1:3:1:2:3\ni:odd\xff\n" +
		"3:1:1:1:1:10:20:2:1:2:1:30:40:8:1\n3:1:1:1:1:9:21:3:1:3:1:50:29:-1:18446744073709551615\n" +
		"3:2:1:2:1:5:6:1:1:1:1:60:28:0:0\n# odd \xe9 comment\n1:1:1:1:1:0:100:1\n",
	"message CPUs": "#Paraver (a):100_ns:1(2):1:2(1:1,1:1)\n3:1:1:1:1:10:20:2:1:2:1:30:40:8:1\n" +
		"3:2:1:1:1:10:20:1:1:2:1:30:40:8:1\n",
	"bad records": "#Paraver (a):100_ns:1(2):1:2(1:1,1:1)\n1:1:1:1:1:0:5:1\n1:1:1:1:1:0\n9:\xff\n1:1:1:7:1:0:1:1\n" +
		"4:1:2\n1:1:1:1:1:5:9:1:extra\n",
	"cut": "#Paraver (a):100_ns:1(2):1:2(1:1,1:1)\n1:1:1:1:1:0:5:1\n2:1:1:1:1:0:5",
	"no records of most threads": "#Paraver (a):100_ns:0:2:3(2:1,2:1,3:1),2(1:1,1:1)\n1:0:1:3:2:0:5:1\n" +
		"2:0:2:2:1:77:1:-1\n" +
		strings.Repeat(
			"2:0:1:3:3:5:1:1\n",
			70,
		) + strings.Repeat(
		"2:0:2:1:1:5:1:1:2:2\n",
		70,
	),
}

// same reports how two traces differ, in everything that a user can see of them.
func same(a, b *Trace) error {
	if err := Equal(a, b); err != nil {
		return err
	}
	for _, c := range []struct {
		what string
		a, b any
	}{
		{"Skipped", a.Skipped, b.Skipped}, {"Cut", a.Cut, b.Cut}, {"Notes", a.Notes, b.Notes}, {"Path", a.Path, b.Path},
	} {
		if !reflect.DeepEqual(c.a, c.b) {
			return &FileError{Why: c.what + " differs"}
		}
	}
	for i := range a.Threads {
		x, y := &a.Threads[i], &b.Threads[i]
		for _, c := range []struct{ a, b bool }{
			{x.States.CPU == nil, y.States.CPU == nil}, {x.Events.CPU == nil, y.Events.CPU == nil},
			{x.States.FileOrder == nil, y.States.FileOrder == nil},
		} {
			if c.a != c.b {
				return &FileError{Why: "a column is there and is not"}
			}
		}
	}
	if (a.Comms.SendCPU == nil) != (b.Comms.SendCPU == nil) {
		return &FileError{Why: "the CPUs of the messages are there and are not"}
	}
	return nil
}

// A trace opened from its index is the trace that was parsed.
func TestIndexIsTheTrace(t *testing.T) {
	cacheHere(t)
	for name, text := range awkwardTraces {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "run.prv")
			write(t, path, text)
			write(t, Base(path)+".pcf", "STATES\n0 Idle\n1 Busy\n\nEVENT_TYPE\n0 7 Seven\nVALUES\n8 eight\nnonsense\n")
			write(t, Base(path)+".row", "LEVEL THREAD SIZE 1\nmaster\n")
			checkIndexed(t, path)
		})
	}
}

// So are all traces of the repository and of the kits.
func TestIndexOfRealTraces(t *testing.T) {
	cacheHere(t)
	paths, err := filepath.Glob("../testdata/traces/*/*.prv*")
	if err != nil || len(paths) == 0 {
		t.Fatal("no traces", err)
	}
	if dir := os.Getenv("PVIEW_SHARED"); dir != "" {
		paths = append(paths, prvtest.Traces(dir, "traces", "*")...)
	}
	for _, path := range paths {
		t.Run(filepath.Base(path), func(t *testing.T) {
			here := filepath.Join(t.TempDir(), filepath.Base(path))
			for _, ext := range []string{"", ".pcf", ".row"} {
				from, to := path, here
				if ext != "" {
					from, to = Base(path)+ext, Base(here)+ext
				}
				if text, err := os.ReadFile(from); err == nil {
					write(t, to, string(text))
				}
			}
			checkIndexed(t, here)
		})
	}
}

// checkIndexed parses a trace, opens it while its index is made, and from the index.
func checkIndexed(t *testing.T, path string) {
	t.Helper()
	ctx := context.Background()
	parsed, err := Open(ctx, path, store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	o := &Opener{Least: 1, Tell: func(s string) { t.Error(s) }}
	for _, what := range []string{"while the index is made", "from the index"} {
		if (what == "from the index") != exists(path+".pvidx") {
			t.Fatalf("%s: index there: %v", what, exists(path+".pvidx"))
		}
		got, err := o.Open(ctx, path, store.Watcher{})
		if err != nil {
			t.Fatal(err)
		}
		if err := same(parsed, got); err != nil {
			t.Errorf("%s: %v", what, err)
		}
		o.Wait(ctx)
		if err := same(parsed, got); err != nil {
			t.Errorf("%s, after it was made: %v", what, err)
		}
	}
	if info, err := index.Of(path); err != nil || info == nil || info.Why != "" {
		t.Errorf("the index is said to be %+v, %v", info, err)
	}
}

func write(t testing.TB, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}
