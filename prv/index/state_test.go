package index

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// The state of a trace differs by its size, its time and its content, at the begin, in pieces of the middle, and at the
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
	// The first and last bytes, and the first and last of the first piece, at a 33rd.
	for _, at := range []int{0, sampleEnds - 1, len(text) / 33, len(text)/33 + samplePiece - 1, len(text) - sampleEnds,
		len(text) - 1} {
		changed := bytes.Clone(text)
		changed[at] = '9'
		if s := was.Differs(write(changed, when)); !strings.Contains(s, "content has changed") {
			t.Errorf("byte %d: %q", at, s)
		}
	}
}
