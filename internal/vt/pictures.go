package vt

// Pictures in pixels: the parts of kitty's graphics and sixels that a program needs to put a picture over cells.

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"strings"
)

// Picture is a picture on the screen.
type Picture struct {
	X, Y          int // of its upper left cell
	Columns, Rows int // 0: as many as its pixels take
	Image         image.Image
	Below         bool // text lies over it

	bytes int
}

// apc carries out an application program command: kitty's graphics.
func (s *Screen) apc(data []byte) {
	text, ok := strings.CutPrefix(string(data), "G")
	if !ok || s.Pixels != "kitty" {
		if !ok {
			s.unknown("APC %q", data)
		}
		return // terminals ignore what they do not know
	}
	control, payload, _ := strings.Cut(text, ";")
	keys := map[string]string{}
	for _, pair := range strings.Split(control, ",") {
		k, v, _ := strings.Cut(pair, "=")
		keys[k] = v
	}
	switch {
	case keys["a"] == "q":
		s.reply("\x1b_Gi=%s;OK\x1b\\", keys["i"])
	case keys["a"] == "d" && keys["d"] == "I":
		delete(s.Pictures, keys["i"])
	case keys["a"] == "p":
		p, ok := s.Pictures[keys["i"]]
		if !ok {
			s.unknown("place of picture %s, which is not there", keys["i"])
			return
		}
		p.Below = strings.HasPrefix(keys["z"], "-")
		s.Pictures[keys["i"]] = p
	case keys["a"] == "T" || s.uploadOf != nil:
		s.takeKitty(keys, payload, len(data))
	default:
		s.unknown("APC %q", control)
	}
}

// takeKitty takes a part of a picture, and shows it with the last.
func (s *Screen) takeKitty(keys map[string]string, payload string, size int) {
	if s.uploadOf == nil {
		s.uploadOf, s.PictureBytes = keys, 0
	}
	s.upload = append(s.upload, payload...)
	s.PictureBytes += size + len("\x1b_\x1b\\")
	if keys["m"] == "1" {
		return
	}
	of, text := s.uploadOf, s.upload
	s.uploadOf, s.upload = nil, nil
	raw, err := base64.StdEncoding.DecodeString(string(text))
	if err != nil || of["f"] != "100" {
		s.unknown("picture of format %s: %v", of["f"], err)
		return
	}
	img, err := png.Decode(bytes.NewReader(raw))
	if err != nil {
		s.unknown("picture: %v", err)
		return
	}
	p := Picture{X: s.x, Y: s.y, Image: img, Below: strings.HasPrefix(of["z"], "-")}
	fmt.Sscan(of["c"], &p.Columns)
	fmt.Sscan(of["r"], &p.Rows)
	s.Pictures[of["i"]] = p
}

// sixel shows a picture at the cursor. Text written over it later does not erase it.
func (s *Screen) sixel(data []byte) {
	img := s.unsixel(data)
	if img == nil || img.Rect.Dx() > mostSixels || img.Rect.Dy() > mostSixels {
		s.unknown("sixel picture without a size, or of more than %d pixels", mostSixels)
		return
	}
	p := Picture{X: s.x, Y: s.y, Image: img, bytes: len(data)}
	for _, beside := range []bool{true, false} { // parts of one picture
		for key, q := range s.Pictures {
			if all, ok := s.join(q, p, beside); ok {
				delete(s.Pictures, key)
				p = all
			}
		}
	}
	s.PictureBytes = p.bytes
	s.Pictures[fmt.Sprintf("%d,%d", p.X, p.Y)] = p
}

// mostSixels is the maximum width and height of pictures, as in xterm.
const mostSixels = 1000

// join joins two pictures that touch along sides of equal length: q is to the left of p, or above it.
func (s *Screen) join(q, p Picture, beside bool) (all Picture, ok bool) {
	a, b := q.Image.Bounds().Max, p.Image.Bounds().Max
	at := image.Pt(0, a.Y)
	if ok = q.X == p.X && a.X == b.X && q.Y*s.CellHeight+a.Y == p.Y*s.CellHeight; beside {
		at = image.Pt(a.X, 0)
		ok = q.Y == p.Y && a.Y == b.Y && q.X*s.CellWidth+a.X == p.X*s.CellWidth
	}
	if !ok {
		return all, false
	}
	img := image.NewRGBA(image.Rectangle{Max: at.Add(b)})
	draw.Draw(img, q.Image.Bounds(), q.Image, image.Point{}, draw.Src)
	draw.Draw(img, image.Rectangle{Min: at, Max: at.Add(b)}, p.Image, image.Point{}, draw.Src)
	return Picture{X: q.X, Y: q.Y, Image: img, bytes: q.bytes + p.bytes}, true
}

// sixels is a sixel picture being drawn: dots of a colour over the existing ones.
type sixels struct {
	data    []byte // not drawn yet
	img     *image.RGBA
	palette map[int]color.RGBA
	x, y, c int // where the next sixel goes, and its colour
}

// unsixel draws sixels; nil if they have no size.
func (s *Screen) unsixel(data []byte) *image.RGBA {
	d := sixels{data: data, palette: map[int]color.RGBA{}}
	for len(d.data) > 0 {
		b, n := d.next(), 1
		if do := sixelCommands[b]; do != nil {
			do(&d)
			continue
		}
		if b == '!' {
			n = append(d.numbers(), 0)[0]
			if len(d.data) > 0 {
				b = d.next()
			}
		}
		if b < '?' || b > '~' || d.img == nil || n > 1<<16 {
			s.unknown("sixel %q", b)
			break
		}
		d.draw(b-'?', n)
	}
	return d.img
}

// sixelCommands are the commands by their first byte; "!" repeats a sixel.
var sixelCommands = map[byte]func(d *sixels){
	'"': func(d *sixels) {
		if l := d.numbers(); len(l) == 4 && l[2]*l[3] < 1<<24 {
			d.img = image.NewRGBA(image.Rect(0, 0, l[2], l[3]))
		}
	},
	'#': func(d *sixels) {
		l := append(d.numbers(), 0)
		if d.c = l[0]; len(l) == 6 {
			percent := func(v int) uint8 { return uint8(v * 255 / 100) }
			d.palette[d.c] = color.RGBA{percent(l[2]), percent(l[3]), percent(l[4]), 255}
		}
	},
	'$': func(d *sixels) { d.x = 0 },
	'-': func(d *sixels) { d.x, d.y = 0, d.y+6 },
}

func (d *sixels) next() byte {
	b := d.data[0]
	d.data = d.data[1:]
	return b
}

// numbers reads numbers with semicolons between.
func (d *sixels) numbers() (list []int) {
	for len(d.data) > 0 && (d.data[0] == ';' || d.data[0] >= '0' && d.data[0] <= '9') {
		b := d.next()
		if b == ';' || list == nil {
			list = append(list, 0)
		}
		if b != ';' {
			list[len(list)-1] = list[len(list)-1]*10 + int(b-'0')
		}
	}
	return list
}

// draw draws six dots, one below the other, n times.
func (d *sixels) draw(dots byte, n int) {
	for range n {
		for k := range 6 {
			if dots>>k&1 != 0 {
				d.img.SetRGBA(d.x, d.y+k, d.palette[d.c])
			}
		}
		d.x++
	}
}
