package document

import (
	"pview/insight/report"
	"pview/render/document"
	"pview/render/style"
)

// Lines returns the lines of a document for a pager (dialog.Pager.Layout), all of it unfolded.
func Lines(d *report.Document, th *style.Theme, width int) (lines []style.Line) {
	for _, p := range document.Layout(d, width) {
		for _, l := range p.Lines {
			st := th.Popup
			if l.Strong {
				st = th.PopupTitle
			}
			lines = append(lines, style.Line{{Text: th.ASCII(l.Lead + l.Text), Style: st}})
		}
	}
	return lines
}
