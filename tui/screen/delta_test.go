package screen

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"pview/render/raster"

	"github.com/charmbracelet/x/ansi"
)

// terminal understands exactly what Delta sends.
type terminal struct {
	t     *testing.T
	w, h  int
	cells [][]shownCell
	x, y  int
	style string
}

type shownCell struct{ text, style string }

func newTerminal(t *testing.T, w, h int) *terminal {
	s := &terminal{t: t, w: w, h: h, style: "|"}
	s.clear()
	return s
}

func (s *terminal) clear() {
	s.cells = nil
	for range s.h {
		line := make([]shownCell, s.w)
		for x := range line {
			line[x] = shownCell{" ", "|"}
		}
		s.cells = append(s.cells, line)
	}
}

func (s *terminal) write(text string) {
	for len(text) > 0 {
		switch {
		case strings.HasPrefix(text, "\x1b["):
			end := strings.IndexFunc(text[2:], func(r rune) bool { return r >= '@' && r <= '~' }) + 2
			s.control(text[2:end], text[end])
			text = text[end+1:]
		case strings.HasPrefix(text, "\r\n"):
			s.x, s.y = 0, s.y+1
			text = text[2:]
		default:
			g, w := ansi.FirstGraphemeCluster(text, ansi.GraphemeWidth)
			s.print(g, w)
			text = text[len(g):]
		}
	}
}

func (s *terminal) print(g string, w int) {
	if s.x+w > s.w {
		s.t.Fatalf("%q is written past the right edge of line %d", g, s.y)
	}
	s.cells[s.y][s.x] = shownCell{g, s.style}
	if w == 2 {
		s.cells[s.y][s.x+1] = shownCell{"", s.style}
	}
	s.x += w
}

func (s *terminal) control(args string, final byte) {
	n := func(i int) int {
		parts := strings.Split(args, ";")
		if i < len(parts) && parts[i] != "" {
			v, err := strconv.Atoi(parts[i])
			if err != nil {
				s.t.Fatalf("bad number in %q", args)
			}
			return v
		}
		return 1
	}
	background := func() string { // erased cells have the background, and nothing else of the style
		bg := "|"
		for _, part := range strings.Split(s.style, "|") {
			if strings.HasPrefix(part, "bg") {
				bg = "|" + part
			}
		}
		return bg
	}
	line := s.cells[min(s.y, s.h-1)]
	switch final {
	case 'H':
		s.y, s.x = n(0)-1, n(1)-1
	case 'C':
		s.x += n(0)
	case 'J':
		s.clear()
	case 'X':
		for x := s.x; x < s.x+n(0); x++ {
			line[x] = shownCell{" ", background()}
		}
	case 'P':
		copy(line[s.x:], line[s.x+n(0):])
		for x := s.w - n(0); x < s.w; x++ {
			line[x] = shownCell{" ", background()}
		}
	case '@':
		copy(line[s.x+n(0):], line[s.x:])
		for x := s.x; x < s.x+n(0); x++ {
			line[x] = shownCell{" ", background()}
		}
	case 'm':
		s.style = styleAfter(s.style, args)
	default:
		s.t.Fatalf("unknown sequence %q %c", args, final)
	}
}

// styleAfter applies an SGR sequence to a style written as "1|4|fg...|bg...".
func styleAfter(style, args string) string {
	attrs, fg, bg := map[string]bool{}, "", ""
	for _, part := range strings.Split(style, "|") {
		switch {
		case strings.HasPrefix(part, "fg"):
			fg = part
		case strings.HasPrefix(part, "bg"):
			bg = part
		case part != "":
			attrs[part] = true
		}
	}
	parts := strings.Split(args, ";")
	for i := 0; i < len(parts); i++ {
		switch p := parts[i]; p {
		case "", "0":
			clear(attrs)
			fg, bg = "", ""
		case "38":
			fg = "fg" + strings.Join(parts[i:i+5], ";")
			i += 4
		case "48":
			bg = "bg" + strings.Join(parts[i:i+5], ";")
			i += 4
		case "39":
			fg = ""
		case "49":
			bg = ""
		default:
			attrs[p] = true
		}
	}
	out := ""
	for _, a := range []string{"1", "2", "4", "7", "3"} {
		if attrs[a] {
			out += a + "|"
		}
	}
	return out + fg + "|" + bg
}

// shows fails unless the terminal shows the canvas.
func (s *terminal) shows(c raster.Canvas, what string) {
	s.t.Helper()
	want := newTerminal(s.t, c.W, c.H)
	for y := range c.H {
		want.x, want.y = 0, y
		want.write(string(Append(nil, c.Sub(0, y, c.W, 1), raster.TrueColor)))
	}
	for y := range c.H {
		for x := range c.W {
			got, exp := s.cells[y][x], want.cells[y][x]
			if exp.text == " " && got.text == " " && strings.Count(exp.style, "|") == 1 {
				// A blank shows its background only.
				got.style, exp.style = got.style[strings.LastIndexByte(got.style, '|'):],
					exp.style[strings.LastIndexByte(exp.style, '|'):]
			}
			if got != exp {
				s.t.Fatalf("%s: column %d of line %d shows %q, want %q", what, x, y, got, exp)
			}
		}
	}
}

func randomCanvas(r *rand.Rand, w, h int) raster.Canvas {
	c := raster.NewCanvas(w, h)
	for y := range h {
		for x := 0; x < w; {
			st := raster.Style{}
			if r.IntN(2) > 0 {
				st.BG = raster.RGB(uint8(r.IntN(3)*90), 0, 0)
			}
			if r.IntN(3) == 0 {
				st.FG = raster.RGB(0, uint8(r.IntN(3)*90), 0)
			}
			if r.IntN(9) == 0 {
				st.Attr = raster.Attr(1 << r.IntN(3))
			}
			text := []string{" ", " ", "x", "▇", "│", "日", "e\u0301"}[r.IntN(7)]
			for range 1 + r.IntN(20) {
				x = c.Text(x, y, text, st)
			}
		}
	}
	return c
}

// From any picture to any next one, the terminal shows the next one in the end.
func TestDeltaReachesEveryPicture(t *testing.T) {
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 1))
		w, h := 1+r.IntN(60), 1+r.IntN(8)
		s := newTerminal(t, w, h)
		d := Delta{Profile: raster.TrueColor, Erase: r.IntN(2) == 0}
		for step := range 8 {
			c := randomCanvas(r, w, h)
			if step > 0 && r.IntN(2) == 0 { // little changes
				copyTo(&c, d.shown)
				for range r.IntN(10) {
					c.Set(r.IntN(w), r.IntN(h), raster.Cell{Rune: 'o', Style: raster.Style{}})
				}
			}
			shift := Shift{r.IntN(w), 0, 1 + r.IntN(w), h, r.IntN(9) - 4}
			s.write(string(d.Append(nil, c, []Shift{shift})))
			s.shows(c, fmt.Sprintf("seed %d step %d", seed, step))
		}
	}
}

// copyTo makes a canvas show the same as c.
func copyTo(to *raster.Canvas, c raster.Canvas) {
	for y := range c.H {
		x := 0
		for _, cell := range c.Line(y) {
			if g := c.Grapheme(cell); g != "" {
				x = to.Text(x, y, g, cell.Style)
			}
		}
	}
}

// Drawing over half of a wide character blanks the other half; if that drawing goes, or only one half changes its
// style, the character is sent again.
func TestDeltaOverHalves(t *testing.T) {
	names := func() raster.Canvas {
		c := raster.NewCanvas(8, 1)
		c.Text(0, 0, "a日本x", raster.Style{})
		return c
	}
	s, d := newTerminal(t, 8, 1), Delta{Profile: raster.TrueColor}
	show := func(c raster.Canvas, what, want string) {
		s.write(string(d.Append(nil, c, nil)))
		s.shows(c, what)
		if got := string(c.AppendPlain(nil)); got != want {
			t.Errorf("%s: %q is drawn, want %q", what, got, want)
		}
	}
	show(names(), "at first", "a日本x")
	for x, want := range []string{"|日本x", "a| 本x", "a |本x", "a日| x", "a日 |x"} {
		c := names()
		c.Set(x, 0, raster.Cell{Rune: '|'})
		show(c, fmt.Sprintf("a line in column %d", x), want)
		show(names(), fmt.Sprintf("no line in column %d", x), "a日本x")
	}
	for x := range 6 {
		c := names()
		c.Line(0)[x].BG = raster.RGB(9, 9, 9)
		show(c, fmt.Sprintf("column %d in a colour", x), "a日本x")
	}
}

// A dense picture that moves by one column takes a move and one column per line.
func TestDeltaMovesWhatMoved(t *testing.T) {
	const w, h, left, right = 200, 50, 15, 199
	r := rand.New(rand.NewPCG(7, 7))
	color := func() raster.Color { return raster.RGB(uint8(r.IntN(256)), uint8(r.IntN(256)), uint8(r.IntN(256))) }
	c := raster.NewCanvas(w, h)
	for y := range h {
		c.Text(0, y, fmt.Sprintf("THREAD 1.%d.1", y+1), raster.Style{})
		for x := left; x < right; x++ {
			c.Set(x, y, raster.Cell{Rune: ' ', Style: raster.Style{BG: color()}})
		}
		c.Set(right, y, raster.Cell{Rune: '│', Style: raster.Style{}})
	}
	s := newTerminal(t, w, h)
	d := Delta{Profile: raster.TrueColor, Erase: true}
	s.write(string(d.Append(nil, c, nil)))
	for step := range 4 {
		by := []int{-1, -3, 2, 1}[step]
		next := raster.NewCanvas(w, h)
		copyTo(&next, c)
		for y := range h {
			for x := left; x < right; x++ {
				if from := x - by; from >= left && from < right {
					next.Set(x, y, c.At(from, y))
				} else {
					next.Set(x, y, raster.Cell{Rune: ' ', Style: raster.Style{BG: color()}})
				}
			}
		}
		c = next
		sent := d.Append(nil, c, []Shift{{left, 0, right - left, h, by}})
		s.write(string(sent))
		s.shows(c, fmt.Sprintf("step %d", step))
		if n := max(by, -by); len(sent) > h*(30+25*n) {
			t.Errorf("moving %d lines by %d takes %d bytes", h, by, len(sent))
		}
	}
}

func TestDeltaSendsNothingForTheSame(t *testing.T) {
	c := randomCanvas(rand.New(rand.NewPCG(1, 2)), 80, 24)
	d := Delta{Profile: raster.TrueColor}
	d.Append(nil, c, nil)
	if sent := d.Append(nil, c, nil); len(sent) > 0 {
		t.Errorf("the same picture takes %q", sent)
	}
	d.Forget()
	if sent := d.Append(nil, c, nil); len(sent) == 0 {
		t.Error("after Forget nothing is sent")
	}
}
