package vt

import (
	"bytes"
	"encoding/xml"
	"io"
	"strings"
	"testing"
)

func TestWriteSVG(t *testing.T) {
	s := NewScreen(12, 2)
	s.Write([]byte("a<b \x1b[31;1mred\x1b[0m \x1b[44m▄█\x1b[0m\r\n⣿▌幅"))
	var b bytes.Buffer
	if err := s.WriteSVG(&b, `a "test"`); err != nil {
		t.Fatal(err)
	}
	for d := xml.NewDecoder(bytes.NewReader(b.Bytes())); ; {
		if _, err := d.Token(); err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
	}
	for _, want := range []string{
		`aria-label="a &#34;test&#34;"`,
		`>a&lt;b</text>`,
		`fill="#800000" font-weight="bold">red</text>`,
		`<rect x="77.20" y="10.00" width="16.80" height="17.00" fill="#000080"/>`, // background of two cells
		`<rect x="77.20" y="18.50" width="8.40" height="8.50" fill="#d0d0d0"/>`,   // lower half
		`<rect x="18.40" y="27.00" width="4.20" height="17.00" fill="#d0d0d0"/>`,  // left half
		`>幅</text>`,
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("there is no %s in\n%s", want, &b)
		}
	}
	if n := strings.Count(b.String(), `width="2.10" height="2.55"`); n != 8 {
		t.Errorf("the braille character has %d dots, want 8", n)
	}
}
