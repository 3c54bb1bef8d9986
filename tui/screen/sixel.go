package screen

import (
	"cmp"
	"image"
	"slices"
	"strconv"

	"github.com/charmbracelet/x/ansi"
)

// Sixels: six lines of pixels are a band; a character has the dots of one colour in a column of the band, and a run of
// equal characters is written once. The colours of a band are painted over one another, so a colour need not stop where
// a later one will be painted: its runs continue below that. For timelines, whose bands have hundreds of stripes, this
// makes pictures several times smaller than an encoder that paints each pixel once.

// mostSixels is the maximum width and height of a picture: xterm draws nothing of a larger one.
const mostSixels = 1000

// appendSixels adds a picture in its cells, in parts that terminals draw.
func appendSixels(dst []byte, i *Image) []byte {
	img := i.Picture.Paletted
	cellW, cellH := max(img.Rect.Dx()/i.Part.W, 1), max(img.Rect.Dy()/i.Part.H, 1)
	w, h := max(mostSixels/cellW, 1), max(mostSixels/cellH, 1) // cells of a part
	for y := 0; y < i.Part.H; y += h {
		for x := 0; x < i.Part.W; x += w {
			dst = append(dst, ansi.CursorPosition(i.Part.X+x+1, i.Part.Y+y+1)...)
			dst = appendSixel(dst, img.SubImage(image.Rect(x*cellW, y*cellH, (x+w)*cellW,
				(y+h)*cellH)).(*image.Paletted))
		}
	}
	return dst
}

// appendSixel adds a picture at the cursor.
func appendSixel(dst []byte, img *image.Paletted) []byte {
	w, h := img.Rect.Dx(), img.Rect.Dy()
	dst = append(dst, "\x1bP0;1;0q\"1;1;"...)
	dst = strconv.AppendInt(dst, int64(w), 10)
	dst = strconv.AppendInt(append(dst, ';'), int64(h), 10)
	for i, c := range img.Palette {
		r, g, b, _ := c.RGBA()
		dst = strconv.AppendInt(append(dst, '#'), int64(i), 10)
		dst = append(dst, ";2"...)
		for _, v := range [...]uint32{r, g, b} { // in percent
			dst = strconv.AppendInt(append(dst, ';'), int64((v*100+0x7fff)/0xffff), 10)
		}
	}
	band := sixelBand{dots: make([][]byte, len(img.Palette)), count: make([]int, len(img.Palette)),
		later: make([]byte, w)}
	for y := 0; y < h; y += 6 {
		if y > 0 {
			dst = append(dst, '-')
		}
		dst = band.append(dst, img, y)
	}
	return append(dst, "\x1b\\"...)
}

// sixelBand is six lines of a picture.
type sixelBand struct {
	dots  [][]byte // by colour and column
	count []int    // pixels by colour
	later []byte   // by column: the dots of the colour and of those painted after it
	order []int
}

func (b *sixelBand) append(dst []byte, img *image.Paletted, top int) []byte {
	w := img.Rect.Dx()
	b.order = b.order[:0]
	clear(b.count)
	clear(b.later)
	for k := range min(6, img.Rect.Dy()-top) {
		for x, c := range img.Pix[(top+k)*img.Stride : (top+k)*img.Stride+w] {
			if b.count[c] == 0 {
				b.order = append(b.order, int(c))
				if b.dots[c] == nil {
					b.dots[c] = make([]byte, w)
				}
				clear(b.dots[c])
			}
			b.count[c]++
			b.dots[c][x] |= 1 << k
			b.later[x] |= 1 << k
		}
	}
	// The most frequent colour first: the others are painted over it.
	slices.SortFunc(b.order, func(c, d int) int {
		return cmp.Or(cmp.Compare(b.count[d], b.count[c]), cmp.Compare(c, d))
	})
	for i, c := range b.order {
		if i > 0 {
			dst = append(dst, '$')
		}
		dst = strconv.AppendInt(append(dst, '#'), int64(c), 10)
		dst = b.paint(dst, b.dots[c])
		for x, own := range b.dots[c] {
			b.later[x] &^= own
		}
	}
	return dst
}

// paint adds the runs of a colour: each character has the required dots, and no forbidden ones.
func (b *sixelBand) paint(dst []byte, must []byte) []byte {
	run, n := byte(0), 0
	for x, dots := range must {
		if dots&^run != 0 || run&^b.later[x] != 0 {
			dst = appendRun(dst, run, n)
			if run, n = 0, 0; dots != 0 {
				run = b.later[x]
			}
		}
		n++
	}
	if run == 0 {
		return dst // trailing unpainted columns need no characters
	}
	return appendRun(dst, run, n)
}

// appendRun adds n equal characters.
func appendRun(dst []byte, dots byte, n int) []byte {
	if n > 3 {
		dst = strconv.AppendInt(append(dst, '!'), int64(n), 10)
		n = 1
	}
	for range n {
		dst = append(dst, '?'+dots)
	}
	return dst
}
