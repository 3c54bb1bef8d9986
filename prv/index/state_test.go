package index

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// The state of a trace depends on its size, its time and its content: at the start, in pieces of the middle, and at the
// end.
func TestTraceState(t *testing.T) {
	path := filepath.Join(t.TempDir(), "run.prv")
	text := bytes.Repeat([]byte("1:1:1:1:1:0:1:1\n"), 64<<10) // 1 MiB
	when := time.Unix(1_700_000_000, 0)
	write := func(text []byte, when time.Time) TraceState {
		t.Helper()
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, when, when); err != nil {
			t.Fatal(err)
		}
		s, err := StateOf(path)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	was := write(text, when)
	if s := was.Differs(write(text, when)); s != "" {
		t.Errorf("the same: %q", s)
	}
	for _, c := range []struct {
		what string
		now  TraceState
		want string
	}{
		{"longer", write(append(text, '\n'), when), "it had 1048576 bytes and has 1048577"},
		{"later", write(text, when.Add(time.Nanosecond)), "since the index was made"},
	} {
		if s := was.Differs(c.now); !strings.Contains(s, c.want) {
			t.Errorf("%s: %q", c.what, s)
		}
	}
	// The first and last bytes of both ends, each of 64 KiB, and of the pieces between them: piece i is at i/33 of 1024
	// KiB, 31 KiB * i, so those are pieces 3 (93 KiB) to 30 (930 KiB).
	places := []int{0, sampleEnds - 1, len(text) - sampleEnds, len(text) - 1}
	for i := 3; i <= 30; i++ {
		places = append(places, len(text)/33*i, len(text)/33*i+samplePiece-1)
	}
	for _, at := range places {
		changed := bytes.Clone(text)
		changed[at] = '9'
		if s := was.Differs(write(changed, when)); !strings.Contains(s, "content has changed") {
			t.Errorf("byte %d: %q", at, s)
		}
	}
}
