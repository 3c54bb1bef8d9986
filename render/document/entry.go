package document

import (
	"fmt"

	"pview/insight/report"
	"pview/prv"
)

// entry writes a conclusion: number, cost and title, its details, and a line for each conclusion that it covers.
func (w *textWriter) entry(e *report.Entry) {
	fmt.Fprintf(w, "%3d  %s\n", e.Number, w.heading(Cost(e)+prv.Clean(e.Title)))
	for _, l := range e.Details {
		fmt.Fprintf(w, "     %s: %s\n", l.Key, prv.Clean(l.Text))
	}
	for i := range e.Children {
		c := &e.Children[i]
		fmt.Fprintf(w, "     - %s %s%s\n", c.Rule, Cost(c), prv.Clean(c.Title))
	}
}

// Cost is the cost of an entry, to stand before its title: "12.0 %  1.5 ms  ". It is "" if there is none.
func Cost(e *report.Entry) string {
	switch {
	case e.Warning:
		return "warning: "
	case e.Share == "":
		return ""
	}
	return e.Share + "  " + e.Cost + "  "
}
