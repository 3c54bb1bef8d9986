package document

import "pview/insight/report"

// costs returns the costs of entries, to be put before their titles and aligned in columns: "12.0 %  1.5 ms  ". An
// entry without a cost has "".
func costs(list []*report.Entry) []string {
	texts, shares, times := make([]string, len(list)), make([]string, len(list)), make([]string, len(list))
	for i, e := range list {
		if !e.Warning && e.Share != "" {
			shares[i], times[i] = e.Share, e.Cost
		}
	}
	share, time := Align(shares), Align(times)
	for i, e := range list {
		switch {
		case e.Warning:
			texts[i] = "warning: "
		case e.Share != "":
			line := appendCell(nil, shares[i], share-columnsOf(shares[i]), true)
			texts[i] = string(appendCell(line, times[i], time-columnsOf(times[i]), true)) + "  "
		}
	}
	return texts
}
