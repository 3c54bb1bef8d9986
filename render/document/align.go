package document

import (
	"strings"

	"pview/prv"
)

// Align pads the numbers of a right-aligned column so that their decimal points line up, and returns the width of the
// column. It leaves a column alone that holds anything but amounts.
func Align(cells []string) (width int) {
	tail, padded := 0, true // columns from the point on
	for _, cell := range cells {
		whole, ok := amount(cell)
		padded = padded && ok
		width = max(width, columnsOf(cell))
		if whole > 0 {
			tail = max(tail, len(cell)-whole)
		}
	}
	for i, cell := range cells {
		if whole, _ := amount(cell); padded && whole > 0 {
			cells[i] += strings.Repeat(" ", tail-(len(cell)-whole))
			width = max(width, len(cells[i]))
		}
	}
	return width
}

// amount returns the number of bytes of an amount before its decimal point and its unit; 0 if the cell has no digits:
// "", "-", "inf". ok is false if the cell is anything else.
func amount(cell string) (whole int, ok bool) {
	first := strings.IndexAny(cell, "0123456789")
	if first < 0 {
		return 0, true
	}
	sign := strings.TrimPrefix(strings.TrimPrefix(cell[:first], "< "), "> ") // "< 0.01 %"
	if len(sign) > 1 || !prv.IsPlain(cell) {
		return 0, false
	}
	rest := strings.TrimLeft(cell[first:], "0123456789,")
	whole = len(cell) - len(rest)
	if decimals, point := strings.CutPrefix(rest, "."); point {
		rest = strings.TrimLeft(decimals, "0123456789")
	}
	return whole, rest == "" || rest[0] == 'e' || rest[0] == ' ' && !strings.Contains(rest[1:], " ")
}
