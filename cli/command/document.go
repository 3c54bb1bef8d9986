package command

import (
	"context"
	"io"

	"charm.land/lipgloss/v2"

	"pview/insight/report"
	"pview/prv"
	"pview/render/document"
)

// Bold styles a heading.
func Bold(s string) string { return lipgloss.NewStyle().Bold(true).Render(s) }

// PrintDocument prints a document in the requested format.
func (a *App) PrintDocument(d *report.Document) error {
	out := a.Out
	if a.Format.Value == "table" {
		out = a.Styled(out)
	}
	return document.Write(out, d, a.Format.Value, Bold)
}

// WritePage writes a document as a page of HTML to a file.
func (a *App) WritePage(ctx context.Context, path string, d *report.Document) error {
	return prv.SaveFile(path, func(w io.Writer) error {
		return document.WritePage(ctx, w, d, max(a.MemoryBytes/SeriesShare, 64<<20))
	})
}
