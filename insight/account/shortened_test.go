package account

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestShortened(t *testing.T) {
	long := strings.Repeat("ä", mostRunes)
	if got := shortened(long); got != long {
		t.Errorf("%d runes became %q", mostRunes, got)
	}
	got := shortened("first" + long + "last")
	if n := utf8.RuneCountInString(got); n > mostRunes || !strings.HasPrefix(got, "firstä") ||
		!strings.HasSuffix(got, "älast") || !strings.Contains(got, "ä...ä") {
		t.Errorf("%q of %d runes", got, n)
	}
}
