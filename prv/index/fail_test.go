//go:build linux

package index_test

// When an index fails, nothing is lost, and there is a message.

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"pview/prv"
	"pview/prv/index"
	"pview/prv/prvtest"
	"pview/prv/store"
)

// indexed makes a trace and its index, and returns the path of the trace.
func indexed(t testing.TB, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "run.prv")
	prvtest.Write(t, path, text)
	o := &prv.Opener{Least: 1}
	if _, err := o.Open(context.Background(), path, store.Watcher{}); err != nil {
		t.Fatal(err)
	}
	o.Wait(context.Background())
	if !exists(path + ".pvidx") {
		t.Fatal("no index was made")
	}
	return path
}

// reopened opens a trace, which must succeed, and returns the messages about its index.
func reopened(t testing.TB, path string) (said []string) {
	t.Helper()
	var mu sync.Mutex
	o := &prv.Opener{Least: 1, Tell: func(s string) {
		mu.Lock()
		defer mu.Unlock()
		said = append(said, s)
	}}
	got, err := o.Open(context.Background(), path, store.Watcher{})
	if err != nil {
		t.Fatal(err)
	}
	parsed, err := prv.Open(context.Background(), path, store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := prvtest.Same(parsed, got); err != nil {
		t.Fatal(err)
	}
	o.Wait(context.Background())
	return said
}

// wantSaid checks that there was one message, with some words in it.
func wantSaid(t *testing.T, said []string, words ...string) {
	t.Helper()
	if len(said) != 1 {
		t.Fatalf("said: %q", said)
	}
	for _, w := range words {
		if !strings.Contains(said[0], w) {
			t.Errorf("%q does not say %q", said[0], w)
		}
	}
}

// A changed trace is parsed and its index rebuilt, without a message.
func TestIndexOfChangedTrace(t *testing.T) {
	prvtest.Cache(t)
	text := prvtest.AwkwardTraces["messages"]
	for what, change := range map[string]func(path string){
		"longer": func(path string) { prvtest.Write(t, path, text+"2:1:1:1:1:7:8:9\n") },
		"the same size, other time": func(path string) {
			prvtest.Write(t, path, strings.Replace(text, ":10:", ":11:", 1))
		},
		"the same size and time": func(path string) {
			info, _ := os.Stat(path)
			prvtest.Write(t, path, strings.Replace(text, ":10:", ":12:", 1))
			os.Chtimes(path, info.ModTime(), info.ModTime())
		},
		"only touched": func(path string) { os.Chtimes(path, time.Now(), time.Now().Add(time.Second)) },
	} {
		t.Run(what, func(t *testing.T) {
			path := indexed(t, text)
			before := metaOf(t, path)
			change(path)
			if said := reopened(t, path); len(said) > 0 {
				t.Errorf("said: %q", said)
			}
			if after := metaOf(t, path); after == before {
				t.Error("the index was not rebuilt")
			}
			reopened(t, path)
		})
	}
}

func metaOf(t testing.TB, path string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(path+".pvidx", "meta.json"))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// Names come from the current .pcf and .row, whatever the index was made with.
func TestIndexWithNewLabels(t *testing.T) {
	prvtest.Cache(t)
	path := indexed(t, prvtest.AwkwardTraces["messages"])
	prvtest.Write(t, prv.Base(path)+".pcf", "STATES\n1 Newly named\n")
	reopened(t, path)
	tr, err := (&prv.Opener{}).Open(context.Background(), path, store.Watcher{})
	if err != nil || len(tr.Labels.States) != 1 || tr.Labels.States[0].Label != "Newly named" {
		t.Errorf("%v %v", tr.Labels.States, err)
	}
}

// Truncated and missing files of an index are detected immediately, and the index is rebuilt.
func TestTruncatedIndex(t *testing.T) {
	prvtest.Cache(t)
	path := indexed(t, prvtest.AwkwardTraces["messages"])
	for _, name := range []string{"meta.json", "states.arrow", "events.arrow", "communications.arrow", "orders.arrow"} {
		info, err := os.Stat(filepath.Join(path+".pvidx", name))
		if err != nil {
			t.Fatal(err)
		}
		size := info.Size()
		for _, cut := range []int64{0, 1, 8, 64, 500, size / 2, size - 64, size - 8, size - 1, size + 1, -1} {
			file := filepath.Join(path+".pvidx", name)
			if cut < 0 {
				os.Remove(file)
			} else if err := os.Truncate(file, cut); err != nil {
				t.Fatal(err)
			}
			said := reopened(t, path)
			wantSaid(t, said, path, "its index is not used", "it is rebuilt")
			if said := reopened(t, path); len(said) > 0 {
				t.Fatalf("%s cut to %d: the new index is not good: %q", name, cut, said)
			}
		}
	}
}

// A changed byte anywhere in an index is detected.
func TestFlippedIndex(t *testing.T) {
	prvtest.Cache(t)
	path := indexed(t, prvtest.AwkwardTraces["messages"])
	now, err := index.StateOf(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"meta.json", "states.arrow", "events.arrow", "communications.arrow", "orders.arrow"} {
		file := filepath.Join(path+".pvidx", name)
		good, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for at := 0; at < len(good); at += 1 + len(good)/200 {
			bad := slices.Clone(good)
			bad[at] ^= 1 << (at % 8)
			prvtest.Write(t, file, string(bad))
			if _, maps, err := index.Open(context.Background(), path+".pvidx", now); err == nil {
				t.Errorf("%s: byte %d has changed and nobody sees it", name, at)
				maps.Close()
			}
		}
		prvtest.Write(t, file, string(good))
	}
	if said := reopened(t, path); len(said) > 0 {
		t.Errorf("said: %q", said)
	}
}

// FuzzIndex opens indexes with arbitrary metadata and a valid checksum: nothing in them is trusted.
func FuzzIndex(f *testing.F) {
	prvtest.Cache(f)
	path := indexed(f, prvtest.AwkwardTraces["messages"])
	now, err := index.StateOf(path)
	if err != nil {
		f.Fatal(err)
	}
	var s struct{ Index json.RawMessage }
	if err := json.Unmarshal([]byte(metaOf(f, path)), &s); err != nil {
		f.Fatal(err)
	}
	good := string(s.Index)
	f.Add(good)
	for _, c := range [][2]string{
		{`"communications":3`, `"communications":300000000000`}, {`"at":`, `"at":9223372036854775`},
		{`"at":`, `"at":-`},
		{`"rows":1`, `"rows":4611686018427387904`}, {`"sends":[`, `"sends":[-1,1,`}, {`"has":[`, `"has":[65535,`},
		{`"task_threads":[`, `"task_threads":[2000000000,`}, {`"node_cpus":[`, `"node_cpus":[2147483647,`},
		{`"ptask_tasks":[`, `"ptask_tasks":[7,`},
		{`"task_nodes":[0`, `"task_nodes":[77`}, {`"cpu":[1`, `"cpu":[-5`}, {`"blocks":[`, `"blocks":[0,`},
		{`"communication_cpus_vary":false`, `"communication_cpus_vary":true`},
	} {
		f.Add(strings.Replace(good, c[0], c[1], 1))
	}
	dir := path + ".pvidx"
	f.Fuzz(func(t *testing.T, meta string) {
		if !json.Valid([]byte(meta)) {
			t.Skip()
		}
		prvtest.Write(t, filepath.Join(dir, "meta.json"), sealed(meta))
		tr, maps, err := index.Open(context.Background(), dir, now)
		if err != nil {
			return
		}
		defer maps.Close()
		readAll(tr)
	})
}

// sealed returns a meta.json with a valid checksum.
func sealed(meta string) string {
	var compact bytes.Buffer // the checksum is of the text as the reader gets it
	json.Compact(&compact, []byte(meta))
	return fmt.Sprintf(`{"sha256":"%x","index":%s}`, sha256.Sum256(compact.Bytes()), compact.String())
}

// A column may end at the end of its file, but not after it.
func TestColumnBehindTheEnd(t *testing.T) {
	prvtest.Cache(t)
	path := indexed(t, prvtest.AwkwardTraces["messages"])
	now, err := index.StateOf(path)
	if err != nil {
		t.Fatal(err)
	}
	var s struct{ Index json.RawMessage }
	if err := json.Unmarshal([]byte(metaOf(t, path)), &s); err != nil {
		t.Fatal(err)
	}
	var meta struct {
		Files []struct {
			Size    int64
			Columns []struct{}
		}
	}
	if err := json.Unmarshal(s.Index, &meta); err != nil {
		t.Fatal(err)
	}
	places := regexp.MustCompile(`"at":\d+`).FindAllIndex(s.Index, -1)
	for _, f := range meta.Files {
		end := (f.Size + 7) / 8 * 8
		for range f.Columns {
			moved := fmt.Sprintf(`%s"at":%d%s`, s.Index[:places[0][0]], end, s.Index[places[0][1]:])
			places = places[1:]
			prvtest.Write(t, filepath.Join(path+".pvidx", "meta.json"), sealed(moved))
			if _, _, err := index.Open(context.Background(), path+".pvidx", now); err == nil ||
				!strings.Contains(err.Error(), "is in the wrong place") {
				t.Errorf("column at %d of %d bytes: %v", end, f.Size, err)
			}
		}
	}
}

// readAll reads every value of a trace.
func readAll(t *prv.Trace) (sum int64) {
	for i := range t.Threads {
		th := &t.Threads[i]
		for k := range th.States.Len() {
			sum += th.States.Begin[k] + th.States.End[k] + int64(th.States.Value[k]) + int64(th.StateCPU(k))
		}
		for k := range th.Events.Len() {
			sum += th.Events.Time[k] + int64(th.Events.Type[k]) + th.Events.Value.At(k) + int64(th.EventCPU(k))
			if th.Events.Lines.Has(k) {
				sum++
			}
		}
		for r := range th.Comm {
			for _, c := range th.Comm[r] {
				sum += t.Comms.Times[r][c] + int64(t.CommCPU(int(c), prv.Role(r)))
			}
		}
		t.ThreadNode(int32(i))
		t.ThreadID(int32(i))
	}
	return sum
}

// If the folder cannot be written, the index goes to the cache directory, is found there, and can be cleared.
func TestReadOnlyFolder(t *testing.T) {
	prvtest.Cache(t)
	path := filepath.Join(t.TempDir(), "run.prv")
	prvtest.Write(t, path, prvtest.AwkwardTraces["messages"])
	blockFolder(t, filepath.Dir(path))
	if said := reopened(t, path); len(said) > 0 {
		t.Errorf("said: %q", said)
	}
	if exists(path + ".pvidx") {
		t.Fatal("the folder could be written")
	}
	info, err := index.Of(path)
	if err != nil || info == nil || info.Why != "" || filepath.Dir(info.Dir) != index.CacheFolder() {
		t.Fatalf("%+v %v", info, err)
	}
	if list := index.List(); len(list) != 1 || list[0].Dir != info.Dir || list[0].Trace != path {
		t.Errorf("%+v", list)
	}
	if said := reopened(t, path); len(said) > 0 {
		t.Errorf("said: %q", said)
	}
	if n, err := index.ClearAll(); err != nil || n < 1000 || exists(info.Dir) {
		t.Errorf("%d bytes cleared, %v", n, err)
	}
}

// blockFolder removes the write permission of a folder. Root can still write, unless the file system supports the
// attribute "immutable".
func blockFolder(t *testing.T, dir string) {
	t.Helper()
	if os.Getuid() != 0 {
		os.Chmod(dir, 0o555)
		t.Cleanup(func() { os.Chmod(dir, 0o755) })
		return
	}
	f, err := os.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	flags, err := unix.IoctlGetUint32(int(f.Fd()), unix.FS_IOC_GETFLAGS)
	if err == nil {
		err = unix.IoctlSetPointerInt(int(f.Fd()), unix.FS_IOC_SETFLAGS, int(flags|immutable))
	}
	if err != nil {
		t.Skip("root may write anywhere, and the file system has no immutable folders: ", err)
	}
	t.Cleanup(func() {
		f, err := os.Open(dir)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		if err := unix.IoctlSetPointerInt(int(f.Fd()), unix.FS_IOC_SETFLAGS, int(flags)); err != nil {
			t.Fatal(err)
		}
	})
}

// If neither place can be written, or the index would be too large, the trace opens without one, with a message.
func TestNoPlaceForIndex(t *testing.T) {
	prvtest.Cache(t)
	path := filepath.Join(t.TempDir(), "run.prv")
	prvtest.Write(t, path, prvtest.AwkwardTraces["messages"])
	blockFolder(t, filepath.Dir(path))
	prvtest.Write(t, filepath.Join(filepath.Dir(index.CacheFolder())), "a file where the folder should be")
	wantSaid(t, reopened(t, path), path, "no index is made", "not a directory")

	prvtest.Write(t, filepath.Join(t.TempDir(), "other.prv"), prvtest.AwkwardTraces["messages"])
	var said []string
	o := &prv.Opener{Least: 1, Limit: 10, Tell: func(s string) { said = append(said, s) }}
	if _, err := o.Open(context.Background(), path, store.Watcher{}); err != nil {
		t.Fatal(err)
	}
	wantSaid(t, said, "--index-limit")
}

// Two processes that open a trace at the same time both get it, and make one index.
func TestTwoOpeners(t *testing.T) {
	prvtest.Cache(t)
	path := filepath.Join(t.TempDir(), "run.prv")
	prvtest.Write(t, path, prvtest.AwkwardTraces["messages"])
	for range 20 {
		os.RemoveAll(path + ".pvidx")
		var g sync.WaitGroup
		for range 4 {
			g.Go(func() {
				o := &prv.Opener{Least: 1, Tell: func(s string) { t.Error(s) }}
				tr, err := o.Open(context.Background(), path, store.Watcher{})
				if err != nil {
					t.Error(err)
					return
				}
				readAll(tr)
				o.Wait(context.Background())
			})
		}
		g.Wait()
		if said := reopened(t, path); len(said) > 0 {
			t.Fatalf("said: %q", said)
		}
	}
	wantOnly(t, filepath.Dir(path), "run.prv", "run.prv"+".pvidx")
}

// wantOnly checks that a folder holds exactly the named files.
func wantOnly(t *testing.T, dir string, names ...string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	for _, e := range entries {
		found = append(found, e.Name())
	}
	slices.Sort(names)
	if !slices.Equal(found, names) {
		t.Errorf("the folder holds %q, not %q", found, names)
	}
}

// A process that is killed while it makes an index leaves a folder without a valid index; the next process opens the
// trace, removes the folder, and makes the index.
func TestKilledWriter(t *testing.T) {
	prvtest.Cache(t)
	path := filepath.Join(t.TempDir(), "run.prv")
	prvtest.Write(t, path, prvtest.AwkwardTraces["messages"])
	cmd := child(t, "killed", path)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	line := make([]byte, 6)
	if _, err := out.Read(line); err != nil || string(line) != "ready\n" {
		t.Fatalf("%q %v", line, err)
	}
	if said := reopened(t, path); len(said) > 0 || exists(path+".pvidx") {
		t.Fatalf("while another makes the index: %q, index %v", said, exists(path+".pvidx"))
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	cmd.Wait()
	if left, _ := filepath.Glob(filepath.Join(filepath.Dir(path), ".run*")); len(left) != 1 {
		t.Fatalf("what it left: %q", left)
	}
	if said := reopened(t, path); len(said) > 0 {
		t.Fatalf("said: %q", said)
	}
	wantOnly(t, filepath.Dir(path), "run.prv", "run.prv"+".pvidx")
}

// On a full disk, and with a limit on the size of files, the trace opens without an index.
func TestFullDisk(t *testing.T) {
	prvtest.Cache(t)
	path := filepath.Join(t.TempDir(), "run.prv")
	prvtest.Write(t, path, prvtest.AwkwardTraces["messages"])
	out, err := child(t, "full", path).CombinedOutput()
	if err != nil {
		t.Fatalf("%v %s", err, out)
	}
	if !strings.Contains(string(out), "no index is made") || !strings.Contains(string(out), "file too large") {
		t.Errorf("it says %s", out)
	}
	wantOnly(t, filepath.Dir(path), "run.prv")
}

// A disk that is full, if one can be mounted.
func TestFullFileSystem(t *testing.T) {
	prvtest.Cache(t)
	dir := t.TempDir()
	if err := syscall.Mount("none", dir, "tmpfs", 0, "size=64k"); err != nil {
		t.Skip("no small file system can be mounted: ", err)
	}
	t.Cleanup(func() { syscall.Unmount(dir, syscall.MNT_DETACH) })
	path := filepath.Join(dir, "run.prv")
	prvtest.Write(t, path, prvtest.AwkwardTraces["messages"])
	prvtest.Write(t, filepath.Join(dir, "ballast"), strings.Repeat("x", 40<<10))
	prvtest.Write(t, filepath.Dir(index.CacheFolder()), "a file where the folder should be")
	said := reopened(t, path)
	wantSaid(t, said, "no index is made", "no space left on device")
	wantOnly(t, dir, "run.prv", "ballast")
}

// child runs TestChild in a separate process.
func child(t *testing.T, task, path string) *exec.Cmd {
	cmd := exec.Command(os.Args[0], "-test.run=^TestChild$")
	cmd.Env = append(os.Environ(), "PVIEW_CHILD="+task, "PVIEW_CHILD_TRACE="+path)
	return cmd
}

// TestChild runs in the processes of other tests.
func TestChild(t *testing.T) {
	path := os.Getenv("PVIEW_CHILD_TRACE")
	switch os.Getenv("PVIEW_CHILD") {
	case "killed":
		s := &store.Storage{Places: index.PlacesOf(path), Limit: 1 << 30, Mode: 0o644}
		if _, err := prv.Open(context.Background(), path, store.Options{Storage: s}); err != nil || s.Draft == nil {
			t.Fatal(err, s.NoIndex)
		}
		os.Stdout.WriteString("ready\n")
		for {
			time.Sleep(time.Hour)
			runtime.KeepAlive(s) // the lock is held while its file is open
		}
	case "full":
		limitFiles(t, 700)
		o := &prv.Opener{Least: 1, Tell: func(s string) { os.Stdout.WriteString(s + "\n") }}
		tr, err := o.Open(context.Background(), path, store.Watcher{})
		if err != nil {
			t.Fatal(err)
		}
		o.Wait(context.Background())
		parsed, err := prv.Open(context.Background(), path, store.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if err := prvtest.Same(parsed, tr); err != nil {
			t.Fatal(err)
		}
	default:
		t.Skip("only as a process of other tests")
	}
}

// A cancelled index is discarded as a whole.
func TestCancelledIndex(t *testing.T) {
	prvtest.Cache(t)
	path := filepath.Join(t.TempDir(), "run.prv")
	prvtest.Write(t, path, prvtest.AwkwardTraces["messages"])
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	o := &prv.Opener{Least: 1}
	if _, err := o.Open(ctx, path, store.Watcher{}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	o.Wait(ctx)
	wantOnly(t, filepath.Dir(path), "run.prv")
}

// A trace that grows while it is read is not indexed.
func TestGrowingTrace(t *testing.T) {
	prvtest.Cache(t)
	path := filepath.Join(t.TempDir(), "run.prv")
	prvtest.Write(t, path, prvtest.AwkwardTraces["messages"])
	o := &prv.Opener{Least: 1}
	grown := false
	tr, err := o.Open(context.Background(), path, store.Watcher{Progress: func(int64, int64) {
		if !grown {
			grown = true
			f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
			if err == nil {
				f.WriteString("2:1:1:1:1:7:8:9\n2:1:1:1:1:7:8")
				f.Close()
			}
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
	o.Wait(context.Background())
	readAll(tr)
	wantOnly(t, filepath.Dir(path), "run.prv")
}

// limitFiles limits the files of the process to the given number of bytes.
func limitFiles(t *testing.T, bytes uint64) {
	signal.Ignore(syscall.SIGXFSZ)
	var before unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_FSIZE, &before); err != nil {
		t.Fatal(err)
	}
	if err := unix.Setrlimit(unix.RLIMIT_FSIZE, &unix.Rlimit{Cur: bytes, Max: before.Max}); err != nil {
		t.Fatal(err)
	}
	// With -cover the process writes its coverage at its end.
	t.Cleanup(func() { unix.Setrlimit(unix.RLIMIT_FSIZE, &before) })
}

// immutable is FS_IMMUTABLE_FL of linux/fs.h.
const immutable = 0x10
