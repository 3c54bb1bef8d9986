package report

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"pview/insight/report/figure"
	"pview/prv"
	"pview/semantic"
)

// Document is the answer of an analysis as data, for people in sections and for programs as one table or object. Text
// may contain names from a trace as they are: the code that shows it must clean it.
//
// An insight makes the document. Package render/document prints it as text, tsv, csv, JSON or HTML; panes show its
// sections, and go to the evidence of the selected entry.
type Document struct {
	Title    string
	Sections []Section
	// Rows is the answer as one table, for tsv and csv.
	Rows func() *Table
	// Object is the answer for JSON, made of Objects, lists and plain values. Keys may be added but not renamed.
	Object func() any
	// Notes are remarks for readers of Rows: the sections also have them.
	Notes []string

	// PageTitle and PageHeading apply to the document as a page; an empty PageTitle means the heading.
	PageTitle, PageHeading string
	// Foot is the last sentence of the page, on the origin of the figures.
	Foot string
}

// TableDocument returns a document that is a table, in all forms.
func TableDocument(t *Table) *Document {
	return &Document{Sections: []Section{{Blocks: []Block{t}}}, Rows: func() *Table { return t },
		Object: func() any { return t.Objects() }}
}

// Add appends a section without a heading.
func (d *Document) Add(blocks ...Block) { d.Sections = append(d.Sections, Section{Blocks: blocks}) }

// AddUnder appends a section with a heading.
func (d *Document) AddUnder(heading string, blocks ...Block) {
	d.Sections = append(d.Sections, Section{Heading: heading, Blocks: blocks})
}

// Section is a part of a document. A blank line separates it from the previous one.
type Section struct {
	Heading string // "" if none
	Blocks  []Block
	// Fold is a summary that a page shows in place of the section's tables, which unfold; "": they are shown.
	Fold string
	// On tells where the section appears.
	On Output
}

// Output is the place where a section appears: a page has room for more than a text.
type Output uint8

// The outputs. A viewer shows the contents of a text, plus more that can be selected.
const (
	Everywhere Output = iota
	TextOnly          // and in a viewer
	PageOnly
	ViewerOnly
)

// Block is a part of a section: a *Passage, Pairs, *Table, *Entry, *Plot or *Picture.
type Block interface{ block() }

func (*Passage) block() {}
func (Pairs) block()    {}
func (*Table) block()   {}
func (*Entry) block()   {}
func (*Plot) block()    {}
func (*Picture) block() {}

// Passage is a paragraph.
type Passage struct {
	Text   string
	Tone   Tone
	Indent int  // columns
	Wrap   bool // in a terminal: text as wide as help; otherwise it is one line
}

// Tone is the emphasis of a passage.
type Tone uint8

// The tones.
const (
	Plain   Tone = iota
	Strong       // the sentence that sums up the answer
	Note         // a remark on the data, such as what is missing
	Warning      // a reason to distrust the answer
	About        // a subordinate remark
)

// Sentence returns a plain passage of one line.
func Sentence(text string) *Passage { return &Passage{Text: text} }

// Pairs are names and their meanings or values.
type Pairs [][2]string

// Table returns the pairs as a table without titles.
func (p Pairs) Table() *Table {
	t := &Table{Columns: make([]Column, 2), Headless: true}
	for _, pair := range p {
		t.Add(pair[0], pair[1])
	}
	return t
}

// Entry is a conclusion that can be selected, such as a finding: its cost, its text and where to see it.
type Entry struct {
	Number   int    // rank, from 1
	Rule     RuleID // that made it
	Share    string // of the run; "" if none
	Cost     string // time; "" if none
	Title    string
	About    string // the rule and its confidence, for a page or a pane
	Details  []Detail
	Children []Entry // conclusions that this one covers
	Evidence []Evidence
	Warning  bool // comes first, whatever it costs
	Minor    bool // too small to be worth a change
	// Confirmed: a simulation of the repair confirmed the cost.
	Confirmed bool
	Picture   *Picture // of the strongest evidence; nil if none
	Finding   *Finding // in these words; nil if none
}

// Lead returns the number of an entry, to stand before it; blanks if it has none.
func (e *Entry) Lead() string {
	if e.Number == 0 {
		return "     "
	}
	return fmt.Sprintf("%3d  ", e.Number)
}

// Places returns the evidence of an entry, then that of the entries below it.
func (e *Entry) Places() []Evidence {
	list := e.Evidence
	for i := range e.Children {
		list = slices.Clip(list) // do not append to the entry's own list
		for _, p := range e.Children[i].Evidence {
			p.Why = strings.TrimSuffix(string(e.Children[i].Rule)+", "+p.Why, ", ")
			list = append(list, p)
		}
	}
	return list
}

// Detail is a line on an entry: "advice", "bind threads to cores".
type Detail struct{ Key, Text string }

// Plot is a figure in a document.
type Plot struct {
	*figure.Figure
	Alt string // what it shows, in words
}

// Picture says what a picture of timelines shows: which traces, rows and times. It holds no pixels.
type Picture struct {
	Alt    string // what it shows, in words
	Panels []Panel
}

// Panel is a timeline of a picture.
type Panel struct {
	Name     string // "" for the usual one
	Trace    *prv.Trace
	Make     func(context.Context) (*prv.Trace, error) // makes the trace when it is drawn, if Trace is nil
	Threads  []int32                                   // rows; nil: the first ones
	From, To int64                                     // in the trace's unit
	Messages bool                                      // with lines of communications
	// Event is the type of the events whose last value is shown; 0: states.
	Event uint32
	// Values are the values of Event with their names and colours; nil: those of the trace.
	Values []semantic.NamedValue
}
