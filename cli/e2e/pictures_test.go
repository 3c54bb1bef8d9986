//go:build unix

package e2e

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"image/png"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// Names in a trace are text in its pictures, whatever they are: the files stay valid, and nothing in them runs.
func TestPicturesOfHostileNames(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	hostile := []string{"</script><script>alert(1)</script>", `"><img src=x onerror=alert(1)>`, "\u202eevil\u2066x",
		"a\x00b\x07c\x1b]0;t\x07d", strings.Repeat("long ", 4000), "\uffff]]>&lt;", "(a) \\ endobj endstream",
		"\u4e2d\U0001f600", "\xff\xfe\xed\xa0\x80"}
	for i, names := range [][]string{hostile, make([]string, len(hostile))} {
		text := fmt.Sprintf("#Paraver (01/01/2026 at 00:00):100:1(9):1:9(%s1:1)\n", strings.Repeat("1:1,", 8))
		states, row := "STATES\n", "LEVEL THREAD SIZE 9\n"
		for k, name := range names {
			if name == "" {
				name = "plain"
			}
			text += fmt.Sprintf("1:%d:1:%d:1:0:100:%d\n", k+1, k+1, k+2)
			states += fmt.Sprintf("%d    %s\n", k+2, name)
			row += name + "\n"
		}
		base := []string{"hostile", "plain"}[i]
		write(t, dir, base+".prv", []byte(text))
		write(t, dir, base+".pcf", []byte(states))
		write(t, dir, base+".row", []byte(row))
		for _, ext := range []string{".svg", ".png", ".pdf", ".html"} {
			if r := run(t, dir, "export", "--no-index", base+".prv", "-o", base+ext); r.status != 0 {
				t.Errorf("%s%s: status %d: %.300s", base, ext, r.status, r.stderr)
			}
		}
	}
	read := func(name string) []byte {
		b, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Error(err)
		}
		return b
	}
	svg := xml.NewDecoder(bytes.NewReader(read("hostile.svg")))
	for {
		token, err := svg.Token()
		if err != nil {
			if !errors.Is(err, io.EOF) {
				t.Errorf("the SVG is no XML: %v", err)
			}
			break
		}
		if e, ok := token.(xml.StartElement); ok && (e.Name.Local == "script" || e.Name.Local == "img") {
			t.Errorf("the SVG has an element %s", e.Name.Local)
		}
	}
	if _, err := png.Decode(bytes.NewReader(read("hostile.png"))); err != nil {
		t.Error(err)
	}
	checkPDF(t, read("hostile.pdf"))
	tags := regexp.MustCompile(`<(script|img|iframe|object)\b`)
	got, want := tags.FindAll(read("hostile.html"), -1), tags.FindAll(read("plain.html"), -1)
	if len(got) != len(want) {
		t.Errorf("the page has %q, with plain names %q", got, want)
	}
	for _, name := range []string{"hostile.svg", "hostile.html"} {
		if i := strings.IndexFunc(string(read(name)), func(r rune) bool {
			return r < ' ' && !strings.ContainsRune("\t\n\r", r) || r == '\u202e' || r == '\u2066'
		}); i >= 0 {
			t.Errorf("%s has a control character at %d", name, i)
		}
	}
}

// checkPDF checks that each object of a PDF is where its table of objects says.
func checkPDF(t *testing.T, text []byte) {
	t.Helper()
	m := regexp.MustCompile(`startxref\s+(\d+)\s+%%EOF\s*$`).FindSubmatch(text)
	if !bytes.HasPrefix(text, []byte("%PDF-")) || m == nil {
		t.Fatal("the PDF has no begin or end")
	}
	at, err := strconv.Atoi(string(m[1]))
	if err != nil || at > len(text) {
		t.Fatalf("its table of objects is at %s", m[1])
	}
	entries := regexp.MustCompile(`(\d{10}) \d{5} n`).FindAllSubmatch(text[at:], -1)
	if len(entries) < 5 {
		t.Errorf("the PDF has %d objects", len(entries))
	}
	for i, e := range entries {
		place, err := strconv.Atoi(string(e[1]))
		if want := fmt.Sprintf("%d 0 obj", i+1); err != nil || place > len(text) ||
			!bytes.HasPrefix(text[place:], []byte(want)) {
			t.Errorf("object %d of the PDF is not at %d", i+1, place)
		}
	}
}
