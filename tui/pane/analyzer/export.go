package analyzer

import (
	"errors"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"pview/prv"
	"pview/render/document"
	"pview/semantic/stat"
	"pview/tui/paths"
)

// A table as text: aligned for the clipboard, in full precision for files.

// records lists the lines of a table: names, rows, totals. number writes a cell.
func (s *Sheet) records(number func(v float64, ok bool, column int, total *stat.Total) string) [][]string {
	corner := ""
	if !s.functions {
		corner = s.Statistic.Name
		if s.unit != "" {
			corner += " [" + s.unit + "]"
		}
	}
	first := []string{corner}
	for _, h := range s.Columns {
		name := h.Name
		if h.unit != "" {
			name += " [" + h.unit + "]"
		}
		first = append(first, name)
	}
	lines := [][]string{first}
	for r := range s.Rows {
		name := s.Rows[r].Name
		if u := s.Rows[r].unit; u != "" {
			name += " [" + u + "]"
		}
		line := []string{name}
		for c := range s.Columns {
			v, ok := s.Cell(r, c)
			line = append(line, number(v, ok, c, nil))
		}
		lines = append(lines, line)
	}
	if !s.hasTotals() {
		return lines
	}
	for _, t := range stat.Totals {
		line := []string{t.String()}
		for c := range s.Columns {
			v := s.Totals[t][c]
			line = append(line, number(v, v == v, c, &t))
		}
		lines = append(lines, line)
	}
	return lines
}

// PlainText returns the table with aligned columns.
func (s *Sheet) PlainText() string {
	lines := s.records(func(v float64, ok bool, column int, total *stat.Total) string {
		switch {
		case !ok:
			return "-"
		case total != nil:
			return decimal(v, s.totalDigits(*total, column))
		}
		return decimal(v, s.Columns[column].digits)
	})
	widths := make([]int, len(s.Columns)+1)
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

// write writes the table in full precision, nothing if there is no value; with commas for a spreadsheet.
func (s *Sheet) write(out io.Writer, comma rune) error {
	return document.WriteLines(out, comma, s.records(func(v float64, ok bool, _ int, _ *stat.Total) string {
		if !ok || math.IsNaN(v) {
			return ""
		}
		return strconv.FormatFloat(v, 'g', -1, 64)
	}))
}

// mostCopied is the maximum size of text that terminals accept for the clipboard.
const mostCopied = 74_000

func (p actions) copyTableText(string) tea.Cmd {
	a := p.openTable()
	if a.Sheet == nil {
		return p.sc.Refuse(errors.New("the table is still being computed"))
	}
	if n := (len(a.Sheet.Rows) + 7) * (len(a.Sheet.Columns) + 1); n > mostCopied/4 {
		return p.sc.Refuse(fmt.Errorf("the table is too large for the clipboard: %s writes it to a file",
			p.sc.KeysOf("save-table")))
	}
	text := a.Sheet.PlainText()
	if len(text) > mostCopied {
		return p.sc.Refuse(fmt.Errorf("the table is too large for the clipboard: %s writes it to a file",
			p.sc.KeysOf("save-table")))
	}
	return p.sc.Copy(fmt.Sprintf("%d rows of %d columns", len(a.Sheet.Rows), len(a.Sheet.Columns)), text)
}

type savedMsg struct {
	path string
	err  error
}

func (p files) saved(msg savedMsg) {
	if msg.err != nil {
		p.sc.Alarm(fmt.Sprintf("the table was not saved: %v", msg.err))
		return
	}
	p.sc.Say("table saved as " + msg.path)
}

// savePath returns the proposed name of a saved table: one beside the trace.
func (p actions) savePath() string {
	w := p.sc.View
	base := "table"
	if w.Trace.Data.Path != "" {
		base = prv.Base(w.Trace.Data.Path)
	}
	return base + ".csv"
}

func (p actions) saveTable(args string) tea.Cmd {
	a := p.openTable()
	if a.Sheet == nil {
		return p.sc.Refuse(errors.New("the table is still being computed"))
	}
	if args == "" {
		return p.sc.Ask("save-table")
	}
	path, s := paths.Typed(args), a.Sheet
	comma := '\t'
	if strings.EqualFold(filepath.Ext(path), ".csv") {
		comma = ','
	}
	return p.sc.Overwrite(func() tea.Cmd {
		return func() tea.Msg {
			return savedMsg{path, prv.SaveFile(path, func(out io.Writer) error { return s.write(out, comma) })}
		}
	}, path)
}
