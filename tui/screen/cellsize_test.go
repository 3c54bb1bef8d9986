//go:build unix

package screen

import (
	"testing"

	"github.com/creack/pty"

	uv "github.com/charmbracelet/ultraviolet"
)

// xterm does not report the size of its cells unless its window operations are allowed, but tells the kernel: 200
// columns of 6 pixels and 60 rows of 13, with a border of 2 pixels, are 1204 x 784.
func TestCellSizeByTheKernel(t *testing.T) {
	master, tty, err := pty.Open()
	if err != nil {
		t.Skip(err)
	}
	defer master.Close()
	defer tty.Close()
	p := Pixels{Out: tty}
	p.Learn(uv.PrimaryDeviceAttributesEvent{63, 4})
	p.Measure()
	if p.Graphics() != Cells {
		t.Error("pictures of unknown size are drawn")
	}
	if err := pty.Setsize(tty, &pty.Winsize{Cols: 200, Rows: 60, X: 1204, Y: 784}); err != nil {
		t.Fatal(err)
	}
	if p.Measure(); p.CellW != 6 || p.CellH != 13 || p.Graphics() != Sixel {
		t.Errorf("cells of %d x %d, %v", p.CellW, p.CellH, p.Graphics())
	}
	p.Learn(uv.CellSizeEvent{Width: 7, Height: 14}) // the terminal knows better
	if p.Measure(); p.CellW != 7 || p.CellH != 14 {
		t.Errorf("cells of %d x %d", p.CellW, p.CellH)
	}
}
