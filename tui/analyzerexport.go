package tui

import (
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"pview/prv"
	"pview/semantic/stat"
	"pview/tui/paths"
)

// A table as text: for the clipboard as people read it, for files in full
// precision.

// records lists the lines of a table: names, rows, totals. number writes a cell.
func (s *sheet) records(number func(v float64, ok bool, column int, total *stat.Total) string) [][]string {
	corner := ""
	if !s.functions {
		corner = s.statistic.Name
		if s.unit != "" {
			corner += " [" + s.unit + "]"
		}
	}
	first := []string{corner}
	for _, h := range s.columns {
		name := h.name
		if h.unit != "" {
			name += " [" + h.unit + "]"
		}
		first = append(first, name)
	}
	lines := [][]string{first}
	for r := range s.rows {
		name := s.rows[r].name
		if u := s.rows[r].unit; u != "" {
			name += " [" + u + "]"
		}
		line := []string{name}
		for c := range s.columns {
			v, ok := s.cell(r, c)
			line = append(line, number(v, ok, c, nil))
		}
		lines = append(lines, line)
	}
	if !s.hasTotals() {
		return lines
	}
	for _, t := range stat.Totals {
		line := []string{t.String()}
		for c := range s.columns {
			v := s.totals[t][c]
			line = append(line, number(v, v == v, c, &t))
		}
		lines = append(lines, line)
	}
	return lines
}

// plainText is the table with aligned columns.
func (s *sheet) plainText() string {
	lines := s.records(func(v float64, ok bool, column int, total *stat.Total) string {
		switch {
		case !ok:
			return "-"
		case total != nil:
			return decimal(v, s.totalDigits(*total, column))
		}
		return decimal(v, s.columns[column].digits)
	})
	widths := make([]int, len(s.columns)+1)
	for _, line := range lines {
		for i, text := range line {
			widths[i] = max(widths[i], len([]rune(text)))
		}
	}
	var b strings.Builder
	for _, line := range lines {
		for i, text := range line {
			gap := strings.Repeat(" ", widths[i]-len([]rune(text)))
			if i == 0 {
				b.WriteString(text + gap)
			} else {
				b.WriteString("  " + gap + text)
			}
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// write writes the table for programs: full precision, nothing where there is no
// value.
func (s *sheet) write(out io.Writer, comma rune) error {
	w := csv.NewWriter(out)
	w.Comma = comma
	return w.WriteAll(s.records(func(v float64, ok bool, _ int, _ *stat.Total) string {
		if !ok || math.IsNaN(v) {
			return ""
		}
		return strconv.FormatFloat(v, 'g', -1, 64)
	}))
}

// mostCopied is the size of text that terminals take for the clipboard.
const mostCopied = 74_000

func copyTableText(m *Model, _ string) tea.Cmd {
	a := m.openTable()
	if a.sheet == nil {
		return m.refuse(fmt.Errorf("the table is not computed yet"))
	}
	if n := (len(a.sheet.rows) + 7) * (len(a.sheet.columns) + 1); n > mostCopied/4 {
		return m.refuse(fmt.Errorf("the table is too large for the clipboard: %s writes it to a file", keysOf("save-table")))
	}
	text := a.sheet.plainText()
	if len(text) > mostCopied {
		return m.refuse(fmt.Errorf("the table is too large for the clipboard: %s writes it to a file", keysOf("save-table")))
	}
	m.say(fmt.Sprintf("%d rows of %d columns are copied, if the terminal allows it", len(a.sheet.rows), len(a.sheet.columns)))
	return tea.SetClipboard(text)
}

type writtenMsg struct {
	what, path string
	err        error
}

func (m *Model) written(msg writtenMsg) {
	if msg.err != nil {
		m.alarm(fmt.Sprintf("the %s was not saved: %v", msg.what, msg.err))
		return
	}
	m.say(msg.what + " saved as " + msg.path)
}

// tablePath is what saving a table proposes: a name beside the trace.
func (m *Model) tablePath() string {
	w := m.window()
	base := "table"
	if w.Trace.Data.Path != "" {
		base = prv.Base(w.Trace.Data.Path)
	}
	return base + ".csv"
}

func saveTable(m *Model, args string) tea.Cmd {
	a := m.openTable()
	if a.sheet == nil {
		return m.refuse(fmt.Errorf("the table is not computed yet"))
	}
	if args == "" {
		return m.promptFor("save-table")
	}
	path, s := paths.ExpandHome(unquote(args)), a.sheet
	comma := '\t'
	if strings.EqualFold(filepath.Ext(path), ".csv") {
		comma = ','
	}
	return m.overwriting(func() tea.Cmd {
		return func() tea.Msg {
			return writtenMsg{"table", path, paths.Replace(path, func(out io.Writer) error { return s.write(out, comma) })}
		}
	}, path)
}
