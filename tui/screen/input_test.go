package screen

import (
	"context"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	uv "github.com/charmbracelet/ultraviolet"
)

// Marks of a paste stay whole however reads divide them, whatever the text of the paste.
func TestInputPaste(t *testing.T) {
	const start, end = "\x1b[200~", "\x1b[201~"
	tests := []struct{ name, in, want string }{
		{"keys", "q\x1b\x1b[A\x1b[2~\x1b]\x03", "q\x1b\x1b[A\x1b[2~\x1b]\x18\x03"},
		{"paste", "a" + start + "b c\n\xc3\xa9" + end + "d", "a" + start + "b c\n\xc3\xa9" + end + "d"},
		{"control string in a paste", start + "a\x1b]0;b" + end + "\x03", start + "a ]0;b" + end + "\x03"},
		{"8-bit control string in a paste", start + "a\x9db" + end, start + "a b" + end},
		{"control characters of two bytes", start + "\xc2\x9d" + end, start + " " + end},
		{"half a character in a paste", start + "\xc3" + end, start + " " + end},
		{"start of a paste in a control string", "\x1b]0;x" + start + "a" + end, "\x1b]0;x\x18" + start + "a" + end},
		{"Ctrl+C in a control string", "\x1b_Gx\x03", "\x1b_Gx\x18\x03"},
		{"Ctrl+C in a device control string", "\x1bP1$r\x03", "\x1bP1$r\x1b\\\x03"},
		{"answer", "\x1b]11;rgb:0/0/0\x1b\\\x03\x1b]11;a\a\x03", "\x1b]11;rgb:0/0/0\x1b\\\x03\x1b]11;a\a\x03"},
		{"long paste", start + strings.Repeat("x", 2*longestPaste) + end,
			start + strings.Repeat("x", longestPaste) + end},
	}
	now := time.Now()
	for _, test := range tests {
		for cut := range min(len(test.in), 40) {
			var f input
			got := string(f.pass([]byte(test.in[:cut]), now)) + string(f.pass([]byte(test.in[cut:]), now))
			if got != test.want {
				t.Errorf("%s, cut at %d: got %.60q, want %.60q", test.name, cut, got, test.want)
			}
		}
	}
}

// The start of a paste reaches the decoder whole, which forgets the start of a sequence after 50 ms.
func TestInputSlowStart(t *testing.T) {
	const mark = "\x1b[200~"
	for cut := 1; cut < len(mark); cut++ {
		var f input
		now := time.Now()
		first := string(f.pass([]byte(mark[:cut]), now))
		rest := string(f.pass([]byte(mark[cut:]+"a"), now.Add(60*time.Millisecond)))
		if want := map[int]string{1: "\x1b", 2: "\x1b["}[cut]; first != want || rest != mark+"a" {
			t.Errorf("cut at %d: got %q and %q, want %q and %q", cut, first, rest, want, mark+"a")
		}
	}
}

// A paste without an end ends with Ctrl+C, and with any key after a pause.
func TestInputEndlessPaste(t *testing.T) {
	const start, end = "\x1b[200~", "\x1b[201~"
	type read struct {
		after time.Duration
		text  string
	}
	tests := []struct {
		name  string
		reads []read
		want  string
	}{
		{"Ctrl+C at once", []read{{0, start + "a"}, {0, "\x03"}}, start + "a" + end + "\x03"},
		{"Ctrl+C after half a mark", []read{{0, start + "a\x1b[20"}, {0, "\x03\x03"}}, start + "a" + end + "\x03\x03"},
		{"key at once is text", []read{{0, start + "a"}, {time.Second, "q"}}, start + "aq"},
		{"key after a pause", []read{{0, start + "a"}, {3 * time.Second, "\x1b[A"}}, start + "a" + end + "\x1b[A"},
		{"several keys after a pause", []read{{0, start + "a"}, {3 * time.Second, "\x1b[27u\x1b[27u:"}},
			start + "a" + end + "\x1b[27u\x1b[27u:"},
		{"text after a pause", []read{{0, start + "a"}, {3 * time.Second, "long text"}}, start + "along text"},
		{"end after a pause", []read{{0, start + "a"}, {3 * time.Second, end}}, start + "a" + end},
		{"half of the end after a pause", []read{{0, start + "a\x1b[20"}, {3 * time.Second, "1~"}}, start + "a" + end},
		{"nothing was read", []read{{0, start + "a"}, {3 * time.Second, ""}}, start + "a"},
	}
	for _, test := range tests {
		var f input
		now, got := time.Now(), ""
		for _, r := range test.reads {
			now = now.Add(r.after)
			got += string(f.pass([]byte(r.text), now))
		}
		if got != test.want {
			t.Errorf("%s: got %q, want %q", test.name, got, test.want)
		}
	}
}

// Ctrl+C arrives even after an incomplete sequence.
func TestInputCtrlC(t *testing.T) {
	for _, open := range []string{"", "\x1b", "\x1b[", "\x1b[1;", "\x1bO", "\x1b]", "\x1b]0;x", "\x1bP", "\x1bPx",
		"\x1b_", "\x1b_G", "\x1b^", "\x1bX", "\x1b[200~", "\x1b[200~a\x1b]0;", "\x1b[200~a\x1b[20"} {
		r, w := io.Pipe()
		events := make(chan uv.Event, 16)
		go func() {
			_ = uv.NewTerminalReader(Input(r), "xterm").StreamEvents(context.Background(), events)
			close(events)
		}()
		io.WriteString(w, open)
		io.WriteString(w, "\x03")
		w.Close()
		var got []string
		for e := range events {
			if k, ok := e.(uv.KeyPressEvent); ok {
				got = append(got, k.String())
			}
		}
		if !slices.ContainsFunc(got, func(key string) bool { return key == "ctrl+c" || key == "ctrl+alt+c" }) {
			t.Errorf("after %q the keys are %q", open, got)
		}
	}
}
