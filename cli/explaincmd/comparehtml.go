package explaincmd

// A comparison as a page to send to a colleague: the sentence, both runs on one time axis with the differences between
// them, and the parts of the difference.

import (
	"context"
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"math"
	"path/filepath"
	"strings"

	"pview/cli/command"
	"pview/insight/compare"
	"pview/prv"
	"pview/prv/quantity"
	"pview/render/picture"
	screened "pview/render/timeline"
	"pview/semantic/series"
)

//go:embed compare.html
var compareReport string

var compareTemplate = command.PageTemplate("compare", compareReport)

// comparedPage is what the template shows.
type comparedPage struct {
	Title string
	Runs  []comparedRun
	// Curves are the efficiencies by threads, an SVG; "" if all runs have as many.
	Curves template.URL
	Pairs  []comparedPair
}

type comparedRun struct {
	Letter, Name, Time, Threads, Phases string
	Efficiency, Balance, Communication  string
	Notes                               []string
}

// comparedPair is a run held against A.
type comparedPair struct {
	Letter, Headline string
	Picture          template.URL // an SVG within the page; "" where the programs differ
	Kinds            []comparedKind
}

type comparedKind struct {
	Title, Doc string
	Rows       []comparedPart
	More       []comparedPart
}

// comparedPart is a part, with its bar: a share of the largest difference of its kind, in percent, to the left or to
// the right.
type comparedPart struct {
	Name, A, B, Difference, Share string
	Less, More                    float64
	Noisy                         bool
}

// writeHTML writes the page.
func (q *compareQuestion) writeHTML(ctx context.Context, list []*compare.Result) error {
	page := &comparedPage{Title: prv.Clean(filepath.Base(list[0].A.Path) + " and " + filepath.Base(list[0].B.Path))}
	page.Runs = append(page.Runs, q.comparedRun("A", list[0].A))
	var err error
	if page.Curves, err = factorCurves(list); err != nil {
		return err
	}
	for i, c := range list {
		letter := letterOf(i)
		page.Runs = append(page.Runs, q.comparedRun(letter, c.B))
		pair := comparedPair{Letter: letter, Headline: prv.Clean(asRun(c.Headline(), letter))}
		if c.Alike {
			if pair.Picture, err = q.drawAligned(ctx, c, letter); err != nil {
				return err
			}
		}
		for k := range compare.NumKinds {
			if kind := q.comparedKind(c, k, letter); len(kind.Rows) > 0 &&
				(q.by.Value == "all" || q.by.Value == k.String()) {
				pair.Kinds = append(pair.Kinds, kind)
			}
		}
		page.Pairs = append(page.Pairs, pair)
	}
	return prv.SaveFile(q.html, func(w io.Writer) error { return compareTemplate.Execute(w, page) })
}

// asRun is a headline on a run of another letter than B.
func asRun(headline, letter string) string {
	return strings.Replace(headline, "B takes", letter+" takes", 1)
}

func (q *compareQuestion) comparedRun(letter string, r *compare.Run) comparedRun {
	f := r.Factors()
	return comparedRun{Letter: letter, Name: prv.Clean(filepath.Base(r.Path)), Time: quantity.FormatDuration(r.Duration,
		prv.Nanoseconds), Threads: command.Count(int64(r.Threads)), Phases: command.Count(int64(r.Phases())),
		Efficiency: command.Percent(f.Parallel, 1), Balance: command.Percent(f.Balance, 1),
		Communication: command.Percent(f.Communication, 1),
		Notes:         r.Notes}
}

// drawAligned draws A, the differences, and the other run on A's time.
func (q *compareQuestion) drawAligned(ctx context.Context, c *compare.Result, letter string) (template.URL, error) {
	difference, err := c.Differences()
	if err != nil {
		return "", err
	}
	aligned, err := c.Aligned(ctx, q.traces[c.B])
	if err != nil {
		return "", err
	}
	cache, gen := series.NewCache(max(q.MemoryBytes/command.SeriesShare, 64<<20)), 0
	fig := &picture.Figure{Width: command.ReportWide}
	for _, p := range []struct {
		name string
		data *prv.Trace
	}{{"A  " + filepath.Base(c.A.Path), q.traces[c.A]}, {letter + " - A, of each phase", difference},
		{letter + "  " + filepath.Base(c.B.Path) + ", each phase stretched to its partner in A", aligned}} {
		gen++
		v := screened.NewView(gen, screened.NewTrace(gen, p.data))
		if p.data == difference {
			screened.LastValue("", []uint32{compare.DifferenceType})(&v.Sem)
			v.Palette = screened.PaletteOf(compare.DifferenceValues())
		}
		v.Name = prv.Clean(p.name)
		v.Span = min(mostRows, v.Rows(p.data))
		from, to := c.A.Span()
		unit := q.traces[c.A].Unit.Nanoseconds()
		v.Begin, v.End = from/unit, max(to/unit, from/unit+1)
		v.Clamp(p.data, max(p.data.Duration, v.End))
		if err := v.Complete(screened.Resources{Context: ctx, Cache: cache, Gen: &gen}); err != nil {
			return "", err
		}
		fig.Panels = append(fig.Panels, picture.OfView(v, false))
	}
	return command.SvgOf(fig)
}

// comparedKind is the parts of a kind: the first ones, and the others to be unfolded.
func (q *compareQuestion) comparedKind(c *compare.Result, k compare.Kind, letter string) comparedKind {
	out := comparedKind{Title: kindTitle(k), Doc: k.Doc()}
	parts, largest := c.Of(k), int64(1)
	for i := range parts {
		largest = max(largest, int64(math.Abs(float64(parts[i].Difference()))))
	}
	a, _ := c.Times()
	for i := range parts {
		p := &parts[i]
		d := p.Difference()
		row := comparedPart{Name: nameIn(p, letter), A: quantity.FormatDuration(p.A, prv.Nanoseconds),
			B: quantity.FormatDuration(p.B, prv.Nanoseconds), Difference: signedDuration(d),
			Share: fmt.Sprintf("%+.2f %%", 100*ratio(d, a)), Noisy: p.Noisy()}
		if bar := 100 * float64(d) / float64(largest); bar < 0 {
			row.Less = -bar
		} else {
			row.More = bar
		}
		if q.top > 0 && i >= q.top {
			out.More = append(out.More, row)
		} else {
			out.Rows = append(out.Rows, row)
		}
	}
	return out
}

// signedDuration writes a difference of ns.
func signedDuration(d int64) string {
	if d < 0 {
		return "-" + quantity.FormatDuration(-d, prv.Nanoseconds)
	}
	return "+" + quantity.FormatDuration(d, prv.Nanoseconds)
}
