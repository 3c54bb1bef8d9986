package index_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"pview/prv/index"
	"pview/prv/model"
	"pview/prv/prvtest"
)

// The index of a trace of another format has its labels and names, is valid for the state of all its files, and is
// stale when one of them changes.
func TestIndexOfImport(t *testing.T) {
	prvtest.Cache(t)
	dir := t.TempDir()
	path := filepath.Join(dir, "run")
	files := []string{"run.sts", "logs/run.0"}
	if err := os.Mkdir(filepath.Join(dir, "logs"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		prvtest.Write(t, filepath.Join(dir, f), "text of "+f)
	}
	state := func() index.TraceState {
		t.Helper()
		s, err := index.ImportState(path, files)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	now := state()
	if want := int64(len("text of run.sts") + len("text of logs/run.0")); now.Size != want || now.Path != path ||
		now.Reader == "" {
		t.Errorf("%+v, want %d bytes", now, want)
	}
	tr := anyTrace(t, 31)
	d, err := index.NewDraft(path+".pvidx", 0o640, index.SizesOf(tr))
	if err != nil {
		t.Fatal(err)
	}
	m := &index.Meta{Source: now, Import: index.NewImport(files, "STATES\n1 Busy\n", "LEVEL THREAD SIZE 1\nmain\n")}
	if err := errors.Join(d.Copy(t.Context(), tr), d.Finish(t.Context(), tr, m)); err != nil {
		t.Fatal(err)
	}
	got, maps, err := index.Open(t.Context(), path+".pvidx", now)
	if err != nil {
		t.Fatal(err)
	}
	if got.Labels.StateName(1) != "Busy" || got.Name(model.LevelThread, 0) != "main" {
		t.Errorf("state %s, thread %s", got.Labels.StateName(1), got.Name(model.LevelThread, 0))
	}
	tr.Labels, tr.Names = got.Labels, got.Names
	if err := model.Equal(tr, got); err != nil {
		t.Error(err)
	}
	maps.Close()
	if info, err := index.Of(path); err != nil || info == nil || info.Why != "" {
		t.Errorf("%+v, %v", info, err)
	}
	prvtest.Write(t, filepath.Join(dir, files[1]), "another text")
	if _, _, err := index.Open(t.Context(), path+".pvidx", state()); !errors.As(err, new(index.StaleError)) {
		t.Errorf("a file has changed: %v", err)
	}
	if info, err := index.Of(path); err != nil || info == nil || info.Why == "" {
		t.Errorf("a file has changed: %+v, %v", info, err)
	}
	os.Remove(filepath.Join(dir, files[1]))
	if _, err := index.ImportState(path, files); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a file is missing: %v", err)
	}
	if _, err := index.ImportState(path, []string{"logs"}); err == nil ||
		!strings.HasSuffix(err.Error(), "logs is not a regular file") {
		t.Errorf("a folder: %v", err)
	}
}

// For up to 32 files the content counts, for more only names, sizes and times.
func TestStateOfManyFiles(t *testing.T) {
	dir, when := t.TempDir(), time.Unix(1_700_000_000, 0)
	var files []string
	write := func(i int, text string, when time.Time) {
		t.Helper()
		path := filepath.Join(dir, files[i])
		prvtest.Write(t, path, text)
		if err := os.Chtimes(path, when, when); err != nil {
			t.Fatal(err)
		}
	}
	for i := range 33 {
		files = append(files, fmt.Sprintf("log.%d", i))
		write(i, "one", when)
	}
	for n, sampled := range map[int]bool{1: true, 32: true, 33: false} {
		state := func() index.TraceState {
			t.Helper()
			s, err := index.ImportState(filepath.Join(dir, "run"), files[:n])
			if err != nil {
				t.Fatal(err)
			}
			return s
		}
		was := state()
		if was.Size != int64(3*n) || was.Changed != when.UnixNano() {
			t.Errorf("%d files: %d bytes of %d", n, was.Size, was.Changed)
		}
		write(0, "two", when)
		if got := was.Differs(state()) != ""; got != sampled {
			t.Errorf("%d files: another content is noticed: %v", n, got)
		}
		write(0, "one", when.Add(-1)) // another file has the latest time, unless this is the only one
		if was.Differs(state()) == "" {
			t.Errorf("%d files: another time is not noticed", n)
		}
		write(0, "one", when)
		if why := was.Differs(state()); why != "" {
			t.Errorf("%d files: %s", n, why)
		}
	}
}

// The difference between the states of a trace.
func TestDiffers(t *testing.T) {
	was := index.TraceState{Size: 3, Changed: 5, Sample: "a", Reader: "1"}
	for _, c := range []struct {
		change func(s *index.TraceState)
		want   string
	}{
		{func(*index.TraceState) {}, ""},
		{func(s *index.TraceState) { s.Size, s.Changed = 4, 6 }, "the trace has changed: it had 3 bytes and has 4"},
		{func(s *index.TraceState) { s.Changed, s.Sample = 4, "b" }, "the trace has changed since the index was made"},
		{func(s *index.TraceState) { s.Sample = "b" },
			"the trace's content has changed, although its size and time have not"},
		{func(s *index.TraceState) { s.Reader = "2" }, "another version of pview read the trace"},
		{func(s *index.TraceState) { s.Strict = true }, "the trace was read without --strict"},
		{func(s *index.TraceState) { s.Path = "elsewhere" }, ""},
	} {
		now := was
		c.change(&now)
		if got := was.Differs(now); got != c.want {
			t.Errorf("%+v: %q, want %q", now, got, c.want)
		}
	}
	strict := was
	strict.Strict = true
	if got := strict.Differs(was); got != "" { // without a bad record, strict reads the same
		t.Errorf("read with --strict: %s", got)
	}
}
