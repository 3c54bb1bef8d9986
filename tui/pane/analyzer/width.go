package analyzer

import (
	"strings"

	"pview/render/raster"
	"pview/semantic/stat"
)

// Widths of columns on the screen.
const (
	leastColumn = 5
	mostName    = 16 // of a name in two lines
	mostColumn  = 24
)

// measure finds the width of each column: its numbers and the words of its name.
func (s *Sheet) measure(withoutTotals bool) {
	for c := range s.Columns {
		h := &s.Columns[c]
		w := leastColumn
		w = max(w, min(nameWidth(h.Name), mostName))
		if s.functions {
			for r := range s.Rows {
				w = max(w, len(s.Text(r, c)))
			}
		}
		for _, total := range stat.Totals {
			extreme := total == stat.Maximum || total == stat.Minimum
			if s.Vertical && s.functions || withoutTotals && !extreme {
				continue
			}
			w = max(w, len(decimal(s.Totals[total][c], s.totalDigits(total, c))))
		}
		h.width = min(w, mostColumn)
	}
}

// nameWords splits the name of a column where a second line may start.
func nameWords(name string) []string {
	if lo, hi, ok := strings.Cut(name, ".."); ok && strings.HasPrefix(name, "[") {
		return []string{lo, ".." + hi}
	}
	return strings.Fields(name)
}

// nameWidth returns the minimum width that holds a name in two lines.
func nameWidth(name string) int {
	words := nameWords(name)
	best := raster.TextWidth(name)
	glue := nameGlue(name)
	for i := 1; i < len(words); i++ {
		first, second := strings.Join(words[:i], glue), strings.Join(words[i:], glue)
		best = min(best, max(raster.TextWidth(first), raster.TextWidth(second)))
	}
	return best
}

// nameGlue joins the words of a name.
func nameGlue(name string) string {
	if strings.HasPrefix(name, "[") {
		return ""
	}
	return " "
}

// nameLines lays a name out in two lines of the given columns; the first is empty if one is enough. The rest is cut.
func nameLines(name string, width int) (first, second string) {
	if raster.TextWidth(name) <= width {
		return "", name
	}
	words := nameWords(name)
	glue := nameGlue(name)
	for i, word := range words {
		if next := first + glue + word; i > 0 && raster.TextWidth(next) > width {
			return first, strings.Join(words[i:], glue)
		} else if i > 0 {
			first = next
		} else {
			first = word
		}
	}
	return "", name
}
