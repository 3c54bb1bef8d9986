package document

import "pview/insight/report"

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
