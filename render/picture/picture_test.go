package picture

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"image/png"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"compress/flate"
	"encoding/binary"

	"pview/insight/report/figure"
	"pview/prv"
	"pview/prv/quantity"
	"pview/render/raster"
	"pview/semantic/series"
)

// colorOf gives 1 red and 2 blue, whatever the theme.
var red, blue = raster.RGB(200, 30, 30), raster.RGB(30, 60, 200)

// twoRows returns a run of 1000 ns: row "a" has value 1 for 250 ns, then 2; row "b" has 2 for 500 ns, then 1 for 250
// ns, then 0.
func twoRows() *Timeline {
	palette := raster.NewPalette(nil)
	palette.Set(1, red)
	palette.Set(2, blue)
	names := map[float64]string{0: "nothing", 1: "computes", 2: "waits <&>"}
	return &Timeline{
		Title: "State", End: 1000, Duration: 1000, Unit: prv.Nanoseconds, Modes: raster.Modes{Time: series.MostTime},
		Label: func(v float64) string { return names[v] },
		Rows: []Row{
			{"a", series.New([]int64{0, 250}, []float64{1, 2}, 1000)},
			{"b", series.New([]int64{0, 500, 750}, []float64{2, 1, 0}, 1000)},
		},
		Painter: raster.Painter{Look: look(false), Palette: palette, ZeroIsBackground: true},
	}
}

func written(t *testing.T, ext string, f *Figure) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := f.Write(&b, FormatOf("x"+ext)); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// A PNG has the requested size, and along each row the colours of the row's values by their shares of time.
func TestPNG(t *testing.T) {
	for _, scale := range []float64{1, 2} {
		img, err := png.Decode(bytes.NewReader(written(t, ".png",
			&Figure{Title: "T", Width: 700, Height: 220, Scale: scale, Panels: []Panel{twoRows()}})))
		if err != nil {
			t.Fatal(err)
		}
		if got, want := img.Bounds().Dx(), int(700*scale); got != want {
			t.Errorf("%d wide, want %d", got, want)
		}
		// Rows of the picture, by the share of each colour in them.
		var shares []string
		for y := range img.Bounds().Dy() {
			n := map[raster.Color]int{}
			for x := range img.Bounds().Dx() {
				r, g, b, _ := img.At(x, y).RGBA()
				n[raster.RGB(uint8(r>>8), uint8(g>>8), uint8(b>>8))]++
			}
			if all := n[red] + n[blue]; all > 300 {
				share := fmt.Sprintf("%.2f", float64(n[red])/float64(all))
				if len(shares) == 0 || shares[len(shares)-1] != share {
					shares = append(shares, share)
				}
			}
		}
		// Row a: 250 of 1000 is 0.25 red; row b: 250 of the 750 that are painted is 0.33.
		if got := strings.Join(shares, " "); got != "0.25 0.33" {
			t.Errorf("scale %g: red has the shares %s of the rows, want 0.25 0.33", scale, got)
		}
	}
}

// An SVG is well-formed whatever the names contain, and its rectangles are the bursts.
func TestSVG(t *testing.T) {
	panel := twoRows()
	panel.Title = "a <script> & \x01\xff"
	text := written(t, ".svg", &Figure{Title: "T", Width: 700, Height: 220, Panels: []Panel{panel}})
	for d := xml.NewDecoder(bytes.NewReader(text)); ; {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatalf("%v in\n%s", err, text)
		}
	}
	width := func(c raster.Color) (w []float64) {
		path := regexp.MustCompile(`fill="`+hex(c)+`"[^>]* d="([^"]*h[^"]*)"`).FindAllSubmatch(text, -1)
		for _, p := range path {
			for _, m := range regexp.MustCompile(`h([0-9.]+)v`).FindAllSubmatch(p[1], -1) {
				var v float64
				fmt.Sscan(string(m[1]), &v)
				if v > 10 {
					w = append(w, v)
				}
			}
		}
		return w
	}
	r, b := width(red), width(blue)
	if len(r) != 2 || len(b) != 2 || math.Abs(r[0]-r[1]) > 1 || math.Abs(b[0]/r[0]-3) > 0.02 ||
		math.Abs(b[1]/r[0]-2) > 0.02 {
		t.Errorf("widths of red %v and blue %v, want one quarter twice, and three quarters and a half", r, b)
	}
	for _, want := range []string{">computes<", ">waits &lt;&amp;&gt;<", ">a<", ">b<", "0.5 us"} {
		if !bytes.Contains(text, []byte(want)) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
}

// If there were too many rectangles, a picture of pixels replaces them, so that the file stays small.
func TestManyShapesBecomeAnImage(t *testing.T) {
	panel := twoRows()
	panel.Rows = nil
	for r := range 400 {
		var begin []int64
		var value []float64
		for i := range 500 {
			begin = append(begin, int64(2*i))
			value = append(value, float64(1+(i+r)%2))
		}
		panel.Rows = append(panel.Rows, Row{fmt.Sprint(r), series.New(begin, value, 1000)})
	}
	for _, ext := range []string{".svg", ".pdf"} {
		text := written(t, ext, &Figure{Panels: []Panel{panel}})
		if len(text) > 1<<20 {
			t.Errorf("%s has %d bytes", ext, len(text))
		}
		if ext == ".svg" && !bytes.Contains(text, []byte("data:image/png")) {
			t.Error("no image in the SVG")
		}
	}
}

// A PDF is one page of the size in points, the same bytes each time.
func TestPDF(t *testing.T) {
	f := &Figure{Title: "T", Width: 800, Height: 400, Panels: []Panel{twoRows()}}
	a, b := written(t, ".pdf", f), written(t, ".pdf", f)
	if !bytes.Equal(a, b) {
		t.Error("two files of one picture differ")
	}
	// 800 x 400 px of 1/96 inch are 600 x 300 points of 1/72.
	if !bytes.HasPrefix(a, []byte("%PDF-")) || !bytes.Contains(a, []byte("/MediaBox [0 0 600.00 300.00]")) {
		t.Errorf("no page of 600 x 300 points: %.200s", a)
	}
	if text, err := exec.Command("pdftotext", "-v").CombinedOutput(); err == nil && len(text) > 0 {
		path := filepath.Join(t.TempDir(), "a.pdf")
		if err := os.WriteFile(path, a, 0o600); err != nil {
			t.Fatal(err)
		}
		out, err := exec.Command("pdftotext", path, "-").Output()
		if err != nil || !strings.Contains(string(out), "computes") || !strings.Contains(string(out), "waits <&>") {
			t.Errorf("%v: text of the page is %q", err, out)
		}
	}
}

// figureOf reads the data of a page.
func figureOf(t *testing.T, page []byte) (panels []map[string]any) {
	t.Helper()
	m := regexp.MustCompile(`(?s)<script id="figure" type="application/json">(.*?)</script>`).FindSubmatch(page)
	var f struct{ Panels []map[string]any }
	if m == nil || json.Unmarshal(m[1], &f) != nil {
		t.Fatalf("no figure in the page")
	}
	return f.Panels
}

// The bursts of a page are those of the series: all times and values, exactly.
func TestPageHoldsAllBursts(t *testing.T) {
	p := figureOf(t, written(t, ".html", &Figure{Title: "</script>", Panels: []Panel{twoRows()}}))[0]
	packed, err := base64.StdEncoding.DecodeString(p["data"].(string))
	if err != nil {
		t.Fatal(err)
	}
	in := bytes.NewReader(must(io.ReadAll(flate.NewReader(bytes.NewReader(packed)))))
	next := func() int64 { return int64(must(binary.ReadUvarint(in))) }
	var got []string
	for range 2 {
		at := int64(0)
		for range next() {
			at += next()
			got = append(got, fmt.Sprint(at, "=", p["values"].([]any)[next()]))
		}
		got = append(got, fmt.Sprint("end ", at+next()))
	}
	if want := "0=1, 250=2, end 1000, 0=2, 500=1, 750=0, end 1000"; strings.Join(got, ", ") != want || in.Len() > 0 {
		t.Errorf("got %v, want %s; %d bytes left", got, want, in.Len())
	}
	if fmt.Sprint(p["names"]) != "[computes waits <&> nothing]" ||
		fmt.Sprint(p["colors"]) != fmt.Sprintf("[%s %s ]", hex(red), hex(blue)) {
		t.Errorf("names %v, colours %v", p["names"], p["colors"])
	}
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// chromium returns the path of a browser; the test is skipped if there is none.
func chromium(t *testing.T) string {
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	t.Skip("no Chromium here")
	return ""
}

// In a browser the page shows the value under the pointer, and the wheel zooms around it.
func TestPageInABrowser(t *testing.T) {
	browser := chromium(t)
	cells := &Table{Title: "Calls", Unit: "%", Rows: []Heading{{Name: "r0"}, {Name: "r1"}},
		Columns: []Heading{{Name: "c0"}},
		Cell:    func(r, c int) (float64, bool) { return 12.5, r == 1 }, Text: func(v float64, _, _ int) string {
			return PlainNumber(v)
		}}
	cells.Fit(false)
	curve := sweep()
	page := written(t, ".html", &Figure{Title: "T", Panels: []Panel{twoRows(), cells, curve}})
	// The script of the test: the tips at some places, before and after a turn of the wheel.
	page = bytes.Replace(page, []byte("</body>"), []byte(`<script>
const waited = setInterval(() => {
  if (document.body.dataset.ready !== "yes") return;
  clearInterval(waited);
const said = [], canvas = document.querySelectorAll("canvas"), box = canvas[0].getBoundingClientRect(), tip =
document.getElementById("tip");   const left = canvas[0].width - 8; // without the margin at the right
  const c = canvas[0].getContext("2d");
  // the column where row a turns from red to blue is its first blue one: 1/4 of the time
  const row = c.getImageData(0, 10, canvas[0].width, 1).data;
const first = color => { for (let x = 0; x < row.length / 4; x++) if (row[4*x] === color[0] && row[4*x+1] === color[1]
&& row[4*x+2] === color[2]) return x; return -1; };   const from = first([200, 30, 30]), turn = first([30, 60, 200]);
  const g = devicePixelRatio;
  said.push("turn at " + ((turn - from) / (left * 1 - from)).toFixed(2));
const point = (x, y) => { canvas[0].dispatchEvent(new PointerEvent("pointermove", { clientX: box.left + x / g, clientY:
box.top + y, bubbles: true })); return tip.textContent.replaceAll("\n", "; "); };   said.push(point(turn - 20, 10),
point(turn + 20, 10), point(canvas[0].width - 30, 30));   const label = () => tip.textContent.split("\n")[0];
canvas[0].dispatchEvent(new WheelEvent("wheel", { deltaY: -100, clientX: box.left + turn / g, clientY: box.top + 10,
bubbles: true, cancelable: true }));   said.push("zoomed " + (axis.end - axis.begin).toFixed(0) + " around " + label());
  document.querySelectorAll("button")[2].click();
  said.push("all " + (axis.end - axis.begin).toFixed(0));
  document.querySelectorAll("td")[1].dispatchEvent(new PointerEvent("pointermove", { clientX: 9, clientY: 9 }));
  said.push(tip.textContent.replaceAll("\n", "; "));
  const svg = document.querySelector(".chart svg"), plot = svg.getBoundingClientRect();
for (let x = plot.width; x > plot.width - 60; x -= 2) { svg.dispatchEvent(new PointerEvent("pointermove", { clientX:
plot.left + x, clientY: plot.top + 50 })); if (tip.style.display === "block") break; }  
said.push(tip.textContent.replaceAll("\n", "; "));   document.body.innerHTML = "<pre>" + said.map(s =>
s.replace(/[<&>]/g, "?")).join("\n") + "</pre>"; }, 20);
</script></body>`), 1)
	dir := t.TempDir()
	path := filepath.Join(dir, "page.html")
	if err := os.WriteFile(path, page, 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), browser, "--headless", "--no-sandbox", "--disable-gpu",
		"--user-data-dir="+dir, "--window-size=1000,800", "--virtual-time-budget=8000", "--dump-dom", "file://"+path)
	out, err := cmd.Output()
	if err != nil {
		t.Skipf("the browser does not run here: %v", err)
	}
	_, said, _ := strings.Cut(string(out), "<pre>")
	said, _, _ = strings.Cut(said, "</pre>")
	want := `turn at 0\.25
a  at 2\d\d ns; computes \(1\)  for 250 ns; 0 ns \.\. 250 ns
a  at 2\d\d ns; waits \?\?\? \(2\)  for 750 ns; 250 ns \.\. 1\.000 us
b  at 9\d\d ns; nothing \(0\)  for 250 ns; 750 ns \.\. 1\.000 us
zoomed 800 around a  at 250 ns
all 1000
r1; c0; 12\.5 %
lu; latency 4; time 17`
	if !regexp.MustCompile("^" + want + "$").MatchString(said) {
		t.Errorf("the page said\n%s\nwant\n%s", said, want)
	}
}

// The script of a page writes times in the chosen unit.
func TestPageHasTheUnitOfTimes(t *testing.T) {
	for _, unit := range []string{"ms", "auto"} {
		if err := quantity.UseTimeUnit(unit); err != nil {
			t.Fatal(err)
		}
		page := string(written(t, ".html", &Figure{Title: "T", Panels: []Panel{twoRows()}}))
		if !strings.Contains(page, `{"times":"`+unit+`","panels":[`) {
			t.Errorf("%s is not the unit of the page", unit)
		}
	}
}

// Sizes are limited: both a requested size, and the size that the content needs.
func TestSizes(t *testing.T) {
	for text, want := range map[string]string{"1200x600": "1200 600", "900": "900 0", "10x10": "bad", "x": "bad",
		"1200x": "bad", "1e9x9": "bad", "999999x600": "bad", "-5x600": "bad"} {
		w, h, err := ParseSize(text)
		got := fmt.Sprint(w, h)
		if err != nil {
			got = "bad"
		}
		if got != want {
			t.Errorf("%s is %s (%v), want %s", text, got, err, want)
		}
	}
	var many []Panel
	for range 200 {
		many = append(many, twoRows())
	}
	if err := (&Figure{Panels: many, Scale: 2}).Write(io.Discard, FormatOf("a.png")); err == nil ||
		!strings.Contains(err.Error(), "too large") {
		t.Errorf("200 panels: %v", err)
	}
}

// sweep is three points of a time by a latency.
func sweep() *Chart {
	return &Chart{&figure.Figure{Title: "Sweep", X: figure.Axis{Name: "latency"},
		Y:      figure.Axis{Name: "time", Zero: true},
		Layers: []figure.Layer{{Name: "lu", Shape: figure.Line, X: []float64{1, 2, 4}, Y: []float64{10, 12, 17}}}}}
}

// Every shape is drawn into every kind of file; the SVG is well-formed and has names, labels with units, and the points
// of a cloud.
func TestChart(t *testing.T) {
	us := figure.Column{Name: "total", Kind: quantity.Time, Values: []float64{1000, 2000, 2000, 3000, 4000}}
	limited := figure.Histogram(us)
	limited.Limit(us, 3500)
	tornado := figure.Tornado(us, 2000, []figure.Swing{{Name: "latency", Low: 1000, High: 4000},
		{Name: "buses", Low: 2000, High: 1900}})
	cloud := figure.Scatter(us, us)
	cloud.MarkRef(4, figure.Mark{Name: "worst", Ink: figure.Vermilion})
	list := []Panel{chart(cloud), chart(limited), chart(figure.Distribution(us)), chart(figure.RunningMean(us)),
		chart(tornado),
		chart(figure.Matrix("pairs", []string{"a"}, []string{"b", "c"}, func(_, c int) float64 { return float64(c) }))}
	for _, f := range formats {
		file := written(t, f.Ext, &Figure{Title: "T", Panels: list, Dark: true})
		if f.Ext != ".svg" {
			continue
		}
		for d := xml.NewDecoder(bytes.NewReader(file)); ; {
			if _, err := d.Token(); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				t.Fatal(err)
			}
		}
		for _, want := range []string{">total by total<", ">total (us)<", ">worst<", ">latency<",
			"P(&gt; 3.5 us) = 20.0 %"} {
			if !bytes.Contains(file, []byte(want)) {
				t.Errorf("no %q", want)
			}
		}
	}
	// A cloud of five points and nothing else: five shapes.
	alone := written(t, ".svg", &Figure{Panels: []Panel{&Chart{figure.Scatter(us, us)}}})
	if n := bytes.Count(alone, []byte("fill-opacity")); n != 5 {
		t.Errorf("%d points, want 5", n)
	}
}

func chart(f *figure.Figure) Panel { return &Chart{f} }

// Panels without rows, without values, or with one instant are drawn without a panic in every format.
func TestNothingToDraw(t *testing.T) {
	empty := twoRows()
	empty.Rows = nil
	unknown := twoRows()
	unknown.Rows = []Row{{"x", nil}}
	unknown.Curves = true
	odd := twoRows()
	odd.Painter.Mode = raster.Gradient
	odd.Rows = []Row{{"nan", series.New([]int64{0, 10}, []float64{math.NaN(), math.Inf(1)}, 1000)}}
	none := &Table{Cell: func(int, int) (float64, bool) { return 0, false }, Text: func(float64, int, int) string {
		return ""
	}}
	for _, f := range formats {
		for _, size := range [][2]float64{{0, 0}, {LeastWidth, LeastHeight}} {
			fig := &Figure{Width: size[0], Height: size[1],
				Panels: []Panel{empty, unknown, odd, none, &Chart{&figure.Figure{}},
					&Chart{&figure.Figure{Layers: []figure.Layer{{Shape: figure.Line, X: []float64{1},
						Y: []float64{1}}}}}}}
			if err := fig.Write(io.Discard, &f); err != nil {
				t.Errorf("%s at %v: %v", f.Ext, size, err)
			}
		}
	}
}

// A picture of a small table is as wide as the table; beside a timeline, or with a requested size, it is not.
func TestTablesAreAsWideAsTheyNeed(t *testing.T) {
	table := &Table{Title: "t", Rows: []Heading{{Name: "THREAD 1.1.1"}}, Columns: []Heading{{Name: "a"}, {Name: "b"}},
		Cell: func(r, c int) (float64, bool) { return float64(c), true }, Text: func(v float64, r, c int) string {
			return "12.5"
		}}
	width := func(f *Figure) int {
		var b bytes.Buffer
		f.Scale = 1
		if err := f.Write(&b, FormatOf("a.png")); err != nil {
			t.Fatal(err)
		}
		img, err := png.DecodeConfig(&b)
		if err != nil {
			t.Fatal(err)
		}
		return img.Width
	}
	if w := width(&Figure{Panels: []Panel{table}}); w != 400+2*margin {
		t.Errorf("%d wide", w)
	}
	if w := width(&Figure{Panels: []Panel{table}, Width: 700}); w != 700 {
		t.Errorf("%d wide, not 700", w)
	}
	if w := width(&Figure{Panels: []Panel{table, &Timeline{}}}); w != DefaultWidth {
		t.Errorf("%d wide beside a timeline", w)
	}
	wide := *table
	for range 40 {
		wide.Columns = append(wide.Columns, Heading{Name: "c"})
	}
	if w := width(&Figure{Panels: []Panel{&wide}}); w != DefaultWidth {
		t.Errorf("42 columns are %d wide", w)
	}
}
