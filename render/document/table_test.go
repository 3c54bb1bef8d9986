package document

import (
	"bytes"
	"strings"
	"testing"

	"pview/insight/report"
	"pview/prv/quantity"
)

// One table in its four forms: people get separators and units, programs every
// digit.
func TestTableFormats(t *testing.T) {
	tab := &report.Table{Columns: []report.Column{
		{Key: "name", Title: "Name"},
		{Key: "count", Title: "Count"},
		{Key: "share", Title: "Share", Show: func(v any) string { return quantity.FormatPercent(v.(float64)) }},
		{Key: "note"},
	}}
	tab.Add("Running", int64(71268), 0.23, nil)
	tab.Add("\"a\",\tb", int64(-3), 1.0/3, "幅")
	want := map[string]string{
		"table": "Name      Count   Share\n" +
			"Running  71,268  23.0 %\n" +
			"\"a\", b       -3  33.3 %  幅\n",
		"tsv": "name\tcount\tshare\tnote\n" +
			"Running\t71268\t0.23\t\n" +
			"\"a\", b\t-3\t0.3333333333333333\t幅\n",
		"csv": "name,count,share,note\n" +
			"Running,71268,0.23,\n" +
			"\"\"\"a\"\",\tb\",-3,0.3333333333333333,幅\n",
		"json": `[
  {
    "name": "Running",
    "count": 71268,
    "share": 0.23,
    "note": null
  },
  {
    "name": "\"a\",\tb",
    "count": -3,
    "share": 0.3333333333333333,
    "note": "幅"
  }
]
`,
	}
	want["sheet"] = want["csv"]
	for _, format := range Formats {
		var b bytes.Buffer
		if err := WriteTable(&b, tab, format); err != nil {
			t.Fatal(err)
		}
		if got := b.String(); got != want[format] {
			t.Errorf("%s:\n%s\nwant\n%s", format, got, want[format])
		}
	}
}

// A table without rows is an empty list for programs, not null.
func TestEmptyTable(t *testing.T) {
	tab := &report.Table{Columns: []report.Column{{Key: "name", Title: "Name"}}}
	for format, want := range map[string]string{"json": "[]\n", "tsv": "name\n", "csv": "name\n", "table": "Name\n"} {
		var b bytes.Buffer
		if err := WriteTable(&b, tab, format); err != nil {
			t.Fatal(err)
		}
		if b.String() != want {
			t.Errorf("%s: %q, want %q", format, b.String(), want)
		}
	}
}

// A spreadsheet runs cells that begin with = + - @, a tab or a carriage return; numbers stay numbers.
func TestSheet(t *testing.T) {
	table := &report.Table{Columns: []report.Column{{Key: "name"}, {Key: "value"}}}
	for _, name := range []string{"=1+2", "+cmd", "-x", "@sum(a1)", "\t=1", "plain", "", "-1.5e-3", "+7", "a=b", "-NaN"} {
		table.Add(name, -2)
	}
	var b strings.Builder
	if err := WriteTable(&b, table, "sheet"); err != nil {
		t.Fatal(err)
	}
	want := "name,value\n'=1+2,-2\n'+cmd,-2\n'-x,-2\n'@sum(a1),-2\n'\t=1,-2\nplain,-2\n,-2\n-1.5e-3,-2\n+7,-2\n" +
		"a=b,-2\n" +
		"'-NaN,-2\n"
	if b.String() != want {
		t.Errorf("%q, want %q", b.String(), want)
	}
}
