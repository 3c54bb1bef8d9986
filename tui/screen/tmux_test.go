package screen

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"image/png"
	"regexp"
	"strings"
	"testing"

	uv "github.com/charmbracelet/ultraviolet"

	"pview/render/raster"
)

// throughTmux returns the bytes that reach the outer terminal, and those that tmux keeps: a wrapped sequence has its
// escapes doubled.
func throughTmux(t *testing.T, sent string) (outside, kept string) {
	t.Helper()
	wrapped := regexp.MustCompile("(?s)\x1bPtmux;((?:\x1b\x1b|[^\x1b])*)\x1b\\\\")
	for _, m := range wrapped.FindAllStringSubmatch(sent, -1) {
		outside += strings.ReplaceAll(m[1], "\x1b\x1b", "\x1b")
	}
	return outside, wrapped.ReplaceAllString(sent, "")
}

// In tmux the question goes to the outer terminal; tmux itself reports the size of a cell and the attributes. The
// answer means pictures by placeholders; without tmux the same answer means pictures over cells.
func TestAskingThroughTmux(t *testing.T) {
	for name, test := range map[string]struct {
		env  []string
		want Graphics
	}{"tmux": {[]string{"TMUX=/tmp/tmux-0/default,1,0"}, KittyInTmux}, "no tmux": {nil, Kitty}} {
		p, err := NewPixels("auto", test.env)
		if err != nil {
			t.Fatal(err)
		}
		outside, kept := throughTmux(t, p.Ask())
		question := "\x1b_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\x1b\\"
		if test.want == KittyInTmux && (outside != question || kept != "\x1b[16t\x1b[c") || test.want == Kitty &&
			kept != question+"\x1b[16t\x1b[c" {
			t.Errorf("%s: %q goes outside, %q does not", name, outside, kept)
		}
		answer := uv.KittyGraphicsEvent{Payload: []byte("OK")}
		answer.Options.ID = queryID
		p.Learn(answer)
		p.Learn(uv.CellSizeEvent{Width: 10, Height: 20})
		if got := p.Graphics(); got != test.want {
			t.Errorf("%s: %v, want %v", name, got, test.want)
		}
	}
}

// For a picture of 12 x 2 cells, the bytes sent past tmux decode to it, without a place; the cells are placeholders:
// the first of a line has the marks of its line and of column 0 (U+0305 is 0, U+030D is 1), the others follow it, all
// in the colour 0,0,7 of picture 7.
func TestPictureThroughTmux(t *testing.T) {
	picture := raster.NewPixmap(120, 40, raster.RGB(1, 2, 3))
	picture.Fill(10, 0, 60, 40, raster.RGB(200, 100, 0))
	part := raster.Rect{X: 3, Y: 1, W: 12, H: 2}
	var b bytes.Buffer
	w := NewWire(&b, []string{"TERM=xterm-256color"})
	w.Write([]byte("\x1b[?1049h"))
	show := func(list ...Image) string {
		c := raster.NewCanvas(20, 4)
		for _, i := range list {
			Place(i.Part.Of(c), i.ID)
		}
		b.Reset()
		w.Images(KittyInTmux, list)
		w.Show(c, raster.TrueColor, nil, false)
		w.Flush()
		return b.String()
	}
	outside, kept := throughTmux(t, show(Image{ID: 7, Part: part, Picture: picture}))
	var data string
	for i, m := range regexp.MustCompile("(?s)\x1b_G([^;]*);([^\x1b]*)\x1b\\\\").FindAllStringSubmatch(outside, -1) {
		if i == 0 && m[1] != "a=T,f=100,i=7,q=2,c=12,r=2,U=1,m=0" {
			t.Errorf("options %s", m[1])
		}
		data += m[2]
	}
	raw, err := base64.StdEncoding.DecodeString(data)
	if err != nil {
		t.Fatal(err)
	}
	img, err := png.Decode(bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range []int{0, 9, 10, 59, 60, 119} {
		if fmt.Sprint(img.At(x, 20)) != fmt.Sprint(picture.At(x, 20)) {
			t.Errorf("pixel %d is %v, want %v", x, img.At(x, 20), picture.At(x, 20))
		}
	}
	for _, want := range []string{"38;2;0;0;7", "\U0010EEEE\u0305\u0305" + strings.Repeat("\U0010EEEE", 11),
		"\U0010EEEE\u030d\u0305" + strings.Repeat("\U0010EEEE", 11)} {
		if !strings.Contains(kept, want) {
			t.Errorf("%q is not in what tmux shows: %q", want, kept)
		}
	}
	if strings.Contains(kept, "\x1b_G") {
		t.Error("a picture is sent to tmux itself")
	}
	// Showing another picture does not change the cells; showing none deletes the picture.
	other := picture.Clone()
	other.Fill(0, 0, 5, 5, raster.RGB(9, 9, 9))
	if outside, kept := throughTmux(t, show(Image{ID: 7, Part: part, Picture: other})); !strings.Contains(outside,
		"i=7") || strings.Contains(kept, "\U0010EEEE") {
		t.Errorf("a new picture: outside %.60q, in cells %q", outside, kept)
	}
	if outside, kept := throughTmux(t, show()); outside != "\x1b_Ga=d,d=I,i=7,q=2\x1b\\" ||
		strings.Contains(kept, "\U0010EEEE") {
		t.Errorf("no picture: outside %q, in cells %q", outside, kept)
	}
}
