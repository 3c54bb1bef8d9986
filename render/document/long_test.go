package document

import (
	"errors"
	"strconv"
	"strings"
	"testing"

	"pview/insight/report"
)

// longTable returns a table of rows whose number is their index, and whose text is that of names, in turn.
func longTable(rows int, names ...string) *LongTable {
	return &LongTable{Rows: rows, Columns: []LongColumn{
		{Title: "Number", Number: func(dst []byte, row int) []byte { return strconv.AppendInt(dst, int64(row), 10) }},
		{Title: "Nothing", Text: func(int) string { return "" }},
		{Title: "Name", Text: func(row int) string { return names[row%len(names)] }},
		{Title: "n", Number: func(dst []byte, row int) []byte { return strconv.AppendInt(dst, 998+int64(row), 10) }}}}
}

// A long table has the layout of others: numbers to the right, no column without content, no blanks at the ends.
func TestLongTable(t *testing.T) {
	const want = "  *Number  Name     n*\n       0  Send   998\n       1  幅     999\n       2        1000\n"
	var b strings.Builder
	heading := func(s string) string { return "*" + s + "*" }
	if err := longTable(3, "Send", "幅", "").Write(&b, "  ", heading); err != nil || b.String() != want {
		t.Errorf("\n%s%v, want\n%s", b.String(), err, want)
	}
	tab := &report.Table{Columns: []report.Column{{Title: "Number", Right: true}, {Title: "Nothing"}, {Title: "Name"},
		{Title: "n", Right: true}}}
	tab.Add("0", "", "Send", "998")
	tab.Add("1", "", "幅", "999")
	tab.Add("2", "", "", "1000")
	if got := TableText(tab, "  ", heading); got != want {
		t.Errorf("as a short table:\n%s", got)
	}
	b.Reset()
	if err := longTable(2, "a", "bb").Write(&b, "", nil); err != nil || b.String() !=
		"Number  Name    n\n     0  a     998\n     1  bb    999\n" {
		t.Errorf("\n%s%v", b.String(), err)
	}
}

// pieces counts writes, and fails with the second one of a disk that is full.
type pieces struct {
	strings.Builder
	sizes []int
	full  bool
}

var errFull = errors.New("no space")

func (p *pieces) Write(b []byte) (int, error) {
	p.sizes = append(p.sizes, len(b))
	if p.full && len(p.sizes) > 1 {
		return 0, errFull
	}
	return p.Builder.Write(b)
}

// Lines of 20 bytes, 400,040 in all, are written in parts of 64 KiB: six and a rest. An error ends the writing.
func TestLongTableParts(t *testing.T) {
	var p pieces
	if err := longTable(20_000, "ab").Write(&p, "", nil); err != nil || len(p.sizes) != 7 {
		t.Errorf("%d bytes in parts of %v: %v", p.Len(), p.sizes, err)
	}
	for i, n := range p.sizes[:len(p.sizes)-1] {
		if n < 64<<10 || n > 65<<10 {
			t.Errorf("part %d has %d bytes", i, n)
		}
	}
	lines := strings.Split(p.String(), "\n")
	if len(lines) != 20_002 || lines[20_000] != " 19999  ab    20997" {
		t.Errorf("%d lines, the last is %q", len(lines), lines[len(lines)-2])
	}
	p = pieces{full: true}
	if err := longTable(20_000, "ab").Write(&p, "", nil); !errors.Is(err, errFull) || len(p.sizes) != 2 {
		t.Errorf("after %d parts: %v", len(p.sizes), err)
	}
}

// Lines of csv are for spreadsheets, which run some cells as formulas; those separated by tabs are not.
func TestWriteLines(t *testing.T) {
	for comma, want := range map[rune]string{',': "a,'=1\n\"b,c\",2\n", '\t': "a\t=1\nb,c\t2\n"} {
		var b strings.Builder
		if err := WriteLines(&b, comma, [][]string{{"a", "=1"}, {"b,c", "2"}}); err != nil || b.String() != want {
			t.Errorf("%q, %v", b.String(), err)
		}
	}
}

// A label has up to 200 columns, a sentence with names 2000; both are safe.
func TestLabel(t *testing.T) {
	for _, c := range []struct {
		f    func(string) string
		most int
	}{{Label, 200}, {Sentence, 2000}} {
		full := strings.Repeat("x", c.most)
		for text, want := range map[string]string{"a\tb\x1b[31m": "a b[31m", full: full, "": "",
			full + "x": full[3:] + "..."} {
			if got := c.f(text); got != want {
				t.Errorf("%.40q of %d: %.40q of %d", text, len(text), got, len(got))
			}
		}
	}
}

func TestIsRows(t *testing.T) {
	for _, format := range Formats {
		want := format != "table" && format != "json"
		if IsRows(format) != want {
			t.Error(format)
		}
	}
}

// Names of up to 28 columns have their meanings beside them; longer ones have their own line.
func TestDefinitions(t *testing.T) {
	exact, long := strings.Repeat("n", 28), strings.Repeat("l", 29)
	for _, c := range []struct {
		rows  [][2]string
		total int
		want  string
	}{
		{nil, 40, ""},
		{[][2]string{{"a", "one"}, {"幅", "two"}, {"", "three"}}, 40, "  a   one\n  幅  two\n      three\n"},
		// Of 16 columns 4 are blank and 3 the name's.
		{[][2]string{{"abc", "12345 789 12"}, {"x", ""}}, 16, "  abc  12345 789\n       12\n  x\n"},
		{[][2]string{{exact, "m"}, {"x", "m"}}, 60, "  " + exact + "  m\n  x" + strings.Repeat(" ", 29) + "m\n"},
		{[][2]string{{long, "m"}, {"x", "m"}}, 60, "  " + long + "\n     m\n  x  m\n"},
	} {
		if got := Definitions(c.rows, c.total); got != c.want {
			t.Errorf("%v:\n%swant\n%s", c.rows, got, c.want)
		}
	}
}
