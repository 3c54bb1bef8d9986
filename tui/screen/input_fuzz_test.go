package screen

import (
	"bytes"
	"testing"
	"time"
)

// FuzzInput divides input into reads with pauses between them: what is passed on fits the buffer that read leaves for
// it, and Ctrl+C arrives after anything, an open paste too.
func FuzzInput(f *testing.F) {
	for _, seed := range []string{"q\x1b[A", "\x1b[200~a\x1b]0;b\x1b[201~c", "\x1b]0;x\x1b[200~\xc3\x1b[20",
		"\x1bPx\x1b"} {
		f.Add([]byte(seed), []byte{3, 1, 200, 60})
	}
	f.Fuzz(func(t *testing.T, text, cuts []byte) {
		var in input
		now := time.Now()
		pass := func(read []byte) []byte {
			out := in.pass(read, now)
			if most := growth * (len(read) + len(pasteEnd)); len(out) > most {
				t.Fatalf("%d bytes of %d passed on, room for %d: %q", len(out), len(read), most, out)
			}
			return out
		}
		for len(text) > 0 {
			n := len(text)
			if len(cuts) > 1 { // a number of bytes, and a pause in units of 15 ms
				n, now = min(n, int(cuts[0])+1), now.Add(time.Duration(cuts[1])*15*time.Millisecond)
				cuts = cuts[2:]
			}
			pass(text[:n])
			text = text[n:]
		}
		if out := pass([]byte{ctrlC}); !bytes.HasSuffix(out, []byte{ctrlC}) {
			t.Fatalf("Ctrl+C became %q", out)
		}
	})
}
