package study

import (
	"math"

	"pview/insight/report/figure"
	"pview/insight/studies"
)

// page is a page of the pane.
type page struct {
	name, doc string
	// figure makes a plot of the page; nil for pages without one.
	figure func(s *session) *figure.Figure
	// hasX: the page has its own column on the x axis.
	hasX bool
}

// The pages.
const (
	pageSetup = iota
	pageRuns
	pageScatter
	pageHistogram
	pageDistribution
	pageMean
	pageTornado
)

var pages = []page{
	pageSetup: {name: "setup", doc: "variables, number of runs, outputs"},
	pageRuns:  {name: "runs", doc: "table of the runs"},
	pageScatter: {name: "scatter", doc: "any two columns against each other", figure: (*session).scatter,
		hasX: true},
	pageHistogram: {name: "histogram", doc: "how often values occur, and the probability of exceeding a limit",
		figure: (*session).histogram},
	pageDistribution: {name: "distribution", doc: "share of the runs up to a value", figure: (*session).distribution},
	pageMean: {name: "mean", doc: "the mean by the number of runs, with its confidence band",
		figure: (*session).mean},
	pageTornado: {name: "tornado", doc: "influence of the inputs on the output", figure: (*session).tornado},
}

func pageNames() (list []string) {
	for _, p := range pages {
		list = append(list, p.name)
	}
	return list
}

func (s *session) scatter() *figure.Figure {
	f := figure.Scatter(s.values(s.x), s.values(s.y))
	studies.MarkMeasured(f, s.table, s.x, s.y)
	s.markRuns(f)
	return f
}

// markRuns marks the worst, the best and the chosen run.
func (s *session) markRuns(f *figure.Figure) {
	least, greatest := s.extremes()
	low, high := s.info(s.y).Ends()
	f.MarkRef(least, figure.Mark{Ink: figure.Green, Name: low, Sign: '▼'})
	f.MarkRef(greatest, figure.Mark{Ink: figure.Vermilion, Name: high, Sign: '▲'})
	if k := s.position(); k >= 0 {
		f.MarkRef(k, figure.Mark{Ink: figure.Strong, Name: s.chosenName(), Sign: '◆'})
	}
}

func (s *session) histogram() *figure.Figure {
	c := s.values(s.y)
	f := figure.Histogram(c)
	if !math.IsNaN(s.limit) {
		f.Limit(c, s.limit)
	}
	return f
}

func (s *session) distribution() *figure.Figure {
	c := s.values(s.y)
	f := figure.Distribution(c)
	if !math.IsNaN(s.limit) {
		f.RuleLimit(c, s.limit)
	}
	s.markRuns(f)
	return f
}

func (s *session) mean() *figure.Figure {
	return figure.RunningMean(s.values(s.y))
}

func (s *session) tornado() *figure.Figure {
	var inputs []figure.Column
	for i := range s.plan.Inputs {
		if s.plan.Inputs[i].Levels == nil {
			inputs = append(inputs, s.values(i))
		}
	}
	return figure.Influence(s.values(s.y), inputs)
}

// figureKey holds everything that a figure depends on.
type figureKey struct {
	of         *session
	version    int
	page, x, y int
	limit      float64
	at         int
	limited    bool
}

// keyOf returns everything that the figure of a page now depends on.
func (s *session) keyOf(page int) figureKey {
	key := figureKey{of: s, version: s.version, page: page, x: s.x, y: s.y, at: s.at}
	if key.limited = !math.IsNaN(s.limit); key.limited {
		key.limit = s.limit
	}
	return key
}

// plotOf returns the figure of the page, rebuilt after a change.
func (p *view) plotOf(s *session, page int) *figure.Figure {
	if key := s.keyOf(page); key != p.figureOf {
		p.figureOf, p.figure = key, pages[page].figure(s)
	}
	return p.figure
}

// summaryOf returns the summary of the output, rebuilt after a change.
func (p *view) summaryOf(s *session) [][2]string {
	if key := s.keyOf(pageSetup); key != p.linesOf {
		p.linesOf, p.lines = key, s.summary()
	}
	return p.lines
}
