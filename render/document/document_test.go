package document

import (
	"bytes"
	"context"
	"math"
	"strings"
	"testing"

	"pview/insight/report"
	"pview/insight/report/figure"
	"pview/prv"
	"pview/prv/prvtest"
)

// answer returns a document with a block of every kind except pictures.
func answer() *report.Document {
	parts := &report.Table{Title: "Parts", Doc: "of the time", Columns: []report.Column{{Key: "name", Title: "Part"},
		{Key: "ns", Title: "Time"}, {Key: "share", Bar: true}}, Top: 1, Foot: [][]any{{"all", int64(-8), nil}}}
	parts.Add("reading", int64(1000), 1.0)
	parts.Add("writing", int64(-1008), -0.5)
	d := &report.Document{Title: "a\x1b[31m.prv", PageHeading: "a.prv", PageTitle: "a.prv in parts",
		Foot:   "times are measured",
		Rows:   func() *report.Table { return parts },
		Object: func() any { return report.NewObject("parts", parts.Objects()) }}
	d.Add(&report.Passage{Text: "B takes 8 ns less.", Tone: report.Strong}, report.Sentence("Both have 2 threads."))
	d.AddUnder("Where", parts)
	d.Add(&report.Entry{Number: 1, Rule: "R01", Share: "12.0 %", Cost: "5 ns", Title: "late\tsender",
		Details: []report.Detail{{Key: "advice", Text: "send early"}}, Confirmed: true,
		Children: []report.Entry{{Rule: "R02", Warning: true, Title: "few samples"},
			{Rule: "R13", Share: "9.0 %", Cost: "4 ns", Title: "uneven work"}}})
	d.Add(report.Pairs{{"Gain", "1.5"}})
	d.Sections = append(d.Sections, report.Section{On: report.PageOnly, Fold: "2 runs",
		Blocks: []report.Block{report.Pairs{{"run", "1"}}.Table()}},
		report.Section{On: report.TextOnly, Blocks: []report.Block{report.Sentence("--top 0 shows all")}})
	d.Sections = append(d.Sections, report.Section{Blocks: []report.Block{&report.Plot{Alt: "one point",
		Figure: figure.Scatter(figure.Column{Values: []float64{1}}, figure.Column{Values: []float64{2}})}}})
	return d
}

// Sections stand one blank line apart, headings are styled, and text from a trace is harmless. Plots, pictures and
// parts for pages only are omitted.
func TestText(t *testing.T) {
	const want = `*a[31m.prv*

*B takes 8 ns less.*
Both have 2 threads.

*Where*
*Part      Time*
reading  1,000
all         -8
and 1 more (--top 0 shows all)

  1  *12.0 %  5 ns  late sender*
     advice: send early
     - R02 warning: few samples
     - R13 9.0 %  4 ns  uneven work

  Gain  1.5

--top 0 shows all
`
	if got := Text(answer(), func(s string) string { return "*" + s + "*" }); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}

// The other formats have the rows or the object.
func TestWrite(t *testing.T) {
	for format, want := range map[string]string{
		"tsv": "name\tns\tshare\nreading\t1000\t1\nwriting\t-1008\t-0.5\n",
		"csv": "name,ns,share\nreading,1000,1\nwriting,-1008,-0.5\n",
		"json": `{
  "parts": [
    {
      "name": "reading",
      "ns": 1000,
      "share": 1
    },
    {
      "name": "writing",
      "ns": -1008,
      "share": -0.5
    }
  ]
}
`,
		"table": Text(answer(), nil),
	} {
		var b bytes.Buffer
		if err := Write(&b, answer(), format, nil); err != nil || b.String() != want {
			t.Errorf("%s: %v\n%s", format, err, b.String())
		}
	}
}

// A page has everything except parts for text only: rows beyond the first ones can be unfolded, shares are bars, plots
// are pictures within it. Nothing from a trace is markup.
func TestPage(t *testing.T) {
	d := answer()
	d.Sections[0].Blocks = append(d.Sections[0].Blocks, &report.Passage{Text: "<b>x</b>", Tone: report.Note})
	text := pageOf(t, d)
	for _, want := range []string{"<title>a.prv in parts</title>", "<h1>a.prv</h1>",
		`<p class="strong">B takes 8 ns less.</p>`, `<p class="note">&lt;b&gt;x&lt;/b&gt;</p>`, "<h2>Where</h2>",
		"<h3>Parts <span>of the time</span></h3>", `<th>Part</th><th class="n">Time</th>`,
		`<td>reading</td><td class="n">1,000</td><td class="bar"><div><i></i><i>` +
			`<b class="more" style="width:100.0%"></b></i></div></td>`,
		"<summary>1 more</summary>", `<b class="less" style="width:50.0%"></b>`,
		`<div class="finding confirmed">`, `<span class="cost">12.0 %</span>late sender</h3>`,
		"<p><b>advice:</b> send early</p>", `<p class="minor">with R02 (warning): few samples</p>`,
		`<p class="minor">with R13 (9.0 %, 4 ns): uneven work</p>`, "<summary>2 runs</summary>",
		`<img src="data:image/svg&#43;xml;base64,`, `alt="one point"`, "Made by pview: times are measured."} {
		if !strings.Contains(text, want) {
			t.Errorf("no %s in\n%s", want, text)
		}
	}
	for _, not := range []string{"--top 0", "\x1b", "<b>x"} {
		if strings.Contains(text, not) {
			t.Errorf("%q in the page", not)
		}
	}
}

// TestPageColumns: a column without a title has the names of the rows, as in a comparison, or their meanings. Only bars
// made of characters are left out.
func TestPageColumns(t *testing.T) {
	tab := &report.Table{Columns: []report.Column{{}, {Title: "A"}, {Drawn: true}, {}}}
	tab.Add("waiting", int64(5), "###", "for a message")
	d := &report.Document{Sections: []report.Section{{Blocks: []report.Block{tab}}}}
	want := `<td>waiting</td><td class="n">5</td><td>for a message</td>`
	if got := pageOf(t, d); !strings.Contains(got, want) || strings.Contains(got, "###") {
		t.Error(got)
	}
	if got := Text(d, nil); !strings.Contains(got, "waiting  5  ###  for a message") {
		t.Error(got)
	}
}

func pageOf(t *testing.T, d *report.Document) string {
	t.Helper()
	var b bytes.Buffer
	if err := WritePage(context.Background(), &b, d, 1<<20); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// A table without rows, and one whose Rest sums up the omitted rows.
func TestTableTop(t *testing.T) {
	tab := &report.Table{Columns: []report.Column{{Title: "Name"}, {Title: "n"}, {Title: "same", Known: true}}, Top: 1}
	tab.Add("a", int64(5), "x")
	tab.Add("b", int64(2), "x")
	tab.Add("c", int64(1), "x")
	tab.Rest = []any{"2 more", int64(3), "x"}
	if got := Text(&report.Document{Sections: []report.Section{{Blocks: []report.Block{tab}}}}, nil); got !=
		"Name    n\na       5\n2 more  3\n" {
		t.Errorf("%q", got)
	}
	got := pageOf(t, &report.Document{Sections: []report.Section{{Blocks: []report.Block{tab}}}})
	if sum := strings.Index(got, `<td>2 more</td><td class="n">3</td>`); sum < 0 || sum > strings.Index(got, "<td>b<") {
		t.Error(got)
	}
	tab.Top = 3
	if got := TableText(tab, "  ", nil); got != "  Name  n\n  a     5\n  b     2\n  c     1\n" {
		t.Errorf("%q", got)
	}
	if got := pageOf(t, &report.Document{Sections: []report.Section{{Heading: "Empty",
		Blocks: []report.Block{&report.Table{Columns: tab.Columns}}}}}); strings.Contains(got, "Empty") {
		t.Error(got)
	}
}

// A picture shows the threads and the time that it names; the rows of a picture are limited.
func TestPicture(t *testing.T) {
	tr := opened(t, prvtest.Stairs(t, t.TempDir(), 30))
	all := make([]int32, 30)
	for i := range all {
		all[i] = int32(i)
	}
	for _, threads := range [][]int32{nil, {2, 3}, all} {
		d := &report.Document{}
		d.Add(
			&report.Picture{
				Alt:    "steps",
				Panels: []report.Panel{{Name: "Steps", Trace: tr, Threads: threads, To: 100}},
			},
		)
		if got := pageOf(t, d); !strings.Contains(got, `alt="steps"`) {
			t.Error(got)
		}
	}
}

// A cell without a number has no bar.
func TestBar(t *testing.T) {
	for cell, want := range map[any]pageCell{0.5: {More: "50.0"}, -0.25: {Less: "25.0"}, nil: {}, "x": {}} {
		if got := barOf(cell); got != want {
			t.Errorf("%v: %+v", cell, got)
		}
	}
	if got := report.OrNil(math.Inf(1)); got != nil {
		t.Error(got)
	}
}

func opened(t *testing.T, path string) *prv.Trace {
	t.Helper()
	tr, err := prv.Open(context.Background(), path, prv.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return tr
}
