package command

import (
	"bytes"
	"testing"

	"github.com/charmbracelet/colorprofile"
)

// Text without styles is written unchanged; other styles are reduced to those that the stream can show.
func TestStyledWriter(t *testing.T) {
	for _, text := range []string{"", "plain\n", "\x1b[1mbold\x1b[m and \u00e9\n", "a\tb\x07\r\n", "\x7f"} {
		var want, got bytes.Buffer
		plain, short := colorprofile.Writer{Forward: &want, Profile: colorprofile.NoTTY},
			styledWriter{colorprofile.Writer{Forward: &got, Profile: colorprofile.NoTTY}}
		plain.WriteString(text)
		if n, err := short.WriteString(text); n != len(text) || err != nil || got.String() != want.String() {
			t.Errorf("%q: wrote %q, want %q; %d, %v", text, got.String(), want.String(), n, err)
		}
	}
}
