package command

// Pages of HTML to send to a colleague: what the reports have in common. A page stands alone, pictures are SVGs within
// it.

import (
	"bytes"
	_ "embed"
	"encoding/base64"
	"html/template"
	"slices"

	"pview/render/document"
	"pview/render/picture"
)

//go:embed page.html
var pageParts string

var commonPage = template.Must(template.New("page").Parse(pageParts))

// PageTemplate parses a page, which can use the templates "head" and "table".
func PageTemplate(name, text string) *template.Template {
	return template.Must(template.Must(commonPage.Clone()).New(name).Parse(text))
}

// HtmlTable is a table of a page.
type HtmlTable struct {
	Title   string
	Head    []string // nil: no line of titles
	Rows    [][]string
	Numbers []bool // by column: to the right
}

// Number reports whether a column holds numbers.
func (t *HtmlTable) Number(i int) bool { return i < len(t.Numbers) && t.Numbers[i] }

// ForPage returns a table as a terminal shows it, without hidden columns and without bars, which have no name: a page
// has plots.
func ForPage(t *Table, title string) *HtmlTable {
	cells, widths := document.Cells(t)
	for i, c := range t.Columns {
		if c.Key == "" && c.Title == "" && !t.Headless {
			widths[i] = 0
		}
	}
	page := &HtmlTable{Title: title}
	for i := range widths {
		if widths[i] > 0 {
			page.Numbers = append(page.Numbers, t.RightAligned(i))
		}
	}
	for r, row := range cells {
		var line []string
		for i, cell := range row {
			if widths[i] > 0 {
				line = append(line, cell)
			}
		}
		switch {
		case r > 0:
			page.Rows = append(page.Rows, line)
		case !t.Headless && slices.ContainsFunc(line, func(s string) bool { return s != "" }):
			page.Head = line
		}
	}
	return page
}

// SvgOf is a figure as a link that holds it.
func SvgOf(fig *picture.Figure) (template.URL, error) {
	var b bytes.Buffer
	if err := fig.Write(&b, picture.FormatOf("x.svg")); err != nil {
		return "", err
	}
	return template.URL("data:image/svg+xml;base64," + base64.StdEncoding.EncodeToString(b.Bytes())), nil
}

// ReportWide is the width of a page's pictures, in pixels.
const ReportWide = 1000
