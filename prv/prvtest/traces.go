package prvtest

import (
	"errors"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/adrg/xdg"

	"pview/prv/model"
)

// Cache gives the test its own cache directory.
func Cache(t testing.TB) {
	t.Helper()
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	xdg.Reload()
	t.Cleanup(xdg.Reload)
}

// AwkwardTraces are traces that need special columns: a CPU that changes, states and events out of order, messages
// whose orders differ, comments, communicators in the body, bytes that are not UTF-8, bad records, a truncated file.
var AwkwardTraces = map[string]string{
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

// Same reports how two traces differ, in everything that users can see.
func Same(a, b *model.Trace) error {
	if err := model.Equal(a, b); err != nil {
		return err
	}
	for _, c := range []struct {
		what string
		a, b any
	}{
		{"Skipped", a.Skipped, b.Skipped}, {"Cut", a.Cut, b.Cut}, {"Notes", a.Notes, b.Notes}, {"Path", a.Path, b.Path},
	} {
		if !reflect.DeepEqual(c.a, c.b) {
			return errors.New(c.what + " differs")
		}
	}
	for i := range a.Threads {
		x, y := &a.Threads[i], &b.Threads[i]
		for _, c := range []struct{ a, b bool }{
			{x.States.CPU == nil, y.States.CPU == nil}, {x.Events.CPU == nil, y.Events.CPU == nil},
			{x.States.FileOrder == nil, y.States.FileOrder == nil},
		} {
			if c.a != c.b {
				return errors.New("a column is there and is not")
			}
		}
	}
	if (a.Comms.SendCPU == nil) != (b.Comms.SendCPU == nil) {
		return errors.New("the CPUs of the messages are there and are not")
	}
	return nil
}

// Write writes a file.
func Write(t testing.TB, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}
